//! Events on the stack: before-reactions first, then the event happens, or does not.

use alloc::vec::Vec;

use ruleset::{
    CodePtr, NULL, Program, ZoneId,
    instr::{Instr, Position},
    program::{ActionRule, BuiltIn, Domain, EventType},
};

use crate::{
    act::{Targets, push_targets},
    apply,
    cells::{descriptor, span_of},
    discover,
    eval::Who,
    exec::{Exec, Mark},
    fault::{Failure, Fault},
    ids::{EntityId, EventNo, PlayerId},
    list,
    record::Record,
    scratch::{Machine, Span},
    select,
    state::{Frame, FrameKind, MatchState, Note, Paid, Payment, Reason, Stage},
    subjects::{self, Subjects},
};

/// Finds the before-reactions of the top row; without any it happens at once.
pub fn schedule_before(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    if discover::is_awaited(exec, frame.etype) {
        let subjects = subjects::of(exec, frame)?;
        // Looked for once (ruling 14); the stage comes first, since the reactions lie above it.
        exec.add(Record::Staged(Stage::Before));
        if find_before(exec, frame, &subjects)? {
            return Ok(());
        }
    }
    attempt(exec, frame)
}

/// Puts the reactions that come before an event on the stack; false if there are none. Subjects that were named are the
/// same ones afterwards only if they have not left play meanwhile.
pub fn find_before(exec: &mut Exec<'_>, frame: &Frame, subjects: &[i64]) -> Result<bool, Fault> {
    if discover::before(exec, frame, subjects)? == 0 {
        return Ok(false);
    }
    let found_only = frame.fan.is_some() && !names_any(exec.program, frame.fan);
    for subject in subjects.iter().filter(|_| !found_only) {
        let entity = EntityId::from(*subject);
        let ent = exec.state().ent(entity).filter(|it| exec.program.place(it.zone).is_some_and(|zone| zone.active));
        if let Some(ent) = ent {
            let note = Note { event: frame.event, entity, field: Note::PLACE, value: i64::from(ent.moves) };
            exec.add(Record::Noted(note));
        }
    }
    Ok(true)
}

/// Whether code that finds subjects also names some.
fn names_any(program: &Program, code: CodePtr) -> bool {
    let finds =
        |it: &Instr| matches!(it, Instr::Select(_) | Instr::Union | Instr::ListOf(_) | Instr::You | Instr::Others);
    (code.0..).map(|it| program.instr(CodePtr(it))).take_while(|it| *it != Instr::Return).any(|it| !finds(&it))
}

/// An event begins: one that nobody can answer happens right now, others wait on the stack. Tells whether it happened.
/// If it waits, the list below it, if there is one, goes on at a place.
pub fn begin(exec: &mut Exec<'_>, row: &Frame, cells: Span, below: CodePtr) -> Result<Begun, Fault> {
    let event = exec.program.event(row.etype).ok_or(Fault::Invariant)?;
    let needs_row = event.needs_row || event.effects.is_some() || row.pc.is_some();
    if needs_row || !exec.is_unheard() || discover::is_awaited(exec, row.etype) {
        wait(exec, row, cells, below)?;
        return Ok(Begun::Waits);
    }
    let start = exec.mark();
    exec.add(Record::AtOnce(*row, cells));
    exec.set_at_once(Some((row.event, cells)));
    let happened = happen(exec, row, event);
    exec.set_at_once(None);
    match happened {
        Ok(Outcome::Happened | Outcome::Replaced) => Ok(Begun::Happened),
        Ok(Outcome::Partly | Outcome::NotHappened) => Ok(Begun::NotHappened),
        Err(_) => {
            // It fails on its own, with a row that says what failed.
            exec.rewind(&start);
            wait(exec, row, cells, below)?;
            Ok(Begun::Waits)
        }
    }
}

/// What became of an event that began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It waits on the stack.
    Waits,
    /// It happened at once.
    Happened,
    /// It did not happen, or not to all it concerns, and that was told at once.
    NotHappened,
}

fn wait(exec: &mut Exec<'_>, row: &Frame, cells: Span, below: CodePtr) -> Result<(), Fault> {
    if below.is_some() {
        exec.add(Record::At(below));
    }
    exec.push_frame(*row, cells)
}

