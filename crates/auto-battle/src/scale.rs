//! SCALE for [`Bounded`] and [`Pool`]: the bytes of a vector, with the bound checked before anything
//! is read.

use alloc::vec::Vec;

use parity_scale_codec::{
    Compact, Decode, DecodeWithMemTracking, Encode, EncodeLike, Error, Input, MaxEncodedLen, Output,
};
use scale_info::{Type, TypeInfo};

use crate::{Bounded, Card, POOL_CARDS_MAX, Pool};

impl<T: Encode, const N: usize> Encode for Bounded<T, N> {
    fn size_hint(&self) -> usize {
        self.as_ref().size_hint()
    }

    fn encode_to<O: Output + ?Sized>(&self, dest: &mut O) {
        let items: &[T] = self;
        items.encode_to(dest);
    }
}

impl<T: Encode, const N: usize> EncodeLike for Bounded<T, N> {}

impl<T: Decode + Default, const N: usize> Decode for Bounded<T, N> {
    fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
        let Compact(len) = Compact::<u32>::decode(input)?;
        let mut list = Self::new();
        for _ in 0..len {
            if list.is_full() {
                return Err("list is longer than its bound".into());
            }
            let _ = list.push(T::decode(input)?);
        }
        Ok(list)
    }
}

impl<T: DecodeWithMemTracking + Default, const N: usize> DecodeWithMemTracking for Bounded<T, N> {}

impl<T: MaxEncodedLen, const N: usize> MaxEncodedLen for Bounded<T, N> {
    fn max_encoded_len() -> usize {
        let len = u32::try_from(N).unwrap_or(u32::MAX);
        N.saturating_mul(T::max_encoded_len()).saturating_add(Compact(len).encoded_size())
    }
}

impl<T: TypeInfo + 'static, const N: usize> TypeInfo for Bounded<T, N> {
    type Identity = [T];

    fn type_info() -> Type {
        <[T]>::type_info()
    }
}

impl Encode for Pool {
    fn size_hint(&self) -> usize {
        self.cards().size_hint()
    }

    fn encode_to<O: Output + ?Sized>(&self, dest: &mut O) {
        self.cards().encode_to(dest);
    }
}

impl EncodeLike for Pool {}

impl Decode for Pool {
    fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
        let Compact(n_cards) = Compact::<u32>::decode(input)?;
        let n_cards = usize::try_from(n_cards).unwrap_or(usize::MAX);
        if n_cards > POOL_CARDS_MAX {
            return Err("pool is longer than its bound".into());
        }
        input.on_before_alloc_mem(n_cards.saturating_mul(size_of::<Card>()))?;
        let mut cards = Vec::new();
        for _ in 0..n_cards {
            cards.push(Card::decode(input)?);
        }
        Self::check(cards).map_err(|_| "cards are not a pool".into())
    }
}

impl DecodeWithMemTracking for Pool {}

impl MaxEncodedLen for Pool {
    fn max_encoded_len() -> usize {
        // The bytes of a list with the same bound.
        Bounded::<Card, POOL_CARDS_MAX>::max_encoded_len()
    }
}

impl TypeInfo for Pool {
    type Identity = [Card];

    fn type_info() -> Type {
        <[Card]>::type_info()
    }
}
