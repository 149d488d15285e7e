//! Every twin plays the same games as its ruleset: the same players decide, among the same moves in the same order, and
//! the table is the same after each. `cargo xtask soak` plays many more games.

use bench::twins;

/// How many games of each are compared.
fn n_games() -> u64 {
    if std::env::var_os("SNAPSTACK_SOAK").is_some() { 10_000 } else { 50 }
}

fn check(name: &str) {
    let entry = twins::find(name).unwrap_or_else(|| panic!("no twin of this name: {name}"));
    let n_decisions = (entry.compare)(n_games());
    assert!(n_decisions > n_games() * 10, "games that are over at once measure nothing: {n_decisions} decisions");
}

#[test]
fn lanes_by_hand_is_lanes_by_rules() {
    check("lanes");
}

#[test]
fn riddles_by_hand_is_riddles_by_rules() {
    check("riddles");
}

#[test]
fn mints_by_hand_is_mints_by_rules() {
    check("mints");
}

#[test]
fn market_by_hand_is_market_by_rules() {
    check("market");
}

#[test]
fn wards_by_hand_is_wards_by_rules() {
    check("wards");
}

#[test]
fn duel_lite_by_hand_is_duel_lite_by_rules() {
    check("duel-lite");
}

#[test]
fn bench_duel_by_hand_is_bench_duel_by_rules() {
    check("bench-duel");
}
