//! What the server keeps about a match beside its log: who sits where and how the match was made.

use std::collections::BTreeMap;

use host::Game;
use protocol::bodies::{MatchBody, SeatBody};
use serde::{Deserialize, Serialize};
use storage::{AccountId, MatchRow};
use view::{Outcome, View};

use crate::app::App;

/// A seat of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeatDetail {
    /// The bot that plays it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bot: Option<String>,
    /// What its player is called.
    #[serde(default)]
    pub nickname: String,
    /// The cards its player brings; the ready-made deck without.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub deck: Vec<String>,
}

/// How a match ended, so that it can be told without playing the match again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndDetail {
    pub outcome: Outcome,
    /// What everybody had left of what the game shows as health, by seat.
    pub health: BTreeMap<String, i64>,
}

/// What is kept about a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    pub seats: Vec<SeatDetail>,
    /// Whether strangers may watch.
    #[serde(default)]
    pub spectators: bool,
    /// The seed somebody asked for, where that is allowed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// What every player has paid into its pot.
    #[serde(skip_serializing_if = "is_nothing", default)]
    pub stake: u32,
    /// The seats whose players have not heard how it ended.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub untold: Vec<u8>,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub end: Option<EndDetail>,
    /// Why it is damaged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub damage: Option<String>,
}

fn is_nothing(stake: &u32) -> bool {
    *stake == 0
}

impl EndDetail {
    /// The end of a match, as the table shows it.
    pub fn new(game: &Game, view: &View, outcome: Outcome) -> Self {
        Self { outcome, health: health(game, view) }
    }
}

/// What everybody has of what the game shows as health, by seat.
pub fn health(game: &Game, view: &View) -> BTreeMap<String, i64> {
    let name = game.role("health").unwrap_or_default();
    let amount = |it: &view::Player| it.values.get(name).and_then(view::Scalar::number).unwrap_or(0);
    view.players.iter().map(|(id, it)| (id.clone(), amount(it))).collect()
}

impl Detail {
    /// What is kept about a match in the store.
    pub fn of(row: &MatchRow) -> Self {
        serde_json::from_slice(&row.detail).unwrap_or_default()
    }

    /// Whether somebody or a bot sits on every seat.
    pub fn is_full(&self, row: &MatchRow) -> bool {
        let is_taken = |(who, it): (&Option<AccountId>, &SeatDetail)| who.is_some() || it.bot.is_some();
        row.seats.len() == self.seats.len() && row.seats.iter().zip(&self.seats).all(is_taken)
    }

    /// As it is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data has a JSON form; qed")
    }
}

/// The seat of an account in a match.
pub fn seat_of(row: &MatchRow, account: &AccountId) -> Option<host::Seat> {
    let at = row.seats.iter().position(|it| it.as_ref() == Some(account))?;
    u8::try_from(at).ok().map(host::Seat)
}

/// A match, as an account sees it.
pub fn match_body(app: &App, row: &MatchRow, account: Option<&AccountId>) -> MatchBody {
    let detail = Detail::of(row);
    let seat = |(at, (who, seat)): (u8, (&Option<AccountId>, &SeatDetail))| SeatBody {
        seat: host::Seat(at).to_string(),
        is_open: who.is_none() && seat.bot.is_none(),
        bot: seat.bot.clone(),
        nickname: seat.nickname.clone(),
    };
    MatchBody {
        id: row.id.0.clone(),
        game: row.game.clone(),
        rules: hex::encode(row.rules),
        catalogue_hash: app.games.by_rules(&row.rules).map(|it| it.catalogue_hash).unwrap_or_default(),
        status: row.status.as_str().to_owned(),
        seats: (0..).zip(row.seats.iter().zip(&detail.seats)).map(seat).collect(),
        spectators: detail.spectators,
        created_at: row.created_at,
        updated_at: row.updated_at,
        your_seat: account.and_then(|it| seat_of(row, it)).map(|it| it.to_string()),
        outcome: detail.end.map(|it| it.outcome),
    }
}
