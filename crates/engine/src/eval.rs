//! Runs pure code: conditions, expressions and selectors. Reads the state, writes only the scratch machine.

use core::ops::Deref;

use ruleset::{
    AbilityId, AttrId, CodePtr, DefId, KeywordId, NULL, Program, RuleId, ZoneId,
    instr::{Instr, Math, Prop, Total},
    op::{Entry, Op, Operand, Row},
};

use crate::{
    attribute,
    derived::Derived,
    fault::Fault,
    ids::{EntityId, EventNo, PlayerId},
    scratch::Machine,
    select,
    state::{Entity, Frame, MatchState, Note, Status},
};

/// Who and what a piece of code is about, without the state it looks at.
#[derive(Clone, Copy, Debug)]
pub struct Who {
    pub this: EntityId,
    pub this_moves: Option<u16>,
    pub you: PlayerId,
    pub event: EventNo,
    pub cause: EventNo,
    pub subject: EntityId,
    pub subject_left: bool,
    /// Only continuous effects declared before this one count.
    pub aura_limit: RuleId,
}

impl Who {
    /// A player, acting for himself.
    pub fn player(you: PlayerId) -> Self {
        Self {
            this: EntityId::NONE,
            this_moves: None,
            you,
            event: EventNo::NONE,
            cause: EventNo::NONE,
            subject: EntityId::NONE,
            subject_left: false,
            aura_limit: RuleId::NONE,
        }
    }

    /// A row on the stack.
    pub fn frame(frame: &Frame) -> Self {
        Self {
            this: frame.source,
            this_moves: frame.source.is_some().then_some(frame.source_moves),
            you: frame.controller,
            event: frame.event,
            cause: frame.answered(),
            subject: frame.subject,
            subject_left: frame.subject_left,
            aura_limit: RuleId::NONE,
        }
    }

    /// A card that acts for a player.
    pub fn card(this: EntityId, you: PlayerId) -> Self {
        Self { this, ..Self::player(you) }
    }
}

/// Who and what a piece of code is about, and the state it looks at.
#[derive(Clone, Copy)]
pub struct Cx<'a> {
    pub program: &'a Program,
    pub state: &'a MatchState,
    pub derived: &'a Derived,
    pub who: Who,
}

impl Deref for Cx<'_> {
    type Target = Who;

    fn deref(&self) -> &Who {
        &self.who
    }
}

impl<'a> Cx<'a> {
    /// Somebody who looks at a state.
    pub fn new(program: &'a Program, state: &'a MatchState, derived: &'a Derived, who: Who) -> Self {
        Self { program, state, derived, who }
    }

    /// Nobody in particular.
    pub fn bare(program: &'a Program, state: &'a MatchState, derived: &'a Derived) -> Self {
        Self::new(program, state, derived, Who::player(state.head.active))
    }

    /// The same state seen by somebody else.
    pub fn seen_by(&self, who: Who) -> Self {
        Self { who, ..*self }
    }
}

/// Runs code to its `Return` and gives the value it leaves.
#[inline]
pub fn eval(cx: &Cx<'_>, machine: &mut Machine, code: CodePtr) -> Result<i64, Fault> {
    value(cx, machine, cx.program.ops.entry(code))
}

/// The same for operations.
pub(crate) fn value(cx: &Cx<'_>, machine: &mut Machine, code: Entry) -> Result<i64, Fault> {
    let height = machine.height();
    let base = height.wrapping_sub(usize::from(code.depth));
    // Much of what is asked is one comparison.
    match cx.program.ops.row(code.at) {
        Some(Row { op: Op::ReturnMath { math, a, b }, fuel }) => {
            machine.spend(*fuel)?;
            let (a, b) = (operand(cx, machine, base, *a), operand(cx, machine, base, *b));
            return Ok(calculate(*math, a, b));
        }
        Some(Row { op: Op::Return { value }, fuel }) => {
            machine.spend(*fuel)?;
            return Ok(operand(cx, machine, base, *value));
        }
        Some(_) | None => {}
    }
    let stop = run(cx, machine, code);
    machine.set_height(height);
    match stop? {
        Stop::Value(value) => Ok(value),
        // An effect in pure code cannot be: the ruleset was checked.
        Stop::Kept | Stop::Effect(_) => Err(Fault::Invariant),
    }
}

