//! Runs effect lists: pure instructions go by, the first one that does something ends the step.

use alloc::vec::Vec;

use ruleset::{
    AbilityId, CodePtr, RuleId,
    instr::{Emit, Instr},
    program::{BuiltIn, Rule, RuleIndex, Timing},
};

use crate::{
    ability, apply, ask, cost, discover,
    eval::{self, Who},
    exec::{Exec, next},
    fault::{Failure, Fault, Limit},
    ids::{EntityId, EventNo},
    intent::{self, Begun},
    record::Record,
    scratch::Span,
    state::{DelayHead, Frame, FrameKind, GroupRow, Note, Reason, Stage, Timer},
    subjects,
};

/// Members of a group that is being put together.
#[derive(Default)]
struct Groups {
    /// The groups that are open, the innermost last.
    open: Vec<u32>,
    rows: Vec<GroupRow>,
    members: Vec<(Frame, Span)>,
}

/// Runs the list of a row until it does something.
pub fn run(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    intent::load_cells(exec, frame);
    let who = Who::frame(frame);
    let mut groups = Groups::default();
    let mut pc = frame.pc;
    loop {
        let (instr, at) = exec.next_effect(who, pc)?;
        match effect(exec, frame, who, instr, at, &mut groups)? {
            Then::Go(to) => pc = to,
            Then::Wait => return Ok(()),
        }
    }
}

/// What a list does after an effect.
enum Then {
    /// Goes on at once.
    Go(CodePtr),
    /// Waits until what it started is done.
    Wait,
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "instructions and records of the other classes are not for this place"
)]
fn effect(
    exec: &mut Exec<'_>,
    frame: &Frame,
    who: Who,
    instr: Instr,
    pc: CodePtr,
    groups: &mut Groups,
) -> Result<Then, Fault> {
    match instr {
        Instr::Set(cell) => {
            apply::set_local(exec, cell, exec.scratch.machine.arg(0));
            note_cell(exec, cell);
        }
        Instr::Store(cell) => store(exec, cell)?,
        Instr::Random => apply::random(exec, who),
        Instr::Next { list, done } => {
            if let Some(to) = apply::advance(exec, list, done)? {
                return Ok(Then::Go(to));
            }
            note_cell(exec, list.saturating_add(1));
        }
        Instr::Loop { at, done } => {
            if !count_up(exec, at)? {
                return Ok(Then::Go(done));
            }
        }
        Instr::Reserve => {
            let card = exec.reserve()?;
            exec.scratch.machine.push(card.into());
        }
        Instr::Emit(emit) => return emit_event(exec, frame, emit, pc, groups),
        Instr::GroupStart { optional } => open_group(exec, groups, optional),
        Instr::GroupEnd => {
            groups.open.pop();
            if groups.open.is_empty() {
                return push_group(exec, frame, pc, core::mem::take(groups));
            }
        }
        Instr::Ask(id) => {
            exec.add(Record::At(pc));
            return Ok(if ask::ask(exec, frame, id)? { Then::Wait } else { Then::Go(next(pc)) });
        }
        Instr::AskTogether(first, n) => {
            exec.add(Record::At(pc));
            return Ok(if ask::together(exec, frame, first, n)? { Then::Wait } else { Then::Go(next(pc)) });
        }
        Instr::Wait(timer) => return wait(exec, who, timer, pc),
        Instr::RunAbility => {
            exec.add(Record::At(next(pc)));
            run_ability(exec, frame)?;
            return Ok(Then::Wait);
        }
        Instr::PayCosts => return pay_costs(exec, frame, who, pc),
        Instr::Prevent { whole, replaces } => prevent(exec, frame, who, whole, replaces)?,
        Instr::Amend(field) => amend(exec, frame, field),
        Instr::Defer(on) => {
            exec.add(Record::Deferring(on));
            if !on {
                exec.add(Record::At(next(pc)));
                discover::release(exec, frame.event)?;
                return Ok(Then::Wait);
            }
        }
        Instr::Delay(rule) => delay(exec, frame, rule)?,
        Instr::Decline => {
            discover::give_back(exec, frame);
            exec.add(Record::Popped);
            return Ok(Then::Wait);
        }
        Instr::End => {
            intent::finish_list(exec, &Frame { pc, deferring: is_deferring(exec), ..*frame })?;
            return Ok(Then::Wait);
        }
        Instr::Fail => {
            intent::abandon(exec, &Frame { pc, deferring: is_deferring(exec), ..*frame })?;
            return Ok(Then::Wait);
        }
        // Writes and costs do not stand in effect lists: the ruleset was checked.
        _ => return Err(Fault::Invariant),
    }
    Ok(Then::Go(next(pc)))
}

