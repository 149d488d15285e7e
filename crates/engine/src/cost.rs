//! Costs: paid at once when something is announced, in order, each seeing the ones before.
//!
//! A cost is an event like any other: it concerns the same subjects, writes the same, tells the same facts and leads to
//! the same effects. It only waits for nobody: no rule comes before it, and if any part of it is impossible, all of the
//! payment is.

use alloc::{boxed::Box, vec::Vec};

use ruleset::{
    AbilityId, ActionId, CodePtr,
    instr::{Emit, Instr},
    program::EventType,
};

use crate::{
    ability, apply,
    eval::{Cx, Who},
    fault::Fault,
    ids::{EntityId, EventNo},
    intent,
    plan::{Plan, next},
    record::Record,
    scratch::{Machine, Scratch, Trial},
    state::{Frame, Paid, Payment},
};

/// How deep the costs of abilities may be those of others.
const ABILITY_DEPTH_MAX: u8 = 16;

/// Whether costs can be paid, tried without changing anything.
pub fn can_pay(cx: &Cx<'_>, machine: &mut Machine, costs: CodePtr) -> Result<bool, Fault> {
    if costs.is_none() {
        return Ok(true);
    }
    let frame = payer(cx);
    let mut trial = fresh_trial(cx, machine);
    let Trial { state, derived, scratch } = &mut *trial;
    scratch.machine.reset(0);
    scratch.work = machine.fuel;
    let mut plan = Plan::new(cx.program, state, derived, scratch);
    plan.scratch.machine.locals.clone_from(&machine.locals);
    plan.scratch.machine.depth = machine.depth;
    let start = plan.mark();
    let paid = pay(&mut plan, &frame, Who::frame(&frame), costs, Mode::Try);
    let spent = plan.scratch.machine.spent();
    plan.rewind(&start);
    (machine.trial, machine.is_trial_fresh) = (Some(trial), true);
    machine.spend(spent)?;
    paid
}

/// A copy of the match as it is; the one of the last trial, as long as the match has not changed.
fn fresh_trial(cx: &Cx<'_>, machine: &mut Machine) -> Box<Trial> {
    match machine.trial.take() {
        Some(trial) if machine.is_trial_fresh => trial,
        Some(mut trial) => {
            // Its memory is used again.
            trial.state.clone_from(cx.state);
            trial.derived.clone_from(cx.derived);
            trial
        }
        None => {
            let (state, derived) = (cx.state.clone(), cx.derived.clone());
            Box::new(Trial { state, derived, scratch: Scratch::default() })
        }
    }
}

/// The row that would pay.
fn payer(cx: &Cx<'_>) -> Frame {
    Frame {
        source: cx.this,
        source_moves: cx.state.ent(cx.this).map_or(0, |it| it.moves),
        controller: cx.you,
        answers: cx.cause,
        ..Frame::blank(crate::state::FrameKind::Intent, EventNo(cx.state.head.next_event))
    }
}

