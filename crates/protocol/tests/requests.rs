//! Requests in every form that is accepted mean one thing; all else is refused with its place.

use host::{HandMove, Play};
use protocol::{
    request,
    submit::{self, Submitted},
};
use serde_json::{Value, json};
use view::Ref;

fn action(given: Value) -> Result<Submitted<submit::Action>, (String, Option<String>)> {
    let fields = request::fields(given).map_err(|it| (it.code.to_owned(), it.pointer))?;
    submit::action(fields).map_err(|it| (it.code.to_owned(), it.pointer))
}

fn answer(given: Value) -> Result<Submitted<submit::Answer>, (String, Option<String>)> {
    let fields = request::fields(given).map_err(|it| (it.code.to_owned(), it.pointer))?;
    submit::answer(fields).map_err(|it| (it.code.to_owned(), it.pointer))
}

#[track_caller]
fn means(given: Value, expected: &Value) {
    let read = action(given).expect("it is understood");
    let Play::Act { action, targets } = read.what.play else { panic!("an action") };
    assert_eq!(json!({ "action": action, "targets": targets, "version": read.version }), *expected);
}

#[test]
fn ruling_46_slots_have_a_canonical_and_a_short_form() {
    let attack = json!({ "action": "attack", "targets": { "attacker": ["c1"], "defender": ["c2"] }, "version": 4 });
    means(
        json!({ "actionType": "attack", "targets": { "attacker": ["c1"], "defender": ["c2"] }, "branchId": 4 }),
        &attack,
    );
    means(json!({ "actionType": "attack", "attackerId": "c1", "defenderId": "c2", "knownVersion": 4 }), &attack);
    means(json!({ "type": "attack", "targets": { "attacker": "c1", "defender": "c2" }, "branchId": 4 }), &attack);
    means(
        json!({ "type": "semantic", "action_id": "attack", "params": { "attackerId": "c1", "defender": "c2" }, "branchId": 4 }),
        &attack,
    );
    means(
        json!({ "type": "attack", "attackerId": "c1", "targets": { "attacker": ["c1"], "defender": ["c2"] }, "branchId": 4 }),
        &attack,
    );
    means(
        json!({ "type": "activate_ability", "sourceId": "c3", "abilityId": "CounterAttack" }),
        &json!({ "action": "activate_ability", "targets": { "source": ["c3"], "ability": ["text:CounterAttack"] }, "version": null }),
    );
}

#[test]
fn ruling_47_the_action_may_be_called_type_or_stand_beside_semantic() {
    let pass = |given: Value| action(given).map(|it| it.what.play);
    assert_eq!(pass(json!({ "type": "pass" })), Ok(Play::Pass));
    assert_eq!(pass(json!({ "type": "semantic", "action_id": "end_turn" })), Ok(Play::EndTurn));
    refuses(json!({ "type": "pass", "action_id": "end_turn" }), "request/unknown_field", "/action_id");
}

#[test]
fn ruling_58_a_request_says_which_version_it_was_made_for() {
    let version = |given: Value| action(given).map(|it| it.version);
    assert_eq!(version(json!({ "type": "pass", "knownVersion": 7 })), Ok(Some(7)));
    assert_eq!(version(json!({ "type": "pass", "branchId": 7, "knownVersion": 7 })), Ok(Some(7)));
    assert_eq!(version(json!({ "type": "pass" })), Ok(None));
    refuses(json!({ "type": "pass", "knownVersion": -1 }), "request/wrong_type", "/knownVersion");
}

#[track_caller]
fn refuses(given: Value, code: &str, pointer: &str) {
    assert_eq!(
        action(given.clone()).expect_err("it is refused"),
        (code.to_owned(), Some(pointer.to_owned())),
        "{given}"
    );
}

#[test]
fn what_nobody_would_read_is_refused_with_its_place() {
    refuses(json!([]), "request/wrong_type", "");
    refuses(json!({}), "request/missing_field", "/actionType");
    refuses(json!({ "actionType": 7 }), "request/wrong_type", "/actionType");
    refuses(json!({ "actionType": "attack", "nonsense": 1 }), "request/unknown_field", "/nonsense");
    refuses(json!({ "actionType": "attack", "branchId": "4" }), "request/wrong_type", "/branchId");
    refuses(json!({ "actionType": "attack", "branchId": 4, "knownVersion": 5 }), "request/wrong_type", "/knownVersion");
    refuses(json!({ "actionType": "attack", "targets": [] }), "request/wrong_type", "/targets");
    refuses(
        json!({ "actionType": "attack", "targets": { "attacker": ["c0"] } }),
        "request/wrong_type",
        "/targets/attacker/0",
    );
    refuses(
        json!({ "actionType": "attack", "targets": { "attacker": [{ "id": "c1" }] } }),
        "request/wrong_type",
        "/targets/attacker/0",
    );
    refuses(
        json!({ "actionType": "attack", "attackerId": "c1", "targets": { "attacker": ["c2"] } }),
        "request/given_twice",
        "/attackerId",
    );
    refuses(json!({ "actionType": "pass", "targets": { "card": ["c1"] } }), "request/unknown_field", "/targets");
    refuses(json!({ "actionType": "attack", "from": "hand" }), "request/unknown_field", "/from");
    refuses(json!({ "actionType": "pass", "metadata": "x".repeat(5000) }), "request/too_large", "/metadata");
}

