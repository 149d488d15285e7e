//! Bodies of HTTP requests and answers.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use view::{Choice, Json, PendingInput, View};

use crate::messages::EventAppended;

/// That somebody asks all to go back, as long as it is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakebackBody {
    /// Who asks: `p1`.
    pub by: String,
    /// The version to go back to.
    pub to: u32,
    /// The version of the match now.
    pub version: u32,
    /// Those who agreed, the one who asks included.
    pub agreed: Vec<String>,
    /// Those who have yet to say something.
    pub missing: Vec<String>,
    /// What they can say.
    pub answers: TakebackAnswers,
}

/// What can be said to a takeback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakebackAnswers {
    pub agree: TakebackAnswer,
    pub refuse: TakebackAnswer,
}

/// What is sent as `takeback.submit`, or to `POST /matches/{id}/takeback`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TakebackAnswer {
    pub to: u32,
    pub agree: bool,
}

impl TakebackAnswers {
    /// What can be said to going back to a version.
    pub fn to(to: u32) -> Self {
        Self { agree: TakebackAnswer { to, agree: true }, refuse: TakebackAnswer { to, agree: false } }
    }
}

/// What became of a takeback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum TakebackEnd {
    /// All agreed, and the match went back.
    Agreed,
    /// Somebody did not want it.
    Refused,
    /// Who asked thought better of it.
    Withdrawn,
    /// The match went on.
    Overtaken,
    /// Somebody asked to go back elsewhere.
    Replaced,
}

/// What one client may do, and how large things are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    pub frame_bytes: u32,
    pub body_bytes: u32,
    pub messages_per_second: u32,
    pub requests_per_second: u32,
    /// How many choices a page has at most.
    pub page_choices: u32,
    pub metadata_bytes: u32,
    pub sockets_per_account: u32,
    pub tickets_per_account: u32,
    pub matches_per_account: u32,
}

/// What a server speaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProtocolBody {
    pub protocol: String,
    /// The hash of the schema bundle.
    pub schema_hash: String,
    pub limits: Limits,
}

/// A guest to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GuestBody {
    /// What others call them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nickname: Option<String>,
}

/// Name and password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CredentialsBody {
    /// 3 to 32 letters, digits or `-_.`.
    pub name: String,
    /// 8 to 128 bytes.
    pub password: String,
    /// What others call them; the name without.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nickname: Option<String>,
}

/// Somebody who signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// Keep it secret; send it as `Authorization: Bearer <token>`.
    pub token: String,
    pub account_id: String,
    pub nickname: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// `player` or `moderator`.
    pub role: String,
    pub tokens: i64,
}

/// An account, as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountBody {
    pub account_id: String,
    pub nickname: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub name: Option<String>,
    /// `player` or `moderator`.
    pub role: String,
    pub tokens: i64,
}

/// A way into a socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TicketBody {
    /// Open `/ws?ticket=<ticket>` with it, once and soon.
    pub ticket: String,
    pub expires_in_seconds: u64,
}

/// A ruleset to publish.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublishBody {
    /// The documents by name, as text; `ruleset` is the one to begin with. They may include `std` and each other.
    pub documents: BTreeMap<String, String>,
}

/// A ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulesetBody {
    /// The hash of its rules: a match is created with it.
    pub hash: String,
    pub id: String,
    pub name: String,
    /// What `GET /catalogues/{hash}` gives.
    pub catalogue_hash: String,
    /// How many can play.
    pub seats: [u8; 2],
    /// Whether it is offered by name.
    pub is_offered: bool,
    /// As it was published.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub documents: Option<BTreeMap<String, String>>,
}

/// A match to create.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateMatch {
    /// The name of a game, or the hash of a ruleset.
    pub game: String,
    /// Who plays, seat by seat: `me`, `open`, `bot:random`, `bot:greedy`. Without it: you, and open seats.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seats: Option<Vec<String>>,
    /// The cards you bring; the ready-made deck without.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub deck: Vec<String>,
    /// Whether others may watch.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub spectators: bool,
    /// What all chance comes from; only where the server allows to choose it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
}

/// A seat to take.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JoinMatch {
    /// `p1` for the first; any free one without.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seat: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub deck: Vec<String>,
}

/// A match, as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatchBody {
    pub id: String,
    pub game: String,
    /// The hash of the rules.
    pub rules: String,
    /// What `GET /catalogues/{hash}` gives.
    pub catalogue_hash: String,
    /// `open`, `live`, `over`, `void` or `damaged`.
    pub status: String,
    pub seats: Vec<SeatBody>,
    pub spectators: bool,
    /// Milliseconds since 1970.
    pub created_at: i64,
    pub updated_at: i64,
    /// The seat of whoever asks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub your_seat: Option<String>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub outcome: Option<view::Outcome>,
}

/// A seat, as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatBody {
    /// `p1` for the first.
    pub seat: String,
    /// Whether somebody can still sit down here.
    pub is_open: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bot: Option<String>,
    pub nickname: String,
}

/// The table, as the caller sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewBody {
    /// The number of the last event.
    pub sequence: u32,
    pub view_hash: String,
    pub receipt: String,
    pub view: View,
}

/// Events, as the caller saw them happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventsBody {
    pub events: Vec<EventAppended>,
    /// The number of the last one there is.
    pub sequence: u32,
}

/// What the caller can do now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionsBody {
    pub actions: Vec<ActionBody>,
    /// The version they are for.
    pub branch_id: u32,
    /// The window they are for; absent while the caller may not act.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input_id: Option<String>,
}

/// An action that can be taken now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionBody {
    pub id: String,
    pub name: String,
    pub description: String,
    /// `3 mana`; null where it is free or depends on what is chosen.
    pub cost: Option<String>,
    /// What has to be chosen, by slot.
    pub targets: BTreeMap<String, TargetBody>,
    pub ui: Option<Json>,
    /// What can fill the first slot.
    pub choices: Vec<Choice>,
    /// Whether more slots follow: `POST /matches/{id}/choices` gives what can fill them.
    pub is_lazy: bool,
}

/// What can fill a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TargetBody {
    /// The zone the candidates are in, or `players`, or `any` where they differ.
    pub selector: String,
    pub count: u16,
    pub constraints: Vec<String>,
}

/// What can fill a slot, or what else a question takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageBody {
    pub input_id: String,
    pub branch_id: u32,
    pub page: view::Page,
}

/// Who asks to go back, if anybody does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenTakeback {
    pub takeback: Option<TakebackBody>,
}

/// What moderators did to a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditBody {
    pub audit: Vec<AuditEntry>,
}

/// Something a moderator did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub account: String,
    pub verb: String,
    pub detail: String,
    /// Milliseconds since 1970.
    pub at: i64,
}

/// What a player is asked.
pub type InputsBody = Vec<PendingInput>;
