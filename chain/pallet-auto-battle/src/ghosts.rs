//! Ghosts: boards that players left behind, for others to meet.
//!
//! The ghosts of a key form a ring, strictly first in, first out. Which of them a battle may meet is
//! fixed when it is committed, as a list of their serials. A ghost that is evicted, replaced, cleaned
//! or removed after that leaves the ring at once and is kept out of it until no such battle can be
//! reported any more. So nobody who knows the seed can pick an opponent, nobody can turn a true
//! report into a lie by exchanging the opponent, and cleaning waits for nobody.

use alloc::vec::Vec;

use auto_battle::{BattleResult, Bounded, LIVES_AT_START, Rng, SavedBoard};
use frame::deps::frame_support::dispatch::Pays;
use frame::prelude::{BlockNumberFor, DispatchResultWithPostInfo, Get as _, H256, Saturating, ensure};

use crate::types::{
    AccountIdOf, GHOSTS_MAX, GameSessionOf, GhostBoard, GhostBoardKey, GhostBoardOf, GhostSerial, GhostSerials, RunId,
};
use crate::{Config, Error, Event, GhostBoards, GhostOwners, GhostRings, NextGhost, Pallet, Sets};

/// The most ghosts that one call cleans.
pub const GHOSTS_PER_CLEANING: u8 = 10;

impl<T: Config> Pallet<T> {
    /// Where a run stands; nowhere before its deck is dealt.
    pub(crate) fn ghost_key(session: &GameSessionOf<T>) -> Option<GhostBoardKey> {
        let state = session.state.as_ref()?;
        let losses = LIVES_AT_START.saturating_sub(state.lives());
        let (round, wins) = (state.round(), state.wins());
        Some(GhostBoardKey { set_hash: session.set_hash, round, wins, losses })
    }

    /// Where a run stood after these reports.
    pub(crate) fn key_after(set_hash: H256, results: &[BattleResult]) -> GhostBoardKey {
        let count = |result| u32::try_from(results.iter().filter(|it| **it == result).count()).unwrap_or(u32::MAX);
        let round = u32::try_from(results.len()).unwrap_or(u32::MAX).saturating_add(1);
        let (wins, losses) = (count(BattleResult::Victory), count(BattleResult::Defeat));
        GhostBoardKey { set_hash, round, wins, losses }
    }

    /// Fixes whom a battle that is committed now may meet: every ghost but the player's own.
    pub(crate) fn commit_ghosts(key: GhostBoardKey, who: &AccountIdOf<T>) -> GhostSerials {
        let own = GhostOwners::<T>::get(key, who);
        without(&GhostRings::<T>::get(key), own)
    }

    /// Saves a board as the newest ghost of a key. The player's older ghost goes, and if the ring is
    /// full the oldest of all.
    pub(crate) fn save_ghost(key: GhostBoardKey, who: &AccountIdOf<T>, run: RunId, board: SavedBoard) {
        if board.is_empty() {
            return;
        }
        let older = GhostOwners::<T>::get(key, who);
        if let Some(older) = older {
            Self::depart(key, older);
        }
        let mut ring = without(&GhostRings::<T>::get(key), older);
        if ring.len() >= usize::from(GHOSTS_MAX) {
            let oldest = ring.first().copied();
            Self::evict(key, oldest);
            ring = without(&ring, oldest);
        }
        let serial = NextGhost::<T>::mutate(|it| core::mem::replace(it, it.wrapping_add(1)));
        // There is room: one went if the ring was full.
        let _ = ring.push(serial);
        GhostBoards::<T>::insert(key, serial, GhostBoard { owner: who.clone(), run, board, saved_at: Self::clock() });
        GhostOwners::<T>::insert(key, who, serial);
        GhostRings::<T>::insert(key, ring);
    }

    /// Lets a ghost leave that is about to be taken from its ring.
    fn evict(key: GhostBoardKey, serial: Option<GhostSerial>) {
        let Some(serial) = serial else { return };
        if let Some(ghost) = GhostBoards::<T>::get(key, serial) {
            GhostOwners::<T>::remove(key, ghost.owner);
        }
        Self::depart(key, serial);
    }

    /// Takes a ghost out of its ring, wherever it stands there.
    pub(crate) fn take_from_ring(key: GhostBoardKey, serial: GhostSerial) {
        Self::keep_ring(key, without(&GhostRings::<T>::get(key), Some(serial)));
        Self::depart(key, serial);
    }

    /// The ghost that a seed picks of those that were fixed, if there is any.
    pub(crate) fn pick_ghost(key: GhostBoardKey, ghosts: &GhostSerials, seed: u64) -> Option<GhostBoardOf<T>> {
        let n_ghosts = u32::try_from(ghosts.len()).unwrap_or(0);
        if n_ghosts == 0 {
            return None;
        }
        let roll = usize::try_from(Rng::from_seed(seed).below(n_ghosts)).unwrap_or(0);
        GhostBoards::<T>::get(key, ghosts.get(roll)?)
    }

    /// The ghosts under a key, oldest first.
    pub fn view_ghosts(key: GhostBoardKey) -> Vec<GhostBoardOf<T>> {
        let ring = GhostRings::<T>::get(key);
        ring.iter().filter_map(|it| GhostBoards::<T>::get(key, it)).collect()
    }

    /// Removes the oldest ghosts of a key if they are older than a span.
    ///
    /// The call is free for ghosts of a set that was removed, because they are of no use to anybody. It
    /// cannot be used to flood the chain: each call removes a ghost, and a player paid a turn for that ghost.
    pub(crate) fn do_clean_ghost_boards(
        key: GhostBoardKey,
        older_than: BlockNumberFor<T>,
    ) -> DispatchResultWithPostInfo {
        let age_min = older_than.max(T::MinGhostAge::get());
        let mut ring = GhostRings::<T>::get(key);
        let mut n_cleaned = 0_u8;
        while n_cleaned < GHOSTS_PER_CLEANING {
            let oldest = ring.first().copied();
            let ghost = oldest.and_then(|it| GhostBoards::<T>::get(key, it));
            if ghost.is_none_or(|it| Self::clock().saturating_sub(it.saved_at) <= age_min) {
                break;
            }
            Self::evict(key, oldest);
            ring = without(&ring, oldest);
            n_cleaned = n_cleaned.saturating_add(1);
        }
        ensure!(n_cleaned > 0, Error::<T>::NothingToClean);
        Self::keep_ring(key, ring);
        Self::deposit_event(Event::GhostsCleaned { key, n_cleaned });
        let pays_fee = if Sets::<T>::contains_key(key.set_hash) { Pays::Yes } else { Pays::No };
        Ok(pays_fee.into())
    }

    /// An empty ring needs no storage.
    fn keep_ring(key: GhostBoardKey, ring: GhostSerials) {
        match ring.is_empty() {
            true => GhostRings::<T>::remove(key),
            false => GhostRings::<T>::insert(key, ring),
        }
    }
}

/// A ring without one of its ghosts.
fn without(ring: &GhostSerials, serial: Option<GhostSerial>) -> GhostSerials {
    // It has no more ghosts than the ring it is taken from.
    Bounded::try_from_iter(ring.iter().copied().filter(|it| Some(*it) != serial)).unwrap_or_default()
}
