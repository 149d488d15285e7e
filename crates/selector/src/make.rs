//! Makes answers from nothing but the question: at random for bots and tests, or the least one for who is not there.

use alloc::vec::Vec;

use crate::response::Response;
use crate::selector::{Choice, Kind, Options, Selector};
use crate::value::Value;

impl Selector {
    /// Makes a legal answer, asking for a number below a bound wherever there is something to decide.
    ///
    /// With a random source every way to answer can come out; with one that always says 0 it is the
    /// least answer: as few picks as possible, the first on offer. A freeform question gets an empty
    /// list. None if the question has no legal answer.
    pub fn make_response(&self, below: &mut dyn FnMut(u32) -> u32) -> Option<Response> {
        let response = Response::to(self, make(&self.options, below));
        self.validate(&response).is_ok().then_some(response)
    }
}

fn make(options: &Options, below: &mut dyn FnMut(u32) -> u32) -> Vec<Value> {
    if options.kind == Kind::Action {
        return Vec::new();
    }
    let bounds = options.bounds();
    let n_together = options.choices.iter().filter(|it| !it.exclusive).count();
    let max = bounds.max.min(u32::try_from(n_together).unwrap_or(u32::MAX).max(1));
    let n_ways = max.saturating_sub(bounds.min).saturating_add(1);
    let n_picks = bounds.min.saturating_add(below(n_ways).min(n_ways.saturating_sub(1)));
    // An exclusive choice stands alone, so it is on offer only to who picks one.
    let mut left: Vec<&Choice> = options.choices.iter().filter(|it| n_picks < 2 || !it.exclusive).collect();
    let n_picks = usize::try_from(n_picks).unwrap_or(usize::MAX).min(left.len());
    let mut picks = Vec::with_capacity(n_picks);
    for _ in 0..n_picks {
        let n_left = u32::try_from(left.len()).unwrap_or(u32::MAX);
        let at = below(n_left).min(n_left.saturating_sub(1));
        picks.push(pick(left.remove(at as usize), below));
    }
    picks
}

fn pick(choice: &Choice, below: &mut dyn FnMut(u32) -> u32) -> Value {
    match &choice.nested {
        Some(nested) => choice.picked(Some(Value::List(make(nested, below)))),
        None => choice.picked(None),
    }
}

impl Selector {
    /// Lists legal answers, at most so many: every way to pick, each set of picks once.
    pub fn answers(&self, limit: usize) -> Vec<Response> {
        let mut answers = Vec::new();
        let mut path = Some(Vec::new());
        // Sets that differ in order only are passed over, so there are more ways than answers.
        let mut n_ways = limit.saturating_mul(WAYS_PER_ANSWER_MAX);
        while let Some(way) = path.filter(|_| answers.len() < limit && n_ways > 0) {
            let mut walk = Walk { way, bounds: Vec::new() };
            let response = self.make_response(&mut |bound| walk.next(bound));
            answers.extend(response.filter(|it| self.is_in_order(it)));
            path = walk.following();
            n_ways = n_ways.saturating_sub(1);
        }
        answers
    }

    fn is_in_order(&self, response: &Response) -> bool {
        self.resolve(response).is_ok_and(|it| it.is_sorted_by(|a, b| a.choice < b.choice))
    }
}

/// How many ways are tried for each answer that is wanted.
const WAYS_PER_ANSWER_MAX: usize = 64;

/// A way through all that can be decided: numbers, and the bound of each.
struct Walk {
    way: Vec<u32>,
    bounds: Vec<u32>,
}

impl Walk {
    fn next(&mut self, bound: u32) -> u32 {
        let number = self.way.get(self.bounds.len()).copied();
        self.bounds.push(bound);
        number.unwrap_or_else(|| {
            self.way.push(0);
            0
        })
    }

    /// The next way in order; none after the last.
    fn following(mut self) -> Option<Vec<u32>> {
        self.way.truncate(self.bounds.len());
        while let (Some(number), Some(bound)) = (self.way.pop(), self.bounds.pop()) {
            if number.saturating_add(1) < bound {
                self.way.push(number.saturating_add(1));
                return Some(self.way);
            }
        }
        None
    }
}
