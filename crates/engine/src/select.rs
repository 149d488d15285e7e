//! Finds what selectors look for, in the one order each of them has.

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

/// Puts some items in random order; given where randomness is allowed.
pub type Mix<'p> = &'p mut dyn FnMut(&mut [i64]);

/// Puts everything a selector finds on top, as a list.
pub fn list(cx: &Cx<'_>, machine: &mut Machine, id: SelectId, mix: Option<Mix<'_>>) -> Result<(), Fault> {
    let select = cx.program.select(id).ok_or(Fault::Invariant)?;
    let among = among(cx, machine, select)?;
    let at = machine.start_list();
    each(cx, machine, select, among, &mut |machine, item| {
        machine.lists.push(item);
        ControlFlow::Continue(())
    })?;
    if matches!(select.source, Source::Zones(_)) && matches!(select.order, SelectOrder::Id | SelectOrder::Turn) {
        machine.lists.get_mut(at..).unwrap_or_default().sort_unstable();
    }
    if let Some(rank) = select.rank {
        keep_best(cx, machine, at, rank)?;
    }
    if select.random.is_some() {
        let n = amount(cx, machine, select.random)?;
        if let Some(mix) = mix {
            mix(machine.lists.get_mut(at..).unwrap_or_default());
        }
        machine.lists.truncate(at.saturating_add(n));
    }
    if select.take.is_some() {
        let n = amount(cx, machine, select.take)?;
        machine.lists.truncate(at.saturating_add(n));
    }
    machine.charge(machine.lists.len().saturating_sub(at))?;
    machine.end_list(at);
    Ok(())
}

/// Runs code that gives how many; lists it made on the way are gone after it.
fn amount(cx: &Cx<'_>, machine: &mut Machine, code: CodePtr) -> Result<usize, Fault> {
    let end = machine.lists.len();
    let n = eval(cx, machine, code)?;
    machine.lists.truncate(end);
    Ok(usize::try_from(n).unwrap_or(0))
}

/// Whether a selector would find an item, without looking at all the others where it need not.
pub fn finds(cx: &Cx<'_>, machine: &mut Machine, id: SelectId, item: i64) -> Result<bool, Fault> {
    let select = cx.program.select(id).ok_or(Fault::Invariant)?;
    let compares = select.rank.is_some() || select.take.is_some() || select.random.is_some();
    if compares || matches!(select.source, Source::List(_) | Source::Defs(_)) {
        list(cx, machine, id, None)?;
        let found = machine.pop();
        return Ok(machine.items(found).contains(&item));
    }
    let seats = seats(cx, machine, select.seat)?;
    let is_there = match select.source {
        Source::Zones(mask) => {
            let zone = cx.state.zone_kind(cx.program, EntityId::from(item));
            zone_bit(mask, zone.index()) && belongs(cx, select, seats, item)
        }
        Source::Players => {
            let player = PlayerId::from(item);
            player.0 < cx.state.head.n_players && cx.state.is_alive(player) && seats & player.bit() != 0
        }
        Source::Stack(kind) => cx.state.stack.iter().any(|it| {
            i64::from(it.event) == item
                && it.kind == FrameKind::Intent
                && (kind.is_none() || it.etype == kind)
                && it.controller.bit() & seats != 0
        }),
        Source::List(_) | Source::Defs(_) => false,
    };
    Ok(is_there && passes(cx, machine, select.filter, item)?)
}

fn zone_bit(mask: u64, kind: usize) -> bool {
    mask & 1_u64.checked_shl(u32::try_from(kind).unwrap_or(64)).unwrap_or(0) != 0
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
    let among = among(cx, machine, select)?;
    if let (Source::Zones(mask), true) =
        (select.source, select.filter.is_none() && select.seat_is == SeatIs::Controller)
        && let Some(n) = count_whole_zones(cx, mask, among.seats)
    {
        machine.push(i64::from(n));
        return machine.charge(1);
    }
    let mut n = 0_i64;
    each(cx, machine, select, among, &mut |_, _| {
        n = n.saturating_add(1);
        ControlFlow::Continue(())
    })?;
    machine.push(n);
    Ok(())
}