/// Whether the list of the top frame holds triggers back.
fn is_deferring(exec: &Exec<'_>) -> bool {
    exec.state().top().is_some_and(|it| it.deferring)
}

/// Writes the value a variable has now into its frame.
fn note_cell(exec: &mut Exec<'_>, cell: u16) {
    let value = exec.scratch.machine.local(usize::from(cell));
    exec.add(Record::Set(cell, value));
}

fn store(exec: &mut Exec<'_>, cell: u16) -> Result<(), Fault> {
    let list = exec.scratch.machine.arg(0);
    let items: Vec<i64> = exec.scratch.machine.items(list).to_vec();
    apply::store_local(exec, cell);
    let limit = usize::try_from(exec.program.limits.cells_per_frame_max).unwrap_or(usize::MAX);
    if exec.scratch.machine.locals().len() > limit {
        return Err(Fault::Limit(Limit::CellsPerFrame));
    }
    let span = exec.scratch.keep(items);
    exec.add(Record::Stored(cell, span));
    Ok(())
}

/// Counts one round of a loop; false when all are done.
fn count_up(exec: &mut Exec<'_>, at: u16) -> Result<bool, Fault> {
    let machine = &exec.scratch.machine;
    let number = |it: usize| eval::number(machine.local(it));
    let (done, all) = (number(usize::from(at)), number(usize::from(at).saturating_add(1)));
    if done >= all {
        return Ok(false);
    }
    if done >= i64::from(exec.program.limits.iterations_per_effect_max) {
        return Err(Fault::Limit(Limit::IterationsPerEffect));
    }
    apply::set_local(exec, at, done.saturating_add(1));
    note_cell(exec, at);
    Ok(true)
}

/// A row for an event that a list leads to.
pub fn child(exec: &mut Exec<'_>, parent: &Frame, emit: Emit) -> Result<(Frame, Span), Fault> {
    let event = exec.program.event(emit.kind).ok_or(Fault::Invariant)?;
    let span = exec.scratch.keep_given(event);
    // What an event leads to goes on in any case, unless the list the event stands in depends on it.
    let goes_on = parent.otherwise.is_none() && exec.program.instr(emit.otherwise) == Instr::Fail;
    let otherwise = if goes_on { CodePtr::NONE } else { emit.otherwise };
    let row = Frame {
        etype: emit.kind,
        cause: parent.event,
        root: parent.root,
        source: parent.source,
        source_moves: parent.source_moves,
        controller: parent.controller,
        required: !emit.optional,
        fan: emit.fan,
        names_one: emit.names_one,
        otherwise,
        ..Frame::blank(FrameKind::Intent, exec.event_no())
    };
    Ok((row, span))
}

fn emit_event(exec: &mut Exec<'_>, frame: &Frame, emit: Emit, pc: CodePtr, groups: &mut Groups) -> Result<Then, Fault> {
    let (row, cells) = child(exec, frame, emit)?;
    if let Some(group) = groups.open.last() {
        groups.members.push((Frame { kind: FrameKind::Member, group: *group, ..row }, cells));
        return Ok(Then::Go(next(pc)));
    }
    let aside = exec.scratch.machine.set_aside(0);
    let n_lists = exec.scratch.machine.lists.len();
    let to = match intent::begin(exec, &row, cells, next(pc))? {
        Begun::Waits => return Ok(Then::Wait),
        Begun::NotHappened if row.otherwise.is_some() => row.otherwise,
        Begun::Happened | Begun::NotHappened => next(pc),
    };
    // The event had variables of its own; those of the list are as they were.
    exec.scratch.machine.bring_back(aside);
    exec.scratch.machine.lists.truncate(n_lists);
    // A list that is done then has nothing left to look at.
    let goes_on = exec.is_unheard() && !exec.state().is_stopped();
    if goes_on && exec.program.instr(to) == Instr::End {
        return Ok(Then::Go(to));
    }
    exec.add(Record::At(to));
    if !goes_on {
        return Ok(Then::Wait);
    }
    exec.go_on()?;
    Ok(Then::Go(to))
}

fn open_group(exec: &mut Exec<'_>, groups: &mut Groups, optional: bool) {
    // Groups are numbered from 1; 0 means no group.
    let no = exec.group_no();
    let parent = groups.open.last().copied().unwrap_or(0);
    groups.rows.push(GroupRow { no, parent, required: !optional });
    groups.open.push(no);
}

fn push_group(exec: &mut Exec<'_>, frame: &Frame, pc: CodePtr, groups: Groups) -> Result<Then, Fault> {
    exec.add(Record::At(next(pc)));
    if groups.members.is_empty() {
        return Ok(Then::Go(next(pc)));
    }
    push_members(exec, frame, groups.rows, groups.members)?;
    Ok(Then::Wait)
}

