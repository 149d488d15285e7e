//! Why rules answered events and why not, noted while a command is carried out once more. A match that nobody asks
//! keeps no trace, and running a command again gives the same, so nothing of this is ever stored.

use alloc::{boxed::Box, vec::Vec};

use ruleset::{
    CodePtr, EventTypeId, RuleId,
    program::{Rule, Timing},
};

use crate::{
    command::Command,
    cost,
    eval::{Cx, Who},
    exec::Exec,
    explain::{Story, Teller},
    fault::Fault,
    ids::{EntityId, EventNo},
    matches::{Match, Progress, Setup},
    record::Sink,
    rejection::Rejection,
    rng::Luck,
    scratch::{Fact, Machine, Scratch},
    state::{Frame, LimitScope},
    view::Viewer,
};

/// Why a rule answers an event, or why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It does: a row of the stack waits to be carried out. Its filters and conditions, which hold.
    Taken(Vec<Story>),
    /// Its card is where the rule does not work.
    Elsewhere,
    /// Its card has lost it, or has lost the keyword it comes with.
    Lost,
    /// The event is not what its filters ask for.
    Filtered(Option<Story>),
    /// Its conditions do not hold.
    Unmet(Option<Story>),
    /// It has answered as often as it may.
    UsedUp { scope: LimitScope, max: u16 },
    /// It waited for a number of events, and they have come.
    Spent,
    /// It did, but when its turn came its conditions held no longer.
    Dropped(Option<Story>),
}

/// A rule that might have answered an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Considered {
    /// The fact, or the intent for rules that come before it.
    pub event: EventNo,
    pub kind: EventTypeId,
    /// The row that made the fact happen.
    pub producer: EventNo,
    pub timing: Timing,
    pub rule: RuleId,
    /// The card whose rule it is; none for a rule of the game.
    pub source: EntityId,
    /// Whom the event concerns.
    pub subject: EntityId,
    pub verdict: Verdict,
}

/// A payment that could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpaid {
    /// The event that is the payment.
    pub event: EventTypeId,
    /// What it requires.
    pub story: Option<Story>,
}

/// What was noted.
#[derive(Clone, Debug)]
pub struct Trace {
    viewer: Viewer,
    pub considered: Vec<Considered>,
    pub(crate) unpaid: Option<Unpaid>,
}

impl Trace {
    fn new(viewer: Viewer) -> Self {
        Self { viewer, considered: Vec::new(), unpaid: None }
    }
}

impl Match {
    /// Carries out a command, and gives why rules answered what it led to and why not.
    pub fn submit_traced<S: Sink>(
        &mut self,
        command: &Command,
        sink: &mut S,
    ) -> Result<(Progress, Vec<Considered>), Rejection> {
        let (done, considered) = self.traced(|it| it.submit(command, sink));
        Ok((done?, considered))
    }

    /// Begins a match like [`Match::begin`], and gives why rules answered its set-up and why not.
    pub fn begin_traced<S: Sink>(&mut self, setup: &Setup, sink: &mut S) -> (Progress, Vec<Considered>) {
        self.traced(|it| it.begin(setup, sink))
    }

    fn traced<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> (T, Vec<Considered>) {
        self.scratch_mut().trace = Some(Box::new(Trace::new(Viewer::Judge)));
        let done = act(self);
        let trace = self.scratch_mut().trace.take();
        (done, trace.map_or_else(Vec::new, |it| it.considered))
    }
}

impl Exec<'_> {
    /// Whether somebody wants to know why.
    #[inline]
    pub fn is_traced(&self) -> bool {
        self.scratch.trace.is_some()
    }

    /// Tells a condition as it stands in the step, with the variables that are loaded.
    #[cold]
    pub fn tell(&mut self, who: Who, code: CodePtr) -> Option<Story> {
        let viewer = self.scratch.trace.as_ref()?.viewer;
        self.with(who, |cx, machine| Teller::new(*cx, machine, viewer).tell(code, &[]))
    }

    /// Tells what holds of a rule that answers, with the variables that are loaded.
    #[cold]
    pub fn tell_match(&mut self, who: Who, rule: &Rule) -> Verdict {
        let codes = [rule.filter, rule.conditions].into_iter().filter(|it| it.is_some());
        Verdict::Taken(codes.filter_map(|it| self.tell(who, it)).collect())
    }

    /// Notes why a rule answers an event, or why not.
    #[cold]
    pub fn note(&mut self, fact: Fact, rule: RuleId, source: EntityId, subject: EntityId, verdict: Verdict) {
        let timing = self.program.rule(rule).map_or(Timing::After, |it| it.timing);
        let Fact { event, kind, producer, .. } = fact;
        if let Some(trace) = &mut self.scratch.trace {
            trace.considered.push(Considered { event, kind, producer, timing, rule, source, subject, verdict });
        }
    }

    /// Notes that a trigger came to nothing when its turn came.
    #[cold]
    pub fn note_dropped(&mut self, frame: &Frame, who: Who, code: CodePtr) {
        let story = self.tell(who, code);
        if let Some(trace) = &mut self.scratch.trace {
            let is_it = |it: &&mut Considered| {
                it.event == frame.answered()
                    && it.rule == frame.rule
                    && it.source == frame.source
                    && it.subject == frame.subject
            };
            if let Some(it) = trace.considered.iter_mut().rev().find(is_it) {
                it.verdict = Verdict::Dropped(story);
            }
        }
    }

    /// Notes a payment that cannot be made, whose fields are loaded.
    #[cold]
    pub fn note_unpaid(&mut self, who: Who, event: EventTypeId, requires: CodePtr) {
        let story = self.tell(who, requires);
        if let Some(trace) = &mut self.scratch.trace {
            trace.unpaid = Some(Unpaid { event, story });
        }
    }
}

/// Tries to pay, and gives what could not be paid.
pub(super) fn unpaid(cx: &Cx<'_>, machine: &mut Machine, costs: CodePtr, viewer: Viewer) -> Result<(), Unpaid> {
    if costs.is_none() {
        return Ok(());
    }
    let mut luck = Luck::default();
    loop {
        unpaid_with(cx, machine, costs, viewer, &mut luck)?;
        if !luck.turns() {
            return Ok(());
        }
    }
}

/// The same with one outcome of chance. The machine pays for it, and for the copy it is tried on.
fn unpaid_with(
    cx: &Cx<'_>,
    machine: &mut Machine,
    costs: CodePtr,
    viewer: Viewer,
    luck: &mut Luck,
) -> Result<(), Unpaid> {
    let trace = Some(Box::new(Trace::new(viewer)));
    let nothing = Unpaid { event: EventTypeId::NONE, story: None };
    if machine.charge(cx.state.ents.len()).is_err() {
        return Err(nothing);
    }
    let work = cx.program.limits.work_per_command_max.min(machine.fuel);
    let mut scratch = Scratch { work, trace, luck: Some(*luck), ..Scratch::default() };
    let (mut state, mut derived) = (cx.state.clone(), cx.derived.clone());
    let mut exec = Exec::new(cx.program, &mut state, &mut derived, &mut scratch);
    exec.scratch.machine.load(machine.locals());
    let paid: Result<bool, Fault> = cost::try_to_pay(cx, &mut exec, costs);
    *luck = scratch.luck.unwrap_or_default();
    // What is left of a budget that is spent is nothing; the judge notices.
    let _ = machine.spend(work.saturating_sub(scratch.work_left()));
    if paid == Ok(true) {
        return Ok(());
    }
    let unpaid = scratch.trace.and_then(|it| it.unpaid);
    Err(unpaid.unwrap_or(nothing))
}
