//! How waiting abilities are resolved, and what reacts to them.

use super::effect::Aftermath;
use super::queue::{Entry, Life, Queues, Spent, TooDeep};
use super::unit::{Board, Fallen, TriggerSet};
use super::{Abort, Battle, Cards, FIRINGS_MAX, TRIGGER_DEPTH_MAX};
use crate::{Ability, Event, InstanceId, LimitReason, Sink, Team, Trigger};

/// The source of an ability while it is resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    pub id: InstanceId,
    pub team: Team,
    pub life: Life,
    /// Where it stands now, if it is on the board.
    pub place: Option<usize>,
    /// Where it stood when the ability was queued.
    pub position: usize,
    /// Current if it is on the board, else as it was when the ability was queued.
    pub attack: i32,
    /// As `attack`.
    pub health: i32,
}

impl<K: Sink> Battle<'_, K> {
    /// Opens what was queued and resolves it to the end, reactions included.
    pub(super) fn resolve(&mut self) -> Result<(), Abort> {
        let n_pending = self.queues.n_pending();
        if n_pending == 0 {
            return Ok(());
        }
        self.work(n_pending as u32);
        // The outermost queue is never too deep.
        if self.queues.open().is_err() {
            return Ok(());
        }
        while let Some(entry) = self.queues.pop() {
            self.look_at_steps()?;
            self.work(1);
            self.take(&entry)?;
        }
        Ok(())
    }

    fn take(&mut self, entry: &Entry) -> Result<(), Abort> {
        let Some(source) = self.source(entry) else {
            return Ok(());
        };
        let ability_idx = entry.ability_idx();
        let card = self.cards.get(entry.card);
        let Some(ability) = card.abilities.get(ability_idx) else {
            return Ok(());
        };
        if self.is_spent(&source, ability_idx, ability)
            || !self.holds(&source, ability.effect.target(), &ability.condition)
        {
            return Ok(());
        }
        self.fire(&source, ability_idx)?;
        let aftermath = self.apply(&source, &ability.effect)?;
        self.react(&source, aftermath)
    }

    /// Says who the source is now, or `None` if it left the board since a living one was queued.
    fn source(&self, entry: &Entry) -> Option<Source> {
        let team = entry.source.team();
        let board = self.board(team);
        let life = entry.life();
        let place = match life {
            Life::Alive => Some(board.position(entry.source, entry.position())?),
            Life::Dead => None,
        };
        let unit = place.and_then(|idx| board.units().get(idx));
        Some(Source {
            id: entry.source,
            team,
            life,
            place,
            position: entry.position(),
            attack: unit.map_or(entry.attack(), |it| it.attack),
            health: unit.map_or(entry.health(), |it| it.health),
        })
    }

    /// A dead source is never spent: it was not when it was queued, and it cannot fire in between.
    fn is_spent(&self, source: &Source, ability_idx: usize, ability: &Ability) -> bool {
        let units = self.units(source.team);
        let unit = source.place.and_then(|idx| units.get(idx));
        unit.is_some_and(|it| it.is_spent(ability_idx, ability))
    }

    /// Counts a firing and tells it.
    fn fire(&mut self, source: &Source, ability_idx: usize) -> Result<(), Abort> {
        self.firings = self.firings.saturating_add(1);
        if self.firings > FIRINGS_MAX {
            let reason = LimitReason::Trigger { current: self.firings, max: FIRINGS_MAX };
            return Err(Abort::blaming(source.team, reason));
        }
        self.sink.event(|| Event::AbilityTrigger { source_instance_id: source.id, ability: ability_idx as u8 });
        if let Some(idx) = source.place {
            let board = self.board_mut(source.team);
            board.change(idx, |unit| unit.count_firing(ability_idx));
        }
        Ok(())
    }

    /// Queues the reactions to an effect: the hurt, the spawned, the dead and their team-mates.
    fn react(&mut self, source: &Source, aftermath: Aftermath) -> Result<(), Abort> {
        match aftermath {
            Aftermath::Hurt(targets) => {
                for idx in targets {
                    self.queue_hurt(targets.team, idx);
                }
            }
            Aftermath::Spawned(team, idx) => {
                let (board, queues, cards) = self.queueing(team);
                if let Some(unit) = board.units().get(idx) {
                    let set = TriggerSet::only(Trigger::OnSpawn);
                    queues.push(cards, unit, set, idx, Life::Alive, Spent::Skip);
                }
            }
            Aftermath::Nothing => {}
        }
        self.sweep();
        self.open_reactions(source.team)
    }

    fn open_reactions(&mut self, cause: Team) -> Result<(), Abort> {
        let n_reactions = self.queues.n_pending();
        if n_reactions == 0 {
            return Ok(());
        }
        self.work(n_reactions as u32);
        self.queues.open().map_err(|TooDeep| {
            let reason =
                LimitReason::TriggerDepth { current: TRIGGER_DEPTH_MAX.saturating_add(1), max: TRIGGER_DEPTH_MAX };
            Abort::blaming(cause, reason)
        })
    }

    pub(super) fn queue_hurt(&mut self, team: Team, idx: usize) {
        let (board, queues, cards) = self.queueing(team);
        if let Some(unit) = board.units().get(idx) {
            let set = TriggerSet::only(Trigger::OnDamageTaken);
            queues.push(cards, unit, set, idx, Life::of(unit), Spent::Skip);
        }
    }

    /// Removes the dead of both teams and queues the reactions to their deaths.
    pub(super) fn sweep(&mut self) {
        if !self.player.has_dead() && !self.enemy.has_dead() {
            return;
        }
        // Both teams are removed before either is told or reacts.
        self.player.remove_dead(&mut self.player_fallen);
        self.enemy.remove_dead(&mut self.enemy_fallen);
        self.tell_deaths();
        self.queue_deaths(Team::Player);
        self.queue_deaths(Team::Enemy);
    }

    fn tell_deaths(&mut self) {
        let teams = [(Team::Player, &self.player, &self.player_fallen), (Team::Enemy, &self.enemy, &self.enemy_fallen)];
        for (team, board, fallen) in teams {
            if !fallen.is_empty() {
                self.sink.event(|| Event::UnitDeath { team, new_board_state: board.view() });
            }
        }
    }

    fn queue_deaths(&mut self, team: Team) {
        let (board, fallen) = match team {
            Team::Player => (&self.player, &self.player_fallen),
            Team::Enemy => (&self.enemy, &self.enemy_fallen),
        };
        let queues = &mut self.queues;
        let faint = TriggerSet::only(Trigger::OnFaint);
        let ally_faint = TriggerSet::only(Trigger::OnAllyFaint);
        for Fallen { unit, position } in fallen {
            queues.push(&self.cards, unit, faint, *position, Life::Dead, Spent::Skip);
            queues.push_board(&self.cards, board, ally_faint, TriggerSet::EMPTY);
        }
    }

    /// A board to look at and the queues to fill from it.
    pub(super) fn queueing(&mut self, team: Team) -> (&Board, &mut Queues, &Cards<'_>) {
        let board = match team {
            Team::Player => &self.player,
            Team::Enemy => &self.enemy,
        };
        (board, &mut self.queues, &self.cards)
    }
}
