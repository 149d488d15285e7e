//! Costs: paid at once when something is announced, in order, each seeing the ones before.
//!
//! A cost is an event like any other: it concerns the same subjects, writes the same, tells the same facts and leads to
//! the same effects. It only waits for nobody: no rule comes before it, and if any part of it is impossible, all of the
//! payment is.

use alloc::{boxed::Box, vec::Vec};

use ruleset::{
    AbilityId, ActionId, CodePtr, NULL,
    instr::{Emit, Instr},
    program::EventType,
};

use crate::{
    ability, apply,
    eval::{self, Cx, Who},
    exec::{Exec, next},
    fault::Fault,
    ids::{EntityId, EventNo},
    intent,
    record::Record,
    rng::Luck,
    scratch::{Machine, Scratch, Trial},
    state::{Frame, Paid, Payment},
    subjects::{self, Subjects},
};

/// How deep the costs of abilities may be those of others.
const ABILITY_DEPTH_MAX: u8 = 16;

/// Whether costs can be paid, tried without changing anything; where chance has a say, whatever it brings.
pub fn can_pay(cx: &Cx<'_>, machine: &mut Machine, costs: CodePtr) -> Result<bool, Fault> {
    if costs.is_none() {
        return Ok(true);
    }
    if let Some(code) = cx.program.ops.payable(costs) {
        let fuel = machine.fuel;
        match eval::value(cx, machine, code)? {
            NULL => machine.fuel = fuel,
            known => return Ok(known == 1),
        }
    }
    let mut luck = Luck::default();
    loop {
        let can_pay = try_once(cx, machine, costs, &mut luck)?;
        if !can_pay || !luck.turns() {
            return Ok(can_pay);
        }
    }
}

/// Tries to pay with one outcome of chance.
fn try_once(cx: &Cx<'_>, machine: &mut Machine, costs: CodePtr, luck: &mut Luck) -> Result<bool, Fault> {
    let frame = payer(cx);
    let mut trial = fresh_trial(cx, machine);
    let Trial { state, derived, scratch } = &mut *trial;
    scratch.machine.reset(0);
    scratch.work = machine.fuel;
    scratch.luck = Some(*luck);
    let mut exec = Exec::new(cx.program, state, derived, scratch);
    exec.scratch.machine.load(machine.locals());
    exec.scratch.machine.depth = machine.depth;
    let paid = pay(&mut exec, &frame, Who::frame(&frame), costs, Mode::Try);
    let spent = exec.scratch.machine.spent();
    exec.give_up();
    *luck = exec.scratch.luck.unwrap_or_default();
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

/// Pays, only to see how far that goes.
pub fn try_to_pay(cx: &Cx<'_>, exec: &mut Exec<'_>, costs: CodePtr) -> Result<bool, Fault> {
    let frame = payer(cx);
    pay(exec, &frame, Who::frame(&frame), costs, Mode::Try)
}

/// Whether payments are made for good, or only tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Only to know whether it can be done; nothing is paid after this list.
    Try,
    /// The same, but more is paid after it.
    TryOn,
    /// For good, remembering what to give back.
    Refundable,
    /// For good.
    Final,
}

impl Mode {
    /// For what a payment leads to: what comes back is noted for the payment as a whole.
    fn within(self) -> Self {
        match self {
            Self::Try | Self::TryOn => Self::TryOn,
            Self::Refundable | Self::Final => Self::Final,
        }
    }
}

