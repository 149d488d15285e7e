//! A folder of games as an operator would have it: Orcain, and variants of it with other times, health and cards.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::games;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the games are there").flatten() {
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a document can be copied");
        }
    }
}

/// Orcain with other numbers; cards are shown at once unless they say otherwise.
fn variant(id: &str, health: u32, numbers: &[(&str, u32)]) -> Value {
    let number = |(id, body): &(&str, u32)| json!({ "id": id, "kind": "value", "body": body });
    let is_given = |id: &str| numbers.iter().any(|it| it.0 == id);
    let pace = [("first_step_ms", 20), ("step_ms", 20)].into_iter().filter(|it| !is_given(it.0));
    let numbers: Vec<Value> = numbers.iter().copied().chain(pace).map(|it| number(&it)).collect();
    json!({
        "id": id, "name": id, "version": "1", "include": ["orcain"],
        "attributes": [{ "id": "health", "name": "Health", "on": "player", "min": 0, "max": 10, "start": health, "ui": { "role": "health" } }],
        "define": numbers,
    })
}

/// The variants: hardly any time to prepare, plenty of it, hardly any health, a pause before cards are shown, and other
/// cards altogether.
fn variants() -> Vec<Value> {
    let bastion = include_str!("../tests/data/bastion.json");
    vec![
        variant("orcain-brief", 10, &[("prep_ms", 150)]),
        variant("orcain-calm", 10, &[("prep_ms", 20_000)]),
        variant("orcain-short", 10, &[("prep_ms", 600)]),
        variant("orcain-slow", 10, &[("prep_ms", 20_000), ("first_step_ms", 5000)]),
        variant("orcain-steps", 10, &[("prep_ms", 3000), ("first_step_ms", 300), ("step_ms", 300)]),
        variant("orcain-frail", 2, &[("prep_ms", 20_000)]),
        variant("orcain-capped", 10, &[("prep_ms", 20_000), ("round_limit", 1), ("round_cap", 2)]),
        serde_json::from_str(bastion).expect("it is JSON"),
    ]
}

/// A folder that holds them.
pub fn folder() -> PathBuf {
    let folder = tempfile::tempdir().expect("a folder can be made").keep();
    ["std", "orcain"].iter().for_each(|it| copy(&games::folder().join(it), &folder.join(it)));
    for document in variants() {
        let own = folder.join(document["id"].as_str().expect("it has a name"));
        fs::create_dir_all(&own).expect("a folder can be made");
        fs::write(own.join("ruleset.json"), document.to_string()).expect("a document can be written");
    }
    folder
}
