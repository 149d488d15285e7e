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
        writeln!(out, "{name}: {runs} runs, {victories} with ten wins, {mean:.2} wins a run")?;
    }
    writeln!(out)?;
    print_header(all, "opponent", "draws", out)?;
    for round in 0..OPPONENT_ROUNDS {
        let cells = all.iter().map(|(_, it)| {
            let tally = it.rounds[round];
            (tally, format!("{}", tally.draws))
        });
        print_row(&round_label(round), cells, out)?;
    }
    writeln!(out)?;
    print_header(all, "card", "lift", out)?;
    for card in cards_by_lift(all) {
        let cells = all.iter().map(|(_, it)| {
            let lift = it.lift(card).map_or("-".to_owned(), |it| format!("{it:+.1}"));
            (it.card(card), lift)
        });
        print_row(STARTER_CARDS[card].template_id, cells, out)?;
    }
    writeln!(out)?;
    writeln!(out, "lift: points above the bot's average against the same opponents")
}

/// The name of an opponent; the last stands for all later rounds too.
pub fn round_label(round: usize) -> String {
    let later = if round + 1 == OPPONENT_ROUNDS { "+" } else { "" };
    format!("round {}{later}", round + 1)
}

/// The cards in falling order of their lift for the last bot, which is the strongest asked for.
pub fn cards_by_lift(all: &[(BotKind, RunStats)]) -> Vec<usize> {
    let mut cards: Vec<_> = (0..STARTER_CARDS.len()).collect();
    if let Some((_, stats)) = all.last() {
        let lift = |card: &usize| stats.lift(*card).unwrap_or(f64::NEG_INFINITY);
        cards.sort_by(|a, b| lift(b).total_cmp(&lift(a)));
    }
    cards
}

fn print_header(all: &[(BotKind, RunStats)], label: &str, extra: &str, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{label:<16}")?;
    for (kind, _) in all {
        write!(out, "  {:>8} won   battles {extra:>7}", kind.name())?;
    }
    writeln!(out)
}

fn print_row(label: &str, cells: impl Iterator<Item = (Tally, String)>, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{label:<16}")?;
    for (tally, extra) in cells {
        let rate = tally.win_rate().map_or("-".to_owned(), |it| format!("{it:.1} %"));
        write!(out, "  {rate:>12}{:>10} {extra:>7}", tally.battles())?;
    }
    writeln!(out)
}
