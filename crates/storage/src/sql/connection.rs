//! What a database must be able to do.

use crate::{
    error::StorageError,
    sql::cell::{Cell, Row},
};

/// What a statement failed with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SqlError {
    /// A row of this key exists.
    Taken,
    /// Two writers got in each other's way; doing it again helps.
    Collided,
    /// Anything else.
    Storage(StorageError),
}

impl From<StorageError> for SqlError {
    fn from(it: StorageError) -> Self {
        Self::Storage(it)
    }
}

impl From<SqlError> for StorageError {
    fn from(it: SqlError) -> Self {
        match it {
            SqlError::Taken => Self::Other("a key is taken".to_owned()),
            SqlError::Collided => Self::Busy,
            SqlError::Storage(error) => error,
        }
    }
}

/// A connection to a database. Statements write their parameters as `$1`.
pub trait Connection: Send {
    /// Carries out a statement; gives how many rows it changed.
    fn execute(&mut self, sql: &str, params: &[Cell]) -> Result<u64, SqlError>;

    /// Asks for rows.
    fn query(&mut self, sql: &str, params: &[Cell]) -> Result<Vec<Row>, SqlError>;

    /// Carries out statements without parameters.
    fn run(&mut self, sql: &str) -> Result<(), SqlError>;

    /// Whether it can still be used.
    fn is_alive(&self) -> bool;
}

/// Opens connections to one database.
pub trait Connector: Send + Sync + 'static {
    /// A connection.
    type Connection: Connection + 'static;

    /// Opens a connection and checks version and settings.
    fn open(&self) -> Result<Self::Connection, StorageError>;

    /// The words of the schema that differ: bytes, a key that counts by itself.
    fn dialect(&self) -> [(&'static str, &'static str); 2];

    /// How a transaction that writes begins.
    fn begin(&self) -> &'static str;

    /// Which database this is, and its version.
    fn describe(&self) -> String;
}
