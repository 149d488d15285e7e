//! Actions: the pipeline that judges them in the order of the rules, and their announcement.

use alloc::vec::Vec;

use ruleset::{
    AbilityId, ActionId, NULL, Program,
    instr::Position,
    program::{ActionRule, ActionTiming, Domain, Slot},
};

use crate::{
    ability, apply,
    cells::span_of,
    cost,
    derived::Derived,
    eval::{Cx, Who, holds},
    exec::Exec,
    fault::Fault,
    ids::{EntityId, EventNo, PlayerId},
    record::Record,
    rejection::Rejection,
    scratch::Machine,
    select,
    state::{Frame, FrameKind, MatchState, Paid, Payment, Status},
};

/// Looks at actions of one player in one state.
pub struct Judge<'a, 'm> {
    pub program: &'a Program,
    pub state: &'a MatchState,
    pub derived: &'a Derived,
    pub player: PlayerId,
    /// The event a response would answer.
    pub responds_to: EventNo,
    pub machine: &'m mut Machine,
}

impl<'a, 'm> Judge<'a, 'm> {
    /// A judge for a player, who works with a machine that others used before.
    pub fn new(
        program: &'a Program,
        state: &'a MatchState,
        derived: &'a Derived,
        player: PlayerId,
        machine: &'m mut Machine,
    ) -> Self {
        machine.reset(Self::fuel(program));
        let responds_to = state.head.window.map_or(EventNo::NONE, |it| it.responds_to);
        Self { program, state, derived, player, responds_to, machine }
    }

    /// What all that is asked of one judge together may cost.
    #[inline]
    pub(crate) fn fuel(program: &Program) -> u32 {
        program.limits.instructions_per_step_max.saturating_mul(4)
    }

