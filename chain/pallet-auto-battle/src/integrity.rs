//! What a chain's decisions must keep to, looked at when its runtime is tested.

use frame::deps::frame_support::weights::WeightToFee as _;
use frame::prelude::{Get as _, Saturating, Zero};
use frame::token::fungible::Inspect as _;

use crate::types::DECK_CARDS_MAX;
use crate::{CommitRandomness as _, Config, Pallet, STEPS_CHARGED};

impl<T: Config> Pallet<T> {
    /// Panics if a chain's decisions contradict each other; runs in the runtime's tests.
    pub(crate) fn check_config() {
        let dispute = T::WeightToFee::weight_to_fee(&Self::dispute_weight(STEPS_CHARGED));
        let noticed = T::ExpiryReward::get();
        let reward = Self::challenge_reward(T::Bond::get().saturating_sub(noticed), noticed);
        assert!(reward >= dispute, "half a bond must pay for a dispute, whatever else it has paid for");
        let rewards = T::ExpiryReward::get().saturating_mul(4_u32.into());
        assert!(rewards <= T::Bond::get(), "an expiry must not eat the bond");
        let dust = T::Currency::minimum_balance();
        for amount in [T::EntryFee::get(), T::CardFee::get(), T::SetFee::get(), T::ExpiryReward::get()] {
            assert!(amount >= dust, "every payment must be able to open an account");
        }
        assert!((1..=DECK_CARDS_MAX).contains(&T::DeckSize::get()), "a deck must fit a run");
        let wins = auto_battle::WINS_FOR_VICTORY.saturating_add(auto_battle::LIVES_AT_START);
        assert!(T::MaxRounds::get() >= wins, "a run must be able to end by itself");
        assert!(T::RoundsPerClaim::get() > 0, "a claim must make progress");
        assert!(T::ReportDeadline::get() < T::Randomness::memory(), "a seed must outlive its deadline");
        assert!(T::TurnDeadline::get() > T::ChallengeWindow::get(), "no lie may expire before it can be disputed");
        assert!(!T::ChallengeWindow::get().is_zero(), "there must be time for a dispute");
    }
}
