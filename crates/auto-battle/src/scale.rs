//! SCALE for [`Bounded`]: the bytes of a vector, with the bound checked before anything is read.

use parity_scale_codec::{
    Compact, Decode, DecodeWithMemTracking, Encode, EncodeLike, Error, Input, MaxEncodedLen, Output,
};
use scale_info::{Type, TypeInfo};

use crate::Bounded;

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
