//! The documents of the contract are fresh, say what everything is, and what they say is so.

use expect_test::expect_file;
use protocol::{documents, operations};
use serde_json::Value;

#[test]
fn the_documents_are_fresh() {
    for (name, text) in documents::all() {
        expect_file![format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"))].assert_eq(&text);
    }
}

/// The places of schemas that say nothing.
fn open_schemas(place: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, it) in fields {
                let here = format!("{place}/{key}");
                let is_schema = ["schema", "payload", "items", "additionalProperties"].contains(&key.as_str())
                    || place.ends_with("/properties")
                    || place.ends_with("/$defs")
                    || place.ends_with("/schemas");
                let is_open = it.as_object().is_some_and(serde_json::Map::is_empty) || *it == Value::Bool(true);
                if is_schema && is_open && !place.contains("/example") {
                    found.push(here.clone());
                }
                if key != "example" {
                    open_schemas(&here, it, found);
                }
            }
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, it)| open_schemas(&format!("{place}/{at}"), it, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn nothing_is_of_any_type() {
    for document in [documents::bundle(), documents::openapi(), documents::asyncapi()] {
        let mut found = Vec::new();
        open_schemas("", &document, &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
    let types = documents::types();
    let code: String = types.lines().filter(|it| !it.trim_start().starts_with("/**")).collect::<Vec<_>>().join("\n");
    // Texts between quotes are values, not types.
    let code: String = code.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let words = code.split(|it: char| !it.is_alphanumeric());
    let open: Vec<&str> = words.filter(|it| ["any", "unknown", "Object", "object"].contains(it)).collect();
    assert_eq!(open, Vec::<&str>::new());
    assert!(!code.contains("{}") && !code.contains("= ;") && !code.contains(": ;"), "a type says nothing");
}

#[test]
fn every_reference_leads_somewhere() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|it| references(it, found));
            }
            Value::Array(items) => items.iter().for_each(|it| references(it, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    for document in [documents::bundle(), documents::openapi(), documents::asyncapi()] {
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 50);
        for it in found {
            let place = it.strip_prefix('#').expect("a place in the same document");
            assert!(document.pointer(place).is_some(), "{it} leads nowhere");
        }
    }
}

#[test]
fn every_operation_says_what_it_takes_gives_and_refuses() {
    let document = documents::openapi();
    for it in operations::all() {
        let operation = &document["paths"][it.path][it.method.to_lowercase()];
        assert!(operation["tags"][0].is_string() && operation["security"].is_array(), "{}", it.path);
        assert!(operation["responses"][it.success.0.to_string()].is_object(), "{}", it.path);
        assert!(operation["responses"]["4XX"].is_object(), "{}", it.path);
    }
}
