//! Names on the wire: `p1` is a player, `c12` a card, `e7` an event; abilities by their names.

use engine::{EntityId, Match};
use ruleset::sort::Sort;
use serde_json::Value;

use crate::error::RequestError;

/// Reads one target of a slot.
pub fn read(live: &Match, sort: Sort, value: &Value) -> Result<i64, RequestError> {
    if let Some(number) = value.as_i64() {
        return Ok(number);
    }
    let text = value.as_str().ok_or_else(|| RequestError::Malformed(format!("not a name: {value}")))?;
    let unknown = || RequestError::UnknownName(text.to_owned());
    match sort {
        Sort::Ability => {
            let names = &live.ruleset().program().text.abilities;
            names.iter().position(|it| it.id == text).and_then(|it| i64::try_from(it).ok()).ok_or_else(unknown)
        }
        Sort::Event => number(text, 'e').ok_or_else(unknown),
        Sort::Int => text.parse().map_err(|_| unknown()),
        _ => entity(live, text).map(i64::from).ok_or_else(unknown),
    }
}

/// A card or player of a match by its name on the wire.
pub fn entity(live: &Match, text: &str) -> Option<EntityId> {
    let n_players = u32::from(live.state().head.n_players);
    let id = match number(text, 'p') {
        Some(seat) => u32::try_from(seat.checked_sub(1)?).ok().filter(|it| *it < n_players)?,
        None => u32::try_from(number(text, 'c')?).ok().filter(|it| *it >= n_players)?,
    };
    live.state().ent(EntityId(id)).map(|_| EntityId(id))
}

fn number(text: &str, letter: char) -> Option<i64> {
    let digits = text.strip_prefix(letter)?;
    digits.bytes().all(|it| it.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}
