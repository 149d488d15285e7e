//! One file for each command: its arguments and what it does. What several share is in a file of its own.

mod account;
pub mod battle;
pub mod check;
pub mod demo;
pub mod duel;
pub mod explain;
pub mod join;
pub mod play;
pub mod run;
pub mod run_stats;
pub mod schema;
pub mod serve;
pub mod step;
pub mod storage;
pub mod verify;