/// Puts a group on the stack: its members, and above them the row that decides for all.
pub fn push_members(
    exec: &mut Exec<'_>,
    parent: &Frame,
    rows: Vec<GroupRow>,
    members: Vec<(Frame, Span)>,
) -> Result<(), Fault> {
    let outermost = rows.first().map_or(0, |it| it.no);
    rows.into_iter().for_each(|it| exec.add(Record::GroupOpened(it)));
    let n = u16::try_from(members.len()).unwrap_or(u16::MAX);
    for (member, cells) in members {
        exec.push_frame(member, cells)?;
    }
    let controller = controller_row(parent, exec.event_no(), outermost, n);
    let none = exec.scratch.keep([]);
    exec.push_frame(controller, none)
}

/// The row that decides for the members of a group.
pub fn controller_row(parent: &Frame, event: EventNo, group: u32, members: u16) -> Frame {
    Frame {
        cause: parent.event,
        root: parent.root,
        source: parent.source,
        source_moves: parent.source_moves,
        controller: parent.controller,
        group,
        members,
        ..Frame::blank(FrameKind::Group, event)
    }
}

fn wait(exec: &mut Exec<'_>, who: Who, timer: ruleset::TimerId, pc: CodePtr) -> Result<Then, Fault> {
    let code = exec.program.timers.get(timer.index()).ok_or(Fault::Invariant)?.ms;
    let ms = saturating_ms(exec.eval(who, code)?);
    exec.add(Record::At(next(pc)));
    exec.add(Record::TimerSet(Some(Timer { timer, ms })));
    Ok(Then::Wait)
}

