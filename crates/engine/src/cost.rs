//! Costs: paid at once when an action is announced, in order, each seeing the ones before.

use ruleset::{AbilityId, CodePtr, instr::Instr};

use crate::{
    ability, apply,
    eval::{self, Cx, Go, Who},
    fault::Fault,
    ids::EntityId,
    intent,
    plan::{Plan, next},
    record::Record,
    scratch::Machine,
    state::{Frame, Paid},
    tree,
};

/// Whether costs can be paid, tried without changing anything.
pub fn can_pay(cx: &Cx<'_>, machine: &mut Machine, costs: CodePtr) -> Result<bool, Fault> {
    if costs.is_none() || cx.program.quiet.is_free(costs) {
        return Ok(true);
    }
    let frame = payer(cx);
    if let Some(can) = can_pay_once(cx, machine, costs, Who::frame(&frame))? {
        return Ok(can);
    }
    // What was tried before left its buffers, so that nothing is allocated.
    let mut scratch = machine.trial.take().unwrap_or_default();
    scratch.machine.reset(0);
    scratch.work = machine.fuel;
    let mut plan = Plan::new(cx.program, cx.state, cx.derived, &mut scratch);
    plan.scratch.machine.locals.clone_from(&machine.locals);
    plan.scratch.machine.depth = machine.depth;
    let paid = pay(&mut plan, &frame, Who::frame(&frame), costs, Mode::Try);
    let spent = plan.scratch.machine.spent();
    machine.trial = Some(scratch);
    machine.spend(spent)?;
    paid
}

/// The row that would pay.
fn payer(cx: &Cx<'_>) -> Frame {
    Frame {
        source: cx.this,
        source_moves: cx.state.ent(cx.this).map_or(0, |it| it.moves),
        controller: cx.you,
        cause: cx.cause,
        ..Frame::blank(crate::state::FrameKind::Intent, crate::ids::EventNo(cx.state.head.next_event))
    }
}

/// Plans to pay, only to see how far that goes.
pub fn try_to_pay(cx: &Cx<'_>, plan: &mut Plan<'_>, costs: CodePtr) -> Result<bool, Fault> {
    let frame = payer(cx);
    pay(plan, &frame, Who::frame(&frame), costs, Mode::Try)
}

/// Whether costs can be paid of which only the first payment can fail, as most are; that needs no plan.
/// None where another can.
fn can_pay_once(cx: &Cx<'_>, machine: &mut Machine, costs: CodePtr, who: Who) -> Result<Option<bool>, Fault> {
    let cx = cx.seen_by(who);
    let height = machine.stack.len();
    let mut pc = costs;
    let instr = loop {
        pc = tree::run(&cx, machine, pc)?;
        let instr = cx.program.instr(pc);
        if is_random(&cx, instr) {
            break instr;
        }
        match eval::pure(&cx, machine, instr)? {
            Go::On => pc = next(pc),
            Go::To(to) => pc = to,
            Go::Effect | Go::Return => break instr,
        }
    };
    let event = if let Instr::Emit(emit) = instr { cx.program.event(emit.kind) } else { None };
    let last = cx.program.quiet.is_free(next(pc));
    let Some(event) = event.filter(|it| last && it.fields.iter().all(|ty| !ty.many)) else {
        machine.stack.truncate(height);
        return Ok(None);
    };
    if event.requires.is_none() {
        machine.stack.truncate(height);
        return Ok(Some(true));
    }
    let mut fields = core::mem::take(&mut machine.spare);
    fields.clear();
    fields.extend(machine.stack.drain(height..));
    fields.resize(usize::from(event.cells).max(event.fields.len()), ruleset::NULL);
    let outer = core::mem::replace(&mut machine.locals, fields);
    let possible = eval::holds(&cx, machine, event.requires);
    machine.spare = core::mem::replace(&mut machine.locals, outer);
    possible.map(Some)
}

fn is_random(cx: &Cx<'_>, instr: Instr) -> bool {
    if let Instr::Select(id) = instr { cx.program.select(id).is_some_and(|it| it.random.is_some()) } else { false }
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
        if mode == Mode::Try && plan.program.quiet.is_free(pc) {
            return Ok(true);
        }
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
    let mut cells = core::mem::take(&mut plan.scratch.machine.spare);
    cells.clear();
    intent::pop_fields(&mut plan.scratch.machine, event, &mut cells);
    // A payment sees those before it; the first needs no copy of the state.
    if plan.scratch.records.iter().any(|it| !matches!(it, Record::Accepted { .. } | Record::WindowSet(_))) {
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
    } else if plan.is_traced() {
        plan.note_unpaid(Who::frame(frame), kind, event.requires);
    }
    plan.scratch.machine.spare = core::mem::replace(&mut plan.scratch.machine.locals, outer);
    Ok(possible)
}

fn pay_writes(plan: &mut Plan<'_>, payment: &Frame, event: &ruleset::program::EventType) -> Result<(), Fault> {
    let args = plan.scratch.keep_fields(event, true);
    apply::writes(plan, payment, Who::frame(payment), event.apply)?;
    if event.has_fact {
        let fields = plan.scratch.at(args);
        let subject =
            event.subject.and_then(|it| fields.get(usize::from(it))).map_or(EntityId::NONE, |it| EntityId::from(*it));
        plan.happened(payment, payment.etype, subject, args)?;
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
