//! Arbitrary legal cards and battles, with small and with extreme numbers.

#![allow(dead_code, reason = "each test file uses the strategies it needs")]

use auto_battle::{Ability, Bounded, Card, CardIndex, Condition, ConditionNode as Node, Effect, Pool, Target, Trigger};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A pool, two boards of guests and a seed.
#[derive(Clone, Debug)]
pub struct ArbitraryBattle {
    pub pool: Pool,
    pub player: Vec<Card>,
    pub enemy: Vec<Card>,
    pub seed: u64,
}

pub fn battle() -> impl Strategy<Value = ArbitraryBattle> {
    let pool = vec(card(4), 4);
    (pool, board(), board(), any::<u64>()).prop_map(|(cards, player, enemy, seed)| ArbitraryBattle {
        pool: Pool::check(cards).expect("arbitrary cards are legal"),
        player,
        enemy,
        seed,
    })
}

pub fn board() -> impl Strategy<Value = Vec<Card>> {
    vec(card(4), 0..=5)
}

/// A card that spawns only the first `n_cards` cards of a pool.
pub fn card(n_cards: u8) -> impl Strategy<Value = Card> {
    let numbers = (number(), positive(), number(), number());
    (numbers, vec(ability(n_cards), 0..=4)).prop_map(|(numbers, abilities)| {
        let (attack, health, play_cost, pitch_value) = numbers;
        Card {
            attack,
            health,
            play_cost,
            pitch_value,
            abilities: Bounded::try_from_iter(abilities).expect("at most four"),
        }
    })
}

fn number() -> impl Strategy<Value = i32> {
    prop_oneof![8 => -3..8_i32, 1 => any::<i32>(), 1 => select(vec![i32::MIN, i32::MAX])]
}

fn positive() -> impl Strategy<Value = i32> {
    prop_oneof![8 => 1..12_i32, 1 => 1..=i32::MAX, 1 => Just(i32::MAX)]
}

fn ability(n_cards: u8) -> impl Strategy<Value = Ability> {
    let max_triggers = prop::option::weighted(0.3, 0..4_u32);
    (trigger(), effect(n_cards), condition(), max_triggers)
        .prop_map(|(trigger, effect, condition, max_triggers)| Ability { trigger, effect, condition, max_triggers })
}

fn trigger() -> impl Strategy<Value = Trigger> {
    select(vec![
        Trigger::OnStart,
        Trigger::OnFaint,
        Trigger::OnAllyFaint,
        Trigger::OnDamageTaken,
        Trigger::OnSpawn,
        Trigger::BeforeUnitAttack,
        Trigger::AfterUnitAttack,
        Trigger::BeforeAnyAttack,
        Trigger::AfterAnyAttack,
    ])
}

fn target() -> impl Strategy<Value = Target> {
    select(vec![
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
        Target::HighestHealthEnemy,
        Target::LowestAttackEnemy,
        Target::HighestManaEnemy,
        Target::LowestManaEnemy,
    ])
}

fn effect(n_cards: u8) -> impl Strategy<Value = Effect> {
    prop_oneof![
        4 => (number(), target()).prop_map(|(amount, target)| Effect::Damage { amount, target }),
        4 => (number(), number(), target())
            .prop_map(|(health, attack, target)| Effect::ModifyStats { health, attack, target }),
        3 => (0..n_cards).prop_map(|idx| Effect::SpawnUnit { card: CardIndex(idx) }),
        1 => target().prop_map(|target| Effect::Destroy { target }),
    ]
}

pub fn condition() -> impl Strategy<Value = Condition> {
    let tree = leaf().prop_recursive(3, 7, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            pair.clone().prop_map(|(left, right)| left.and(&right).unwrap_or(left)),
            pair.prop_map(|(left, right)| left.or(&right).unwrap_or(left)),
            inner.prop_map(|inner| inner.negated().unwrap_or(inner)),
        ]
    });
    prop_oneof![2 => Just(Condition::NONE), 1 => tree]
}

fn leaf() -> impl Strategy<Value = Condition> {
    (number(), 0..7_u32, 0..17_usize).prop_map(|(value, count, kind)| {
        let leaves = [
            Node::None,
            Node::TargetHealthLessThanOrEqual { value },
            Node::TargetHealthGreaterThan { value },
            Node::TargetAttackLessThanOrEqual { value },
            Node::TargetAttackGreaterThan { value },
            Node::SourceHealthLessThanOrEqual { value },
            Node::SourceHealthGreaterThan { value },
            Node::SourceAttackLessThanOrEqual { value },
            Node::SourceAttackGreaterThan { value },
            Node::SourceAttackGreaterThanTarget,
            Node::SourceHealthLessThanTarget,
            Node::SourceHealthGreaterThanTarget,
            Node::SourceAttackLessThanTarget,
            Node::AllyCountAtLeast { count },
            Node::AllyCountAtMost { count },
            Node::SourceIsFront,
            Node::SourceIsBack,
        ];
        Condition::leaf(leaves[kind])
    })
}
