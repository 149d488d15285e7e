//! The log of a match: a header, then transitions as canonical bytes, each hash-chained to the one before.

use alloc::{string::String, sync::Arc, vec::Vec};
use core::{convert::Infallible, fmt};

use parity_scale_codec::{Compact, Decode, Encode, Output};
use ruleset::{Hash, Ruleset, hash::blake2_256};

use crate::{
    command::Command,
    matches::{Match, Progress, Setup},
    moves::Moves,
    record::{Record, Sink},
    recorder::{check_records, first_difference},
    rejection::Rejection,
    state::MatchState,
    suspension,
};

pub use crate::recorder::{Recorder, borrowed, decode_records, encode_records};

/// The version of the engine's rules of play and of its encodings; a log of another one is refused.
pub const ENGINE_VERSION: u32 = 5;

/// What pins a match.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Header {
    pub engine: u32,
    /// The ruleset's id and version, for people; what counts is the hash.
    pub ruleset: (String, String),
    pub rules: Hash,
    pub setup: Setup,
}

/// One accepted command with what it led to. The first has no command: it is the set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition<'l> {
    command: &'l [u8],
    records: &'l [u8],
}

/// A log that grows with a match.
///
/// Each transition has a hash that follows from the one before. Nobody needs them while a match is played, so they are
/// worked out when somebody asks, and [`Log::seal`] keeps them for the next who does.
#[derive(Clone, Debug)]
pub struct Log {
    header: Header,
    body: Body,
    /// The hashes after the first transitions, as many as are kept.
    sealed: Vec<Hash>,
}

/// All transitions in one buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Body {
    /// The command of each transition, then its records.
    bytes: Recorder,
    ends: Vec<Ends>,
}

/// Where the parts of a transition end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ends {
    command: usize,
    records: usize,
}

/// Keeps every record, also those the log does not.
#[derive(Debug, Default)]
pub struct Steps(pub Vec<Record<Vec<i64>>>);

impl Sink for Steps {
    const LOOKS: bool = false;

    fn record(&mut self, _state: &MatchState, record: &Record<&[i64]>) {
        self.0.push(record.map(|it| it.to_vec()));
    }
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

impl<'l> Transition<'l> {
    /// The command that was accepted.
    pub fn command(&self) -> Option<Command> {
        // It was written from a command, so it can be read.
        Decode::decode(&mut &*self.command).unwrap_or_default()
    }

    /// The command as the log has it.
    pub fn command_bytes(&self) -> &'l [u8] {
        self.command
    }

    /// The records, encoded one after the other.
    pub fn records(&self) -> &'l [u8] {
        self.records
    }

    /// Whether it is a set-up exactly where one belongs, and all of its records can be read.
    fn check(&self, transition: usize) -> Result<(), LogError> {
        check_records(self.records).map_err(|record| LogError::BadRecord { transition, record })?;
        let is_setup = self.command().is_none();
        if is_setup == (transition == 0) { Ok(()) } else { Err(LogError::MisplacedSetup { transition }) }
    }

    /// The hash after it.
    fn hash(&self, previous: &Hash) -> Hash {
        blake2_256(&(previous, self).encode())
    }
}

impl Encode for Transition<'_> {
    fn encode_to<O: Output + ?Sized>(&self, out: &mut O) {
        out.write(self.command);
        self.records.encode_to(out);
    }
}

impl Body {
    fn get(&self, at: usize) -> Option<Transition<'_>> {
        let ends = self.ends.get(at)?;
        let part = |from: usize, to: usize| self.bytes.bytes().get(from..to).unwrap_or_default();
        Some(Transition { command: part(self.end(at), ends.command), records: part(ends.command, ends.records) })
    }

    /// Where the first so many transitions end.
    fn end(&self, n: usize) -> usize {
        n.checked_sub(1).and_then(|it| self.ends.get(it)).map_or(0, |it| it.records)
    }

    /// Keeps a command and what it leads to; a refused one leaves no trace.
    fn keep<T, E>(
        &mut self,
        command: Option<impl Encode>,
        carry_out: impl FnOnce(&mut Recorder) -> Result<T, E>,
    ) -> Result<T, E> {
        let start = self.bytes.len();
        self.bytes.write(&command);
        let command = self.bytes.len();
        let done = carry_out(&mut self.bytes);
        match done {
            Ok(_) => self.ends.push(Ends { command, records: self.bytes.len() }),
            Err(_) => self.bytes.truncate(start),
        }
        done
    }
}

/// Logs are equal if they tell the same; how many hashes they keep makes no difference.
impl PartialEq for Log {
    fn eq(&self, other: &Self) -> bool {
        (&self.header, &self.body) == (&other.header, &other.body)
    }
}

impl Eq for Log {}

