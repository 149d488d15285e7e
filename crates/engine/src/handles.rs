//! What a viewer calls the cards he can see: numbers given in order of first sight, and forgotten when a card hides.

use alloc::{collections::BTreeMap, vec::Vec};

use crate::ids::EntityId;
#[cfg(feature = "planted-leaks")]
use crate::leaks::{self, Leak};

/// The names one viewer has for cards.
#[derive(Clone, Debug, Default)]
pub struct Handles {
    given: BTreeMap<EntityId, u32>,
    /// The card that got each handle, from the first on.
    met: Vec<EntityId>,
}

impl Handles {
    /// The handle of a card; a new one on first sight.
    pub fn of(&mut self, card: EntityId) -> u32 {
        let met = &mut self.met;
        *self.given.entry(card).or_insert_with(|| {
            met.push(card);
            #[cfg(feature = "planted-leaks")]
            if leaks::is(Leak::NumberAsHandle) {
                return card.0;
            }
            #[cfg(feature = "planted-leaks")]
            if leaks::is(Leak::HandleAfterHiding) {
                let first = met.iter().position(|it| *it == card).unwrap_or(0);
                return u32::try_from(first).unwrap_or(0).saturating_add(1);
            }
            u32::try_from(met.len()).unwrap_or(u32::MAX)
        })
    }

    /// The handle of a card the viewer knows.
    pub fn get(&self, card: EntityId) -> Option<u32> {
        self.given.get(&card).copied()
    }

    /// The card a viewer calls so.
    pub fn card(&self, handle: u32) -> Option<EntityId> {
        #[cfg(feature = "planted-leaks")]
        if leaks::is(Leak::NumberAsHandle) {
            return Some(EntityId(handle)).filter(|it| self.get(*it).is_some());
        }
        let at = usize::try_from(handle.checked_sub(1)?).ok()?;
        self.met.get(at).copied().filter(|it| self.get(*it) == Some(handle))
    }

    /// The card that got each handle, from the first on; one that hid and came back is there again.
    pub fn met(&self) -> &[EntityId] {
        &self.met
    }

    /// Forgets the cards that are out of sight, and gives names to those that came into sight, in their order; says
    /// which were forgotten.
    pub fn see(&mut self, visible: &[EntityId]) -> Vec<EntityId> {
        let mut sorted: Vec<EntityId> = visible.to_vec();
        sorted.sort_unstable();
        let is_gone = |it: &&EntityId| sorted.binary_search(it).is_err();
        let gone: Vec<EntityId> = self.given.keys().filter(is_gone).copied().collect();
        gone.iter().for_each(|it| {
            self.given.remove(it);
        });
        for card in visible {
            self.of(*card);
        }
        gone
    }
}