/// Whether a condition holds; no condition always holds.
#[inline]
pub fn holds(cx: &Cx<'_>, machine: &mut Machine, code: CodePtr) -> Result<bool, Fault> {
    if code.is_none() { Ok(true) } else { Ok(eval(cx, machine, code)? == 1) }
}

/// What code says of an item it is given.
pub fn eval_of(cx: &Cx<'_>, machine: &mut Machine, code: CodePtr, item: i64) -> Result<i64, Fault> {
    machine.push(item);
    let value = eval(cx, machine, code);
    machine.pop();
    value
}

/// Where operations come to a halt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// They are done, with a value.
    Value(i64),
    /// They are done, and their values are on the stack.
    Kept,
    /// Before an instruction that does something, whose operands are in [`Machine::args`].
    Effect(CodePtr),
}

/// Runs operations. The stack is as high as it was where they begin, unless they leave values there.
pub fn run(cx: &Cx<'_>, machine: &mut Machine, code: Entry) -> Result<Stop, Fault> {
    let ops = &cx.program.ops;
    let base = machine.height().wrapping_sub(usize::from(code.depth));
    // Whatever is run on the way works above what lies here.
    let room = base.wrapping_add(ops.depth());
    machine.rise_to(room);
    let place = |at: u16| base.wrapping_add(usize::from(at));
    let mut at = code.at;
    loop {
        let Some(row) = ops.row(at) else { return Err(Fault::Invariant) };
        machine.spend(row.fuel)?;
        at = at.wrapping_add(1);
        match row.op {
            Op::Put { to, value } => {
                let value = operand(cx, machine, base, value);
                machine.put(place(to), value);
            }
            Op::Math { to, math, a, b } => {
                let (a, b) = (operand(cx, machine, base, a), operand(cx, machine, base, b));
                machine.put(place(to), calculate(math, a, b));
            }
            Op::Of { to, instr, value } => {
                let value = operand(cx, machine, base, value);
                let value = unary(cx, machine, instr, value);
                machine.put(place(to), value);
            }
            Op::With { to, instr, a, b } => {
                let (a, b) = (operand(cx, machine, base, a), operand(cx, machine, base, b));
                let value = binary(cx, machine, instr, a, b);
                machine.put(place(to), value);
            }
            Op::Stacked { top, instr } => {
                machine.set_height(place(top));
                pure(cx, machine, instr)?;
                machine.rise_to(room);
            }
            Op::SetReg { reg, value } => {
                let value = operand(cx, machine, base, value);
                machine.set_reg(reg, value);
            }
            Op::Test { math, holds, a, b, to } => {
                let (a, b) = (operand(cx, machine, base, a), operand(cx, machine, base, b));
                if compares(math, a, b) == holds {
                    at = to;
                }
            }
            Op::Branch { holds, value, to } => {
                if (operand(cx, machine, base, value) == 1) == holds {
                    at = to;
                }
            }
            Op::Jump { to } => at = to,
            Op::Pay => {}
            Op::Return { value } => return Ok(Stop::Value(operand(cx, machine, base, value))),
            Op::ReturnMath { math, a, b } => {
                let (a, b) = (operand(cx, machine, base, a), operand(cx, machine, base, b));
                return Ok(Stop::Value(calculate(math, a, b)));
            }
            Op::Keep { top } => {
                machine.set_height(place(top));
                return Ok(Stop::Kept);
            }
            Op::Do { top, n_operands, at, operands } => {
                load_args(cx, machine, base, ops.operands(operands, n_operands));
                machine.set_height(place(top));
                return Ok(Stop::Effect(at));
            }
        }
    }
}

