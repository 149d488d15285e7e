//! A store in Postgres, which several servers can share: whoever is late finds the match moved on.

use std::{collections::HashMap, error::Error as _, sync::OnceLock};

use postgres::{
    Client, NoTls, Statement,
    error::SqlState,
    types::{IsNull, ToSql, Type, private::BytesMut, to_sql_checked},
};

use crate::{
    error::StorageError,
    sql::{Cell, Connection, Connector, SqlError, SqlStore, cell::Row},
};

/// Postgres before this version is not tested.
const VERSION_MIN: u32 = 13;

/// A store in Postgres.
pub type PostgresStore = SqlStore<Postgres>;

/// Where a Postgres database is.
pub struct Postgres {
    config: postgres::Config,
    version: OnceLock<String>,
}

impl PostgresStore {
    /// Opens the database of an address, `postgres://user:password@host/database`.
    pub fn open_url(url: &str) -> Result<Self, StorageError> {
        let config =
            url.parse().map_err(|error| StorageError::Unfit(format!("not an address of Postgres: {error}")))?;
        Self::open(Postgres { config, version: OnceLock::new() })
    }
}

/// A connection to Postgres, with the statements it knows.
pub struct PostgresConnection {
    client: Client,
    statements: HashMap<String, Statement>,
}

/// What an error says, with what it was caused by.
fn text_of(error: &postgres::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

fn storage(error: &postgres::Error) -> StorageError {
    let text = text_of(error);
    match error.code() {
        None => StorageError::Unreachable(text),
        Some(code) if *code == SqlState::DISK_FULL => StorageError::Full(text),
        Some(code) if *code == SqlState::DATA_CORRUPTED || *code == SqlState::INDEX_CORRUPTED => {
            StorageError::Corrupt(text)
        }
        Some(code) if code.code().starts_with("57P") || code.code().starts_with("08") => {
            StorageError::Unreachable(text)
        }
        Some(_) => StorageError::Other(text),
    }
}

#[expect(clippy::needless_pass_by_value, reason = "so that it fits behind map_err")]
fn failed(error: postgres::Error) -> SqlError {
    match error.code() {
        Some(code) if *code == SqlState::UNIQUE_VIOLATION || *code == SqlState::DUPLICATE_TABLE => SqlError::Taken,
        Some(code) if *code == SqlState::T_R_DEADLOCK_DETECTED || *code == SqlState::T_R_SERIALIZATION_FAILURE => {
            SqlError::Collided
        }
        _ => SqlError::Storage(storage(&error)),
    }
}

impl ToSql for Cell {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(it) => it.to_sql(ty, out),
            Self::Text(it) => it.to_sql(ty, out),
            Self::Bytes(it) => it.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        [Type::INT8, Type::TEXT, Type::BYTEA].contains(ty)
    }

    to_sql_checked!();
}

fn cell(row: &postgres::Row, at: usize) -> Result<Cell, postgres::Error> {
    let ty = row.columns().get(at).map(|it| it.type_().clone());
    Ok(match ty {
        Some(Type::INT8) => row.try_get::<_, Option<i64>>(at)?.map_or(Cell::Null, Cell::Int),
        Some(Type::BYTEA) => row.try_get::<_, Option<Vec<u8>>>(at)?.map_or(Cell::Null, Cell::Bytes),
        _ => row.try_get::<_, Option<String>>(at)?.map_or(Cell::Null, Cell::Text),
    })
}

impl PostgresConnection {
    fn statement(&mut self, sql: &str) -> Result<Statement, SqlError> {
        if let Some(known) = self.statements.get(sql) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(sql).map_err(failed)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Connection for PostgresConnection {
    fn execute(&mut self, sql: &str, params: &[Cell]) -> Result<u64, SqlError> {
        let statement = self.statement(sql)?;
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|it| it as _).collect();
        self.client.execute(&statement, &params).map_err(failed)
    }

    fn query(&mut self, sql: &str, params: &[Cell]) -> Result<Vec<Row>, SqlError> {
        let statement = self.statement(sql)?;
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|it| it as _).collect();
        let rows = self.client.query(&statement, &params).map_err(failed)?;
        let read = |it: &postgres::Row| (0..it.len()).map(|at| cell(it, at)).collect::<Result<_, _>>().map(Row::new);
        rows.iter().map(read).collect::<Result<_, _>>().map_err(failed)
    }

    fn run(&mut self, sql: &str) -> Result<(), SqlError> {
        self.client.batch_execute(sql).map_err(failed)
    }

    fn is_alive(&self) -> bool {
        !self.client.is_closed()
    }
}

/// A setting of the database.
fn setting(client: &mut Client, name: &str) -> Result<String, StorageError> {
    let row = client.query_one("SELECT current_setting($1)", &[&name]).map_err(|it| storage(&it))?;
    row.try_get(0).map_err(|it| storage(&it))
}

/// Checks what durability needs.
fn check(client: &mut Client) -> Result<String, StorageError> {
    let version = setting(client, "server_version")?;
    let major: u32 = version.split('.').next().and_then(|it| it.parse().ok()).unwrap_or(0);
    if major < VERSION_MIN {
        return Err(StorageError::Unfit(format!("Postgres {VERSION_MIN} or newer is needed, found: {version}")));
    }
    for name in ["fsync", "full_page_writes"] {
        if setting(client, name)? != "on" {
            return Err(StorageError::Unfit(format!("{name} is off, so what is acknowledged could be lost")));
        }
    }
    // This session waits for the disk, whatever the server's default is.
    client.batch_execute("SET synchronous_commit = on").map_err(|it| storage(&it))?;
    Ok(version)
}

impl Connector for Postgres {
    type Connection = PostgresConnection;

    fn open(&self) -> Result<PostgresConnection, StorageError> {
        let mut client = self.config.connect(NoTls).map_err(|it| storage(&it))?;
        let version = check(&mut client)?;
        self.version.get_or_init(|| version);
        Ok(PostgresConnection { client, statements: HashMap::new() })
    }

    fn dialect(&self) -> [(&'static str, &'static str); 2] {
        [("BYTES", "BYTEA"), ("COUNTING_KEY", "BIGSERIAL PRIMARY KEY")]
    }

    fn begin(&self) -> &'static str {
        "BEGIN"
    }

    fn describe(&self) -> String {
        let version = self.version.get().map_or("", |it| it);
        format!("Postgres {version}, database {}", self.config.get_dbname().unwrap_or("of the user"))
    }
}
