//! `action.submit`: semantic actions in every spelling.

use engine::{Command, EntityId, Match, view::Projector};
use ruleset::{
    ActionId,
    program::{ActionRule, Slot},
    sort::Sort,
    text::Label,
};
use serde_json::Value;

use crate::{
    error::RequestError,
    fields::{check_keys, check_top, is_envelope, pointer},
    manipulation::manipulation,
    value,
};

/// How many bytes of `metadata` a request may carry. No rule ever sees them.
pub const METADATA_BYTES_MAX: usize = 4096;

/// Reads an action request of a player, who calls cards by his own handles, and finds the command it means.
///
/// The action is `actionType`, or `type`, or `action_id` beside the type `semantic`. Slots are in `targets`, or as
/// `<slot>Id` at the top or in `params`.
pub fn action_submit(live: &Match, face: &mut Projector, request: &Value) -> Result<Command, RequestError> {
    if !request.is_object() {
        return Err(RequestError::Malformed("not an object".to_owned()));
    }
    check_metadata(request)?;
    face.settle(live.state());
    let player = face.player();
    let kind = text(request, "actionType").or_else(|| text(request, "type"));
    let name = match kind {
        Some("semantic") => text(request, "action_id").or_else(|| text(request, "actionId")),
        other => other,
    };
    match name.ok_or_else(|| RequestError::Malformed("actionType is missing".to_owned()))? {
        "pass" => check_top(request, is_of_action).map(|()| Command::Pass { player }),
        "end_turn" => check_top(request, is_of_action).map(|()| Command::EndTurn { player }),
        "direct_manipulation" => manipulation(live, face, request),
        name => semantic(live, face, name, request),
    }
}

/// Whether a key belongs to requests of actions, whichever they are.
pub(crate) fn is_of_action(key: &str) -> bool {
    matches!(key, "actionType" | "action_id" | "actionId")
}

pub(crate) fn text<'v>(request: &'v Value, key: &str) -> Option<&'v str> {
    request.get(key).and_then(Value::as_str)
}

/// The version of the match a request was made for, if it says so. Who hosts the match compares it.
pub fn known_version(request: &Value) -> Option<u32> {
    let version = request.get("knownVersion").or_else(|| request.get("branchId"))?.as_u64()?;
    // A version no match will ever have is no version of this one.
    Some(u32::try_from(version).unwrap_or(u32::MAX))
}

/// What a client says about how a request came about is accepted, and bounded.
fn check_metadata(request: &Value) -> Result<(), RequestError> {
    let Some(metadata) = request.get("metadata") else { return Ok(()) };
    let n_bytes = metadata.to_string().len();
    let fits = n_bytes <= METADATA_BYTES_MAX;
    if fits { Ok(()) } else { Err(RequestError::Malformed(format!("metadata is too large: {n_bytes} bytes"))) }
}

fn semantic(live: &Match, face: &Projector, name: &str, request: &Value) -> Result<Command, RequestError> {
    let program = live.ruleset().program();
    let at = program.text.actions.iter().position(|it| it.label.id == name).ok_or(RequestError::UnknownAction)?;
    let (rule, text) = (&program.actions[at], &program.text.actions[at]);
    check_slots(request, &text.slots, rule.ability.is_some())?;
    let mut targets: Vec<Vec<i64>> = Vec::new();
    for ((slot, name), modes) in rule.slots.iter().zip(&text.slots).zip(&text.modes) {
        let given = find_slot(request, name)?.map_or(&[][..], listed);
        let place = Place { action: ActionId::at(at), bound: &targets, slot, modes };
        let values = given.iter().map(|it| place.read(live, face, it)).collect::<Result<_, _>>()?;
        targets.push(values);
    }
    targets.extend(ability_targets(live, face, rule, &targets, request)?);
    Ok(Command::Act { player: face.player(), action: ActionId::at(at), targets })
}

/// Reads the beginning of an action: which it is, and what fills its slots up to the first that is not given. What can
/// fill that one is what [`Match::candidates`] says.
pub fn action_begun(
    live: &Match,
    face: &mut Projector,
    request: &Value,
) -> Result<(ActionId, Vec<Vec<i64>>), RequestError> {
    let Command::Act { action, mut targets, .. } = action_submit(live, face, request)? else {
        return Err(RequestError::UnknownAction);
    };
    let n_given = targets.iter().position(Vec::is_empty).unwrap_or(targets.len());
    targets.truncate(n_given);
    Ok((action, targets))
}

/// A slot of an action, the ones before it being filled.
struct Place<'p> {
    action: ActionId,
    bound: &'p [Vec<i64>],
    slot: &'p Slot,
    modes: &'p [Label],
}

