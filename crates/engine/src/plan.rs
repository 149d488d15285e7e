//! A plan: the records one step or command will make, worked out without touching the match.
//! What must see its own effects is worked out on a copy of the state.

use alloc::boxed::Box;

use ruleset::{CodePtr, EventTypeId, Program, SelectId, instr::Instr, program::BuiltIn, reads::Reads};

use crate::{
    act::Judge,
    derived::Derived,
    discover,
    eval::{self, Cx, Who},
    fault::{Fault, Limit},
    fold::fold,
    ids::{EntityId, EventNo, PlayerId},
    record::Record,
    rng,
    scratch::{Fact, Machine, Scratch, Span, slice},
    select,
    state::{Frame, MatchState, STREAMS},
    tree,
};

/// A place in a plan.
pub struct Checkpoint {
    records: usize,
    facts: usize,
    numbers: (u32, u32, u32, u32),
    pushed: usize,
}

/// What is planned so far.
pub struct Plan<'a> {
    pub program: &'a Program,
    base: &'a MatchState,
    base_derived: &'a Derived,
    /// Whether the copy in the scratch memory is what the plan sees.
    sees_copy: bool,
    /// What of the world planned records change that the plan does not see yet.
    unseen: Reads,
    pub scratch: &'a mut Scratch,
    next_event: u32,
    next_entity: u32,
    next_mod: u32,
    next_group: u32,
    /// Random numbers taken but not folded, by stream.
    ahead: [u32; STREAMS],
    /// Rows pushed but not folded.
    pushed: usize,
    /// The event that happens without a row, and its variables.
    at_once: Option<(EventNo, Span)>,
}

impl<'a> Plan<'a> {
    /// Begins a plan.
    pub fn new(program: &'a Program, state: &'a MatchState, derived: &'a Derived, scratch: &'a mut Scratch) -> Self {
        scratch.clear();
        scratch.refill(program.limits.instructions_per_step_max);
        Self {
            program,
            base: state,
            base_derived: derived,
            sees_copy: false,
            unseen: Reads::NONE,
            scratch,
            next_event: state.head.next_event,
            next_entity: u32::try_from(state.ents.len()).unwrap_or(u32::MAX),
            next_mod: state.head.next_mod,
            next_group: state.head.next_group,
            ahead: [0; STREAMS],
            pushed: 0,
            at_once: None,
        }
    }

    /// The state as the plan sees it.
    pub fn state(&self) -> &MatchState {
        self.looks().0
    }

    /// The variables of a row, or of an event that happens without one.
    pub fn cells_of(&self, frame: &Frame) -> &[i64] {
        match self.at_once {
            Some((event, span)) if event == frame.event => self.scratch.at(span),
            _ => self.state().cells_of(frame),
        }
    }

    /// While an event happens without a row, its variables are here.
    /// Gives what was there before.
    pub fn set_at_once(&mut self, at_once: Option<(EventNo, Span)>) -> Option<(EventNo, Span)> {
        core::mem::replace(&mut self.at_once, at_once)
    }

    /// Whether what was planned so far changes nothing that code looks at, and nobody answers it: more can be planned
    /// on top of it.
    pub fn is_quiet(&self) -> bool {
        self.sees_all() && self.is_unheard()
    }

    /// Whether the plan sees all it has planned.
    pub fn sees_all(&self) -> bool {
        self.unseen == Reads::NONE
    }

    /// Whether nobody answers what was planned to happen.
    pub fn is_unheard(&self) -> bool {
        !discover::is_heard(self.program, self.base, &self.scratch.facts)
    }

    /// Variables of the top row change, which code sees only in the next step.
    pub fn rebound(&mut self) {
        self.unseen = Reads::ALL;
    }