/// Pays a list of costs; false if one of them cannot be paid.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "instructions and records of the other classes are not for this place"
)]
pub fn pay(exec: &mut Exec<'_>, frame: &Frame, who: Who, costs: CodePtr, mode: Mode) -> Result<bool, Fault> {
    let mut pc = costs;
    while pc.is_some() {
        let (instr, at) = exec.next_effect(who, pc)?;
        pc = next(at);
        match instr {
            Instr::Set(cell) => apply::set_local(exec, cell, exec.scratch.machine.arg(0)),
            Instr::Store(cell) => apply::store_local(exec, cell),
            Instr::Next { list, done } => pc = apply::advance(exec, list, done)?.unwrap_or(pc),
            Instr::Emit(emit) => {
                let is_last = mode == Mode::Try && exec.program.instr(pc) == Instr::End;
                let mode = if mode == Mode::Try && !is_last { Mode::TryOn } else { mode };
                if !pay_event(exec, frame, emit, mode)? {
                    return Ok(false);
                }
            }
            Instr::PayAbility => {
                if !pay_ability(exec, frame, who, mode)? {
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
fn pay_event(exec: &mut Exec<'_>, frame: &Frame, emit: Emit, mode: Mode) -> Result<bool, Fault> {
    let event = exec.program.event(emit.kind).ok_or(Fault::Invariant)?;
    let cells = exec.scratch.keep_given(event);
    let outer_locals = exec.scratch.machine.set_aside(0);
    let outer = exec.set_at_once(Some((frame.event, cells)));
    // What pays is the event, not the action it is paid for: no target of that is looked at again.
    let (etype, names_one) = (emit.kind, emit.names_one);
    let payment = Frame { etype, names_one, action: ActionId::NONE, pc: CodePtr::NONE, ..*frame };
    if mode == Mode::Refundable {
        exec.scratch.paid = Some(Vec::new());
    }
    let subjects = subjects::of(exec, &payment)?;
    let paid = match is_payable(exec, &payment, event, &subjects)? {
        // Nobody looks at what the last payment of a trial would write.
        true if mode == Mode::Try && !event.may_fail => Ok(true),
        true => carry_out(exec, &payment, event, &subjects, mode),
        false => Err(Fault::Impossible),
    };
    let paid = if paid == Err(Fault::Impossible) { false } else { paid? };
    if mode == Mode::Refundable {
        note_paid(exec, frame);
    }
    exec.set_at_once(outer);
    exec.scratch.machine.bring_back(outer_locals);
    Ok(paid)
}

/// Whether a payment is possible as a whole.
fn is_payable(exec: &mut Exec<'_>, payment: &Frame, event: &EventType, of: &Subjects) -> Result<bool, Fault> {
    let is_payable = intent::is_possible_for_all(exec, payment, event, of)?;
    if !is_payable && exec.is_traced() {
        exec.note_unpaid(Who::frame(payment), payment.etype, event.requires);
    }
    Ok(is_payable)
}

/// Applies a payment to everyone it concerns, then pays what it leads to.
fn carry_out(
    exec: &mut Exec<'_>,
    payment: &Frame,
    event: &EventType,
    subjects: &Subjects,
    mode: Mode,
) -> Result<bool, Fault> {
    intent::apply_event(exec, payment, event, subjects)?;
    if event.effects.is_none() {
        return Ok(true);
    }
    intent::load_cells(exec, payment);
    let mode = mode.within();
    if !pay(exec, payment, Who::frame(payment), event.effects, mode)? {
        return Ok(false);
    }
    intent::happened_after_list(exec, payment, event)?;
    Ok(true)
}

/// Remembers where every card was and how much every value went down, to give it back.
fn note_paid(exec: &mut Exec<'_>, frame: &Frame) {
    let taken = exec.scratch.paid.take().unwrap_or_default();
    let (cards, values): (Vec<Paid>, Vec<Paid>) =
        taken.into_iter().partition(|it| !matches!(it.what, Payment::Value { .. }));
    for paid in cards.into_iter().chain(values) {
        if !is_link(exec, &paid) {
            exec.add(Record::Paid(Paid { event: frame.event, ..paid }));
        }
    }
}

/// Who is linked to whom is no amount to give back.
fn is_link(exec: &Exec<'_>, paid: &Paid) -> bool {
    let Payment::Value { column, .. } = paid.what else { return false };
    let is_player = usize::from(exec.state().head.n_players) > paid.entity.index();
    let rule = exec.program.attr_in(column, is_player).and_then(|it| exec.program.attr(it));
    rule.is_some_and(|it| it.is_link())
}

/// Whether what an ability costs by itself can be paid, if that is plain: 1 if it costs nothing, 0 if there is no such
/// ability, nothing if it must be tried.
pub fn is_ability_free(cx: &Cx<'_>, machine: &Machine, card: EntityId, ability: AbilityId) -> i64 {
    let rule = ability::rule_of(cx.state, cx.program, card, ability).and_then(|it| cx.program.rule(it));
    match rule {
        Some(rule) if machine.depth < ABILITY_DEPTH_MAX => {
            if rule.costs.is_none() {
                1
            } else {
                NULL
            }
        }
        Some(_) | None => 0,
    }
}

fn pay_ability(exec: &mut Exec<'_>, frame: &Frame, who: Who, mode: Mode) -> Result<bool, Fault> {
    let machine = &exec.scratch.machine;
    let (card, ability) = (EntityId::from(machine.arg(0)), AbilityId::from(machine.arg(1)));
    let Some(id) = ability::rule_of(exec.state(), exec.program, card, ability) else {
        return Ok(false);
    };
    let rule = exec.program.rule(id).ok_or(Fault::Invariant)?;
    // What an ability costs may be what another costs, but not for ever.
    if exec.scratch.machine.depth >= ABILITY_DEPTH_MAX {
        return Ok(false);
    }
    let saved = ability::save(&mut exec.scratch.machine, rule.cells);
    exec.scratch.machine.depth = exec.scratch.machine.depth.saturating_add(1);
    let moves = exec.state().ent(card).map_or(0, |it| it.moves);
    let payer = Frame { source: card, source_moves: moves, ..*frame };
    let within = if mode == Mode::Try { Mode::TryOn } else { mode };
    let paid = pay(exec, &payer, Who { this: card, ..who }, rule.costs, within)?;
    exec.scratch.machine.depth = exec.scratch.machine.depth.saturating_sub(1);
    ability::restore(&mut exec.scratch.machine, saved);
    if paid && !matches!(mode, Mode::Try | Mode::TryOn) && rule.limiter.per_turn.is_some() {
        let key = ability::use_key(exec.state(), id, card);
        let used = exec.state().counts.iter().find(|it| it.0 == key).map_or(0, |it| it.1);
        exec.add(Record::Counted(key, used.saturating_add(1)));
    }
    Ok(paid)
}
