//! Names in `snake_case` and `camelCase` are one name; definitions are checked even if nothing uses them.

mod documents;

use compiler::{
    Diagnostic, compile,
    library::{Both, Folders, Memory},
};

fn game(sections: &str) -> String {
    format!(
        r#"{{
  "include": ["std"],
  "cardTypes": [{{ "id": "unit" }}],
  "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "main1" }}] }}] }},
  {sections}
}}"#
    )
}

fn mistakes(sections: &str) -> Vec<Diagnostic> {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let memory = Memory::default().with("game", &game(sections));
    compile("game", &Both(&memory, &Folders::new([games]))).err().unwrap_or_default()
}

#[track_caller]
fn check(sections: &str, expected: &[&str]) {
    let found = mistakes(sections);
    let codes: Vec<&str> = found.iter().map(|it| it.code).collect();
    assert_eq!(codes, expected, "{sections}\n{}", compiler::render(&found));
}

/// Both spellings of a name.
const SPELLINGS: [&str; 2] = ["hit_points", "hitPoints"];

#[test]
fn a_parameter_of_a_definition_is_called_in_either_spelling() {
    for declared in SPELLINGS {
        for (called, read) in [(SPELLINGS[0], SPELLINGS[1]), (SPELLINGS[1], SPELLINGS[0]), (declared, declared)] {
            check(
                &format!(
                    r#""define": [{{ "id": "hurt", "kind": "effects", "params": {{ "{declared}": "int" }},
                        "body": [{{ "op": "deal_damage", "target": "you", "amount": {{ "ref": "{read}" }} }}] }}],
                       "actions": [{{ "id": "act", "effects": [{{ "op": "hurt", "{called}": 2 }}] }}]"#
                ),
                &[],
            );
        }
    }
}

#[test]
fn a_field_of_an_event_is_one_name_in_every_place() {
    for declared in SPELLINGS {
        for used in SPELLINGS {
            check(
                &format!(
                    r#""events": [{{ "id": "Wound", "fields": {{ "{declared}": "entity", "how_much": "int" }}, "subject": "{used}",
                        "apply": [{{ "op": "change_attribute", "target": "{used}", "attribute": "health", "by": {{ "ref": "howMuch" }} }}] }}],
                       "reactions": [{{ "id": "halve", "timing": "before", "when": {{ "eventType": "Wound", "filters": {{ "{used}": "you", "how_much": {{ "op": "gt", "a": {{ "ref": "it" }}, "b": 1 }} }} }},
                        "effects": [{{ "op": "amend", "field": "howMuch", "value": {{ "op": "div", "a": {{ "ref": "event.how_much" }}, "b": 2 }} }}] }}],
                       "actions": [{{ "id": "act", "effects": [{{ "op": "wound", "{used}": "you", "howMuch": 2 }},
                        {{ "op": "emit", "event": "Wound", "with": {{ "{used}": "you", "how_much": 2 }} }}] }}]"#
                ),
                &[],
            );
        }
    }
}

#[test]
fn slots_and_variables_are_one_name_in_either_spelling() {
    check(
        r#""actions": [{ "id": "act", "principal": "theCard", "targets": [{ "id": "the_card", "selector": { "zone": "hand", "count": 1 } }],
            "effects": [{ "op": "let", "name": "how_many", "value": 1 }, { "op": "set", "name": "howMany", "value": 2 },
                        { "op": "draw", "count": { "ref": "howMany" } }, { "op": "tap_card", "card": "theCard" }] }]"#,
        &[],
    );
}

