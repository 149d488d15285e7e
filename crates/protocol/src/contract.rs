//! The data contracts of messages: events, rows of the stack, questions and reactions, by their names on the wire.

use std::collections::BTreeMap;

use host::{
    OpenRequest, Prompt,
    view::{EventStatus, EventView, ItemView},
};
use selector::{Response, Selector, Value};
use serde::{Deserialize, Serialize};

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// `ev12`, from its number for the viewer.
    pub id: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub payload: BTreeMap<String, Value>,
    pub caused_by: Option<String>,
    /// The atomic group it belongs to: all of one happen, or none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group_id: Option<u32>,
    pub status: EventStatus,
}

/// A row of the stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StackItem {
    /// `event` or `reaction`.
    pub kind: String,
    /// What requests call it.
    pub ref_id: String,
    /// The lowest has 1.
    pub created_at_order: u32,
    pub flags: Flags,
    /// The event type that waits, or that the reaction answers.
    #[serde(rename = "type")]
    pub event_type: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub controller: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub source: Option<String>,
}

/// How far a row has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Flags {
    /// Whether what answers it before it happens lies above it.
    pub before_scheduled: bool,
}

/// A question that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PendingInput {
    pub input_id: String,
    pub for_player_ids: Vec<String>,
    /// How it is shown.
    pub kind: String,
    pub constraints: Constraints,
    /// When the time is up, in milliseconds since 1970; none if there is time.
    pub expires_at: Option<i64>,
    pub prompt: Prompt,
    /// Whether others answer the same request, so that an answer may be made for an older version.
    pub is_concurrent: bool,
    /// What was answered so far and may still be replaced.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub draft: Option<Response>,
}

/// What is a legal answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Constraints {
    pub selector: Selector,
}

/// A rule that answers events, as a ruleset declares it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reaction {
    pub id: String,
    pub when: When,
    pub conditions: Vec<serde_json::Value>,
    pub effects: Vec<serde_json::Value>,
}

/// What a reaction answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct When {
    pub event_type: String,
    #[serde(default)]
    pub filters: serde_json::Value,
}

fn event_id(seq: u32) -> String {
    format!("ev{seq}")
}

impl From<&EventView> for Event {
    fn from(it: &EventView) -> Self {
        Self {
            id: event_id(it.seq),
            kind: it.kind.clone(),
            payload: it.fields.clone(),
            caused_by: it.caused_by.map(event_id),
            group_id: it.group,
            status: it.status,
        }
    }
}

impl From<&ItemView> for StackItem {
    fn from(it: &ItemView) -> Self {
        let order = it.id.trim_start_matches('e').parse().unwrap_or(0);
        Self {
            kind: if it.is_reaction { "reaction" } else { "event" }.to_owned(),
            ref_id: it.id.clone(),
            created_at_order: order,
            flags: Flags { before_scheduled: it.is_past_before },
            event_type: it.kind.clone(),
            controller: it.controller.clone(),
            source: it.source.clone(),
        }
    }
}

impl PendingInput {
    /// The question as its player is asked it.
    pub fn new(request: OpenRequest, player: &str, expires_at: Option<i64>) -> Self {
        let OpenRequest { input_id, kind, is_concurrent, prompt, selector, draft, .. } = request;
        Self {
            input_id: format!("i{input_id}"),
            for_player_ids: vec![player.to_owned()],
            kind,
            constraints: Constraints { selector },
            expires_at,
            prompt,
            is_concurrent,
            draft,
        }
    }
}
