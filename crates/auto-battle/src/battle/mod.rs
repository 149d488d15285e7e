//! Battles: two boards, a pool and a seed in; a result out, the same on every machine.
//!
//! A battle allocates nothing, cannot fail and does a bounded amount of work. What the rules leave
//! to a host (who fights, with which seed, what the result is worth) is not decided here.

mod condition;
mod effect;
mod phase;
mod queue;
mod resolve;
mod target;
mod unit;

use crate::{
    BOARD_SLOTS, BattleResult, BoardView, Bounded, Card, CardFault, CardIndex, CardKey, LimitReason, Pool, Rng, Sink,
    Team,
};
use queue::Queues;
use unit::{Board, Fallen, Unit};

/// The most rounds a battle has; one more is a draw.
pub const ROUNDS_MAX: u32 = 100;

/// The most abilities that fire in one phase of a battle.
pub const FIRINGS_MAX: u32 = 200;

/// The longest chain of reactions.
pub const TRIGGER_DEPTH_MAX: u32 = 10;

/// The most attempts to spawn in one battle, both teams together.
pub const SPAWNS_MAX: u32 = 100;

/// The most entries one queue can have.
///
/// A phase queues at most the 4 abilities of 10 units. After a clash the dead front unit of a team
/// gives 4 and its 4 survivors 4 each, which is 20 a team. An effect meets one team: `d` dead and
/// `s` survivors with `d + s <= 5` give at most `4d + 4s * max(d, 1)`, which is 36 at most.
pub(crate) const QUEUE_MAX: usize = 40;

/// The steps of work after which a battle is a draw.
///
/// It is a rule, so that what a battle costs is proven and not searched for. The longest golden
/// battle tells fewer than 2 000 events.
pub const STEPS_MAX: u64 = 200_000;

/// The steps that are done between two looks at [`STEPS_MAX`]: an entry is taken (1), tests at most
/// 4 leaves of its condition, meets at most 5 units, and queues at most 36 reactions; or a phase
/// queues at most 40 entries.
const STEPS_BETWEEN_LOOKS: u64 = 1 + 4 + 5 + 40;

/// More steps of work than any battle takes, as [`Sink::work`] counts them.
pub const WORK_STEPS_MAX: u64 = STEPS_MAX + STEPS_BETWEEN_LOOKS;

/// A card that is to fight.
#[derive(Clone, Copy, Debug)]
pub enum Fighter<'a> {
    /// A card of the pool.
    Pool(CardIndex),
    /// A card that is not in the pool. It can spawn cards of the pool and is never spawned.
    Guest(&'a Card),
}

impl Default for Fighter<'_> {
    fn default() -> Self {
        Self::Pool(CardIndex::default())
    }
}

/// Why a board cannot fight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchupError {
    /// There are more than [`BOARD_SLOTS`] units on a board.
    TooManyUnits { team: Team },
    /// A unit is a card that the pool does not have.
    UnknownCard { team: Team, slot: u8 },
    /// A unit that is not of the pool is at fault.
    Card { team: Team, slot: u8, fault: CardFault },
}

impl core::fmt::Display for MatchupError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooManyUnits { team } => write!(f, "a board has at most 5 units: {team:?}"),
            Self::UnknownCard { team, slot } => {
                write!(f, "card is not in the pool: {team:?} slot {slot}")
            }
            Self::Card { team, slot, fault } => write!(f, "{team:?} slot {slot}: {fault}"),
        }
    }
}

impl core::error::Error for MatchupError {}

/// Two checked boards and the pool they spawn from: what is left of a battle once the seed is known.
#[derive(Clone, Debug)]
pub struct Matchup<'a> {
    cards: Cards<'a>,
    player: Board,
    enemy: Board,
}

/// How a battle ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub result: BattleResult,
    /// The random stream where the battle left it.
    pub rng: Rng,
    /// The number of the last round.
    pub rounds: u32,
    /// The player's units at the end.
    pub player: BoardView,
    /// The enemy's units at the end.
    pub enemy: BoardView,
}

impl<'a> Matchup<'a> {
    /// Checks two boards, front first and without gaps, of 0 to 5 units each.
    pub fn new(pool: &'a Pool, player: &[Fighter<'a>], enemy: &[Fighter<'a>]) -> Result<Self, MatchupError> {
        let mut matchup = Self::empty(pool);
        matchup.enlist(pool, Team::Player, player.iter().copied())?;
        matchup.enlist(pool, Team::Enemy, enemy.iter().copied())?;
        Ok(matchup)
    }

    /// Checks two boards of cards of the pool.
    pub fn of_indices(pool: &'a Pool, player: &[CardIndex], enemy: &[CardIndex]) -> Result<Self, MatchupError> {
        let mut matchup = Self::empty(pool);
        matchup.enlist(pool, Team::Player, player.iter().map(|&it| Fighter::Pool(it)))?;
        matchup.enlist(pool, Team::Enemy, enemy.iter().map(|&it| Fighter::Pool(it)))?;
        Ok(matchup)
    }

    /// The player's units before the battle.
    pub fn player(&self) -> BoardView {
        self.player.view()
    }

    /// The enemy's units before the battle.
    pub fn enemy(&self) -> BoardView {
        self.enemy.view()
    }

