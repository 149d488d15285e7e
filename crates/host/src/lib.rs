//! What everything that hosts matches shares: one face for matches of every kind, telling what happens, and showing the
//! table.
//!
//! A server, bot, terminal or simulator holds a `Box<dyn HostedMatch>` and does not know whether a ruleset or a script
//! is behind it. [`Game`] starts such matches and loads them again from their bytes.

mod asking;
pub mod board;
mod catalogue;
pub mod explain;
pub mod game;
pub mod hosted;
mod manipulation;
mod names;
pub mod narrator;
mod numbering;
pub mod playing;
pub mod policy;
mod refused;
pub mod rejection;
pub mod ruled;
mod ruled_event;
mod ruled_play;
mod ruled_prompt;
mod ruled_refine;
mod ruled_view;
pub mod scripted;
mod scripted_view;
pub mod sketch;
pub mod stepper;
mod tale;
pub mod telling;
pub mod trial;
mod ui;

pub use asking::PAGE_MAX;
pub use board::board;
pub use explain::{ExplainError, Explanation, Question};
pub use game::{Game, ReloadError, Start};
pub use hosted::{Control, HostedMatch, LogPart, OpenRequest, Waiting};
pub use narrator::Narrator;
pub use playing::{Asked, Draft, HandMove, Play, Query};
pub use policy::{Policy, Stakes};
pub use refused::{Meant, Reason, Refused};
pub use rejection::Rejection;
pub use ruled::RuledMatch;
pub use ruleset::stakes::Pot;
pub use script::{self, Answer, Progress, Seat, Viewer};
pub use scripted::ScriptedMatch;
pub use sketch::sketch;
pub use view;
