//! The auto-battler as a parachain: Aura and the pallets of cumulus around the pallet, with the
//! randomness of the relay chain.
//!
//! `polkadot-omni-node` runs it. Prices, deadlines, opponents and runtime APIs are those of the
//! development chain (`chain/runtime-parts`).

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod apis;
mod consensus;
pub mod presets;
pub mod relay_randomness;
#[cfg(test)]
mod tests;

pub use apis::RuntimeApi;
pub use auto_battle_runtime_parts::{AccountId, Balance, BlockNumber, Nonce, UNIT};
pub use consensus::{SessionKeys, SLOT_MILLISECONDS};

use alloc::borrow::Cow;
use alloc::vec::Vec;

use auto_battle_runtime_parts::{ShippedConfig, TreasuryAccount, BLOCK_WEIGHT, NORMAL_SHARE};
use cumulus_primitives_core::relay_chain::MAX_POV_SIZE;
use frame::deps::frame_support::weights::constants::RocksDbWeight;
use frame::deps::frame_support::weights::IdentityFee;
use frame::runtime::prelude::*;
use frame::runtime::types_common::BlockOf;
use relay_randomness::RelayVrf;

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
    spec_name: Cow::Borrowed("snapstack-auto-battle-parachain"),
    impl_name: Cow::Borrowed("snapstack-auto-battle-parachain"),
    authoring_version: 1,
    spec_version: 1,
    impl_version: 1,
    apis: apis::VERSIONS,
    transaction_version: 1,
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
    pub type ParachainSystem = cumulus_pallet_parachain_system;
    #[runtime::pallet_index(2)]
    pub type Timestamp = pallet_timestamp;
    #[runtime::pallet_index(3)]
    pub type ParachainInfo = parachain_info;

    #[runtime::pallet_index(10)]
    pub type Balances = pallet_balances;
    #[runtime::pallet_index(11)]
    pub type TransactionPayment = pallet_transaction_payment;
    #[runtime::pallet_index(12)]
    pub type Sudo = pallet_sudo;
    #[runtime::pallet_index(13)]
    pub type Utility = pallet_utility;

    // The order of these matters: a block is credited to its author before the session may change.
    #[runtime::pallet_index(20)]
    pub type Authorship = pallet_authorship;
    #[runtime::pallet_index(21)]
    pub type CollatorSelection = pallet_collator_selection;
    #[runtime::pallet_index(22)]
    pub type Session = pallet_session;
    #[runtime::pallet_index(23)]
    pub type Aura = pallet_aura;
    #[runtime::pallet_index(24)]
    pub type AuraExt = cumulus_pallet_aura_ext;

    #[runtime::pallet_index(30)]
    pub type AutoBattle = pallet_auto_battle;
}

parameter_types! {
    pub const Version: RuntimeVersion = VERSION;
    // A block must be proven to validators of the relay chain, so proofs are bounded as well.
    pub BlockWeights: frame_system::limits::BlockWeights = frame_system::limits::BlockWeights::with_sensible_defaults(
        BLOCK_WEIGHT.set_proof_size(u64::from(MAX_POV_SIZE)),
        NORMAL_SHARE,
    );
}

#[derive_impl(frame_system::config_preludes::ParaChainDefaultConfig)]
impl frame_system::Config for Runtime {
    type Block = Block;
    type Version = Version;
    type BlockWeights = BlockWeights;
    type AccountData = pallet_balances::AccountData<Balance>;
    type DbWeight = RocksDbWeight;
    type OnSetCode = cumulus_pallet_parachain_system::ParachainSetCode<Self>;
}

auto_battle_runtime_parts::configure_shared_pallets!();

#[derive_impl(ShippedConfig as pallet_auto_battle::DefaultConfig)]
impl pallet_auto_battle::Config for Runtime {
    type Currency = Balances;
    type Randomness = pallet_auto_battle::VrfOutputs<RelayVrf>;
    // Deadlines count in blocks of this chain: if it stands still, nobody misses one.
    type BlockNumberProvider = System;
    type WeightToFee = IdentityFee<Balance>;
    type TreasuryAccount = TreasuryAccount;
}

cumulus_pallet_parachain_system::register_validate_block! {
    Runtime = Runtime,
    BlockExecutor = cumulus_pallet_aura_ext::BlockExecutor::<Runtime, Executive>,
}
