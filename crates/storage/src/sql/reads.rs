//! Reads rows.

use crate::{
    chain::Hash,
    error::StorageError,
    money::{Entry, Posting},
    rows::{Account, AccountId, Audit, MatchFilter, MatchId, MatchRow, MatchStatus, RulesetRow, Session, Transition},
    sql::{Cell, Connection, cell::Row},
};

type Read<T> = Result<T, StorageError>;

/// Seats as they are kept: accounts in order, with nothing where nobody sits.
pub fn seats_to_text(seats: &[Option<AccountId>]) -> String {
    let names: Vec<&str> = seats.iter().map(|it| it.as_ref().map_or("", |it| &it.0)).collect();
    format!("{}:{}", seats.len(), names.join(","))
}

fn seats_from_text(text: &str) -> Option<Vec<Option<AccountId>>> {
    let (n_seats, names) = text.split_once(':')?;
    let n_seats: usize = n_seats.parse().ok()?;
    let seat = |it: &str| (!it.is_empty()).then(|| AccountId(it.to_owned()));
    let seats: Vec<_> = names.split(',').take(n_seats).map(seat).collect();
    (seats.len() == n_seats).then_some(seats)
}

fn all<T>(rows: Vec<Row>, read: fn(Row) -> Read<T>) -> Read<Vec<T>> {
    rows.into_iter().map(read).collect()
}

fn first<T>(rows: Vec<Row>, read: fn(Row) -> Read<T>) -> Read<Option<T>> {
    rows.into_iter().next().map(read).transpose()
}

const MATCH: &str =
    "SELECT id, game, rules, status, seats, detail, created_at, updated_at, n_transitions, head, due_at FROM";
/// The few matches of an account: SQLite reads the tables in this order, and would else look through all there are.
const OWN: &str = "(SELECT DISTINCT match_id FROM seats WHERE account = $3) AS own CROSS JOIN matches";

fn read_match(mut row: Row) -> Read<MatchRow> {
    let id = MatchId(row.text()?);
    let broken = |what: &str, it: &str| StorageError::Corrupt(format!("the {what} of match {id} is no {what}: {it}"));
    let (game, rules, status, seats) = (row.text()?, row.hash()?, row.text()?, row.text()?);
    let status = MatchStatus::from_name(&status).ok_or_else(|| broken("status", &status))?;
    let seats = seats_from_text(&seats).ok_or_else(|| broken("list of seats", &seats))?;
    let (detail, created_at, updated_at) = (row.bytes()?, row.int()?, row.int()?);
    let (n_transitions, head, due_at) = (row.count()?, row.hash()?, row.int_maybe()?);
    Ok(MatchRow { id, game, rules, status, seats, detail, created_at, updated_at, n_transitions, head, due_at })
}

/// A match.
pub fn match_row(connection: &mut dyn Connection, id: &MatchId) -> Read<Option<MatchRow>> {
    first(connection.query(&format!("{MATCH} matches WHERE id = $1"), &[id.into()])?, read_match)
}

/// Matches, newest first.
pub fn matches(connection: &mut dyn Connection, filter: &MatchFilter) -> Read<Vec<MatchRow>> {
    let mut params: Vec<Cell> = vec![Cell::Int(filter.limit.into()), Cell::Int(filter.skip.into())];
    let (tables, mut clauses) = match &filter.account {
        Some(account) => {
            params.push(account.into());
            (OWN, vec!["id = own.match_id".to_owned()])
        }
        None => ("matches", Vec::new()),
    };
    let mut add = |column: &str, value: Cell| {
        params.push(value);
        clauses.push(format!("{column} = ${}", params.len()));
    };
    filter.status.iter().for_each(|it| add("status", it.as_str().into()));
    filter.game.iter().for_each(|it| add("game", it.into()));
    let condition = if clauses.is_empty() { String::new() } else { format!("WHERE {}", clauses.join(" AND ")) };
    let sql = format!("{MATCH} {tables} {condition} ORDER BY created_at DESC, id LIMIT $1 OFFSET $2");
    all(connection.query(&sql, &params)?, read_match)
}

/// Live matches whose first clock has run out.
pub fn due(connection: &mut dyn Connection, at: i64, limit: u32) -> Read<Vec<MatchId>> {
    let sql = "SELECT id FROM matches WHERE due_at <= $1 AND status = 'live' ORDER BY due_at, id LIMIT $2";
    all(connection.query(sql, &[at.into(), Cell::Int(limit.into())])?, |mut it| Ok(MatchId(it.text()?)))
}

const TRANSITION: &str =
    "SELECT match_id, seq, command_id, request, command, events, note, at, previous, hash FROM transitions";

fn read_transition(mut row: Row) -> Read<Transition> {
    let (match_id, seq, command_id, request) = (MatchId(row.text()?), row.count()?, row.text_maybe()?, row.hash()?);
    let (command, events, note, at) = (row.bytes()?, row.bytes()?, row.bytes()?, row.int()?);
    let (previous, hash) = (row.hash()?, row.hash()?);
    Ok(Transition { match_id, seq, command_id, request, command, events, note, at, previous, hash })
}

/// Transitions of a match from a number on.
pub fn transitions(connection: &mut dyn Connection, id: &MatchId, from: u64, limit: u32) -> Read<Vec<Transition>> {
    let sql = format!("{TRANSITION} WHERE match_id = $1 AND seq >= $2 ORDER BY seq LIMIT $3");
    all(connection.query(&sql, &[id.into(), from.into(), Cell::Int(limit.into())])?, read_transition)
}

