//! The benchmarks that weights are made from.

use alloc::string::String;
use alloc::vec::Vec;

use frame::deps::frame_benchmarking::{BenchmarkBatch, BenchmarkConfig, BenchmarkList, define_benchmarks};
use frame::traits::{StorageInfo, StorageInfoTrait as _, WhitelistedStorageKeys as _};

use crate::{AllPalletsWithSystem, AutoBattle};

define_benchmarks!([pallet_auto_battle, AutoBattle]);

/// What can be measured.
pub fn list(extra: bool) -> (Vec<BenchmarkList>, Vec<StorageInfo>) {
    let mut list = Vec::new();
    list_benchmarks!(list, extra);
    (list, AllPalletsWithSystem::storage_info())
}

/// Measures.
pub fn run(config: BenchmarkConfig) -> Result<Vec<BenchmarkBatch>, String> {
    let whitelist = AllPalletsWithSystem::whitelisted_storage_keys();
    let mut batches = Vec::new();
    let params = (&config, &whitelist);
    add_benchmarks!(params, batches);
    Ok(batches)
}
