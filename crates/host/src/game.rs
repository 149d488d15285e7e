//! A game that can be hosted, whatever it is written in: starts matches and loads them again.

use std::{ops::RangeInclusive, sync::Arc};

use engine::{Setup, log::LogError};
use parity_scale_codec::Encode as _;
use ruleset::{DefId, Ruleset, text::Label};
use script::{RecordError, Script, Viewer};
use thiserror::Error;

use crate::{
    hosted::{HostedMatch, LogPart},
    policy::{self, Policy},
    rejection::Rejection,
    ruled::RuledMatch,
    scripted::ScriptedMatch,
};

/// A game.
#[derive(Clone)]
pub enum Game {
    /// Its rules are data.
    Ruleset(Arc<Ruleset>),
    /// Its rules are an `async` function.
    Script(Script),
}

/// What a match begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    pub seed: [u8; 32],
    pub n_seats: u8,
    /// The cards of each seat by their ids, from the bottom; a seat without gets the first ready-made deck.
    pub decks: Vec<Vec<String>>,
}

/// Why a match cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReloadError {
    /// The bytes are no log of this ruleset.
    #[error("{0}")]
    Log(LogError),
    /// The bytes are no record of this script, or it does not repeat itself.
    #[error("{0}")]
    Record(RecordError),
    /// The match could not be started now.
    #[error("{0}")]
    Setup(Rejection),
    /// What was accepted then is refused now.
    #[error("transition {transition} is refused: {why}")]
    Refused { transition: usize, why: Rejection },
    /// It leads elsewhere now.
    #[error("transition {transition} leads to something else")]
    Diverged { transition: usize },
    /// The match never stood at this version.
    #[error("the match has no version {version}, its last is: {last}")]
    NoSuchVersion { version: u32, last: u32 },
    /// The viewer was never told of this event.
    #[error("the viewer was told of {last} events, not of event {event}")]
    NoSuchEvent { event: u32, last: u32 },
    /// Hidden cards of this match cannot be exchanged.
    #[error("{0}")]
    Resample(Rejection),
}

impl ReloadError {
    /// The stable code of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Log(error) => error.code(),
            Self::Record(error) => error.code(),
            Self::Setup(_) => "log/bad_setup",
            Self::Refused { .. } => "log/bad_command",
            Self::Diverged { .. } => "log/diverged",
            Self::NoSuchVersion { .. } => "log/no_such_version",
            Self::NoSuchEvent { .. } => "log/no_such_event",
            Self::Resample(why) => why.code(),
        }
    }
}

impl Start {
    /// A match with a small seed and ready-made decks.
    pub fn seeded(seed: u64, n_seats: u8) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self { seed: key, n_seats, decks: Vec::new() }
    }
}

impl Game {
    /// The id of the game.
    pub fn id(&self) -> &str {
        match self {
            Self::Ruleset(ruleset) => &ruleset.program().text.id,
            Self::Script(script) => &script.name,
        }
    }

    /// The hash of its rules; of a script, of its name and version.
    pub fn rules_hash(&self) -> [u8; 32] {
        match self {
            Self::Ruleset(ruleset) => ruleset.rules_hash(),
            Self::Script(script) => ruleset::hash::blake2_256(&("script", &script.name, script.version).encode()),
        }
    }

    /// How many can play.
    pub fn seats(&self) -> RangeInclusive<u8> {
        match self {
            Self::Ruleset(ruleset) => ruleset.program().players.min..=ruleset.program().players.max,
            Self::Script(script) => script.seats.clone(),
        }
    }

    /// How its matches are hosted.
    pub fn policy(&self) -> Policy {
        match self {
            Self::Ruleset(ruleset) => policy::of(ruleset.program()),
            Self::Script(script) => Policy { undo: script.undo, ..Policy::default() },
        }
    }

    /// The id of the attribute, zone or card that says in its `ui` that it has a role for clients.
    pub fn role(&self, role: &str) -> Option<&str> {
        let Self::Ruleset(ruleset) = self else { return None };
        let text = &ruleset.program().text;
        let plays = |it: &&Label| it.ui.as_ref().and_then(|ui| ui.text_at("role")) == Some(role);
        text.attrs.iter().chain(&text.zones).chain(&text.defs).find(plays).map(|it| it.id.as_str())
    }

    /// Whether an event type says in its `ui` that clients are sent a message by it.
    pub fn tells(&self, message: &str) -> bool {
        let Self::Ruleset(ruleset) = self else { return false };
        let mut told = ruleset.program().text.events.iter().filter_map(|it| it.ui.as_ref()?.text_at("message"));
        told.any(|it| it == message)
    }

    /// The message by which clients are told of an event, by its name once it happened.
    pub fn message_of(&self, kind: &str) -> Option<&str> {
        let Self::Ruleset(ruleset) = self else { return None };
        let event = ruleset.program().text.events.iter().find(|it| it.fact == kind)?;
        event.ui.as_ref()?.text_at("message")
    }

