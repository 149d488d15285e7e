//! Shop runs and battles of the auto-battler.
//!
//! A battle is a function of two boards, a card pool and a seed. It gives the same result, the same
//! events and the same random numbers on a chain, in a browser and on the command line.
//!
//! ```
//! use auto_battle::{Event, Matchup, BattleResult, starter_index, starter_pool};
//!
//! let pool = starter_pool();
//! let captain = starter_index("zombie_captain").unwrap();
//! let brute = starter_index("troll_brute").unwrap();
//! let matchup = Matchup::of_indices(&pool, &[captain], &[brute])?;
//!
//! let mut events: Vec<Event> = Vec::new();
//! let outcome = matchup.fight(7, &mut events);
//! assert_eq!(outcome.result, BattleResult::Victory);
//! assert_eq!(events.last(), Some(&Event::BattleEnd { result: outcome.result }));
//! # Ok::<(), auto_battle::MatchupError>(())
//! ```
//!
//! What is where: [`Card`] and [`Condition`] say what cards do and carry no text; a [`Pool`] checks
//! them once; a [`Matchup`] fights; a [`Run`] is deck, shop and board between battles, and
//! [`LocalRun`] plays it against the built-in opponents; [`bots`] play runs by themselves.
//!
//! # Cost
//!
//! A battle allocates nothing unless its sink does, and its work is bounded by a rule: after
//! [`STEPS_MAX`] steps it is a draw, so no battle takes more than [`WORK_STEPS_MAX`]. A mean battle
//! of starter cards takes 38 steps and about 9 400 instructions. `cargo run --release --example
//! bench_cost` measures a mean battle and one at the limit.

#![no_std]
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::float_arithmetic,
    clippy::arithmetic_side_effects
)]

extern crate alloc;

mod battle;
pub mod bots;
mod bounded;
mod card;
mod condition;
mod deck;
mod event;
#[cfg(feature = "scale")]
mod hash;
#[cfg(feature = "json")]
pub mod json;
mod local;
mod opponent;
mod pool;
mod registration;
mod rng;
mod run;
mod saved;
#[cfg(feature = "scale")]
mod scale;
mod sink;
#[cfg(feature = "serde")]
mod spelling;
mod starter;

pub use battle::{
    FIRINGS_MAX, Fighter, Matchup, MatchupError, Outcome, ROUNDS_MAX, SPAWNS_MAX, STEPS_MAX, TRIGGER_DEPTH_MAX,
    WORK_STEPS_MAX,
};
pub use bounded::{Bounded, Full};
pub use card::{ABILITIES_MAX, Ability, Card, Effect, Target, Trigger};
pub use condition::{CONDITION_DEPTH_MAX, CONDITION_NODES_MAX, Condition, ConditionError, ConditionNode};
pub use deck::{RunCard, draw_deck, starter_deck};
pub use event::{BattlePhase, BattleResult, BoardView, CardKey, Event, InstanceId, LimitReason, Team, UnitView};
#[cfg(feature = "scale")]
pub use hash::{CardHash, CardLink, CardSet, SetCard, SetFault};
pub use local::{LOCAL_DECK_SEED, LocalRun, fight_builtin};
pub use opponent::builtin_opponent;
pub use pool::{CardFault, CardIndex, POOL_CARDS_MAX, Pool, Violation};
pub use registration::{REGISTERED_AMOUNTS, REGISTERED_HEALTH, REGISTERED_NUMBERS, RegistrationFault};
pub use rng::Rng;
pub use run::{
    LIVES_AT_START, PendingBattle, Rejection, Run, RunPhase, RunStep, SHOP_SLOTS, ShopAction, ShopSlot,
    WINS_FOR_VICTORY,
};
pub use saved::{BoardUnit, Judgement, RULES_VERSION, SavedBattle, SavedBoard, builtin_board};
pub use sink::{NoEvents, Sink, WorkCounter};
pub use starter::{STARTER_CARDS, StarterCard, starter_index, starter_pool};

/// Slots of a board, in the shop and in battle.
pub const BOARD_SLOTS: usize = 5;
