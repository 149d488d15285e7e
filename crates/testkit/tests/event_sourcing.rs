//! The log is the truth: any prefix of it, any process, any damage.

use std::{
    io::Write,
    process::{Command as Process, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use engine::{
    Command, Log, Match, Moves, PlayerId, Record, Rejection, Sink,
    log::{Header, LogError, Recorder, borrowed, decode_records, encode_records},
    state::MatchState,
};
use parity_scale_codec::{Decode, Encode};
use ruleset::Ruleset;
use testkit::{
    contract::{Dice, asked, random_game},
    games,
    relay::Step,
};

fn is_soak() -> bool {
    std::env::var_os("SNAPSTACK_SOAK").is_some()
}

/// Keeps the hash of the state after every record.
#[derive(Default)]
struct States(Vec<ruleset::Hash>);

impl Sink for States {
    fn record(&mut self, state: &MatchState, _record: &Record<&[i64]>) {
        self.0.push(ruleset::hash::blake2_256(&state.encode()));
    }
}

#[test]
fn every_step_folds_to_the_live_state() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        let (_, log) = random_game(&ruleset, 11, |_, _| {});
        let mut live = Match::empty(ruleset.clone(), &log.header().setup).unwrap();
        let mut states = States::default();
        live.begin(&log.header().setup, &mut states);
        for command in log.commands() {
            live.submit(&command, &mut states).unwrap();
        }
        let mut folded = Match::empty(ruleset.clone(), &log.header().setup).unwrap();
        let mut expected = states.0.iter();
        for record in log.steps(&ruleset).unwrap().into_iter().flatten() {
            folded.fold(&borrowed(&record));
            let hash = ruleset::hash::blake2_256(&folded.state().encode());
            assert_eq!(Some(&hash), expected.next(), "{name}: after {record:?}");
        }
        assert_eq!(expected.next(), None, "{name}: the log has fewer records than the match made");
    }
}

#[test]
fn the_log_folds_to_the_live_state_wherever_the_match_waits() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        let (_, log) = random_game(&ruleset, 12, |_, _| {});
        let mut live = Match::empty(ruleset.clone(), &log.header().setup).unwrap();
        live.begin(&log.header().setup, &mut ());
        let mut commands = log.commands();
        for n in 1..=log.len() {
            let folded = log.fold(&ruleset, n).unwrap();
            assert_eq!(folded.encode(), live.encode(), "{name}: after {n} transitions");
            if let Some(command) = commands.next() {
                live.submit(&command, &mut ()).unwrap();
            }
        }
    }
}

#[test]
fn a_transition_holds_what_was_done_and_one_suspension() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        let (_, log) = random_game(&ruleset, 13, |_, _| {});
        for (i, records) in log.records().unwrap().iter().enumerate() {
            let is_other =
                |it: &&Record<Vec<i64>>| !it.is_world() && !matches!(it, Record::Happened { .. } | Record::Pushed(..));
            let others: Vec<_> = records.iter().filter(is_other).collect();
            assert!(others.len() <= 3, "{name}, transition {i}: {others:?}");
            let n_suspended = records.iter().filter(|it| matches!(it, Record::Suspended(_))).count();
            assert_eq!(n_suspended, 1, "{name}, transition {i}");
            assert!(matches!(records.last(), Some(Record::Suspended(_))), "{name}, transition {i}");
        }
    }
}

/// Games that are played one decision for each process.
struct Relay {
    log: Log,
    bytes: Vec<u8>,
    dice: Dice,
}

fn start(ruleset: &Arc<Ruleset>, seed: u64) -> Relay {
    let setup = games::setup(ruleset, seed, ruleset.program().players.max);
    let (live, log, _) = Log::start(ruleset, setup).unwrap();
    Relay { log, bytes: live.encode(), dice: Dice::new(seed + 1) }
}

