//! Battles per second on 5 v 5 boards of random starter cards, on one core.
//!
//! `cargo run --release --example bench_throughput -- [BATTLES]`

use std::hint::black_box;
use std::time::Instant;

use auto_battle::{CardIndex, Event, Matchup, NoEvents, Pool, Rng, Sink, starter_pool};

const BOARDS: usize = 4096;

fn main() {
    let n_battles =
        std::env::args().nth(1).map_or(2_000_000, |it| it.parse().expect("the number of battles is a number"));
    let pool = starter_pool();
    let boards = random_boards(&pool, &mut Rng::from_seed(1));
    measure("events off", &pool, &boards, n_battles, &mut NoEvents, |_| {});
    let mut events: Vec<Event> = Vec::new();
    measure("events on ", &pool, &boards, n_battles, &mut events, Vec::clear);
}

fn random_boards(pool: &Pool, rng: &mut Rng) -> Vec<[CardIndex; 5]> {
    let n_cards = pool.cards().len() as u32;
    let mut card = || CardIndex(rng.below(n_cards) as u8);
    (0..2 * BOARDS).map(|_| [(); 5].map(|()| card())).collect()
}

/// Fights every pair of boards in turn; making the matchup is part of the time.
fn measure<K: Sink>(
    label: &str,
    pool: &Pool,
    boards: &[[CardIndex; 5]],
    n_battles: usize,
    sink: &mut K,
    forget: impl Fn(&mut K),
) {
    let start = Instant::now();
    for (seed, pair) in boards.chunks_exact(2).cycle().take(n_battles).enumerate() {
        let [player, enemy] = pair else { continue };
        let matchup = Matchup::of_indices(pool, player, enemy).expect("boards are of the pool");
        black_box(matchup.fight(seed as u64, sink));
        forget(sink);
    }
    let seconds = start.elapsed().as_secs_f64();
    let per_second = n_battles as f64 / seconds;
    println!("{label}: {n_battles} battles in {seconds:.2} s, {per_second:.0} a second");
}
