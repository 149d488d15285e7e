//! A store in memory, for tests and for trying things: all of it is gone with the process.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_trait::async_trait;

use crate::{
    chain::Hash,
    error::{CommitError, StorageError},
    money::{self, Entry},
    op::{self, Op},
    rows::{Account, AccountId, Audit, MatchFilter, MatchId, MatchRow, MatchStatus, RulesetRow, Session, Transition},
    store::Store,
};

/// A store in memory.
#[derive(Default)]
pub struct MemoryStore(Mutex<Tables>);

#[derive(Clone, Default)]
struct Tables {
    matches: BTreeMap<MatchId, MatchRow>,
    transitions: HashMap<MatchId, Vec<Transition>>,
    accounts: BTreeMap<AccountId, Account>,
    sessions: HashMap<Hash, Session>,
    rulesets: Vec<RulesetRow>,
    audit: Vec<Audit>,
    entries: Vec<Entry>,
    balances: BTreeMap<AccountId, i64>,
    meta: HashMap<String, Vec<u8>>,
}

impl MemoryStore {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn apply(&mut self, op: Op) -> Result<(), CommitError> {
        match op {
            Op::CreateMatch(row) => self.create_match(row),
            Op::PutMatch(row) => self.put_match(row),
            Op::Append { transition, due_at } => self.append(transition, due_at),
            Op::Truncate { match_id, n_transitions } => self.truncate(&match_id, n_transitions),
            Op::CreateAccount(account) => self.create_account(account),
            Op::PutAccount(account) => self.put_account(account),
            Op::PutSession(session) => {
                self.sessions.insert(session.token_hash, session);
                Ok(())
            }
            Op::DeleteSession(hash) => {
                self.sessions.remove(&hash);
                Ok(())
            }
            Op::PutRuleset(row) => {
                if !self.rulesets.iter().any(|it| it.hash == row.hash) {
                    self.rulesets.push(row);
                }
                Ok(())
            }
            Op::Audit(audit) => {
                self.audit.push(audit);
                Ok(())
            }
            Op::Post(entry) => self.post(entry),
            Op::PutMeta(key, value) => {
                self.meta.insert(key, value);
                Ok(())
            }
        }
    }

    fn create_match(&mut self, row: MatchRow) -> Result<(), CommitError> {
        if self.matches.contains_key(&row.id) {
            return Err(CommitError::Exists(row.id.0));
        }
        let head = row.genesis();
        self.matches.insert(row.id.clone(), MatchRow { n_transitions: 0, head, due_at: None, ..row });
        Ok(())
    }

    fn find_match(&mut self, id: &MatchId) -> Result<&mut MatchRow, CommitError> {
        self.matches.get_mut(id).ok_or_else(|| CommitError::NoSuchMatch(id.clone()))
    }

    fn put_match(&mut self, row: MatchRow) -> Result<(), CommitError> {
        let known = self.find_match(&row.id)?;
        let MatchRow { status, seats, detail, updated_at, .. } = row;
        *known = MatchRow { status, seats, detail, updated_at, ..known.clone() };
        Ok(())
    }

    fn append(&mut self, transition: Transition, due_at: Option<i64>) -> Result<(), CommitError> {
        let known = self.transitions.get(&transition.match_id).map_or(&[][..], |it| it);
        if let Some(command_id) = &transition.command_id
            && known.iter().any(|it| it.command_id.as_ref() == Some(command_id))
        {
            let (match_id, command_id) = (transition.match_id.clone(), command_id.clone());
            return Err(CommitError::DuplicateCommand { match_id, command_id });
        }
        let row = self.find_match(&transition.match_id)?;
        if row.n_transitions != transition.seq || row.head != transition.previous {
            return Err(CommitError::Conflict { match_id: row.id.clone(), n_transitions: row.n_transitions });
        }
        row.n_transitions += 1;
        (row.head, row.updated_at, row.due_at) = (transition.hash, transition.at, due_at);
        self.transitions.entry(transition.match_id.clone()).or_default().push(transition);
        Ok(())
    }

    /// Whether just this transition is stored.
    fn has(&self, it: &Transition) -> bool {
        let known = self.transitions.get(&it.match_id);
        known.and_then(|known| known.get(usize::try_from(it.seq).ok()?)).is_some_and(|known| known.hash == it.hash)
    }

    fn truncate(&mut self, id: &MatchId, n_transitions: u64) -> Result<(), CommitError> {
        let left = self.transitions.entry(id.clone()).or_default();
        left.truncate(usize::try_from(n_transitions).unwrap_or(usize::MAX));
        let last = left.last().map(|it| it.hash);
        let row = self.find_match(id)?;
        row.n_transitions = n_transitions;
        row.head = last.unwrap_or_else(|| row.genesis());
        Ok(())
    }

    fn is_taken(&self, account: &Account) -> bool {
        let is_other = |it: &&Account| it.id != account.id;
        account.name.is_some() && self.accounts.values().filter(is_other).any(|it| it.name == account.name)
    }

    fn create_account(&mut self, account: Account) -> Result<(), CommitError> {
        if self.accounts.contains_key(&account.id) || self.is_taken(&account) {
            return Err(CommitError::Exists(account.name.unwrap_or(account.id.0)));
        }
        self.accounts.insert(account.id.clone(), account);
        Ok(())
    }

    fn put_account(&mut self, account: Account) -> Result<(), CommitError> {
        if self.is_taken(&account) {
            return Err(CommitError::Exists(account.name.unwrap_or_default()));
        }
        let known = self.accounts.get_mut(&account.id);
        let known = known.ok_or_else(|| CommitError::NoSuchAccount(account.id.clone()))?;
        *known = Account { created_at: known.created_at, ..account };
        Ok(())
    }

