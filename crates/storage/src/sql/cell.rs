//! A value of a row, in the few types that both databases have.

use crate::{
    chain::Hash,
    error::StorageError,
    rows::{AccountId, MatchId},
};

/// A value of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Null,
    /// A number.
    Int(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl From<i64> for Cell {
    fn from(it: i64) -> Self {
        Self::Int(it)
    }
}

impl From<u64> for Cell {
    fn from(it: u64) -> Self {
        Self::Int(i64::try_from(it).unwrap_or(i64::MAX))
    }
}

impl From<&str> for Cell {
    fn from(it: &str) -> Self {
        Self::Text(it.to_owned())
    }
}

impl From<&String> for Cell {
    fn from(it: &String) -> Self {
        Self::Text(it.clone())
    }
}

impl From<&MatchId> for Cell {
    fn from(it: &MatchId) -> Self {
        Self::Text(it.0.clone())
    }
}

impl From<&AccountId> for Cell {
    fn from(it: &AccountId) -> Self {
        Self::Text(it.0.clone())
    }
}

impl From<&Vec<u8>> for Cell {
    fn from(it: &Vec<u8>) -> Self {
        Self::Bytes(it.clone())
    }
}

impl From<&Hash> for Cell {
    fn from(it: &Hash) -> Self {
        Self::Bytes(it.to_vec())
    }
}

impl<T> From<Option<T>> for Cell
where
    Cell: From<T>,
{
    fn from(it: Option<T>) -> Self {
        it.map_or(Self::Null, Self::from)
    }
}

/// A row that was read, taken apart from its first cell on.
pub struct Row(std::vec::IntoIter<Cell>);

impl Row {
    /// A row of these cells.
    pub fn new(cells: Vec<Cell>) -> Self {
        Self(cells.into_iter())
    }

    fn wrong(wanted: &str, found: Option<Cell>) -> StorageError {
        StorageError::Corrupt(format!("{wanted} was expected, found: {found:?}"))
    }

    /// The next cell, a number.
    pub fn int(&mut self) -> Result<i64, StorageError> {
        match self.0.next() {
            Some(Cell::Int(it)) => Ok(it),
            other => Err(Self::wrong("a number", other)),
        }
    }

    /// The next cell, a number that counts.
    pub fn count(&mut self) -> Result<u64, StorageError> {
        let number = self.int()?;
        u64::try_from(number).map_err(|_| Self::wrong("a count", Some(Cell::Int(number))))
    }

    /// The next cell, a number or nothing.
    pub fn int_maybe(&mut self) -> Result<Option<i64>, StorageError> {
        match self.0.next() {
            Some(Cell::Int(it)) => Ok(Some(it)),
            Some(Cell::Null) => Ok(None),
            other => Err(Self::wrong("a number or nothing", other)),
        }
    }

    /// The next cell, a text.
    pub fn text(&mut self) -> Result<String, StorageError> {
        match self.0.next() {
            Some(Cell::Text(it)) => Ok(it),
            other => Err(Self::wrong("a text", other)),
        }
    }

    /// The next cell, a text or nothing.
    pub fn text_maybe(&mut self) -> Result<Option<String>, StorageError> {
        match self.0.next() {
            Some(Cell::Text(it)) => Ok(Some(it)),
            Some(Cell::Null) => Ok(None),
            other => Err(Self::wrong("a text or nothing", other)),
        }
    }

    /// The next cell, bytes.
    pub fn bytes(&mut self) -> Result<Vec<u8>, StorageError> {
        match self.0.next() {
            Some(Cell::Bytes(it)) => Ok(it),
            other => Err(Self::wrong("bytes", other)),
        }
    }

    /// The next cell, a hash.
    pub fn hash(&mut self) -> Result<Hash, StorageError> {
        let bytes = self.bytes()?;
        bytes.try_into().map_err(|it| Self::wrong("a hash", Some(Cell::Bytes(it))))
    }
}
