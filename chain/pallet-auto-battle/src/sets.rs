//! Sets of cards, from which decks are drawn. A set's creator leaves a deposit until it is gone.

use alloc::vec::Vec;

use auto_battle::{CardFault, CardSet, Pool, SetCard, SetFault, Violation};
use frame::prelude::{BoundedVec, ConstU32, DispatchResult, Get as _, H256, ensure};

use crate::metadata::ensure_set_text;
use crate::types::{AccountIdOf, BalanceOf, CardOnChain, MetadataSubject, SetInfo, SetMeta};
use crate::{
    Cards, Config, Error, Event, HiddenMetadata, HoldReason, Pallet, SetDeposits, SetDisplays, SetGames, SetMetadata,
    SetPools, Sets,
};

/// A set that passed every check, with the pool that battles are fought with.
pub(crate) struct CheckedSet {
    pub(crate) set: CardSet,
    pub(crate) pool: Pool,
}

impl<T: Config> Pallet<T> {
    /// Makes a set for a fee and a deposit. The order of the cards does not matter.
    pub(crate) fn do_create_set(
        who: AccountIdOf<T>,
        cards: BoundedVec<SetCard, ConstU32<64>>,
        metadata: SetMeta,
    ) -> DispatchResult {
        ensure_set_text::<T>(&metadata)?;
        let checked = Self::check_set(cards.into_inner())?;
        let set_hash = H256(checked.set.hash());
        ensure!(!Sets::<T>::contains_key(set_hash), Error::<T>::SetExists);
        Self::pay(&who, &T::TreasuryAccount::get(), T::SetFee::get())?;
        Self::hold(HoldReason::SetDeposit, &who, T::SetDeposit::get())?;
        Self::store_set(who.clone(), &checked, metadata, T::SetDeposit::get());
        Self::deposit_event(Event::SetCreated { who, set_hash });
        Ok(())
    }

    pub(crate) fn check_set(mut cards: Vec<SetCard>) -> Result<CheckedSet, Error<T>> {
        cards.sort();
        let set = CardSet::check(&cards).map_err(|fault| match fault {
            // They are sorted and a call takes no more than a set has, so two have the same hash.
            SetFault::NotSorted { .. } | SetFault::TooManyCards => Error::<T>::DuplicateCard,
            SetFault::NoWeight => Error::<T>::NoWeight,
        })?;
        let find = |it: &SetCard| Cards::<T>::get(it.card_hash).ok_or(Error::<T>::CardNotFound);
        let cards: Vec<CardOnChain> = set.cards().iter().map(find).collect::<Result<_, _>>()?;
        let pool = Pool::link_hashes(&cards).map_err(|violations| refusal(&violations))?;
        Ok(CheckedSet { set, pool })
    }

    pub(crate) fn store_set(creator: AccountIdOf<T>, checked: &CheckedSet, metadata: SetMeta, deposit: BalanceOf<T>) {
        let set_hash = H256(checked.set.hash());
        let cards = BoundedVec::truncate_from(checked.set.cards().to_vec());
        let created_at = Self::clock();
        SetDeposits::<T>::insert(set_hash, (&creator, deposit));
        Sets::<T>::insert(set_hash, SetInfo { cards, creator, created_at, delisted: false });
        SetPools::<T>::insert(set_hash, &checked.pool);
        SetMetadata::<T>::insert(set_hash, metadata);
    }

    /// Closes a set for new runs; without runs it is gone at once.
    pub(crate) fn do_remove_set(who: &AccountIdOf<T>, set_hash: H256) -> DispatchResult {
        let mut set = Sets::<T>::get(set_hash).ok_or(Error::<T>::SetNotFound)?;
        ensure!(set.creator == *who, Error::<T>::NotCreator);
        ensure!(!set.delisted, Error::<T>::SetDelisted);
        set.delisted = true;
        Sets::<T>::insert(set_hash, set);
        Self::deposit_event(Event::SetDelisted { set_hash });
        Self::drop_if_unused(set_hash)
    }

    /// Changes the texts of a set; its creator alone may.
    pub(crate) fn do_update_set_metadata(who: AccountIdOf<T>, set_hash: H256, metadata: SetMeta) -> DispatchResult {
        let set = Sets::<T>::get(set_hash).ok_or(Error::<T>::SetNotFound)?;
        ensure!(set.creator == who, Error::<T>::NotCreator);
        ensure_set_text::<T>(&metadata)?;
        SetMetadata::<T>::insert(set_hash, metadata);
        Self::deposit_event(Event::SetMetadataUpdated { who, set_hash });
        Ok(())
    }

    /// Notes that a run of the set has begun.
    pub(crate) fn enter_set(set_hash: H256) {
        SetGames::<T>::mutate(set_hash, |it| *it = it.saturating_add(1));
    }

    /// Notes that a run of the set is settled.
    pub(crate) fn leave_set(set_hash: H256) -> DispatchResult {
        let n_games = SetGames::<T>::get(set_hash).saturating_sub(1);
        match n_games {
            0 => SetGames::<T>::remove(set_hash),
            _ => SetGames::<T>::insert(set_hash, n_games),
        }
        Self::drop_if_unused(set_hash)
    }

    /// Removes a delisted set that no run refers to, returns its deposit and closes its pool.
    fn drop_if_unused(set_hash: H256) -> DispatchResult {
        let is_delisted = Sets::<T>::get(set_hash).is_some_and(|it| it.delisted);
        if !is_delisted || SetGames::<T>::get(set_hash) > 0 {
            return Ok(());
        }
        Sets::<T>::remove(set_hash);
        SetPools::<T>::remove(set_hash);
        SetMetadata::<T>::remove(set_hash);
        SetDisplays::<T>::remove(set_hash);
        HiddenMetadata::<T>::remove(MetadataSubject::Set(set_hash));
        if let Some((creator, deposit)) = SetDeposits::<T>::take(set_hash) {
            Self::release(HoldReason::SetDeposit, &creator, deposit)?;
        }
        Self::deposit_event(Event::SetRemoved { set_hash });
        Self::close_pool(set_hash)
    }
}

/// What to tell about cards that are no pool. Registered cards are in bounds and a set has each
/// once, so a missing spawn is what is left.
fn refusal<T: Config>(violations: &[Violation]) -> Error<T> {
    let is_spawn = |it: &Violation| matches!(it, Violation::Card { fault: CardFault::UnknownSpawn { .. }, .. });
    match violations.iter().any(is_spawn) {
        true => Error::SpawnNotInSet,
        false => Error::CardOutOfBounds,
    }
}
