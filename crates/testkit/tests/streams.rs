//! Facts and writes are those of the engine before its speed was worked on (commit 97bd3e9), in all games, all tables and
//! scripts of scenarios, the fuzz corpus and random rulesets; with SNAPSTACK_SOAK=1 also in hostile rulesets, and in 20 000
//! random ones.
//!
//! `facts.bin` was written by that engine. Every difference from it is a correction of the rules, and stands below with
//! its reason; a change of games or scenarios is one, too.

use std::collections::BTreeMap;

use testkit::streams::{self, Line};

/// The cases that go otherwise now, by how their names begin, and why.
const CORRECTED: &[(&str, &str)] =
    &[("random 37765", "a limit names the event whose fact could not be answered, not one before it in the same step")];

/// Compares lines with what is pinned.
struct Pinned {
    facts: BTreeMap<[u8; 4], [u8; 4]>,
    n_compared: usize,
    wrong: Vec<String>,
}

impl Pinned {
    fn load() -> Self {
        Self { facts: streams::pinned(), n_compared: 0, wrong: Vec::new() }
    }

    fn compare(&mut self, line: &Line) {
        let (name, facts) = line.pin();
        let Some(expected) = self.facts.get(&name).copied() else { return };
        let is_corrected = CORRECTED.iter().any(|it| line.name.starts_with(it.0));
        self.n_compared += 1;
        if expected != facts && !is_corrected {
            self.wrong.push(line.to_text());
        }
    }

    /// At least so many must be pinned.
    #[track_caller]
    fn check(&self, least: usize) {
        assert!(self.wrong.is_empty(), "other facts than before: {:#?}", self.wrong);
        assert!(self.n_compared >= least, "only {} cases are pinned", self.n_compared);
    }
}

fn is_soak() -> bool {
    std::env::var_os("SNAPSTACK_SOAK").is_some()
}

#[test]
fn facts_of_every_game_are_as_before() {
    let mut pinned = Pinned::load();
    streams::play_games(if is_soak() { 6 } else { 2 }, &mut |it| pinned.compare(&it));
    pinned.check(20);
}

#[test]
fn facts_of_every_scenario_are_as_before() {
    let mut pinned = Pinned::load();
    streams::play_tables(&mut |it| pinned.compare(&it));
    streams::play_scenarios(&mut |it| pinned.compare(&it));
    pinned.check(1000);
}

#[test]
fn facts_of_hostile_rulesets_and_of_the_corpus_are_as_before() {
    let mut pinned = Pinned::load();
    // They are made to run into limits, which takes long without optimisation.
    if is_soak() {
        streams::play_hostile(&mut |it| pinned.compare(&it));
    }
    streams::play_corpus(&mut |it| pinned.compare(&it));
    pinned.check(200);
}

#[test]
fn facts_of_random_rulesets_are_as_before() {
    let n = if is_soak() { 20_000 } else { 150 };
    let mut pinned = Pinned::load();
    streams::random(n, |it| pinned.compare(&it));
    pinned.check(n * 95 / 100);
}
