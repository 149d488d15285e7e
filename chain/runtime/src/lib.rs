//! A development chain for the auto-battler: accounts, money, fees, batches, and the pallet.
//!
//! It has no consensus of its own; a node that seals blocks by itself runs it. A production chain
//! takes the pallet into its own runtime.

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod apis;
#[cfg(feature = "runtime-benchmarks")]
mod benchmarks;
pub mod presets;
#[cfg(test)]
mod tests;

pub use apis::RuntimeApi;
pub use auto_battle_runtime_parts::{AccountId, BLOCK_WEIGHT, Balance, BlockNumber, DAYS, MINUTES, Nonce, UNIT};

use alloc::borrow::Cow;
use alloc::vec::Vec;

use auto_battle_runtime_parts::{NORMAL_SHARE, ShippedConfig, StarterSet, TreasuryAccount};
use frame::deps::frame_support::weights::IdentityFee;
use frame::deps::frame_support::weights::constants::RocksDbWeight;
use frame::runtime::prelude::*;
use frame::runtime::types_common::BlockOf;

/// The header of a block.
pub type Header = HeaderFor<Runtime>;

/// A block.
pub type Block = BlockOf<Runtime, TxExtension>;

/// What every transaction carries beside its call.
pub type TxExtension = auto_battle_runtime_parts::TxExtension<Runtime>;

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
    spec_version: 3,
    impl_version: 1,
    apis: apis::VERSIONS,
    transaction_version: 3,
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

parameter_types! {
    pub const Version: RuntimeVersion = VERSION;
    pub BlockWeights: frame_system::limits::BlockWeights =
        frame_system::limits::BlockWeights::with_sensible_defaults(BLOCK_WEIGHT, NORMAL_SHARE);
}

/// What brings an older state of this chain to the present layout. A development chain is small, so
/// one block is enough; a chain with many runs takes `UpgradeInSteps`.
pub type Migrations = (pallet_auto_battle::migrations::UpgradeAtOnce<Runtime, StarterSet>,);

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

auto_battle_runtime_parts::configure_shared_pallets!();

#[derive_impl(ShippedConfig as pallet_auto_battle::DefaultConfig)]
impl pallet_auto_battle::Config for Runtime {
    type Currency = Balances;
    type Randomness = pallet_auto_battle::ParentHashes<Runtime>;
    type BlockNumberProvider = System;
    type WeightToFee = IdentityFee<Balance>;
    type TreasuryAccount = TreasuryAccount;
}
