//! Turns and steps that go by without anybody who answers them.

use super::Direct;
use crate::{
    act::Judge,
    ahead::Ahead,
    check,
    fault::Fault,
    ids::{EntityId, EventNo, PlayerId},
    record::{Record, Sink},
    state::{Flow, Window},
    turn::{self, Told},
    window,
};

impl<S: Sink> Direct<'_, S> {
    /// Does the next thing of the turn.
    pub(super) fn idle(&mut self) -> bool {
        let is_due = self.state.head.dirty && self.state.head.flow != Flow::Setup;
        if is_due {
            // A match that is over is ended by a plan, before anything else is looked at.
            if check::is_last_standing(&self.state.head) {
                return false;
            }
            match self.glance() {
                Some(cost) => self.take_glance(cost),
                None if self.put_right_at_once() => return true,
                None if !self.is_clear_anyhow() => return self.put_right(),
                None => {}
            }
        }
        if turn::is_endless(self.program, self.state) {
            return false;
        }
        let next = match self.state.head.flow {
            Flow::Window => self.window(),
            Flow::NextStep => Some(turn::next_step(self.program, self.state)),
            Flow::NextTurn => self.next_turn(),
            Flow::Setup | Flow::TurnStart | Flow::PhaseChange | Flow::StepStart | Flow::StepEnd | Flow::TurnEnd => {
                return Told::next(self.program, self.state).is_some_and(|it| self.tell_turn(&it, is_due));
            }
        };
        let Some(next) = next else { return false };
        if is_due {
            self.put(&Record::Settled);
        }
        self.put(&next);
        true
    }

    /// Tells of the turn, where nobody answers.
    fn tell_turn(&mut self, told: &Told, is_due: bool) -> bool {
        let quiet = &self.program.quiet;
        let is_set_up = self.state.head.flow != Flow::Setup;
        if !is_set_up || !quiet.is_event(told.kind.id()) {
            return false;
        }
        if is_due {
            self.put(&Record::Settled);
        }
        self.put(&turn::flowed(self.state, told.flow));
        let row = told.row(self.event_no(), self.state);
        if told.list.is_some() {
            let locals = &mut self.scratch.machine.locals;
            locals.clear();
            locals.extend(told.cells());
            let n_cells = locals.len();
            match self.passing(&row) {
                Some(list) => {
                    self.come(&row);
                    self.pass_by(&row, list);
                }
                None => self.put_with(n_cells, |cells| Record::Pushed(row, cells)),
            }
            return true;
        }
        self.put(&Record::AtOnce(row, told.fields()));
        let event = self.event_no();
        let (kind, cause, subject) = (row.etype, row.event, EntityId::NONE);
        self.put(&Record::Happened { event, kind, cause, subject, args: told.fields() });
        true
    }

    /// The first player who may act in this step, or the end of the step; none if that needs a plan.
    fn window(&mut self) -> Option<Record<&'static [i64]>> {
        let is_listed = self.program.step(self.state.head.step).is_some_and(|it| it.window);
        let active = self.state.head.active;
        if is_listed && !self.program.has_responses {
            // Nobody acts in another's turn.
            if self.state.is_alive(active) && self.stops_for(active)? {
                return Some(Record::WindowSet(Some(Window::idle(active))));
            }
        } else if is_listed {
            for player in self.state.players_from(active) {
                if self.stops_for(player)? {
                    return Some(Record::WindowSet(Some(Window::idle(player))));
                }
            }
        }
        Some(turn::flowed(self.state, Flow::StepEnd))
    }

    /// Whether a window of the step stops for a player. If it does, it opens next, so that what he can do is listed on
    /// the way where somebody wants it.
    fn stops_for(&mut self, player: PlayerId) -> Option<bool> {
        let is_listed = !self.program.crossings.is_empty() && self.scratch.ahead.is_wanted;
        let stops =
            self.is_asked(
                player,
                EventNo::NONE,
                |judge, ahead| {
                    if is_listed { judge.list_ahead(ahead) } else { judge.may_act() }
                },
            );
        if stops != Some(true) {
            self.scratch.ahead.forget();
        }
        stops
    }

    /// Whether a player would have to be asked; none if that costs too much to be told without a plan.
    pub(super) fn may_act(&mut self, player: PlayerId, responds_to: EventNo) -> Option<bool> {
        self.is_asked(player, responds_to, |judge, _| judge.may_act())
    }

    /// The same by a judge who is asked one way or another.
    #[inline]
    fn is_asked(
        &mut self,
        player: PlayerId,
        responds_to: EventNo,
        ask: impl FnOnce(&mut Judge<'_, '_>, &mut Ahead) -> Result<bool, Fault>,
    ) -> Option<bool> {
        if window::is_out(self.program, self.state, player, responds_to) {
            return Some(false);
        }
        let judge = Judge::new(self.program, self.state, self.derived, player, &mut self.scratch.judge);
        let may = ask(&mut Judge { responds_to, ..judge }, &mut self.scratch.ahead).ok()?;
        self.scratch.machine.spend(self.scratch.judge.spent()).ok()?;
        (self.scratch.machine.spent() <= self.share()).then_some(may)
    }

    /// The turn of the next player, where nothing ends with this one.
    fn next_turn(&mut self) -> Option<Record<&'static [i64]>> {
        let state = &self.state;
        let is_plain = state.extra_turns.is_empty() && state.mods.is_empty() && !state.head.ending;
        is_plain.then(|| turn::turn_of(state, state.next_player(state.head.active)))
    }
}
