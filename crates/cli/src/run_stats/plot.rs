//! The statistics as a picture: bars of win rates, by opponent and by card.

use std::fmt::Write;

use auto_battle::STARTER_CARDS;

use super::tables::{cards_by_lift, round_label};
use super::{BotKind, OPPONENT_ROUNDS, RunStats, Tally};

const WIDTH: usize = 760;
const LABEL_WIDTH: usize = 140;
const BAR_WIDTH: usize = 520;
const BAR_HEIGHT: usize = 11;
const GAP: usize = 6;
const MARGIN: usize = 24;
const COLOURS: [&str; 2] = ["#c98b2b", "#2b6cc9"];

/// A bar chart; each row has a bar for every bot.
pub struct Plot {
    bots: Vec<&'static str>,
    sections: Vec<(&'static str, Vec<Row>)>,
}

struct Row {
    label: String,
    tallies: Vec<Tally>,
}

impl Plot {
    /// Lays out the win rates of some bots.
    pub fn new(all: &[(BotKind, RunStats)]) -> Self {
        let rounds = (0..OPPONENT_ROUNDS).map(|round| Row {
            label: round_label(round),
            tallies: all.iter().map(|(_, it)| it.rounds[round]).collect(),
        });
        let cards = cards_by_lift(all).into_iter().map(|card| Row {
            label: STARTER_CARDS[card].name.to_owned(),
            tallies: all.iter().map(|(_, it)| it.card(card)).collect(),
        });
        Self {
            bots: all.iter().map(|(kind, _)| kind.name()).collect(),
            sections: vec![
                ("Battles won, by opponent", rounds.collect()),
                ("Battles won with the card on the board, the highest lift first", cards.collect()),
            ],
        }
    }

    /// Draws the chart as an SVG document.
    pub fn to_svg(&self) -> String {
        let mut body = String::new();
        let mut y = MARGIN;
        for (place, bot) in self.bots.iter().enumerate() {
            let x = LABEL_WIDTH + place * 110;
            rect(&mut body, x, y, BAR_HEIGHT, colour(place));
            text(&mut body, x + 16, y + BAR_HEIGHT, "start", bot);
        }
        y += MARGIN;
        for (title, rows) in &self.sections {
            y += MARGIN / 2;
            text(&mut body, LABEL_WIDTH, y, "start", title);
            y += GAP;
            for row in rows {
                self.draw_row(&mut body, row, y);
                y += self.bots.len() * BAR_HEIGHT + GAP;
            }
            y += MARGIN / 2;
        }
        let height = y + MARGIN;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
             width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"10\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
        )
    }

    fn draw_row(&self, body: &mut String, row: &Row, y: usize) {
        let middle = y + (self.bots.len() * BAR_HEIGHT) / 2 + 4;
        text(body, LABEL_WIDTH - 8, middle, "end", &row.label);
        for (place, tally) in row.tallies.iter().enumerate() {
            let top = y + place * BAR_HEIGHT;
            let rate = tally.win_rate();
            let width = rate.map_or(0, |it| (it * BAR_WIDTH as f64 / 100.0).round() as usize);
            rect(body, LABEL_WIDTH, top, width, colour(place));
            let note = rate.map_or("no battle".to_owned(), |it| format!("{it:.0} %"));
            text(body, LABEL_WIDTH + width + 4, top + BAR_HEIGHT, "start", &note);
        }
    }
}

fn colour(place: usize) -> &'static str {
    COLOURS[place % COLOURS.len()]
}

fn rect(body: &mut String, x: usize, y: usize, width: usize, fill: &str) {
    let height = BAR_HEIGHT - 1;
    let _ = writeln!(body, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>");
}

/// Writes a text; the names of cards and bots have no characters that SVG would take for its own.
fn text(body: &mut String, x: usize, y: usize, anchor: &str, words: &str) {
    let _ = writeln!(body, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>");
}
