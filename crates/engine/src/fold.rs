//! Applies records. The only code that changes a `MatchState`.

use alloc::vec::Vec;

use ruleset::{
    KeywordId, Program,
    place::Place,
    program::{AttrRule, Visibility},
    reads::Reads,
};

use crate::{
    attribute,
    derived::Derived,
    ids::{EntityId, EventNo, InputNo, PlayerId},
    record::Record,
    state::{
        Answer, Delay, Entity, Frame, Held, Lasts, LimitKey, LimitScope, MatchState, ModKind, Modifier, NO_ZONE,
        Origin, Stage, Status,
    },
};

/// Applies one record; its list is looked up only where it is needed.
pub fn fold<'l, P: Copy>(
    program: &Program,
    state: &mut MatchState,
    derived: &mut Derived,
    record: &Record<P>,
    list: impl Fn(P) -> &'l [i64],
) {
    match *record {
        Record::Pushed(frame, cells) => push(state, frame, list(cells)),
        Record::AtOnce(frame, _) => note_row(state, &frame),
        Record::Popped => pop(state),
        Record::At(pc) => with_top(state, |it| it.pc = pc),
        Record::Began(pc) => with_top(state, |it| (it.pc, it.stage) = (pc, Stage::Running)),
        Record::Staged(stage) => with_top(state, |it| it.stage = stage),
        Record::Set(cell, value) => set(state, cell, value),
        Record::Stored(cell, values) => store(state, cell, list(values)),
        Record::Amended(event, field, value) => amend(state, event, field, value),
        Record::Noted(note) => {
            state.notes.retain(|it| (it.event, it.entity, it.field) != (note.event, note.entity, note.field));
            state.notes.push(note);
        }
        Record::Prevented { event, by, reason } => {
            if let Some(frame) = state.stack.iter_mut().find(|it| it.event == event) {
                frame.prevented_by = by;
                frame.reason = reason;
            }
        }
        Record::GroupOpened(row) => {
            state.head.next_group = row.no.saturating_add(1);
            state.groups.push(row);
        }
        Record::MemberNext(at) => with_top(state, |it| it.next_member = at),
        Record::Responded => with_top(state, |it| it.responded = true),
        Record::Deferring(on) => with_top(state, |it| it.deferring = on),
        Record::Paid(paid) => state.paid.push(paid),
        Record::Asked(ask) => {
            state.head.next_input = ask.no.0.saturating_add(1);
            state.head.check_rounds = 0;
            state.asks.push(ask);
        }
        Record::Answered { input, player, origin, values } => answer(state, input, player, origin, list(values)),
        Record::Closed(input) => {
            state.asks.retain(|it| it.no != input);
            state.answers.retain(|it| it.input != input);
        }
        Record::WindowSet(window) => {
            state.head.window = window;
            state.head.check_rounds = 0;
        }
        Record::Ending(on) => state.head.ending = on,
        Record::Rolled(stream) => roll(state, stream),
        Record::Counted(key, n) => count(state, key, n),
        Record::Held { holder, frame, cells } => {
            note_number(state, frame.event);
            state.held.push(Held { holder, frame, cells: list(cells).to_vec() });
        }
        Record::Released(holder) => state.held.retain(|it| it.holder != holder),
        Record::Delayed(what, kept) => {
            state.head.next_mod = what.no.saturating_add(1);
            state.delays.push(Delay { what, kept: list(kept).to_vec() });
        }
        Record::DelayUsed(no) => use_delay(state, no),
        Record::DelayDropped(no) => state.delays.retain(|it| it.what.no != no),
        Record::TimerSet(timer) => state.head.timer = timer,
        Record::Paused(pause) => state.head.paused = pause,
        Record::Flowed { turn, active, step, flow } => {
            if turn != state.head.turn {
                forget_old_counts(state, turn);
            }
            let head = &mut state.head;
            if turn != head.turn && !core::mem::take(&mut head.extra_next) {
                head.regular = active;
            }
            if (turn, active, step) != (head.turn, head.active, head.step) {
                head.dirty = true;
                derived.touch(Reads::FLOW);
            }
            (head.turn, head.active, head.step, head.flow) = (turn, active, step, flow);
            head.idle_steps = head.idle_steps.saturating_add(u32::from(flow == crate::state::Flow::StepEnd));
        }
        Record::Checked => state.head.check_rounds = state.head.check_rounds.saturating_add(1),
        Record::Settled => {
            state.head.dirty = false;
            derived.settle(false);
        }
        Record::Connected(player, on) => set_bit(&mut state.head.connected, player, on),
        Record::Accepted { version } => {
            state.head.version = version;
            derived.settle(state.head.dirty);
            state.head.idle_steps = 0;
        }
        Record::AttrSet { .. }
        | Record::Moved { .. }
        | Record::Created { .. }
        | Record::Reserved(_)
        | Record::Ordered(..)
        | Record::Shuffled(..)
        | Record::ModAdded(_)
        | Record::ModDropped(_)
        | Record::Revealed { .. }
        | Record::ControlSet { .. }
        | Record::Eliminated(_)
        | Record::TurnGiven(_)
        | Record::TurnTaken
        | Record::SkipAdded(..)
        | Record::SkipUsed(..)
        | Record::Ended(_) => {
            state.head.dirty = true;
            touch(program, state, derived, record);
            fold_world(program, state, derived, record, list);
        }
        Record::Happened { event, .. } => {
            count_fact(state, event);
            state.head.dirty = true;
            derived.touch(Reads::OTHER);
        }
        // Restoring a mark needs the marks, which are not part of the state: see `Match::fold`.
        Record::Undone { .. } => {}
    }
}

