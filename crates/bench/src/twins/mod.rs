//! Games written by hand, each beside the ruleset of the same name.

mod bench_duel;
mod bits;
mod duel_lite;
mod lanes;
mod market;
mod mints;
mod riddles;
mod wards;

use bench_duel::BenchDuel;
use duel_lite::DuelLite;
use lanes::Lanes;
use market::Market;
use mints::Mints;
use riddles::Riddles;
use wards::Wards;

use crate::{
    compare::{self, Twin},
    games,
    versus::{self, Figures},
};

/// What can be done with a game that has a twin.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name of the ruleset.
    pub name: &'static str,
    /// Plays so many games in lock step; gives how many decisions were compared.
    pub compare: fn(u64) -> u64,
    /// Measures it side by side.
    pub measure: fn() -> Figures,
    /// Plays so many games by hand, or only makes ready for that; gives how many decisions there were.
    pub by_hand: fn(u64, bool) -> u64,
}

/// All games with twins.
pub const ALL: &[Entry] = &[
    entry::<Lanes>(),
    entry::<Riddles>(),
    entry::<Mints>(),
    entry::<Market>(),
    entry::<Wards>(),
    entry::<DuelLite>(),
    entry::<BenchDuel>(),
];

/// The game of a name.
pub fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|it| it.name == name)
}

const fn entry<T: Twin>() -> Entry {
    Entry {
        name: T::NAME,
        compare: |n| compare::compare::<T>(&games::load(T::NAME), n),
        measure: versus::measure::<T>,
        by_hand: versus::count_by_hand::<T>,
    }
}
