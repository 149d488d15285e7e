//! Random numbers: a key, a stream and a position give one logical number, whatever happens inside it.
//! The stream is pinned by tests, because changing it is a change of every game.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::{
    ids::PlayerId,
    state::{Head, STREAMS},
};

/// The stream of a player, or of all where there is none.
pub fn stream_of(player: PlayerId) -> u8 {
    let public = u8::try_from(STREAMS.saturating_sub(1)).unwrap_or(u8::MAX);
    if player.is_none() { public } else { player.0.min(public) }
}

/// The generator of one logical random number; `ahead` are those taken but not folded yet.
pub fn generator(head: &Head, stream: u8, ahead: u32) -> ChaCha8Rng {
    let position = head.rng.get(usize::from(stream)).copied().unwrap_or(0).saturating_add(ahead);
    let mut rng = ChaCha8Rng::from_seed(head.key);
    // Each logical number has a stream of the cipher to itself, so rejected tries shift no other number.
    rng.set_stream((u64::from(stream) << 56) | (u64::from(head.epoch & 0x00ff_ffff) << 32) | u64::from(position));
    rng
}

/// A number below a bound, without favour; 0 for a bound of 0.
pub fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    let Some(top) = u64::MAX.checked_rem(bound) else {
        return 0;
    };
    let limit = u64::MAX.saturating_sub(top);
    loop {
        let value = rng.next_u64();
        // Everything from the last incomplete round of the bound on would favour small results.
        if value < limit || top == bound.saturating_sub(1) {
            return value.checked_rem(bound).unwrap_or(0);
        }
    }
}

/// Puts a list into random order.
pub fn shuffle(rng: &mut ChaCha8Rng, items: &mut [i64]) {
    for i in (1..items.len()).rev() {
        let bound = u64::try_from(i).unwrap_or(u64::MAX).saturating_add(1);
        let j = usize::try_from(below(rng, bound)).unwrap_or(0);
        items.swap(i, j);
    }
}
