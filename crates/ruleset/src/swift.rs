//! What is known ahead of how actions and events go by: what an action costs, and which rows come and go at once.

use crate::{
    ids::{CodePtr, EventTypeId},
    program::{ActionRule, EventType, Program},
};

/// How an action can be paid for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pays {
    /// It costs nothing.
    Nothing,
    /// By something that was read ahead, which is possible whenever the action is legal: its place among what lists
    /// lead to.
    Deed(u16),
    /// By at most one payment that nobody answers and nobody gives back.
    AtOnce,
    /// With a plan.
    #[default]
    Planned,
}

impl Program {
    /// Works out what is known ahead, now that all lists are read.
    pub(crate) fn find_swift(&mut self) {
        for i in 0..self.actions.len() {
            let pays = self.actions.get(i).map_or(Pays::Planned, |it| self.pays(it));
            if let Some(action) = self.actions.get_mut(i) {
                action.pays = pays;
            }
        }
        for i in 0..self.events.len() {
            let passing = self.events.get(i).and_then(|it| self.passing(EventTypeId::at(i), it, it.effects));
            if let Some(event) = self.events.get_mut(i) {
                event.passing = passing.unwrap_or(CodePtr::NONE);
            }
        }
    }

    fn pays(&self, action: &ActionRule) -> Pays {
        if action.costs.is_none() {
            return Pays::Nothing;
        }
        if !self.quiet.is_payment(action.costs) || action.refund {
            return Pays::Planned;
        }
        let place = self.strokes.place(action.costs).filter(|_| action.can_pay.is_some());
        let leads = self.strokes.leads(action.costs).filter(|it| it.is_last);
        let is_known = leads.and_then(|it| it.deed.as_ref()).is_some_and(|it| it.fuel.is_some());
        place.filter(|_| is_known).map_or(Pays::AtOnce, Pays::Deed)
    }

    /// The list of an event, if its row comes and goes at once where nobody responds: all that the list leads to first
    /// is known, and nobody answers.
    pub fn passing(&self, id: EventTypeId, event: &EventType, list: CodePtr) -> Option<CodePtr> {
        let is_quiet = event.is_bare() && self.quiet.is_list(list) && self.quiet.is_told(id);
        let deed = self.strokes.leads(list).filter(|_| is_quiet)?.deed.as_ref()?;
        (!deed.has_requirement).then_some(list)
    }
}