#[inline(always)]
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "instructions and records of the other classes are not for this place"
)]
fn fold_world<'l, P: Copy>(
    program: &Program,
    state: &mut MatchState,
    derived: &mut Derived,
    record: &Record<P>,
    list: impl Fn(P) -> &'l [i64],
) {
    match *record {
        Record::AttrSet { entity, column, value } => set_attr(program, state, entity, column, value),
        Record::Moved { event, card, to, on_top, .. } => {
            count_fact(state, event);
            move_card(program, state, derived, card, to, on_top);
        }
        Record::Created { event, card, def, owner, to, on_top, .. } => {
            count_fact(state, event);
            if let Some(ent) = state.ents.get_mut(card.index()) {
                (ent.def, ent.owner, ent.controller) = (def, owner, owner);
                (ent.status, ent.created) = (Status::Card, event.is_some());
            }
            print(program, state, card);
            link(state, card, (to, program.place(to)), on_top);
            derived.refresh(program, state, card);
        }
        Record::Reserved(_) => add_unborn(program, state),
        Record::Ordered(zone, cards) => order(state, zone, list(cards)),
        Record::Shuffled(zone, cards) => {
            order(state, zone, list(cards));
            forget(program, state, zone);
        }
        Record::ModAdded(modifier) => add_modifier(program, state, derived, modifier),
        Record::ModDropped(no) => drop_modifiers(program, state, derived, |it| it.no == no),
        Record::Revealed { card, to } => {
            state.head.reveals = state.head.reveals.saturating_add(1);
            if let Some(ent) = state.ents.get_mut(card.index()) {
                ent.seen |= to;
            }
        }
        Record::ControlSet { card, player } => {
            let turn = state.head.turn;
            if let Some(ent) = state.ents.get_mut(card.index()) {
                (ent.controller, ent.since) = (player, turn);
            }
        }
        Record::Eliminated(player) => {
            set_bit(&mut state.head.alive, player, false);
            state.extra_turns.retain(|it| *it != player);
            state.skips.retain(|it| it.0 != player);
        }
        Record::TurnGiven(player) => state.extra_turns.push(player),
        Record::TurnTaken => {
            state.head.extra_next = true;
            if !state.extra_turns.is_empty() {
                state.extra_turns.remove(0);
            }
        }
        Record::SkipAdded(player, step) => state.skips.push((player, step)),
        Record::SkipUsed(player, step) => {
            if let Some(at) = state.skips.iter().position(|it| *it == (player, step)) {
                state.skips.remove(at);
            }
        }
        Record::Ended(outcome) => {
            state.head.outcome = Some(outcome);
            state.head.window = None;
            state.head.timer = None;
            state.asks.clear();
            state.answers.clear();
        }
        _ => {}
    }
}

