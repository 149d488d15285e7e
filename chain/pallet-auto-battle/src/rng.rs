//! Randomness: a call commits to a block whose hash nobody knows yet, and later calls read it.

use codec::Encode;
use frame::prelude::{BlockNumberFor, Get as _, H256, Saturating, blake2_256, frame_system};

use crate::types::{AccountIdOf, Commit, RunId};
use crate::{Config, Error, Pallet, RngNonce};

/// Keeps these seeds apart from whatever else hashes the same values.
const DOMAIN: &[u8] = b"snapstack/auto-battle/seed/1";

/// Where randomness comes from.
///
/// A chain with a verifiable source plugs it in here; [`BlockHashes`] is open to a block author who
/// throws blocks away until one suits him.
pub trait CommitRandomness<BlockNumber> {
    /// What decides a commit that was made in this block: nothing while it is not known yet, and
    /// nothing once it is forgotten.
    fn of_block(block: BlockNumber) -> Option<H256>;

    /// For how many blocks it is remembered.
    fn memory() -> BlockNumber;
}

/// The hash of the block in which the commit was made.
pub struct BlockHashes<T>(core::marker::PhantomData<T>);

impl<T: frame_system::Config<Hash = H256>> CommitRandomness<BlockNumberFor<T>> for BlockHashes<T> {
    fn of_block(block: BlockNumberFor<T>) -> Option<H256> {
        // The hash of the running block, and of one long gone, reads as zero.
        let hash = frame_system::Pallet::<T>::block_hash(block);
        (hash != H256::zero()).then_some(hash)
    }

    fn memory() -> BlockNumberFor<T> {
        T::BlockHashCount::get()
    }
}

/// What a seed is for; no two uses share one.
#[derive(Clone, Copy, Encode)]
pub(crate) enum Purpose {
    Deck,
    Battle,
    Ghost,
}

impl<T: Config> Pallet<T> {
    /// Commits to randomness that is known from the next block on.
    pub(crate) fn commit(who: &AccountIdOf<T>) -> Commit<BlockNumberFor<T>> {
        let nonce = RngNonce::<T>::mutate(who, |it| {
            it.saturating_inc();
            *it
        });
        Commit { block: Self::now(), nonce }
    }

    /// The seed of a commit.
    pub(crate) fn seed(
        who: &AccountIdOf<T>,
        run: RunId,
        round: u32,
        commit: Commit<BlockNumberFor<T>>,
        purpose: Purpose,
    ) -> Result<u64, Error<T>> {
        let unknown = || match Self::now() <= commit.block {
            true => Error::<T>::SeedNotKnown,
            false => Error::<T>::RunExpired,
        };
        let randomness = T::Randomness::of_block(commit.block).ok_or_else(unknown)?;
        let payload = (DOMAIN, randomness, who, run, round, commit.nonce, purpose).encode();
        let [a, b, c, d, e, f, g, h, ..] = blake2_256(&payload);
        Ok(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }

    pub(crate) fn now() -> BlockNumberFor<T> {
        frame_system::Pallet::<T>::block_number()
    }

    /// Is this block more than `span` blocks after `start`?
    pub(crate) fn is_past(start: BlockNumberFor<T>, span: BlockNumberFor<T>) -> bool {
        Self::now() > start.saturating_add(span)
    }
}
