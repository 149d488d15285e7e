//! The hash chain of a match: every transition commits to all before it.

use blake2::{Blake2b, Digest as _, digest::consts::U32};

use crate::rows::{MatchId, Transition};

/// A blake2 hash of 256 bits.
pub type Hash = [u8; 32];

/// The hash of some parts, each with its length, so that no two lists of parts look alike.
pub fn hash_parts(parts: &[&[u8]]) -> Hash {
    let mut hasher = Blake2b::<U32>::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// What the chain of a match begins with.
pub fn genesis(id: &MatchId, game: &str, rules: &Hash) -> Hash {
    hash_parts(&[b"match", id.0.as_bytes(), game.as_bytes(), rules])
}

/// The hash of a transition, of everything in it and of the one before.
pub fn hash_of(it: &Transition) -> Hash {
    let command_id = it.command_id.as_deref().map(str::as_bytes);
    hash_parts(&[
        &it.previous,
        it.match_id.0.as_bytes(),
        &it.seq.to_le_bytes(),
        &[u8::from(command_id.is_some())],
        command_id.unwrap_or_default(),
        &it.request,
        &it.command,
        &it.events,
        &it.note,
        &it.at.to_le_bytes(),
    ])
}

impl Transition {
    /// The transition with its hash, as the one after a given hash.
    pub fn chained(mut self, previous: Hash) -> Self {
        self.previous = previous;
        self.hash = hash_of(&self);
        self
    }
}
