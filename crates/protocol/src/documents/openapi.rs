//! OpenAPI 3.1: every route with what it takes, gives and refuses.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::operations::{self, Access, Body, Operation};

/// Where the types of a document are.
pub const COMPONENTS: &str = "#/components/schemas/";

/// A schema whose Refs point into the components of a document.
pub fn in_components(mut schema: Value) -> Value {
    relocate(&mut schema);
    schema
}

fn relocate(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(to)) = fields.get_mut("$ref") {
                *to = to.replace("#/$defs/", COMPONENTS);
            }
            fields.values_mut().for_each(relocate);
        }
        Value::Array(items) => items.iter_mut().for_each(relocate),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn content(body: Body, defs: &Map<String, Value>) -> Option<Value> {
    Some(match body {
        Body::None => return None,
        Body::Text => json!({ "text/plain": { "schema": { "type": "string" }, "example": "ok" } }),
        Body::Bytes => {
            json!({ "application/octet-stream": { "schema": { "type": "string", "contentMediaType": "application/octet-stream" } } })
        }
        Body::Json(schema) => {
            let mut generator = SchemaSettings::draft2020_12().into_generator();
            let schema = schema(&mut generator).to_value();
            let example = example(&schema, defs, 0);
            json!({ "application/json": { "schema": in_components(schema), "example": example } })
        }
    })
}

/// A value that fits a schema: the first of what is listed, one of every list.
fn example(schema: &Value, defs: &Map<String, Value>, depth: u8) -> Value {
    if let Some(name) = schema["$ref"].as_str().and_then(|it| it.strip_prefix("#/$defs/")) {
        return defs.get(name).map_or(Value::Null, |it| example(it, defs, depth + 1));
    }
    if let Some(fixed) = schema.get("const") {
        return fixed.clone();
    }
    for several in ["enum", "oneOf", "anyOf"] {
        if let Some(first) = schema[several].as_array().and_then(|it| it.first()) {
            return if several == "enum" { first.clone() } else { example(first, defs, depth + 1) };
        }
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"].as_array().and_then(|it| it.first()?.as_str()));
    match kind {
        Some("string") => "p1".into(),
        Some("integer") => schema["minimum"].as_i64().unwrap_or(1).max(1).into(),
        Some("boolean") => true.into(),
        Some("array") if depth < 6 => {
            let n = schema["minItems"].as_u64().unwrap_or(1).max(1);
            Value::Array((0..n).map(|_| example(&schema["items"], defs, depth + 1)).collect())
        }
        Some("array") => json!([]),
        Some("object") => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let fields = required.iter().filter_map(Value::as_str);
            let field = |it: &str| (it.to_owned(), example(&schema["properties"][it], defs, depth + 1));
            Value::Object(fields.map(field).collect())
        }
        _ => Value::Null,
    }
}

fn operation(it: &Operation, defs: &Map<String, Value>) -> Value {
    let path = it.path.split('/').filter_map(|it| it.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> =
        path.map(|it| json!({ "name": it, "in": "path", "required": true, "schema": { "type": "string" } })).collect();
    parameters.extend(
        it.query
            .iter()
            .map(|it| json!({ "name": it.name, "in": "query", "description": it.text, "schema": { "type": it.kind } })),
    );
    let mut success = json!({ "description": "All is well." });
    if let Some(content) = content(it.success.1, defs) {
        success["content"] = content;
    }
    let refusal = json!({ "$ref": "#/components/responses/Refused" });
    let mut operation = json!({
        "operationId": operation_id(it),
        "summary": it.summary,
        "description": it.summary,
        "tags": [it.tag],
        "responses": { it.success.0.to_string(): success, "4XX": refusal, "503": refusal },
        "security": if it.access == Access::Anyone { json!([{}]) } else { json!([{ "token": [] }]) },
    });
    if !parameters.is_empty() {
        operation["parameters"] = Value::Array(parameters);
    }
    if let Some(content) = content(it.request, defs) {
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation
}

fn operation_id(it: &Operation) -> String {
    let path = it.path.replace(['/', '.'], "_").replace(['{', '}'], "");
    format!("{}{path}", it.method.to_lowercase())
}

/// The OpenAPI document.
pub fn openapi() -> Value {
    let defs = super::definitions();
    let mut paths: Map<String, Value> = Map::new();
    for it in operations::all() {
        let path = paths.entry(it.path).or_insert_with(|| json!({}));
        path[it.method.to_lowercase()] = operation(&it, &defs);
    }
    let tags = [
        ("server", "The server itself."),
        ("accounts", "Accounts, sessions and tickets."),
        ("games", "Rulesets and catalogues."),
        ("matches", "Tables, open and played."),
        ("play", "Everything a player does in a match."),
        ("sockets", "WebSockets; their messages are in asyncapi.json."),
    ];
    let tags: Vec<Value> = tags.iter().map(|it| json!({ "name": it.0, "description": it.1 })).collect();
    let schemas: Map<String, Value> = defs.iter().map(|(name, it)| (name.clone(), in_components(it.clone()))).collect();
    let refused = content(operations::error(), &defs);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Snapstack",
            "version": crate::PROTOCOL,
            "description": "Card games whose rules are data, over HTTP.",
            "contact": { "name": "Snapstack", "url": "https://snapstack.dev" },
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "This server." }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": { "Refused": { "description": "It is refused; nothing changed.", "content": refused } },
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
    })
}