/// Works out what an instruction works on that does something.
#[inline]
fn load_args(cx: &Cx<'_>, machine: &mut Machine, base: usize, operands: &[Operand]) {
    machine.args.clear();
    for it in operands {
        let value = operand(cx, machine, base, *it);
        machine.args.push(value);
    }
}

/// Runs code up to the next instruction that does something, and gives that. Often it comes first.
#[inline]
pub fn next_effect(cx: &Cx<'_>, machine: &mut Machine, code: Entry) -> Result<CodePtr, Fault> {
    let ops = &cx.program.ops;
    if let Some(Row { op: Op::Do { top, n_operands, at, operands }, fuel }) = ops.row(code.at) {
        machine.spend(*fuel)?;
        let base = machine.height().wrapping_sub(usize::from(code.depth));
        load_args(cx, machine, base, ops.operands(*operands, *n_operands));
        machine.set_height(base.wrapping_add(usize::from(*top)));
        return Ok(*at);
    }
    match run(cx, machine, code)? {
        Stop::Effect(at) => Ok(at),
        // Lists end with `End`; only pure code returns.
        Stop::Value(_) | Stop::Kept => Err(Fault::Invariant),
    }
}

/// What an operation works on. Most of it is a few instructions, and no call is to cost more than them.
#[inline(always)]
fn operand(cx: &Cx<'_>, machine: &mut Machine, base: usize, operand: Operand) -> i64 {
    match operand {
        Operand::Const(value) => i64::from(value),
        Operand::Null => NULL,
        Operand::Temp(at) => machine.value_at(base.wrapping_add(usize::from(at))),
        Operand::Kept(n) => machine.value_at(base.wrapping_sub(usize::from(n))),
        Operand::Given => machine.value_at(base.wrapping_sub(1)),
        Operand::Local(cell) => machine.local(usize::from(cell)),
        Operand::Reg(reg) => machine.reg(reg),
        Operand::This => cx.this.into(),
        Operand::You => cx.you.into(),
        Operand::Turn => i64::from(cx.state.head.turn),
        Operand::Active => cx.state.head.active.into(),
        Operand::AttrOfLocal(cell, attr) => read(cx, machine, machine.local(usize::from(cell)).into(), attr),
        Operand::AttrOfReg(reg, attr) => read(cx, machine, machine.reg(reg).into(), attr),
        Operand::AttrOfYou(attr) => read(cx, machine, cx.you.into(), attr),
        Operand::AttrOfThis(attr) => read(cx, machine, cx.this, attr),
        Operand::PropOfLocal(cell, prop) => property(cx, machine.local(usize::from(cell)), prop),
        Operand::PropOfReg(reg, prop) => property(cx, machine.reg(reg), prop),
    }
}

/// What an instruction makes of one operand.
#[expect(clippy::wildcard_enum_match_arm, reason = "only instructions with one operand come here")]
fn unary(cx: &Cx<'_>, machine: &mut Machine, instr: Instr, of: i64) -> i64 {
    match instr {
        Instr::Attr(attr) => read(cx, machine, EntityId::from(of), attr),
        Instr::Prop(prop) => property(cx, of, prop),
        Instr::HasKeyword(keyword) => i64::from(attribute::has_keyword(cx, machine, EntityId::from(of), keyword)),
        Instr::HasType(card_type) => {
            let def = def_of(cx, EntityId::from(of));
            i64::from(cx.program.def(def).is_some_and(|it| it.card_type == card_type))
        }
        Instr::NextPlayer => cx.state.next_player(PlayerId::from(of)).into(),
        Instr::Neg => number(of).saturating_neg(),
        Instr::Abs => number(of).saturating_abs(),
        Instr::Not => i64::from(of != 1),
        _ => NULL,
    }
}