#[test]
fn moves_by_hand_have_fields_of_their_own() {
    let given = json!({ "type": "direct_manipulation", "action": "move_card", "cardId": "c1", "from": "hand", "to": "battlefield" });
    let read = action(given).expect("it is understood");
    let cards = vec![Ref::Card(1)];
    let (from, to) = ("hand".to_owned(), "battlefield".to_owned());
    assert_eq!(read.what.play, Play::Move(HandMove::Cards { cards, from, to, targets: Default::default() }));
    let by_hand = |rest: Value| {
        let mut given = json!({ "type": "direct_manipulation" });
        rest.as_object().expect("fields").iter().for_each(|(key, it)| given[key] = it.clone());
        given
    };
    refuses(
        by_hand(json!({ "action": "move_card", "from": "hand", "to": "deck" })),
        "request/missing_field",
        "/cardId",
    );
    refuses(by_hand(json!({ "action": "move_card", "cardId": "c1", "to": "deck" })), "request/missing_field", "/from");
    refuses(by_hand(json!({ "action": "fold", "cardId": "c1" })), "request/wrong_type", "/action");
    refuses(by_hand(json!({ "action": "reorder", "cardIds": ["c1"], "to": "x" })), "request/unknown_field", "/to");
}

#[track_caller]
fn selects(given: Value, expected: &Value) {
    let read = answer(given).expect("it is understood");
    let Ok(Play::Answer { selection, .. }) = read.what.play(None) else { panic!("an answer") };
    assert_eq!(serde_json::to_value(selection).expect("JSON"), *expected);
}

#[test]
fn ruling_35_an_answer_may_stand_at_the_top() {
    selects(json!({ "inputId": "i7", "answers": { "selection": ["c4"] } }), &json!(["c4"]));
    selects(json!({ "inputId": "i7", "answers": { "selection": [] } }), &json!([]));
    selects(
        json!({ "inputId": "i7", "selection": [17, null, { "id": "text:Sell", "selection": ["c4"] }] }),
        &json!([17, null, { "id": "text:Sell", "selection": ["c4"] }]),
    );
    selects(json!({ "inputId": "i7", "answers": { "activate": true, "targetId": "c4" } }), &json!(["c4"]));
    selects(json!({ "inputId": "i7", "activate": true, "targetId": "p2" }), &json!(["p2"]));
    selects(json!({ "inputId": "i7", "activate": false }), &json!([]));
}

#[track_caller]
fn declines(given: Value, code: &str, pointer: &str) {
    assert_eq!(
        answer(given.clone()).expect_err("it is refused"),
        (code.to_owned(), Some(pointer.to_owned())),
        "{given}"
    );
}

#[test]
fn nothing_but_an_empty_list_declines() {
    declines(json!({ "inputId": "i7" }), "request/missing_field", "/answers/selection");
    declines(json!({ "inputId": "i7", "answers": {} }), "request/missing_field", "/answers/selection");
    declines(json!({ "inputId": "i7", "answers": "c2" }), "request/wrong_type", "/answers");
    declines(json!({ "inputId": "i7", "answers": { "nonsense": 1 } }), "request/unknown_field", "/answers/nonsense");
    declines(json!({ "inputId": 7, "answers": { "selection": [] } }), "request/wrong_type", "/inputId");
    declines(json!({ "inputId": "i7", "answers": { "confirm": "yes" } }), "request/wrong_type", "/answers/confirm");
    declines(
        json!({ "inputId": "i7", "answers": { "selection": [], "activate": true } }),
        "request/given_twice",
        "/answers",
    );
    let yes = answer(json!({ "inputId": "i7", "answers": { "activate": true } })).expect("it is understood");
    assert_eq!(yes.what.play(None).expect_err("what is picked is missing").code, "answer/count");
}