/// Decides in a process of its own, which ends.
fn decide_elsewhere(game: &str, work: &[(&[u8], &Dice)]) -> Vec<Option<Step>> {
    let mut process =
        Process::new(env!("CARGO_BIN_EXE_answer")).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(&(game, work).encode()).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "the other process failed");
    Decode::decode(&mut output.stdout.as_slice()).unwrap()
}

/// Plays games side by side, every decision of all of them in a process that then ends.
fn play_in_relay(name: &str, ruleset: &Arc<Ruleset>, seeds: std::ops::Range<u64>) {
    let mut relays: Vec<Relay> = seeds.clone().map(|seed| start(ruleset, seed)).collect();
    let mut open: Vec<usize> = (0..relays.len()).collect();
    while !open.is_empty() {
        let work: Vec<(&[u8], &Dice)> = open.iter().map(|it| (&*relays[*it].bytes, &relays[*it].dice)).collect();
        let steps = decide_elsewhere(name, &work);
        let mut left = Vec::new();
        for (i, step) in open.into_iter().zip(steps) {
            let Some(step) = step else { continue };
            let relay = &mut relays[i];
            relay.log.append(Some(&step.command), &step.records);
            (relay.bytes, relay.dice) = (step.bytes, step.dice);
            left.push(i);
        }
        open = left;
    }
    for (seed, relay) in seeds.zip(&relays) {
        let (live, log) = random_game(ruleset, seed, |_, _| {});
        assert_eq!(relay.log.encode(), log.encode(), "{name} {seed}: another log came out");
        assert_eq!(relay.bytes, live.encode(), "{name} {seed}: another match came out");
    }
}

#[test]
fn a_match_goes_on_in_another_process_as_if_nothing_had_happened() {
    let (n_batches, batch) = if is_soak() { (14, 250) } else { (1, 6) };
    for name in games::playable() {
        let ruleset = games::load(&name);
        let next = AtomicU64::new(0);
        let work = || {
            while let Some(i) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|it| *it < n_batches) {
                play_in_relay(&name, &ruleset, i * batch..(i + 1) * batch);
                println!("{name}: batch {} of {n_batches}, {batch} games each", i + 1);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(work);
            work();
        });
    }
}

#[test]
fn a_damaged_log_is_refused_with_its_first_bad_place() {
    let ruleset = games::load("skirmish");
    let (_, log) = random_game(&ruleset, 5, |_, _| {});
    let bytes = log.encode();
    assert_eq!(Log::read(&bytes).as_ref(), Ok(&log));
    // Every flipped bit is found, wherever it is.
    for at in (0..bytes.len()).step_by(if is_soak() { 1 } else { 97 }) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        let found = Log::read(&damaged).and_then(|it| it.replay(&ruleset).map(|_| ()));
        assert!(found.is_err(), "a flipped bit at byte {at} was not found");
    }
    // A cut tail and a strange one are not logs, and say where.
    assert!(matches!(Log::read(&bytes[..bytes.len() - 3]), Err(LogError::NotALog { .. })));
    let longer = [bytes.as_slice(), b"x"].concat();
    assert_eq!(Log::read(&longer), Err(LogError::NotALog { at: bytes.len() }));
}

#[test]
fn hashes_are_the_same_whenever_somebody_asks() {
    let ruleset = games::load("skirmish");
    let (_, late) = random_game(&ruleset, 5, |_, _| {});
    let (mut early, mut hashes) = (Log::new(late.header().clone()), Vec::new());
    for (i, it) in late.transitions().enumerate() {
        early.append(it.command().as_ref(), it.records());
        hashes.push(early.hash());
        if i % 3 == 0 {
            early.seal();
        }
        assert_eq!(Some(early.hash()), hashes.last().copied(), "keeping hashes changes none");
    }
    assert_eq!(late.since(0).map(|it| it.1).collect::<Vec<_>>(), hashes);
    assert_eq!(early.since(7).map(|it| it.1).collect::<Vec<_>>(), hashes[7..]);
    assert_eq!((&early, early.encode()), (&late, late.encode()));
    early.seal();
    early.truncate(4);
    assert_eq!(early.hash(), hashes[3]);
    let other = Command::Pass { player: PlayerId(0) };
    early.append(Some(&other), &[]);
    assert_ne!(early.hash(), hashes[4], "another transition has another hash");
    assert_eq!(Log::read(&early.encode()).map(|it| it.hash()), Ok(early.hash()));
}

