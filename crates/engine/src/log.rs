//! The log of a match: a header, then transitions as canonical bytes, each hash-chained to the one before.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::fmt;

use parity_scale_codec::{Decode, Encode, Output};
use ruleset::{Hash, Ruleset, hash::blake2_256};

use crate::{
    command::Command,
    matches::{Match, Progress, Setup},
    packed::{Packed, Unpacked},
    record::{Record, Sink},
    rejection::Rejection,
    state::MatchState,
};

/// The version of the engine's rules of play and of its encodings; a log of another one is refused.
pub const ENGINE_VERSION: u32 = 2;

/// Room for the records of most commands, so that they are not moved while they grow.
const RECORDS_ROOM: usize = 1024;

/// What pins a match.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Header {
    pub engine: u32,
    /// The ruleset's id and version, for people; what counts is the hash.
    pub ruleset: (String, String),
    pub rules: Hash,
    pub setup: Setup,
}

/// One accepted command with what it led to and the hash after it. The first has no command: it is the set-up.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Transition {
    pub command: Option<Command>,
    /// The records, encoded one after the other.
    pub records: Vec<u8>,
    pub hash: Hash,
}

/// A log that grows with a match.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Log {
    pub header: Header,
    pub transitions: Vec<Transition>,
}

/// Why a log is refused, with the first transition and record that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogError {
    /// The bytes are not a log; how many were read.
    NotALog { at: usize },
    /// The log was written by another version of the engine.
    WrongEngine { found: u32 },
    /// The log belongs to other rules.
    WrongRules,
    /// The header asks for a match that cannot be.
    BadSetup(Rejection),
    /// The set-up is not the first transition, or not only that.
    MisplacedSetup { transition: usize },
    /// Folding the records gives a state that cannot be.
    BrokenState { transition: usize },
    /// A transition's hash does not follow from the one before.
    BrokenChain { transition: usize },
    /// A transition's records cannot be read from here on.
    BadRecord { transition: usize, record: usize },
    /// A command of the log is not legal where it stands.
    BadCommand { transition: usize, why: Rejection },
    /// Carrying out a command leads to something else than the log says, from this record on.
    Diverged { transition: usize, record: usize },
}

impl LogError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotALog { .. } => "log/not_a_log",
            Self::WrongEngine { .. } => "log/wrong_engine",
            Self::WrongRules => "log/wrong_rules",
            Self::BadSetup(_) => "log/bad_setup",
            Self::MisplacedSetup { .. } => "log/misplaced_setup",
            Self::BrokenState { .. } => "log/broken_state",
            Self::BrokenChain { .. } => "log/broken_chain",
            Self::BadRecord { .. } => "log/bad_record",
            Self::BadCommand { .. } => "log/bad_command",
            Self::Diverged { .. } => "log/diverged",
        }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALog { at } => write!(f, "the bytes are not a log, from byte {at} on"),
            Self::WrongEngine { found } => {
                write!(f, "the log was written by another engine version: {found}")
            }
            Self::WrongRules => f.write_str("the log belongs to other rules"),
            Self::BadSetup(why) => write!(f, "the header asks for a match that cannot be: {why}"),
            Self::MisplacedSetup { transition } => {
                write!(f, "the set-up must be the first transition and only that: {transition}")
            }
            Self::BrokenState { transition } => {
                write!(f, "folding transition {transition} gives a state that cannot be")
            }
            Self::BrokenChain { transition } => {
                write!(f, "the hash chain is broken at transition {transition}")
            }
            Self::BadRecord { transition, record } => {
                write!(f, "transition {transition} cannot be read from record {record} on")
            }
            Self::BadCommand { transition, why } => {
                write!(f, "the command of transition {transition} is not legal: {why}")
            }
            Self::Diverged { transition, record } => {
                write!(f, "carrying out transition {transition} leads to something else at record {record}")
            }
        }
    }
}

/// Collects the records of one transition.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    pub bytes: Vec<u8>,
}

