//! What goes wrong while something resolves: a limit is hit, or the engine finds itself broken.

use parity_scale_codec::{Decode, Encode};

/// Why an item could not be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Fault {
    /// A limit of the ruleset was hit.
    Limit(Limit),
    /// A write cannot be done, since a zone is full or a card is not there: the event it belongs to fails, nothing else.
    Impossible,
    /// The engine's own bookkeeping does not fit; a bug of ours.
    Invariant,
}

/// Why something did not come about, as `EventFailed` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A limit of the ruleset was hit.
    Limit(Limit),
    /// What the event requires did not hold.
    Impossible,
    /// A rule tried to prevent what cannot be prevented.
    Unpreventable,
    /// A moderator dropped it half done.
    Dropped,
    /// What it costs could not be paid.
    Unpaid,
    /// The engine's own bookkeeping does not fit; a bug of ours.
    Invariant,
}

impl Failure {
    /// All there are.
    pub const ALL: [Self; 15] = [
        Self::Limit(Limit::StackDepth),
        Self::Limit(Limit::ReactionsPerEvent),
        Self::Limit(Limit::IterationsPerEffect),
        Self::Limit(Limit::FactsPerRoot),
        Self::Limit(Limit::StepsWithoutDecision),
        Self::Limit(Limit::InstructionsPerStep),
        Self::Limit(Limit::Entities),
        Self::Limit(Limit::CellsPerFrame),
        Self::Limit(Limit::CheckRounds),
        Self::Limit(Limit::WorkPerCommand),
        Self::Impossible,
        Self::Unpreventable,
        Self::Dropped,
        Self::Unpaid,
        Self::Invariant,
    ];

    /// The one events call by a number.
    pub fn from_number(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.number() == number)
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Limit(limit) => limit.as_str(),
            Self::Impossible => "impossible",
            Self::Unpreventable => "unpreventable",
            Self::Dropped => "dropped",
            Self::Unpaid => "unpaid",
            Self::Invariant => "invariant",
        }
    }

    /// How events name it. Rules and clients compare these numbers: they stay as they are.
    pub fn number(self) -> i64 {
        match self {
            Self::Limit(limit) => limit.number(),
            Self::Unpreventable => 100,
            Self::Impossible => 101,
            Self::Dropped => 102,
            Self::Invariant => 103,
            Self::Unpaid => 104,
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Limit(limit) => Self::Limit(limit),
            Fault::Impossible => Self::Impossible,
            Fault::Invariant => Self::Invariant,
        }
    }
}

/// A limit that can be hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Limit {
    /// Rows on the stack.
    StackDepth,
    /// Reactions found for one event.
    ReactionsPerEvent,
    /// Rounds of one loop.
    IterationsPerEffect,
    /// Facts that follow from one root.
    FactsPerRoot,
    /// Steps without a decision.
    StepsWithoutDecision,
    /// Instructions run at a time.
    InstructionsPerStep,
    /// Cards in a match.
    Entities,
    /// Numbers one row holds.
    CellsPerFrame,
    /// Rounds of state checks.
    CheckRounds,
    /// Work of one command.
    WorkPerCommand,
}

impl Limit {
    /// The limit's name in the `limits` object of a ruleset.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::StackDepth => "stackDepth",
            Self::ReactionsPerEvent => "reactionsPerEvent",
            Self::IterationsPerEffect => "iterationsPerEffect",
            Self::FactsPerRoot => "factsPerRoot",
            Self::StepsWithoutDecision => "stepsWithoutDecision",
            Self::InstructionsPerStep => "instructionsPerStep",
            Self::Entities => "entities",
            Self::CellsPerFrame => "cellsPerFrame",
            Self::CheckRounds => "checkRounds",
            Self::WorkPerCommand => "workPerCommand",
        }
    }

    /// The limit's number in events.
    pub fn number(self) -> i64 {
        i64::from(self.encode().first().copied().unwrap_or(0))
    }
}
