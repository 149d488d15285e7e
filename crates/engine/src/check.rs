//! State checks and end conditions: what is put right, and judged, when nothing is half done.

use alloc::vec::Vec;

use ruleset::{CodePtr, NULL, SelectId, instr::Instr, program::StateCheck, reads::Reads};

use crate::{
    apply,
    eval::{Cx, Who},
    exec::{Exec, next},
    fault::{Fault, Limit},
    ids::PlayerId,
    list,
    record::Record,
    scratch::{Machine, Span},
    state::{Frame, FrameKind, GroupRow, Head, Outcome, Why},
};

/// Looks for everything that must be put right and puts it on the stack as one batch; true if there was any.
pub fn step(exec: &mut Exec<'_>) -> Result<bool, Fault> {
    let root = exec.event_no();
    // In debug builds every check that is left out is asked, to see that it finds nothing.
    if !cfg!(debug_assertions) && !is_anything_due(exec) {
        return Ok(false);
    }
    // What a check finds is caused by what happened last, and begins a chain of its own.
    let (event, controller) = (exec.state().head.last_fact, exec.state().head.active);
    let parent = Frame { event, controller, ..Frame::blank(FrameKind::Group, root) };
    if let Some(outcome) = last_standing(exec) {
        apply::ended(exec, &parent, outcome)?;
        return Ok(true);
    }
    let found = findings(exec, &parent)?;
    if found.is_empty() {
        return judge_ends(exec, &parent);
    }
    if exec.state().head.check_rounds >= exec.program.limits.check_rounds_max {
        return Err(Fault::Limit(Limit::CheckRounds));
    }
    exec.add(Record::Checked);
    // All at once, each of them on its own: a group whose members can all be lost alone. No list waits below them that
    // could look for their subjects again; what has come meanwhile the next round finds.
    let no = exec.group_no();
    let member = |frame: Frame| {
        let fan = CodePtr::NONE;
        Frame { kind: FrameKind::Member, group: no, required: false, fan, ..frame }
    };
    let members = found.into_iter().map(|(frame, cells)| (member(frame), cells));
    let members: Vec<(Frame, Span)> = members.collect();
    list::push_members(exec, &parent, alloc::vec![GroupRow { no, parent: 0, required: false }], members)?;
    Ok(true)
}

/// Whether something changed that any check or end condition looks at.
fn is_anything_due(exec: &mut Exec<'_>) -> bool {
    let program = exec.program;
    let is_touched = exec.with(Who::player(PlayerId::NONE), |cx, _| {
        let mut reads = program.checks.iter().map(|it| it.reads).chain(program.ends.iter().map(|it| it.reads));
        reads.any(|it| cx.derived.is_touched(it))
    });
    is_touched || is_last_standing(&exec.state().head)
}

fn findings(exec: &mut Exec<'_>, parent: &Frame) -> Result<Vec<(Frame, Span)>, Fault> {
    let mut found = Vec::new();
    for i in 0..exec.program.checks.len() {
        let Some(check) = exec.program.checks.get(i).copied() else {
            continue;
        };
        let who = Who::player(exec.state().head.active);
        if !exec.with(who, |cx, machine| is_check_due(cx, machine, &check))? {
            debug_assert!(finds_nothing(exec, &check), "a state check was left out that would have found something");
            continue;
        }
        for subject in concerned(exec, &check)? {
            if let Some(row) = find(exec, parent, &check, subject)? {
                found.push(row);
            }
        }
    }
    Ok(found)
}

