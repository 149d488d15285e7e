//! Rulesets in which players put their own simultaneous triggers in order.

use alloc::vec::Vec;

use ruleset::{AskId, NULL};

use crate::{
    discover,
    fault::Fault,
    fold::span_of,
    ids::{InputNo, PlayerId},
    plan::Plan,
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
pub fn push(plan: &mut Plan<'_>, frames: Vec<(Frame, Span)>) -> Result<(), Fault> {
    let holder = plan.event_no();
    let root = frames.first().map_or(holder, |it| it.0.root);
    for (frame, cells) in frames {
        plan.add(Record::Held { holder, frame, cells });
    }
    // One variable for each seat: the order that player wants.
    let cells = plan.scratch.keep([NULL; ruleset::program::PLAYERS_MAX]);
    plan.push_frame(Frame { root, ..Frame::blank(FrameKind::Order, holder) }, cells)
}

fn held(plan: &Plan<'_>, frame: &Frame) -> Vec<Held> {
    plan.state().held.iter().filter(|it| it.holder == frame.event).cloned().collect()
}

/// The triggers a player has to order.
pub fn choices(state: &crate::state::MatchState, frame: &Frame, player: PlayerId) -> Vec<i64> {
    let mine = state.held.iter().filter(|it| it.holder == frame.event && it.frame.controller == player);
    mine.filter(|it| it.frame.source.is_some()).map(|it| it.frame.event.into()).collect()
}

/// Asks the next player who has not ordered his triggers, or lets all of them go.
pub fn step(plan: &mut Plan<'_>, frame: &Frame) -> Result<(), Fault> {
    let cells = plan.state().cells_of(frame).to_vec();
    for player in plan.state().players_from(plan.state().head.active) {
        let n = choices(plan.state(), frame, player).len();
        let ordered = cells.get(usize::from(player.0)).is_some_and(|it| *it != NULL);
        if n > 1 && !ordered {
            let n = u16::try_from(n).unwrap_or(u16::MAX);
            let no = InputNo(plan.state().head.next_input);
            plan.add(Record::Asked(Ask {
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
    let mut general = held(plan, frame);
    let mut rows = general.clone();
    rows.sort_by_key(|it| wish(&cells, it));
    plan.add(Record::Released(frame.event));
    plan.add(Record::Popped);
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
        let span = plan.scratch.keep(it.cells.iter().copied());
        frames.push((it.frame, span));
    }
    discover::push_in_order(plan, frames)
}

/// Where a player wants one of his triggers.
fn wish(cells: &[i64], held: &Held) -> usize {
    let (start, len) = span_of(cells.get(usize::from(held.frame.controller.0)).copied().unwrap_or(NULL));
    let wanted = cells.get(start..start.saturating_add(len)).unwrap_or_default();
    wanted.iter().position(|it| *it == i64::from(held.frame.event)).unwrap_or(usize::MAX)
}
