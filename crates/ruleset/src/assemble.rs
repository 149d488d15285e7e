//! Makes operations of instructions: follows what lies on the stack, and names it where it is used.

use alloc::{collections::BTreeMap, vec::Vec};
use core::ops::Range;

use crate::{
    ids::{AttrId, CodePtr, SelectId, TypeId},
    instr::{Instr, Math, Prop, Takes, Then},
    op::{Entry, Filter, Op, Operand, Ops, Row},
    payable::Payments,
    program::Program,
};

/// What is done to make operations fewer. What a ruleset means does not depend on it, nor what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes {
    /// Operands that lie at hand are named where they are used.
    pub names: bool,
    /// A comparison and the branch that asks for it are one operation.
    pub fuses: bool,
    /// Whoever knows what a branch will find goes straight to where it leads.
    pub straightens: bool,
    /// What payments require is written into code that tells whether costs can be paid.
    pub inlines_payments: bool,
}

impl Passes {
    /// All of them.
    pub const ALL: Self = Self { names: true, fuses: true, straightens: true, inlines_payments: true };
    /// None.
    pub const NONE: Self = Self { names: false, fuses: false, straightens: false, inlines_payments: false };

    /// How many are left out.
    pub fn n_left_out(self) -> usize {
        let Self { names, fuses, straightens, inlines_payments } = self;
        [names, fuses, straightens, inlines_payments].into_iter().filter(|it| !it).count()
    }

    /// Every setting of them.
    pub fn settings() -> impl Iterator<Item = Self> {
        let on = |bits: u8, pass: u8| bits & (1 << pass) != 0;
        (0_u8..16).map(move |it| Self {
            names: on(it, 0),
            fuses: on(it, 1),
            straightens: on(it, 2),
            inlines_payments: on(it, 3),
        })
    }
}

impl Program {
    /// Works out the operations of all code.
    pub(crate) fn assemble(&mut self, passes: Passes) {
        self.ops = assemble(self, passes);
    }
}

/// The operations of all code of a program.
fn assemble(program: &Program, passes: Passes) -> Ops {
    let mut assembler = Assembler { program, passes, ..Assembler::new(program) };
    let labels = assembler.stretch(0..program.code.len(), &[]);
    assembler.ops.entries = (0..program.code.len()).map(|it| labels.get(&it).copied().unwrap_or(Entry::NONE)).collect();
    for i in 0..program.selects.len() {
        let filter = assembler.filter(SelectId::at(i));
        assembler.ops.filters.push(filter);
    }
    assembler.ops.payable = alloc::vec![Entry::NONE; program.code.len()];
    if passes.inlines_payments {
        let costs = program.actions.iter().map(|it| it.costs).chain(program.rules.iter().map(|it| it.costs));
        for costs in costs.filter(|it| it.is_some()) {
            let entry = assembler.payable(costs);
            if let Some(slot) = assembler.ops.payable.get_mut(costs.index()) {
                *slot = entry;
            }
        }
    }
    let mut ops = assembler.ops;
    if passes.straightens {
        straighten(&mut ops.rows);
    }
    ops
}

/// Where a known truth value is put and then asked for, goes straight to where that leads.
fn straighten(rows: &mut [Row]) {
    for at in (0..rows.len()).rev() {
        if let Some(Row { op: Op::Put { to, value: value @ (Operand::Const(_) | Operand::Null) }, .. }) = rows.get(at) {
            let straight = lead(rows, at, *to, *value);
            if let (Some(row), Some(straight)) = (rows.get_mut(at), straight) {
                *row = straight;
            }
        }
    }
}

