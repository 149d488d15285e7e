//! AsyncAPI 3: every message of every socket, with schemas of draft 07.

use serde_json::{Map, Value, json};

use super::{
    openapi::{COMPONENTS, in_components},
    schemas::{self, duel_name, message_name},
};
use crate::duel;

fn message(name: &str, schema: &str, summary: &str) -> Value {
    json!({ "name": name, "title": name, "summary": summary, "payload": { "$ref": format!("{COMPONENTS}{schema}") } })
}

fn key(name: &str) -> String {
    name.replace('.', "_")
}

/// The AsyncAPI document.
pub fn asyncapi() -> Value {
    let clients = schemas::from_clients();
    let server = schemas::from_server();
    let mut messages: Map<String, Value> = Map::new();
    for it in &clients {
        messages.insert(key(it.name), message(it.name, &message_name(it.name), it.summary));
    }
    for (name, summary) in &server {
        messages.insert(key(name), message(name, &message_name(name), summary));
    }
    let of_ws = |name: &str| json!({ "$ref": format!("#/channels/ws/messages/{}", key(name)) });
    let of_duels = |name: &str| json!({ "$ref": format!("#/channels/duels/messages/{name}") });
    let duels: Map<String, Value> = duel::messages()
        .into_iter()
        .map(|(name, it)| (name.clone(), message(&name, &duel_name(&name), it["summary"].as_str().unwrap_or_default())))
        .collect();
    let defs = super::definitions();
    let schemas: Map<String, Value> = defs.into_iter().map(|(name, it)| (name, in_components(it))).collect();
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Snapstack",
            "version": crate::PROTOCOL,
            "description": "Matches over a WebSocket: one JSON object a text frame.",
            "contact": { "name": "Snapstack", "url": "https://snapstack.dev" },
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "defaultContentType": "application/json",
        "channels": {
            "ws": { "address": "/ws", "description": "Follow matches and play.", "messages": messages },
            "duels": {
                "address": "/duels/{game}/ws",
                "description": "Wait for a duel and play it.",
                "parameters": { "game": { "description": "The name of a game that can be played as a duel." } },
                "messages": duels,
            },
        },
        "operations": {
            "receive": { "action": "receive", "summary": "What clients send.", "channel": { "$ref": "#/channels/ws" }, "messages": clients.iter().map(|it| of_ws(it.name)).collect::<Vec<_>>() },
            "send": { "action": "send", "summary": "What the server sends.", "channel": { "$ref": "#/channels/ws" }, "messages": server.iter().map(|it| of_ws(&it.0)).collect::<Vec<_>>() },
            "receiveDuels": { "action": "receive", "summary": "What duellists send.", "channel": { "$ref": "#/channels/duels" }, "messages": duel::names(false).map(of_duels).collect::<Vec<_>>() },
            "sendDuels": { "action": "send", "summary": "What duellists are sent.", "channel": { "$ref": "#/channels/duels" }, "messages": duel::names(true).map(of_duels).collect::<Vec<_>>() },
        },
        "components": { "schemas": schemas },
    })
}
