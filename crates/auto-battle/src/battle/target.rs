//! Whom an effect meets right now.

use core::cmp::Reverse;

use super::Battle;
use super::unit::Unit;
use crate::{Sink, Target, Team};

/// Some units of one team, in the order front to back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Targets {
    pub team: Team,
    /// One bit for each board index, the front lowest.
    bits: u8,
}

impl Targets {
    fn none(team: Team) -> Self {
        Self { team, bits: 0 }
    }

    fn all(team: Team, n_units: usize) -> Self {
        let bits = !(u8::MAX.checked_shl(n_units as u32).unwrap_or(0));
        Self { team, bits }
    }

    fn one(team: Team, idx: usize) -> Self {
        let bits = 1_u8.checked_shl(idx as u32).unwrap_or(0);
        Self { team, bits }
    }

    fn maybe(team: Team, idx: Option<usize>) -> Self {
        idx.map_or(Self::none(team), |idx| Self::one(team, idx))
    }

    pub fn len(self) -> u32 {
        self.bits.count_ones()
    }
}

impl Iterator for Targets {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let idx = self.bits.trailing_zeros();
        self.bits &= self.bits.checked_sub(1)?;
        Some(idx as usize)
    }
}

impl<K: Sink> Battle<'_, K> {
    /// Finds the targets as the boards are now; a random one costs a draw if there is a choice.
    pub(super) fn targets(&mut self, team: Team, place: Option<usize>, target: Target) -> Targets {
        let foe = team.opponent();
        match target {
            Target::SelfUnit => Targets::maybe(team, place),
            Target::AllAllies => Targets::all(team, self.units(team).len()),
            Target::AllEnemies => Targets::all(foe, self.units(foe).len()),
            Target::RandomAlly => self.random(team),
            Target::RandomEnemy => self.random(foe),
            Target::FrontAlly => self.front(team),
            Target::FrontEnemy => self.front(foe),
            Target::BackAlly => self.back(team),
            Target::BackEnemy => self.back(foe),
            Target::AllyAhead => Targets::maybe(team, place.and_then(|it| it.checked_sub(1))),
            Target::LowestHealthEnemy => self.lowest(foe, |it| it.health),
            Target::HighestAttackEnemy => self.lowest(foe, |it| Reverse(it.attack)),
            Target::HighestHealthEnemy => self.lowest(foe, |it| Reverse(it.health)),
            Target::LowestAttackEnemy => self.lowest(foe, |it| it.attack),
            Target::HighestManaEnemy => self.lowest(foe, |it| Reverse(it.play_cost)),
            Target::LowestManaEnemy => self.lowest(foe, |it| it.play_cost),
        }
    }

    fn random(&mut self, team: Team) -> Targets {
        match self.units(team).len() {
            0 => Targets::none(team),
            n_units => Targets::one(team, self.rng.below(n_units as u32) as usize),
        }
    }

    fn front(&self, team: Team) -> Targets {
        Targets::maybe(team, self.units(team).first().map(|_| 0))
    }

    fn back(&self, team: Team) -> Targets {
        Targets::maybe(team, self.units(team).len().checked_sub(1))
    }

    /// The unit with the least key; of several the one nearest the front.
    fn lowest<O: Ord>(&self, team: Team, key: impl Fn(&Unit) -> O) -> Targets {
        let units = self.units(team).iter().enumerate();
        let found = units.min_by_key(|(_, unit)| key(unit));
        Targets::maybe(team, found.map(|(idx, _)| idx))
    }
}