impl Sink for Recorder {
    fn record(&mut self, _state: &MatchState, record: &Record<&[i64]>) {
        write_record(record, &mut self.bytes);
    }
}

/// Writes one record behind others.
fn write_record(record: &Record<&[i64]>, bytes: &mut Vec<u8>) {
    record.map(|it| Packed(it)).encode_to(&mut Writer(bytes));
}

/// Writes records one after the other, as a transition has them.
pub fn encode_records(records: &[Record<Vec<i64>>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    records.iter().for_each(|it| write_record(&borrowed(it), &mut bytes));
    bytes
}

/// Reads the next record.
fn read_record(bytes: &mut &[u8]) -> Result<Record<Vec<i64>>, parity_scale_codec::Error> {
    Ok(Record::<Unpacked>::decode(bytes)?.map(|it| it.0.clone()))
}

/// Writes small pieces without a call for each.
struct Writer<'b>(&'b mut Vec<u8>);

impl Output for Writer<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    #[inline]
    fn push_byte(&mut self, byte: u8) {
        self.0.push(byte);
    }
}

impl Header {
    /// The header of a match of these rules.
    pub fn new(ruleset: &Ruleset, setup: Setup) -> Self {
        let text = &ruleset.program().text;
        let name = (text.id.clone(), text.version.clone());
        Self { engine: ENGINE_VERSION, ruleset: name, rules: ruleset.rules_hash(), setup }
    }

    /// The hash the chain begins with.
    pub fn hash(&self) -> Hash {
        blake2_256(&self.encode())
    }
}

/// The hash after a transition.
fn chain(previous: &Hash, command: &Option<Command>, records: &[u8]) -> Hash {
    blake2_256(&(previous, command, records).encode())
}

impl Log {
    /// Begins a match and its log.
    pub fn start(ruleset: &Arc<Ruleset>, setup: Setup) -> Result<(Match, Log, Progress), Rejection> {
        let mut recorder = Recorder::default();
        let (live, progress) = Match::start(ruleset.clone(), &setup, &mut recorder)?;
        let mut log = Log { header: Header::new(ruleset, setup), transitions: Vec::new() };
        log.append(None, recorder.bytes);
        Ok((live, log, progress))
    }

    /// Submits a command and keeps what it led to; a refused one leaves no trace.
    pub fn submit(&mut self, live: &mut Match, command: &Command) -> Result<Progress, Rejection> {
        let mut recorder = Recorder { bytes: Vec::with_capacity(RECORDS_ROOM) };
        let progress = live.submit(command, &mut recorder)?;
        self.append(Some(command.clone()), recorder.bytes);
        Ok(progress)
    }

    /// The hash after the last transition.
    pub fn hash(&self) -> Hash {
        self.transitions.last().map_or_else(|| self.header.hash(), |it| it.hash)
    }

    /// Adds a transition that was carried out elsewhere.
    pub fn append(&mut self, command: Option<Command>, records: Vec<u8>) {
        let hash = chain(&self.hash(), &command, &records);
        self.transitions.push(Transition { command, records, hash });
    }

    /// Reads a log from bytes and checks what can be checked without rules: form and hash chain.
    pub fn read(bytes: &[u8]) -> Result<Log, LogError> {
        let mut rest = bytes;
        let log =
            Log::decode(&mut rest).map_err(|_| LogError::NotALog { at: bytes.len().saturating_sub(rest.len()) })?;
        if !rest.is_empty() {
            return Err(LogError::NotALog { at: bytes.len().saturating_sub(rest.len()) });
        }
        if log.header.engine != ENGINE_VERSION {
            return Err(LogError::WrongEngine { found: log.header.engine });
        }
        log.check_chain()?;
        Ok(log)
    }

