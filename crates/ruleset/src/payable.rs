//! Whether costs can be paid, as one piece of pure code where that is possible: what the payments require is written into
//! the code that leads to them.
//!
//! The general way is to pay and to take it back. That is not needed where payments are plain: their events concern one
//! that is named, and what an earlier payment writes is nothing a later one looks at. Costs for which this is not so have
//! no such code. The code comes to 1 or 0, or to nothing where it turns out that the general way must be taken.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{
    assemble::{Assembler, height},
    ids::{AttrId, CodePtr, SelectId, ZoneId},
    instr::{Class, Emit, Instr, Looks, Math, Prop, Takes, Then},
    op::{Entry, Op, Operand, Row},
    program::{EventType, Program},
};

/// How deep code within code is followed.
const DEPTH_MAX: u8 = 4;

/// Payments that are being written into one piece of code.
#[derive(Default)]
pub(crate) struct Payments {
    /// Whether that goes on.
    pub is_on: bool,
    /// Whether some payment is not plain.
    is_refused: bool,
    /// The fields of the payment whose code is being followed.
    fields: Option<Vec<Operand>>,
    /// What payments so far have written.
    written: Vec<AttrId>,
    has_moved: bool,
    /// The values that costs gave to variables of their own.
    set: Vec<(u16, Operand)>,
    /// How many pieces of code were written in.
    n_inlined: usize,
}

