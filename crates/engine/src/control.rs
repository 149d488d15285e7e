//! The verbs of `system.control`: what the host and moderators can do to a match.

use ruleset::program::BuiltIn;

use crate::{
    apply, ask,
    command::Control,
    exec::Exec,
    fault::{Failure, Fault},
    ids::{EntityId, EventNo, InputNo, PlayerId},
    intent,
    record::Record,
    rejection::Rejection,
    state::{Frame, FrameKind, Outcome, Pause, Reason, Stage, Why},
};

/// Carries out a verb.
pub fn control(exec: &mut Exec<'_>, verb: Control) -> Result<(), Rejection> {
    check_player(exec, verb.player())?;
    let by = Frame { controller: verb.player(), ..Frame::blank(FrameKind::Intent, exec.event_no()) };
    check_pause(exec, verb)?;
    // What a verb leads to is caused by the fact that tells of it.
    let note = |exec: &mut Exec<'_>| {
        let told = exec.happened_built_in(&by, BuiltIn::ControlUsed, &[verb.number(), verb.player().into()]);
        told.map(|event| Frame { event, ..by }).map_err(|_| Rejection::Broken)
    };
    match verb {
        Control::Timer => {
            if exec.state().head.timer.is_none() {
                return Err(Rejection::NoSuchTimer);
            }
            note(exec)?;
            exec.add(Record::TimerSet(None));
        }
        Control::Timeout(input) => {
            if exec.state().ask(input).is_none() {
                return Err(Rejection::UnknownInput);
            }
            let by = note(exec)?;
            timeout(exec, &by, input)?;
        }
        Control::Concede(player) | Control::Kick(player) => {
            let by = note(exec)?;
            leave(exec, &by, player)?;
        }
        Control::Disconnect(player) => {
            let by = note(exec)?;
            exec.add(Record::Connected(player, false));
            if exec.program.policy.disconnect_grace_ms == Some(0) {
                leave(exec, &by, player)?;
            }
        }
        Control::Reconnect(player) => {
            note(exec)?;
            exec.add(Record::Connected(player, true));
        }
        Control::Pause => {
            note(exec)?;
            exec.add(Record::Paused(Some(Pause::Moderator)));
        }
        Control::Resume => {
            note(exec)?;
            exec.add(Record::Paused(None));
        }
        Control::DropItem(event) => {
            note(exec)?;
            drop_item(exec, event)?;
        }
        Control::Void => {
            let by = note(exec)?;
            end(exec, &by, Outcome { winners: 0, why: Why::Void })?;
        }
        Control::SetResult(winners) => {
            let by = note(exec)?;
            end(exec, &by, Outcome { winners: winners & seats(exec), why: Why::Moderator })?;
        }
    }
    Ok(())
}

fn seats(exec: &Exec<'_>) -> u16 {
    exec.state().players().fold(0, |acc, it| acc | it.bit())
}

fn check_player(exec: &Exec<'_>, player: PlayerId) -> Result<(), Rejection> {
    let known = player.is_none() || player.0 < exec.state().head.n_players;
    if known { Ok(()) } else { Err(Rejection::UnknownPlayer) }
}

/// A match that stands still takes only what moderators say, and connections.
fn check_pause(exec: &Exec<'_>, verb: Control) -> Result<(), Rejection> {
    let paused = exec.state().head.paused.is_some();
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

fn timeout(exec: &mut Exec<'_>, by: &Frame, input: InputNo) -> Result<(), Rejection> {
    for player in ask::timeout(exec, input)? {
        leave(exec, by, player)?;
    }
    Ok(())
}

/// A player is out: his questions are answered for him, and whoever is left alone has won.
fn leave(exec: &mut Exec<'_>, by: &Frame, player: PlayerId) -> Result<(), Rejection> {
    if !exec.state().is_alive(player) {
        return Ok(());
    }
    exec.add(Record::Eliminated(player));
    exec.happened_built_in(by, BuiltIn::PlayerEliminated, &[player.into()]).map_err(|_| Rejection::Broken)?;
    let alive = exec.state().head.alive;
    if alive.count_ones() <= 1 {
        let is_here = exec.state().head.connected & player.bit() != 0;
        let why = if is_here { Why::LastStanding } else { Why::Disconnected };
        return end(exec, by, Outcome { winners: alive, why });
    }
    while let Some(ask) = exec.state().asks.iter().find(|it| it.seats & !it.closed & player.bit() != 0).copied() {
        ask::give_up(exec, &ask, player)?;
    }
    close_window(exec, player)
}

/// Nobody acts in the step of a player who left in the own turn, or responds to an action that will not happen; in other
/// windows the next player may act.
fn close_window(exec: &mut Exec<'_>, player: PlayerId) -> Result<(), Rejection> {
    let Some(window) = exec.state().head.window else { return Ok(()) };
    let is_own = match window.responds_to.is_none() {
        true => exec.state().head.active == player,
        false => exec.state().frame(window.responds_to).is_some_and(|it| it.controller == player),
    };
    if is_own {
        exec.add(Record::WindowSet(None));
        if window.responds_to.is_some() {
            exec.add(Record::Responded);
        }
    } else if window.holder == player {
        crate::window::pass(exec, player)?;
    }
    Ok(())
}

fn end(exec: &mut Exec<'_>, by: &Frame, outcome: Outcome) -> Result<(), Rejection> {
    apply::ended(exec, by, outcome).map_err(|_| Rejection::Broken)
}

/// Takes a row and everything above it off the stack, with the questions that wait there.
fn drop_item(exec: &mut Exec<'_>, event: EventNo) -> Result<(), Rejection> {
    // Members of a group and what puts triggers in order stand and fall with the list that made them.
    let stands_alone = |it: &Frame| matches!(it.kind, FrameKind::Intent | FrameKind::Trigger);
    if !exec.state().frame(event).is_some_and(stands_alone) {
        return Err(Rejection::NoSuchItem);
    }
    clear_waiting(exec);
    while let Some(top) = exec.state().top().copied() {
        tell_dropped(exec, &top).map_err(|_| Rejection::Broken)?;
        exec.add(Record::Released(top.event));
        exec.add(Record::Popped);
        if top.event == event {
            break;
        }
    }
    Ok(())
}

/// Every event has an end in the log: what had not begun was prevented, what had begun has failed.
fn tell_dropped(exec: &mut Exec<'_>, row: &Frame) -> Result<(), Fault> {
    if !matches!(row.kind, FrameKind::Intent | FrameKind::Member) {
        return Ok(());
    }
    if row.stage == Stage::Running {
        intent::failed(exec, row, Failure::Dropped, EntityId::NONE)?;
        return intent::wait_no_more(exec, row, intent::Ending::Prevented);
    }
    intent::not_happened(exec, row, Reason::Dropped, EntityId::NONE)?;
    intent::refund(exec, row)
}

/// Nothing is waited for any more.
pub fn clear_waiting(exec: &mut Exec<'_>) {
    let open: alloc::vec::Vec<InputNo> = exec.state().asks.iter().map(|it| it.no).collect();
    open.into_iter().for_each(|it| exec.add(Record::Closed(it)));
    if exec.state().head.window.is_some() {
        exec.add(Record::WindowSet(None));
    }
    if exec.state().head.timer.is_some() {
        exec.add(Record::TimerSet(None));
    }
}
