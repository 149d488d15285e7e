//! `action.submit`: semantic actions in every spelling, and moves by hand that stand for one.

use engine::{Command, EntityId, Match, state::MatchState, view::Projector};
use ruleset::{ActionId, Program, ZoneId, program::ActionRule};
use serde_json::Value;

use crate::{error::RequestError, value};

/// Reads an action request of a player, who calls cards by his own handles, and finds the command it means.
///
/// The action is `actionType`, or `type`, or `action_id` beside the type `semantic`. Slots are in `targets`, or as
/// `<slot>Id` at the top or in `params`. A version in `knownVersion` that is not the match's is refused.
pub fn action_submit(live: &Match, face: &mut Projector, request: &Value) -> Result<Command, RequestError> {
    if !request.is_object() {
        return Err(RequestError::Malformed("not an object".to_owned()));
    }
    check_version(live, request)?;
    face.settle(live.state());
    let player = face.player();
    let kind = text(request, "actionType").or_else(|| text(request, "type"));
    let name = match kind {
        Some("semantic") => text(request, "action_id").or_else(|| text(request, "actionId")),
        other => other,
    };
    match name.ok_or_else(|| RequestError::Malformed("actionType is missing".to_owned()))? {
        "pass" => Ok(Command::Pass { player }),
        "end_turn" => Ok(Command::EndTurn { player }),
        "direct_manipulation" => manipulation(live, face, request),
        name => semantic(live, face, name, request),
    }
}

fn text<'v>(request: &'v Value, key: &str) -> Option<&'v str> {
    request.get(key).and_then(Value::as_str)
}

fn check_version(live: &Match, request: &Value) -> Result<(), RequestError> {
    let current = live.state().head.version;
    match request.get("knownVersion").and_then(Value::as_u64) {
        Some(known) if known != u64::from(current) => Err(RequestError::Stale { current }),
        _ => Ok(()),
    }
}

fn semantic(live: &Match, face: &Projector, name: &str, request: &Value) -> Result<Command, RequestError> {
    let program = live.ruleset().program();
    let at = program.text.actions.iter().position(|it| it.label.id == name).ok_or(RequestError::UnknownAction)?;
    let (rule, text) = (&program.actions[at], &program.text.actions[at]);
    let mut targets = Vec::new();
    for ((slot, name), modes) in rule.slots.iter().zip(&text.slots).zip(&text.modes) {
        let given = find_slot(request, name);
        let mode = given.and_then(Value::as_str).and_then(|it| modes.iter().position(|mode| mode.id == it));
        if let Some(mode) = mode.and_then(|it| i64::try_from(it).ok()) {
            targets.push(vec![mode]);
            continue;
        }
        targets.push(match given {
            Some(Value::Array(items)) => {
                items.iter().map(|it| value::read(live, face, slot.ty.sort, it)).collect::<Result<_, _>>()?
            }
            Some(item) => vec![value::read(live, face, slot.ty.sort, item)?],
            None => Vec::new(),
        });
    }
    targets.extend(ability_targets(live, face, rule, &targets, request)?);
    Ok(Command::Act { player: face.player(), action: ActionId::at(at), targets })
}

/// A slot by its name, in `targets`, in `params` or at the top; `cardId` for `card`.
fn find_slot<'v>(request: &'v Value, name: &str) -> Option<&'v Value> {
    let places = [request.get("targets"), request.get("params"), Some(request)];
    let names = [name.to_owned(), format!("{name}Id"), format!("{name}_id")];
    places.into_iter().flatten().find_map(|place| names.iter().find_map(|it| place.get(it)))
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
    slots
        .iter()
        .zip(given)
        .map(|(slot, it)| match it {
            Value::Array(items) => items.iter().map(|v| value::read(live, face, slot.ty.sort, v)).collect(),
            item => Ok(vec![value::read(live, face, slot.ty.sort, item)?]),
        })
        .collect()
}

/// A move by hand: exactly one legal action that does this, or something the ruleset lets players do by hand.
fn manipulation(live: &Match, face: &Projector, request: &Value) -> Result<Command, RequestError> {
    match text(request, "action") {
        Some("move_card") => move_card(live, face, request),
        Some("reorder") => reorder(live, face, request),
        _ => Err(RequestError::InvalidManipulation),
    }
}

fn move_card(live: &Match, face: &Projector, request: &Value) -> Result<Command, RequestError> {
    let program = live.ruleset().program();
    let name = text(request, "cardId").ok_or(RequestError::InvalidManipulation)?;
    let card = value::entity(live, face, name).ok_or(RequestError::InvalidManipulation)?;
    let zone = |key: &str| {
        let wanted = text(request, key)?;
        program.text.zones.iter().position(|it| it.id == wanted).map(ZoneId::at)
    };
    let (Some(from), Some(to)) = (zone("from"), zone("to")) else { return Err(RequestError::InvalidManipulation) };
    if live.state().zone_kind(program, card) != from {
        return Err(RequestError::InvalidManipulation);
    }
    let meant: Vec<Command> =
        live.legal(face.player(), 4096).into_iter().filter(|it| moves(program, it, card, to)).collect();
    match meant.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(RequestError::InvalidManipulation),
        several => Err(RequestError::Ambiguous(several.iter().filter_map(|it| action_name(program, it)).collect())),
    }
}

/// Whether a command is an action that moves this card to this zone.
fn moves(program: &Program, command: &Command, card: EntityId, to: ZoneId) -> bool {
    let Command::Act { action, targets, .. } = command else { return false };
    let Some(rule) = program.action(*action) else { return false };
    let principal = rule.principal.and_then(|it| targets.get(usize::from(it))?.first());
    rule.moves_to == to && principal == Some(&i64::from(card))
}

fn action_name(program: &Program, command: &Command) -> Option<String> {
    let Command::Act { action, .. } = command else { return None };
    program.text.actions.get(action.index()).map(|it| it.label.id.clone())
}

fn reorder(live: &Match, face: &Projector, request: &Value) -> Result<Command, RequestError> {
    let program = live.ruleset().program();
    let cards = request.get("cardIds").and_then(Value::as_array).ok_or(RequestError::InvalidManipulation)?;
    let cards: Option<Vec<EntityId>> = cards.iter().map(|it| value::entity(live, face, it.as_str()?)).collect();
    let cards = cards.ok_or(RequestError::InvalidManipulation)?;
    let zone = cards.first().map_or(ZoneId::NONE, |it| live.state().zone_kind(program, *it));
    let own = MatchState::instance(program, zone, face.player());
    let all_mine = cards.iter().all(|it| live.state().ent(*it).is_some_and(|ent| ent.zone == own));
    if all_mine {
        Ok(Command::Reorder { player: face.player(), cards })
    } else {
        Err(RequestError::InvalidManipulation)
    }
}
