//! How a table looks to a player who knows no rules: he goes by what things are called in most card games.

use host::{
    Seat,
    view::{SeatView, View, ZoneView},
};
use selector::Value;

/// What winning is worth.
const WIN: i64 = 1_000_000;
/// What a card in the hand is worth.
const CARD: i64 = 3;
/// What a point of life or score is worth.
const POINT: i64 = 3;
/// What a point on a card in play is worth.
const STRENGTH: i64 = 2;

/// What players want much of. Resources that come back every turn are not among them: they are there to be spent.
const POINTS: [&str; 9] = ["health", "life", "hp", "score", "points", "tricks", "coins", "fruit", "victory"];
/// Cards that lie there are neither here nor there.
const PILES: [&str; 6] = ["deck", "library", "graveyard", "discard", "exile", "burned"];

/// How good a view is for a seat: what it has, less what the others have on average.
pub fn score(view: &View, seat: Seat) -> i64 {
    let me = seat.to_string();
    if let Some(outcome) = &view.outcome {
        let has_won = outcome.winners.contains(&me);
        return if has_won { WIN } else { -WIN };
    }
    let n_others = i64::try_from(view.players.len()).unwrap_or(1).saturating_sub(1).max(1);
    let worth = |it: &SeatView| points(it).saturating_add(cards(view, &it.id));
    let (mine, others): (Vec<&SeatView>, Vec<&SeatView>) = view.players.iter().partition(|it| it.id == me);
    let mine: i64 = mine.into_iter().map(worth).sum();
    let others: i64 = others.into_iter().map(worth).sum();
    mine.saturating_mul(n_others).saturating_sub(others)
}

fn number(value: &Value) -> i64 {
    if let Value::Integer(number) = value { *number } else { 0 }
}

fn points(seat: &SeatView) -> i64 {
    let wanted = seat.values.iter().filter(|it| POINTS.contains(&it.0.as_str()));
    wanted.map(|it| number(it.1)).fold(0, i64::saturating_add).saturating_mul(POINT)
}

/// The cards of a player: those in play by their numbers, those in hand by how many there are.
fn cards(view: &View, player: &str) -> i64 {
    let own = view.zones.iter().filter(|it| !PILES.contains(&it.name.as_str()));
    own.map(|it| zone(it, player)).fold(0, i64::saturating_add)
}

fn zone(zone: &ZoneView, player: &str) -> i64 {
    let is_own = zone.owner.as_deref() == Some(player);
    if zone.name == "hand" {
        return if is_own { i64::from(zone.count).saturating_mul(CARD) } else { 0 };
    }
    // On a table all share, a card says whose it is.
    let is_his = |it: &&host::view::CardView| {
        let controller = it.values.get("controller").or_else(|| it.values.get("owner"));
        is_own || (zone.owner.is_none() && controller == Some(&Value::from(player)))
    };
    let strength = |it: &host::view::CardView| {
        let sum = ["attack", "power", "health", "toughness"].iter().filter_map(|name| it.values.get(*name)).map(number);
        sum.fold(1, i64::saturating_add)
    };
    zone.cards.iter().filter(is_his).map(strength).fold(0, i64::saturating_add).saturating_mul(STRENGTH)
}
