//! How selectors and responses look as a [`Value`], and so in JSON.
//!
//! The field names are part of the format: `type`, `noAuto`, `isUserResponse`, and so on. Unknown
//! fields are ignored, a null counts as absent, and a type other than `action` picks from choices.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::amount::Amount;
use crate::label::{Label, LabelRef};
use crate::limits::GROUP_DEPTH_MAX;
use crate::response::Response;
use crate::selector::{Choice, Kind, Options, Selector};
use crate::value::Value;

/// A value that is no selector, choice or response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A field is missing or has the wrong type.
    Field {
        /// The name of the field.
        name: &'static str,
        /// What belongs there.
        expected: &'static str,
    },
    /// Groups stand inside each other too deep.
    TooDeep,
}

impl Malformed {
    /// Returns the code that programs compare; it never changes.
    pub fn code(self) -> &'static str {
        match self {
            Malformed::Field { .. } => "malformed",
            Malformed::TooDeep => "too-deep",
        }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::Field { name, expected } => write!(f, "{name} must be: {expected}"),
            Malformed::TooDeep => write!(f, "too-deep: groups can nest to {GROUP_DEPTH_MAX}"),
        }
    }
}

impl core::error::Error for Malformed {}

impl Selector {
    /// Reads a selector.
    pub fn from_value(value: &Value) -> Result<Self, Malformed> {
        Ok(Selector {
            actor: text(value, "actor")?.ok_or(wrong("actor", "a text"))?,
            title: label(value, "title")?,
            options: read_options(value, 0)?,
            no_auto: flag(value, "noAuto")?,
        })
    }

    /// Writes a selector as [`Selector::from_value`] reads it.
    pub fn to_value(&self) -> Value {
        let mut fields = BTreeMap::new();
        put(&mut fields, "actor", Some(self.actor.clone()));
        put(&mut fields, "title", self.title.clone());
        put(&mut fields, "noAuto", self.no_auto.then_some(true));
        write_options(&mut fields, &self.options);
        Value::Object(fields)
    }
}

impl Choice {
    /// Reads a choice: a text, a number or an object.
    pub fn from_value(value: &Value) -> Result<Self, Malformed> {
        read_choice(value, 0)
    }

    /// Writes a choice as briefly as [`Choice::from_value`] reads it.
    pub fn to_value(&self) -> Value {
        if let Choice {
            title: Some(title),
            id: None,
            detail: None,
            exclusive: false,
            nested: None,
        } = self
        {
            return title.clone().into();
        }
        let mut fields = BTreeMap::new();
        put(&mut fields, "title", self.title.clone());
        put(&mut fields, "id", self.id.clone());
        put(&mut fields, "detail", self.detail.clone());
        put(&mut fields, "exclusive", self.exclusive.then_some(true));
        if let Some(nested) = &self.nested {
            write_options(&mut fields, nested);
        }
        Value::Object(fields)
    }
}

impl Response {
    /// Reads a response.
    pub fn from_value(value: &Value) -> Result<Self, Malformed> {
        let Value::Object(_) = value else {
            return Err(wrong("response", "an object"));
        };
        Ok(Response {
            actor: text(value, "actor")?,
            title: label(value, "title")?,
            selection: value.field("selection").cloned().unwrap_or_default(),
            // The host overwrites a client's claim, so a strange one is no reason to refuse.
            is_user_response: value.field("isUserResponse") == Some(&Value::Bool(true)),
        })
    }

    /// Writes a response as [`Response::from_value`] reads it.
    pub fn to_value(&self) -> Value {
        let mut fields = BTreeMap::new();
        put(&mut fields, "actor", self.actor.clone());
        put(&mut fields, "title", self.title.clone());
        put(&mut fields, "selection", Some(self.selection.clone()));
        put(
            &mut fields,
            "isUserResponse",
            self.is_user_response.then_some(true),
        );
        Value::Object(fields)
    }
}

fn read_options(value: &Value, depth: u32) -> Result<Options, Malformed> {
    if depth > GROUP_DEPTH_MAX {
        return Err(Malformed::TooDeep);
    }
    let choices = match value.field("choices") {
        None => Vec::new(),
        Some(list) => {
            let list = list.as_list().ok_or(wrong("choices", "a list"))?;
            list.iter()
                .map(|it| read_choice(it, depth))
                .collect::<Result<_, _>>()?
        }
    };
    let is_action = value.field("type").and_then(Value::as_label) == Some(LabelRef::Text("action"));
    let kind = if is_action {
        Kind::Action
    } else {
        Kind::Select
    };
    let amount = Amount {
        min: number(value, "min")?,
        max: number(value, "max")?,
        count: number(value, "count")?,
    };
    Ok(Options {
        kind,
        choices,
        amount,
    })
}

fn read_choice(value: &Value, depth: u32) -> Result<Choice, Malformed> {
    if let Some(title) = value.as_label() {
        return Ok(title.to_label().into());
    }
    let Value::Object(_) = value else {
        return Err(wrong("choice", "a text, a number or an object"));
    };
    // Without choices it is a leaf, whatever bounds or type it carries.
    let nested = match value.field("choices") {
        Some(_) => Some(read_options(value, depth.saturating_add(1))?),
        None => None,
    };
    Ok(Choice {
        title: label(value, "title")?,
        id: label(value, "id")?,
        detail: value.field("detail").cloned(),
        exclusive: flag(value, "exclusive")?,
        nested,
    })
}

fn write_options(fields: &mut BTreeMap<String, Value>, options: &Options) {
    let kind = match options.kind {
        Kind::Action => Some("action"),
        Kind::Select => None,
    };
    put(fields, "type", kind);
    let choices = options.choices.iter().map(Choice::to_value).collect();
    put(fields, "choices", Some(Value::List(choices)));
    put(fields, "min", options.amount.min.map(i64::from));
    put(fields, "max", options.amount.max.map(i64::from));
    put(fields, "count", options.amount.count.map(i64::from));
}

fn put(fields: &mut BTreeMap<String, Value>, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value.map(Into::into).filter(|it| *it != Value::Null) {
        fields.insert(name.into(), value);
    }
}

fn wrong(name: &'static str, expected: &'static str) -> Malformed {
    Malformed::Field { name, expected }
}

fn label(value: &Value, name: &'static str) -> Result<Option<Label>, Malformed> {
    let read = |it: &Value| it.as_label().map(LabelRef::to_label);
    value
        .field(name)
        .map(|it| read(it).ok_or(wrong(name, "a text or a number")))
        .transpose()
}

fn text(value: &Value, name: &'static str) -> Result<Option<String>, Malformed> {
    match value.field(name) {
        None => Ok(None),
        Some(Value::Text(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong(name, "a text")),
    }
}

fn flag(value: &Value, name: &'static str) -> Result<bool, Malformed> {
    match value.field(name) {
        None => Ok(false),
        Some(Value::Bool(truth)) => Ok(*truth),
        Some(_) => Err(wrong(name, "true or false")),
    }
}

fn number(value: &Value, name: &'static str) -> Result<Option<u32>, Malformed> {
    match value.field(name) {
        None => Ok(None),
        Some(Value::Integer(number)) => {
            let number = u32::try_from(*number);
            Ok(Some(number.map_err(|_| {
                wrong(name, "a whole number of at least 0")
            })?))
        }
        Some(_) => Err(wrong(name, "a whole number of at least 0")),
    }
}