    /// Checks every hash of the chain, and that every record can be read.
    pub fn check_chain(&self) -> Result<(), LogError> {
        let mut previous = self.header.hash();
        for (transition, it) in self.transitions.iter().enumerate() {
            check_records(&it.records).map_err(|record| LogError::BadRecord { transition, record })?;
            if it.command.is_none() != (transition == 0) {
                return Err(LogError::MisplacedSetup { transition });
            }
            if chain(&previous, &it.command, &it.records) != it.hash {
                return Err(LogError::BrokenChain { transition });
            }
            previous = it.hash;
        }
        Ok(())
    }

    fn empty_match(&self, ruleset: &Arc<Ruleset>) -> Result<Match, LogError> {
        if self.header.rules != ruleset.rules_hash() {
            return Err(LogError::WrongRules);
        }
        Match::empty(ruleset.clone(), &self.header.setup).map_err(LogError::BadSetup)
    }

    /// The match after the first so many transitions, by folding their records.
    pub fn fold(&self, ruleset: &Arc<Ruleset>, n: usize) -> Result<Match, LogError> {
        let mut live = self.empty_match(ruleset)?;
        for (transition, it) in self.transitions.iter().take(n).enumerate() {
            let records = decode_records(&it.records).map_err(|record| LogError::BadRecord { transition, record })?;
            if let Some(command) = &it.command {
                live.mark(command);
            }
            records.iter().for_each(|record| live.fold(&borrowed(record)));
            // A forged record must not reach code that trusts the links between cards.
            if crate::audit::audit(ruleset.program(), live.state()).is_err() {
                return Err(LogError::BrokenState { transition });
            }
        }
        Ok(live)
    }

    /// The match at the end, by carrying out every command again; says where it leads elsewhere.
    pub fn replay(&self, ruleset: &Arc<Ruleset>) -> Result<Match, LogError> {
        let mut live = self.empty_match(ruleset)?;
        for (transition, it) in self.transitions.iter().enumerate() {
            if it.command.is_none() != (transition == 0) {
                return Err(LogError::MisplacedSetup { transition });
            }
            let mut recorder = Recorder::default();
            match &it.command {
                None => {
                    live.begin(&self.header.setup, &mut recorder);
                }
                Some(command) => {
                    live.submit(command, &mut recorder).map_err(|why| LogError::BadCommand { transition, why })?;
                }
            }
            if recorder.bytes != it.records {
                return Err(LogError::Diverged { transition, record: first_difference(&recorder.bytes, &it.records) });
            }
        }
        Ok(live)
    }

    /// All records of the log, by transition.
    pub fn records(&self) -> Result<Vec<Vec<Record<Vec<i64>>>>, LogError> {
        let decode = |(transition, it): (usize, &Transition)| {
            decode_records(&it.records).map_err(|record| LogError::BadRecord { transition, record })
        };
        self.transitions.iter().enumerate().map(decode).collect()
    }
}

/// Whether records can be read, without keeping them; the error is the number of the first bad one.
fn check_records(mut bytes: &[u8]) -> Result<(), usize> {
    let mut n = 0_usize;
    while !bytes.is_empty() {
        read_record(&mut bytes).map_err(|_| n)?;
        n = n.saturating_add(1);
    }
    Ok(())
}

/// Reads records; the error is the number of the first bad one.
pub fn decode_records(mut bytes: &[u8]) -> Result<Vec<Record<Vec<i64>>>, usize> {
    let mut records = Vec::new();
    while !bytes.is_empty() {
        records.push(read_record(&mut bytes).map_err(|_| records.len())?);
    }
    Ok(records)
}

/// A record that borrows its list.
pub fn borrowed(record: &Record<Vec<i64>>) -> Record<&[i64]> {
    // A frame and a list are all a record holds, so copying all but the list is cheap.
    record.as_ref_payload()
}

fn first_difference(ours: &[u8], theirs: &[u8]) -> usize {
    let decode = |it: &[u8]| decode_records(it).unwrap_or_default();
    let (ours, theirs) = (decode(ours), decode(theirs));
    ours.iter().zip(&theirs).position(|(a, b)| a != b).unwrap_or_else(|| ours.len().min(theirs.len()))
}
