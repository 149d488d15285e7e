//! Carries out one step of a match in place. What it writes is noted in the journal, so that it can be taken back, and is
//! kept for the sink until the step is certain.

use ruleset::{
    CodePtr, EventTypeId, Program, SelectId,
    instr::Instr,
    program::{BuiltIn, EventType},
};

use crate::{
    act::Judge,
    derived::Derived,
    discover,
    eval::{self, Cx, Who},
    fault::{Fault, Limit},
    ids::{EntityId, EventNo, PlayerId},
    journal,
    record::Record,
    rng,
    scratch::{Fact, Machine, Scratch, Span, slice},
    select,
    state::{Frame, MatchState, Paid, Payment},
    writer::Writer,
};

/// A place in a step to come back to.
#[derive(Clone, Copy)]
pub struct Mark {
    journal: journal::Mark,
    records: usize,
    facts: usize,
    numbers: (u32, u32, u32),
}

/// A match in the middle of a step.
pub struct Exec<'a> {
    pub program: &'a Program,
    state: &'a mut MatchState,
    derived: &'a mut Derived,
    pub scratch: &'a mut Scratch,
    next_event: u32,
    next_mod: u32,
    next_group: u32,
    /// The event that happens without a frame, and its variables.
    at_once: Option<(EventNo, Span)>,
    /// Up to where what was done is certain.
    certain: Mark,
}

impl<'a> Exec<'a> {
    /// Begins a step.
    pub fn new(
        program: &'a Program,
        state: &'a mut MatchState,
        derived: &'a mut Derived,
        scratch: &'a mut Scratch,
    ) -> Self {
        scratch.clear();
        scratch.refill(program.limits.instructions_per_step_max);
        let numbers = (state.head.next_event, state.head.next_mod, state.head.next_group);
        let certain = Mark { journal: scratch.journal.mark(), records: 0, facts: 0, numbers };
        let (next_event, next_mod, next_group) = numbers;
        Self { program, state, derived, scratch, next_event, next_mod, next_group, at_once: None, certain }
    }

    /// What was done so far is certain, and nobody answers it: what comes next is a step of its own, which can fail
    /// alone.
    pub fn go_on(&mut self) -> Result<(), Fault> {
        self.scratch.refuel(self.program.limits.instructions_per_step_max);
        if self.scratch.work == 0 {
            return Err(Fault::Limit(Limit::WorkPerCommand));
        }
        self.scratch.journal.clear();
        self.certain = self.mark();
        Ok(())
    }

    /// Takes back what is not certain.
    pub fn give_up(&mut self) {
        let to = self.certain;
        self.rewind(&to);
    }

    /// The state as it is now.
    #[inline]
    pub fn state(&self) -> &MatchState {
        self.state
    }

    /// The variables of a frame, or of an event that happens without one.
    pub fn cells_of(&self, frame: &Frame) -> &[i64] {
        match self.at_once {
            Some((event, span)) if event == frame.event => self.scratch.at(span),
            _ => self.state.cells_of(frame),
        }
    }

    /// Makes the variables of a frame, or of an event that happens without one, those that code sees.
    #[inline]
    pub fn load_cells(&mut self, frame: &Frame) {
        let Scratch { machine, data, .. } = &mut *self.scratch;
        match self.at_once {
            Some((event, span)) if event == frame.event => machine.load_for(event, slice(data, span)),
            _ => machine.load_for(frame.event, self.state.cells_of(frame)),
        }
    }

    /// While an event happens without a frame, its variables are here.
    /// Gives what was there before.
    pub fn set_at_once(&mut self, at_once: Option<(EventNo, Span)>) -> Option<(EventNo, Span)> {
        self.scratch.machine.unload();
        core::mem::replace(&mut self.at_once, at_once)
    }

    /// Whether nobody answers what has happened in this step.
    pub fn is_unheard(&self) -> bool {
        !discover::is_heard(self.program, self.state, &self.scratch.facts)
    }

    /// Where the step stands, to come back to.
    pub fn mark(&self) -> Mark {
        Mark {
            journal: self.scratch.journal.mark(),
            records: self.scratch.records.len(),
            facts: self.scratch.facts.len(),
            numbers: (self.next_event, self.next_mod, self.next_group),
        }
    }

    /// What happened since.
    pub fn since(&self, from: &Mark) -> &[Fact] {
        self.scratch.facts.get(from.facts..).unwrap_or_default()
    }

    /// Takes back what was written since.
    pub fn rewind(&mut self, to: &Mark) {
        self.scratch.machine.unload();
        let Scratch { journal, records, facts, machine, .. } = &mut *self.scratch;
        journal.rewind(self.program, self.state, self.derived, to.journal);
        records.truncate(to.records);
        facts.truncate(to.facts);
        machine.is_trial_fresh = false;
        (self.next_event, self.next_mod, self.next_group) = to.numbers;
    }

