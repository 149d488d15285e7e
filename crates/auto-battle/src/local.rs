//! A run against the built-in opponents, fought on the spot.

use crate::{
    BattleResult, Matchup, NoEvents, PendingBattle, Pool, Rejection, Rng, Run, RunPhase, ShopAction, Sink,
    builtin_opponent, starter_deck, starter_pool,
};

/// The seed with which the deck of a local run is shuffled.
pub const LOCAL_DECK_SEED: u64 = 42;

/// A run with the starter deck and its host in one.
#[derive(Clone, Debug)]
pub struct LocalRun {
    pool: Pool,
    run: Run,
}

impl LocalRun {
    /// Starts the local run that everyone gets.
    pub fn new() -> Self {
        Self::with_deck_seed(LOCAL_DECK_SEED)
    }

    /// Starts a local run whose deck is shuffled with another seed.
    pub fn with_deck_seed(seed: u64) -> Self {
        let mut deck = starter_deck();
        Rng::from_seed(seed).shuffle(&mut deck);
        Self { pool: starter_pool(), run: Run::start(deck) }
    }

    /// The cards of the run.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The run.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Does one thing in the shop.
    pub fn act(&mut self, action: ShopAction) -> Result<(), Rejection> {
        self.run.act(&self.pool, action)
    }

    /// Ends the turn, fights the built-in opponent of the round and books the result.
    pub fn end_turn(&mut self) -> Result<BattleResult, Rejection> {
        self.end_turn_with(&mut NoEvents)
    }

    /// As [`Self::end_turn`], and tells the battle to a sink.
    pub fn end_turn_with<K: Sink>(&mut self, sink: &mut K) -> Result<BattleResult, Rejection> {
        let pending = self.run.end_turn()?;
        let result = fight_builtin(&self.pool, &pending, sink);
        self.run.report_result(result)?;
        Ok(result)
    }

    /// Goes on after the battle.
    pub fn continue_after_battle(&mut self) -> Result<RunPhase, Rejection> {
        self.run.continue_after_battle()
    }
}

impl Default for LocalRun {
    fn default() -> Self {
        Self::new()
    }
}

/// Fights a pending battle against the built-in opponent of its round, with the round as seed.
///
/// `pool` is the starter pool; a board that it does not know loses.
pub fn fight_builtin<K: Sink>(pool: &Pool, pending: &PendingBattle, sink: &mut K) -> BattleResult {
    let opponent = builtin_opponent(pending.round);
    match Matchup::of_indices(pool, &pending.board, &opponent) {
        Ok(matchup) => matchup.fight(u64::from(pending.round), sink).result,
        Err(_) => BattleResult::Defeat,
    }
}
