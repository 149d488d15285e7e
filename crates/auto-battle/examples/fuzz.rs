//! A small fuzzer of encoded battles that runs on stable Rust: inputs that show a new kind of
//! battle are kept and mutated further.
//!
//! `cargo run --release --example fuzz -- [ITERATIONS] [SEED] [CORPUS_FOLDER]`
//!
//! With a folder, what it finds is written there; the tests play every file of `tests/corpus`.

use std::collections::BTreeSet;

use auto_battle::{
    Bounded, Card, CardIndex, Event, Fighter, Matchup, POOL_CARDS_MAX, Pool, Rng, WORK_STEPS_MAX, WorkCounter,
    starter_pool,
};
use parity_scale_codec::{Decode, Encode};

type Board = Bounded<Card, 5>;
type BattleBytes = (Bounded<Card, POOL_CARDS_MAX>, Board, Board, u64);

/// What tells battles apart: which events happened about how often, and how much work it was.
type Signature = Vec<u32>;

const KEPT_MAX: usize = 4096;

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |default| args.next().map_or(default, |it| it.parse().expect("a number"));
    let (n_iterations, seed) = (number(100_000), number(1));
    let folder = args.next();
    let mut rng = Rng::from_seed(seed);
    let mut kept = vec![starters(&mut rng)];
    let mut seen = BTreeSet::new();
    let mut n_played = 0_u64;
    for _ in 0..n_iterations {
        let bytes = mutate(&kept, &mut rng);
        let signature = play(&bytes);
        n_played += u64::from(signature.is_some());
        let is_new = seen.insert(signature.unwrap_or_else(|| vec![refusal(&bytes)]));
        if is_new && kept.len() < KEPT_MAX {
            if let Some(folder) = &folder {
                let path = format!("{folder}/{seed}-{:04}.bin", kept.len());
                std::fs::write(path, &bytes).expect("the corpus folder is writable");
            }
            kept.push(bytes);
        }
    }
    println!("{n_iterations} inputs, {n_played} played, {} kinds seen", seen.len());
}

/// A battle of starter cards to begin with.
fn starters(rng: &mut Rng) -> Vec<u8> {
    let pool = starter_pool();
    let cards = pool.cards();
    let mut board = || {
        let draw = |rng: &mut Rng| cards[rng.below(cards.len() as u32) as usize];
        Board::try_from_iter((0..5).map(|_| draw(rng))).expect("five units")
    };
    let (player, enemy) = (board(), board());
    let few = cards.iter().map(|it| it.try_map_spawns(|_| Ok::<_, ()>(CardIndex(0))).expect("spawns are renamed"));
    let few: Bounded<Card, POOL_CARDS_MAX> = Bounded::try_from_iter(few.take(6)).expect("six cards");
    let rename =
        |board: Board| board.map(|it| it.try_map_spawns(|_| Ok::<_, ()>(CardIndex(0))).expect("spawns are renamed"));
    (few, rename(player), rename(enemy), 1_u64).encode()
}

fn mutate(kept: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let pick = |rng: &mut Rng| &kept[rng.below(kept.len() as u32) as usize];
    let mut bytes = pick(rng).clone();
    for _ in 0..=rng.below(4) {
        let place = rng.below(bytes.len().max(1) as u32) as usize;
        match rng.below(6) {
            0 => set(&mut bytes, place, rng.draw() as u8),
            1 => set(&mut bytes, place, rng.below(20) as u8),
            2 => bytes.insert(place.min(bytes.len()), rng.below(20) as u8),
            3 if place < bytes.len() => {
                bytes.remove(place);
            }
            4 => bytes.truncate(bytes.len() - rng.below(3).min(bytes.len() as u32) as usize),
            _ => splice(&mut bytes, pick(rng), place, rng),
        }
    }
    bytes
}

fn set(bytes: &mut [u8], place: usize, byte: u8) {
    if let Some(it) = bytes.get_mut(place) {
        *it = byte;
    }
}

/// Copies a stretch of another input over this one.
fn splice(bytes: &mut [u8], other: &[u8], place: usize, rng: &mut Rng) {
    let from = rng.below(other.len().max(1) as u32) as usize;
    let len = rng.below(64) as usize;
    let stretch = other.iter().skip(from).take(len);
    bytes.iter_mut().skip(place).zip(stretch).for_each(|(it, byte)| *it = *byte);
}

fn play(bytes: &[u8]) -> Option<Signature> {
    let (pool, player, enemy, seed) = BattleBytes::decode(&mut &*bytes).ok()?;
    let pool = Pool::check(pool.to_vec()).ok()?;
    let player: Vec<_> = player.iter().map(Fighter::Guest).collect();
    let enemy: Vec<_> = enemy.iter().map(Fighter::Guest).collect();
    let matchup = Matchup::new(&pool, &player, &enemy).ok()?;
    let mut counter = WorkCounter::default();
    let unseen = matchup.fight(seed, &mut counter);
    assert!(counter.steps <= WORK_STEPS_MAX, "a battle outgrew its bound");
    let mut events: Vec<Event> = Vec::new();
    assert_eq!(matchup.fight(seed, &mut events), unseen, "watching changed a battle");
    Some(signature(&events, counter.steps))
}

fn signature(events: &[Event], steps: u64) -> Signature {
    let mut counts = [0_u32; 11];
    for event in events {
        // The first byte of an encoded event is its variant.
        let kind = event.encode()[0];
        counts[usize::from(kind)] += 1;
    }
    let mut signature: Signature = counts.iter().map(|it| it.checked_ilog2().map_or(0, |it| it / 3 + 1)).collect();
    signature.push(steps.checked_ilog2().unwrap_or(0) / 2);
    signature.extend(events.iter().rev().take(2).flat_map(|it| it.encode().into_iter().take(4)).map(u32::from));
    signature
}

/// Refused inputs differ by where they end.
fn refusal(bytes: &[u8]) -> u32 {
    bytes.len().checked_ilog2().unwrap_or(0)
}
