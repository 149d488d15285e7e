//! Why something asked of a match was refused. A player's mistake, never an error of the match: nothing changed.

use alloc::string::String;
use core::fmt;

use selector::Refusal;

use crate::seat::Seat;

/// Why something was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The match is over.
    MatchOver,
    /// The match was ended by a moderator.
    MatchKilled,
    /// The match stands still until a moderator lets it go on.
    MatchPaused,
    /// The match does not stand still.
    NotPaused,
    /// The game made a mistake, and the match cannot go on.
    Broken,
    /// There is no such player.
    UnknownPlayer,
    /// The answer says that somebody else gave it.
    WrongActor { claimed: String },
    /// There never was such a request.
    UnknownInput,
    /// The request was answered or is gone: somebody else was first, or the match went back.
    TooLate { current: u32 },
    /// The request was put to others.
    NotAsked,
    /// The player has answered for good.
    AlreadyAnswered,
    /// The match has moved on from the version the answer was made for.
    Stale { current: u32 },
    /// The answer does not fit the selector.
    Refused(Refusal),
    /// There is nothing the player may take back by himself.
    CannotUndo,
    /// The game does not let players take back.
    UndoForbidden,
    /// Not everybody agreed.
    NoConsent { missing: Seat },
    /// The number of players does not fit the game.
    WrongPlayerCount { min: u8, max: u8, got: u8 },
    /// The game keeps what hidden cards are to itself, so they cannot be exchanged.
    CannotResample,
}

impl Rejection {
    /// Returns the code that programs compare; it never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::MatchOver => "command/match_over",
            Self::MatchKilled => "command/match_killed",
            Self::MatchPaused => "command/match_paused",
            Self::NotPaused => "command/not_paused",
            Self::Broken => "command/broken",
            Self::UnknownPlayer => "command/unknown_player",
            Self::WrongActor { .. } => "command/wrong_actor",
            Self::UnknownInput => "command/unknown_input",
            Self::TooLate { .. } => "command/too_late",
            Self::NotAsked => "command/not_asked",
            Self::AlreadyAnswered => "command/already_answered",
            Self::Stale { .. } => "request/stale_version",
            Self::Refused(refusal) => refusal_code(refusal),
            Self::CannotUndo => "command/cannot_undo",
            Self::UndoForbidden => "command/undo_forbidden",
            Self::NoConsent { .. } => "command/no_consent",
            Self::WrongPlayerCount { .. } => "match/wrong_player_count",
            Self::CannotResample => "match/cannot_resample",
        }
    }

    /// The version the match is at, if the refusal is a conflict: whoever gets it must load the match again.
    pub fn conflict(&self) -> Option<u32> {
        match self {
            Self::TooLate { current } | Self::Stale { current } => Some(*current),
            Self::MatchOver
            | Self::MatchKilled
            | Self::MatchPaused
            | Self::NotPaused
            | Self::Broken
            | Self::UnknownPlayer
            | Self::WrongActor { .. }
            | Self::UnknownInput
            | Self::NotAsked
            | Self::AlreadyAnswered
            | Self::Refused(_)
            | Self::CannotUndo
            | Self::UndoForbidden
            | Self::NoConsent { .. }
            | Self::WrongPlayerCount { .. }
            | Self::CannotResample => None,
        }
    }
}

fn refusal_code(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Title { .. } => "answer/title",
        Refusal::NotInChoices { .. } => "answer/not_in_choices",
        Refusal::Exclusive { .. } => "answer/exclusive",
        Refusal::Count { .. } => "answer/count",
        Refusal::Fraction => "answer/fraction",
        Refusal::IntegerRange => "answer/integer_range",
        Refusal::TooDeep => "answer/too_deep",
        Refusal::TooLarge => "answer/too_large",
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MatchOver => f.write_str("the match is over"),
            Self::MatchKilled => f.write_str("the match was ended by a moderator"),
            Self::MatchPaused => f.write_str("the match is paused"),
            Self::NotPaused => f.write_str("the match is not paused"),
            Self::Broken => f.write_str("the game made a mistake and cannot go on"),
            Self::UnknownPlayer => f.write_str("there is no such player"),
            Self::WrongActor { claimed } => write!(f, "the answer was given in the name of: {claimed}"),
            Self::UnknownInput => f.write_str("there is no such request"),
            Self::TooLate { current } => write!(f, "the request is closed; the match is at version: {current}"),
            Self::NotAsked => f.write_str("the question was put to others"),
            Self::AlreadyAnswered => f.write_str("the question was answered already"),
            Self::Stale { current } => write!(f, "the match has moved on to version: {current}"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::CannotUndo => f.write_str("there is nothing you can take back by yourself"),
            Self::UndoForbidden => f.write_str("this game does not allow taking back"),
            Self::NoConsent { missing } => write!(f, "this needs the consent of: {missing}"),
            Self::WrongPlayerCount { min, max, got } => {
                write!(f, "this game takes {min} to {max} players, got: {got}")
            }
            Self::CannotResample => f.write_str("this game cannot exchange hidden cards"),
        }
    }
}

impl core::error::Error for Rejection {}