    /// Where the plan stands, to come back to.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            records: self.scratch.records.len(),
            facts: self.scratch.facts.len(),
            numbers: (self.next_event, self.next_entity, self.next_mod, self.next_group),
            pushed: self.pushed,
        }
    }

    /// What was planned since.
    pub fn since(&self, from: &Checkpoint) -> &[Record<Span>] {
        self.scratch.records.get(from.records..).unwrap_or_default()
    }

    /// Takes back what was planned since; the plan goes on seeing its own effects.
    pub fn rewind(&mut self, to: &Checkpoint) {
        self.scratch.records.truncate(to.records);
        self.scratch.facts.truncate(to.facts);
        (self.next_event, self.next_entity, self.next_mod, self.next_group) = to.numbers;
        self.pushed = to.pushed;
        self.sees_copy = false;
        self.see_own_effects();
    }

    /// A value as it was before the plan began.
    pub fn before_plan(&self, entity: EntityId, column: u16) -> i32 {
        self.base.base(self.program, entity, column)
    }

    /// From here on the plan sees its own effects.
    pub fn see_own_effects(&mut self) {
        if self.sees_copy {
            return;
        }
        let Scratch { copy, records, data, .. } = &mut *self.scratch;
        // The copy of an earlier plan is written over, so that nothing is allocated.
        let (state, derived) = match copy {
            Some(copy) => {
                copy.0.clone_from(self.base);
                copy.1.clone_from(self.base_derived);
                &mut **copy
            }
            None => &mut **copy.insert(Box::new((self.base.clone(), self.base_derived.clone()))),
        };
        for record in records {
            fold(self.program, state, derived, record, |span| slice(data, span));
        }
        self.ahead = [0; STREAMS];
        self.sees_copy = true;
        self.unseen = Reads::NONE;
    }

    /// Code is about to look at something: if planned records change that, the plan sees its own effects from here on.
    #[inline]
    pub fn look(&mut self, reads: Reads) {
        if self.unseen.meets(reads) {
            self.see_own_effects();
        }
    }

    /// A value without modifiers, as planned records leave it. Others than those that set values must be seen already.
    pub fn base_value(&self, entity: EntityId, column: u16) -> i32 {
        let is_it = |it: &Record<Span>| {
            let Record::AttrSet { entity: of, column: at, value } = it else { return None };
            ((*of, *at) == (entity, column)).then_some(*value)
        };
        let mut planned = self.scratch.records.iter().rev().take_while(|_| self.unseen != Reads::NONE);
        planned.find_map(is_it).unwrap_or_else(|| self.state().base(self.program, entity, column))
    }

    /// The state as the plan sees it, with what is worked out from it.
    pub fn looks(&self) -> (&MatchState, &Derived) {
        let copy = self.scratch.copy.as_deref().filter(|_| self.sees_copy);
        copy.map_or((self.base, self.base_derived), |it| (&it.0, &it.1))
    }

    /// What code looks at, and what it works with.
    fn desk(&mut self) -> (&MatchState, &Derived, &mut Machine, &mut Machine) {
        let Scratch { copy, machine, judge, .. } = &mut *self.scratch;
        match copy.as_deref().filter(|_| self.sees_copy) {
            Some((state, derived)) => (state, derived, machine, judge),
            None => (self.base, self.base_derived, machine, judge),
        }
    }

    /// Lets a judge look at the state as the plan sees it. What he spends is not the plan's.
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

    /// Makes the variables a judge worked with the plan's own.
    pub fn load_judged(&mut self) {
        core::mem::swap(&mut self.scratch.judge.locals, &mut self.scratch.machine.locals);
    }

    /// Keeps the variables of the code being run for a planned record.
    pub fn keep_locals(&mut self) -> Span {
        let Scratch { machine, data, .. } = &mut *self.scratch;
        let start = data.len();
        data.extend_from_slice(&machine.locals);
        self.scratch.span_from(start)
    }

    /// Puts a record before others that were planned already.
    pub fn insert(&mut self, at: usize, record: Record<Span>) {
        self.scratch.records.insert(at, record);
    }

    /// Plans one record.
    pub fn add(&mut self, record: Record<Span>) {
        if self.sees_copy {
            let Scratch { copy, data, .. } = &mut *self.scratch;
            if let Some((state, derived)) = copy.as_deref_mut() {
                fold(self.program, state, derived, &record, |span| slice(data, span));
            }
        } else {
            self.note_unseen(&record);
        }
        self.scratch.records.push(record);
    }

    /// Notes what a record changes that the plan does not see.
    #[inline]
    fn note_unseen(&mut self, record: &Record<Span>) {
        if let Record::Rolled(stream) = record {
            if let Some(ahead) = self.ahead.get_mut(usize::from(*stream)) {
                *ahead = ahead.saturating_add(1);
            }
        } else if let Record::AttrSet { column, .. } = record {
            self.unseen = self.unseen.with(Reads::column(*column));
        } else if record.is_world() {
            self.unseen = Reads::ALL;
        }
    }

    /// Plans a row on the stack.
    pub fn push_frame(&mut self, frame: Frame, cells: Span) -> Result<(), Fault> {
        self.pushed = self.pushed.saturating_add(1);
        let depth = self.base.stack.len().saturating_add(self.pushed);
        if depth > usize::try_from(self.program.limits.stack_depth_max).unwrap_or(usize::MAX) {
            return Err(Fault::Limit(Limit::StackDepth));
        }
        self.add(Record::Pushed(frame, cells));
        Ok(())
    }

    /// The number of the next event, fact or row.
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
        if self.next_entity >= self.program.limits.entities_max {
            return Err(Fault::Limit(Limit::Entities));
        }
        let id = EntityId(self.next_entity);
        self.next_entity = self.next_entity.saturating_add(1);
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

    /// Runs one instruction of pure code.
    fn pure(&mut self, who: Who, instr: Instr) -> Result<eval::Go, Fault> {
        let program = self.program;
        let (state, derived, machine, _) = self.desk();
        eval::pure(&Cx::new(program, state, derived, who), machine, instr)
    }

    /// Runs pure code, and random picks, up to the next instruction that does something.
    pub fn next_effect(&mut self, who: Who, pc: CodePtr) -> Result<(Instr, CodePtr), Fault> {
        self.next_of(who, pc, |_, _| {})
    }

    /// The same for a write list, whose code sees what the list wrote before.
    pub fn next_write(&mut self, who: Who, pc: CodePtr) -> Result<(Instr, CodePtr), Fault> {
        self.next_of(who, pc, |plan, pc| {
            if plan.unseen != Reads::NONE {
                let n = plan.program.trees.run(pc).map_or(0, |it| usize::from(it.0.size));
                plan.look(plan.program.reads(pc, n.saturating_add(1)));
            }
        })
    }

    fn next_of(
        &mut self,
        who: Who,
        mut pc: CodePtr,
        before: impl Fn(&mut Self, CodePtr),
    ) -> Result<(Instr, CodePtr), Fault> {
        loop {
            before(self, pc);
            pc = self.with(who, |cx, machine| tree::run(cx, machine, pc))?;
            match self.pass(who, pc)? {
                eval::Go::On => pc = next(pc),
                eval::Go::To(to) => pc = to,
                eval::Go::Effect => return Ok((self.program.instr(pc), pc)),
                // Lists end with `End`; only pure code returns.
                eval::Go::Return => return Err(Fault::Invariant),
            }
        }
    }

    /// Passes one instruction, if it is one of pure code or a random pick.
    #[inline]
    fn pass(&mut self, who: Who, pc: CodePtr) -> Result<eval::Go, Fault> {
        let instr = self.program.instr(pc);
        if instr.is_effect() {
            self.scratch.machine.spend(1)?;
            return Ok(eval::Go::Effect);
        }
        if let Instr::Select(id) = instr
            && self.program.select(id).is_some_and(|it| it.random.is_some())
        {
            self.select_random(who, id)?;
            return Ok(eval::Go::On);
        }
        self.pure(who, instr)
    }

    /// Lets pure code look at the state as the plan sees it.
    pub fn with<T>(&mut self, who: Who, look: impl FnOnce(&Cx<'_>, &mut Machine) -> T) -> T {
        let program = self.program;
        let (state, derived, machine, _) = self.desk();
        look(&Cx::new(program, state, derived, who), machine)
    }

    /// Puts on top what a selector finds at random.
    fn select_random(&mut self, who: Who, id: SelectId) -> Result<(), Fault> {
        let stream = rng::stream_of(who.you);
        let mut generator = self.generator(stream);
        let program = self.program;
        let (state, derived, machine, _) = self.desk();
        let cx = Cx::new(program, state, derived, who);
        let mut mix = |found: &mut [i64]| rng::shuffle(&mut generator, found);
        select::list(&cx, machine, id, Some(&mut mix))?;
        self.add(Record::Rolled(stream));
        Ok(())
    }

    /// A random number between two others, taken from somebody's stream.
    pub fn random(&mut self, who: Who, low: i64, high: i64) -> i64 {
        let stream = rng::stream_of(who.you);
        let mut generator = self.generator(stream);
        self.add(Record::Rolled(stream));
        let width = u64::try_from(high.saturating_sub(low)).unwrap_or(0).saturating_add(1);
        low.saturating_add(i64::try_from(rng::below(&mut generator, width)).unwrap_or(0))
    }

    /// The generator of the next number of a stream.
    pub fn generator(&self, stream: u8) -> rand_chacha::ChaCha8Rng {
        let ahead = self.ahead.get(usize::from(stream)).copied().unwrap_or(0);
        rng::generator(&self.state().head, stream, ahead)
    }

    /// Plans that something happened, so that rules can react to it.
    pub fn happened(&mut self, by: &Frame, kind: EventTypeId, subject: EntityId, args: Span) -> Result<EventNo, Fault> {
        let event = self.event_no();
        self.add(Record::Happened { event, kind, cause: by.event, subject, args });
        self.note_fact(by, event, kind, subject, args, false)?;
        Ok(event)
    }

    /// Plans that something of the engine's own happened.
    pub fn happened_built_in(&mut self, by: &Frame, kind: BuiltIn, args: &[i64]) -> Result<EventNo, Fault> {
        let args = self.scratch.keep(args.iter().copied());
        self.happened(by, kind.id(), EntityId::NONE, args)
    }

    /// Keeps a fact for discovery.
    pub fn note_fact(
        &mut self,
        by: &Frame,
        event: EventNo,
        kind: EventTypeId,
        subject: EntityId,
        args: Span,
        left: bool,
    ) -> Result<(), Fault> {
        let so_far = u32::try_from(self.scratch.facts.len()).unwrap_or(u32::MAX);
        let total = self.base.head.facts_in_root.saturating_add(so_far);
        if by.root == self.base.head.root && total >= self.program.limits.facts_per_root_max {
            return Err(Fault::Limit(Limit::FactsPerRoot));
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
