//! Random numbers: a key, an epoch and a position give one number, the same on every machine.
//! The stream is pinned by a test, because changing it changes every game.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

/// Where the random numbers of a match come from.
#[derive(Clone, Debug)]
pub struct Dice {
    key: [u8; 32],
    /// Grows when a takeback passes a random number, so that it does not come again.
    pub epoch: u32,
    /// How many numbers were taken.
    pub position: u32,
}

impl Dice {
    /// The numbers of a seed, from the beginning.
    pub fn new(key: [u8; 32]) -> Self {
        Dice { key, epoch: 0, position: 0 }
    }

    /// Takes the generator of the next number; each has a stream of the cipher to itself.
    fn next(&mut self) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::from_seed(self.key);
        rng.set_stream((u64::from(self.epoch) << 32) | u64::from(self.position));
        self.position = self.position.saturating_add(1);
        rng
    }

    /// Takes a number below a bound; 0 for a bound of 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        below(&mut self.next(), bound)
    }

    /// Puts a list into random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        let mut rng = self.next();
        for i in (1..items.len()).rev() {
            let bound = u64::try_from(i).unwrap_or(u64::MAX).saturating_add(1);
            items.swap(i, usize::try_from(below(&mut rng, bound)).unwrap_or(0));
        }
    }
}

/// Takes a number below a bound, without favour.
fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    // The numbers from the last incomplete round on would favour small results: 2^64 mod bound of them.
    let Some(excess) = 0_u64.wrapping_sub(bound).checked_rem(bound) else { return 0 };
    loop {
        let value = rng.next_u64();
        if value <= u64::MAX.saturating_sub(excess) {
            return value.checked_rem(bound).unwrap_or(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Dice;

    #[test]
    fn the_stream_is_pinned_because_changing_it_changes_every_game() {
        let mut dice = Dice::new([7; 32]);
        let rolls: [u64; 6] = core::array::from_fn(|_| dice.below(6));
        let mut cards = [0, 1, 2, 3, 4, 5, 6, 7];
        dice.shuffle(&mut cards);
        dice.epoch = 1;
        assert_eq!((rolls, cards, dice.below(1000), dice.position), PINNED);
    }

    const PINNED: ([u64; 6], [i32; 8], u64, u32) = ([4, 4, 0, 1, 2, 5], [6, 3, 2, 1, 5, 7, 4, 0], 302, 8);

    #[test]
    fn bounds_hold_at_their_edges() {
        let mut dice = Dice::new([7; 32]);
        assert_eq!((dice.below(0), dice.below(1)), (0, 0));
        assert!((0..100).all(|_| dice.below(u64::MAX) < u64::MAX));
    }
}
