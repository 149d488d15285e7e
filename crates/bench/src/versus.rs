//! Games by rules and by hand, side by side: first the proof that both play the same games, then the figures.

use std::{hint::black_box, io::Write as _, time::Instant};

use engine::{Log, Match, Moves, log::Header};

use crate::{
    compare::Twin,
    games::{self, Dice},
    instructions::{self, Way},
    median,
    playout::{self, again},
    table::Table,
    twins::Entry,
};

/// How many games are played in one round, and how many rounds there are.
const GAMES: u64 = 60;
const ROUNDS: usize = 15;

/// What one game costs; times in nanoseconds for a decision.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Decisions in a game, on average.
    pub length: f64,
    /// The time by hand.
    pub by_hand: f64,
    /// The time by rules without a log, and how many times as long as by hand.
    pub silent: Timed,
    /// The same with a log.
    pub logged: Timed,
    /// Allocations in a decision without a log and with one.
    pub allocations: [f64; 2],
}

/// A time in nanoseconds, and how many times as long as by hand: the middle ones of some rounds.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// The time.
    pub ns: f64,
    /// How many times as long.
    pub ratio: f64,
}

/// Instructions in a decision: by hand, by rules without a log, with one.
type Counted = Option<[u64; 3]>;

/// What is printed of one game.
struct Row {
    name: &'static str,
    n_compared: u64,
    figures: Figures,
    counted: Counted,
}

/// Compares and measures games, and prints a table of them, then a line for each that can be searched for.
pub fn report(entries: &[&Entry], n_compared: u64) {
    let rows: Vec<Row> = entries.iter().map(|it| row(it, n_compared)).collect();
    println!("\nby rules and by hand, for one decision, through the list of legal moves and `submit`");
    println!(
        "  {:<11} {:>9} {:>8} {:>8}  {:>16}  {:>16}  {:>13}  instructions",
        "game", "compared", "per game", "hand ns", "log off ns ratio", "log on ns ratio", "allocations"
    );
    rows.iter().for_each(print_row);
    println!("  (allocations: log off / log on; instructions: by hand / log off / log on, and their ratios)");
    rows.iter().for_each(print_line);
}

fn print_row(row: &Row) {
    let Figures { length, by_hand, silent, logged, allocations } = row.figures;
    let counted = row.counted.map_or("not counted: valgrind is not installed".to_owned(), |[hand, off, on]| {
        let ratio = |n: u64| n as f64 / hand.max(1) as f64;
        format!("{hand} / {off} / {on}, {:.0} / {:.0} times", ratio(off), ratio(on))
    });
    println!(
        "  {:<11} {:>9} {length:>8.0} {by_hand:>8.1}  {:>9.0} {:>6.1}  {:>9.0} {:>6.1}  {:>5.1} / {:>5.1}  {counted}",
        row.name, row.n_compared, silent.ns, silent.ratio, logged.ns, logged.ratio, allocations[0], allocations[1]
    );
}

fn print_line(row: &Row) {
    let Figures { length, by_hand, silent, logged, allocations } = row.figures;
    print!("versus {} compared={} length={length:.0} hand_ns={by_hand:.1}", row.name, row.n_compared);
    print!(" off_ns={:.0} off_ratio={:.1} off_allocations={:.2}", silent.ns, silent.ratio, allocations[0]);
    print!(" on_ns={:.0} on_ratio={:.1} on_allocations={:.2}", logged.ns, logged.ratio, allocations[1]);
    if let Some([hand, off, on]) = row.counted {
        print!(" hand_instructions={hand} off_instructions={off} on_instructions={on}");
    }
    println!();
}

/// Compares and measures one game; says what it does meanwhile.
fn row(entry: &Entry, n_compared: u64) -> Row {
    say(entry.name, &format!("comparing {n_compared} games"));
    let n_compared = (entry.compare)(n_compared);
    say(entry.name, &format!("{n_compared} decisions are equal; measuring"));
    let figures = (entry.measure)();
    say(entry.name, "counting instructions");
    let counted = [Way::Hand, Way::Silent, Way::Logged].map(|it| instructions::of_decision(entry.name, it));
    let counted = if let [Some(hand), Some(off), Some(on)] = counted { Some([hand, off, on]) } else { None };
    Row { name: entry.name, n_compared, figures, counted }
}

