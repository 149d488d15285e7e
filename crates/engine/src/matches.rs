//! A live match: takes commands, resolves the stack until it waits, and can be forked, encoded and taken back.

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::convert::Infallible;

use parity_scale_codec::{Decode, Encode};
use ruleset::{DefId, Program, Ruleset, StepId, hash::blake2_256, program::OnLimit};

use crate::{
    act::{self, Targets},
    apply,
    ask::{self, Choices},
    budget::Budget,
    check,
    command::{Command, Control},
    control,
    derived::Derived,
    discover,
    exec::Exec,
    fault::{Failure, Fault, Limit},
    group,
    ids::{EntityId, EventNo, InputNo, PlayerId},
    intent,
    legal::Offer,
    list,
    moves::{MoveKind, Moves},
    order,
    record::{Record, Sink},
    rejection::Rejection,
    scratch::{Fact, Machine, Scratch, Span, slice},
    shadow::Shadow,
    state::{
        Ask, Flow, Frame, FrameKind, Head, MatchState, NO_ZONE, Outcome, Pause, STREAMS, Stage, Status, Timer, Why,
        Window, ZoneRow,
    },
    suspension,
    takeback::Mark,
    turn, window,
    writer::Writer,
};

/// What a match begins with; the header of its log pins it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Setup {
    pub seed: [u8; 32],
    /// The cards of each seat, from the bottom.
    pub decks: Vec<Vec<DefId>>,
}

/// What a match waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Answers to open questions.
    Inputs(Vec<InputNo>),
    /// A player to act or pass.
    Priority(Window),
    /// The host's timer.
    Timer(Timer),
    /// A moderator.
    Paused(Pause),
    /// Nothing: it is over.
    Over(Outcome),
}

/// What a command led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The version of the match after it.
    pub version: u32,
    pub waiting: Waiting,
}

/// A match.
#[derive(Debug)]
pub struct Match {
    ruleset: Arc<Ruleset>,
    pub(crate) state: MatchState,
    derived: Derived,
    pub(crate) marks: Vec<Mark>,
    scratch: Scratch,
    shadow: Option<Box<Shadow>>,
    pub(crate) is_kept: bool,
    pub(crate) budget: Budget,
}

impl Clone for Match {
    fn clone(&self) -> Self {
        Self { marks: self.marks.clone(), is_kept: self.is_kept, ..self.fork() }
    }
}

impl Match {
    /// Begins a match and plays its set-up until somebody has to decide.
    pub fn start<S: Sink>(ruleset: Arc<Ruleset>, setup: &Setup, sink: &mut S) -> Result<(Self, Progress), Rejection> {
        let mut live = Self::empty(ruleset, setup)?;
        let progress = live.begin(setup, sink);
        Ok((live, progress))
    }

    /// A match before anything happened.
    pub fn empty(ruleset: Arc<Ruleset>, setup: &Setup) -> Result<Self, Rejection> {
        check_setup(ruleset.program(), setup)?;
        let state = initial_state(ruleset.program(), setup);
        let derived = Derived::new(ruleset.program(), &state);
        Ok(Self {
            ruleset,
            state,
            derived,
            marks: Vec::new(),
            scratch: Scratch::default(),
            shadow: None,
            is_kept: true,
            budget: Budget::default(),
        })
    }

    /// Deals the decks and plays until somebody has to decide.
    pub fn begin<S: Sink>(&mut self, setup: &Setup, sink: &mut S) -> Progress {
        if self.state.head.flow != Flow::Setup || self.state.head.next_event > 1 {
            return self.progress();
        }
        self.refuel();
        let ruleset = self.ruleset.clone();
        let program = ruleset.program();
        let deck = program.players.deck_zone;
        self.listen::<S>();
        let Ok(()) = self.exec(program, |exec| {
            for (seat, cards) in setup.decks.iter().enumerate() {
                let owner = PlayerId::at(seat);
                let to = MatchState::instance(program, deck, owner);
                for def in cards {
                    let Ok(card) = exec.reserve() else { continue };
                    // Cards of a deck were not made during the game: no event, so no rule answers.
                    let event = EventNo::NONE;
                    exec.add(Record::Created { event, cause: event, card, def: *def, owner, to, on_top: true });
                }
            }
            Ok::<(), Infallible>(())
        });
        self.commit(program, sink);
        self.run(sink);
        self.suspend(sink);
        self.progress()
    }

