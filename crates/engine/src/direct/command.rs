//! Actions that are announced and paid for at once.

use ruleset::{
    ActionId, EventTypeId,
    deed::Deed,
    instr::Instr,
    program::{ActionRule, EventType},
    swift::Pays,
};

use super::Direct;
use crate::{
    act::{self, Judge, Targets},
    eval::Who,
    ids::{EventNo, PlayerId},
    record::{Record, Sink},
    rejection::Rejection,
    state::{Flow, Frame, MatchState},
    turn,
};

/// What an action costs.
enum Payment<'p> {
    /// Nothing.
    Nothing,
    /// Something that was read ahead; the variables of the action are loaded.
    Deed(EventTypeId, &'p Deed),
    /// Any event; its own variables are loaded, and those of the action wait.
    Event(EventTypeId, &'p EventType),
}

impl<'a, S: Sink> Direct<'a, S> {
    /// Takes an action that can be announced and paid for at once, or refuses it without changing anything. None,
    /// before anything is touched, if it needs a plan. What must be kept of the match as it stood is kept in between.
    pub fn act(
        &mut self,
        player: PlayerId,
        id: ActionId,
        (targets, is_judged): (Targets<'_>, bool),
        keep: impl FnOnce(&MatchState),
    ) -> Option<Result<(), Rejection>> {
        let action = self.program.action(id).filter(|it| it.pays != Pays::Planned)?;
        if !self.begin() || !self.state.stack.is_empty() {
            return None;
        }
        if is_judged {
            debug_assert_eq!(self.judge(player, id, targets), Ok(()), "was listed, but cannot be done");
            act::load_crossed(&mut self.scratch.machine.locals, action, targets);
        } else if let Err(rejection) = self.judge(player, id, targets) {
            return Some(Err(rejection));
        } else {
            // The row's variables, as the judge left them.
            core::mem::swap(&mut self.scratch.judge.locals, &mut self.scratch.machine.locals);
        }
        let event = self.event_no();
        let row = act::row_of(action, id, player, (event, EventNo::NONE), &self.scratch.machine.locals, self.state);
        // Made while all of the row is at hand.
        let mut who = Who::frame(&row);
        let payment = self.ready_payment(&who, action)?;
        keep(self.state);
        self.put(&Record::Accepted { version: self.state.head.version.saturating_add(1) });
        self.put(&Record::WindowSet(None));
        match self.passing(&row).filter(|_| !matches!(payment, Payment::Event(..))) {
            Some(list) => {
                self.come(&row);
                self.pay(&who, &payment);
                self.pass_by(&row, &mut who, list);
            }
            None => {
                self.push(&row, &payment);
                self.pay(&who, &payment);
            }
        }
        Some(Ok(()))
    }

    /// A player passes in a window that answers nothing, and nobody else would act; false, before anything is touched,
    /// if that needs a plan. What must be kept of the match as it stood is kept in between.
    pub fn pass(&mut self, player: PlayerId, keep: impl FnOnce(&MatchState)) -> bool {
        let window = self.state.head.window.filter(|it| it.holder == player && it.responds_to.is_none());
        let Some(window) = window.filter(|_| self.begin()) else { return false };
        let passed = window.passed | player.bit();
        for other in self.state.players_from(self.state.head.active) {
            if passed & other.bit() == 0 && self.may_act(other, EventNo::NONE) != Some(false) {
                return false;
            }
        }
        keep(self.state);
        self.put(&Record::Accepted { version: self.state.head.version.saturating_add(1) });
        self.put(&Record::WindowSet(None));
        self.put(&turn::flowed(self.state, Flow::StepEnd));
        true
    }

    fn judge(&mut self, player: PlayerId, id: ActionId, targets: Targets<'_>) -> Result<(), Rejection> {
        let mut judge = Judge::new(self.program, self.state, self.derived, player, &mut self.scratch.judge);
        judge.judge_and_load(id, targets)
    }

    /// Makes the only payment ready; none if it needs a plan.
    #[inline(always)]
    fn ready_payment(&mut self, who: &Who, action: &ActionRule) -> Option<Payment<'a>> {
        match action.pays {
            Pays::Nothing => Some(Payment::Nothing),
            Pays::Deed(place) => self.known_payment(who, place),
            Pays::AtOnce => self.any_payment(who, action),
            Pays::Planned => None,
        }
    }

    #[inline(never)]
    fn any_payment(&mut self, who: &Who, action: &ActionRule) -> Option<Payment<'a>> {
        // A payment is no event of its own: it belongs to the action.
        let machine = &mut self.scratch.machine;
        machine.spare.clone_from(&machine.locals);
        let (emit, at) = self.emit(who, action.costs)?;
        let is_last = self.program.instr(ruleset::CodePtr(at.0.saturating_add(1))) == Instr::End;
        let program = self.program;
        let event = program.event(emit.kind).filter(|_| is_last)?;
        self.load_event(event);
        self.is_possible(who, event).then_some(Payment::Event(emit.kind, event))
    }

    /// The only payment, where all about it is known ahead, and that it is possible from how the action was judged.
    fn known_payment(&mut self, who: &Who, place: u16) -> Option<Payment<'a>> {
        let program = self.program;
        let leads = program.strokes.at(place)?;
        let deed = leads.deed.as_ref()?;
        self.scratch.machine.spend(deed.fuel?.saturating_add(u32::from(leads.size))).ok()?;
        self.keep_fields(who, deed, &leads.fields);
        Some(Payment::Deed(leads.emit.kind, deed))
    }

    /// Puts the row of an action on the stack.
    fn push(&mut self, row: &Frame, payment: &Payment<'_>) {
        if let Payment::Event(..) = payment {
            let cells = core::mem::take(&mut self.scratch.machine.spare);
            self.put(&Record::Pushed(*row, &cells));
            self.scratch.machine.spare = cells;
        } else {
            self.put_with(self.scratch.machine.locals.len(), |cells| Record::Pushed(*row, cells));
        }
    }

    fn pay(&mut self, who: &Who, payment: &Payment<'_>) {
        match *payment {
            Payment::Nothing => {}
            Payment::Deed(kind, deed) => self.carry_out(who, kind, deed),
            Payment::Event(kind, event) => self.apply(who, kind, event),
        }
    }
}