#[test]
fn a_listed_move_is_kept_as_the_command_it_stands_for() {
    let mut n_kept = 0;
    for name in games::playable() {
        let ruleset = games::load(&name);
        let setup = games::setup(&ruleset, 12, ruleset.program().players.max);
        let (mut live, mut log, _) = Log::start(&ruleset, setup).unwrap();
        let (mut twin, mut twin_log) = (live.clone(), log.clone());
        let (mut moves, mut dice) = (Moves::default(), Dice::new(13));
        while let Some(player) = asked(&live).first() {
            live.moves(*player, 64, &mut moves);
            let at = dice.below(moves.len());
            assert_eq!(log.play(&mut live, &moves, moves.len()), Err(Rejection::UnknownAction));
            log.play(&mut live, &moves, at).unwrap();
            twin_log.submit(&mut twin, &moves.command(at).unwrap()).unwrap();
        }
        n_kept += log.len();
        assert_eq!(log.commands().collect::<Vec<_>>(), twin_log.commands().collect::<Vec<_>>(), "{name}");
        assert_eq!(log.encode(), twin_log.encode(), "{name}");
    }
    assert!(n_kept > 200, "the games are long enough to tell");
}

#[test]
fn a_log_that_lies_names_the_record_at_which_it_begins() {
    let ruleset = games::load("skirmish");
    let (_, log) = random_game(&ruleset, 6, |_, _| {});
    // A forger who knows how to chain hashes changes one value in the middle.
    let (transition, record) = find_value(&log);
    let mut forged = Log::new(log.header().clone());
    for (i, it) in log.transitions().enumerate() {
        let mut records = decode_records(it.records()).unwrap();
        if i == transition {
            let Record::AttrSet { value, .. } = &mut records[record] else { panic!("a value was looked for") };
            *value += 1;
        }
        forged.append(it.command().as_ref(), &encode_records(&records));
    }
    assert_eq!(Log::read(&forged.encode()).as_ref(), Ok(&forged));
    assert_eq!(forged.replay(&ruleset).map(|_| ()), Err(LogError::Diverged { transition, record }));
}

fn find_value(log: &Log) -> (usize, usize) {
    let all = log.records().unwrap();
    let middle = all.len() / 2;
    let of = |records: &Vec<Record<Vec<i64>>>| records.iter().position(|it| matches!(it, Record::AttrSet { .. }));
    all.iter().enumerate().skip(middle).find_map(|(i, it)| Some((i, of(it)?))).unwrap()
}

#[test]
fn a_log_belongs_to_its_rules_and_engine() {
    let skirmish = games::load("skirmish");
    let (_, log) = random_game(&skirmish, 7, |_, _| {});
    let text = std::fs::read_to_string(games::folder().join("skirmish/ruleset.json")).unwrap();
    let changed = games::compile(&text.replace("\"start\": 20", "\"start\": 21")).unwrap();
    assert_eq!(log.replay(&changed).map(|_| ()), Err(LogError::WrongRules));
    let old = Log::new(Header { engine: 0, ..log.header().clone() });
    assert_eq!(Log::read(&old.encode()), Err(LogError::WrongEngine { found: 0 }));
}

#[test]
fn planning_twice_gives_the_same() {
    let ruleset = games::load("skirmish");
    let (_, log) = random_game(&ruleset, 8, |_, _| {});
    let mut live = Match::empty(ruleset, &log.header().setup).unwrap();
    live.begin(&log.header().setup, &mut ());
    for command in log.commands() {
        let (mut once, mut twice) = (Recorder::default(), Recorder::default());
        live.fork().submit(&command, &mut once).unwrap();
        live.submit(&command, &mut twice).unwrap();
        assert_eq!(once.bytes(), twice.bytes());
    }
}