    /// Goes on until somebody has to decide.
    pub fn resume<S: Sink>(&mut self, sink: &mut S) -> Progress {
        self.refuel();
        self.listen::<S>();
        self.run(sink);
        self.suspend(sink);
        self.progress()
    }

    /// The rules it is played by.
    pub fn ruleset(&self) -> &Arc<Ruleset> {
        &self.ruleset
    }

    /// The state, to look at.
    pub fn state(&self) -> &MatchState {
        &self.state
    }

    pub(crate) fn scratch_mut(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

    /// What the last command left of the work one may cause (`workPerCommand`): how near it came to that limit.
    pub fn work_left(&self) -> u32 {
        self.scratch.work_left()
    }

    /// What is worked out from the state, to look at.
    pub fn derived(&self) -> &Derived {
        &self.derived
    }

    /// A copy to try things on; it cannot take back what came before it.
    pub fn fork(&self) -> Self {
        Self {
            ruleset: self.ruleset.clone(),
            state: self.state.clone(),
            derived: self.derived.clone(),
            marks: Vec::new(),
            scratch: Scratch::default(),
            shadow: None,
            is_kept: false,
            budget: self.budget.fresh(),
        }
    }

    /// Becomes what [`Match::fork`] of another would be, in the room it has: whoever tries many things on one copy after
    /// the other asks for no more memory.
    pub fn fork_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.ruleset, &other.ruleset) {
            self.ruleset = other.ruleset.clone();
        }
        self.state.clone_from(&other.state);
        self.derived.clone_from(&other.derived);
        self.marks.clear();
        self.scratch.work = 0;
        self.is_kept = false;
    }

    /// A match of the same rules that stands elsewhere; it cannot take back what came before it.
    pub(crate) fn with_state(&self, state: MatchState) -> Self {
        let ruleset = self.ruleset.clone();
        let derived = Derived::new(ruleset.program(), &state);
        let (marks, scratch, budget) = (Vec::new(), Scratch::default(), self.budget.fresh());
        Self { ruleset, state, derived, marks, scratch, shadow: None, is_kept: true, budget }
    }

    /// The hash of everything that decides how the match goes on.
    pub fn hash(&self) -> ruleset::Hash {
        blake2_256(&self.encode())
    }

    /// The match as bytes; [`Match::decode`] reads them.
    pub fn encode(&self) -> Vec<u8> {
        (&self.state, &self.marks).encode()
    }

    /// Reads a match from bytes; none if they are not a sound match of this ruleset.
    pub fn decode(ruleset: Arc<Ruleset>, mut bytes: &[u8]) -> Option<Self> {
        let (state, marks) = <(MatchState, Vec<Mark>)>::decode(&mut bytes).ok()?;
        let sound = |it: &MatchState| crate::audit::audit(ruleset.program(), it).is_ok();
        let marks_fit =
            marks.len() <= Mark::MAX && marks.iter().all(|it| it.player.0 < state.head.n_players && sound(&it.state));
        if !bytes.is_empty() || !sound(&state) || !marks_fit {
            return None;
        }
        let derived = Derived::new(ruleset.program(), &state);
        let (scratch, budget) = (Scratch::default(), Budget::default());
        Some(Self { ruleset, state, derived, marks, scratch, shadow: None, is_kept: true, budget })
    }

    /// What it waits for.
    #[inline]
    pub fn waiting(&self) -> Waiting {
        // What a match mostly waits for.
        if let Some(window) = self.window() {
            return Waiting::Priority(window);
        }
        self.stop().unwrap_or(Waiting::Paused(Pause::Invariant))
    }

    /// The window it waits in, if that is what it waits for.
    #[inline]
    pub fn window(&self) -> Option<Window> {
        let head = &self.state.head;
        let is_open = head.outcome.is_none() && head.paused.is_none() && self.state.asks.is_empty();
        head.window.filter(|_| is_open)
    }

    /// The actions a player can take now, by what they are about.
    pub fn offers(&self, player: PlayerId) -> Vec<Offer> {
        self.judged(player, &mut Machine::default(), |judge| judge.offers()).unwrap_or_default()
    }

    /// Complete commands a player can give now, at most so many: actions and passing, or answers to an open question.
    pub fn legal(&self, player: PlayerId, limit: usize) -> Vec<Command> {
        let mut moves = Moves::default();
        self.moves(player, limit, &mut moves);
        (0..moves.len()).filter_map(|it| moves.command(it)).collect()
    }

    /// The same in a window, at most so many for each action: none hides those that come after it.
    pub fn legal_by_action(&self, player: PlayerId, limit: usize) -> Vec<Command> {
        let actions = (0..self.ruleset.program().actions.len()).map(ruleset::ActionId::at);
        let commands = actions.flat_map(|it| self.legal_of(player, it, limit));
        commands.chain([Command::Pass { player }]).collect()
    }

    /// The ways to take one action now, at most so many.
    pub fn legal_of(&self, player: PlayerId, action: ruleset::ActionId, limit: usize) -> Vec<Command> {
        let mut moves = Moves::default();
        self.moves_of(player, action, limit, &mut moves);
        (0..moves.len()).filter_map(|it| moves.command(it)).collect()
    }

    /// Whether a player can take an action now.
    pub fn is_legal(&self, command: &Command) -> bool {
        let Command::Act { player, action, targets } = command else { return false };
        let filled = act::flatten(targets);
        self.judged(*player, &mut Machine::default(), |judge| judge.judge(*action, Targets(&filled)).is_ok())
    }

    /// The ways to take an action whose first slot is filled with these, at most so many.
    pub fn legal_with(&self, player: PlayerId, action: ruleset::ActionId, first: &[i64], limit: usize) -> Vec<Command> {
        let mut moves = Moves::default();
        self.moves_begun(player, action, first, limit, &mut moves);
        (0..moves.len()).filter_map(|it| moves.command(it)).collect()
    }

    /// Gives every answer a player can give to an open question, at most so many.
    pub(crate) fn answers(&self, player: PlayerId, ask: &Ask, limit: usize, moves: &mut Moves) {
        let Moves { list, machine, .. } = moves;
        let Some(choices) =
            self.choices_on(machine, ask, player).filter(|_| ask.seats & !ask.closed & player.bit() != 0)
        else {
            return;
        };
        let mut give = |values: &[i64]| list.push(MoveKind::Answer(ask.no), values);
        if (choices.min, choices.max) == (1, 1) {
            return choices.values.iter().take(limit).for_each(|it| give(&[*it]));
        }
        let sets = crate::legal::subsets(&choices.values, choices.min, choices.max, limit);
        sets.into_iter().take(limit).for_each(|it| give(&it));
    }

    /// What a player may answer to an open question.
    pub fn choices(&self, player: PlayerId, input: InputNo) -> Option<Choices> {
        self.choices_on(&mut Machine::default(), self.state.ask(input)?, player)
    }

    /// The same, worked out on a machine that others used before.
    fn choices_on(&self, machine: &mut Machine, ask: &Ask, player: PlayerId) -> Option<Choices> {
        let program = self.ruleset.program();
        machine.reset(program.limits.instructions_per_step_max);
        self.budget.limit(machine);
        let choices = ask::choices_within(program, &self.state, &self.derived, machine, ask, player).ok();
        self.budget.settle(machine);
        choices
    }

    /// Carries out a command, or refuses it without changing anything.
    pub fn submit<S: Sink>(&mut self, command: &Command, sink: &mut S) -> Result<Progress, Rejection> {
        self.admit()?;
        let takes_back = matches!(command, Command::Undo { .. } | Command::Takeback { .. });
        if takes_back && self.state.head.paused.is_some() {
            return Err(Rejection::MatchPaused);
        }
        self.refuel();
        if let Command::Undo { player } = command {
            return self.undo(*player, sink);
        }
        if let Command::Takeback { to } = command {
            return self.takeback(*to, sink);
        }
        self.admit_player(command.player())?;
        let mark = self.mark_before(command);
        self.listen::<S>();
        let ruleset = self.ruleset.clone();
        self.exec(ruleset.program(), |exec| carry_out(exec, command))?;
        self.keep_mark(command, mark);
        self.commit(ruleset.program(), sink);
        self.run(sink);
        self.suspend(sink);
        Ok(self.progress())
    }

    /// Whether commands are taken at all.
    fn admit(&self) -> Result<(), Rejection> {
        if self.state.head.outcome.is_some() {
            return Err(Rejection::MatchOver);
        }
        if self.state.head.flow == Flow::Setup {
            return Err(Rejection::NotInWindow);
        }
        Ok(())
    }

    /// Whether commands of a player are taken; the host's always are.
    fn admit_player(&self, player: Option<PlayerId>) -> Result<(), Rejection> {
        if self.state.head.paused.is_some() && player.is_some() {
            return Err(Rejection::MatchPaused);
        }
        if player.is_some_and(|it| it.0 >= self.state.head.n_players) {
            return Err(Rejection::UnknownPlayer);
        }
        Ok(())
    }

    /// Carries out something as a whole: what fails is taken back.
    fn exec<T, E>(&mut self, program: &Program, act: impl FnOnce(&mut Exec<'_>) -> Result<T, E>) -> Result<T, E> {
        let mut exec = Exec::new(program, &mut self.state, &mut self.derived, &mut self.scratch);
        let done = act(&mut exec);
        if done.is_err() {
            exec.give_up();
        }
        done
    }

    /// Makes ready to tell a sink what is written.
    fn listen<S: Sink>(&mut self) {
        self.scratch.is_told = S::ON;
        // Who looks at the state after each record follows all of them.
        self.scratch.wants_everything = S::EVERYTHING || S::LOOKS;
        if !S::LOOKS {
            return;
        }
        let Self { state, derived, shadow, .. } = self;
        Shadow::renew(shadow, state, derived);
    }

    /// Every command has the same amount of work it may cause, whatever the one before it cost.
    fn refuel(&mut self) {
        self.scratch.machine.reset(u32::MAX);
        self.scratch.work = self.ruleset.program().limits.work_per_command_max;
    }

    #[inline]
    pub(crate) fn progress(&self) -> Progress {
        let version = self.state.head.version;
        // What a match mostly waits for.
        if let Some(window) = self.window() {
            return Progress { version, waiting: Waiting::Priority(window) };
        }
        Progress { version, waiting: self.waiting() }
    }

    /// What keeps the match from going on by itself.
    fn stop(&self) -> Option<Waiting> {
        let head = &self.state.head;
        if let Some(outcome) = head.outcome {
            return Some(Waiting::Over(outcome));
        }
        if let Some(pause) = head.paused {
            return Some(Waiting::Paused(pause));
        }
        if !self.state.asks.is_empty() {
            return Some(Waiting::Inputs(self.state.asks.iter().map(|it| it.no).collect()));
        }
        if let Some(window) = head.window {
            return Some(Waiting::Priority(window));
        }
        head.timer.map(Waiting::Timer)
    }

    /// Tells how the match waits, which is the end of a transition.
    pub(crate) fn suspend<S: Sink>(&mut self, sink: &mut S) {
        if !S::ON {
            return;
        }
        let data = &mut self.scratch.data;
        data.clear();
        suspension::write(&self.state, data);
        let record = Record::Suspended(Span::between(0, data.len()));
        sink.kept(&self.state, &record, data);
    }

    /// Resolves until the match waits. Every round ends in a record, and every loop has a limit.
    fn run<S: Sink>(&mut self, sink: &mut S) {
        let ruleset = self.ruleset.clone();
        while !self.state.is_stopped() {
            let top = self.state.top().copied();
            match self.step(ruleset.program(), top.as_ref()) {
                Ok(()) => self.commit(ruleset.program(), sink),
                Err(fault) => self.fail(fault, Failed::row(top.as_ref(), self.state.head.root), sink),
            }
        }
    }

    /// Does what comes next.
    fn step(&mut self, program: &Program, top: Option<&Frame>) -> Result<(), Fault> {
        if self.scratch.work == 0 {
            return Err(Fault::Limit(Limit::WorkPerCommand));
        }
        let is_due = self.state.head.dirty && self.state.head.flow != Flow::Setup;
        let is_due = is_due && !self.state.stack.iter().any(Frame::is_half_done);
        self.exec(program, |exec| {
            if is_due {
                if check::step(exec)? {
                    return Ok(());
                }
                exec.add(Record::Settled);
            }
            match top {
                Some(top) => step(exec, top),
                None => turn::idle(exec),
            }
        })
    }

    /// Tells what a step has written, then finds the reactions to it.
    fn commit<S: Sink>(&mut self, program: &Program, sink: &mut S) {
        self.hand_over(program, sink);
        if !self.is_heard(program) {
            return;
        }
        // What is found below is written into other buffers; these are used again after it.
        let (mut facts, mut data) = core::mem::take(&mut self.scratch.spare);
        core::mem::swap(&mut facts, &mut self.scratch.facts);
        core::mem::swap(&mut data, &mut self.scratch.data);
        match self.exec(program, |exec| discover::after(exec, &facts, &data)) {
            Ok(_) => self.hand_over(program, sink),
            Err(fault) => self.fail(fault, Failed::producer(&facts), sink),
        }
        self.scratch.spare = (facts, data);
    }

    /// Whether some rule could answer what the last step made happen.
    fn is_heard(&self, program: &Program) -> bool {
        discover::is_heard(program, &self.state, &self.scratch.facts) && self.state.head.outcome.is_none()
    }

    /// Hands what was written to a sink: it is certain now. One that looks sees the state after each record, in a copy
    /// that follows.
    fn hand_over<S: Sink>(&mut self, program: &Program, sink: &mut S) {
        if !S::ON {
            return;
        }
        let Scratch { records, data, .. } = &mut self.scratch;
        for record in records.drain(..) {
            match self.shadow.as_deref_mut().filter(|_| S::LOOKS) {
                Some(shadow) => {
                    shadow.follow(program, &record, |span| slice(data, span));
                    sink.kept(&shadow.state, &record, data);
                }
                None => sink.kept(&self.state, &record, data),
            }
        }
    }

    /// An item could not be carried out: the rest of its chain is dropped, and the match pauses or ends (ruling 22).
    fn fail<S: Sink>(&mut self, fault: Fault, failed: Failed, sink: &mut S) {
        let ruleset = self.ruleset.clone();
        // What was certain before it failed has happened.
        self.hand_over(ruleset.program(), sink);
        let Ok(()) = self.exec(ruleset.program(), |exec| {
            give_up(exec, fault, failed);
            Ok::<(), Infallible>(())
        });
        self.scratch.facts.clear();
        self.hand_over(ruleset.program(), sink);
    }

    /// Applies one record of a log. The marks it may need are kept by [`Match::mark`].
    pub fn fold(&mut self, record: &Record<&[i64]>) {
        if let Record::Undone { to, epoch } = *record {
            let Some(at) = self.marks.iter().position(|it| it.version == to) else {
                return;
            };
            let (next, connected) = (self.state.head.next_event, self.state.head.connected);
            if let Some(mark) = self.marks.drain(at..).next() {
                self.state = mark.state;
            }
            // Numbers of events are never used twice, so that the log stays readable.
            self.state.head.next_event = next;
            self.state.head.connected = connected;
            self.state.head.epoch = epoch;
            self.derived = Derived::new(self.ruleset.program(), &self.state);
            return;
        }
        let Self { ruleset, state, derived, scratch, .. } = self;
        let journal = &mut scratch.journal;
        journal.clear();
        Writer { program: ruleset.program(), state, derived, journal }.put(record, |list| list);
    }

    /// Keeps a mark for a command that is about to be folded from a log.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "instructions and records of the other classes are not for this place"
    )]
    pub fn mark(&mut self, command: &Command) {
        match command {
            Command::Undo { .. } | Command::Takeback { .. } => {}
            _ => {
                let mark = self.mark_before(command);
                self.keep_mark(command, mark);
            }
        }
    }

    /// Whether what is kept for speed is what would be worked out from the beginning.
    pub fn is_derived_sound(&self) -> bool {
        self.derived == Derived::new(self.ruleset.program(), &self.state)
    }

    /// The limit a match stands still at; for hosts without a moderator that is its end.
    pub fn halted(&self) -> Option<Limit> {
        match self.state.head.paused {
            Some(Pause::Limit(limit)) => Some(limit),
            _ => None,
        }
    }

    /// Gives a verb of `system.control`.
    pub fn control<S: Sink>(&mut self, verb: Control, sink: &mut S) -> Result<Progress, Rejection> {
        self.submit(&Command::Control(verb), sink)
    }
}

