//! Names on the wire: `p1` is a player, `c12` a card by the player's own handle, `e2` the second row of the stack;
//! abilities by their names.

use engine::{EntityId, Match, view::Projector};
use ruleset::sort::Sort;
use serde_json::Value;

use crate::error::RequestError;

/// Reads one target of a slot.
pub fn read(live: &Match, face: &Projector, sort: Sort, value: &Value) -> Result<i64, RequestError> {
    if let (Sort::Int, Some(number)) = (sort, value.as_i64()) {
        return Ok(number);
    }
    let text = value.as_str().ok_or_else(|| RequestError::Malformed(format!("not a name: {value}")))?;
    let unknown = || RequestError::UnknownName(text.to_owned());
    match sort {
        Sort::Ability => {
            let names = &live.ruleset().program().text.abilities;
            names.iter().position(|it| it.id == text).and_then(|it| i64::try_from(it).ok()).ok_or_else(unknown)
        }
        Sort::Event => face.read_id(live, text).filter(|_| text.starts_with('e')).ok_or_else(unknown),
        Sort::Int => text.parse().map_err(|_| unknown()),
        _ => entity(live, face, text).map(i64::from).ok_or_else(unknown),
    }
}

/// A card or player of a match by its name on the wire.
pub fn entity(live: &Match, face: &Projector, text: &str) -> Option<EntityId> {
    face.read_id(live, text).filter(|_| !text.starts_with('e')).map(EntityId::from)
}
