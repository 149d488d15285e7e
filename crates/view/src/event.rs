//! What happens, as one viewer is told of it.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::catalogue::Level;

/// Something that happened, as a viewer was told of it: the event and what a client needs to show it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Told {
    /// The number of the event for this viewer, from 1, without gaps.
    pub sequence: u32,
    pub event: Event,
    /// The seat whose command began the chain; only where `causedBy` is null.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub by: Option<String>,
    /// The event whose stack row it ends.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ends: Option<String>,
    /// The definitions, or names, of the cards it names, as seen then.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub cards: BTreeMap<String, String>,
    /// The event as a sentence.
    pub text: String,
    /// How a client shows it, in a word.
    pub cue: String,
    /// Whom a log shows it to.
    pub level: Level,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// `ev118`, from its number.
    pub id: String,
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: String,
    /// Its fields, typed by the catalogue.
    pub payload: BTreeMap<String, Payload>,
    /// The nearest earlier cause this viewer was told of; null where a chain begins.
    pub caused_by: Option<String>,
    /// The atomic group it belongs to: all of one happen, or none.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub group_id: Option<u32>,
    pub status: Status,
}

/// What became of an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Status {
    /// It waits on the stack: it opens a row.
    Pending,
    /// It happened.
    #[default]
    Applied,
    /// It says that another did not happen.
    Prevented,
    /// It says that another could not be carried out.
    Failed,
}

/// A field of an event: a truth value, a number, a name or Ref, or a list of these.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(untagged))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Payload {
    /// A truth value.
    Flag(bool),
    /// A whole number.
    Number(i64),
    /// A name or a Ref.
    Text(String),
    /// Several.
    List(Vec<Payload>),
}

impl Payload {
    /// The number, if it is one.
    pub fn number(&self) -> Option<i64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}
