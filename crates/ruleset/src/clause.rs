//! What conditions are made of, as they were written: for each piece of pure code the parts it was lowered from, so that
//! somebody can be told which of them holds. Cold: the engine never looks at it to decide anything.

use alloc::{string::String, vec::Vec};

use crate::{ids::CodePtr, sort::Type};

/// How the parts of a clause come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Every part must hold.
    All,
    /// One part must hold.
    Any,
    /// Its part must not hold.
    Not,
    /// A definition by its name: its arguments, then its body.
    Use,
    /// A condition or value that stands for itself; its parts are what it looks at.
    Plain,
}

/// A condition or value, and the code it was lowered to.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What it says, in short.
    pub text: String,
    pub role: Role,
    /// The type of what it leaves on the stack.
    pub ty: Type,
    /// Its code: from here up to, but not including, `end`.
    pub start: CodePtr,
    pub end: CodePtr,
    pub parts: Vec<Clause>,
}

impl Clause {
    /// Moves it to where its code has come to lie.
    pub(crate) fn shift(&mut self, by: usize) {
        for it in [&mut self.start, &mut self.end] {
            *it = CodePtr::at(it.index().saturating_add(by));
        }
        self.parts.iter_mut().for_each(|it| it.shift(by));
    }
}

/// The clauses of all pieces of pure code, by where these begin.
#[derive(Clone, Debug, Default)]
pub struct Clauses(Vec<Clause>);

impl Clauses {
    /// Adds the clause of a piece of code; pieces come in the order in which they lie.
    pub(crate) fn add(&mut self, clause: Clause) {
        let at = self.0.partition_point(|it| it.start < clause.start);
        self.0.insert(at, clause);
    }

    /// What a piece of code was lowered from.
    pub fn of(&self, code: CodePtr) -> Option<&Clause> {
        let at = self.0.binary_search_by(|it| it.start.cmp(&code)).ok()?;
        self.0.get(at)
    }
}
