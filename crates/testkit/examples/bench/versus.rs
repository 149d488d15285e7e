//! The bench duel by rules and by hand, side by side: first the proof that both play the same games, then the times.

use std::{sync::Arc, time::Instant};

use engine::{EntityId, Log, Match, Moves, PlayerId, Waiting, log::Header, state::MatchState};
use ruleset::{Program, Ruleset};
use testkit::{contract::Dice, games};

use crate::{
    duel::{Duel, End, Move, Side},
    median,
    playout::{self, again},
};

/// One game at its first decision, both ways.
pub struct Pair {
    pub seed: u64,
    pub live: Match,
    pub duel: Duel,
}

/// What a side has before the first turn, as costs: the deck from the bottom, the hand from the oldest card on.
pub struct Opening {
    pub deck: Vec<u8>,
    pub hand: Vec<u8>,
}

/// Sets up the game of a seed; the hand-written duel takes the shuffled decks from the engine's state.
pub fn prepare(ruleset: &Arc<Ruleset>, seed: u64) -> Pair {
    let live = playout::begin(ruleset, seed);
    let sides = [0, 1].map(|seat| {
        let Opening { deck, hand } = opening(&live, seat);
        Side::new(&deck, &hand)
    });
    Pair { seed, live, duel: Duel::new(sides) }
}

/// What a side had before the first turn of a match that is at its first decision.
pub fn opening(live: &Match, seat: u8) -> Opening {
    // Turns in which nobody could do anything went by already; what was drawn in them goes back.
    let turn = live.state().head.turn as usize;
    let (mut deck, mut hand) = (cards(live.ruleset().program(), live.state(), "deck", seat), hand_of(live, seat));
    let n_drawn = (turn + 1 - usize::from(seat)) / 2;
    deck.extend(hand.drain(hand.len() - n_drawn..).rev());
    Opening { deck, hand }
}

fn hand_of(live: &Match, seat: u8) -> Vec<u8> {
    cards(live.ruleset().program(), live.state(), "hand", seat)
}

/// The costs of the cards in a zone, from the bottom.
fn cards(program: &Program, state: &MatchState, zone: &str, seat: u8) -> Vec<u8> {
    zone_cards(program, state, zone, seat).map(|it| value(program, state, it, "cost") as u8).collect()
}

fn zone_cards<'a>(
    program: &Program,
    state: &'a MatchState,
    zone: &str,
    seat: u8,
) -> impl Iterator<Item = EntityId> + use<'a> {
    let kind = program.text.zones.iter().position(|it| it.id == zone).expect("the duel has this zone; qed");
    state.cards_in(MatchState::instance(program, ruleset::ZoneId::at(kind), PlayerId(seat)))
}

fn value(program: &Program, state: &MatchState, entity: EntityId, attribute: &str) -> i32 {
    let at = program.text.attrs.iter().position(|it| it.id == attribute).expect("the duel has this attribute; qed");
    state.base(program, entity, program.attrs[at].column)
}

/// Prints the proof that both play the same games, then the times side by side.
pub fn report(ruleset: &Arc<Ruleset>, n_compared: u64) {
    let n_decisions = compare(ruleset, n_compared);
    println!("bench-duel by rules and by hand: {n_compared} games and {n_decisions} decisions compared, all equal");
    let rounds = measure(ruleset, 200, 9);
    let middle = |of: &dyn Fn(&Times) -> f64| median(rounds.iter().map(of).collect());
    println!("  by hand        {:>9.2} us a game", middle(&|it| it.by_hand) / 1000.0);
    let line = |name: &str, of: fn(&Times) -> f64, target: &str| {
        let (time, ratio) = (middle(&|it| of(it)) / 1000.0, middle(&|it| of(it) / it.by_hand));
        println!("  rules, {name} {time:>9.2} us a game, {ratio:>6.1} times as long (target: at most {target})");
    };
    line("log off", |it| it.silent, "5, better 3");
    line("log on ", |it| it.logged, "10");
    let hashes = middle(&|it| it.sealed - it.logged) / 1000.0;
    println!(
        "  a log is kept as the bytes that are stored; its hashes, when asked for, take {hashes:.2} us a game more"
    );
}

