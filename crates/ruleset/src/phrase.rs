//! Terms in short, for people: `you.coins >= card.cost` instead of an object with an operation and two operands.

use alloc::string::String;
use core::fmt::{self, Write};

use crate::term::{Entry, Term, TermKind};

/// A phrase longer than this is cut: it is there to be recognized, not to be read back.
const LENGTH_MAX: usize = 160;

/// What a term says, in short.
pub fn phrase(term: &Term) -> String {
    let mut out = Phrase(String::new());
    // Writing fails only where there is no more room.
    match out.term(term) {
        Ok(()) => out.0,
        Err(fmt::Error) => out.0 + "...",
    }
}

/// Text that takes no more than there is room for.
struct Phrase(String);

impl Write for Phrase {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len().saturating_add(text.len()) > LENGTH_MAX {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// The sign of an operation on `a` and `b`.
fn sign(op: &str) -> Option<&'static str> {
    Some(match op {
        "eq" => " = ",
        "ne" => " != ",
        "lt" => " < ",
        "le" => " <= ",
        "gt" => " > ",
        "ge" => " >= ",
        "sub" => " - ",
        "div" => " / ",
        "mod" => " % ",
        _ => return None,
    })
}

impl Phrase {
    fn term(&mut self, term: &Term) -> fmt::Result {
        match &term.kind {
            TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) => write!(self, "{term}"),
            TermKind::Text(word) => self.write_str(word),
            TermKind::List(items) => {
                self.write_str("[")?;
                self.joined(items, ", ")?;
                self.write_str("]")
            }
            TermKind::Map(_) => self.object(term),
        }
    }

    fn object(&mut self, term: &Term) -> fmt::Result {
        if let Some(path) = term.text_at("ref") {
            return self.write_str(path);
        }
        if let Some(op) = term.text_at("op") {
            return self.operation(term, op);
        }
        self.write_str("{")?;
        self.params(term)?;
        self.write_str("}")
    }

    fn operation(&mut self, term: &Term, op: &str) -> fmt::Result {
        if let (Some(sign), Some(a), Some(b)) = (sign(op), term.get("a"), term.get("b")) {
            self.operand(a)?;
            self.write_str(sign)?;
            return self.operand(b);
        }
        let of = term.get("of").map_or(&[][..], Term::one_or_many);
        match op {
            "and" => self.joined(of, " and "),
            "or" => self.joined(of, " or "),
            "add" => self.joined(of, " + "),
            "mul" => self.joined(of, " * "),
            "not" => {
                self.write_str("not ")?;
                self.joined(of, " and ")
            }
            _ if term.entries().len() <= 1 => self.write_str(op),
            _ => {
                write!(self, "{op}(")?;
                self.params(term)?;
                self.write_str(")")
            }
        }
    }

    fn joined(&mut self, items: &[Term], between: &str) -> fmt::Result {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.write_str(between)?;
            }
            self.operand(item)?;
        }
        Ok(())
    }

    /// A term within another: in brackets where it would run together with it.
    fn operand(&mut self, term: &Term) -> fmt::Result {
        let op = term.text_at("op").unwrap_or_default();
        if sign(op).is_none() && !matches!(op, "and" | "or" | "add" | "mul") {
            return self.term(term);
        }
        self.write_str("(")?;
        self.term(term)?;
        self.write_str(")")
    }

    fn params(&mut self, term: &Term) -> fmt::Result {
        let entries = term.entries().iter().filter(|it| !matches!(&*it.key, "op" | "comment"));
        for (i, Entry { key, value, .. }) in entries.enumerate() {
            write!(self, "{}{key}: ", if i == 0 { "" } else { ", " })?;
            self.term(value)?;
        }
        Ok(())
    }
}
