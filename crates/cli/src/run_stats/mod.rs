//! Statistics of many runs: what is counted, how it is shown.

mod plot;
mod tables;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use auto_battle::bots::{GreedyBot, RunBot, SearchBot, play_run};
use auto_battle::{BattleResult, LocalRun, Run, RunPhase, STARTER_CARDS};

pub use plot::Plot;
pub use tables::print_tables;

/// A bot that can be asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum BotKind {
    /// Buys what is worth most.
    Greedy,
    /// Looks ahead with simulated battles.
    Search,
}

impl BotKind {
    /// Makes the bot for the run of a seed.
    pub fn make(self, seed: u64, depth: usize, width: usize) -> Box<dyn RunBot> {
        match self {
            Self::Greedy => Box::new(GreedyBot),
            Self::Search => Box::new(SearchBot::new(seed, depth, width)),
        }
    }

    /// The name that tables and plots show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Greedy => "greedy",
            Self::Search => "search",
        }
    }
}

/// Battles and how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Tally {
    /// All battles.
    pub fn battles(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Won battles of a hundred, or `None` without any battle.
    pub fn win_rate(&self) -> Option<f64> {
        let battles = self.battles();
        (battles > 0).then(|| 100.0 * self.wins as f64 / battles as f64)
    }

    fn count(&mut self, result: BattleResult) {
        match result {
            BattleResult::Victory => self.wins += 1,
            BattleResult::Draw => self.draws += 1,
            BattleResult::Defeat => self.losses += 1,
        }
    }

    fn add(&mut self, other: &Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Rounds that differ in their opponent; the last stands for all later ones.
pub const OPPONENT_ROUNDS: usize = 10;

/// What came of some runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStats {
    pub runs: u64,
    /// Runs that reached ten wins.
    pub victories: u64,
    /// Battles won, all runs together.
    pub wins: u64,
    /// By card and opponent: the battles in which the card stood on the board at least once.
    pub cards: [[Tally; OPPONENT_ROUNDS]; STARTER_CARDS.len()],
    /// By opponent: the battles of its round.
    pub rounds: [Tally; OPPONENT_ROUNDS],
}

impl RunStats {
    fn new() -> Self {
        Self {
            runs: 0,
            victories: 0,
            wins: 0,
            cards: [[Tally::default(); OPPONENT_ROUNDS]; STARTER_CARDS.len()],
            rounds: [Tally::default(); OPPONENT_ROUNDS],
        }
    }

    /// All battles with a card on the board.
    pub fn card(&self, card: usize) -> Tally {
        let mut sum = Tally::default();
        self.cards[card].iter().for_each(|it| sum.add(it));
        sum
    }

    /// How many points of a hundred the bot wins more often with a card than it does on average
    /// against the same opponents. Cheap cards fight the early, weak opponents; this leaves that out.
    pub fn lift(&self, card: usize) -> Option<f64> {
        let battles = self.card(card).battles();
        let by_round = self.cards[card].iter().zip(&self.rounds);
        let more =
            by_round.filter_map(|(with, all)| Some((with.win_rate()? - all.win_rate()?) * with.battles() as f64));
        (battles > 0).then(|| more.sum::<f64>() / battles as f64)
    }

    fn count_battle(&mut self, run: &Run, result: BattleResult) {
        let opponent = (run.round() as usize).clamp(1, OPPONENT_ROUNDS) - 1;
        self.rounds[opponent].count(result);
        let mut present = [false; STARTER_CARDS.len()];
        for card in run.board().iter().flatten() {
            present[usize::from(card.card.0)] = true;
        }
        let on_board = self.cards.iter_mut().zip(present).filter(|(_, here)| *here);
        on_board.for_each(|(tallies, _)| tallies[opponent].count(result));
    }

    fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.victories += other.victories;
        self.wins += other.wins;
        let cards = self.cards.iter_mut().flatten();
        let others = other.cards.iter().flatten();
        cards.zip(others).for_each(|(a, b)| a.add(b));
        self.rounds.iter_mut().zip(&other.rounds).for_each(|(a, b)| a.add(b));
    }
}

/// Plays runs of consecutive deck seeds on all cores; sums do not depend on who played what.
pub fn play_many(
    seed: u64,
    n_runs: u64,
    rounds_max: u32,
    make: impl Fn(u64) -> Box<dyn RunBot> + Sync,
    on_run: impl Fn() + Sync,
) -> RunStats {
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    let work = || {
        let mut stats = RunStats::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= n_runs {
                return stats;
            }
            let seed = seed.wrapping_add(number);
            stats.add(&play_one(seed, rounds_max, &mut *make(seed)));
            on_run();
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
        let mut total = RunStats::new();
        for worker in workers {
            total.add(&worker.join().expect("a worker only plays runs; qed"));
        }
        total
    })
}

fn play_one(seed: u64, rounds_max: u32, bot: &mut dyn RunBot) -> RunStats {
    let mut stats = RunStats::new();
    let mut local = LocalRun::with_deck_seed(seed);
    let count = |run: &Run, result| stats.count_battle(run, result);
    let phase = play_run(&mut local, bot, rounds_max, count);
    stats.runs = 1;
    stats.victories = u64::from(phase == RunPhase::Victory);
    stats.wins = u64::from(local.run().wins());
    stats
}