/// Plays games in lock step; panics at the first difference. Gives how many decisions were compared.
fn compare(ruleset: &Arc<Ruleset>, n_games: u64) -> u64 {
    let mut n_decisions = 0;
    let mut moves = Vec::new();
    for seed in 0..n_games {
        let Pair { mut live, mut duel, .. } = prepare(ruleset, seed);
        let mut dice = Dice::new(seed + 1);
        loop {
            duel.decide(&mut moves);
            let legal = live.legal(PlayerId(duel.active), playout::MOVES_MAX);
            assert_eq!(legal.len(), moves.len(), "game {seed}: other moves are legal: {moves:?} by hand, {legal:?}");
            assert_same(&live, &duel, seed);
            if moves.is_empty() {
                break;
            }
            let at = dice.below(moves.len());
            duel.apply(moves[at]);
            live.submit(&legal[at], &mut ()).expect("was offered; qed");
            n_decisions += 1;
        }
        assert_eq!(outcome(&live), duel.end, "game {seed} ended differently");
    }
    n_decisions
}

fn assert_same(live: &Match, duel: &Duel, seed: u64) {
    let (program, state) = (live.ruleset().program(), live.state());
    let of = |entity: EntityId, attribute: &str| value(program, state, entity, attribute) as i8;
    for (seat, side) in (0..).zip(&duel.sides) {
        let health = of(EntityId(u32::from(seat)), "health");
        let board: Vec<_> =
            zone_cards(program, state, "board", seat).map(|it| (of(it, "attack"), of(it, "health"))).collect();
        let by_hand: Vec<_> = side.board().iter().map(|it| (it.attack, it.health)).collect();
        assert_eq!((health, board), (side.health, by_hand), "game {seed}, turn {}: other sides", duel.turn);
        assert_eq!(hand_of(live, seat), side.hand(), "game {seed}, turn {}: other hands", duel.turn);
    }
}

/// How a match of the duel ended; none while it goes on.
pub fn outcome(live: &Match) -> Option<End> {
    match live.waiting() {
        Waiting::Over(outcome) if outcome.winners == 0 => Some(End::Draw),
        Waiting::Over(outcome) => Some(End::Won(outcome.winners.trailing_zeros() as u8)),
        Waiting::Inputs(_) | Waiting::Priority(_) | Waiting::Timer(_) | Waiting::Paused(_) => None,
    }
}

/// The time of one game, in nanoseconds: by hand, by rules without a log, with one, and with all its hashes.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub by_hand: f64,
    pub silent: f64,
    pub logged: f64,
    pub sealed: f64,
}

/// Plays the same games in all ways, taking turns, so that the machine's moods meet all of them.
fn measure(ruleset: &Arc<Ruleset>, n_games: u64, n_rounds: usize) -> Vec<Times> {
    let pairs: Vec<Pair> = (0..n_games).map(|seed| prepare(ruleset, seed)).collect();
    let header = Header::new(ruleset, games::setup(ruleset, 0, 2));
    let (mut moves, mut listed) = (Vec::new(), Moves::default());
    let (mut table, mut log) = (pairs[0].live.fork(), Log::new(header));
    (0..n_rounds)
        .map(|_| Times {
            by_hand: time(&pairs, |it| by_hand(it, &mut moves)),
            silent: time(&pairs, |it| playout::silent(again(&mut table, &it.live), it.seed, &mut listed)),
            logged: time(&pairs, |it| playout::logged(again(&mut table, &it.live), &mut log, it.seed, &mut listed)),
            sealed: time(&pairs, |it| sealed(again(&mut table, &it.live), &mut log, it.seed, &mut listed)),
        })
        .collect()
}

/// Plays to the end with a log, then works out its hash chain, as a host does that stores it.
pub fn sealed(live: &mut Match, log: &mut Log, seed: u64, moves: &mut Moves) -> u64 {
    let n = playout::logged(live, log, seed, moves);
    log.seal();
    n
}

/// Plays one game by hand; gives how many decisions it had.
pub fn by_hand(pair: &Pair, moves: &mut Vec<Move>) -> u64 {
    let mut duel = pair.duel;
    let mut dice = Dice::new(pair.seed + 1);
    let mut n = 0;
    loop {
        duel.decide(moves);
        if moves.is_empty() {
            return n;
        }
        duel.apply(moves[dice.below(moves.len())]);
        n += 1;
    }
}

fn time(pairs: &[Pair], mut play: impl FnMut(&Pair) -> u64) -> f64 {
    let start = Instant::now();
    for pair in pairs {
        std::hint::black_box(play(pair));
    }
    start.elapsed().as_nanos() as f64 / pairs.len() as f64
}
