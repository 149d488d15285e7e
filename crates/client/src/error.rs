//! Why something did not work.

use protocol::ErrorBody;
use thiserror::Error;

/// Why something did not work.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClientError {
    /// The server refused it; nothing changed.
    #[error("{} ({})", .0.message, .0.code)]
    Refused(Box<ErrorBody>),
    /// The server cannot be reached, for longer than is worth waiting.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    /// The server says something that makes no sense.
    #[error("the server is not understood: {0}")]
    Nonsense(String),
}

impl ClientError {
    /// The code of a refusal.
    pub fn code(&self) -> &str {
        match self {
            Self::Refused(body) => &body.code,
            Self::Unreachable(_) => "client/unreachable",
            Self::Nonsense(_) => "client/nonsense",
        }
    }

    /// The version the match is at, if the request was made for another.
    pub fn conflict(&self) -> Option<u32> {
        if let Self::Refused(body) = self { body.current_version } else { None }
    }
}
