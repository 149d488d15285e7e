//! One thing is taken where one is wanted: what can be several is refused, and so is the one opponent of many.

mod documents;

use compiler::Diagnostic;
use documents::Document;

/// A game in which an ability has these effects, for at most so many players.
fn game(n_players: u8, effects: &str) -> String {
    format!(
        r#"{{
  "include": ["std"],
  "players": {{ "min": 2, "max": {n_players} }},
  "cardTypes": [{{ "id": "unit" }}],
  "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "main1" }}] }}] }},
  "define": [
    {{ "id": "mine", "kind": "value", "type": "card[]", "body": {{ "zone": "battlefield", "controller": "self" }} }},
    {{ "id": "hurt", "kind": "effects", "params": {{ "whom": "entity" }}, "body": [{{ "op": "deal_damage", "target": "whom", "amount": 1 }}] }},
    {{ "id": "is_weak", "kind": "condition", "params": {{ "of": "card" }}, "body": {{ "op": "lt", "a": {{ "ref": "of.health" }}, "b": 2 }} }}
  ],
  "cards": [{{ "id": "ant", "type": "unit", "abilities": [
    {{ "id": "Act", "targets": [{{ "id": "two", "selector": {{ "zone": "battlefield", "count": 2 }} }}], "effects": [{effects}] }}
  ] }}]
}}"#
    )
}

fn mistakes(text: &str) -> Vec<Diagnostic> {
    Document::of("game", text).compile().err().unwrap_or_default()
}

#[track_caller]
fn check(n_players: u8, effect: &str, expected: &[&str]) {
    let found = mistakes(&game(n_players, effect));
    let codes: Vec<&str> = found.iter().map(|it| it.code).collect();
    assert_eq!(codes, expected, "{effect}\n{}", compiler::render(&found));
    for it in found.iter().filter(|it| it.code.ends_with("many_for_one") || it.code.ends_with("which_opponent")) {
        assert!(it.hint.is_some(), "nothing says what to write instead: {it}");
    }
}

const MANY: &[&str] = &["ruleset/many_for_one"];

#[test]
fn what_can_be_several_is_refused_where_one_is_wanted() {
    for effect in [
        // Of an event.
        r#"{ "op": "set_attribute", "target": { "players": "all" }, "attribute": "health", "value": 1 }"#,
        r#"{ "op": "tap_card", "card": { "zone": "battlefield", "highest": "health" } }"#,
        r#"{ "op": "emit", "event": "SetAttribute", "with": { "target": { "zone": "hand" }, "attribute": "health", "value": 1 } }"#,
        // Of an operation of the engine.
        r#"{ "op": "run_ability", "source": { "zone": "battlefield" }, "ability": "Act" }"#,
        r#"{ "op": "let", "name": "n", "value": { "op": "attribute", "of": { "zone": "hand" }, "attribute": "health" } }"#,
        r#"{ "op": "let", "name": "n", "value": { "op": "next_player", "of": { "players": "all" } } }"#,
        // Of a definition.
        r#"{ "op": "hurt", "whom": { "zone": "battlefield" } }"#,
        r#"{ "op": "if", "when": { "op": "is_weak", "of": { "zone": "battlefield" } }, "then": [] }"#,
        // Of a condition.
        r#"{ "op": "if", "when": { "op": "eq", "a": "self", "b": { "zone": "battlefield" } }, "then": [] }"#,
        r#"{ "op": "if", "when": { "op": "has_keyword", "target": { "zone": "hand" }, "keyword": "haste" }, "then": [] }"#,
        // A variable, a slot and a definition that are lists.
        r#"{ "op": "let", "name": "all", "value": { "zone": "battlefield" } }, { "op": "tap_card", "card": "all" }"#,
        r#"{ "op": "tap_card", "card": "two" }"#,
        r#"{ "op": "tap_card", "card": { "op": "mine" } }"#,
        r#"{ "op": "let", "name": "n", "value": { "ref": "two.health" } }"#,
        // More than one is taken.
        r#"{ "op": "tap_card", "card": { "zone": "battlefield", "take": 2 } }"#,
        r#"{ "op": "tap_card", "card": { "zone": "battlefield", "take": { "ref": "turn" } } }"#,
    ] {
        check(2, effect, MANY);
    }
}

