//! The direct way: steps that nobody can answer and that cannot fail are carried out on the state itself, record by
//! record, without a plan that could be dropped.
//!
//! What is simple enough is known when a ruleset is loaded ([`ruleset::quiet`]) and looked at again before anything is
//! touched: whatever is not as expected is left to a plan. Both ways make the same records. They do not count the same
//! for the work a command may cause, so that only there a match may be stopped at another place when it is asked why.

mod check;
mod command;
mod flow;
mod group;
mod list;
mod remedy;
mod row;

use ruleset::{Program, quiet::SHARES};

use crate::{
    check as checks,
    derived::Derived,
    eval::{Cx, Who},
    fold::fold_known,
    ids::EventNo,
    record::{Record, Sink},
    scratch::{RECORD_COST, Scratch, slice},
    state::{Flow, Frame, FrameKind, MatchState, Stage},
};

/// A step may record so many facts; where the limit is nearer than that, a plan counts them one by one.
const FACTS_MAX: u32 = 64;

/// Groups with more members are left to a plan.
const MEMBERS_MAX: usize = 5;

/// A state, and what is needed to change it at once.
pub struct Direct<'a, S> {
    pub program: &'a Program,
    pub state: &'a mut MatchState,
    pub derived: &'a mut Derived,
    pub scratch: &'a mut Scratch,
    pub sink: &'a mut S,
    /// The number of the next event of this step.
    next_event: u32,
    /// What records and checks cost that does not yet count for the command.
    owed: u32,
    /// What may be spent and owed before limits are near.
    spare: i64,
    /// What it cost in this step to know what players can do.
    asking: u32,
}

impl<'a, S: Sink> Direct<'a, S> {
    /// Makes ready for steps; none while somebody wants to know why rules answer, or while one waits for its event.
    pub fn new(
        program: &'a Program,
        state: &'a mut MatchState,
        derived: &'a mut Derived,
        scratch: &'a mut Scratch,
        sink: &'a mut S,
    ) -> Option<Self> {
        let is_calm = scratch.trace.is_none() && state.delays.is_empty() && state.notes.is_empty();
        // No step makes new cards.
        let are_few = state.ents.len() <= program.quiet.entities_max;
        let (next_event, owed, spare, asking) = (0, 0, 0, 0);
        let direct = Self { program, state, derived, scratch, sink, next_event, owed, spare, asking };
        let mut direct = (is_calm && are_few).then_some(direct)?;
        if direct.scratch.machine.is_full() {
            direct.measure()
        } else {
            direct.refuel()
        }
        Some(direct)
    }

    /// Goes on as long as the match does not wait and what comes next needs no plan; tells whether it went on at all.
    pub fn run(&mut self) -> bool {
        let mut went_on = false;
        let mut is_stopped = self.state.is_stopped();
        while !is_stopped && self.step() {
            went_on = true;
            // Of all that stops a match, steps do nothing but open a window.
            is_stopped = self.state.head.window.is_some();
        }
        self.settle_debts();
        went_on
    }

    /// Does what comes next, if that is simple; false, before anything is touched, if it needs a plan.
    fn step(&mut self) -> bool {
        if !self.begin() {
            return false;
        }
        let Some(top) = self.state.top().copied() else { return self.idle() };
        match (top.kind, top.stage) {
            (FrameKind::Intent, Stage::Fresh) => self.begin_list(&top),
            (FrameKind::Intent | FrameKind::Trigger, Stage::Running) => self.go_on(&top),
            (FrameKind::Group, Stage::Fresh) => self.decide(&top),
            (
                FrameKind::Intent | FrameKind::Trigger | FrameKind::Group | FrameKind::Member | FrameKind::Order,
                Stage::Fresh | Stage::Announced | Stage::Before | Stage::Running,
            ) => false,
        }
    }

    /// Makes ready for one step; false if limits are near.
    #[inline(always)]
    fn begin(&mut self) -> bool {
        self.scratch.machine.stack.clear();
        self.scratch.machine.lists.clear();
        self.next_event = self.state.head.next_event;
        self.asking = 0;
        !self.is_near()
    }

