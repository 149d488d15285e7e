//! No list is so long that it hides what is legal: neither the actions behind a large one, nor what is not listed.

use engine::{
    Command, Match, PlayerId,
    view::{Projector, Viewer},
};
use selector::{Response, Value};
use serde_json::json;
use testkit::{games, scenario::Table};

const P1: PlayerId = PlayerId(0);

/// A game with an action that can be taken in some forty thousand ways, and a plain one behind it.
fn crowd() -> std::sync::Arc<ruleset::Ruleset> {
    games::parse(
        &json!({
            "include": ["std"],
            "id": "crowd",
            "version": "1.0.0",
            "cardTypes": [{ "id": "unit" }],
            "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "main1" }] }] },
            "cards": [{ "id": "ant", "name": "Ant", "type": "unit" }],
            "actions": [
                {
                    "id": "tap_three", "timing": "instant",
                    "targets": [{ "id": "cards", "selector": { "zone": "battlefield", "min": 1, "max": 3 } }],
                    "effects": [{ "op": "for_each", "in": { "ref": "cards" }, "do": [{ "op": "tap_card", "card": "it" }] }]
                },
                { "id": "rest", "timing": "instant", "effects": [] }
            ]
        })
        .to_string(),
    )
}

fn table() -> (Match, Projector) {
    let ants: Vec<String> = (1..=60).map(|it| format!("Ant#{it}")).collect();
    let table = Table::set(crowd(), &format!("p1 battlefield: {}", ants.join(", "))).expect("the table is set; qed");
    let mut face = Projector::new(table.live.ruleset(), Viewer::Player(P1));
    face.settle(table.live.state());
    (table.live, face)
}

/// Names an action, and what fills its slot, by ids.
fn named(action: &str, cards: Option<&str>) -> Value {
    let inner = cards.map(|it| Value::List(vec![Value::object([("id", it.into())])]));
    let fields = [("id", action.into())].into_iter().chain(inner.map(|it| ("selection", it)));
    Value::object(fields)
}

#[test]
fn an_action_behind_a_large_one_is_offered_and_accepted() {
    let (mut live, mut face) = table();
    let decision = face.decision(&live).expect("p1 may act; qed");
    let names: Vec<String> =
        decision.options.choices.iter().filter_map(|it| Some(it.id.as_ref()?.to_string())).collect();
    assert_eq!(names, ["tap_three", "rest", "pass"]);
    let command = face.answer(&live, &Response::to(&decision, [named("rest", None)])).expect("rest is offered; qed");
    assert!(live.submit(&command, &mut ()).is_ok());
}

#[test]
fn a_way_that_is_not_listed_is_as_legal_as_the_others() {
    let (mut live, mut face) = table();
    let decision = face.decision(&live).expect("p1 may act; qed");
    let last = named("tap_three", Some("c58+c59+c60"));
    let listed = &decision.options.choices[0].nested.as_ref().expect("it has slots; qed").choices;
    assert!(listed.iter().all(|it| it.id.as_ref().map(ToString::to_string).as_deref() != Some("c58+c59+c60")));
    let command = face.answer(&live, &Response::to(&decision, [last])).expect("an action can be named; qed");
    assert!(matches!(&command, Command::Act { targets, .. } if targets[0].len() == 3));
    assert!(live.submit(&command, &mut ()).is_ok());
}

#[test]
fn what_is_named_but_illegal_is_refused() {
    let (live, mut face) = table();
    let decision = face.decision(&live).expect("p1 may act; qed");
    for ids in ["c1+c1", "c99", "c1+c2+c3+c4", "p1"] {
        let answer = face.answer(&live, &Response::to(&decision, [named("tap_three", Some(ids))]));
        assert!(answer.is_err(), "{ids}: {answer:?}");
    }
}
