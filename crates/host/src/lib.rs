//! What everything that hosts matches shares: telling what happens, and showing the table.

pub mod board;
pub mod narrator;

pub use board::board;
pub use narrator::Narrator;
