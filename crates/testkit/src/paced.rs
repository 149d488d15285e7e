//! A store that takes its time: for tests of what happens while something is being written.

use std::{future::Future, pin::Pin, sync::Arc};

use async_trait::async_trait;
use storage::{
    Account, AccountId, Audit, CommitError, Entry, Hash, MatchFilter, MatchId, MatchRow, Op, RulesetRow, Session,
    StorageError, Store, Transition,
};

/// How long something takes.
pub type Pause = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A store that pauses before and after it commits.
pub struct Paced {
    inner: Arc<dyn Store>,
    pause: Box<dyn Fn() -> Pause + Send + Sync>,
}

impl Paced {
    /// A store with pauses.
    pub fn new(inner: Arc<dyn Store>, pause: impl Fn() -> Pause + Send + Sync + 'static) -> Self {
        Self { inner, pause: Box::new(pause) }
    }
}

#[async_trait]
impl Store for Paced {
    async fn commit(&self, ops: Vec<Op>) -> Result<(), CommitError> {
        (self.pause)().await;
        let done = self.inner.commit(ops).await;
        (self.pause)().await;
        done
    }

    async fn match_row(&self, id: &MatchId) -> Result<Option<MatchRow>, StorageError> {
        self.inner.match_row(id).await
    }

    async fn matches(&self, filter: &MatchFilter) -> Result<Vec<MatchRow>, StorageError> {
        self.inner.matches(filter).await
    }

    async fn due(&self, at: i64, limit: u32) -> Result<Vec<MatchId>, StorageError> {
        self.inner.due(at, limit).await
    }

    async fn transitions(&self, id: &MatchId, from: u64, limit: u32) -> Result<Vec<Transition>, StorageError> {
        self.inner.transitions(id, from, limit).await
    }

    async fn command(&self, id: &MatchId, command_id: &str) -> Result<Option<Transition>, StorageError> {
        self.inner.command(id, command_id).await
    }

    async fn account(&self, id: &AccountId) -> Result<Option<Account>, StorageError> {
        self.inner.account(id).await
    }

    async fn account_by_name(&self, name: &str) -> Result<Option<Account>, StorageError> {
        self.inner.account_by_name(name).await
    }

    async fn session(&self, token_hash: &Hash) -> Result<Option<Session>, StorageError> {
        self.inner.session(token_hash).await
    }

    async fn ruleset(&self, hash: &Hash) -> Result<Option<RulesetRow>, StorageError> {
        self.inner.ruleset(hash).await
    }

    async fn rulesets(&self) -> Result<Vec<RulesetRow>, StorageError> {
        self.inner.rulesets().await
    }

    async fn audit(&self, id: &MatchId) -> Result<Vec<Audit>, StorageError> {
        self.inner.audit(id).await
    }

    async fn balance(&self, account: &AccountId) -> Result<i64, StorageError> {
        self.inner.balance(account).await
    }

    async fn entries(&self, account: &AccountId) -> Result<Vec<Entry>, StorageError> {
        self.inner.entries(account).await
    }

    async fn total(&self) -> Result<i64, StorageError> {
        self.inner.total().await
    }

    async fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, StorageError> {
        self.inner.meta(key).await
    }

    fn describe(&self) -> String {
        self.inner.describe()
    }
}
