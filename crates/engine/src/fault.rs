//! What goes wrong while something resolves: a limit is hit, or the engine finds itself broken.

use parity_scale_codec::{Decode, Encode};

/// Why an item could not be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Fault {
    /// A limit of the ruleset was hit.
    Limit(Limit),
    /// The engine's own bookkeeping does not fit; a bug of ours.
    Invariant,
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
