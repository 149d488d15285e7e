//! Money: entry fees and prizes, bonds and deposits, and what a lie costs.
//!
//! The pool is an account, and its balance is the only truth about it. Nothing is minted or burned
//! here: every amount goes from one account to another or is held.

use frame::prelude::{AccountIdConversion, CheckedDiv as _, DispatchError, DispatchResult, Get as _, Saturating, Zero};
use frame::token::fungible::{Inspect as _, InspectHold as _, Mutate as _, MutateHold as _};
use frame::token::tokens::Restriction;
use frame::token::{Fortitude, Precision, Preservation};

use crate::types::{AccountIdOf, BalanceOf, Ending, GameSessionOf, Stage};
use crate::{Config, Error, HoldReason, Pallet};

impl<T: Config> Pallet<T> {
    /// The account that holds the prize pool.
    pub fn pool_account() -> AccountIdOf<T> {
        T::PalletId::get().into_account_truncating()
    }

    /// The prize pool: what its account has.
    pub fn prize_pool() -> BalanceOf<T> {
        T::Currency::total_balance(&Self::pool_account())
    }

    /// What an account has: free, and held.
    pub fn view_money(who: &AccountIdOf<T>) -> (BalanceOf<T>, BalanceOf<T>) {
        (T::Currency::balance(who), T::Currency::total_balance_on_hold(who))
    }

    /// Moves free money, and leaves its owner what an account needs to stay.
    pub(crate) fn pay(from: &AccountIdOf<T>, to: &AccountIdOf<T>, amount: BalanceOf<T>) -> DispatchResult {
        let paid = T::Currency::transfer(from, to, amount, Preservation::Preserve);
        paid.map(drop).map_err(|_| Error::<T>::CannotPay.into())
    }

    pub(crate) fn hold(reason: HoldReason, who: &AccountIdOf<T>, amount: BalanceOf<T>) -> DispatchResult {
        T::Currency::hold(&reason.into(), who, amount).map_err(|_| Error::<T>::CannotPay.into())
    }

    pub(crate) fn release(reason: HoldReason, who: &AccountIdOf<T>, amount: BalanceOf<T>) -> DispatchResult {
        T::Currency::release(&reason.into(), who, amount, Precision::Exact).map(drop)
    }

    /// Could this account pay a bond now?
    pub(crate) fn ensure_can_bond(who: &AccountIdOf<T>) -> DispatchResult {
        let free = T::Currency::reducible_balance(who, Preservation::Preserve, Fortitude::Polite);
        frame::prelude::ensure!(free >= T::Bond::get(), Error::<T>::CannotPay);
        Ok(())
    }

    /// Takes the bond of a liar: half to who proved the lie, if anybody did, the rest to the treasury.
    ///
    /// Never more than half, else a liar would dispute himself and lose nothing. For the same reason
    /// a reward for noticing that the run expired counts as a part of that half.
    pub(crate) fn slash(
        liar: &AccountIdOf<T>,
        session: &GameSessionOf<T>,
        challenger: Option<&AccountIdOf<T>>,
    ) -> DispatchResult {
        let noticed = match session.stage {
            Stage::Over(Ending::Expired) => T::ExpiryReward::get(),
            Stage::Over(_) | Stage::Dealing(_) | Stage::Shop | Stage::Battle { .. } => Zero::zero(),
        };
        let mut left = session.bond;
        if let Some(challenger) = challenger {
            let reward = Self::challenge_reward(left, noticed);
            Self::pay_from_bond(liar, challenger, reward)?;
            left = left.saturating_sub(reward);
        }
        Self::pay_from_bond(liar, &T::TreasuryAccount::get(), left)
    }

    /// What is left of half a bond for a challenger if so much of it is paid out already.
    pub(crate) fn challenge_reward(left: BalanceOf<T>, paid: BalanceOf<T>) -> BalanceOf<T> {
        left.saturating_sub(paid).checked_div(&2_u32.into()).unwrap_or_default()
    }

    pub(crate) fn pay_from_bond(who: &AccountIdOf<T>, to: &AccountIdOf<T>, amount: BalanceOf<T>) -> DispatchResult {
        let reason = HoldReason::Bond.into();
        let (precision, force) = (Precision::Exact, Fortitude::Force);
        T::Currency::transfer_on_hold(&reason, who, to, amount, precision, Restriction::Free, force).map(drop)
    }

    /// Pays the prize, or what is in the pool if that is less.
    pub(crate) fn pay_prize(winner: &AccountIdOf<T>) -> Result<BalanceOf<T>, DispatchError> {
        let pool = Self::prize_pool();
        let mut prize = T::WinPrize::get().min(pool);
        // What could not stay in an account alone would be burned; it goes along instead.
        if pool.saturating_sub(prize) < T::Currency::minimum_balance() {
            prize = pool;
        }
        T::Currency::transfer(&Self::pool_account(), winner, prize, Preservation::Expendable)
    }
}