    /// What clients are told for an ending: what the ruleset says in `ui.endings`, else its own name.
    pub fn told_ending<'a>(&'a self, reason: &'a str) -> &'a str {
        let Self::Ruleset(ruleset) = self else { return reason };
        let endings = ruleset.program().text.ui.as_ref().and_then(|it| it.get("endings"));
        endings.and_then(|it| it.text_at(reason)).unwrap_or(reason)
    }

    /// The id of the card that players call so.
    pub fn card_id(&self, name: &str) -> Option<&str> {
        let Self::Ruleset(ruleset) = self else { return None };
        ruleset.program().text.defs.iter().find(|it| it.name == name).map(|it| it.id.as_str())
    }

    /// Begins a match and plays until somebody has to answer.
    pub fn start(&self, start: &Start) -> Result<Box<dyn HostedMatch>, Rejection> {
        match self {
            Self::Ruleset(ruleset) => {
                let decks = (0..usize::from(start.n_seats)).map(|it| deck(ruleset, it, start.decks.get(it)));
                let setup = Setup { seed: start.seed, decks: decks.collect::<Result<_, _>>()? };
                Ok(Box::new(RuledMatch::start(ruleset, setup)?))
            }
            Self::Script(script) => {
                let setup = script::Setup { seed: start.seed, n_seats: start.n_seats };
                Ok(Box::new(ScriptedMatch(script::Match::start(script, setup)?)))
            }
        }
    }

    /// Loads a match from its bytes by playing it again.
    pub fn reload(&self, bytes: &[u8]) -> Result<Box<dyn HostedMatch>, ReloadError> {
        match self {
            Self::Ruleset(ruleset) => Ok(Box::new(RuledMatch::reload(ruleset, bytes)?)),
            Self::Script(script) => {
                let live = script::Match::restore(script, bytes).map_err(ReloadError::Record)?;
                Ok(Box::new(ScriptedMatch(live)))
            }
        }
    }

    /// Goes back to how a match stood at a version, for study: a match of its own in which everything a viewer does
    /// not know is dealt anew. Whoever branches a match learns nothing he did not know then.
    pub fn branch(
        &self,
        bytes: &[u8],
        version: u32,
        viewer: Viewer,
        seed: [u8; 32],
    ) -> Result<Box<dyn HostedMatch>, ReloadError> {
        match self {
            Self::Ruleset(ruleset) => Ok(Box::new(RuledMatch::branch(ruleset, bytes, version, viewer, seed)?)),
            Self::Script(script) => ScriptedMatch::branch(script, bytes, version, viewer, seed),
        }
    }
}

impl Game {
    /// Goes back to the last decision before something happened, by the number a viewer knows it by, for study: as
    /// [`Game::branch`] does. What happens while the match is set up comes before any decision.
    pub fn branch_before(
        &self,
        bytes: &[u8],
        event: u32,
        viewer: Viewer,
        seed: [u8; 32],
    ) -> Result<Box<dyn HostedMatch>, ReloadError> {
        let mut whole = self.reload(bytes)?;
        let (header, parts) = (whole.log_header(), whole.log_since(0));
        let first = |n: usize| self.reload(&join_log(&header, parts.get(..n).unwrap_or(&parts)));
        let n_told = |live: &dyn HostedMatch| u32::try_from(live.event_texts(viewer, 0).len()).unwrap_or(u32::MAX);
        let last = n_told(&*whole);
        if event == 0 || event > last {
            return Err(ReloadError::NoSuchEvent { event, last });
        }
        // What was told only grows, so the place is found by halves.
        let lengths: Vec<usize> = (1..=parts.len()).collect();
        let n_before = lengths.partition_point(|n| first(*n).is_ok_and(|it| n_told(&*it) < event));
        first(n_before.max(1))?.resample(viewer, seed).map_err(ReloadError::Resample)
    }
}

/// Puts a log together again from what it begins with and its transitions, as [`Game::reload`] reads it.
pub fn join_log(header: &[u8], parts: &[LogPart]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    let n_parts = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    parity_scale_codec::Compact(n_parts).encode_to(&mut bytes);
    for part in parts {
        bytes.extend_from_slice(&part.command);
        bytes.extend_from_slice(&part.events);
    }
    bytes
}

/// The deck somebody brings, or the next ready-made one for every seat.
fn deck(ruleset: &Ruleset, seat: usize, cards: Option<&Vec<String>>) -> Result<Vec<DefId>, Rejection> {
    let program = ruleset.program();
    let Some(cards) = cards.filter(|it| !it.is_empty()) else {
        let ready_made = seat.checked_rem(program.decks.len()).and_then(|it| program.decks.get(it));
        let ready_made = ready_made.map_or(&[][..], |it| &it.cards);
        return Ok(ready_made.iter().flat_map(|(def, n)| std::iter::repeat_n(*def, usize::from(*n))).collect());
    };
    let find = |id: &String| {
        let at = program.text.defs.iter().position(|it| it.id == *id);
        at.map(DefId::at).ok_or_else(|| Rejection::UnknownCard(id.clone()))
    };
    cards.iter().map(find).collect()
}
