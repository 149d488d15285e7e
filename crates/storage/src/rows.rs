//! What is stored.

use std::fmt;

use crate::chain::{self, Hash};

/// The name of a match: random, so that nobody guesses it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchId(pub String);

/// The name of an account, or of one of the house's own pockets, which begin with `$`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountId(pub String);

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MatchStatus {
    /// It waits for players.
    Open,
    /// It is being played.
    Live,
    /// It ended by its rules.
    Over,
    /// It does not count; nothing is written to it any more.
    Void,
    /// Its log is damaged; nothing is written to it until it is recovered.
    Damaged,
}

impl MatchStatus {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Open, Self::Live, Self::Over, Self::Void, Self::Damaged];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Live => "live",
            Self::Over => "over",
            Self::Void => "void",
            Self::Damaged => "damaged",
        }
    }

    /// The status of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }
}

/// A match, without what happened in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRow {
    pub id: MatchId,
    /// The id of the game.
    pub game: String,
    /// The hash of the rules it is played by.
    pub rules: Hash,
    pub status: MatchStatus,
    /// Who sits where.
    pub seats: Vec<Option<AccountId>>,
    /// What else the caller wants to keep about it.
    pub detail: Vec<u8>,
    pub created_at: i64,
    pub updated_at: i64,
    /// How many transitions it has; written by [`crate::Op::Append`] alone.
    pub n_transitions: u64,
    /// The hash of the last of them, or of the match itself; written by [`crate::Op::Append`] alone.
    pub head: Hash,
    /// When its first clock runs out, on the clock of the server; written by [`crate::Op::Append`] alone.
    pub due_at: Option<i64>,
}

impl MatchRow {
    /// A match in which nothing has happened.
    pub fn new(id: MatchId, game: &str, rules: Hash, seats: Vec<Option<AccountId>>, at: i64) -> Self {
        let head = chain::genesis(&id, game, &rules);
        let (game, detail) = (game.to_owned(), Vec::new());
        let (status, created_at, updated_at, n_transitions, due_at) = (MatchStatus::Open, at, at, 0, None);
        Self { id, game, rules, status, seats, detail, created_at, updated_at, n_transitions, head, due_at }
    }

    /// The hash its chain begins with.
    pub fn genesis(&self) -> Hash {
        chain::genesis(&self.id, &self.game, &self.rules)
    }
}

/// Which matches to list; newest first.
#[derive(Clone, Debug, Default)]
pub struct MatchFilter {
    pub status: Option<MatchStatus>,
    pub game: Option<String>,
    /// Those in which an account sits.
    pub account: Option<AccountId>,
    pub limit: u32,
    /// Those that come after so many.
    pub skip: u32,
}

/// One accepted command with what it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    pub match_id: MatchId,
    /// From 0, without gaps.
    pub seq: u64,
    /// What the sender called it; the same name is never stored twice for one match.
    pub command_id: Option<String>,
    /// A hash of what was asked under that name, so that something else under the same name is noticed.
    pub request: Hash,
    pub command: Vec<u8>,
    pub events: Vec<u8>,
    /// What the caller wants to find again beside it: the answer it gave, clocks that run.
    pub note: Vec<u8>,
    pub at: i64,
    pub previous: Hash,
    pub hash: Hash,
}

/// Somebody who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// What he signs in with; guests have none.
    pub name: Option<String>,
    pub nickname: String,
    /// The password as argon2 keeps it.
    pub password: Option<String>,
    /// `player`, `moderator`.
    pub role: String,
    pub created_at: i64,
}

/// That somebody has signed in. The token itself is kept nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub token_hash: Hash,
    pub account: AccountId,
    pub created_at: i64,
    pub expires_at: i64,
}

/// A published ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetRow {
    pub hash: Hash,
    pub name: String,
    pub version: String,
    pub publisher: AccountId,
    /// Its documents.
    pub bytes: Vec<u8>,
    pub at: i64,
}

/// Something a moderator did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Audit {
    pub account: AccountId,
    pub match_id: Option<MatchId>,
    pub verb: String,
    pub detail: String,
    pub at: i64,
}
