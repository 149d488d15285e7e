//! First states of the chain, by name.

use alloc::vec;
use alloc::vec::Vec;

use frame::deps::frame_support::build_struct_json_patch;
use frame::runtime::prelude::*;
use serde_json::Value;

use crate::auto_battle_config::TreasuryAccount;
use crate::{AccountId, AutoBattleConfig, Balance, BalancesConfig, RuntimeGenesisConfig, SudoConfig, UNIT};

/// What the well-known accounts of a development chain have.
const PURSE: Balance = 1_000_000 * UNIT;

fn genesis(purses: Vec<(AccountId, Balance)>) -> Value {
    let alice = Sr25519Keyring::Alice.to_account_id();
    build_struct_json_patch!(RuntimeGenesisConfig {
        balances: BalancesConfig { balances: purses },
        sudo: SudoConfig { key: Some(alice) },
        auto_battle: AutoBattleConfig { starter_creator: Some(TreasuryAccount::get()) },
    })
}

/// The well-known accounts have money, the starter cards and the starter set are there.
fn development() -> Value {
    let accounts = Sr25519Keyring::iter().map(|it| it.to_account_id()).chain([TreasuryAccount::get()]);
    genesis(accounts.map(|it| (it, PURSE)).collect())
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
