//! Every body and message in JSON Schema, under one list of names.

use schemars::{
    JsonSchema, SchemaGenerator,
    generate::{Contract, SchemaSettings},
};
use serde_json::{Map, Value, json};

use crate::{
    duel,
    messages::ServerMessage,
    operations::{self, Body},
    request,
};

/// A message of a client: its name, its type, and whether it is about a match.
pub struct FromClient {
    pub name: &'static str,
    pub summary: &'static str,
    schema: fn(&mut SchemaGenerator) -> schemars::Schema,
    /// Whether `matchId` stands beside the body, which HTTP has in its path.
    names_match: bool,
}

fn message<T: JsonSchema>(name: &'static str, summary: &'static str, names_match: bool) -> FromClient {
    FromClient { name, summary, schema: T::json_schema, names_match }
}

/// The messages clients send.
pub fn from_clients() -> Vec<FromClient> {
    vec![
        message::<request::Hello>("hello", "The first message on a socket.", false),
        message::<request::MatchSubscribe>("match.subscribe", "Follow a match, from an event on.", false),
        message::<request::MatchUnsubscribe>("match.unsubscribe", "Follow it no more.", false),
        message::<request::ActionSubmit>("action.submit", "Take an action, pass, or move cards by hand.", true),
        message::<request::InputSubmit>("input.submit", "Answer what you are asked.", true),
        message::<request::ChoicesQuery>("choices.query", "What can fill the next slot of a submit.", true),
        message::<request::UndoSubmit>("undo.submit", "Take back your own last answer, if that is fair.", true),
        message::<request::TakebackSubmit>(
            "takeback.submit",
            "Ask all to go back to a version; agree, or refuse.",
            true,
        ),
        message::<request::SystemControl>("system.control", "Concede; or a moderator's verb.", true),
        message::<request::Ping>("ping", "Ask whether the server is there.", false),
    ]
}

/// The names of the messages servers send, with what they say.
pub fn from_server() -> Vec<(String, String)> {
    let mut generator = generator(Contract::Serialize);
    let schema = ServerMessage::json_schema(&mut generator).to_value();
    let variants = schema["oneOf"].as_array().cloned().unwrap_or_default();
    let name = |it: &Value| {
        let name = it["properties"]["type"]["const"].as_str()?.to_owned();
        Some((name, it["description"].as_str().unwrap_or_default().to_owned()))
    };
    variants.iter().filter_map(name).collect()
}

/// What the schema of a message is called.
pub fn message_name(kind: &str) -> String {
    let word =
        |it: &str| it.chars().next().map(|first| first.to_uppercase().to_string() + &it[1..]).unwrap_or_default();
    kind.split(['.', '_']).map(word).collect::<String>() + "Message"
}

/// What the schema of a message of duels is called.
pub fn duel_name(kind: &str) -> String {
    format!("Duel{}", message_name(kind))
}

fn generator(contract: Contract) -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.contract = contract;
    settings.meta_schema = None;
    settings.into_generator()
}

/// Every type by its name.
pub fn definitions() -> Map<String, Value> {
    let mut sent = generator(Contract::Serialize);
    let mut read = generator(Contract::Deserialize);
    for it in operations::all() {
        if let Body::Json(schema) = it.success.1 {
            schema(&mut sent);
        }
        if let Body::Json(schema) = it.request {
            schema(&mut read);
        }
    }
    if let Body::Json(schema) = operations::error() {
        schema(&mut sent);
    }
    let server = ServerMessage::json_schema(&mut sent).to_value();
    let clients: Vec<(FromClient, Value)> = from_clients()
        .into_iter()
        .map(|it| {
            let schema = (it.schema)(&mut read).to_value();
            (it, schema)
        })
        .collect();
    let mut defs = tidied(sent.take_definitions(true), true);
    for (name, schema) in tidied(read.take_definitions(true), false) {
        defs.entry(name).or_insert(schema);
    }
    let server_names = add_server(&server, &mut defs);
    let client_names = add_clients(clients, &mut defs);
    defs.insert("ServerMessage".to_owned(), union("What a server sends over /ws.", &server_names));
    defs.insert("ClientMessage".to_owned(), union("What a client sends over /ws.", &client_names));
    for (name, payload) in duel::messages() {
        defs.insert(duel_name(&name), payload["payload"].clone());
    }
    defs
}