/// Where it leads that a value was put somewhere, if the next that happens is that it is asked for.
#[expect(clippy::wildcard_enum_match_arm, reason = "everything else may look at more than this value")]
fn lead(rows: &[Row], at: usize, place: u16, value: Operand) -> Option<Row> {
    let mut fuel = rows.get(at)?.fuel;
    let mut next = at.checked_add(1)?;
    // Code goes forward, so this ends; a loop that does nothing else is left alone.
    for _ in 0..64 {
        let row = rows.get(next)?;
        fuel = fuel.saturating_add(row.fuel);
        let to = match row.op {
            Op::Jump { to } => to,
            Op::Pay => u32::try_from(next).ok()?.checked_add(1)?,
            Op::Return { value: Operand::Temp(it) } if it == place => {
                return Some(Row { op: Op::Return { value }, fuel });
            }
            Op::Branch { holds, value: Operand::Temp(it), to } if it == place => {
                let goes = (value == Operand::Const(1)) == holds;
                let to = if goes { to } else { u32::try_from(next).ok()?.checked_add(1)? };
                return Some(Row { op: Op::Jump { to }, fuel });
            }
            _ => return None,
        };
        next = usize::try_from(to).ok()?;
    }
    None
}

/// Where instructions go on, and with how many values on the stack.
pub(crate) type Labels = BTreeMap<usize, Entry>;

/// Follows what lies on the stack.
pub(crate) struct Assembler<'p> {
    pub(crate) program: &'p Program,
    passes: Passes,
    pub(crate) ops: Ops,
    /// What lies on the stack.
    pub(crate) values: Vec<Operand>,
    /// How many instructions were followed since the last operation.
    pub(crate) fuel: u32,
    /// Operations before this one may be reached from elsewhere.
    barrier: usize,
    /// Whether what comes next is reached from elsewhere only.
    pub(crate) is_cut: bool,
    /// Whether what comes next goes on after something was done.
    goes_on: bool,
    pub(crate) labels: Labels,
    /// How many values lie on the stack where jumps go.
    depths: BTreeMap<usize, u16>,
    /// Code that is written in more than once has labels of its own each time, moved by so much.
    pub(crate) shift: usize,
    /// What is known of payments while they are written into one piece of code.
    pub(crate) payments: Payments,
}

impl<'p> Assembler<'p> {
    fn new(program: &'p Program) -> Self {
        Self {
            program,
            passes: Passes::ALL,
            ops: Ops::default(),
            values: Vec::new(),
            fuel: 0,
            barrier: 0,
            is_cut: true,
            goes_on: false,
            labels: Labels::new(),
            depths: BTreeMap::new(),
            shift: 0,
            payments: Payments::default(),
        }
    }

    /// Assembles a stretch of code; in place of some parts of it stands what was kept of them. Gives where its
    /// instructions have come to lie.
    fn stretch(&mut self, code: Range<usize>, kept: &[Range<usize>]) -> Labels {
        let first = self.ops.rows.len();
        let aims = self.aims(&code);
        let mut at = code.start;
        while at < code.end {
            if self.is_cut || self.goes_on || self.values.is_empty() || aims.binary_search(&at).is_ok() {
                self.land(at);
            }
            let part = kept.iter().position(|it| it.start == at && !it.is_empty());
            if let Some((i, range)) = part.and_then(|it| Some((it, kept.get(it)?))) {
                self.values.push(Operand::Kept(height(kept.len().saturating_sub(i))));
                at = range.end;
                continue;
            }
            self.follow(CodePtr::at(at));
            at = at.saturating_add(1);
        }
        let labels = core::mem::take(&mut self.labels);
        self.depths.clear();
        for row in self.ops.rows.iter_mut().skip(first) {
            aim(&mut row.op, &labels);
        }
        labels
    }

    /// Where the jumps of some code go, in order.
    pub(crate) fn aims(&self, code: &Range<usize>) -> Vec<usize> {
        let instrs = self.program.code.get(code.clone()).unwrap_or_default();
        let mut aims: Vec<usize> = instrs.iter().flat_map(|it| goes_to(*it)).collect();
        aims.sort_unstable();
        aims.dedup();
        aims
    }

