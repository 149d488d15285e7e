//! Why something could not be stored or read.

use thiserror::Error;

use crate::rows::{AccountId, MatchId};

/// The machine's fault: the database is gone, full, broken or of the wrong kind.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StorageError {
    /// The database cannot be reached.
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    /// There is no room left.
    #[error("the disk is full: {0}")]
    Full(String),
    /// What was read makes no sense.
    #[error("the database is damaged: {0}; run snapstack storage check")]
    Corrupt(String),
    /// The version or a setting of the database is not what is needed.
    #[error("the database is not fit: {0}")]
    Unfit(String),
    /// Another program holds the database.
    #[error("another program keeps the database busy; nothing was stored, try again")]
    Busy,
    /// Anything else the database says.
    #[error("the database refused: {0}")]
    Other(String),
    /// The store is being closed.
    #[error("the store is closed")]
    Closed,
}

impl StorageError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "storage/unreachable",
            Self::Full(_) => "storage/full",
            Self::Corrupt(_) => "storage/corrupt",
            Self::Unfit(_) => "storage/unfit",
            Self::Busy => "storage/busy",
            Self::Other(_) => "storage/refused",
            Self::Closed => "storage/closed",
        }
    }
}

/// Why a commit did not happen. Nothing of it was stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommitError {
    /// Somebody else has written to the match, which has so many transitions now.
    #[error("match {match_id} has moved on to {n_transitions} transitions")]
    Conflict { match_id: MatchId, n_transitions: u64 },
    /// The name of the command is taken.
    #[error("match {match_id} already has the command {command_id}")]
    DuplicateCommand { match_id: MatchId, command_id: String },
    /// There is no such match.
    #[error("no such match: {0}")]
    NoSuchMatch(MatchId),
    /// There is a match of this name, or an account, or a session.
    #[error("already exists: {0}")]
    Exists(String),
    /// There is no such account.
    #[error("no such account: {0}")]
    NoSuchAccount(AccountId),
    /// A pocket would hold less than nothing.
    #[error("account {account} has not enough: {balance}")]
    Insufficient { account: AccountId, balance: i64 },
    /// An entry does not add up to nothing, or is too large.
    #[error("entry {0} does not balance")]
    Unbalanced(String),
    /// There is another entry of this name.
    #[error("another entry has the name: {0}")]
    EntryDiffers(String),
    /// The machine's fault.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl CommitError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "storage/conflict",
            Self::DuplicateCommand { .. } => "storage/duplicate_command",
            Self::NoSuchMatch(_) => "storage/no_such_match",
            Self::Exists(_) => "storage/exists",
            Self::NoSuchAccount(_) => "storage/no_such_account",
            Self::Insufficient { .. } => "ledger/insufficient",
            Self::Unbalanced(_) => "ledger/unbalanced",
            Self::EntryDiffers(_) => "ledger/entry_differs",
            Self::Storage(error) => error.code(),
        }
    }
}