impl Encode for Log {
    fn encode_to<O: Output + ?Sized>(&self, out: &mut O) {
        self.header.encode_to(out);
        Compact(u32::try_from(self.len()).unwrap_or(u32::MAX)).encode_to(out);
        self.since(0).for_each(|it| it.encode_to(out));
    }
}

impl Log {
    /// A log without transitions.
    pub fn new(header: Header) -> Log {
        Log { header, body: Body::default(), sealed: Vec::new() }
    }

    /// Forgets all transitions, but not the room they took.
    pub fn clear(&mut self) {
        self.body.bytes.truncate(0);
        self.body.ends.clear();
        self.sealed.clear();
    }

    /// Begins a match and its log.
    pub fn start(ruleset: &Arc<Ruleset>, setup: Setup) -> Result<(Match, Log, Progress), Rejection> {
        let mut log = Log::new(Header::new(ruleset, setup));
        let Log { header, body, .. } = &mut log;
        let begin = |sink: &mut Recorder| Match::start(ruleset.clone(), &header.setup, sink);
        let (live, progress) = body.keep(None::<&Command>, begin)?;
        Ok((live, log, progress))
    }

    /// Keeps a command and the records of carrying it out, which is up to the caller; a refused one leaves no trace.
    pub fn keep<T, E>(
        &mut self,
        command: Option<&Command>,
        carry_out: impl FnOnce(&mut Recorder) -> Result<T, E>,
    ) -> Result<T, E> {
        self.body.keep(command, carry_out)
    }

    /// Submits a command and keeps what it led to; a refused one leaves no trace.
    pub fn submit(&mut self, live: &mut Match, command: &Command) -> Result<Progress, Rejection> {
        self.keep(Some(command), |sink| live.submit(command, sink))
    }

    /// Carries out one of the moves listed for a match, as [`Match::play`] does, and keeps what it led to.
    pub fn play(&mut self, live: &mut Match, moves: &Moves, at: usize) -> Result<Progress, Rejection> {
        self.body.keep(moves.borrowed(at), |sink| live.play(moves, at, sink))
    }

    /// Adds a transition that was carried out elsewhere.
    pub fn append(&mut self, command: Option<&Command>, records: &[u8]) {
        let Ok(()) = self.keep(command, |sink| {
            sink.extend(records);
            Ok::<(), Infallible>(())
        });
    }

    /// What it begins with.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// How many transitions there are.
    pub fn len(&self) -> usize {
        self.body.ends.len()
    }

    /// Whether not even the set-up is there.
    pub fn is_empty(&self) -> bool {
        self.body.ends.is_empty()
    }

