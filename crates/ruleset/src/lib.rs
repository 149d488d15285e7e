//! Rulesets: the language card games are written in, checked and lowered to a compact program.
//!
//! A [`RawRuleset`] is a linked document as it was decoded; [`Ruleset::check`] either gives a [`Ruleset`],
//! which is known to be sound and is identified by its hashes, or every [`Violation`] it found.
//! This crate reads no JSON and knows no files: the compiler does that.
//!
//! ```
//! use ruleset::{RawRuleset, Ruleset, Term, term::Place};
//!
//! let nothing = RawRuleset::new(Term::empty(Place(0)));
//! let violations = Ruleset::check(nothing).unwrap_err();
//! assert_eq!(violations[0].code.as_str(), "ruleset/unplayable");
//! ```

#![no_std]
#![deny(clippy::wildcard_enum_match_arm)]

extern crate alloc;

mod assemble;
mod aura;
pub mod clause;
pub mod grammar;
pub mod hash;
pub mod ids;
pub mod instr;
mod invariant;
pub mod limits;
pub mod lint;
mod lower;
mod names;
pub mod op;
mod payable;
pub mod phrase;
pub mod place;
pub mod program;
pub mod reads;
mod rows;
mod select;
mod shape;
pub mod sort;
pub mod stakes;
pub mod term;
pub mod text;
pub mod violation;

use alloc::vec::Vec;

pub use assemble::Passes;
pub use hash::Hash;
pub use ids::{
    AbilityId, ActionId, AskId, AttrId, CodePtr, DefId, EventTypeId, KeywordId, PhaseId, RuleId, SelectId, StepId,
    TimerId, TypeId, ZoneId,
};
pub use names::{camel, pascal, snake};
pub use program::Program;
pub use term::Term;
pub use violation::{Code, Violation};

/// "Nothing", where a value is expected: no card, no player, no answer.
pub const NULL: i64 = i64::MIN;

/// A ruleset as it was decoded and linked, not yet checked.
#[derive(Clone, Debug)]
pub struct RawRuleset {
    root: Term,
}

impl RawRuleset {
    /// Takes a linked document.
    pub fn new(root: Term) -> Self {
        Self { root }
    }

    /// The document.
    pub fn root(&self) -> &Term {
        &self.root
    }
}

/// A ruleset that passed every check.
#[derive(Clone, Debug)]
pub struct Ruleset {
    program: Program,
    rules_hash: Hash,
    document_hash: Hash,
}

impl Ruleset {
    /// Checks a ruleset, and lowers it if nothing is wrong with it.
    pub fn check(raw: RawRuleset) -> Result<Self, Vec<Violation>> {
        let mut root = raw.root;
        shape::respell(&mut root, &grammar::RULESET);
        let program = lower::lower(&root)?;
        let rules_hash = hash::rules_hash(&root);
        let document_hash = hash::document_hash(&root);
        Ok(Self { program, rules_hash, document_hash })
    }

    /// The same rules, made ready to be run by other passes.
    #[must_use]
    pub fn with_passes(&self, passes: Passes) -> Self {
        let mut other = self.clone();
        other.program.assemble(passes);
        other
    }

    /// What the engine plays.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Identifies the mechanics; matches and replays pin this one.
    pub fn rules_hash(&self) -> Hash {
        self.rules_hash
    }

    /// Identifies the whole document, with every text in it.
    pub fn document_hash(&self) -> Hash {
        self.document_hash
    }
}
