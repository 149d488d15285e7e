//! Finds damage in the log of a match: a flipped bit, a cut tail, a missing page.

use std::fmt;

use crate::{
    chain,
    rows::{MatchId, MatchRow, Transition},
};

/// What is wrong with the log of a match, and up to where it is good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub match_id: MatchId,
    /// How many transitions from the first on are whole.
    pub n_good: u64,
    pub what: What,
}

/// A kind of damage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A transition is missing where others follow, or the order is wrong.
    Gap { found: u64 },
    /// The content of a transition is not what its hash says.
    Altered,
    /// A transition does not follow from the one before.
    Unchained,
    /// The match once had more transitions than there are.
    CutTail { expected: u64 },
    /// The match has more transitions than it should, or ends in another hash.
    WrongHead,
    /// A client holds a receipt for something that is not in the log.
    Receipt(String),
    /// The log cannot be played again.
    Unplayable(String),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { match_id, n_good, what } = self;
        write!(f, "match {match_id} is damaged after transition {}: ", n_good.saturating_sub(1))?;
        match what {
            What::Gap { found } => write!(f, "transition {n_good} is missing, {found} comes next")?,
            What::Altered => write!(f, "transition {n_good} is not what its hash says")?,
            What::Unchained => write!(f, "transition {n_good} does not follow from the one before")?,
            What::CutTail { expected } => write!(f, "it had {expected} transitions, {n_good} are left")?,
            What::WrongHead => write!(f, "its last hash is not the one it was left with")?,
            What::Receipt(proof) => write!(f, "a player was sent more than the log holds ({proof})")?,
            What::Unplayable(why) => write!(f, "it cannot be played again ({why})")?,
        }
        write!(f, "; restore a backup, or keep the good part with: snapstack storage recover {match_id}")
    }
}

/// Checks the whole chain of a match; gives the first damage.
pub fn find(row: &MatchRow, transitions: &[Transition]) -> Option<Damage> {
    let mut previous = row.genesis();
    for (n_good, it) in (0..).zip(transitions) {
        let damage = |what| Some(Damage { match_id: row.id.clone(), n_good, what });
        if it.seq != n_good {
            return damage(What::Gap { found: it.seq });
        }
        if it.match_id != row.id || chain::hash_of(it) != it.hash {
            return damage(What::Altered);
        }
        if it.previous != previous {
            return damage(What::Unchained);
        }
        previous = it.hash;
    }
    let n_good = transitions.len() as u64;
    let what = match n_good.cmp(&row.n_transitions) {
        std::cmp::Ordering::Less => What::CutTail { expected: row.n_transitions },
        std::cmp::Ordering::Greater => What::WrongHead,
        std::cmp::Ordering::Equal if previous != row.head => What::WrongHead,
        std::cmp::Ordering::Equal => return None,
    };
    Some(Damage { match_id: row.id.clone(), n_good, what })
}
