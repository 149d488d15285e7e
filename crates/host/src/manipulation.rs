//! What a player does to cards with their hands. A drag is an action if exactly one legal action does just that; nothing
//! else moves a card, so that dragging can never go round the rules (ruling 57).

use std::collections::BTreeMap;

use engine::{Command, EntityId, Match, state::MatchState, view::Projector};
use ruleset::{
    ActionId, ZoneId,
    program::ActionRule,
    sort::Sort,
    text::{ActionText, Label},
};
use view::{Kind, Ref};

use crate::{
    names,
    playing::HandMove,
    refused::{Meant, Refused},
};

/// How many legal commands are looked through for the one that was meant.
const LEGAL_MAX: usize = 4096;

fn invalid(message: &str) -> Refused {
    Refused::new("request/invalid_manipulation", message)
}

/// A move by hand: exactly one legal action that does this, or something the ruleset lets players do by hand.
pub fn read(live: &Match, eyes: &Projector, it: &HandMove) -> Result<Command, Refused> {
    match it {
        HandMove::Cards { cards, from, to, targets } => {
            let cards = entities(eyes, cards)?;
            let from = zone(live, from).ok_or_else(|| Refused::unknown_name("/from", from))?;
            let to = zone(live, to).ok_or_else(|| Refused::unknown_name("/to", to))?;
            move_cards(live, eyes, &cards, (from, to), targets)
        }
        HandMove::Order { cards } => reorder(live, eyes, &entities(eyes, cards)?),
    }
}

/// Cards by their handles, each once.
fn entities(eyes: &Projector, refs: &[Ref]) -> Result<Vec<EntityId>, Refused> {
    let card = |(at, it): (usize, &Ref)| {
        let found = if let Ref::Card(handle) = it { eyes.card(*handle) } else { None };
        found.ok_or_else(|| Refused::unknown_name(&format!("/cardIds/{at}"), &it.to_string()))
    };
    let cards: Vec<EntityId> = refs.iter().enumerate().map(card).collect::<Result<_, _>>()?;
    let is_once = |(at, it): (usize, &EntityId)| !cards.iter().take(at).any(|other| other == it);
    let all_once = !cards.is_empty() && cards.iter().enumerate().all(is_once);
    if all_once { Ok(cards) } else { Err(invalid("a move is about at least one card, and each once")) }
}

fn zone(live: &Match, wanted: &str) -> Option<ZoneId> {
    live.ruleset().program().text.zones.iter().position(|it| it.id == wanted).map(ZoneId::at)
}

/// One card, or several at once, dragged from a zone to another.
fn move_cards(
    live: &Match,
    eyes: &Projector,
    cards: &[EntityId],
    (from, to): (ZoneId, ZoneId),
    targets: &BTreeMap<String, Vec<Ref>>,
) -> Result<Command, Refused> {
    let program = live.ruleset().program();
    if cards.iter().any(|it| live.state().zone_kind(program, *it) != from) {
        return Err(invalid("the card does not lie there").at("/from"));
    }
    let meant = |it: &Command| moves(live, it, cards, to) && fits(live, eyes, it, targets);
    let mut meant: Vec<Command> = legal_with(live, eyes, cards, to).into_iter().filter(meant).collect();
    match meant.len() {
        0 => Err(invalid("no action you can take now does that")),
        1 => Ok(meant.swap_remove(0)),
        _ => {
            let candidates = meant.iter().filter_map(|it| describe(live, eyes, it)).collect();
            let message = "this could mean several actions; say what you mean in targets";
            Err(Refused { candidates, ..Refused::new("request/ambiguous", message) })
        }
    }
}

/// The actions that are about these cards and move what they are about to this zone.
fn legal_with(live: &Match, eyes: &Projector, cards: &[EntityId], to: ZoneId) -> Vec<Command> {
    let values: Vec<i64> = cards.iter().map(|it| i64::from(*it)).collect();
    let actions = (0..).map(ActionId::at).zip(&live.ruleset().program().actions);
    let mut legal = Vec::new();
    for (id, rule) in actions.filter(|it| it.1.moves_to == to) {
        // What an action is about fills its first slot, if the action does not say otherwise.
        match rule.principal.unwrap_or(0) {
            0 => legal.extend(live.legal_with(eyes.player(), id, &values, LEGAL_MAX)),
            _ => legal.extend(live.legal_of(eyes.player(), id, LEGAL_MAX)),
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
    let mut wanted = cards.to_vec();
    moved.sort_unstable();
    wanted.sort_unstable();
    rule.moves_to == to && moved == wanted
}

/// Whether a command fills its slots as a request wants some of them filled.
fn fits(live: &Match, eyes: &Projector, command: &Command, wanted: &BTreeMap<String, Vec<Ref>>) -> bool {
    let described = describe(live, eyes, command).map(|it| it.targets).unwrap_or_default();
    described.iter().all(|(name, targets)| wanted.get(name).is_none_or(|it| it == targets))
}

/// An action in the words of a request.
fn describe(live: &Match, eyes: &Projector, command: &Command) -> Option<Meant> {
    let (Command::Act { targets, .. }, (rule, text)) = (command, rule_of(live, command)?) else { return None };
    let called = |at: usize, values: &Vec<i64>| {
        let sort = rule.slots.get(at).map_or(Sort::Entity, |it| it.ty.sort);
        let modes = text.modes.get(at).map_or(&[][..], |it| it);
        values.iter().map(|it| name(live, eyes, sort, modes, *it)).collect::<Vec<_>>()
    };
    let slots = text.slots.iter().zip(targets).enumerate();
    let targets = slots.map(|(at, (slot, values))| (slot.clone(), called(at, values))).collect();
    Some(Meant { action: text.label.id.clone(), targets })
}

fn name(live: &Match, eyes: &Projector, sort: Sort, modes: &[Label], value: i64) -> Ref {
    let mode = usize::try_from(value).ok().and_then(|it| modes.get(it));
    mode.map_or_else(|| names::of_value(live, eyes, value, sort, 0), |it| Ref::named(Kind::Mode, it.id.as_str()))
}

fn reorder(live: &Match, eyes: &Projector, cards: &[EntityId]) -> Result<Command, Refused> {
    let program = live.ruleset().program();
    let zone = cards.first().map_or(ZoneId::NONE, |it| live.state().zone_kind(program, *it));
    let own = MatchState::instance(program, zone, eyes.player());
    let all_mine = cards.iter().all(|it| live.state().ent(*it).is_some_and(|ent| ent.zone == own));
    if !all_mine {
        return Err(invalid("only cards of one zone of your own can be put in order").at("/cardIds"));
    }
    Ok(Command::Reorder { player: eyes.player(), cards: cards.to_vec() })
}
