//! Actions: the pipeline that judges them in the order of the rules, and their announcement.

use alloc::vec::Vec;

use ruleset::{
    AbilityId, ActionId, NULL, Program,
    program::{ActionRule, ActionTiming, Domain, Slot},
};

use crate::{
    ability, cost,
    derived::Derived,
    eval::{Cx, Who, eval},
    fault::Fault,
    fold::descriptor,
    ids::{EntityId, EventNo, PlayerId},
    plan::Plan,
    record::Record,
    rejection::Rejection,
    scratch::Machine,
    select,
    state::{Frame, FrameKind, MatchState},
};

/// Looks at actions of one player in one state.
pub struct Judge<'a> {
    pub program: &'a Program,
    pub state: &'a MatchState,
    pub derived: &'a Derived,
    pub player: PlayerId,
    /// The event a response would answer.
    pub responds_to: EventNo,
    pub machine: Machine,
}

impl<'a> Judge<'a> {
    /// A judge for a player.
    pub fn new(program: &'a Program, state: &'a MatchState, derived: &'a Derived, player: PlayerId) -> Self {
        // All that is asked of one judge together.
        let machine = Machine::with_fuel(program.limits.instructions_per_step_max.saturating_mul(4));
        let responds_to = state.head.window.map_or(EventNo::NONE, |it| it.responds_to);
        Self { program, state, derived, player, responds_to, machine }
    }