#[test]
fn what_is_one_at_most_is_taken() {
    for effect in [
        r#"{ "op": "tap_card", "card": { "zone": "battlefield", "take": 1 } }"#,
        r#"{ "op": "tap_card", "card": { "zone": "battlefield", "random": 1 } }"#,
        r#"{ "op": "tap_card", "card": { "op": "first", "of": { "zone": "battlefield" } } }"#,
        r#"{ "op": "tap_card", "card": { "op": "last", "of": "two" } }"#,
        r#"{ "op": "tap_card", "card": { "from": "self", "where": { "op": "not_tapped", "target": "it" } } }"#,
        r#"{ "op": "draw", "player": { "players": "self" }, "count": 1 }"#,
        r#"{ "op": "for_each", "in": { "players": "all" }, "do": [{ "op": "draw", "player": "it", "count": 1 }] }"#,
    ] {
        check(4, effect, &[]);
    }
}

#[test]
fn a_field_or_parameter_that_is_a_list_takes_several() {
    check(4, r#"{ "op": "deal_damage", "target": { "players": "all" }, "amount": 1 }"#, &[]);
    check(4, r#"{ "op": "deal_damage", "target": "two", "amount": 1 }"#, &[]);
    check(4, r#"{ "op": "deal_damage", "target": { "op": "mine" }, "amount": 1 }"#, &[]);
}

#[test]
fn the_opponent_is_one_player_only_in_a_game_for_two() {
    let which = &["ruleset/which_opponent"][..];
    for effect in [
        r#"{ "op": "draw", "player": "opponent", "count": 1 }"#,
        r#"{ "op": "draw", "player": { "ref": "opponent" }, "count": 1 }"#,
        r#"{ "op": "draw", "player": { "players": "opponent" }, "count": 1 }"#,
        r#"{ "op": "let", "name": "n", "value": { "ref": "opponent.health" } }"#,
        r#"{ "op": "if", "when": { "op": "eq", "a": { "ref": "self.owner" }, "b": "opponent" }, "then": [] }"#,
    ] {
        check(2, effect, &[]);
        check(3, effect, which);
    }
}

#[test]
fn the_opponents_are_a_list_however_many_play() {
    for n_players in [2, 5] {
        for effect in [
            r#"{ "op": "deal_damage", "target": "opponents", "amount": 1 }"#,
            r#"{ "op": "deal_damage", "target": "opponent", "amount": 1 }"#,
            r#"{ "op": "for_each", "in": { "ref": "opponents" }, "do": [{ "op": "draw", "player": "it", "count": 1 }] }"#,
            r#"{ "op": "deal_damage", "target": { "zone": "battlefield", "controller": "opponent" }, "amount": 1 }"#,
            r#"{ "op": "if", "when": { "op": "contains", "list": "opponents", "item": { "ref": "self.owner" } }, "then": [] }"#,
        ] {
            check(n_players, effect, &[]);
        }
    }
    check(2, r#"{ "op": "draw", "player": "opponents", "count": 1 }"#, MANY);
}

#[test]
fn what_belongs_to_a_group_says_so_in_the_right_words() {
    let tap = |more: &str| format!(r#"{{ "op": "tap_card", "card": "self", {more} }}"#);
    check(2, &tap(r#""groupId": 1, "optional": true"#), &[]);
    for wrong in [r#""groupId": "g""#, r#""groupId": true"#, r#""groupId": null"#] {
        check(2, &tap(wrong), &["ruleset/wrong_type"]);
    }
    check(2, &tap(r#""groupId": 1, "optional": "yes""#), &["ruleset/wrong_type"]);
}

#[test]
fn definitions_that_use_each_other_twice_are_refused_before_they_grow() {
    let chain = |first: &str| {
        let more = (1..28).map(|it| {
            let use_it = format!(r#"{{ "op": "d{}" }}"#, it - 1);
            format!(r#"{{ "id": "d{it}", "kind": "effects", "body": [{use_it}, {use_it}] }}"#)
        });
        let all: Vec<String> =
            [format!(r#"{{ "id": "d0", "kind": "effects", "body": {first} }}"#)].into_iter().chain(more).collect();
        let steps = r#""turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "main1" }] }] }"#;
        format!(r#"{{ "include": ["std"], "define": [{}], {steps} }}"#, all.join(", "))
    };
    for first in ["[]", r#"[{ "op": "stop" }]"#] {
        let found = mistakes(&chain(first));
        assert!(found.iter().any(|it| it.code == "ruleset/too_large"), "{first}: {}", compiler::render(&found));
    }
}
