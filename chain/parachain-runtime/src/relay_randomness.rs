//! Randomness from the relay chain: the outputs of its block authors' verifiable random functions,
//! which every block of the parachain proves to be in the state of its relay parent.
//!
//! The collator of a block may take a relay parent that is not the newest, and then knows outputs of
//! later relay blocks already. So an output counts as known since the first block whose collator could
//! have seen it: one whose relay parent is at most [`RELAY_PARENT_AGE_MAX`] blocks older.
//!
//! A relay chain validator knows the outputs of their own slots ahead, and can leave a slot empty. A
//! collator chooses among the relay parents that are allowed. Neither can make an output. `docs/chain.md`
//! says what that is worth.

use alloc::vec;

use codec::{Decode, Encode, MaxEncodedLen};
use cumulus_pallet_parachain_system::relay_state_snapshot::RelayChainStateProof;
use cumulus_pallet_parachain_system::{OnSystemEvent, ValidationData};
use cumulus_primitives_core::relay_chain::well_known_keys::CURRENT_BLOCK_RANDOMNESS;
use cumulus_primitives_core::{PersistedValidationData, RelayProofRequest, RelayStorageKey};
use frame::deps::frame_support::storage_alias;
use frame::prelude::*;
use frame::traits::Randomness;

use crate::{BlockNumber, Runtime, System};

/// By how many blocks a relay parent may be older than the relay chain's newest block. It must not be
/// less than the relay chain allows (`scheduling_lookahead`).
pub const RELAY_PARENT_AGE_MAX: u32 = 6;

/// An output of the relay chain, as a block of this chain found it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen)]
pub struct RelayOutput {
    /// Nothing if the author of the relay block drew none.
    pub value: Option<[u8; 32]>,
    /// The first block of this chain whose collator could know the value.
    pub known_since: BlockNumber,
}

/// A relay parent, and the first block of this chain that was made on it.
type RelayParent = (u32, BlockNumber);

/// The output that the newest block found.
#[storage_alias]
pub type NewestOutput = StorageValue<RelayRandomness, RelayOutput>;

/// The relay parents that are not too old, oldest first.
#[storage_alias]
pub type RelayParents =
    StorageValue<RelayRandomness, BoundedVec<RelayParent, ConstU32<{ RELAY_PARENT_AGE_MAX + 1 }>>, ValueQuery>;

/// The verifiable random function of the relay chain.
pub struct RelayVrf;

impl RelayVrf {
    /// Notes the output of a relay block that this block was made on.
    pub(crate) fn note(relay_block: u32, value: Option<[u8; 32]>) {
        let now = System::block_number();
        let known_since = RelayParents::mutate(|parents| {
            parents.retain(|(it, _)| it.saturating_add(RELAY_PARENT_AGE_MAX) >= relay_block);
            if parents.last().is_none_or(|(it, _)| *it != relay_block) {
                // There is room: they are different and less than their number apart.
                let _ = parents.try_push((relay_block, now));
            }
            parents.first().map_or(now, |(_, first)| *first)
        });
        NewestOutput::put(RelayOutput { value, known_since });
    }
}

/// What collators prove of the relay chain's state for this.
pub fn keys_to_prove() -> RelayProofRequest {
    RelayProofRequest { keys: vec![RelayStorageKey::Top(CURRENT_BLOCK_RANDOMNESS.to_vec())] }
}

impl OnSystemEvent for RelayVrf {
    fn on_validation_data(_data: &PersistedValidationData) {}

    fn on_validation_code_applied() {}

    fn on_relay_state_proof(proof: &RelayChainStateProof) -> Weight {
        // A block without the proof is no block: else a collator could withhold an output they dislike.
        let value = proof.read_optional_entry::<Option<[u8; 32]>>(CURRENT_BLOCK_RANDOMNESS);
        let value = value.expect("the collator proves the output of the relay parent").flatten();
        if let Some(data) = ValidationData::<Runtime>::get() {
            Self::note(data.relay_parent_number, value);
        }
        <Runtime as frame_system::Config>::DbWeight::get().reads_writes(3, 2)
    }
}

impl Randomness<Option<H256>, BlockNumber> for RelayVrf {
    /// The output that the parent of this block found.
    fn random(subject: &[u8]) -> (Option<H256>, BlockNumber) {
        let Some(output) = NewestOutput::get() else { return (None, 0) };
        let value = output.value.map(|it| H256(blake2_256(&(subject, it).encode())));
        // It may be used from the block after the one in which it was first known.
        (value, output.known_since.saturating_add(1))
    }
}
