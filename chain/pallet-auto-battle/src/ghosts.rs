//! Ghosts: boards that players left behind, for others to meet.
//!
//! Ghosts of a key lie in a ring of slots, so saving and meeting one is constant work. Which ghosts
//! a battle may meet is fixed when it is committed: a ghost that is saved, replaced or cleaned after
//! that changes nothing. So nobody who knows the seed can pick an opponent, and nobody can turn a
//! true report into a lie by exchanging the opponent between the fight and its report.

use alloc::vec::Vec;

use auto_battle::{Rng, SavedBoard};
use frame::prelude::{BlockNumberFor, DispatchResult, Get as _, Saturating, ensure};

use crate::types::{
    AccountIdOf, GameSessionOf, GhostBoard, GhostBoardKey, GhostBoardOf, GhostRing, GhostSlot, GhostSlotOf, GhostWindow,
};
use crate::{Config, Error, Event, GhostBoards, GhostOwners, GhostRings, Pallet};

/// The most ghosts under one key.
pub const GHOSTS_MAX: u8 = 100;

/// The most ghosts that one call cleans.
pub const GHOSTS_PER_CLEANING: u8 = 10;

impl<T: Config> Pallet<T> {
    /// Where a run stands; nowhere before its deck is dealt.
    pub(crate) fn ghost_key(session: &GameSessionOf<T>) -> Option<GhostBoardKey> {
        let state = session.state.as_ref()?;
        let losses = auto_battle::LIVES_AT_START.saturating_sub(state.lives());
        let (round, wins) = (state.round(), state.wins());
        Some(GhostBoardKey { set_hash: session.set_hash, round, wins, losses })
    }

    /// Fixes whom a battle that is committed now may meet.
    pub(crate) fn commit_ghosts(key: GhostBoardKey, who: &AccountIdOf<T>) -> GhostWindow {
        let mut ring = GhostRings::<T>::get(key);
        if ring.n_ghosts > 0 {
            ring.committed_at = Self::now();
            GhostRings::<T>::insert(key, ring);
        }
        let GhostRing { first, n_ghosts, n_saved, .. } = ring;
        GhostWindow { first, n_ghosts, own: GhostOwners::<T>::get(key, who), n_saved }
    }

    /// Saves a board, in the slot of the player's older ghost, in a free one, or in the oldest. It
    /// is not saved if battles may still meet both ghosts that the slot has.
    pub(crate) fn save_ghost(key: GhostBoardKey, who: &AccountIdOf<T>, board: SavedBoard) {
        if board.is_empty() {
            return;
        }
        let ring = GhostRings::<T>::get(key);
        let own = GhostOwners::<T>::get(key, who);
        let (slot, mut ring) = own.map_or_else(|| next_slot(ring), |slot| (slot, ring));
        let before = GhostBoards::<T>::get(key, slot);
        if before.as_ref().is_some_and(Self::is_in_demand) {
            return;
        }
        let replaced = before.map(|it| it.ghost);
        if let Some(evicted) = replaced.as_ref().filter(|it| it.owner != *who) {
            GhostOwners::<T>::remove(key, &evicted.owner);
        }
        let ghost = GhostBoard { owner: who.clone(), board, saved_at: Self::now(), serial: ring.n_saved };
        ring.n_saved = ring.n_saved.saturating_add(1);
        GhostBoards::<T>::insert(key, slot, GhostSlot { ghost, replaced });
        GhostOwners::<T>::insert(key, who, slot);
        GhostRings::<T>::insert(key, ring);
    }

    /// May a battle still meet the ghost that was replaced? Those that may were committed before
    /// the ghost came that took its place.
    fn is_in_demand(slot: &GhostSlotOf<T>) -> bool {
        slot.replaced.is_some() && !Self::is_past(slot.ghost.saved_at, T::ReportDeadline::get())
    }