    fn cx(&self, this: EntityId) -> Cx<'a> {
        Cx::new(self.program, self.state, self.derived, Who { cause: self.responds_to, ..Who::card(this, self.player) })
    }

    /// Makes ready for the next question; registers and variables are set by it.
    pub fn refresh(&mut self) {
        self.machine.tidy();
    }

    /// Whether a player may act at all, and this action now.
    pub fn timing(&self, action: &ActionRule) -> Result<(), Rejection> {
        let Some(window) = self.state.head.window else {
            let asked = !self.state.asks.is_empty();
            return Err(if asked { Rejection::InputPending } else { Rejection::NotInWindow });
        };
        if window.holder != self.player {
            return Err(Rejection::NotYourPriority { holder: window.holder });
        }
        let own_turn = self.state.head.active == self.player && self.state.stack.is_empty();
        match action.timing {
            ActionTiming::Sorcery if !own_turn => Err(Rejection::NotAtThisTime),
            ActionTiming::Sorcery | ActionTiming::Stack | ActionTiming::AtOnce => Ok(()),
        }
    }

    /// Loads what fills the slots; unfilled ones are nothing.
    pub fn load(&mut self, action: &ActionRule, targets: &[Vec<i64>]) {
        let cells = self.program.event(action.event).map_or(0, |it| usize::from(it.cells));
        self.machine.locals.clear();
        self.machine.locals.resize(cells.max(action.slots.len()), NULL);
        for (i, slot) in action.slots.iter().enumerate() {
            self.bind(i, slot, targets.get(i).map_or(&[], |it| it));
        }
    }

    /// Fills one slot of the loaded variables.
    pub fn bind(&mut self, at: usize, slot: &Slot, values: &[i64]) {
        let locals = &mut self.machine.locals;
        let value = if slot.ty.many {
            let start = locals.len();
            locals.extend_from_slice(values);
            descriptor(start, values.len())
        } else {
            values.first().copied().unwrap_or(NULL)
        };
        if let Some(cell) = locals.get_mut(at) {
            *cell = value;
        }
    }

    /// The card that is "self" in an action.
    pub fn principal(&self, action: &ActionRule) -> EntityId {
        let at = action.principal.map_or(usize::MAX, usize::from);
        self.machine.locals.get(at).map_or(EntityId::NONE, |it| EntityId::from(*it))
    }

    /// What can fill a slot, the ones before it being filled.
    pub fn candidates(&mut self, action: &ActionRule, slot: &Slot) -> Result<Vec<i64>, Fault> {
        match slot.domain {
            Domain::Select(id) => {
                let cx = self.cx(self.principal(action));
                select::list(&cx, &mut self.machine, id, None)?;
                let list = self.machine.pop();
                Ok(self.machine.items(list).to_vec())
            }
            Domain::AbilitiesOf(of) => {
                let card = self.machine.locals.get(usize::from(of)).map_or(EntityId::NONE, |it| EntityId::from(*it));
                Ok(ability::names_of(self.state, self.program, card))
            }
            Domain::Range(low, high) => Ok((low..=high).map(i64::from).collect()),
        }
    }

    /// Whether a precondition holds with the slots as they are.
    pub fn holds(&mut self, action: &ActionRule, code: ruleset::CodePtr) -> Result<bool, Fault> {
        let cx = self.cx(self.principal(action));
        Ok(eval(&cx, &mut self.machine, code)? == 1)
    }

    /// Whether the costs can be paid with the slots as they are.
    pub fn can_pay(&mut self, action: &ActionRule) -> Result<bool, Fault> {
        let cx = self.cx(self.principal(action));
        cost::can_pay(&cx, &mut self.machine, action.costs)
    }

    /// The slots of the ability an action runs, with who it belongs to.
    pub fn ability_slots(&self, action: &ActionRule) -> Option<(ruleset::RuleId, EntityId)> {
        let at = usize::from(action.ability?);
        let Domain::AbilitiesOf(of) = action.slots.get(at)?.domain else {
            return None;
        };
        let name = AbilityId::from(self.machine.locals.get(at).copied()?);
        let card = EntityId::from(self.machine.locals.get(usize::from(of)).copied()?);
        Some((ability::rule_of(self.state, self.program, card, name)?, card))
    }

    /// What can fill a slot of an ability, the ones before it being filled.
    pub fn ability_candidates(
        &mut self,
        rule: ruleset::RuleId,
        card: EntityId,
        at: usize,
        filled: &[Vec<i64>],
    ) -> Result<Vec<i64>, Fault> {
        let row = self.program.rule(rule).ok_or(Fault::Invariant)?;
        let Some(Domain::Select(select)) = row.slots.get(at).map(|it| it.domain) else {
            return Ok(Vec::new());
        };
        let flat: Vec<i64> = flatten(filled);
        let saved = ability::save(&mut self.machine);
        self.machine.locals = ability::bind_targets(row, &flat);
        let cx = self.cx(card);
        let found = select::list(&cx, &mut self.machine, select, None).map(|()| {
            let list = self.machine.pop();
            self.machine.items(list).to_vec()
        });
        ability::restore(&mut self.machine, saved);
        found
    }

    /// The whole pipeline: time, preconditions, targets, costs (rulings 43, 48).
    pub fn judge(&mut self, id: ActionId, targets: &[Vec<i64>]) -> Result<(), Rejection> {
        let program = self.program;
        let action = program.action(id).ok_or(Rejection::UnknownAction)?;
        self.timing(action)?;
        self.refresh();
        self.load(action, targets);
        for (i, precondition) in action.preconditions.iter().enumerate() {
            if !self.holds(action, precondition.code).map_err(|_| Rejection::Broken)? {
                return Err(Rejection::PreconditionFailed { index: u8::try_from(i).unwrap_or(u8::MAX) });
            }
        }
        self.judge_targets(action, targets)?;
        if !self.can_pay(action).map_err(|_| Rejection::Broken)? {
            return Err(Rejection::CannotPay);
        }
        Ok(())
    }

    fn judge_targets(&mut self, action: &ActionRule, targets: &[Vec<i64>]) -> Result<(), Rejection> {
        for (i, slot) in action.slots.iter().enumerate() {
            let legal = self.candidates(action, slot).map_err(|_| Rejection::Broken)?;
            judge_slot(i, slot, targets.get(i).map_or(&[], |it| it), &legal)?;
        }
        let extra = targets.get(action.slots.len()..).unwrap_or_default();
        let Some((rule, card)) = self.ability_slots(action) else {
            return if extra.is_empty() { Ok(()) } else { Err(too_many(action.slots.len())) };
        };
        let slots = self.program.rule(rule).map_or(&[][..], |it| &it.slots);
        if extra.len() > slots.len() {
            return Err(too_many(action.slots.len().saturating_add(slots.len())));
        }
        // An ability whose targets are left open asks for them when it resolves.
        for (i, values) in extra.iter().enumerate() {
            let legal = self
                .ability_candidates(rule, card, i, extra.get(..i).unwrap_or_default())
                .map_err(|_| Rejection::Broken)?;
            let slot = slots.get(i).ok_or(Rejection::Broken)?;
            judge_slot(action.slots.len().saturating_add(i), slot, values, &legal)?;
        }
        Ok(())
    }
}