    /// Whether a step could come to a limit: then a plan counts exactly, and nothing of a step that fails is done.
    #[inline]
    fn is_near(&self) -> bool {
        let limits = &self.program.limits;
        let facts = self.state.head.facts_in_root.saturating_add(FACTS_MAX);
        facts > limits.facts_per_root_max || self.spent() > self.spare
    }

    /// What was spent and is owed.
    #[inline]
    fn spent(&self) -> i64 {
        i64::from(self.scratch.machine.spent()).wrapping_add(i64::from(self.owed))
    }

    /// What checks, a judge and the event itself may each cost in one step.
    fn share(&self) -> u32 {
        self.program.limits.instructions_per_step_max.checked_div(SHARES).unwrap_or(0)
    }

    /// A record is written down; a step has few of them.
    #[inline(always)]
    fn count(&mut self) {
        self.owed = self.owed.wrapping_add(RECORD_COST);
    }

    /// Something cost more than a record.
    #[inline]
    fn owe(&mut self, cost: u32) {
        self.owed = self.owed.saturating_add(cost);
    }

    /// What the command has cost so far: what may still be spent, what is owed and what the machine has left.
    #[inline]
    fn costs(&self) -> [u32; 3] {
        [self.scratch.work, self.owed, self.scratch.machine.fuel]
    }

    /// What was paid since then is not counted.
    #[inline(never)]
    fn put_back(&mut self, [work, owed, fuel]: [u32; 3]) {
        (self.scratch.work, self.owed, self.scratch.machine.fuel) = (work, owed, fuel);
        self.measure();
    }

    /// What is owed counts for the command.
    #[inline]
    fn settle_debts(&mut self) {
        self.scratch.work = self.scratch.work.saturating_sub(self.owed);
        self.owed = 0;
    }

    /// What is begun here must come to its end: it costs little, and that counts for the command.
    fn refuel(&mut self) {
        self.settle_debts();
        self.scratch.work = self.scratch.work_left();
        self.scratch.machine.reset(u32::MAX);
        self.measure();
    }

    /// Limits are near once a step might cost more than is left for the command.
    #[inline]
    fn measure(&mut self) {
        let step = self.program.limits.instructions_per_step_max;
        self.spare = i64::from(self.scratch.work).wrapping_sub(i64::from(step));
    }

    /// Whether state checks come before anything else, since the world changed and nothing is half done.
    fn is_due(&self) -> bool {
        let head = &self.state.head;
        head.dirty && head.flow != Flow::Setup && !self.state.stack.iter().any(Frame::is_half_done)
    }

    /// Whether checks find nothing. Who looks takes a number, in case something is found.
    fn is_clear(&mut self) -> bool {
        if let Some(cost) = self.glance() {
            self.take_glance(cost);
            return true;
        }
        self.is_clear_anyhow()
    }

    /// The same where more than a glance is needed.
    fn is_clear_anyhow(&mut self) -> bool {
        self.next_event = self.next_event.saturating_add(1);
        self.looks_clear_at_any_cost()
    }

    /// Checks find nothing, as a glance has shown.
    #[inline]
    fn take_glance(&mut self, cost: u32) {
        self.next_event = self.next_event.saturating_add(1);
        debug_assert!(self.looks_clear(cost), "a glance says otherwise than the checks it stands for");
        self.owe(cost);
    }

    /// What it costs to see at a glance that checks find nothing; none where more than a glance is needed.
    #[inline(always)]
    fn glance(&self) -> Option<u32> {
        if checks::is_untouched(self.program, self.state, self.derived) { Some(0) } else { self.look() }
    }

    /// The same where something changed that they look at.
    fn look(&self) -> Option<u32> {
        let cost = checks::glance(self.program, self.state, self.derived)?;
        (cost <= self.share()).then_some(cost)
    }

    /// The same by a look at all that changed, which may be anything.
    fn looks_clear_at_any_cost(&mut self) -> bool {
        self.settle_debts();
        self.scratch.refill(self.share());
        let who = Who::player(self.state.head.active);
        let cx = Cx::new(self.program, self.state, self.derived, who);
        let is_clear = checks::is_clear(&cx, &mut self.scratch.machine) == Ok(true);
        self.refuel();
        is_clear
    }

