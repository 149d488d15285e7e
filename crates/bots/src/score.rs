//! How a table looks to a player who knows no rules: more of everything is better, and winning is best.

use host::{
    Seat,
    view::{SeatView, View, ZoneView},
};
use selector::Value;

/// What winning is worth.
const WIN: i64 = 1_000_000;
/// What a card is worth beside its numbers.
const CARD: i64 = 2;

/// How good a view is for a seat: what it has, less what the others have on average.
pub fn score(view: &View, seat: Seat) -> i64 {
    let me = seat.to_string();
    if let Some(outcome) = &view.outcome {
        let has_won = outcome.winners.contains(&me);
        return if has_won { WIN } else { -WIN };
    }
    let n_others = i64::try_from(view.players.len()).unwrap_or(1).saturating_sub(1).max(1);
    let worth = |it: &SeatView| numbers(it.values.values()).saturating_add(cards(view, &it.id));
    let (mine, others): (Vec<&SeatView>, Vec<&SeatView>) = view.players.iter().partition(|it| it.id == me);
    let mine: i64 = mine.into_iter().map(worth).sum();
    let others: i64 = others.into_iter().map(worth).sum();
    mine.saturating_mul(n_others).saturating_sub(others)
}

fn numbers<'v>(values: impl Iterator<Item = &'v Value>) -> i64 {
    let number = |it: &Value| if let Value::Integer(number) = it { *number } else { 0 };
    values.map(number).fold(0, i64::saturating_add)
}

/// The cards of a player: those everybody sees count by their numbers, others by how many there are.
fn cards(view: &View, player: &str) -> i64 {
    let own = view.zones.iter().filter(|it| it.owner.as_deref() == Some(player));
    own.map(zone).fold(0, i64::saturating_add)
}

fn zone(zone: &ZoneView) -> i64 {
    // What lies in piles is neither here nor there.
    let is_pile = ["deck", "library", "graveyard", "discard", "exile"].contains(&zone.name.as_str());
    if is_pile {
        return 0;
    }
    let seen: i64 = zone.cards.iter().map(|it| numbers(it.values.values())).fold(0, i64::saturating_add);
    seen.saturating_add(i64::from(zone.count).saturating_mul(CARD))
}
