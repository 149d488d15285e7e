//! Finds what selectors look for, in the one order each of them has.

use core::ops::ControlFlow;

use ruleset::{
    CodePtr, DefId, EventTypeId, NULL, SelectId,
    op::Filter,
    program::{Rank, SeatIs, SeatRule, Select, SelectOrder, Source, ZoneRule},
};

use crate::{
    cells::descriptor,
    eval::{self, Cx, eval, eval_of},
    fault::Fault,
    ids::{EntityId, PlayerId},
    scratch::Machine,
    state::{Entity, Frame, FrameKind},
};

/// Puts some items in random order; given where randomness is allowed.
pub type Mix<'p> = &'p mut dyn FnMut(&mut [i64]);

/// Everything a selector finds, as a list of the machine.
pub fn found(cx: &Cx<'_>, machine: &mut Machine, id: SelectId, mix: Option<Mix<'_>>) -> Result<i64, Fault> {
    let search = Search::new(cx, machine, id)?;
    let select = search.select;
    let at = machine.start_list();
    let mut room = search.room(cx, machine)?;
    search.each(cx, machine, |machine, item| {
        if room == 0 {
            return ControlFlow::Break(());
        }
        room = room.saturating_sub(1);
        machine.lists.push(item);
        ControlFlow::Continue(())
    })?;
    if matches!(select.source, Source::Zones(_)) && !select.order.is_as_they_lie() {
        machine.lists.get_mut(at..).unwrap_or_default().sort_unstable();
    }
    if select.compares() {
        narrow(cx, machine, select, at, mix)?;
    }
    let n = machine.lists.len().saturating_sub(at);
    machine.charge(n)?;
    Ok(descriptor(at, n))
}

/// Keeps of a list that begins at a place only the best, some at random, or the first.
#[inline(never)]
fn narrow(cx: &Cx<'_>, machine: &mut Machine, select: &Select, at: usize, mix: Option<Mix<'_>>) -> Result<(), Fault> {
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
    if select.compares() || matches!(select.source, Source::List(_) | Source::Defs(_)) {
        let found = found(cx, machine, id, None)?;
        return Ok(machine.items(found).contains(&item));
    }
    let seats = seats(cx, machine, select.seat)?;
    let is_there = match select.source {
        Source::Zones(mask) => cx.state.ent(EntityId::from(item)).is_some_and(|ent| {
            let zone = cx.program.zone_of(ent.zone);
            zone.is_some_and(|it| zone_bit(mask, it.0.index())) && belongs_to(ent, select, seats)
        }),
        Source::Players => {
            let player = PlayerId::from(item);
            player.0 < cx.state.head.n_players && cx.state.is_alive(player) && seats & player.bit() != 0
        }
        Source::Stack(kind) => on_stack(cx, kind, seats).any(|it| i64::from(it.event) == item),
        Source::List(_) | Source::Defs(_) => false,
    };
    if !is_there || select.filter.is_none() {
        return Ok(is_there);
    }
    let height = machine.height();
    let filter = keep(cx, machine, id)?;
    let passes = passes(cx, machine, select, filter, item);
    machine.set_height(height);
    passes
}

#[inline]
pub(crate) fn zone_bit(mask: u64, kind: usize) -> bool {
    mask & 1_u64.checked_shl(u32::try_from(kind).unwrap_or(64)).unwrap_or(0) != 0
}

/// How many a selector finds.
pub fn count(cx: &Cx<'_>, machine: &mut Machine, id: SelectId) -> Result<i64, Fault> {
    let select = cx.program.select(id).ok_or(Fault::Invariant)?;
    if select.compares() {
        let found = found(cx, machine, id, None)?;
        return Ok(i64::try_from(machine.items(found).len()).unwrap_or(i64::MAX));
    }
    if select.is_whole {
        machine.spend(1)?;
        return Ok(count_whole(cx, select));
    }
    let mut n = 0_i64;
    Search::new(cx, machine, id)?.each(cx, machine, |_, _| {
        n = n.saturating_add(1);
        ControlFlow::Continue(())
    })?;
    Ok(n)
}

/// Whether a selector finds any.
pub fn any(cx: &Cx<'_>, machine: &mut Machine, id: SelectId) -> Result<bool, Fault> {
    let mut found = false;
    Search::new(cx, machine, id)?.each(cx, machine, |_, _| {
        found = true;
        ControlFlow::Break(())
    })?;
    Ok(found)
}

/// How many a selector finds that finds all cards of some zones, or all events on the stack.
fn count_whole(cx: &Cx<'_>, select: &Select) -> i64 {
    let seats = fixed_seats(cx, select.seat);
    match select.source {
        Source::Stack(kind) => i64::try_from(on_stack(cx, kind, seats).count()).unwrap_or(i64::MAX),
        Source::Zones(mask) => {
            let len = |(zone, _): (u16, bool)| cx.state.zones.get(usize::from(zone)).map_or(0, |it| i64::from(it.len));
            instances(cx, mask, seats).map(len).fold(0, i64::saturating_add)
        }
        Source::Players | Source::List(_) | Source::Defs(_) => 0,
    }
}

