//! Games written as `async` Rust functions over the same requests that rulesets make.
//!
//! A game is a function of a [`Table`]. Where it needs an answer it awaits a request; the [`Match`] polls it when the
//! answer arrives, so an answer costs its own work and nothing else. No thread and no async runtime is involved.
//! The [`Record`] of a match holds the answers; running the game again with them gives the same match to the byte.
//!
//! ```
//! use script::{Answer, Match, Mistake, Outcome, Script, Seat, Setup, Table};
//! use selector::Response;
//!
//! async fn play(table: Table) -> Result<Outcome, Mistake> {
//!     let secret = table.random(2) == 0;
//!     let guess = table.choose_yes_no(Seat(0), "Is it heads?").await?;
//!     Ok(if guess == secret { Outcome::won([Seat(0)], "guessed") } else { Outcome::won([Seat(1)], "missed") })
//! }
//!
//! let script = Script::new("coin", 2..=2, play);
//! let mut live = Match::start(&script, Setup { seed: [1; 32], n_seats: 2 })?;
//! let open = live.open(Seat(0)).expect("p1 is asked");
//! let response = Response::to(&open.selector, ["yes"]);
//! live.submit(&Answer { seat: Seat(0), input: open.id, version: live.version(), response, confirm: true })?;
//! assert!(live.outcome().is_some());
//!
//! let again = Match::restore(&script, &live.log_bytes()).expect("a record of this very game");
//! assert_eq!(again.hash(), live.hash());
//! # Ok::<(), script::Rejection>(())
//! ```
#![no_std]
#![deny(clippy::wildcard_enum_match_arm)]

extern crate alloc;

mod choose;
mod closed;
mod codec;
mod control;
pub mod determinism;
mod event;
mod face;
pub mod limits;
mod matches;
mod mistake;
mod open;
mod outcome;
mod record;
mod rejection;
mod request;
mod resample;
mod rng;
mod run;
mod scripts;
mod seat;
mod table;
mod undo;
pub mod view;
mod world;

pub use choose::Opts;
pub use codec::Packed;
pub use control::Control;
pub use event::{Event, Field};
pub use face::Face;
pub use matches::{Answer, Match, Progress, Status};
pub use mistake::Mistake;
pub use open::OpenView;
pub use outcome::Outcome;
pub use record::{Auto, Entry, Header, Record, RecordError, Transition};
pub use rejection::Rejection;
pub use request::{Answered, Mode, Request};
pub use rng::Dice;
pub use scripts::{Script, Setup};
pub use seat::{Crowd, Seat, Viewer, viewers};
pub use table::Table;
pub use world::{Card, Visibility, ZoneId};
