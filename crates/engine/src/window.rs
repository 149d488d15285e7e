//! Priority: who may act, in which order, and what passing does.

use ruleset::{Program, program::ActionTiming};

use crate::{
    exec::Exec,
    fault::Fault,
    ids::{EventNo, PlayerId},
    intent,
    record::Record,
    rejection::Rejection,
    state::{Flow, Frame, MatchState, Stage, Window},
};

/// Whether a player would have to be asked in a window.
fn is_eligible(exec: &mut Exec<'_>, player: PlayerId, responds_to: EventNo) -> Result<(bool, u32), Fault> {
    if is_out(exec.program, exec.state(), player, responds_to) {
        return Ok((false, 0));
    }
    exec.judge(player, responds_to, |judge| Ok((judge.may_act()?, judge.machine.spent())))
}

/// Whether a player need not be asked, whatever he holds: nobody can act at this time, or he wants no more windows in
/// this turn, and this one can do without him.
pub fn is_out(program: &Program, state: &MatchState, player: PlayerId, responds_to: EventNo) -> bool {
    let is_active = player == state.head.active;
    let is_idle = is_active && state.stack.is_empty();
    let is_mandatory = || program.step(state.head.step).is_some_and(|it| it.mandatory);
    let is_ending = state.head.ending && responds_to.is_none() && is_active && !is_mandatory();
    is_ending || (!is_idle && !program.has_responses)
}

/// The first of some players, from one on, who has not passed and may act.
fn next_holder(
    exec: &mut Exec<'_>,
    first: PlayerId,
    passed: u16,
    responds_to: EventNo,
    except: PlayerId,
) -> Result<Option<PlayerId>, Fault> {
    for player in exec.state().players_from(first) {
        if player == except || passed & player.bit() != 0 {
            continue;
        }
        let (eligible, cost) = is_eligible(exec, player, responds_to)?;
        exec.scratch.machine.charge(usize::try_from(cost).unwrap_or(usize::MAX))?;
        if eligible {
            return Ok(Some(player));
        }
    }
    Ok(None)
}

/// Lets players act in a step, the active player first; without anyone who could, the step ends.
pub fn open_idle(exec: &mut Exec<'_>) -> Result<(), Fault> {
    let listed = exec.program.step(exec.state().head.step).is_some_and(|it| it.window);
    let holder =
        if listed { next_holder(exec, exec.state().head.active, 0, EventNo::NONE, PlayerId::NONE)? } else { None };
    match holder {
        Some(holder) => {
            exec.add(Record::WindowSet(Some(Window::idle(holder))));
        }
        None => leave_step(exec),
    }
    Ok(())
}

fn leave_step(exec: &mut Exec<'_>) {
    exec.add(Record::FlowSet(Flow::StepEnd));
}

/// An action is looked at for the first time: others may respond, once (rulings 25, 26, 30).
pub fn announce(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let instant = exec.program.action(frame.action).is_none_or(|it| it.timing == ActionTiming::AtOnce);
    let listed = exec.program.step(exec.state().head.step).is_some_and(|it| it.window);
    let others = PlayerId(frame.controller.0.saturating_add(1));
    let holder = match instant || !listed {
        true => None,
        false => next_holder(exec, others, 0, frame.event, frame.controller)?,
    };
    let Some(holder) = holder else { return intent::schedule_before(exec, frame) };
    exec.add(Record::Staged(Stage::Announced));
    exec.add(Record::WindowSet(Some(Window { responds_to: frame.event, holder, passed: 0, with_actor: false })));
    Ok(())
}

/// Opens a window again once somebody has responded; the actor himself comes last.
pub fn open_again(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let after = PlayerId(frame.controller.0.saturating_add(1));
    match next_holder(exec, after, 0, frame.event, PlayerId::NONE)? {
        Some(holder) => {
            let window = Window { responds_to: frame.event, holder, passed: 0, with_actor: true };
            exec.add(Record::WindowSet(Some(window)));
        }
        None => exec.add(Record::Responded),
    }
    Ok(())
}

/// A player does nothing: the next one may act, or the window closes.
pub fn pass(exec: &mut Exec<'_>, player: PlayerId) -> Result<(), Rejection> {
    let window = holder(exec, player)?;
    let passed = window.passed | player.bit();
    let idle = window.responds_to.is_none();
    let actor = exec.state().frame(window.responds_to).map_or(PlayerId::NONE, |it| it.controller);
    let first = if idle { exec.state().head.active } else { PlayerId(actor.0.saturating_add(1)) };
    let except = if window.with_actor { PlayerId::NONE } else { actor };
    // Whom it costs too much to look at is asked: nobody must be kept from passing.
    let anyone = exec.state().players_from(first).find(|it| *it != except && passed & it.bit() == 0);
    let next = next_holder(exec, first, passed, window.responds_to, except).unwrap_or(anyone);
    match next {
        Some(holder) => exec.add(Record::WindowSet(Some(Window { holder, passed, ..window }))),
        None => {
            exec.add(Record::WindowSet(None));
            if idle { leave_step(exec) } else { exec.add(Record::Responded) }
        }
    }
    Ok(())
}

/// The open window, if this player holds it.
pub fn holder(exec: &Exec<'_>, player: PlayerId) -> Result<Window, Rejection> {
    let state = exec.state();
    let Some(window) = state.head.window else {
        return Err(if state.asks.is_empty() { Rejection::NotInWindow } else { Rejection::InputPending });
    };
    if window.holder == player { Ok(window) } else { Err(Rejection::NotYourPriority { holder: window.holder }) }
}

/// The active player wants no more optional windows in this turn.
pub fn end_turn(exec: &mut Exec<'_>, player: PlayerId) -> Result<(), Rejection> {
    let window = holder(exec, player)?;
    if window.responds_to.is_some() || exec.state().head.active != player {
        return Err(Rejection::NotAtThisTime);
    }
    exec.add(Record::Ending(true));
    pass(exec, player)
}
