//! What it costs to fork a match in the middle of a game.

use std::{hint::black_box, time::Instant};

use engine::{Match, Moves};

use crate::{
    games::{self, Dice},
    median, playout,
};

/// The decision after which a game counts as in its middle.
const MIDDLE: u32 = 40;

/// Prints the time of one fork for every game.
pub fn report(names: &[&str]) {
    println!("\nfork in the middle of a game (target: under 250 ns)");
    for name in names {
        let live = middle(name);
        let rounds = (0..7).map(|_| time(&live)).collect();
        println!("  {name:<12} {:>6.0} ns", median(rounds));
    }
}

/// A game in its middle.
fn middle(name: &str) -> Match {
    let ruleset = games::load(name);
    let mut moves = Moves::default();
    let long_enough = |seed| {
        let mut live = games::begin(&ruleset, seed);
        let mut dice = Dice::new(seed + 1);
        while live.state().head.version < MIDDLE {
            let at = playout::choose(&live, &mut dice, &mut moves)?;
            live.play(&moves, at, &mut ()).expect("was offered; qed");
        }
        Some(live)
    };
    (0..100).find_map(long_enough).expect("some game is that long; qed")
}

fn time(live: &Match) -> f64 {
    const N: u32 = 20_000;
    let start = Instant::now();
    for _ in 0..N {
        black_box(black_box(live).fork());
    }
    start.elapsed().as_nanos() as f64 / f64::from(N)
}
