//! What nodes, collators and clients may ask the runtime.

use auto_battle_runtime_parts::api_types::*;
use cumulus_primitives_core::{CollationInfo, ParaId};
use sp_consensus_aura::sr25519::AuthorityId as AuraId;
use sp_consensus_aura::{Slot, SlotDuration};

use crate::consensus::{ConsensusHook, SLOT_MILLISECONDS};
use crate::{
    presets, AutoBattle, Block, Executive, Header, InherentDataExt as _, ParachainInfo, ParachainSystem, Runtime,
    RuntimeGenesisConfig, SessionKeys, System, TransactionPayment, VERSION,
};

/// The versions of all of them.
pub const VERSIONS: frame::deps::sp_version::ApisVec = RUNTIME_API_VERSIONS;

auto_battle_runtime_parts::impl_apis! {
    impl apis::SessionKeys<Block> for Runtime {
        fn generate_session_keys(owner: Vec<u8>, seed: Option<Vec<u8>>) -> apis::OpaqueGeneratedSessionKeys {
            SessionKeys::generate(&owner, seed).into()
        }

        fn decode_session_keys(encoded: Vec<u8>) -> Option<Vec<(Vec<u8>, apis::KeyTypeId)>> {
            SessionKeys::decode_into_raw_public_keys(&encoded)
        }
    }

    impl sp_consensus_aura::AuraApi<Block, AuraId> for Runtime {
        fn slot_duration() -> SlotDuration {
            SlotDuration::from_millis(SLOT_MILLISECONDS)
        }

        fn authorities() -> Vec<AuraId> {
            pallet_aura::Authorities::<Runtime>::get().into_inner()
        }
    }

    impl cumulus_primitives_aura::AuraUnincludedSegmentApi<Block> for Runtime {
        fn can_build_upon(included_hash: <Block as frame::traits::Block>::Hash, slot: Slot) -> bool {
            ConsensusHook::can_build_upon(included_hash, slot)
        }
    }

    impl cumulus_primitives_core::CollectCollationInfo<Block> for Runtime {
        fn collect_collation_info(header: &Header) -> CollationInfo {
            ParachainSystem::collect_collation_info(header)
        }
    }

    impl cumulus_primitives_core::GetParachainInfo<Block> for Runtime {
        fn parachain_id() -> ParaId {
            ParachainInfo::parachain_id()
        }
    }

    impl cumulus_primitives_core::RelayParentOffsetApi<Block> for Runtime {
        fn relay_parent_offset() -> u32 {
            0
        }

        fn max_claim_queue_offset() -> u8 {
            1
        }
    }

    impl cumulus_primitives_core::KeyToIncludeInRelayProof<Block> for Runtime {
        fn keys_to_prove() -> cumulus_primitives_core::RelayProofRequest {
            crate::relay_randomness::keys_to_prove()
        }
    }
}