    /// What comes next can be reached from elsewhere: everything is where it is looked for, and paid.
    pub(crate) fn land(&mut self, at: usize) {
        if !self.is_cut {
            self.settle();
            if self.fuel > 0 {
                self.add(Op::Pay);
            }
        }
        // What jumps here knows; the code before may be such that nothing comes to it.
        let at = at.saturating_add(self.shift);
        if let Some(depth) = self.depths.get(&at).copied().or(self.is_cut.then_some(0)) {
            self.values = (0..depth).map(Operand::Temp).collect();
        }
        self.is_cut = false;
        let place = u32::try_from(self.ops.rows.len()).unwrap_or(u32::MAX);
        self.goes_on = false;
        self.labels.insert(at, Entry { at: place, depth: height(self.values.len()) });
        self.barrier = self.ops.rows.len();
    }

    pub(crate) fn add(&mut self, op: Op) {
        self.ops.rows.push(Row { op, fuel: core::mem::take(&mut self.fuel) });
        self.ops.depth = self.ops.depth.max(height(self.values.len()).saturating_add(1));
    }

    /// Puts every value where it is looked for.
    fn settle(&mut self) {
        for i in 0..self.values.len() {
            self.put(i);
        }
    }

    /// Puts one value where it is looked for.
    pub(crate) fn put(&mut self, i: usize) {
        let to = height(i);
        let Some(value) = self.values.get_mut(i).filter(|it| **it != Operand::Temp(to)) else { return };
        let value = core::mem::replace(value, Operand::Temp(to));
        self.add(Op::Put { to, value });
    }

    /// Notes that a jump goes somewhere.
    pub(crate) fn aim_at(&mut self, to: CodePtr) -> u32 {
        let to = to.index().saturating_add(self.shift);
        self.depths.insert(to, height(self.values.len()));
        u32::try_from(to).unwrap_or(u32::MAX)
    }

    fn pop(&mut self) -> Operand {
        self.values.pop().unwrap_or(Operand::Given)
    }

    /// The place of the value that comes next.
    pub(crate) fn next(&self) -> u16 {
        height(self.values.len())
    }

    /// A value that lies at hand; without the pass it is put where others are.
    pub(crate) fn name(&mut self, value: Operand) {
        self.values.push(value);
        if !self.passes.names {
            self.put(self.values.len().saturating_sub(1));
        }
    }

    /// Puts the result of an operation on the stack.
    fn result(&mut self, op: impl FnOnce(u16) -> Op) {
        let to = self.next();
        self.add(op(to));
        self.values.push(Operand::Temp(to));
    }

    /// Follows one instruction.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not named here does what its row in the table says")]
    pub(crate) fn follow(&mut self, at: CodePtr) {
        let instr = self.program.instr(at);
        self.fuel = self.fuel.saturating_add(1);
        if self.payments.is_on && self.follow_payment(at, instr) {
            return;
        }
        match instr {
            Instr::Const(value) => self.name(Operand::Const(value)),
            Instr::Null => self.name(Operand::Null),
            Instr::Local(cell) => self.name(Operand::Local(cell)),
            Instr::Reg(reg) => self.name(Operand::Reg(reg)),
            Instr::This => self.name(Operand::This),
            Instr::You => self.name(Operand::You),
            Instr::Turn => self.name(Operand::Turn),
            Instr::Active => self.name(Operand::Active),
            Instr::Attr(attr) => self.attribute(attr),
            Instr::AttrOf => match self.values.last() {
                Some(Operand::Const(attr)) if self.passes.names => {
                    let attr = AttrId::from(i64::from(*attr));
                    self.values.pop();
                    self.attribute(attr);
                }
                _ => self.pair(instr),
            },
            Instr::BaseOf | Instr::HasKeywordOf | Instr::HasAbility => self.pair(instr),
            Instr::Math(math) => {
                let (b, a) = (self.pop(), self.pop());
                match known(math, a, b).filter(|_| self.passes.names) {
                    Some(holds) => self.name(Operand::Const(i32::from(holds))),
                    None => self.result(|to| Op::Math { to, math, a, b }),
                }
            }
            Instr::Prop(prop) => self.property(prop),
            Instr::HasType(card_type) => self.has_type(card_type),
            Instr::Not => self.not(),
            Instr::HasKeyword(_) | Instr::NextPlayer | Instr::Neg | Instr::Abs => {
                let value = self.pop();
                self.result(|to| Op::Of { to, instr, value });
            }
            Instr::SetReg(reg) => self.set_reg(reg),
            Instr::Jump(to) => {
                self.settle();
                let to = self.aim_at(to);
                self.add(Op::Jump { to });
                self.is_cut = true;
            }
            Instr::JumpUnless(to) => self.branch(false, to),
            Instr::JumpIf(to) => self.branch(true, to),
            Instr::Return => {
                let value = self.pop();
                let op = match self.compared(value) {
                    Some((math, a, b)) => Op::ReturnMath { math, a, b },
                    None => Op::Return { value },
                };
                self.add(op);
                self.is_cut = true;
            }
            Instr::Select(id) if self.is_rolled(at, id) => self.stop(at, 0, 1),
            it => match it.traits().class {
                crate::instr::Class::Pure => self.stacked(it, self.n_taken(it)),
                crate::instr::Class::Effect | crate::instr::Class::Write => self.effect(at, it),
            },
        }
    }