/// What could not be carried out, and the chain that falls with it.
#[derive(Clone, Copy)]
struct Failed {
    event: EventNo,
    kind: ruleset::EventTypeId,
    root: EventNo,
}

impl Failed {
    /// The row that was being carried out, or the game itself.
    fn row(top: Option<&Frame>, root: EventNo) -> Self {
        let none = Self { event: EventNo::NONE, kind: ruleset::EventTypeId::NONE, root };
        top.map_or(none, |it| Self { event: it.event, kind: it.etype, root: it.root })
    }

    /// What made facts that cannot be answered; its row may be gone, so that another chain is on top.
    fn producer(facts: &[Fact]) -> Self {
        let none = Self { event: EventNo::NONE, kind: ruleset::EventTypeId::NONE, root: EventNo::NONE };
        facts.first().map_or(none, |it| Self { event: it.producer, kind: it.kind, root: it.root })
    }
}

/// What a command does first.
fn carry_out(exec: &mut Exec<'_>, command: &Command) -> Result<(), Rejection> {
    exec.add(Record::Accepted { version: exec.state().head.version.saturating_add(1) });
    match command {
        Command::Pass { player } => window::pass(exec, *player),
        Command::EndTurn { player } => window::end_turn(exec, *player),
        Command::Answer { player, input, values, confirm } => ask::answer(exec, *player, *input, values, *confirm),
        Command::Reorder { player, cards } => reorder(exec, *player, cards),
        Command::Control(verb) => control::control(exec, *verb),
        Command::Act { player, action, targets } => {
            act::announce(exec, *player, *action, Targets(&act::flatten(targets)))
        }
        Command::Undo { .. } | Command::Takeback { .. } => Ok(()),
    }
}

