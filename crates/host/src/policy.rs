//! What a game says about how its matches are hosted, as plain data: taking back, being gone, and what is at stake.

use std::collections::BTreeMap;

use engine::state::Why;
use ruleset::{
    Program,
    stakes::{EndReason, Ending, Pot},
};
use view::Outcome;

use crate::ruled_view;

/// How the matches of a game are hosted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Whether players may take back.
    pub undo: bool,
    /// How long a player may be gone before he is out: at once, so many milliseconds, or for ever.
    pub disconnect_grace_ms: Option<u32>,
    /// What players play for.
    pub stakes: Option<Stakes>,
}

/// What players pay to play, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stakes {
    /// What every player pays into the pot.
    pub entry: u32,
    /// What becomes of the pot, by the reason of the outcome.
    endings: BTreeMap<String, Ending>,
}

impl Stakes {
    /// What becomes of the pot of a match that ended so. What did not end by the rules is paid back.
    pub fn pot(&self, outcome: &Outcome) -> Pot {
        let ending = self.endings.get(&outcome.reason);
        let by_winners = |it: &Ending| if outcome.winners.is_empty() { it.nobody } else { it.won };
        ending.map_or(Pot::Refund, by_winners)
    }
}

/// The policy of a ruleset.
pub(crate) fn of(program: &Program) -> Policy {
    let ending = |(reason, ending): &(EndReason, Ending)| (ruled_view::reason(program, why(*reason)), *ending);
    let stakes =
        program.stakes.as_ref().map(|it| Stakes { entry: it.entry, endings: it.endings.iter().map(ending).collect() });
    Policy { undo: program.policy.undo, disconnect_grace_ms: program.policy.disconnect_grace_ms, stakes }
}

fn why(reason: EndReason) -> Why {
    match reason {
        EndReason::Rules(at) => Why::Rules(at),
        EndReason::LastStanding => Why::LastStanding,
        EndReason::Disconnected => Why::Disconnected,
        EndReason::Limit => Why::Limit,
        EndReason::Moderator => Why::Moderator,
    }
}
