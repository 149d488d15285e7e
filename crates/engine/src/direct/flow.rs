//! Turns and steps that go by without anybody who answers them.

use super::Direct;
use crate::{
    act::Judge,
    check,
    eval::Who,
    ids::{EntityId, EventNo, PlayerId},
    record::{Record, Sink},
    state::{Flow, Window},
    turn::{self, Fields, Told},
    window,
};

/// How a turn goes on.
enum Goes {
    /// With the next thing of the turn.
    ByItself,
    /// With a window, or with what lies on the stack.
    Elsewhere,
}

impl<S: Sink> Direct<'_, S> {
    /// Does the next thing of the turn, and goes on with it as long as it only tells of itself.
    pub(super) fn idle(&mut self) -> bool {
        // What it had cost when it went on.
        let mut costs = None;
        loop {
            match self.next_of_turn() {
                Some(Goes::ByItself) => {}
                Some(Goes::Elsewhere) => return true,
                None => {
                    // Whoever asks again pays.
                    costs.into_iter().for_each(|it| self.put_back(it));
                    return costs.is_some();
                }
            }
            if !self.begin() {
                return true;
            }
            costs = Some(self.costs());
        }
    }

    /// Does the next thing of the turn, or puts right what checks find before it; none, before anything is touched, if
    /// that needs a plan.
    #[inline(always)]
    fn next_of_turn(&mut self) -> Option<Goes> {
        let is_due = self.state.head.dirty && self.state.head.flow != Flow::Setup;
        if is_due && let Some(is_done) = self.put_right_first() {
            return is_done.then_some(Goes::Elsewhere);
        }
        if turn::is_endless(self.program, self.state) {
            return None;
        }
        self.turn_goes_on(is_due)
    }

    /// Looks for what must be put right: whether that is done without a plan. None if there is nothing.
    #[inline(always)]
    fn put_right_first(&mut self) -> Option<bool> {
        // A match that is over is ended by a plan, before anything else is looked at.
        if check::is_last_standing(&self.state.head) {
            return Some(false);
        }
        let Some(cost) = self.glance() else { return self.put_right_somehow() };
        self.take_glance(cost);
        None
    }

    /// Puts right what checks find: whether that is done without a plan. None if they find nothing.
    #[inline(never)]
    fn put_right_somehow(&mut self) -> Option<bool> {
        if self.put_right_at_once() {
            return Some(true);
        }
        // An end needs a plan.
        if check::is_plainly_over(self.program, self.state, self.derived) {
            return Some(false);
        }
        if self.is_clear_anyhow() { None } else { Some(self.put_right()) }
    }

    /// Does one thing of the turn; none, before anything is touched, if that needs a plan.
    #[inline(always)]
    fn turn_goes_on(&mut self, is_due: bool) -> Option<Goes> {
        let (next, goes) = match self.state.head.flow {
            Flow::Window => (self.window()?, Goes::Elsewhere),
            Flow::NextStep => (turn::next_step(self.program, self.state), Goes::ByItself),
            Flow::NextTurn => (self.next_turn()?, Goes::ByItself),
            Flow::Setup => return None,
            Flow::TurnStart | Flow::PhaseChange | Flow::StepStart | Flow::StepEnd | Flow::TurnEnd => {
                let told = Told::next(self.program, self.state)?;
                return self.tell_turn(told, is_due);
            }
        };
        if is_due {
            self.put(&Record::Settled);
        }
        self.put(&next);
        Some(goes)
    }

    /// Tells of the turn, where nobody answers.
    #[inline(always)]
    fn tell_turn(&mut self, told: Told, is_due: bool) -> Option<Goes> {
        if !self.program.quiet.is_event(told.kind.id()) {
            return None;
        }
        if is_due {
            self.put(&Record::Settled);
        }
        self.put(&turn::flowed(self.state, told.flow));
        let event = self.event_no();
        if told.list.is_some() {
            self.lead(told, event);
            let is_over = self.state.stack.is_empty();
            return Some(if is_over { Goes::ByItself } else { Goes::Elsewhere });
        }
        // Whoever is told nothing needs no fields.
        let fields = if S::ON { Some(told.fields(self.program, self.state)) } else { None };
        let fields = fields.as_ref().map_or(&[][..], Fields::values);
        let row = told.row(event, self.state);
        self.put(&Record::AtOnce(row, fields));
        let (no, kind, subject) = (self.event_no(), row.etype, EntityId::NONE);
        self.put(&Record::Happened { event: no, kind, cause: event, subject, args: fields });
        Some(Goes::ByItself)
    }

    /// What an event of the turn leads to begins.
    #[inline(never)]
    fn lead(&mut self, told: Told, event: EventNo) {
        let row = told.row(event, self.state);
        let mut who = Who::frame(&row);
        let locals = &mut self.scratch.machine.locals;
        told.load(self.program, self.state, locals);
        let n_cells = locals.len();
        match self.passing(&row) {
            Some(list) => {
                self.come(&row);
                self.pass_by(&row, &mut who, list);
            }
            None => self.put_with(n_cells, |cells| Record::Pushed(row, cells)),
        }
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
        let is_at_hand = !self.program.crossings.is_empty() && self.state.mods.is_empty();
        if !(is_at_hand && self.scratch.ahead.is_wanted) {
            return self.may_act(player, EventNo::NONE);
        }
        let stops = self.survey(player);
        if stops != Some(true) {
            self.scratch.ahead.forget();
        }
        stops
    }

    /// The same by listing what he can do.
    fn survey(&mut self, player: PlayerId) -> Option<bool> {
        if window::is_out(self.program, self.state, player, EventNo::NONE) {
            return Some(false);
        }
        let cost = self.scratch.ahead.survey(self.program, self.state, player);
        // Where a judge would have come to his limit, nothing is known and nothing paid.
        if cost > Judge::fuel(self.program) {
            return None;
        }
        let stops = self.scratch.ahead.has_any();
        debug_assert!(
            self.judge_of(player).agrees_to_stop(stops, cost),
            "a list says otherwise than whoever only asks"
        );
        self.take_cost(cost).then_some(stops)
    }

    /// Whether a player would have to be asked; none if that costs too much to be told without a plan.
    pub(super) fn may_act(&mut self, player: PlayerId, responds_to: EventNo) -> Option<bool> {
        if window::is_out(self.program, self.state, player, responds_to) {
            return Some(false);
        }
        let may = Judge { responds_to, ..self.judge_of(player) }.may_act().ok()?;
        self.take_cost(self.scratch.judge.spent()).then_some(may)
    }

    fn judge_of(&mut self, player: PlayerId) -> Judge<'_, '_> {
        Judge::new(self.program, self.state, self.derived, player, &mut self.scratch.judge)
    }

    /// Pays for a look at what somebody can do; false if it costs too much to be without a plan.
    fn take_cost(&mut self, cost: u32) -> bool {
        self.asking = self.asking.saturating_add(cost);
        self.scratch.machine.spend(cost).is_ok() && self.asking <= self.share()
    }

    /// The turn of the next player, where nothing ends with this one.
    fn next_turn(&mut self) -> Option<Record<&'static [i64]>> {
        let state = &self.state;
        let is_plain = state.extra_turns.is_empty() && state.mods.is_empty() && !state.head.ending;
        is_plain.then(|| turn::turn_of(state, state.next_player(state.head.active)))
    }
}
