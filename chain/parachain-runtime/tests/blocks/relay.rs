//! A relay chain that is nothing but its state, one for each block of the parachain.

use auto_battle_parachain_runtime::presets::PARA_ID;
use auto_battle_parachain_runtime::Header;
use codec::Encode as _;
use cumulus_primitives_core::relay_chain::well_known_keys::CURRENT_BLOCK_RANDOMNESS;
use cumulus_primitives_core::relay_chain::{Hash, HeadData};
use cumulus_primitives_core::{ParaId, PersistedValidationData};
use cumulus_primitives_parachain_inherent::ParachainInherentData;
use cumulus_test_relay_sproof_builder::RelayStateSproofBuilder;
use frame::prelude::blake2_256;
use sp_state_machine::StorageProof;

/// The largest proof that validators of the relay chain take.
const POV_BYTES_MAX: u32 = 10 * 1024 * 1024;

/// Grows by a block for every block of the parachain.
pub struct RelayChain {
    pub block: u32,
    pub slot: u64,
    has_randomness: bool,
}

impl RelayChain {
    pub fn new() -> Self {
        Self { block: 1_000, slot: 300_000_000, has_randomness: true }
    }

    /// The next block comes, one slot later.
    pub fn advance(&mut self) {
        self.block += 1;
        self.slot += 1;
    }

    /// From now on collators leave out what the relay chain's authors drew.
    pub fn withhold_randomness(&mut self) {
        self.has_randomness = false;
    }

    /// What a collator hands to the parachain's runtime for a block after `parent`.
    pub fn inherent_data(&self, parent: &Header) -> ParachainInherentData {
        let head = HeadData(parent.encode());
        let mut state = RelayStateSproofBuilder {
            para_id: ParaId::from(PARA_ID),
            current_slot: self.slot.into(),
            included_para_head: Some(head.clone()),
            ..Default::default()
        };
        let output = blake2_256(&self.block.encode());
        state.additional_key_values.push((CURRENT_BLOCK_RANDOMNESS.to_vec(), Some(output).encode()));
        let (relay_parent_storage_root, mut relay_chain_state): (Hash, _) = state.into_state_root_and_proof();
        if !self.has_randomness {
            let nodes = relay_chain_state.into_iter_nodes();
            let has_output = |it: &Vec<u8>| it.windows(output.len()).any(|it| it == output);
            relay_chain_state = StorageProof::new(nodes.filter(|it| !has_output(it)));
        }
        let validation_data = PersistedValidationData {
            parent_head: head,
            relay_parent_number: self.block,
            relay_parent_storage_root,
            max_pov_size: POV_BYTES_MAX,
        };
        ParachainInherentData {
            validation_data,
            relay_chain_state,
            downward_messages: Vec::new(),
            horizontal_messages: Default::default(),
            relay_parent_descendants: Vec::new(),
            collator_peer_id: None,
        }
    }
}
