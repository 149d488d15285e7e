//! Makes the table of opponents and measures how hard it is.
//!
//! `cargo run --release -p auto-battle-fallback --example table -- make [GENERATIONS] [RUNS]`
//! `cargo run --release -p auto-battle-fallback --example table -- measure [RUNS]`
//!
//! A generation plays runs against the table of the generation before, the first against the
//! built-in opponents, and the boards of its best runs are the next table. Numbers are the same on
//! every machine.

use std::fmt::Write as _;
use std::path::Path;
use std::thread;

use auto_battle::bots::{GreedyBot, OpponentTable, RunBot, SearchBot, plan_turn};
use auto_battle::{
    BattleResult, Bounded, Card, CardIndex, Matchup, NoEvents, Pool, Rng, Run, RunPhase, WINS_FOR_VICTORY,
    builtin_opponent, draw_deck, starter_pool,
};
use auto_battle_fallback::BOARDS_PER_ROUND;

/// As on the development chain: 60 cards, every card that costs something with the same chance.
const DECK_SIZE: u32 = 60;
const ROUNDS_MAX: u32 = 20;
/// Rounds of the table; few runs have more.
const TABLE_ROUNDS: u32 = 10;
const ACTIONS_MAX: usize = 60;

type Board = Bounded<CardIndex, 5>;

/// Makes a bot from a seed.
type MakeBot<'a> = &'a (dyn Fn(u64) -> Box<dyn RunBot> + Sync);

/// A run that was played: the board of each round and how many were won.
struct Played {
    boards: Vec<Board>,
    wins: u32,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |idx: usize, default: u64| args.get(idx).map_or(default, |it| it.parse().expect("a number"));
    match args.first().map(String::as_str) {
        Some("make") => make(number(1, 1), number(2, 300)),
        Some("measure") => measure(&auto_battle_fallback::opponents(), number(1, 1_000)),
        _ => eprintln!("table make [GENERATIONS] [RUNS] | table measure [RUNS]"),
    }
}