    fn post(&mut self, entry: Entry) -> Result<(), CommitError> {
        if !entry.is_balanced() {
            return Err(CommitError::Unbalanced(entry.id));
        }
        if let Some(booked) = self.entries.iter().find(|it| it.id == entry.id) {
            return if booked.is_same(&entry) { Ok(()) } else { Err(CommitError::EntryDiffers(entry.id)) };
        }
        for posting in &entry.postings {
            let balance = self.balances.entry(posting.account.clone()).or_default();
            let floor = if money::may_owe(&posting.account) { i64::MIN } else { 0 };
            let moved = balance.checked_add(posting.amount).filter(|it| *it >= floor);
            let short = || CommitError::Insufficient { account: posting.account.clone(), balance: *balance };
            *balance = moved.ok_or_else(short)?;
        }
        self.entries.push(entry);
        Ok(())
    }

    fn matches(&self, filter: &MatchFilter) -> Vec<MatchRow> {
        let sits = |row: &MatchRow, account: &AccountId| row.seats.iter().flatten().any(|it| it == account);
        let fits = |it: &&MatchRow| {
            filter.status.is_none_or(|status| it.status == status)
                && filter.game.as_ref().is_none_or(|game| it.game == *game)
                && filter.account.as_ref().is_none_or(|account| sits(it, account))
        };
        let mut rows: Vec<MatchRow> = self.matches.values().filter(fits).cloned().collect();
        rows.sort_by_key(|it| std::cmp::Reverse(it.created_at));
        let (skip, limit) = (filter.skip as usize, filter.limit as usize);
        rows.into_iter().skip(skip).take(limit).collect()
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn commit(&self, ops: Vec<Op>) -> Result<(), CommitError> {
        let mut tables = self.tables();
        if op::first_transition(&ops).is_some_and(|it| tables.has(it)) {
            return Ok(());
        }
        // A single append cannot stop half-way, so it needs no copy to go back to.
        if let [Op::Append { .. }] = ops.as_slice() {
            return ops.into_iter().try_for_each(|it| tables.apply(it));
        }
        let before = tables.clone();
        let result = ops.into_iter().try_for_each(|it| tables.apply(it));
        if result.is_err() {
            *tables = before;
        }
        result
    }

    async fn match_row(&self, id: &MatchId) -> Result<Option<MatchRow>, StorageError> {
        Ok(self.tables().matches.get(id).cloned())
    }

    async fn matches(&self, filter: &MatchFilter) -> Result<Vec<MatchRow>, StorageError> {
        Ok(self.tables().matches(filter))
    }

    async fn due(&self, at: i64, limit: u32) -> Result<Vec<MatchId>, StorageError> {
        let tables = self.tables();
        let live = tables.matches.values().filter(|it| it.status == MatchStatus::Live);
        let mut due: Vec<_> =
            live.filter_map(|it| Some((it.due_at.filter(|due| *due <= at)?, it.id.clone()))).collect();
        due.sort();
        Ok(due.into_iter().map(|it| it.1).take(limit as usize).collect())
    }

    async fn transitions(&self, id: &MatchId, from: u64, limit: u32) -> Result<Vec<Transition>, StorageError> {
        let tables = self.tables();
        let known = tables.transitions.get(id).map_or(&[][..], |it| it);
        Ok(known.iter().filter(|it| it.seq >= from).take(limit as usize).cloned().collect())
    }

    async fn command(&self, id: &MatchId, command_id: &str) -> Result<Option<Transition>, StorageError> {
        let tables = self.tables();
        let known = tables.transitions.get(id).map_or(&[][..], |it| it);
        Ok(known.iter().find(|it| it.command_id.as_deref() == Some(command_id)).cloned())
    }

    async fn account(&self, id: &AccountId) -> Result<Option<Account>, StorageError> {
        Ok(self.tables().accounts.get(id).cloned())
    }

    async fn account_by_name(&self, name: &str) -> Result<Option<Account>, StorageError> {
        Ok(self.tables().accounts.values().find(|it| it.name.as_deref() == Some(name)).cloned())
    }

    async fn session(&self, token_hash: &Hash) -> Result<Option<Session>, StorageError> {
        Ok(self.tables().sessions.get(token_hash).cloned())
    }

    async fn ruleset(&self, hash: &Hash) -> Result<Option<RulesetRow>, StorageError> {
        Ok(self.tables().rulesets.iter().find(|it| it.hash == *hash).cloned())
    }

    async fn rulesets(&self) -> Result<Vec<RulesetRow>, StorageError> {
        Ok(self.tables().rulesets.clone())
    }

    async fn audit(&self, id: &MatchId) -> Result<Vec<Audit>, StorageError> {
        Ok(self.tables().audit.iter().filter(|it| it.match_id.as_ref() == Some(id)).cloned().collect())
    }

    async fn balance(&self, account: &AccountId) -> Result<i64, StorageError> {
        Ok(self.tables().balances.get(account).copied().unwrap_or(0))
    }

    async fn entries(&self, account: &AccountId) -> Result<Vec<Entry>, StorageError> {
        let concerns = |it: &&Entry| it.postings.iter().any(|it| it.account == *account);
        Ok(self.tables().entries.iter().filter(concerns).cloned().collect())
    }

    async fn total(&self) -> Result<i64, StorageError> {
        Ok(self.tables().balances.values().sum())
    }

    async fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, StorageError> {
        Ok(self.tables().meta.get(key).cloned())
    }

    fn describe(&self) -> String {
        "memory".to_owned()
    }
}
