//! First states of the chain, by name.

use alloc::vec;
use alloc::vec::Vec;

use frame::deps::frame_support::build_struct_json_patch;
use frame::runtime::prelude::*;
use serde_json::Value;

use auto_battle_runtime_parts::{TreasuryAccount, development_purses};

use crate::{AutoBattleConfig, BalancesConfig, RuntimeGenesisConfig, SudoConfig};

/// The well-known accounts have money, the starter cards and the starter set are there.
fn development() -> Value {
    let alice = Sr25519Keyring::Alice.to_account_id();
    build_struct_json_patch!(RuntimeGenesisConfig {
        balances: BalancesConfig { balances: development_purses() },
        sudo: SudoConfig { key: Some(alice) },
        auto_battle: AutoBattleConfig { starter_creator: Some(TreasuryAccount::get()) },
    })
}

/// The JSON of a first state.
pub fn get_preset(id: &PresetId) -> Option<Vec<u8>> {
    let patch = match id.as_ref() {
        DEV_RUNTIME_PRESET | LOCAL_TESTNET_RUNTIME_PRESET => development(),
        _ => return None,
    };
    serde_json::to_vec(&patch).ok()
}

/// The names of all first states.
pub fn preset_names() -> Vec<PresetId> {
    vec![PresetId::from(DEV_RUNTIME_PRESET), PresetId::from(LOCAL_TESTNET_RUNTIME_PRESET)]
}