fn make(n_generations: u64, n_runs: u64) {
    let mut table: OpponentTable = (1..=TABLE_ROUNDS).map(|it| vec![builtin_opponent(it)]).collect();
    for generation in 0..n_generations {
        let bot = |seed| -> Box<dyn RunBot> { Box::new(SearchBot::new(seed, 4, 6).against(table.clone())) };
        let played = play_all(&table, n_runs, 1_000_000 * (generation + 1), &bot);
        table = choose(played);
        println!("generation {generation}");
        measure(&table, 200);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/table.rs");
    std::fs::write(path, write(&table)).expect("the table can be written");
}

/// The boards of each round of the runs with most wins, as far as they can fight for any pool.
fn choose(mut played: Vec<Played>) -> OpponentTable {
    let pool = starter_pool();
    let spawns = |card: &Card| card.spawns().next().is_some();
    let fights = |it: &Board| !it.is_empty() && !it.iter().any(|&it| pool.get(it).is_none_or(spawns));
    played.sort_by_key(|it| std::cmp::Reverse(it.wins));
    let rows = (0..TABLE_ROUNDS as usize).map(|round| {
        let boards = played.iter().filter_map(|it| it.boards.get(round)).filter(|it| fights(it));
        let mut row: Vec<Board> = Vec::new();
        for board in boards {
            if row.len() < BOARDS_PER_ROUND && !row.contains(board) {
                row.push(*board);
            }
        }
        assert_eq!(row.len(), BOARDS_PER_ROUND, "too few boards of round {}", round + 1);
        row
    });
    rows.collect()
}

/// The chance of ten wins of every strategy known, with the end of its 95 % interval.
fn measure(table: &OpponentTable, n_runs: u64) {
    let greedy = |_| -> Box<dyn RunBot> { Box::new(GreedyBot) };
    let search = |seed| -> Box<dyn RunBot> { Box::new(SearchBot::new(seed, 4, 6)) };
    let prepared = |seed| -> Box<dyn RunBot> { Box::new(SearchBot::new(seed, 4, 6).against(table.clone())) };
    let open = |seed| -> Box<dyn RunBot> { Box::new(SearchBot::new(seed, 4, 6).against(table.clone()).seeing_deck()) };
    let bots: [(&str, MakeBot<'_>); 4] = [
        ("greedy", &greedy),
        ("searching", &search),
        ("searching, knows the table", &prepared),
        ("searching, knows the table and its deck", &open),
    ];
    for (name, bot) in bots {
        let played = play_all(table, n_runs, 77, bot);
        let n_won = played.iter().filter(|it| it.wins == WINS_FOR_VICTORY).count();
        let wins: u32 = played.iter().map(|it| it.wins).sum();
        let p = n_won as f64 / n_runs as f64;
        let error = 1.96 * (p * (1.0 - p) / n_runs as f64).sqrt();
        let mean = f64::from(wins) / n_runs as f64;
        println!(
            "{name:40} {:5.1} % of {n_runs} runs have ten wins, at most {:5.1} %; {mean:.2} wins a run",
            100.0 * p,
            100.0 * (p + error)
        );
    }
}

fn play_all(table: &OpponentTable, n_runs: u64, first_seed: u64, bot: MakeBot<'_>) -> Vec<Played> {
    let n_threads = 2;
    thread::scope(|scope| {
        let parts: Vec<_> = (0..n_threads)
            .map(|part| {
                let seeds = (0..n_runs).filter(move |it| it % n_threads == part).map(move |it| first_seed + it);
                scope.spawn(move || seeds.map(|seed| play(table, seed, &mut *bot(seed + 1))).collect::<Vec<_>>())
            })
            .collect();
        parts.into_iter().flat_map(|it| it.join().expect("no run fails")).collect()
    })
}

fn play(table: &OpponentTable, seed: u64, bot: &mut dyn RunBot) -> Played {
    let pool = starter_pool();
    // Neighbouring seeds of this generator give neighbouring first draws.
    let mut rng = Rng::from_seed(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for _ in 0..8 {
        rng.draw();
    }
    let weights: Vec<u8> = pool.cards().iter().map(|it| if it.play_cost == 0 { 0 } else { 3 }).collect();
    let mut run = Run::new(draw_deck(&weights, DECK_SIZE, &mut rng)).expect("any deck is small enough");
    let mut boards = Vec::new();
    while run.phase() == RunPhase::Shop && run.round() <= ROUNDS_MAX {
        for action in plan_turn(&pool, &run, bot, ACTIONS_MAX) {
            run.act(&pool, action).expect("a plan is legal");
        }
        let pending = run.end_turn().expect("the shop is open");
        boards.push(pending.board);
        let row = table.get(pending.round as usize - 1).or(table.last()).expect("the table is not empty");
        let enemy = row[rng.below(row.len() as u32) as usize];
        let result = fight(&pool, &pending.board, &enemy, rng.draw().into());
        run.report_result(result).expect("the battle is pending");
        run.continue_after_battle().expect("the battle is reported");
    }
    Played { boards, wins: run.wins() }
}

fn fight(pool: &Pool, player: &Board, enemy: &Board, seed: u64) -> BattleResult {
    Matchup::of_indices(pool, player, enemy).expect("the cards are of the pool").fight(seed, &mut NoEvents).result
}

fn write(table: &OpponentTable) -> String {
    let mut text = String::from(
        "//! The boards, as places of starter cards, by round and front first.\n//!\n//! Written by the example `table`; do not edit by hand.\n\n/// Boards by round.\npub const TABLE: &[&[&[u8]]] = &[\n",
    );
    for row in table {
        let boards = row.iter().map(|it| format!("&{:?}", it.iter().map(|it| it.0).collect::<Vec<_>>()));
        let _ = writeln!(text, "    &[{}],", boards.collect::<Vec<_>>().join(", "));
    }
    text.push_str("];\n");
    text
}