    pub(crate) fn cx(&self, this: EntityId) -> Cx<'a> {
        Cx::new(self.program, self.state, self.derived, Who { cause: self.responds_to, ..Who::card(this, self.player) })
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
        match action.timing {
            ActionTiming::Sorcery if !self.is_own_turn() => Err(Rejection::NotAtThisTime),
            ActionTiming::Sorcery | ActionTiming::Stack | ActionTiming::AtOnce => Ok(()),
        }
    }

    /// Whether it is the player's turn, and nothing waits to happen.
    #[inline]
    pub(crate) fn is_own_turn(&self) -> bool {
        self.state.head.active == self.player && self.state.stack.is_empty()
    }

    /// Loads an action whose slots are not filled.
    #[inline(always)]
    pub fn load_unfilled(&mut self, action: &ActionRule) {
        if action.takes_many { self.load(action, Targets::default()) } else { self.load_nothing(action) }
    }

    #[inline(always)]
    fn load_nothing(&mut self, action: &ActionRule) {
        self.machine.load_empty(usize::from(action.cells));
    }

    /// Loads what fills the slots; unfilled ones are nothing.
    pub fn load(&mut self, action: &ActionRule, targets: Targets<'_>) {
        self.load_nothing(action);
        let mut targets = targets;
        for (i, slot) in action.slots.iter().enumerate() {
            let values = targets.next().unwrap_or_default();
            if slot.ty.many || !values.is_empty() {
                self.bind(i, slot, values);
            }
        }
    }

    /// Fills one slot of the loaded variables.
    #[inline]
    pub fn bind(&mut self, at: usize, slot: &Slot, values: &[i64]) {
        let one = values.first().copied().unwrap_or(NULL);
        let value = if slot.ty.many { self.machine.add_list(values) } else { one };
        self.machine.set_local(at, value);
    }

    /// The card that is "self" in an action.
    pub fn principal(&self, action: &ActionRule) -> EntityId {
        let at = action.principal.map_or(usize::MAX, usize::from);
        EntityId::from(self.machine.local(at))
    }

    /// What can fill a slot, the ones before it being filled: a list of the machine.
    #[inline]
    pub fn candidates(&mut self, action: &ActionRule, slot: &Slot) -> Result<i64, Fault> {
        match slot.domain {
            Domain::Select(id) => {
                let cx = self.cx(self.principal(action));
                return select::found(&cx, self.machine, id, None);
            }
            Domain::AbilitiesOf(of) => {
                let at = self.machine.start_list();
                let names = ability::names_of(self.state, self.program, self.card_in(of));
                self.machine.lists.extend(names);
                self.machine.end_list(at);
            }
            Domain::Range(low, high) => {
                let at = self.machine.start_list();
                self.machine.lists.extend((low..=high).map(i64::from));
                self.machine.end_list(at);
            }
        }
        Ok(self.machine.pop())
    }

    fn card_in(&self, cell: u8) -> EntityId {
        EntityId::from(self.machine.local(usize::from(cell)))
    }

    /// Whether something can fill a slot, without listing everything else that can.
    pub(crate) fn admits(&mut self, action: &ActionRule, slot: &Slot, value: i64) -> Result<bool, Fault> {
        match slot.domain {
            Domain::Select(id) => {
                let cx = self.cx(self.principal(action));
                select::finds(&cx, self.machine, id, value)
            }
            Domain::AbilitiesOf(of) => {
                Ok(ability::names_of(self.state, self.program, self.card_in(of)).any(|it| it == value))
            }
            Domain::Range(low, high) => Ok(i64::from(low) <= value && value <= i64::from(high)),
        }
    }

    /// Whether a precondition holds with the slots as they are.
    pub fn holds(&mut self, action: &ActionRule, code: ruleset::CodePtr) -> Result<bool, Fault> {
        let cx = self.cx(self.principal(action));
        holds(&cx, self.machine, code)
    }

    /// Whether the costs can be paid with the slots as they are.
    pub fn can_pay(&mut self, action: &ActionRule) -> Result<bool, Fault> {
        if action.costs.is_none() {
            return Ok(true);
        }
        let cx = self.cx(self.principal(action));
        cost::can_pay(&cx, self.machine, action.costs)
    }

    /// The slots of the ability an action runs, with who it belongs to.
    pub fn ability_slots(&self, action: &ActionRule) -> Option<(ruleset::RuleId, EntityId)> {
        let at = usize::from(action.ability?);
        let Domain::AbilitiesOf(of) = action.slots.get(at)?.domain else {
            return None;
        };
        let name = AbilityId::from(self.machine.local(at));
        let card = EntityId::from(self.machine.local(usize::from(of)));
        Some((ability::rule_of(self.state, self.program, card, name)?, card))
    }

    /// What can fill a slot of an ability, the ones before it being filled.
    pub fn ability_candidates(
        &mut self,
        rule: ruleset::RuleId,
        card: EntityId,
        at: usize,
        filled: &[i64],
    ) -> Result<i64, Fault> {
        let row = self.program.rule(rule).ok_or(Fault::Invariant)?;
        let Some(Domain::Select(select)) = row.slots.get(at).map(|it| it.domain) else {
            return Ok(NULL);
        };
        let saved = ability::save(self.machine, row.cells);
        ability::bind_targets(row, filled, self.machine);
        let cx = self.cx(card);
        let found = select::found(&cx, self.machine, select, None);
        ability::restore(self.machine, saved);
        found
    }

    /// The whole pipeline: time, preconditions, targets, costs (rulings 43, 48).
    pub fn judge(&mut self, id: ActionId, targets: Targets<'_>) -> Result<(), Rejection> {
        let program = self.program;
        let action = program.action(id).ok_or(Rejection::UnknownAction)?;
        self.timing(action)?;
        self.machine.tidy();
        self.load(action, targets);
        self.judge_each(action, targets)
    }

    /// Preconditions, targets and costs, one after the other.
    fn judge_each(&mut self, action: &ActionRule, targets: Targets<'_>) -> Result<(), Rejection> {
        let cx = self.cx(self.principal(action));
        for (i, precondition) in action.preconditions.iter().enumerate() {
            if !holds(&cx, self.machine, precondition.code).map_err(|_| Rejection::Broken)? {
                return Err(Rejection::PreconditionFailed { index: u8::try_from(i).unwrap_or(u8::MAX) });
            }
        }
        self.judge_slots(action, targets)?;
        if !self.can_pay(action).map_err(|_| Rejection::Broken)? {
            return Err(Rejection::CannotPay);
        }
        Ok(())
    }

    /// Judges an action and loads the variables of its row.
    pub fn judge_and_load(&mut self, id: ActionId, targets: Targets<'_>) -> Result<(), Rejection> {
        self.judge(id, targets)?;
        let action = self.program.action(id).ok_or(Rejection::UnknownAction)?;
        if action.ability.is_some() {
            self.load(action, targets);
            store_extra(self.machine, action, targets);
        }
        Ok(())
    }

    /// Whether every slot takes what fills it, those of an ability behind the action's own.
    pub(crate) fn judge_slots(&mut self, action: &ActionRule, mut targets: Targets<'_>) -> Result<(), Rejection> {
        for (i, slot) in action.slots.iter().enumerate() {
            let chosen = targets.next().unwrap_or_default();
            judge_slot(i, slot, chosen, |target| self.admits(action, slot, target))?;
        }
        let Some((rule, card)) = self.ability_slots(action) else {
            return if targets.next().is_none() { Ok(()) } else { Err(too_many(action.slots.len())) };
        };
        let slots = self.program.rule(rule).map_or(&[][..], |it| &it.slots);
        if targets.count() > slots.len() {
            return Err(too_many(action.slots.len().saturating_add(slots.len())));
        }
        // An ability whose targets are left open asks for them when it resolves.
        let all = targets.0;
        for (i, slot) in slots.iter().enumerate() {
            let before = all.get(..all.len().saturating_sub(targets.0.len())).unwrap_or_default();
            let Some(chosen) = targets.next() else { break };
            let legal = self.ability_candidates(rule, card, i, before).map_err(|_| Rejection::Broken)?;
            let machine = &*self.machine;
            let at = action.slots.len().saturating_add(i);
            judge_slot(at, slot, chosen, |target| Ok(machine.items(legal).contains(&target)))?;
        }
        Ok(())
    }
}

