//! What players and the host ask of a match.

use alloc::vec::Vec;

use parity_scale_codec::{Decode, Encode};
use ruleset::ActionId;

use crate::ids::{EntityId, EventNo, InputNo, PlayerId};

/// What a player or the host asks.
pub type Command = CommandOf<Vec<Vec<i64>>, Vec<i64>>;

/// A command. `T` is how targets are held, `V` how values are: owned, or borrowed from a list of moves.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum CommandOf<T, V> {
    /// Take an action, with what fills each slot; an ability's own slots follow the action's.
    Act { player: PlayerId, action: ActionId, targets: T },
    /// Do nothing now.
    Pass { player: PlayerId },
    /// Do nothing more in this turn, where that is allowed.
    EndTurn { player: PlayerId },
    /// Answer a question; an answer that is not confirmed may be a draft.
    Answer { player: PlayerId, input: InputNo, values: V, confirm: bool },
    /// Put the cards of an own zone in another order, from the bottom.
    Reorder { player: PlayerId, cards: Vec<EntityId> },
    /// Take back one's own last command, if nothing came of it that one could not know.
    Undo { player: PlayerId },
    /// Take back to a version, agreed by all players.
    Takeback { to: u32 },
    /// `system.control`.
    Control(Control),
}

/// The verbs of `system.control`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Control {
    /// A player gives up.
    Concede(PlayerId),
    /// The time to answer ran out.
    Timeout(InputNo),
    /// A pause is over.
    Timer,
    /// A player's connection went.
    Disconnect(PlayerId),
    /// A player's connection came back.
    Reconnect(PlayerId),
    /// The match stands still.
    Pause,
    /// The match goes on.
    Resume,
    /// A row of the stack, and all above it, is dropped.
    DropItem(EventNo),
    /// The match does not count.
    Void,
    /// A player is put out.
    Kick(PlayerId),
    /// The match ends with these winners, a bit each.
    SetResult(u16),
}

impl Control {
    /// The verb's name in messages.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Concede(_) => "concede",
            Self::Timeout(_) => "timeout",
            Self::Timer => "timer",
            Self::Disconnect(_) => "disconnect",
            Self::Reconnect(_) => "reconnect",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::DropItem(_) => "drop_item",
            Self::Void => "void",
            Self::Kick(_) => "kick",
            Self::SetResult(_) => "set_result",
        }
    }

    /// Whether only a moderator may use it.
    pub fn needs_moderator(&self) -> bool {
        match self {
            Self::Concede(_) | Self::Timeout(_) | Self::Timer | Self::Disconnect(_) | Self::Reconnect(_) => false,
            Self::Pause | Self::Resume | Self::DropItem(_) | Self::Void | Self::Kick(_) | Self::SetResult(_) => true,
        }
    }

    /// The verb's number in events.
    pub fn number(&self) -> i64 {
        i64::from(self.encode().first().copied().unwrap_or(0))
    }

    /// The player it is about.
    pub fn player(&self) -> PlayerId {
        match self {
            Self::Concede(player) | Self::Disconnect(player) | Self::Reconnect(player) | Self::Kick(player) => *player,
            Self::Timeout(_)
            | Self::Timer
            | Self::Pause
            | Self::Resume
            | Self::DropItem(_)
            | Self::Void
            | Self::SetResult(_) => PlayerId::NONE,
        }
    }
}

impl<T, V> CommandOf<T, V> {
    /// The player who asks, if it is one.
    pub fn player(&self) -> Option<PlayerId> {
        match self {
            Self::Act { player, .. }
            | Self::Pass { player }
            | Self::EndTurn { player }
            | Self::Answer { player, .. }
            | Self::Reorder { player, .. }
            | Self::Undo { player } => Some(*player),
            Self::Takeback { .. } | Self::Control(_) => None,
        }
    }
}
