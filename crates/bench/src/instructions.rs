//! Instructions beside times: they do not depend on what else the machine does.

use std::process::Command;

use engine::{Log, Moves, log::Header};

use crate::{
    games,
    playout::{self, again},
    twins,
};

/// How many games are counted.
const GAMES: u64 = 8;

/// A way to play games, or only to make ready for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Only sets up matches.
    Nothing,
    /// Sets up matches and twins.
    Prepared,
    /// By hand.
    Hand,
    /// By rules without a log.
    Silent,
    /// By rules with a log.
    Logged,
    /// By rules with a log and its hashes.
    Sealed,
}

impl Way {
    const ALL: [(&'static str, Way); 6] = [
        ("nothing", Way::Nothing),
        ("prepared", Way::Prepared),
        ("hand", Way::Hand),
        ("silent", Way::Silent),
        ("logged", Way::Logged),
        ("sealed", Way::Sealed),
    ];

    /// The way of a name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|it| it.0 == name).map(|it| it.1)
    }

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }
}

/// Prints the instructions of a decision of games, if the tool that counts them is there.
pub fn report(names: &[&str]) {
    println!("\ninstructions of a decision, counted by valgrind");
    for name in names {
        for way in [Way::Silent, Way::Logged, Way::Sealed] {
            match of_decision(name, way) {
                Some(n) => println!("  {name:<12} {:<8} {n:>8}", way.name()),
                None => println!("  {name:<12} {:<8} not counted: valgrind is not installed", way.name()),
            }
        }
    }
}

/// The instructions of a decision; none without valgrind.
pub fn of_decision(name: &str, way: Way) -> Option<u64> {
    // What is not playing is counted, too, and taken off.
    let before = if way == Way::Hand { Way::Prepared } else { Way::Nothing };
    let ((all, n), (rest, _)) = (count(name, way)?, count(name, before)?);
    Some(all.saturating_sub(rest) / n.max(1))
}

/// The instructions and decisions of some games played one way.
fn count(name: &str, way: Way) -> Option<(u64, u64)> {
    let own = std::env::current_exe().ok()?;
    let mut tool = Command::new("valgrind");
    tool.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(own);
    let out = tool.args(["play", way.name(), &GAMES.to_string(), name]).output().ok()?;
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    let counted = said.lines().find_map(|it| it.split("Collected :").nth(1))?.trim().parse().ok()?;
    Some((counted, String::from_utf8_lossy(&out.stdout).trim().parse().ok()?))
}

/// Plays games one way, or only makes ready for that, and prints how many decisions there were.
pub fn play(name: &str, way: Way, n_games: u64) {
    let by_hand = |is_played: bool| {
        let entry = twins::find(name).unwrap_or_else(|| panic!("no twin of this name: {name}"));
        (entry.by_hand)(n_games, is_played)
    };
    let n = match way {
        Way::Hand => by_hand(true),
        Way::Prepared => by_hand(false),
        Way::Nothing | Way::Silent | Way::Logged | Way::Sealed => by_rules(name, way, n_games),
    };
    println!("{n}");
}

fn by_rules(name: &str, way: Way, n_games: u64) -> u64 {
    let ruleset = games::load(name);
    let header = Header::new(&ruleset, games::setup(&ruleset, 0));
    let (mut moves, mut log) = (Moves::default(), Log::new(header));
    let lives: Vec<_> = (0..n_games).map(|it| games::begin(&ruleset, it)).collect();
    let mut table = lives[0].fork();
    let game = |(seed, live)| {
        let live = again(&mut table, live);
        match way {
            Way::Silent => playout::silent(live, seed, &mut moves),
            Way::Logged => playout::logged(live, &mut log, seed, &mut moves),
            Way::Sealed => playout::sealed(live, &mut log, seed, &mut moves),
            Way::Nothing | Way::Prepared | Way::Hand => 0,
        }
    };
    (0..).zip(&lives).map(game).sum()
}