/// What an instruction makes of two operands.
#[expect(clippy::wildcard_enum_match_arm, reason = "only instructions with two operands come here")]
fn binary(cx: &Cx<'_>, machine: &mut Machine, instr: Instr, a: i64, b: i64) -> i64 {
    let entity = EntityId::from(a);
    match instr {
        Instr::AttrOf => read(cx, machine, entity, AttrId::from(b)),
        Instr::BaseOf => attribute::base(cx.program, cx.state, entity, AttrId::from(b)),
        Instr::HasKeywordOf => i64::from(attribute::has_keyword(cx, machine, entity, KeywordId::from(b))),
        Instr::HasAbility => {
            let def = def_of(cx, entity);
            i64::from(cx.program.ability_of(def, AbilityId::from(b)).is_some())
        }
        Instr::PayAbility => crate::cost::is_ability_free(cx, machine, entity, AbilityId::from(b)),
        _ => NULL,
    }
}

/// Where a piece of code goes on.
pub enum Go {
    /// With the next instruction.
    On,
    /// Elsewhere.
    To(CodePtr),
    /// It is done.
    Return,
    /// The instruction is not a pure one.
    Effect,
}

/// Runs one pure instruction on the stack: what it means. Who runs it pays for it.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "instructions and records of the other classes are not for this place"
)]
pub fn pure(cx: &Cx<'_>, machine: &mut Machine, instr: Instr) -> Result<Go, Fault> {
    match instr {
        Instr::Const(value) => machine.push(i64::from(value)),
        Instr::Long(at) => {
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            machine.push(cx.program.longs.get(at).copied().unwrap_or(0));
        }
        Instr::Null => machine.push(NULL),
        Instr::Local(cell) => {
            let value = machine.local(usize::from(cell));
            machine.push(value);
        }
        Instr::LocalList(cell) => {
            machine.push_local_list(usize::from(cell));
            let n = crate::cells::span_of(machine.below(0)).1;
            machine.charge(n)?;
        }
        Instr::Reg(reg) => {
            let value = machine.regs.get(usize::from(reg)).copied().unwrap_or(NULL);
            machine.push(value);
        }
        Instr::SetReg(reg) => {
            let value = machine.pop();
            machine.set_reg(reg, value);
        }
        Instr::Live(field) => {
            let value = live(cx, machine, field);
            machine.push(value);
        }
        Instr::LiveList(field) => live_list(cx, machine, field),
        Instr::This => machine.push(cx.this.into()),
        Instr::You => machine.push(cx.you.into()),
        Instr::OwnEvent => machine.push(cx.event.into()),
        Instr::Cause => machine.push(cx.cause.into()),
        Instr::Turn => machine.push(i64::from(cx.state.head.turn)),
        Instr::Active => machine.push(cx.state.head.active.into()),
        Instr::PhaseNow => machine.push(cx.program.step(cx.state.head.step).map_or(NULL, |it| it.phase.into())),
        Instr::StepNow => machine.push(cx.state.head.step.into()),
        Instr::Attr(_)
        | Instr::Prop(_)
        | Instr::HasKeyword(_)
        | Instr::HasType(_)
        | Instr::NextPlayer
        | Instr::Neg
        | Instr::Abs
        | Instr::Not => {
            let of = machine.pop();
            let value = unary(cx, machine, instr, of);
            machine.push(value);
        }
        Instr::AttrOf | Instr::BaseOf | Instr::HasKeywordOf | Instr::HasAbility => {
            let (b, a) = (machine.pop(), machine.pop());
            let value = binary(cx, machine, instr, a, b);
            machine.push(value);
        }
        Instr::CanActivate => {
            let ability = AbilityId::from(machine.pop());
            let card = EntityId::from(machine.pop());
            let can = crate::ability::can_activate(cx, machine, card, ability)?;
            machine.push(i64::from(can));
        }
        Instr::Others => {
            let player = PlayerId::from(machine.pop());
            let at = machine.start_list();
            let others = cx.state.players_from(player).filter(|it| *it != player);
            machine.lists.extend(others.map(i64::from));
            machine.end_list(at);
        }
        Instr::Math(math) => {
            let (b, a) = (machine.pop(), machine.pop());
            machine.push(calculate(math, a, b));
        }
        Instr::Jump(to) => return Ok(Go::To(to)),
        Instr::JumpUnless(to) => {
            return Ok(if machine.pop() == 1 { Go::On } else { Go::To(to) });
        }
        Instr::JumpIf(to) => {
            return Ok(if machine.pop() == 1 { Go::To(to) } else { Go::On });
        }
        Instr::Select(id) => {
            let found = select::found(cx, machine, id, None)?;
            machine.push(found);
        }
        Instr::Count(id) => {
            let n = select::count(cx, machine, id)?;
            machine.push(n);
        }
        Instr::Any(id) => {
            let found = select::any(cx, machine, id)?;
            machine.push(i64::from(found));
        }
        Instr::Size => {
            let list = machine.pop();
            machine.push(i64::try_from(machine.items(list).len()).unwrap_or(i64::MAX));
        }
        Instr::First => {
            let list = machine.pop();
            machine.push(machine.items(list).first().copied().unwrap_or(NULL));
        }
        Instr::Last => {
            let list = machine.pop();
            machine.push(machine.items(list).last().copied().unwrap_or(NULL));
        }
        Instr::Contains => {
            let (item, list) = (machine.pop(), machine.pop());
            machine.charge(machine.items(list).len())?;
            machine.push(i64::from(machine.items(list).contains(&item)));
        }
        Instr::ListOf(n) => {
            machine.charge(usize::from(n))?;
            list_of(machine, n);
        }
        Instr::Union => union(machine)?,
        Instr::Total(total, code) => self::total(cx, machine, total, code)?,
        Instr::AnswerOf => {
            let (player, answers) = (machine.pop(), machine.pop());
            answer_of(machine, answers, player);
        }
        Instr::OriginOf => {
            let (player, answers) = (machine.pop(), machine.pop());
            let origin = find_answer(machine.items(answers), player).map_or(NULL, |it| it.0);
            machine.push(origin);
        }
        Instr::Range => range(machine)?,
        Instr::Room => {
            let player = PlayerId::from(machine.pop());
            let zone = ZoneId::from(machine.pop());
            machine.push(room(cx, zone, player));
        }
        Instr::AbilitiesOf => {
            let card = EntityId::from(machine.pop());
            let at = machine.start_list();
            machine.lists.extend(crate::ability::names_of(cx.state, cx.program, card));
            machine.charge(machine.lists.len().saturating_sub(at))?;
            machine.end_list(at);
        }
        Instr::Return => return Ok(Go::Return),
        _ => return Ok(Go::Effect),
    }
    Ok(Go::On)
}

