//! The numbers a bot draws.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng as _, SeedableRng as _},
};

/// A stream of numbers from a seed.
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below a bound, each as likely as the others to within one in four billion.
    pub fn below(&mut self, bound: u32) -> u32 {
        let wide = u64::from(self.0.next_u32()) * u64::from(bound);
        u32::try_from(wide >> 32).unwrap_or(0)
    }

    /// A seed for a world.
    pub fn seed(&mut self) -> [u8; 32] {
        let mut seed = [0; 32];
        self.0.fill_bytes(&mut seed);
        seed
    }
}
