//! The opponents of players who meet no ghost.
//!
//! The boards are those that a searching bot brought into battle in runs of its own, so that a
//! player who meets nobody else still meets somebody who plays well. The pallet takes the table as
//! a part of its configuration; the built-in opponents of `auto-battle` stay as they are.
//!
//! `cargo run --release -p auto-battle-fallback --example table -- make` writes `table.rs`, and
//! `... -- measure` lets the best bots known play against it; [`TEN_WINS_PER_MILLE`] is what came out.

#![no_std]

extern crate alloc;

mod table;

use alloc::vec::Vec;

use auto_battle::bots::OpponentTable;
use auto_battle::{BoardUnit, Bounded, CardIndex, Rng, SavedBoard};

pub use table::TABLE;

/// Boards of a round, one of which is met.
pub const BOARDS_PER_ROUND: usize = 8;

/// How many of a thousand runs the best strategy known wins against this table alone: the upper end
/// of the 95 % interval of 1 000 runs, of which the searching bot that knows this table and the order
/// of its deck won 277.
pub const TEN_WINS_PER_MILLE: u32 = 305;

/// The opponent of a round that a seed picks. It is picked after the player's board is locked.
pub fn board(round: u32, seed: u64) -> SavedBoard {
    let row = usize::try_from(round.saturating_sub(1)).unwrap_or(usize::MAX);
    let Some(boards) = TABLE.get(row).or(TABLE.last()) else { return SavedBoard::new() };
    let roll = Rng::from_seed(seed).below(u32::try_from(boards.len()).unwrap_or(1));
    let names = usize::try_from(roll).ok().and_then(|it| boards.get(it));
    let units = names.into_iter().flat_map(|it| it.iter()).map(|&it| BoardUnit::Starter(CardIndex(it)));
    // No row of the table is longer than a board; a test looks at each.
    Bounded::try_from_iter(units).unwrap_or_default()
}

/// The whole table, for bots that prepare for it.
pub fn opponents() -> OpponentTable {
    let board = |it: &&[u8]| Bounded::try_from_iter(it.iter().map(|&it| CardIndex(it))).unwrap_or_default();
    TABLE.iter().map(|row| row.iter().map(board).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use auto_battle::{SavedBattle, starter_pool};

    use super::{BOARDS_PER_ROUND, TABLE, board};

    #[test]
    fn every_board_of_the_table_can_fight() {
        let pool = starter_pool();
        assert!(TABLE.iter().all(|it| it.len() == BOARDS_PER_ROUND));
        for (round, boards) in (1..).zip(TABLE) {
            for names in boards.iter() {
                assert!((1..=5).contains(&names.len()));
                assert!(names.iter().all(|&it| pool.get(auto_battle::CardIndex(it)).is_some()));
            }
            for seed in 0..50 {
                let enemy = board(round, seed);
                assert!(!enemy.is_empty());
                // Starter cards that spawn cannot fight for another pool; none is in the table.
                let battle = SavedBattle { player: enemy, enemy, seed };
                assert!(battle.judge(&auto_battle::Pool::default()).is_ok(), "round {round}");
            }
        }
    }

    #[test]
    fn every_board_of_a_round_is_met() {
        let mut met: Vec<_> = (0..200).map(|seed| board(5, seed * 0x9E37_79B9)).collect();
        met.sort_by_key(|it| it.iter().map(|it| alloc::format!("{it:?}")).collect::<Vec<_>>());
        met.dedup();
        assert!(met.len() > BOARDS_PER_ROUND / 2, "{}", met.len());
        assert_eq!(board(TABLE.len() as u32 + 9, 3), board(TABLE.len() as u32, 3));
    }
}
