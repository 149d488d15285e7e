//! Instructions beside times: they do not depend on what else the machine does.

use std::process::Command;

use engine::{Log, Moves, log::Header};
use testkit::games;

use crate::{playout, versus};

/// How many games are counted.
const GAMES: u64 = 40;

/// Prints the instructions of a decision, if the tool that counts them is there.
pub fn report() {
    println!("\ninstructions of a decision of bench-duel, counted by valgrind");
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("  not counted: valgrind is not installed");
        return;
    }
    for way in ["hand", "silent", "logged", "sealed"] {
        // What is not playing is counted, too, and taken off.
        match (count(way), count("nothing")) {
            (Some((all, n)), Some((rest, _))) => println!("  {way:<8} {:>8}", all.saturating_sub(rest) / n.max(1)),
            _ => println!("  {way:<8} not counted: valgrind said nothing"),
        }
    }
}

/// The instructions and decisions of some games played one way.
fn count(way: &str) -> Option<(u64, u64)> {
    let own = std::env::current_exe().ok()?;
    let mut tool = Command::new("valgrind");
    tool.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(own);
    let out = tool.args(["play", way, &GAMES.to_string()]).output().ok()?;
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    let counted = said.lines().find_map(|it| it.split("Collected :").nth(1))?.trim().parse().ok()?;
    Some((counted, String::from_utf8_lossy(&out.stdout).trim().parse().ok()?))
}

/// Plays games of the bench duel one way and prints how many decisions there were. All ways set up the same games.
pub fn play(way: &str, n_games: u64) {
    let ruleset = games::load("bench-duel");
    let (mut moves, mut listed) = (Vec::new(), Moves::default());
    let header = Header::new(&ruleset, games::setup(&ruleset, 0, 2));
    let pairs = (0..n_games).map(|seed| versus::prepare(&ruleset, seed));
    let n: u64 = pairs
        .map(|it| match way {
            "nothing" => 0,
            "hand" => versus::by_hand(&it, &mut moves),
            "silent" => playout::silent(it.live, it.seed, &mut listed),
            "logged" => playout::logged(it.live, &mut Log::new(header.clone()), it.seed, &mut listed),
            "sealed" => versus::sealed(it.live, Log::new(header.clone()), it.seed, &mut listed),
            _ => panic!("no such way to play: {way}"),
        })
        .sum();
    println!("{n}");
}
