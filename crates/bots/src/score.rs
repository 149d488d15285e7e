//! How a table looks to a player who knows no rules: he goes by what things are called in most card games.

use host::{
    HostedMatch, Seat,
    view::{Card, Player, Scalar, View, Zone},
};

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

/// How good a match looks to a seat: what it has, less what the others have on average.
pub fn score(live: &dyn HostedMatch, view: &View, seat: Seat) -> i64 {
    let me = seat.to_string();
    if let Some(outcome) = &view.outcome {
        let has_won = outcome.winners.contains(&me);
        return if has_won { WIN } else { -WIN };
    }
    let n_others = i64::try_from(view.players.len()).unwrap_or(1).saturating_sub(1).max(1);
    let worth = |(id, it): (&String, &Player)| points(it).saturating_add(cards(live, view, id));
    let (mine, others): (Vec<_>, Vec<_>) = view.players.iter().partition(|it| *it.0 == me);
    let mine: i64 = mine.into_iter().map(worth).sum();
    let others: i64 = others.into_iter().map(worth).sum();
    mine.saturating_mul(n_others).saturating_sub(others)
}

fn points(seat: &Player) -> i64 {
    let wanted = seat.values.iter().filter(|it| POINTS.contains(&it.0.as_str()));
    wanted.filter_map(|it| it.1.number()).fold(0, i64::saturating_add).saturating_mul(POINT)
}

/// The cards of a player: those in play by their numbers, those in hand by how many there are.
fn cards(live: &dyn HostedMatch, view: &View, player: &str) -> i64 {
    let part = |(key, it): (&String, &Zone)| {
        let (name, owner) = key.split_once('@').map_or((key.as_str(), None), |it| (it.0, Some(it.1)));
        if PILES.contains(&name) { 0 } else { zone(live, view, (name, owner, it), player) }
    };
    view.zones.iter().map(part).fold(0, i64::saturating_add)
}

fn zone(live: &dyn HostedMatch, view: &View, (name, owner, zone): (&str, Option<&str>, &Zone), player: &str) -> i64 {
    let is_own = owner == Some(player);
    if name == "hand" {
        return if is_own { i64::from(zone.count).saturating_mul(CARD) } else { 0 };
    }
    // On a table all share, a card says whose it is.
    let is_theirs = |it: &&Card| {
        let controller = it.controller.as_ref().or(it.owner.as_ref());
        is_own || (owner.is_none() && controller.is_some_and(|it| it == player))
    };
    let cards = zone.cards.iter().filter_map(|it| view.cards.get(it)).filter(is_theirs);
    cards.map(|it| strength(live, it)).fold(0, i64::saturating_add).saturating_mul(STRENGTH)
}

/// What a card in play can do.
fn strength(live: &dyn HostedMatch, card: &Card) -> i64 {
    let value = |name: &&str| {
        let face = || card.face.as_ref().and_then(|it| it.values.get(*name));
        let own = card.values.get(*name).or_else(face).and_then(Scalar::number);
        own.or_else(|| card.def.as_ref().map(|it| live.printed(it, name))).unwrap_or(0)
    };
    ["attack", "power", "health", "toughness"].iter().map(value).fold(1, i64::saturating_add)
}