fn union(text: &str, names: &[String]) -> Value {
    let refs: Vec<Value> = names.iter().map(|it| json!({ "$ref": format!("#/$defs/{it}") })).collect();
    json!({ "description": text, "oneOf": refs })
}

/// Each message of the server as a type of its own: the body with its `type`.
fn add_server(schema: &Value, defs: &mut Map<String, Value>) -> Vec<String> {
    let mut names = Vec::new();
    for variant in schema["oneOf"].as_array().cloned().unwrap_or_default() {
        let Some(kind) = variant["properties"]["type"]["const"].as_str() else { continue };
        let body = variant["$ref"].as_str().and_then(|it| it.strip_prefix("#/$defs/")).and_then(|it| defs.get(it));
        let mut message = body.cloned().unwrap_or_else(|| json!({ "type": "object", "properties": {} }));
        typed(&mut message, kind);
        if let Some(text) = variant["description"].as_str() {
            message["description"] = text.into();
        }
        let name = message_name(kind);
        defs.insert(name.clone(), message);
        names.push(name);
    }
    names
}

fn add_clients(clients: Vec<(FromClient, Value)>, defs: &mut Map<String, Value>) -> Vec<String> {
    let mut names = Vec::new();
    for (it, mut message) in clients {
        tidy(&mut message, false);
        typed(&mut message, it.name);
        if it.names_match {
            message["properties"]["matchId"] = json!({ "type": "string" });
            require(&mut message, "matchId");
        }
        message["description"] = it.summary.into();
        let name = message_name(it.name);
        defs.insert(name.clone(), message);
        names.push(name);
    }
    names
}

/// Adds the `type` of a message.
fn typed(message: &mut Value, kind: &str) {
    message["properties"]["type"] = json!({ "type": "string", "const": kind });
    require(message, "type");
}

fn require(message: &mut Value, key: &str) {
    let mut required = message["required"].as_array().cloned().unwrap_or_default();
    if !required.iter().any(|it| it == key) {
        required.push(key.into());
    }
    message["required"] = Value::Array(required);
}

fn tidied(definitions: Map<String, Value>, is_sent: bool) -> Map<String, Value> {
    let tidied = |(name, mut it): (String, Value)| {
        tidy(&mut it, is_sent);
        (name, it)
    };
    definitions.into_iter().map(tidied).collect()
}

/// Leaves out what is no standard format, and null where a field that is sent is absent instead.
fn tidy(schema: &mut Value, is_sent: bool) {
    match schema {
        Value::Object(fields) => {
            fields.remove("format");
            fields.remove("default");
            if is_sent {
                strip_absent(fields);
            }
            fields.values_mut().for_each(|it| tidy(it, is_sent));
        }
        Value::Array(items) => items.iter_mut().for_each(|it| tidy(it, is_sent)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A field that is left out when there is nothing is never null.
fn strip_absent(fields: &mut Map<String, Value>) {
    let required: Vec<String> =
        fields.get("required").and_then(|it| serde_json::from_value(it.clone()).ok()).unwrap_or_default();
    let Some(properties) = fields.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (_, property) in properties.iter_mut().filter(|it| !required.contains(it.0)) {
        if let Some(kinds) = property.get_mut("type").and_then(Value::as_array_mut) {
            kinds.retain(|it| it != "null");
            if let [only] = kinds.as_slice() {
                property["type"] = only.clone();
            }
        }
        let Some(any) = property.get("anyOf").and_then(Value::as_array).cloned() else { continue };
        let rest: Vec<Value> = any.into_iter().filter(|it| it["type"] != "null").collect();
        if let ([only], Some(property)) = (rest.as_slice(), property.as_object_mut()) {
            property.remove("anyOf");
            property.extend(only.as_object().cloned().unwrap_or_default());
        }
    }
}
