//! What SQLite and Postgres share: the schema, every statement, one writer that commits in groups.

pub mod cell;
pub mod connection;
mod ops;
mod readers;
mod reads;
mod schema;
pub mod sql_store;
mod writer;

pub use cell::Cell;
pub use connection::{Connection, Connector, SqlError};
pub use sql_store::SqlStore;