/// Notes what a world record changes, for state checks.
#[inline(always)]
#[expect(clippy::wildcard_enum_match_arm, reason = "what is not named here may change anything")]
fn touch<P: Copy>(program: &Program, state: &MatchState, derived: &mut Derived, record: &Record<P>) {
    match *record {
        Record::AttrSet { entity, column, .. } => {
            derived.touch_one(Reads::column(column).with(Reads::OTHER), entity);
        }
        Record::Moved { card, from, to, .. } => {
            // A card that is reset, or that leaves play with what it did to others, changes in its values, too.
            let keeps =
                !program.place(from).is_none_or(|it| it.active) && !program.place(to).is_none_or(|it| it.resets);
            if keeps {
                derived.touch_one(Reads::CARDS.with(Reads::OTHER), card);
            } else if !is_held(program, state, card) {
                // Nobody else has anything from it that could go with it.
                derived.touch_one(Reads::ALL, card);
            } else {
                derived.touch(Reads::ALL);
            }
        }
        _ => derived.touch(Reads::ALL),
    }
}

/// Whether others have something from a card that goes when it leaves: a link to it, or what lasts as long as it does.
fn is_held(program: &Program, state: &MatchState, card: EntityId) -> bool {
    let gives = |it: &Modifier| it.source == card && it.lasts == Lasts::Source;
    state.mods.iter().any(gives) || (program.has_links && !links_to(program, state, card).is_empty())
}

/// The links that lead to a card, by who has them and in which column.
fn links_to(program: &Program, state: &MatchState, card: EntityId) -> Vec<(EntityId, u16)> {
    let stored = i32::try_from(card.0).unwrap_or(i32::MAX);
    let n_players = usize::from(state.head.n_players);
    let mut found = Vec::new();
    for (of_players, ents) in [(true, 0..n_players), (false, n_players..state.ents.len())] {
        for column in program.links(of_players) {
            let leads = |it: &EntityId| state.base(program, *it, column) == stored;
            found.extend(ents.clone().map(EntityId::at).filter(leads).map(|it| (it, column)));
        }
    }
    found
}

fn add_unborn(program: &Program, state: &mut MatchState) {
    state.ents.push(unborn());
    let len = state.ents.len().saturating_mul(usize::from(program.stride));
    state.attrs.resize(len, 0);
    let card = EntityId::at(state.ents.len().saturating_sub(1));
    program.links(false).for_each(|it| set_attr(program, state, card, it, AttrRule::EMPTY));
    let row = state.attrs.get(state.last.len()..).unwrap_or_default();
    state.last.extend_from_slice(row);
}

fn unborn() -> Entity {
    Entity {
        def: ruleset::DefId::NONE,
        zone: NO_ZONE,
        below: EntityId::NONE,
        above: EntityId::NONE,
        owner: PlayerId::NONE,
        controller: PlayerId::NONE,
        since: 0,
        moves: 0,
        seen: 0,
        status: Status::Unborn,
        created: false,
    }
}

fn use_delay(state: &mut MatchState, no: u32) {
    let is_last = |it: &Delay| it.what.no == no && it.what.left == 1;
    if state.delays.iter().any(is_last) {
        state.delays.retain(|it| it.what.no != no);
    } else if let Some(delay) = state.delays.iter_mut().find(|it| it.what.no == no && it.what.left > 0) {
        delay.what.left = delay.what.left.saturating_sub(1);
    }
}

fn with_top(state: &mut MatchState, change: impl FnOnce(&mut Frame)) {
    if let Some(top) = state.stack.last_mut() {
        change(top);
    }
}

#[inline]
fn note_number(state: &mut MatchState, event: EventNo) {
    // The number after none is 0, which changes nothing.
    state.head.next_event = state.head.next_event.max(event.0.wrapping_add(1));
}

fn count_fact(state: &mut MatchState, event: EventNo) {
    note_number(state, event);
    if event.is_some() {
        state.head.last_fact = event;
    }
    state.head.facts_in_root = state.head.facts_in_root.saturating_add(1);
}

/// Notes the number and the chain of an event that begins.
fn note_row(state: &mut MatchState, frame: &Frame) {
    note_number(state, frame.event);
    if frame.root != state.head.root {
        state.head.facts_in_root = 0;
    }
    state.head.root = frame.root;
}

/// A row that came goes again, and the stack is as empty as it was.
pub fn leave(state: &mut MatchState) {
    state.groups.clear();
    state.parted.clear();
    if !state.counts.is_empty() {
        state.counts.retain(|it| matches!(it.0.scope, LimitScope::Turn(_)));
    }
}

