//! Searches for the legal battle that costs most work, by climbing from random boards.
//!
//! `cargo run --release --example worst -- [ITERATIONS] [RESTARTS] [SEED] [FILE]`
//!
//! Numbers stay within what a chain registers (attack and costs 0 to 99, health 1 to 99, amounts
//! -99 to 99). With a file, the worst battle is written there, encoded.

use auto_battle::{
    Ability, Bounded, Card, CardIndex, Condition, ConditionNode as Node, Effect, Fighter, Matchup, POOL_CARDS_MAX,
    Pool, Rng, Target, Trigger, WORK_STEPS_MAX, WorkCounter,
};
use parity_scale_codec::Encode;

/// Cards of the pool that can be spawned.
const TOKENS: usize = 3;
/// Tokens, the player's five and the enemy's five.
const CARDS: usize = TOKENS + 10;

type Cards = [Card; CARDS];

fn main() {
    let mut args = std::env::args().skip(1);
    let mut number = |default: u64| args.next().map_or(default, |it| it.parse().expect("a number"));
    let (n_iterations, n_restarts, seed) = (number(100_000), number(8), number(1));
    let file = args.next();
    let mut worst: Option<(u64, Cards)> = None;
    for restart in 0..n_restarts {
        let mut rng = Rng::from_seed(seed.wrapping_add(restart));
        let start = match restart % 2 {
            0 => designed(),
            _ => core::array::from_fn(|_| random_card(&mut rng)),
        };
        let (steps, cards) = climb(start, n_iterations, &mut rng);
        println!("restart {restart}: {steps} steps");
        if worst.as_ref().is_none_or(|(most, _)| steps > *most) {
            worst = Some((steps, cards));
        }
    }
    let (steps, cards) = worst.expect("there is at least one restart");
    let share = 100.0 * steps as f64 / WORK_STEPS_MAX as f64;
    println!("worst: {steps} steps, {share:.1} % of the bound {WORK_STEPS_MAX}");
    for (idx, card) in cards.iter().enumerate() {
        println!("{idx}: {card:?}");
    }
    if let Some(file) = file {
        std::fs::write(file, encode(&cards)).expect("the file is writable");
    }
}

/// Climbs by small changes that cost no less; equal is accepted, since slopes have plateaus.
fn climb(start: Cards, n_iterations: u64, rng: &mut Rng) -> (u64, Cards) {
    let mut best = start;
    let mut most = steps(&best);
    for _ in 0..n_iterations {
        let mut next = best;
        for _ in 0..=rng.below(3) {
            mutate(&mut next, rng);
        }
        let cost = steps(&next);
        if cost >= most {
            (most, best) = (cost, next);
        }
    }
    (most, best)
}

/// Boards that heal themselves for a hundred rounds while every hit queues abilities that test all
/// they can and then do nothing.
fn designed() -> Cards {
    let hit = Effect::Damage { amount: 1, target: Target::AllEnemies };
    let heal = Effect::ModifyStats { health: 99, attack: 0, target: Target::AllAllies };
    let test = Ability { condition: long_and_false(), ..Ability::new(Trigger::OnDamageTaken, hit) };
    let before = Ability::new(Trigger::BeforeAnyAttack, hit);
    let after = Ability::new(Trigger::AfterAnyAttack, hit);
    let mend = Ability::new(Trigger::BeforeAnyAttack, heal);
    let card = |abilities: [Ability; 4]| Card {
        health: 99,
        abilities: Bounded::try_from_iter(abilities).expect("four abilities"),
        ..Card::default()
    };
    let attacker = card([before, after, mend, test]);
    let victim = card([test, test, test, mend]);
    core::array::from_fn(|idx| match idx {
        0..TOKENS => Card::default(),
        TOKENS..8 => attacker,
        _ => victim,
    })
}

/// Four leaves that are all tested, of which the last is false.
fn long_and_false() -> Condition {
    let yes = Condition::leaf(Node::TargetHealthGreaterThan { value: -99 });
    let no = Condition::leaf(Node::TargetHealthLessThanOrEqual { value: -99 });
    let pair = yes.and(&yes).expect("two leaves");
    pair.and(&yes.and(&no).expect("two leaves")).expect("four leaves")
}

fn steps(cards: &Cards) -> u64 {
    let (tokens, boards) = cards.split_at(TOKENS);
    let pool = Pool::check(tokens.to_vec()).expect("cards are made legal");
    let guests: Vec<_> = boards.iter().map(Fighter::Guest).collect();
    let (player, enemy) = guests.split_at(5);
    let matchup = Matchup::new(&pool, player, enemy).expect("boards are made legal");
    let mut counter = WorkCounter::default();
    matchup.fight(1, &mut counter);
    counter.steps
}

fn encode(cards: &Cards) -> Vec<u8> {
    let (tokens, boards) = cards.split_at(TOKENS);
    let (player, enemy) = boards.split_at(5);
    let pool: Bounded<Card, POOL_CARDS_MAX> = list(tokens);
    (pool, list::<5>(player), list::<5>(enemy), 1_u64).encode()
}

