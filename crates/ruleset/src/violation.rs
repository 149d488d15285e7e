//! What an author did wrong, as data. Owns the codes; positions and suggestions' wording belong to the compiler.

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::term::Place;

/// One mistake in a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub place: Place,
    pub code: Code,
    pub message: String,
    /// What was written, where a near miss can be suggested.
    pub found: Option<String>,
    /// What could have been written instead.
    pub options: Vec<String>,
    /// What to do about it, where that is more than another word.
    pub advice: Option<&'static str>,
}

/// The stable code of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Code {
    /// A key that this object does not have.
    UnknownKey,
    /// A key that must be there and is not.
    MissingKey,
    /// Something of another kind than this place takes.
    WrongType,
    /// A word that is not one of those this place takes.
    UnknownWord,
    /// A number outside the range of its place.
    OutOfRange,
    /// An operation nobody declared.
    UnknownOp,
    /// An operation used where its class does not belong.
    MisplacedOp,
    /// A name nobody declared.
    UnknownName,
    /// Two things of one name in one document.
    DuplicateName,
    /// A name that the engine keeps for itself.
    ReservedName,
    /// A variable that is not in scope.
    UnknownVariable,
    /// Definitions that use each other in a circle.
    RecursiveDefinition,
    /// A rule that prevents although it says it cannot.
    CannotPrevent,
    /// An operation of before-reactions used elsewhere.
    NotABeforeReaction,
    /// More of something than a ruleset can have.
    TooLarge,
    /// Something nested deeper than anything may be.
    TooDeep,
    /// A game nobody could play: no step, no player, no end.
    Unplayable,
    /// Effects that never finish announcing, such as a question inside costs.
    NotAllowedHere,
    /// A pot that would go nowhere, or to nobody.
    UnsettledPot,
    /// Several things where one is taken.
    ManyForOne,
    /// A key that does nothing beside the others that are there, or without one that is not.
    IdleKey,
    /// The one opponent, in a game that may have several.
    WhichOpponent,
}

impl Code {
    /// The code as it is written in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownKey => "ruleset/unknown_key",
            Self::MissingKey => "ruleset/missing_key",
            Self::WrongType => "ruleset/wrong_type",
            Self::UnknownWord => "ruleset/unknown_word",
            Self::OutOfRange => "ruleset/out_of_range",
            Self::UnknownOp => "ruleset/unknown_op",
            Self::MisplacedOp => "ruleset/misplaced_op",
            Self::UnknownName => "ruleset/unknown_name",
            Self::DuplicateName => "ruleset/duplicate_name",
            Self::ReservedName => "ruleset/reserved_name",
            Self::UnknownVariable => "ruleset/unknown_variable",
            Self::RecursiveDefinition => "ruleset/recursive_definition",
            Self::CannotPrevent => "ruleset/cannot_prevent",
            Self::NotABeforeReaction => "ruleset/not_a_before_reaction",
            Self::TooLarge => "ruleset/too_large",
            Self::TooDeep => "ruleset/too_deep",
            Self::Unplayable => "ruleset/unplayable",
            Self::NotAllowedHere => "ruleset/not_allowed_here",
            Self::UnsettledPot => "ruleset/unsettled_pot",
            Self::ManyForOne => "ruleset/many_for_one",
            Self::IdleKey => "ruleset/idle_key",
            Self::WhichOpponent => "ruleset/which_opponent",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Violation {
    /// A mistake without a suggestion.
    pub fn new(place: Place, code: Code, message: impl Into<String>) -> Self {
        Self { place, code, message: message.into(), found: None, options: Vec::new(), advice: None }
    }

    /// The same mistake with what was found and what could stand there.
    #[must_use]
    pub fn suggest(mut self, found: &str, options: Vec<String>) -> Self {
        self.found = Some(found.into());
        self.options = options;
        self
    }

    /// The same mistake with what to do about it.
    #[must_use]
    pub fn advise(mut self, advice: &'static str) -> Self {
        self.advice = Some(advice);
        self
    }
}