fn push(state: &mut MatchState, mut frame: Frame, cells: &[i64]) {
    note_row(state, &frame);
    frame.cells_at = u32::try_from(state.cells.len()).unwrap_or(u32::MAX);
    frame.cells_len = u32::try_from(cells.len()).unwrap_or(u32::MAX);
    state.cells.extend_from_slice(cells);
    state.stack.push(frame);
}

fn pop(state: &mut MatchState) {
    let Some(frame) = state.stack.pop() else {
        return;
    };
    state.cells.truncate(usize::try_from(frame.cells_at).unwrap_or(0));
    if !state.notes.is_empty() {
        state.notes.retain(|it| it.event != frame.event);
    }
    if !state.paid.is_empty() {
        state.paid.retain(|it| it.event != frame.event);
    }
    if state.stack.is_empty() {
        leave(state);
    }
}

fn set(state: &mut MatchState, cell: u16, value: i64) {
    let Some(top) = state.stack.last() else {
        return;
    };
    let at = usize::try_from(top.cells_at).unwrap_or(usize::MAX).saturating_add(usize::from(cell));
    if let Some(slot) = state.cells.get_mut(at) {
        *slot = value;
    }
}

/// Where a list lies among the variables of its row: offset and length in one number.
pub(crate) fn descriptor(offset: usize, len: usize) -> i64 {
    let part = |it: usize| i64::try_from(it).unwrap_or(0) & 0x7fff_ffff;
    (part(offset) << 32) | part(len)
}

/// The offset and length of a list.
pub(crate) fn span_of(descriptor: i64) -> (usize, usize) {
    if descriptor == ruleset::NULL {
        return (0, 0);
    }
    let part = |it: i64| usize::try_from(it & 0x7fff_ffff).unwrap_or(0);
    (part(descriptor >> 32), part(descriptor))
}

fn store(state: &mut MatchState, cell: u16, values: &[i64]) {
    let Some(top) = state.stack.last_mut() else {
        return;
    };
    let base = usize::try_from(top.cells_at).unwrap_or(usize::MAX);
    let len = place_list(&mut state.cells, base, usize::try_from(top.cells_len).unwrap_or(0), cell, values);
    top.cells_len = u32::try_from(len).unwrap_or(u32::MAX);
}

/// Puts a list where the old one was if it fits, else behind everything; gives the new number of cells.
pub(crate) fn place_list(cells: &mut Vec<i64>, base: usize, len: usize, cell: u16, values: &[i64]) -> usize {
    let at_cell = base.saturating_add(usize::from(cell));
    let old = cells.get(at_cell).copied().unwrap_or(ruleset::NULL);
    let (offset, room) = span_of(old);
    let fits = old != ruleset::NULL && values.len() <= room;
    let (at, len) = if fits { (offset, len) } else { (len, len.saturating_add(values.len())) };
    cells.resize(base.saturating_add(len), ruleset::NULL);
    for (i, value) in values.iter().enumerate() {
        if let Some(slot) = cells.get_mut(base.saturating_add(at).saturating_add(i)) {
            *slot = *value;
        }
    }
    if let Some(slot) = cells.get_mut(at_cell) {
        *slot = descriptor(at, values.len());
    }
    len
}

fn amend(state: &mut MatchState, event: EventNo, field: u8, value: i64) {
    let Some(frame) = state.frame(event).copied() else {
        return;
    };
    let at = usize::try_from(frame.cells_at).unwrap_or(usize::MAX).saturating_add(usize::from(field));
    if let Some(slot) = state.cells.get_mut(at) {
        *slot = value;
    }
}

fn answer(state: &mut MatchState, input: InputNo, player: PlayerId, origin: Origin, values: &[i64]) {
    state.answers.retain(|it| (it.input, it.player) != (input, player));
    state.answers.push(Answer { input, player, origin, values: values.to_vec() });
    if origin != Origin::Draft
        && let Some(ask) = state.asks.iter_mut().find(|it| it.no == input)
    {
        ask.closed |= player.bit();
    }
}

fn roll(state: &mut MatchState, stream: u8) {
    state.head.rolls = state.head.rolls.saturating_add(1);
    if let Some(position) = state.head.rng.get_mut(usize::from(stream)) {
        *position = position.saturating_add(1);
    }
}