/// Tells that something could not be carried out, takes the rest of its chain off the stack, and pauses or ends.
fn give_up(exec: &mut Exec<'_>, fault: Fault, failed: Failed) {
    let event = exec.event_no();
    let by = Frame::blank(FrameKind::Intent, event);
    let why = Failure::from(fault).number();
    let args = exec.scratch.keep([failed.event.into(), failed.kind.into(), why, ruleset::NULL, ruleset::NULL]);
    let kind = ruleset::program::BuiltIn::EventFailed.id();
    exec.add(Record::Happened { event, kind, cause: failed.event, subject: EntityId::NONE, args });
    control::clear_waiting(exec);
    while let Some(top) = exec.state().top().filter(|it| it.root == failed.root).copied() {
        // Where even that fails, the card stays where it waits.
        let _ = intent::wait_no_more(exec, &top, intent::Ending::Prevented);
        exec.add(Record::Released(top.event));
        exec.add(Record::Popped);
    }
    let ties = exec.program.policy.on_limit == OnLimit::Tie && matches!(fault, Fault::Limit(_));
    if ties {
        let tie = Outcome { winners: 0, why: Why::Limit };
        // Telling of the end cannot hit a limit again: it belongs to no chain.
        if apply::ended(exec, &by, tie).is_err() {
            exec.add(Record::Ended(tie));
        }
    } else {
        exec.add(Record::Paused(Some(match fault {
            Fault::Limit(limit) => Pause::Limit(limit),
            Fault::Impossible | Fault::Invariant => Pause::Invariant,
        })));
    }
}

