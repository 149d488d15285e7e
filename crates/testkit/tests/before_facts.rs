//! What a rule comes before: the intent it names, or every intent that leads to the fact it names.

use engine::{Command, EntityId, Match, PlayerId};
use testkit::{games, scenario::Table};

/// A game in which one gains by one event and pays by another; both are told as the same fact. A rule prevents what
/// it comes before.
fn game(event: &str) -> Table {
    let ruleset = games::parse(&format!(
        r#"{{
          "include": ["std"], "resources": [{{ "id": "mana", "start": 5, "max": 10 }}],
          "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "main1" }}] }}] }},
          "actions": [
            {{ "id": "gain", "timing": "sorcery", "effects": [{{ "op": "change_resource", "player": "controller", "resource": "mana", "by": 1 }}] }},
            {{ "id": "pay", "timing": "sorcery", "effects": [{{ "op": "pay_resource", "player": "controller", "resource": "mana", "amount": 1 }}] }}
          ],
          "reactions": [{{ "id": "miser", "timing": "before", "when": {{ "eventType": "{event}" }}, "effects": [{{ "op": "prevent" }}] }}]
        }}"#
    ));
    Table::set(ruleset, "").expect("an empty table can be set")
}

/// What the first player has.
fn mana(live: &Match) -> i32 {
    let program = live.ruleset().program();
    let at = program.text.attrs.iter().position(|it| it.id == "mana").expect("the game has it");
    live.state().base(program, EntityId(0), program.attrs[at].column)
}

#[track_caller]
fn check(event: &str, action: &str, expected: i32) {
    let mut table = game(event);
    let names = table.live.ruleset().program().text.actions.clone();
    let at = names.iter().position(|it| it.label.id == action).expect("the game has it");
    let legal = table.live.legal(PlayerId(0), 8);
    let is_it = |it: &&Command| matches!(it, Command::Act { action, .. } if action.index() == at);
    let command = legal.iter().find(is_it).expect("it is legal").clone();
    table.live.submit(&command, &mut ()).expect("was offered");
    assert_eq!(mana(&table.live), expected, "{action} with a rule before {event}");
}

#[test]
fn a_rule_before_an_intent_comes_before_that_intent_alone() {
    check("ChangeResource", "gain", 5);
    check("ChangeResource", "pay", 4);
    check("PayResource", "gain", 6);
    check("PayResource", "pay", 5);
}

#[test]
fn a_rule_before_a_fact_comes_before_every_intent_that_leads_to_it() {
    check("ResourceChanged", "gain", 5);
    check("ResourceChanged", "pay", 5);
}
