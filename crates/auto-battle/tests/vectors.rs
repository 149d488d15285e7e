//! The golden battles and runs: result, every event, the next random number, every state.

use auto_battle::json::{Lines, Telling};
use serde_json::Value;

const BATTLES: &str = include_str!("data/battles.jsonl");
const RUNS: &str = include_str!("data/runs.jsonl");

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_golden_battle_comes_out_equal() {
    let lines = Lines::new();
    for (number, line) in BATTLES.lines().enumerate() {
        let expected = parse(line);
        let answer = parse(&lines.battle(line.as_bytes(), Telling::Events));
        for key in ["result", "rngNext", "events"] {
            assert_eq!(answer[key], expected[key], "{key} of battle {number}");
        }
        let n_events = answer["events"].as_array().unwrap().len();
        assert_eq!(expected["eventCount"], n_events, "battle {number}");
    }
    assert_eq!(BATTLES.lines().count(), 250);
}

#[test]
fn a_battle_without_events_ends_the_same() {
    let lines = Lines::new();
    for line in BATTLES.lines() {
        let expected = parse(line);
        let answer = parse(&lines.battle(line.as_bytes(), Telling::ResultOnly));
        assert_eq!(answer["result"], expected["result"]);
        assert_eq!(answer["rngNext"], expected["rngNext"]);
        assert_eq!(answer.get("events"), None);
    }
}

#[test]
fn every_golden_run_goes_through_equal_states() {
    let lines = Lines::new();
    for (number, line) in RUNS.lines().enumerate() {
        let expected = parse(line);
        let answer = parse(&lines.run(line.as_bytes()));
        let states = answer["states"].as_array().unwrap();
        let expected = expected["states"].as_array().unwrap();
        assert_eq!(states.len(), expected.len(), "run {number}");
        for (step, (state, expected)) in states.iter().zip(expected).enumerate() {
            assert_eq!(state, expected, "state {step} of run {number}");
        }
    }
    assert_eq!(RUNS.lines().count(), 15);
}

#[test]
fn no_golden_battle_comes_near_the_limit_of_steps() {
    let lines = Lines::new();
    let n_events =
        |line: &str| parse(&lines.battle(line.as_bytes(), Telling::Events))["events"].as_array().unwrap().len();
    let most = BATTLES.lines().map(n_events).max().unwrap();
    assert!(most < 2_000, "{most}");
    assert!(!BATTLES.contains("STEP_LIMIT"));
}
