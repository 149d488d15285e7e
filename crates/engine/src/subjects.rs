//! Whom an event concerns, worked out when it is asked: what was found by a selector is found again.

use core::ops::Deref;

use alloc::vec::Vec;

use ruleset::NULL;

use crate::{
    cells::span_of,
    eval::{self, Cx, Who},
    exec::Exec,
    fault::Fault,
    ids::{EntityId, EventNo},
    intent::load_cells,
    scratch::Machine,
    select,
    state::{Frame, MatchState, Note},
};

/// How many lie in the list itself; only longer lists take memory.
const FEW: usize = 8;

/// Those an event concerns.
pub struct Subjects {
    few: [i64; FEW],
    n_few: usize,
    /// All of them, if they are more than a few.
    many: Vec<i64>,
}

impl Subjects {
    const NOBODY: Self = Self { few: [NULL; FEW], n_few: 0, many: Vec::new() };

    fn one(subject: i64) -> Self {
        let mut subjects = Self::NOBODY;
        subjects.push(subject);
        subjects
    }

    fn push(&mut self, subject: i64) {
        match self.few.get_mut(self.n_few) {
            Some(slot) if self.many.is_empty() => {
                *slot = subject;
                self.n_few = self.n_few.saturating_add(1);
            }
            Some(_) | None => {
                if self.many.is_empty() {
                    self.many.extend_from_slice(&self.few);
                }
                self.many.push(subject);
            }
        }
    }
}

impl Deref for Subjects {
    type Target = [i64];

    fn deref(&self) -> &[i64] {
        if self.many.is_empty() { self.few.get(..self.n_few).unwrap_or_default() } else { &self.many }
    }
}

/// Whom an event concerns right now; an empty list for one that concerns nobody in particular.
pub fn of(exec: &mut Exec<'_>, frame: &Frame) -> Result<Subjects, Fault> {
    let event = exec.program.event(frame.etype).ok_or(Fault::Invariant)?;
    let Some(at) = event.subject else {
        return Ok(Subjects::NOBODY);
    };
    // What was found by a selector is found again, as long as the list that looked for it is there.
    if frame.fan.is_some()
        && let Some(parent) = exec.state().frame(frame.cause).copied()
    {
        return found(exec, &parent, frame.event, |cx, machine| eval::eval(cx, machine, frame.fan));
    }
    let many = event.fields.get(usize::from(at)).is_some_and(|it| it.many);
    let cells = exec.cells_of(frame);
    let value = cells.get(usize::from(at)).copied().unwrap_or(NULL);
    if !many && value != NULL {
        let is_gone = has_left(exec.state(), frame.event, value);
        return Ok(if is_gone { Subjects::NOBODY } else { Subjects::one(value) });
    }
    let (start, len) = span_of(value);
    let named = if many { cells.get(start..start.saturating_add(len)).unwrap_or_default() } else { &[] };
    if named.is_empty() && event.fan_out.is_some() {
        // What the event itself looks for is where it is.
        return found(exec, frame, EventNo::NONE, |cx, machine| select::found(cx, machine, event.fan_out, None));
    }
    let mut listed = Subjects::NOBODY;
    for item in named {
        // One that is named twice is concerned once.
        if !listed.contains(item) && !has_left(exec.state(), frame.event, *item) {
            listed.push(*item);
        }
    }
    Ok(listed)
}

/// What is found for the list of a frame, but for those who left since rules came before an event.
fn found(
    exec: &mut Exec<'_>,
    frame: &Frame,
    event: EventNo,
    find: impl FnOnce(&Cx<'_>, &mut Machine) -> Result<i64, Fault>,
) -> Result<Subjects, Fault> {
    load_cells(exec, frame);
    exec.with(Who::frame(frame), |cx, machine| {
        let list = find(cx, machine)?;
        let mut listed = Subjects::NOBODY;
        let stays = |it: &&i64| event.is_none() || !has_left(cx.state, event, **it);
        machine.items(list).iter().filter(stays).for_each(|it| listed.push(*it));
        Ok(listed)
    })
}

/// Whether a named subject of an event has left play since rules were looked for that come before it.
pub fn has_left(state: &MatchState, event: EventNo, subject: i64) -> bool {
    if state.notes.is_empty() {
        return false;
    }
    let entity = EntityId::from(subject);
    let is_place = |it: &&Note| it.event == event && it.entity == entity && it.field == Note::PLACE;
    let moves = state.ent(entity).map_or(0, |it| i64::from(it.moves));
    state.notes.iter().find(is_place).is_some_and(|it| it.value != moves)
}
