//! Applies events: runs their write lists for every subject.

use alloc::vec::Vec;

use ruleset::{
    AttrId, CodePtr, DefId, NULL, Program, ZoneId,
    instr::{Duration, Instr, Modify, ModifyWhat, Position},
    program::{AttrRule, BuiltIn, EventType, Overflow},
};

use crate::{
    attribute::{self, clamp},
    cells::span_of,
    eval::{self, Who},
    exec::{Exec, next},
    fault::{Failure, Fault, Limit},
    ids::{EntityId, EventNo, PlayerId},
    intent,
    record::Record,
    rng,
    scratch::{Machine, Span},
    state::{Entity, Frame, Lasts, MatchState, ModKind, Modifier, NO_ZONE, Note, Outcome, Reason, Status, Why},
    subjects::Subjects,
};

/// Applies an event to everyone it concerns, in order of their numbers.
pub fn to_all(exec: &mut Exec<'_>, frame: &Frame, event: &EventType, subjects: &Subjects) -> Result<(), Fault> {
    let Some(at) = event.subject else {
        intent::load_cells(exec, frame);
        return to_one(exec, frame, event, EntityId::NONE);
    };
    for subject in subjects.iter() {
        let entity = EntityId::from(*subject);
        if let Some(note) = skip_of(exec.state(), frame.event, entity) {
            let reason = if note.field == Note::REPLACED { Reason::Replaced } else { Reason::Prevented };
            let prevented_by = EventNo::from(note.value);
            intent::not_happened(exec, &Frame { prevented_by, ..*frame }, reason, entity)?;
            continue;
        }
        if subjects.len() == 1 {
            share(exec, frame, event, at, entity)?;
        } else {
            share_of_many(exec, frame, event, at, entity)?;
        }
    }
    Ok(())
}

/// Applies one subject's share of an event.
fn share(exec: &mut Exec<'_>, frame: &Frame, event: &EventType, at: u8, entity: EntityId) -> Result<(), Fault> {
    intent::load_cells(exec, frame);
    bind_subject(exec, frame, at, entity);
    to_one(exec, frame, event, entity)
}

/// The same where there are others: if it is impossible for this one, it still happens to them.
fn share_of_many(exec: &mut Exec<'_>, frame: &Frame, event: &EventType, at: u8, entity: EntityId) -> Result<(), Fault> {
    let start = exec.mark();
    let shared = match intent::is_possible_for(exec, frame, event, Some(entity.into()))? {
        true => share(exec, frame, event, at, entity),
        false => Err(Fault::Impossible),
    };
    if shared != Err(Fault::Impossible) {
        return shared;
    }
    exec.rewind(&start);
    intent::not_happened(exec, frame, Reason::Impossible, entity)
}

/// What made an event pass a subject by.
fn skip_of(state: &MatchState, event: EventNo, entity: EntityId) -> Option<Note> {
    state.notes.iter().find(|it| it.event == event && it.entity == entity && it.skips()).copied()
}

/// Makes one entity the subject, with what before-reactions changed for it.
fn bind_subject(exec: &mut Exec<'_>, frame: &Frame, at: u8, entity: EntityId) {
    exec.with(Who::frame(frame), |cx, machine| {
        let mut set = |cell: u8, value: i64| machine.set_local(usize::from(cell), value);
        set(at, entity.into());
        let is_mine = |it: &&Note| it.event == frame.event && it.entity == entity && it.amends();
        let notes = cx.state.notes.iter().filter(is_mine);
        notes.for_each(|it| set(it.field, it.value));
    });
}

fn to_one(exec: &mut Exec<'_>, frame: &Frame, event: &EventType, subject: EntityId) -> Result<(), Fault> {
    let who = Who::frame(frame);
    if event.skip_when.is_some() && exec.holds(who, event.skip_when)? {
        return Ok(());
    }
    // The fact holds the fields as they were before the writes, which may use them as variables.
    let is_looked_at = event.has_fact && exec.is_looked_at(frame.etype);
    let args = if is_looked_at { exec.scratch.keep_fields(event, false) } else { Span::default() };
    writes(exec, frame, who, event.apply)?;
    if event.has_fact {
        exec.happened(frame, frame.etype, subject, args)?;
    }
    Ok(())
}

