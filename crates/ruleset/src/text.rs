//! What people read: names, prompts and hints. Cold: the engine never looks at it to decide anything.

use alloc::{string::String, vec::Vec};

use crate::term::Term;

/// Names and words by table, in the order of the tables.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub id: String,
    pub name: String,
    pub version: String,
    /// What kind of game it is.
    pub description: String,
    pub events: Vec<EventText>,
    pub rules: Vec<Label>,
    /// The names of the slots of each rule.
    pub rule_slots: Vec<Vec<String>>,
    pub actions: Vec<ActionText>,
    pub zones: Vec<Label>,
    pub attrs: Vec<Label>,
    pub defs: Vec<Label>,
    pub types: Vec<Label>,
    pub keywords: Vec<Label>,
    pub phases: Vec<Label>,
    pub steps: Vec<Label>,
    pub abilities: Vec<Label>,
    pub timers: Vec<Label>,
    pub asks: Vec<AskText>,
    pub decks: Vec<Label>,
    /// State checks, in the order of their table.
    pub checks: Vec<Label>,
    /// Definitions, in the order of the document.
    pub defines: Vec<DefineText>,
    pub reasons: Vec<String>,
    /// What the ruleset as a whole says to clients.
    pub ui: Option<Term>,
}

/// An id with what is shown for it.
#[derive(Clone, Debug, Default)]
pub struct Label {
    pub id: String,
    pub name: String,
    pub text: String,
    /// A word for new players.
    pub hint: String,
    /// How a zone is laid out, and where; or nothing.
    pub layout: String,
    pub area: String,
    /// When an attribute is shown; or nothing.
    pub show: String,
    /// What the values of an attribute are called.
    pub labels: Vec<(String, String)>,
    pub ui: Option<Term>,
}

/// A definition and the types of its parameters, as they are declared.
#[derive(Clone, Debug, Default)]
pub struct DefineText {
    pub label: Label,
    pub params: Vec<(String, String)>,
}

/// The names of an event type.
#[derive(Clone, Debug, Default)]
pub struct EventText {
    pub id: String,
    /// What it is called once it happened.
    pub fact: String,
    /// The event type that is what happens, where it is another one; `none` where nothing is told.
    pub told_as: String,
    pub fields: Vec<String>,
    /// The types of the fields as they are declared; none for the engine's own events.
    pub types: Vec<String>,
    /// What it means, for authors.
    pub doc: String,
    /// The sentence players read: a template over the fields.
    pub template: String,
    /// How closely one has to look to care: `story`, `detail`, `step`, or nothing.
    pub level: String,
    /// How a client shows it, in a word; or nothing.
    pub cue: String,
    pub ui: Option<Term>,
}

/// The names of an action and its slots.
#[derive(Clone, Debug, Default)]
pub struct ActionText {
    pub label: Label,
    pub slots: Vec<String>,
    /// The ways a slot of type `mode` offers; empty for the others.
    pub modes: Vec<Vec<Label>>,
    /// What its preconditions say, as they were written.
    pub preconditions: Vec<String>,
}

/// What a question says.
#[derive(Clone, Debug, Default)]
pub struct AskText {
    pub prompt: String,
    pub modes: Vec<String>,
    /// The names of the modes in the document.
    pub mode_ids: Vec<String>,
    pub ui: Option<Term>,
}
