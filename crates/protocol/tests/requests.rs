//! Requests as clients write them, and the commands they mean.

use engine::{
    Command, EntityId, PlayerId,
    view::{Projector, Viewer},
};
use protocol::{RequestError, action_begun, action_submit, input_submit};
use serde_json::{Value, json};
use testkit::{games, scenario::Table};

const P1: PlayerId = PlayerId(0);
const P2: PlayerId = PlayerId(1);

fn combat() -> Table {
    let setup = "step: declare_attackers\np1 battlefield: Archer#1\np2 battlefield: Porcupine#2, Duelist#3\np2: mana=1";
    Table::set(games::load("skirmish"), setup).expect("the table can be set; qed")
}

fn main_phase() -> Table {
    let setup = "step: main1\np1 hand: Squire#1, Knight#2\np1: mana=1\np2 battlefield: Archer#3";
    Table::set(games::load("skirmish"), setup).expect("the table can be set; qed")
}

/// How a player who sees the table for the first time calls its cards: in the order of their zones.
fn face(table: &Table, player: PlayerId) -> Projector {
    Projector::new(table.live.ruleset(), Viewer::Player(player))
}

#[track_caller]
fn means(table: &Table, player: PlayerId, request: &Value, targets: &[i64]) {
    let command =
        action_submit(&table.live, &mut face(table, player), request).unwrap_or_else(|it| panic!("{request}: {it}"));
    let Command::Act { targets: got, .. } = command else { panic!("not an action: {command:?}") };
    assert_eq!(got, targets.iter().map(|it| vec![*it]).collect::<Vec<_>>(), "{request}");
}

#[test]
fn ruling_46_slots_have_a_canonical_and_a_short_form() {
    let table = combat();
    for request in [
        json!({ "actionType": "attack", "targets": { "attacker": "c1", "defender": "c2" } }),
        json!({ "actionType": "attack", "targets": { "attacker": ["c1"], "defender": ["c2"] } }),
        json!({ "actionType": "attack", "attackerId": "c1", "defenderId": "c2" }),
        json!({ "actionType": "attack", "params": { "attackerId": "c1", "defenderId": "c2" } }),
    ] {
        means(&table, P1, &request, &[2, 3]);
    }
}

#[test]
fn ruling_47_the_action_may_be_called_type_or_stand_beside_semantic() {
    let table = combat();
    for request in [
        json!({ "type": "attack", "attackerId": "c1", "defenderId": "c2" }),
        json!({ "type": "semantic", "action_id": "attack", "attackerId": "c1", "defenderId": "c2" }),
    ] {
        means(&table, P1, &request, &[2, 3]);
    }
    let pass = action_submit(&table.live, &mut face(&table, P1), &json!({ "type": "pass" }));
    assert_eq!(pass, Ok(Command::Pass { player: P1 }));
    let unknown = action_submit(&table.live, &mut face(&table, P1), &json!({ "type": "fly" })).unwrap_err();
    assert_eq!((unknown.code(), unknown.to_string().as_str()), ("command/unknown_action", "Unknown action"));
}

#[test]
fn ruling_35_an_answer_may_stand_at_the_top() {
    let mut table = combat();
    table.play("p1 attack Archer#1 Porcupine#2").expect("is legal; qed");
    table.play("p2 pass").expect("is legal; qed");
    let ask = table.live.state().asks[0].no;
    let full = input_submit(
        &table.live,
        &mut face(&table, P2),
        &json!({ "inputId": ask.0, "answers": { "targets": ["c1"] } }),
    );
    let short = input_submit(
        &table.live,
        &mut face(&table, P2),
        &json!({ "inputId": ask.0, "activate": true, "targetId": "c1" }),
    );
    let expected = Ok(Command::Answer { player: P2, input: ask, values: vec![2], confirm: true });
    assert_eq!((&full, &short), (&expected, &expected));
    let declined = input_submit(&table.live, &mut face(&table, P2), &json!({ "inputId": ask.0, "activate": false }));
    assert_eq!(declined, Ok(Command::Answer { player: P2, input: ask, values: vec![], confirm: true }));
    assert!(table.live.submit(&declined.unwrap(), &mut ()).is_ok());
}

