//! JSON in the one form of RFC 8785, and SHA-256 over it.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// JSON as RFC 8785 writes it: keys by their UTF-16 code units, no blanks, the shortest escapes. Numbers are whole.
pub fn write(value: &Value) -> String {
    let mut out = String::new();
    append(value, &mut out);
    out
}

fn append(value: &Value, out: &mut String) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&value.to_string()),
        Value::String(text) => append_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (at, it) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                append(it, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by(|a, b| a.0.encode_utf16().cmp(b.0.encode_utf16()));
            out.push('{');
            for (at, (key, it)) in sorted.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                append_text(key, out);
                out.push(':');
                append(it, out);
            }
            out.push('}');
        }
    }
}

fn append_text(text: &str, out: &mut String) {
    // serde_json escapes what RFC 8785 escapes, in the same way.
    out.push_str(&Value::String(text.to_owned()).to_string());
}

/// The hash of bytes, as it is written: `sha256:<hex>`.
pub fn hash_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(71);
    out.push_str("sha256:");
    for it in Sha256::digest(bytes) {
        out.push(char::from_digit(u32::from(it >> 4), 16).unwrap_or('0'));
        out.push(char::from_digit(u32::from(it & 15), 16).unwrap_or('0'));
    }
    out
}

/// The hash of JSON.
pub fn hash(value: &Value) -> String {
    hash_bytes(write(value).as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_go_by_their_utf16_code_units() {
        let value = json!({ "\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6, "\u{f6}": 7 });
        assert_eq!(
            write(&value),
            "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}"
        );
    }

    #[test]
    fn the_hash_of_an_empty_object_is_known() {
        let hash = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
        assert_eq!(super::hash(&json!({})), hash);
    }
}
