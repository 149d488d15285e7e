//! The statistics as tables for a terminal.

use std::io::{self, Write};

use auto_battle::STARTER_CARDS;

use super::{BotKind, OPPONENT_ROUNDS, RunStats, Tally};

/// Writes a summary, the win rates by opponent and the win rates by card, the best first.
pub fn print_tables(all: &[(BotKind, RunStats)], out: &mut impl Write) -> io::Result<()> {
    for (kind, stats) in all {
        let mean = stats.wins as f64 / stats.runs.max(1) as f64;
        let (runs, victories) = (stats.runs, stats.victories);
        let name = kind.name();
        writeln!(
            out,
            "{name}: {runs} runs, {victories} with ten wins, {mean:.2} wins a run"
        )?;
    }
    writeln!(out)?;
    print_header(all, "opponent", out)?;
    for round in 0..OPPONENT_ROUNDS {
        let later = if round + 1 == OPPONENT_ROUNDS {
            "+"
        } else {
            ""
        };
        let label = format!("round {}{later}", round + 1);
        print_row(&label, all.iter().map(|(_, it)| &it.rounds[round]), out)?;
    }
    writeln!(out)?;
    print_header(all, "card", out)?;
    for card in cards_by_rate(all) {
        let label = STARTER_CARDS[card].template_id;
        print_row(label, all.iter().map(|(_, it)| &it.cards[card]), out)?;
    }
    Ok(())
}

/// The cards in falling order of the win rate of the last bot, which is the strongest asked for.
pub fn cards_by_rate(all: &[(BotKind, RunStats)]) -> Vec<usize> {
    let mut cards: Vec<_> = (0..STARTER_CARDS.len()).collect();
    if let Some((_, stats)) = all.last() {
        let rate = |card: &usize| stats.cards[*card].win_rate().unwrap_or(-1.0);
        cards.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
    }
    cards
}

fn print_header(all: &[(BotKind, RunStats)], label: &str, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{label:<16}")?;
    for (kind, _) in all {
        write!(out, "  {:>8} won   battles", kind.name())?;
    }
    writeln!(out)
}

fn print_row<'a>(
    label: &str,
    tallies: impl Iterator<Item = &'a Tally>,
    out: &mut impl Write,
) -> io::Result<()> {
    write!(out, "{label:<16}")?;
    for tally in tallies {
        match tally.win_rate() {
            Some(rate) => write!(out, "  {rate:>10.1} %{:>10}", tally.battles())?,
            None => write!(out, "  {:>10}  {:>10}", "-", 0)?,
        }
    }
    writeln!(out)
}
