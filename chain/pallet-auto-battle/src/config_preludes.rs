//! Decisions to begin with, for tests and for trying the pallet out; `README.md` shows how.

use frame::deps::frame_support::pallet_prelude::inject_runtime_type;
use frame::deps::frame_support::{PalletId, derive_impl, parameter_types, register_default_impl};
use frame::prelude::frame_system;
use frame::prelude::frame_system::EnsureRoot;
use frame::traits::ConstUint;

use crate::weights::MeasuredWeight;
use crate::{BuiltinOpponents, DefaultConfig};

parameter_types! {
    /// The name of the prize pools' accounts.
    pub const TestPalletId: PalletId = PalletId(*b"autobatl");
}

/// Short deadlines, and prices in a money of which a second of computing costs 10^12.
///
/// The built-in opponents are nearly solved, so the prize is no more than the entry fee.
pub struct TestDefaultConfig;

#[derive_impl(frame_system::config_preludes::TestDefaultConfig, no_aggregated_types)]
impl frame_system::DefaultConfig for TestDefaultConfig {}

#[register_default_impl(TestDefaultConfig)]
impl DefaultConfig for TestDefaultConfig {
    #[inject_runtime_type]
    type RuntimeHoldReason = ();
    type Fallback = BuiltinOpponents;
    type ModerationOrigin = EnsureRoot<Self::AccountId>;
    type PalletId = TestPalletId;
    type EntryFee = ConstUint<10_000_000_000_000>;
    type WinPrize = ConstUint<10_000_000_000_000>;
    type GiftPerRun = ConstUint<5_000_000_000_000>;
    type Bond = ConstUint<8_000_000_000_000>;
    type ChallengeReward = ConstUint<2_000_000_000_000>;
    type LateReportReward = ConstUint<1_000_000_000_000>;
    type ExpiryReward = ConstUint<1_000_000_000_000>;
    type CardFee = ConstUint<2_000_000_000_000>;
    type SetFee = ConstUint<3_000_000_000_000>;
    type SetDeposit = ConstUint<5_000_000_000_000>;
    type DeckSize = ConstUint<60>;
    type MaxRounds = ConstUint<20>;
    type MaxActions = ConstUint<32>;
    type RoundsPerClaim = ConstUint<5>;
    type DecisionDelay = ConstUint<2>;
    type RandomnessMemory = ConstUint<64>;
    type BlocksPerTick = ConstUint<1>;
    type ChallengeWindow = ConstUint<10>;
    type ReportDeadline = ConstUint<20>;
    type LateReportDeadline = ConstUint<20>;
    type TurnDeadline = ConstUint<100>;
    type MinGhostAge = ConstUint<30>;
    type WeightInfo = MeasuredWeight<()>;
}