/// Says what goes on, apart from the figures.
fn say(name: &str, what: &str) {
    eprintln!("  {name}: {what}");
    let _ = std::io::stderr().flush();
}

/// One game at its first decision, both ways.
struct Pair<T> {
    seed: u64,
    live: Match,
    twin: T,
}

fn prepare<T: Twin>(n_games: u64) -> Vec<Pair<T>> {
    let ruleset = games::load(T::NAME);
    let pair = |seed| {
        let live = games::begin(&ruleset, seed);
        Pair { seed, twin: T::new(&Table::of(&live)), live }
    };
    (0..n_games).map(pair).collect()
}

/// Plays the same games in all ways, taking turns, so that what else the machine does meets all of them.
pub fn measure<T: Twin>() -> Figures {
    let pairs = prepare::<T>(GAMES);
    let ruleset = pairs[0].live.ruleset().clone();
    let header = Header::new(&ruleset, games::setup(&ruleset, 0));
    let (mut by_hand_moves, mut moves) = (Vec::new(), Moves::default());
    let (mut table, mut log) = (pairs[0].live.fork(), Log::new(header));
    let mut rounds = Vec::new();
    let n_decisions: u64 = pairs.iter().map(|it| by_hand(&it.twin, it.seed, &mut by_hand_moves)).sum();
    for _ in 0..ROUNDS {
        // By hand it is over so soon that it is played more often.
        let hand = time(&pairs, n_decisions, 8, |it| by_hand(&it.twin, it.seed, &mut by_hand_moves));
        let off = time(&pairs, n_decisions, 1, |it| playout::silent(again(&mut table, &it.live), it.seed, &mut moves));
        let on = time(&pairs, n_decisions, 1, |it| {
            playout::logged(again(&mut table, &it.live), &mut log, it.seed, &mut moves)
        });
        rounds.push([hand, off, on]);
    }
    let mut allocations = |is_logged: bool| {
        let info = allocation_counter::measure(|| {
            for it in &pairs {
                let live = again(&mut table, &it.live);
                match is_logged {
                    true => playout::logged(live, &mut log, it.seed, &mut moves),
                    false => playout::silent(live, it.seed, &mut moves),
                };
            }
        });
        info.count_total as f64 / n_decisions as f64
    };
    let allocations = [allocations(false), allocations(true)];
    let middle = |of: &dyn Fn(&[f64; 3]) -> f64| median(rounds.iter().map(of).collect());
    let timed = |at: usize| Timed { ns: middle(&|it| it[at]), ratio: middle(&|it| it[at] / it[0]) };
    Figures {
        length: n_decisions as f64 / pairs.len() as f64,
        by_hand: middle(&|it| it[0]),
        silent: timed(1),
        logged: timed(2),
        allocations,
    }
}

/// Plays one game by hand; gives how many decisions it had.
fn by_hand<T: Twin>(start: &T, seed: u64, moves: &mut Vec<T::Move>) -> u64 {
    let mut twin = start.clone();
    let mut dice = Dice::new(seed + 1);
    let mut n = 0;
    loop {
        twin.decide(moves);
        if moves.is_empty() {
            return n;
        }
        twin.apply(moves[dice.below(moves.len())]);
        n += 1;
    }
}

/// Plays so many games by hand, or only makes ready for that; gives how many decisions there were.
pub fn count_by_hand<T: Twin>(n_games: u64, is_played: bool) -> u64 {
    let (pairs, mut moves) = (prepare::<T>(n_games), Vec::new());
    pairs.iter().filter(|_| is_played).map(|it| by_hand(&it.twin, it.seed, &mut moves)).sum()
}

/// Nanoseconds of a decision if all games are played so many times.
fn time<T>(pairs: &[Pair<T>], n_decisions: u64, n_times: u32, mut play: impl FnMut(&Pair<T>) -> u64) -> f64 {
    let start = Instant::now();
    for _ in 0..n_times {
        for pair in pairs {
            black_box(play(black_box(pair)));
        }
    }
    start.elapsed().as_nanos() as f64 / (n_decisions as f64 * f64::from(n_times))
}
