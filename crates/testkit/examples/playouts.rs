//! Random playouts with legal-move generation, and forks: `cargo run --release -p testkit --example playouts`.

use std::time::Instant;

use engine::{Log, Match};
use testkit::{
    contract::{Dice, random_command},
    games,
};

fn main() {
    let name = std::env::args().nth(1).unwrap_or_else(|| "skirmish".to_owned());
    let n: u64 = std::env::args().nth(2).and_then(|it| it.parse().ok()).unwrap_or(200);
    let ruleset = games::load(&name);
    let players = ruleset.program().players.max;
    let (mut decisions, mut middle) = (0_u64, None);
    let start = Instant::now();
    for seed in 0..n {
        let (live, _) = Match::start(ruleset.clone(), &games::setup(&ruleset, seed, players), &mut ())
            .expect("decks are legal; qed");
        let mut live = live.fork();
        let mut dice = Dice::new(seed + 1);
        while let Some(command) = random_command(&live, &mut dice) {
            live.submit(&command, &mut ()).expect("was offered; qed");
            decisions += 1;
            if live.state().head.version == 40 {
                middle = Some(live.fork());
            }
        }
    }
    let off = start.elapsed();
    let start = Instant::now();
    for seed in 0..n {
        let (mut live, mut log, _) =
            Log::start(&ruleset, games::setup(&ruleset, seed, players)).expect("decks are legal; qed");
        let mut dice = Dice::new(seed + 1);
        while let Some(command) = random_command(&live, &mut dice) {
            log.submit(&mut live, &command).expect("was offered; qed");
        }
    }
    let on = start.elapsed();
    println!("{name}: {n} games, {decisions} decisions");
    println!(
        "log off {:.0} decisions/s, log and marks on {:.0} decisions/s",
        decisions as f64 / off.as_secs_f64(),
        decisions as f64 / on.as_secs_f64()
    );
    if let Some(middle) = middle {
        let start = Instant::now();
        for _ in 0..100_000 {
            std::hint::black_box(middle.fork());
        }
        println!("fork {:.0} ns", start.elapsed().as_nanos() as f64 / 100_000.0);
    }
}
