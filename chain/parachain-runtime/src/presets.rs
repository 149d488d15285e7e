//! First states of the chain, by name.

use alloc::vec;
use alloc::vec::Vec;

use auto_battle_runtime_parts::{development_purses, TreasuryAccount};
use cumulus_primitives_core::ParaId;
use frame::deps::frame_support::build_struct_json_patch;
use frame::runtime::prelude::*;
use serde_json::Value;

use crate::{
    AutoBattleConfig, BalancesConfig, CollatorSelectionConfig, ParachainInfoConfig, RuntimeGenesisConfig,
    SessionConfig, SessionKeys, SudoConfig, UNIT,
};

/// The number of the parachain in its relay chain, until an operator has one.
pub const PARA_ID: u32 = 2_000;

/// The well-known accounts have money, some of them make blocks, and the starter set is there.
fn with_collators(collators: &[Sr25519Keyring]) -> Value {
    let alice = Sr25519Keyring::Alice.to_account_id();
    let keys = |it: &Sr25519Keyring| (it.to_account_id(), it.to_account_id(), SessionKeys { aura: it.public().into() });
    build_struct_json_patch!(RuntimeGenesisConfig {
        balances: BalancesConfig { balances: development_purses() },
        parachain_info: ParachainInfoConfig { parachain_id: ParaId::from(PARA_ID) },
        collator_selection: CollatorSelectionConfig {
            invulnerables: collators.iter().map(|it| it.to_account_id()).collect::<Vec<_>>(),
            candidacy_bond: 100 * UNIT,
        },
        session: SessionConfig { keys: collators.iter().map(keys).collect::<Vec<_>>() },
        sudo: SudoConfig { key: Some(alice) },
        auto_battle: AutoBattleConfig { starter_creator: Some(TreasuryAccount::get()) },
    })
}

/// The JSON of a first state.
pub fn get_preset(id: &PresetId) -> Option<Vec<u8>> {
    let patch = match id.as_ref() {
        DEV_RUNTIME_PRESET => with_collators(&[Sr25519Keyring::Alice]),
        LOCAL_TESTNET_RUNTIME_PRESET => with_collators(&[Sr25519Keyring::Alice, Sr25519Keyring::Bob]),
        _ => return None,
    };
    serde_json::to_vec(&patch).ok()
}

/// The names of all first states.
pub fn preset_names() -> Vec<PresetId> {
    vec![PresetId::from(DEV_RUNTIME_PRESET), PresetId::from(LOCAL_TESTNET_RUNTIME_PRESET)]
}
