//! `snapstack run`: plays auto-battler runs, one line of JSON each.

use auto_battle::json::Lines;

use crate::lines::answer_stdin;

/// Play auto-battler runs: one JSON object a line in, one out.
///
/// A line has `actions`, such as `["buy", 0]` or `["end_turn"]`. Its answer has `states`: the fresh
/// run and the run after each action; or an `error` in their place.
#[derive(clap::Args)]
pub struct Args {}

/// Answers every line of the input.
pub fn run(_args: &Args) -> anyhow::Result<()> {
    let lines = Lines::new();
    answer_stdin(|line| lines.run(line))
}
