//! What must hold between any two blocks.

use alloc::collections::BTreeMap;

use auto_battle::CardSet;
use frame::prelude::{DispatchError, H256, Saturating, Zero, ensure};
use frame::token::fungible::InspectHold as _;

use crate::types::{AccountIdOf, BalanceOf, GhostBoardKey, MetadataSubject, Stage};
use crate::{
    ActiveGame, BattleProofs, CardCount, CardMetadata, Cards, Config, DepartedGhosts, DepartedSpan, GhostBoards,
    GhostOwners, GhostRings, HiddenMetadata, HoldReason, LastBattleProof, LiarSpan, LiarTrails, Pallet, PoolFees,
    SetDeposits, SetDisplays, SetGames, SetMetadata, SetPools, Sets,
};

impl<T: Config> Pallet<T> {
    /// Looks at everything the pallet stores.
    pub fn do_try_state() -> Result<(), DispatchError> {
        Self::check_cards()?;
        Self::check_sets()?;
        Self::check_sessions()?;
        Self::check_holds()?;
        Self::check_prize_pools()?;
        Self::check_metadata()?;
        Self::check_ghosts()?;
        Self::check_queues()
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
            n_reports = n_reports.saturating_add(session.n_reports());
            let proofs = (1..=session.n_reports()).map(|it| BattleProofs::<T>::get((&who, session.run, it)));
            let mut n_unverified = 0_u32;
            for (proof, claimed) in proofs.zip(&session.results) {
                let proof = proof.ok_or("a report has no proof")?;
                ensure!(proof.claimed_result == *claimed, "a proof is of another claim");
                ensure!(proof.set_hash == session.set_hash, "a proof is of another set");
                n_unverified = n_unverified.saturating_add(u32::from(!proof.verified));
            }
            ensure!(n_unverified == session.n_unverified, "the count of unverified reports is wrong");
            let last = LastBattleProof::<T>::get(&who).map(|it| it.0);
            ensure!(last == (session.n_reports() > 0).then_some(session.run), "the last report is of another run");
            ensure!(Sets::<T>::contains_key(session.set_hash), "a run has no set");
        }
        for (who, (run, _)) in LastBattleProof::<T>::iter() {
            ensure!(ActiveGame::<T>::get(who).is_some_and(|it| it.run == run), "the last report has no run");
        }
        let n_proofs = u32::try_from(BattleProofs::<T>::iter_keys().count()).unwrap_or(u32::MAX);
        ensure!(n_proofs == n_reports, "a proof has no run");
        let counted: BTreeMap<_, _> = SetGames::<T>::iter().collect();
        ensure!(counted == n_games, "the count of a set's runs is wrong");
        Ok(())
    }

    /// Every hold is that of a run or of sets.
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
        Ok(())
    }

    /// Every pool has what its runs paid and nobody has won; what it has beyond that are gifts. It is
    /// free, and a pool without a set owes nothing.
    fn check_prize_pools() -> Result<(), DispatchError> {
        for (set_hash, fees) in PoolFees::<T>::iter() {
            ensure!(Sets::<T>::contains_key(set_hash), "a pool has no set");
            ensure!(Self::prize_pool(set_hash) >= fees, "a pool has less than it owes");
        }
        for set_hash in Sets::<T>::iter_keys() {
            let pool = Self::pool_account(set_hash);
            ensure!(T::Currency::total_balance_on_hold(&pool).is_zero(), "a pool is not free");
        }
        Ok(())
    }

    /// Only what is there is shown or hidden.
    fn check_metadata() -> Result<(), DispatchError> {
        for (set_hash, displays) in SetDisplays::<T>::iter() {
            let set = Sets::<T>::get(set_hash).ok_or("texts of a set that is gone")?;
            let is_member = |hash| set.cards.iter().any(|it| it.card_hash == hash);
            ensure!(displays.iter().all(|it| is_member(it.card_hash)), "a set shows a card that it has not");
        }
        for subject in HiddenMetadata::<T>::iter_keys() {
            let is_there = match subject {
                MetadataSubject::Card(card) => Cards::<T>::contains_key(card),
                MetadataSubject::Set(set) => Sets::<T>::contains_key(set),
            };
            ensure!(is_there, "something hidden is gone");
        }
        Ok(())
    }

    /// Rings, ghosts and owners agree, and every battle finds the ghosts it may meet.
    fn check_ghosts() -> Result<(), DispatchError> {
        let mut n_in_rings = 0_usize;
        for (key, ring) in GhostRings::<T>::iter() {
            ensure!(!ring.is_empty(), "a ring is empty");
            n_in_rings = n_in_rings.saturating_add(ring.len());
            for serial in ring.iter() {
                let ghost = GhostBoards::<T>::get(key, serial).ok_or("a place of a ring is empty")?;
                let owned = GhostOwners::<T>::get(key, &ghost.owner);
                ensure!(owned == Some(*serial), "a ghost is not where its owner has it");
                ensure!(!ghost.board.is_empty(), "a ghost has no units");
            }
        }
        ensure!(GhostOwners::<T>::iter_keys().count() == n_in_rings, "an owner has no ghost");
        let n_departed = DepartedGhosts::<T>::iter_keys().count();
        let n_ghosts = GhostBoards::<T>::iter_keys().count();
        ensure!(n_ghosts == n_in_rings.saturating_add(n_departed), "a ghost is neither in a ring nor departed");
        Self::check_committed_ghosts()
    }

    fn check_committed_ghosts() -> Result<(), DispatchError> {
        for session in ActiveGame::<T>::iter_values() {
            let Stage::Battle { ghosts, .. } = &session.stage else { continue };
            let key: GhostBoardKey = Self::ghost_key(&session).ok_or("a battle without a deck")?;
            let is_there = |serial: &u32| GhostBoards::<T>::contains_key(key, serial);
            ensure!(Self::is_expired(&session) || ghosts.iter().all(is_there), "a committed ghost is gone");
        }
        Ok(())
    }

    /// The queues have an item for each of their numbers and no other.
    fn check_queues() -> Result<(), DispatchError> {
        let (departed, liars) = (DepartedSpan::<T>::get(), LiarSpan::<T>::get());
        let length = |first: u32, next: u32| usize::try_from(next.wrapping_sub(first)).unwrap_or(usize::MAX);
        let n_departed = DepartedGhosts::<T>::iter_keys().count();
        ensure!(n_departed == length(departed.first, departed.next), "departed ghosts are not in line");
        ensure!(LiarTrails::<T>::iter_keys().count() == length(liars.first, liars.next), "trails are not in line");
        Ok(())
    }
}
