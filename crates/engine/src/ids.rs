//! The numbers things get during a match.

use parity_scale_codec::{Decode, Encode};
use ruleset::id;

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
    #[inline]
    pub fn bit(self) -> u16 {
        1_u16.checked_shl(u32::from(self.0)).unwrap_or(0)
    }
}