    fn empty(pool: &'a Pool) -> Self {
        Self { cards: Cards::new(pool), player: Board::new(Team::Player), enemy: Board::new(Team::Enemy) }
    }

    /// Resolves the battle of a seed. It tells `sink` and does not change the boards it starts from.
    pub fn fight<K: Sink>(&self, seed: u64, sink: &mut K) -> Outcome {
        let mut battle = Battle {
            cards: self.cards,
            player: self.player.clone(),
            enemy: self.enemy.clone(),
            queues: Queues::new(),
            player_fallen: Bounded::new(),
            enemy_fallen: Bounded::new(),
            rng: Rng::from_seed(seed),
            rounds: 0,
            firings: 0,
            spawn_attempts: 0,
            steps: 0,
            sink,
        };
        let result = battle.run();
        Outcome {
            result,
            rng: battle.rng,
            rounds: battle.rounds.min(ROUNDS_MAX),
            player: battle.player.view(),
            enemy: battle.enemy.view(),
        }
    }

    fn enlist(
        &mut self,
        pool: &Pool,
        team: Team,
        fighters: impl ExactSizeIterator<Item = Fighter<'a>>,
    ) -> Result<(), MatchupError> {
        if fighters.len() > BOARD_SLOTS {
            return Err(MatchupError::TooManyUnits { team });
        }
        for (slot, fighter) in (0..).zip(fighters) {
            let key = match fighter {
                Fighter::Pool(index) if pool.get(index).is_some() => CardKey::Pool(index),
                Fighter::Pool(_) => return Err(MatchupError::UnknownCard { team, slot }),
                Fighter::Guest(card) => {
                    let check = pool.check_guest(card);
                    check.map_err(|fault| MatchupError::Card { team, slot, fault })?;
                    self.cards.invite(team, slot, card)
                }
            };
            let card = self.cards.get(key);
            self.board_mut(team).add(usize::from(slot), key, card);
        }
        Ok(())
    }

    fn board_mut(&mut self, team: Team) -> &mut Board {
        match team {
            Team::Player => &mut self.player,
            Team::Enemy => &mut self.enemy,
        }
    }
}

/// Every card a battle can meet.
#[derive(Clone, Copy, Debug)]
struct Cards<'a> {
    pool: &'a [Card],
    guests: [&'a Card; 2 * BOARD_SLOTS],
}

/// Stands where no card is; no checked battle meets it.
static BLANK: Card = Card::blank();

impl<'a> Cards<'a> {
    fn new(pool: &'a Pool) -> Self {
        Self { pool: pool.cards(), guests: [&BLANK; 2 * BOARD_SLOTS] }
    }

    fn invite(&mut self, team: Team, slot: u8, card: &'a Card) -> CardKey {
        let first = match team {
            Team::Player => 0,
            Team::Enemy => BOARD_SLOTS as u8,
        };
        let guest = first.saturating_add(slot);
        if let Some(place) = self.guests.get_mut(usize::from(guest)) {
            *place = card;
        }
        CardKey::Guest(guest)
    }

    fn get(&self, key: CardKey) -> &'a Card {
        let card = match key {
            CardKey::Pool(index) => self.pool.get(usize::from(index.0)),
            CardKey::Guest(guest) => self.guests.get(usize::from(guest)).copied(),
        };
        card.unwrap_or(&BLANK)
    }
}

/// A battle under way.
struct Battle<'a, K> {
    cards: Cards<'a>,
    player: Board,
    enemy: Board,
    queues: Queues,
    /// The dead of the last sweep, per team.
    player_fallen: Bounded<Fallen, BOARD_SLOTS>,
    enemy_fallen: Bounded<Fallen, BOARD_SLOTS>,
    rng: Rng,
    rounds: u32,
    firings: u32,
    spawn_attempts: u32,
    /// The work so far, which [`STEPS_MAX`] bounds.
    steps: u64,
    sink: &'a mut K,
}

impl<K: Sink> Battle<'_, K> {
    /// Counts steps of work and tells them.
    fn work(&mut self, steps: u32) {
        self.steps = self.steps.saturating_add(steps.into());
        self.sink.work(steps);
    }

    /// Ends the battle if it has taken more steps than the rules allow.
    fn look_at_steps(&self) -> Result<(), Abort> {
        if self.steps <= STEPS_MAX {
            return Ok(());
        }
        let max = u32::try_from(STEPS_MAX).unwrap_or(u32::MAX);
        let reason = LimitReason::Step { current: max.saturating_add(1), max };
        Err(Abort { losing_team: None, reason })
    }
}

impl<K> Battle<'_, K> {
    fn board(&self, team: Team) -> &Board {
        match team {
            Team::Player => &self.player,
            Team::Enemy => &self.enemy,
        }
    }

    fn board_mut(&mut self, team: Team) -> &mut Board {
        match team {
            Team::Player => &mut self.player,
            Team::Enemy => &mut self.enemy,
        }
    }

    fn units(&self, team: Team) -> &[Unit] {
        self.board(team).units()
    }
}

/// A limit of the rules ended the battle on the spot.
#[derive(Clone, Copy, Debug)]
struct Abort {
    losing_team: Option<Team>,
    reason: LimitReason,
}

impl Abort {
    fn blaming(team: Team, reason: LimitReason) -> Self {
        Self { losing_team: Some(team), reason }
    }
}
