//! What an answer is made of: a small, bounded relative of JSON without fractions.
//!
//! Objects are ordered by name, so that equal values are equal in every encoding.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::label::{Decimal, Label, LabelRef};
use crate::limits::{VALUE_DEPTH_MAX, VALUE_NODES_MAX};
use crate::refusal::Refusal;

/// One item of an answer, or a whole freeform answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Value {
    /// Nothing.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A number that is no whole 64-bit number: kept to be refused by name.
    Decimal(Decimal),
    /// A text.
    Text(String),
    /// Values in an order that counts.
    List(Vec<Value>),
    /// Named values, ordered by name.
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// Builds the answer to a group: its title and what is picked inside.
    pub fn nested<V: Into<Value>>(
        title: impl Into<Label>,
        selection: impl IntoIterator<Item = V>,
    ) -> Value {
        let selection = Value::List(selection.into_iter().map(Into::into).collect());
        Value::object([("title", title.into().into()), ("selection", selection)])
    }

    /// Builds the answer to a choice that is known by its id.
    pub fn titled(title: impl Into<Label>, id: impl Into<Label>) -> Value {
        Value::object([("title", title.into().into()), ("id", id.into().into())])
    }

    /// Builds an object.
    pub fn object<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>) -> Value {
        Value::Object(
            fields
                .into_iter()
                .map(|(name, value)| (name.into(), value))
                .collect(),
        )
    }

    /// Returns the text or number that this value is.
    pub fn as_label(&self) -> Option<LabelRef<'_>> {
        match self {
            Value::Integer(number) => Some(LabelRef::Integer(*number)),
            Value::Text(text) => Some(LabelRef::Text(text)),
            Value::Decimal(decimal) => Some(LabelRef::Decimal(decimal.as_str())),
            Value::Null | Value::Bool(_) | Value::List(_) | Value::Object(_) => None,
        }
    }

    /// Returns the elements if this is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(list) = self {
            Some(list)
        } else {
            None
        }
    }

    /// Returns a field if this is an object that has it; a null counts as absent.
    pub fn field(&self, name: &str) -> Option<&Value> {
        let Value::Object(fields) = self else {
            return None;
        };
        fields.get(name).filter(|it| **it != Value::Null)
    }

    /// Refuses fractions, numbers beyond 64 bits, and values too deep or too large.
    pub fn check_freeform(&self) -> Result<(), Refusal> {
        let mut n_nodes = 0;
        self.check_below(0, &mut n_nodes)
    }

    fn check_below(&self, depth: u32, n_nodes: &mut u32) -> Result<(), Refusal> {
        *n_nodes = n_nodes.saturating_add(1);
        if *n_nodes > VALUE_NODES_MAX {
            return Err(Refusal::TooLarge);
        }
        match self {
            Value::Null | Value::Bool(_) | Value::Integer(_) | Value::Text(_) => Ok(()),
            Value::Decimal(decimal) => Err(Refusal::of_decimal(decimal)),
            Value::List(list) => check_inside(list.iter(), depth, n_nodes),
            Value::Object(fields) => check_inside(fields.values(), depth, n_nodes),
        }
    }
}

fn check_inside<'a>(
    mut values: impl Iterator<Item = &'a Value>,
    depth: u32,
    n_nodes: &mut u32,
) -> Result<(), Refusal> {
    let depth = depth.saturating_add(1);
    if depth > VALUE_DEPTH_MAX {
        return Err(Refusal::TooDeep);
    }
    values.try_for_each(|it| it.check_below(depth, n_nodes))
}

impl From<Label> for Value {
    fn from(label: Label) -> Self {
        match label {
            Label::Integer(number) => Value::Integer(number),
            Label::Text(text) => Value::Text(text),
            Label::Decimal(decimal) => Value::Decimal(decimal),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Value::Integer(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Value::Bool(truth)
    }
}

/// Names the value for a message; what has no title or id is named by its type.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = self.as_label() {
            return label.fmt(f);
        }
        let name = self
            .field("title")
            .or_else(|| self.field("id"))
            .and_then(Value::as_label);
        match (self, name) {
            (_, Some(name)) => name.fmt(f),
            (Value::Bool(truth), None) => truth.fmt(f),
            (Value::List(_), None) => f.write_str("[list]"),
            (Value::Object(_), None) => f.write_str("[object]"),
            (Value::Null | Value::Integer(_) | Value::Decimal(_) | Value::Text(_), None) => {
                f.write_str("null")
            }
        }
    }
}
