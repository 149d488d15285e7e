//! Units and the boards they stand on.

use crate::{
    ABILITIES_MAX, Ability, BOARD_SLOTS, BoardView, Bounded, Card, CardKey, InstanceId, Team, Trigger, UnitView,
};

/// A set of triggers, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TriggerSet(u16);

impl TriggerSet {
    pub const EMPTY: Self = Self(0);

    pub const fn only(trigger: Trigger) -> Self {
        Self(1 << trigger as u16)
    }

    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn has(self, trigger: Trigger) -> bool {
        self.0 & Self::only(trigger).0 != 0
    }

    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A card on a board, with what the battle did to it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Unit {
    pub id: InstanceId,
    pub card: CardKey,
    pub attack: i32,
    pub health: i32,
    pub play_cost: i32,
    /// All triggers of the card, so that most scans need not look at the card.
    pub triggers: TriggerSet,
    /// How often each ability fired. A battle has at most 60 200 firings, so 16 bits hold any.
    pub fired: [u16; ABILITIES_MAX],
}

impl Unit {
    pub fn new(id: InstanceId, key: CardKey, card: &Card) -> Self {
        let triggers = card.abilities.iter();
        Self {
            id,
            card: key,
            attack: card.attack,
            health: card.health,
            play_cost: card.play_cost,
            triggers: triggers.fold(TriggerSet::EMPTY, |acc, it| acc.union(TriggerSet::only(it.trigger))),
            fired: [0; ABILITIES_MAX],
        }
    }

    pub fn is_dead(&self) -> bool {
        self.health <= 0
    }

    pub fn is_spent(&self, ability_idx: usize, ability: &Ability) -> bool {
        let fired = self.fired.get(ability_idx).copied().unwrap_or(u16::MAX);
        ability.max_triggers.is_some_and(|max| u32::from(fired) >= max)
    }

    pub fn count_firing(&mut self, ability_idx: usize) {
        if let Some(fired) = self.fired.get_mut(ability_idx) {
            *fired = fired.saturating_add(1);
        }
    }

    pub fn view(&self) -> UnitView {
        UnitView { instance_id: self.id, card: self.card, attack: self.attack, health: self.health }
    }
}

/// A dead unit and the number of survivors that stood in front of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fallen {
    pub unit: Unit,
    pub position: usize,
}

/// One side of the battle, front first.
#[derive(Clone, Debug)]
pub(super) struct Board {
    team: Team,
    units: Bounded<Unit, BOARD_SLOTS>,
    n_made: u32,
    /// The triggers of every unit there ever was, so that most scans need not happen.
    triggers: TriggerSet,
    /// Whether a unit on the board is dead, so that a sweep knows without looking.
    has_dead: bool,
}

impl Board {
    pub fn new(team: Team) -> Self {
        Self { team, units: Bounded::new(), n_made: 0, triggers: TriggerSet::EMPTY, has_dead: false }
    }

    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Changes a unit; the only way in which one can die.
    pub fn change(&mut self, idx: usize, change: impl FnOnce(&mut Unit)) {
        if let Some(unit) = self.units.get_mut(idx) {
            change(unit);
            self.has_dead |= unit.is_dead();
        }
    }

    /// Finds a unit; most still stand where they were last seen.
    pub fn position(&self, id: InstanceId, last_seen: usize) -> Option<usize> {
        if self.units.get(last_seen).is_some_and(|it| it.id == id) {
            return Some(last_seen);
        }
        self.units.iter().position(|it| it.id == id)
    }

    pub fn has_dead(&self) -> bool {
        self.has_dead
    }

    /// Has any unit had one of these triggers?
    pub fn has_met(&self, triggers: TriggerSet) -> bool {
        self.triggers.meets(triggers)
    }

    /// Puts a new unit at an index, or says `None` if the board is full.
    pub fn add(&mut self, idx: usize, key: CardKey, card: &Card) -> Option<Unit> {
        let serial = self.n_made.saturating_add(1);
        let unit = Unit::new(InstanceId::new(self.team, serial), key, card);
        self.units.insert(idx, unit).ok()?;
        self.n_made = serial;
        self.triggers = self.triggers.union(unit.triggers);
        Some(unit)
    }

    /// Removes the dead, keeping order, and lists them front to back.
    pub fn remove_dead(&mut self, fallen: &mut Bounded<Fallen, BOARD_SLOTS>) {
        fallen.truncate(0);
        if !core::mem::take(&mut self.has_dead) {
            return;
        }
        let mut n_alive = 0_usize;
        for idx in 0..self.units.len() {
            let Some(&unit) = self.units.get(idx) else {
                break;
            };
            if unit.is_dead() {
                let position = n_alive;
                // The list is as long as the board.
                let _ = fallen.push(Fallen { unit, position });
            } else {
                if let Some(place) = self.units.get_mut(n_alive) {
                    *place = unit;
                }
                n_alive = n_alive.saturating_add(1);
            }
        }
        self.units.truncate(n_alive);
    }

    pub fn view(&self) -> BoardView {
        let mut view = BoardView::new();
        for unit in &self.units {
            let _ = view.push(unit.view());
        }
        view
    }
}
