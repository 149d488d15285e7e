//! What one request may cost: a view, a list of actions, a question with its choices, an explanation.
//!
//! Commands are no requests. What they may cost is part of the rules (`workPerCommand`), and the same for everybody.

use core::cell::Cell;

use crate::{
    act::Judge,
    ids::PlayerId,
    matches::Match,
    scratch::{Machine, Scratch},
};

/// What may still be spent on the request a match is answering, in instructions.
///
/// ```
/// use engine::Budget;
///
/// let budget = Budget::default();
/// budget.allow(100);
/// budget.begin();
/// budget.charge(40);
/// assert_eq!(budget.left(), 60);
/// budget.charge(61);
/// assert!(budget.is_spent());
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    per_request: Cell<u64>,
    left: Cell<u64>,
}

/// A caller that begins no request has no limit.
impl Default for Budget {
    fn default() -> Self {
        Self { per_request: Cell::new(Self::REQUEST), left: Cell::new(u64::MAX) }
    }
}

impl Budget {
    /// What a request may cost unless its host says otherwise: twice what a command may cost.
    pub const REQUEST: u64 = 20_000_000;

    /// Lets each request cost so much from now on.
    pub fn allow(&self, work: u64) {
        self.per_request.set(work);
    }

    /// What each request may cost.
    pub fn allowed(&self) -> u64 {
        self.per_request.get()
    }

    /// For a copy: the same allowance, and no request.
    pub(crate) fn fresh(&self) -> Self {
        Self { per_request: self.per_request.clone(), ..Self::default() }
    }

    /// Begins a request: all that is asked of the match until the next one is paid for together.
    pub fn begin(&self) {
        self.left.set(self.per_request.get());
    }

    /// Goes on with what is left of another budget, for what is asked of a copy.
    pub fn go_on(&self, other: &Self) {
        self.left.set(other.left());
    }

    /// What may still be spent.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Whether nothing is left, so that what was worked out is not whole and must not be shown as an answer.
    pub fn is_spent(&self) -> bool {
        self.left() == 0
    }

    /// Pays for something.
    pub fn charge(&self, work: u64) {
        self.left.set(self.left().saturating_sub(work));
    }

    /// Lets a machine that was just made ready run no further than the request can pay.
    pub(crate) fn limit(&self, machine: &mut Machine) {
        machine.lower(u32::try_from(self.left()).unwrap_or(u32::MAX));
    }

    /// Pays for what a machine has run since.
    pub(crate) fn settle(&self, machine: &Machine) {
        self.charge(u64::from(machine.spent()));
    }
}

impl Match {
    /// What the request it is answering may still cost.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Asks a judge of a player's actions, who works as long as the request can pay.
    pub(crate) fn judged<'a, T>(
        &'a self,
        player: PlayerId,
        machine: &mut Machine,
        ask: impl FnOnce(&mut Judge<'a, '_>) -> T,
    ) -> T {
        let mut judge = Judge::new(self.ruleset().program(), self.state(), self.derived(), player, machine);
        self.budget.limit(judge.machine);
        let answer = ask(&mut judge);
        self.budget.settle(judge.machine);
        answer
    }

    /// Working memory for trying something on a copy of the match. The request pays for the copy.
    pub(crate) fn trial_scratch(&self) -> Scratch {
        self.budget.charge(u64::try_from(self.state().ents.len()).unwrap_or(u64::MAX));
        let limit = self.ruleset().program().limits.work_per_command_max;
        let work = u32::try_from(self.budget.left()).unwrap_or(u32::MAX).min(limit);
        Scratch { work, ..Scratch::default() }
    }
}
