//! Why something asked of a match was refused, whatever kind of match it is.

use thiserror::Error;

/// The code of a request that costs more than its host allows.
pub const TOO_COSTLY: &str = "limit/request_work";

/// Why something was refused. Equal reasons have equal codes for all kinds of matches.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    /// For a reason that every kind of match has.
    #[error("{0}")]
    Common(#[from] script::Rejection),
    /// For a reason of the rules.
    #[error("{0}")]
    Rules(engine::Rejection),
    /// The match waits for no timer.
    #[error("the match does not wait for a timer")]
    NoSuchTimer,
    /// What is asked costs more than the host allows.
    #[error("this costs more than a request may")]
    TooCostly,
    /// A deck names a card that the game does not have.
    #[error("the game has no such card: {0}")]
    UnknownCard(String),
}

impl Rejection {
    /// The stable code of the refusal.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Common(why) => why.code(),
            Self::Rules(why) => why.code(),
            Self::NoSuchTimer => engine::Rejection::NoSuchTimer.code(),
            Self::TooCostly => TOO_COSTLY,
            Self::UnknownCard(_) => "match/illegal_deck",
        }
    }

    /// The version the match is at, if the refusal is a conflict: whoever gets it must load the match again.
    pub fn conflict(&self) -> Option<u32> {
        if let Self::Common(why) = self { why.conflict() } else { None }
    }
}

impl From<engine::Rejection> for Rejection {
    fn from(why: engine::Rejection) -> Self {
        use engine::Rejection as Rules;
        use script::Rejection as Common;
        Self::Common(match why {
            Rules::MatchOver => Common::MatchOver,
            Rules::MatchPaused => Common::MatchPaused,
            Rules::NotPaused => Common::NotPaused,
            Rules::UnknownPlayer => Common::UnknownPlayer,
            Rules::UnknownInput => Common::UnknownInput,
            Rules::NotAsked => Common::NotAsked,
            Rules::AlreadyAnswered => Common::AlreadyAnswered,
            Rules::CannotUndo => Common::CannotUndo,
            Rules::UndoForbidden => Common::UndoForbidden,
            Rules::WrongPlayerCount { min, max, got } => Common::WrongPlayerCount { min, max, got },
            Rules::Broken => Common::Broken,
            other => return Self::Rules(other),
        })
    }
}