/// Makes the variables of a row the ones code sees.
pub fn load_cells(exec: &mut Exec<'_>, frame: &Frame) {
    exec.load_cells(frame);
}

/// The top event happens, unless it was prevented or all it aimed at is gone.
pub fn attempt(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let event = exec.program.event(frame.etype).ok_or(Fault::Invariant)?;
    let ends_list = match happen(exec, frame, event)? {
        Outcome::Happened => return begin_list(exec, frame, event),
        Outcome::Partly if frame.otherwise.is_none() => return begin_list(exec, frame, event),
        Outcome::Replaced => false,
        Outcome::Partly | Outcome::NotHappened => frame.otherwise.is_some(),
    };
    refund(exec, frame)?;
    exec.add(Record::Popped);
    if ends_list {
        exec.add(Record::At(frame.otherwise));
    }
    Ok(())
}

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// It happened to all it concerns.
    Happened,
    /// It happened, but not to all it concerns.
    Partly,
    /// Something else took its place.
    Replaced,
    /// It did not happen.
    NotHappened,
}

/// Applies an event, or tells why it does not happen.
fn happen(exec: &mut Exec<'_>, frame: &Frame, event: &EventType) -> Result<Outcome, Fault> {
    let start = exec.mark();
    let reason = match obstacle(exec, frame, event)? {
        Err(reason) => Some(reason),
        Ok(subjects) => try_to_apply(exec, frame, event, &subjects, &start)?,
    };
    let Some(reason) = reason else {
        let is_partial = frame.otherwise.is_some() && has_lost_shares(exec, frame, &start);
        return Ok(if is_partial { Outcome::Partly } else { Outcome::Happened });
    };
    not_happened(exec, frame, reason, EntityId::NONE)?;
    Ok(if reason == Reason::Replaced { Outcome::Replaced } else { Outcome::NotHappened })
}

/// Whether an event that was applied has passed somebody by, without anything in its place.
pub fn has_lost_shares(exec: &Exec<'_>, frame: &Frame, start: &Mark) -> bool {
    let (failed, prevented) = (BuiltIn::EventFailed.id(), BuiltIn::EventPrevented.id());
    let replaced = Reason::Replaced.number();
    exec.since(start).iter().any(|it| {
        let is_replaced = exec.scratch.at(it.args).get(PREVENTED_REASON) == Some(&replaced);
        it.producer == frame.event && (it.kind == failed || (it.kind == prevented && !is_replaced))
    })
}

/// A part of what an event leads to did not happen, and the list the event stands in depends on it: both end here.
pub fn abandon(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    if frame.deferring {
        return release_triggers(exec, frame);
    }
    failed(exec, frame, Failure::Impossible, EntityId::NONE)?;
    // What other members of its group lead to waits between it and the list.
    let stack = &exec.state().stack;
    let n_above = stack.iter().rev().take_while(|it| it.event != frame.cause).count();
    for _ in 0..n_above {
        exec.add(Record::Popped);
    }
    exec.add(Record::At(frame.otherwise));
    Ok(())
}

/// Lets go of the triggers a list has held back; the list goes on after them where it is.
fn release_triggers(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    exec.add(Record::At(frame.pc));
    exec.add(Record::Deferring(false));
    discover::release(exec, frame.event)
}

/// Applies an event; one that turns out to be impossible is taken back whole.
pub fn try_to_apply(
    exec: &mut Exec<'_>,
    frame: &Frame,
    event: &EventType,
    subjects: &Subjects,
    start: &Mark,
) -> Result<Option<Reason>, Fault> {
    match apply_event(exec, frame, event, subjects) {
        Err(Fault::Impossible) => {
            exec.rewind(start);
            Ok(Some(Reason::Impossible))
        }
        applied => applied.map(|()| None),
    }
}

/// Applies an event that nothing keeps from happening to those it concerns.
pub fn apply_event(exec: &mut Exec<'_>, frame: &Frame, event: &EventType, subjects: &Subjects) -> Result<(), Fault> {
    if event.apply.is_some() || event.subject.is_some() {
        apply::to_all(exec, frame, event, subjects)
    } else if event.effects.is_none() && frame.pc.is_none() && event.has_fact {
        happened_whole(exec, frame)
    } else {
        Ok(())
    }
}

