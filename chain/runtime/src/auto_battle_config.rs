//! What this chain decides for the auto-battler: prices, bonds and deadlines.

use frame::deps::frame_support::weights::IdentityFee;
use frame::deps::frame_support::weights::constants::RocksDbWeight;
use frame::prelude::*;
use frame::runtime::prelude::*;

use crate::{AccountId, Balance, Balances, BlockNumber, Runtime, RuntimeHoldReason};

/// One unit of money; a second of computing costs one.
pub const UNIT: Balance = 1_000_000_000_000;

/// Blocks of a minute, at one block in six seconds.
pub const MINUTES: BlockNumber = 10;

/// Blocks of a day.
pub const DAYS: BlockNumber = 24 * 60 * MINUTES;

parameter_types! {
    pub const PoolId: PalletId = PalletId(*b"autobatl");
    pub TreasuryAccount: AccountId = PalletId(*b"treasury").into_account_truncating();
    pub const EntryFee: Balance = 10 * UNIT;
    pub const WinPrize: Balance = 20 * UNIT;
    pub const Bond: Balance = 8 * UNIT;
    pub const ExpiryReward: Balance = UNIT;
    pub const CardFee: Balance = 2 * UNIT;
    pub const SetFee: Balance = 5 * UNIT;
    pub const SetDeposit: Balance = 20 * UNIT;
    pub const ChallengeWindow: BlockNumber = 5 * MINUTES;
    pub const ReportDeadline: BlockNumber = 10 * MINUTES;
    pub const TurnDeadline: BlockNumber = 7 * DAYS;
    pub const MinGhostAge: BlockNumber = 10 * MINUTES;
}

impl pallet_auto_battle::Config for Runtime {
    type Currency = Balances;
    type RuntimeHoldReason = RuntimeHoldReason;
    type Randomness = pallet_auto_battle::BlockHashes<Runtime>;
    type WeightToFee = IdentityFee<Balance>;
    type PalletId = PoolId;
    type EntryFee = EntryFee;
    type WinPrize = WinPrize;
    type Bond = Bond;
    type ExpiryReward = ExpiryReward;
    type CardFee = CardFee;
    type SetFee = SetFee;
    type SetDeposit = SetDeposit;
    type TreasuryAccount = TreasuryAccount;
    type DeckSize = ConstU32<60>;
    type MaxRounds = ConstU32<30>;
    type MaxActions = ConstU32<64>;
    type RoundsPerClaim = ConstU32<5>;
    type ChallengeWindow = ChallengeWindow;
    type ReportDeadline = ReportDeadline;
    type TurnDeadline = TurnDeadline;
    type MinGhostAge = MinGhostAge;
    type WeightInfo = pallet_auto_battle::weights::MeasuredWeight<RocksDbWeight>;
}