fn list<const N: usize>(cards: &[Card]) -> Bounded<Card, N> {
    Bounded::try_from_iter(cards.iter().copied()).expect("the list has room")
}

fn mutate(cards: &mut Cards, rng: &mut Rng) {
    let place = rng.below(CARDS as u32) as usize;
    match rng.below(12) {
        0 => cards[place] = cards[rng.below(CARDS as u32) as usize],
        1 => cards.swap(place, rng.below(CARDS as u32) as usize),
        2 => cards[place].attack = small(rng).abs(),
        3 => cards[place].health = small(rng).abs().max(1),
        4 => cards[place] = random_card(rng),
        5 => {
            // One side's cards all become the same: strong boards often are.
            let side = TOKENS + 5 * rng.below(2) as usize;
            let card = cards[side + rng.below(5) as usize];
            cards[side..side + 5].fill(card);
        }
        _ => mutate_ability(&mut cards[place], rng),
    }
}

fn mutate_ability(card: &mut Card, rng: &mut Rng) {
    if card.abilities.is_empty() {
        let _ = card.abilities.push(random_ability(rng));
        return;
    }
    let place = rng.below(card.abilities.len() as u32) as usize;
    match rng.below(7) {
        0 => card.abilities[place].trigger = random_trigger(rng),
        1 => card.abilities[place].effect = random_effect(rng),
        2 => card.abilities[place].condition = random_condition(rng),
        3 => card.abilities[place].max_triggers = None,
        4 => card.abilities[place] = random_ability(rng),
        5 => card.abilities[place] = card.abilities[rng.below(card.abilities.len() as u32) as usize],
        _ => {
            let _ = card.abilities.push(random_ability(rng));
        }
    }
}

fn random_card(rng: &mut Rng) -> Card {
    let abilities = (0..rng.below(5)).map(|_| random_ability(rng)).collect::<Vec<_>>();
    Card {
        attack: small(rng).abs(),
        health: small(rng).abs().max(1),
        play_cost: 0,
        pitch_value: 0,
        abilities: Bounded::try_from_iter(abilities).expect("at most four"),
    }
}

fn random_ability(rng: &mut Rng) -> Ability {
    Ability {
        trigger: random_trigger(rng),
        effect: random_effect(rng),
        condition: random_condition(rng),
        max_triggers: (rng.below(8) == 0).then(|| rng.below(100)),
    }
}

/// A number of -99 to 99, mostly near zero.
fn small(rng: &mut Rng) -> i32 {
    let bound = [2, 5, 20, 99][rng.below(4) as usize];
    rng.below(2 * bound + 1) as i32 - bound as i32
}

fn random_trigger(rng: &mut Rng) -> Trigger {
    let all = [
        Trigger::OnStart,
        Trigger::OnFaint,
        Trigger::OnAllyFaint,
        Trigger::OnDamageTaken,
        Trigger::OnSpawn,
        Trigger::BeforeUnitAttack,
        Trigger::AfterUnitAttack,
        Trigger::BeforeAnyAttack,
        Trigger::AfterAnyAttack,
    ];
    all[rng.below(all.len() as u32) as usize]
}

fn random_target(rng: &mut Rng) -> Target {
    let all = [
        Target::SelfUnit,
        Target::AllAllies,
        Target::AllEnemies,
        Target::RandomAlly,
        Target::RandomEnemy,
        Target::FrontAlly,
        Target::FrontEnemy,
        Target::BackAlly,
        Target::BackEnemy,
        Target::AllyAhead,
        Target::LowestHealthEnemy,
        Target::HighestAttackEnemy,
    ];
    all[rng.below(all.len() as u32) as usize]
}

fn random_effect(rng: &mut Rng) -> Effect {
    let target = random_target(rng);
    match rng.below(8) {
        0..=2 => Effect::Damage { amount: small(rng), target },
        3..=5 => Effect::ModifyStats { health: small(rng), attack: small(rng), target },
        6 => Effect::SpawnUnit { card: CardIndex(rng.below(TOKENS as u32) as u8) },
        _ => Effect::Destroy { target },
    }
}

fn random_condition(rng: &mut Rng) -> Condition {
    let mut condition = random_leaf(rng);
    for _ in 0..rng.below(4) {
        let other = random_leaf(rng);
        let joined = match rng.below(3) {
            0 => condition.and(&other),
            1 => condition.or(&other),
            _ => other.and(&condition),
        };
        condition = joined.unwrap_or(condition);
    }
    condition
}

fn random_leaf(rng: &mut Rng) -> Condition {
    let value = small(rng);
    Condition::leaf(match rng.below(8) {
        0..=2 => Node::None,
        3 => Node::TargetHealthGreaterThan { value },
        4 => Node::TargetHealthLessThanOrEqual { value },
        5 => Node::SourceHealthGreaterThan { value },
        6 => Node::SourceAttackGreaterThan { value },
        _ => Node::AllyCountAtLeast { count: rng.below(6) },
    })
}
