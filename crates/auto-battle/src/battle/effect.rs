//! What effects do to the boards.

use super::queue::Life;
use super::resolve::Source;
use super::target::Targets;
use super::unit::Unit;
use super::{Abort, Battle, SPAWNS_MAX};
use crate::{CardIndex, CardKey, Effect, Event, LimitReason, Sink, Target, Team};

/// Where a destroyed unit's health is set to.
const DESTROYED_HEALTH: i32 = -999;

/// What an effect left behind to react to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Aftermath {
    /// These units were hit by damage.
    Hurt(Targets),
    /// A unit was put on the board at this index.
    Spawned(Team, usize),
    /// Nobody reacts to what was done, unless someone died of it.
    Nothing,
}

impl<K: Sink> Battle<'_, K> {
    pub(super) fn apply(&mut self, source: &Source, effect: &Effect) -> Result<Aftermath, Abort> {
        match *effect {
            Effect::Damage { amount, target } => Ok(self.damage(source, amount, target)),
            Effect::ModifyStats { health, attack, target } => {
                self.modify_stats(source, health, attack, target);
                Ok(Aftermath::Nothing)
            }
            Effect::SpawnUnit { card } => self.spawn(source, card),
            Effect::Destroy { target } => {
                self.destroy(source, target);
                Ok(Aftermath::Nothing)
            }
        }
    }

    fn damage(&mut self, source: &Source, amount: i32, target: Target) -> Aftermath {
        // The targets are found even for nothing: a random one spends its draw.
        let targets = self.targets(source.team, source.place, target);
        if amount <= 0 {
            return Aftermath::Nothing;
        }
        self.for_each(targets, |unit, sink| {
            unit.health = unit.health.saturating_sub(amount);
            sink.event(|| Event::AbilityDamage {
                source_instance_id: source.id,
                target_instance_id: unit.id,
                damage: amount,
                remaining_hp: unit.health,
            });
        });
        Aftermath::Hurt(targets)
    }

    fn modify_stats(&mut self, source: &Source, health: i32, attack: i32, target: Target) {
        let targets = self.targets(source.team, source.place, target);
        self.for_each(targets, |unit, sink| {
            unit.attack = unit.attack.saturating_add(attack);
            unit.health = unit.health.saturating_add(health);
            sink.event(|| Event::AbilityModifyStats {
                source_instance_id: source.id,
                target_instance_id: unit.id,
                health_change: health,
                attack_change: attack,
                new_attack: unit.attack,
                new_health: unit.health,
            });
        });
    }

    fn destroy(&mut self, source: &Source, target: Target) {
        let targets = self.targets(source.team, source.place, target);
        self.for_each(targets, |unit, sink| {
            let damage = unit.health.saturating_sub(DESTROYED_HEALTH);
            unit.health = DESTROYED_HEALTH;
            sink.event(|| Event::AbilityDamage {
                source_instance_id: source.id,
                target_instance_id: unit.id,
                damage,
                remaining_hp: unit.health,
            });
        });
    }

    fn for_each(&mut self, targets: Targets, mut change: impl FnMut(&mut Unit, &mut K)) {
        self.work(targets.len());
        let board = match targets.team {
            Team::Player => &mut self.player,
            Team::Enemy => &mut self.enemy,
        };
        for idx in targets {
            board.change(idx, |unit| change(unit, self.sink));
        }
    }

    fn spawn(&mut self, source: &Source, index: CardIndex) -> Result<Aftermath, Abort> {
        self.spawn_attempts = self.spawn_attempts.saturating_add(1);
        if self.spawn_attempts > SPAWNS_MAX {
            let reason = LimitReason::Spawn { current: self.spawn_attempts, max: SPAWNS_MAX };
            return Err(Abort::blaming(source.team, reason));
        }
        let idx = match source.life {
            Life::Alive => 0,
            Life::Dead => source.position.min(self.units(source.team).len()),
        };
        let key = CardKey::Pool(index);
        let card = self.cards.get(key);
        let board = match source.team {
            Team::Player => &mut self.player,
            Team::Enemy => &mut self.enemy,
        };
        let Some(unit) = board.add(idx, key, card) else {
            return Ok(Aftermath::Nothing);
        };
        self.sink.event(|| Event::UnitSpawn {
            team: source.team,
            spawned_unit: unit.view(),
            new_board_state: board.view(),
        });
        Ok(Aftermath::Spawned(source.team, idx))
    }
}
