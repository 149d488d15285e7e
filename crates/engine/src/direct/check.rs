//! State checks that find a few things, each of which leads to a quiet event: they come as one batch.

use ruleset::{CodePtr, NULL, instr::Instr, program::StateCheck};

use super::{Direct, MEMBERS_MAX};
use crate::{
    check,
    eval::{self, Cx, Who},
    fold::span_of,
    ids::EventNo,
    list,
    record::{Record, Sink},
    state::{Frame, FrameKind, GroupRow},
};

impl<S: Sink> Direct<'_, S> {
    /// Puts on the stack what checks find; false if they find nothing, or something that needs a plan.
    pub(super) fn put_right(&mut self) -> bool {
        self.next_event = self.state.head.next_event;
        let root = self.event_no();
        let parent = Frame { controller: self.state.head.active, ..Frame::blank(FrameKind::Group, root) };
        let no = self.state.head.next_group;
        self.scratch.clear();
        self.settle_debts();
        self.scratch.refill(self.share());
        let is_near = self.state.head.check_rounds >= self.program.limits.check_rounds_max
            || self.state.stack.len().saturating_add(MEMBERS_MAX) >= self.depth_max();
        let is_found = !is_near && self.find_all(&parent, no).is_some();
        self.refuel();
        if !is_found || self.scratch.records.is_empty() {
            return false;
        }
        self.put(&Record::Checked);
        self.put(&Record::GroupOpened(GroupRow { no, parent: 0, required: false }));
        let members = u16::try_from(self.scratch.records.len()).unwrap_or(u16::MAX);
        self.put_planned();
        let controller = list::controller_row(&parent, self.event_no(), no, members);
        self.put(&Record::Pushed(controller, &[]));
        true
    }

    pub(super) fn depth_max(&self) -> usize {
        usize::try_from(self.program.limits.stack_depth_max).unwrap_or(usize::MAX)
    }

    /// Plans a member for everything that is found; none if something needs a plan of its own.
    fn find_all(&mut self, parent: &Frame, group: u32) -> Option<()> {
        for check in &self.program.checks {
            if !self.concerns(check)? {
                continue;
            }
            let (start, len) = span_of(self.scratch.machine.pop());
            for at in start..start.saturating_add(len) {
                let subject = self.scratch.machine.lists.get(at).copied().unwrap_or(NULL);
                self.find(parent, group, check, subject)?;
            }
        }
        Some(())
    }

    /// Lists whom a check concerns; false if nothing changed that it looks at.
    fn concerns(&mut self, check: &StateCheck) -> Option<bool> {
        let cx = Cx::new(self.program, self.state, self.derived, Who::player(self.state.head.active));
        let machine = &mut self.scratch.machine;
        machine.locals.clear();
        if !check::is_check_due(&cx, machine, check).ok()? {
            return Some(false);
        }
        crate::select::list(&cx, machine, check.each, None).ok()?;
        Some(true)
    }

    /// Plans a member for one who is found.
    fn find(&mut self, parent: &Frame, group: u32, check: &StateCheck, subject: i64) -> Option<()> {
        check::bind(&mut self.scratch.machine, check, subject);
        let cx = Cx::new(self.program, self.state, self.derived, Who::player(parent.controller));
        if !eval::holds(&cx, &mut self.scratch.machine, check.when).ok()? {
            return Some(());
        }
        let emitter = Frame { event: EventNo::NONE, cause: EventNo::NONE, ..*parent };
        let (instr, at) = self.values(&Who::frame(&emitter), check.emit)?;
        let Instr::Emit(emit) = instr else { return None };
        let is_last = self.program.instr(CodePtr(at.0.saturating_add(1))) == Instr::End;
        let is_quiet = self.program.quiet.is_event(emit.kind) && self.scratch.records.len() < MEMBERS_MAX;
        let event = self.program.event(emit.kind).filter(|_| is_last && is_quiet)?;
        let cells = self.scratch.keep_pushed(event);
        let row = list::child_row(parent, emit, self.event_no());
        let member = Frame { kind: FrameKind::Member, group, required: false, ..row };
        self.scratch.records.push(Record::Pushed(member, cells));
        Some(())
    }
}
