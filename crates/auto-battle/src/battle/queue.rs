//! The abilities that wait: queues within queues, each of fixed size.
//!
//! A queue is ordered once, when it is opened, and consumed from its end; the queue of reactions
//! that an entry causes lies one deeper and is consumed first.

use super::unit::{Board, TriggerSet, Unit};
use super::{Cards, QUEUE_MAX, TRIGGER_DEPTH_MAX};
use crate::{Bounded, CardKey, InstanceId, Team};

/// Whether the source of an entry died just now and fires from off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    Alive,
    Dead,
}

impl Life {
    pub fn of(unit: &Unit) -> Self {
        if unit.is_dead() { Self::Dead } else { Self::Alive }
    }
}

/// Whether abilities that have used up their firings are queued all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spent {
    Queue,
    Skip,
}

/// An ability that waits, with what was true of its source when it was queued.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    /// Attack over health, both shifted to unsigned, so that one comparison orders them.
    strength: u64,
    pub source: InstanceId,
    /// From the highest bit: player (1), position from the back (3), ability from the last (2),
    /// order of queueing (6), dead (1). Queueing orders differ, so the lowest bit never decides.
    rank: u16,
    pub card: CardKey,
}

const SIGN: u32 = 1 << 31;
const POSITION_MASK: u16 = 7;
const ABILITY_MASK: u16 = 3;
const SEQUENCE_MASK: u16 = 63;

impl Entry {
    pub fn new(unit: &Unit, ability_idx: usize, position: usize, life: Life) -> Self {
        let attack = u64::from(unit.attack.cast_unsigned() ^ SIGN);
        let health = u64::from(unit.health.cast_unsigned() ^ SIGN);
        let player = u16::from(unit.id.team() == Team::Player);
        let position = POSITION_MASK ^ (position as u16 & POSITION_MASK);
        let ability = ABILITY_MASK ^ (ability_idx as u16 & ABILITY_MASK);
        let dead = u16::from(life == Life::Dead);
        Self {
            strength: attack << 32 | health,
            source: unit.id,
            rank: player << 12 | position << 9 | ability << 7 | dead,
            card: unit.card,
        }
    }

    pub fn attack(&self) -> i32 {
        (((self.strength >> 32) as u32) ^ SIGN).cast_signed()
    }

    pub fn health(&self) -> i32 {
        ((self.strength as u32) ^ SIGN).cast_signed()
    }

    pub fn position(&self) -> usize {
        usize::from(POSITION_MASK ^ (self.rank >> 9 & POSITION_MASK))
    }

    pub fn ability_idx(&self) -> usize {
        usize::from(ABILITY_MASK ^ (self.rank >> 7 & ABILITY_MASK))
    }

    pub fn life(&self) -> Life {
        if self.rank & 1 == 0 { Life::Alive } else { Life::Dead }
    }

    fn number(&mut self, sequence: usize) {
        self.rank |= (sequence as u16 & SEQUENCE_MASK) << 1;
    }
}

/// One queue per depth. What is pushed waits at the next depth until it is opened.
///
/// A queue's room is made when its depth is first reached, since most battles reach few.
#[derive(Debug)]
pub(super) struct Queues {
    queues: [Option<Bounded<Entry, QUEUE_MAX>>; N_QUEUES],
    /// How many queues are open; the innermost is being consumed.
    n_open: usize,
    n_pending: usize,
}

/// One at each depth from 0, and one for the reactions that turn out to lie too deep.
const N_QUEUES: usize = TRIGGER_DEPTH_MAX as usize + 2;

/// A chain of reactions got longer than the rules allow.
#[derive(Debug)]
pub(super) struct TooDeep;

impl Queues {
    pub fn new() -> Self {
        Self { queues: core::array::from_fn(|_| None), n_open: 0, n_pending: 0 }
    }

    /// Queues the abilities of a unit that have one of the triggers, in their order.
    pub fn push(
        &mut self,
        cards: &Cards<'_>,
        unit: &Unit,
        triggers: TriggerSet,
        position: usize,
        life: Life,
        spent: Spent,
    ) {
        if !unit.triggers.meets(triggers) {
            return;
        }
        let abilities = cards.get(unit.card).abilities.iter().enumerate();
        for (idx, ability) in abilities {
            let skip = spent == Spent::Skip && unit.is_spent(idx, ability);
            if triggers.has(ability.trigger) && !skip {
                self.push_entry(Entry::new(unit, idx, position, life));
            }
        }
    }

    /// Queues abilities of a whole board front to back; the front unit has triggers of its own.
    pub fn push_board(&mut self, cards: &Cards<'_>, board: &Board, any: TriggerSet, front: TriggerSet) {
        let mut triggers = any.union(front);
        if !board.has_met(triggers) {
            return;
        }
        for (idx, unit) in board.units().iter().enumerate() {
            self.push(cards, unit, triggers, idx, Life::Alive, Spent::Queue);
            triggers = any;
        }
    }

    fn push_entry(&mut self, entry: Entry) {
        let queue = self.queues.get_mut(self.n_open);
        let pushed = queue.map(|it| it.get_or_insert_with(Bounded::new).push(entry));
        self.n_pending = self.n_pending.saturating_add(1);
        debug_assert_eq!(pushed, Some(Ok(())), "a queue outgrew its bound, see QUEUE_MAX");
    }

    /// How many entries wait to be opened.
    pub fn n_pending(&self) -> usize {
        self.n_pending
    }

    /// Opens what was pushed as the innermost queue, or says that it would lie too deep.
    pub fn open(&mut self) -> Result<(), TooDeep> {
        if self.n_open > TRIGGER_DEPTH_MAX as usize {
            return Err(TooDeep);
        }
        if self.n_pending > 1 {
            self.sort_pending();
        }
        self.n_open = self.n_open.saturating_add(1);
        self.n_pending = 0;
        Ok(())
    }

    /// Puts the strongest last; of equals the one that was queued last.
    fn sort_pending(&mut self) {
        let Some(Some(queue)) = self.queues.get_mut(self.n_open) else {
            return;
        };
        let numbered = queue.iter_mut().enumerate();
        numbered.for_each(|(sequence, it)| it.number(sequence));
        queue.sort_unstable_by_key(|it| (it.strength, it.rank));
    }

    /// Takes the next entry of the innermost queue that has one, closing those that are done.
    pub fn pop(&mut self) -> Option<Entry> {
        loop {
            let innermost = self.n_open.checked_sub(1)?;
            let queue = self.queues.get_mut(innermost)?;
            if let Some(entry) = queue.as_mut().and_then(Bounded::pop) {
                return Some(entry);
            }
            self.n_open = innermost;
        }
    }
}
