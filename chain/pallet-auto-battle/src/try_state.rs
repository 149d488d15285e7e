//! What must hold between any two blocks.

use alloc::collections::BTreeMap;

use auto_battle::CardSet;
use frame::prelude::{DispatchError, H256, Saturating, Zero, ensure};
use frame::token::fungible::InspectHold as _;

use crate::ghosts::{GHOSTS_MAX, offset_of};
use crate::types::{AccountIdOf, BalanceOf};
use crate::{
    ActiveGame, BattleProofs, CardCount, CardMetadata, Cards, Config, GhostBoards, GhostOwners, GhostRings, HoldReason,
    LastBattleProof, Pallet, SetDeposits, SetGames, SetMetadata, SetPools, Sets,
};

impl<T: Config> Pallet<T> {
    /// Looks at everything the pallet stores.
    pub fn do_try_state() -> Result<(), DispatchError> {
        Self::check_cards()?;
        Self::check_sets()?;
        Self::check_sessions()?;
        Self::check_holds()?;
        Self::check_ghosts()
    }

    /// Every card is stored under its hash and counted.
    fn check_cards() -> Result<(), DispatchError> {
        let mut n_cards = 0_u32;
        for (card_hash, card) in Cards::<T>::iter() {
            ensure!(card.hash() == card_hash, "a card is not what its hash says");
            ensure!(CardMetadata::<T>::contains_key(card_hash), "a card has no metadata");
            n_cards = n_cards.saturating_add(1);
        }
        ensure!(n_cards == CardCount::<T>::get(), "the count of cards is wrong");
        Ok(())
    }

    /// Every set is stored under its hash, with the pool that its cards make.
    fn check_sets() -> Result<(), DispatchError> {
        for (set_hash, info) in Sets::<T>::iter() {
            let set = CardSet::check(&info.cards).map_err(|_| "a set is not sorted")?;
            ensure!(H256(set.hash()) == set_hash, "a set is not what its hash says");
            let checked = Self::check_set(info.cards.to_vec())?;
            ensure!(SetPools::<T>::get(set_hash) == Some(checked.pool), "a pool is not that of its set");
            ensure!(SetMetadata::<T>::contains_key(set_hash), "a set has no metadata");
            ensure!(SetDeposits::<T>::contains_key(set_hash), "a set has no deposit");
            ensure!(!info.delisted || SetGames::<T>::get(set_hash) > 0, "a set should be gone");
        }
        Ok(())
    }

    /// Every run has its proofs, every proof its run, and sets know how many runs they have.
    fn check_sessions() -> Result<(), DispatchError> {
        let mut n_games = BTreeMap::<H256, u32>::new();
        let mut n_reports = 0_u32;
        for (who, session) in ActiveGame::<T>::iter() {
            let games = n_games.entry(session.set_hash).or_default();
            *games = games.saturating_add(1);
            n_reports = n_reports.saturating_add(session.n_reports);
            let proofs = (1..=session.n_reports).map(|it| BattleProofs::<T>::get((&who, session.run, it)));
            let mut n_unverified = 0_u32;
            for proof in proofs {
                let proof = proof.ok_or("a report has no proof")?;
                ensure!(proof.set_hash == session.set_hash, "a proof is of another set");
                n_unverified = n_unverified.saturating_add(u32::from(!proof.verified));
            }
            ensure!(n_unverified == session.n_unverified, "the count of unverified reports is wrong");
            let last = LastBattleProof::<T>::get(&who).map(|it| it.0);
            ensure!(last == (session.n_reports > 0).then_some(session.run), "the last report is of another run");
            ensure!(Sets::<T>::contains_key(session.set_hash), "a run has no set");
        }
        let n_proofs = u32::try_from(BattleProofs::<T>::iter_keys().count()).unwrap_or(u32::MAX);
        ensure!(n_proofs == n_reports, "a proof has no run");
        let counted: BTreeMap<_, _> = SetGames::<T>::iter().collect();
        ensure!(counted == n_games, "the count of a set's runs is wrong");
        Ok(())
    }

    /// Every hold is that of a run or of sets, and the pool holds nothing back.
    fn check_holds() -> Result<(), DispatchError> {
        for (who, session) in ActiveGame::<T>::iter() {
            let held = T::Currency::balance_on_hold(&HoldReason::Bond.into(), &who);
            ensure!(held == session.bond, "a bond is not what is held");
        }
        let mut deposits = BTreeMap::<AccountIdOf<T>, BalanceOf<T>>::new();
        for (creator, deposit) in SetDeposits::<T>::iter_values() {
            let sum = deposits.entry(creator).or_default();
            *sum = sum.saturating_add(deposit);
        }
        for (creator, deposit) in deposits {
            let held = T::Currency::balance_on_hold(&HoldReason::SetDeposit.into(), &creator);
            ensure!(held == deposit, "deposits are not what is held");
        }
        let pool = Self::pool_account();
        ensure!(T::Currency::total_balance_on_hold(&pool).is_zero(), "the pool is not free");
        Ok(())
    }

    /// Rings, slots and owners agree.
    fn check_ghosts() -> Result<(), DispatchError> {
        let mut n_ghosts = 0_usize;
        for (key, ring) in GhostRings::<T>::iter() {
            ensure!((1..=GHOSTS_MAX).contains(&ring.n_ghosts), "a ring is empty or too full");
            n_ghosts = n_ghosts.saturating_add(usize::from(ring.n_ghosts));
            for (slot, ghost) in GhostBoards::<T>::iter_prefix(key) {
                ensure!(offset_of(ring.first, slot) < ring.n_ghosts, "a ghost is outside its ring");
                let owned = GhostOwners::<T>::get(key, &ghost.ghost.owner);
                ensure!(owned == Some(slot), "a ghost is not where its owner has it");
                ensure!(!ghost.ghost.board.is_empty(), "a ghost has no units");
            }
        }
        ensure!(GhostBoards::<T>::iter_keys().count() == n_ghosts, "a slot of a ring is empty");
        ensure!(GhostOwners::<T>::iter_keys().count() == n_ghosts, "an owner has no ghost");
        Ok(())
    }
}
