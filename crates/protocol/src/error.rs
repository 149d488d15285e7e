//! Why a request cannot be understood. What is understood but not legal is a `Rejection` of the engine.

use std::fmt;

use engine::Rejection;
use thiserror::Error;

/// An action that a move by hand could mean, as the player would ask for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    pub action: String,
    /// What would fill its slots, by the names of the slots.
    pub targets: Vec<(String, Vec<String>)>,
}

impl fmt::Display for Meant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action)?;
        for (slot, targets) in &self.targets {
            write!(f, " {slot}={}", targets.join("+"))?;
        }
        Ok(())
    }
}

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RequestError {
    /// Not an object, or a field of the wrong kind.
    #[error("the request is malformed: {0}")]
    Malformed(String),
    /// The ruleset has no such action.
    #[error("Unknown action")]
    UnknownAction,
    /// A key that requests of this kind do not have, as a JSON pointer.
    #[error("unknown field: {0}")]
    UnknownField(String),
    /// A name of a card, player or ability that nobody knows.
    #[error("unknown name: {0}")]
    UnknownName(String),
    /// A move by hand that no action and no permission covers.
    #[error("Invalid manipulation")]
    InvalidManipulation,
    /// A move by hand that several actions could mean.
    #[error("this could mean several actions: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    Ambiguous(Vec<Meant>),
    /// Understood, but not legal.
    #[error("{0}")]
    Rejected(Rejection),
}

impl RequestError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "request/malformed",
            Self::UnknownAction => "command/unknown_action",
            Self::UnknownField(_) => "request/unknown_field",
            Self::UnknownName(_) => "request/unknown_name",
            Self::InvalidManipulation => "request/invalid_manipulation",
            Self::Ambiguous(_) => "request/ambiguous",
            Self::Rejected(why) => why.code(),
        }
    }
}