    /// The ghost that a seed picks, if there is one of another player.
    pub(crate) fn pick_ghost(key: GhostBoardKey, window: GhostWindow, seed: u64) -> Option<GhostBoardOf<T>> {
        let own = window.own.map(|slot| offset_of(window.first, slot));
        let n_others = window.n_ghosts.saturating_sub(u8::from(own.is_some()));
        if n_others == 0 {
            return None;
        }
        let roll = Rng::from_seed(seed).below(u32::from(n_others));
        let roll = u8::try_from(roll).unwrap_or(0);
        let skips_own = own.is_some_and(|it| roll >= it);
        let slot = slot_at(window.first, roll.saturating_add(u8::from(skips_own)));
        let slot = GhostBoards::<T>::get(key, slot)?;
        let was_there = |it: &GhostBoardOf<T>| it.serial < window.n_saved;
        core::iter::once(slot.ghost).chain(slot.replaced).find(was_there)
    }

    /// The ghosts under a key, oldest slot first.
    pub fn view_ghosts(key: GhostBoardKey) -> Vec<GhostBoardOf<T>> {
        let ring = GhostRings::<T>::get(key);
        let slots = (0..ring.n_ghosts).map(|it| slot_at(ring.first, it));
        slots.filter_map(|it| GhostBoards::<T>::get(key, it)).map(|it| it.ghost).collect()
    }

    /// Removes the oldest ghosts of a key if they are older than a span.
    pub(crate) fn do_clean_ghost_boards(key: GhostBoardKey, older_than: BlockNumberFor<T>) -> DispatchResult {
        let mut ring = GhostRings::<T>::get(key);
        // A battle that is committed may still meet one of them.
        ensure!(Self::is_past(ring.committed_at, T::ReportDeadline::get()), Error::<T>::GhostsInUse);
        let age_min = older_than.max(T::MinGhostAge::get());
        let mut n_cleaned = 0_u8;
        while n_cleaned < GHOSTS_PER_CLEANING && ring.n_ghosts > 0 {
            let Some(oldest) = GhostBoards::<T>::get(key, ring.first) else { break };
            if Self::now().saturating_sub(oldest.ghost.saved_at) <= age_min {
                break;
            }
            GhostBoards::<T>::remove(key, ring.first);
            GhostOwners::<T>::remove(key, oldest.ghost.owner);
            ring.first = slot_at(ring.first, 1);
            ring.n_ghosts = ring.n_ghosts.saturating_sub(1);
            n_cleaned = n_cleaned.saturating_add(1);
        }
        ensure!(n_cleaned > 0, Error::<T>::NothingToClean);
        Self::keep_ring(key, ring);
        Self::deposit_event(Event::GhostsCleaned { key, n_cleaned });
        Ok(())
    }

    /// An empty ring needs no storage: every battle that could meet its ghosts is over.
    fn keep_ring(key: GhostBoardKey, ring: GhostRing<BlockNumberFor<T>>) {
        match ring.n_ghosts {
            0 => GhostRings::<T>::remove(key),
            _ => GhostRings::<T>::insert(key, ring),
        }
    }
}

/// The slot for the ghost of a newcomer, free or the oldest, and the ring with it.
fn next_slot<BlockNumber>(mut ring: GhostRing<BlockNumber>) -> (u8, GhostRing<BlockNumber>) {
    let slot = slot_at(ring.first, ring.n_ghosts);
    match ring.n_ghosts < GHOSTS_MAX {
        true => ring.n_ghosts = ring.n_ghosts.saturating_add(1),
        // Once round the ring is where it begins.
        false => ring.first = slot_at(ring.first, 1),
    }
    (slot, ring)
}

/// The slot that lies so many places after the first of a ring.
pub(crate) fn slot_at(first: u8, offset: u8) -> u8 {
    wrap(u16::from(first).saturating_add(u16::from(offset)))
}

/// How many places after the first of a ring a slot lies.
pub(crate) fn offset_of(first: u8, slot: u8) -> u8 {
    let places = u16::from(slot).saturating_add(u16::from(GHOSTS_MAX)).saturating_sub(u16::from(first));
    wrap(places)
}

/// Round the ring.
fn wrap(places: u16) -> u8 {
    let slot = places.checked_rem(GHOSTS_MAX.into());
    slot.and_then(|it| u8::try_from(it).ok()).unwrap_or(0)
}
