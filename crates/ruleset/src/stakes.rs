//! What players play for, and what becomes of it at every ending. Owns no money: a host that keeps some reads this.

use alloc::vec::Vec;

/// What players pay to play, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stakes {
    /// What every player pays into the pot.
    pub entry: u32,
    /// What becomes of the pot, by the reason for which the game ends. Reasons that are not here cannot come up.
    pub endings: Vec<(EndReason, Ending)>,
}

/// A reason for which a game can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndReason {
    /// One of the rules, by its number.
    Rules(u16),
    /// All others are out.
    LastStanding,
    /// All others are out, the last of them because his connection was gone.
    Disconnected,
    /// A limit was hit.
    Limit,
    /// A moderator decided.
    Moderator,
}

/// What becomes of the pot at an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// If somebody wins.
    pub won: Pot,
    /// If nobody does.
    pub nobody: Pot,
}

/// What becomes of a pot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pot {
    /// The winners share it.
    Winner,
    /// Everybody gets back what he paid.
    Refund,
    /// It is burned.
    Burn,
}
