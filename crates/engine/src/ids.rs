//! The numbers things get during a match.

use parity_scale_codec::{Decode, Encode};

/// Defines a newtype over a fixed-width integer with a `NONE` value.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident($int:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
        pub struct $name(pub $int);

        impl $name {
            /// Stands for "no such thing".
            pub const NONE: Self = Self(<$int>::MAX);

            /// The position in its table.
            pub fn index(self) -> usize {
                usize::try_from(self.0).unwrap_or(usize::MAX)
            }

            /// Whether this names something.
            pub fn is_some(self) -> bool {
                self != Self::NONE
            }

            /// Whether this names nothing.
            pub fn is_none(self) -> bool {
                self == Self::NONE
            }

            /// Makes a number from a table position.
            pub fn at(index: usize) -> Self {
                <$int>::try_from(index).map_or(Self::NONE, Self)
            }
        }

        impl From<$name> for i64 {
            fn from(id: $name) -> i64 {
                if id.is_none() { ruleset::NULL } else { i64::from(id.0) }
            }
        }

        impl From<i64> for $name {
            fn from(value: i64) -> Self {
                <$int>::try_from(value).map_or(Self::NONE, Self)
            }
        }
    };
}

id!(/// A card or player of a match. Players come first: seat 0 is entity 0.
    EntityId(u32));
id!(/// A seat.
    PlayerId(u8));
id!(/// An event, fact or stack row, in the order they came to be.
    EventNo(u32));
id!(/// An open question.
    InputNo(u32));

impl From<PlayerId> for EntityId {
    fn from(player: PlayerId) -> Self {
        if player.is_none() { Self::NONE } else { Self(u32::from(player.0)) }
    }
}

impl PlayerId {
    /// The bit of this seat in a set of players.
    pub fn bit(self) -> u16 {
        1_u16.checked_shl(u32::from(self.0)).unwrap_or(0)
    }
}
