//! What is printed on a card: it lies behind the handle, so that who may not see it does not.

use alloc::collections::BTreeMap;
use alloc::string::String;

use parity_scale_codec::{Decode, Encode};

/// The two sides of a card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Face {
    /// What the card is called.
    pub name: String,
    /// What everybody sees of it while it is hidden; cards with one back can be taken for each other.
    pub back: String,
    /// Numbers printed on it.
    pub values: BTreeMap<String, i64>,
}

impl Face {
    /// A card of this name.
    pub fn new(name: impl Into<String>) -> Self {
        Face { name: name.into(), ..Face::default() }
    }

    /// Prints a number on it.
    #[must_use]
    pub fn with(mut self, name: &str, value: i64) -> Self {
        self.values.insert(name.into(), value);
        self
    }

    /// Gives it another back.
    #[must_use]
    pub fn back(mut self, back: impl Into<String>) -> Self {
        self.back = back.into();
        self
    }
}
