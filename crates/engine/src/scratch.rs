//! Working memory of one step: evaluation stack, lists, variables and what was written so far.

use alloc::{boxed::Box, vec::Vec};

use ruleset::{ActionId, EventTypeId, NULL, program::EventType};

use crate::{
    cells::{descriptor, place_list, span_of},
    derived::Derived,
    explain::Trace,
    fault::{Fault, Limit},
    ids::{EntityId, EventNo},
    journal::Journal,
    record::Record,
    rng::Luck,
    state::{MatchState, Paid},
};

/// What a record costs, in instructions.
pub const RECORD_COST: u32 = 16;

/// A range of the buffer of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub len: u32,
}

impl Span {
    /// The span from a place to another.
    #[inline]
    pub fn between(start: usize, end: usize) -> Self {
        let part = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Self { start: part(start), len: part(end.saturating_sub(start)) }
    }

    /// How long it is.
    #[inline]
    pub fn size(self) -> usize {
        usize::try_from(self.len).unwrap_or(0)
    }

    /// The same as code holds it.
    pub fn descriptor(self) -> i64 {
        let part = |it: u32| usize::try_from(it).unwrap_or(usize::MAX);
        descriptor(part(self.start), part(self.len))
    }
}

/// Something that happened in the step being carried out, for discovery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    pub event: EventNo,
    pub kind: EventTypeId,
    pub subject: EntityId,
    /// Its fields, in the buffer of numbers.
    pub args: Span,
    /// The row that produced it.
    pub producer: EventNo,
    pub root: EventNo,
    pub source: EntityId,
    /// Whether the subject left an active zone by it.
    pub left: bool,
    /// Whether the subject's field holds one, even if its type is a list.
    pub one_subject: bool,
}

/// Evaluation: what pure code works on.
#[derive(Clone, Debug)]
pub struct Machine {
    stack: Vec<i64>,
    /// How high the stack is; what lies above is room.
    top: usize,
    /// Items of all lists made in this step.
    pub lists: Vec<i64>,
    pub regs: [i64; 16],
    /// What the instruction works on that is done next.
    pub args: Vec<i64>,
    /// Variables: those of the code being run lie behind those of code that waits for it.
    cells: Vec<i64>,
    /// Where the variables of the code being run begin.
    base: usize,
    /// The event whose variables they are, as long as nothing changed them.
    loaded: EventNo,
    /// What can fill slots of actions whatever fills the others, as far as it was listed already.
    pub listed: Vec<Listed>,
    /// Up to where lists are needed because of that.
    pub kept: usize,
    /// Room for what fills the slots of an action while it is searched for.
    pub filled: Vec<i64>,
    /// Instructions left.
    pub fuel: u32,
    /// Instructions there were to begin with.
    given: u32,
    /// What it is tried with whether costs can be paid, kept for the next time.
    pub trial: Option<Box<Trial>>,
    /// Whether the trial's copy of the match is as the match is now.
    pub is_trial_fresh: bool,
    /// How many calls into abilities and continuous effects are open.
    pub depth: u8,
}

impl Default for Machine {
    fn default() -> Self {
        Self {
            stack: Vec::new(),
            top: 0,
            lists: Vec::new(),
            regs: [0; 16],
            args: Vec::new(),
            cells: Vec::new(),
            base: 0,
            loaded: EventNo::NONE,
            listed: Vec::new(),
            kept: 0,
            filled: Vec::new(),
            fuel: 0,
            given: 0,
            trial: None,
            is_trial_fresh: false,
            depth: 0,
        }
    }
}

impl Machine {
    /// A machine that may run so many instructions.
    pub fn with_fuel(fuel: u32) -> Self {
        Self { fuel, given: fuel, ..Self::default() }
    }

    /// Makes ready for a new piece of work.
    pub fn reset(&mut self, fuel: u32) {
        self.tidy();
        self.cells.clear();
        self.base = 0;
        self.loaded = EventNo::NONE;
        self.restart(fuel);
    }

    /// Counts what is spent anew, with so many instructions left, and keeps what was evaluated.
    pub fn restart(&mut self, fuel: u32) {
        self.fuel = fuel;
        self.given = fuel;
    }

    /// Leaves a machine that was just made ready no more than so many instructions.
    pub fn lower(&mut self, fuel: u32) {
        self.fuel = self.fuel.min(fuel);
        self.given = self.given.min(fuel);
    }

