//! For tests: scenarios in Markdown that a designer can read, and what every game in `games/` must hold.

pub mod contract;
pub mod games;
pub mod golden;
pub mod relay;
pub mod scenario;
