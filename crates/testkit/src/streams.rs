//! What happens in very many matches, as one line each: games, tables of scenarios, hostile and random rulesets.
//!
//! Two engines that give equal lines lead to equal facts and writes. The example `streams` writes and compares them.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
};

use compiler::library::{Folders, Library};
use engine::{
    Command, Log, Match, PlayerId, Setup,
    log::Header,
    stage::{Placed, Stage},
};
use parity_scale_codec::Decode;
use ruleset::{AttrId, DefId, Ruleset, StepId, ZoneId, hash::blake2_256, sort::Sort};

use crate::{
    contract::{Dice, random_command},
    fuzz::{corpus, mutate},
    games, hostile, scenario,
    vary::Stock,
};

/// How many commands a random ruleset or the table of a scenario gets.
const COMMANDS: usize = 40;

/// How many cards each player has at a random table.
const CARDS: usize = 9;

/// How many commands a game gets, which is more than any needs.
const COMMANDS_OF_A_GAME: usize = 20_000;

/// What matches led to before the speed of the engine was worked on: for each case four bytes of the hash of its name, and four of the
/// hash of its facts and writes.
const PINNED: &[u8] = include_bytes!("../tests/data/facts.bin");

/// The cases whose facts are pinned, by the hashes of their names.
pub fn pinned() -> BTreeMap<[u8; 4], [u8; 4]> {
    let part = |it: &[u8]| [it[0], it[1], it[2], it[3]];
    PINNED.chunks_exact(8).map(|it| (part(it), part(&it[4..]))).collect()
}

/// What one match led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub name: String,
    /// How many commands were accepted.
    pub n_commands: usize,
    /// Of the facts and world writes, in order; none of how the machine came to them.
    pub facts: String,
    /// Of the whole log.
    pub log: String,
    /// The work of all commands together.
    pub work: u64,
}

impl Line {
    /// The line as text: fields between tabs.
    pub fn to_text(&self) -> String {
        format!("{}\t{}\t{}\t{}\t{}", self.name, self.n_commands, self.facts, self.log, self.work)
    }

    /// The line as it is pinned.
    pub fn pin(&self) -> ([u8; 4], [u8; 4]) {
        let part = |text: &str| {
            let hash = blake2_256(text.as_bytes());
            [hash[0], hash[1], hash[2], hash[3]]
        };
        (part(&self.name), part(&self.facts))
    }

    /// Reads what [`Line::to_text`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let mut fields = text.split('\t');
        let (name, n_commands) = (fields.next()?.to_owned(), fields.next()?.parse().ok()?);
        let (facts, log) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        Some(Self { name, n_commands, facts, log, work: fields.next()?.parse().ok()? })
    }
}

/// A match whose facts are counted.
pub struct Play {
    pub live: Match,
    pub log: Log,
    pub n_commands: usize,
    work: u64,
}

impl Play {
    /// Begins a match; none if the setup is not legal.
    pub fn start(ruleset: &Arc<Ruleset>, setup: Setup) -> Option<Self> {
        let (live, log, _) = Log::start(ruleset, setup).ok()?;
        let mut play = Self { live, log, n_commands: 0, work: 0 };
        play.count_work();
        Some(play)
    }

    /// Goes on from a table that was set; how it was set does not count.
    fn staged(live: Match) -> Self {
        let n = usize::from(live.ruleset().program().players.min);
        let header = Header::new(live.ruleset(), Setup { seed: [0; 32], decks: vec![Vec::new(); n] });
        Self { live, log: Log::new(header), n_commands: 0, work: 0 }
    }

    fn count_work(&mut self) {
        let limit = self.live.ruleset().program().limits.work_per_command_max;
        self.work += u64::from(limit.saturating_sub(self.live.work_left()));
    }

    fn submit(&mut self, command: &Command) {
        if self.log.submit(&mut self.live, command).is_ok() {
            self.n_commands += 1;
            self.count_work();
        }
    }

    /// Plays random commands, as long as somebody is asked.
    pub fn at_random(&mut self, n_commands: usize, dice: &mut Dice) {
        for _ in 0..n_commands {
            let Some(command) = random_command(&self.live, dice) else { return };
            self.submit(&command);
        }
    }

    fn line(self, name: String) -> Line {
        let facts = facts(&self.log);
        let log = ruleset::hash::to_hex(&self.log.hash());
        Line { name, n_commands: self.n_commands, facts, log, work: self.work }
    }
}