fn too_many(slot: usize) -> Rejection {
    Rejection::WrongTargetCount { slot: u8::try_from(slot).unwrap_or(u8::MAX), min: 0, max: 0, got: 1 }
}

fn judge_slot(
    at: usize,
    slot: &Slot,
    chosen: &[i64],
    mut is_legal: impl FnMut(i64) -> Result<bool, Fault>,
) -> Result<(), Rejection> {
    let number = u8::try_from(at).unwrap_or(u8::MAX);
    let got = u16::try_from(chosen.len()).unwrap_or(u16::MAX);
    if got < slot.min || got > slot.max {
        return Err(Rejection::WrongTargetCount { slot: number, min: slot.min, max: slot.max, got });
    }
    for (i, target) in chosen.iter().enumerate() {
        let repeated = chosen.iter().take(i).any(|it| it == target);
        if repeated || !is_legal(*target).map_err(|_| Rejection::Broken)? {
            return Err(Rejection::IllegalTarget { slot: number, target: *target });
        }
    }
    Ok(())
}

/// What fills the slots of an action, in one list: how many, then which, slot after slot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Targets<'t>(pub &'t [i64]);

impl<'t> Iterator for Targets<'t> {
    type Item = &'t [i64];

    fn next(&mut self) -> Option<&'t [i64]> {
        let [n, tail @ ..] = self.0 else { return None };
        let (mine, after) = tail.split_at(usize::try_from(*n).unwrap_or(0).min(tail.len()));
        self.0 = after;
        Some(mine)
    }
}

/// Adds what fills the next slot to a list of targets.
pub fn push_targets(flat: &mut Vec<i64>, values: &[i64]) {
    flat.push(i64::try_from(values.len()).unwrap_or(0));
    flat.extend_from_slice(values);
}

/// Targets as one list.
pub fn flatten(targets: &[Vec<i64>]) -> Vec<i64> {
    let mut flat = Vec::new();
    targets.iter().for_each(|it| push_targets(&mut flat, it));
    flat
}

/// Targets slot by slot, from one list.
pub fn unflatten(flat: &[i64]) -> Vec<Vec<i64>> {
    Targets(flat).map(<[i64]>::to_vec).collect()
}

