//! Battles as a chain keeps them: two boards and a seed, small enough to store and complete enough
//! for anyone to fight them again.

#[cfg(feature = "scale")]
use parity_scale_codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
#[cfg(feature = "scale")]
use scale_info::TypeInfo;

use crate::{
    BOARD_SLOTS, BattleResult, Bounded, Card, CardIndex, Fighter, Matchup, MatchupError, Outcome, PendingBattle, Pool,
    STEPS_MAX, Sink, Team, WorkCounter, builtin_opponent, starter_pool,
};

/// The version of the rules of battles and runs. Whoever keeps battles to judge them later keeps
/// it beside them, because other rules would judge them otherwise.
///
/// Version 2 ends a battle after [`crate::STEPS_MAX`] steps; version 1 knew no such limit and is
/// otherwise the same.
pub const RULES_VERSION: u16 = 2;

/// A unit of a saved board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub enum BoardUnit {
    /// A card of the pool that the battle is fought with.
    Pool(CardIndex),
    /// A starter card, of which the built-in opponents are made whatever the pool is.
    Starter(CardIndex),
}

impl Default for BoardUnit {
    fn default() -> Self {
        Self::Pool(CardIndex::default())
    }
}

/// A board, front first and without gaps.
pub type SavedBoard = Bounded<BoardUnit, BOARD_SLOTS>;

/// All that a battle depends on but the cards of its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub struct SavedBattle {
    pub player: SavedBoard,
    pub enemy: SavedBoard,
    pub seed: u64,
}

/// What a judge needs to know of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub result: BattleResult,
    /// The steps of work that the battle took.
    pub steps: u64,
    /// Whether it took more steps than [`crate::STEPS_MAX`], a limit that rules of version 1 lack.
    pub is_over_limit: bool,
}

impl SavedBattle {
    /// Fights the battle.
    ///
    /// A starter card that spawns cannot fight here, since its spawns are not of this pool; no
    /// built-in opponent has one.
    pub fn fight<K: Sink>(&self, pool: &Pool, sink: &mut K) -> Result<Outcome, MatchupError> {
        let starters = self.starters();
        let player = fighters(&starters, Team::Player, &self.player)?;
        let enemy = fighters(&starters, Team::Enemy, &self.enemy)?;
        let matchup = Matchup::new(pool, &player, &enemy)?;
        Ok(matchup.fight(self.seed, sink))
    }

    /// Fights the battle for its result alone and counts the work.
    ///
    /// Whoever judges many battles calls this and not [`Self::fight`]: it is compiled with this
    /// crate, and so as fast as this crate is, whatever the caller's crate is optimised for.
    pub fn judge(&self, pool: &Pool) -> Result<Judgement, MatchupError> {
        let mut work = WorkCounter::default();
        let outcome = self.fight(pool, &mut work)?;
        Ok(Judgement { result: outcome.result, steps: work.steps, is_over_limit: work.steps > STEPS_MAX })
    }

    /// The starter cards if a board has any: most battles do without them.
    fn starters(&self) -> Pool {
        let mut units = self.player.iter().chain(&self.enemy);
        match units.any(|it| matches!(it, BoardUnit::Starter(_))) {
            true => starter_pool(),
            false => Pool::default(),
        }
    }
}

fn fighters<'a>(
    starters: &'a Pool,
    team: Team,
    board: &SavedBoard,
) -> Result<Bounded<Fighter<'a>, BOARD_SLOTS>, MatchupError> {
    let mut fighters = Bounded::new();
    for (slot, unit) in (0..).zip(board) {
        let fighter = match *unit {
            BoardUnit::Pool(index) => Fighter::Pool(index),
            BoardUnit::Starter(index) => {
                let card = starters.get(index).filter(|it| !has_spawns(it));
                Fighter::Guest(card.ok_or(MatchupError::UnknownCard { team, slot })?)
            }
        };
        // Both lists have the bound of a board.
        let _ = fighters.push(fighter);
    }
    Ok(fighters)
}

fn has_spawns(card: &Card) -> bool {
    card.spawns().next().is_some()
}

impl PendingBattle {
    /// The board as it is saved.
    pub fn saved_board(&self) -> SavedBoard {
        self.board.map(BoardUnit::Pool)
    }
}

/// The built-in opponent of a run's round as a saved board, which can fight boards of any pool.
pub fn builtin_board(round: u32) -> SavedBoard {
    builtin_opponent(round).map(BoardUnit::Starter)
}
