//! Random playouts of any game, with legal-move generation.

use std::sync::Arc;

use engine::{Log, Match, Moves, Waiting};
use ruleset::Ruleset;
use testkit::{
    contract::{Dice, asked},
    games,
};

/// The most moves that are listed for one decision.
pub const MOVES_MAX: usize = 256;

/// A match of a seed at its first decision, for simulation: it keeps nothing to take back.
pub fn begin(ruleset: &Arc<Ruleset>, seed: u64) -> Match {
    let setup = games::setup(ruleset, seed, ruleset.program().players.max);
    let (live, _) = Match::start(ruleset.clone(), &setup, &mut ()).expect("ready-made decks are legal; qed");
    live.fork()
}

/// Plays to the end without a log; gives how many decisions there were.
pub fn silent(mut live: Match, seed: u64, moves: &mut Moves) -> u64 {
    let mut dice = Dice::new(seed + 1);
    let mut n = 0;
    while let Some(at) = choose(&live, &mut dice, moves) {
        live.play(moves, at, &mut ()).expect("was offered; qed");
        n += 1;
    }
    n
}

/// Plays to the end with a log; gives how many decisions there were.
pub fn logged(mut live: Match, mut log: Log, seed: u64, moves: &mut Moves) -> u64 {
    let mut dice = Dice::new(seed + 1);
    let mut n = 0;
    while let Some(at) = choose(&live, &mut dice, moves) {
        let command = moves.command(at).expect("was listed; qed");
        log.submit(&mut live, &command).expect("was offered; qed");
        n += 1;
    }
    n
}

/// One of the legal moves of whoever is asked; none when it is over.
fn choose(live: &Match, dice: &mut Dice, moves: &mut Moves) -> Option<usize> {
    let player = match live.waiting() {
        Waiting::Priority(window) => window.holder,
        Waiting::Inputs(_) => *asked(live).first()?,
        Waiting::Timer(_) | Waiting::Paused(_) | Waiting::Over(_) => return None,
    };
    live.moves(player, MOVES_MAX, moves);
    Some(dice.below(moves.len()))
}