/// What the top row of the stack does next.
fn step(exec: &mut Exec<'_>, top: &Frame) -> Result<(), Fault> {
    match (top.kind, top.stage) {
        (FrameKind::Intent, Stage::Fresh) if top.action.is_some() => window::announce(exec, top),
        (FrameKind::Intent, Stage::Announced) if !top.responded && exec.program.policy.reopen_windows => {
            window::open_again(exec, top)
        }
        (FrameKind::Intent, Stage::Fresh | Stage::Announced) => intent::schedule_before(exec, top),
        (FrameKind::Intent, Stage::Before) => intent::attempt(exec, top),
        (FrameKind::Trigger, Stage::Fresh) => list::begin_trigger(exec, top),
        (FrameKind::Intent | FrameKind::Trigger, Stage::Running) => list::run(exec, top),
        (FrameKind::Group, _) => group::step(exec, top),
        (FrameKind::Order, _) => order::step(exec, top),
        // A trigger is never announced, and a member is never on top: its controller lies above it.
        (FrameKind::Trigger | FrameKind::Member, _) => Err(Fault::Invariant),
    }
}

/// Puts the cards of an own zone in another order, where the ruleset lets players do that by hand.
fn reorder(exec: &mut Exec<'_>, player: PlayerId, cards: &[EntityId]) -> Result<(), Rejection> {
    let first = cards.first().copied().unwrap_or(EntityId::NONE);
    let zone = exec.state().ent(first).map_or(NO_ZONE, |it| it.zone);
    let (kind, seat) =
        exec.program.zone_of(zone).filter(|_| zone != NO_ZONE).ok_or(Rejection::IllegalReorder { card: first })?;
    let allowed = exec.program.policy.reorder_zones & 1_u64.checked_shl(u32::from(kind.0)).unwrap_or(0) != 0;
    if !allowed || seat != Some(player.0) {
        return Err(Rejection::IllegalReorder { card: first });
    }
    let mut wanted: Vec<EntityId> = cards.to_vec();
    let mut there: Vec<EntityId> = exec.state().cards_in(zone).collect();
    wanted.sort();
    there.sort();
    if wanted != there {
        let stray = wanted.iter().find(|it| !there.contains(it)).copied();
        return Err(Rejection::IllegalReorder { card: stray.unwrap_or(first) });
    }
    let span = exec.scratch.keep(cards.iter().map(|it| i64::from(*it)));
    exec.add(Record::Ordered(zone, span));
    Ok(())
}

