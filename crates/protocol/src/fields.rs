//! The keys of a request: which there are, and where one is that nobody knows.

use serde_json::Value;

use crate::error::RequestError;

/// Keys any request may have: how it was sent, by whom, and for which version of the match.
const ENVELOPE: [&str; 8] =
    ["type", "matchId", "requestId", "commandId", "playerId", "knownVersion", "branchId", "metadata"];

/// Whether a key at the top says how a request was sent, and not what it asks for.
pub fn is_envelope(key: &str) -> bool {
    ENVELOPE.contains(&key)
}

/// Refuses a key at the top of a request that nobody would read.
pub fn check_top(request: &Value, is_known: impl Fn(&str) -> bool) -> Result<(), RequestError> {
    check_keys(request, "", |it| is_envelope(it) || is_known(it))
}

/// Refuses a key of an object that nobody would read; the object itself is at a place of the request.
pub fn check_keys(given: &Value, place: &str, is_known: impl Fn(&str) -> bool) -> Result<(), RequestError> {
    let mut keys = given.as_object().into_iter().flat_map(|it| it.keys());
    match keys.find(|it| !is_known(it)) {
        Some(stray) => Err(RequestError::UnknownField(pointer(place, stray))),
        None => Ok(()),
    }
}

/// The JSON pointer of a key.
pub fn pointer(place: &str, key: &str) -> String {
    format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"))
}
