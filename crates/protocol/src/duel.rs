//! The messages of `/duels`, which keep the names of the first document, described for the same documents.

use serde_json::{Map, Value, json};

/// What a field holds.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Number,
    /// A number that may be missing.
    Time,
    Flag,
    /// Ids of cards.
    Cards,
    /// Slots: ids of cards, and nulls.
    Layout,
    /// A layout that may be missing.
    Laid,
    /// A card, or none.
    Card,
    Winner,
    Pot,
    Phase,
    Steps,
    /// Another message, or nothing.
    Result,
    /// As many of it as there are.
    Results,
}

/// A message: its name, whether the server sends it, what it says, and its fields.
type Described = (&'static str, bool, &'static str, &'static [(&'static str, Kind)]);

use Kind::{Card, Cards, Flag, Laid, Layout, Number, Phase, Pot, Result, Results, Steps, Text, Time, Winner};

const STEP: [(&str, Kind); 5] =
    [("stepIndex", Number), ("yourCard", Card), ("oppCard", Card), ("yourHp", Number), ("oppHp", Number)];

const ENDED: [(&str, Kind); 7] = [
    ("matchId", Text),
    ("winner", Winner),
    ("reason", Text),
    ("yourHp", Number),
    ("oppHp", Number),
    ("yourTokens", Number),
    ("pot", Pot),
];

const MESSAGES: [Described; 18] = [
    ("hello", false, "Who you are.", &[("token", Text)]),
    ("queue_join", false, "Wait for another player.", &[]),
    ("queue_leave", false, "Wait no more.", &[]),
    ("pve_start", false, "Play against the house, for nothing.", &[]),
    ("layout_draft", false, "Cards you think of; never answered.", &[("matchId", Text), ("layout", Layout)]),
    ("layout_confirm", false, "Cards you lay, once a round.", &[("matchId", Text), ("layout", Layout)]),
    ("sync", false, "Ask for everything there is to see.", &[]),
    ("hello_ok", true, "You are known.", &[("accountId", Text), ("nickname", Text), ("tokens", Number)]),
    ("queue_ok", true, "You wait.", &[("tokens", Number)]),
    ("queue_left", true, "You wait no more.", &[]),
    (
        "match_found",
        true,
        "Your match begins.",
        &[
            ("matchId", Text),
            ("yourHp", Number),
            ("oppHp", Number),
            ("yourTokens", Number),
            ("pot", Number),
            ("yourNickname", Text),
            ("oppNickname", Text),
            ("yourHand", Cards),
        ],
    ),
    (
        "prep_start",
        true,
        "A round begins: lay cards until the deadline.",
        &[
            ("matchId", Text),
            ("roundIndex", Number),
            ("suddenDeath", Flag),
            ("deadlineTs", Time),
            ("slots", Number),
            ("yourNickname", Text),
            ("oppNickname", Text),
            ("yourHp", Number),
            ("oppHp", Number),
            ("pot", Number),
            ("yourTokens", Number),
            ("yourHand", Cards),
            ("cards", Cards),
        ],
    ),
    ("confirm_ok", true, "Your layout is final.", &[("matchId", Text), ("roundIndex", Number)]),
    (
        "step_reveal",
        true,
        "A pair of cards is shown.",
        &[("matchId", Text), ("roundIndex", Number), STEP[0], STEP[1], STEP[2], STEP[3], STEP[4]],
    ),
    (
        "round_end",
        true,
        "A round is over.",
        &[("matchId", Text), ("roundIndex", Number), ("suddenDeath", Flag), ("yourHp", Number), ("oppHp", Number)],
    ),
    ("match_end", true, "The match is over; nothing about it follows.", &ENDED),
    (
        "sync_state",
        true,
        "Everything there is to see; what belongs to a match is missing without one.",
        &[
            ("phase", Phase),
            ("yourTokens", Number),
            ("yourNickname", Text),
            ("matchId", Text),
            ("roundIndex", Number),
            ("suddenDeath", Flag),
            ("deadlineTs", Time),
            ("slots", Number),
            ("oppNickname", Text),
            ("yourHp", Number),
            ("oppHp", Number),
            ("pot", Number),
            ("yourHand", Cards),
            ("draft", Laid),
            ("confirmed", Laid),
            ("steps", Steps),
            ("lastResult", Result),
            ("earlierResults", Results),
        ],
    ),
    ("error_msg", true, "Something was refused, and changed nothing.", &[("code", Text), ("message", Text)]),
];

fn schema(kind: Kind) -> Value {
    let slot = json!({ "type": ["string", "null"] });
    match kind {
        Text => json!({ "type": "string" }),
        Number => json!({ "type": "integer", "minimum": 0 }),
        Time => json!({ "type": ["integer", "null"], "description": "Milliseconds since 1970." }),
        Flag => json!({ "type": "boolean" }),
        Cards => json!({ "type": "array", "items": { "type": "string" } }),
        Layout => json!({ "type": "array", "items": slot }),
        Laid => json!({ "type": ["array", "null"], "items": slot }),
        Card => slot,
        Winner => json!({ "enum": ["YOU", "OPPONENT", null] }),
        Pot => json!({ "enum": ["paid", "refunded", "burned", "none"] }),
        Phase => json!({ "enum": ["IDLE", "QUEUED", "PREP", "REVEAL"] }),
        Steps => json!({ "type": "array", "items": { "type": "object", "properties": properties(&STEP) } }),
        Result => json!({ "type": ["object", "null"], "properties": properties(&ENDED) }),
        Results => json!({ "type": "array", "items": { "type": "object", "properties": properties(&ENDED) } }),
    }
}

fn properties(fields: &[(&str, Kind)]) -> Map<String, Value> {
    fields.iter().map(|(name, kind)| ((*name).to_owned(), schema(*kind))).collect()
}

fn message((name, _, summary, fields): &Described) -> Value {
    let mut properties = properties(fields);
    properties.insert("type".to_owned(), json!({ "const": name }));
    // A client gives all that it sends; a server leaves out of `sync_state` what there is not.
    let is_partial = *name == "sync_state";
    let mut required: Vec<&str> = fields.iter().map(|it| it.0).filter(|_| !is_partial).collect();
    required.push("type");
    json!({ "name": name, "summary": summary, "payload": { "type": "object", "required": required, "properties": properties } })
}

/// The messages by name.
pub fn messages() -> Map<String, Value> {
    MESSAGES.iter().map(|it| (it.0.to_owned(), message(it))).collect()
}

/// The names of those that the server sends, or of those that clients send.
pub fn names(is_from_server: bool) -> impl Iterator<Item = &'static str> {
    MESSAGES.iter().filter(move |it| it.1 == is_from_server).map(|it| it.0)
}
