//! What happens when nothing is on the stack: set-up, turns, phases and steps, each announced by an event.

use alloc::vec::Vec;

use ruleset::{CodePtr, NULL, Program, StepId, program::BuiltIn};

use crate::{
    exec::Exec,
    fault::{Fault, Limit},
    ids::{EventNo, PlayerId},
    intent,
    record::Record,
    state::{Delay, Flow, Frame, FrameKind, Lasts, MatchState, Modifier},
    window,
};

/// Does the next thing of the turn.
pub fn idle(exec: &mut Exec<'_>) -> Result<(), Fault> {
    let state = exec.state();
    if is_endless(exec.program, state) {
        return Err(Fault::Limit(Limit::StepsWithoutDecision));
    }
    if let Some(to) = cut_short(state) {
        flow(exec, to);
        return Ok(());
    }
    if let Some(told) = Told::next(exec.program, state) {
        flow(exec, told.flow);
        return push(exec, &told);
    }
    match exec.state().head.flow {
        Flow::Window => return window::open_idle(exec),
        Flow::NextStep => {
            let next = next_step(exec.program, exec.state());
            exec.add(next);
        }
        Flow::NextTurn => next_turn(exec),
        // What a step begins with is told, unless the player skips it.
        Flow::StepStart => skip_step(exec),
        Flow::Setup | Flow::TurnStart | Flow::PhaseChange | Flow::StepEnd | Flow::TurnEnd => {
            return Err(Fault::Invariant);
        }
    }
    Ok(())
}

/// Where the turn of a player goes on who is out of the game: the step they were in ends, and then the turn.
fn cut_short(state: &MatchState) -> Option<Flow> {
    if state.is_alive(state.head.active) {
        return None;
    }
    match state.head.flow {
        Flow::Window => Some(Flow::StepEnd),
        Flow::PhaseChange | Flow::StepStart | Flow::NextStep => Some(Flow::TurnEnd),
        Flow::Setup | Flow::TurnStart | Flow::StepEnd | Flow::TurnEnd | Flow::NextTurn => None,
    }
}

/// Whether too many steps went by without anybody to decide.
pub fn is_endless(program: &Program, state: &MatchState) -> bool {
    state.head.idle_steps > program.limits.steps_without_decision_max
}

/// An event of the turn itself, which is the root of what follows.
#[derive(Clone, Copy)]
pub struct Told {
    /// Where the turn goes on after it.
    pub flow: Flow,
    pub kind: BuiltIn,
    /// What it leads to.
    pub list: CodePtr,
    /// How many variables that has.
    cells: u16,
}

/// The fields of an event of the turn: the first so many of these.
pub struct Fields([i64; 3], usize);

impl Fields {
    fn new<const N: usize>(of: [i64; N]) -> Self {
        let mut fields = [NULL; 3];
        fields.iter_mut().zip(of).for_each(|(slot, it)| *slot = it);
        Self(fields, N)
    }

    /// The values.
    pub fn values(&self) -> &[i64] {
        self.0.get(..self.1).unwrap_or_default()
    }
}

impl Told {
    /// What the turn tells next; nothing where it only goes on.
    #[inline(always)]
    pub fn next(program: &Program, state: &MatchState) -> Option<Self> {
        let head = &state.head;
        let plain = |flow: Flow, kind: BuiltIn| Self { flow, kind, list: CodePtr::NONE, cells: 0 };
        match head.flow {
            Flow::Setup => {
                let setup = plain(Flow::TurnStart, BuiltIn::GameStart);
                Some(Self { list: program.setup, cells: program.setup_cells, ..setup })
            }
            Flow::TurnStart => {
                let flow = if is_new_phase(program, state) { Flow::PhaseChange } else { Flow::StepStart };
                Some(plain(flow, BuiltIn::TurnStart))
            }
            Flow::PhaseChange => Some(plain(Flow::StepStart, BuiltIn::PhaseChanged)),
            Flow::StepStart if state.skips.contains(&(head.active, head.step)) => None,
            Flow::StepStart => {
                let rule = program.step(head.step);
                let (list, cells) = rule.map_or((CodePtr::NONE, 0), |it| (it.on_start, it.on_start_cells));
                Some(Self { list, cells, ..plain(Flow::Window, BuiltIn::StepStart) })
            }
            Flow::StepEnd => {
                let rule = program.step(head.step);
                let (list, cells) = rule.map_or((CodePtr::NONE, 0), |it| (it.on_end, it.on_end_cells));
                Some(Self { list, cells, ..plain(Flow::NextStep, BuiltIn::StepEnd) })
            }
            Flow::TurnEnd => Some(plain(Flow::NextTurn, BuiltIn::TurnEnd)),
            Flow::Window | Flow::NextStep | Flow::NextTurn => None,
        }
    }

