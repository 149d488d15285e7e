//! What the mean and the worst known battle cost: time, steps of work and, under valgrind,
//! instructions.
//!
//! `cargo run --release --example bench_cost` (needs `valgrind` for the instructions)

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use auto_battle::{
    Bounded, Card, CardIndex, Fighter, Matchup, NoEvents, POOL_CARDS_MAX, Pool, Rng, WorkCounter, starter_pool,
};
use parity_scale_codec::Decode;

type Board = Bounded<Card, 5>;
type BattleBytes = (Bounded<Card, POOL_CARDS_MAX>, Board, Board, u64);

/// The battle that the example `worst` found, encoded.
const WORST: &[u8] = include_bytes!("../tests/data/worst.bin");

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match &args[..] {
        [] => {
            report("mean", 20_000);
            report("worst", 20);
        }
        [which, n_battles] => {
            fight(which, n_battles.parse().expect("a number of battles"));
        }
        _ => eprintln!("cost [mean|worst BATTLES]"),
    }
}

fn report(which: &str, n_battles: u64) {
    let start = Instant::now();
    let steps = fight(which, n_battles);
    let micros = start.elapsed().as_secs_f64() * 1e6 / n_battles as f64;
    let steps = steps / n_battles;
    print!("{which}: {steps} steps, {micros:.1} microseconds");
    // What both counts share is the start of the program, so their difference is the battles.
    let few = instructions(which, n_battles / 10);
    let many = instructions(which, n_battles / 5);
    match (few, many) {
        (Some(few), Some(many)) => println!(", {} instructions", (many - few) / (n_battles / 10)),
        _ => println!(", instructions unknown: no valgrind"),
    }
}

/// Runs this program under callgrind and reads how many instructions it took.
fn instructions(which: &str, n_battles: u64) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args([which, &n_battles.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8(output.stderr).ok()?;
    let line = text.lines().find(|it| it.contains("Collected :"))?;
    line.split_whitespace().last()?.parse().ok()
}

/// Fights some battles without events and gives the steps of all together.
fn fight(which: &str, n_battles: u64) -> u64 {
    match which {
        "mean" => fight_mean(n_battles),
        _ => fight_worst(n_battles),
    }
}

/// Random 5 v 5 boards of starter cards.
fn fight_mean(n_battles: u64) -> u64 {
    let pool = starter_pool();
    let n_cards = pool.cards().len() as u32;
    let mut rng = Rng::from_seed(1);
    let mut steps = WorkCounter::default();
    for seed in 0..n_battles {
        let mut board = || [(); 5].map(|()| CardIndex(rng.below(n_cards) as u8));
        let matchup = Matchup::of_indices(&pool, &board(), &board()).expect("starter cards");
        black_box(matchup.fight(seed, &mut steps));
    }
    steps.steps
}

fn fight_worst(n_battles: u64) -> u64 {
    let (pool, player, enemy, seed) = BattleBytes::decode(&mut &*WORST).expect("a battle");
    let pool = Pool::check(pool.to_vec()).expect("legal cards");
    let player: Vec<_> = player.iter().map(Fighter::Guest).collect();
    let enemy: Vec<_> = enemy.iter().map(Fighter::Guest).collect();
    let matchup = Matchup::new(&pool, &player, &enemy).expect("legal boards");
    for _ in 0..n_battles {
        black_box(matchup.fight(seed, &mut NoEvents));
    }
    let mut steps = WorkCounter::default();
    matchup.fight(seed, &mut steps);
    steps.steps * n_battles
}
