//! What is sent over a WebSocket: one JSON object a frame, `type` names it.

use host::{ViewDelta, WindowView, view::View};
use selector::Value;
use serde::{Deserialize, Serialize};

use crate::{
    contract::{Event, PendingInput, StackItem},
    error_body::ErrorBody,
    takeback::{TakebackBody, TakebackEnd},
};

/// What a server sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum ServerMessage {
    /// Something happened.
    #[serde(rename = "event.appended")]
    EventAppended {
        match_id: String,
        /// The number of the event for this viewer, without gaps.
        sequence: u32,
        event: Event,
        /// The event as a line of text.
        text: String,
        /// How a client shows it.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        ui: Option<Value>,
    },
    /// The table changed.
    #[serde(rename = "state.delta")]
    StateDelta {
        match_id: String,
        /// The number of the last event it covers, as in all messages below.
        sequence: u32,
        delta: Box<ViewDelta>,
        /// The stack, if it changed.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        stack: Option<Vec<StackItem>>,
        /// The hash of the view after it; a client that gets another asks for a fresh view.
        view_hash: String,
    },
    /// The table as it is.
    #[serde(rename = "state.view")]
    StateView { match_id: String, sequence: u32, view: Box<View>, view_hash: String, receipt: String },
    /// A question to the player it is sent to.
    #[serde(rename = "pending.input")]
    PendingInput { match_id: String, sequence: u32, input: Box<PendingInput> },
    /// Somebody else may act now.
    #[serde(rename = "priority.changed")]
    PriorityChanged {
        match_id: String,
        sequence: u32,
        /// Nothing if nobody may.
        window: Option<WindowView>,
    },
    /// Somebody asks all to go back, or one more agrees to that.
    #[serde(rename = "takeback.asked")]
    TakebackAsked { match_id: String, sequence: u32, takeback: TakebackBody },
    /// Nobody asks any more to go back to a version.
    #[serde(rename = "takeback.ended")]
    TakebackEnded {
        match_id: String,
        sequence: u32,
        to: u32,
        end: TakebackEnd,
        /// The player by whom it ended.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        by: Option<String>,
    },
    /// A request was refused; nothing changed.
    #[serde(rename = "error")]
    Error {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        match_id: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        sequence: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        request_id: Option<String>,
        #[serde(flatten)]
        body: ErrorBody,
    },
    /// A request was carried out, and what it led to is stored.
    #[serde(rename = "success")]
    Success {
        match_id: String,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        request_id: Option<String>,
        #[serde(flatten)]
        body: SuccessBody,
    },
    /// A match is followed from now on.
    #[serde(rename = "match.subscribed")]
    Subscribed {
        match_id: String,
        sequence: u32,
        #[serde(skip_serializing_if = "Option::is_none", default)]
        request_id: Option<String>,
        /// `p1`, `spectator` or `judge`.
        viewer: String,
    },
    /// The answer to `ping`.
    #[serde(rename = "pong")]
    Pong {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        request_id: Option<String>,
    },
}

/// An event with its number, as a client keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EventLine {
    pub sequence: u32,
    pub event: Event,
    /// The event as a line of text.
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ui: Option<Value>,
}

/// The hash of a view, by which a client knows that it has the same as the server.
pub fn view_hash(view: &View) -> String {
    let bytes = serde_json::to_vec(view).unwrap_or_default();
    let hash = ruleset::hash::blake2_256(&bytes);
    hash.iter().take(16).map(|it| format!("{it:02x}")).collect()
}

/// That a request was carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SuccessBody {
    /// Always true.
    pub success: bool,
    /// The version of the match after it.
    pub version: u32,
    /// Whether the match went on; not if others must answer too.
    pub moved: bool,
    /// The number of the last event the sender was told of.
    pub sequence: u32,
    /// Proves what the sender was told, should the server ever lose it.
    pub receipt: String,
    /// Whether it had been carried out before, under the same `commandId`.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub repeated: bool,
}

/// What a client sends. The body of a request is read by the match it is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientMessage {
    /// `action.submit`, `input.submit`, `undo.submit`, `takeback.submit`, `system.control`, `match.subscribe`,
    /// `match.unsubscribe`, `ping`.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub match_id: Option<String>,
    /// Comes back with the answer.
    #[serde(default)]
    pub request_id: Option<String>,
    /// Whatever else it holds.
    #[serde(flatten)]
    pub rest: serde_json::Map<String, serde_json::Value>,
}
