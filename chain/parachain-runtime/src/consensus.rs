//! Who makes blocks and how they follow the relay chain: Aura, collators, and the pallets of cumulus.

use alloc::vec::Vec;

use cumulus_pallet_aura_ext::FixedVelocityConsensusHook;
use cumulus_pallet_parachain_system::RelayNumberMonotonicallyIncreases;
use frame::deps::sp_runtime::impl_opaque_keys;
use frame::prelude::*;
use frame::runtime::prelude::*;
use frame::traits::ConstBool;
use sp_consensus_aura::sr25519::AuthorityId as AuraId;

use crate::relay_randomness::RelayVrf;
use crate::{
    AccountId, Aura, Balance, Balances, BlockNumber, CollatorSelection, ParachainInfo, Runtime, RuntimeEvent, Session,
    UNIT,
};

/// Milliseconds between two blocks, of this chain and of the relay chain.
pub const SLOT_MILLISECONDS: u64 = 6_000;

/// Blocks for each block of the relay chain.
const VELOCITY: u32 = 1;

/// Blocks that may wait for the relay chain to include them.
const UNINCLUDED_MAX: u32 = 3;

/// Sees to it that blocks keep pace with the relay chain.
pub type ConsensusHook = FixedVelocityConsensusHook<Runtime, { SLOT_MILLISECONDS as u32 }, VELOCITY, UNINCLUDED_MAX>;

impl_opaque_keys! {
    /// The keys of a collator.
    pub struct SessionKeys {
        pub aura: Aura,
    }
}

parameter_types! {
    pub const SessionLength: BlockNumber = 60 * auto_battle_runtime_parts::MINUTES;
    pub const PotId: PalletId = PalletId(*b"PotStake");
    pub const KeyDeposit: Balance = UNIT;
}

impl cumulus_pallet_parachain_system::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type OnSystemEvent = RelayVrf;
    type SelfParaId = ParachainInfo;
    // The chain sends and takes no messages of other chains.
    type OutboundXcmpMessageSource = ();
    type DmpQueue = ();
    type ReservedDmpWeight = ();
    type XcmpMessageHandler = ();
    type ReservedXcmpWeight = ();
    type CheckAssociatedRelayNumber = RelayNumberMonotonicallyIncreases;
    type WeightInfo = cumulus_pallet_parachain_system::weights::SubstrateWeight<Runtime>;
    type ConsensusHook = ConsensusHook;
    type RelayParentOffset = ConstU32<0>;
    type SchedulingSignatureVerifier = ();
}

impl parachain_info::Config for Runtime {}

#[derive_impl(pallet_timestamp::config_preludes::TestDefaultConfig)]
impl pallet_timestamp::Config for Runtime {
    type OnTimestampSet = Aura;
    type MinimumPeriod = ConstU64<0>;
}

impl pallet_aura::Config for Runtime {
    type AuthorityId = AuraId;
    type MaxAuthorities = ConstU32<100>;
    type DisabledValidators = ();
    type AllowMultipleBlocksPerSlot = ConstBool<true>;
    type SlotDuration = ConstU64<SLOT_MILLISECONDS>;
}

impl cumulus_pallet_aura_ext::Config for Runtime {}

impl pallet_authorship::Config for Runtime {
    type FindAuthor = pallet_session::FindAccountFromAuthorIndex<Self, Aura>;
    type EventHandler = (CollatorSelection,);
}

impl pallet_session::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type ValidatorId = AccountId;
    type ValidatorIdOf = pallet_collator_selection::IdentityCollator;
    type ShouldEndSession = pallet_session::PeriodicSessions<SessionLength, ConstU32<0>>;
    type NextSessionRotation = pallet_session::PeriodicSessions<SessionLength, ConstU32<0>>;
    type SessionManager = CollatorSelection;
    type SessionHandler = <SessionKeys as frame::deps::sp_runtime::traits::OpaqueKeys>::KeyTypeIdProviders;
    type Keys = SessionKeys;
    type DisablingStrategy = ();
    type WeightInfo = pallet_session::weights::SubstrateWeight<Runtime>;
    type Currency = Balances;
    type KeyDeposit = KeyDeposit;
}

impl pallet_collator_selection::Config for Runtime {
    type RuntimeEvent = RuntimeEvent;
    type Currency = Balances;
    type UpdateOrigin = EnsureRoot<AccountId>;
    type PotId = PotId;
    type MaxCandidates = ConstU32<100>;
    type MinEligibleCollators = ConstU32<1>;
    type MaxInvulnerables = ConstU32<20>;
    type KickThreshold = SessionLength;
    type ValidatorId = AccountId;
    type ValidatorIdOf = pallet_collator_selection::IdentityCollator;
    type ValidatorRegistration = Session;
    type WeightInfo = pallet_collator_selection::weights::SubstrateWeight<Runtime>;
}
