//! What is said of a refused request: a few words, a stable code, a sentence, the place in the request, and why.

use std::collections::BTreeMap;

use host::Refused;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use view::Ref;

/// Why a request was refused. Nothing was changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// On a socket: the match the request was for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub match_id: Option<String>,
    /// On a socket: the command that is refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command_id: Option<String>,
    /// On a socket: the query that is refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    /// What went wrong in a few words.
    pub error: String,
    /// Stable; for programs.
    pub code: String,
    /// For people.
    pub message: String,
    /// The place in the request, as a JSON pointer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pointer: Option<String>,
    /// Conditions that do not hold, in the ruleset's own words.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reasons: Vec<ReasonBody>,
    /// The version of the match, if the request was made for another.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub current_version: Option<u32>,
    /// What a move by hand could have meant.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub candidates: Vec<Candidate>,
}

/// A condition that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReasonBody {
    pub text: String,
    /// Whom it is about.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none", default)]
    pub about: Option<Ref>,
}

/// An action that a move by hand could mean, as it would be asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    pub action_type: String,
    pub targets: BTreeMap<String, Vec<Ref>>,
}

impl ErrorBody {
    /// An error of a code, said in a few words and in a sentence.
    pub fn new(error: &str, code: &str, message: impl Into<String>) -> Self {
        let (error, code, message) = (error.to_owned(), code.to_owned(), message.into());
        Self { error, code, message, ..Self::default() }
    }

    /// What was refused because the match has moved on.
    #[must_use]
    pub fn at_version(self, current: Option<u32>) -> Self {
        Self { current_version: current, ..self }
    }
}

/// A few words for a code.
fn words(code: &str) -> &'static str {
    match code {
        "command/unknown_action" => "Unknown action",
        "request/invalid_manipulation" => "Invalid manipulation",
        "request/ambiguous" => "Ambiguous manipulation",
        "request/stale_version" | "command/too_late" => "Conflict",
        code if code.starts_with("request/") => "Malformed request",
        code if code.starts_with("answer/") => "Invalid answer",
        _ => "Invalid action",
    }
}

impl From<Refused> for ErrorBody {
    fn from(it: Refused) -> Self {
        let reason = |it: host::Reason| ReasonBody { text: it.text, about: it.about };
        let candidate =
            |it: host::Meant| Candidate { action_type: it.action, targets: it.targets.into_iter().collect() };
        Self {
            pointer: it.pointer,
            reasons: it.reasons.into_iter().map(reason).collect(),
            current_version: it.conflict,
            candidates: it.candidates.into_iter().map(candidate).collect(),
            ..Self::new(words(it.code), it.code, it.message)
        }
    }
}
