//! Any table as text, for terminals: drawn from a view and the catalogue of its game.

use std::{collections::BTreeMap, fmt::Write as _};

use view::{Card, Catalogue, Scalar, View, Zone};

/// Draws the table as a view shows it.
pub fn sketch(view: &View, catalogue: &Catalogue) -> String {
    let mut out = String::new();
    if let Some(turn) = &view.turn {
        let parts = [turn.active.as_ref(), turn.phase.as_ref(), turn.step.as_ref()];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        let _ = writeln!(out, "turn {}: {}", turn.number, parts.join(", "));
    }
    if !view.values.is_empty() {
        let _ = writeln!(out, "{}", values(&view.values));
    }
    draw_zones(view, catalogue, None, &mut out);
    for (id, seat) in view.seats() {
        let left = if seat.is_out { " (left)" } else { "" };
        let _ = writeln!(out, "{id}{left}  {}", values(&seat.values));
        draw_zones(view, catalogue, Some(&id), &mut out);
    }
    for row in &view.stack {
        let _ = writeln!(out, "  ^ {} {}", row.name, row.controller.as_deref().unwrap_or(""));
    }
    out
}

/// The zones a player owns, or those nobody does, in the order of the catalogue.
fn draw_zones(view: &View, catalogue: &Catalogue, owner: Option<&str>, out: &mut String) {
    let mut zones: Vec<(&str, &Zone)> = view.zones_of(owner).collect();
    let order = |id: &str| catalogue.zones.iter().position(|it| it.id == id);
    zones.sort_by_key(|it| order(it.0).unwrap_or(usize::MAX));
    zones.into_iter().for_each(|(id, zone)| draw_zone(view, catalogue, id, zone, out));
}

fn draw_zone(view: &View, catalogue: &Catalogue, id: &str, zone: &Zone, out: &mut String) {
    if zone.count == 0 {
        return;
    }
    let cards = zone.cards.iter().filter_map(|it| view.cards.get(it));
    let cards: Vec<String> = cards.map(|it| draw_card(catalogue, it)).collect();
    let n_hidden = usize::try_from(zone.count).unwrap_or(usize::MAX).saturating_sub(cards.len());
    let hidden = if n_hidden > 0 { format!(" {n_hidden} hidden") } else { String::new() };
    let _ = writeln!(out, "    {id}:{hidden} {}", cards.join(" "));
}

fn draw_card(catalogue: &Catalogue, card: &Card) -> String {
    let printed = card.def.as_ref().and_then(|def| catalogue.cards.iter().find(|it| it.id == *def));
    let name = printed.map(|it| it.name.as_str()).or_else(|| card.face.as_ref().map(|it| it.name.as_str()));
    let mut shown: BTreeMap<String, Scalar> = BTreeMap::new();
    shown.extend(printed.iter().flat_map(|it| &it.printed).map(|(name, it)| (name.clone(), Scalar::Number(*it))));
    shown.extend(card.face.iter().flat_map(|it| &it.values).map(|(name, it)| (name.clone(), it.clone())));
    shown.extend(card.values.iter().map(|(name, it)| (name.clone(), it.clone())));
    shown.extend(card.links.iter().map(|(name, it)| (name.clone(), Scalar::Text(it.to_string()))));
    shown.extend(card.controller.iter().map(|it| ("controller".to_owned(), Scalar::Text(it.clone()))));
    // Most numbers of most cards are nothing, and say so best by not being there.
    shown.retain(|_, it| *it != Scalar::Number(0));
    let name = name.unwrap_or("?");
    if shown.is_empty() { format!("[{name}]") } else { format!("[{name}: {}]", values(&shown)) }
}

fn values(values: &BTreeMap<String, Scalar>) -> String {
    values.iter().map(|(name, it)| format!("{name} {it}")).collect::<Vec<_>>().join(", ")
}
