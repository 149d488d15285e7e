//! Keeps, beside the code, what it was lowered from.

use alloc::{string::String, vec::Vec};

use super::Lower;
use crate::{
    clause::{Clause, Role},
    ids::CodePtr,
    phrase::phrase,
    sort::Type,
    term::{Term, TermKind},
};

/// The most clauses that are kept; definitions that multiply each other end here.
const CLAUSES_MAX: usize = 1 << 16;

impl<'a> Lower<'a> {
    /// Lowers a term that may be worth telling of.
    pub(super) fn value(&mut self, term: &Term, want: Type) {
        self.nested(term.place, |it| {
            if it.keeps_clauses() && it.is_told(term, want) {
                it.clause(phrase(term), it.role_of(term), want, |it| it.value_code(term, want));
            } else {
                it.value_code(term, want);
            }
        });
    }

    /// Whether a term says something that is not plain from its words: literals and names do not.
    fn is_told(&self, term: &Term, want: Type) -> bool {
        match &term.kind {
            TermKind::Map(_) | TermKind::Bool(_) => true,
            TermKind::Text(word) => super::params::space_of(want.sort).is_none() || self.scope.find(word).is_some(),
            TermKind::Null | TermKind::Int(_) | TermKind::List(_) => false,
        }
    }

    fn role_of(&self, term: &Term) -> Role {
        match term.text_at("op") {
            Some("and") => Role::All,
            Some("or") => Role::Any,
            Some("not") => Role::Not,
            Some(op) if self.defines.contains_key(op) => Role::Use,
            Some(_) | None => Role::Plain,
        }
    }

    /// Lowers conditions of which all must hold, told one by one.
    pub(super) fn all(&mut self, text: String, body: impl FnOnce(&mut Self)) {
        self.clause(text, Role::All, Type::BOOL, body);
    }

    fn keeps_clauses(&self) -> bool {
        !self.in_effects() && self.n_clauses < CLAUSES_MAX
    }

    /// Lowers something and keeps what it says. Effects are not asked for reasons, so nothing of them is kept.
    pub(super) fn clause(&mut self, text: String, role: Role, ty: Type, body: impl FnOnce(&mut Self)) {
        if !self.keeps_clauses() {
            return body(self);
        }
        self.n_clauses = self.n_clauses.saturating_add(1);
        let (start, n_before) = (self.here(), self.clauses.len());
        body(self);
        let parts = self.clauses.split_off(n_before.min(self.clauses.len()));
        let end = self.here();
        self.clauses.push(Clause { text, role, ty, start, end, parts });
    }

    /// Lowers pure code that stands on its own.
    pub(super) fn pure(&mut self, body: impl FnOnce(&mut Self)) -> CodePtr {
        if !self.can_nest_pure() {
            return CodePtr::NONE;
        }
        self.scope.pure_depth = self.scope.pure_depth.saturating_add(1);
        let outer = core::mem::take(&mut self.clauses);
        let code = self.chunk(crate::instr::Instr::Return, body);
        let parts: Vec<Clause> = core::mem::replace(&mut self.clauses, outer);
        self.scope.pure_depth = self.scope.pure_depth.saturating_sub(1);
        // Of too many, some parts would be missing, and a whole with missing parts says what is not so.
        if !parts.is_empty() && self.n_clauses < CLAUSES_MAX {
            let end = CodePtr::at(self.program.code.len().saturating_sub(1));
            let mut whole =
                Clause { text: String::new(), role: Role::Plain, ty: Type::BOOL, start: CodePtr(0), end, parts };
            whole.shift(code.index());
            whole.end = end;
            self.program.clauses.add(whole);
        }
        code
    }
}
