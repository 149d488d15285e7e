//! The tables.

use crate::{
    error::StorageError,
    sql::{Cell, Connection, Connector, SqlError},
};

/// The version of the tables; a database of another one is refused.
const VERSION: &str = "1";

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BYTES NOT NULL);
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, rules BYTES NOT NULL, status TEXT NOT NULL, seats TEXT NOT NULL,
    detail BYTES NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
    n_transitions BIGINT NOT NULL, head BYTES NOT NULL, due_at BIGINT);
CREATE INDEX IF NOT EXISTS matches_by_age ON matches (created_at);
CREATE INDEX IF NOT EXISTS matches_by_status ON matches (status, created_at);
CREATE INDEX IF NOT EXISTS matches_by_due ON matches (due_at) WHERE due_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS seats (
    match_id TEXT NOT NULL, seat BIGINT NOT NULL, account TEXT NOT NULL, PRIMARY KEY (match_id, seat));
CREATE INDEX IF NOT EXISTS seats_by_account ON seats (account);
CREATE TABLE IF NOT EXISTS transitions (
    match_id TEXT NOT NULL, seq BIGINT NOT NULL, command_id TEXT, request BYTES NOT NULL, command BYTES NOT NULL,
    events BYTES NOT NULL, note BYTES NOT NULL, at BIGINT NOT NULL, previous BYTES NOT NULL, hash BYTES NOT NULL,
    PRIMARY KEY (match_id, seq));
CREATE UNIQUE INDEX IF NOT EXISTS transitions_by_command ON transitions (match_id, command_id)
    WHERE command_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS accounts (
    id TEXT PRIMARY KEY, name TEXT UNIQUE, nickname TEXT NOT NULL, password TEXT, role TEXT NOT NULL,
    created_at BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS sessions (
    token_hash BYTES PRIMARY KEY, account TEXT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS rulesets (
    n COUNTING_KEY, hash BYTES NOT NULL UNIQUE, name TEXT NOT NULL, version TEXT NOT NULL, publisher TEXT NOT NULL,
    bytes BYTES NOT NULL, at BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS audit (
    n COUNTING_KEY, account TEXT NOT NULL, match_id TEXT, verb TEXT NOT NULL, detail TEXT NOT NULL, at BIGINT NOT NULL);
CREATE INDEX IF NOT EXISTS audit_by_match ON audit (match_id);
CREATE TABLE IF NOT EXISTS entries (n COUNTING_KEY, id TEXT NOT NULL UNIQUE, reason TEXT NOT NULL, at BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS postings (
    entry TEXT NOT NULL, line BIGINT NOT NULL, account TEXT NOT NULL, amount BIGINT NOT NULL, PRIMARY KEY (entry, line));
CREATE INDEX IF NOT EXISTS postings_by_account ON postings (account);
CREATE TABLE IF NOT EXISTS balances (account TEXT PRIMARY KEY, balance BIGINT NOT NULL);
";

/// Makes the tables that are missing, and refuses those of another version.
pub fn prepare<C: Connector>(connector: &C, connection: &mut C::Connection) -> Result<(), StorageError> {
    let tables = connector.dialect().iter().fold(TABLES.to_owned(), |acc, (from, to)| acc.replace(from, to));
    match connection.run(&tables) {
        // Another server made them at the same moment.
        Err(SqlError::Taken | SqlError::Collided) => connection.run(&tables)?,
        other => other?,
    }
    let version = [Cell::from("schema"), Cell::Bytes(VERSION.into())];
    connection.execute("INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING", &version)?;
    let found = connection.query("SELECT value FROM meta WHERE key = $1", &version[..1])?;
    let found = found.into_iter().next().map_or(Ok(Vec::new()), |mut it| it.bytes())?;
    if found != VERSION.as_bytes() {
        let found = String::from_utf8_lossy(&found).into_owned();
        return Err(StorageError::Unfit(format!("its tables have version {found}, this program needs {VERSION}")));
    }
    Ok(())
}
