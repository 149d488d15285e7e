//! What a player chooses among has names, in an order that tells nothing hidden, and nothing is offered that is in use.

use engine::{
    Match, PlayerId,
    view::{Projector, Viewer},
};
use serde_json::json;
use testkit::{
    contract::{Dice, random_command},
    games,
    scenario::Table,
};

const P1: PlayerId = PlayerId(0);

fn face(live: &Match) -> Projector {
    Projector::new(live.ruleset(), Viewer::Player(P1))
}

fn game(more: &serde_json::Value) -> std::sync::Arc<ruleset::Ruleset> {
    let mut rules = json!({
        "include": ["std"], "id": "choices", "version": "1.0.0",
        "cardTypes": [{ "id": "unit" }],
        "attributes": [{ "id": "mark" }, { "id": "health", "on": ["card", "player"], "start": 20 }],
        "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "main1" }] }] }
    });
    rules.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    games::parse(&rules.to_string())
}

#[test]
fn triggers_to_put_in_order_are_named_by_their_rule_and_card() {
    let ability = |id: &str| {
        json!({ "id": id, "name": id, "when": { "eventType": "Damaged", "filters": { "target": "self" } },
                "effects": [{ "op": "change_attribute", "target": "self", "attribute": "mark", "by": 1 }] })
    };
    let rules = json!({
        "policy": { "triggerOrder": "player" },
        "actions": [{ "id": "zap", "timing": "instant", "targets": [{ "id": "target", "selector": { "zone": "battlefield", "count": 1 } }],
                      "effects": [{ "op": "deal_damage", "target": "target", "amount": 1 }] }],
        "cards": [{ "id": "ember", "name": "Ember", "type": "unit", "attributes": { "health": 5 }, "abilities": [ability("Rage"), ability("Grief")] }]
    });
    let mut table = Table::set(game(&rules), "p1 battlefield: Ember#1").expect("the table is set; qed");
    table.play("p1 zap Ember#1").expect("the action is legal; qed");
    let decision = face(&table.live).decision(&table.live).expect("p1 puts them in order; qed");
    let titles: Vec<String> = decision
        .options
        .choices
        .iter()
        .map(|it| it.title.as_ref().map_or(String::new(), ToString::to_string))
        .collect();
    assert_eq!(titles, ["Rage (Ember)", "Grief (Ember)"]);
}

#[test]
fn equal_cards_are_listed_in_the_order_their_player_met_them() {
    let rules = json!({
        "actions": [
            { "id": "study", "timing": "instant", "effects": [{ "op": "draw" }] },
            { "id": "play", "timing": "instant", "targets": [{ "id": "card", "selector": { "zone": "hand", "controller": "self", "count": 1 } }],
              "effects": [{ "op": "move_card", "card": "card", "to": "battlefield" }] }
        ],
        "cards": [{ "id": "bear", "name": "Bear", "type": "unit" }]
    });
    // The top card has the higher number and is met first.
    let mut table = Table::set(game(&rules), "p1 deck: Bear#1, Bear#2").expect("the table is set; qed");
    let mut eyes = face(&table.live);
    eyes.settle(table.live.state());
    for _ in 0..2 {
        let command = table.command("p1 study").expect("a command; qed");
        table.live.submit(&command, &mut eyes).expect("the action is legal; qed");
    }
    let decision = eyes.decision(&table.live).expect("p1 may act; qed");
    let play = decision.options.choices.iter().find(|it| it.nested.is_some()).expect("play has a slot; qed");
    let listed = play.nested.as_ref().map_or(&[][..], |it| &it.choices);
    let ids: Vec<String> = listed.iter().filter_map(|it| it.id.as_ref().map(ToString::to_string)).collect();
    assert_eq!(ids, ["c1", "c2"]);
}

#[test]
fn no_card_is_played_again_while_it_waits_on_the_stack() {
    let mut n_waiting = 0;
    for name in games::with_actions() {
        let ruleset = games::load(&name);
        for seed in 0..12 {
            let setup = games::setup(&ruleset, seed, ruleset.program().players.min);
            let (mut live, _) =
                Match::start(ruleset.clone(), &setup, &mut ()).expect("ready-made decks are legal; qed");
            let mut dice = Dice::new(seed);
            while let Some(command) = random_command(&live, &mut dice) {
                live.submit(&command, &mut ()).expect("what is offered is accepted; qed");
                let plays =
                    live.state().stack.iter().filter(|it| {
                        live.ruleset().program().action(it.action).is_some_and(|rule| rule.hidden_zones != 0)
                    });
                let mut sources: Vec<_> = plays.map(|it| it.source).collect();
                n_waiting += sources.len();
                sources.sort();
                assert!(sources.windows(2).all(|it| it[0] != it[1]), "{name}, game {seed}: a card is played twice");
            }
        }
    }
    assert!(n_waiting > 100, "too few cards waited to tell: {n_waiting}");
}
