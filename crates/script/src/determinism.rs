//! For tests: plays a game several times with the same answers and names the first difference.
//!
//! A game that looks at a clock, at ambient randomness or at the order of a hash map gives itself away, because every
//! run of it differs somewhere: in what it asks, in what it tells, in the table or in the outcome.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::matches::{Answer, Match};
use crate::rejection::Rejection;
use crate::rng::Dice;
use crate::scripts::{Script, Setup};
use crate::seat::{Seat, Viewer, viewers};
use crate::view::EventView;

/// How often a game is played: two runs may agree on the order of a small map by chance, so many hardly do.
const RUNS: u32 = 12;

/// How many answers a run is given at most.
const ANSWERS_MAX: u32 = 10_000;

/// The first place at which two runs of a game with the same answers differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// After how many answers.
    pub after: u32,
    /// What differs: `request`, `event`, `view`, `outcome`.
    pub what: &'static str,
    pub first: String,
    pub second: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { after, what, first, second } = self;
        write!(f, "after {after} answers the {what} differs\n  first:  {first}\n  second: {second}")
    }
}

/// Plays a game several times with the same seed and the same answers, and compares the runs answer by answer.
pub fn check(script: &Script, setup: &Setup) -> Result<(), Difference> {
    let mut runs: Vec<Match> = (0..RUNS).filter_map(|_| Match::start(script, setup.clone()).ok()).collect();
    let mut dice = Dice::new(setup.seed);
    // How many events of each viewer were found to be equal.
    let mut n_equal: Vec<u32> = Vec::new();
    for after in 0..ANSWERS_MAX {
        let Some((first, others)) = runs.split_first() else { break };
        n_equal.resize(viewers(first.n_seats()).count(), 0);
        others.iter().try_for_each(|it| compare(after, first, it, &n_equal))?;
        n_equal = viewers(first.n_seats()).map(|it| count(first.events(it, 0))).collect();
        let Some(answer) = random_answer(first, &mut dice) else { break };
        for (run, live) in runs.iter_mut().enumerate() {
            if let Err(why) = live.submit(&answer) {
                return Err(refused(after, run, &why));
            }
        }
    }
    Ok(())
}

/// Makes a random answer for one of those who are asked.
pub fn random_answer(live: &Match, dice: &mut Dice) -> Option<Answer> {
    let (_, seats) = live.waiting()?;
    let at = dice.below(u64::try_from(seats.len()).unwrap_or(0));
    let seat = *seats.get(usize::try_from(at).unwrap_or(0))?;
    answer_for(live, seat, dice)
}

/// Makes a random answer for one player.
pub fn answer_for(live: &Match, seat: Seat, dice: &mut Dice) -> Option<Answer> {
    let open = live.open(seat)?;
    let mut below = |bound: u32| u32::try_from(dice.below(bound.into())).unwrap_or(0);
    let response = open.selector.make_response(&mut below)?;
    Some(Answer { seat, input: open.id, version: live.version(), response, confirm: true })
}

fn refused(after: u32, run: usize, why: &Rejection) -> Difference {
    Difference { after, what: "request", first: "accepts an answer".into(), second: format!("run {run}: {why}") }
}

fn count(events: &[EventView]) -> u32 {
    u32::try_from(events.len()).unwrap_or(u32::MAX)
}

fn compare(after: u32, first: &Match, second: &Match, n_equal: &[u32]) -> Result<(), Difference> {
    let differ = |what, first, second| Err(Difference { after, what, first, second });
    for (viewer, n_equal) in viewers(first.n_seats()).zip(n_equal) {
        let [ours, theirs] = [first, second].map(|it| it.events(viewer, *n_equal));
        if let Some((a, b)) = ours.iter().zip(theirs).find(|(a, b)| a != b) {
            return differ("event", a.text.clone(), b.text.clone());
        }
        if ours.len() != theirs.len() {
            return differ("event", format!("{} events", ours.len()), format!("{} events", theirs.len()));
        }
        if let Viewer::Seat(seat) = viewer
            && first.open(seat) != second.open(seat)
        {
            return differ("request", format!("{:?}", first.open(seat)), format!("{:?}", second.open(seat)));
        }
        if first.view(viewer) != second.view(viewer) {
            return differ("view", format!("{:?}", first.view(viewer)), format!("{:?}", second.view(viewer)));
        }
    }
    if first.status() != second.status() {
        return differ("outcome", format!("{:?}", first.status()), format!("{:?}", second.status()));
    }
    Ok(())
}
