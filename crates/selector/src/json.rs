//! Selectors, choices, responses and values in serde's formats.
//!
//! Everything is read as a [`Value`] first, so the depth is bounded in one place, whatever format
//! and decoder the bytes came through.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::label::Decimal;
use crate::limits::DOCUMENT_DEPTH_MAX;
use crate::response::Response;
use crate::selector::{Choice, Selector};
use crate::value::Value;

macro_rules! through_value {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_value().serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = Value::deserialize(deserializer)?;
                <$type>::from_value(&value).map_err(D::Error::custom)
            }
        }
    };
}

through_value!(Selector);
through_value!(Choice);
through_value!(Response);

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(truth) => serializer.serialize_bool(*truth),
            Value::Integer(number) => serializer.serialize_i64(*number),
            Value::Text(text) => serializer.serialize_str(text),
            Value::List(list) => serializer.collect_seq(list),
            Value::Object(fields) => serializer.collect_map(fields),
            Value::Decimal(decimal) => {
                let number: f64 = decimal
                    .as_str()
                    .parse()
                    .map_err(serde::ser::Error::custom)?;
                serializer.serialize_f64(number)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Below { depth: 0 }.deserialize(deserializer)
    }
}

/// Reads a value that stands inside this many lists and objects.
#[derive(Clone, Copy)]
struct Below {
    depth: u32,
}

impl Below {
    fn one_deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth >= DOCUMENT_DEPTH_MAX {
            return Err(E::custom("too-deep: lists and objects nested too deep"));
        }
        Ok(Below {
            depth: self.depth.saturating_add(1),
        })
    }
}

impl<'de> DeserializeSeed<'de> for Below {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Below {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, a boolean, a number, a text, a list or an object")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Integer(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number_from_shortest(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number_from_shortest(format!("{number}")))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.into()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let below = self.one_deeper()?;
        let mut list = Vec::new();
        while let Some(value) = access.next_element_seed(below)? {
            list.push(value);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let below = self.one_deeper()?;
        let mut fields = BTreeMap::new();
        while let Some(name) = access.next_key::<String>()? {
            fields.insert(name, access.next_value_seed(below)?);
        }
        Ok(Value::Object(fields))
    }
}

/// Numbers compare by value: `1.0` is the integer 1, and no arithmetic decides that, only the
/// number's shortest text.
fn number_from_shortest(text: String) -> Value {
    match text.parse() {
        Ok(integer) => Value::Integer(integer),
        Err(_) => Value::Decimal(Decimal::from_shortest(text)),
    }
}
