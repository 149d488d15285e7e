//! The record of a match: what it began with, and everything that was accepted, with the hash after each.
//! Nothing is ever taken out of it; an undo is one more entry.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use parity_scale_codec::{Decode, Encode};

use crate::codec::{Hash, Packed};
use crate::control::Control;
use crate::face::Face;
use crate::rejection::Rejection;
use crate::scripts::{Script, Setup};
use crate::seat::{Crowd, Seat};

/// The version of the encodings and of the table's rules; a record of another one is refused.
pub const FORMAT: u32 = 1;

/// What pins a match.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Header {
    pub format: u32,
    pub script: String,
    pub version: u32,
    pub setup: Setup,
    /// Faces that stand in for others, by the number of the card: empty but in worlds that only might be.
    pub stand_ins: Vec<(u32, Face)>,
}

/// Something that was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Entry {
    /// The match began.
    Start,
    /// A player answered.
    Answer { input: u32, seat: Seat, selection: Packed, confirm: bool },
    /// A player took his part of an open request back.
    Withdraw { input: u32, seat: Seat },
    /// A player took back his last answer.
    Undo { seat: Seat },
    /// All agreed to go back to a version.
    Takeback { to: u32, agreed: Crowd },
    /// The host or a moderator did something.
    Control(Control),
}

/// An answer nobody had to give.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Auto {
    pub input: u32,
    pub seat: Seat,
    pub selection: Packed,
}

/// Something that was accepted, the automatic answers that followed, and the hash of the match after it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Transition {
    pub entry: Entry,
    pub autos: Vec<Auto>,
    pub hash: Hash,
}

/// The record of a match.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Record {
    pub header: Header,
    pub transitions: Vec<Transition>,
}

/// Why a record is refused, with the first transition that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The bytes are not a record.
    NotARecord,
    /// The record was written by another version of this crate.
    WrongFormat { found: u32 },
    /// The record belongs to another game, or another version of it.
    WrongScript,
    /// The header asks for a match that cannot be.
    BadSetup(Rejection),
    /// The beginning is not the first transition, or not only that.
    MisplacedStart { transition: usize },
    /// What was accepted then is refused now.
    BadEntry { transition: usize, why: Rejection },
    /// It leads elsewhere now: other automatic answers, or another hash.
    Diverged { transition: usize },
}

impl Header {
    /// The header of a match.
    pub fn new(script: &Script, setup: Setup) -> Self {
        Header { format: FORMAT, script: script.name.clone(), version: script.version, setup, stand_ins: Vec::new() }
    }
}

impl Record {
    /// Reads a record.
    pub fn read(mut bytes: &[u8]) -> Result<Self, RecordError> {
        let record = Record::decode(&mut bytes).map_err(|_| RecordError::NotARecord)?;
        if !bytes.is_empty() {
            return Err(RecordError::NotARecord);
        }
        if record.header.format != FORMAT {
            return Err(RecordError::WrongFormat { found: record.header.format });
        }
        Ok(record)
    }

    /// Checks that the record is one of this game.
    pub fn check(&self, script: &Script) -> Result<(), RecordError> {
        if self.header.script != script.name || self.header.version != script.version {
            return Err(RecordError::WrongScript);
        }
        script.check(&self.header.setup).map_err(RecordError::BadSetup)
    }
}

impl RecordError {
    /// Returns the code that programs compare; it never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotARecord => "record/not_a_record",
            Self::WrongFormat { .. } => "record/wrong_format",
            Self::WrongScript => "record/wrong_script",
            Self::BadSetup(_) => "record/bad_setup",
            Self::MisplacedStart { .. } => "record/misplaced_start",
            Self::BadEntry { .. } => "record/bad_entry",
            Self::Diverged { .. } => "record/diverged",
        }
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotARecord => f.write_str("the bytes are not a record"),
            Self::WrongFormat { found } => write!(f, "the record has another format: {found}"),
            Self::WrongScript => f.write_str("the record belongs to another game or version"),
            Self::BadSetup(why) => write!(f, "the header asks for a match that cannot be: {why}"),
            Self::MisplacedStart { transition } => {
                write!(f, "the beginning must be the first transition and only that: {transition}")
            }
            Self::BadEntry { transition, why } => write!(f, "transition {transition} is refused: {why}"),
            Self::Diverged { transition } => write!(f, "the game does not repeat itself at transition {transition}"),
        }
    }
}

impl core::error::Error for RecordError {}