/// Pushes all numbers from one to another.
fn range(machine: &mut Machine) -> Result<(), Fault> {
    let (last, first) = (number(machine.pop()), number(machine.pop()));
    let n = usize::try_from(last.saturating_sub(first).saturating_add(1)).unwrap_or(0);
    machine.charge(n)?;
    let at = machine.start_list();
    machine.lists.extend((0..n).map(|i| first.saturating_add(i64::try_from(i).unwrap_or(0))));
    machine.end_list(at);
    Ok(())
}

/// How many more cards a zone takes.
fn room(cx: &Cx<'_>, zone: ZoneId, player: PlayerId) -> i64 {
    let capacity = cx.program.zone(zone).map_or(0, |it| it.capacity);
    let instance = MatchState::instance(cx.program, zone, player);
    let len = cx.state.zones.get(usize::from(instance)).map_or(0, |it| it.len);
    i64::from(capacity.saturating_sub(len))
}

/// The value of an attribute as this code sees it: last known where its own card is gone.
pub(crate) fn read(cx: &Cx<'_>, machine: &mut Machine, entity: EntityId, attr: AttrId) -> i64 {
    let Some(ent) = cx.state.ent(entity) else {
        return 0;
    };
    let own_is_gone = entity == cx.this && cx.this_moves.is_some_and(|it| ent.has_left_since(it));
    let subject_is_gone = cx.subject_left && entity == cx.subject;
    if own_is_gone || subject_is_gone {
        return attribute::last_value(cx.program, cx.state, entity, attr);
    }
    attribute::value_of(cx, machine, entity, ent, attr)
}

