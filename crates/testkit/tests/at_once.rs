//! An event that nobody can answer happens without a row on the stack. That is for speed only: with a rule that
//! listens to everything and answers nothing, every event has a row, and the games are the same.

use std::sync::Arc;

use engine::{Log, Match, PlayerId, Record, state::MatchState};
use ruleset::{EventTypeId, Ruleset};
use serde_json::json;
use testkit::{
    contract::{Dice, random_command},
    games,
};

/// A game with a rule before every event that never answers.
fn watched(name: &str) -> Arc<Ruleset> {
    let plain = games::load(name);
    let events = plain.program().text.events.iter().enumerate();
    let rules: Vec<_> = events
        .map(|(i, it)| {
            let (id, never) = (format!("listens_{i}"), json!([{ "op": "gt", "a": 0, "b": 1 }]));
            let when = json!({ "eventType": it.id });
            json!({ "id": id, "timing": "before", "when": when, "conditions": never, "effects": [] })
        })
        .collect();
    games::parse(&json!({ "include": [name], "id": name, "version": "1.0.0", "reactions": rules }).to_string())
}

/// What the players see of a state: cards, values, places and the turn.
fn world(state: &MatchState) -> impl PartialEq + std::fmt::Debug + use<> {
    let head = &state.head;
    let cards = (state.ents.clone(), state.attrs.clone(), state.zones.clone(), state.mods.clone());
    (cards, head.turn, head.active, head.step, head.alive, head.rng, head.outcome.map(|it| it.winners))
}

/// What happened, in order; numbers of events differ, and so does what names them.
fn facts(log: &Log) -> Vec<(u16, u32)> {
    let records = log.records().expect("the log was just written").into_iter().flatten();
    let fact = |it| if let Record::Happened { kind, subject, .. } = it { Some((kind.0, subject.0)) } else { None };
    records.filter_map(fact).collect()
}

/// The types of the events that had no row.
fn at_once(ruleset: &Arc<Ruleset>, log: &Log) -> Vec<EventTypeId> {
    let records = log.steps(ruleset).expect("the log was just written").into_iter().flatten();
    records.filter_map(|it| if let Record::AtOnce(frame, _) = it { Some(frame.etype) } else { None }).collect()
}

#[track_caller]
fn check(name: &str, seeds: u64) {
    let rulesets = [games::load(name), watched(name)];
    let mut n_saved = 0;
    for seed in 0..seeds {
        let n_players = rulesets[0].program().players.max;
        let start = |it: &Arc<Ruleset>| Log::start(it, games::setup(it, seed, n_players)).expect("decks are legal");
        let [(mut live, mut log, _), (mut twin, mut twin_log, _)] = [start(&rulesets[0]), start(&rulesets[1])];
        let mut dice = Dice::new(seed);
        while let Some(command) = random_command(&live, &mut dice) {
            assert_eq!(choices(&live), choices(&twin), "{name} {seed}: other moves are legal");
            log.submit(&mut live, &command).expect("was offered");
            twin_log.submit(&mut twin, &command).expect("was offered, so the other can do it, too");
            assert_eq!(world(live.state()), world(twin.state()), "{name} {seed}: another world after {command:?}");
        }
        assert_eq!(facts(&log), facts(&twin_log), "{name} {seed}: something else happened");
        n_saved += at_once(&rulesets[0], &log).len();
        assert_eq!(at_once(&rulesets[1], &twin_log), [], "{name}: an event that could be answered has no row");
    }
    assert!(n_saved > 100, "{name}: hardly an event went without a row");
}

fn choices(live: &Match) -> Vec<engine::Command> {
    (0..live.state().head.n_players).flat_map(|it| live.legal(PlayerId(it), 64)).collect()
}

#[test]
fn a_bench_duel_is_the_same_with_and_without_rows() {
    check("bench-duel", 20);
}

#[test]
fn a_skirmish_is_the_same_with_and_without_rows() {
    check("skirmish", 10);
}

#[test]
fn a_duel_is_the_same_with_and_without_rows() {
    check("duel", 10);
}
