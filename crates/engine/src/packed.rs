//! Lists of numbers as the log has them: seven bits to a byte, since most of them are small.

use alloc::vec::Vec;

use parity_scale_codec::{Compact, Decode, Encode, Error, Input, Output};

/// A list to be written.
#[derive(Clone, Copy, Debug)]
pub struct PackedRef<'l>(pub &'l [i64]);

/// A list that was read.
#[derive(Clone, Debug)]
pub struct Packed(pub Vec<i64>);

/// A bit that says that more bytes follow.
const MORE: u8 = 0x80;

impl Encode for PackedRef<'_> {
    #[inline(always)]
    fn encode_to<O: Output + ?Sized>(&self, out: &mut O) {
        Compact(u32::try_from(self.0.len()).unwrap_or(u32::MAX)).encode_to(out);
        self.0.iter().for_each(|it| write(fold_sign(*it), out));
    }
}

impl From<Packed> for Vec<i64> {
    fn from(list: Packed) -> Self {
        list.0
    }
}

impl Decode for Packed {
    fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
        let n = Compact::<u32>::decode(input)?.0;
        let mut values = Vec::new();
        for _ in 0..n {
            values.push(unfold_sign(read(input)?));
        }
        Ok(Self(values))
    }
}

/// Small numbers of either sign become small ones without, and nothing, the smallest of all, becomes 0.
fn fold_sign(value: i64) -> u64 {
    (value.wrapping_shl(1) ^ value.wrapping_shr(63)).cast_unsigned().wrapping_add(1)
}

fn unfold_sign(code: u64) -> i64 {
    let code = code.wrapping_sub(1);
    code.wrapping_shr(1).cast_signed() ^ (code & 1).cast_signed().wrapping_neg()
}

fn write<O: Output + ?Sized>(mut code: u64, out: &mut O) {
    while code >= u64::from(MORE) {
        out.push_byte(low_byte(code) | MORE);
        code >>= 7;
    }
    out.push_byte(low_byte(code));
}

/// The lowest seven bits.
fn low_byte(code: u64) -> u8 {
    code.to_le_bytes()[0] & !MORE
}

fn read<I: Input>(input: &mut I) -> Result<u64, Error> {
    let mut code = 0_u64;
    for shift in (0..u64::BITS).step_by(7) {
        let byte = input.read_byte()?;
        let part = u64::from(byte & !MORE);
        let shifted = part.wrapping_shl(shift);
        if shifted.wrapping_shr(shift) != part {
            return Err("a number is too large".into());
        }
        code |= shifted;
        if byte & MORE == 0 {
            // There is one way to write a number.
            let is_padded = byte == 0 && shift > 0;
            return if is_padded { Err("a number is longer than it need be".into()) } else { Ok(code) };
        }
    }
    Err("a number is too long".into())
}

#[cfg(test)]
mod tests {
    use ruleset::NULL;

    use super::*;

    #[test]
    fn every_list_comes_back_as_it_was() {
        let values = [NULL, NULL + 1, -300, -1, 0, 1, 63, 64, 127, 128, 1 << 40, i64::MAX - 1, i64::MAX];
        let bytes = PackedRef(&values).encode();
        assert_eq!(Packed::decode(&mut &bytes[..]).map(|it| it.0), Ok(values.to_vec()));
        assert_eq!(PackedRef(&[NULL, 0, -1, 1]).encode(), [16, 0, 1, 2, 3], "small numbers take a byte");
    }

    #[test]
    fn what_could_be_written_shorter_or_does_not_fit_is_refused() {
        for bytes in
            [&[4, 0x81, 0][..], &[4, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], &[4], &[8, 1]]
        {
            assert!(Packed::decode(&mut &bytes[..]).is_err(), "{bytes:?}");
        }
    }
}