/// Runs a write list.
pub fn writes(exec: &mut Exec<'_>, frame: &Frame, who: Who, code: CodePtr) -> Result<(), Fault> {
    let mut pc = code;
    while pc.is_some() {
        let (instr, at) = exec.next_effect(who, pc)?;
        if instr == Instr::End {
            return Ok(());
        }
        pc = write(exec, frame, who, instr)?.unwrap_or(next(at));
    }
    Ok(())
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "instructions and records of the other classes are not for this place"
)]
fn write(exec: &mut Exec<'_>, frame: &Frame, who: Who, instr: Instr) -> Result<Option<CodePtr>, Fault> {
    match instr {
        Instr::Set(cell) => set_local(exec, cell, arg(exec, 0)),
        Instr::Store(cell) => store_local(exec, cell),
        Instr::Next { list, done } => return advance(exec, list, done),
        Instr::Random => random(exec, who),
        Instr::SetAttr => set_attr(exec, false)?,
        Instr::AddAttr => set_attr(exec, true)?,
        Instr::Move(zone, position) => move_to(exec, frame, zone, position)?,
        Instr::MoveTo(position) => {
            let zone = ZoneId::from(arg(exec, 2));
            move_to(exec, frame, zone, position)?;
        }
        Instr::Create(position) => create(exec, frame, position)?,
        Instr::Shuffle(zone) => shuffle(exec, zone),
        Instr::Arrange => arrange(exec),
        Instr::Modify(modify) => add_modifier(exec, frame, modify)?,
        Instr::Unmodify => drop_modifiers(exec),
        Instr::SetControl => set_control(exec, frame)?,
        Instr::Reveal => reveal(exec),
        Instr::Fact(kind) => fact(exec, frame, kind)?,
        Instr::Eliminate => eliminate(exec, frame)?,
        Instr::EndGame => end_game(exec, frame)?,
        Instr::ExtraTurn => {
            let player = PlayerId::from(arg(exec, 0));
            exec.add(Record::TurnGiven(player));
        }
        Instr::SkipStep(step) => {
            let player = PlayerId::from(arg(exec, 0));
            exec.add(Record::SkipAdded(player, step));
        }
        Instr::PreventEvent => {
            let event = EventNo::from(arg(exec, 0));
            prevent_event(exec, frame, event, Reason::Prevented)?;
        }
        // Effects do not stand in write lists: the ruleset was checked.
        _ => return Err(Fault::Invariant),
    }
    Ok(None)
}

/// What the instruction works on.
fn arg(exec: &Exec<'_>, at: usize) -> i64 {
    exec.scratch.machine.arg(at)
}

/// Sets a variable that only this run sees.
pub fn set_local(exec: &mut Exec<'_>, cell: u16, value: i64) {
    let machine = &mut exec.scratch.machine;
    machine.grow_locals(usize::from(cell).saturating_add(1));
    machine.set_local(usize::from(cell), value);
}

/// Sets a list variable that only this run sees.
pub fn store_local(exec: &mut Exec<'_>, cell: u16) {
    let machine = &mut exec.scratch.machine;
    let items = machine.items(machine.arg(0)).to_vec();
    machine.grow_locals(usize::from(cell).saturating_add(1));
    machine.store_list(cell, &items);
}

/// Pushes the next item of a loop, or says where to go when there is none.
pub fn advance(exec: &mut Exec<'_>, list: u16, done: CodePtr) -> Result<Option<CodePtr>, Fault> {
    let limit = exec.program.limits.iterations_per_effect_max;
    let machine = &mut exec.scratch.machine;
    let at_cell = usize::from(list).saturating_add(1);
    let at = eval::number(machine.local(at_cell));
    let (start, len) = span_of(machine.local(usize::from(list)));
    let index = usize::try_from(at).unwrap_or(usize::MAX);
    if index >= len {
        return Ok(Some(done));
    }
    if at >= i64::from(limit) {
        return Err(Fault::Limit(Limit::IterationsPerEffect));
    }
    let item = machine.local(start.saturating_add(index));
    machine.set_local(at_cell, at.saturating_add(1));
    machine.push(item);
    Ok(None)
}

/// Pushes a random number.
pub fn random(exec: &mut Exec<'_>, who: Who) {
    let (low, high) = (arg(exec, 0), arg(exec, 1));
    let value = exec.random(who, low, high.max(low));
    exec.scratch.machine.push(value);
}

fn set_attr(exec: &mut Exec<'_>, adds: bool) -> Result<(), Fault> {
    let (entity, attr, value) = (EntityId::from(arg(exec, 0)), AttrId::from(arg(exec, 1)), arg(exec, 2));
    let old = |column: u16| exec.state().base(exec.program, entity, column);
    if let Some(set) = change(exec.program, exec.state(), entity, attr, (value, adds), old)? {
        exec.add(set);
    }
    Ok(())
}

