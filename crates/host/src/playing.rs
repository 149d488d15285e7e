//! What a player submits, by Refs, and what is offered slot by slot until a submit is complete.

use std::collections::BTreeMap;

use selector::Value;
use view::{PendingInput, Ref};

use crate::hosted::Clock;

/// What a player submits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Play {
    /// Takes an action.
    Act {
        action: String,
        /// What fills its slots, by their names.
        targets: BTreeMap<String, Vec<Ref>>,
    },
    /// Passes.
    Pass,
    /// Passes until the turn is over.
    EndTurn,
    /// Moves cards by hand.
    Move(HandMove),
    /// Answers a question.
    Answer {
        /// `i7`.
        input: String,
        /// A list of picks; any value where the question is of free form.
        selection: Value,
        /// Whether it may be replaced until the question closes.
        is_draft: bool,
    },
}

/// A move by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandMove {
    /// Cards go from a zone to another.
    Cards {
        cards: Vec<Ref>,
        from: String,
        to: String,
        /// What fills the slots of the action that is meant, where there are several.
        targets: BTreeMap<String, Vec<Ref>>,
    },
    /// Cards of one zone are put in order.
    Order { cards: Vec<Ref> },
}

/// A question or window with what ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub input: PendingInput,
    /// The clock that runs for it.
    pub clock: Option<Clock>,
}

/// A submit as far as it is filled, and what is asked about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// `i7`.
    pub input: String,
    pub draft: Draft,
    /// The slot to list; the first open one without.
    pub slot: Option<String>,
    /// The group of a question to list.
    pub at: Option<Ref>,
    /// Part of the title.
    pub find: Option<String>,
    /// Where a page begins.
    pub after: Option<String>,
    pub limit: Option<u32>,
}

/// A submit as far as it is filled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub action: Option<String>,
    pub targets: BTreeMap<String, Vec<Ref>>,
    /// What was picked so far from a question.
    pub selection: Vec<Value>,
}
