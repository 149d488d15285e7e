//! What the server keeps beside each transition: the answer it gave, and the clocks that ran after it.

use host::{HostedMatch, LogPart, hosted::Clock};
use serde::{Deserialize, Serialize};
use storage::{Hash, MatchId, Transition};

/// What is kept beside a transition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The version of the match after it.
    pub version: u32,
    /// Whether the match went on.
    pub moved: bool,
    /// The seat that asked for it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seat: Option<u8>,
    /// The clocks that run after it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub clocks: Vec<Running>,
}

/// A clock that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    pub clock: Clock,
    /// When it runs out, on the clock of matches.
    pub due: i64,
}

impl Note {
    /// As it is kept.
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("plain data has a JSON form; qed")
    }

    /// The note of a transition.
    pub fn of(transition: &Transition) -> Self {
        serde_json::from_slice(&transition.note).unwrap_or_default()
    }

    /// When the first clock runs out.
    pub fn due_at(&self) -> Option<i64> {
        self.clocks.iter().map(|it| it.due).min()
    }
}

/// The clocks of a match that run now: those that ran before go on, new ones start.
pub fn running(live: &dyn HostedMatch, before: &[Running], now: i64) -> Vec<Running> {
    let clocks = live.clocks().into_iter();
    let run = |(clock, ms): (Clock, u32)| {
        let known = before.iter().find(|it| it.clock == clock).cloned();
        known.unwrap_or(Running { clock, due: now.saturating_add(i64::from(ms)) })
    };
    clocks.map(run).collect()
}

/// What somebody asked for, as it is stored.
pub struct Asked {
    pub command_id: Option<String>,
    /// A hash of the request.
    pub request: Hash,
    pub at: i64,
}

/// A part of a log as a transition of the store. The first holds what the log begins with, too.
pub fn transition(id: &MatchId, seq: u64, header: &[u8], part: LogPart, note: &Note, asked: Asked) -> Transition {
    let command = if seq == 0 { with_header(header, &part.command) } else { part.command };
    Transition {
        match_id: id.clone(),
        seq,
        command_id: asked.command_id,
        request: asked.request,
        command,
        events: part.events,
        note: note.to_bytes(),
        at: asked.at,
        previous: [0; 32],
        hash: [0; 32],
    }
}

fn with_header(header: &[u8], command: &[u8]) -> Vec<u8> {
    let length = u32::try_from(header.len()).unwrap_or(u32::MAX);
    [&length.to_le_bytes()[..], header, command].concat()
}

/// The log of a match, put together from its transitions; none if the first is not what it should be.
pub fn join(transitions: &[Transition]) -> Option<Vec<u8>> {
    let (first, rest) = transitions.split_first()?;
    let (length, bytes) = first.command.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let (header, command) = bytes.split_at_checked(length)?;
    let first = LogPart { command: command.to_vec(), events: first.events.clone() };
    let rest = rest.iter().map(|it| LogPart { command: it.command.clone(), events: it.events.clone() });
    let parts: Vec<LogPart> = [first].into_iter().chain(rest).collect();
    Some(host::game::join_log(header, &parts))
}