/// The record of an attribute that is set to a value or changed by one; none if it stays as it is.
#[inline]
fn change<P>(
    program: &Program,
    state: &MatchState,
    entity: EntityId,
    attr: AttrId,
    (value, adds): (i64, bool),
    old: impl FnOnce(u16) -> i32,
) -> Result<Option<Record<P>>, Fault> {
    let (Some(rule), Some(ent)) = (program.attr(attr), state.ent(entity)) else { return Ok(None) };
    if !is_had(rule, ent) {
        return Err(Fault::Impossible);
    }
    let old = old(rule.column);
    let value = match rule.is_link() {
        true => state.stored(rule, if adds { i64::from(old.saturating_add(clamp(value))) } else { value }),
        false => rule.bounded(if adds { old.saturating_add(clamp(value)) } else { clamp(value) }),
    };
    Ok((value != old).then_some(Record::AttrSet { entity, column: rule.column, value }))
}

/// Whether a card or player is one that has an attribute.
fn is_had(rule: &AttrRule, ent: &Entity) -> bool {
    if ent.status == Status::Player { rule.on_players } else { rule.on_cards }
}

fn move_to(exec: &mut Exec<'_>, frame: &Frame, zone: ZoneId, position: Position) -> Result<(), Fault> {
    let (card, player) = (EntityId::from(arg(exec, 0)), PlayerId::from(arg(exec, 1)));
    // Who names no card moves none.
    if card.is_none() {
        return Ok(());
    }
    let to = destination(exec.program, exec.state(), card, player, zone).ok_or(Fault::Impossible)?;
    relocate(exec, frame, card, to, position)
}

/// Where a card goes that is sent to a player's zone, or its owner's; none if there is no such card or no room.
fn destination(program: &Program, state: &MatchState, card: EntityId, player: PlayerId, zone: ZoneId) -> Option<u16> {
    let ent = state.ent(card).filter(|it| it.status == Status::Card)?;
    let whose = if player.is_some() { player } else { ent.owner };
    room(program, state, zone, whose, ent.zone)
}

/// Keeps the effective values of a card that leaves play, where continuous effects have a say in them.
fn remember(exec: &mut Exec<'_>, card: EntityId, from: u16) {
    if exec.program.auras.is_empty() || !exec.program.place(from).is_some_and(|it| it.active) {
        return;
    }
    // What is asked here costs the game nothing: it does not matter how often cards move.
    let mut machine = Machine::with_fuel(exec.program.limits.instructions_per_step_max);
    let who = Who::player(exec.state().head.active);
    let values = exec.with(who, |cx, _| attribute::all_stored(cx, &mut machine, card));
    let span = exec.scratch.keep(values);
    exec.add(Record::Remembered(card, span));
}

/// Moves a card to a zone instance, which is what `CardMoved` says.
pub fn relocate(exec: &mut Exec<'_>, frame: &Frame, card: EntityId, to: u16, position: Position) -> Result<(), Fault> {
    let from = exec.state().ent(card).map_or(NO_ZONE, |it| it.zone);
    let event = exec.event_no();
    let on_top = position == Position::Top;
    remember(exec, card, from);
    exec.add(Record::Moved { event, cause: frame.event, card, from, to, on_top });
    let kind = |zone: u16| exec.program.zone_of(zone);
    let (from_kind, to_kind) = (kind(from), kind(to));
    let is_active = |zone: u16| exec.program.place(zone).is_some_and(|it| it.active);
    let left = is_active(from) && !is_active(to);
    if !left && !exec.is_answered(BuiltIn::CardMoved.id()) {
        return exec.note_fact(frame, event, BuiltIn::CardMoved.id(), card, Span::default(), false);
    }
    let number = |it: Option<(ZoneId, Option<u8>)>| it.map_or(NULL, |z| z.0.into());
    let seat = to_kind.and_then(|it| it.1).map_or(NULL, i64::from);
    let args = exec.scratch.keep([card.into(), number(from_kind), number(to_kind), seat]);
    exec.note_fact(frame, event, BuiltIn::CardMoved.id(), card, args, left)
}

/// The instance a card goes to, with what a full zone does.
pub fn room(program: &Program, state: &MatchState, zone: ZoneId, player: PlayerId, from: u16) -> Option<u16> {
    let mut zone = zone;
    // Each zone may divert once; a circle of full zones keeps the card where it is.
    for _ in 0..=program.zones.len() {
        let rule = program.zone(zone)?;
        let to = MatchState::instance(program, zone, player);
        let len = state.zones.get(usize::from(to))?.len;
        if len < rule.capacity || to == from {
            return Some(to);
        }
        match rule.overflow {
            Overflow::Reject => return None,
            Overflow::Divert(other) => zone = other,
        }
    }
    None
}