fn count(state: &mut MatchState, key: LimitKey, n: u16) {
    match state.counts.binary_search_by(|it| it.0.cmp(&key)) {
        Ok(at) if n == 0 => {
            state.counts.remove(at);
        }
        Ok(at) => {
            if let Some(row) = state.counts.get_mut(at) {
                row.1 = n;
            }
        }
        Err(_) if n == 0 => {}
        Err(at) => state.counts.insert(at, (key, n)),
    }
}

fn forget_old_counts(state: &mut MatchState, turn: u32) {
    state.counts.retain(|it| !matches!(it.0.scope, LimitScope::Turn(of) if of != turn));
}

fn set_bit(set: &mut u16, player: PlayerId, on: bool) {
    if on { *set |= player.bit() } else { *set &= !player.bit() }
}

fn set_attr(program: &Program, state: &mut MatchState, entity: EntityId, column: u16, value: i32) {
    let at = entity.index().saturating_mul(usize::from(program.stride)).saturating_add(usize::from(column));
    if let Some(slot) = state.attrs.get_mut(at) {
        *slot = value;
    }
}

/// Gives a card the values that are printed on it.
fn print(program: &Program, state: &mut MatchState, card: EntityId) {
    let Some(def) = state.ent(card).and_then(|it| program.def(it.def)) else {
        return;
    };
    let start = card.index().saturating_mul(usize::from(program.stride));
    if let Some(row) = state.attrs.get_mut(start..start.saturating_add(def.printed.len())) {
        row.copy_from_slice(&def.printed);
    }
}

/// Remembers what gave or took abilities of a card, for what it does as it leaves.
fn part(state: &mut MatchState, card: EntityId) {
    if state.mods.is_empty() && state.parted.is_empty() {
        return;
    }
    state.parted.retain(|it| it.target != card);
    let told = |it: &&Modifier| it.target == card && matches!(it.what, ModKind::Grant | ModKind::Lose | ModKind::Mute);
    state.parted.extend(state.mods.iter().filter(told));
}

/// A card that became what is printed on it is nobody's partner any more.
fn cut_links(program: &Program, state: &mut MatchState, card: EntityId) {
    for (entity, column) in links_to(program, state, card) {
        set_attr(program, state, entity, column, AttrRule::EMPTY);
    }
}

fn move_card(program: &Program, state: &mut MatchState, derived: &mut Derived, card: EntityId, to: u16, on_top: bool) {
    let Some(ent) = state.ent(card).copied() else { return };
    let (left, here, seen) = (program.place(ent.zone), program.place(to), ent.seen);
    let was_active = left.is_some_and(|it| it.active);
    let seen_before = seen | left.map_or(0, |it| it.seen_by);
    if here.map_or(0, |it| it.seen_by) & !seen_before != 0 {
        // Somebody sees a card he could not see before; that cannot be taken back.
        state.head.reveals = state.head.reveals.saturating_add(1);
    }
    if was_active {
        attribute::remember(program, state, derived, card);
    }
    unlink(state, card, ent);
    link(state, card, (to, here), on_top);
    if here.is_some_and(|it| it.resets) {
        reset(program, state, derived, card);
    }
    if was_active && !here.is_some_and(|it| it.active) {
        drop_modifiers(program, state, derived, |it| it.lasts == Lasts::Source && it.source == card);
    }
    derived.refresh(program, state, card);
}

/// A card becomes what is printed on it.
fn reset(program: &Program, state: &mut MatchState, derived: &mut Derived, card: EntityId) {
    print(program, state, card);
    if program.has_links {
        cut_links(program, state, card);
    }
    part(state, card);
    drop_modifiers(program, state, derived, |it| it.target == card);
}

/// Takes a card out of its zone, as its row was.
#[inline]
fn unlink(state: &mut MatchState, card: EntityId, ent: Entity) {
    if ent.zone == NO_ZONE {
        return;
    }
    if let Some(below) = state.ents.get_mut(ent.below.index()) {
        below.above = ent.above;
    }
    if let Some(above) = state.ents.get_mut(ent.above.index()) {
        above.below = ent.below;
    }
    if let Some(zone) = state.zones.get_mut(usize::from(ent.zone)) {
        zone.len = zone.len.saturating_sub(1);
        zone.bottom = if zone.bottom == card { ent.above } else { zone.bottom };
        zone.top = if zone.top == card { ent.below } else { zone.top };
    }
}

