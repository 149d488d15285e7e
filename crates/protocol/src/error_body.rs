//! What is said of a refused request: the words of the first document, a stable code, and a sentence for people.

use serde::{Deserialize, Serialize};

use crate::error::{Meant, RequestError};

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// `Unknown action`, `Invalid action`, `Invalid manipulation`, or what went wrong in a few words.
    pub error: String,
    /// Stable; for programs.
    pub code: String,
    /// For people.
    pub message: String,
    /// The version of the match, if the request was made for another.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub current_version: Option<u32>,
    /// What a move by hand could have meant.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub candidates: Vec<Candidate>,
}

/// An action that a move by hand could mean, as it would be asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    pub action_type: String,
    pub targets: std::collections::BTreeMap<String, Vec<String>>,
}

impl From<&Meant> for Candidate {
    fn from(it: &Meant) -> Self {
        Self { action_type: it.action.clone(), targets: it.targets.iter().cloned().collect() }
    }
}

impl ErrorBody {
    /// An error of a code, said in a few words and in a sentence.
    pub fn new(error: &str, code: &str, message: impl Into<String>) -> Self {
        let (error, code, message) = (error.to_owned(), code.to_owned(), message.into());
        Self { error, code, message, current_version: None, candidates: Vec::new() }
    }

    /// What was refused because the match has moved on.
    #[must_use]
    pub fn at_version(self, current: Option<u32>) -> Self {
        Self { current_version: current, ..self }
    }
}

impl From<&RequestError> for ErrorBody {
    fn from(it: &RequestError) -> Self {
        let error = match it {
            RequestError::Malformed(_) | RequestError::UnknownField(_) => "Malformed request",
            RequestError::UnknownAction => "Unknown action",
            RequestError::UnknownName(_) | RequestError::Rejected(_) => "Invalid action",
            RequestError::InvalidManipulation => "Invalid manipulation",
            RequestError::Ambiguous(_) => "Ambiguous manipulation",
        };
        let candidates = if let RequestError::Ambiguous(meant) = it { meant.as_slice() } else { &[] };
        let candidates = candidates.iter().map(Candidate::from).collect();
        Self { candidates, ..Self::new(error, it.code(), it.to_string()) }
    }
}
