//! Plays all golden battles and runs and compares every event and state.
//!
//! It holds its data and needs nothing from outside, so that it runs wherever the crate does: built
//! for wasm32 its `main` returns 0 if all came out equal, and any host can call it.
//!
//! `cargo run --release --example vectors`

use std::process::ExitCode;

use auto_battle::json::{Lines, Telling};
use serde_json::Value;

const BATTLES: &str = include_str!("../tests/data/battles.jsonl");
const RUNS: &str = include_str!("../tests/data/runs.jsonl");

fn main() -> ExitCode {
    let lines = Lines::new();
    let battles = count_equal(BATTLES, &["result", "rngNext", "events"], |line| lines.battle(line, Telling::Events));
    let runs = count_equal(RUNS, &["states"], |line| lines.run(line));
    println!("{battles} of 250 battles and {runs} of 15 runs came out equal");
    match (battles, runs) {
        (250, 15) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Counts the lines whose answer has the same values under these keys.
fn count_equal(data: &str, keys: &[&str], answer: impl Fn(&[u8]) -> String) -> usize {
    let is_equal = |line: &&str| {
        let expected: Value = serde_json::from_str(line).expect("the data is JSON");
        let answer = answer(line.as_bytes());
        let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
        keys.iter().all(|key| answer.get(key).is_some() && answer.get(key) == expected.get(key))
    };
    data.lines().filter(is_equal).count()
}
