//! One file for each command: its arguments and what it does.

pub mod battle;
pub mod run;
pub mod run_stats;