fn create(exec: &mut Exec<'_>, frame: &Frame, position: Position) -> Result<(), Fault> {
    let (reserved, def) = (EntityId::from(arg(exec, 0)), DefId::from(arg(exec, 1)));
    let (zone, owner) = (ZoneId::from(arg(exec, 2)), PlayerId::from(arg(exec, 3)));
    if exec.program.def(def).is_none() || owner.0 >= exec.state().head.n_players {
        return Err(Fault::Impossible);
    }
    let unborn = exec.state().ent(reserved).is_some_and(|it| it.status == Status::Unborn);
    let card = if unborn { reserved } else { exec.reserve()? };
    let to = room(exec.program, exec.state(), zone, owner, NO_ZONE).ok_or(Fault::Impossible)?;
    let event = exec.event_no();
    exec.add(Record::Created { event, cause: frame.event, card, def, owner, to, on_top: position == Position::Top });
    let args = exec.scratch.keep([card.into(), zone.into(), owner.into()]);
    exec.note_fact(frame, event, BuiltIn::CardCreated.id(), card, args, false)
}

fn shuffle(exec: &mut Exec<'_>, zone: ZoneId) {
    let player = PlayerId::from(arg(exec, 0));
    let to = MatchState::instance(exec.program, zone, player);
    let mut cards: Vec<i64> = exec.state().cards_in(to).map(i64::from).collect();
    let per_player = exec.program.zone(zone).is_some_and(|it| it.per_player);
    let stream = rng::stream_of(if per_player { player } else { PlayerId::NONE });
    exec.shuffle(stream, &mut cards);
    let span = exec.scratch.keep(cards);
    exec.add(Record::Shuffled(to, span));
}

/// Puts cards on top of their zone; those that are elsewhere stay there.
fn arrange(exec: &mut Exec<'_>) {
    let list = arg(exec, 0);
    let mut cards: Vec<i64> = Vec::new();
    for card in exec.scratch.machine.items(list) {
        if !cards.contains(card) {
            cards.push(*card);
        }
    }
    let Some(first) = cards.first() else { return };
    let zone = exec.state().ent(EntityId::from(*first)).map_or(NO_ZONE, |it| it.zone);
    let here = |it: &&i64| exec.state().ent(EntityId::from(**it)).is_some_and(|e| e.zone == zone);
    let on_top: Vec<i64> = cards.iter().filter(here).copied().collect();
    let rest = exec.state().cards_in(zone).map(i64::from).filter(|it| !on_top.contains(it));
    let order: Vec<i64> = rest.chain(on_top.iter().copied()).collect();
    let span = exec.scratch.keep(order);
    exec.add(Record::Ordered(zone, span));
}

fn add_modifier(exec: &mut Exec<'_>, frame: &Frame, modify: Modify) -> Result<(), Fault> {
    let (target, value) = (EntityId::from(arg(exec, 0)), clamp(arg(exec, 2)));
    let of = u16::try_from(arg(exec, 1)).unwrap_or(u16::MAX);
    let Some(ent) = exec.state().ent(target).filter(|it| it.status != Status::Unborn) else { return Ok(()) };
    let attr = matches!(modify.what, ModifyWhat::Add | ModifyWhat::Set).then_some(AttrId(of));
    if attr.and_then(|it| exec.program.attr(it)).is_some_and(|it| !is_had(it, ent)) {
        return Err(Fault::Impossible);
    }
    let what = match modify.what {
        ModifyWhat::Add => ModKind::Add,
        ModifyWhat::Set => ModKind::Set,
        ModifyWhat::Grant => ModKind::Grant,
        ModifyWhat::Lose => ModKind::Lose,
        ModifyWhat::Mute => ModKind::Mute,
    };
    let lasts = match modify.duration {
        Duration::Permanent => Lasts::Permanent,
        Duration::Turn => Lasts::Turn,
        Duration::YourTurn => Lasts::TurnOf(frame.controller),
        Duration::Source => Lasts::Source,
    };
    let no = exec.mod_no();
    exec.add(Record::ModAdded(Modifier { no, target, source: frame.source, what, of, value, lasts }));
    Ok(())
}

