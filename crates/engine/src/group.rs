//! Atomic groups: before-reactions of all members first, then one decision, then all of it or nothing.

use alloc::vec::Vec;

use ruleset::program::EventType;

use crate::{
    apply, discover,
    fault::Fault,
    intent,
    plan::Plan,
    record::Record,
    state::{Frame, FrameKind, GroupRow, Reason, Stage},
};

/// Looks at the next member's before-reactions, or decides when all were looked at.
pub fn step(plan: &mut Plan<'_>, frame: &Frame) -> Result<(), Fault> {
    let mut at = frame.next_member;
    while let Some(member) = member(plan, frame, at) {
        at = at.saturating_add(1);
        let subjects = intent::subjects(plan, &member)?;
        plan.add(Record::MemberNext(at));
        if discover::before(plan, &member, &subjects)? > 0 {
            return Ok(());
        }
    }
    plan.add(Record::Staged(Stage::Before));
    decide(plan, frame)
}

/// The members lie right below their controller.
fn member(plan: &Plan<'_>, frame: &Frame, at: u16) -> Option<Frame> {
    if at >= frame.members {
        return None;
    }
    let stack = &plan.state().stack;
    let controller = stack.len().checked_sub(1)?;
    let first = controller.checked_sub(usize::from(frame.members))?;
    stack.get(first.saturating_add(usize::from(at))).copied()
}

fn members(plan: &Plan<'_>, frame: &Frame) -> Vec<Frame> {
    (0..frame.members).filter_map(|it| member(plan, frame, it)).collect()
}

/// Spreads prevention over the tree of groups, then applies what is left in order, as one.
fn decide(plan: &mut Plan<'_>, frame: &Frame) -> Result<(), Fault> {
    let members = members(plan, frame);
    let mut lost: Vec<u32> = Vec::new();
    for member in members.iter().filter(|it| it.required) {
        if is_flagged(plan, member)? {
            lost.push(member.group);
        }
    }
    spread(&plan.state().groups, &mut lost);
    if members.len() > 1 {
        plan.see_own_effects();
    }
    let start = plan.checkpoint();
    // Members see what those before them did. A needed one that cannot happen then takes its group with it, and
    // the rest is tried again without that group: at most once for each group.
    let happened = loop {
        match apply_all(plan, &members, &lost)? {
            Ok(happened) => break happened,
            Err(group) => {
                plan.rewind(&start);
                lost.push(group);
                spread(&plan.state().groups, &mut lost);
            }
        }
    };
    // The controller and its members leave together; what members lead to runs after, in order.
    plan.add(Record::Popped);
    let running = followers(plan, &happened)?;
    members.iter().for_each(|_| plan.add(Record::Popped));
    for (row, cells) in running.into_iter().rev() {
        let span = plan.scratch.keep(cells);
        plan.push_frame(row, span)?;
    }
    Ok(())
}

/// Whether before-reactions prevented a member, or every share of it.
fn is_flagged(plan: &mut Plan<'_>, member: &Frame) -> Result<bool, Fault> {
    Ok(member.prevented_by.is_some() || intent::is_skipped_by_all(plan, member)?)
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

/// Applies all members that are not lost, in order: those that happened, or the group of a needed one that cannot.
fn apply_all(plan: &mut Plan<'_>, members: &[Frame], lost: &[u32]) -> Result<Result<Vec<Frame>, u32>, Fault> {
    let mut happened = Vec::new();
    for member in members {
        let event = plan.program.event(member.etype).ok_or(Fault::Invariant)?;
        let is_lost = lost.contains(&member.group);
        let obstacle = match is_lost {
            true if is_flagged(plan, member)? => Some(Reason::Prevented),
            true => Some(Reason::Group),
            false => intent::obstacle(plan, member, event)?,
        };
        match obstacle {
            Some(_) if member.required && !is_lost => return Ok(Err(member.group)),
            Some(reason) => intent::not_happened(plan, member, reason, crate::ids::EntityId::NONE)?,
            None => {
                apply_member(plan, member, event)?;
                happened.push(*member);
            }
        }
    }
    Ok(Ok(happened))
}

fn apply_member(plan: &mut Plan<'_>, member: &Frame, event: &EventType) -> Result<(), Fault> {
    if event.apply.is_some() || event.subject.is_some() {
        apply::to_all(plan, member, event)
    } else if event.has_fact && event.effects.is_none() {
        // What leads to more has happened when all of that is done.
        intent::happened_whole(plan, member)
    } else {
        Ok(())
    }
}

/// Rows for the lists of members that lead to more.
fn followers(plan: &mut Plan<'_>, happened: &[Frame]) -> Result<Vec<(Frame, Vec<i64>)>, Fault> {
    let mut rows = Vec::new();
    for member in happened {
        let event = plan.program.event(member.etype).ok_or(Fault::Invariant)?;
        if event.effects.is_some() {
            let cells = plan.state().cells_of(member).to_vec();
            let row = Frame { kind: FrameKind::Intent, stage: Stage::Running, pc: event.effects, ..*member };
            rows.push((row, cells));
        }
    }
    Ok(rows)
}
