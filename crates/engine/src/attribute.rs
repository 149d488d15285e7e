//! Effective values: base, then modifiers that set, then modifiers that add, by age; continuous effects alike.

use ruleset::{
    AbilityId, AttrId, DefId, KeywordId, Program, RuleId,
    instr::ModifyWhat,
    program::{AttrRule, Aura, Rule},
};

use crate::{
    derived::has_printed_keyword,
    eval::{Cx, Who, eval},
    ids::EntityId,
    scratch::Machine,
    state::{Entity, MatchState, ModKind, Modifier, Status},
};

/// How deep continuous effects may look at each other; each sees only those declared before it.
const AURA_DEPTH_MAX: u8 = 16;

/// The effective value of an attribute.
pub fn value(cx: &Cx<'_>, machine: &mut Machine, entity: EntityId, attr: AttrId) -> i64 {
    cx.state.ent(entity).map_or(0, |it| value_of(cx, machine, entity, it, attr))
}

/// The effective value of an attribute of an entity whose row is at hand.
#[inline]
pub fn value_of(cx: &Cx<'_>, machine: &mut Machine, entity: EntityId, row: &Entity, attr: AttrId) -> i64 {
    let Some(rule) = cx.program.attr(attr) else { return 0 };
    let has = if row.status == Status::Player { rule.on_players } else { rule.on_cards };
    if !has {
        return 0;
    }
    let base = cx.state.base(cx.program, entity, rule.column);
    if cx.state.mods.is_empty() && !rule.has_auras && !rule.is_link() {
        return i64::from(base);
    }
    changed_value(cx, machine, entity, attr, rule, base)
}

/// The effective value of what something may have changed, out of the way of what nothing changes.
#[inline(never)]
fn changed_value(
    cx: &Cx<'_>,
    machine: &mut Machine,
    entity: EntityId,
    attr: AttrId,
    rule: &AttrRule,
    base: i32,
) -> i64 {
    if rule.is_link() {
        return rule.shown(base);
    }
    let modified = modified(cx, machine, entity, attr, base);
    i64::from(modified.clamp(rule.min, rule.max))
}

/// Whether an entity has an attribute at all: cards and players share columns, but not meanings.
fn has(state: &MatchState, entity: EntityId, rule: &AttrRule) -> bool {
    let is_player = state.ent(entity).is_some_and(|it| it.status == Status::Player);
    if is_player { rule.on_players } else { rule.on_cards }
}

/// The value of an attribute without what changes it.
pub fn base(program: &Program, state: &MatchState, entity: EntityId, attr: AttrId) -> i64 {
    let rule = program.attr(attr).filter(|it| has(state, entity, it));
    rule.map_or(0, |it| it.shown(state.base(program, entity, it.column)))
}

fn modified(cx: &Cx<'_>, machine: &mut Machine, entity: EntityId, attr: AttrId, base: i32) -> i32 {
    let mods = || cx.state.mods.iter().filter(|it| it.target == entity && it.of == attr.0);
    let set = mods().rfind(|it| it.what == ModKind::Set).map_or(base, |it| it.value);
    let mut total = set;
    for_each_aura(cx, machine, entity, ModifyWhat::Set, attr.0, |_, _, value| total = value);
    for modifier in mods().filter(|it| it.what == ModKind::Add) {
        total = total.saturating_add(modifier.value);
    }
    for_alike_auras(cx, machine, entity, ModifyWhat::Add, attr.0, |value, times| {
        total = total.saturating_add(value.saturating_mul(times));
    });
    total
}

/// Whether a card has a keyword: printed or given, and not taken.
pub fn has_keyword(cx: &Cx<'_>, machine: &mut Machine, card: EntityId, keyword: KeywordId) -> bool {
    let mut has = has_own_keyword(cx.program, cx.state, card, keyword);
    for_alike_auras(cx, machine, card, ModifyWhat::Grant, keyword.0, |_, _| has = true);
    for_alike_auras(cx, machine, card, ModifyWhat::Lose, keyword.0, |_, _| has = false);
    has
}

/// The same without continuous effects.
pub fn has_own_keyword(program: &Program, state: &MatchState, card: EntityId, keyword: KeywordId) -> bool {
    let Some(ent) = state.ent(card) else {
        return false;
    };
    keyword_with(program, ent.def, &state.mods, card, keyword)
}

/// The same for a card as it was before it became what is printed on it.
pub fn had_own_keyword(program: &Program, state: &MatchState, card: EntityId, keyword: KeywordId) -> bool {
    state.ent(card).is_some_and(|it| keyword_with(program, it.def, &state.parted, card, keyword))
}

fn keyword_with(program: &Program, def: DefId, mods: &[Modifier], card: EntityId, keyword: KeywordId) -> bool {
    let mut has = has_printed_keyword(program, def, keyword);
    for modifier in mods.iter().filter(|it| it.target == card) {
        match modifier.what {
            ModKind::Grant if modifier.of == keyword.0 => has = true,
            ModKind::Lose if modifier.of == keyword.0 => has = false,
            // Whoever loses all abilities loses the words printed or given so far.
            ModKind::Mute if modifier.of == AbilityId::NONE.0 => has = false,
            ModKind::Grant | ModKind::Lose | ModKind::Mute | ModKind::Add | ModKind::Set => {}
        }
    }
    has
}

/// The continuous effects that may change this of an entity, as far as one that asks may know of them.
fn auras_on<'c>(
    cx: &Cx<'c>,
    machine: &Machine,
    what: ModifyWhat,
    of: u16,
) -> impl Iterator<Item = AuraOf<'c>> + use<'c> {
    let (program, limit) = (cx.program, cx.aura_limit);
    let ids = if machine.depth >= AURA_DEPTH_MAX { &[] } else { program.auras_on(what, of) };
    let known = ids.iter().take_while(move |it| **it < limit);
    let rows = known.filter_map(|it| program.rule(*it).and_then(|rule| Some((*it, rule, rule.aura?))));
    rows.filter(move |it| it.2.what == what)
}