impl Assembler<'_> {
    /// The code that tells whether some costs can be paid; none if that must be tried.
    pub(crate) fn payable(&mut self, costs: CodePtr) -> Entry {
        let rest = self.program.code.get(costs.index()..).unwrap_or_default();
        let Some(len) = rest.iter().position(|it| *it == Instr::End) else { return Entry::NONE };
        let code = costs.index()..costs.index().saturating_add(len).saturating_add(1);
        let (n_rows, depth) = (self.ops.rows.len(), self.ops.depth);
        self.payments = Payments { is_on: true, ..Payments::default() };
        let labels = self.whole(code, &[]);
        let payments = core::mem::take(&mut self.payments);
        self.shift = 0;
        self.values.clear();
        if payments.is_refused {
            self.ops.rows.truncate(n_rows);
            self.ops.depth = depth;
            return Entry::NONE;
        }
        labels.get(&costs.index()).copied().unwrap_or(Entry::NONE)
    }

    /// Where code goes that finds that costs cannot be paid, and where it goes if the general way must be taken: beyond
    /// all instructions.
    fn exits(&self) -> [usize; 2] {
        let end = self.program.code.len();
        [end, end.saturating_add(1)]
    }

    fn refuse(&mut self) {
        self.payments.is_refused = true;
        self.is_cut = true;
    }

    /// Follows an instruction of costs, or of a payment they lead to; false if it is like any other.
    #[expect(clippy::wildcard_enum_match_arm, reason = "all other instructions are as anywhere else")]
    pub(crate) fn follow_payment(&mut self, at: CodePtr, instr: Instr) -> bool {
        if self.payments.is_refused {
            return true;
        }
        match instr {
            Instr::Local(cell) if self.payments.fields.is_some() => self.field(cell),
            Instr::Emit(emit) => self.pay(at, emit),
            Instr::Set(cell) => self.set_variable(cell),
            Instr::Local(cell) => match self.payments.set.iter().rev().find(|it| it.0 == cell) {
                Some((_, value)) => self.name(*value),
                None => return false,
            },
            Instr::PayAbility => self.pay_ability(),
            Instr::End if self.payments.fields.is_none() => self.paid(),
            Instr::Attr(attr) if self.is_written(attr) => self.refuse(),
            Instr::AttrOf => match self.values.last().copied() {
                Some(Operand::Const(attr)) if !self.is_written(AttrId::from(i64::from(attr))) => return false,
                Some(_) if self.has_written_nothing() => return false,
                _ => self.refuse(),
            },
            _ if self.is_plain(instr) => return false,
            _ => self.refuse(),
        }
        true
    }

    fn has_written_nothing(&self) -> bool {
        self.payments.written.is_empty() && !self.payments.has_moved
    }

    /// Whether an attribute may be another after the payments so far. What continuous effects change may follow any
    /// write, and a card that moves becomes what is printed on it.
    fn is_written(&self, attr: AttrId) -> bool {
        if self.has_written_nothing() {
            return false;
        }
        let rule = self.program.attr(attr);
        let is_card = rule.is_none_or(|it| it.on_cards || it.is_link());
        self.has_auras(attr) || (self.payments.has_moved && is_card) || self.payments.written.contains(&attr)
    }

    /// Whether an instruction can stand in such code: it is pure and asks for nothing a payment could have changed.
    fn is_plain(&self, instr: Instr) -> bool {
        if self.payments.fields.is_some() && reads_locals(self.program, instr, 0) {
            return false;
        }
        let traits = instr.traits();
        let is_pure = traits.class == Class::Pure && !matches!(instr, Instr::SetReg(_) | Instr::Reg(_));
        let is_free = match traits.looks {
            Looks::Nothing | Looks::Flow | Looks::Attribute(_) | Looks::Players => true,
            Looks::Cards => !self.payments.has_moved,
            Looks::Selector(_) | Looks::Code(_) | Looks::World => self.has_written_nothing(),
            Looks::Stack | Looks::Anything => false,
        };
        is_pure && is_free
    }

    /// A field of the payment that is being followed.
    fn field(&mut self, cell: u16) {
        match self.payments.fields.as_ref().and_then(|it| it.get(usize::from(cell))).copied() {
            Some(value) => self.name(value),
            // A variable that is no field is set by what the event does.
            None => self.refuse(),
        }
    }

    /// All is paid.
    fn paid(&mut self) {
        self.add(Op::Return { value: Operand::Const(1) });
        let [unpaid, undecided] = self.exits();
        for (label, value) in [(unpaid, Operand::Const(0)), (undecided, Operand::Null)] {
            let at = u32::try_from(self.ops.rows.len()).unwrap_or(u32::MAX);
            self.labels.insert(label, Entry { at, depth: 0 });
            self.ops.rows.push(Row { op: Op::Return { value }, fuel: 0 });
        }
        self.is_cut = true;
    }

    /// One payment: what it requires must hold, and what it writes is noted.
    fn pay(&mut self, at: CodePtr, emit: Emit) {
        let program = self.program;
        let Some(event) = program.event(emit.kind).filter(|it| self.is_plain_payment(emit, it)) else {
            return self.refuse();
        };
        let Some(start) = self.values.len().checked_sub(event.fields.len()) else { return self.refuse() };
        let fields = self.take_fields(start);
        if let Some(subject) = event.subject.and_then(|it| fields.get(usize::from(it))) {
            let [unpaid, _] = self.exits();
            self.test(Math::Eq, true, *subject, Operand::Null, unpaid, start);
        }
        self.payments.fields = Some(fields);
        self.require(event.requires, start);
        let is_last = program.instr(CodePtr(at.0.saturating_add(1))) == Instr::End;
        if !is_last || event.may_fail {
            self.apply(event, start);
        }
        self.payments.fields = None;
        self.values.truncate(start);
    }

    /// The fields of a payment, which lie on the stack from a place on. They keep their places, but are named instead of
    /// put there: nothing changes while they are looked at. What continuous effects have a say in is worked out once.
    fn take_fields(&mut self, start: usize) -> Vec<Operand> {
        for at in start..self.values.len() {
            let costs = self.values.get(at).is_some_and(|it| it.attribute().is_some_and(|attr| self.has_auras(attr)));
            if costs {
                self.put(at);
            }
        }
        let fields = self.values.split_off(start);
        self.values.extend((0..fields.len()).map(|it| Operand::Temp(height(start.saturating_add(it)))));
        fields
    }

    fn has_auras(&self, attr: AttrId) -> bool {
        self.program.attr(attr).is_none_or(|it| it.has_auras)
    }

    /// A variable of the costs stands for what it was given, if that is the same wherever it is looked at.
    fn set_variable(&mut self, cell: u16) {
        match self.values.pop() {
            Some(value) if !matches!(value, Operand::Temp(_)) && value.attribute().is_none() => {
                self.payments.set.push((cell, value));
            }
            _ => self.refuse(),
        }
    }

    /// What an ability costs by itself is mostly nothing; anything else must be tried.
    fn pay_ability(&mut self) {
        let (Some(b), Some(a)) = (self.values.pop(), self.values.pop()) else { return self.refuse() };
        let (to, start, [unpaid, undecided]) = (self.next(), self.values.len(), self.exits());
        self.add(Op::With { to, instr: Instr::PayAbility, a, b });
        for (value, exit) in [(Operand::Const(0), unpaid), (Operand::Null, undecided)] {
            self.test(Math::Eq, true, Operand::Temp(to), value, exit, start);
        }
    }

    /// Goes on elsewhere if a comparison comes out so; the values from a place on are needed after it.
    fn test(&mut self, math: Math, holds: bool, a: Operand, b: Operand, to: usize, from: usize) {
        // They are not put anywhere before it: where it goes, nobody looks at them.
        let values = self.values.split_off(from);
        let to = self.aim_at(CodePtr::at(to));
        self.values.extend(values);
        self.add(Op::Test { math, holds, a, b, to });
    }

    /// Writes what a payment requires into the code.
    fn require(&mut self, requires: CodePtr, start: usize) {
        if requires.is_none() {
            return;
        }
        let Some(code) = self.stretch_to(requires, Instr::Return) else { return self.refuse() };
        self.inline(code);
        // The value stays in its place while the fields below it are no longer needed.
        let Some(value) = self.values.pop().filter(|_| !self.payments.is_refused) else { return self.refuse() };
        let [unpaid, _] = self.exits();
        let fields = self.values.split_off(start);
        self.values.push(value);
        self.branch(false, CodePtr::at(unpaid));
        self.values.extend(fields);
    }

    /// Follows what a payment writes, up to its end.
    #[expect(clippy::wildcard_enum_match_arm, reason = "a payment that writes anything else is not plain")]
    fn apply(&mut self, event: &EventType, start: usize) {
        if event.apply.is_none() {
            return;
        }
        let Some(code) = self.stretch_to(event.apply, Instr::End) else { return self.refuse() };
        for at in code.clone() {
            let instr = self.program.instr(CodePtr::at(at));
            // A list that branches would write now this, now that.
            if instr.traits().then != Then::Next {
                return self.refuse();
            }
            match instr {
                Instr::AddAttr | Instr::SetAttr => self.write_attribute(),
                Instr::Move(zone, _) => self.move_card(zone, start),
                Instr::Fact(_) => self.drop_taken(instr),
                _ => self.follow(CodePtr::at(at)),
            }
            if instr.is_effect() {
                self.fuel = self.fuel.saturating_add(1);
            }
            if self.payments.is_refused {
                return;
            }
        }
        // The end of the list.
        self.fuel = self.fuel.saturating_add(1);
    }

    fn drop_taken(&mut self, instr: Instr) {
        let n = match instr.takes() {
            Takes::Fields(kind) => self.program.event(kind).map_or(0, |it| it.fields.len()),
            Takes::Values(n) => usize::from(n),
            Takes::Kept(_) => 0,
        };
        self.values.truncate(self.values.len().saturating_sub(n));
    }

    fn write_attribute(&mut self) {
        let attr = self.values.len().checked_sub(2).and_then(|it| self.values.get(it)).copied();
        match attr {
            Some(Operand::Const(attr)) => self.payments.written.push(AttrId::from(i64::from(attr))),
            _ => return self.refuse(),
        }
        self.values.truncate(self.values.len().saturating_sub(3));
    }

    /// A card that moves: there is room, and what moves must be a card.
    fn move_card(&mut self, zone: ZoneId, start: usize) {
        let has_room = self.program.zone(zone).is_some_and(|it| it.capacity >= self.program.limits.entities_max);
        let card = self.values.len().checked_sub(2).and_then(|it| self.values.get(it)).copied();
        let Some(card) = card.filter(|_| has_room && self.program.auras.is_empty()) else { return self.refuse() };
        self.values.truncate(self.values.len().saturating_sub(2));
        let to = self.next();
        // What asks here costs nothing: the general way does not.
        let fuel = core::mem::take(&mut self.fuel);
        self.add(Op::Of { to, instr: Instr::Prop(Prop::Def), value: card });
        let [_, undecided] = self.exits();
        self.test(Math::Eq, true, Operand::Temp(to), Operand::Null, undecided, start);
        self.fuel = fuel;
        self.payments.has_moved = true;
    }

    /// Whether an event is a plain payment: it concerns one that is named, or nobody.
    fn is_plain_payment(&self, emit: Emit, event: &EventType) -> bool {
        let is_one = |at: u8| event.fields.get(usize::from(at)).is_some_and(|it| !it.many);
        let concerns_one = event.subject.is_none_or(is_one) && event.fan_out.is_none() && emit.fan.is_none();
        let names_one = emit.names_one && event.subject.is_none();
        concerns_one && !names_one && !event.may_miss && event.effects.is_none() && event.skip_when.is_none()
    }

    /// A stretch of code up to an instruction; none if it goes elsewhere.
    fn stretch_to(&self, code: CodePtr, last: Instr) -> Option<Range<usize>> {
        let rest = self.program.code.get(code.index()..)?;
        let len = rest.iter().position(|it| *it == last)?;
        let range = code.index()..code.index().saturating_add(len);
        let stays = |it: &usize| *it >= range.start && *it <= range.end;
        self.aims(&range).iter().all(stays).then_some(range)
    }

    /// Follows a stretch of pure code, which ends with a value.
    fn inline(&mut self, code: Range<usize>) {
        self.payments.n_inlined = self.payments.n_inlined.saturating_add(1);
        self.shift = self.payments.n_inlined.saturating_mul(self.program.code.len().saturating_add(2));
        let aims = self.aims(&code);
        for at in code.clone() {
            if self.is_cut || aims.binary_search(&at).is_ok() {
                self.land(at);
            }
            self.follow(CodePtr::at(at));
            if self.payments.is_refused {
                return;
            }
        }
        if self.is_cut || aims.binary_search(&code.end).is_ok() {
            self.land(code.end);
        }
        self.shift = 0;
        // Its return.
        self.fuel = self.fuel.saturating_add(1);
    }
}

/// Whether an instruction reads variables of the row it is run for, itself or in code it runs.
#[expect(clippy::wildcard_enum_match_arm, reason = "only these read variables")]
fn reads_locals(program: &Program, instr: Instr, depth: u8) -> bool {
    let code_reads = |code: CodePtr| {
        let rest = program.code.get(code.index()..).unwrap_or_default();
        let mut code = rest.iter().take_while(|it| **it != Instr::Return);
        depth >= DEPTH_MAX || code.any(|it| reads_locals(program, *it, depth.saturating_add(1)))
    };
    let select_reads = |id: SelectId| {
        let Some(select) = program.select(id) else { return true };
        select.random.is_some() || select.codes().into_iter().any(|it| it.is_some() && code_reads(it))
    };
    match instr {
        Instr::Local(_) => depth > 0,
        Instr::LocalList(_) | Instr::Live(_) | Instr::LiveList(_) | Instr::CanActivate => true,
        Instr::Select(id) | Instr::Count(id) | Instr::Any(id) => select_reads(id),
        Instr::Total(_, code) => code_reads(code),
        _ => false,
    }
}
