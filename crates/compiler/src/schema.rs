//! The JSON Schema of ruleset documents, made from the grammar, so that editors can complete and check.

use ruleset::grammar::{Class, Field, Kind, OPS, OpSpec, RULESET, SELECTOR, Shape};
use schemars::Schema;
use serde_json::{Map, Value, json};

/// The schema of a ruleset document.
pub fn schema() -> Schema {
    let mut defs = Map::new();
    let mut root = shape(&RULESET, &mut defs);
    // What only operations hold, such as modes.
    let mut inner = Map::new();
    defs.insert("selector".to_owned(), shape(&SELECTOR, &mut Map::new()));
    defs.insert("value".to_owned(), value());
    defs.insert(
        "condition".to_owned(),
        json!({ "anyOf": [{ "type": "boolean" }, ops(Class::Value, &mut inner), { "$ref": "#/$defs/ref" }] }),
    );
    defs.insert("ref".to_owned(), json!({ "type": "object", "properties": { "ref": { "type": "string", "description": "A variable or word, then attributes and properties: `card.cost`." } }, "required": ["ref"], "additionalProperties": false }));
    let effect = ops(Class::Effect, &mut inner);
    defs.insert("effect".to_owned(), effect);
    let write = ops(Class::Write, &mut inner);
    defs.insert("write".to_owned(), write);
    defs.extend(inner);
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["title"] = json!("Snapstack ruleset");
    root["$defs"] = Value::Object(defs);
    Schema::try_from(root).unwrap_or_default()
}

fn shape(shape: &Shape, defs: &mut Map<String, Value>) -> Value {
    json!({
        "type": "object",
        "description": shape.doc,
        "properties": properties(shape.fields, defs),
        "required": required(shape.fields),
        "additionalProperties": false,
    })
}

fn properties(fields: &[Field], defs: &mut Map<String, Value>) -> Map<String, Value> {
    let property = |it: &Field| {
        let mut schema = kind(it.kind, defs);
        schema["description"] = json!(it.doc);
        (it.name.to_owned(), schema)
    };
    fields.iter().map(property).collect()
}

fn required(fields: &[Field]) -> Vec<&'static str> {
    fields.iter().filter(|it| it.required).map(|it| it.name).collect()
}

fn kind(kind_of: Kind, defs: &mut Map<String, Value>) -> Value {
    match kind_of {
        Kind::Text | Kind::Name => json!({ "type": "string" }),
        Kind::Id => json!({ "type": "string", "pattern": "^[A-Za-z0-9_-]+$" }),
        Kind::Int => json!({ "type": "integer" }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Type => json!({ "type": "string", "pattern": "^[A-Za-z]+(\\[\\])?\\??$" }),
        Kind::Any => json!({}),
        Kind::Value | Kind::Body => json!({ "$ref": "#/$defs/value" }),
        Kind::Condition => json!({ "$ref": "#/$defs/condition" }),
        Kind::Conditions => one_or_many("condition"),
        Kind::Effects => one_or_many("effect"),
        Kind::Writes => one_or_many("write"),
        Kind::Selector => json!({ "anyOf": [{ "$ref": "#/$defs/selector" }, { "type": "string" }] }),
        Kind::Object(inner) => {
            if !defs.contains_key(inner.name) {
                // A placeholder first, so that shapes that hold each other end.
                defs.insert(inner.name.to_owned(), Value::Null);
                let made = shape(inner, defs);
                defs.insert(inner.name.to_owned(), made);
            }
            json!({ "$ref": format!("#/$defs/{}", inner.name) })
        }
        Kind::List(item) => json!({ "type": "array", "items": kind(*item, defs) }),
        Kind::OneOrMany(item) => {
            let item = kind(*item, defs);
            json!({ "anyOf": [item, { "type": "array", "items": item }] })
        }
        Kind::Map(item) => json!({ "type": "object", "additionalProperties": kind(*item, defs) }),
    }
}

fn one_or_many(name: &str) -> Value {
    let item = json!({ "$ref": format!("#/$defs/{name}") });
    json!({ "anyOf": [item, { "type": "array", "items": item }] })
}

fn value() -> Value {
    json!({ "anyOf": [
        { "type": ["string", "integer", "boolean", "null"] },
        { "type": "array", "items": { "$ref": "#/$defs/value" } },
        { "$ref": "#/$defs/ref" },
        { "$ref": "#/$defs/selector" },
        { "type": "object", "required": ["op"] },
    ] })
}

/// One of the engine's operations, or one the ruleset defines.
fn ops(class: Class, defs: &mut Map<String, Value>) -> Value {
    let known: Vec<&OpSpec> = OPS.iter().filter(|it| it.class == class).collect();
    let names: Vec<&str> = known.iter().map(|it| it.name).collect();
    let mut choices: Vec<Value> = known.iter().map(|it| op(it, defs)).collect();
    choices.push(json!({
        "type": "object",
        "description": "A definition or an event type of the ruleset, used like an operation.",
        "properties": { "op": { "type": "string", "not": { "enum": names } } },
        "required": ["op"],
    }));
    json!({ "anyOf": choices })
}

fn op(spec: &OpSpec, defs: &mut Map<String, Value>) -> Value {
    let mut properties = properties(spec.params, defs);
    properties.insert("op".to_owned(), json!({ "const": spec.name, "description": spec.doc }));
    let mut needs = vec!["op"];
    needs.extend(required(spec.params));
    let example: Value = serde_json::from_str(spec.example).unwrap_or_default();
    json!({ "type": "object", "description": spec.doc, "properties": properties, "required": needs, "examples": [example] })
}

/// The schema as a file.
pub fn schema_text() -> String {
    let mut text = serde_json::to_string_pretty(schema().as_value()).unwrap_or_default();
    text.push('\n');
    text
}
