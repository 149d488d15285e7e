//! The reference pages are fresh, and everything they show can be written.

use std::{fs, path::Path};

use compiler::{
    compile,
    library::{Both, Folders, Memory},
    link_document, reference,
};
use ruleset::Term;

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
            let text = it.text_at("text").unwrap_or_default();
            assert!(!text.is_empty(), "{section} {} has no text", it.text_at("id").unwrap_or_default());
        }
    }
}
