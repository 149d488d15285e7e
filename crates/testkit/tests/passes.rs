//! What the engine runs is made from the rules by passes, each of which can be left out. Nothing may show which were made:
//! not what happens, not a byte of a log, not what it cost, not the limit a match runs into. Longer with SNAPSTACK_SOAK=1.

use std::sync::Arc;

use engine::{Log, Match, Setup, Waiting, log::Header};
use ruleset::{DefId, Passes, Ruleset};
use testkit::{
    contract::{Dice, random_command},
    fuzz::{corpus, mutate},
    games, hostile, scenario,
};

fn rounds(short: u64, long: u64) -> u64 {
    if std::env::var_os("SNAPSTACK_SOAK").is_some() { long } else { short }
}

/// The same match, run by other passes.
fn rerun(live: &Match, passes: Passes) -> Match {
    let ruleset = Arc::new(live.ruleset().with_passes(passes));
    Match::decode(ruleset, &live.encode()).expect("a match that was written can be read; qed")
}

/// The settings that are tried: each pass left out alone and all together, and every other one in a soak.
fn settings() -> impl Iterator<Item = Passes> {
    let is_long = std::env::var_os("SNAPSTACK_SOAK").is_some();
    Passes::settings().filter(move |it| is_long || *it == Passes::NONE || it.n_left_out() <= 1)
}

/// Plays a match at every setting of the passes beside itself, with the same commands.
#[track_caller]
fn play(mut live: Match, setup: &Setup, n_commands: usize, dice: &mut Dice, name: &str) {
    let mut log = Log::new(Header::new(live.ruleset(), setup.clone()));
    let mut others: Vec<(Passes, Match, Log)> = settings()
        .filter(|it| *it != Passes::ALL)
        .map(|it| (it, rerun(&live, it), Log::new(Header::new(live.ruleset(), setup.clone()))))
        .collect();
    for _ in 0..n_commands {
        let Some(command) = random_command(&live, dice) else { break };
        let done = log.submit(&mut live, &command);
        for (passes, other, own) in &mut others {
            assert_eq!(own.submit(other, &command), done, "{name}, {passes:?}: {command:?}");
            assert_eq!(other.work_left(), live.work_left(), "{name}, {passes:?}: what {command:?} cost");
            assert!(other.encode() == live.encode(), "{name}, {passes:?}: the match after {command:?}");
        }
    }
    for (passes, _, own) in &others {
        assert_eq!(own.hash(), log.hash(), "{name}, {passes:?}: the log");
    }
}

/// Starts a match at every setting: what happens before the first command must be the same, too.
#[track_caller]
fn start(ruleset: &Arc<Ruleset>, setup: &Setup, name: &str) -> Option<Match> {
    let started = |passes: Passes| Match::start(Arc::new(ruleset.with_passes(passes)), setup, &mut ());
    let live = started(Passes::ALL).ok().map(|it| it.0);
    for passes in settings() {
        let other = started(passes).ok().map(|it| it.0.encode());
        assert!(other == live.as_ref().map(Match::encode), "{name}, {passes:?}: the match as it begins");
    }
    live
}

#[test]
fn every_game_is_the_same_at_every_setting_of_the_passes() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        for seed in 0..rounds(1, 20) {
            let setup = games::setup(&ruleset, seed, ruleset.program().players.max);
            let live = start(&ruleset, &setup, &name).expect("ready-made decks are legal; qed");
            play(live, &setup, 60, &mut Dice::new(seed), &name);
        }
    }
}

#[test]
fn every_table_of_the_rulings_is_the_same_at_every_setting_of_the_passes() {
    for (name, table) in scenario::tables_of_rulings() {
        let n = usize::from(table.live.ruleset().program().players.min);
        let setup = Setup { seed: [0; 32], decks: vec![Vec::new(); n] };
        play(table.live, &setup, 6, &mut Dice::new(1), &name);
    }
}

/// A setup for rules nobody knows.
fn any_setup(ruleset: &Ruleset) -> Setup {
    let program = ruleset.program();
    let deck = if program.defs.is_empty() { vec![] } else { vec![DefId(0); 8] };
    Setup { seed: [7; 32], decks: vec![deck; usize::from(program.players.min)] }
}

#[test]
fn hostile_and_random_rulesets_are_the_same_at_every_setting_of_the_passes() {
    let inputs = corpus("compiler");
    let hostile = hostile::cases().into_iter().map(|it| (it.name.to_owned(), it.text));
    let known =
        inputs.iter().enumerate().map(|(i, it)| (format!("corpus {i}"), String::from_utf8_lossy(it).into_owned()));
    let random = (0..rounds(120, 20_000)).map(|seed| {
        let bytes = mutate(&inputs, &mut Dice::new(seed));
        (format!("seed {seed}"), String::from_utf8_lossy(&bytes).into_owned())
    });
    let (mut n_played, mut n_stopped) = (0, 0);
    for (name, text) in hostile.chain(known).chain(random) {
        let Ok(ruleset) = games::compile(&text) else { continue };
        let setup = any_setup(&ruleset);
        let Some(live) = start(&ruleset, &setup, &name) else { continue };
        n_played += 1;
        n_stopped += usize::from(matches!(live.waiting(), Waiting::Paused(_)));
        play(live, &setup, 12, &mut Dice::new(1), &name);
    }
    assert!(n_played >= 20 && n_stopped > 0, "{n_played} were played, of which {n_stopped} ran into a limit");
}
