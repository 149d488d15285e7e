//! Small games for tests of servers: every accepted command can be counted in them.

use serde_json::{Value, json};

/// A game of clicks: whoever's turn it is clicks or passes; nothing is hidden, and every click counts.
pub fn clicker() -> Value {
    json!({
        "id": "clicker", "name": "Clicker", "version": "1",
        "players": { "min": 2, "max": 2 },
        "attributes": [{ "id": "clicks", "name": "Clicks", "on": ["player"], "start": 0 }],
        "events": [{
            "id": "CountClick", "fact": "Clicked", "fields": { "player": "player" },
            "apply": [{ "op": "change_attribute", "target": "player", "attribute": "clicks", "by": 1 }],
        }],
        "turnStructure": { "phases": [{ "id": "turn", "name": "Turn", "steps": [{ "id": "main", "name": "Main", "mandatory": true }] }] },
        "actions": [{ "id": "click", "name": "Click", "timing": "sorcery", "effects": [{ "op": "count_click", "player": { "ref": "you" } }] }],
        "endConditions": [{
            "id": "many",
            "when": { "op": "exists", "of": { "players": "all", "where": { "op": "ge", "a": { "ref": "it.clicks" }, "b": 1000 } } },
            "winners": { "players": "all", "where": { "op": "ge", "a": { "ref": "it.clicks" }, "b": 1000 } },
        }],
    })
}

/// A game of questions with a deadline: whoever does not answer in time is counted.
pub fn quiz(deadline_ms: u32) -> Value {
    let count = json!([{ "op": "if", "when": { "op": "eq", "a": { "op": "count", "of": { "ref": "answer" } }, "b": 0 },
        "then": [{ "op": "count_miss", "player": "active_player" }] }]);
    let mut on_start = vec![json!({
        "op": "ask", "kind": "target_select", "player": "active_player", "choices": { "players": "all" },
        "noAuto": true, "optional": true, "deadlineMs": deadline_ms, "onTimeout": "decline", "prompt": "Whom?", "as": "answer",
    })];
    on_start.extend(count.as_array().cloned().unwrap_or_default());
    json!({
        "id": "quiz", "name": "Quiz", "version": "1",
        "players": { "min": 2, "max": 2 },
        "attributes": [{ "id": "missed", "name": "Missed", "on": ["player"], "start": 0 }],
        "events": [{
            "id": "CountMiss", "fact": "Missed", "fields": { "player": "player" },
            "apply": [{ "op": "change_attribute", "target": "player", "attribute": "missed", "by": 1 }],
        }],
        "turnStructure": { "phases": [{ "id": "turn", "name": "Turn", "steps": [{ "id": "main", "name": "Main", "mandatory": false, "onStart": on_start }] }] },
        "actions": [],
        "endConditions": [{
            "id": "enough",
            "when": { "op": "exists", "of": { "players": "all", "where": { "op": "ge", "a": { "ref": "it.missed" }, "b": 50 } } },
        }],
    })
}