/// Puts on top whether a selector finds any.
pub fn any(cx: &Cx<'_>, machine: &mut Machine, id: SelectId) -> Result<(), Fault> {
    let select = cx.program.select(id).ok_or(Fault::Invariant)?;
    let among = among(cx, machine, select)?;
    let mut found = false;
    each(cx, machine, select, among, &mut |_, _| {
        found = true;
        ControlFlow::Break(())
    })?;
    machine.push(i64::from(found));
    Ok(())
}

/// How many cards are in zones that belong to some players as a whole; none if one of the zones is shared.
fn count_whole_zones(cx: &Cx<'_>, mask: u64, seats: u16) -> Option<u32> {
    let mut n = 0_u32;
    for zone in cx.program.zones.iter().enumerate().filter(|it| zone_bit(mask, it.0)).map(|it| it.1) {
        if !zone.per_player && seats != u16::MAX {
            return None;
        }
        let n_seats = if zone.per_player { u16::from(cx.state.head.n_players) } else { 1 };
        for seat in
            (0..n_seats).filter(|it| !zone.per_player || seats & 1_u16.checked_shl(u32::from(*it)).unwrap_or(0) != 0)
        {
            n = n.saturating_add(cx.state.zones.get(usize::from(zone.first.saturating_add(seat)))?.len);
        }
    }
    Some(n)
}

/// What a selector looks among, worked out before it begins to look.
#[derive(Clone, Copy)]
struct Among {
    /// The players a candidate may belong to, a bit each.
    seats: u16,
    /// The list whose items are looked at, for a selector that looks at one.
    items: i64,
}

fn among(cx: &Cx<'_>, machine: &mut Machine, select: &Select) -> Result<Among, Fault> {
    let seats = seats(cx, machine, select.seat)?;
    let items = if let Source::List(code) = select.source { eval(cx, machine, code)? } else { NULL };
    Ok(Among { seats, items })
}

type Visit<'v> = &'v mut dyn FnMut(&mut Machine, i64) -> ControlFlow<()>;

/// Visits all candidates that pass, until told to stop.
fn each(cx: &Cx<'_>, machine: &mut Machine, select: &Select, among: Among, visit: Visit<'_>) -> Result<(), Fault> {
    let seats = among.seats;
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
        Source::List(_) => {
            let (start, len) = crate::fold::span_of(among.items);
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
        if !zone_bit(mask, kind) {
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
    Ok(if passes(cx, machine, filter, item)? { visit(machine, item) } else { ControlFlow::Continue(()) })
}

/// Whether a filter lets an item pass. Lists the filter made are gone after it, so that what was found before
/// stays one list.
fn passes(cx: &Cx<'_>, machine: &mut Machine, filter: CodePtr, item: i64) -> Result<bool, Fault> {
    if filter.is_none() {
        return Ok(true);
    }
    let end = machine.lists.len();
    machine.push(item);
    let passes = eval(cx, machine, filter)? == 1;
    machine.lists.truncate(end);
    Ok(passes)
}

/// Keeps those with the best value of the list that begins at a place, in their order.
fn keep_best(cx: &Cx<'_>, machine: &mut Machine, at: usize, rank: Rank) -> Result<(), Fault> {
    let end = machine.lists.len();
    let mut best: Option<i64> = None;
    let mut kept = at;
    for i in at..end {
        let item = machine.lists.get(i).copied().unwrap_or(NULL);
        machine.push(item);
        let value = eval(cx, machine, rank.value)?;
        machine.lists.truncate(end);
        let better = best.is_none_or(|it| if rank.highest { value > it } else { value < it });
        if better {
            (best, kept) = (Some(value), at);
        }
        if best == Some(value) {
            if let Some(slot) = machine.lists.get_mut(kept) {
                *slot = item;
            }
            kept = kept.saturating_add(1);
        }
    }
    machine.lists.truncate(kept);
    Ok(())
}
