//! Activated abilities: who has them, whether they can be used, what they need.

use ruleset::{
    AbilityId, DefId, NULL, Program, RuleId,
    program::{Domain, Rule, Timing},
};

use crate::{
    cost,
    derived::is_live,
    eval::{Cx, Who, holds},
    fault::{Fault, Limit},
    ids::EntityId,
    scratch::{Aside, Machine},
    select,
    state::{LimitKey, LimitScope, MatchState, ModKind},
};

/// How deep abilities and continuous effects may ask for each other.
pub const CALL_DEPTH_MAX: u8 = 16;

/// The rule of a card's ability, printed or given by a keyword.
pub fn rule_of(state: &MatchState, program: &Program, card: EntityId, ability: AbilityId) -> Option<RuleId> {
    let def = state.ent(card)?.def;
    let works = |id: &RuleId| program.rule(*id).is_some_and(|it| !state.is_muted(card, it));
    program.ability_of(def, ability).filter(works).or_else(|| {
        let granted = state.mods.iter().filter(|it| it.target == card && it.what == ModKind::Grant);
        let rules = granted.filter_map(|it| program.keywords.get(usize::from(it.of))).flat_map(|it| &it.rules);
        let named =
            |id: &&RuleId| program.rule(**id).is_some_and(|it| it.timing == Timing::Activated && it.ability == ability);
        { rules }.find(named).copied().filter(works)
    })
}

/// The names of all activated abilities of a card.
pub fn names_of(state: &MatchState, program: &Program, card: EntityId) -> impl Iterator<Item = i64> {
    let def = state.ent(card).map_or(DefId::NONE, |it| it.def);
    let granted = state.mods.iter().filter(move |it| it.target == card && it.what == ModKind::Grant);
    let granted = granted.filter_map(|it| program.keywords.get(usize::from(it.of))).flat_map(|it| &it.rules);
    let printed = program.def(def).map_or(&[][..], |it| &it.rules);
    let rules = printed.iter().chain(granted).filter_map(|it| program.rule(*it));
    let works = move |it: &&Rule| it.timing == Timing::Activated && !state.is_muted(card, it);
    rules.filter(works).map(|it| it.ability.into())
}

/// Whether a player could activate an ability now (ruling 51): he controls the card, the ability works where it is,
/// its conditions hold, its limiter has room, its cost can be paid and a legal target exists.
pub fn can_activate(cx: &Cx<'_>, machine: &mut Machine, card: EntityId, ability: AbilityId) -> Result<bool, Fault> {
    let Some(id) = rule_of(cx.state, cx.program, card, ability) else {
        return Ok(false);
    };
    let Some(rule) = cx.program.rule(id) else {
        return Ok(false);
    };
    let controls = cx.state.ent(card).is_some_and(|it| it.controller == cx.you);
    if !controls || !is_live(cx.program, cx.state, card, id) || !has_uses_left(cx.state, rule, id, card) {
        return Ok(false);
    }
    // What an ability needs may be that another can be used, but not for ever.
    if machine.depth >= CALL_DEPTH_MAX {
        return Err(Fault::Limit(Limit::StackDepth));
    }
    let who = Who { cause: cx.cause, ..Who::card(card, cx.you) };
    let inner = cx.seen_by(who);
    let saved = save(machine, rule.cells);
    machine.depth = machine.depth.saturating_add(1);
    let can = is_usable(&inner, machine, rule);
    machine.depth = machine.depth.saturating_sub(1);
    restore(machine, saved);
    can
}

fn is_usable(cx: &Cx<'_>, machine: &mut Machine, rule: &Rule) -> Result<bool, Fault> {
    Ok(holds(cx, machine, rule.conditions)?
        && has_targets(cx, machine, rule)?
        && cost::can_pay(cx, machine, rule.costs)?)
}

type Saved = ([i64; 16], Aside);

/// Puts aside what other code is working with; an ability has so many variables of its own.
pub fn save(machine: &mut Machine, cells: u16) -> Saved {
    (core::mem::replace(&mut machine.regs, [NULL; 16]), machine.set_aside(usize::from(cells)))
}

/// Brings back what was put aside.
pub fn restore(machine: &mut Machine, (regs, locals): Saved) {
    machine.regs = regs;
    machine.bring_back(locals);
}

pub(crate) fn has_uses_left(state: &MatchState, rule: &Rule, id: RuleId, card: EntityId) -> bool {
    let key = use_key(state, id, card);
    let used = state.counts.iter().find(|it| it.0 == key).map_or(0, |it| it.1);
    rule.limiter.per_turn.is_none_or(|it| used < it)
}

/// What activations of an ability are counted for.
pub fn use_key(state: &MatchState, id: RuleId, card: EntityId) -> LimitKey {
    LimitKey { rule: id, holder: card, scope: LimitScope::Turn(state.head.turn) }
}

fn has_targets(cx: &Cx<'_>, machine: &mut Machine, rule: &Rule) -> Result<bool, Fault> {
    for slot in &rule.slots {
        let Domain::Select(select) = slot.domain else {
            continue;
        };
        // A slot that looks at another is judged when that one is filled.
        if slot.depends != 0 || slot.min == 0 {
            continue;
        }
        if select::count(cx, machine, select)? < i64::from(slot.min) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Makes the variables of an ability's row hold the targets that were chosen: for each slot how many, then which.
pub fn bind_targets(rule: &Rule, targets: &[i64], machine: &mut Machine) {
    let mut rest = targets;
    for (i, slot) in rule.slots.iter().enumerate() {
        let [n, tail @ ..] = rest else { break };
        let n = usize::try_from(*n).unwrap_or(0).min(tail.len());
        let (mine, after) = tail.split_at(n);
        rest = after;
        let at = usize::from(rule.slots_at).saturating_add(i);
        let one = mine.first().copied().unwrap_or(NULL);
        let value = if slot.ty.many { machine.add_list(mine) } else { one };
        machine.set_local(at, value);
    }
}
