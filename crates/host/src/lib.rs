//! What everything that hosts matches shares: one face for matches of every kind, telling what happens, and showing the
//! table.
//!
//! A server, bot, terminal or simulator holds a `Box<dyn HostedMatch>` and does not know whether a ruleset or a script
//! is behind it. [`Game`] starts such matches and loads them again from their bytes.

pub mod actions;
pub mod board;
pub mod delta;
pub mod explain;
pub mod game;
pub mod hosted;
pub mod narrator;
pub mod policy;
pub mod rejection;
pub mod ruled;
mod ruled_prompt;
mod ruled_view;
pub mod scripted;
pub mod sketch;
pub mod stepper;
mod tale;
pub mod telling;
pub mod trial;
mod ui;

pub use actions::{ActionView, actions_for};
pub use board::board;
pub use delta::ViewDelta;
pub use explain::{ExplainError, Explanation, Question};
pub use game::{Game, ReloadError, Start};
pub use hosted::{Control, HostedMatch, LogPart, OpenRequest, Prompt, Waiting, WindowView};
pub use narrator::Narrator;
pub use policy::{Policy, Stakes};
pub use rejection::Rejection;
pub use ruled::RuledMatch;
pub use ruleset::stakes::Pot;
pub use script::{self, Answer, Progress, Seat, Viewer, view};
pub use scripted::ScriptedMatch;
pub use sketch::sketch;
