//! The question: who is asked, what is on offer and how much of it must be picked.

use alloc::string::String;
use alloc::vec::Vec;

use crate::amount::{Amount, Bounds};
use crate::label::Label;
use crate::value::Value;

/// A question to one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// The player who must answer.
    pub actor: String,
    /// The text shown to the player; an answer repeats it.
    pub title: Option<Label>,
    /// What can be picked.
    pub options: Options,
    /// Asks even if only one answer is possible, where not asking would tell a secret.
    pub no_auto: bool,
}

/// Whether an answer picks from a list or is free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// The answer picks from the choices.
    #[default]
    Select,
    /// The answer is any bounded value; choices and amounts are not looked at.
    Action,
}

/// What can be picked and how much of it: the body of a selector and of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether an answer picks or is free.
    pub kind: Kind,
    /// What is on offer, in the order of display.
    pub choices: Vec<Choice>,
    /// How many choices an answer must have.
    pub amount: Amount,
}

/// One thing on offer: a leaf, or a group with options of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The text or number shown, by which an answer without an id picks.
    pub title: Option<Label>,
    /// Tells choices with equal titles apart.
    pub id: Option<Label>,
    /// Anything a client shows beside the title; never compared.
    pub detail: Option<Value>,
    /// Cannot be picked together with anything else.
    pub exclusive: bool,
    /// What must be picked inside; an empty list still makes a group.
    pub nested: Option<Options>,
}

impl Selector {
    /// Starts a question that is answered by picking.
    pub fn select(actor: impl Into<String>, title: impl Into<Label>) -> Self {
        Selector { actor: actor.into(), title: Some(title.into()), options: Options::default(), no_auto: false }
    }

    /// Starts a question that is answered freely.
    pub fn action(actor: impl Into<String>, title: impl Into<Label>) -> Self {
        let mut selector = Selector::select(actor, title);
        selector.options.kind = Kind::Action;
        selector
    }

    /// Adds choices.
    #[must_use]
    pub fn offer<C: Into<Choice>>(mut self, choices: impl IntoIterator<Item = C>) -> Self {
        self.options.choices.extend(choices.into_iter().map(Into::into));
        self
    }

    /// Asks for exactly this many picks.
    #[must_use]
    pub fn exactly(mut self, count: u32) -> Self {
        self.options.amount = Amount { count: Some(count), ..Amount::default() };
        self
    }

    /// Asks for a number of picks between two bounds.
    #[must_use]
    pub fn between(mut self, min: u32, max: u32) -> Self {
        self.options.amount = Amount { min: Some(min), max: Some(max), count: None };
        self
    }

    /// Always asks, even if only one answer is possible.
    #[must_use]
    pub fn always_asked(mut self) -> Self {
        self.no_auto = true;
        self
    }

    /// Returns how many picks an answer must have, limited to what is on offer.
    pub fn bounds(&self) -> Bounds {
        self.options.bounds()
    }
}

impl Options {
    /// Returns how many picks an answer must have, limited to what is on offer.
    pub fn bounds(&self) -> Bounds {
        let n_choices = u32::try_from(self.choices.len()).unwrap_or(u32::MAX);
        self.amount.asked().clamp_to(n_choices)
    }
}

impl Choice {
    /// Makes a group: picking it means picking inside.
    pub fn group<C: Into<Choice>>(title: impl Into<Label>, choices: impl IntoIterator<Item = C>) -> Self {
        let choices = choices.into_iter().map(Into::into).collect();
        Choice { nested: Some(Options { choices, ..Options::default() }), ..Choice::from(title.into()) }
    }

    /// Gives the choice an id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<Label>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Gives the choice a detail for display.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<Value>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Forbids to pick anything beside this choice.
    #[must_use]
    pub fn exclusive(mut self) -> Self {
        self.exclusive = true;
        self
    }

    /// Sets how many picks the group asks for; a leaf stays as it is.
    #[must_use]
    pub fn with_amount(mut self, amount: Amount) -> Self {
        if let Some(nested) = &mut self.nested {
            nested.amount = amount;
        }
        self
    }
}

impl Choice {
    /// Names the choice in an answer as briefly as is unambiguous, with what is picked inside.
    pub fn picked(&self, selection: Option<Value>) -> Value {
        let title = self.title.clone().map(Value::from);
        match (title, self.id.clone(), selection) {
            (title, None, None) => title.unwrap_or_default(),
            (title, id, selection) => {
                let parts = [("title", title), ("id", id.map(Value::from)), ("selection", selection)];
                Value::object(parts.into_iter().filter_map(|(name, it)| Some((name, it?))))
            }
        }
    }
}

impl From<Label> for Choice {
    fn from(title: Label) -> Self {
        Choice { title: Some(title), ..Choice::default() }
    }
}

impl From<&str> for Choice {
    fn from(title: &str) -> Self {
        Label::from(title).into()
    }
}

impl From<String> for Choice {
    fn from(title: String) -> Self {
        Label::from(title).into()
    }
}

impl From<i64> for Choice {
    fn from(title: i64) -> Self {
        Label::from(title).into()
    }
}