    /// Forgets what was evaluated, but not what it cost.
    pub fn tidy(&mut self) {
        self.top = 0;
        self.lists.clear();
        self.listed.clear();
        self.kept = 0;
        self.depth = 0;
        self.is_trial_fresh = false;
    }

    /// Pays for work that is more than one instruction.
    #[inline]
    pub fn charge(&mut self, n: usize) -> Result<(), Fault> {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        self.spend(n)
    }

    /// Pays for instructions. Who cannot pay has nothing left, so that it does not matter in which parts work is paid.
    #[inline]
    pub fn spend(&mut self, n: u32) -> Result<(), Fault> {
        let left = self.fuel.checked_sub(n);
        self.fuel = left.unwrap_or(0);
        if left.is_some() { Ok(()) } else { Err(Fault::Limit(Limit::InstructionsPerStep)) }
    }

    /// The variables of the code being run, and the lists behind them.
    #[inline]
    pub fn locals(&self) -> &[i64] {
        self.cells.get(self.base..).unwrap_or_default()
    }

    /// A variable; nothing beyond the last.
    #[inline]
    pub fn local(&self, cell: usize) -> i64 {
        self.cells.get(self.base.wrapping_add(cell)).copied().unwrap_or(NULL)
    }

    /// Gives a variable a value, if it is there.
    #[inline]
    pub fn set_local(&mut self, cell: usize, value: i64) {
        if let Some(slot) = self.cells.get_mut(self.base.wrapping_add(cell))
            && *slot != value
        {
            *slot = value;
            self.loaded = EventNo::NONE;
        }
    }

    /// Gives the code being run the variables of an event, unless they are there already.
    #[inline]
    pub fn load_for(&mut self, event: EventNo, values: &[i64]) {
        if self.loaded != event || event.is_none() {
            self.load(values);
            self.loaded = event;
        }
    }

    /// The variables of the code being run are no event's any more.
    #[inline]
    pub fn unload(&mut self) {
        self.loaded = EventNo::NONE;
    }

    /// Some of the variables, as the items of a list in one of them.
    #[inline]
    pub fn local_items(&self, (start, len): (usize, usize)) -> &[i64] {
        self.locals().get(start..start.saturating_add(len)).unwrap_or_default()
    }

    /// Gives the code being run other variables.
    #[inline]
    pub fn load(&mut self, values: &[i64]) {
        self.unload();
        self.cells.truncate(self.base);
        self.cells.extend_from_slice(values);
    }

    /// Gives the code being run so many variables, all empty.
    #[inline]
    pub fn load_empty(&mut self, n: usize) {
        self.unload();
        self.cells.truncate(self.base);
        self.cells.resize(self.base.saturating_add(n), NULL);
    }

    /// Makes sure that there are so many variables.
    pub fn grow_locals(&mut self, n: usize) {
        if self.locals().len() < n {
            self.unload();
            self.cells.resize(self.base.saturating_add(n), NULL);
        }
    }

    /// Takes away all variables but the first so many.
    pub fn cut_locals(&mut self, n: usize) {
        self.unload();
        self.cells.truncate(self.base.saturating_add(n));
    }

    /// Adds the items of a list behind the variables; gives its name.
    pub fn add_list(&mut self, items: &[i64]) -> i64 {
        self.unload();
        let start = self.locals().len();
        self.cells.extend_from_slice(items);
        descriptor(start, items.len())
    }

    /// Gives a variable a list.
    pub fn store_list(&mut self, cell: u16, items: &[i64]) {
        self.unload();
        let len = self.locals().len();
        place_list(&mut self.cells, self.base, len, cell, items);
    }

    /// Puts the variables aside that code works with, so that other code can have its own: so many, all empty.
    #[inline]
    pub fn set_aside(&mut self, n: usize) -> Aside {
        let aside = Aside(self.base);
        self.base = self.cells.len();
        self.load_empty(n);
        aside
    }

    /// Brings back variables that were put aside.
    #[inline]
    pub fn bring_back(&mut self, aside: Aside) {
        self.unload();
        self.cells.truncate(self.base);
        self.base = aside.0;
    }

    /// What the instruction that is done next works on, the first first.
    #[inline]
    pub fn arg(&self, at: usize) -> i64 {
        self.args.get(at).copied().unwrap_or(NULL)
    }

