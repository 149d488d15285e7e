//! A store in a database: one writer, a few readers.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{
    chain::Hash,
    error::{CommitError, StorageError},
    money::Entry,
    op::Op,
    rows::{Account, AccountId, Audit, MatchFilter, MatchId, MatchRow, RulesetRow, Session, Transition},
    sql::{Connector, readers::Readers, reads, writer::Writer},
    store::Store,
};

/// A store in a database.
pub struct SqlStore<C: Connector> {
    connector: Arc<C>,
    writer: Writer,
    readers: Readers,
}

impl<C: Connector> SqlStore<C> {
    /// Opens the database, checks it and makes the tables that are missing.
    pub fn open(connector: C) -> Result<Self, StorageError> {
        let connector = Arc::new(connector);
        let writer = Writer::start(connector.clone())?;
        let readers = Readers::start(&connector)?;
        Ok(Self { connector, writer, readers })
    }
}

#[async_trait]
impl<C: Connector> Store for SqlStore<C> {
    async fn commit(&self, ops: Vec<Op>) -> Result<(), CommitError> {
        self.writer.commit(ops).await
    }

    async fn match_row(&self, id: &MatchId) -> Result<Option<MatchRow>, StorageError> {
        let id = id.clone();
        self.readers.read(move |it| reads::match_row(it, &id)).await
    }

    async fn matches(&self, filter: &MatchFilter) -> Result<Vec<MatchRow>, StorageError> {
        let filter = filter.clone();
        self.readers.read(move |it| reads::matches(it, &filter)).await
    }

    async fn due(&self, at: i64, limit: u32) -> Result<Vec<MatchId>, StorageError> {
        self.readers.read(move |it| reads::due(it, at, limit)).await
    }

    async fn transitions(&self, id: &MatchId, from: u64, limit: u32) -> Result<Vec<Transition>, StorageError> {
        let id = id.clone();
        self.readers.read(move |it| reads::transitions(it, &id, from, limit)).await
    }

    async fn command(&self, id: &MatchId, command_id: &str) -> Result<Option<Transition>, StorageError> {
        let (id, command_id) = (id.clone(), command_id.to_owned());
        self.readers.read(move |it| reads::command(it, &id, &command_id)).await
    }

    async fn account(&self, id: &AccountId) -> Result<Option<Account>, StorageError> {
        let id = id.clone();
        self.readers.read(move |it| reads::account(it, &id)).await
    }

    async fn account_by_name(&self, name: &str) -> Result<Option<Account>, StorageError> {
        let name = name.to_owned();
        self.readers.read(move |it| reads::account_by_name(it, &name)).await
    }

    async fn session(&self, token_hash: &Hash) -> Result<Option<Session>, StorageError> {
        let token_hash = *token_hash;
        self.readers.read(move |it| reads::session(it, &token_hash)).await
    }

    async fn ruleset(&self, hash: &Hash) -> Result<Option<RulesetRow>, StorageError> {
        let hash = *hash;
        self.readers.read(move |it| reads::ruleset(it, &hash)).await
    }

    async fn rulesets(&self) -> Result<Vec<RulesetRow>, StorageError> {
        self.readers.read(|it| reads::rulesets(it)).await
    }

    async fn audit(&self, id: &MatchId) -> Result<Vec<Audit>, StorageError> {
        let id = id.clone();
        self.readers.read(move |it| reads::audit(it, &id)).await
    }

    async fn balance(&self, account: &AccountId) -> Result<i64, StorageError> {
        let account = account.clone();
        self.readers.read(move |it| reads::balance(it, &account)).await
    }

    async fn entries(&self, account: &AccountId) -> Result<Vec<Entry>, StorageError> {
        let account = account.clone();
        self.readers.read(move |it| reads::entries(it, &account)).await
    }

    async fn total(&self) -> Result<i64, StorageError> {
        self.readers.read(|it| reads::total(it)).await
    }

    async fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, StorageError> {
        let key = key.to_owned();
        self.readers.read(move |it| reads::meta(it, &key)).await
    }

    fn describe(&self) -> String {
        self.connector.describe()
    }
}