fn live(cx: &Cx<'_>, machine: &Machine, field: u8) -> i64 {
    let noted = cx.state.notes.iter().rev().find(|it: &&Note| {
        it.event == cx.cause && it.entity == cx.subject && it.field == field && cx.subject.is_some()
    });
    if let Some(note) = noted {
        return note.value;
    }
    let own = || machine.local(usize::from(field));
    cx.state
        .frame(cx.cause)
        .map_or_else(own, |frame| cx.state.cells_of(frame).get(usize::from(field)).copied().unwrap_or(NULL))
}

fn live_list(cx: &Cx<'_>, machine: &mut Machine, field: u8) {
    match cx.state.frame(cx.cause) {
        Some(frame) => {
            let cells = cx.state.cells_of(frame);
            let (start, len) = crate::cells::span_of(cells.get(usize::from(field)).copied().unwrap_or(NULL));
            let items = cells.get(start..start.saturating_add(len)).unwrap_or_default();
            machine.push_list(items);
        }
        None => machine.push_local_list(usize::from(field)),
    }
}

pub(crate) fn def_of(cx: &Cx<'_>, card: EntityId) -> DefId {
    cx.state.ent(card).map_or(DefId::NONE, |it| it.def)
}

/// A property of a card, player or event.
pub(crate) fn property(cx: &Cx<'_>, of: i64, prop: Prop) -> i64 {
    match prop {
        Prop::EventType | Prop::Source | Prop::Preventable => event_property(cx, EventNo::from(of), prop),
        Prop::Alive => i64::from(cx.state.is_alive(PlayerId::from(of))),
        Prop::Connected => i64::from(cx.state.head.connected & PlayerId::from(of).bit() != 0),
        Prop::Owner
        | Prop::Controller
        | Prop::Zone
        | Prop::Def
        | Prop::Type
        | Prop::Since
        | Prop::Created
        | Prop::Index => cx.state.ent(EntityId::from(of)).map_or(NULL, |it| entity_property(cx, of, it, prop)),
    }
}

fn event_property(cx: &Cx<'_>, event: EventNo, prop: Prop) -> i64 {
    let Some(frame) = cx.state.frame(event) else { return if prop == Prop::Preventable { 0 } else { NULL } };
    match prop {
        Prop::EventType => frame.etype.into(),
        Prop::Source => frame.source.into(),
        Prop::Preventable
        | Prop::Owner
        | Prop::Controller
        | Prop::Zone
        | Prop::Def
        | Prop::Type
        | Prop::Since
        | Prop::Created
        | Prop::Index
        | Prop::Alive
        | Prop::Connected => i64::from(cx.program.event(frame.etype).is_some_and(|it| it.preventable)),
    }
}

#[inline]
fn entity_property(cx: &Cx<'_>, of: i64, ent: &Entity, prop: Prop) -> i64 {
    match prop {
        Prop::Owner => ent.owner.into(),
        Prop::Controller if ent.status == Status::Player => of,
        Prop::Controller => ent.controller.into(),
        Prop::Zone => cx.program.zone_of(ent.zone).map_or(NULL, |it| it.0.into()),
        Prop::Def => ent.def.into(),
        Prop::Type => cx.program.def(ent.def).map_or(NULL, |it| it.card_type.into()),
        Prop::Since => i64::from(ent.since),
        Prop::Created => i64::from(ent.created),
        Prop::Index => {
            let at = cx.state.cards_in(ent.zone).position(|it| i64::from(it) == of);
            at.and_then(|it| i64::try_from(it).ok()).unwrap_or(NULL)
        }
        Prop::EventType | Prop::Source | Prop::Preventable | Prop::Alive | Prop::Connected => NULL,
    }
}

#[inline]
pub(crate) fn number(value: i64) -> i64 {
    if value == NULL { 0 } else { value }
}

