//! Runs pure code: conditions, expressions and selectors. Reads the state, writes only the scratch machine.

use core::ops::Deref;

use ruleset::{
    AbilityId, AttrId, CodePtr, DefId, KeywordId, NULL, Program, RuleId, ZoneId,
    instr::{Instr, Math, Prop, Total},
};

use crate::{
    attribute,
    derived::Derived,
    fault::Fault,
    ids::{EntityId, EventNo, PlayerId},
    scratch::Machine,
    select,
    state::{Frame, MatchState, Note, Status},
    tree,
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

    /// Whether values are what is stored, as far as no continuous effect has a say: nothing is modified, and nobody
    /// is looked at who is gone.
    #[inline]
    pub fn is_plain(&self) -> bool {
        let is_gone = |moves: u16| self.state.ent(self.this).is_some_and(|it| it.has_left_since(moves));
        self.state.mods.is_empty() && !self.subject_left && !self.this_moves.is_some_and(is_gone)
    }

    /// The same state seen by somebody else.
    pub fn seen_by(&self, who: Who) -> Self {
        Self { who, ..*self }
    }
}

/// Runs code to its `Return` and gives the value it leaves.
pub fn eval(cx: &Cx<'_>, machine: &mut Machine, code: CodePtr) -> Result<i64, Fault> {
    let root = cx.program.trees.root(code);
    if root.is_some() {
        machine.spend(root.size)?;
        return Ok(tree::value(cx, machine, root.node));
    }
    run(cx, machine, code)?;
    Ok(machine.pop())
}

/// Whether a condition holds; no condition always holds.
pub fn holds(cx: &Cx<'_>, machine: &mut Machine, code: CodePtr) -> Result<bool, Fault> {
    if code.is_none() {
        return Ok(true);
    }
    let root = cx.program.trees.root(code);
    if root.is_some() {
        machine.spend(root.size)?;
        return Ok(tree::holds(cx, machine, root.node));
    }
    Ok(eval(cx, machine, code)? == 1)
}

