//! The verbs of `system.control`: what the host and moderators can do to a match.

use ruleset::program::BuiltIn;

use crate::{
    apply, ask,
    command::Control,
    fault::{Failure, Fault},
    ids::{EntityId, EventNo, InputNo, PlayerId},
    intent,
    plan::Plan,
    record::Record,
    rejection::Rejection,
    state::{Frame, FrameKind, Outcome, Pause, Reason, Stage, Why},
};

/// Plans what a verb does.
pub fn control(plan: &mut Plan<'_>, verb: Control) -> Result<(), Rejection> {
    check_player(plan, verb.player())?;
    let by = Frame { controller: verb.player(), ..Frame::blank(FrameKind::Intent, plan.event_no()) };
    check_pause(plan, verb)?;
    // What a verb leads to is caused by the fact that tells of it.
    let note = |plan: &mut Plan<'_>| {
        let told = plan.happened_built_in(&by, BuiltIn::ControlUsed, &[verb.number(), verb.player().into()]);
        told.map(|event| Frame { event, ..by }).map_err(|_| Rejection::Broken)
    };
    match verb {
        Control::Timer => {
            if plan.state().head.timer.is_none() {
                return Err(Rejection::NoSuchTimer);
            }
            note(plan)?;
            plan.add(Record::TimerSet(None));
        }
        Control::Timeout(input) => {
            if plan.state().ask(input).is_none() {
                return Err(Rejection::UnknownInput);
            }
            let by = note(plan)?;
            timeout(plan, &by, input)?;
        }
        Control::Concede(player) | Control::Kick(player) => {
            let by = note(plan)?;
            leave(plan, &by, player)?;
        }
        Control::Disconnect(player) => {
            let by = note(plan)?;
            plan.add(Record::Connected(player, false));
            if plan.program.policy.disconnect_grace_ms == Some(0) {
                leave(plan, &by, player)?;
            }
        }
        Control::Reconnect(player) => {
            note(plan)?;
            plan.add(Record::Connected(player, true));
        }
        Control::Pause => {
            note(plan)?;
            plan.add(Record::Paused(Some(Pause::Moderator)));
        }
        Control::Resume => {
            note(plan)?;
            plan.add(Record::Paused(None));
        }
        Control::DropItem(event) => {
            note(plan)?;
            drop_item(plan, event)?;
        }
        Control::Void => {
            let by = note(plan)?;
            end(plan, &by, Outcome { winners: 0, why: Why::Void })?;
        }
        Control::SetResult(winners) => {
            let by = note(plan)?;
            end(plan, &by, Outcome { winners: winners & seats(plan), why: Why::Moderator })?;
        }
    }
    Ok(())
}

fn seats(plan: &Plan<'_>) -> u16 {
    plan.state().players().fold(0, |acc, it| acc | it.bit())
}

fn check_player(plan: &Plan<'_>, player: PlayerId) -> Result<(), Rejection> {
    let known = player.is_none() || player.0 < plan.state().head.n_players;
    if known { Ok(()) } else { Err(Rejection::UnknownPlayer) }
}

/// A match that stands still takes only what moderators say, and connections.
fn check_pause(plan: &Plan<'_>, verb: Control) -> Result<(), Rejection> {
    let paused = plan.state().head.paused.is_some();
    match verb {
        Control::Resume if !paused => Err(Rejection::NotPaused),
        Control::Timer | Control::Timeout(_) if paused => Err(Rejection::MatchPaused),
        Control::Pause if paused => Err(Rejection::MatchPaused),
        Control::Concede(_)
        | Control::Timeout(_)
        | Control::Timer
        | Control::Disconnect(_)
        | Control::Reconnect(_)
        | Control::Pause
        | Control::Resume
        | Control::DropItem(_)
        | Control::Void
        | Control::Kick(_)
        | Control::SetResult(_) => Ok(()),
    }
}