    /// What code looks at, and what it works with.
    #[inline]
    fn desk(&mut self) -> (&MatchState, &Derived, &mut Machine, &mut Machine) {
        let Scratch { machine, judge, .. } = &mut *self.scratch;
        (self.state, self.derived, machine, judge)
    }

    /// Lets a judge look at the state. What that costs is not charged to the step.
    pub fn judge<T>(
        &mut self,
        player: PlayerId,
        responds_to: EventNo,
        look: impl FnOnce(&mut Judge<'_, '_>) -> T,
    ) -> T {
        let program = self.program;
        let (state, derived, _, machine) = self.desk();
        let judge = Judge::new(program, state, derived, player, machine);
        look(&mut Judge { responds_to, ..judge })
    }

    /// Makes the variables a judge worked with the step's own.
    pub fn load_judged(&mut self) {
        self.scratch.machine.load(self.scratch.judge.locals());
    }

    /// Keeps the fields of an event that waits on the stack.
    pub fn keep_fields_of(&mut self, frame: &Frame, event: &EventType) -> Span {
        let start = self.scratch.data.len();
        discover::add_fields(self.state.cells_of(frame), event, &mut self.scratch.data);
        self.scratch.span_from(start)
    }

    /// Keeps the variables of the code being run for a frame.
    pub fn keep_locals(&mut self) -> Span {
        let Scratch { machine, data, .. } = &mut *self.scratch;
        let start = data.len();
        data.extend_from_slice(machine.locals());
        self.scratch.span_from(start)
    }

    /// Writes one record.
    #[inline(always)]
    pub fn add(&mut self, record: Record<Span>) {
        if self.scratch.paid.is_some() {
            self.note_paid(&record);
        }
        self.scratch.charge_record();
        self.scratch.machine.is_trial_fresh = false;
        let Scratch { journal, data, .. } = &mut *self.scratch;
        let mut writer = Writer { program: self.program, state: self.state, derived: self.derived, journal };
        writer.put(&record, |span| slice(data, span));
        if self.scratch.is_told && (self.scratch.wants_everything || record.is_logged()) {
            self.scratch.records.push(record);
        }
        debug_assert!(crate::audit::audit(self.program, self.state).is_ok(), "state is broken after {record:?}");
    }

    /// Notes what a payment that may come back takes.
    #[cold]
    fn note_paid(&mut self, record: &Record<Span>) {
        let Some(paid) = &mut self.scratch.paid else { return };
        let event = EventNo::NONE;
        if let Record::Moved { card, from, to, .. } = *record {
            if self.program.place(to).is_some_and(|it| it.resets) {
                // What is printed on it again was not paid.
                paid.retain(|it| !it.is_value_of(card));
            }
            paid.push(Paid { event, entity: card, what: Payment::Card { from, to } });
        }
        if let Record::AttrSet { entity, column, value } = *record {
            let old = self.state.base(self.program, entity, column);
            let what = Payment::Value { column, amount: old.saturating_sub(value) };
            paid.push(Paid { event, entity, what });
        }
    }

    /// Puts a frame on the stack.
    pub fn push_frame(&mut self, frame: Frame, cells: Span) -> Result<(), Fault> {
        let depth_max = usize::try_from(self.program.limits.stack_depth_max).unwrap_or(usize::MAX);
        if self.state.stack.len() >= depth_max {
            return Err(Fault::Limit(Limit::StackDepth));
        }
        self.add(Record::Pushed(frame, cells));
        Ok(())
    }

    /// The number of the next event, fact or frame.
    pub fn event_no(&mut self) -> EventNo {
        let no = EventNo(self.next_event);
        self.next_event = self.next_event.saturating_add(1);
        no
    }

    /// The number of the next modifier.
    pub fn mod_no(&mut self) -> u32 {
        let no = self.next_mod;
        self.next_mod = self.next_mod.saturating_add(1);
        no
    }

    /// The number of the next group.
    pub fn group_no(&mut self) -> u32 {
        let no = self.next_group;
        self.next_group = self.next_group.saturating_add(1);
        no
    }

    /// Keeps a number for a card that may come.
    pub fn reserve(&mut self) -> Result<EntityId, Fault> {
        let id = EntityId::at(self.state.ents.len());
        if id.0 >= self.program.limits.entities_max {
            return Err(Fault::Limit(Limit::Entities));
        }
        self.add(Record::Reserved(id));
        Ok(id)
    }

    /// Runs pure code as somebody.
    pub fn eval(&mut self, who: Who, code: CodePtr) -> Result<i64, Fault> {
        let program = self.program;
        let (state, derived, machine, _) = self.desk();
        eval::eval(&Cx::new(program, state, derived, who), machine, code)
    }

    /// Whether a condition holds for somebody.
    pub fn holds(&mut self, who: Who, code: CodePtr) -> Result<bool, Fault> {
        if code.is_none() { Ok(true) } else { Ok(self.eval(who, code)? == 1) }
    }

