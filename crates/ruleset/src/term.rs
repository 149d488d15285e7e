//! The tree an authored ruleset is read into: JSON without fractions, each node with its place.
//! Owns no meaning: what a term says is decided by `grammar` and `lower`.

use alloc::{string::String, vec::Vec};
use core::fmt;

/// Where a term was written; the reader of the source keeps file, line and column for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(pub u32);

/// One node of a ruleset document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub place: Place,
    pub kind: TermKind,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Term>),
    /// An object, its entries in the order they were written.
    Map(Vec<Entry>),
}

/// One key of an object with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: String,
    pub place: Place,
    pub value: Term,
}

impl Term {
    /// A term that stands at a place.
    pub fn new(place: Place, kind: TermKind) -> Self {
        Self { place, kind }
    }

    /// An object without entries.
    pub fn empty(place: Place) -> Self {
        Self::new(place, TermKind::Map(Vec::new()))
    }

    /// A list without items, to stand where something is missing that was reported already.
    pub fn nothing(place: Place) -> Self {
        Self::new(place, TermKind::List(Vec::new()))
    }

    /// The value under a key, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Term> {
        self.entries().iter().find(|it| it.key == key).map(|it| &it.value)
    }

    /// The entries of an object; none for anything else.
    pub fn entries(&self) -> &[Entry] {
        match &self.kind {
            TermKind::Map(entries) => entries,
            TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) | TermKind::Text(_) | TermKind::List(_) => &[],
        }
    }

    /// The items of a list; none for anything else.
    pub fn items(&self) -> &[Term] {
        match &self.kind {
            TermKind::List(items) => items,
            TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) | TermKind::Text(_) | TermKind::Map(_) => &[],
        }
    }

    /// The items of a list, or the term itself where a list of one may be written without brackets.
    pub fn one_or_many(&self) -> &[Term] {
        match &self.kind {
            TermKind::List(items) => items,
            TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) | TermKind::Text(_) | TermKind::Map(_) => {
                core::slice::from_ref(self)
            }
        }
    }

    /// The text, if this is one.
    pub fn text(&self) -> Option<&str> {
        if let TermKind::Text(text) = &self.kind { Some(text) } else { None }
    }

    /// The number, if this is one.
    pub fn int(&self) -> Option<i64> {
        if let TermKind::Int(value) = self.kind { Some(value) } else { None }
    }

    /// The truth value, if this is one.
    pub fn bool(&self) -> Option<bool> {
        if let TermKind::Bool(value) = self.kind { Some(value) } else { None }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        self.kind == TermKind::Null
    }

    /// Whether this is an object.
    pub fn is_map(&self) -> bool {
        matches!(self.kind, TermKind::Map(_))
    }

    /// The text under a key.
    pub fn text_at(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Term::text)
    }

    /// The number under a key.
    pub fn int_at(&self, key: &str) -> Option<i64> {
        self.get(key).and_then(Term::int)
    }

    /// The truth value under a key, false where it is absent.
    pub fn flag(&self, key: &str) -> bool {
        self.get(key).and_then(Term::bool).unwrap_or(false)
    }

    /// The items of the list under a key.
    pub fn list_at(&self, key: &str) -> &[Term] {
        self.get(key).map_or(&[], Term::items)
    }

    /// What the node is, in a word for messages.
    pub fn noun(&self) -> &'static str {
        match self.kind {
            TermKind::Null => "null",
            TermKind::Bool(_) => "a truth value",
            TermKind::Int(_) => "a number",
            TermKind::Text(_) => "a text",
            TermKind::List(_) => "a list",
            TermKind::Map(_) => "an object",
        }
    }
}

/// As it was written, without the spaces.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TermKind::Null => f.write_str("null"),
            TermKind::Bool(value) => write!(f, "{value}"),
            TermKind::Int(value) => write!(f, "{value}"),
            TermKind::Text(text) => quote(f, text),
            TermKind::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            TermKind::Map(entries) => {
                f.write_str("{")?;
                for (i, entry) in entries.iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { "," })?;
                    quote(f, &entry.key)?;
                    write!(f, ":{}", entry.value)?;
                }
                f.write_str("}")
            }
        }
    }
}

/// A text in quotation marks, as JSON writes it.
fn quote(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            it if it.is_control() => write!(f, "\\u{:04x}", u32::from(it))?,
            it => write!(f, "{it}")?,
        }
    }
    f.write_str("\"")
}