    /// A register.
    #[inline]
    pub fn reg(&self, reg: u8) -> i64 {
        self.regs.get(usize::from(reg)).copied().unwrap_or(NULL)
    }

    /// What was spent since the last reset.
    #[inline]
    pub fn spent(&self) -> u32 {
        self.given.saturating_sub(self.fuel)
    }

    /// Takes the top value; nothing from an empty stack.
    #[inline]
    pub fn pop(&mut self) -> i64 {
        let value = self.below(0);
        self.top = self.top.saturating_sub(1);
        value
    }

    /// Puts a value on top.
    #[inline]
    pub fn push(&mut self, value: i64) {
        match self.stack.get_mut(self.top) {
            Some(slot) => *slot = value,
            None => self.stack.push(value),
        }
        self.top = self.top.saturating_add(1);
    }

    /// A value on the stack, so many below the top one.
    #[inline]
    pub fn below(&self, n: usize) -> i64 {
        let at = self.top.wrapping_sub(1).wrapping_sub(n);
        self.stack.get(at).copied().unwrap_or(NULL)
    }

    /// How high the stack is.
    #[inline]
    pub fn height(&self) -> usize {
        self.top
    }

    /// Makes the stack as high as it was.
    #[inline]
    pub fn set_height(&mut self, top: usize) {
        self.top = top;
    }

    /// Makes the stack so high, whatever lies there.
    #[inline]
    pub fn rise_to(&mut self, top: usize) {
        if self.stack.len() < top {
            self.stack.resize(top, NULL);
        }
        self.top = top;
    }

    /// The value at a place of the stack.
    #[inline]
    pub fn value_at(&self, at: usize) -> i64 {
        self.stack.get(at).copied().unwrap_or(NULL)
    }

    /// Puts a value at a place of the stack that is not above its top.
    #[inline]
    pub fn put(&mut self, at: usize, value: i64) {
        if let Some(slot) = self.stack.get_mut(at) {
            *slot = value;
        }
    }

    /// Gives a register a value.
    #[inline]
    pub fn set_reg(&mut self, reg: u8, value: i64) {
        if let Some(slot) = self.regs.get_mut(usize::from(reg)) {
            *slot = value;
        }
    }

    /// Starts a list; what is added to `lists` from here on belongs to it.
    #[inline]
    pub fn start_list(&self) -> usize {
        self.lists.len()
    }

    /// Ends a list and puts it on top.
    #[inline]
    pub fn end_list(&mut self, start: usize) {
        self.push(descriptor(start, self.lists.len().saturating_sub(start)));
    }

    /// The items of a list.
    #[inline]
    pub fn items(&self, list: i64) -> &[i64] {
        let (start, len) = span_of(list);
        self.lists.get(start..start.saturating_add(len)).unwrap_or_default()
    }

    /// Puts the list of a variable on top.
    pub fn push_local_list(&mut self, cell: usize) {
        let (start, len) = span_of(self.local(cell));
        let at = self.start_list();
        for i in start..start.saturating_add(len) {
            let value = self.local(i);
            self.lists.push(value);
        }
        self.end_list(at);
    }

    /// Copies some values in as a new list and puts it on top.
    pub fn push_list(&mut self, values: &[i64]) {
        let at = self.start_list();
        self.lists.extend_from_slice(values);
        self.end_list(at);
    }
}

/// Variables that were put aside.
#[derive(Debug)]
pub struct Aside(usize);

/// What can fill a slot of an action, whatever fills the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    pub action: ActionId,
    pub slot: u8,
    pub list: i64,
}

/// A copy of a match on which payments are tried and taken back.
#[derive(Clone, Debug)]
pub struct Trial {
    pub state: MatchState,
    pub derived: Derived,
    pub scratch: Scratch,
}