#[test]
fn ruling_57_a_drag_that_is_one_legal_action_is_that_action() {
    let table = main_phase();
    let drag = |card: &str, from: &str, to: &str| {
        json!({ "type": "direct_manipulation", "action": "move_card", "cardId": card, "from": from, "to": to,
                "metadata": { "drag_drop": true } })
    };
    means(&table, P1, &drag("c1", "hand", "battlefield"), &[2]);
    let refused = |request: Value| action_submit(&table.live, &mut face(&table, P1), &request).unwrap_err();
    // The knight cannot be paid for, the wrong zone is not where the card is, and nothing goes to the graveyard by hand.
    assert_eq!(refused(drag("c2", "hand", "battlefield")), RequestError::InvalidManipulation);
    assert_eq!(refused(drag("c1", "deck", "battlefield")), RequestError::InvalidManipulation);
    assert_eq!(refused(drag("c1", "hand", "graveyard")), RequestError::InvalidManipulation);
    assert_eq!(refused(drag("c3", "battlefield", "hand")).to_string(), "Invalid manipulation");
}

#[test]
fn ruling_57_a_drag_that_could_mean_two_actions_names_them() {
    let ruleset = games::parse(TWO_WAYS);
    let table = Table::set(ruleset, "p1 hand: Coin#1").expect("the table can be set; qed");
    let drag = json!({ "type": "direct_manipulation", "action": "move_card", "cardId": "c1", "from": "hand", "to": "battlefield" });
    let Err(RequestError::Ambiguous(meant)) = action_submit(&table.live, &mut face(&table, P1), &drag) else {
        panic!("not ambiguous")
    };
    let words: Vec<String> = meant.iter().map(ToString::to_string).collect();
    assert_eq!(words, ["flip card=c1", "toss card=c1"]);
}

/// What a drag of cards from hand to battlefield means, or why it means nothing.
fn dragged(table: &Table, cards: &[&str], more: Value) -> Result<Vec<Vec<i64>>, String> {
    let mut drag = json!({ "type": "direct_manipulation", "action": "move_card", "cardIds": cards, "from": "hand", "to": "battlefield" });
    if let (Value::Object(drag), Value::Object(more)) = (&mut drag, more) {
        drag.extend(more);
    }
    match action_submit(&table.live, &mut face(table, P1), &drag) {
        Ok(Command::Act { targets, .. }) => Ok(targets),
        Ok(other) => panic!("not an action: {other:?}"),
        Err(why) => Err(why.to_string()),
    }
}

#[test]
fn several_cards_dragged_at_once_are_the_action_that_takes_them_all() {
    let ruleset = games::parse(ARMY);
    let table = Table::set(ruleset, "p1 hand: Coin#1, Coin#2, Coin#3").expect("the table can be set; qed");
    assert_eq!(dragged(&table, &["c1", "c3"], json!({})), Ok(vec![vec![2, 4]]));
    assert_eq!(dragged(&table, &["c1", "c1"], json!({})), Err("Invalid manipulation".to_owned()));
    assert_eq!(dragged(&table, &["c1", "c2", "c3"], json!({})), Err("Invalid manipulation".to_owned()));
    // One card needs somebody to aim at; who is said by the request, or asked for.
    let aimed = |who: &str| dragged(&table, &["c2"], json!({ "targets": { "at": who } }));
    assert_eq!((aimed("p1"), aimed("p2")), (Ok(vec![vec![3], vec![0]]), Ok(vec![vec![3], vec![1]])));
    let asked = "this could mean several actions: aim card=c2 at=p1, aim card=c2 at=p2";
    assert_eq!(dragged(&table, &["c2"], json!({})), Err(asked.to_owned()));
}

#[test]
fn metadata_is_accepted_up_to_a_size_and_changes_nothing() {
    let table = main_phase();
    let request = |n: usize| json!({ "type": "play_card", "cardId": "c1", "metadata": { "note": "x".repeat(n) } });
    means(&table, P1, &request(10), &[2]);
    means(&table, P1, &request(protocol::METADATA_BYTES_MAX - 20), &[2]);
    let error = action_submit(&table.live, &mut face(&table, P1), &request(protocol::METADATA_BYTES_MAX)).unwrap_err();
    assert_eq!(error.code(), "request/malformed");
}

#[test]
fn ruling_56_slots_that_depend_on_each_other_are_asked_in_turn() {
    let ruleset = games::parse(ARMY);
    let table = Table::set(ruleset, "p1 hand: Coin#1, Coin#2, Coin#3").expect("the table can be set; qed");
    let next = |request: Value| {
        let mut face = face(&table, P1);
        let (action, bound) = action_begun(&table.live, &mut face, &request).expect("is understood; qed");
        table.live.candidates(P1, action, &bound).map(|it| it.values)
    };
    assert_eq!(next(json!({ "type": "aim" })), Some(vec![2, 3, 4]));
    assert_eq!(next(json!({ "type": "aim", "targets": { "card": "c1" } })), Some(vec![0, 1]));
    assert_eq!(next(json!({ "type": "aim", "targets": { "card": "c1", "at": "p2" } })), None);
}

