//! `direct_manipulation`: what a player does to cards with his hands. A drag is an action if exactly one legal action
//! does just that; nothing else moves a card, so that dragging can never go round the rules (ruling 57).

use engine::{Command, EntityId, Match, state::MatchState, view::Projector};
use ruleset::{
    ActionId, ZoneId,
    program::ActionRule,
    sort::Sort,
    text::{ActionText, Label},
};
use serde_json::Value;

use crate::{
    action::{is_of_action, text},
    error::{Meant, RequestError},
    fields::check_top,
    value,
};

/// How many legal commands are looked through for the one that was meant.
const LEGAL_MAX: usize = 4096;

/// A move by hand: exactly one legal action that does this, or something the ruleset lets players do by hand.
pub fn manipulation(live: &Match, face: &Projector, request: &Value) -> Result<Command, RequestError> {
    let is_known =
        |key: &str| is_of_action(key) || matches!(key, "action" | "cardId" | "cardIds" | "from" | "to" | "targets");
    check_top(request, is_known)?;
    match text(request, "action") {
        Some("move_card" | "move_cards") => move_cards(live, face, request),
        Some("reorder") => reorder(live, face, request),
        _ => Err(RequestError::InvalidManipulation),
    }
}

/// The cards of a request: one in `cardId`, or several in `cardIds`, each once.
fn cards(live: &Match, face: &Projector, request: &Value) -> Option<Vec<EntityId>> {
    let names = match request.get("cardIds") {
        Some(names) => names.as_array()?.iter().map(Value::as_str).collect::<Option<Vec<_>>>()?,
        None => vec![text(request, "cardId")?],
    };
    let mut cards = names.iter().map(|it| value::entity(live, face, it)).collect::<Option<Vec<_>>>()?;
    let n_cards = cards.len();
    cards.sort_unstable();
    cards.dedup();
    (n_cards > 0 && cards.len() == n_cards).then_some(cards)
}

fn zone(live: &Match, request: &Value, key: &str) -> Option<ZoneId> {
    let wanted = text(request, key)?;
    live.ruleset().program().text.zones.iter().position(|it| it.id == wanted).map(ZoneId::at)
}

/// One card, or several at once, dragged from a zone to another.
fn move_cards(live: &Match, face: &Projector, request: &Value) -> Result<Command, RequestError> {
    let program = live.ruleset().program();
    let cards = cards(live, face, request).ok_or(RequestError::InvalidManipulation)?;
    let (Some(from), Some(to)) = (zone(live, request, "from"), zone(live, request, "to")) else {
        return Err(RequestError::InvalidManipulation);
    };
    if cards.iter().any(|it| live.state().zone_kind(program, *it) != from) {
        return Err(RequestError::InvalidManipulation);
    }
    let legal = legal_with(live, face, &cards, to);
    let wanted = request.get("targets");
    let meant =
        |it: &Command| moves(live, it, &cards, to) && wanted.is_none_or(|targets| fits(live, face, it, targets));
    let mut meant: Vec<Command> = legal.into_iter().filter(meant).collect();
    match meant.len() {
        0 => Err(RequestError::InvalidManipulation),
        1 => Ok(meant.swap_remove(0)),
        _ => Err(RequestError::Ambiguous(meant.iter().filter_map(|it| describe(live, face, it)).collect())),
    }
}

/// The actions that are about these cards and move what they are about to this zone.
fn legal_with(live: &Match, face: &Projector, cards: &[EntityId], to: ZoneId) -> Vec<Command> {
    let values: Vec<i64> = cards.iter().map(|it| i64::from(*it)).collect();
    let actions = (0..).map(ActionId::at).zip(&live.ruleset().program().actions);
    let mut legal = Vec::new();
    for (id, rule) in actions.filter(|it| it.1.moves_to == to) {
        // What an action is about fills its first slot, if the action does not say otherwise.
        match rule.principal.unwrap_or(0) {
            0 => legal.extend(live.legal_with(face.player(), id, &values, LEGAL_MAX)),
            _ => legal.extend(live.legal_of(face.player(), id, LEGAL_MAX)),
        }
    }
    legal
}

fn rule_of<'m>(live: &'m Match, command: &Command) -> Option<(&'m ActionRule, &'m ActionText)> {
    let Command::Act { action, .. } = command else { return None };
    let program = live.ruleset().program();
    Some((program.action(*action)?, program.text.actions.get(action.index())?))
}

/// Whether a command is an action that moves exactly these cards to this zone.
fn moves(live: &Match, command: &Command, cards: &[EntityId], to: ZoneId) -> bool {
    let (Command::Act { targets, .. }, Some((rule, _))) = (command, rule_of(live, command)) else { return false };
    // An action on several cards has no single one it is about: its first slot holds them.
    let several = rule.slots.first().is_some_and(|it| it.ty.many && it.ty.sort == Sort::Card);
    let principal = rule.principal.or_else(|| several.then_some(0)).and_then(|it| targets.get(usize::from(it)));
    let mut moved: Vec<EntityId> = principal.into_iter().flatten().map(|it| EntityId::from(*it)).collect();
    moved.sort_unstable();
    rule.moves_to == to && moved == cards
}

/// Whether a command fills its slots as a request wants some of them filled.
fn fits(live: &Match, face: &Projector, command: &Command, wanted: &Value) -> bool {
    let given = |name: &String| {
        let names = wanted.get(name)?;
        let list = names.as_array().map_or(std::slice::from_ref(names), |it| it);
        Some(list.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect::<Vec<_>>())
    };
    let described = describe(live, face, command).map(|it| it.targets).unwrap_or_default();
    described.iter().all(|(name, targets)| given(name).is_none_or(|it| it == *targets))
}

/// An action in the words of a request.
fn describe(live: &Match, face: &Projector, command: &Command) -> Option<Meant> {
    let (Command::Act { targets, .. }, (rule, text)) = (command, rule_of(live, command)?) else { return None };
    let names = |at: usize, values: &Vec<i64>| {
        let sort = rule.slots.get(at).map_or(Sort::Entity, |it| it.ty.sort);
        let modes = text.modes.get(at).map_or(&[][..], |it| it);
        values.iter().map(|it| name(live, face, sort, modes, *it)).collect::<Vec<_>>()
    };
    let slots = text.slots.iter().zip(targets).enumerate();
    let targets = slots.map(|(at, (slot, values))| (slot.clone(), names(at, values))).collect();
    Some(Meant { action: text.label.id.clone(), targets })
}

fn name(live: &Match, face: &Projector, sort: Sort, modes: &[Label], value: i64) -> String {
    let at = usize::try_from(value).unwrap_or(usize::MAX);
    let ability = live.ruleset().program().text.abilities.get(at).filter(|_| sort == Sort::Ability);
    modes.get(at).or(ability).map_or_else(|| face.wire_id(live, value, sort), |it| it.id.clone())
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
