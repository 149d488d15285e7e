//! Finds what selectors look for, in the one order each of them has.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use ruleset::{
    CodePtr, DefId, NULL, SelectId,
    program::{Rank, SeatIs, SeatRule, Select, SelectOrder, Source},
};

use crate::{
    eval::{Cx, eval},
    fault::Fault,
    ids::{EntityId, PlayerId},
    scratch::Machine,
    state::FrameKind,
};

/// Picks some of a list at random; given where randomness is allowed.
pub type Pick<'p> = &'p mut dyn FnMut(&mut Vec<i64>, usize);

/// Puts everything a selector finds on top, as a list.
pub fn list(cx: &Cx<'_>, machine: &mut Machine, id: SelectId, pick: Option<Pick<'_>>) -> Result<(), Fault> {
    let select = cx.program.select(id).ok_or(Fault::Invariant)?;
    let mut found = Vec::new();
    each(cx, machine, select, &mut |_, item| {
        found.push(item);
        ControlFlow::Continue(())
    })?;
    if matches!(select.source, Source::Zones(_)) && matches!(select.order, SelectOrder::Id | SelectOrder::Turn) {
        found.sort_unstable();
    }
    if let Some(rank) = select.rank {
        keep_best(cx, machine, &mut found, rank)?;
    }
    if select.random.is_some() {
        let n = eval(cx, machine, select.random)?;
        let n = usize::try_from(n).unwrap_or(0);
        if let Some(pick) = pick {
            pick(&mut found, n);
        }
        found.truncate(n);
    }
    if select.take.is_some() {
        let n = eval(cx, machine, select.take)?;
        found.truncate(usize::try_from(n).unwrap_or(0));
    }
    machine.charge(found.len())?;
    machine.push_list(&found);
    Ok(())
}

/// Puts on top how many a selector finds.
pub fn count(cx: &Cx<'_>, machine: &mut Machine, id: SelectId) -> Result<(), Fault> {
    let select = cx.program.select(id).ok_or(Fault::Invariant)?;
    if select.rank.is_some() || select.take.is_some() || select.random.is_some() {
        list(cx, machine, id, None)?;
        let found = machine.pop();
        machine.push(i64::try_from(machine.items(found).len()).unwrap_or(i64::MAX));
        return Ok(());
    }
    let mut n = 0_i64;
    each(cx, machine, select, &mut |_, _| {
        n = n.saturating_add(1);
        ControlFlow::Continue(())
    })?;
    machine.push(n);
    Ok(())
}

/// Puts on top whether a selector finds any.
pub fn any(cx: &Cx<'_>, machine: &mut Machine, id: SelectId) -> Result<(), Fault> {
    let select = cx.program.select(id).ok_or(Fault::Invariant)?;
    let mut found = false;
    each(cx, machine, select, &mut |_, _| {
        found = true;
        ControlFlow::Break(())
    })?;
    machine.push(i64::from(found));
    Ok(())
}

type Visit<'v> = &'v mut dyn FnMut(&mut Machine, i64) -> ControlFlow<()>;

/// Visits all candidates that pass, until told to stop.
fn each(cx: &Cx<'_>, machine: &mut Machine, select: &Select, visit: Visit<'_>) -> Result<(), Fault> {
    let seats = seats(cx, machine, select.seat)?;
    match select.source {
        Source::Zones(mask) => in_zones(cx, machine, select, seats, mask, visit),
        Source::Players => {
            let first = if select.order == SelectOrder::Turn { cx.state.head.active } else { PlayerId(0) };
            for player in cx.state.players_from(first).filter(|it| seats & it.bit() != 0) {
                if test(cx, machine, select.filter, player.into(), visit)?.is_break() {
                    break;
                }
            }
            Ok(())
        }
        Source::Stack(kind) => {
            let frames = cx.state.stack.iter().filter(|it| {
                it.kind == FrameKind::Intent && (kind.is_none() || it.etype == kind) && it.controller.bit() & seats != 0
            });
            for frame in frames {
                if test(cx, machine, select.filter, frame.event.into(), visit)?.is_break() {
                    break;
                }
            }
            Ok(())
        }
        Source::List(code) => {
            let items = eval(cx, machine, code)?;
            let (start, len) = crate::fold::span_of(items);
            for i in start..start.saturating_add(len) {
                let item = machine.lists.get(i).copied().unwrap_or(NULL);
                if belongs(cx, select, seats, item) && test(cx, machine, select.filter, item, visit)?.is_break() {
                    break;
                }
            }
            Ok(())
        }
        Source::Defs(card_type) => {
            for (i, def) in cx.program.defs.iter().enumerate() {
                let fits = card_type.is_none() || def.card_type == card_type;
                if fits && test(cx, machine, select.filter, DefId::at(i).into(), visit)?.is_break() {
                    break;
                }
            }
            Ok(())
        }
    }
}

