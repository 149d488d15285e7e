//! A trie full of entries, as a chain has it after years, so that proofs have the length they have
//! there.

use frame::traits::StorageInfo;
use sp_storage::Storage;

/// The bytes of a key after the prefix of its map, and of a value.
const KEY_BYTES: usize = 48;
const VALUE_BYTES: usize = 40;

/// Adds so many entries in all, spread over the maps of a runtime.
pub fn fill(storage: &mut Storage, infos: &[StorageInfo], n_entries: u32) {
    // A map has more than one value; a single value has its place already.
    let maps: Vec<_> = infos.iter().filter(|it| it.max_values != Some(1)).collect();
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for (_, map) in (0..n_entries).zip(maps.iter().cycle()) {
        let mut key = map.prefix.clone();
        key.extend(bytes(&mut state, KEY_BYTES));
        storage.top.insert(key, bytes(&mut state, VALUE_BYTES));
    }
}

/// Bytes that look like hashes.
fn bytes(state: &mut u64, n_bytes: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(n_bytes);
    while bytes.len() < n_bytes {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bytes.extend((*state ^ (*state >> 29)).to_le_bytes());
    }
    bytes.truncate(n_bytes);
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Storage, StorageInfo, fill};

    #[test]
    fn every_map_gets_its_share() {
        let info = |name: &str, max_values| StorageInfo {
            pallet_name: Vec::new(),
            storage_name: Vec::new(),
            prefix: name.as_bytes().to_vec(),
            max_values,
            max_size: None,
        };
        let mut storage = Storage::default();
        fill(&mut storage, &[info("a", None), info("b", Some(1)), info("c", Some(9))], 100);
        let n_of = |name: &str| storage.top.keys().filter(|it| it.starts_with(name.as_bytes())).count();
        assert_eq!((n_of("a"), n_of("b"), n_of("c")), (50, 0, 50));
    }
}
