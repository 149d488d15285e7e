//! Instructions beside times: they do not depend on what else the machine does.

use std::process::Command;

use engine::{Log, Moves, log::Header};
use testkit::games;

use crate::{
    playout::{self, again},
    versus,
};

/// How many games of bench-duel are counted; of games that last longer, fewer.
const GAMES: u64 = 40;
const LONG_GAMES: u64 = 8;

/// Prints the instructions of a decision, if the tool that counts them is there.
pub fn report(names: &[&str]) {
    println!("\ninstructions of a decision, counted by valgrind");
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("  not counted: valgrind is not installed");
        return;
    }
    report_game("bench-duel", &["hand", "silent", "logged", "sealed"], GAMES);
    for name in names.iter().filter(|it| **it != "bench-duel") {
        report_game(name, &["silent", "logged"], LONG_GAMES);
    }
}

fn report_game(name: &str, ways: &[&str], n_games: u64) {
    for way in ways {
        // What is not playing is counted, too, and taken off.
        let before = if *way == "hand" { "prepared" } else { "nothing" };
        match (count(name, way, n_games), count(name, before, n_games)) {
            (Some((all, n)), Some((rest, _))) => {
                println!("  {name:<12} {way:<8} {:>8}", all.saturating_sub(rest) / n.max(1));
            }
            _ => println!("  {name:<12} {way:<8} not counted: valgrind said nothing"),
        }
    }
}

/// The instructions and decisions of some games played one way.
fn count(name: &str, way: &str, n_games: u64) -> Option<(u64, u64)> {
    let own = std::env::current_exe().ok()?;
    let mut tool = Command::new("valgrind");
    tool.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(own);
    let out = tool.args(["play", way, &n_games.to_string(), name]).output().ok()?;
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    let counted = said.lines().find_map(|it| it.split("Collected :").nth(1))?.trim().parse().ok()?;
    Some((counted, String::from_utf8_lossy(&out.stdout).trim().parse().ok()?))
}

/// Plays games one way, or only makes ready for that, and prints how many decisions there were.
pub fn play(name: &str, way: &str, n_games: u64) {
    let ruleset = games::load(name);
    let (mut moves, mut listed) = (Vec::new(), Moves::default());
    let header = Header::new(&ruleset, games::setup(&ruleset, 0, ruleset.program().players.max));
    let (mut table, mut log) = (playout::begin(&ruleset, 0), Log::new(header));
    let n: u64 = (0..n_games)
        .map(|seed| match way {
            "nothing" => {
                playout::begin(&ruleset, seed);
                0
            }
            "prepared" => {
                versus::prepare(&ruleset, seed);
                0
            }
            "hand" => versus::by_hand(&versus::prepare(&ruleset, seed), &mut moves),
            "silent" => playout::silent(again(&mut table, &playout::begin(&ruleset, seed)), seed, &mut listed),
            "logged" => {
                playout::logged(again(&mut table, &playout::begin(&ruleset, seed)), &mut log, seed, &mut listed)
            }
            "sealed" => versus::sealed(again(&mut table, &playout::begin(&ruleset, seed)), &mut log, seed, &mut listed),
            _ => panic!("no such way to play: {way}"),
        })
        .sum();
    println!("{n}");
}
