//! Why a command was refused. A player's mistake, never an error of the match: nothing changed.

use core::fmt;

use crate::ids::{EntityId, PlayerId};

/// Why a command was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The ruleset has no such action.
    UnknownAction,
    /// There is no such player.
    UnknownPlayer,
    /// No such question is open.
    UnknownInput,
    /// The question was put to others.
    NotAsked,
    /// The player has answered for good.
    AlreadyAnswered,
    /// A question must be answered first.
    InputPending,
    /// Nobody may act now.
    NotInWindow,
    /// Somebody else may act now.
    NotYourPriority { holder: PlayerId },
    /// This action needs the player's own turn and an empty stack.
    NotAtThisTime,
    /// Something that must hold does not; counted from the first precondition.
    PreconditionFailed { index: u8 },
    /// A slot has too few or too many.
    WrongTargetCount { slot: u8, min: u16, max: u16, got: u16 },
    /// Something cannot fill a slot.
    IllegalTarget { slot: u8, target: i64 },
    /// The costs cannot be paid.
    CannotPay,
    /// An answer names what was not offered.
    NotInChoices { value: i64 },
    /// An answer names too few or too many.
    WrongCount { min: u16, max: u16, got: u16 },
    /// The match does not wait for such a timer.
    NoSuchTimer,
    /// The match is over.
    MatchOver,
    /// The match stands still until a moderator lets it go on.
    MatchPaused,
    /// The match does not stand still.
    NotPaused,
    /// There is no such row on the stack.
    NoSuchItem,
    /// There is nothing the player may take back by himself.
    CannotUndo,
    /// The ruleset does not let players take back.
    UndoForbidden,
    /// The cards are not exactly those of a zone the player may put in order.
    IllegalReorder { card: EntityId },
    /// The number of players does not fit the ruleset.
    WrongPlayerCount { min: u8, max: u8, got: u8 },
    /// A deck has a card the ruleset does not know, or one that can only be created.
    IllegalDeck { seat: PlayerId },
    /// The engine could not work out whether this is legal; the rules ran into a limit.
    Broken,
}

impl Rejection {
    /// The stable code of the refusal.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownAction => "command/unknown_action",
            Self::UnknownPlayer => "command/unknown_player",
            Self::UnknownInput => "command/unknown_input",
            Self::NotAsked => "command/not_asked",
            Self::AlreadyAnswered => "command/already_answered",
            Self::InputPending => "command/input_pending",
            Self::NotInWindow => "command/not_in_window",
            Self::NotYourPriority { .. } => "command/not_your_priority",
            Self::NotAtThisTime => "command/not_at_this_time",
            Self::PreconditionFailed { .. } => "command/precondition_failed",
            Self::WrongTargetCount { .. } => "command/wrong_target_count",
            Self::IllegalTarget { .. } => "command/illegal_target",
            Self::CannotPay => "command/cannot_pay",
            Self::NotInChoices { .. } => "command/not_in_choices",
            Self::WrongCount { .. } => "command/wrong_count",
            Self::NoSuchTimer => "command/no_such_timer",
            Self::MatchOver => "command/match_over",
            Self::MatchPaused => "command/match_paused",
            Self::NotPaused => "command/not_paused",
            Self::NoSuchItem => "command/no_such_item",
            Self::CannotUndo => "command/cannot_undo",
            Self::UndoForbidden => "command/undo_forbidden",
            Self::IllegalReorder { .. } => "command/illegal_reorder",
            Self::WrongPlayerCount { .. } => "match/wrong_player_count",
            Self::IllegalDeck { .. } => "match/illegal_deck",
            Self::Broken => "command/broken",
        }
    }
}

/// Names no card: the engine's numbers are nobody's names for them. [`crate::view::Projector::refusal`] says which.
impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownAction => f.write_str("the game has no such action"),
            Self::UnknownPlayer => f.write_str("there is no such player"),
            Self::UnknownInput => f.write_str("no such question is open"),
            Self::NotAsked => f.write_str("the question was put to others"),
            Self::AlreadyAnswered => f.write_str("the question was answered already"),
            Self::InputPending => f.write_str("a question must be answered first"),
            Self::NotInWindow => f.write_str("nobody may act now"),
            Self::NotYourPriority { holder } => {
                write!(f, "another player may act now: p{}", holder.0.saturating_add(1))
            }
            Self::NotAtThisTime => f.write_str("this needs your own turn and an empty stack"),
            Self::PreconditionFailed { index } => {
                write!(f, "a precondition does not hold: number {}", index.saturating_add(1))
            }
            Self::WrongTargetCount { slot, min, max, got } => {
                write!(f, "slot {} takes {min} to {max} targets, got: {got}", slot.saturating_add(1))
            }
            Self::IllegalTarget { slot, .. } => {
                write!(f, "cannot fill slot {} with this target", slot.saturating_add(1))
            }
            Self::CannotPay => f.write_str("the costs cannot be paid"),
            Self::NotInChoices { .. } => f.write_str("this was not offered"),
            Self::WrongCount { min, max, got } => {
                write!(f, "Invalid number of options selected: expected {min}-{max}, got {got}")
            }
            Self::NoSuchTimer => f.write_str("the match does not wait for such a timer"),
            Self::MatchOver => f.write_str("the match is over"),
            Self::MatchPaused => f.write_str("the match is paused"),
            Self::NotPaused => f.write_str("the match is not paused"),
            Self::NoSuchItem => f.write_str("there is no such item on the stack"),
            Self::CannotUndo => f.write_str("there is nothing you can take back by yourself"),
            Self::UndoForbidden => f.write_str("this game does not allow taking back"),
            Self::IllegalReorder { .. } => f.write_str("this card cannot be put in order"),
            Self::WrongPlayerCount { min, max, got } => {
                write!(f, "this game takes {min} to {max} players, got: {got}")
            }
            Self::IllegalDeck { seat } => {
                write!(f, "the deck is not legal: p{}", seat.0.saturating_add(1))
            }
            Self::Broken => f.write_str("the rules ran into a limit"),
        }
    }
}