/// The hash of the facts and world writes of a log. They are told by name and not by their bytes, so that another number
/// for a kind of record is no difference.
fn facts(log: &Log) -> String {
    let mut text = String::new();
    for record in log.records().expect("a log that was just written can be read; qed").iter().flatten() {
        if record.is_world() || matches!(record, engine::Record::Happened { .. }) {
            text.push_str(&format!("{record:?}\n"));
        }
    }
    ruleset::hash::to_hex(&blake2_256(text.as_bytes()))
}

/// Plays every case, and random rulesets until so many were played; gives each line as soon as it is known.
pub fn play(n_random: usize, mut give: impl FnMut(Line)) {
    play_games(6, &mut give);
    play_tables(&mut give);
    play_scenarios(&mut give);
    play_hostile(&mut give);
    play_corpus(&mut give);
    random(n_random, give);
}

/// Plays the rulesets that were made to do harm and compile.
pub fn play_hostile(give: &mut impl FnMut(Line)) {
    for case in hostile::cases() {
        play_text(format!("hostile {}", case.name), &case.text, 0).into_iter().for_each(&mut *give);
    }
}

/// Makes random rulesets.
pub struct Rulesets {
    stock: Stock,
    bytes: Vec<Vec<u8>>,
}

impl Rulesets {
    /// Reads what they are made from.
    pub fn load() -> Self {
        Self { stock: Stock::load(), bytes: corpus("compiler") }
    }

    /// A document that may be a ruleset; the same for the same seed.
    pub fn make(&self, seed: u64) -> String {
        let dice = &mut Dice::new(seed);
        // One in eight has bytes flipped, cut and doubled; the others keep their form.
        if seed.is_multiple_of(8) {
            String::from_utf8_lossy(&mutate(&self.bytes, dice)).into_owned()
        } else {
            self.stock.vary(dice)
        }
    }
}

/// Plays random rulesets until so many were played; those that are refused do not count.
pub fn random(n_random: usize, mut give: impl FnMut(Line)) {
    let rulesets = Rulesets::load();
    let lines = (0..).filter_map(|seed| play_text(format!("random {seed}"), &rulesets.make(seed), seed));
    lines.take(n_random).for_each(&mut give);
}

/// Plays a document if it is a ruleset that can begin: from the start, or from a table if the seed is odd. An engine that breaks down gives a line that says so.
fn play_text(name: String, text: &str, seed: u64) -> Option<Line> {
    let broken = Line { name: name.clone(), n_commands: 0, facts: "panicked".into(), log: "panicked".into(), work: 0 };
    catch_unwind(AssertUnwindSafe(|| {
        let ruleset = games::compile(text).ok()?;
        let dice = &mut Dice::new(seed);
        let mut play = if seed.is_multiple_of(2) { start_any(&ruleset)? } else { stage_any(&ruleset, dice)? };
        play.at_random(COMMANDS, dice);
        Some(play.line(name))
    }))
    .unwrap_or(Some(broken))
}

/// Begins a match of rules nobody knows: with some of every card, or with many of the first.
pub fn start_any(ruleset: &Arc<Ruleset>) -> Option<Play> {
    let program = ruleset.program();
    let n_defs = program.defs.len();
    let mixed: Vec<DefId> = (0..n_defs.min(1) * 8).map(|it| DefId::at(it % n_defs)).collect();
    let alike = vec![DefId(0); n_defs.min(1) * 8];
    [mixed, alike].into_iter().find_map(|deck| {
        Play::start(ruleset, Setup { seed: [7; 32], decks: vec![deck; usize::from(program.players.min)] })
    })
}

/// A random table of rules nobody knows: cards lie anywhere, and players have enough of everything to act.
fn stage_any(ruleset: &Arc<Ruleset>, dice: &mut Dice) -> Option<Play> {
    let program = ruleset.program();
    let n_players = program.players.min;
    let mut stage = Stage {
        seed: [7; 32],
        n_players,
        turn: 3,
        active: PlayerId(0),
        step: StepId::at(program.steps.iter().position(|it| it.window).unwrap_or(0)),
        cards: Vec::new(),
        players: Vec::new(),
    };
    for player in (0..n_players).map(PlayerId) {
        for _ in 0..CARDS.min(program.defs.len() * program.zones.len() * CARDS) {
            let (def, zone) = (dice.below(program.defs.len()), dice.below(program.zones.len()));
            let (def, zone) = (DefId::at(def), ZoneId::at(zone));
            stage.cards.push(Placed { def, owner: player, zone, values: Vec::new() });
        }
        let numbers = program.attrs.iter().enumerate().filter(|(_, it)| it.on_players && it.holds == Sort::Int);
        stage.players.extend(numbers.map(|(i, _)| (player, AttrId::at(i), 9)));
    }
    Match::staged(ruleset.clone(), &stage, &mut ()).ok().map(|it| Play::staged(it.0))
}

