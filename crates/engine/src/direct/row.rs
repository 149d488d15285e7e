//! Rows that come and go at once: nobody looks at them in between, so they are told of but never lie on the stack.

use ruleset::{CodePtr, program::ActionTiming};

use super::{Direct, list::Ready};
use crate::{
    fold,
    ids::EventNo,
    record::{Record, Sink},
    state::{Flow, Frame, Stage},
};

impl<S: Sink> Direct<'_, S> {
    /// The list of a row that can come and go at once while nothing else is on the stack: it begins with what was read
    /// ahead, and nobody can respond.
    pub(super) fn passing(&self, row: &Frame) -> Option<CodePtr> {
        if S::LOOKS {
            return None;
        }
        let event = self.program.event(row.etype)?;
        let list = if event.effects.is_some() { event.effects } else { row.pc };
        let leads = self.program.strokes.leads(list).filter(|_| event.is_bare() && self.can_go(row, list))?;
        let is_known = leads.deed.as_ref().is_some_and(|it| !it.has_requirement);
        (is_known && self.is_private(row)).then_some(list)
    }

    /// Whether nobody is asked to respond to a row, whoever could.
    fn is_private(&self, row: &Frame) -> bool {
        let Some(action) = self.program.action(row.action) else { return true };
        let is_listed = self.program.step(self.state.head.step).is_some_and(|it| it.window);
        !self.program.has_responses || action.timing == ActionTiming::AtOnce || !is_listed
    }

    /// A row comes whose variables are loaded; [`Direct::pass_by`] goes on with it.
    // What is known of a row where it is made need not be asked here.
    #[inline(always)]
    pub(super) fn come(&mut self, row: &Frame) {
        fold::come(self.state, row);
        self.note_with(self.scratch.machine.locals.len(), |cells| Record::Pushed(*row, cells));
    }

    /// A row that came does what its list says and goes. Where something is not as expected, it stays on the stack.
    pub(super) fn pass_by(&mut self, row: &Frame, list: CodePtr) {
        if !self.begin() {
            return self.stay(*row);
        }
        let is_due = self.state.head.dirty && self.state.head.flow != Flow::Setup;
        let cost = if is_due { self.glance() } else { Some(0) };
        let first = self.ready_deed(row, list).filter(|_| self.is_as_judged(row));
        let Some((cost, mut ready)) = cost.zip(first) else { return self.stay(*row) };
        if is_due {
            self.take_glance(cost);
            self.put(&Record::Settled);
            ready.who.event = EventNo(self.next_event);
        }
        self.note(&Record::Began(list));
        self.go_through_deeds(row, ready);
    }

    /// An event happens, and so does what comes after it in its list as far as it was read ahead; then its row goes.
    #[inline]
    fn go_through_deeds(&mut self, row: &Frame, first: Ready<'_>) {
        let mut ready = first;
        loop {
            self.happen(row, &ready);
            if ready.is_last {
                return self.go(row);
            }
            self.note(&Record::At(ready.to));
            let next = if self.begin() { self.ready_deed(row, ready.to) } else { None };
            let Some(next) = next else {
                return self.stay(Frame { stage: Stage::Running, pc: ready.to, ..*row });
            };
            ready = next;
        }
    }

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