#[test]
fn a_refusal_says_in_words_what_does_not_hold() {
    let table = main_phase();
    let request = json!({ "type": "attack", "attackerId": "c3", "defenderId": "c1" });
    let mut face = face(&table, P1);
    let command = action_submit(&table.live, &mut face, &request).unwrap();
    let why = table.live.fork().submit(&command, &mut ()).unwrap_err();
    let text = face.refusal(&table.live, &command, &why);
    assert!(text.starts_with("a precondition does not hold: number 1: {\"op\":\"phase_allows\""), "{text}");
    let request = json!({ "type": "play_card", "cardId": "c3" });
    let command = action_submit(&table.live, &mut face, &request).unwrap();
    let why = engine::Rejection::IllegalTarget { slot: 0, target: 4 };
    assert_eq!(face.refusal(&table.live, &command, &why), "cannot fill card with this target: c3");
}

#[test]
fn ruling_57_only_what_the_ruleset_allows_is_put_in_order_by_hand() {
    let ruleset = games::parse(TWO_WAYS);
    let mut table = Table::set(ruleset, "p1 hand: Coin#1, Coin#2").expect("the table can be set; qed");
    let reorder = |ids: [&str; 2]| json!({ "type": "direct_manipulation", "action": "reorder", "cardIds": ids });
    let command = action_submit(&table.live, &mut face(&table, P1), &reorder(["c2", "c1"])).unwrap();
    table.live.submit(&command, &mut ()).unwrap();
    let hand: Vec<EntityId> = table.live.state().cards_in(2).collect();
    assert_eq!(hand, [EntityId(3), EntityId(2)]);
    assert_eq!(
        action_submit(&table.live, &mut face(&table, P2), &reorder(["c2", "c1"])),
        Err(RequestError::InvalidManipulation)
    );
}

#[test]
fn ruling_58_a_request_says_which_version_it_was_made_for() {
    let table = main_phase();
    let request = json!({ "type": "play_card", "cardId": "c1", "knownVersion": 7 });
    assert_eq!(protocol::known_version(&request), Some(7));
    assert_eq!(protocol::known_version(&json!({ "branchId": u64::MAX })), Some(u32::MAX));
    assert_eq!(protocol::known_version(&json!({ "type": "play_card" })), None);
    means(&table, P1, &request, &[2]);
}

#[test]
fn what_is_not_a_request_is_refused_with_a_code() {
    let table = main_phase();
    for (request, code) in [
        (json!(null), "request/malformed"),
        (json!([]), "request/malformed"),
        (json!({}), "request/malformed"),
        (json!({ "type": 7 }), "request/malformed"),
        (json!({ "type": "play_card", "cardId": { "deep": 1 } }), "request/malformed"),
        (json!({ "type": "play_card", "cardId": "c999" }), "request/unknown_name"),
        (json!({ "type": "play_card", "cardId": "p9" }), "request/unknown_name"),
        (json!({ "type": "direct_manipulation", "action": "explode" }), "request/invalid_manipulation"),
        (json!({ "type": "play_card", "cardId": "c1", "targets": ["c1"] }), "request/malformed"),
        (json!({ "type": "play_card", "cardId": "c1", "targets": { "crad": "c1" } }), "request/unknown_field"),
        (json!({ "type": "play_card", "cardId": "c1", "params": { "way": "cheap" } }), "request/unknown_field"),
        (json!({ "type": "play_card", "cardId": "c1", "targets": { "ability": [] } }), "request/unknown_field"),
    ] {
        let error = action_submit(&table.live, &mut face(&table, P1), &request).unwrap_err();
        assert_eq!(error.code(), code, "{request}");
    }
}

#[test]
fn a_key_nobody_reads_is_refused_with_its_place() {
    let table = main_phase();
    for (request, at) in [
        (json!({ "type": "play_card", "cardID": "c1" }), "/cardID"),
        (json!({ "type": "play_card", "cardId": "c1", "targets": { "crad/1": "c1" } }), "/targets/crad~11"),
        (json!({ "type": "pass", "cardId": "c1" }), "/cardId"),
        (json!({ "type": "direct_manipulation", "action": "move_card", "crad": "c1" }), "/crad"),
    ] {
        let error = action_submit(&table.live, &mut face(&table, P1), &request).unwrap_err();
        assert_eq!(error, RequestError::UnknownField(at.to_owned()), "{request}");
    }
    for (request, at) in [
        (json!({ "inputId": 1, "activate": true, "tragetId": "c1" }), "/tragetId"),
        (json!({ "inputId": 1, "answers": { "tragets": ["c1"] } }), "/answers/tragets"),
        (json!({ "inputId": 1, "answers": { "activate": true }, "targetId": "c1" }), "/targetId"),
    ] {
        assert_eq!(protocol::check_answer(&request), Err(RequestError::UnknownField(at.to_owned())), "{request}");
    }
}