/// The folders of all games, those of the bench included.
pub fn game_folders() -> Folders {
    Folders::new([bench_folder(), games::folder()])
}

fn bench_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/games")
}

/// The names of all games of rules, those of the bench included.
pub fn game_names() -> impl Iterator<Item = String> {
    let bench = Folders::new([bench_folder()]).names().into_iter().filter(|it| !it.contains('/'));
    games::playable().into_iter().chain(bench)
}

/// Every game to its end, with so many seeds for every number of players.
pub fn play_games(n_seeds: u64, give: &mut impl FnMut(Line)) {
    let library = game_folders();
    for name in game_names() {
        let ruleset = compiler::compile(&name, &library).expect("the games of the project are sound; qed");
        let ruleset = Arc::new(ruleset);
        let players = &ruleset.program().players;
        for (n, seed) in (players.min..=players.max).flat_map(|n| (0..n_seeds).map(move |seed| (n, seed))) {
            let setup = games::setup(&ruleset, seed, n);
            let mut play = Play::start(&ruleset, setup).expect("ready-made decks are legal; qed");
            play.at_random(COMMANDS_OF_A_GAME, &mut Dice::new(seed + 1));
            give(play.line(format!("game {name} {n} {seed}")));
        }
    }
}

/// The files of all scenarios.
fn scenario_files() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let of_games = games::playable().into_iter().map(|it| games::folder().join(it).join("scenarios"));
    let folders = [tests.join("rulings"), tests.join("checklist")].into_iter().chain(of_games);
    let entries = folders.flat_map(|it| std::fs::read_dir(it).into_iter().flatten().flatten());
    let mut files: Vec<PathBuf> =
        entries.map(|it| it.path()).filter(|it| it.extension().is_some_and(|ext| ext == "md")).collect();
    files.sort();
    files
}

/// Random play from the table of every scenario.
pub fn play_tables(give: &mut impl FnMut(Line)) {
    for file in scenario_files() {
        for (title, table, _) in scenario::tables(&file).expect("the scenarios can be read; qed") {
            let name = format!("table {} {title}", file.file_name().unwrap_or_default().display());
            for seed in 1..=2 {
                let mut play = Play::staged(table.live.clone());
                play.at_random(COMMANDS, &mut Dice::new(seed));
                give(play.line(format!("{name} {seed}")));
            }
        }
    }
}

/// Every scenario as it is written.
pub fn play_scenarios(give: &mut impl FnMut(Line)) {
    for file in scenario_files() {
        for (title, mut table, lines) in scenario::tables(&file).expect("the scenarios can be read; qed") {
            let mut play = Play::staged(table.live.clone());
            for line in lines {
                // The table gives cards their names as they come, so it plays along.
                let Ok(command) = table.command(line.trim_start_matches("! ")) else { break };
                play.submit(&command);
                if table.play(&line).is_err() {
                    break;
                }
            }
            give(play.line(format!("scenario {} {title}", file.file_name().unwrap_or_default().display())));
        }
    }
}

/// The committed inputs of the fuzzers: rulesets, and commands read from bytes.
pub fn play_corpus(give: &mut impl FnMut(Line)) {
    for (i, bytes) in corpus("compiler").iter().enumerate() {
        play_text(format!("corpus {i}"), &String::from_utf8_lossy(bytes), 0).into_iter().for_each(&mut *give);
    }
    for (i, text) in Stock::load().documents().enumerate() {
        play_text(format!("document {i}"), &text, 1).into_iter().for_each(&mut *give);
    }
    for name in ["skirmish", "duel"] {
        let ruleset = games::load(name);
        for (i, bytes) in corpus("submit").iter().enumerate() {
            give(play_bytes(&ruleset, bytes).line(format!("submit {name} {i}")));
        }
    }
}

/// A game with commands read from bytes: some legal, some made up.
fn play_bytes(ruleset: &Arc<Ruleset>, bytes: &[u8]) -> Play {
    let setup = games::setup(ruleset, 1, ruleset.program().players.max);
    let mut play = Play::start(ruleset, setup).expect("ready-made decks are legal; qed");
    let (mut dice, mut rest) = (Dice::new(1), bytes);
    while let Some((choice, after)) = rest.split_first() {
        rest = after;
        let made_up = if choice % 4 == 0 { Command::decode(&mut rest).ok() } else { None };
        let Some(command) = made_up.or_else(|| random_command(&play.live, &mut dice)) else { break };
        play.submit(&command);
    }
    play
}
