//! Any table as text, for terminals: drawn from a view alone.

use std::{collections::BTreeMap, fmt::Write as _};

use script::view::{CardView, View, ZoneView, text_of};
use selector::Value;

/// Draws the table as a view shows it.
pub fn sketch(view: &View) -> String {
    let mut out = String::new();
    if !view.values.is_empty() {
        let _ = writeln!(out, "{}", values(&view.values));
    }
    for zone in view.zones.iter().filter(|it| it.owner.is_none()) {
        draw_zone(zone, &mut out);
    }
    for seat in &view.players {
        let left = if seat.is_out { " (left)" } else { "" };
        let _ = writeln!(out, "{}{left}  {}", seat.id, values(&seat.values));
        for zone in view.zones.iter().filter(|it| it.owner.as_ref() == Some(&seat.id)) {
            draw_zone(zone, &mut out);
        }
    }
    for item in &view.stack {
        let _ = writeln!(out, "  ^ {} {}", item.kind, item.controller.as_deref().unwrap_or(""));
    }
    out
}

fn draw_zone(zone: &ZoneView, out: &mut String) {
    if zone.count == 0 {
        return;
    }
    let cards: Vec<String> = zone.cards.iter().map(draw_card).collect();
    let n_hidden = usize::try_from(zone.count).unwrap_or(usize::MAX).saturating_sub(cards.len());
    let hidden = if n_hidden > 0 { format!(" {n_hidden} hidden") } else { String::new() };
    let _ = writeln!(out, "    {}:{hidden} {}", zone.name, cards.join(" "));
}

fn draw_card(card: &CardView) -> String {
    // Most numbers of most cards are nothing, and say so best by not being there.
    let shown = card.values.iter().filter(|it| !matches!(it.1, Value::Integer(0) | Value::Null));
    let shown: BTreeMap<String, Value> = shown.map(|(name, it)| (name.clone(), it.clone())).collect();
    if shown.is_empty() { format!("[{}]", card.name) } else { format!("[{}: {}]", card.name, values(&shown)) }
}

fn values(values: &BTreeMap<String, Value>) -> String {
    values.iter().map(|(name, it)| format!("{name} {}", text_of(it))).collect::<Vec<_>>().join(", ")
}
