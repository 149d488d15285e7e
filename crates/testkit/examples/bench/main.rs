//! How fast the engine is: `cargo xtask bench`.

mod duel;
mod playout;
mod versus;

use testkit::games;

/// How many games prove that both ways of playing the bench duel are the same game.
const COMPARED: u64 = 10_000;

fn main() {
    let mut args = std::env::args().skip(1);
    let ruleset = games::load("bench-duel");
    if args.next().as_deref() == Some("silent") {
        let n = args.next().and_then(|it| it.parse().ok()).unwrap_or(100);
        let mut moves = engine::Moves::default();
        let n: u64 = (0..n).map(|seed| playout::silent(playout::begin(&ruleset, seed), seed, &mut moves)).sum();
        println!("{n} decisions");
        return;
    }
    let compared: u64 = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(COMPARED);
    let n = versus::compare(&ruleset, compared);
    println!("bench-duel: {compared} games compared, {n} decisions, equal results");
    let rounds = versus::measure(&ruleset, 200, 7);
    for it in rounds {
        println!("{it:?} off x{:.2} on x{:.2}", it.silent / it.by_hand, it.logged / it.by_hand);
    }
}
