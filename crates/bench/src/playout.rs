//! Random playouts of any game through the calls that hosts use: list what is legal, submit one of it.

use std::time::Instant;

use engine::{Log, Match, Moves, log::Header};

use crate::{
    games::{self, Dice},
    median,
};

/// The most moves that are listed for one decision.
pub const MOVES_MAX: usize = 256;

/// How many games are played in one round.
const GAMES: u64 = 100;

/// Prints how many games can be played at random in a second.
pub fn report(names: &[&str]) {
    println!("\nrandom playouts with legal-move generation, in a second");
    for name in names {
        let ruleset = games::load(name);
        let lives: Vec<Match> = (0..GAMES).map(|seed| games::begin(&ruleset, seed)).collect();
        let header = Header::new(&ruleset, games::setup(&ruleset, 0));
        let (mut moves, mut log) = (Moves::default(), Log::new(header));
        let off = rate(&lives, |live, seed| silent(live, seed, &mut moves));
        let on = rate(&lives, |live, seed| logged(live, &mut log, seed, &mut moves));
        println!(
            "  {name:<12} log off {:>6.0} games, {:>7.0} decisions; log on {:>6.0} games, {:>7.0} decisions",
            off.0, off.1, on.0, on.1
        );
    }
}

/// Games and decisions in a second, the middle one of some rounds.
pub fn rate(lives: &[Match], mut play: impl FnMut(&mut Match, u64) -> u64) -> (f64, f64) {
    let mut table = lives[0].fork();
    let rounds = (0..5).map(|_| {
        let start = Instant::now();
        let n: u64 = (0..).zip(lives).map(|(seed, live)| play(again(&mut table, live), seed)).sum();
        (start.elapsed().as_secs_f64(), n)
    });
    let rounds: Vec<(f64, u64)> = rounds.collect();
    let seconds = median(rounds.iter().map(|it| it.0).collect());
    (lives.len() as f64 / seconds, rounds[0].1 as f64 / seconds)
}

/// A copy of a match on a table that is used again, as a simulation does that plays many games.
pub fn again<'t>(table: &'t mut Match, live: &Match) -> &'t mut Match {
    table.fork_from(live);
    table
}

/// Plays to the end without a log; gives how many decisions there were.
// Not a part of what calls it, so that a profile can tell it from the rest.
#[inline(never)]
pub fn silent(live: &mut Match, seed: u64, moves: &mut Moves) -> u64 {
    let mut dice = Dice::new(seed + 1);
    let mut n = 0;
    while let Some(at) = choose(live, &mut dice, moves) {
        live.play(moves, at, &mut ()).expect("was offered; qed");
        n += 1;
    }
    n
}

/// Plays to the end with a log; gives how many decisions there were. The log holds every command and record as the
/// bytes it is stored as, but no hash: those are worked out when it is sealed, saved or stored.
#[inline(never)]
pub fn logged(live: &mut Match, log: &mut Log, seed: u64, moves: &mut Moves) -> u64 {
    log.clear();
    let mut dice = Dice::new(seed + 1);
    let mut n = 0;
    while let Some(at) = choose(live, &mut dice, moves) {
        log.play(live, moves, at).expect("was offered; qed");
        n += 1;
    }
    n
}

/// Plays to the end with a log, then works out its hash chain, as a host does that stores it.
pub fn sealed(live: &mut Match, log: &mut Log, seed: u64, moves: &mut Moves) -> u64 {
    let n = logged(live, log, seed, moves);
    log.seal();
    n
}

/// One of the legal moves of the first player who is asked; none when it is over.
pub fn choose(live: &Match, dice: &mut Dice, moves: &mut Moves) -> Option<usize> {
    choose_among(live, dice, moves, MOVES_MAX)
}

/// One of the first so many legal moves.
pub fn choose_among(live: &Match, dice: &mut Dice, moves: &mut Moves, limit: usize) -> Option<usize> {
    let player = games::asked(live)?;
    live.moves(player, limit, moves);
    Some(dice.below(moves.len()))
}
