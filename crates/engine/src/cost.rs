//! Costs: paid at once when an action is announced, in order, each seeing the ones before.

use ruleset::{AbilityId, CodePtr, instr::Instr};

use crate::{
    ability, apply,
    eval::{Cx, Who},
    fault::Fault,
    ids::EntityId,
    intent,
    plan::{Plan, next},
    record::Record,
    scratch::{Machine, Scratch},
    state::{Frame, Paid},
};

/// Whether costs can be paid, tried without changing anything.
pub fn can_pay(cx: &Cx<'_>, machine: &mut Machine, costs: CodePtr) -> Result<bool, Fault> {
    if costs.is_none() {
        return Ok(true);
    }
    let mut scratch = Scratch::default();
    let frame = Frame {
        source: cx.this,
        source_moves: cx.state.ent(cx.this).map_or(0, |it| it.moves),
        controller: cx.you,
        cause: cx.cause,
        ..Frame::blank(crate::state::FrameKind::Intent, crate::ids::EventNo(cx.state.head.next_event))
    };
    let fuel = machine.fuel;
    scratch.work = fuel;
    let mut plan = Plan::new(cx.program, cx.state, cx.derived, &mut scratch);
    plan.scratch.machine.locals.clone_from(&machine.locals);
    plan.scratch.machine.depth = machine.depth;
    let paid = pay(&mut plan, &frame, Who::frame(&frame), costs, Mode::Try);
    machine.charge(usize::try_from(plan.scratch.machine.spent()).unwrap_or(usize::MAX))?;
    paid
}

/// Whether payments are planned for good, or only tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Only to know whether it can be done.
    Try,
    /// For good, remembering what to give back.
    Refundable,
    /// For good.
    Final,
}

/// Plans the payment of costs; false if one of them cannot be paid.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "instructions and records of the other classes are not for this place"
)]
pub fn pay(plan: &mut Plan<'_>, frame: &Frame, who: Who, costs: CodePtr, mode: Mode) -> Result<bool, Fault> {
    let mut pc = costs;
    while pc.is_some() {
        let (instr, at) = plan.next_effect(who, pc)?;
        pc = next(at);
        match instr {
            Instr::Set(cell) => apply::set_local(plan, cell),
            Instr::Store(cell) => apply::store_local(plan, cell),
            Instr::Next { list, done } => pc = apply::advance(plan, list, done)?.unwrap_or(pc),
            Instr::Emit(emit) => {
                if !pay_event(plan, frame, emit.kind, mode)? {
                    return Ok(false);
                }
            }
            Instr::PayAbility => {
                if !pay_ability(plan, frame, who, mode)? {
                    return Ok(false);
                }
            }
            Instr::End => return Ok(true),
            _ => return Err(Fault::Invariant),
        }
    }
    Ok(true)
}

/// Pays by one event: it must be possible, and it happens without before-reactions (ruling 8).
fn pay_event(plan: &mut Plan<'_>, frame: &Frame, kind: ruleset::EventTypeId, mode: Mode) -> Result<bool, Fault> {
    let event = plan.program.event(kind).ok_or(Fault::Invariant)?;
    let cells = intent::pop_fields(plan, event);
    // A payment sees those before it; the first needs no copy of the state.
    if plan.scratch.records.iter().any(|it| !matches!(it, Record::WindowSet(_))) {
        plan.see_own_effects();
    }
    let outer = core::mem::replace(&mut plan.scratch.machine.locals, cells);
    let possible = plan.holds(Who::frame(frame), event.requires)?;
    if possible {
        let from = plan.scratch.records.len();
        let payment = Frame { etype: kind, ..*frame };
        pay_writes(plan, &payment, event)?;
        if mode == Mode::Refundable {
            note_paid(plan, frame, from);
        }
    }
    plan.scratch.machine.locals = outer;
    Ok(possible)
}

fn pay_writes(plan: &mut Plan<'_>, payment: &Frame, event: &ruleset::program::EventType) -> Result<(), Fault> {
    let args: alloc::vec::Vec<i64> = crate::discover::fields_only(&plan.scratch.machine.locals, event);
    apply::writes(plan, payment, Who::frame(payment), event.apply)?;
    if event.has_fact {
        let subject =
            event.subject.and_then(|it| args.get(usize::from(it))).map_or(EntityId::NONE, |it| EntityId::from(*it));
        let span = plan.scratch.keep(args);
        plan.happened(payment, payment.etype, subject, span)?;
    }
    Ok(())
}

/// Remembers how much every value went down.
fn note_paid(plan: &mut Plan<'_>, frame: &Frame, from: usize) {
    let sets: alloc::vec::Vec<(usize, EntityId, u16, i32)> =
        plan.scratch.records.iter().enumerate().skip(from).filter_map(attr_set).collect();
    for (at, entity, column, value) in sets {
        let is_player = usize::from(plan.state().head.n_players) > entity.index();
        let rule = plan.program.attr_in(column, is_player).and_then(|it| plan.program.attr(it));
        // Who is linked to whom is no amount to give back.
        if rule.is_some_and(|it| it.is_link()) {
            continue;
        }
        let earlier = plan.scratch.records.iter().enumerate().take(at).rev().filter_map(attr_set);
        let old = earlier.clone().find(|it| (it.1, it.2) == (entity, column)).map(|it| it.3);
        let old = old.unwrap_or_else(|| plan.before_plan(entity, column));
        plan.add(Record::Paid(Paid { event: frame.event, entity, column, amount: old.saturating_sub(value) }));
    }
}

fn attr_set((at, record): (usize, &Record<crate::scratch::Span>)) -> Option<(usize, EntityId, u16, i32)> {
    if let Record::AttrSet { entity, column, value } = record { Some((at, *entity, *column, *value)) } else { None }
}

fn pay_ability(plan: &mut Plan<'_>, frame: &Frame, who: Who, mode: Mode) -> Result<bool, Fault> {
    let ability = AbilityId::from(plan.scratch.machine.pop());
    let card = EntityId::from(plan.scratch.machine.pop());
    let Some(id) = ability::rule_of(plan.state(), plan.program, card, ability) else {
        return Ok(false);
    };
    let rule = plan.program.rule(id).ok_or(Fault::Invariant)?;
    let saved = ability::save(&mut plan.scratch.machine);
    plan.scratch.machine.locals = alloc::vec![ruleset::NULL; usize::from(rule.cells)];
    let moves = plan.state().ent(card).map_or(0, |it| it.moves);
    let payer = Frame { source: card, source_moves: moves, ..*frame };
    let paid = pay(plan, &payer, Who { this: card, ..who }, rule.costs, mode)?;
    ability::restore(&mut plan.scratch.machine, saved);
    if paid && mode != Mode::Try && rule.limiter.per_turn.is_some() {
        let key = ability::use_key(plan.state(), id, card);
        let used = plan.state().counts.iter().find(|it| it.0 == key).map_or(0, |it| it.1);
        plan.add(Record::Counted(key, used.saturating_add(1)));
    }
    Ok(paid)
}
