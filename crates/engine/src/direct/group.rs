//! Groups whose members nobody answers, and which can each be lost without the others: all of them happen.

use super::{Direct, MEMBERS_MAX};
use crate::{
    eval::Who,
    record::{Record, Sink},
    state::{Frame, FrameKind, Stage},
};

impl<S: Sink> Direct<'_, S> {
    /// The members of the group on top happen, in order, as one.
    pub(super) fn decide(&mut self, top: &Frame) -> bool {
        let n = usize::from(top.members);
        let first = self.state.stack.len().saturating_sub(n.saturating_add(1));
        let is_new = top.next_member == 0 && n <= MEMBERS_MAX;
        if !is_new || !(first..first.saturating_add(n)).all(|it| self.is_sure(it)) {
            return false;
        }
        for at in 1..=top.members {
            self.put(&Record::MemberNext(at));
        }
        self.put(&Record::Staged(Stage::Before));
        for at in first..first.saturating_add(n) {
            self.member(at);
        }
        for _ in 0..=top.members {
            self.put(&Record::Popped);
        }
        true
    }

    /// Whether nothing can keep a member from happening.
    fn is_sure(&self, at: usize) -> bool {
        let Some(row) = self.state.stack.get(at) else { return false };
        let Some(event) = self.program.event(row.etype) else { return false };
        let cells = self.state.cells_of(row);
        let aims = event.subject.is_none_or(|it| cells.get(usize::from(it)).is_some_and(|it| *it != ruleset::NULL));
        let is_alone = row.kind == FrameKind::Member && !row.required && row.prevented_by.is_none();
        is_alone && aims && event.requires.is_none() && self.program.quiet.is_event(row.etype)
    }

    fn member(&mut self, at: usize) {
        let Some(row) = self.state.stack.get(at).copied() else { return };
        let Some(event) = self.program.event(row.etype) else { return };
        self.load(&row);
        self.apply(&Who::frame(&row), row.etype, event);
    }
}