/// The events of a type, or of any, that wait on the stack and are some players'.
fn on_stack<'c>(cx: &Cx<'c>, kind: EventTypeId, seats: u16) -> impl Iterator<Item = &'c Frame> + use<'c> {
    let is_meant = move |it: &&Frame| {
        it.kind == FrameKind::Intent && (kind.is_none() || it.etype == kind) && it.controller.bit() & seats != 0
    };
    cx.state.stack.iter().filter(is_meant)
}

/// The zone instances of some kinds, as far as they belong to some players or to nobody, and whether they belong to
/// somebody.
#[inline]
pub(crate) fn instances<'c>(cx: &Cx<'c>, mask: u64, seats: u16) -> Instances<'c> {
    let n_players = u32::from(cx.state.head.n_players);
    let everybody = 1_u32.checked_shl(n_players).unwrap_or(0).wrapping_sub(1);
    Instances {
        zones: &cx.program.zones,
        kinds: mask,
        seats: u32::from(seats) & everybody,
        first: 0,
        left: 0,
        own: false,
    }
}

/// Goes through zone instances, kind by kind and seat by seat.
pub(crate) struct Instances<'c> {
    zones: &'c [ZoneRule],
    /// The kinds to come, a bit each.
    kinds: u64,
    /// The players whose zones are meant.
    seats: u32,
    /// The first instance of this kind, those that are left of it, and whether they belong to somebody.
    first: u16,
    left: u32,
    own: bool,
}

impl Iterator for Instances<'_> {
    type Item = (u16, bool);

    #[inline]
    fn next(&mut self) -> Option<(u16, bool)> {
        while self.left == 0 {
            let kind = self.kinds.trailing_zeros();
            if kind == u64::BITS {
                return None;
            }
            self.kinds &= self.kinds.wrapping_sub(1);
            let Some(zone) = self.zones.get(usize::try_from(kind).unwrap_or(usize::MAX)) else { continue };
            (self.first, self.own) = (zone.first, zone.per_player);
            self.left = if zone.per_player { self.seats } else { 1 };
        }
        let seat = self.left.trailing_zeros();
        self.left &= self.left.wrapping_sub(1);
        Some((self.first.saturating_add(u16::try_from(seat).unwrap_or(0)), self.own))
    }
}

/// A selector that looks: what is the same for all candidates is worked out before it begins.
struct Search<'c> {
    select: &'c Select,
    /// The players a candidate may belong to, a bit each.
    seats: u16,
    /// The list whose items are looked at, for a selector that looks at one.
    items: i64,
    filter: Filter,
    /// How high the stack was before.
    height: usize,
}

impl<'c> Search<'c> {
    fn new(cx: &Cx<'c>, machine: &mut Machine, id: SelectId) -> Result<Self, Fault> {
        let select = cx.program.select(id).ok_or(Fault::Invariant)?;
        let height = machine.height();
        let seats = seats(cx, machine, select.seat)?;
        let items = if let Source::List(code) = select.source { eval(cx, machine, code)? } else { NULL };
        let filter = keep(cx, machine, id)?;
        Ok(Self { select, seats, items, filter, height })
    }

    /// How many it takes at most, if those are the first it comes to.
    fn room(&self, cx: &Cx<'_>, machine: &mut Machine) -> Result<usize, Fault> {
        let select = self.select;
        let in_order = !matches!(select.source, Source::Zones(_)) || select.order.is_as_they_lie();
        let takes_first = select.take.is_some() && select.rank.is_none() && select.random.is_none() && in_order;
        if takes_first { amount(cx, machine, select.take) } else { Ok(usize::MAX) }
    }

    /// Visits all candidates that pass, until told to stop.
    #[inline]
    fn each(
        self,
        cx: &Cx<'_>,
        machine: &mut Machine,
        mut visit: impl FnMut(&mut Machine, i64) -> ControlFlow<()>,
    ) -> Result<(), Fault> {
        let (select, filter) = (self.select, self.filter);
        let mut look = |machine: &mut Machine, item: i64| {
            machine.spend(1)?;
            Ok(passes(cx, machine, select, filter, item)? && visit(machine, item).is_break())
        };
        let done = match select.source {
            Source::Zones(mask) => in_zones(cx, machine, select, self.seats, mask, &mut look),
            Source::Players => {
                let first = if select.order == SelectOrder::Turn { cx.state.head.active } else { PlayerId(0) };
                let meant = cx.state.players_from(first).filter(|it| self.seats & it.bit() != 0);
                until(machine, meant.map(i64::from), look)
            }
            Source::Stack(kind) => until(machine, on_stack(cx, kind, self.seats).map(|it| it.event.into()), look),
            Source::Defs(card_type) => {
                let defs = cx.program.defs.iter().enumerate();
                let meant = defs.filter(|it| card_type.is_none() || it.1.card_type == card_type);
                until(machine, meant.map(|it| DefId::at(it.0).into()), look)
            }
            Source::List(_) => self.in_list(cx, machine, look),
        };
        machine.set_height(self.height);
        done
    }

