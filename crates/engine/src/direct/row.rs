//! Rows that come and go at once: nobody looks at them in between, so they are told of but never lie on the stack.

use ruleset::{CodePtr, program::ActionTiming};

use super::Direct;
use crate::{
    fold,
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
    #[inline]
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
        let is_ready = self.is_as_judged(row) && self.ready_deed(row, list).is_some();
        let Some(cost) = cost.filter(|_| is_ready) else { return self.stay(*row) };
        if is_due {
            self.take_glance(cost);
            self.put(&Record::Settled);
        }
        self.note(&Record::Began(list));
        self.go_through_deeds(row, list);
    }

    /// Everything of a list happens as far as it was read ahead, and its row goes.
    fn go_through_deeds(&mut self, row: &Frame, mut at: CodePtr) {
        while let Some(ready) = self.ready_deed(row, at) {
            self.happen(row, &ready);
            if ready.is_last {
                return self.go(row);
            }
            self.note(&Record::At(ready.to));
            at = ready.to;
            if !self.begin() {
                break;
            }
        }
        self.stay(Frame { stage: Stage::Running, pc: at, ..*row });
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