    /// The fields of the event; the same before the turn goes on and after.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the turn tells nothing else")]
    pub fn fields(&self, program: &Program, state: &MatchState) -> Fields {
        let head = &state.head;
        let (step, phase) = (head.step, phase_of(program, head.step));
        let (active, turn) = (i64::from(head.active), i64::from(head.turn));
        match self.kind {
            BuiltIn::TurnStart | BuiltIn::TurnEnd => Fields::new([active, turn]),
            BuiltIn::PhaseChanged => Fields::new([phase_before(program, step), phase, active]),
            BuiltIn::StepStart | BuiltIn::StepEnd => Fields::new([phase, step.into(), active]),
            _ => Fields::new([]),
        }
    }

    /// Its row.
    pub fn row(&self, event: EventNo, state: &MatchState) -> Frame {
        let controller = state.head.active;
        Frame { etype: self.kind.id(), pc: self.list, controller, ..Frame::blank(FrameKind::Intent, event) }
    }
}

fn flow(exec: &mut Exec<'_>, flow: Flow) {
    exec.add(Record::FlowSet(flow));
}

/// Puts an event of the turn itself on the stack: its fields, and what its list needs besides them.
fn push(exec: &mut Exec<'_>, told: &Told) -> Result<(), Fault> {
    let fields = told.fields(exec.program, exec.state());
    let start = exec.scratch.data.len();
    exec.scratch.data.extend_from_slice(fields.values());
    exec.scratch.data.resize(start.saturating_add(usize::from(told.cells).max(fields.1)), NULL);
    let span = exec.scratch.span_from(start);
    let event = exec.event_no();
    let row = told.row(event, exec.state());
    intent::begin(exec, &row, span, CodePtr::NONE)?;
    Ok(())
}

fn skip_step(exec: &mut Exec<'_>) {
    let head = &exec.state().head;
    let (active, step) = (head.active, head.step);
    exec.add(Record::SkipUsed(active, step));
    flow(exec, Flow::NextStep);
}

/// The next step of the turn, or its end.
pub fn next_step<P>(program: &Program, state: &MatchState) -> Record<P> {
    let head = &state.head;
    let next = StepId(head.step.0.saturating_add(1));
    if program.step(next).is_none() {
        return Record::FlowSet(Flow::TurnEnd);
    }
    let is_same = phase_of(program, next) == phase_of(program, head.step);
    let flow = if is_same { Flow::StepStart } else { Flow::PhaseChange };
    Record::Flowed { turn: head.turn, active: head.active, step: next, flow }
}

/// What lasted for the turn is over. Extra turns are taken first, in the order they were given; then play goes on from
/// where it was.
fn next_turn(exec: &mut Exec<'_>) {
    let regular = exec.state().head.regular;
    if exec.state().head.ending {
        exec.add(Record::Ending(false));
    }
    let extra = exec.state().extra_turns.first().copied();
    let next = extra.unwrap_or_else(|| exec.state().next_player(regular));
    end_of_turn(exec, next);
    if extra.is_some() {
        exec.add(Record::TurnTaken);
    }
    let record = turn_of(exec.state(), next);
    exec.add(record);
}

/// The turn of a player begins.
pub fn turn_of<P>(state: &MatchState, next: PlayerId) -> Record<P> {
    let turn = state.head.turn.saturating_add(1);
    Record::Flowed { turn, active: next, step: StepId(0), flow: Flow::TurnStart }
}

/// Drops what lasts for the turn, or until the turn of the player who comes next.
fn end_of_turn(exec: &mut Exec<'_>, next: PlayerId) {
    let ends = |it: &Modifier| it.lasts == Lasts::Turn || it.lasts == Lasts::TurnOf(next);
    let over: Vec<u32> = exec.state().mods.iter().filter(|it| ends(it)).map(|it| it.no).collect();
    over.into_iter().for_each(|it| exec.add(Record::ModDropped(it)));
    let program = exec.program;
    let waits = |it: &Delay| program.rule(it.what.rule).and_then(|rule| rule.delay).is_some_and(|it| it.this_turn);
    let over: Vec<u32> = exec.state().delays.iter().filter(|it| waits(it)).map(|it| it.what.no).collect();
    over.into_iter().for_each(|it| exec.add(Record::DelayDropped(it)));
}

fn phase_of(program: &Program, step: StepId) -> i64 {
    program.step(step).map_or(NULL, |it| it.phase.into())
}

/// The phase that was before a step: of the step before it, or of the last step of the turn before.
fn phase_before(program: &Program, step: StepId) -> i64 {
    match step.0.checked_sub(1) {
        Some(before) => phase_of(program, StepId(before)),
        None => program.steps.last().map_or(NULL, |it| it.phase.into()),
    }
}

/// Whether a turn that begins changes the phase; the first turn of a match changes nothing.
fn is_new_phase(program: &Program, state: &MatchState) -> bool {
    let step = state.head.step;
    state.head.turn > 1 && phase_before(program, step) != phase_of(program, step)
}
