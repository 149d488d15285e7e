//! What one viewer may know of a match: the table as he sees it, and what happened as he saw it happen.
//!
//! The same types serve every kind of match, so that clients, bots and servers need no others.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use selector::Value;

/// A card a viewer can see.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct CardView {
    /// What the viewer calls it; a card that comes back from hiding gets another name.
    pub id: String,
    pub name: String,
    pub values: BTreeMap<String, Value>,
}

/// A zone as a viewer sees it: how many cards, and those he can see, from the bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct ZoneView {
    pub name: String,
    pub owner: Option<String>,
    pub count: u32,
    pub cards: Vec<CardView>,
}

/// A player as everybody sees him.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct SeatView {
    pub id: String,
    /// Whether he has left the match.
    pub is_out: bool,
    pub values: BTreeMap<String, Value>,
}

/// An open request as a viewer sees it: that it is open, and for whom; never what was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct WaitView {
    pub input_id: u32,
    /// How it is shown: `single`, `many`, `any`, `priority`, or a kind of the ruleset.
    pub kind: String,
    /// Those who are asked.
    pub players: Vec<String>,
    /// Those of them who have not answered.
    pub missing: Vec<String>,
}

/// Something on the stack as a viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct ItemView {
    /// What requests call it: `e1` for the lowest.
    pub id: String,
    pub kind: String,
    pub is_reaction: bool,
    /// Whether what answers it before it happens was looked for.
    pub is_past_before: bool,
    pub controller: Option<String>,
    pub source: Option<String>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct OutcomeView {
    /// Nobody in a tie.
    pub winners: Vec<String>,
    pub reason: String,
}

/// The table as a viewer sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct View {
    /// The version of the match; what a client sends back with its next request.
    pub branch_id: u32,
    /// Numbers and names that belong to nobody: round, phase, whose turn it is.
    pub values: BTreeMap<String, Value>,
    pub players: Vec<SeatView>,
    pub zones: Vec<ZoneView>,
    pub stack: Vec<ItemView>,
    pub waiting: Vec<WaitView>,
    pub is_paused: bool,
    pub outcome: Option<OutcomeView>,
}

/// What became of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum EventStatus {
    /// It waits on the stack.
    Pending,
    /// It happened.
    #[default]
    Applied,
    /// It says that another did not happen.
    Prevented,
    /// It says that another could not be carried out.
    Failed,
}

/// Something that happened, as a viewer saw it happen. Numbered for him alone, from 1, without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct EventView {
    pub seq: u32,
    pub kind: String,
    #[cfg_attr(feature = "serde", serde(default))]
    pub status: EventStatus,
    /// The number of what led to it, if the viewer was told of that.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub caused_by: Option<u32>,
    /// The atomic group it belongs to, if it does: all of one happen, or none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub group: Option<u32>,
    pub fields: BTreeMap<String, Value>,
    /// The event as a line of text.
    pub text: String,
    /// How a client shows it, if the game says so.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Value>,
}

impl CardView {
    /// The card as a field of an event.
    pub fn field(id: &str, name: &str) -> Value {
        Value::object([("card", id.into()), ("name", name.into())])
    }
}

/// What stands where a viewer may not know which card it is.
pub fn hidden() -> Value {
    Value::object([("hidden", true.into())])
}

/// A field of an event as text.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::Object(_) if value.field("hidden").is_some() => "a hidden card".into(),
        Value::Object(_) => value.field("name").map_or_else(|| value.to_string(), text_of),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(text_of).collect();
            if items.is_empty() { "nothing".into() } else { items.join(", ") }
        }
        Value::Null => "nothing".into(),
        Value::Bool(_) | Value::Integer(_) | Value::Decimal(_) | Value::Text(_) => value.to_string(),
    }
}

impl EventView {
    /// The line of an event without a text of its own: its kind and its fields.
    pub fn plain_text(kind: &str, fields: &BTreeMap<String, Value>) -> String {
        let mut text = String::from(kind);
        for (name, value) in fields {
            text.push(' ');
            text.push_str(name);
            text.push('=');
            text.push_str(&text_of(value));
        }
        text
    }
}
