//! `snapstack run-stats`: what bots reach in auto-battler runs, by card and by opponent.

use std::path::PathBuf;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::run_stats::{BotKind, Plot, RunStats, play_many, print_tables};

/// Let bots play auto-battler runs and show their win rates by card and by opponent.
///
/// The same arguments give the same numbers on every machine.
#[derive(clap::Args)]
pub struct Args {
    /// Runs of each bot.
    #[arg(long, default_value_t = 200)]
    runs: u64,
    /// Deck seed of the first run; the others count on from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which bots play.
    #[arg(long = "bot", value_enum, default_values_t = [BotKind::Greedy, BotKind::Search])]
    bots: Vec<BotKind>,
    /// Moves that the search bot looks ahead.
    #[arg(long, default_value_t = 3)]
    depth: usize,
    /// Lines that the search bot keeps.
    #[arg(long, default_value_t = 6)]
    width: usize,
    /// Round after which a run that neither won nor lost is stopped.
    #[arg(long, default_value_t = 50)]
    rounds: u32,
    /// Write the win rates as a picture to this SVG file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Plays the runs of each bot and shows what came of them.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let n_bots = args.bots.len() as u64;
    let bar = ProgressBar::new(args.runs.saturating_mul(n_bots));
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {eta} left")?);
    let play = |&kind: &BotKind| {
        let make = |seed| kind.make(seed, args.depth, args.width);
        let stats = play_many(args.seed, args.runs, args.rounds, make, || bar.inc(1));
        (kind, stats)
    };
    let all: Vec<(BotKind, RunStats)> = args.bots.iter().map(play).collect();
    bar.finish_and_clear();
    print_tables(&all, &mut std::io::stdout().lock())?;
    if let Some(path) = &args.plot {
        let picture = Plot::new(&all).to_svg();
        let context = || format!("cannot write the plot: {}", path.display());
        std::fs::write(path, picture).with_context(context)?;
    }
    Ok(())
}