#[test]
fn two_names_that_become_one_are_a_mistake() {
    let twice = &["ruleset/duplicate_name"][..];
    check(
        r#""define": [{ "id": "d", "kind": "value", "params": { "a_b": "int", "aB": "int" }, "body": { "ref": "a_b" } }]"#,
        twice,
    );
    check(r#""events": [{ "id": "E", "fields": { "a_b": "int", "aB": "int" } }]"#, twice);
    let slot = |id: &str| format!(r#"{{ "id": "{id}", "selector": {{ "zone": "hand", "count": 1 }} }}"#);
    let action = |a: &str, b: &str| {
        format!(r#""actions": [{{ "id": "act", "targets": [{}, {}], "effects": [] }}]"#, slot(a), slot(b))
    };
    check(&action("a_b", "aB"), twice);
    check(&action("same", "same"), twice);
    check(&action("one", "other"), &[]);
}

#[test]
fn a_definition_that_nothing_uses_is_checked() {
    let define = |kind: &str, params: &str, body: &str| {
        format!(r#""define": [{{ "id": "d", "kind": "{kind}", "params": {{ {params} }}, "body": {body} }}]"#)
    };
    let broken = [
        ("effects", "", r#"[{ "op": "deel_damage" }]"#, "ruleset/unknown_op"),
        ("effects", "", r#"[{ "op": "draw", "player": "you", "cuont": 1 }]"#, "ruleset/unknown_key"),
        ("effects", r#""who": "player""#, r#"[{ "op": "tap_card", "card": "who" }]"#, "ruleset/wrong_type"),
        ("condition", "", r#"{ "op": "lt", "a": { "ref": "nobody.health" }, "b": 1 }"#, "ruleset/unknown_variable"),
        ("condition", r#""n": "int""#, r#"{ "op": "eq", "a": "self", "b": { "ref": "n" } }"#, "ruleset/wrong_type"),
        ("value", "", r#"{ "op": "count", "of": { "zone": "nowhere" } }"#, "ruleset/unknown_name"),
        ("value", r#""n": "numbr""#, "1", "ruleset/wrong_type"),
        ("value", r#""n": { "type": "int", "default": true }"#, "1", "ruleset/wrong_type"),
        ("value", "", r#"{ "op": "d" }"#, "ruleset/recursive_definition"),
    ];
    for (kind, params, body, code) in broken {
        let found = mistakes(&define(kind, params, body));
        assert_eq!(found.first().map(|it| it.code), Some(code), "{body}\n{}", compiler::render(&found));
    }
}

#[test]
fn a_definition_is_sound_if_there_is_a_place_where_it_is() {
    let define = |body: &str| format!(r#""define": [{{ "id": "d", "kind": "effects", "body": [{body}] }}]"#);
    for body in [
        r#"{ "op": "prevent" }"#,
        r#"{ "op": "amend", "field": "amount", "value": { "op": "sub", "a": { "ref": "event.amount" }, "b": 1 } }"#,
        r#"{ "op": "tap_card", "card": "self" }"#,
        r#"{ "op": "pay_ability", "source": "self", "ability": "A" }"#,
    ] {
        let ability = r#""cards": [{ "id": "c", "type": "unit", "abilities": [{ "id": "A", "effects": [] }] }], "#;
        check(&format!("{ability}{}", define(body)), &[]);
    }
}

#[test]
fn what_a_definition_that_nothing_uses_says_is_not_in_the_program() {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let program = |sections: &str| {
        let memory = Memory::default().with("game", &game(sections));
        let found = compile("game", &Both(&memory, &Folders::new([games.clone()])));
        let mut program = found.unwrap_or_else(|it| panic!("{}", compiler::render(&it))).program().clone();
        program.text.defines.clear();
        documents::program_text(&program)
    };
    let action = r#""actions": [{ "id": "act", "effects": [{ "op": "draw", "count": 1 }] }]"#;
    let unused = r#""define": [{ "id": "d", "kind": "effects", "body": [
        { "op": "ask", "choices": { "zone": "hand" }, "prompt": "Which?", "as": "x" }, { "op": "wait", "timer": "t", "ms": 5 },
        { "op": "delay", "when": { "eventType": "TurnEnd" }, "effects": [] }] }], "#;
    assert_eq!(program(action), program(&format!("{unused}{action}")));
}
