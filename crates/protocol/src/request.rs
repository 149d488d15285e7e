//! What a client sends, each message as a type of its own. Read strictly: what nobody would read is refused, with its
//! place as a JSON pointer.

use std::collections::BTreeMap;

use host::Refused;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use view::{Json, Ref};

/// Why a request cannot be understood.
pub type RequestError = Refused;

/// The first message on a socket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hello {
    /// The version of the contract the client was written for: `1.0`.
    pub protocol: String,
    /// The hash of the schema bundle it was generated from; another is no error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub schema_hash: Option<String>,
    /// The language of texts: `de`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub locale: Option<String>,
}

/// Follow a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MatchSubscribe {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    pub match_id: String,
    /// `p1` for the own seat, `spectator` or `judge`; the own seat without.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none", default)]
    pub viewer: Option<String>,
    /// The last event the client knows of: what it missed follows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<u32>,
    /// Proves what the client was told.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub receipt: Option<String>,
}

/// Follow a match no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MatchUnsubscribe {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    pub match_id: String,
}

/// Ask whether the server is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Ping {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
}

/// Take an action, pass, or move cards by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActionSubmit {
    /// What the client calls the command; the same again is carried out once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command_id: Option<String>,
    /// The version it was made for; refused with 409 if it is another now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branch_id: Option<u32>,
    /// An action of the catalogue, `pass`, `end_turn` or `direct_manipulation`.
    pub action_type: String,
    /// What fills its slots, by their ids; those of an ability as `<slot>.<its slot>`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub targets: BTreeMap<String, Vec<Ref>>,
    /// Of a move by hand: `move_card` or `reorder`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub action: Option<String>,
    /// Of a move by hand: the card.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub card_id: Option<Ref>,
    /// Of a move by hand: several cards.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub card_ids: Option<Vec<Ref>>,
    /// Of a move by hand: the zone the cards lie in.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub from: Option<String>,
    /// Of a move by hand: the zone they go to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to: Option<String>,
    /// What the client notes about how the request came about, up to 4 KB; no rule sees it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub metadata: Option<Json>,
    /// Must be the sender.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub player_id: Option<String>,
}

/// Answer a question.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InputSubmit {
    /// What the client calls the command; the same again is carried out once.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command_id: Option<String>,
    /// The version it was made for; not looked at where others answer the same question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branch_id: Option<u32>,
    /// `i7`.
    pub input_id: String,
    pub answers: Answers,
    /// Whether it may be replaced until the question closes.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub is_draft: bool,
    /// Must be the sender.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub player_id: Option<String>,
}

/// What is answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Answers {
    /// Refs, `yes`, `no`, numbers, null for an empty place, or groups with what is picked in them; an empty list
    /// declines where nothing need be picked. Any JSON where the question is of free form.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub selection: Option<Json>,
    /// Short form: yes or no; yes with `targetId`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub activate: Option<bool>,
    /// Short form: yes or no.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub confirm: Option<bool>,
    /// Short form: the only thing that is picked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target_id: Option<Ref>,
    /// Must be the title of the question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<view::Scalar>,
    /// Must be the sender.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actor: Option<String>,
    /// Not looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub is_user_response: Option<bool>,
}

/// Concede; or what a moderator does to a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SystemControl {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branch_id: Option<u32>,
    pub verb: Verb,
    /// Whom it is about.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub player: Option<String>,
    /// The row of the stack that is dropped: `ev12`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub item: Option<Ref>,
    /// The question whose time is up, as its player calls it: `i7`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input_id: Option<String>,
    /// Those who win.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub winners: Option<Vec<String>>,
}

/// What is done to a match: players concede, moderators do all else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verb {
    /// Give up.
    Concede,
    /// Let the time of a question be up.
    Timeout,
    /// Let the match stand still.
    Pause,
    /// Let it go on.
    Resume,
    /// Put a player out.
    Kick,
    /// Drop a row of the stack, and all above it.
    DropItem,
    /// Let the match not count.
    Void,
    /// End the match.
    SetResult,
}

/// Take back your own last answer, if that is fair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoSubmit {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branch_id: Option<u32>,
    /// Must be the sender.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub player_id: Option<String>,
}

/// Ask all to go back to a version; agree to it, or refuse.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TakebackSubmit {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub command_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branch_id: Option<u32>,
    /// The version to go back to.
    pub to: u32,
    /// Whether you want it; who asked takes it back with false.
    #[serde(default = "yes")]
    pub agree: bool,
    /// Must be the sender.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub player_id: Option<String>,
}

fn yes() -> bool {
    true
}

/// What can fill the next slot of a submit that is being prepared, or what else a question takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChoicesQuery {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    /// The version it is about; refused with 409 if it is another now.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branch_id: Option<u32>,
    /// `i8`.
    pub input_id: String,
    /// The submit as far as it is filled.
    #[serde(default)]
    pub draft: DraftBody,
    /// The slot to list; the first open one without.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub slot: Option<String>,
    /// The group of a question to list.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub at: Option<Ref>,
    /// Part of the title.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub find: Option<String>,
    /// Where the page begins: `next` of the one before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<String>,
    /// How many choices at most.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<u32>,
}

/// A submit as far as it is filled.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DraftBody {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub action_type: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub targets: BTreeMap<String, Vec<Ref>>,
    /// What was picked so far from a question.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub selection: Option<Vec<view::Pick>>,
}

impl From<ChoicesQuery> for host::Query {
    fn from(it: ChoicesQuery) -> Self {
        let selection = it.draft.selection.unwrap_or_default();
        let selection = serde_json::to_value(selection).ok().and_then(|it| serde_json::from_value(it).ok());
        let (action, targets) = (it.draft.action_type, it.draft.targets);
        let draft = host::Draft { action, targets, selection: selection.unwrap_or_default() };
        let ChoicesQuery { input_id: input, slot, at, find, after, limit, .. } = it;
        Self { input, draft, slot, at, find, after, limit }
    }
}

/// Reads a request strictly.
pub fn read<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, RequestError> {
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(|error| {
        let pointer = pointer(error.path());
        let text = error.inner().to_string();
        let named = text.split('`').nth(1).unwrap_or_default();
        match text.split(' ').next() {
            // The path of a field nobody knows ends with the field itself.
            Some("unknown") if text.starts_with("unknown field") => {
                let is_there = pointer.ends_with(&format!("/{named}"));
                Refused::unknown_field(&if is_there { pointer } else { format!("{pointer}/{named}") })
            }
            Some("missing") => Refused::missing_field(&format!("{pointer}/{named}"), &text),
            Some(_) | None => Refused::wrong_type(&pointer, &text),
        }
    })
}

fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let segment = |it: &Segment| match it {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
        Segment::Enum { variant } => format!("/{variant}"),
        Segment::Unknown => String::new(),
    };
    path.iter().map(segment).collect()
}

/// The fields of a request; refuses what is no object.
pub fn fields(value: Value) -> Result<Map<String, Value>, RequestError> {
    match value {
        Value::Object(fields) => Ok(fields),
        _ => Err(Refused::wrong_type("", "a request is an object")),
    }
}
