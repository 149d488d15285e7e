//! What a player is asked, how it is narrowed down, and what an answer is made of.

use alloc::{string::String, vec::Vec};

use crate::{refs::Ref, value::Json};

/// A question or window that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PendingInput {
    /// `i7`: the seventh thing this seat is asked.
    pub input_id: String,
    /// All who are publicly asked.
    pub for_player_ids: Vec<String>,
    /// How it is shown: `priority`, `target_select`, `order_select`, `mode_pick`, `pay_cost`, `confirm`, `number`,
    /// `text`, `layout` or `react`.
    pub kind: String,
    pub constraints: Constraints,
    /// When the time is up, in milliseconds since 1970; null if there is time.
    pub expires_at: Option<i64>,
    pub on_timeout: OnTimeout,
    pub need: Need,
    /// Whether others answer the same question, so that an answer is judged by its `inputId` alone.
    pub is_concurrent: bool,
    /// Whether drafts may be sent.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not", default))]
    pub is_revisable: bool,
    /// The last draft.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub draft: Option<Vec<Pick>>,
    /// The card or row that asks.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub source: Option<Ref>,
    pub prompt: Prompt,
}

/// How a question is put to a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Prompt {
    /// What the player reads.
    pub text: String,
    /// A word for new players.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub hint: String,
    /// What is lit up beside the choices.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub highlights: Vec<Ref>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// What is a legal answer: to a question, or in a window.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Constraints {
    /// Of a question.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub selector: Option<Selector>,
    /// Of a window: whether `pass` is legal.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not", default))]
    pub may_pass: bool,
    /// Of a window: what can be done, with what can fill the first slot.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub actions: Vec<Offer>,
}

/// An action that can be taken now.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Offer {
    /// Its `actionType`.
    pub id: String,
    /// What can fill the first slot that the catalogue names.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub choices: Vec<Choice>,
    /// What it costs, where that is the same whatever fills its slots.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub cost: Option<String>,
    /// Whether more slots follow, or more choices than are listed: `choices.query` gives them.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not", default))]
    pub is_lazy: bool,
}

/// What can be picked, and how much of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Selector {
    pub title: String,
    /// `action` for an answer of free form: any JSON up to 4 KB.
    #[cfg_attr(feature = "serde", serde(rename = "type", skip_serializing_if = "Option::is_none", default))]
    pub kind: Option<SelectorType>,
    pub min: u32,
    pub max: u32,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub choices: Vec<Choice>,
    /// `[least, greatest, step]` instead of choices.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub range: Option<[i64; 3]>,
    /// Whether the order of the selection counts.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not", default))]
    pub ordered: bool,
    /// Whether null may stand for an empty place.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not", default))]
    pub blank: bool,
    /// Whether there are more choices than are listed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not", default))]
    pub is_lazy: bool,
    /// Where `choices.query` goes on.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub next: Option<String>,
}

/// How a selector is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum SelectorType {
    /// With any JSON up to 4 KB.
    Action,
}

/// Something that can be picked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// What an answer names it by; unique within its list.
    pub id: Ref,
    /// For people.
    pub title: String,
    /// `2 mana`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub cost: Option<String>,
    /// Cannot be picked together with anything else.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not", default))]
    pub exclusive: bool,
    /// What must be picked inside, if it is a group.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub choices: Option<Vec<Choice>>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub min: Option<u32>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub max: Option<u32>,
}

impl Choice {
    /// A choice without anything inside.
    pub fn new(id: Ref, title: impl Into<String>) -> Self {
        Self { id, title: title.into(), cost: None, exclusive: false, choices: None, min: None, max: None }
    }
}

/// Whose answer is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Need {
    /// Of all who are asked.
    All,
    /// Of the first who answers.
    Any,
}

/// What happens when the time is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum OnTimeout {
    /// The player passes.
    Pass,
    /// Nothing is chosen, if that is legal; else the first legal answer.
    Decline,
    /// The default answer of the question.
    Default,
    /// The first legal answer.
    First,
    /// A random legal answer.
    Random,
    /// The player loses.
    Concede,
}

/// What can fill the first open slot of a submit that is being prepared, or the list a question offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Page {
    /// The slot it is about; absent for a question, and where no slot is open.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub slot: Option<String>,
    pub min: u32,
    pub max: u32,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub choices: Vec<Choice>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub range: Option<[i64; 3]>,
    /// Where the next page begins; null on the last.
    pub next: Option<String>,
    /// Whether the draft is legal as it stands.
    pub is_complete: bool,
    /// What the draft costs as it stands.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub cost: Option<Cost>,
}

/// What an action costs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cost {
    /// `3 mana`.
    pub text: String,
    pub parts: Vec<CostPart>,
}

/// One thing that is paid: an amount of an attribute, or a card that goes to a zone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(untagged))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum CostPart {
    /// A value goes down by an amount, or up by a negative one.
    Value { of: Ref, attribute: String, amount: i32 },
    /// A card goes to a zone.
    Card { card: Ref, to: String },
}

/// One thing of a selection, as a client sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(untagged))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Pick {
    /// An empty place, where the selector says `blank`.
    Blank(()),
    /// A number.
    Number(i64),
    /// A Ref; or the title of a choice, as a short form.
    Named(String),
    /// A group and what is picked in it.
    Group(Group),
}

/// A group and what is picked in it; or any choice as an object, as a short form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Group {
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub id: Option<Ref>,
    /// A short form of `id`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub title: Option<crate::value::Scalar>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub selection: Option<Vec<Pick>>,
}
