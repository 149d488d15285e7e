//! The course of a battle: its phases, its rounds and its end.

use super::unit::TriggerSet;
use super::{Abort, Battle, ROUNDS_MAX};
use crate::{BattlePhase, BattleResult, Event, LimitReason, Sink, Team, Trigger};

impl<K: Sink> Battle<'_, K> {
    /// Fights to the end and tells it.
    pub(super) fn run(&mut self) -> BattleResult {
        let result = match self.fight() {
            Ok(()) => self.standing(),
            Err(abort) => self.abort(abort),
        };
        self.sink.event(|| Event::BattleEnd { result });
        result
    }

    fn fight(&mut self) -> Result<(), Abort> {
        self.phase(BattlePhase::Start, |it| it.collect(TriggerSet::only(Trigger::OnStart), TriggerSet::EMPTY))?;
        // A board that empties within a round ends nothing before the round is over.
        while !self.player.units().is_empty() && !self.enemy.units().is_empty() {
            self.next_round()?;
            self.phase(BattlePhase::BeforeAttack, |it| {
                let any = TriggerSet::only(Trigger::BeforeAnyAttack);
                it.collect(any, TriggerSet::only(Trigger::BeforeUnitAttack))
            })?;
            self.phase(BattlePhase::Attack, Self::attack)?;
            self.phase(BattlePhase::AfterAttack, |it| {
                let any = TriggerSet::only(Trigger::AfterAnyAttack);
                it.collect(any, TriggerSet::only(Trigger::AfterUnitAttack))
            })?;
        }
        Ok(())
    }

    fn next_round(&mut self) -> Result<(), Abort> {
        self.rounds = self.rounds.saturating_add(1);
        if self.rounds > ROUNDS_MAX {
            let reason = LimitReason::Round { current: self.rounds, max: ROUNDS_MAX };
            return Err(Abort { losing_team: None, reason });
        }
        Ok(())
    }

    fn phase(&mut self, phase: BattlePhase, body: impl FnOnce(&mut Self) -> Result<(), Abort>) -> Result<(), Abort> {
        self.firings = 0;
        self.sink.event(|| Event::PhaseStart { phase });
        body(self)?;
        self.sink.event(|| Event::PhaseEnd { phase });
        Ok(())
    }

    /// Queues the abilities of both boards that have a trigger of the phase, and resolves them.
    fn collect(&mut self, any: TriggerSet, front: TriggerSet) -> Result<(), Abort> {
        for board in [&self.player, &self.enemy] {
            self.queues.push_board(&self.cards, board, any, front);
        }
        self.resolve()
    }

    /// The front units hit each other; then whoever is in front reacts, hurt or not.
    fn attack(&mut self) -> Result<(), Abort> {
        self.clash();
        self.queue_hurt(Team::Player, 0);
        self.queue_hurt(Team::Enemy, 0);
        self.sweep();
        self.resolve()
    }

    fn clash(&mut self) {
        let (Some(player), Some(enemy)) = (self.player.units().first(), self.enemy.units().first()) else {
            return;
        };
        let (p_dmg, e_dmg) = (player.attack, enemy.attack);
        self.sink.event(|| Event::Clash { p_dmg, e_dmg });
        let hits = [(Team::Player, &mut self.player, e_dmg), (Team::Enemy, &mut self.enemy, p_dmg)];
        for (team, board, damage) in hits {
            board.change(0, |unit| {
                unit.health = unit.health.saturating_sub(damage);
                self.sink.event(|| Event::DamageTaken { target_instance_id: unit.id, team, remaining_hp: unit.health });
            });
        }
    }

    fn standing(&self) -> BattleResult {
        match (self.player.units().is_empty(), self.enemy.units().is_empty()) {
            (false, true) => BattleResult::Victory,
            (true, false) => BattleResult::Defeat,
            // Both stand only if a limit ended the battle, and a limit has its own verdict.
            (true, true) | (false, false) => BattleResult::Draw,
        }
    }

    fn abort(&mut self, abort: Abort) -> BattleResult {
        let Abort { losing_team, reason } = abort;
        self.sink.event(|| Event::LimitExceeded { losing_team, reason });
        match losing_team {
            Some(Team::Player) => BattleResult::Defeat,
            Some(Team::Enemy) => BattleResult::Victory,
            None => BattleResult::Draw,
        }
    }
}