/// Everything one step works with.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub machine: Machine,
    /// What judges of actions work with, who are asked while a step is half done.
    pub judge: Machine,
    pub journal: Journal,
    /// What stands for chance where something is only tried.
    pub luck: Option<Luck>,
    /// What the step has written so far, if somebody listens.
    pub records: Vec<Record<Span>>,
    /// Whether somebody listens.
    pub is_told: bool,
    /// Whether they want every record, or only those the log keeps.
    pub wants_everything: bool,
    /// Numbers that records, facts and frames hold.
    pub data: Vec<i64>,
    pub facts: Vec<Fact>,
    /// Facts and numbers of the step before, while reactions to it are looked for.
    pub spare: (Vec<Fact>, Vec<i64>),
    /// What was paid so far for an action that gives it back when it is prevented.
    pub paid: Option<Vec<Paid>>,
    /// What the command being carried out may still cost, but for what its machine spent.
    pub work: u32,
    /// Where to note why rules answer and why not; nowhere unless somebody asked.
    pub trace: Option<Box<Trace>>,
}

impl Scratch {
    /// Makes ready for the next step, which may cost no more than what is left for the command.
    pub fn refill(&mut self, per_step: u32) {
        self.work = self.work.saturating_sub(self.machine.spent());
        self.machine.reset(per_step.min(self.work));
    }

    /// The same in the middle of a list, which goes on with what it has worked out.
    pub fn refuel(&mut self, per_step: u32) {
        self.work = self.work.saturating_sub(self.machine.spent());
        self.machine.restart(per_step.min(self.work));
    }

    /// What the command being carried out may still cost.
    #[inline]
    pub fn work_left(&self) -> u32 {
        self.work.saturating_sub(self.machine.spent())
    }

    /// Writing something down costs more than an instruction, and is not given back if it is taken back.
    #[inline]
    pub fn charge_record(&mut self) {
        self.work = self.work.saturating_sub(RECORD_COST);
    }

    /// Forgets the last step: what it has written is certain.
    pub fn clear(&mut self) {
        self.journal.clear();
        self.paid = None;
        self.records.clear();
        self.data.clear();
        self.facts.clear();
    }

    /// Keeps numbers for a record, fact or frame.
    pub fn keep(&mut self, values: impl IntoIterator<Item = i64>) -> Span {
        let start = self.data.len();
        self.data.extend(values);
        self.span_from(start)
    }

    /// Keeps the fields of an event as the variables have them now, lists right behind them. What happened to one
    /// subject holds that one even where the field of its intent holds many.
    pub fn keep_fields(&mut self, event: &EventType, whole: bool) -> Span {
        let Self { machine, data, .. } = self;
        let base = data.len();
        data.extend(machine.locals().iter().take(event.fields.len()));
        for (i, ty) in event.fields.iter().enumerate() {
            let is_subject = event.subject.is_some_and(|it| usize::from(it) == i);
            if ty.many && (whole || !is_subject) {
                let (start, len) = span_of(machine.local(i));
                let list = descriptor(data.len().saturating_sub(base), len);
                data.extend_from_slice(machine.local_items((start, len)));
                if let Some(slot) = data.get_mut(base.saturating_add(i)) {
                    *slot = list;
                }
            }
        }
        self.span_from(base)
    }

    /// Keeps what an instruction works on as the fields of a fact, lists right behind them.
    pub fn keep_args(&mut self, event: &EventType) -> Span {
        let Self { machine, data, .. } = self;
        let base = data.len();
        data.extend_from_slice(&machine.args);
        for (i, _) in event.fields.iter().enumerate().filter(|it| it.1.many) {
            let items = machine.items(machine.arg(i));
            let list = descriptor(data.len().saturating_sub(base), items.len());
            data.extend_from_slice(items);
            if let Some(slot) = data.get_mut(base.saturating_add(i)) {
                *slot = list;
            }
        }
        self.span_from(base)
    }

    /// Keeps the fields of an event that an instruction gives it, as the variables of its row.
    pub fn keep_given(&mut self, event: &EventType) -> Span {
        let start = self.data.len();
        crate::intent::push_fields(&self.machine, event, &mut self.data);
        self.span_from(start)
    }

    /// The span from a place to the end of the buffer.
    pub fn span_from(&self, start: usize) -> Span {
        Span::between(start, self.data.len())
    }

    /// The numbers of a span.
    pub fn at(&self, span: Span) -> &[i64] {
        slice(&self.data, span)
    }
}

/// The numbers of a span of a buffer.
#[inline]
pub fn slice(data: &[i64], span: Span) -> &[i64] {
    let start = usize::try_from(span.start).unwrap_or(usize::MAX);
    let len = usize::try_from(span.len).unwrap_or(0);
    data.get(start..start.saturating_add(len)).unwrap_or_default()
}
