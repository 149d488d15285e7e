//! What can be written.

use crate::{
    money::Entry,
    rows::{Account, Audit, MatchId, MatchRow, RulesetRow, Session, Transition},
};

/// One thing to write. A list of them is written as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A new match.
    CreateMatch(MatchRow),
    /// Seats, status and detail of a match; never how many transitions it has.
    PutMatch(MatchRow),
    /// The next transition of a match, and when its first clock runs out after it; a conflict if it is not the next.
    Append { transition: Transition, due_at: Option<i64> },
    /// Drops the transitions from a number on, and sets what is left in order: recovery, for operators alone.
    Truncate { match_id: MatchId, n_transitions: u64 },
    /// A new account.
    CreateAccount(Account),
    /// Name, nickname, password and role of an account.
    PutAccount(Account),
    /// That somebody signed in.
    PutSession(Session),
    /// That a session ends.
    DeleteSession(crate::Hash),
    /// A ruleset; the same again changes nothing.
    PutRuleset(RulesetRow),
    /// Something a moderator did.
    Audit(Audit),
    /// A movement of money.
    Post(Entry),
    /// A value of the store itself: its key, when it was last alive.
    PutMeta(String, Vec<u8>),
}

/// The first transition of a list. Where the store has just this one, it has the whole list.
pub(crate) fn first_transition(ops: &[Op]) -> Option<&Transition> {
    ops.iter().find_map(|it| if let Op::Append { transition, .. } = it { Some(transition) } else { None })
}