    fn attribute(&mut self, attr: AttrId) {
        let value = self.pop();
        let at_hand = match value {
            Operand::Local(cell) => Some(Operand::AttrOfLocal(cell, attr)),
            Operand::Reg(reg) => Some(Operand::AttrOfReg(reg, attr)),
            Operand::You => Some(Operand::AttrOfYou(attr)),
            Operand::This => Some(Operand::AttrOfThis(attr)),
            Operand::Const(_)
            | Operand::Null
            | Operand::Temp(_)
            | Operand::Kept(_)
            | Operand::Given
            | Operand::Turn
            | Operand::Active
            | Operand::AttrOfLocal(..)
            | Operand::AttrOfReg(..)
            | Operand::AttrOfYou(_)
            | Operand::AttrOfThis(_)
            | Operand::PropOfLocal(..)
            | Operand::PropOfReg(..) => None,
        };
        match at_hand.filter(|_| self.passes.names) {
            Some(named) => self.name(named),
            None => self.result(|to| Op::Of { to, instr: Instr::Attr(attr), value }),
        }
    }

    /// A property of a value, as far as that lies at hand.
    fn property_of(&self, value: Operand, prop: Prop) -> Option<Operand> {
        let is_plain =
            matches!(prop, Prop::Owner | Prop::Controller | Prop::Zone | Prop::Def | Prop::Type | Prop::Since);
        if let Operand::Local(cell) = value {
            return Some(Operand::PropOfLocal(cell, prop)).filter(|_| is_plain && self.passes.names);
        }
        if let Operand::Reg(reg) = value {
            return Some(Operand::PropOfReg(reg, prop)).filter(|_| is_plain && self.passes.names);
        }
        None
    }

    fn property(&mut self, prop: Prop) {
        let value = self.pop();
        match self.property_of(value, prop) {
            Some(named) => self.name(named),
            None => self.result(|to| Op::Of { to, instr: Instr::Prop(prop), value }),
        }
    }

    /// Whether a card is of a type is a comparison of its type.
    fn has_type(&mut self, card_type: TypeId) {
        let value = self.pop();
        match self.property_of(value, Prop::Type) {
            Some(a) => self.result(|to| Op::Math { to, math: Math::Eq, a, b: Operand::Const(i32::from(card_type.0)) }),
            None => self.result(|to| Op::Of { to, instr: Instr::HasType(card_type), value }),
        }
    }

    /// The opposite of a comparison is another comparison.
    fn not(&mut self) {
        let value = self.pop();
        let Some((math, a, b)) = self.compared(value) else {
            return self.result(|to| Op::Of { to, instr: Instr::Not, value });
        };
        match opposite(math) {
            Some(math) => self.result(|to| Op::Math { to, math, a, b }),
            None => {
                self.result(|to| Op::Math { to, math, a, b });
                let value = self.pop();
                self.result(|to| Op::Of { to, instr: Instr::Not, value });
            }
        }
    }

    fn pair(&mut self, instr: Instr) {
        let (b, a) = (self.pop(), self.pop());
        self.result(|to| Op::With { to, instr, a, b });
    }

