//! `snapstack verify`: plays a downloaded match again, and names the first difference.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::games;

/// Verify the log of a match: carry out every command again and compare everything it led to.
#[derive(clap::Args)]
pub struct Args {
    /// The file, as downloaded from a server or stored by `play --save`.
    file: PathBuf,
    /// The game it is a match of.
    game: String,
    /// The folder of games.
    #[arg(long, default_value = "games")]
    games: PathBuf,
}

/// Says whether the match is what its log says.
pub fn run(args: &Args) -> Result<()> {
    let bytes = std::fs::read(&args.file).with_context(|| format!("cannot read {}", args.file.display()))?;
    let game = games::find(&args.game, &args.games)?;
    let mut live = match game.reload(&bytes) {
        Ok(live) => live,
        Err(why) => bail!("the log does not hold: {why} ({})", why.code()),
    };
    let n_transitions = live.log_since(0).len();
    say!("{n_transitions} transitions of {} carried out again, all equal", game.id());
    match live.outcome() {
        Some(outcome) if outcome.winners.is_empty() => say!("it ended without a winner ({})", outcome.reason),
        Some(outcome) => say!("won by {} ({})", outcome.winners.join(" and "), outcome.reason),
        None => say!("it is not over; it stands at version {}", live.version()),
    }
    Ok(())
}
