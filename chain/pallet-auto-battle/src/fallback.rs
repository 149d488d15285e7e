//! Who fights where no ghost is.

use auto_battle::{SavedBoard, builtin_board};
use frame::prelude::Permill;

/// The opponents of players who meet no ghost: a chain ships a table of its own.
///
/// A player who is good enough wins against any table, so a table comes with the chance of ten wins
/// of the best strategy known against it alone. `integrity_test` holds the prize against it.
pub trait FallbackOpponents {
    /// The opponent of a round. The seed is known only after the player's board is locked.
    fn board(round: u32, seed: u64) -> SavedBoard;

    /// The chance of ten wins against this table alone, of the best strategy known.
    fn chance_of_ten_wins() -> Permill;
}

/// The built-in opponents of the rules: one board for each round, which a searching bot beats in 297
/// of 300 runs.
pub struct BuiltinOpponents;

impl FallbackOpponents for BuiltinOpponents {
    fn board(round: u32, _seed: u64) -> SavedBoard {
        builtin_board(round)
    }

    fn chance_of_ten_wins() -> Permill {
        Permill::one()
    }
}
