//! Where matches, accounts and money are kept so that nothing acknowledged is ever lost.
//!
//! Everything is written through [`Store::commit`]: a list of [`Op`]s that happens as a whole or not at all, and is
//! durable once the call returns. A match is an append-only list of [`Transition`]s, each hash-chained to the one
//! before, so that damage is found and never played on. What the bytes mean is up to the caller; this crate knows no
//! rules and no messages.

pub mod chain;
pub mod damage;
pub mod error;
pub mod memory;
pub mod money;
pub mod op;
pub mod postgres;
pub mod rows;
mod sql;
pub mod sqlite;
pub mod store;

pub use chain::Hash;
pub use damage::Damage;
pub use error::{CommitError, StorageError};
pub use memory::MemoryStore;
pub use money::{Entry, Posting};
pub use op::Op;
pub use rows::{
    Account, AccountId, Audit, MatchFilter, MatchId, MatchRow, MatchStatus, RulesetRow, Session, Transition,
};
pub use store::Store;
