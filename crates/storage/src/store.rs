//! The one face of all stores.

use async_trait::async_trait;

use crate::{
    chain::Hash,
    error::{CommitError, StorageError},
    money::Entry,
    op::Op,
    rows::{Account, AccountId, Audit, MatchFilter, MatchId, MatchRow, RulesetRow, Session, Transition},
};

/// Keeps what it is given.
#[async_trait]
pub trait Store: Send + Sync {
    /// Writes all of it or nothing; durable once this returns.
    async fn commit(&self, ops: Vec<Op>) -> Result<(), CommitError>;

    /// A match.
    async fn match_row(&self, id: &MatchId) -> Result<Option<MatchRow>, StorageError>;

    /// Matches, newest first.
    async fn matches(&self, filter: &MatchFilter) -> Result<Vec<MatchRow>, StorageError>;

    /// Live matches whose first clock has run out at a time, earliest first.
    async fn due(&self, at: i64, limit: u32) -> Result<Vec<MatchId>, StorageError>;

    /// Transitions of a match from a number on, in order.
    async fn transitions(&self, id: &MatchId, from: u64, limit: u32) -> Result<Vec<Transition>, StorageError>;

    /// The transition a command became.
    async fn command(&self, id: &MatchId, command_id: &str) -> Result<Option<Transition>, StorageError>;

    /// An account.
    async fn account(&self, id: &AccountId) -> Result<Option<Account>, StorageError>;

    /// An account by what its owner signs in with.
    async fn account_by_name(&self, name: &str) -> Result<Option<Account>, StorageError>;

    /// A session by the hash of its token.
    async fn session(&self, token_hash: &Hash) -> Result<Option<Session>, StorageError>;

    /// A ruleset by its hash.
    async fn ruleset(&self, hash: &Hash) -> Result<Option<RulesetRow>, StorageError>;

    /// All rulesets, oldest first.
    async fn rulesets(&self) -> Result<Vec<RulesetRow>, StorageError>;

    /// What moderators did to a match, oldest first.
    async fn audit(&self, id: &MatchId) -> Result<Vec<Audit>, StorageError>;

    /// What a pocket holds.
    async fn balance(&self, account: &AccountId) -> Result<i64, StorageError>;

    /// The movements of a pocket, oldest first.
    async fn entries(&self, account: &AccountId) -> Result<Vec<Entry>, StorageError>;

    /// What all pockets hold together: nothing, if no money was lost.
    async fn total(&self) -> Result<i64, StorageError>;

    /// A value of the store itself.
    async fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, StorageError>;

    /// Which database this is, and its version, for operators.
    fn describe(&self) -> String;
}
