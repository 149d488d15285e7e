//! How large a proof can be: the most bytes of every value that is read or written, with its path in
//! a trie of a million entries, whatever the state was in which it was counted.

use frame::traits::StorageInfo;

/// Levels of a path: two that part pallets and their items, and as many as a million entries need.
const LEVELS: u64 = 2 + 5;

/// The most bytes of a level: fifteen hashes of neighbours with their lengths, and a head.
const LEVEL_BYTES: u64 = 15 * 33 + 40;

/// What is known of the storage of a runtime.
pub struct ProofBound {
    infos: Vec<StorageInfo>,
}

impl ProofBound {
    /// The bound of a runtime's storage.
    pub fn new(infos: Vec<StorageInfo>) -> Self {
        Self { infos }
    }

    /// The most bytes that a proof of these keys has; those that every block has anyway do not count.
    pub fn of(&self, keys: &[(Vec<u8>, u32, u32, bool)]) -> u64 {
        let counted = keys.iter().filter(|(_, reads, writes, is_known)| !is_known && reads + writes > 0);
        counted.map(|(key, ..)| self.of_key(key)).sum()
    }

    fn of_key(&self, key: &[u8]) -> u64 {
        let info = self.infos.iter().find(|it| key.starts_with(&it.prefix));
        // An item without a bound is not one that a call of a pallet may read.
        let value = info.and_then(|it| it.max_size).map_or(0, u64::from);
        LEVELS * LEVEL_BYTES + key.len() as u64 + value
    }
}

#[cfg(test)]
mod tests {
    use super::{LEVEL_BYTES, LEVELS, ProofBound};
    use frame::traits::StorageInfo;

    #[test]
    fn a_proof_has_the_largest_values_with_their_paths() {
        let info = StorageInfo {
            pallet_name: b"Game".to_vec(),
            storage_name: b"Runs".to_vec(),
            prefix: b"runs".to_vec(),
            max_values: None,
            max_size: Some(1_000),
        };
        let bound = ProofBound::new(vec![info]);
        let key = |name: &str, reads, writes, is_known| (name.as_bytes().to_vec(), reads, writes, is_known);
        let path = LEVELS * LEVEL_BYTES;
        assert_eq!(bound.of(&[key("runs/1", 1, 0, false)]), path + 6 + 1_000);
        assert_eq!(bound.of(&[key("runs/1", 0, 1, false), key("runs/2", 1, 1, false)]), 2 * (path + 6 + 1_000));
        assert_eq!(bound.of(&[key("runs/1", 1, 0, true), key("runs/2", 0, 0, false)]), 0);
        assert_eq!(bound.of(&[key("else", 1, 0, false)]), path + 4);
    }
}