/// Whether a comparison holds.
#[inline(always)]
#[expect(clippy::wildcard_enum_match_arm, reason = "what is no comparison holds if it comes to 1")]
pub(crate) fn compares(math: Math, a: i64, b: i64) -> bool {
    match math {
        Math::Eq => a == b,
        Math::Ne => a != b,
        Math::Lt => number(a) < number(b),
        Math::Le => number(a) <= number(b),
        Math::Gt => number(a) > number(b),
        Math::Ge => number(a) >= number(b),
        _ => calculate(math, a, b) == 1,
    }
}

#[inline]
pub(crate) fn calculate(math: Math, a: i64, b: i64) -> i64 {
    let (x, y) = (number(a), number(b));
    match math {
        Math::Add => x.saturating_add(y),
        Math::Sub => x.saturating_sub(y),
        Math::Mul => x.saturating_mul(y),
        Math::Div => x.checked_div_euclid(y).unwrap_or(0),
        Math::Mod => x.checked_rem_euclid(y).unwrap_or(0),
        Math::Min => x.min(y),
        Math::Max => x.max(y),
        Math::Eq => i64::from(a == b),
        Math::Ne => i64::from(a != b),
        Math::Lt => i64::from(x < y),
        Math::Le => i64::from(x <= y),
        Math::Gt => i64::from(x > y),
        Math::Ge => i64::from(x >= y),
    }
}

/// Makes a list of the top values; "nothing" is not an item.
fn list_of(machine: &mut Machine, n: u8) {
    let at = machine.start_list();
    for i in (0..usize::from(n)).rev() {
        let value = machine.below(i);
        if value != NULL {
            machine.lists.push(value);
        }
    }
    machine.set_height(machine.height().saturating_sub(usize::from(n)));
    machine.end_list(at);
}

fn union(machine: &mut Machine) -> Result<(), Fault> {
    let (second, first) = (machine.pop(), machine.pop());
    let at = machine.start_list();
    for list in [first, second] {
        let (start, len) = crate::cells::span_of(list);
        for i in start..start.saturating_add(len) {
            let Some(item) = machine.lists.get(i).copied() else {
                continue;
            };
            let so_far = machine.lists.get(at..).unwrap_or_default();
            let (is_new, n) = (!so_far.contains(&item), so_far.len());
            machine.charge(n)?;
            if is_new {
                machine.lists.push(item);
            }
        }
    }
    machine.end_list(at);
    Ok(())
}

fn total(cx: &Cx<'_>, machine: &mut Machine, total: Total, code: CodePtr) -> Result<(), Fault> {
    let list = machine.pop();
    let (start, len) = crate::cells::span_of(list);
    let mut acc = None;
    for i in start..start.saturating_add(len) {
        let item = machine.lists.get(i).copied().unwrap_or(NULL);
        let value = number(eval_of(cx, machine, code, item)?);
        acc = Some(match (acc, total) {
            (None, _) => value,
            (Some(acc), Total::Sum) => i64::saturating_add(acc, value),
            (Some(acc), Total::Min) => acc.min(value),
            (Some(acc), Total::Max) => acc.max(value),
        });
    }
    let empty = if total == Total::Sum { 0 } else { NULL };
    machine.push(acc.unwrap_or(empty));
    Ok(())
}

/// Answers are kept as player, origin, number of values, values, and so on.
fn find_answer(items: &[i64], player: i64) -> Option<(i64, &[i64])> {
    let mut rest = items;
    while let [who, origin, n, tail @ ..] = rest {
        let n = usize::try_from(*n).ok()?;
        let values = tail.get(..n)?;
        if *who == player {
            return Some((*origin, values));
        }
        rest = tail.get(n..)?;
    }
    None
}

fn answer_of(machine: &mut Machine, answers: i64, player: i64) {
    let values: alloc::vec::Vec<i64> =
        find_answer(machine.items(answers), player).map_or_else(Default::default, |it| it.1.to_vec());
    machine.push_list(&values);
}
