//! Actions that are announced and paid for at once.

use ruleset::{
    ActionId, EventTypeId,
    instr::Instr,
    program::{ActionRule, EventType},
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

impl<'a, S: Sink> Direct<'a, S> {
    /// Takes an action that can be announced and paid for at once, or refuses it without changing anything. None,
    /// before anything is touched, if it needs a plan. What must be kept of the match as it stood is kept in between.
    pub fn act(
        &mut self,
        player: PlayerId,
        id: ActionId,
        targets: Targets<'_>,
        keep: impl FnOnce(&MatchState),
    ) -> Option<Result<(), Rejection>> {
        let action = self.program.action(id).filter(|it| self.can_pay_at_once(it))?;
        if !self.begin() || !self.state.stack.is_empty() {
            return None;
        }
        if let Err(rejection) = self.judge(player, id, targets) {
            return Some(Err(rejection));
        }
        // The row's variables, as the judge left them.
        core::mem::swap(&mut self.scratch.judge.locals, &mut self.scratch.machine.spare);
        let event = self.event_no();
        let row = act::row_of(action, id, player, (event, EventNo::NONE), &self.scratch.machine.spare, self.state);
        let payment = if action.costs.is_some() { Some(self.ready_payment(&row, action)?) } else { None };
        keep(self.state);
        self.put(&Record::Accepted { version: self.state.head.version.saturating_add(1) });
        self.put(&Record::WindowSet(None));
        let cells = core::mem::take(&mut self.scratch.machine.spare);
        self.put(&Record::Pushed(row, &cells));
        self.scratch.machine.spare = cells;
        if let Some((payment, event)) = payment {
            self.apply(&Who::frame(&row), payment, event);
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

    /// Whether what an action costs is at most one payment that nobody answers and nobody gives back.
    fn can_pay_at_once(&self, action: &ActionRule) -> bool {
        action.costs.is_none() || (self.program.quiet.is_payment(action.costs) && !action.refund)
    }

    fn judge(&mut self, player: PlayerId, id: ActionId, targets: Targets<'_>) -> Result<(), Rejection> {
        let mut judge = Judge::new(self.program, self.state, self.derived, player, &mut self.scratch.judge);
        judge.judge_and_load(id, targets)
    }

    /// The only payment; none if there are several.
    fn ready_payment(&mut self, row: &Frame, action: &ActionRule) -> Option<(EventTypeId, &'a EventType)> {
        let machine = &mut self.scratch.machine;
        machine.locals.clone_from(&machine.spare);
        // A payment is no event of its own: it belongs to the action.
        let who = Who::frame(row);
        let (emit, at) = self.emit(&who, action.costs)?;
        let is_last = self.program.instr(ruleset::CodePtr(at.0.saturating_add(1))) == Instr::End;
        let program = self.program;
        let event = program.event(emit.kind).filter(|_| is_last)?;
        self.load_event(event);
        self.is_possible(&who, event).then_some((emit.kind, event))
    }
}