#[test]
fn a_slot_that_is_given_twice_is_given_the_same() {
    let table = main_phase();
    means(&table, P1, &json!({ "type": "play_card", "cardId": "c1", "targets": { "card": ["c1"] } }), &[2]);
    for request in [
        json!({ "type": "play_card", "cardId": "c1", "targets": { "card": "c2" } }),
        json!({ "type": "play_card", "card": "c1", "cardId": "c2" }),
        json!({ "type": "play_card", "params": { "card": "c1" }, "targets": { "cardId": "c2" } }),
    ] {
        let error = action_submit(&table.live, &mut face(&table, P1), &request).unwrap_err();
        assert_eq!(error.code(), "request/malformed", "{request}");
    }
}

#[test]
fn an_answer_that_cannot_be_read_is_no_way_to_decline() {
    let mut table = combat();
    table.play("p1 attack Archer#1 Porcupine#2").expect("is legal; qed");
    table.play("p2 pass").expect("is legal; qed");
    let ask = table.live.state().asks[0].no;
    let read = |answers: Value| {
        let request = json!({ "inputId": ask.0, "answers": answers });
        input_submit(&table.live, &mut face(&table, P2), &request)
    };
    for answers in [
        json!({}),
        json!(null),
        json!("c1"),
        json!({ "confirm": true }),
        json!({ "activate": "yes" }),
        json!({ "targets": ["c1"], "confirm": "no" }),
        json!({ "targets": ["c1"], "targetId": "c2" }),
        json!({ "targets": ["c1"], "activate": false }),
    ] {
        assert_eq!(read(answers.clone()).map_err(|it| it.code()), Err("request/malformed"), "{answers}");
    }
    let bare = input_submit(&table.live, &mut face(&table, P2), &json!({ "inputId": ask.0 }));
    assert_eq!(bare.map_err(|it| it.code()), Err("request/malformed"));
    let answer = |values: Vec<i64>| Ok(Command::Answer { player: P2, input: ask, values, confirm: true });
    assert_eq!(read(json!({ "targets": [] })), answer(Vec::new()));
    assert_eq!(read(json!({ "targets": [], "activate": false })), answer(Vec::new()));
    assert_eq!(read(json!(["c1"])), answer(vec![2]));
}

/// Two actions that both put a card from the hand into play.
const TWO_WAYS: &str = r#"{
  "include": ["std/deck"],
  "cardTypes": [{ "id": "thing" }],
  "cards": [{ "id": "coin", "name": "Coin", "type": "thing" }],
  "turnStructure": { "phases": [{ "id": "play", "steps": [{ "id": "act" }] }] },
  "directMoves": [{ "op": "reorder", "zone": "hand" }],
  "actions": [
    { "id": "flip", "targets": [{ "id": "card", "selector": { "zone": "hand", "controller": "self", "count": 1 } }],
      "effects": [{ "op": "move_zone", "target": "card", "to": "battlefield" }] },
    { "id": "toss", "targets": [{ "id": "card", "selector": { "zone": "hand", "controller": "self", "count": 1 } }],
      "effects": [{ "op": "move_zone", "target": "card", "to": "battlefield" }] }
  ]
}"#;

/// Two cards march together; one alone aims at a player.
const ARMY: &str = r#"{
  "include": ["std/deck"],
  "cardTypes": [{ "id": "thing" }],
  "cards": [{ "id": "coin", "name": "Coin", "type": "thing" }],
  "turnStructure": { "phases": [{ "id": "play", "steps": [{ "id": "act" }] }] },
  "actions": [
    { "id": "march", "targets": [{ "id": "cards", "selector": { "zone": "hand", "controller": "self", "count": 2 } }],
      "effects": [{ "op": "for_each", "in": { "ref": "cards" }, "do": [{ "op": "move_zone", "target": "it", "to": "battlefield" }] }] },
    { "id": "aim",
      "targets": [
        { "id": "card", "selector": { "zone": "hand", "controller": "self", "count": 1 } },
        { "id": "at", "selector": { "players": "all", "count": 1 } }
      ],
      "effects": [{ "op": "move_zone", "target": "card", "to": "battlefield" }] }
  ]
}"#;