    fn set_reg(&mut self, reg: u8) {
        let value = self.pop();
        // What was read from it before is what it was.
        for i in 0..self.values.len() {
            if self.values.get(i).is_some_and(|it| it.is_in(reg)) {
                self.put(i);
            }
        }
        self.add(Op::SetReg { reg, value });
    }

    /// The calculation a value comes from, if that is the last operation; it is taken away, to be part of the next one.
    fn compared(&mut self, value: Operand) -> Option<(Math, Operand, Operand)> {
        let last = self.ops.rows.len().checked_sub(1).filter(|it| *it >= self.barrier && self.passes.fuses)?;
        let Some(Row { op: Op::Math { to, math, a, b }, fuel }) = self.ops.rows.get(last).copied() else { return None };
        if value != Operand::Temp(to) {
            return None;
        }
        self.ops.rows.pop();
        self.fuel = self.fuel.saturating_add(fuel);
        Some((math, a, b))
    }

    pub(crate) fn branch(&mut self, holds: bool, to: CodePtr) {
        let value = self.pop();
        let compared = self.compared(value);
        self.settle();
        let to = self.aim_at(to);
        match (compared, value) {
            (Some((math, a, b)), _) => self.add(Op::Test { math, holds, a, b, to }),
            (None, Operand::Const(known)) if self.passes.names => {
                // What comes next may still be reached from elsewhere.
                self.add(if (known == 1) == holds { Op::Jump { to } } else { Op::Pay });
            }
            (None, value) => self.add(Op::Branch { holds, value, to }),
        }
    }

    /// An instruction that takes its operands from the stack and leaves one value there.
    fn stacked(&mut self, instr: Instr, takes: usize) {
        self.settle();
        let top = self.next();
        self.values.truncate(self.values.len().saturating_sub(takes));
        self.ops.depth = self.ops.depth.max(top);
        self.result(|_| Op::Stacked { top, instr });
    }

    /// An instruction that does something.
    fn effect(&mut self, at: CodePtr, instr: Instr) {
        let traits = instr.traits();
        self.stop(at, self.n_taken(instr), 0);
        match traits.then {
            Then::Branch(to) | Then::Jump(to) => drop(self.aim_at(to)),
            Then::Next | Then::Ends => {}
        }
        if let Instr::Emit(emit) = instr
            && emit.otherwise.is_some()
        {
            self.aim_at(emit.otherwise);
        }
        if instr.gives() {
            self.values.push(Operand::Temp(self.next()));
        }
        self.is_cut = traits.then == Then::Ends;
    }

    /// Stops before an instruction, with what it takes. What lies below that stays on the stack.
    fn stop(&mut self, at: CodePtr, takes: usize, gives: usize) {
        let below = self.values.len().saturating_sub(takes);
        (0..below).for_each(|it| self.put(it));
        let operands = u32::try_from(self.ops.operands.len()).unwrap_or(u32::MAX);
        // The height is counted with them: they may lie on the stack, too.
        let taken: Vec<Operand> = self.values.get(below..).unwrap_or_default().to_vec();
        let n_operands = u8::try_from(taken.len()).unwrap_or(u8::MAX);
        self.add(Op::Do { top: height(below), n_operands, at, operands });
        self.ops.operands.extend(taken);
        self.values.truncate(below);
        self.goes_on = true;
        (0..gives).for_each(|_| self.values.push(Operand::Temp(self.next())));
    }

    /// How many values an instruction takes from the stack.
    fn n_taken(&self, instr: Instr) -> usize {
        match instr.takes() {
            Takes::Values(n) => usize::from(n),
            Takes::Fields(event) => self.program.event(event).map_or(0, |it| it.fields.len()),
            Takes::Kept(rule) => self.program.rule(rule).and_then(|it| it.delay).map_or(0, |it| usize::from(it.n_kept)),
        }
    }

