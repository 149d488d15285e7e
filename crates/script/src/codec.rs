//! Values as canonical bytes: a tag, then what it says. Numbers with a fraction never get here: answers with one are
//! refused.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use blake2::{Blake2b, Digest, digest::consts::U32};
use parity_scale_codec::{Decode, Encode, Error, Input, Output};
use selector::Value;

use crate::limits::VALUE_DEPTH_MAX;

/// A blake2b hash of 256 bits.
pub type Hash = [u8; 32];

/// Hashes what is encoded.
pub fn hash_of(what: &impl Encode) -> Hash {
    Blake2b::<U32>::digest(what.encode()).into()
}

/// A value that is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed(pub Value);

impl Encode for Packed {
    fn encode_to<T: Output + ?Sized>(&self, out: &mut T) {
        write(&self.0, out);
    }
}

impl Decode for Packed {
    fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
        read(input, 0).map(Packed)
    }
}

fn write<T: Output + ?Sized>(value: &Value, out: &mut T) {
    match value {
        Value::Null => out.push_byte(0),
        Value::Bool(truth) => (1_u8, truth).encode_to(out),
        Value::Integer(number) => (2_u8, number).encode_to(out),
        Value::Text(text) => (3_u8, text).encode_to(out),
        Value::List(items) => {
            (4_u8, length(items.len())).encode_to(out);
            items.iter().for_each(|it| write(it, out));
        }
        Value::Object(fields) => {
            (5_u8, length(fields.len())).encode_to(out);
            for (name, field) in fields {
                name.encode_to(out);
                write(field, out);
            }
        }
        Value::Decimal(decimal) => (3_u8, decimal.as_str().to_string()).encode_to(out),
    }
}

fn length(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn read<I: Input>(input: &mut I, depth: u32) -> Result<Value, Error> {
    if depth > VALUE_DEPTH_MAX {
        return Err("too deep".into());
    }
    let below = depth.saturating_add(1);
    Ok(match u8::decode(input)? {
        0 => Value::Null,
        1 => Value::Bool(bool::decode(input)?),
        2 => Value::Integer(i64::decode(input)?),
        3 => Value::Text(String::decode(input)?),
        4 => {
            let mut items = Vec::new();
            for _ in 0..u32::decode(input)? {
                items.push(read(input, below)?);
            }
            Value::List(items)
        }
        5 => {
            let mut fields = BTreeMap::new();
            for _ in 0..u32::decode(input)? {
                fields.insert(String::decode(input)?, read(input, below)?);
            }
            Value::Object(fields)
        }
        _ => return Err("no such kind of value".into()),
    })
}
