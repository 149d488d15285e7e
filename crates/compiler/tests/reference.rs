//! The reference pages are fresh, and everything they show can be written.

use std::{fs, path::Path};

use compiler::{
    compile,
    library::{Both, Folders, Memory},
    link_document, reference,
};
use ruleset::{
    Term,
    grammar::{PROPERTIES, REF_WORDS, TYPES},
    program::BuiltIn,
    sort::SORT_NAMES,
};

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The whole standard library, with what is on top of it.
fn library() -> Term {
    let memory = Memory::default().with("all", r#"{ "include": ["std", "std/blocking"] }"#);
    link_document("all", &Both(&memory, &Folders::new([root().join("games")]))).expect("the library links; qed")
}

#[test]
fn the_committed_pages_are_fresh() {
    let folder = root().join("docs/reference");
    for page in reference::pages(&library()) {
        let path = folder.join(page.name);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::create_dir_all(&folder).expect("the docs folder can be written; qed");
            fs::write(&path, &page.text).expect("the docs folder can be written; qed");
        }
        let there = fs::read_to_string(&path).unwrap_or_default();
        assert!(there == page.text, "{} is old: UPDATE_EXPECT=1 cargo nextest run -p compiler", page.name);
    }
}

/// A game in which everything the examples speak of is there.
fn scaffold(ability: &str) -> String {
    format!(
        r#"{{
  "include": ["std", "std/blocking"],
  "cardTypes": [{{ "id": "unit" }}],
  "resources": [{{ "id": "mana" }}],
  "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "main1" }}] }}, {{ "id": "combat", "steps": [{{ "id": "combat_damage" }}] }}] }},
  "actions": [{{ "id": "rest", "effects": [] }}],
  "cards": [
    {{ "id": "squire", "type": "unit", "abilities": [
      {{ "id": "Strike", "effects": [] }},
      {{ "id": "Example", {ability} }}
    ] }}
  ]
}}"#
    )
}

#[track_caller]
fn compiles(what: &str, ability: &str) {
    let memory = Memory::default().with("game", &scaffold(ability));
    if let Err(found) = compile("game", &Both(&memory, &Folders::new([root().join("games")]))) {
        panic!("{what}: {ability}\n{}", compiler::render(&found));
    }
}

#[test]
fn every_definition_and_event_of_the_library_can_be_used_as_shown() {
    let library = library();
    for define in library.list_at("define") {
        let (id, example) = (define.text_at("id").unwrap_or_default(), reference::example(define));
        match define.text_at("kind") {
            Some("condition") => compiles(id, &format!(r#""conditions": [{example}], "effects": []"#)),
            Some("value") => {
                compiles(id, &format!(r#""effects": [{{ "op": "let", "name": "x", "value": {example} }}]"#));
            }
            // Paying is for costs.
            _ if id.starts_with("pay_") => compiles(id, &format!(r#""costs": [{example}], "effects": []"#)),
            _ => compiles(id, &format!(r#""effects": [{example}]"#)),
        }
    }
    for event in library.list_at("events") {
        compiles(event.text_at("id").unwrap_or_default(), &format!(r#""effects": [{}]"#, reference::example(event)));
    }
}

#[test]
fn everything_in_the_library_says_what_it_means() {
    let library = library();
    for section in ["define", "events", "keywords"] {
        for it in library.list_at(section) {
            let key = if section == "events" { "doc" } else { "text" };
            let text = it.text_at(key).unwrap_or_default();
            assert!(!text.is_empty(), "{section} {} has no text", it.text_at("id").unwrap_or_default());
        }
    }
}

/// Whether effects can be those of an ability that answers an event, or of an action without slots.
fn is_sound_somewhere(effect: &str) -> bool {
    let when = r#""when": { "eventType": "CardMoved" }, "#;
    let ability = scaffold(&format!(r#"{when}"effects": [{effect}]"#));
    let action =
        scaffold(r#""effects": []"#).replace(r#""effects": [] }],"#, &format!(r#""effects": [{effect}] }}],"#));
    let folders = Folders::new([root().join("games")]);
    [ability, action].iter().any(|it| compile("game", &Both(&Memory::default().with("game", it), &folders)).is_ok())
}

#[test]
fn every_word_and_property_of_ref_can_be_used_as_shown() {
    for it in REF_WORDS {
        assert!(it.example.contains(it.name), "{} is not in its example", it.name);
        assert!(is_sound_somewhere(it.example), "{}: {}", it.name, it.example);
    }
    for it in PROPERTIES {
        assert!(it.example.contains(&format!(".{}\"", it.name)), "{} is not in its example", it.name);
        assert!(is_sound_somewhere(it.example), "{}: {}", it.name, it.example);
    }
}

#[test]
fn every_type_is_in_the_reference_with_a_value_of_it() {
    let documented: Vec<&str> = TYPES.iter().map(|it| it.name).collect();
    let known: Vec<&str> = SORT_NAMES.iter().map(|it| it.0).collect();
    assert_eq!(documented, known);
    for it in TYPES {
        let ask = r#"{ "op": "ask", "players": { "players": "all" }, "choices": { "zone": "hand" }, "as": "picks" }"#;
        let call = format!(r#""effects": [{ask}, {{ "op": "takes", "x": {} }}]"#, it.example);
        let define = format!(
            r#"{{ "define": [{{ "id": "takes", "kind": "effects", "params": {{ "x": "{}" }}, "body": [{{ "op": "let", "name": "y", "value": {{ "ref": "x" }} }}] }}],"#,
            it.name
        );
        let text = scaffold(&call).replacen('{', &define, 1);
        let memory = Memory::default().with("game", &text);
        if let Err(found) = compile("game", &Both(&memory, &Folders::new([root().join("games")]))) {
            panic!("{}: {}", it.name, compiler::render(&found));
        }
    }
}

#[test]
fn every_event_of_the_engine_and_each_of_its_fields_is_in_the_reference() {
    let events = reference::engine_events();
    let kinds: Vec<BuiltIn> = events.iter().map(|it| it.0.kind).collect();
    assert_eq!(kinds, BuiltIn::ALL);
    for (event, fields) in events {
        let documented: Vec<&str> = event.fields.iter().map(|it| it.0).collect();
        let declared: Vec<&str> = fields.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(documented, declared, "{:?}", event.kind);
        compiles(&format!("{:?}", event.kind), &format!(r#""when": {}, "effects": []"#, event.example));
    }
}
