//! The abilities that wait: queues within queues, on one stack of fixed size.
//!
//! A queue is ordered once, when it is opened, and consumed from its end; the queue of reactions
//! that an entry causes lies on top of it and is consumed first.

use super::unit::Unit;
use super::{QUEUE_MAX, TRIGGER_DEPTH_MAX};
use crate::{Bounded, CardKey, InstanceId, Team};

/// Whether the source of an entry died just now and fires from off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    Alive,
    Dead,
}

impl Life {
    pub fn of(unit: &Unit) -> Self {
        if unit.is_dead() {
            Self::Dead
        } else {
            Self::Alive
        }
    }
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
        if self.rank & 1 == 0 {
            Life::Alive
        } else {
            Life::Dead
        }
    }

    fn number(&mut self, sequence: usize) {
        self.rank |= (sequence as u16 & SEQUENCE_MASK) << 1;
    }
}

/// The stack of queues. What is pushed waits on top until it is opened as a queue of its own.
#[derive(Debug)]
pub(super) struct Queues {
    entries: Bounded<Entry, { QUEUE_MAX * (TRIGGER_DEPTH_MAX as usize + 2) }>,
    /// Where each open queue starts; the last is the one being consumed.
    starts: Bounded<usize, { TRIGGER_DEPTH_MAX as usize + 1 }>,
    /// Where the entries that are not opened yet start.
    pending: usize,
}

impl Queues {
    pub fn new() -> Self {
        Self {
            entries: Bounded::new(),
            starts: Bounded::new(),
            pending: 0,
        }
    }

    pub fn push(&mut self, entry: Entry) {
        // A queue has at most QUEUE_MAX entries and every open one fits, see there.
        let pushed = self.entries.push(entry);
        debug_assert!(pushed.is_ok(), "queues outgrew their bound");
    }

    /// How many entries wait to be opened.
    pub fn n_pending(&self) -> usize {
        self.entries.len().saturating_sub(self.pending)
    }

    /// Opens what was pushed as the innermost queue, or says that it would lie too deep.
    pub fn open(&mut self) -> Result<(), TooDeep> {
        let start = self.pending;
        self.starts.push(start).map_err(|_| TooDeep)?;
        self.pending = self.entries.len();
        let queue = self.entries.get_mut(start..).unwrap_or_default();
        if queue.len() > 1 {
            let numbered = queue.iter_mut().enumerate();
            numbered.for_each(|(sequence, it)| it.number(sequence));
            queue.sort_unstable_by_key(|it| (it.strength, it.rank));
        }
        Ok(())
    }

    /// Takes the next entry of the innermost queue that has one, closing those that are done.
    pub fn pop(&mut self) -> Option<Entry> {
        while let Some(&start) = self.starts.last() {
            if self.entries.len() > start {
                let entry = self.entries.pop();
                self.pending = self.entries.len();
                return entry;
            }
            self.starts.pop();
        }
        None
    }
}

/// A chain of reactions got longer than the rules allow.
#[derive(Debug)]
pub(super) struct TooDeep;
