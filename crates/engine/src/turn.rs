//! What happens when nothing is on the stack: set-up, turns, phases and steps, each announced by an event.

use alloc::vec::Vec;

use ruleset::{CodePtr, NULL, StepId, program::BuiltIn};

use crate::{
    fault::{Fault, Limit},
    ids::PlayerId,
    intent,
    plan::Plan,
    record::Record,
    state::{Delay, Flow, Frame, FrameKind, Lasts, Modifier},
    window,
};

/// Does the next thing of the turn.
pub fn idle(plan: &mut Plan<'_>) -> Result<(), Fault> {
    let head = &plan.state().head;
    let (turn, active, step) = (head.turn, head.active, head.step);
    if head.idle_steps > plan.program.limits.steps_without_decision_max {
        return Err(Fault::Limit(Limit::StepsWithoutDecision));
    }
    match head.flow {
        Flow::Setup => {
            flow(plan, Flow::TurnStart);
            let (code, cells) = (plan.program.setup, plan.program.setup_cells);
            push(plan, BuiltIn::GameStart, &[], code, cells)
        }
        Flow::TurnStart => {
            flow(plan, if is_new_phase(plan, step) { Flow::PhaseChange } else { Flow::StepStart });
            push(plan, BuiltIn::TurnStart, &[active.into(), i64::from(turn)], CodePtr::NONE, 0)
        }
        Flow::PhaseChange => {
            flow(plan, Flow::StepStart);
            let (from, to) = (phase_before(plan, step), phase_of(plan, step));
            push(plan, BuiltIn::PhaseChanged, &[from, to, active.into()], CodePtr::NONE, 0)
        }
        Flow::StepStart => begin_step(plan, active, step),
        Flow::Window => window::open_idle(plan),
        Flow::StepEnd => {
            flow(plan, Flow::NextStep);
            let (code, cells) = plan.program.step(step).map_or((CodePtr::NONE, 0), |it| (it.on_end, it.on_end_cells));
            push(plan, BuiltIn::StepEnd, &[phase_of(plan, step), step.into(), active.into()], code, cells)
        }
        Flow::NextStep => {
            next_step(plan, turn, active, step);
            Ok(())
        }
        Flow::TurnEnd => {
            flow(plan, Flow::NextTurn);
            push(plan, BuiltIn::TurnEnd, &[active.into(), i64::from(turn)], CodePtr::NONE, 0)
        }
        Flow::NextTurn => {
            next_turn(plan, turn, active);
            Ok(())
        }
    }
}

fn flow(plan: &mut Plan<'_>, flow: Flow) {
    let head = &plan.state().head;
    let (turn, active, step) = (head.turn, head.active, head.step);
    plan.add(Record::Flowed { turn, active, step, flow });
}

/// Puts an event of the turn itself on the stack; it is the root of what follows.
fn push(plan: &mut Plan<'_>, kind: BuiltIn, fields: &[i64], list: CodePtr, cells: u16) -> Result<(), Fault> {
    let n_empty = usize::from(cells).saturating_sub(fields.len());
    let span = plan.scratch.keep(fields.iter().copied().chain(core::iter::repeat_n(NULL, n_empty)));
    let controller = plan.state().head.active;
    let frame = Frame { etype: kind.id(), pc: list, controller, ..Frame::blank(FrameKind::Intent, plan.event_no()) };
    intent::begin(plan, &frame, span, CodePtr::NONE)?;
    Ok(())
}

fn begin_step(plan: &mut Plan<'_>, active: PlayerId, step: StepId) -> Result<(), Fault> {
    if plan.state().skips.contains(&(active, step)) {
        plan.add(Record::SkipUsed(active, step));
        flow(plan, Flow::NextStep);
        return Ok(());
    }
    flow(plan, Flow::Window);
    let (code, cells) = plan.program.step(step).map_or((CodePtr::NONE, 0), |it| (it.on_start, it.on_start_cells));
    push(plan, BuiltIn::StepStart, &[phase_of(plan, step), step.into(), active.into()], code, cells)
}

fn next_step(plan: &mut Plan<'_>, turn: u32, active: PlayerId, step: StepId) {
    let next = StepId(step.0.saturating_add(1));
    if plan.program.step(next).is_none() {
        plan.add(Record::Flowed { turn, active, step, flow: Flow::TurnEnd });
        return;
    }
    let flow = if phase_of(plan, next) == phase_of(plan, step) { Flow::StepStart } else { Flow::PhaseChange };
    plan.add(Record::Flowed { turn, active, step: next, flow });
}

/// What lasted for the turn is over; extra turns come before the next player's.
fn next_turn(plan: &mut Plan<'_>, turn: u32, active: PlayerId) {
    if plan.state().head.ending {
        plan.add(Record::Ending(false));
    }
    let extra = plan.state().extra_turns.last().copied().filter(|it| plan.state().is_alive(*it));
    let next = extra.unwrap_or_else(|| plan.state().next_player(active));
    end_of_turn(plan, next);
    if !plan.state().extra_turns.is_empty() {
        plan.add(Record::TurnTaken);
    }
    plan.add(Record::Flowed { turn: turn.saturating_add(1), active: next, step: StepId(0), flow: Flow::TurnStart });
}

/// Drops what lasts for the turn, or until the turn of the player who comes next.
fn end_of_turn(plan: &mut Plan<'_>, next: PlayerId) {
    let ends = |it: &Modifier| it.lasts == Lasts::Turn || it.lasts == Lasts::TurnOf(next);
    let over: Vec<u32> = plan.state().mods.iter().filter(|it| ends(it)).map(|it| it.no).collect();
    over.into_iter().for_each(|it| plan.add(Record::ModDropped(it)));
    let program = plan.program;
    let waits = |it: &Delay| program.rule(it.what.rule).and_then(|rule| rule.delay).is_some_and(|it| it.this_turn);
    let over: Vec<u32> = plan.state().delays.iter().filter(|it| waits(it)).map(|it| it.what.no).collect();
    over.into_iter().for_each(|it| plan.add(Record::DelayDropped(it)));
}

fn phase_of(plan: &Plan<'_>, step: StepId) -> i64 {
    plan.program.step(step).map_or(NULL, |it| it.phase.into())
}

/// The phase that was before a step: of the step before it, or of the last step of the turn before.
fn phase_before(plan: &Plan<'_>, step: StepId) -> i64 {
    match step.0.checked_sub(1) {
        Some(before) => phase_of(plan, StepId(before)),
        None => plan.program.steps.last().map_or(NULL, |it| it.phase.into()),
    }
}

/// Whether a turn that begins changes the phase; the first turn of a match changes nothing.
fn is_new_phase(plan: &Plan<'_>, step: StepId) -> bool {
    plan.state().head.turn > 1 && phase_before(plan, step) != phase_of(plan, step)
}
