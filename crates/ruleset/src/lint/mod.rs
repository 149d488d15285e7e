//! What a sound ruleset may still have got wrong: findings that are worth a look but stop nothing.

mod ends;
mod hidden;
mod loops;
mod possible;
mod range;
mod reach;
mod waiting;

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use crate::program::Program;

/// Something worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Stable, such as `ruleset/before_loop`.
    pub code: &'static str,
    pub message: String,
    /// The section of the document and the name of what it is about; empty for the game as a whole.
    pub about: (&'static str, String),
}

/// A finding about something by its name.
fn warn(code: &'static str, about: (&'static str, &str), message: impl Into<String>) -> Warning {
    Warning { code, message: message.into(), about: (about.0, about.1.to_string()) }
}

/// Looks at a whole program.
pub fn lint(program: &Program) -> Vec<Warning> {
    let mut found = loops::before_loops(program);
    found.extend(loops::trigger_loops(program));
    found.extend(hidden::hidden_choices(program));
    found.extend(silent_games(program));
    found.extend(reach::unreachable(program));
    found.extend(waiting::usable_cards(program));
    found
}

/// A game in which nobody ever decides anything, or which nothing ends.
fn silent_games(program: &Program) -> Vec<Warning> {
    let mut found = Vec::new();
    let warn = |code: &'static str, message: &str| warn(code, ("", ""), message);
    let windows = program.steps.iter().any(|it| it.window) && !program.actions.is_empty();
    if !windows && program.asks.is_empty() && program.timers.is_empty() {
        found.push(warn(
            "ruleset/no_decision",
            "nobody ever decides anything: there is no action in a step with a window, and no question",
        ));
    }
    if !ends::can_end(program) {
        found.push(warn(
            "ruleset/no_end",
            "nothing ends the game but giving up: there is no end condition and nobody can lose",
        ));
    }
    found
}
