//! The cards a viewer no longer sees but can still place: he saw where they went, and nothing has mixed them since.
//! Owns no sight itself: the projector says what goes out of sight and what moves.

use alloc::{collections::BTreeSet, vec::Vec};

use ruleset::{Program, program::Visibility};

use crate::{
    ids::EntityId,
    state::{MatchState, ZoneRow},
};

/// What one viewer remembers.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    placed: BTreeSet<EntityId>,
    /// Zones in which somebody else has looked at cards since they were last shuffled.
    looked: BTreeSet<u16>,
    /// The zones before the next move, to know whether it takes a card from an end.
    zones: Vec<ZoneRow>,
}

impl Memory {
    /// Whether the viewer can place a card he does not see.
    pub fn knows(&self, card: EntityId) -> bool {
        self.placed.contains(&card)
    }

    /// Cards went out of sight.
    pub fn lose(&mut self, state: &MatchState, cards: &[EntityId]) {
        self.placed.extend(cards);
        self.note(state);
    }

    /// Keeps how the zones are, as long as it matters.
    pub fn note(&mut self, state: &MatchState) {
        if !self.placed.is_empty() {
            self.zones.clone_from(&state.zones);
        }
    }

    /// Somebody else was shown a card.
    pub fn look(&mut self, zone: u16) {
        self.looked.insert(zone);
    }

    /// A card moved that the viewer sees neither before nor after: from an end of a pile nobody looks into it is the
    /// card he thinks it is; taken by somebody who could choose, it may be any.
    pub fn moved(&mut self, program: &Program, state: &MatchState, card: EntityId, from: u16) {
        let kind = program.zone_of(from).and_then(|it| program.zone(it.0));
        let is_pile = kind.is_some_and(|it| it.visibility == Visibility::None) && !self.looked.contains(&from);
        let row = self.zones.get(usize::from(from));
        let from_end = row.is_some_and(|it| it.top == card || it.bottom == card);
        if !(is_pile && from_end) {
            self.mix(state, from);
            self.placed.remove(&card);
        }
    }

    /// The cards of a zone were put in an order the viewer does not know.
    pub fn mix(&mut self, state: &MatchState, zone: u16) {
        state.cards_in(zone).for_each(|it| {
            self.placed.remove(&it);
        });
    }

    /// The cards of a zone were shuffled.
    pub fn shuffled(&mut self, state: &MatchState, zone: u16) {
        self.mix(state, zone);
        self.looked.remove(&zone);
    }

    /// The match went back to where all of this had not happened.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
