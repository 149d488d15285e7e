//! What the runtimes decide for the auto-battler: prices, bonds, deadlines and opponents.

use frame::deps::frame_support::pallet_prelude::inject_runtime_type;
use frame::deps::frame_support::register_default_impl;
use frame::deps::frame_support::weights::constants::RocksDbWeight;
use frame::prelude::frame_system::EnsureRoot;
use frame::prelude::*;
use frame::runtime::prelude::*;

use auto_battle::SavedBoard;
use pallet_auto_battle::{DefaultConfig, FallbackOpponents};
use pallet_transaction_payment::Multiplier;

use crate::{AccountId, Balance, BlockNumber};

/// One unit of money; a second of computing costs one.
pub const UNIT: Balance = 1_000_000_000_000;

/// Blocks of a minute, at one block in six seconds.
pub const MINUTES: BlockNumber = 10;

/// Blocks of a day.
pub const DAYS: BlockNumber = 24 * 60 * MINUTES;

parameter_types! {
    pub const PoolId: PalletId = PalletId(*b"autobatl");
    pub StarterSet: H256 = pallet_auto_battle::starter_set_hash().into();
    pub TreasuryAccount: AccountId = PalletId(*b"treasury").into_account_truncating();
    pub const EntryFee: Balance = 10 * UNIT;
    pub const WinPrize: Balance = 20 * UNIT;
    pub const Bond: Balance = 8 * UNIT;
    pub const GiftPerRun: Balance = 5 * UNIT;
    pub const ChallengeReward: Balance = 2 * UNIT;
    pub const LateReportReward: Balance = UNIT;
    pub const ExpiryReward: Balance = UNIT;
    pub const CardFee: Balance = 2 * UNIT;
    pub const SetFee: Balance = 5 * UNIT;
    pub const SetDeposit: Balance = 20 * UNIT;
    pub const ChallengeWindow: BlockNumber = 5 * MINUTES;
    pub const DecisionDelay: BlockNumber = 2;
    pub const ReportDeadline: BlockNumber = 10 * MINUTES;
    pub const LateReportDeadline: BlockNumber = 10 * MINUTES;
    pub const TurnDeadline: BlockNumber = 7 * DAYS;
    pub const MinGhostAge: BlockNumber = 10 * MINUTES;
    pub const ExistentialDeposit: Balance = UNIT / 1_000;
    // Fees follow the weight alone, so that what a dispute costs can be said in advance.
    pub FeeMultiplier: Multiplier = Multiplier::from_u32(1);
}

/// The opponents of players who meet no ghost.
pub struct ShippedOpponents;

impl FallbackOpponents for ShippedOpponents {
    fn board(round: u32, seed: u64) -> SavedBoard {
        auto_battle_fallback::board(round, seed)
    }

    fn chance_of_ten_wins() -> Permill {
        Permill::from_parts(auto_battle_fallback::TEN_WINS_PER_MILLE.saturating_mul(1_000))
    }
}

/// The decisions for `derive_impl`; a runtime adds its money, its randomness and its clock.
pub struct ShippedConfig;

#[derive_impl(frame_system::config_preludes::SolochainDefaultConfig, no_aggregated_types)]
impl frame_system::DefaultConfig for ShippedConfig {}

#[register_default_impl(ShippedConfig)]
impl DefaultConfig for ShippedConfig {
    #[inject_runtime_type]
    type RuntimeHoldReason = ();
    type Fallback = ShippedOpponents;
    type ModerationOrigin = EnsureRoot<AccountId>;
    type PalletId = PoolId;
    type EntryFee = EntryFee;
    type WinPrize = WinPrize;
    type GiftPerRun = GiftPerRun;
    type Bond = Bond;
    type ChallengeReward = ChallengeReward;
    type LateReportReward = LateReportReward;
    type ExpiryReward = ExpiryReward;
    type CardFee = CardFee;
    type SetFee = SetFee;
    type SetDeposit = SetDeposit;
    type DeckSize = ConstU32<60>;
    type MaxRounds = ConstU32<20>;
    type MaxActions = ConstU32<64>;
    type RoundsPerClaim = ConstU32<5>;
    type DecisionDelay = DecisionDelay;
    type RandomnessMemory = ConstU32<256>;
    type BlocksPerTick = ConstU32<1>;
    type ChallengeWindow = ChallengeWindow;
    type ReportDeadline = ReportDeadline;
    type LateReportDeadline = LateReportDeadline;
    type TurnDeadline = TurnDeadline;
    type MinGhostAge = MinGhostAge;
    type WeightInfo = pallet_auto_battle::weights::MeasuredWeight<RocksDbWeight>;
}
