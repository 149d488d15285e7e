//! The numbers that names become when a ruleset is lowered. Owns no tables; those are in `program`.

use parity_scale_codec::{Decode, Encode};

/// Defines a newtype over a fixed-width integer with a `NONE` value.
#[macro_export]
macro_rules! id {
    ($(#[$doc:meta])* $name:ident($int:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
        pub struct $name(pub $int);

        impl $name {
            /// Stands for "no such thing".
            pub const NONE: Self = Self(<$int>::MAX);

            /// Makes an id from a table position; positions beyond the range become [`Self::NONE`].
            pub fn at(index: usize) -> Self {
                <$int>::try_from(index).map_or(Self::NONE, Self)
            }

            /// The position in its table.
            #[inline]
            pub fn index(self) -> usize {
                usize::try_from(self.0).unwrap_or(usize::MAX)
            }

            /// Whether this names something.
            #[inline]
            pub fn is_some(self) -> bool {
                self != Self::NONE
            }

            /// Whether this names nothing.
            #[inline]
            pub fn is_none(self) -> bool {
                self == Self::NONE
            }
        }

        impl From<$name> for i64 {
            #[inline]
            fn from(id: $name) -> i64 {
                if id.is_none() { $crate::NULL } else { i64::from(id.0) }
            }
        }

        impl From<i64> for $name {
            #[inline]
            fn from(value: i64) -> Self {
                <$int>::try_from(value).map_or(Self::NONE, Self)
            }
        }
    };
}

id!(/// An event type declared in a ruleset, or one of the engine's own.
    EventTypeId(u16));
id!(/// A reaction, activated ability or continuous effect; the number is its declaration ordinal.
    RuleId(u16));
id!(/// An action players can take.
    ActionId(u16));
id!(/// A kind of zone; each player has an instance of it unless it is shared.
    ZoneId(u16));
id!(/// An attribute of cards, players or both.
    AttrId(u16));
id!(/// A card definition.
    DefId(u16));
id!(/// A card type.
    TypeId(u16));
id!(/// A keyword.
    KeywordId(u16));
id!(/// A phase of a turn.
    PhaseId(u16));
id!(/// A step of a turn, counted over all phases.
    StepId(u16));
id!(/// The name of an ability; two cards may have abilities of one name.
    AbilityId(u16));
id!(/// A question an effect list can ask.
    AskId(u16));
id!(/// A pause an effect list can make.
    TimerId(u16));
id!(/// A compiled selector.
    SelectId(u16));
id!(/// Where an instruction stands in the program's code.
    CodePtr(u32));