/// The rule of a continuous effect, and what it changes.
type AuraOf<'c> = (RuleId, &'c Rule, Aura);

/// Visits every continuous effect that changes this of an entity, in order of rule and source.
fn for_each_aura(
    cx: &Cx<'_>,
    machine: &mut Machine,
    entity: EntityId,
    what: ModifyWhat,
    of: u16,
    mut visit: impl FnMut(RuleId, EntityId, i32),
) {
    for (id, rule, aura) in auras_on(cx, machine, what, of) {
        for source in cx.derived.listeners_by_age(id) {
            if let Some(value) = aura_value(cx, machine, id, rule.conditions, aura, source, entity) {
                visit(id, source, value);
            }
        }
    }
}

/// The same where the order of sources does not matter: what is alike from all cards of a player is worked out once, and
/// visited with how many there are.
fn for_alike_auras(
    cx: &Cx<'_>,
    machine: &mut Machine,
    entity: EntityId,
    what: ModifyWhat,
    of: u16,
    mut visit: impl FnMut(i32, i32),
) {
    for (id, rule, aura) in auras_on(cx, machine, what, of) {
        let mut rest = cx.derived.listeners(id);
        while let Some((_, controller, first)) = rest.first().copied() {
            let end = if aura.is_alike { rest.partition_point(|it| it.1 <= controller) } else { 1 };
            let (group, others) = rest.split_at(end);
            rest = others;
            let is_in = aura.is_alike && group.binary_search(&(id, controller, entity)).is_ok();
            let one = if is_in { group.iter().map(|it| it.2).find(|it| *it != entity) } else { Some(first) };
            let n = i32::try_from(end).unwrap_or(i32::MAX).saturating_sub(i32::from(is_in));
            let itself = is_in.then_some((entity, 1));
            for (source, times) in itself.into_iter().chain(one.map(|it| (it, n))) {
                if let Some(value) = aura_value(cx, machine, id, rule.conditions, aura, source, entity) {
                    visit(value, times);
                }
            }
        }
    }
}

/// The continuous effects that change this of an entity, with what each of them comes to.
pub fn auras(
    cx: &Cx<'_>,
    machine: &mut Machine,
    entity: EntityId,
    what: ModifyWhat,
    of: u16,
) -> alloc::vec::Vec<(RuleId, EntityId, i32)> {
    let mut found = alloc::vec::Vec::new();
    for_each_aura(cx, machine, entity, what, of, |rule, source, value| found.push((rule, source, value)));
    found
}

fn aura_value(
    cx: &Cx<'_>,
    machine: &mut Machine,
    id: RuleId,
    conditions: ruleset::CodePtr,
    aura: Aura,
    source: EntityId,
    entity: EntityId,
) -> Option<i32> {
    let you = cx.state.ent(source)?.controller;
    let inner = cx.seen_by(Who { aura_limit: id, ..Who::card(source, you) });
    let regs = core::mem::replace(&mut machine.regs, [ruleset::NULL; 16]);
    let locals = machine.set_aside(0);
    machine.depth = machine.depth.saturating_add(1);
    if let Some(first) = machine.regs.first_mut() {
        *first = entity.into();
    }
    let applies = holds(&inner, machine, conditions) && holds(&inner, machine, aura.affects);
    let value = if applies && aura.value.is_some() { eval(&inner, machine, aura.value).unwrap_or(0) } else { 0 };
    machine.depth = machine.depth.saturating_sub(1);
    machine.regs = regs;
    machine.bring_back(locals);
    applies.then(|| clamp(value))
}

fn holds(cx: &Cx<'_>, machine: &mut Machine, code: ruleset::CodePtr) -> bool {
    code.is_none() || eval(cx, machine, code).is_ok_and(|it| it == 1)
}

/// A number as an attribute can hold it.
pub fn clamp(value: i64) -> i32 {
    if value == ruleset::NULL {
        return 0;
    }
    i32::try_from(value.clamp(i64::from(i32::MIN), i64::from(i32::MAX))).unwrap_or(0)
}

/// The effective values of a card by column, as they are kept when it leaves play; what no attribute of cards has stays.
pub fn all_stored(cx: &Cx<'_>, machine: &mut Machine, card: EntityId) -> alloc::vec::Vec<i64> {
    let stride = usize::from(cx.program.stride);
    let start = card.index().saturating_mul(stride);
    let last = cx.state.last.get(start..start.saturating_add(stride)).unwrap_or_default();
    let mut values: alloc::vec::Vec<i64> = last.iter().map(|it| i64::from(*it)).collect();
    for (i, rule) in cx.program.attrs.iter().enumerate().filter(|it| it.1.on_cards) {
        let value = rule.stored(value(cx, machine, card, AttrId::at(i)));
        if let Some(slot) = values.get_mut(usize::from(rule.column)) {
            *slot = i64::from(value);
        }
    }
    values
}

/// The value an attribute had when the card last left an active zone.
#[inline(never)]
pub fn last_value(program: &Program, state: &MatchState, entity: EntityId, attr: AttrId) -> i64 {
    let Some(rule) = program.attr(attr).filter(|it| has(state, entity, it)) else {
        return 0;
    };
    let at = entity.index().saturating_mul(usize::from(program.stride)).saturating_add(usize::from(rule.column));
    rule.shown(state.last.get(at).copied().unwrap_or(0))
}