/// The transition a command became.
pub fn command(connection: &mut dyn Connection, id: &MatchId, command_id: &str) -> Read<Option<Transition>> {
    let sql = format!("{TRANSITION} WHERE match_id = $1 AND command_id = $2");
    first(connection.query(&sql, &[id.into(), command_id.into()])?, read_transition)
}

const ACCOUNT: &str = "SELECT id, name, nickname, password, role, created_at FROM accounts";

fn read_account(mut row: Row) -> Read<Account> {
    let (id, name, nickname) = (AccountId(row.text()?), row.text_maybe()?, row.text()?);
    Ok(Account { id, name, nickname, password: row.text_maybe()?, role: row.text()?, created_at: row.int()? })
}

/// An account.
pub fn account(connection: &mut dyn Connection, id: &AccountId) -> Read<Option<Account>> {
    first(connection.query(&format!("{ACCOUNT} WHERE id = $1"), &[id.into()])?, read_account)
}

/// An account by what its owner signs in with.
pub fn account_by_name(connection: &mut dyn Connection, name: &str) -> Read<Option<Account>> {
    first(connection.query(&format!("{ACCOUNT} WHERE name = $1"), &[name.into()])?, read_account)
}

/// A session.
pub fn session(connection: &mut dyn Connection, token_hash: &Hash) -> Read<Option<Session>> {
    let sql = "SELECT token_hash, account, created_at, expires_at FROM sessions WHERE token_hash = $1";
    let read = |mut row: Row| {
        let (token_hash, account) = (row.hash()?, AccountId(row.text()?));
        Ok(Session { token_hash, account, created_at: row.int()?, expires_at: row.int()? })
    };
    first(connection.query(sql, &[token_hash.into()])?, read)
}

const RULESET: &str = "SELECT hash, name, version, publisher, bytes, at FROM rulesets";

fn read_ruleset(mut row: Row) -> Read<RulesetRow> {
    let (hash, name, version, publisher) = (row.hash()?, row.text()?, row.text()?, AccountId(row.text()?));
    Ok(RulesetRow { hash, name, version, publisher, bytes: row.bytes()?, at: row.int()? })
}

/// A ruleset.
pub fn ruleset(connection: &mut dyn Connection, hash: &Hash) -> Read<Option<RulesetRow>> {
    first(connection.query(&format!("{RULESET} WHERE hash = $1"), &[hash.into()])?, read_ruleset)
}

/// All rulesets.
pub fn rulesets(connection: &mut dyn Connection) -> Read<Vec<RulesetRow>> {
    all(connection.query(&format!("{RULESET} ORDER BY n"), &[])?, read_ruleset)
}

/// What moderators did to a match.
pub fn audit(connection: &mut dyn Connection, id: &MatchId) -> Read<Vec<Audit>> {
    let sql = "SELECT account, match_id, verb, detail, at FROM audit WHERE match_id = $1 ORDER BY n";
    let read = |mut row: Row| {
        let (account, match_id) = (AccountId(row.text()?), row.text_maybe()?.map(MatchId));
        Ok(Audit { account, match_id, verb: row.text()?, detail: row.text()?, at: row.int()? })
    };
    all(connection.query(sql, &[id.into()])?, read)
}

/// What a pocket holds.
pub fn balance(connection: &mut dyn Connection, account: &AccountId) -> Read<i64> {
    let rows = connection.query("SELECT balance FROM balances WHERE account = $1", &[account.into()])?;
    Ok(first(rows, |mut it| it.int())?.unwrap_or(0))
}

/// What all pockets hold together.
pub fn total(connection: &mut dyn Connection) -> Read<i64> {
    let rows = connection.query("SELECT CAST(COALESCE(SUM(balance), 0) AS BIGINT) FROM balances", &[])?;
    Ok(first(rows, |mut it| it.int())?.unwrap_or(0))
}

/// An entry by its name.
pub fn entry(connection: &mut dyn Connection, id: &str) -> Read<Option<Entry>> {
    let rows = connection.query("SELECT id, reason, at FROM entries WHERE id = $1", &[id.into()])?;
    let read = |mut row: Row| Ok((row.text()?, row.text()?, row.int()?));
    let Some((id, reason, at)) = first(rows, read)? else { return Ok(None) };
    let sql = "SELECT account, amount FROM postings WHERE entry = $1 ORDER BY line";
    let posting = |mut row: Row| Ok(Posting { account: AccountId(row.text()?), amount: row.int()? });
    let postings = all(connection.query(sql, &[(&id).into()])?, posting)?;
    Ok(Some(Entry { id, reason, postings, at }))
}

/// The movements of a pocket.
pub fn entries(connection: &mut dyn Connection, account: &AccountId) -> Read<Vec<Entry>> {
    let sql = "SELECT id FROM entries WHERE id IN (SELECT entry FROM postings WHERE account = $1) ORDER BY n";
    let ids = all(connection.query(sql, &[account.into()])?, |mut it| it.text())?;
    ids.iter().filter_map(|it| entry(connection, it).transpose()).collect()
}

/// A value of the store itself.
pub fn meta(connection: &mut dyn Connection, key: &str) -> Read<Option<Vec<u8>>> {
    first(connection.query("SELECT value FROM meta WHERE key = $1", &[key.into()])?, |mut it| it.bytes())
}
