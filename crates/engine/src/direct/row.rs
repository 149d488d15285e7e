//! Rows that come and go at once: nobody looks at them in between, so they are told of but never lie on the stack.

use ruleset::{CodePtr, program::ActionTiming};

use super::Direct;
use crate::{
    eval::Who,
    fold,
    ids::EventNo,
    record::{Record, Sink},
    state::{Flow, Frame, Stage},
};

impl<S: Sink> Direct<'_, S> {
    /// The list of a row that can come and go at once while nothing else is on the stack: it begins with what was read
    /// ahead, and nobody can respond.
    #[inline]
    pub(super) fn passing(&self, row: &Frame) -> Option<CodePtr> {
        if S::LOOKS {
            return None;
        }
        let event = self.program.event(row.etype)?;
        if event.effects.is_none() {
            return self.program.passing(row.etype, event, row.pc).filter(|_| self.is_private(row));
        }
        (event.passing.is_some() && self.is_private(row)).then_some(event.passing)
    }

    /// Whether nobody is asked to respond to a row, whoever could.
    fn is_private(&self, row: &Frame) -> bool {
        if !self.program.has_responses {
            return true;
        }
        let Some(action) = self.program.action(row.action) else { return true };
        let is_listed = self.program.step(self.state.head.step).is_some_and(|it| it.window);
        action.timing == ActionTiming::AtOnce || !is_listed
    }

    /// A row comes whose variables are loaded; [`Direct::pass_by`] goes on with it.
    // What is known of a row where it is made need not be asked here.
    #[inline(always)]
    pub(super) fn come(&mut self, row: &Frame) {
        fold::come(self.state, row);
        self.note_with(self.scratch.machine.locals.len(), |cells| Record::Pushed(*row, cells));
    }

    /// A row that came, and who it is, does what its list says and goes. Where something is not as expected, it stays
    /// on the stack.
    #[inline(never)]
    pub(super) fn pass_by(&mut self, row: &Frame, who: &mut Who, list: CodePtr) {
        if !self.begin() {
            return self.stay(*row);
        }
        let is_due = self.state.head.dirty && self.state.head.flow != Flow::Setup;
        let cost = if is_due { self.glance() } else { Some(0) };
        // What happens is caused by the row.
        (who.cause, who.event) = (who.event, EventNo(self.next_event));
        let first = self.known_deed(who, list).filter(|_| self.is_as_judged(row));
        let Some((cost, mut next)) = cost.zip(first) else { return self.stay(*row) };
        if is_due {
            self.take_glance(cost);
            self.put(&Record::Settled);
        }
        self.note(&Record::Began(list));
        // An event happens, and so does what comes after it in its list as far as it was read ahead; then its row goes.
        loop {
            let (leads, deed) = next;
            who.event = EventNo(self.next_event);
            self.happen_as_read(row, who, (leads.emit, &leads.fields, deed));
            if leads.is_last {
                return self.go(row);
            }
            self.note(&Record::At(leads.to));
            let after = if self.begin() { self.known_deed(who, leads.to) } else { None };
            let Some(after) = after else {
                return self.stay(Frame { stage: Stage::Running, pc: leads.to, ..*row });
            };
            next = after;
        }
    }

    #[cold]
    fn stay(&mut self, row: Frame) {
        fold::stay(self.state, row, &self.scratch.machine.locals);
    }

    /// The list of a row is done: what it was about has happened.
    fn go(&mut self, row: &Frame) {
        self.tell_done(row);
        fold::leave(self.state);
        self.note(&Record::Popped);
    }
}
