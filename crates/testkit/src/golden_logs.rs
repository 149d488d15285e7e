//! Golden logs: matches with their rules, which every later engine must read, verify and continue.
//!
//! An archive holds the documents of all games and of random rulesets, and for each match the log of its first part, the
//! commands of the rest, and the hash of the whole. Nothing outside the archive is needed, so that games may change.

use std::{collections::BTreeMap, sync::Arc};

use compiler::library::{Library as _, Memory};
use engine::{Command, Log, PlayerId};
use parity_scale_codec::{Decode, Encode};
use ruleset::{Hash, Ruleset};

use crate::{
    contract::Dice,
    games,
    streams::{self, Play, Rulesets},
};

/// The archives by the semantics number of their logs. That of a frozen number never changes.
const ARCHIVES: &[(u32, &[u8])] = &[(5, include_bytes!("../golden/semantics-5.lz4"))];

/// How many random rulesets an archive has.
const RANDOM: usize = 220;

/// How many commands of a game are kept; its log would be long.
const COMMANDS: usize = 120;

/// A match of an archive.
#[derive(Clone, Debug, Encode, Decode)]
pub struct GoldenLog {
    /// The document its rules are linked from.
    document: String,
    seed: u64,
    /// The first part, as it was stored.
    log: Vec<u8>,
    /// The commands of the rest.
    rest: Vec<Command>,
    /// The hash of the log after them.
    end: Hash,
}

/// Documents and matches.
#[derive(Clone, Debug, Default, Encode, Decode)]
pub struct Archive {
    documents: Vec<(String, String)>,
    logs: Vec<GoldenLog>,
}

impl Archive {
    /// Reads what [`Archive::to_bytes`] writes.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let plain = lz4_flex::decompress_size_prepended(bytes).ok()?;
        Self::decode(&mut plain.as_slice()).ok()
    }

    /// The archive as it is stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        lz4_flex::compress_prepend_size(&self.encode())
    }

    /// Plays the matches of a new archive.
    pub fn make() -> Self {
        let mut archive = Self { documents: documents_of_games(), logs: Vec::new() };
        for name in streams::game_names() {
            archive.add_game(&name);
        }
        let rulesets = Rulesets::load();
        let mut n_random = 0;
        for seed in 0.. {
            if n_random == RANDOM {
                break;
            }
            n_random += usize::from(archive.add_random(seed, &rulesets.make(seed)));
        }
        archive
    }

    fn library(&self) -> Memory {
        self.documents.iter().fold(Memory::default(), |acc, (name, text)| acc.with(name, text))
    }

    fn add_game(&mut self, name: &str) {
        let ruleset = compiler::compile(name, &self.library()).expect("the games of the project are sound; qed");
        let ruleset = Arc::new(ruleset);
        for seed in 0..3 {
            let setup = games::setup(&ruleset, seed, ruleset.program().players.max);
            let mut play = Play::start(&ruleset, setup).expect("ready-made decks are legal; qed");
            play.at_random(COMMANDS, &mut Dice::new(seed));
            self.keep(name, seed, &play);
        }
    }

    /// Adds a match of a random ruleset, if it is one in which something happens.
    fn add_random(&mut self, seed: u64, text: &str) -> bool {
        let name = format!("random-{seed}");
        let library = self.library().with(&name, text);
        let Ok(ruleset) = compiler::compile(&name, &library) else { return false };
        let Some(mut play) = streams::start_any(&Arc::new(ruleset)) else { return false };
        play.at_random(30, &mut Dice::new(seed));
        let goes_on = play.n_commands >= 10 && play.live.state().head.next_event > 20;
        if goes_on {
            self.documents.push((name.clone(), text.to_owned()));
            self.keep(&name, seed, &play);
        }
        goes_on
    }

    fn keep(&mut self, document: &str, seed: u64, play: &Play) {
        let mut first = play.log.clone();
        first.truncate(play.log.len() * 2 / 3);
        let rest = play.log.commands().skip(first.len() - 1).collect();
        let log = first.encode();
        self.logs.push(GoldenLog { document: document.to_owned(), seed, log, rest, end: play.log.hash() });
    }

    /// Reads, verifies and continues every match; how many there are, or what is wrong with one.
    pub fn verify(&self) -> Result<usize, String> {
        let library = self.library();
        let mut last: Option<(&str, Arc<Ruleset>)> = None;
        for it in &self.logs {
            // Matches of one game follow each other.
            let same = last.take().filter(|(name, _)| *name == it.document).map(|it| it.1);
            let ruleset = same.map_or_else(|| it.compile(&library), Ok)?;
            it.verify(&ruleset).map_err(|why| format!("{}, {}: {why}", it.document, it.seed))?;
            last = Some((&it.document, ruleset));
        }
        Ok(self.logs.len())
    }
}

/// All games and what they include, by name.
fn documents_of_games() -> Vec<(String, String)> {
    let folders = streams::game_folders();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    let mut open: Vec<String> = streams::game_names().collect();
    while let Some(name) = open.pop() {
        let (_, text) = folders.load(&name).expect("the games of the project are sound; qed");
        let document: serde_json::Value = serde_json::from_str(&text).expect("they are JSON; qed");
        let included = document["include"].as_array().into_iter().flatten().filter_map(|it| it.as_str());
        open.extend(included.filter(|it| !found.contains_key(*it)).map(str::to_owned));
        found.insert(name, text);
    }
    found.into_iter().collect()
}

impl GoldenLog {
    fn compile(&self, library: &Memory) -> Result<Arc<Ruleset>, String> {
        compiler::compile(&self.document, library).map(Arc::new).map_err(|it| compiler::render(&it))
    }

    fn verify(&self, ruleset: &Arc<Ruleset>) -> Result<(), String> {
        let mut log = Log::read(&self.log).map_err(|it| it.to_string())?;
        let mut live = log.fold(ruleset, log.len()).map_err(|it| it.to_string())?;
        let replayed = log.replay(ruleset).map_err(|it| it.to_string())?;
        if replayed.encode() != live.encode() {
            return Err("folding and replaying it lead to different matches".to_owned());
        }
        for command in &self.rest {
            log.submit(&mut live, command).map_err(|it| format!("{command:?} is refused: {it}"))?;
        }
        // The holder of a window can still be asked what to do.
        let _ = live.legal(live.window().map_or(PlayerId(0), |it| it.holder), 8);
        if log.hash() == self.end { Ok(()) } else { Err("going on with it leads elsewhere".to_owned()) }
    }
}

/// Verifies all archives; how many matches they have together, or what is wrong with one.
pub fn verify() -> Result<usize, String> {
    let mut n_logs = 0;
    for (number, bytes) in ARCHIVES {
        let archive = Archive::read(bytes).ok_or_else(|| format!("the archive of semantics {number} is broken"))?;
        n_logs += archive.verify()?;
    }
    Ok(n_logs)
}
