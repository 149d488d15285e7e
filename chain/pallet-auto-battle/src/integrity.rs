//! What a chain's decisions must keep to, looked at when its runtime is tested.

use auto_battle::WORK_STEPS_MAX;
use frame::deps::frame_support::weights::WeightToFee as _;
use frame::deps::sp_runtime::traits::UniqueSaturatedInto as _;
use frame::prelude::{CheckedDiv as _, Get as _, Saturating, Zero};
use frame::token::fungible::Inspect as _;

use crate::fallback::FallbackOpponents as _;
use crate::types::{BalanceOf, DECK_CARDS_MAX, RUN_ROUNDS_MAX};
use crate::{Config, Pallet};

impl<T: Config> Pallet<T> {
    /// Panics if a chain's decisions contradict each other; runs in the runtime's tests.
    pub(crate) fn check_config() {
        Self::check_prices();
        Self::check_sizes();
        Self::check_deadlines();
    }

    fn check_prices() {
        let fee = T::WeightToFee::weight_to_fee(&Self::dispute_weight(WORK_STEPS_MAX));
        let challenge = T::ChallengeReward::get();
        assert!(challenge.saturating_add(fee) <= Self::half_bond(), "a challenger gets at most half a bond");
        let rewards = challenge.saturating_add(T::LateReportReward::get()).saturating_add(T::ExpiryReward::get());
        assert!(rewards <= Self::half_bond(), "all rewards of a run together are at most half its bond");
        assert!(T::Bond::get() >= fee.saturating_mul(2_u32.into()), "a bond pays for a false dispute twice");
        let chance = T::Fallback::chance_of_ten_wins();
        assert!(
            chance.mul_ceil(T::WinPrize::get()) <= T::EntryFee::get(),
            "a run against the fallback opponents alone must not be worth more than it costs"
        );
        let dust = T::Currency::minimum_balance();
        let payments = [T::EntryFee::get(), T::CardFee::get(), T::SetFee::get(), challenge];
        for amount in payments.into_iter().chain([T::LateReportReward::get(), T::ExpiryReward::get()]) {
            assert!(amount >= dust, "every payment must be able to open an account");
        }
    }

    /// Half a bond, the most that is ever paid out of it to others than the treasury.
    fn half_bond() -> BalanceOf<T> {
        T::Bond::get().checked_div(&2_u32.into()).unwrap_or_default()
    }

    fn check_sizes() {
        assert!((1..=DECK_CARDS_MAX).contains(&T::DeckSize::get()), "a deck must fit a run");
        let wins = auto_battle::WINS_FOR_VICTORY.saturating_add(auto_battle::LIVES_AT_START);
        assert!((wins..=RUN_ROUNDS_MAX).contains(&T::MaxRounds::get()), "a run must be able to end by itself");
        assert!(T::RoundsPerClaim::get() > 0, "a claim must make progress");
    }

    fn check_deadlines() {
        let delay: u32 = T::DecisionDelay::get().unique_saturated_into();
        assert!(delay > 0, "nothing is decided in the block in which it is committed");
        let time = T::ReportDeadline::get().saturating_add(T::LateReportDeadline::get());
        let time: u32 = time.unique_saturated_into();
        assert!(T::BlocksPerTick::get() > 0, "time passes only where blocks are made");
        // Deadlines are counted by a clock, and values are forgotten by blocks, which may be faster.
        let blocks = time.saturating_mul(T::BlocksPerTick::get());
        assert!(blocks.saturating_add(delay) < T::RandomnessMemory::get(), "a seed must outlive its deadlines");
        assert!(T::TurnDeadline::get() > T::ChallengeWindow::get(), "no lie may expire before it can be disputed");
        assert!(!T::ChallengeWindow::get().is_zero(), "there must be time for a dispute");
        assert!(!T::LateReportDeadline::get().is_zero(), "there must be time for late reports");
    }
}
