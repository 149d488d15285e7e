//! A development chain for the auto-battler: accounts, money, fees, batches, and the pallet.
//!
//! It has no consensus of its own; a node that seals blocks by itself runs it. A production chain
//! takes the pallet into its own runtime.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod apis;
mod auto_battle_config;
#[cfg(feature = "runtime-benchmarks")]
mod benchmarks;
pub mod presets;
#[cfg(test)]
mod tests;

pub use apis::RuntimeApi;
pub use auto_battle_config::{DAYS, MINUTES, UNIT};

use alloc::borrow::Cow;
use alloc::vec::Vec;

use frame::deps::frame_support::weights::IdentityFee;
use frame::deps::frame_support::weights::constants::{RocksDbWeight, WEIGHT_REF_TIME_PER_SECOND};
use frame::runtime::prelude::*;
use frame::runtime::types_common::{AccountId as CommonAccountId, BlockNumber as CommonBlockNumber, BlockOf};
use frame::traits::VariantCountOf;
use pallet_transaction_payment::{ConstFeeMultiplier, FungibleAdapter, Multiplier};

/// An account.
pub type AccountId = CommonAccountId;

/// An amount of money.
pub type Balance = u128;

/// The number of a block.
pub type BlockNumber = CommonBlockNumber;

/// How many transactions an account has sent.
pub type Nonce = u32;

/// The header of a block.
pub type Header = HeaderFor<Runtime>;

/// A block.
pub type Block = BlockOf<Runtime, TxExtension>;

/// What every transaction carries beside its call.
pub type TxExtension = (
    frame_system::AuthorizeCall<Runtime>,
    frame_system::CheckNonZeroSender<Runtime>,
    frame_system::CheckSpecVersion<Runtime>,
    frame_system::CheckTxVersion<Runtime>,
    frame_system::CheckGenesis<Runtime>,
    frame_system::CheckEra<Runtime>,
    frame_system::CheckNonce<Runtime>,
    frame_system::CheckWeight<Runtime>,
    pallet_transaction_payment::ChargeTransactionPayment<Runtime>,
    frame_system::WeightReclaim<Runtime>,
);

type Executive = frame::deps::frame_executive::Executive<
    Runtime,
    Block,
    frame_system::ChainContext<Runtime>,
    Runtime,
    AllPalletsWithSystem,
>;

/// Names this runtime and its state of development.
#[runtime_version]
pub const VERSION: RuntimeVersion = RuntimeVersion {
    spec_name: Cow::Borrowed("snapstack-auto-battle"),
    impl_name: Cow::Borrowed("snapstack-auto-battle"),
    authoring_version: 1,
    spec_version: 2,
    impl_version: 1,
    apis: apis::VERSIONS,
    transaction_version: 2,
    system_version: 1,
};

#[frame_construct_runtime]
mod runtime {
    /// The chain.
    #[runtime::runtime]
    #[runtime::derive(
        RuntimeCall,
        RuntimeEvent,
        RuntimeError,
        RuntimeOrigin,
        RuntimeFreezeReason,
        RuntimeHoldReason,
        RuntimeSlashReason,
        RuntimeLockId,
        RuntimeTask,
        RuntimeViewFunction
    )]
    pub struct Runtime;

    #[runtime::pallet_index(0)]
    pub type System = frame_system;
    #[runtime::pallet_index(1)]
    pub type Timestamp = pallet_timestamp;
    #[runtime::pallet_index(2)]
    pub type Balances = pallet_balances;
    #[runtime::pallet_index(3)]
    pub type TransactionPayment = pallet_transaction_payment;
    #[runtime::pallet_index(4)]
    pub type Sudo = pallet_sudo;
    #[runtime::pallet_index(5)]
    pub type Utility = pallet_utility;
    #[runtime::pallet_index(6)]
    pub type AutoBattle = pallet_auto_battle;
}

/// Three quarters of a block are for transactions of players.
const NORMAL_SHARE: Perbill = Perbill::from_percent(75);

/// Two seconds of computing in a block.
pub const BLOCK_WEIGHT: Weight = Weight::from_parts(WEIGHT_REF_TIME_PER_SECOND.saturating_mul(2), u64::MAX);

parameter_types! {
    pub const Version: RuntimeVersion = VERSION;
    pub BlockWeights: frame_system::limits::BlockWeights =
        frame_system::limits::BlockWeights::with_sensible_defaults(BLOCK_WEIGHT, NORMAL_SHARE);
    pub const ExistentialDeposit: Balance = UNIT / 1_000;
    // Fees follow the weight alone, so that what a dispute costs can be said in advance.
    pub FeeMultiplier: Multiplier = Multiplier::from_u32(1);
}

/// What brings an older state of this chain to the present layout. A development chain is small, so
/// one block is enough; a chain with many runs takes `UpgradeInSteps`.
pub type Migrations = (pallet_auto_battle::migrations::UpgradeAtOnce<Runtime, auto_battle_config::StarterSet>,);

#[derive_impl(frame_system::config_preludes::SolochainDefaultConfig)]
impl frame_system::Config for Runtime {
    type Block = Block;
    type Version = Version;
    type BlockWeights = BlockWeights;
    type SingleBlockMigrations = Migrations;
    type AccountData = pallet_balances::AccountData<Balance>;
    type DbWeight = RocksDbWeight;
}

#[derive_impl(pallet_timestamp::config_preludes::TestDefaultConfig)]
impl pallet_timestamp::Config for Runtime {}

#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
impl pallet_balances::Config for Runtime {
    type AccountStore = System;
    type Balance = Balance;
    type ExistentialDeposit = ExistentialDeposit;
    type RuntimeHoldReason = RuntimeHoldReason;
    type RuntimeFreezeReason = RuntimeFreezeReason;
    type FreezeIdentifier = RuntimeFreezeReason;
    type MaxFreezes = VariantCountOf<RuntimeFreezeReason>;
    type WeightInfo = pallet_balances::weights::SubstrateWeight<Runtime>;
}

#[derive_impl(pallet_transaction_payment::config_preludes::TestDefaultConfig)]
impl pallet_transaction_payment::Config for Runtime {
    type OnChargeTransaction = FungibleAdapter<Balances, ()>;
    type WeightToFee = IdentityFee<Balance>;
    type LengthToFee = IdentityFee<Balance>;
    type FeeMultiplierUpdate = ConstFeeMultiplier<FeeMultiplier>;
}

#[derive_impl(pallet_sudo::config_preludes::TestDefaultConfig)]
impl pallet_sudo::Config for Runtime {}

impl pallet_utility::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type RuntimeCall = RuntimeCall;
    type PalletsOrigin = OriginCaller;
    type WeightInfo = pallet_utility::weights::SubstrateWeight<Runtime>;
}
