//! Finds what selectors look for, in the one order each of them has.

use core::ops::ControlFlow;

use ruleset::{
    CodePtr, DefId, EventTypeId, NULL, SelectId,
    program::{Rank, SeatIs, SeatRule, Select, SelectOrder, Source, Way, ZoneRule},
    tree::{Node, Root},
};

use crate::{
    cells::descriptor,
    eval::{Cx, eval},
    fault::Fault,
    ids::{EntityId, PlayerId},
    scratch::Machine,
    sieve::Sifter,
    state::{Entity, Frame, FrameKind},
    tree,
};

/// Puts some items in random order; given where randomness is allowed.
pub type Mix<'p> = &'p mut dyn FnMut(&mut [i64]);

/// Puts everything a selector finds on top, as a list.
pub fn list(cx: &Cx<'_>, machine: &mut Machine, id: SelectId, mix: Option<Mix<'_>>) -> Result<(), Fault> {
    let found = found(cx, machine, id, mix)?;
    machine.push(found);
    Ok(())
}

/// Everything a selector finds, as a list of the machine.
pub fn found(cx: &Cx<'_>, machine: &mut Machine, id: SelectId, mix: Option<Mix<'_>>) -> Result<i64, Fault> {
    let select = cx.program.select(id).ok_or(Fault::Invariant)?;
    let mut at = machine.start_list();
    match (select.way, select.source) {
        (Way::Whole, Source::Zones(mask)) => at = whole(cx, machine, select, mask)?,
        (Way::Sifted, Source::Zones(mask)) => {
            through_sieve(cx, machine, select, fixed_seats(cx, select.seat), mask, |machine, item| {
                machine.lists.push(item);
                ControlFlow::Continue(())
            })?;
        }
        (Way::Seats, _) => {
            for player in players(cx, select, fixed_seats(cx, select.seat)) {
                machine.spend(1)?;
                machine.lists.push(player.into());
            }
        }
        _ => at = found_anyhow(cx, machine, select, mix)?,
    }
    let n = machine.lists.len().saturating_sub(at);
    machine.charge(n)?;
    Ok(descriptor(at, n))
}

/// Lists all cards in zones, or the first few without a look at the others; it costs as much as if there was one.
/// Gives where the list begins.
#[inline]
fn whole(cx: &Cx<'_>, machine: &mut Machine, select: &Select, mask: u64) -> Result<usize, Fault> {
    let seats = seats(cx, machine, select.seat)?;
    let mut room = if select.take.is_some() { amount(cx, machine, select.take)? } else { usize::MAX };
    let (at, from_top) = (machine.start_list(), select.order == SelectOrder::Top);
    for (zone, _) in instances(cx, mask, seats) {
        let Some(row) = cx.state.zones.get(usize::from(zone)) else { continue };
        machine.spend(row.len)?;
        let mut next = if from_top { row.top } else { row.bottom };
        while room > 0
            && let Some(ent) = cx.state.ents.get(next.index())
        {
            machine.lists.push(i64::from(next.0));
            next = if from_top { ent.below } else { ent.above };
            room = room.saturating_sub(1);
        }
    }
    Ok(at)
}

/// The players a selector may find, in its order.
#[inline]
fn players(cx: &Cx<'_>, select: &Select, seats: u16) -> impl Iterator<Item = PlayerId> + use<> {
    let first = if select.order == SelectOrder::Turn { cx.state.head.active } else { PlayerId(0) };
    cx.state.players_from(first).filter(move |it| seats & it.bit() != 0)
}

/// Lists what any selector finds; gives where the list begins.
#[inline(never)]
fn found_anyhow(cx: &Cx<'_>, machine: &mut Machine, select: &Select, mix: Option<Mix<'_>>) -> Result<usize, Fault> {
    let among = among(cx, machine, select)?;
    let at = machine.start_list();
    each(cx, machine, select, among, |machine, item| {
        machine.lists.push(item);
        ControlFlow::Continue(())
    })?;
    if matches!(select.source, Source::Zones(_)) && !select.order.is_as_they_lie() {
        machine.lists.get_mut(at..).unwrap_or_default().sort_unstable();
    }
    if select.compares() {
        narrow(cx, machine, select, at, mix)?;
    }
    Ok(at)
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
        list(cx, machine, id, None)?;
        let found = machine.pop();
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
    if select.sieve.is_some() {
        let sifter = Sifter::new(cx, machine, select.sieve);
        return sift(cx, machine, select, &sifter, item);
    }
    Filter::new(cx, machine, select).passes(cx, machine, item)
}

