//! Atomic groups: before-reactions of all members first, then one decision, then all of it or nothing.

use alloc::vec::Vec;

use crate::{
    apply, discover,
    fault::Fault,
    intent,
    plan::Plan,
    record::Record,
    state::{Frame, GroupRow, Reason, Stage},
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
    let lost = lost_groups(plan, &members)?;
    plan.see_own_effects();
    for member in &members {
        if let Some(reason) = own_obstacle(plan, member, &lost)? {
            intent::prevented(plan, member, reason, crate::ids::EntityId::NONE)?;
            continue;
        }
        let event = plan.program.event(member.etype).ok_or(Fault::Invariant)?;
        if event.apply.is_some() || event.subject.is_some() {
            apply::to_all(plan, member, event)?;
        } else if event.has_fact && event.effects.is_none() {
            // What leads to more has happened when all of that is done.
            intent::happened_whole(plan, member)?;
        }
    }
    // The controller and its members leave together; what members lead to runs after, in order.
    plan.add(Record::Popped);
    let running = followers(plan, &members, &lost)?;
    members.iter().for_each(|_| plan.add(Record::Popped));
    for (row, cells) in running.into_iter().rev() {
        let span = plan.scratch.keep(cells);
        plan.push_frame(row, span)?;
    }
    Ok(())
}

/// The groups that do not happen: one needed member lost loses the group, a needed group loses its parent.
fn lost_groups(plan: &mut Plan<'_>, members: &[Frame]) -> Result<Vec<u32>, Fault> {
    let rows: Vec<GroupRow> = plan.state().groups.clone();
    let mut lost: Vec<u32> = Vec::new();
    for member in members {
        let event = plan.program.event(member.etype).ok_or(Fault::Invariant)?;
        if member.required && intent::obstacle(plan, member, event)?.is_some() {
            lost.push(member.group);
        }
    }
    // Upwards while needed, then downwards to everything inside what is lost.
    while let Some(parent) =
        rows.iter().find(|it| it.required && it.parent != 0 && lost.contains(&it.no) && !lost.contains(&it.parent))
    {
        lost.push(parent.parent);
    }
    while let Some(inner) = rows.iter().find(|it| lost.contains(&it.parent) && !lost.contains(&it.no)) {
        lost.push(inner.no);
    }
    Ok(lost)
}

fn own_obstacle(plan: &mut Plan<'_>, member: &Frame, lost: &[u32]) -> Result<Option<Reason>, Fault> {
    if member.prevented_by.is_some() {
        return Ok(Some(Reason::Prevented));
    }
    if lost.contains(&member.group) {
        return Ok(Some(Reason::Group));
    }
    // Earlier members have happened by now, so only a member that may be lost alone is judged again.
    let event = plan.program.event(member.etype).ok_or(Fault::Invariant)?;
    if member.required { Ok(None) } else { intent::obstacle(plan, member, event) }
}

/// Rows for the lists of members that lead to more.
fn followers(plan: &mut Plan<'_>, members: &[Frame], lost: &[u32]) -> Result<Vec<(Frame, Vec<i64>)>, Fault> {
    let mut rows = Vec::new();
    for member in members {
        let event = plan.program.event(member.etype).ok_or(Fault::Invariant)?;
        if event.effects.is_none() || member.prevented_by.is_some() || lost.contains(&member.group) {
            continue;
        }
        let cells = plan.state().cells_of(member).to_vec();
        let row = Frame { kind: crate::state::FrameKind::Intent, stage: Stage::Running, pc: event.effects, ..*member };
        rows.push((row, cells));
    }
    Ok(rows)
}
