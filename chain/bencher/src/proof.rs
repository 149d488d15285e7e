//! How large a proof can be: the most bytes of every value that is read or written, with its path in
//! a trie of a million entries, whatever the state was in which it was counted.

use frame::traits::StorageInfo;

/// Levels of a path: two that part pallets and their items, and as many as a million entries need.
const LEVELS: u64 = 2 + 5;

/// The most bytes of a level: fifteen hashes of neighbours with their lengths, and a head.
const LEVEL_BYTES: u64 = 15 * 33 + 40;

/// The most bytes of a path with the longest key at its end.
const PATH_BYTES: u64 = LEVELS * LEVEL_BYTES + 160;

/// What is known of the storage of a runtime.
pub struct ProofBound {
    infos: Vec<StorageInfo>,
}

impl ProofBound {
    /// The bound of a runtime's storage.
    pub fn new(infos: Vec<StorageInfo>) -> Self {
        Self { infos }
    }

    /// The most bytes that a proof has of what was read and written; items that every block has anyway
    /// do not count.
    ///
    /// What is counted comes by item: how many of its keys were read, and how many written. A value that
    /// is read is in the proof with its path; one that is only written is there by its path.
    pub fn of(&self, counted: &[(Vec<u8>, u32, u32, bool)]) -> u64 {
        let counted = counted.iter().filter(|(.., is_known)| !is_known);
        counted.map(|(item, reads, writes, _)| self.of_item(item, u64::from(*reads), u64::from(*writes))).sum()
    }

    fn of_item(&self, item: &[u8], n_reads: u64, n_writes: u64) -> u64 {
        let info = self.infos.iter().find(|it| item.starts_with(&it.prefix));
        // An item without a bound is not one that a call of a pallet may read.
        let value = info.and_then(|it| it.max_size).map_or(0, u64::from);
        n_reads * (PATH_BYTES + value) + n_writes * PATH_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::{PATH_BYTES, ProofBound};
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
        let item = |name: &str, reads, writes, is_known| (name.as_bytes().to_vec(), reads, writes, is_known);
        assert_eq!(bound.of(&[item("runs", 1, 0, false)]), PATH_BYTES + 1_000);
        assert_eq!(bound.of(&[item("runs", 3, 2, false)]), 5 * PATH_BYTES + 3_000);
        assert_eq!(bound.of(&[item("runs", 1, 1, true), item("else", 1, 0, false)]), PATH_BYTES);
    }
}