#[inline]
pub(crate) fn zone_bit(mask: u64, kind: usize) -> bool {
    mask & 1_u64.checked_shl(u32::try_from(kind).unwrap_or(64)).unwrap_or(0) != 0
}

/// Puts on top how many a selector finds.
pub fn count(cx: &Cx<'_>, machine: &mut Machine, id: SelectId) -> Result<(), Fault> {
    let select = cx.program.select(id).ok_or(Fault::Invariant)?;
    if select.compares() {
        list(cx, machine, id, None)?;
        let found = machine.pop();
        machine.push(i64::try_from(machine.items(found).len()).unwrap_or(i64::MAX));
        return Ok(());
    }
    if cx.program.is_whole(select) {
        machine.push(count_whole(cx, id));
        return machine.charge(1);
    }
    let among = among(cx, machine, select)?;
    let mut n = 0_i64;
    each(cx, machine, select, among, |_, _| {
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
    each(cx, machine, select, among, |_, _| {
        found = true;
        ControlFlow::Break(())
    })?;
    machine.push(i64::from(found));
    Ok(())
}

/// How many a selector finds that finds all cards of some zones, or all events on the stack.
pub fn count_whole(cx: &Cx<'_>, id: SelectId) -> i64 {
    let Some(select) = cx.program.select(id) else { return 0 };
    if let Some(lie) = select.lie {
        return cx.state.count_in(lie, cx.you);
    }
    if let Source::Stack(kind) = select.source {
        let n = on_stack(cx, kind, fixed_seats(cx, select.seat)).count();
        return i64::try_from(n).unwrap_or(i64::MAX);
    }
    let Source::Zones(mask) = select.source else { return 0 };
    let mut n = 0_u32;
    for (zone, _) in instances(cx, mask, fixed_seats(cx, select.seat)) {
        n = n.saturating_add(cx.state.zones.get(usize::from(zone)).map_or(0, |it| it.len));
    }
    i64::from(n)
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

/// Visits all candidates that pass, until told to stop.
#[inline]
fn each(
    cx: &Cx<'_>,
    machine: &mut Machine,
    select: &Select,
    among: Among,
    mut visit: impl FnMut(&mut Machine, i64) -> ControlFlow<()>,
) -> Result<(), Fault> {
    let Source::Zones(mask) = select.source else { return elsewhere(cx, machine, select, among, &mut visit) };
    if select.filter.is_none() {
        in_zones(cx, machine, select, among.seats, mask, |machine, item| Ok(visit(machine, item).is_break()))
    } else if select.sieve.is_some() {
        through_sieve(cx, machine, select, among.seats, mask, visit)
    } else {
        elsewhere(cx, machine, select, among, &mut visit)
    }
}

/// The same for cards in zones that a sieve can tell apart.
#[inline(never)]
fn through_sieve(
    cx: &Cx<'_>,
    machine: &mut Machine,
    select: &Select,
    seats: u16,
    mask: u64,
    mut visit: impl FnMut(&mut Machine, i64) -> ControlFlow<()>,
) -> Result<(), Fault> {
    let sifter = Sifter::new(cx, machine, select.sieve);
    in_zones(cx, machine, select, seats, mask, |machine, item| {
        Ok(sift(cx, machine, select, &sifter, item)? && visit(machine, item).is_break())
    })
}

/// The same for selectors that do not look into zones, or by more than a sieve, out of the way of those that do.
#[inline(never)]
fn elsewhere(
    cx: &Cx<'_>,
    machine: &mut Machine,
    select: &Select,
    among: Among,
    visit: &mut dyn FnMut(&mut Machine, i64) -> ControlFlow<()>,
) -> Result<(), Fault> {
    let seats = among.seats;
    let filter = Filter::new(cx, machine, select);
    let mut visit_if =
        |machine: &mut Machine, item: i64| Ok(filter.passes(cx, machine, item)? && visit(machine, item).is_break());
    if let Source::Zones(mask) = select.source {
        return in_zones(cx, machine, select, seats, mask, visit_if);
    }
    let mut test = |machine: &mut Machine, item: i64| -> Result<bool, Fault> {
        machine.spend(1)?;
        visit_if(machine, item)
    };
    match select.source {
        Source::Zones(_) => {}
        Source::Players => {
            for player in players(cx, select, seats) {
                if test(machine, player.into())? {
                    break;
                }
            }
        }
        Source::Stack(kind) => {
            for frame in on_stack(cx, kind, seats) {
                if test(machine, frame.event.into())? {
                    break;
                }
            }
        }
        Source::List(_) => {
            let (start, len) = crate::cells::span_of(among.items);
            for i in start..start.saturating_add(len) {
                let item = machine.lists.get(i).copied().unwrap_or(NULL);
                if belongs(cx, select, seats, item) && test(machine, item)? {
                    break;
                }
            }
        }
        Source::Defs(card_type) => {
            for (i, def) in cx.program.defs.iter().enumerate() {
                let fits = card_type.is_none() || def.card_type == card_type;
                if fits && test(machine, DefId::at(i).into())? {
                    break;
                }
            }
        }
    }
    Ok(())
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
            machine.spend(1)?;
            if visit(machine, item)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// What candidates must be like, looked up once for all of them.
enum Filter<'s> {
    /// What a sieve says; anything, where there is no filter at all.
    Sieve(Sifter<'s>, &'s Select),
    /// What a tree says of who is in a register.
    Tree(u8, Root),
    /// What code says.
    Code(CodePtr),
}

impl<'s> Filter<'s> {
    #[inline]
    fn new(cx: &Cx<'s>, machine: &mut Machine, select: &'s Select) -> Self {
        if select.filter.is_none() || select.sieve.is_some() {
            return Self::Sieve(Sifter::new(cx, machine, select.sieve), select);
        }
        let root = cx.program.trees.root(select.filter);
        match cx.program.trees.node(root.node) {
            Some(Node::Take(reg, rest)) => Self::Tree(reg, Root { node: rest, ..root }),
            _ => Self::Code(select.filter),
        }
    }

    /// Whether an item passes. Lists that are made on the way are gone after it, so that what was found before
    /// stays one list.
    #[inline]
    fn passes(&self, cx: &Cx<'_>, machine: &mut Machine, item: i64) -> Result<bool, Fault> {
        match self {
            Self::Sieve(sifter, select) => sift(cx, machine, select, sifter, item),
            Self::Tree(reg, root) => {
                machine.spend(root.size)?;
                machine.set_reg(*reg, item);
                let end = machine.lists.len();
                let passes = tree::value(cx, machine, root.node) == 1;
                // Values it looked at may depend on continuous effects, which may make lists.
                machine.lists.truncate(end);
                Ok(passes)
            }
            Self::Code(code) => passes_code(cx, machine, *code, item),
        }
    }
}

/// Whether a selector's sieve lets an item through.
#[inline(always)]
fn sift(cx: &Cx<'_>, machine: &mut Machine, select: &Select, sifter: &Sifter<'_>, item: i64) -> Result<bool, Fault> {
    let passes = sifter.passes(cx, machine, item)?;
    debug_assert!(agrees(cx, machine, select.filter, item, passes), "a sieve says otherwise than its filter");
    Ok(passes)
}

fn passes_code(cx: &Cx<'_>, machine: &mut Machine, code: CodePtr, item: i64) -> Result<bool, Fault> {
    let end = machine.lists.len();
    machine.push(item);
    let passes = eval(cx, machine, code)? == 1;
    machine.lists.truncate(end);
    Ok(passes)
}

/// Whether a filter says of an item what was worked out another way; asking costs nothing.
fn agrees(cx: &Cx<'_>, machine: &mut Machine, code: CodePtr, item: i64, passes: bool) -> bool {
    if code.is_none() {
        return passes;
    }
    let (fuel, regs) = (machine.fuel, machine.regs);
    let asked = passes_code(cx, machine, code, item);
    (machine.fuel, machine.regs) = (fuel, regs);
    asked.is_err() || asked == Ok(passes)
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
