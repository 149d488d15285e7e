//! One run of a game: polls its function when an answer is there. The whole executor.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::task::{Context, Poll, Waker};

use crate::face::Face;
use crate::limits::WORK_PER_ANSWER_MAX;
use crate::mistake::Mistake;
use crate::outcome::Outcome;
use crate::request::{Answered, Request};
use crate::scripts::{Playing, Script, Setup};
use crate::seat::Crowd;
use crate::table::Table;
use crate::view::EventView;
use crate::world::World;

/// Faces that stand in for others, by the number of the card.
pub(crate) type StandIns = BTreeMap<u32, Arc<Face>>;

/// What a game did until it had to stop.
#[derive(Debug)]
pub(crate) enum Step {
    /// It asks.
    Asks(Request),
    /// It is over.
    Ended(Outcome),
    /// It made a mistake.
    Broken(Mistake),
}

/// A game being played.
pub(crate) struct Run {
    playing: Playing,
    pub table: Table,
}

/// What came of an answer besides the next request.
pub(crate) struct Effects {
    /// What happened, for each viewer.
    pub told: Vec<Vec<EventView>>,
    pub rolled: bool,
    pub learned: Crowd,
}

impl Run {
    /// Sets the table; the game has not begun.
    pub fn new(script: &Script, setup: &Setup, stand_ins: StandIns) -> Self {
        let table = Table::new(World::new(setup.n_seats, setup.seed, stand_ins));
        Run { playing: (script.play)(table.clone()), table }
    }

    /// Hands the game the answers it waits for and lets it go on until it stops again.
    pub fn step(&mut self, answers: Option<Vec<Answered>>) -> (Step, Effects) {
        let rolls = {
            let mut shared = self.table.0.lock();
            shared.answers = answers;
            shared.is_waiting = false;
            shared.work = WORK_PER_ANSWER_MAX;
            shared.world.dice.position
        };
        // Nothing but an answer wakes a game, and who brings one polls it.
        let polled = self.playing.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        let mut shared = self.table.0.lock();
        let step = match (polled, shared.asked.take()) {
            (Poll::Ready(Ok(outcome)), _) => Step::Ended(outcome),
            (Poll::Ready(Err(mistake)), _) => Step::Broken(mistake),
            (Poll::Pending, Some(request)) => Step::Asks(request),
            (Poll::Pending, None) => Step::Broken(Mistake::Stuck),
        };
        let world = &mut shared.world;
        let effects = Effects {
            told: world.told.iter_mut().map(core::mem::take).collect(),
            rolled: world.dice.position != rolls,
            learned: core::mem::replace(&mut world.learned, Crowd::NONE),
        };
        (step, effects)
    }

    /// Hands the game answers it was given before; the mistake says that it does not repeat itself.
    pub fn repeat(&mut self, step: Step, answers: &[Answered]) -> Step {
        let Step::Asks(request) = step else { return not_repeated() };
        let mut again = Vec::new();
        for answered in answers {
            let actor = answered.response.actor.as_deref();
            let selector = request.selectors.iter().find(|it| Some(it.actor.as_str()) == actor);
            let is_user = answered.response.is_user_response;
            let read = selector.and_then(|it| Answered::read(it, &answered.response, is_user).ok());
            again.extend(read);
        }
        if again.len() != answers.len() {
            return not_repeated();
        }
        self.step(Some(again)).0
    }
}

fn not_repeated() -> Step {
    Step::Broken(Mistake::Other("the game does not repeat itself".into()))
}
