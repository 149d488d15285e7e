//! A bot that looks a few moves ahead and tries each board in simulated battles.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::{RunBot, step_to_buy};
use crate::{
    BOARD_SLOTS, BattleResult, BoardView, Bounded, CardIndex, Matchup, NoEvents, Pool, Rng, Run, SHOP_SLOTS,
    ShopAction, builtin_opponent,
};

/// The boards that may be met in each round of a run, from round 1; the last row stands for all
/// later rounds.
pub type OpponentTable = Vec<Vec<Bounded<CardIndex, BOARD_SLOTS>>>;

/// Searches lines of moves with a beam; a move is a purchase with all that it takes, or a swap.
///
/// A line is as good as the battles of its last board against the opponents of this and the next
/// two rounds. The bot does the first step of the best line and then thinks again.
#[derive(Clone, Debug)]
pub struct SearchBot {
    rng: Rng,
    depth: usize,
    width: usize,
    opponents: OpponentTable,
    sight: DeckSight,
}

/// Whether a bot knows the order of its deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DeckSight {
    /// As in a game against people.
    Hidden,
    /// As on a chain, where everything can be read.
    Open,
}

impl SearchBot {
    /// Looks `depth` moves ahead and keeps `width` lines; the seed decides how it imagines decks.
    pub fn new(seed: u64, depth: usize, width: usize) -> Self {
        let opponents = (1..=BUILTIN_ROUNDS).map(|round| Vec::from([builtin_opponent(round)])).collect();
        Self { rng: Rng::from_seed(seed), depth, width, opponents, sight: DeckSight::Hidden }
    }

    /// Prepares for these opponents instead of the built-in ones.
    pub fn against(self, opponents: OpponentTable) -> Self {
        Self { opponents, ..self }
    }

    /// Lets the bot see the order of its deck.
    pub fn seeing_deck(self) -> Self {
        Self { sight: DeckSight::Open, ..self }
    }
}

/// The built-in opponents differ in these rounds.
const BUILTIN_ROUNDS: u32 = 10;

/// The rounds looked at from now on, and how much each counts.
const ROUND_WEIGHTS: [i32; 3] = [4, 2, 1];

/// What a victory counts, against a point of health that is left.
const VICTORY_SCORE: i32 = 100;
const HEALTH_SCORE_MAX: i32 = 40;

/// A way the turn could go.
#[derive(Clone)]
struct Line {
    run: Run,
    first: Option<ShopAction>,
    score: i32,
}

impl RunBot for SearchBot {
    fn next_action(&mut self, pool: &Pool, run: &Run) -> Option<ShopAction> {
        let imagined = match self.sight {
            DeckSight::Hidden => run.with_deck_shuffled(&mut self.rng),
            DeckSight::Open => run.clone(),
        };
        let judge = Judge { pool, opponents: &self.opponents };
        let start = Line { score: judge.score(run), run: imagined, first: None };
        let mut best = (start.score, None);
        let mut beam = Vec::from([start]);
        for _ in 0..self.depth {
            let mut next: Vec<_> = beam.iter().flat_map(|it| judge.moves(it)).collect();
            // A stable sort, so that of equals the one found first stays first.
            next.sort_by_key(|it| Reverse(it.score));
            next.truncate(self.width);
            if let Some(line) = next.first().filter(|it| it.score > best.0) {
                best = (line.score, line.first);
            }
            beam = next;
        }
        best.1
    }
}

/// What lines are judged by.
struct Judge<'a> {
    pool: &'a Pool,
    opponents: &'a OpponentTable,
}

impl Judge<'_> {
    /// All lines that go one move further.
    fn moves(&self, line: &Line) -> Vec<Line> {
        let purchases = (0..).take(SHOP_SLOTS).filter_map(|slot| self.buy(line, slot));
        let swaps = pairs().filter_map(|(a, b)| self.swap(line, a, b));
        purchases.chain(swaps).collect()
    }

    fn buy(&self, line: &Line, slot: u8) -> Option<Line> {
        let mut run = line.run.clone();
        let mut first = line.first;
        // Each step but the last pitches something, so there are no more steps than cards in sight.
        for _ in 0..=SHOP_SLOTS.saturating_add(BOARD_SLOTS) {
            let step = step_to_buy(self.pool, &run, slot)?;
            run.act(self.pool, step).ok()?;
            first = first.or(Some(step));
            if matches!(step, ShopAction::BuyCard { .. }) {
                let score = self.score(&run);
                return Some(Line { run, first, score });
            }
        }
        None
    }

    fn swap(&self, line: &Line, a: u8, b: u8) -> Option<Line> {
        let mut run = line.run.clone();
        let step = ShopAction::SwapBoard { a, b };
        run.act(self.pool, step).ok()?;
        // Swapping what is the same, or nothing with nothing, leads nowhere.
        if board(&run) == board(&line.run) {
            return None;
        }
        let first = line.first.or(Some(step));
        let score = self.score(&run);
        Some(Line { run, first, score })
    }

    fn score(&self, run: &Run) -> i32 {
        let board = board(run);
        let rounds = (run.round()..).zip(ROUND_WEIGHTS);
        rounds
            .fold(0, |acc, (round, weight)| acc.saturating_add(weight.saturating_mul(self.score_round(&board, round))))
    }

    /// The mean over the opponents of a round.
    fn score_round(&self, board: &[CardIndex], round: u32) -> i32 {
        let row = usize::try_from(round.saturating_sub(1)).unwrap_or(usize::MAX);
        let Some(opponents) = self.opponents.get(row).or(self.opponents.last()) else { return 0 };
        let scores = opponents.iter().map(|it| score_battle(self.pool, board, it, round));
        let sum = scores.fold(0_i32, i32::saturating_add);
        i32::try_from(opponents.len()).ok().and_then(|n| sum.checked_div(n)).unwrap_or(0)
    }
}

fn pairs() -> impl Iterator<Item = (u8, u8)> {
    let slots = || (0..).take(BOARD_SLOTS);
    slots().flat_map(move |a| slots().filter(move |b| a < *b).map(move |b| (a, b)))
}

fn board(run: &Run) -> Bounded<CardIndex, BOARD_SLOTS> {
    let cards = run.board().iter().flatten().map(|it| it.card);
    Bounded::try_from_iter(cards).unwrap_or_default()
}

fn score_battle(pool: &Pool, board: &[CardIndex], opponent: &[CardIndex], round: u32) -> i32 {
    let Ok(matchup) = Matchup::of_indices(pool, board, opponent) else {
        return 0;
    };
    let outcome = matchup.fight(u64::from(round), &mut NoEvents);
    let verdict = match outcome.result {
        BattleResult::Victory => VICTORY_SCORE,
        BattleResult::Defeat => VICTORY_SCORE.saturating_neg(),
        BattleResult::Draw => 0,
    };
    let lead = health(&outcome.player).saturating_sub(health(&outcome.enemy));
    verdict.saturating_add(lead.clamp(-HEALTH_SCORE_MAX, HEALTH_SCORE_MAX))
}

fn health(board: &BoardView) -> i32 {
    board.iter().fold(0, |acc, it| acc.saturating_add(it.health))
}
