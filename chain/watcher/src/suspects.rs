//! Accounts with a lie that no finalised block has seen disputed.
//!
//! They are looked at again in every block. There is room for a bounded number of them; if there are
//! more, all players are looked at again as soon as there is room, so nobody is lost.

use std::collections::BTreeMap;

use crate::chain::Account;
use crate::watch::Place;

/// The most accounts that are kept.
pub const SUSPECTS_MAX: usize = 1_000;

/// Accounts that are looked at in every block, with the lie that was found.
#[derive(Debug, Default)]
pub struct Suspects {
    lies: BTreeMap<Account, Place>,
    /// Whether there was no room for somebody since all players were looked at last.
    is_incomplete: bool,
}

/// What became of a suspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// The lie was not known yet.
    New,
    /// It was.
    Known,
    /// There was no room for it.
    LeftOut,
}

impl Suspects {
    /// The accounts that are kept.
    pub fn accounts(&self) -> impl Iterator<Item = Account> {
        self.lies.keys().copied()
    }

    /// How many accounts are kept.
    pub fn n_accounts(&self) -> usize {
        self.lies.len()
    }

    /// Keeps an account with its lie, if there is room.
    pub fn note(&mut self, lie: Place) -> Noted {
        let who = lie.0;
        if self.lies.len() >= SUSPECTS_MAX && !self.lies.contains_key(&who) {
            self.is_incomplete = true;
            return Noted::LeftOut;
        }
        match self.lies.insert(who, lie) == Some(lie) {
            true => Noted::Known,
            false => Noted::New,
        }
    }

    /// Forgets an account that has no lie any more.
    pub fn forget(&mut self, who: Account) {
        self.lies.remove(&who);
    }

    /// Must all players be looked at again? So it is when somebody was left out and half of the places
    /// are free. The caller does look at all of them.
    pub fn take_incomplete(&mut self) -> bool {
        let is_due = self.is_incomplete && self.lies.len() <= SUSPECTS_MAX / 2;
        self.is_incomplete &= !is_due;
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::{Noted, SUSPECTS_MAX, Suspects};
    use crate::chain::Account;
    use crate::watch::Place;

    fn lie(number: usize) -> Place {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_be_bytes());
        (Account(key), 1, 1)
    }

    #[test]
    fn a_lie_is_new_once() {
        let mut suspects = Suspects::default();
        assert_eq!(suspects.note(lie(1)), Noted::New);
        assert_eq!(suspects.note(lie(1)), Noted::Known);
        let (who, run, round) = lie(1);
        assert_eq!(suspects.note((who, run, round + 1)), Noted::New);
        suspects.forget(who);
        assert_eq!((suspects.n_accounts(), suspects.take_incomplete()), (0, false));
    }

    #[test]
    fn whoever_finds_no_room_is_found_again_when_there_is_some() {
        let n_liars = 3 * SUSPECTS_MAX;
        let mut suspects = Suspects::default();
        let mut undisputed: Vec<_> = (0..n_liars).map(lie).collect();
        let mut n_looks_at_all = 0;
        let mut looks_at_all = true;
        while !undisputed.is_empty() {
            if looks_at_all {
                n_looks_at_all += 1;
                for lie in &undisputed {
                    suspects.note(*lie);
                }
            }
            assert!(suspects.n_accounts() <= SUSPECTS_MAX, "they are bounded");
            let disputed: Vec<_> = suspects.accounts().take(100).collect();
            assert!(!disputed.is_empty(), "liars are left out for ever: {}", undisputed.len());
            for who in &disputed {
                suspects.forget(*who);
            }
            undisputed.retain(|it| !disputed.contains(&it.0));
            looks_at_all = suspects.take_incomplete();
        }
        assert_eq!(n_looks_at_all, 5, "all players are not looked at in every block");
    }
}