/// A time as the host knows it: none is less than no time or longer than the longest.
pub fn saturating_ms(value: i64) -> u32 {
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

fn run_ability(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let machine = &exec.scratch.machine;
    let (owner, ability) = (EntityId::from(machine.arg(0)), AbilityId::from(machine.arg(1)));
    let (actor, extra) = (EntityId::from(machine.arg(2)), machine.arg(3));
    let targets: Vec<i64> = machine.items(extra).to_vec();
    let Some(id) = ability::rule_of(exec.state(), exec.program, owner, ability) else {
        return Ok(());
    };
    let rule = exec.program.rule(id).ok_or(Fault::Invariant)?;
    let aside = exec.scratch.machine.set_aside(usize::from(rule.cells));
    ability::bind_targets(rule, &targets, &mut exec.scratch.machine);
    let span = exec.keep_locals();
    exec.scratch.machine.bring_back(aside);
    // Who acts is the source, be it the card that has the ability or another; if it left since the action was
    // announced, it is remembered as it was then.
    let moves = exec.state().ent(actor).map_or(0, |it| it.moves);
    let row = Frame {
        rule: id,
        // What was chosen when it was announced is not asked for again, even if it is gone by now.
        pc: if crate::act::unflatten(&targets).len() < rule.slots.len() { rule.effects } else { rule.body },
        cause: frame.event,
        // An ability used in response answers what its action answers.
        answers: frame.answers,
        root: frame.root,
        source: actor,
        source_moves: if actor == frame.source { frame.source_moves } else { moves },
        controller: frame.controller,
        ..Frame::blank(FrameKind::Trigger, exec.event_no())
    };
    exec.push_frame(row, span)
}

/// Pays what a rule costs and goes on; a rule that cannot be paid for any more does nothing.
fn pay_costs(exec: &mut Exec<'_>, frame: &Frame, who: Who, pc: CodePtr) -> Result<Then, Fault> {
    let costs = exec.program.rule(frame.rule).map_or(CodePtr::NONE, |it| it.costs);
    let start = exec.mark();
    if cost::pay(exec, frame, who, costs, cost::Mode::Final)? {
        exec.add(Record::At(next(pc)));
    } else {
        exec.rewind(&start);
        unpaid(exec, frame)?;
    }
    Ok(Then::Wait)
}

/// A rule that cannot be paid for does nothing: one that is optional was not offered, any other has failed.
fn unpaid(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    if !exec.program.rule(frame.rule).is_some_and(|it| it.optional) {
        intent::failed(exec, frame, Failure::Unpaid, EntityId::NONE)?;
    }
    discover::give_back(exec, frame);
    exec.add(Record::Popped);
    Ok(())
}

/// Prevents what this reaction answers: all of it, or its own card's share (rulings 63, 70, 73).
fn prevent(exec: &mut Exec<'_>, frame: &Frame, who: Who, whole: bool, replaces: bool) -> Result<(), Fault> {
    let Some(target) = exec.state().frame(frame.answered()).copied() else {
        return Ok(());
    };
    let rule = exec.program.rule(frame.rule).ok_or(Fault::Invariant)?;
    let moot = target.prevented_by.is_some() || is_skipped(exec, frame);
    if moot || !exec.holds(who, rule.prevention)? {
        discover::give_back(exec, frame);
        return Ok(());
    }
    let preventable = exec.program.event(target.etype).is_some_and(|it| it.preventable);
    let several = subjects::of(exec, &target)?.len() > 1;
    intent::load_cells(exec, frame);
    if preventable && rule.per_subject && several && !whole {
        let field = if replaces { Note::REPLACED } else { Note::SKIP };
        let note = Note { event: frame.answered(), entity: frame.subject, field, value: frame.event.into() };
        exec.add(Record::Noted(note));
        return Ok(());
    }
    let reason = if replaces { Reason::Replaced } else { Reason::Prevented };
    apply::prevent_event(exec, frame, frame.answered(), reason)
}

fn is_skipped(exec: &Exec<'_>, frame: &Frame) -> bool {
    let notes = &exec.state().notes;
    notes.iter().any(|it| it.event == frame.answered() && it.entity == frame.subject && it.skips())
}

/// Changes a field of what this reaction answers: for all, or for its own subject.
fn amend(exec: &mut Exec<'_>, frame: &Frame, field: u8) {
    let value = exec.scratch.machine.arg(0);
    let per_subject = exec.program.rule(frame.rule).is_some_and(|it| it.per_subject);
    if per_subject && frame.subject.is_some() {
        exec.add(Record::Noted(Note { event: frame.answered(), entity: frame.subject, field, value }));
    } else {
        exec.add(Record::Amended(frame.answered(), field, value));
    }
}

/// A trigger is looked at for the first time: its conditions must still hold (ruling 18).
pub fn begin_trigger(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let rule = exec.program.rule(frame.rule).ok_or(Fault::Invariant)?;
    intent::load_cells(exec, frame);
    // What an activated ability needs was asked when it was activated; its costs may have changed that.
    if rule.timing != Timing::Activated && !exec.holds(Who::frame(frame), rule.conditions)? {
        if exec.is_traced() {
            exec.note_dropped(frame, Who::frame(frame), rule.conditions);
        }
        discover::give_back(exec, frame);
        exec.add(Record::Popped);
        return Ok(());
    }
    if rule.timing != Timing::Activated && !can_pay(exec, frame, rule)? {
        return unpaid(exec, frame);
    }
    exec.add(Record::Staged(Stage::Running));
    announce(exec, frame, rule)?;
    // What answers the announcement lies above this row: nothing is asked from below it.
    if !exec.is_unheard() {
        return Ok(());
    }
    run(exec, &Frame { stage: Stage::Running, ..*frame })
}

/// Whether what a rule costs can be paid.
fn can_pay(exec: &mut Exec<'_>, frame: &Frame, rule: &Rule) -> Result<bool, Fault> {
    if rule.costs.is_none() {
        return Ok(true);
    }
    intent::load_cells(exec, frame);
    exec.with(Who::frame(frame), |cx, machine| cost::can_pay(cx, machine, rule.costs))
}

/// Says that a reaction of a card is carried out, if a rule answers that; what answers it is not announced itself.
fn announce(exec: &mut Exec<'_>, frame: &Frame, rule: &Rule) -> Result<(), Fault> {
    let kind = BuiltIn::AbilityTriggered.id();
    let is_heard = exec.program.after.get(kind.index()).is_some_and(|it| *it != RuleIndex::default());
    if !is_heard || frame.source.is_none() || rule.event.is_none() || rule.event == kind {
        return Ok(());
    }
    let args = exec.scratch.keep([frame.source.into(), rule.ability.into()]);
    exec.happened(frame, kind, frame.source, args)?;
    Ok(())
}

/// From now on a rule waits for its event, with the values its variables have now.
fn delay(exec: &mut Exec<'_>, frame: &Frame, id: RuleId) -> Result<(), Fault> {
    let rule = exec.program.rule(id).and_then(|it| it.delay).ok_or(Fault::Invariant)?;
    let kept = exec.scratch.machine.args.iter().take(usize::from(rule.n_kept)).copied().collect::<Vec<_>>();
    if exec.state().delays.len() >= usize::try_from(exec.program.limits.reactions_per_event_max).unwrap_or(usize::MAX) {
        return Err(Fault::Limit(Limit::ReactionsPerEvent));
    }
    let span = exec.scratch.keep(kept);
    let head = DelayHead {
        no: exec.mod_no(),
        rule: id,
        controller: frame.controller,
        source: frame.source,
        source_moves: frame.source_moves,
        left: rule.times,
    };
    exec.add(Record::Delayed(head, span));
    Ok(())
}
