//! What a player may do now, as clients show it: each action by what it is about, with lists of what fills its other
//! slots where these do not depend on each other, and stage by stage where they do. Lists no combinations.

use alloc::vec::Vec;

use ruleset::{
    ActionId, AttrId,
    program::{ActionRule, Slot},
};

use crate::{
    act::{Judge, Targets, flatten},
    cost,
    eval::Who,
    exec::Exec,
    fault::Fault,
    ids::{EntityId, EventNo, PlayerId},
    matches::Match,
    record::Record,
    rng::Luck,
    scratch::{Machine, Scratch},
    state::{self, Frame, FrameKind},
};

/// What can fill a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotOffer {
    /// Whatever fills the other listed slots; empty for a slot that is asked in its turn.
    pub values: Vec<i64>,
    pub min: u16,
    pub max: u16,
    /// Whether the candidates depend on other slots, so that [`Match::candidates`] gives them once those are filled.
    pub is_staged: bool,
}

/// One thing a payment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payment {
    /// A value goes down by an amount, or up by a negative one.
    Value { entity: EntityId, attr: AttrId, amount: i32 },
    /// A card goes to a zone instance.
    Card { card: EntityId, to: u16 },
}

/// An action that can be taken, by what fills its first slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullOffer {
    pub action: ActionId,
    /// None for an action without slots.
    pub principal: Option<i64>,
    /// The slots behind the first.
    pub slots: Vec<SlotOffer>,
    /// What it costs; none if that depends on more than the first slot, or on chance.
    pub cost: Option<Vec<Payment>>,
}

/// The slots that must be filled in their turn, a bit each: what depends on a slot other than the first, and what a
/// precondition or the costs look at together (ruling 56).
pub fn staged_slots(action: &ActionRule) -> u32 {
    let others = |mask: u32| mask & !1;
    let tangled = |mask: u32| if others(mask).count_ones() > 1 { others(mask) } else { 0 };
    let bits = (0..32).map(|it| 1_u32.checked_shl(it).unwrap_or(0));
    let mut staged = tangled(action.cost_slots);
    for it in &action.preconditions {
        staged |= tangled(it.slots);
    }
    let looked_at = action.preconditions.iter().fold(action.cost_slots, |acc, it| acc | it.slots);
    for (slot, bit) in action.slots.iter().zip(bits) {
        let depends = others(slot.depends & !bit);
        // A condition on several at once is no condition on each of them.
        let several = (slot.min, slot.max) != (1, 1) && looked_at & bit != 0;
        if depends != 0 || several {
            staged |= others(bit) | depends;
        }
    }
    staged
}

impl Match {
    /// The actions a player can take now, with what fills their slots.
    pub fn offers_in_full(&self, player: PlayerId) -> Vec<FullOffer> {
        let offers = self.offers(player);
        let full = |it: &crate::legal::Offer| self.full_offer(player, it.action, it.principal).ok().flatten();
        offers.iter().filter_map(full).collect()
    }

    fn full_offer(&self, player: PlayerId, id: ActionId, first: Option<i64>) -> Result<Option<FullOffer>, Fault> {
        let program = self.ruleset().program();
        let Some(action) = program.action(id) else { return Ok(None) };
        let staged = staged_slots(action);
        let slot_offer = |judge: &mut Judge<'_, '_>, (at, slot): (usize, &Slot)| {
            let is_staged = staged & 1_u32.checked_shl(u32::try_from(at).unwrap_or(32)).unwrap_or(0) != 0;
            let values = match first {
                Some(first) if !is_staged => judge.fitting(action, at, first)?,
                Some(_) | None => Vec::new(),
            };
            Ok(SlotOffer { values, min: slot.min, max: slot.max, is_staged })
        };
        let slots: Result<Vec<SlotOffer>, Fault> = self.judged(player, &mut Machine::default(), |judge| {
            action.slots.iter().enumerate().skip(1).map(|it| slot_offer(judge, it)).collect()
        });
        let slots = slots?;
        let bound: Vec<Vec<i64>> = first.iter().map(|it| alloc::vec![*it]).collect();
        let cost = if action.cost_slots & !1 == 0 { self.quote(player, id, &bound) } else { None };
        Ok(Some(FullOffer { action: id, principal: first, slots, cost }))
    }

    /// What can fill the next slot of an action, the ones before it being filled, so that the rest can be filled, too.
    /// Behind an action's own slots come those of the ability it runs. None if nothing is left to fill.
    pub fn candidates(&self, player: PlayerId, action: ActionId, bound: &[Vec<i64>]) -> Option<SlotOffer> {
        let filled = flatten(bound);
        let next = self.judged(player, &mut Machine::default(), |it| it.next_candidates(action, Targets(&filled)));
        let next = next.ok().flatten();
        next.map(|(Slot { min, max, .. }, values)| SlotOffer { values, min, max, is_staged: false })
    }

    /// What an action would cost with these slots filled; none if it cannot be paid, or if chance has a say in it:
    /// nobody is told what that will be.
    pub fn quote(&self, player: PlayerId, id: ActionId, targets: &[Vec<i64>]) -> Option<Vec<Payment>> {
        let program = self.ruleset().program();
        let action = program.action(id)?;
        let mut machine = Machine::default();
        let mut judge = Judge::new(program, self.state(), self.derived(), player, &mut machine);
        judge.load(action, Targets(&flatten(targets)));
        let source = judge.principal(action);
        let locals = judge.machine.locals().to_vec();
        let frame = Frame {
            source,
            source_moves: self.state().ent(source).map_or(0, |it| it.moves),
            controller: player,
            answers: judge.responds_to,
            ..Frame::blank(FrameKind::Intent, EventNo(self.state().head.next_event))
        };
        let mut scratch =
            Scratch { luck: Some(Luck::default()), is_told: true, wants_everything: true, ..self.trial_scratch() };
        let work = scratch.work;
        let (mut state, mut derived) = (self.state().clone(), self.derived().clone());
        let mut exec = Exec::new(program, &mut state, &mut derived, &mut scratch);
        exec.scratch.machine.load(&locals);
        let paid = cost::pay(&mut exec, &frame, Who::frame(&frame), action.costs, cost::Mode::Refundable);
        self.budget().charge(u64::from(work.saturating_sub(exec.scratch.work_left())));
        let is_certain = !exec.scratch.luck.is_some_and(Luck::has_decided);
        paid.ok().filter(|it| *it && is_certain)?;
        let payments = exec.scratch.records.iter().filter_map(|it| self.payment(it));
        Some(payments.collect())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what a payment is besides these is told as an event")]
    fn payment<P>(&self, record: &Record<P>) -> Option<Payment> {
        match record {
            Record::Paid(paid) => match paid.what {
                state::Payment::Value { column, amount } => {
                    let is_player = usize::from(self.state().head.n_players) > paid.entity.index();
                    let attr = self.ruleset().program().attr_in(column, is_player)?;
                    Some(Payment::Value { entity: paid.entity, attr, amount })
                }
                state::Payment::Card { to, .. } => Some(Payment::Card { card: paid.entity, to }),
                state::Payment::Waits { .. } => None,
            },
            _ => None,
        }
    }
}
