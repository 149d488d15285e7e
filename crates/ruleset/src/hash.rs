//! Content hashes of rulesets: one over the mechanics, one over everything.

use alloc::{string::String, vec::Vec};

use blake2::{Blake2b, Digest, digest::consts::U32};
use parity_scale_codec::{Compact, Encode};

use crate::term::{Entry, Term, TermKind};

/// A blake2b hash of 256 bits.
pub type Hash = [u8; 32];

/// Keys that are for people and clients; changing them changes no game.
const TEXT_KEYS: &[&str] = &[
    "$schema",
    "name",
    "version",
    "description",
    "text",
    "hint",
    "prompt",
    "ui",
    "comment",
    "doc",
    "level",
    "cue",
    "layout",
    "area",
    "show",
    "labels",
];

/// Hashes bytes.
pub fn blake2_256(bytes: &[u8]) -> Hash {
    Blake2b::<U32>::digest(bytes).into()
}

/// The hash of what decides games.
pub fn rules_hash(root: &Term) -> Hash {
    let mut out = Vec::new();
    b"snapstack/rules/1".encode_to(&mut out);
    encode(root, &mut out, &|key| TEXT_KEYS.contains(&key), 0);
    blake2_256(&out)
}

/// The hash of the whole document.
pub fn document_hash(root: &Term) -> Hash {
    let mut out = Vec::new();
    b"snapstack/document/1".encode_to(&mut out);
    encode(root, &mut out, &|key| key == "$schema", 0);
    blake2_256(&out)
}

/// Writes a term so that equal documents give equal bytes: keys sorted, places left out.
fn encode(term: &Term, out: &mut Vec<u8>, skip: &dyn Fn(&str) -> bool, depth: u8) {
    match &term.kind {
        TermKind::Null => out.push(0),
        TermKind::Bool(value) => out.extend([1, u8::from(*value)]),
        TermKind::Int(value) => {
            out.push(2);
            value.encode_to(out);
        }
        TermKind::Text(text) => {
            out.push(3);
            text.encode_to(out);
        }
        TermKind::List(items) => {
            out.push(4);
            length(items.len()).encode_to(out);
            items.iter().for_each(|it| encode(it, out, skip, depth.saturating_add(1)));
        }
        TermKind::Map(entries) => encode_map(entries, out, skip, depth),
    }
}

fn encode_map(entries: &[Entry], out: &mut Vec<u8>, skip: &dyn Fn(&str) -> bool, depth: u8) {
    let mut kept: Vec<&Entry> =
        entries.iter().filter(|it| !(skip(&it.key) || depth == 0 && it.key == "include")).collect();
    kept.sort_by(|a, b| a.key.cmp(&b.key));
    out.push(5);
    length(kept.len()).encode_to(out);
    for entry in kept {
        entry.key.encode_to(out);
        let free_keys = ["attributes", "fields", "params", "filters", "with", "cards", "limits", "endings"];
        if free_keys.contains(&entry.key.as_str()) && entry.value.is_map() {
            encode_map_of_names(entry.value.entries(), out, skip, depth.saturating_add(1));
        } else {
            encode(&entry.value, out, skip, depth.saturating_add(1));
        }
    }
}

/// Keys that authors name things with are never texts, and their order can matter: it is the order of a deck's cards.
fn encode_map_of_names(entries: &[Entry], out: &mut Vec<u8>, skip: &dyn Fn(&str) -> bool, depth: u8) {
    out.push(6);
    length(entries.len()).encode_to(out);
    for entry in entries {
        entry.key.encode_to(out);
        encode(&entry.value, out, skip, depth.saturating_add(1));
    }
}

fn length(n: usize) -> Compact<u32> {
    Compact(u32::try_from(n).unwrap_or(u32::MAX))
}

/// A hash as lower-case hexadecimal digits.
pub fn to_hex(hash: &Hash) -> String {
    let digit = |it: u8| char::from_digit(u32::from(it), 16).unwrap_or('0');
    hash.iter().flat_map(|it| [digit(it >> 4), digit(it & 15)]).collect()
}