/// Plans to pay, only to see how far that goes.
pub fn try_to_pay(cx: &Cx<'_>, plan: &mut Plan<'_>, costs: CodePtr) -> Result<bool, Fault> {
    let frame = payer(cx);
    pay(plan, &frame, Who::frame(&frame), costs, Mode::Try)
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

/// Plans the payment of a list of costs; false if one of them cannot be paid.
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
                if !pay_event(plan, frame, emit, mode)? {
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

/// Pays by one event: it must be possible for everyone it concerns, and no rule comes before it (ruling 8).
fn pay_event(plan: &mut Plan<'_>, frame: &Frame, emit: Emit, mode: Mode) -> Result<bool, Fault> {
    let event = plan.program.event(emit.kind).ok_or(Fault::Invariant)?;
    let cells = plan.scratch.keep_pushed(event);
    let outer_locals = core::mem::take(&mut plan.scratch.machine.locals);
    let outer = plan.set_at_once(Some((frame.event, cells)));
    // What pays is the event, not the action it is paid for: no target of that is looked at again.
    let (etype, names_one) = (emit.kind, emit.names_one);
    let payment = Frame { etype, names_one, action: ActionId::NONE, pc: CodePtr::NONE, ..*frame };
    if mode == Mode::Refundable {
        plan.scratch.paid = Some(Vec::new());
    }
    let paid = match is_payable(plan, &payment, event)? {
        true => carry_out(plan, &payment, event, mode),
        false => Err(Fault::Impossible),
    };
    let paid = if paid == Err(Fault::Impossible) { false } else { paid? };
    if mode == Mode::Refundable {
        note_paid(plan, frame);
    }
    plan.set_at_once(outer);
    plan.scratch.machine.locals = outer_locals;
    Ok(paid)
}

/// Whether a payment is possible as a whole.
fn is_payable(plan: &mut Plan<'_>, payment: &Frame, event: &EventType) -> Result<bool, Fault> {
    let is_payable = intent::is_possible_for_all(plan, payment, event)?;
    if !is_payable && plan.is_traced() {
        plan.note_unpaid(Who::frame(payment), payment.etype, event.requires);
    }
    Ok(is_payable)
}

/// Applies a payment to everyone it concerns, then pays what it leads to.
fn carry_out(plan: &mut Plan<'_>, payment: &Frame, event: &EventType, mode: Mode) -> Result<bool, Fault> {
    intent::apply_event(plan, payment, event)?;
    if event.effects.is_none() {
        return Ok(true);
    }
    intent::load_cells(plan, payment);
    // What comes back is noted for the payment as a whole.
    let mode = if mode == Mode::Refundable { Mode::Final } else { mode };
    if !pay(plan, payment, Who::frame(payment), event.effects, mode)? {
        return Ok(false);
    }
    intent::happened_after_list(plan, payment, event)?;
    Ok(true)
}

/// Remembers where every card was and how much every value went down, to give it back.
fn note_paid(plan: &mut Plan<'_>, frame: &Frame) {
    let taken = plan.scratch.paid.take().unwrap_or_default();
    let (cards, values): (Vec<Paid>, Vec<Paid>) =
        taken.into_iter().partition(|it| !matches!(it.what, Payment::Value { .. }));
    for paid in cards.into_iter().chain(values) {
        if !is_link(plan, &paid) {
            plan.add(Record::Paid(Paid { event: frame.event, ..paid }));
        }
    }
}

/// Who is linked to whom is no amount to give back.
fn is_link(plan: &Plan<'_>, paid: &Paid) -> bool {
    let Payment::Value { column, .. } = paid.what else { return false };
    let is_player = usize::from(plan.state().head.n_players) > paid.entity.index();
    let rule = plan.program.attr_in(column, is_player).and_then(|it| plan.program.attr(it));
    rule.is_some_and(|it| it.is_link())
}

fn pay_ability(plan: &mut Plan<'_>, frame: &Frame, who: Who, mode: Mode) -> Result<bool, Fault> {
    let ability = AbilityId::from(plan.scratch.machine.pop());
    let card = EntityId::from(plan.scratch.machine.pop());
    let Some(id) = ability::rule_of(plan.state(), plan.program, card, ability) else {
        return Ok(false);
    };
    let rule = plan.program.rule(id).ok_or(Fault::Invariant)?;
    // What an ability costs may be what another costs, but not for ever.
    if plan.scratch.machine.depth >= ABILITY_DEPTH_MAX {
        return Ok(false);
    }
    let saved = ability::save(&mut plan.scratch.machine);
    plan.scratch.machine.depth = plan.scratch.machine.depth.saturating_add(1);
    plan.scratch.machine.locals = alloc::vec![ruleset::NULL; usize::from(rule.cells)];
    let moves = plan.state().ent(card).map_or(0, |it| it.moves);
    let payer = Frame { source: card, source_moves: moves, ..*frame };
    let paid = pay(plan, &payer, Who { this: card, ..who }, rule.costs, mode)?;
    plan.scratch.machine.depth = plan.scratch.machine.depth.saturating_sub(1);
    ability::restore(&mut plan.scratch.machine, saved);
    if paid && mode != Mode::Try && rule.limiter.per_turn.is_some() {
        let key = ability::use_key(plan.state(), id, card);
        let used = plan.state().counts.iter().find(|it| it.0 == key).map_or(0, |it| it.1);
        plan.add(Record::Counted(key, used.saturating_add(1)));
    }
    Ok(paid)
}
