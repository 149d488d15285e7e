//! Atomic groups: before-reactions of all members first, then one decision, then all of it or nothing.

use alloc::vec::Vec;

use crate::{
    exec::Exec,
    fault::Fault,
    ids::EventNo,
    intent,
    record::Record,
    state::{Frame, FrameKind, GroupRow, Reason, Stage},
    subjects,
};

/// Looks at the next member's before-reactions, or decides when all were looked at.
pub fn step(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let mut at = frame.next_member;
    while let Some(member) = member(exec, frame, at) {
        at = at.saturating_add(1);
        let subjects = subjects::of(exec, &member)?;
        exec.add(Record::MemberNext(at));
        if intent::find_before(exec, &member, &subjects)? {
            return Ok(());
        }
    }
    exec.add(Record::Staged(Stage::Before));
    decide(exec, frame)
}

/// The members lie right below their controller.
fn member(exec: &Exec<'_>, frame: &Frame, at: u16) -> Option<Frame> {
    if at >= frame.members {
        return None;
    }
    let stack = &exec.state().stack;
    let controller = stack.len().checked_sub(1)?;
    let first = controller.checked_sub(usize::from(frame.members))?;
    stack.get(first.saturating_add(usize::from(at))).copied()
}

fn members(exec: &Exec<'_>, frame: &Frame) -> Vec<Frame> {
    (0..frame.members).filter_map(|it| member(exec, frame, it)).collect()
}

/// Spreads prevention over the tree of groups, then applies what is left in order, as one.
fn decide(exec: &mut Exec<'_>, frame: &Frame) -> Result<(), Fault> {
    let members = members(exec, frame);
    let mut lost = Lost::default();
    for member in members.iter().filter(|it| it.required) {
        if is_prevented(exec, member)? {
            lost.groups.push(member.group);
        }
    }
    spread(&exec.state().groups, &mut lost.groups);
    let start = exec.mark();
    // Members see what those before them did. A needed one that cannot happen then takes its group with it, and
    // the rest is tried again without that group: at most once for each group.
    let happened = loop {
        match apply_all(exec, &members, &lost)? {
            Ok(happened) => break happened,
            Err(obstacle) => {
                exec.rewind(&start);
                lost.groups.push(obstacle.group);
                lost.because.push(obstacle);
                spread(&exec.state().groups, &mut lost.groups);
            }
        }
    };
    // The controller and its members leave together; what members lead to runs after, in order.
    exec.add(Record::Popped);
    let running = followers(exec, &happened)?;
    members.iter().for_each(|_| exec.add(Record::Popped));
    let is_partial = members.iter().any(|it| it.required && intent::has_lost_shares(exec, it, &start));
    let is_lost = is_partial || lost.groups.contains(&frame.group);
    if let Some(to) = members.first().map(|it| it.otherwise).filter(|it| it.is_some() && is_lost) {
        exec.add(Record::At(to));
    }
    for (row, cells) in running.into_iter().rev() {
        let span = exec.scratch.keep(cells);
        exec.push_frame(row, span)?;
    }
    Ok(())
}

/// The groups that do not happen, and the members that are the reason for it.
#[derive(Default)]
struct Lost {
    groups: Vec<u32>,
    because: Vec<Obstacle>,
}

/// Why a needed member of a group cannot happen.
struct Obstacle {
    event: EventNo,
    group: u32,
    reason: Reason,
}

/// Whether before-reactions prevented a member, or every share of it. One that was replaced has happened otherwise.
fn is_prevented(exec: &mut Exec<'_>, member: &Frame) -> Result<bool, Fault> {
    if member.prevented_by.is_some() {
        return Ok(member.reason != Reason::Replaced);
    }
    Ok(intent::skipped_by_all(exec, member)?.is_some_and(|it| it != Reason::Replaced))
}

/// Upwards while needed, then downwards to everything inside what is lost.
fn spread(rows: &[GroupRow], lost: &mut Vec<u32>) {
    while let Some(inner) =
        rows.iter().find(|it| it.required && it.parent != 0 && lost.contains(&it.no) && !lost.contains(&it.parent))
    {
        lost.push(inner.parent);
    }
    while let Some(inner) = rows.iter().find(|it| lost.contains(&it.parent) && !lost.contains(&it.no)) {
        lost.push(inner.no);
    }
}

/// Applies all members that are not lost, in order: those that happened, or a needed one that cannot.
fn apply_all(exec: &mut Exec<'_>, members: &[Frame], lost: &Lost) -> Result<Result<Vec<Frame>, Obstacle>, Fault> {
    let mut happened = Vec::new();
    for member in members {
        let is_lost = lost.groups.contains(&member.group);
        let reason = if is_lost { Some(reason_of(exec, member, lost)?) } else { apply_member(exec, member)? };
        match reason {
            None => happened.push(*member),
            Some(reason) if member.required && !is_lost && reason != Reason::Replaced => {
                return Ok(Err(Obstacle { event: member.event, group: member.group, reason }));
            }
            Some(reason) => intent::not_happened(exec, member, reason, crate::ids::EntityId::NONE)?,
        }
    }
    Ok(Ok(happened))
}

/// Why a member of a lost group does not happen: because of itself, or of another.
fn reason_of(exec: &mut Exec<'_>, member: &Frame, lost: &Lost) -> Result<Reason, Fault> {
    let own = lost.because.iter().find(|it| it.event == member.event).map(|it| it.reason);
    let is_flagged = member.prevented_by.is_some() || intent::skipped_by_all(exec, member)?.is_some();
    Ok(own.unwrap_or(if is_flagged { Reason::Prevented } else { Reason::Group }))
}

/// Applies a member, or gives the reason why it cannot happen.
fn apply_member(exec: &mut Exec<'_>, member: &Frame) -> Result<Option<Reason>, Fault> {
    let event = exec.program.event(member.etype).ok_or(Fault::Invariant)?;
    let start = exec.mark();
    match intent::obstacle(exec, member, event)? {
        Err(reason) => Ok(Some(reason)),
        // What leads to more has happened when all of that is done.
        Ok(subjects) => intent::try_to_apply(exec, member, event, &subjects, &start),
    }
}

/// Rows for the lists of members that lead to more.
fn followers(exec: &mut Exec<'_>, happened: &[Frame]) -> Result<Vec<(Frame, Vec<i64>)>, Fault> {
    let mut rows = Vec::new();
    for member in happened {
        let event = exec.program.event(member.etype).ok_or(Fault::Invariant)?;
        if event.effects.is_some() {
            let cells = exec.state().cells_of(member).to_vec();
            let row = Frame { kind: FrameKind::Intent, stage: Stage::Running, pc: event.effects, ..*member };
            rows.push((row, cells));
        }
    }
    Ok(rows)
}