/// Puts a card into a zone.
#[inline]
fn link(state: &mut MatchState, card: EntityId, (to, place): (u16, Option<&Place>), on_top: bool) {
    let Some(zone) = state.zones.get(usize::from(to)).copied() else {
        return;
    };
    let (below, above) = if on_top { (zone.top, EntityId::NONE) } else { (EntityId::NONE, zone.bottom) };
    if let Some(ent) = state.ents.get_mut(below.index()) {
        ent.above = card;
    }
    if let Some(ent) = state.ents.get_mut(above.index()) {
        ent.below = card;
    }
    let turn = state.head.turn;
    if let Some(row) = state.zones.get_mut(usize::from(to)) {
        row.len = row.len.saturating_add(1);
        row.top = if on_top || row.top.is_none() { card } else { row.top };
        row.bottom = if !on_top || row.bottom.is_none() { card } else { row.bottom };
    }
    let Some(ent) = state.ents.get_mut(card.index()) else {
        return;
    };
    (ent.below, ent.above, ent.zone, ent.since) = (below, above, to, turn);
    ent.moves = ent.moves.wrapping_add(1);
    ent.seen = if place.is_none_or(|it| it.hidden) { 0 } else { ent.seen };
    if let Some(seat) = place.and_then(|it| it.seat) {
        ent.controller = PlayerId(seat);
    }
}

fn order(state: &mut MatchState, zone: u16, cards: &[i64]) {
    let ids: Vec<EntityId> = cards.iter().map(|it| EntityId::from(*it)).collect();
    let mut wanted = ids.clone();
    let mut there: Vec<EntityId> = state.cards_in(zone).collect();
    wanted.sort_unstable();
    there.sort_unstable();
    // Anything but an order of exactly these cards would tear the zone apart.
    if wanted != there {
        return;
    }
    for (i, id) in ids.iter().enumerate() {
        let below = i.checked_sub(1).and_then(|it| ids.get(it)).copied().unwrap_or(EntityId::NONE);
        let above = ids.get(i.saturating_add(1)).copied().unwrap_or(EntityId::NONE);
        if let Some(ent) = state.ents.get_mut(id.index()) {
            (ent.below, ent.above) = (below, above);
        }
    }
    if let Some(row) = state.zones.get_mut(usize::from(zone)) {
        row.bottom = ids.first().copied().unwrap_or(EntityId::NONE);
        row.top = ids.last().copied().unwrap_or(EntityId::NONE);
    }
}

/// Nobody knows any more which card is which in a zone that is not open to all.
fn forget(program: &Program, state: &mut MatchState, zone: u16) {
    let open =
        program.zone_of(zone).and_then(|it| program.zone(it.0)).is_some_and(|it| it.visibility == Visibility::All);
    if open {
        return;
    }
    let cards: Vec<EntityId> = state.cards_in(zone).collect();
    for card in cards {
        if let Some(ent) = state.ents.get_mut(card.index()) {
            ent.seen = 0;
        }
    }
}

fn add_modifier(program: &Program, state: &mut MatchState, derived: &mut Derived, modifier: Modifier) {
    state.head.next_mod = modifier.no.saturating_add(1);
    state.mods.push(modifier);
    let words = matches!(modifier.what, ModKind::Grant | ModKind::Lose) && has_rules(program, modifier.of);
    if words || modifier.what == ModKind::Mute {
        derived.refresh(program, state, modifier.target);
    }
}

fn has_rules(program: &Program, keyword: u16) -> bool {
    program.keywords.get(KeywordId(keyword).index()).is_some_and(|it| !it.rules.is_empty())
}

fn drop_modifiers(program: &Program, state: &mut MatchState, derived: &mut Derived, goes: impl Fn(&Modifier) -> bool) {
    if !state.mods.iter().any(&goes) {
        return;
    }
    let targets: Vec<EntityId> = state.mods.iter().filter(|it| goes(it)).map(|it| it.target).collect();
    state.mods.retain(|it| !goes(it));
    targets.into_iter().for_each(|it| derived.refresh(program, state, it));
}
