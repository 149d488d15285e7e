//! For tests: scenarios in Markdown that a designer can read, and what every game in `games/` must hold.

pub mod contract;
pub mod deep;
pub mod duels;
pub mod fuzz;
pub mod games;
pub mod golden;
pub mod golden_logs;
pub mod hosted;
pub mod hostile;
#[cfg(not(target_arch = "wasm32"))]
pub mod paced;
pub mod postgres;
pub mod relay;
pub mod scenario;
pub mod served;
pub mod streams;
pub mod twin;
pub mod vary;

/// The guide to scripted games: its code is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/scripted-games.md")]
mod guide {}
