//! `snapstack battle`: fights auto-battler battles, one line of JSON each.

use auto_battle::json::{Lines, Telling};

use crate::lines::answer_stdin;

/// Fight auto-battler battles: one JSON object a line in, one out.
///
/// A line has `player` and `enemy`, lists of starter names or whole cards, and `seed`, a decimal
/// string. Its answer has `result`, `rngNext` and `events`, or an `error` in their place.
#[derive(clap::Args)]
pub struct Args {
    /// Leave the events out of the answers.
    #[arg(long)]
    no_events: bool,
}

/// Answers every line of the input.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let telling = if args.no_events { Telling::ResultOnly } else { Telling::Events };
    let lines = Lines::new();
    answer_stdin(|line| lines.battle(line, telling))
}