/// Judges an action, announces it, pays for it and closes the window.
pub fn announce(exec: &mut Exec<'_>, player: PlayerId, id: ActionId, targets: Targets<'_>) -> Result<(), Rejection> {
    let program = exec.program;
    let action = program.action(id).ok_or(Rejection::UnknownAction)?;
    let responds_to = exec.state().head.window.map_or(EventNo::NONE, |it| it.responds_to);
    exec.judge(player, responds_to, |judge| judge.judge_and_load(id, targets))?;
    exec.load_judged();
    let span = exec.keep_locals();
    let event = exec.event_no();
    let locals = exec.scratch.machine.locals();
    let frame = row_of(action, id, player, (event, responds_to), locals, exec.state());
    let mode = if action.refund { cost::Mode::Refundable } else { cost::Mode::Final };
    exec.add(Record::WindowSet(None));
    exec.add(Record::Pushed(frame, span));
    let paid = cost::pay(exec, &frame, Who::frame(&frame), action.costs, mode).map_err(|_| Rejection::Broken)?;
    if !paid || !wait(exec, &frame, action)? {
        return Err(Rejection::CannotPay);
    }
    // Costs may have moved the source; the frame must know the card as it is when all is paid.
    let moves = exec.state().ent(frame.source).map_or(0, |it| it.moves);
    if moves != frame.source_moves {
        exec.add(Record::SourceMoved(moves));
    }
    Ok(())
}

/// Moves the cards an action is about to where they wait; false if there is no room for one.
fn wait(exec: &mut Exec<'_>, frame: &Frame, action: &ActionRule) -> Result<bool, Rejection> {
    let Some(slot) = action.waiting.filter(|_| action.waits_in.is_some()).map(usize::from) else { return Ok(true) };
    let machine = &exec.scratch.machine;
    let value = machine.local(slot);
    let is_many = action.slots.get(slot).is_some_and(|it| it.ty.many);
    let (start, len) = if is_many { span_of(value) } else { (slot, 1) };
    let cards: Vec<i64> = machine.local_items((start, len)).to_vec();
    for card in cards {
        if !wait_one(exec, frame, action, EntityId::from(card))? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn wait_one(exec: &mut Exec<'_>, frame: &Frame, action: &ActionRule, id: EntityId) -> Result<bool, Rejection> {
    let card = exec.state().ent(id).filter(|it| it.status == Status::Card).copied();
    let Some(card) = card.filter(|it| comes_from(exec.program, it.zone, action.waits_from)) else { return Ok(true) };
    let to = apply::room(exec.program, exec.state(), action.waits_in, card.owner, card.zone);
    // A full zone may send cards elsewhere, but nothing waits there.
    let to = to.filter(|it| exec.program.zone_of(*it).is_some_and(|zone| zone.0 == action.waits_in));
    let Some(to) = to else { return Ok(false) };
    if to != card.zone {
        let what = Payment::Waits { from: card.zone, to };
        exec.add(Record::Paid(Paid { event: frame.event, entity: id, what }));
        apply::relocate(exec, frame, id, to, Position::Top).map_err(|_| Rejection::Broken)?;
    }
    Ok(true)
}

/// Whether a zone is of one of these kinds, a bit each.
fn comes_from(program: &Program, zone: u16, kinds: u64) -> bool {
    let kind = program.zone_of(zone).map_or(u32::MAX, |it| u32::from(it.0.0));
    kinds.checked_shr(kind).is_some_and(|it| it & 1 == 1)
}

/// The row of an action whose slots are filled: its number, and what it responds to.
pub fn row_of(
    action: &ActionRule,
    id: ActionId,
    player: PlayerId,
    (event, answers): (EventNo, EventNo),
    locals: &[i64],
    state: &MatchState,
) -> Frame {
    let source =
        action.principal.and_then(|it| locals.get(usize::from(it))).map_or(EntityId::NONE, |it| EntityId::from(*it));
    Frame {
        etype: action.event,
        action: id,
        answers,
        source,
        source_moves: state.ent(source).map_or(0, |it| it.moves),
        controller: player,
        ..Frame::blank(FrameKind::Intent, event)
    }
}

/// Keeps what fills an ability's own slots in the variable behind those of its action.
fn store_extra(machine: &mut Machine, action: &ActionRule, mut targets: Targets<'_>) {
    action.slots.iter().for_each(|_| {
        targets.next();
    });
    let list = machine.add_list(targets.0);
    machine.set_local(action.slots.len(), list);
}
