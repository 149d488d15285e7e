//! Rulesets in which players put their own simultaneous triggers in order.

use alloc::vec::Vec;

use ruleset::{AskId, NULL};

use crate::{
    cells::span_of,
    discover,
    exec::Exec,
    fault::Fault,
    ids::{InputNo, PlayerId},
    record::Record,
    scratch::Span,
    state::{Ask, AskKind, Frame, FrameKind, Held},
};

/// Whether some player has more than one trigger to order.
pub fn needs_order(frames: &[(Frame, Span)]) -> bool {
    let mine = |it: &Frame| frames.iter().filter(|o| o.0.controller == it.controller && o.0.source.is_some()).count();
    frames.iter().any(|it| it.0.source.is_some() && mine(&it.0) > 1)
}

/// Holds triggers until their players have ordered them.
pub fn push(exec: &mut Exec<'_>, frames: Vec<(Frame, Span)>) -> Result<(), Fault> {
    let holder = exec.event_no();
    let root = frames.first().map_or(holder, |it| it.0.root);
    for (frame, cells) in frames {
        exec.add(Record::Held { holder, frame, cells });
    }
    // One variable for each seat: the order that player wants.
    let cells = exec.scratch.keep([NULL; ruleset::program::PLAYERS_MAX]);
    exec.push_frame(Frame { root, ..Frame::blank(FrameKind::Order, holder) }, cells)
}

fn held(exec: &Exec<'_>, frame: &Frame) -> Vec<Held> {
    exec.state().held.iter().filter(|it| it.holder == frame.event).cloned().collect()
}

/// The triggers a player has to order.
pub fn choices(state: &crate::state::MatchState, frame: &Frame, player: PlayerId) -> Vec<i64> {
    let mine = state.held.iter().filter(|it| it.holder == frame.event && it.frame.controller == player);
    mine.filter(|it| it.frame.source.is_some()).map(|it| it.frame.event.into()).collect()
}

/// Asks the next player who has not ordered his triggers, or lets all of them go.
pub fn step(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let cells = exec.state().cells_of(frame).to_vec();
    for player in exec.state().players_from(exec.state().head.active) {
        let n = choices(exec.state(), frame, player).len();
        let ordered = cells.get(usize::from(player.0)).is_some_and(|it| *it != NULL);
        if n > 1 && !ordered {
            let n = u16::try_from(n).unwrap_or(u16::MAX);
            let no = InputNo(exec.state().head.next_input);
            exec.add(Record::Asked(Ask {
                no,
                ask: AskId::NONE,
                kind: AskKind::OrderSelect,
                seats: player.bit(),
                closed: 0,
                min: n,
                max: n,
                deadline_ms: 0,
            }));
            return Ok(());
        }
    }
    // Players' own order holds within what the general order gave to each.
    let mut general = held(exec, frame);
    let mut rows = general.clone();
    rows.sort_by_key(|it| wish(&cells, it));
    exec.add(Record::Released(frame.event));
    exec.add(Record::Popped);
    let mut frames = Vec::new();
    for slot in &mut general {
        let at = rows.iter().position(|it| {
            it.frame.controller == slot.frame.controller && it.frame.source.is_some() == slot.frame.source.is_some()
        });
        if let Some(at) = at {
            *slot = rows.remove(at);
        }
    }
    for it in general {
        let span = exec.scratch.keep(it.cells.iter().copied());
        frames.push((it.frame, span));
    }
    discover::push_in_order(exec, frames)
}

/// Where a player wants one of his triggers.
fn wish(cells: &[i64], held: &Held) -> usize {
    let (start, len) = span_of(cells.get(usize::from(held.frame.controller.0)).copied().unwrap_or(NULL));
    let wanted = cells.get(start..start.saturating_add(len)).unwrap_or_default();
    wanted.iter().position(|it| *it == i64::from(held.frame.event)).unwrap_or(usize::MAX)
}