/// Whether something changed that a check or end condition looks at. Where it looks at each one on his own by a
/// selector, that one would have to find somebody who changed.
fn is_due(cx: &Cx<'_>, machine: &mut Machine, reads: Reads, select: SelectId) -> Result<bool, Fault> {
    if !cx.derived.is_touched(reads) {
        return Ok(false);
    }
    let Some(changed) = cx.derived.changed().filter(|_| select.is_some()) else { return Ok(true) };
    for one in changed {
        if crate::select::finds(cx, machine, select, (*one).into())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether something changed that a check looks at.
pub fn is_check_due(cx: &Cx<'_>, machine: &mut Machine, check: &StateCheck) -> Result<bool, Fault> {
    let select = if check.is_own { check.each } else { SelectId::NONE };
    is_due(cx, machine, check.reads, select)
}

/// Whether a check that is left out would have found nothing; looking costs nothing.
fn finds_nothing(exec: &mut Exec<'_>, check: &StateCheck) -> bool {
    let fuel = exec.scratch.machine.fuel;
    let who = Who::player(exec.state().head.active);
    let found = concerned(exec, check).unwrap_or_default().into_iter().any(|it| {
        bind(&mut exec.scratch.machine, check, it);
        exec.holds(who, check.when).unwrap_or(false)
    });
    exec.scratch.machine.fuel = fuel;
    !found
}

fn concerned(exec: &mut Exec<'_>, check: &StateCheck) -> Result<Vec<i64>, Fault> {
    if check.each.is_none() {
        return Ok(alloc::vec![NULL]);
    }
    let who = Who::player(exec.state().head.active);
    exec.scratch.machine.load(&[]);
    exec.with(who, |cx, machine| {
        let list = crate::select::found(cx, machine, check.each, None)?;
        Ok(machine.items(list).to_vec())
    })
}

/// Makes what was found the first variable.
pub fn bind(machine: &mut Machine, check: &StateCheck, subject: i64) {
    machine.load_empty(usize::from(check.cells).max(1));
    machine.set_local(0, subject);
}

/// The event one finding leads to.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "instructions and records of the other classes are not for this place"
)]
fn find(exec: &mut Exec<'_>, parent: &Frame, check: &StateCheck, subject: i64) -> Result<Option<(Frame, Span)>, Fault> {
    let who = Who::player(parent.controller);
    bind(&mut exec.scratch.machine, check, subject);
    if !exec.holds(who, check.when)? {
        return Ok(None);
    }
    let mut pc = check.emit;
    loop {
        let (instr, at) = exec.next_effect(who, pc)?;
        pc = next(at);
        match instr {
            Instr::Set(cell) => apply::set_local(exec, cell, exec.scratch.machine.arg(0)),
            Instr::Store(cell) => apply::store_local(exec, cell),
            Instr::Reserve => {
                let card = exec.reserve()?;
                exec.scratch.machine.push(card.into());
            }
            Instr::Emit(emit) => return list::child(exec, parent, emit).map(Some),
            Instr::End => return Ok(None),
            _ => return Err(Fault::Invariant),
        }
    }
}

/// Whoever is left alone has won; if nobody is left, nobody has.
fn last_standing(exec: &Exec<'_>) -> Option<Outcome> {
    let head = &exec.state().head;
    is_last_standing(head).then_some(Outcome { winners: head.alive, why: Why::LastStanding })
}

/// Whether at most one player is left, so that the match is over.
pub fn is_last_standing(head: &Head) -> bool {
    // At most one bit is set.
    head.n_players > 1 && head.alive & head.alive.wrapping_sub(1) == 0
}

/// Whether a condition that is left out would have held; asking costs nothing.
fn would_hold(exec: &mut Exec<'_>, who: Who, when: CodePtr) -> bool {
    let fuel = exec.scratch.machine.fuel;
    let holds = exec.holds(who, when).unwrap_or(false);
    exec.scratch.machine.fuel = fuel;
    holds
}

/// The first end condition that holds ends the match.
fn judge_ends(exec: &mut Exec<'_>, parent: &Frame) -> Result<bool, Fault> {
    let who = Who::player(parent.controller);
    exec.scratch.machine.load(&[]);
    for i in 0..exec.program.ends.len() {
        let Some(end) = exec.program.ends.get(i).copied() else {
            continue;
        };
        if !exec.with(who, |cx, machine| is_due(cx, machine, end.reads, end.finds_own))? {
            debug_assert!(!would_hold(exec, who, end.when), "an end was left out that would have come");
            continue;
        }
        if exec.holds(who, end.when)? {
            let list = exec.eval(who, end.winners)?;
            let winners = exec.scratch.machine.items(list).iter().fold(0, |acc, it| acc | PlayerId::from(*it).bit());
            apply::ended(exec, parent, Outcome { winners, why: Why::Rules(end.reason) })?;
            return Ok(true);
        }
    }
    Ok(false)
}
