//! The table as text, for terminals: every player, every zone, every card a viewer can see.

use std::fmt::Write as _;

use engine::{
    Match,
    view::{CardView, FieldView, PlayerView, Projector, Viewer, ZoneView},
};
use ruleset::{AttrId, Program};

/// Draws the table as a viewer sees it.
pub fn board(live: &Match, viewer: Viewer) -> String {
    let program = live.ruleset().program();
    let view = Projector::new(live.ruleset(), viewer).view(live);
    let mut out = String::new();
    for (seat, values) in view.players.iter().enumerate() {
        let seat = u8::try_from(seat).unwrap_or(u8::MAX);
        let mark = if view.active.0 == seat { '>' } else { ' ' };
        let _ = writeln!(
            out,
            "{mark} p{}  {}  {}",
            seat + 1,
            attributes(program, values, true),
            counts(program, &view, seat)
        );
        for zone in view.zones.iter().filter(|it| is_shown(program, it)) {
            row(program, zone, seat, &mut out);
        }
    }
    out
}

/// A zone whose cards are drawn one by one: where cards are in play.
fn is_shown(program: &Program, zone: &ZoneView) -> bool {
    program.zone(zone.zone).is_some_and(|it| it.active)
}

fn row(program: &Program, zone: &ZoneView, seat: u8, out: &mut String) {
    let mine: Vec<&CardView> = zone.cards.iter().filter(|it| it.controller.0 == seat).collect();
    if !mine.is_empty() {
        let cards: Vec<String> = mine.iter().map(|it| card(program, it)).collect();
        let _ = writeln!(out, "      {}", cards.join("  "));
    }
}

fn card(program: &Program, card: &CardView) -> String {
    let name = program.text.defs.get(card.def.index()).map_or("?", |it| &it.name);
    let values = attributes(program, &card.values, false);
    if values.is_empty() { format!("[{name}]") } else { format!("[{name}: {values}]") }
}

fn attributes(program: &Program, values: &[(AttrId, FieldView)], zeros: bool) -> String {
    let shown = values.iter().filter_map(|(attr, value)| {
        let name = program.text.attrs[attr.index()].name.to_lowercase();
        match value {
            FieldView::Plain(0) if !zeros => None,
            FieldView::Plain(number) => Some(format!("{number} {name}")),
            FieldView::Card(handle) => Some(format!("{name} #{handle}")),
            FieldView::Player(seat) => Some(format!("{name} p{}", seat.0 + 1)),
            FieldView::Nothing | FieldView::Hidden | FieldView::Event(_) | FieldView::List(_) => None,
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// How many cards lie in the zones that are not drawn.
fn counts(program: &Program, view: &PlayerView, seat: u8) -> String {
    let mine = view.zones.iter().filter(|it| it.seat.is_some_and(|s| s.0 == seat) && !is_shown(program, it));
    let counts = mine.map(|it| format!("{} {}", program.text.zones[it.zone.index()].name.to_lowercase(), it.count));
    format!("({})", counts.collect::<Vec<_>>().join(", "))
}
