//! Battles and runs as lines of JSON: one object in, one object out.
//!
//! The command line and the browser both speak these lines, so they are written once. The cards are
//! the starter cards; a board may also hold cards that are spelled out. A line that makes no sense
//! gets an object with an `error` in place of its answer.

mod battle;
mod card;
mod object;
mod run;

use alloc::string::{String, ToString};

use serde::{Deserialize, Serialize};

use crate::{Pool, SavedBattle, starter_pool};
use object::Object;

/// Whether an answer tells the events of its battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// All events in order.
    Events,
    /// Only result and random stream.
    ResultOnly,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineError {
    /// Stays the same between versions.
    pub code: &'static str,
    /// For people.
    pub message: String,
}

impl LineError {
    fn new(code: &'static str, message: impl core::fmt::Display) -> Self {
        Self { code, message: message.to_string() }
    }

    /// Sorts a reader's complaint: the line is no JSON, or it is JSON of the wrong shape.
    fn unreadable(error: &serde_json::Error) -> Self {
        let code = match error.classify() {
            serde_json::error::Category::Data => "line/wrong_shape",
            serde_json::error::Category::Io
            | serde_json::error::Category::Syntax
            | serde_json::error::Category::Eof => "line/not_json",
        };
        Self::new(code, error)
    }
}

#[derive(Serialize)]
struct Refusal {
    error: LineError,
}

/// Answers lines with the starter cards.
#[derive(Clone, Debug)]
pub struct Lines {
    pool: Pool,
}

impl Lines {
    /// Gets the starter cards ready.
    pub fn new() -> Self {
        Self { pool: starter_pool() }
    }

    /// Fights the battle of a line with `player`, `enemy` and `seed`.
    pub fn battle(&self, line: &[u8], telling: Telling) -> String {
        answer(battle::answer(&self.pool, line, telling))
    }

    /// The battle of a line with the pool it is fought with, as a chain would keep both.
    pub fn saved_battle(&self, line: &[u8]) -> Result<(Pool, SavedBattle), LineError> {
        battle::saved(&self.pool, line)
    }

    /// Plays the local run of a line with `actions`.
    pub fn run(&self, line: &[u8]) -> String {
        answer(run::answer(line))
    }
}

impl Default for Lines {
    fn default() -> Self {
        Self::new()
    }
}

fn answer(answer: Result<String, LineError>) -> String {
    answer.unwrap_or_else(|error| {
        // An object of two strings is always writable.
        serde_json::to_string(&Refusal { error }).unwrap_or_default()
    })
}

fn read<'de, T: Deserialize<'de>>(line: &'de [u8]) -> Result<T, LineError> {
    let read = serde_json::from_slice(line);
    let Object(value) = read.map_err(|it| LineError::unreadable(&it))?;
    Ok(value)
}

fn write(answer: &impl Serialize) -> Result<String, LineError> {
    serde_json::to_string(answer).map_err(|it| LineError::new("line/not_written", it))
}