    /// Looks at the items of a list.
    fn in_list(
        &self,
        cx: &Cx<'_>,
        machine: &mut Machine,
        mut look: impl FnMut(&mut Machine, i64) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let (start, len) = crate::cells::span_of(self.items);
        for i in start..start.saturating_add(len) {
            let item = machine.lists.get(i).copied().unwrap_or(NULL);
            if belongs(cx, self.select, self.seats, item) && look(machine, item)? {
                break;
            }
        }
        Ok(())
    }
}

/// Looks at some until it is enough.
#[inline]
fn until(
    machine: &mut Machine,
    items: impl Iterator<Item = i64>,
    mut look: impl FnMut(&mut Machine, i64) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    for item in items {
        if look(machine, item)? {
            break;
        }
    }
    Ok(())
}

/// Works out what a filter asks of all candidates alike; that stays on the stack.
#[inline]
fn keep(cx: &Cx<'_>, machine: &mut Machine, id: SelectId) -> Result<Filter, Fault> {
    let filter = cx.program.ops.filter(id);
    if filter.n_kept > 0 {
        eval::run(cx, machine, filter.first)?;
    }
    Ok(filter)
}

/// Whether a filter lets a candidate through. Lists that are made on the way are gone after it, so that what was found
/// before stays one list.
#[inline]
fn passes(cx: &Cx<'_>, machine: &mut Machine, select: &Select, filter: Filter, item: i64) -> Result<bool, Fault> {
    if select.filter.is_none() {
        return Ok(true);
    }
    let end = machine.lists.len();
    machine.set_reg(select.reg, item);
    let passes = eval::value(cx, machine, filter.each)? == 1;
    machine.lists.truncate(end);
    Ok(passes)
}

/// The players a candidate may belong to, a bit each.
#[inline]
pub(crate) fn seats(cx: &Cx<'_>, machine: &mut Machine, rule: SeatRule) -> Result<u16, Fault> {
    if let SeatRule::In(code) = rule { seats_in(cx, machine, code) } else { Ok(fixed_seats(cx, rule)) }
}

#[inline(never)]
fn seats_in(cx: &Cx<'_>, machine: &mut Machine, code: CodePtr) -> Result<u16, Fault> {
    let players = eval(cx, machine, code)?;
    Ok(machine.items(players).iter().fold(0, |acc, it| acc | PlayerId::from(*it).bit()))
}

/// The same where no code has a say; nobody where it has.
#[inline]
fn fixed_seats(cx: &Cx<'_>, rule: SeatRule) -> u16 {
    match rule {
        SeatRule::Any => u16::MAX,
        SeatRule::You => cx.you.bit(),
        SeatRule::Others => !cx.you.bit(),
        SeatRule::In(_) => 0,
    }
}

/// The players whose zones a selector may look into, where that is plain; else all.
pub(crate) fn wide_seats(cx: &Cx<'_>, select: &Select) -> u16 {
    let narrow = select.seat_is == SeatIs::Controller && !matches!(select.seat, SeatRule::In(_));
    if narrow { fixed_seats(cx, select.seat) } else { u16::MAX }
}

pub(crate) fn belongs(cx: &Cx<'_>, select: &Select, seats: u16, item: i64) -> bool {
    seats == u16::MAX || cx.state.ent(EntityId::from(item)).is_some_and(|it| belongs_to(it, select, seats))
}

#[inline]
fn belongs_to(ent: &Entity, select: &Select, seats: u16) -> bool {
    let seat = match select.seat_is {
        SeatIs::Controller => ent.controller,
        SeatIs::Owner => ent.owner,
    };
    seats == u16::MAX || seats & seat.bit() != 0
}

/// Visits all cards in kinds of zones that belong to some players, until one says that it is enough.
#[inline]
fn in_zones(
    cx: &Cx<'_>,
    machine: &mut Machine,
    select: &Select,
    seats: u16,
    mask: u64,
    mut visit: impl FnMut(&mut Machine, i64) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let by_controller = select.seat_is == SeatIs::Controller;
    let from_top = select.order == SelectOrder::Top;
    let ents = &cx.state.ents;
    for (zone, has_owner) in instances(cx, mask, if by_controller { seats } else { u16::MAX }) {
        let Some(row) = cx.state.zones.get(usize::from(zone)) else { continue };
        // Who has a zone of his own controls what is in it; only owners can differ, and cards in a shared zone.
        let is_own = seats == u16::MAX || (by_controller && has_owner);
        let mut next = if from_top { row.top } else { row.bottom };
        while let Some(ent) = ents.get(next.index()) {
            let item = i64::from(next.0);
            next = if from_top { ent.below } else { ent.above };
            if !is_own && !belongs(cx, select, seats, item) {
                continue;
            }
            if visit(machine, item)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Keeps those with the best value of the list that begins at a place, in their order.
fn keep_best(cx: &Cx<'_>, machine: &mut Machine, at: usize, rank: Rank) -> Result<(), Fault> {
    let end = machine.lists.len();
    let mut best: Option<i64> = None;
    let mut kept = at;
    for i in at..end {
        let item = machine.lists.get(i).copied().unwrap_or(NULL);
        let value = eval_of(cx, machine, rank.value, item)?;
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
