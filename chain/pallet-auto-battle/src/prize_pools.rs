//! Prize pools, one for each set.
//!
//! Anyone can make a set, so nothing that the players of one set paid may be won with another. The
//! pool of a set is an account derived from the set's hash. Entry fees of its runs go there, and
//! prizes of its runs come from there. What a pool has beyond fees are gifts, whether they came by
//! `give_to_pool` or by a plain transfer: anyone can win them, a bounded sum a run.

use codec::{Decode as _, Encode as _};
use frame::deps::sp_runtime::traits::TrailingZeroInput;
use frame::prelude::{DispatchError, DispatchResult, Get as _, H256, Saturating, Zero, blake2_256, ensure};
use frame::token::fungible::{Inspect as _, Mutate as _};
use frame::token::{Fortitude, Preservation};

use crate::types::{AccountIdOf, BalanceOf};
use crate::{Config, Error, Event, Pallet, PoolFees, Sets};

/// Keeps the accounts of pools apart from whatever else hashes the same values.
const DOMAIN: &[u8] = b"snapstack/auto-battle/pool/1";

/// What a winner would get.
#[derive(Clone, Copy)]
pub(crate) struct PrizeOffer<Balance> {
    pub(crate) prize: Balance,
    /// The part of it that is taken from fees.
    from_fees: Balance,
}

impl<T: Config> Pallet<T> {
    /// The account that holds the prize pool of a set.
    pub fn pool_account(set_hash: H256) -> AccountIdOf<T> {
        let name = blake2_256(&(DOMAIN, T::PalletId::get(), set_hash).encode());
        // Accounts that are longer than the hash end in zeros, so every account can be read from it.
        let account = AccountIdOf::<T>::decode(&mut TrailingZeroInput::new(&name));
        account.unwrap_or_else(|_| T::TreasuryAccount::get())
    }

    /// The prize pool of a set: what its account has.
    pub fn prize_pool(set_hash: H256) -> BalanceOf<T> {
        T::Currency::total_balance(&Self::pool_account(set_hash))
    }

    /// What can be taken out of the pool of a set. Somebody may have sent it money that is frozen, as
    /// vesting does; that must not lock up the rest.
    fn movable_pool(set_hash: H256) -> BalanceOf<T> {
        let pool = Self::pool_account(set_hash);
        T::Currency::reducible_balance(&pool, Preservation::Expendable, Fortitude::Polite)
    }

    /// Pays the fee of a run into the pool of its set.
    pub(crate) fn pay_entry_fee(who: &AccountIdOf<T>, set_hash: H256, fee: BalanceOf<T>) -> DispatchResult {
        Self::pay(who, &Self::pool_account(set_hash), fee)?;
        PoolFees::<T>::mutate(set_hash, |it| *it = it.saturating_add(fee));
        Ok(())
    }

    /// Gives to the pool of a set.
    pub(crate) fn do_give_to_pool(who: AccountIdOf<T>, set_hash: H256, amount: BalanceOf<T>) -> DispatchResult {
        ensure!(Sets::<T>::contains_key(set_hash), Error::<T>::SetNotFound);
        Self::pay(&who, &Self::pool_account(set_hash), amount)?;
        Self::deposit_event(Event::GiftGiven { who, set_hash, amount });
        Ok(())
    }

    /// What the pool of a set would pay for ten wins now.
    pub fn view_prize_offer(set_hash: H256) -> BalanceOf<T> {
        Self::offer_prize(set_hash).prize
    }

    /// What a pool would pay for ten wins: the prize, as far as fees have it, and for the rest a
    /// bounded sum of gifts.
    pub(crate) fn offer_prize(set_hash: H256) -> PrizeOffer<BalanceOf<T>> {
        let pool = Self::movable_pool(set_hash);
        let fees = PoolFees::<T>::get(set_hash).min(pool);
        let from_fees = T::WinPrize::get().min(fees);
        let gifts = pool.saturating_sub(fees).min(T::GiftPerRun::get());
        let from_gifts = T::WinPrize::get().saturating_sub(from_fees).min(gifts);
        let prize = from_fees.saturating_add(from_gifts);
        // What could not stay in an account alone would be burned; it goes along instead.
        match pool.saturating_sub(prize) < T::Currency::minimum_balance() {
            true => PrizeOffer { prize: pool, from_fees: fees },
            false => PrizeOffer { prize, from_fees },
        }
    }

    /// Pays what was offered.
    pub(crate) fn pay_prize(
        winner: &AccountIdOf<T>,
        set_hash: H256,
        offer: PrizeOffer<BalanceOf<T>>,
    ) -> Result<BalanceOf<T>, DispatchError> {
        PoolFees::<T>::mutate(set_hash, |it| *it = it.saturating_sub(offer.from_fees));
        if offer.prize.is_zero() {
            return Ok(offer.prize);
        }
        T::Currency::transfer(&Self::pool_account(set_hash), winner, offer.prize, Preservation::Expendable)
    }

    /// Sends what the pool of a removed set has to the treasury.
    pub(crate) fn close_pool(set_hash: H256) -> DispatchResult {
        PoolFees::<T>::remove(set_hash);
        let amount = Self::movable_pool(set_hash);
        if amount.is_zero() {
            return Ok(());
        }
        let (pool, treasury) = (Self::pool_account(set_hash), T::TreasuryAccount::get());
        T::Currency::transfer(&pool, &treasury, amount, Preservation::Expendable)?;
        Self::deposit_event(Event::PoolClosed { set_hash, amount });
        Ok(())
    }
}
