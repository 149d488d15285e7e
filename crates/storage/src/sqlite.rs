//! A store in one SQLite file: needs nothing, survives the loss of power.

use std::path::{Path, PathBuf};

use rusqlite::{
    ErrorCode, OpenFlags,
    types::{ToSqlOutput, Value, ValueRef},
};

use crate::{
    error::StorageError,
    sql::{Cell, Connection, Connector, SqlError, SqlStore, cell::Row},
};

/// SQLite before this version can lose what is in its write-ahead log.
const VERSION_MIN: i32 = 3_051_003;
/// How long a statement waits for another process.
const BUSY_MS: u32 = 1000;

/// A store in one file.
pub type SqliteStore = SqlStore<Sqlite>;

/// Where a SQLite database is.
pub struct Sqlite {
    path: PathBuf,
}

impl SqliteStore {
    /// Opens a file, or makes it.
    pub fn open_file(path: &Path) -> Result<Self, StorageError> {
        Self::open(Sqlite { path: path.to_owned() })
    }
}

/// A connection to a SQLite file.
pub struct SqliteConnection(rusqlite::Connection);

fn storage(error: rusqlite::Error) -> StorageError {
    let text = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => StorageError::Full(text),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StorageError::Corrupt(text),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
            StorageError::Unreachable(text)
        }
        _ => StorageError::Other(text),
    }
}

fn failed(error: rusqlite::Error) -> SqlError {
    match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => SqlError::Taken,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => SqlError::Collided,
        _ => SqlError::Storage(storage(error)),
    }
}

/// SQLite writes parameters as `?1`.
fn translate(sql: &str) -> String {
    sql.replace('$', "?")
}

impl rusqlite::ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Owned(Value::Null),
            Self::Int(it) => ToSqlOutput::Owned(Value::Integer(*it)),
            Self::Text(it) => ToSqlOutput::Borrowed(ValueRef::Text(it.as_bytes())),
            Self::Bytes(it) => ToSqlOutput::Borrowed(ValueRef::Blob(it)),
        })
    }
}

fn cell(value: ValueRef<'_>) -> Result<Cell, StorageError> {
    match value {
        ValueRef::Null => Ok(Cell::Null),
        ValueRef::Integer(it) => Ok(Cell::Int(it)),
        ValueRef::Real(it) => Err(StorageError::Corrupt(format!("a fraction where none can be: {it}"))),
        ValueRef::Text(it) => {
            let text = String::from_utf8(it.to_vec());
            text.map(Cell::Text).map_err(|_| StorageError::Corrupt("a text that is none".to_owned()))
        }
        ValueRef::Blob(it) => Ok(Cell::Bytes(it.to_vec())),
    }
}

impl Connection for SqliteConnection {
    fn execute(&mut self, sql: &str, params: &[Cell]) -> Result<u64, SqlError> {
        let mut statement = self.0.prepare_cached(&translate(sql)).map_err(failed)?;
        let n_rows = statement.execute(rusqlite::params_from_iter(params)).map_err(failed)?;
        Ok(n_rows as u64)
    }

    fn query(&mut self, sql: &str, params: &[Cell]) -> Result<Vec<Row>, SqlError> {
        let mut statement = self.0.prepare_cached(&translate(sql)).map_err(failed)?;
        let n_columns = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(params)).map_err(failed)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let mut cells = Vec::with_capacity(n_columns);
            for at in 0..n_columns {
                cells.push(cell(row.get_ref(at).map_err(failed)?)?);
            }
            found.push(Row::new(cells));
        }
        Ok(found)
    }

    fn run(&mut self, sql: &str) -> Result<(), SqlError> {
        self.0.execute_batch(sql).map_err(failed)
    }

    fn is_alive(&self) -> bool {
        true
    }
}

/// Sets what durability needs, and checks that it is so.
fn settle(connection: &rusqlite::Connection) -> Result<(), StorageError> {
    let pragma = |name: &str, value: &str| connection.pragma_update(None, name, value).map_err(storage);
    pragma("busy_timeout", &BUSY_MS.to_string())?;
    pragma("journal_mode", "WAL")?;
    pragma("synchronous", "FULL")?;
    let mode: String = connection.query_row("PRAGMA journal_mode", [], |it| it.get(0)).map_err(storage)?;
    let level: i64 = connection.query_row("PRAGMA synchronous", [], |it| it.get(0)).map_err(storage)?;
    // Only WAL gives readers and the writer room beside each other, and only FULL waits for the disk.
    if mode != "wal" || level != 2 {
        let found = format!("journal_mode is {mode}, synchronous is {level}, needed are wal and 2");
        return Err(StorageError::Unfit(found));
    }
    Ok(())
}

impl Connector for Sqlite {
    type Connection = SqliteConnection;

    fn open(&self) -> Result<SqliteConnection, StorageError> {
        if rusqlite::version_number() < VERSION_MIN {
            let found = rusqlite::version();
            return Err(StorageError::Unfit(format!("SQLite is too old, 3.51.3 is needed: {found}")));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = rusqlite::Connection::open_with_flags(&self.path, flags).map_err(storage)?;
        settle(&connection)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(SqliteConnection(connection))
    }

    fn dialect(&self) -> [(&'static str, &'static str); 2] {
        [("BYTES", "BLOB"), ("COUNTING_KEY", "INTEGER PRIMARY KEY AUTOINCREMENT")]
    }

    fn begin(&self) -> &'static str {
        "BEGIN IMMEDIATE"
    }

    fn describe(&self) -> String {
        format!("SQLite {} in {}", rusqlite::version(), self.path.display())
    }
}
