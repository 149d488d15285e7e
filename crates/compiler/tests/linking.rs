//! Documents are linked by `include`; hashes identify mechanics and text.

use compiler::{
    compile,
    library::{Folders, Memory},
};

const BASE: &str = r#"{
  "id": "base", "name": "Base",
  "resources": [{ "id": "gold", "name": "Gold", "start": 3 }],
  "turnStructure": { "phases": [{ "id": "play", "steps": [{ "id": "act" }] }] }
}"#;

fn library() -> Memory {
    Memory::default().with("base", BASE)
}

#[test]
fn later_documents_override_by_name_and_keep_the_rest() {
    let library = library()
        .with("game", r#"{ "include": ["base"], "resources": [{ "id": "gold", "start": 5 }, { "id": "wood" }] }"#);
    let ruleset = compile("game", &library).unwrap();
    let names: Vec<&str> = ruleset.program().text.attrs.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(names, ["gold", "wood"]);
    assert_eq!(ruleset.program().attrs[0].start, 5);
    assert_eq!(ruleset.program().steps.len(), 1);
}

#[test]
fn a_document_that_is_not_there_is_reported_with_the_nearest_name() {
    let library = library().with("game", r#"{ "include": ["bass"] }"#);
    let found = compile("game", &library).unwrap_err();
    assert_eq!((found[0].code, found[0].hint.as_deref()), ("link/not_found", Some("did you mean `base`?")));
    assert_eq!((found[0].file.as_str(), found[0].line, found[0].column), ("game.json", 1, 15));
}

#[test]
fn documents_that_include_each_other_are_a_circle() {
    let library = Memory::default().with("a", r#"{ "include": ["b"] }"#).with("b", r#"{ "include": ["a"] }"#);
    let found = compile("a", &library).unwrap_err();
    assert_eq!(
        (found[0].code, found[0].message.as_str()),
        ("link/circle", "documents include each other in a circle: a > b > a")
    );
}

#[test]
fn a_name_never_leaves_the_folder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/skirmish");
    let found = compile("../std/core", &Folders::new([folder])).unwrap_err();
    assert_eq!(found[0].code, "link/not_found");
}

/// Both hashes of a variation of the base document.
fn hashes(from: &str, to: &str) -> (ruleset::Hash, ruleset::Hash) {
    let text = BASE.replace(from, to);
    let ruleset = compile("base", &Memory::default().with("base", &text)).unwrap();
    (ruleset.rules_hash(), ruleset.document_hash())
}

#[test]
fn texts_change_the_document_and_mechanics_change_both() {
    let (rules, document) = hashes("", "");
    let (same_rules, other_document) = hashes("\"Gold\"", "\"Coins\"");
    assert_eq!(rules, same_rules);
    assert_ne!(document, other_document);
    let (other_rules, _) = hashes("\"start\": 3", "\"start\": 4");
    assert_ne!(rules, other_rules);
    // Neither white space nor the order of keys says anything.
    assert_eq!(
        hashes("\"id\": \"base\", \"name\": \"Base\"", "\"name\":    \"Base\", \"id\": \"base\""),
        (rules, document)
    );
}

#[test]
fn the_hash_of_a_document_is_pinned() {
    // A change of this value is a change of format: every stored match would lose its rules.
    let (rules, _) = hashes("", "");
    assert_eq!(ruleset::hash::to_hex(&rules), "1d40f265551f111a91be05ae7a35d9e01ffdf31c7803d056827cfd74d9668663");
}
