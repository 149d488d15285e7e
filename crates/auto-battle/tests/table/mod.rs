//! Words in which battles are set up and looked at.

#![allow(dead_code, reason = "each test file uses the words it needs")]

use auto_battle::{
    Ability, Bounded, Card, CardIndex, Effect, Event, Fighter, InstanceId, Matchup, Outcome, Pool, Target, Trigger,
    starter_index, starter_pool,
};

/// The player's unit number `serial`.
pub fn player(serial: u32) -> InstanceId {
    InstanceId(serial)
}

/// The enemy's unit number `serial`.
pub fn enemy(serial: u32) -> InstanceId {
    InstanceId(0x8000_0000 | serial)
}

pub fn unit(attack: i32, health: i32, abilities: &[Ability]) -> Card {
    Card {
        attack,
        health,
        play_cost: 0,
        pitch_value: 0,
        abilities: Bounded::try_from_iter(abilities.iter().copied()).unwrap(),
    }
}

pub fn on(trigger: Trigger, effect: Effect) -> Ability {
    Ability::new(trigger, effect)
}

pub fn damage(amount: i32, target: Target) -> Effect {
    Effect::Damage { amount, target }
}

pub fn modify(attack: i32, health: i32, target: Target) -> Effect {
    Effect::ModifyStats { health, attack, target }
}

pub fn spawn(name: &str) -> Effect {
    Effect::SpawnUnit { card: starter_index(name).unwrap() }
}

pub fn indices(names: &str) -> Vec<CardIndex> {
    let names = names.split(", ").filter(|it| !it.is_empty());
    names.map(|it| starter_index(it).unwrap()).collect()
}

/// A battle that is over, with all that was told of it.
pub struct Fought {
    pub outcome: Outcome,
    pub events: Vec<Event>,
}

pub fn fight(player: &[Card], enemy: &[Card], seed: u64) -> Fought {
    fight_in(&starter_pool(), player, enemy, seed)
}

pub fn fight_in(pool: &Pool, player: &[Card], enemy: &[Card], seed: u64) -> Fought {
    let guests = |cards: &[Card]| -> Vec<Card> { cards.to_vec() };
    let (player, enemy) = (guests(player), guests(enemy));
    let player: Vec<_> = player.iter().map(Fighter::Guest).collect();
    let enemy: Vec<_> = enemy.iter().map(Fighter::Guest).collect();
    told(&Matchup::new(pool, &player, &enemy).unwrap(), seed)
}

pub fn fight_starters(player: &str, enemy: &str, seed: u64) -> Fought {
    let pool = starter_pool();
    let matchup = Matchup::of_indices(&pool, &indices(player), &indices(enemy));
    told(&matchup.unwrap(), seed)
}

fn told(matchup: &Matchup<'_>, seed: u64) -> Fought {
    let mut events = Vec::new();
    let outcome = matchup.fight(seed, &mut events);
    Fought { outcome, events }
}

impl Fought {
    /// Who fired, with the number of the ability, in order.
    pub fn firings(&self) -> Vec<(InstanceId, u8)> {
        let firing = |event: &Event| match *event {
            Event::AbilityTrigger { source_instance_id, ability } => Some((source_instance_id, ability)),
            _ => None,
        };
        self.events.iter().filter_map(firing).collect()
    }

    /// Who fired in the phase that starts with event `n` of its kind, counted from 0.
    pub fn firings_in(&self, phase: auto_battle::BattlePhase, n: usize) -> Vec<(InstanceId, u8)> {
        let start = Event::PhaseStart { phase };
        let starts = self.events.iter().enumerate();
        let mut starts = starts.filter(|(_, it)| **it == start).map(|(idx, _)| idx);
        let from = starts.nth(n).expect("the phase took place");
        let rest = self.events[from + 1..].iter();
        let within = rest.take_while(|it| !matches!(it, Event::PhaseStart { .. }));
        let events = within.copied().collect();
        let outcome = self.outcome;
        Self { outcome, events }.firings()
    }

    pub fn count(&self, is_it: impl Fn(&Event) -> bool) -> usize {
        self.events.iter().filter(|it| is_it(it)).count()
    }
}
