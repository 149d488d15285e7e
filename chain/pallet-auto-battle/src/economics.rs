//! Money: entry fees, bonds and deposits, and what a lie costs. Prizes are in `prize_pools.rs`.
//!
//! Nothing is minted or burned here: every amount goes from one account to another or is held.

use frame::prelude::{DispatchResult, Get as _, Saturating};
use frame::token::fungible::{Inspect as _, InspectHold as _, Mutate as _, MutateHold as _};
use frame::token::tokens::Restriction;
use frame::token::{Fortitude, Precision, Preservation};

use crate::types::{AccountIdOf, BalanceOf, GameSessionOf};
use crate::{Config, Error, HoldReason, Pallet};

impl<T: Config> Pallet<T> {
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

    /// Takes the bond of a liar: a fixed reward to the account that proved the lie, if any did, the
    /// rest to the treasury.
    ///
    /// All rewards of a run together are at most half a bond, which `integrity_test` holds: else a
    /// liar would dispute the own lie and lose little.
    pub(crate) fn slash(
        liar: &AccountIdOf<T>,
        session: &GameSessionOf<T>,
        challenger: Option<&AccountIdOf<T>>,
    ) -> DispatchResult {
        let mut left = session.bond;
        if let Some(challenger) = challenger {
            let reward = T::ChallengeReward::get().min(left);
            Self::pay_from_bond(liar, challenger, reward)?;
            left = left.saturating_sub(reward);
        }
        Self::pay_from_bond(liar, &T::TreasuryAccount::get(), left)
    }

    pub(crate) fn pay_from_bond(who: &AccountIdOf<T>, to: &AccountIdOf<T>, amount: BalanceOf<T>) -> DispatchResult {
        let reason = HoldReason::Bond.into();
        let (precision, force) = (Precision::Exact, Fortitude::Force);
        T::Currency::transfer_on_hold(&reason, who, to, amount, precision, Restriction::Free, force).map(drop)
    }
}
