//! The bench duel on boardgame.io's local client, beside the engine: the same games, decision by decision.
//! Its rules and its player are JavaScript and lie in `bench/boardgame-io`.

use std::{
    io::Write,
    process::{Command, Stdio},
    sync::Arc,
};

use engine::{Log, Match, Moves, log::Header};
use ruleset::Ruleset;
use serde_json::{Value, json};

use crate::{
    compare,
    games::{self, Dice},
    median, playout,
    table::Table,
};

/// How many games both play.
const GAMES: u64 = 1_000;

/// How often both are measured, taking turns.
const ROUNDS: usize = 3;

/// How many times as many decisions a second the engine should take.
const TARGET: f64 = 100.0;

/// Prints games as JSON, one in a line.
pub fn deal(ruleset: &Arc<Ruleset>, n_games: u64) {
    print!("{}", write_games(ruleset, n_games));
}

/// Prints how fast the engine and boardgame.io play the same games; the player is a file for node.
pub fn report(ruleset: &Arc<Ruleset>, player: &str) {
    println!("\nbench-duel by the engine and by boardgame.io's local client, decisions in a second");
    let rounds = measure(ruleset, player);
    let middle = |of: &dyn Fn(&Round) -> f64| median(rounds.iter().map(of).collect());
    let Round { n_games, n_decisions, .. } = rounds[0];
    println!("  {n_games} games and {n_decisions} decisions compared, all equal");
    let making = middle(&|it| it.making);
    println!("  boardgame.io   {:>9.0}, and {making:.0} us before each game to make a client", middle(&|it| it.theirs));
    let line = |name: &str, of: fn(&Round) -> f64| {
        let (rate, ratio) = (middle(&|it| of(it)), middle(&|it| of(it) / it.theirs));
        println!("  rules, {name} {rate:>9.0}, {ratio:>6.1} times as many (target: at least {TARGET})");
    };
    line("log off", |it| it.silent);
    line("log on ", |it| it.logged);
}

/// Decisions in a second by boardgame.io, by rules without a log and with one; and how many microseconds a client
/// takes to make, which is no part of them.
struct Round {
    theirs: f64,
    silent: f64,
    logged: f64,
    making: f64,
    n_games: f64,
    n_decisions: f64,
}

/// Plays the same games in all ways, taking turns, so that the machine's moods meet all of them.
fn measure(ruleset: &Arc<Ruleset>, player: &str) -> Vec<Round> {
    let lives: Vec<Match> = (0..GAMES).map(|seed| games::begin(ruleset, seed)).collect();
    let written = write_games(ruleset, GAMES);
    let header = Header::new(ruleset, games::setup(ruleset, 0));
    let (mut moves, mut log) = (Moves::default(), Log::new(header));
    let rounds = (0..ROUNDS).map(|_| {
        let found = play_elsewhere(player, &written);
        Round {
            theirs: figure(&found, "decisionsPerSecond"),
            silent: playout::rate(&lives, |live, seed| playout::silent(live, seed, &mut moves)).1,
            logged: playout::rate(&lives, |live, seed| playout::logged(live, &mut log, seed, &mut moves)).1,
            making: figure(&found, "microsecondsToMakeClient"),
            n_games: figure(&found, "games"),
            n_decisions: figure(&found, "decisions"),
        }
    });
    rounds.collect()
}

fn write_games(ruleset: &Arc<Ruleset>, n_games: u64) -> String {
    (0..n_games).map(|seed| format!("{}\n", write_game(ruleset, seed))).collect()
}

/// A game of a seed: what the sides begin with, at every decision how many moves were legal and which one was
/// chosen, and who won.
fn write_game(ruleset: &Arc<Ruleset>, seed: u64) -> Value {
    let mut live = games::begin(ruleset, seed);
    let sides = [0, 1].map(|seat| {
        let Opening { deck, hand } = opening(&live, seat);
        json!({ "deck": deck, "hand": hand })
    });
    let decisions = play(&mut live, seed);
    let winners = compare::winners(&live).expect("was played to the end; qed");
    let winner = (winners != 0).then(|| winners.trailing_zeros());
    json!({ "seed": seed, "sides": sides, "decisions": decisions, "winner": winner })
}

/// What a side has before the first turn, as costs: the deck from the bottom, the hand from the oldest card on.
struct Opening {
    deck: Vec<u8>,
    hand: Vec<u8>,
}

/// What a side had before the first turn of a match that is at its first decision.
fn opening(live: &Match, seat: u8) -> Opening {
    let table = Table::of(live);
    let costs = |zone: &str| table.zone(zone, seat).into_iter().map(|it| table.value(it, "cost") as u8);
    let (mut deck, mut hand): (Vec<u8>, Vec<u8>) = (costs("deck").collect(), costs("hand").collect());
    // Turns in which nobody could do anything went by already; what was drawn in them goes back.
    let n_drawn = (usize::from(table.turn()) + 1 - usize::from(seat)) / 2;
    deck.extend(hand.drain(hand.len() - n_drawn..).rev());
    Opening { deck, hand }
}

/// Plays to the end as the playouts do; gives the number of legal moves and the chosen one of every decision.
fn play(live: &mut Match, seed: u64) -> Vec<[usize; 2]> {
    let (mut dice, mut moves) = (Dice::new(seed + 1), Moves::default());
    let mut decisions = Vec::new();
    while let Some(at) = playout::choose(live, &mut dice, &mut moves) {
        decisions.push([moves.len(), at]);
        live.play(&moves, at, &mut ()).expect("was offered; qed");
    }
    decisions
}

/// Has node play the games; gives what it found. Panics if a game went otherwise there, which node explains.
fn play_elsewhere(player: &str, games: &str) -> Value {
    let mut node = Command::new("node");
    let mut node = node.arg(player).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("node can be started");
    // Dropped after the last game, which tells the player that there are no more.
    let mut stdin = node.stdin.take().expect("is piped; qed");
    stdin.write_all(games.as_bytes()).expect("node reads the games");
    drop(stdin);
    let output = node.wait_with_output().expect("node can be waited for");
    assert!(output.status.success(), "boardgame.io did not play the same games: {}", output.status);
    serde_json::from_slice(&output.stdout).expect("the player prints JSON; qed")
}

fn figure(found: &Value, name: &str) -> f64 {
    found[name].as_f64().expect("the player prints this figure; qed")
}