    /// Whether a selector in a list of effects needs random numbers.
    fn is_rolled(&self, at: CodePtr, id: SelectId) -> bool {
        let rest = self.program.code.get(at.index()..).unwrap_or_default();
        let end = rest.iter().find(|it| it.traits().then == Then::Ends);
        end != Some(&Instr::Return) && self.program.select(id).is_some_and(|it| it.random.is_some())
    }

    /// The filter of a selector: what is the same for all candidates, then what is asked of each.
    fn filter(&mut self, id: SelectId) -> Filter {
        let Some(code) = self.program.select(id).map(|it| it.filter).filter(|it| it.is_some()) else {
            return Filter::NONE;
        };
        let rest = self.program.code.get(code.index()..).unwrap_or_default();
        let len = rest.iter().position(|it| *it == Instr::Return).unwrap_or(0);
        // The candidate is in its register before any of it is run.
        let body = code.index().saturating_add(1)..code.index().saturating_add(len).saturating_add(1);
        let kept = crate::invariant::find(self.program, body.clone());
        let first = self.keep(&kept);
        let start = body.start;
        let labels = self.whole(body, &kept);
        let each = labels.get(&start).copied().unwrap_or(Entry::NONE);
        Filter { first, n_kept: height(kept.len()), each }
    }

    /// Assembles code that stands on its own.
    pub(crate) fn whole(&mut self, code: Range<usize>, kept: &[Range<usize>]) -> Labels {
        self.is_cut = true;
        self.fuel = 0;
        self.stretch(code, kept)
    }

    /// Assembles some parts of code one after the other; their values stay on the stack.
    fn keep(&mut self, parts: &[Range<usize>]) -> Entry {
        if parts.is_empty() {
            return Entry::NONE;
        }
        let at = u32::try_from(self.ops.rows.len()).unwrap_or(u32::MAX);
        (self.is_cut, self.fuel) = (false, 0);
        self.values.clear();
        for part in parts {
            self.barrier = self.ops.rows.len();
            self.stretch(part.clone(), &[]);
        }
        self.settle();
        let top = self.next();
        self.add(Op::Keep { top });
        Entry { at, depth: 0 }
    }
}

/// Whether two values are the same or not, if that is known; what a ruleset leaves out is mostly asked so.
#[expect(clippy::wildcard_enum_match_arm, reason = "only what is known is asked")]
fn known(math: Math, a: Operand, b: Operand) -> Option<bool> {
    let is_known = |it: Operand| matches!(it, Operand::Const(_) | Operand::Null);
    let same = (is_known(a) && is_known(b)).then_some(a == b)?;
    match math {
        Math::Eq => Some(same),
        Math::Ne => Some(!same),
        _ => None,
    }
}

/// The comparison that holds where another does not.
fn opposite(math: Math) -> Option<Math> {
    match math {
        Math::Eq => Some(Math::Ne),
        Math::Ne => Some(Math::Eq),
        Math::Lt => Some(Math::Ge),
        Math::Ge => Some(Math::Lt),
        Math::Le => Some(Math::Gt),
        Math::Gt => Some(Math::Le),
        Math::Add | Math::Sub | Math::Mul | Math::Div | Math::Mod | Math::Min | Math::Max => None,
    }
}

/// Where an instruction may go on, other than behind itself.
fn goes_to(instr: Instr) -> impl Iterator<Item = usize> {
    let then = match instr.traits().then {
        Then::Jump(to) | Then::Branch(to) => Some(to.index()),
        Then::Next | Then::Ends => None,
    };
    let otherwise = if let Instr::Emit(emit) = instr { Some(emit.otherwise).filter(|it| it.is_some()) } else { None };
    then.into_iter().chain(otherwise.map(CodePtr::index))
}

/// Makes an operation go to where an instruction has come to lie.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others go nowhere")]
fn aim(op: &mut Op, labels: &Labels) {
    match op {
        Op::Test { to, .. } | Op::Branch { to, .. } | Op::Jump { to } => {
            let label = usize::try_from(*to).ok().and_then(|it| labels.get(&it));
            *to = label.map_or(u32::MAX, |it| it.at);
        }
        _ => {}
    }
}

/// A number of values.
pub(crate) fn height(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(u16::MAX)
}