    /// A transition.
    pub fn transition(&self, at: usize) -> Option<Transition<'_>> {
        self.body.get(at)
    }

    /// All transitions.
    pub fn transitions(&self) -> impl Iterator<Item = Transition<'_>> {
        (0..self.len()).filter_map(|it| self.body.get(it))
    }

    /// The commands that were accepted.
    pub fn commands(&self) -> impl Iterator<Item = Command> {
        self.transitions().filter_map(|it| it.command())
    }

    /// Forgets all but the first so many transitions.
    pub fn truncate(&mut self, n: usize) {
        self.body.bytes.truncate(self.body.end(n.min(self.len())));
        self.body.ends.truncate(n);
        self.sealed.truncate(n);
    }

    /// The transitions from a number on, each with the hash after it.
    pub fn since(&self, from: usize) -> impl Iterator<Item = (Transition<'_>, Hash)> {
        let mut hash = self.hash_after(from.min(self.len()));
        (from..self.len()).filter_map(move |at| {
            let it = self.body.get(at)?;
            hash = self.sealed.get(at).copied().unwrap_or_else(|| it.hash(&hash));
            Some((it, hash))
        })
    }

    /// The hash after the last transition.
    pub fn hash(&self) -> Hash {
        self.hash_after(self.len())
    }

    /// The hash after the first so many transitions; what is not kept is worked out.
    fn hash_after(&self, n: usize) -> Hash {
        let n_kept = n.min(self.sealed.len());
        let kept = n_kept.checked_sub(1).and_then(|it| self.sealed.get(it));
        let kept = kept.copied().unwrap_or_else(|| self.header.hash());
        (n_kept..n).filter_map(|it| self.body.get(it)).fold(kept, |previous, it| it.hash(&previous))
    }

    /// Keeps all hashes, so that whoever asks for them from now on need not work them out again.
    pub fn seal(&mut self) {
        let hashes: Vec<Hash> = self.since(self.sealed.len()).map(|it| it.1).collect();
        self.sealed.extend(hashes);
    }

    /// Reads a log from bytes and checks what can be checked without rules: form and hash chain.
    pub fn read(bytes: &[u8]) -> Result<Log, LogError> {
        let mut rest = bytes;
        let read = Self::decode(&mut rest);
        let (log, hashes) = read
            .ok()
            .filter(|_| rest.is_empty())
            .ok_or(LogError::NotALog { at: bytes.len().saturating_sub(rest.len()) })?;
        if log.header.engine != ENGINE_VERSION {
            return Err(LogError::WrongEngine { found: log.header.engine });
        }
        log.check_chain(&hashes)?;
        Ok(Log { sealed: hashes, ..log })
    }

    /// Reads what [`Log::encode`] writes: a log, and the hashes that are said to be those of its transitions.
    fn decode(input: &mut &[u8]) -> Result<(Log, Vec<Hash>), parity_scale_codec::Error> {
        let mut log = Log::new(Header::decode(input)?);
        let mut hashes = Vec::new();
        for _ in 0..Compact::<u32>::decode(input)?.0 {
            let (command, records, hash) = <(Option<Command>, Vec<u8>, Hash)>::decode(input)?;
            log.append(command.as_ref(), &records);
            hashes.push(hash);
        }
        Ok((log, hashes))
    }

    /// Checks the form of every transition, and what is said to be the hash after it.
    fn check_chain(&self, hashes: &[Hash]) -> Result<(), LogError> {
        for (transition, ((it, hash), said)) in self.since(0).zip(hashes).enumerate() {
            it.check(transition)?;
            if hash != *said {
                return Err(LogError::BrokenChain { transition });
            }
        }
        Ok(())
    }

    /// Checks that the set-up is the first transition and only that, and that every record can be read.
    pub fn check(&self) -> Result<(), LogError> {
        self.transitions().enumerate().try_for_each(|(transition, it)| it.check(transition))
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
        for (transition, it) in self.transitions().take(n).enumerate() {
            let records = decode_records(it.records).map_err(|record| LogError::BadRecord { transition, record })?;
            if let Some(command) = it.command() {
                live.mark(&command);
            }
            for record in &records {
                if let Record::Suspended(numbers) = record
                    && !suspension::is_sound(live.state(), numbers)
                {
                    return Err(LogError::BrokenState { transition });
                }
                live.fold(&borrowed(record));
            }
            // A forged record must not reach code that trusts the links between cards.
            if crate::audit::audit(ruleset.program(), live.state()).is_err() {
                return Err(LogError::BrokenState { transition });
            }
        }
        Ok(live)
    }

    /// The match at the end, by carrying out every command again; says where it leads elsewhere.
    pub fn replay(&self, ruleset: &Arc<Ruleset>) -> Result<Match, LogError> {
        self.carry_out(ruleset, |live, command| {
            let mut recorder = Recorder::default();
            match command {
                None => drop(live.begin(&self.header.setup, &mut recorder)),
                Some(command) => drop(live.submit(command, &mut recorder)?),
            }
            Ok(recorder)
        })
    }

    /// Carries out every command again, one way or another; says where that leads elsewhere.
    fn carry_out(
        &self,
        ruleset: &Arc<Ruleset>,
        mut act: impl FnMut(&mut Match, Option<&Command>) -> Result<Recorder, Rejection>,
    ) -> Result<Match, LogError> {
        let mut live = self.empty_match(ruleset)?;
        for (transition, it) in self.transitions().enumerate() {
            let command = it.command();
            if command.is_none() != (transition == 0) {
                return Err(LogError::MisplacedSetup { transition });
            }
            let recorder = act(&mut live, command.as_ref()).map_err(|why| LogError::BadCommand { transition, why })?;
            if recorder.bytes() != it.records {
                return Err(LogError::Diverged { transition, record: first_difference(recorder.bytes(), it.records) });
            }
        }
        Ok(live)
    }

    /// Everything the machine did, by transition: the commands are carried out again, which must lead to what the log
    /// says.
    pub fn steps(&self, ruleset: &Arc<Ruleset>) -> Result<Vec<Vec<Record<Vec<i64>>>>, LogError> {
        let mut steps = Vec::new();
        self.carry_out(ruleset, |live, command| {
            let mut both = (Recorder::default(), Steps::default());
            match command {
                None => drop(live.begin(&self.header.setup, &mut both)),
                Some(command) => drop(live.submit(command, &mut both)?),
            }
            steps.push(both.1.0);
            Ok(both.0)
        })?;
        Ok(steps)
    }

    /// All records of the log, by transition.
    pub fn records(&self) -> Result<Vec<Vec<Record<Vec<i64>>>>, LogError> {
        let decode = |(transition, it): (usize, Transition<'_>)| {
            decode_records(it.records).map_err(|record| LogError::BadRecord { transition, record })
        };
        self.transitions().enumerate().map(decode).collect()
    }
}
