//! The engine: a match is a pure function of ruleset, seed and commands.
//!
//! [`Match::submit`] takes a [`Command`], resolves the stack until somebody has to decide, and says what the match
//! waits for. Everything it writes is a [`Record`], applied in place and journalled, so that it can be taken back;
//! a [`log::Log`] keeps what was done and how the match waits, and folding it gives the match again.
//! The engine knows cards, zones, attributes, events and time, and no word of any game.
//! It knows no clock, no environment, no threads, no hash order and no floats.

#![no_std]
#![deny(clippy::wildcard_enum_match_arm)]

extern crate alloc;

pub mod ability;
pub mod act;
mod apply;
pub mod ask;
mod attribute;
pub mod audit;
pub mod budget;
mod cells;
mod check;
pub mod command;
mod control;
mod cost;
pub mod derived;
mod discover;
pub mod eval;
mod exec;
pub mod explain;
pub mod fault;
mod frame;
mod group;
pub mod handles;
pub mod ids;
mod intent;
mod journal;
#[cfg(feature = "planted-leaks")]
pub mod leaks;
pub mod legal;
mod links;
mod list;
pub mod log;
pub mod matches;
mod memory;
pub mod moves;
pub mod offer;
mod order;
mod packed;
pub mod question;
pub mod record;
mod recorder;
mod refusal;
pub mod rejection;
pub mod resample;
mod rng;
pub mod scratch;
mod select;
mod shadow;
pub mod stage;
pub mod state;
mod subjects;
mod suspension;
mod takeback;
mod turn;
pub mod view;
mod window;
mod writer;

pub use budget::Budget;
pub use command::{Command, Control};
pub use ids::{EntityId, EventNo, InputNo, PlayerId};
pub use log::Log;
pub use matches::{Match, Progress, Setup, Waiting};
pub use moves::Moves;
pub use record::{Record, Sink};
pub use rejection::Rejection;
