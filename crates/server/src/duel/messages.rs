//! The messages of duels: one JSON object a frame, `type` names it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::track::Step;

/// What a client says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Said {
    /// Who it is.
    Hello {
        /// From signing in.
        token: String,
    },
    /// He wants to play.
    QueueJoin,
    /// He does not want to any more.
    QueueLeave,
    /// He wants to play against the house.
    PveStart,
    /// Cards he thinks of.
    LayoutDraft {
        #[serde(default)]
        match_id: Value,
        #[serde(default)]
        layout: Value,
    },
    /// Cards he lays.
    LayoutConfirm {
        #[serde(default)]
        match_id: Value,
        #[serde(default)]
        layout: Value,
    },
    /// He wants to see everything.
    Sync,
}

/// A layout on the wire.
pub type Layout = Vec<Option<String>>;

/// What a client is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Message {
    /// The answer to `hello`.
    HelloOk { account_id: String, nickname: String, tokens: i64 },
    /// He waits for another.
    QueueOk { tokens: i64 },
    /// He waits no more.
    QueueLeft,
    /// The match begins.
    MatchFound {
        match_id: String,
        your_hp: i64,
        opp_hp: i64,
        your_tokens: i64,
        pot: u64,
        your_nickname: String,
        opp_nickname: String,
        your_hand: Vec<String>,
    },
    /// A round begins.
    PrepStart(Box<Prep>),
    /// A layout is final.
    ConfirmOk { match_id: String, round_index: i64 },
    /// A pair of cards is shown.
    StepReveal {
        match_id: String,
        round_index: i64,
        #[serde(flatten)]
        step: Step,
    },
    /// A round ends.
    RoundEnd { match_id: String, round_index: i64, sudden_death: bool, your_hp: i64, opp_hp: i64 },
    /// The match is over; nothing about it follows.
    MatchEnd(Ended),
    /// Everything there is to see.
    SyncState(Box<Synced>),
    /// Something was refused, and changed nothing.
    ErrorMsg { code: String, message: String },
}

/// What a player learns when a round begins.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prep {
    pub match_id: String,
    /// From 1.
    pub round_index: i64,
    pub sudden_death: bool,
    /// In milliseconds since 1970.
    pub deadline_ts: Option<i64>,
    /// How many cards a layout has.
    pub slots: u32,
    pub your_nickname: String,
    pub opp_nickname: String,
    pub your_hp: i64,
    pub opp_hp: i64,
    pub pot: u64,
    pub your_tokens: i64,
    pub your_hand: Vec<String>,
    /// The same list, by its older name.
    pub cards: Vec<String>,
}

/// How a match ended for a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ended {
    pub match_id: String,
    /// `YOU`, `OPPONENT` or nobody.
    pub winner: Option<&'static str>,
    pub reason: String,
    pub your_hp: i64,
    pub opp_hp: i64,
    pub your_tokens: i64,
    /// `paid`, `refunded`, `burned` or `none`.
    pub pot: &'static str,
}

/// Everything a screen shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Synced {
    /// `IDLE`, `QUEUED`, `PREP` or `REVEAL`.
    pub phase: &'static str,
    pub your_tokens: i64,
    pub your_nickname: String,
    #[serde(flatten)]
    pub table: Option<SyncedTable>,
    /// How the last match ended.
    pub last_result: Option<Ended>,
    /// How those before it ended, newest first.
    pub earlier_results: Vec<Ended>,
}

/// A match in full, for a screen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SyncedTable {
    pub match_id: String,
    pub round_index: i64,
    pub sudden_death: bool,
    pub deadline_ts: Option<i64>,
    /// How many cards a layout has; 0 for one who comes back while cards are shown.
    pub slots: u32,
    pub opp_nickname: String,
    pub your_hp: i64,
    pub opp_hp: i64,
    pub pot: u64,
    pub your_hand: Vec<String>,
    /// What he has drafted and not confirmed.
    pub draft: Option<Layout>,
    /// What he has confirmed.
    pub confirmed: Option<Layout>,
    /// What was shown in this round.
    pub steps: Vec<Step>,
}

impl Message {
    /// A refusal.
    pub fn error(code: &str, message: impl Into<String>) -> Self {
        Self::ErrorMsg { code: code.to_owned(), message: message.into() }
    }
}
