//! What choices are compared by: a text or a number, the same for titles and ids.
//!
//! Texts compare to the letter, numbers by value, and a text never equals a number.

use alloc::string::String;
use core::fmt;

/// A title or an id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// A whole number.
    Integer(i64),
    /// A text; case and white space count.
    Text(String),
    /// A number that is no whole 64-bit number; an author's error that still compares by value.
    Decimal(Decimal),
}

/// A borrowed [`Label`], so that an answer is compared without being copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelRef<'a> {
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(&'a str),
    /// A number that is no whole 64-bit number.
    Decimal(&'a str),
}

/// A number that is no whole 64-bit number, as its shortest decimal text.
///
/// It exists so that a fraction can be named and refused instead of being rounded. Decoding is the
/// only source of one, so that equal numbers always have equal texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(String);

impl Label {
    /// Borrows the label.
    pub fn as_ref(&self) -> LabelRef<'_> {
        match self {
            Label::Integer(number) => LabelRef::Integer(*number),
            Label::Text(text) => LabelRef::Text(text),
            Label::Decimal(decimal) => LabelRef::Decimal(decimal.as_str()),
        }
    }
}

impl LabelRef<'_> {
    /// Copies what was borrowed.
    pub fn to_label(self) -> Label {
        match self {
            LabelRef::Integer(number) => Label::Integer(number),
            LabelRef::Text(text) => Label::Text(text.into()),
            LabelRef::Decimal(text) => Label::Decimal(Decimal(text.into())),
        }
    }
}

impl Decimal {
    /// Returns the shortest decimal text of the number.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Says whether the number has a fraction; otherwise it is whole but too large.
    pub fn is_fraction(&self) -> bool {
        self.0.contains('.')
    }

    #[cfg(feature = "serde")]
    pub(crate) fn from_shortest(text: String) -> Self {
        Decimal(text)
    }
}

impl From<&str> for Label {
    fn from(text: &str) -> Self {
        Label::Text(text.into())
    }
}

impl From<String> for Label {
    fn from(text: String) -> Self {
        Label::Text(text)
    }
}

impl From<i64> for Label {
    fn from(number: i64) -> Self {
        Label::Integer(number)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}

impl fmt::Display for LabelRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabelRef::Integer(number) => number.fmt(f),
            LabelRef::Text(text) | LabelRef::Decimal(text) => text.fmt(f),
        }
    }
}
