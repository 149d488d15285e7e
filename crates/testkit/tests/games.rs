//! Every game of the project: its scenarios, and what every game must hold.

use testkit::{contract, games, scenario};

#[test]
fn every_game_plays_its_scenarios() {
    for name in games::playable() {
        scenario::run_folder(&games::folder().join(name).join("scenarios"));
    }
}

#[test]
fn every_game_keeps_the_contract() {
    let n = if std::env::var_os("SNAPSTACK_SOAK").is_some() { 1000 } else { 3 };
    for name in games::playable() {
        let ruleset = games::load(&name);
        for seed in 0..n {
            contract::check_game(&ruleset, seed);
        }
    }
}
