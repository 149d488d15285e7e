//! What a watcher remembers: which reports it found honest, so that it fights no battle twice.
//!
//! Forgetting costs time and nothing else, so the memory is bounded and simply begins anew when it is
//! full.

use std::collections::BTreeMap;

use pallet_auto_battle::RunId;

use crate::chain::Account;

/// The most runs that are remembered.
const RUNS_MAX: usize = 10_000;

/// Which reports of the runs under way are honest.
#[derive(Debug, Default)]
pub struct Memory {
    runs: BTreeMap<Account, HonestRounds>,
}

/// The run of an account, and a bit for each round whose report is honest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct HonestRounds {
    run: RunId,
    rounds: u64,
}

impl Memory {
    /// Was this report found honest?
    pub fn is_honest(&self, who: Account, run: RunId, round: u32) -> bool {
        let known = self.runs.get(&who).filter(|it| it.run == run);
        known.is_some_and(|it| it.rounds & bit(round) != 0)
    }

    /// Notes that a report is honest. It was read from a finalised block, so it stays what it is.
    pub fn note_honest(&mut self, who: Account, run: RunId, round: u32) {
        if self.runs.len() >= RUNS_MAX && !self.runs.contains_key(&who) {
            self.runs.clear();
        }
        let known = self.runs.entry(who).or_insert(HonestRounds { run, rounds: 0 });
        if known.run != run {
            *known = HonestRounds { run, rounds: 0 };
        }
        known.rounds |= bit(round);
    }

    /// Forgets the run of an account that has none any more.
    pub fn forget(&mut self, who: Account) {
        self.runs.remove(&who);
    }

    /// How many runs are remembered.
    pub fn n_runs(&self) -> usize {
        self.runs.len()
    }
}

/// The bit of a round; a run has no more rounds than this has bits.
fn bit(round: u32) -> u64 {
    1_u64.checked_shl(round).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Memory, RUNS_MAX};
    use crate::chain::Account;

    fn account(number: usize) -> Account {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        Account(key)
    }

    #[test]
    fn only_what_was_found_honest_is_remembered() {
        let mut memory = Memory::default();
        memory.note_honest(account(1), 3, 2);
        assert!(memory.is_honest(account(1), 3, 2));
        assert!(!memory.is_honest(account(1), 3, 1));
        assert!(!memory.is_honest(account(1), 4, 2));
        assert!(!memory.is_honest(account(2), 3, 2));
        // The next run of the account begins with nothing.
        memory.note_honest(account(1), 4, 1);
        assert!(!memory.is_honest(account(1), 4, 2));
        memory.forget(account(1));
        assert_eq!(memory.n_runs(), 0);
    }

    #[test]
    fn memory_is_bounded() {
        let mut memory = Memory::default();
        for number in 0..3 * RUNS_MAX {
            memory.note_honest(account(number), 1, 1);
            assert!(memory.n_runs() <= RUNS_MAX);
        }
        assert!(memory.is_honest(account(3 * RUNS_MAX - 1), 1, 1));
    }

    #[test]
    fn a_round_beyond_all_bounds_is_never_honest() {
        let mut memory = Memory::default();
        memory.note_honest(account(1), 1, 64);
        assert!(!memory.is_honest(account(1), 1, 64));
    }
}