fn run(cx: &Cx<'_>, machine: &mut Machine, mut pc: CodePtr) -> Result<(), Fault> {
    loop {
        let instr = cx.program.instr(pc);
        match pure(cx, machine, instr)? {
            Go::On => pc = CodePtr(pc.0.saturating_add(1)),
            Go::To(to) => pc = to,
            Go::Return => return Ok(()),
            // An effect in pure code cannot be: the ruleset was checked.
            Go::Effect => return Err(Fault::Invariant),
        }
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

/// Runs one pure instruction.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "instructions and records of the other classes are not for this place"
)]
pub fn pure(cx: &Cx<'_>, machine: &mut Machine, instr: Instr) -> Result<Go, Fault> {
    machine.spend(1)?;
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
            let n = machine.stack.last().map_or(0, |it| crate::cells::span_of(*it).1);
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
        Instr::Attr(attr) => {
            let entity = EntityId::from(machine.pop());
            let value = read(cx, machine, entity, attr);
            machine.push(value);
        }
        Instr::AttrOf => {
            let attr = AttrId::from(machine.pop());
            let entity = EntityId::from(machine.pop());
            let value = read(cx, machine, entity, attr);
            machine.push(value);
        }
        Instr::BaseOf => {
            let attr = AttrId::from(machine.pop());
            let entity = EntityId::from(machine.pop());
            machine.push(attribute::base(cx.program, cx.state, entity, attr));
        }
        Instr::Prop(prop) => {
            let of = machine.pop();
            machine.push(property(cx, of, prop));
        }
        Instr::HasKeyword(keyword) => has_keyword(cx, machine, keyword),
        Instr::HasKeywordOf => {
            let keyword = KeywordId::from(machine.pop());
            has_keyword(cx, machine, keyword);
        }
        Instr::HasType(card_type) => {
            let def = def_of(cx, EntityId::from(machine.pop()));
            machine.push(i64::from(cx.program.def(def).is_some_and(|it| it.card_type == card_type)));
        }
        Instr::HasAbility => {
            let ability = AbilityId::from(machine.pop());
            let def = def_of(cx, EntityId::from(machine.pop()));
            machine.push(i64::from(cx.program.ability_of(def, ability).is_some()));
        }
        Instr::CanActivate => {
            let ability = AbilityId::from(machine.pop());
            let card = EntityId::from(machine.pop());
            let can = crate::ability::can_activate(cx, machine, card, ability)?;
            machine.push(i64::from(can));
        }
        Instr::NextPlayer => {
            let player = PlayerId::from(machine.pop());
            machine.push(cx.state.next_player(player).into());
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
        Instr::Neg => {
            let value = machine.pop();
            machine.push(number(value).saturating_neg());
        }
        Instr::Abs => {
            let value = machine.pop();
            machine.push(number(value).saturating_abs());
        }
        Instr::Not => {
            let value = machine.pop();
            machine.push(i64::from(value != 1));
        }
        Instr::Jump(to) => return Ok(Go::To(to)),
        Instr::JumpUnless(to) => {
            return Ok(if machine.pop() == 1 { Go::On } else { Go::To(to) });
        }
        Instr::JumpIf(to) => {
            return Ok(if machine.pop() == 1 { Go::To(to) } else { Go::On });
        }
        Instr::Select(id) => select::list(cx, machine, id, None)?,
        Instr::Count(id) => select::count(cx, machine, id)?,
        Instr::Any(id) => select::any(cx, machine, id)?,
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
            let names = crate::ability::names_of(cx.state, cx.program, card);
            machine.charge(names.len())?;
            machine.push_list(&names);
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
    let own = || machine.locals.get(usize::from(field)).copied().unwrap_or(NULL);
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

fn has_keyword(cx: &Cx<'_>, machine: &mut Machine, keyword: KeywordId) {
    let card = EntityId::from(machine.pop());
    let has = attribute::has_keyword(cx, machine, card, keyword);
    machine.push(i64::from(has));
}

pub(crate) fn def_of(cx: &Cx<'_>, card: EntityId) -> DefId {
    cx.state.ent(card).map_or(DefId::NONE, |it| it.def)
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "instructions and records of the other classes are not for this place"
)]
pub(crate) fn property(cx: &Cx<'_>, of: i64, prop: Prop) -> i64 {
    let event = EventNo::from(of);
    match prop {
        Prop::EventType => return cx.state.frame(event).map_or(NULL, |it| it.etype.into()),
        Prop::Source => return cx.state.frame(event).map_or(NULL, |it| it.source.into()),
        Prop::Preventable => {
            let kind = cx.state.frame(event).and_then(|it| cx.program.event(it.etype));
            return i64::from(kind.is_some_and(|it| it.preventable));
        }
        Prop::Alive => return i64::from(cx.state.is_alive(PlayerId::from(of))),
        Prop::Connected => {
            return i64::from(cx.state.head.connected & PlayerId::from(of).bit() != 0);
        }
        _ => {}
    }
    let id = EntityId::from(of);
    let Some(ent) = cx.state.ent(id) else {
        return NULL;
    };
    match prop {
        Prop::Owner => ent.owner.into(),
        Prop::Controller if ent.status == Status::Player => of,
        Prop::Controller => ent.controller.into(),
        Prop::Zone => cx.state.zone_kind(cx.program, id).into(),
        Prop::Def => ent.def.into(),
        Prop::Type => cx.program.def(ent.def).map_or(NULL, |it| it.card_type.into()),
        Prop::Since => i64::from(ent.since),
        Prop::Created => i64::from(ent.created),
        Prop::Index => {
            let at = cx.state.cards_in(ent.zone).position(|it| it == id);
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
    let first = machine.stack.len().saturating_sub(usize::from(n));
    let at = machine.start_list();
    let Machine { stack, lists, .. } = machine;
    lists.extend(stack.drain(first..).filter(|it| *it != NULL));
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
        machine.push(item);
        let value = number(eval(cx, machine, code)?);
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