impl Place<'_> {
    /// One target: by its name, a mode by its id, or `h2` for the second of the candidates where the player may not
    /// know which card that is.
    fn read(&self, live: &Match, face: &Projector, given: &Value) -> Result<i64, RequestError> {
        let text = given.as_str().unwrap_or_default();
        if let Some(mode) = self.modes.iter().position(|it| it.id == text).and_then(|it| i64::try_from(it).ok()) {
            return Ok(mode);
        }
        let sort = self.slot.ty.sort;
        let place = text.strip_prefix('h').and_then(|it| it.parse::<usize>().ok());
        match place.filter(|_| matches!(sort, Sort::Card | Sort::Entity)) {
            Some(place) => {
                let candidates = live.candidates(face.player(), self.action, self.bound);
                let chosen = candidates.and_then(|it| it.values.get(place.checked_sub(1)?).copied());
                chosen.ok_or_else(|| RequestError::UnknownName(text.to_owned()))
            }
            None => value::read(live, face, sort, given),
        }
    }
}

/// What fills a slot, as a list.
fn listed(given: &Value) -> &[Value] {
    given.as_array().map_or(std::slice::from_ref(given), |it| it)
}

/// A slot by its name, in `targets`, in `params` or at the top; `cardId` for `card`. Given twice, it must be the same.
fn find_slot<'v>(request: &'v Value, name: &str) -> Result<Option<&'v Value>, RequestError> {
    let mut first: Option<(String, &Value)> = None;
    for place in ["/targets", "/params", ""] {
        let Some(within) = request.pointer(place) else { continue };
        for key in spellings(name) {
            let Some(given) = within.get(&key).filter(|_| !(place.is_empty() && is_envelope(&key))) else { continue };
            let here = pointer(place, &key);
            match &first {
                Some((there, other)) if listed(other) != listed(given) => {
                    let message = format!("{name} is given twice, and not the same: {there} and {here}");
                    return Err(RequestError::Malformed(message));
                }
                Some(_) => {}
                None => first = Some((here, given)),
            }
        }
    }
    Ok(first.map(|it| it.1))
}

/// How the name of a slot may be written.
fn spellings(name: &str) -> [String; 3] {
    [name.to_owned(), format!("{name}Id"), format!("{name}_id")]
}

/// Refuses what fills no slot: one that may stay empty would do so, and nobody would know why. `ability` in `targets` is
/// what fills the slots of the ability that an action runs.
fn check_slots(request: &Value, slots: &[String], runs_ability: bool) -> Result<(), RequestError> {
    let is_slot = |key: &str| slots.iter().any(|it| spellings(it).iter().any(|name| name == key));
    for place in ["targets", "params"] {
        let Some(given) = request.get(place).filter(|it| !it.is_null()) else { continue };
        if !given.is_object() {
            return Err(RequestError::Malformed(format!("{place} must be an object")));
        }
        let of_ability = |key: &str| runs_ability && place == "targets" && key == "ability";
        check_keys(given, &format!("/{place}"), |it| of_ability(it) || is_slot(it))?;
    }
    check_top(request, |it| is_of_action(it) || matches!(it, "targets" | "params") || is_slot(it))
}

/// The targets of the ability an action runs, by the names of the ability's own slots in `targets`.
fn ability_targets(
    live: &Match,
    face: &Projector,
    rule: &ActionRule,
    bound: &[Vec<i64>],
    request: &Value,
) -> Result<Vec<Vec<i64>>, RequestError> {
    let program = live.ruleset().program();
    let Some(ability) = rule.ability.and_then(|it| bound.get(usize::from(it))?.first()) else { return Ok(Vec::new()) };
    let card = rule
        .principal
        .and_then(|it| bound.get(usize::from(it))?.first())
        .map_or(EntityId::NONE, |it| EntityId::from(*it));
    let found = engine::ability::rule_of(live.state(), program, card, ruleset::AbilityId::from(*ability));
    let slots = found.and_then(|it| program.rule(it)).map_or(&[][..], |it| &it.slots);
    let Some(given) = request.get("targets").and_then(|it| it.get("ability")) else { return Ok(Vec::new()) };
    let given = given.as_array().ok_or_else(|| RequestError::Malformed("targets.ability must be a list".to_owned()))?;
    if given.len() > slots.len() {
        let message = format!("targets.ability has more than the {} slots of the ability", slots.len());
        return Err(RequestError::Malformed(message));
    }
    slots
        .iter()
        .zip(given)
        .map(|(slot, it)| match it {
            Value::Array(items) => items.iter().map(|v| value::read(live, face, slot.ty.sort, v)).collect(),
            item => Ok(vec![value::read(live, face, slot.ty.sort, item)?]),
        })
        .collect()
}