fn timeout(plan: &mut Plan<'_>, by: &Frame, input: InputNo) -> Result<(), Rejection> {
    for player in ask::timeout(plan, input)? {
        leave(plan, by, player)?;
    }
    Ok(())
}

/// A player is out: his questions are answered for him, and whoever is left alone has won.
fn leave(plan: &mut Plan<'_>, by: &Frame, player: PlayerId) -> Result<(), Rejection> {
    if !plan.state().is_alive(player) {
        return Ok(());
    }
    plan.add(Record::Eliminated(player));
    plan.happened_built_in(by, BuiltIn::PlayerEliminated, &[player.into()]).map_err(|_| Rejection::Broken)?;
    let alive = plan.state().head.alive;
    if alive.count_ones() <= 1 {
        let is_here = plan.state().head.connected & player.bit() != 0;
        let why = if is_here { Why::LastStanding } else { Why::Disconnected };
        return end(plan, by, Outcome { winners: alive, why });
    }
    while let Some(ask) = plan.state().asks.iter().find(|it| it.seats & !it.closed & player.bit() != 0).copied() {
        ask::give_up(plan, &ask, player)?;
    }
    close_window(plan, player)
}

/// Nobody acts in the step of a player who left in the own turn, or responds to an action that will not happen; in other
/// windows the next player may act.
fn close_window(plan: &mut Plan<'_>, player: PlayerId) -> Result<(), Rejection> {
    let Some(window) = plan.state().head.window else { return Ok(()) };
    let is_own = match window.responds_to.is_none() {
        true => plan.state().head.active == player,
        false => plan.state().frame(window.responds_to).is_some_and(|it| it.controller == player),
    };
    if is_own {
        plan.add(Record::WindowSet(None));
        if window.responds_to.is_some() {
            plan.add(Record::Responded);
        }
    } else if window.holder == player {
        crate::window::pass(plan, player)?;
    }
    Ok(())
}

fn end(plan: &mut Plan<'_>, by: &Frame, outcome: Outcome) -> Result<(), Rejection> {
    apply::ended(plan, by, outcome).map_err(|_| Rejection::Broken)
}

/// Takes a row and everything above it off the stack, with the questions that wait there.
fn drop_item(plan: &mut Plan<'_>, event: EventNo) -> Result<(), Rejection> {
    // Members of a group and what puts triggers in order stand and fall with the list that made them.
    let stands_alone = |it: &Frame| matches!(it.kind, FrameKind::Intent | FrameKind::Trigger);
    if !plan.state().frame(event).is_some_and(stands_alone) {
        return Err(Rejection::NoSuchItem);
    }
    clear_waiting(plan);
    while let Some(top) = plan.state().top().copied() {
        tell_dropped(plan, &top).map_err(|_| Rejection::Broken)?;
        plan.add(Record::Released(top.event));
        plan.add(Record::Popped);
        if top.event == event {
            break;
        }
    }
    Ok(())
}

/// Every event has an end in the log: what had not begun was prevented, what had begun has failed.
fn tell_dropped(plan: &mut Plan<'_>, row: &Frame) -> Result<(), Fault> {
    if !matches!(row.kind, FrameKind::Intent | FrameKind::Member) {
        return Ok(());
    }
    if row.stage == Stage::Running {
        intent::failed(plan, row, Failure::Dropped, EntityId::NONE)?;
        return intent::wait_no_more(plan, row, intent::Ending::Prevented);
    }
    intent::not_happened(plan, row, Reason::Dropped, EntityId::NONE)?;
    intent::refund(plan, row)
}

/// Nothing is waited for any more.
pub fn clear_waiting(plan: &mut Plan<'_>) {
    let open: alloc::vec::Vec<InputNo> = plan.state().asks.iter().map(|it| it.no).collect();
    open.into_iter().for_each(|it| plan.add(Record::Closed(it)));
    if plan.state().head.window.is_some() {
        plan.add(Record::WindowSet(None));
    }
    if plan.state().head.timer.is_some() {
        plan.add(Record::TimerSet(None));
    }
}
