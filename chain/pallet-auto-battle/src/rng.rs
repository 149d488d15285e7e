//! Randomness: a call commits in a block, and a value that nobody knew in that block decides.
//!
//! Every block's value is kept when the block begins. A commit of block N is decided by the value of
//! block N + k, or, if that one was known at N already, by the first after it that was not. Reading
//! it later finds the same value, so nobody can wait for another one, and nobody has to reveal
//! anything, so everybody can judge.

use codec::Encode;
use frame::deps::sp_runtime::traits::{BlockNumberProvider as _, UniqueSaturatedInto as _};
use frame::prelude::{
    BlockNumberFor, CheckedDiv as _, Get as _, H256, Saturating, Zero as _, blake2_256, frame_system,
};
use frame::traits::Randomness;

use crate::types::{AccountIdOf, Commit, DrawnValue, DrawnValueOf, RunId};
use crate::{Config, DrawnValues, Error, Pallet, RngNonce};

/// Keeps these seeds apart from whatever else hashes the same values.
const DOMAIN: &[u8] = b"snapstack/auto-battle/seed/2";

/// The hash of the parent block, for chains without a better source.
///
/// The author of the parent knew it first and could throw that block away, for the price of a
/// block's reward; `docs/chain.md` says what that is worth.
pub struct ParentHashes<T>(core::marker::PhantomData<T>);

impl<T: frame_system::Config<Hash = H256>> Randomness<H256, BlockNumberFor<T>> for ParentHashes<T> {
    fn random(subject: &[u8]) -> (H256, BlockNumberFor<T>) {
        let parent = frame_system::Pallet::<T>::parent_hash();
        let known_since = frame_system::Pallet::<T>::block_number().saturating_sub(1_u32.into());
        (H256(blake2_256(&(subject, parent).encode())), known_since)
    }
}

/// The outputs of a verifiable random function that block authors put into their blocks, such as
/// BABE's `ParentBlockRandomness`, or those of a relay chain.
///
/// Such a source has no value for a block whose author drew none. The adapter passes that on as a
/// value that was always known, which decides nothing; a newer value does.
pub struct VrfOutputs<S>(core::marker::PhantomData<S>);

impl<S, BlockNumber> Randomness<H256, BlockNumber> for VrfOutputs<S>
where
    S: Randomness<Option<H256>, BlockNumber>,
    BlockNumber: Saturating + From<u32>,
{
    fn random(subject: &[u8]) -> (H256, BlockNumber) {
        match S::random(subject) {
            // The author of the parent block knew it when it made that block.
            (Some(value), block) => (value, block.saturating_sub(1_u32.into())),
            (None, _) => (H256::zero(), 0_u32.into()),
        }
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
    /// Keeps the value of the block that begins, or that of the block before if it is newer: a block
    /// for which the source has nothing must not look as if everything was known.
    pub(crate) fn keep_drawn_value() {
        let block = Self::now();
        let (value, known_since) = T::Randomness::random(DOMAIN);
        let drawn = DrawnValue { block, value, known_since };
        let before = Self::drawn_value(block.saturating_sub(1_u32.into())).ok();
        let newer = before.filter(|it| it.known_since > known_since).map(|it| DrawnValue { block, ..it });
        DrawnValues::<T>::insert(Self::slot_of(block), newer.unwrap_or(drawn));
    }

    /// Commits to randomness that nobody knows yet.
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
        let value = Self::decide(commit)?.value;
        let payload = (DOMAIN, value, who, run, round, commit.nonce, purpose).encode();
        let [a, b, c, d, e, f, g, h, ..] = blake2_256(&payload);
        Ok(u64::from_le_bytes([a, b, c, d, e, f, g, h]))
    }

    /// The value that decides a commit: the first from block N + k on that nobody knew at N.
    ///
    /// What is kept is known later and later, so the search halves the blocks that are left.
    pub(crate) fn decide(commit: Commit<BlockNumberFor<T>>) -> Result<DrawnValueOf<T>, Error<T>> {
        let earliest = commit.block.saturating_add(T::DecisionDelay::get());
        let now = Self::now();
        if now < earliest {
            return Err(Error::<T>::SeedNotKnown);
        }
        let is_unknown = |it: &DrawnValueOf<T>| it.known_since > commit.block;
        let first = Self::drawn_value(earliest)?;
        if is_unknown(&first) {
            return Ok(first);
        }
        let mut found = Self::drawn_value(now)?;
        if !is_unknown(&found) {
            return Err(Error::<T>::SeedNotKnown);
        }
        // `low` was known at N, `found` was not.
        let mut low = earliest;
        loop {
            let span = found.block.saturating_sub(low);
            let half: u32 = span.unique_saturated_into();
            let half = half.checked_div(2).unwrap_or(0);
            if half.is_zero() {
                return Ok(found);
            }
            let middle = Self::drawn_value(low.saturating_add(half.into()))?;
            match is_unknown(&middle) {
                true => found = middle,
                false => low = middle.block,
            }
        }
    }

    /// The value of a block, unless it is forgotten.
    fn drawn_value(block: BlockNumberFor<T>) -> Result<DrawnValueOf<T>, Error<T>> {
        let kept = DrawnValues::<T>::get(Self::slot_of(block));
        kept.filter(|it| it.block == block).ok_or(Error::<T>::RunExpired)
    }

    /// Where the value of a block is kept.
    pub(crate) fn slot_of(block: BlockNumberFor<T>) -> u32 {
        let memory: BlockNumberFor<T> = T::RandomnessMemory::get().max(1).into();
        // A number is not larger than what it is the remainder of.
        let whole = block.checked_div(&memory).unwrap_or_default().saturating_mul(memory);
        block.saturating_sub(whole).unique_saturated_into()
    }

    /// The number of the running block.
    pub(crate) fn now() -> BlockNumberFor<T> {
        frame_system::Pallet::<T>::block_number()
    }

    /// What time it is for deadlines.
    pub(crate) fn clock() -> BlockNumberFor<T> {
        T::BlockNumberProvider::current_block_number()
    }

    /// Is it more than `span` after `start`?
    pub(crate) fn is_past(start: BlockNumberFor<T>, span: BlockNumberFor<T>) -> bool {
        Self::clock() > start.saturating_add(span)
    }
}