/// What keeps an event from happening; those it concerns if nothing does.
pub fn obstacle(exec: &mut Exec<'_>, frame: &Frame, event: &EventType) -> Result<Result<Subjects, Reason>, Fault> {
    if frame.prevented_by.is_some() {
        return Ok(Err(if frame.reason == Reason::None { Reason::Prevented } else { frame.reason }));
    }
    // What a player wanted who is out of the game does not happen any more.
    if frame.action.is_some() && !exec.state().is_alive(frame.controller) {
        return Ok(Err(Reason::Dropped));
    }
    if let Some(action) = exec.program.action(frame.action)
        && !is_just_judged(exec, frame)
        && recheck_targets(exec, frame, action)?
    {
        return Ok(Err(Reason::Fizzled));
    }
    if let Some(reason) = skipped_by_all(exec, frame)? {
        return Ok(Err(reason));
    }
    let subjects = subjects::of(exec, frame)?;
    if subjects.is_empty() && names_some(exec, frame, event) {
        return Ok(Err(Reason::Fizzled));
    }
    // The one it means never was.
    if subjects.is_empty() && (aims_at_one(event) || frame.names_one) {
        return Ok(Err(Reason::Impossible));
    }
    let possible = match *subjects {
        [] => is_possible_for(exec, frame, event, None)?,
        ref all => any_of(all, |it| is_possible_for(exec, frame, event, Some(it)))?,
    };
    Ok(if possible { Ok(subjects) } else { Err(Reason::Impossible) })
}

/// Whether an event means one subject, which must be there.
fn aims_at_one(event: &EventType) -> bool {
    let is_one = |at: u8| event.fields.get(usize::from(at)).is_some_and(|ty| !ty.many);
    event.subject.is_some_and(is_one) && event.fan_out.is_none()
}

/// Whether subjects of an event were named, be they still there or not.
fn names_some(exec: &Exec<'_>, frame: &Frame, event: &EventType) -> bool {
    let at = event.subject.map_or(usize::MAX, usize::from);
    let Some(field) = event.fields.get(at) else { return false };
    let value = exec.cells_of(frame).get(at).copied().unwrap_or(NULL);
    let is_named = frame.fan.is_none() || frame.names_one;
    is_named && if field.many { span_of(value).1 > 0 } else { value != NULL }
}