    /// Whether looking at all that changed comes to the same as a glance, and costs the same.
    fn looks_clear(&mut self, cost: u32) -> bool {
        self.refuel();
        let work = self.scratch.work;
        // A row that never lies on the stack has its variables nowhere else.
        let locals = self.scratch.machine.locals.clone();
        let is_clear = self.looks_clear_at_any_cost();
        self.scratch.machine.locals = locals;
        let cost_too = work.saturating_sub(self.scratch.work);
        self.scratch.work = work;
        self.measure();
        is_clear && cost_too == cost
    }

    /// Folds a record at once.
    #[inline(always)]
    fn put(&mut self, record: &Record<&[i64]>) {
        put(self.program, self.state, self.derived, self.sink, record);
        self.count();
    }

    /// Folds a record whose list are the first so many variables.
    #[inline(always)]
    fn put_with(&mut self, n: usize, record: impl FnOnce(&'_ [i64]) -> Record<&'_ [i64]>) {
        let list = self.scratch.machine.locals.get(..n).unwrap_or_default();
        put(self.program, self.state, self.derived, self.sink, &record(list));
        self.count();
    }

    /// Folds a record whose list are the first so many numbers that are kept.
    #[inline(always)]
    fn put_kept(&mut self, n: usize, record: impl FnOnce(&'_ [i64]) -> Record<&'_ [i64]>) {
        let list = self.scratch.data.get(..n).unwrap_or_default();
        put(self.program, self.state, self.derived, self.sink, &record(list));
        self.count();
    }

    /// Tells of a record that leaves the state as it is.
    #[inline(always)]
    fn note(&mut self, record: &Record<&[i64]>) {
        if S::ON {
            self.sink.record(self.state, record);
        }
        self.count();
    }

    /// The same with a list that are the first so many variables.
    #[inline(always)]
    fn note_with(&mut self, n: usize, record: impl FnOnce(&'_ [i64]) -> Record<&'_ [i64]>) {
        if S::ON {
            let list = self.scratch.machine.locals.get(..n).unwrap_or_default();
            self.sink.record(self.state, &record(list));
        }
        self.count();
    }

    /// The same with a list that are the first so many numbers that are kept.
    #[inline(always)]
    fn note_kept(&mut self, n: usize, record: impl FnOnce(&'_ [i64]) -> Record<&'_ [i64]>) {
        if S::ON {
            let list = self.scratch.data.get(..n).unwrap_or_default();
            self.sink.record(self.state, &record(list));
        }
        self.count();
    }

    /// Folds the records that were planned.
    fn put_planned(&mut self) {
        for i in 0..self.scratch.records.len() {
            let Some(record) = self.scratch.records.get(i) else { break };
            let record = record.map(|&span| slice(&self.scratch.data, span));
            put(self.program, self.state, self.derived, self.sink, &record);
        }
        self.scratch.charge_records();
        self.scratch.records.clear();
    }

    fn event_no(&mut self) -> EventNo {
        let no = EventNo(self.next_event);
        self.next_event = self.next_event.saturating_add(1);
        no
    }

    /// Makes the variables of a row the ones code sees.
    fn load(&mut self, frame: &Frame) {
        let locals = &mut self.scratch.machine.locals;
        locals.clear();
        locals.extend_from_slice(self.state.cells_of(frame));
    }

    /// A variable of the event that is carried out.
    fn cell(&self, at: u8) -> i64 {
        self.scratch.machine.local(usize::from(at))
    }
}

#[inline(always)]
fn put<S: Sink>(
    program: &Program,
    state: &mut MatchState,
    derived: &mut Derived,
    sink: &mut S,
    record: &Record<&[i64]>,
) {
    fold_known(program, state, derived, record, |list| list);
    if S::ON {
        sink.record(state, record);
    }
    debug_assert!(crate::audit::audit(program, state).is_ok(), "state is broken after {record:?}");
}
