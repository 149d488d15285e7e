//! Plays a game by rules and by its twin in lock step: same decisions, in the same order, same state after each.

use std::{fmt::Debug, sync::Arc};

use engine::{Command, Match, PlayerId, Waiting};
use ruleset::{ActionId, Ruleset};

use crate::{
    games::{self, Dice},
    playout::MOVES_MAX,
    table::Table,
};

/// A game written by hand: what a programmer would write who needs only this one game, and needs it fast.
///
/// It begins where a match of the ruleset stands at its first decision, and lists what can be done in the order of the
/// ruleset, so that the same choices lead to the same game.
pub trait Twin: Clone + Debug {
    /// Something a player can do.
    type Move: Copy + Debug;

    /// The name of the ruleset.
    const NAME: &'static str;

    /// The game as it stands on a table at the first decision.
    fn new(table: &Table<'_>) -> Self;

    /// Goes on until somebody must decide, and lists what they can do; nothing when it is over.
    fn decide(&mut self, moves: &mut Vec<Self::Move>);

    /// Carries out a move that was listed.
    fn apply(&mut self, chosen: Self::Move);

    /// The player who must decide.
    fn player(&self) -> u8;

    /// What the engine calls a move.
    fn told(&self, chosen: Self::Move) -> Told;

    /// The winners, a bit each, once it is over.
    fn winners(&self) -> Option<u16>;

    /// Panics if the table of the engine is not as it is here.
    fn check(&self, table: &Table<'_>);
}

/// A move in the words of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// An action by its place in the ruleset, and what fills its slots.
    Act(u16, Vec<i64>),
    /// An answer to a question.
    Answer(Vec<i64>),
    /// Doing nothing.
    Pass,
}

impl Told {
    /// A command as a move.
    fn of(command: &Command) -> Self {
        match command {
            Command::Act { action: ActionId(action), targets, .. } => Self::Act(*action, targets.concat()),
            Command::Answer { values, .. } => Self::Answer(values.clone()),
            Command::Pass { .. } => Self::Pass,
            Command::EndTurn { .. }
            | Command::Reorder { .. }
            | Command::Undo { .. }
            | Command::Takeback { .. }
            | Command::Control(_) => panic!("this is not listed: {command:?}"),
        }
    }
}

/// Plays games in lock step; panics at the first difference. Gives how many decisions were compared.
pub fn compare<T: Twin>(ruleset: &Arc<Ruleset>, n_games: u64) -> u64 {
    (0..n_games).map(|seed| compare_game::<T>(ruleset, seed)).sum()
}

/// Plays one game in lock step; gives how many decisions it had.
fn compare_game<T: Twin>(ruleset: &Arc<Ruleset>, seed: u64) -> u64 {
    let mut live = games::begin(ruleset, seed);
    let mut twin = T::new(&Table::of(&live));
    let (mut dice, mut moves, mut n) = (Dice::new(seed + 1), Vec::new(), 0);
    loop {
        twin.decide(&mut moves);
        let Some(player) = games::asked(&live) else { break };
        let place = || format!("{}, game {seed}, decision {n}, {twin:?}", T::NAME);
        assert!(!moves.is_empty(), "{}: over by hand only", place());
        assert_eq!(player, PlayerId(twin.player()), "{}: another player decides", place());
        let legal = live.legal(player, MOVES_MAX);
        let by_rules: Vec<Told> = legal.iter().map(Told::of).collect();
        let by_hand: Vec<Told> = moves.iter().map(|it| twin.told(*it)).collect();
        assert_eq!(by_rules, by_hand, "{}: other moves are legal (by rules, by hand)", place());
        twin.check(&Table::of(&live));
        let at = dice.below(moves.len());
        twin.apply(moves[at]);
        live.submit(&legal[at], &mut ()).expect("was offered; qed");
        n += 1;
    }
    assert!(moves.is_empty(), "{}, game {seed}: over by rules only: {:?}, {twin:?}", T::NAME, live.waiting());
    assert_eq!(winners(&live), twin.winners(), "{}, game {seed}: others won", T::NAME);
    n
}

/// The winners of a match that is over, a bit each.
pub fn winners(live: &Match) -> Option<u16> {
    match live.waiting() {
        Waiting::Over(outcome) => Some(outcome.winners),
        Waiting::Inputs(_) | Waiting::Priority(_) | Waiting::Timer(_) | Waiting::Paused(_) => None,
    }
}