    /// Runs pure code, and random picks, up to the next instruction that does something.
    pub fn next_effect(&mut self, who: Who, mut pc: CodePtr) -> Result<(Instr, CodePtr), Fault> {
        loop {
            // A list that is not there is done.
            if pc.is_none() {
                return Ok((Instr::End, pc));
            }
            let code = self.program.ops.entry(pc);
            let at = self.with(who, |cx, machine| eval::next_effect(cx, machine, code))?;
            let instr = self.program.instr(at);
            let Instr::Select(id) = instr else { return Ok((instr, at)) };
            self.select_random(who, id)?;
            pc = next(at);
        }
    }

    /// Lets pure code look at the state.
    pub fn with<T>(&mut self, who: Who, look: impl FnOnce(&Cx<'_>, &mut Machine) -> T) -> T {
        let program = self.program;
        let (state, derived, machine, _) = self.desk();
        look(&Cx::new(program, state, derived, who), machine)
    }

    /// Puts on top what a selector finds at random.
    fn select_random(&mut self, who: Who, id: SelectId) -> Result<(), Fault> {
        let stream = rng::stream_of(who.you);
        let mut generator = self.generator(stream);
        let mut luck = self.scratch.luck;
        let mut mix = |found: &mut [i64]| match &mut luck {
            Some(luck) => luck.mix(found),
            None => rng::shuffle(&mut generator, found),
        };
        let found = self.with(who, |cx, machine| select::found(cx, machine, id, Some(&mut mix)))?;
        self.scratch.luck = luck;
        self.scratch.machine.push(found);
        self.add(Record::Rolled(stream));
        Ok(())
    }

    /// A random number between two others, taken from somebody's stream.
    pub fn random(&mut self, who: Who, low: i64, high: i64) -> i64 {
        let stream = rng::stream_of(who.you);
        let width = u64::try_from(high.saturating_sub(low)).unwrap_or(0).saturating_add(1);
        let above = match &mut self.scratch.luck {
            Some(luck) => luck.below(width),
            None => rng::below(&mut self.generator(stream), width),
        };
        self.add(Record::Rolled(stream));
        low.saturating_add(i64::try_from(above).unwrap_or(0))
    }

    /// Puts items in random order, by the next number of a stream.
    pub fn shuffle(&mut self, stream: u8, items: &mut [i64]) {
        match &mut self.scratch.luck {
            Some(luck) => luck.mix(items),
            None => rng::shuffle(&mut self.generator(stream), items),
        }
        self.add(Record::Rolled(stream));
    }

    /// The generator of the next number of a stream.
    fn generator(&self, stream: u8) -> rand_chacha::ChaCha8Rng {
        rng::generator(&self.state.head, stream, 0)
    }

    /// Whether a rule could answer such a fact.
    #[inline]
    pub fn is_answered(&self, kind: EventTypeId) -> bool {
        discover::is_answered(self.program, self.state, kind)
    }

    /// Whether somebody looks at the fields of such a fact: a sink, or a rule.
    #[inline]
    pub fn is_looked_at(&self, kind: EventTypeId) -> bool {
        self.scratch.is_told || self.is_answered(kind)
    }

    /// Records that something happened, so that rules can react to it.
    #[inline]
    pub fn happened(&mut self, by: &Frame, kind: EventTypeId, subject: EntityId, args: Span) -> Result<EventNo, Fault> {
        let event = self.event_no();
        self.add(Record::Happened { event, kind, cause: by.event, subject, args });
        self.note_fact(by, event, kind, subject, args, false)?;
        Ok(event)
    }

    /// Records that something of the engine's own happened.
    pub fn happened_built_in(&mut self, by: &Frame, kind: BuiltIn, args: &[i64]) -> Result<EventNo, Fault> {
        let args = self.scratch.keep(args.iter().copied());
        self.happened(by, kind.id(), EntityId::NONE, args)
    }

    /// Keeps a fact that was written, if a rule could answer it, or if others are answered with it in mind.
    #[inline]
    pub fn note_fact(
        &mut self,
        by: &Frame,
        event: EventNo,
        kind: EventTypeId,
        subject: EntityId,
        args: Span,
        left: bool,
    ) -> Result<(), Fault> {
        let head = &self.state.head;
        if by.root == head.root && head.facts_in_root > self.program.limits.facts_per_root_max {
            return Err(Fault::Limit(Limit::FactsPerRoot));
        }
        let is_lost = kind == BuiltIn::EventFailed.id() || kind == BuiltIn::EventPrevented.id();
        if !left && !is_lost && !self.is_answered(kind) {
            return Ok(());
        }
        let fact = Fact {
            event,
            kind,
            subject,
            args,
            producer: by.event,
            root: by.root,
            source: by.source,
            left,
            one_subject: true,
        };
        self.scratch.facts.push(fact);
        Ok(())
    }
}

/// The place after an instruction.
pub fn next(pc: CodePtr) -> CodePtr {
    CodePtr(pc.0.saturating_add(1))
}