fn drop_modifiers(exec: &mut Exec<'_>) {
    let (target, source) = (EntityId::from(arg(exec, 0)), EntityId::from(arg(exec, 1)));
    let goes = |it: &&Modifier| it.target == target && (source.is_none() || it.source == source);
    let dropped: Vec<u32> = exec.state().mods.iter().filter(goes).map(|it| it.no).collect();
    dropped.into_iter().for_each(|it| exec.add(Record::ModDropped(it)));
}

/// Who has a zone of his own gets the card into it; in a shared zone only the controller changes.
fn set_control(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let (card, player) = (EntityId::from(arg(exec, 0)), PlayerId::from(arg(exec, 1)));
    let Some(ent) = exec.state().ent(card).copied().filter(|it| it.status == Status::Card) else {
        return Ok(());
    };
    if player.0 >= exec.state().head.n_players || ent.controller == player {
        return Ok(());
    }
    match exec.program.zone_of(ent.zone) {
        Some((zone, Some(_))) => {
            let to = room(exec.program, exec.state(), zone, player, ent.zone).ok_or(Fault::Impossible)?;
            relocate(exec, frame, card, to, Position::Top)
        }
        Some((_, None)) => {
            exec.add(Record::ControlSet { card, player });
            Ok(())
        }
        None => Ok(()),
    }
}

fn reveal(exec: &mut Exec<'_>) {
    let (card, list) = (EntityId::from(arg(exec, 0)), arg(exec, 1));
    let to = exec.scratch.machine.items(list).iter().fold(0, |acc, it| acc | PlayerId::from(*it).bit());
    if exec.state().ent(card).is_some_and(|it| it.status == Status::Card) {
        exec.add(Record::Revealed { card, to });
    }
}

fn fact(exec: &mut Exec<'_>, frame: &Frame, kind: ruleset::EventTypeId) -> Result<(), Fault> {
    let event = exec.program.event(kind).ok_or(Fault::Invariant)?;
    let one = event.subject.map(usize::from).filter(|it| event.fields.get(*it).is_some_and(|ty| !ty.many));
    let subject = one.map_or(EntityId::NONE, |it| EntityId::from(arg(exec, it)));
    // Facts keep their fields only; what `effects` would need is not theirs.
    let args = if exec.is_looked_at(kind) { exec.scratch.keep_args(event) } else { Span::default() };
    exec.happened(frame, kind, subject, args)?;
    Ok(())
}

fn eliminate(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let player = PlayerId::from(arg(exec, 0));
    if !exec.state().is_alive(player) {
        return Ok(());
    }
    exec.add(Record::Eliminated(player));
    exec.happened_built_in(frame, BuiltIn::PlayerEliminated, &[player.into()])?;
    Ok(())
}

fn end_game(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let (list, reason) = (arg(exec, 0), u16::try_from(arg(exec, 1)).unwrap_or(u16::MAX));
    let winners = exec.scratch.machine.items(list).iter().fold(0, |acc, it| acc | PlayerId::from(*it).bit());
    ended(exec, frame, Outcome { winners, why: Why::Rules(reason) })
}

/// Ends the match, with the fact that says so.
pub fn ended(exec: &mut Exec<'_>, frame: &Frame, outcome: Outcome) -> Result<(), Fault> {
    if exec.state().head.outcome.is_some() {
        return Ok(());
    }
    let winners: Vec<i64> =
        exec.state().players().filter(|it| outcome.winners & it.bit() != 0).map(i64::from).collect();
    let reason = if let Why::Rules(reason) = outcome.why { i64::from(reason) } else { NULL };
    let mut args = alloc::vec![crate::cells::descriptor(2, winners.len()), reason];
    args.extend(winners);
    exec.happened_built_in(frame, BuiltIn::GameEnded, &args)?;
    exec.add(Record::Ended(outcome));
    Ok(())
}

/// Flags an event on the stack as prevented; what cannot be prevented is left alone, with a note in the log.
pub fn prevent_event(exec: &mut Exec<'_>, frame: &Frame, event: EventNo, reason: Reason) -> Result<(), Fault> {
    let Some(target) = exec.state().frame(event).copied() else {
        return Ok(());
    };
    if target.prevented_by.is_some() {
        return Ok(());
    }
    let preventable = exec.program.event(target.etype).is_some_and(|it| it.preventable);
    if preventable {
        exec.add(Record::Prevented { event, by: frame.event, reason });
    } else {
        intent::failed(exec, &Frame { etype: target.etype, ..*frame }, Failure::Unpreventable, EntityId::NONE)?;
    }
    Ok(())
}
