//! What a server sends over a WebSocket: one JSON object a frame, `type` names it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use view::{Event, Json, Level, Page, PendingInput, Told, View, Window};

use crate::{
    bodies::{Limits, TakebackBody, TakebackEnd},
    error_body::ErrorBody,
};

/// What a server sends. Clients ignore what they do not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum ServerMessage {
    /// The answer to `hello`.
    #[serde(rename = "welcome")]
    Welcome(Welcome),
    /// A match is followed from now on.
    #[serde(rename = "match.subscribed")]
    Subscribed(Subscribed),
    /// Something happened.
    #[serde(rename = "event.appended")]
    EventAppended(EventAppended),
    /// The table changed.
    #[serde(rename = "state.delta")]
    StateDelta(StateDelta),
    /// The table as it is.
    #[serde(rename = "state.view")]
    StateView(StateView),
    /// A question to the player it is sent to.
    #[serde(rename = "pending.input")]
    PendingInput(PendingInputMessage),
    /// A question that is not open any more.
    #[serde(rename = "input.closed")]
    InputClosed(InputClosed),
    /// Somebody else may act now.
    #[serde(rename = "priority.changed")]
    PriorityChanged(PriorityChanged),
    /// What can fill a slot: the answer to `choices.query`.
    #[serde(rename = "choices.page")]
    ChoicesPage(ChoicesPage),
    /// Somebody asks all to go back, or one more agrees to that.
    #[serde(rename = "takeback.asked")]
    TakebackAsked(TakebackAsked),
    /// Nobody asks any more to go back to a version.
    #[serde(rename = "takeback.ended")]
    TakebackEnded(TakebackEnded),
    /// A command was carried out, and what it led to is stored.
    #[serde(rename = "success")]
    Success(SuccessBody),
    /// A request was refused; nothing changed.
    #[serde(rename = "error")]
    Error(ErrorBody),
    /// The answer to `ping`.
    #[serde(rename = "pong")]
    Pong(Pong),
}

/// The answer to `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    pub protocol: String,
    /// The hash of the schema bundle of this server.
    pub schema_hash: String,
    pub account: String,
    /// Milliseconds since 1970.
    pub server_time: i64,
    pub limits: Limits,
}

/// A match is followed from now on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Subscribed {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    pub match_id: String,
    /// `p1`, `spectator` or `judge`.
    pub viewer: String,
    /// The number of the last event there is.
    pub sequence: u32,
    /// What `GET /catalogues/{hash}` gives.
    pub catalogue_hash: String,
}

/// Something happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventAppended {
    pub match_id: String,
    /// The number of the event for this viewer, from 1, without gaps.
    pub sequence: u32,
    pub event: Event,
    /// The seat whose command began the chain; only where `causedBy` is null.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by: Option<String>,
    /// The event whose stack row it ends.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ends: Option<String>,
    /// The definitions, or names, of the cards it names, as seen then.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub cards: BTreeMap<String, String>,
    /// The event as a sentence.
    pub text: String,
    /// How a client shows it, in a word.
    pub cue: String,
    pub level: Level,
}

impl EventAppended {
    /// An event of a match.
    pub fn new(match_id: &str, told: Told) -> Self {
        let Told { sequence, event, by, ends, cards, text, cue, level } = told;
        Self { match_id: match_id.to_owned(), sequence, event, by, ends, cards, text, cue, level }
    }

    /// What was told, without the match.
    pub fn told(self) -> Told {
        let Self { sequence, event, by, ends, cards, text, cue, level, .. } = self;
        Told { sequence, event, by, ends, cards, text, cue, level }
    }
}

/// The table changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StateDelta {
    pub match_id: String,
    /// The number of the last event it covers.
    pub sequence: u32,
    pub branch_id: u32,
    /// An RFC 7396 merge patch of the view.
    pub patch: Json,
    /// The hash of the view after it; a client that gets another subscribes again.
    pub view_hash: String,
}

/// The table as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StateView {
    pub match_id: String,
    pub sequence: u32,
    /// The hash of the sorted list of leaf hashes: of every card, zone, player and other key by itself, each the
    /// SHA-256 of the RFC 8785 form of `[key, value]` or `[key, id, value]`.
    pub view_hash: String,
    /// Proves what its holder was told.
    pub receipt: String,
    pub view: View,
}

/// A question to the player it is sent to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PendingInputMessage {
    pub match_id: String,
    pub branch_id: u32,
    pub sequence: u32,
    pub input: PendingInput,
}

/// A question that is not open any more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct InputClosed {
    pub match_id: String,
    pub input_id: String,
    pub why: Closed,
}

/// Why a question is not open any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Closed {
    /// It was answered, or another was first.
    Answered,
    /// The time was up.
    Timeout,
    /// What asked it was taken back, or the match is over.
    Gone,
}

/// Somebody else may act now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriorityChanged {
    pub match_id: String,
    pub branch_id: u32,
    pub sequence: u32,
    /// As in the view; null if nobody may act.
    pub window: Option<Window>,
    /// When the time is up, in milliseconds since 1970; null if there is time.
    pub expires_at: Option<i64>,
}

/// What can fill a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChoicesPage {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    pub input_id: String,
    pub branch_id: u32,
    #[serde(flatten)]
    pub page: Page,
}

/// Somebody asks all to go back, or one more agrees to that.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakebackAsked {
    pub match_id: String,
    pub sequence: u32,
    pub takeback: TakebackBody,
}

/// Nobody asks any more to go back to a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakebackEnded {
    pub match_id: String,
    pub sequence: u32,
    pub to: u32,
    pub end: TakebackEnd,
    /// The player by whom it ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub by: Option<String>,
}

/// A command was carried out, and what it led to is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuccessBody {
    /// On a socket: the match.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub match_id: Option<String>,
    /// On a socket: what the client called the command.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command_id: Option<String>,
    /// Always true.
    pub success: bool,
    /// The version of the match after it.
    pub branch_id: u32,
    /// The number of the last event the sender was told of.
    pub sequence: u32,
    /// Whether the match went on; not if others must answer too.
    pub moved: bool,
    /// Proves what the sender was told, should the server ever lose it.
    pub receipt: String,
    /// Whether it had been carried out before, under the same `commandId`.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub repeated: bool,
}

/// The answer to `ping`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pong {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    /// Milliseconds since 1970.
    pub server_time: i64,
}