fn too_many(slot: usize) -> Rejection {
    Rejection::WrongTargetCount { slot: u8::try_from(slot).unwrap_or(u8::MAX), min: 0, max: 0, got: 1 }
}

fn judge_slot(at: usize, slot: &Slot, chosen: &[i64], legal: &[i64]) -> Result<(), Rejection> {
    let number = u8::try_from(at).unwrap_or(u8::MAX);
    let got = u16::try_from(chosen.len()).unwrap_or(u16::MAX);
    if got < slot.min || got > slot.max {
        return Err(Rejection::WrongTargetCount { slot: number, min: slot.min, max: slot.max, got });
    }
    for (i, target) in chosen.iter().enumerate() {
        let repeated = chosen.iter().take(i).any(|it| it == target);
        if repeated || !legal.contains(target) {
            return Err(Rejection::IllegalTarget { slot: number, target: *target });
        }
    }
    Ok(())
}

/// Targets of an ability as one list: how many, then which, slot after slot.
pub fn flatten(targets: &[Vec<i64>]) -> Vec<i64> {
    let parts =
        targets.iter().flat_map(|it| core::iter::once(i64::try_from(it.len()).unwrap_or(0)).chain(it.iter().copied()));
    parts.collect()
}

/// Targets of an ability slot by slot, from one list.
pub fn unflatten(flat: &[i64]) -> Vec<Vec<i64>> {
    let mut targets = Vec::new();
    let mut rest = flat;
    while let [n, tail @ ..] = rest {
        let (mine, after) = tail.split_at(usize::try_from(*n).unwrap_or(0).min(tail.len()));
        targets.push(mine.to_vec());
        rest = after;
    }
    targets
}

/// Plans an action that was judged legal: announces it, pays for it, closes the window.
pub fn announce(plan: &mut Plan<'_>, player: PlayerId, id: ActionId, targets: &[Vec<i64>]) -> Result<(), Rejection> {
    let program = plan.program;
    let action = program.action(id).ok_or(Rejection::UnknownAction)?;
    let cells = {
        let (state, derived) = plan.looks();
        let mut judge = Judge::new(program, state, derived, player);
        judge.judge(id, targets)?;
        judge.load(action, targets);
        if action.ability.is_some() {
            let extra = flatten(targets.get(action.slots.len()..).unwrap_or_default());
            let at = action.slots.len();
            let start = judge.machine.locals.len();
            judge.machine.locals.extend_from_slice(&extra);
            if let Some(cell) = judge.machine.locals.get_mut(at) {
                *cell = descriptor(start, extra.len());
            }
        }
        judge.machine.locals
    };
    let source =
        action.principal.and_then(|it| cells.get(usize::from(it))).map_or(EntityId::NONE, |it| EntityId::from(*it));
    let event = plan.event_no();
    let responds_to = plan.state().head.window.map_or(EventNo::NONE, |it| it.responds_to);
    let moves = plan.state().ent(source).map_or(0, |it| it.moves);
    let frame = Frame {
        etype: action.event,
        action: id,
        cause: responds_to,
        source,
        source_moves: moves,
        controller: player,
        ..Frame::blank(FrameKind::Intent, event)
    };
    // Costs may move the source; the row must know the card as it is when all is paid.
    let mode = if action.refund { cost::Mode::Refundable } else { cost::Mode::Final };
    plan.add(Record::WindowSet(None));
    plan.scratch.machine.locals.clone_from(&cells);
    let at = plan.scratch.records.len();
    let paid = cost::pay(plan, &frame, Who::frame(&frame), action.costs, mode).map_err(|_| Rejection::Broken)?;
    if !paid {
        return Err(Rejection::CannotPay);
    }
    let moves = plan.state().ent(source).map_or(0, |it| it.moves);
    let span = plan.scratch.keep(cells);
    plan.insert(at, Record::Pushed(Frame { source_moves: moves, ..frame }, span));
    Ok(())
}
