//! Why an answer is refused: a value with a stable code, a path and a text.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::label::{Decimal, Label};
use crate::limits::QUOTE_CHARS_MAX;
use crate::value::Value;

/// The first reason for which an answer is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The answer is for a question with another title.
    Title {
        /// The title of the question.
        expected: Option<Label>,
        /// The title of the answer.
        got: Option<Label>,
    },
    /// An item is not on offer, or every choice it could mean is used by the items before it.
    NotInChoices {
        /// The place of the item in its selection.
        index: u32,
        /// The item's title, shortened if it is long.
        item: String,
        /// Why the group of this name does not accept the item.
        inner: Option<Box<Refusal>>,
    },
    /// An exclusive choice is picked together with another one.
    Exclusive {
        /// The place of the first item that only an exclusive choice can explain.
        index: u32,
    },
    /// There are too few or too many items.
    Count {
        /// The least number of items.
        min: u32,
        /// The greatest number of items.
        max: u32,
        /// How many there are; none if no list was given at all.
        got: Option<u32>,
    },
    /// A freeform answer holds a number with a fraction.
    Fraction,
    /// A freeform answer holds a whole number beyond 64 bits.
    IntegerRange,
    /// The answer, or what it answers, is nested too deep.
    TooDeep,
    /// The answer is too large, or comparing it would take too long.
    TooLarge,
}

impl Refusal {
    pub(crate) fn not_in_choices(index: u32, item: &Value, inner: Option<Refusal>) -> Self {
        Refusal::NotInChoices {
            index,
            item: quote(item),
            inner: inner.map(Box::new),
        }
    }

    pub(crate) fn of_decimal(decimal: &Decimal) -> Self {
        if decimal.is_fraction() {
            Refusal::Fraction
        } else {
            Refusal::IntegerRange
        }
    }

    /// Returns the code that programs compare; it never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::Title { .. } => "title",
            Refusal::NotInChoices { .. } => "not-in-choices",
            Refusal::Exclusive { .. } => "exclusive",
            Refusal::Count { .. } => "count",
            Refusal::Fraction => "fraction",
            Refusal::IntegerRange => "integer-range",
            Refusal::TooDeep => "too-deep",
            Refusal::TooLarge => "too-large",
        }
    }

    /// Returns the reason inside the group that refused, if a group refused.
    pub fn inner(&self) -> Option<&Refusal> {
        match self {
            Refusal::NotInChoices { inner, .. } => inner.as_deref(),
            Refusal::Title { .. }
            | Refusal::Exclusive { .. }
            | Refusal::Count { .. }
            | Refusal::Fraction
            | Refusal::IntegerRange
            | Refusal::TooDeep
            | Refusal::TooLarge => None,
        }
    }

    /// Returns the reason in the innermost group that refused.
    pub fn innermost(&self) -> &Refusal {
        self.chain().last().unwrap_or(self)
    }

    /// Returns the place of the offending item: one index per level of nesting.
    ///
    /// A reason that concerns a whole selection, such as its count, adds no index.
    pub fn path(&self) -> Vec<u32> {
        self.chain().filter_map(Refusal::index).collect()
    }

    fn chain(&self) -> impl Iterator<Item = &Refusal> {
        core::iter::successors(Some(self), |it| it.inner())
    }

    fn index(&self) -> Option<u32> {
        match self {
            Refusal::NotInChoices { index, .. } | Refusal::Exclusive { index } => Some(*index),
            Refusal::Title { .. }
            | Refusal::Count { .. }
            | Refusal::Fraction
            | Refusal::IntegerRange
            | Refusal::TooDeep
            | Refusal::TooLarge => None,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Title { expected, got } => {
                write!(
                    f,
                    "Title didn't match: expected {}, got {}",
                    name(expected),
                    name(got)
                )
            }
            Refusal::NotInChoices { item, .. } => {
                write!(f, "Selection {item} didn't exist in the choices")
            }
            Refusal::Exclusive { .. } => f.write_str("Exclusive choice mixed with other choices"),
            Refusal::Count { min, max, got } => {
                let got = got.map_or("none".into(), |it| it.to_string());
                write!(
                    f,
                    "Invalid number of options selected: expected {min}-{max}, got {got}"
                )
            }
            Refusal::Fraction => f.write_str("Fractions aren't allowed in an answer"),
            Refusal::IntegerRange => f.write_str("A number didn't fit into 64 bits"),
            Refusal::TooDeep => f.write_str("Answer nested too deep"),
            Refusal::TooLarge => f.write_str("Answer too large"),
        }
    }
}

impl core::error::Error for Refusal {}

fn name(title: &Option<Label>) -> String {
    title.as_ref().map_or("none".into(), quote)
}

/// Repeats a client's text, but no more of it than a message can bear.
fn quote(text: &impl ToString) -> String {
    let text = text.to_string();
    match text.char_indices().nth(QUOTE_CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
