//! The random stream of decks and battles: a 32-bit xorshift, pinned by test vectors.
//!
//! Its numbers are rules: to change one is to change every battle that was ever judged.

#[cfg(feature = "scale")]
use parity_scale_codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
#[cfg(feature = "scale")]
use scale_info::TypeInfo;

/// A stream of random numbers; equal seeds give equal streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub struct Rng {
    state: u32,
}

impl Rng {
    /// Starts the stream of a seed; a seed whose halves cancel out counts as 1.
    pub const fn from_seed(seed: u64) -> Self {
        let [a, b, c, d, e, f, g, h] = seed.to_le_bytes();
        let state = u32::from_le_bytes([a ^ e, b ^ f, c ^ g, d ^ h]);
        Self { state: if state == 0 { 1 } else { state } }
    }

    /// Draws the next number.
    pub const fn draw(&mut self) -> u32 {
        let mut x = self.state;
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        self.state = x;
        x
    }

    /// Draws a number below `n`, by remainder as the rules say; one draw even for `n` of 0 or 1.
    pub const fn below(&mut self, n: u32) -> u32 {
        match self.draw().checked_rem(n) {
            Some(number) => number,
            None => 0,
        }
    }

    /// Shuffles from the last item to the second, each with one at or before it.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let n = u32::try_from(last).unwrap_or(u32::MAX).saturating_add(1);
            let other = usize::try_from(self.below(n)).unwrap_or(0);
            items.swap(last, other);
        }
    }
}

#[cfg(feature = "scale")]
impl Decode for Rng {
    fn decode<I: parity_scale_codec::Input>(input: &mut I) -> Result<Self, parity_scale_codec::Error> {
        match u32::decode(input)? {
            0 => Err("a random stream never stands at zero".into()),
            state => Ok(Self { state }),
        }
    }
}