/// The players a candidate may belong to, a bit each.
fn seats(cx: &Cx<'_>, machine: &mut Machine, rule: SeatRule) -> Result<u16, Fault> {
    Ok(match rule {
        SeatRule::Any => u16::MAX,
        SeatRule::You => cx.you.bit(),
        SeatRule::Others => !cx.you.bit(),
        SeatRule::In(code) => {
            let players = eval(cx, machine, code)?;
            machine.items(players).iter().fold(0, |acc, it| acc | PlayerId::from(*it).bit())
        }
    })
}

fn belongs(cx: &Cx<'_>, select: &Select, seats: u16, item: i64) -> bool {
    if seats == u16::MAX {
        return true;
    }
    let Some(ent) = cx.state.ent(EntityId::from(item)) else {
        return false;
    };
    let seat = match select.seat_is {
        SeatIs::Controller => ent.controller,
        SeatIs::Owner => ent.owner,
    };
    seats & seat.bit() != 0
}

fn in_zones(
    cx: &Cx<'_>,
    machine: &mut Machine,
    select: &Select,
    seats: u16,
    mask: u64,
    visit: Visit<'_>,
) -> Result<(), Fault> {
    for (kind, zone) in cx.program.zones.iter().enumerate() {
        if mask & 1_u64.checked_shl(u32::try_from(kind).unwrap_or(64)).unwrap_or(0) == 0 {
            continue;
        }
        let n = if zone.per_player { u16::from(cx.state.head.n_players) } else { 1 };
        for seat in 0..n {
            // Who has a zone of his own controls what is in it; only owners can differ.
            let skips = zone.per_player
                && select.seat_is == SeatIs::Controller
                && seats & 1_u16.checked_shl(u32::from(seat)).unwrap_or(0) == 0;
            if !skips && in_zone(cx, machine, select, seats, zone.first.saturating_add(seat), visit)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn in_zone(
    cx: &Cx<'_>,
    machine: &mut Machine,
    select: &Select,
    seats: u16,
    zone: u16,
    visit: Visit<'_>,
) -> Result<ControlFlow<()>, Fault> {
    let (mut up, mut down) = (cx.state.cards_in(zone), cx.state.cards_down(zone));
    let from_top = select.order == SelectOrder::Top;
    while let Some(card) = if from_top { down.next() } else { up.next() } {
        let item = i64::from(card);
        if belongs(cx, select, seats, item) && test(cx, machine, select.filter, item, visit)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn test(
    cx: &Cx<'_>,
    machine: &mut Machine,
    filter: CodePtr,
    item: i64,
    visit: Visit<'_>,
) -> Result<ControlFlow<()>, Fault> {
    machine.charge(1)?;
    if filter.is_some() {
        machine.push(item);
        if eval(cx, machine, filter)? != 1 {
            return Ok(ControlFlow::Continue(()));
        }
    }
    Ok(visit(machine, item))
}

/// Keeps those with the best value, in their order.
fn keep_best(cx: &Cx<'_>, machine: &mut Machine, found: &mut Vec<i64>, rank: Rank) -> Result<(), Fault> {
    let mut values = Vec::with_capacity(found.len());
    for item in found.iter() {
        machine.push(*item);
        values.push(eval(cx, machine, rank.value)?);
    }
    let best = if rank.highest { values.iter().max() } else { values.iter().min() };
    let Some(best) = best.copied() else {
        return Ok(());
    };
    let mut value = values.into_iter();
    found.retain(|_| value.next() == Some(best));
    Ok(())
}
