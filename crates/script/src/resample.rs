//! Worlds that might be: the same match as a viewer knows it, with other cards where he cannot look.
//! A bot that searches thinks about such worlds and so never about what it may not know.

use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::face::Face;
use crate::limits::{WORLD_STEPS_MAX, WORLD_TRIES_MAX};
use crate::matches::{Answer, Match, Status};
use crate::rejection::Rejection;
use crate::request::Answered;
use crate::rng::Dice;
use crate::run::StandIns;
use crate::seat::{Seat, Viewer};

/// Cards a viewer cannot tell apart, with what they are.
type Group = Vec<(u32, Arc<Face>)>;

impl Match {
    /// A copy in which the cards a viewer does not know are exchanged among those with the same back, so that he could
    /// not tell the difference: neither from what he sees, nor from anything that has happened. Where hardly another
    /// world fits what he knows, the search may end in the true one.
    pub fn resample(&self, viewer: Viewer, seed: [u8; 32]) -> Result<Match, Rejection> {
        if !self.script.resamples || self.status != Status::Playing {
            return Err(Rejection::CannotResample);
        }
        let truth = self.retell(self.stand_ins.clone(), viewer).ok_or(Rejection::CannotResample)?;
        let groups: Vec<Group> = self.run.table.0.lock().world.unknown_to(viewer).into_values().collect();
        let mut dice = Dice::new(seed);
        let found = (0..WORLD_TRIES_MAX).find_map(|_| {
            let mut groups = groups.clone();
            groups.iter_mut().for_each(|it| deal_anew(it, &mut dice));
            self.world(&groups, &truth, viewer)
        });
        Ok(found.unwrap_or_else(|| self.wander(groups, truth, viewer, &mut dice)))
    }

    /// The match with the cards a viewer does not know dealt anew, whether he could tell or not; none if somebody's
    /// answer would not have been legal. For tests: what differs for the viewer then is what the game tells him.
    pub fn exchanged(&self, viewer: Viewer, seed: [u8; 32]) -> Option<Match> {
        let mut dice = Dice::new(seed);
        let mut stand_ins = self.stand_ins.clone();
        for mut group in self.run.table.0.lock().world.unknown_to(viewer).into_values() {
            deal_anew(&mut group, &mut dice);
            stand_ins.extend(group);
        }
        self.retell(stand_ins, viewer)
    }

    /// From the true world, one exchange of two cards after the other, as long as the viewer cannot tell.
    fn wander(&self, mut groups: Vec<Group>, truth: Match, viewer: Viewer, dice: &mut Dice) -> Match {
        let mut here = None;
        for _ in 0..WORLD_STEPS_MAX {
            let mut tried = groups.clone();
            tried.iter_mut().for_each(|it| exchange(it, dice));
            if let Some(world) = self.world(&tried, &truth, viewer) {
                (groups, here) = (tried, Some(world));
            }
        }
        here.unwrap_or(truth)
    }

    /// The match with other cards, if the viewer cannot tell it from the true one.
    fn world(&self, groups: &[Group], truth: &Match, viewer: Viewer) -> Option<Match> {
        let mut stand_ins = self.stand_ins.clone();
        stand_ins.extend(groups.iter().flatten().map(|(id, face)| (*id, face.clone())));
        self.retell(stand_ins, viewer).filter(|it| it.looks_like(truth, viewer))
    }

    fn looks_like(&self, other: &Match, viewer: Viewer) -> bool {
        let open = |it: &Match| if let Viewer::Seat(seat) = viewer { it.open(seat) } else { None };
        self.events(viewer, 0) == other.events(viewer, 0)
            && self.view(viewer) == other.view(viewer)
            && open(self) == open(other)
    }

    /// Plays the match again with other cards; none if somebody's answer would not have been legal.
    fn retell(&self, stand_ins: StandIns, viewer: Viewer) -> Option<Match> {
        let mut again = Match::begin(&self.script, self.setup.clone(), stand_ins);
        again.epochs.clone_from(&self.epochs);
        for (at, closed) in self.closed.iter().enumerate() {
            again.set_epoch(&again.run, at);
            again.give(at, &closed.answers)?;
        }
        again.set_epoch(&again.run, self.closed.len());
        // Of what is open the viewer knows his own part only.
        let own = self.open.iter().flat_map(|it| it.parts.iter().flatten()).map(|it| &it.answered);
        let own: Vec<Answered> = own.filter(|it| actor(it).map(Viewer::Seat) == Some(viewer)).cloned().collect();
        again.give(self.closed.len(), &own)?;
        let left = (0..self.setup.n_seats).map(Seat).filter(|it| self.out.has(Viewer::Seat(*it)));
        left.for_each(|it| drop(again.control(crate::control::Control::Concede(it))));
        Some(again)
    }

    /// Gives the answers to a request that were given once; those that are automatic here need not be given.
    fn give(&mut self, at: usize, answers: &[Answered]) -> Option<()> {
        for answered in answers {
            let seat = actor(answered)?;
            let Some(open) = self.open(seat).filter(|it| self.closed.len() == at && it.draft.is_none()) else {
                continue;
            };
            let (input, version, response) = (open.id, self.version(), answered.response.clone());
            self.submit(&Answer { seat, input, version, response, confirm: true }).ok()?;
        }
        Some(())
    }
}

fn actor(answered: &Answered) -> Option<Seat> {
    Seat::from_name(answered.response.actor.as_deref()?)
}

/// Puts what the cards are into another order.
fn deal_anew(group: &mut Group, dice: &mut Dice) {
    let mut faces: Vec<Arc<Face>> = group.iter().map(|it| it.1.clone()).collect();
    dice.shuffle(&mut faces);
    group.iter_mut().zip(faces).for_each(|(it, face)| it.1 = face);
}

/// Exchanges two cards.
fn exchange(group: &mut Group, dice: &mut Dice) {
    let n = u64::try_from(group.len()).unwrap_or(u64::MAX);
    let mut place = || usize::try_from(dice.below(n)).unwrap_or(0);
    let (a, b) = (place(), place());
    let faces = (group.get(a).map(|it| it.1.clone()), group.get(b).map(|it| it.1.clone()));
    if let (Some(first), Some(second)) = faces {
        group.get_mut(a).into_iter().for_each(|it| it.1 = second.clone());
        group.get_mut(b).into_iter().for_each(|it| it.1 = first.clone());
    }
}
