//! What a viewer calls the cards he can see: numbers given in order of first sight, and forgotten when a card hides.

use alloc::{collections::BTreeMap, vec::Vec};

use crate::ids::EntityId;

/// The names one viewer has for cards.
#[derive(Clone, Debug)]
pub struct Handles {
    given: BTreeMap<EntityId, u32>,
    next: u32,
}

impl Default for Handles {
    fn default() -> Self {
        Self { given: BTreeMap::new(), next: 1 }
    }
}

impl Handles {
    /// The handle of a card; a new one on first sight.
    pub fn of(&mut self, card: EntityId) -> u32 {
        let next = &mut self.next;
        *self.given.entry(card).or_insert_with(|| {
            let handle = *next;
            *next = next.saturating_add(1);
            handle
        })
    }

    /// The handle of a card the viewer knows.
    pub fn get(&self, card: EntityId) -> Option<u32> {
        self.given.get(&card).copied()
    }

    /// The card a viewer calls so.
    pub fn card(&self, handle: u32) -> Option<EntityId> {
        self.given.iter().find(|it| *it.1 == handle).map(|it| *it.0)
    }

    /// Forgets the cards that are out of sight, and gives names to those that came into sight, in their order.
    pub fn see(&mut self, visible: &[EntityId]) {
        let mut sorted: Vec<EntityId> = visible.to_vec();
        sorted.sort_unstable();
        self.given.retain(|card, _| sorted.binary_search(card).is_ok());
        for card in visible {
            self.of(*card);
        }
    }
}
