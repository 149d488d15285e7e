//! The JSON Schema is made from the grammar, and the one in `docs/` is fresh.

use std::{fs, path::Path};

use serde_json::Value;

fn committed() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ruleset.schema.json")
}

#[test]
fn the_committed_schema_is_fresh() {
    let made = compiler::schema::schema_text();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(committed(), &made).expect("the docs folder can be written; qed");
    }
    let there = fs::read_to_string(committed()).unwrap_or_default();
    assert!(there == made, "docs/ruleset.schema.json is old: UPDATE_EXPECT=1 cargo nextest run -p compiler");
}

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get("$ref").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|it| references(it, found));
        }
        Value::Array(items) => items.iter().for_each(|it| references(it, found)),
        _ => {}
    }
}

#[test]
fn every_reference_of_the_schema_leads_somewhere() {
    let schema: Value = serde_json::from_str(&compiler::schema::schema_text()).expect("the schema is JSON; qed");
    let mut found = Vec::new();
    references(&schema, &mut found);
    assert!(found.len() > 50);
    for reference in found {
        let name = reference.strip_prefix("#/$defs/").expect("all references are local; qed");
        assert!(schema["$defs"].get(name).is_some_and(Value::is_object), "leads nowhere: {reference}");
    }
}

#[test]
fn the_examples_of_all_operations_are_json_with_known_parameters() {
    for spec in ruleset::grammar::OPS {
        let example: Value = serde_json::from_str(spec.example).unwrap_or_else(|it| panic!("{}: {it}", spec.name));
        assert_eq!(example["op"], spec.name);
        for key in example.as_object().expect("an example is an object; qed").keys().filter(|it| *it != "op") {
            assert!(spec.params.iter().any(|it| it.name == key), "{} has no parameter {key}", spec.name);
        }
        for field in spec.params.iter().filter(|it| it.required) {
            assert!(example.get(field.name).is_some(), "the example of {} lacks {}", spec.name, field.name);
        }
    }
}