fn any_of(all: &[i64], mut holds: impl FnMut(i64) -> Result<bool, Fault>) -> Result<bool, Fault> {
    for it in all {
        if holds(*it)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether an event is possible for everyone it concerns, as a payment must be.
pub fn is_possible_for_all(
    exec: &mut Exec<'_>,
    frame: &Frame,
    event: &EventType,
    subjects: &Subjects,
) -> Result<bool, Fault> {
    if subjects.is_empty() {
        return Ok(!aims_at_one(event) && !frame.names_one && is_possible_for(exec, frame, event, None)?);
    }
    Ok(!any_of(subjects, |it| Ok(!is_possible_for(exec, frame, event, Some(it))?))?)
}

/// Whether what an event requires holds for one subject; conditions speak of it as one.
pub fn is_possible_for(
    exec: &mut Exec<'_>,
    frame: &Frame,
    event: &EventType,
    subject: Option<i64>,
) -> Result<bool, Fault> {
    if event.requires.is_none() {
        return Ok(true);
    }
    load_cells(exec, frame);
    if let (Some(at), Some(subject)) = (event.subject, subject) {
        exec.scratch.machine.set_local(usize::from(at), subject);
    }
    exec.holds(Who::frame(frame), event.requires)
}

/// Whether nothing has changed since an action was judged: its targets are as legal as they were then.
fn is_just_judged(exec: &Exec<'_>, frame: &Frame) -> bool {
    frame.stage == Stage::Fresh && !exec.state().head.dirty
}

/// Why an event does not happen that before-reactions made pass by everyone it concerns.
pub fn skipped_by_all(exec: &mut Exec<'_>, frame: &Frame) -> Result<Option<Reason>, Fault> {
    if !exec.state().notes.iter().any(|it| it.event == frame.event && it.skips()) {
        return Ok(None);
    }
    let subjects = subjects::of(exec, frame)?;
    let notes = &exec.state().notes;
    let skip = |it: &i64| notes.iter().find(|n| n.event == frame.event && i64::from(n.entity) == *it && n.skips());
    let skips: Vec<Option<&Note>> = subjects.iter().map(skip).collect();
    if skips.is_empty() || skips.iter().any(Option::is_none) {
        return Ok(None);
    }
    let are_replaced = skips.into_iter().flatten().all(|it| it.field == Note::REPLACED);
    Ok(Some(if are_replaced { Reason::Replaced } else { Reason::Prevented }))
}

/// Drops targets that became illegal since the action was announced; true if nothing is left to act on (ruling 44).
/// The principal is what acts, not what is acted on: without it there is no action, and it saves no other target.
fn recheck_targets(exec: &mut Exec<'_>, frame: &Frame, action: &ActionRule) -> Result<bool, Fault> {
    load_cells(exec, frame);
    let (mut n_all, mut n_legal) = recheck_ability(exec, frame, action)?;
    for (i, slot) in action.slots.iter().enumerate() {
        let Domain::Select(domain) = slot.domain else {
            continue;
        };
        let cell = u16::try_from(i).unwrap_or(u16::MAX);
        if action.principal.is_some_and(|it| usize::from(it) == i) {
            let left = exec.state().ent(frame.source).is_none_or(|it| it.moves != frame.source_moves);
            // An ability goes on without its source; a card that left does not.
            if left && action.ability.is_none() {
                return Ok(true);
            }
            continue;
        }
        let chosen = chosen(exec, cell, slot.ty.many);
        let mut legal = Vec::new();
        for value in &chosen {
            // A card that waits for this action is where it should be.
            let is_waiting = is_waiting(exec.state(), frame.event, EntityId::from(*value));
            if is_waiting || exec.with(Who::frame(frame), |cx, machine| select::finds(cx, machine, domain, *value))? {
                legal.push(*value);
            }
        }
        n_all = n_all.saturating_add(chosen.len());
        n_legal = n_legal.saturating_add(legal.len());
        if legal.len() < chosen.len() {
            rebind(exec, cell, slot.ty.many, &legal);
        }
    }
    Ok(n_all > 0 && n_legal == 0)
}

/// Whether a card waits for an action, where it was put for that.
fn is_waiting(state: &MatchState, event: EventNo, card: EntityId) -> bool {
    let zone = state.ent(card).map(|it| it.zone);
    let waits_here = |it: &Paid| matches!(it.what, Payment::Waits { to, .. } if Some(to) == zone);
    state.paid.iter().any(|it| it.event == event && it.entity == card && waits_here(it))
}

/// The same for the targets of the ability an action runs; gives how many there were and how many are left.
fn recheck_ability(exec: &mut Exec<'_>, frame: &Frame, action: &ActionRule) -> Result<(usize, usize), Fault> {
    if action.ability.is_none() {
        return Ok((0, 0));
    }
    let cell = u16::try_from(action.slots.len()).unwrap_or(u16::MAX);
    let chosen = chosen(exec, cell, true);
    let locals = exec.scratch.machine.locals().to_vec();
    let kept = exec.judge(frame.controller, frame.answered(), |judge| {
        judge.machine.load(&locals);
        let Some((rule, card)) = judge.ability_slots(action) else {
            return Ok(None);
        };
        let mut kept: Vec<i64> = Vec::new();
        for (i, values) in Targets(&chosen).enumerate() {
            let legal = judge.ability_candidates(rule, card, i, &kept)?;
            let legal = judge.machine.items(legal);
            let values: Vec<i64> = values.iter().copied().filter(|it| legal.contains(it)).collect();
            push_targets(&mut kept, &values);
        }
        Ok(Some(kept))
    })?;
    let Some(kept) = kept else {
        return Ok((0, 0));
    };
    let count = |it: &[i64]| Targets(it).map(<[i64]>::len).sum::<usize>();
    let (n_all, n_legal) = (count(&chosen), count(&kept));
    if n_legal < n_all {
        rebind(exec, cell, true, &kept);
    }
    Ok((n_all, n_legal))
}

/// What a slot of the loaded variables holds.
fn chosen(exec: &mut Exec<'_>, cell: u16, many: bool) -> Vec<i64> {
    let machine = &mut exec.scratch.machine;
    if many {
        machine.push_local_list(usize::from(cell));
        let list = machine.pop();
        return machine.items(list).to_vec();
    }
    Some(machine.local(usize::from(cell))).filter(|it| *it != NULL).into_iter().collect()
}

fn rebind(exec: &mut Exec<'_>, cell: u16, many: bool, values: &[i64]) {
    if many {
        let span = exec.scratch.keep(values.iter().copied());
        exec.add(Record::Stored(cell, span));
        exec.scratch.machine.store_list(cell, values);
        return;
    }
    let value = values.first().copied().unwrap_or(NULL);
    exec.add(Record::Set(cell, value));
    exec.scratch.machine.set_local(usize::from(cell), value);
}

/// Where `EventPrevented` has its reason.
const PREVENTED_REASON: usize = 5;

/// Records that an event, or one subject's share of it, did not happen: what is impossible has failed (ruling 23), all
/// else was prevented.
pub fn not_happened(exec: &mut Exec<'_>, frame: &Frame, reason: Reason, subject: EntityId) -> Result<(), Fault> {
    if reason == Reason::Impossible {
        return failed(exec, frame, Failure::Impossible, subject);
    }
    let group = if frame.group == 0 { NULL } else { i64::from(frame.group) };
    // In the order of the fields: `PREVENTED_REASON` is the place of the reason.
    let by = frame.prevented_by.into();
    let reason = reason.number();
    let args = [frame.event.into(), frame.etype.into(), group, by, subject.into(), reason, frame.source.into()];
    exec.happened_built_in(frame, BuiltIn::EventPrevented, &args)?;
    Ok(())
}

/// Records that an event, or one subject's share of it, could not be carried out, and why.
pub fn failed(exec: &mut Exec<'_>, frame: &Frame, why: Failure, subject: EntityId) -> Result<(), Fault> {
    let args = [frame.event.into(), frame.etype.into(), why.number(), subject.into(), frame.source.into()];
    exec.happened_built_in(frame, BuiltIn::EventFailed, &args)?;
    Ok(())
}

/// Takes back what an action that did not happen has moved: its own card waits no more, and what was paid comes back
/// where the action says so.
pub fn refund(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    wait_no_more(exec, frame, Ending::Prevented)?;
    let is_payment = |it: &&Paid| it.event == frame.event && !matches!(it.what, Payment::Waits { .. });
    let paid: Vec<_> = exec.state().paid.iter().filter(is_payment).copied().collect();
    if paid.is_empty() {
        return Ok(());
    }
    for it in paid.into_iter().rev() {
        match it.what {
            Payment::Waits { .. } => {}
            Payment::Value { column, amount } => {
                let now = exec.state().base(exec.program, it.entity, column);
                let value = clamp_column(exec.program, it.entity, exec.state(), column, now.saturating_add(amount));
                exec.add(Record::AttrSet { entity: it.entity, column, value });
            }
            Payment::Card { from, to } => give_back_card(exec, frame, it.entity, (from, to))?,
        }
    }
    exec.happened_built_in(frame, BuiltIn::CostRefunded, &[frame.event.into(), frame.controller.into()])?;
    Ok(())
}

/// How an action ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It happened.
    Happened,
    /// It did not.
    Prevented,
}

/// The cards an action is about wait only as long as the action does: those still there go back to where they were, or
/// where the action sends them.
pub fn wait_no_more(exec: &mut Exec<'_>, frame: &Frame, ending: Ending) -> Result<(), Fault> {
    if exec.state().paid.is_empty() {
        return Ok(());
    }
    let waits = |it: &Paid| match it.what {
        Payment::Waits { from, to } if it.event == frame.event => Some((it.entity, from, to)),
        Payment::Waits { .. } | Payment::Value { .. } | Payment::Card { .. } => None,
    };
    let waiting: Vec<_> = exec.state().paid.iter().filter_map(waits).collect();
    // The last to come is the first to go back.
    for (card, from, to) in waiting.into_iter().rev() {
        let owner = exec.state().ent(card).map_or(PlayerId::NONE, |it| it.owner);
        let named = exec.program.action(frame.action).map_or(ZoneId::NONE, |it| it.prevented_to);
        if exec.state().ent(card).is_none_or(|it| it.zone != to) {
            continue;
        }
        let back = exec.program.zone_of(from).map_or(ZoneId::NONE, |it| it.0);
        let zone = if ending == Ending::Prevented && named.is_some() { named } else { back };
        match apply::room(exec.program, exec.state(), zone, owner, to) {
            Some(sent) => apply::relocate(exec, frame, card, sent, Position::Top)?,
            None => failed(exec, frame, Failure::Impossible, card)?,
        }
    }
    Ok(())
}

/// A card that was paid goes back to where it was, if it still lies where it was paid to and there is room.
fn give_back_card(exec: &mut Exec<'_>, frame: &Frame, card: EntityId, (from, to): (u16, u16)) -> Result<(), Fault> {
    let is_there = exec.state().ent(card).is_some_and(|it| it.zone == to);
    let capacity = exec.program.zone_of(from).and_then(|it| exec.program.zone(it.0)).map_or(0, |it| it.capacity);
    let has_room = exec.state().zones.get(usize::from(from)).is_some_and(|it| it.len < capacity);
    if is_there && has_room { apply::relocate(exec, frame, card, from, Position::Top) } else { Ok(()) }
}

/// Goes on to what the event leads to, or is done.
fn begin_list(exec: &mut Exec<'_>, frame: &Frame, event: &EventType) -> Result<(), Fault> {
    let list = if event.effects.is_some() { event.effects } else { frame.pc };
    if list.is_none() {
        exec.add(Record::Popped);
        return Ok(());
    }
    exec.add(Record::Began(list));
    if exec.is_unheard() {
        return list::run(exec, &Frame { stage: Stage::Running, pc: list, ..*frame });
    }
    Ok(())
}

/// The list of the top row is done: what it was about has happened.
pub fn finish_list(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    if frame.deferring {
        return release_triggers(exec, frame);
    }
    if frame.kind == FrameKind::Intent {
        let event = exec.program.event(frame.etype).ok_or(Fault::Invariant)?;
        wait_no_more(exec, frame, Ending::Happened)?;
        happened_after_list(exec, frame, event)?;
    }
    exec.add(Record::Popped);
    Ok(())
}

/// What only leads to more has happened when all of that is done.
pub fn happened_after_list(exec: &mut Exec<'_>, frame: &Frame, event: &EventType) -> Result<(), Fault> {
    let is_told_last = event.has_fact && event.apply.is_none() && event.subject.is_none();
    if is_told_last { happened_whole(exec, frame) } else { Ok(()) }
}

/// Records that an event without a subject happened, with its fields.
pub fn happened_whole(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let event = exec.program.event(frame.etype).ok_or(Fault::Invariant)?;
    let args = if exec.is_looked_at(frame.etype) {
        load_cells(exec, frame);
        exec.scratch.keep_fields(event, true)
    } else {
        Span::default()
    };
    exec.happened(frame, frame.etype, EntityId::NONE, args)?;
    Ok(())
}

/// Adds the variables of a new row: the fields the instruction gives it, the rest empty, lists behind.
pub fn push_fields(machine: &Machine, event: &EventType, cells: &mut Vec<i64>) {
    let n = event.fields.len();
    let base = cells.len();
    cells.extend_from_slice(&machine.args);
    cells.resize(base.saturating_add(usize::from(event.cells).max(n)), NULL);
    for (i, _) in event.fields.iter().enumerate().filter(|it| it.1.many) {
        let at = base.saturating_add(i);
        let items = machine.items(cells.get(at).copied().unwrap_or(NULL));
        let list = descriptor(cells.len().saturating_sub(base), items.len());
        cells.extend_from_slice(items);
        if let Some(slot) = cells.get_mut(at) {
            *slot = list;
        }
    }
}

/// A value within the bounds of the attribute that an entity has in a column.
pub fn clamp_column(
    program: &ruleset::Program,
    entity: EntityId,
    state: &crate::state::MatchState,
    column: u16,
    value: i32,
) -> i32 {
    let is_player = state.ent(entity).is_some_and(|it| it.status == crate::state::Status::Player);
    let rule = program.attr_in(column, is_player).and_then(|it| program.attr(it));
    rule.map_or(value, |it| state.stored(it, i64::from(value)))
}