fn check_setup(program: &Program, setup: &Setup) -> Result<(), Rejection> {
    let (min, max) = (program.players.min, program.players.max);
    let got = u8::try_from(setup.decks.len()).unwrap_or(u8::MAX);
    if got < min || got > max {
        return Err(Rejection::WrongPlayerCount { min, max, got });
    }
    let total: usize = setup.decks.iter().map(Vec::len).sum();
    let room = usize::try_from(program.limits.entities_max).unwrap_or(usize::MAX).saturating_sub(usize::from(got));
    for (seat, deck) in setup.decks.iter().enumerate() {
        let legal = |it: &DefId| program.def(*it).is_some_and(|def| !def.is_token);
        let fits = deck.is_empty() || (program.players.deck_zone.is_some() && total <= room);
        if !deck.iter().all(legal) || !fits {
            return Err(Rejection::IllegalDeck { seat: PlayerId::at(seat) });
        }
    }
    Ok(())
}

fn initial_state(program: &Program, setup: &Setup) -> MatchState {
    let n = u8::try_from(setup.decks.len()).unwrap_or(0);
    let players = (0..n).map(|seat| crate::state::Entity {
        def: DefId::NONE,
        zone: NO_ZONE,
        below: EntityId::NONE,
        above: EntityId::NONE,
        owner: PlayerId(seat),
        controller: PlayerId(seat),
        since: 0,
        moves: 0,
        left: 0,
        seen: u16::MAX,
        status: Status::Player,
        created: false,
    });
    let stride = usize::from(program.stride);
    let mut attrs = alloc::vec![0; stride.saturating_mul(usize::from(n))];
    for rule in program.attrs.iter().filter(|it| it.on_players) {
        for seat in 0..usize::from(n) {
            let at = seat.saturating_mul(stride).saturating_add(usize::from(rule.column));
            if let Some(slot) = attrs.get_mut(at) {
                *slot = rule.start.clamp(rule.min, rule.max);
            }
        }
    }
    let everyone = (0..n).fold(0, |acc, it| acc | PlayerId(it).bit());
    let empty = ZoneRow { bottom: EntityId::NONE, top: EntityId::NONE, len: 0 };
    MatchState {
        head: initial_head(setup.seed, n, everyone),
        ents: players.collect(),
        last: attrs.clone(),
        attrs,
        zones: alloc::vec![empty; usize::from(program.n_zones)],
        mods: Vec::new(),
        counts: Vec::new(),
        stack: Vec::new(),
        cells: Vec::new(),
        groups: Vec::new(),
        notes: Vec::new(),
        paid: Vec::new(),
        asks: Vec::new(),
        answers: Vec::new(),
        held: Vec::new(),
        delays: Vec::new(),
        parted: Vec::new(),
        extra_turns: Vec::new(),
        skips: Vec::new(),
    }
}

fn initial_head(key: [u8; 32], n_players: u8, everyone: u16) -> Head {
    Head {
        key,
        epoch: 0,
        rng: [0; STREAMS],
        n_players,
        alive: everyone,
        connected: everyone,
        turn: 1,
        active: PlayerId(0),
        regular: PlayerId(0),
        extra_next: false,
        step: StepId(0),
        flow: Flow::Setup,
        ending: false,
        window: None,
        timer: None,
        paused: None,
        outcome: None,
        next_event: 1,
        next_input: 1,
        next_mod: 1,
        next_group: 1,
        version: 0,
        root: EventNo::NONE,
        facts_in_root: 0,
        last_fact: EventNo::NONE,
        idle_steps: 0,
        check_rounds: 0,
        rolls: 0,
        reveals: 0,
        dirty: false,
    }
}
