//! Lists of events that happen at once: each changes values and places, and is told.

use ruleset::{
    AttrId, CodePtr, EventTypeId, NULL, ZoneId,
    deed::Deed,
    first::First,
    instr::{Emit, Instr, Position},
    program::{ActionTiming, EventType},
    stroke::{How, Leads, Stroke},
    tree::{Node, Operand},
};

use super::Direct;
use crate::{
    apply,
    eval::{self, Cx, Go, Who},
    ids::{EntityId, EventNo, PlayerId},
    list,
    record::{Record, Sink},
    scratch::Scratch,
    state::{Frame, FrameKind, MatchState, Status},
    tree,
};

/// An event that is about to happen; its variables are loaded.
struct Ready<'p> {
    emit: Emit,
    what: What<'p>,
    who: Who,
    /// Where the list goes on after it.
    to: CodePtr,
    /// Whether that is its end.
    is_last: bool,
}

/// What happens.
enum What<'p> {
    /// Something that was read ahead; the variables of its list are loaded.
    Deed(&'p Deed, &'p [Operand]),
    /// Any event; its own variables are loaded.
    Event(&'p EventType),
}

/// Who an event is that a row leads to.
pub(super) fn child(parent: &Frame, event: EventNo) -> Who {
    Who { event, cause: parent.event, subject: EntityId::NONE, subject_left: false, ..Who::frame(parent) }
}

impl<'a, S: Sink> Direct<'a, S> {
    /// The list of the top row begins: of an action that was just announced, or of an event of the turn.
    pub(super) fn begin_list(&mut self, top: &Frame) -> bool {
        let Some(event) = self.program.event(top.etype) else { return false };
        let list = if event.effects.is_some() { event.effects } else { top.pc };
        let is_due = self.is_due();
        let is_simple =
            event.is_bare() && self.can_go(top, list) && self.is_as_judged(top) && (!is_due || self.is_clear());
        let can = is_simple && self.is_unopposed(top) == Some(true);
        let Some(first) = can.then(|| self.ready(top, list)).flatten() else { return false };
        if is_due {
            self.put(&Record::Settled);
        }
        self.put(&Record::Began(list));
        self.go_through(top, first);
        true
    }

    /// Whether an action is plainly as legal as it was when it was announced.
    pub(super) fn is_as_judged(&self, top: &Frame) -> bool {
        let Some(action) = self.program.action(top.action).filter(|_| self.state.head.dirty) else { return true };
        let only_source = action.ability.is_none() && action.slots.len() <= 1 && action.principal.is_some();
        only_source && self.state.ent(top.source).is_some_and(|it| it.moves == top.source_moves)
    }

    /// Whether nobody can respond to an action; none if that costs too much to be told without a plan.
    fn is_unopposed(&mut self, top: &Frame) -> Option<bool> {
        let Some(action) = self.program.action(top.action) else { return Some(true) };
        let is_listed = self.program.step(self.state.head.step).is_some_and(|it| it.window);
        if !self.program.has_responses || action.timing == ActionTiming::AtOnce || !is_listed {
            return Some(true);
        }
        for player in self.state.players_from(top.controller).filter(|it| *it != top.controller) {
            if self.may_act(player, top.event)? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether a list can be carried out from a place to its end.
    pub(super) fn can_go(&self, top: &Frame, list: CodePtr) -> bool {
        let quiet = &self.program.quiet;
        let is_told = top.kind == FrameKind::Trigger || quiet.is_told(top.etype);
        quiet.is_list(list) && is_told && !top.deferring && top.prevented_by.is_none()
    }

    /// The list of the top row goes on.
    pub(super) fn go_on(&mut self, top: &Frame) -> bool {
        if !self.can_go(top, top.pc) {
            return false;
        }
        let Some(next) = self.ready(top, top.pc) else { return false };
        self.go_through(top, next);
        true
    }

    /// An event happens, and so does what comes after it in its list, as far as nothing keeps it from happening.
    fn go_through(&mut self, top: &Frame, first: Ready<'a>) {
        let mut next = Some(first);
        while let Some(ready) = next {
            self.happen(top, &ready);
            if ready.is_last {
                return self.finish(top);
            }
            self.put(&Record::At(ready.to));
            next = if self.begin() { self.ready_or_not(top, ready.to) } else { None };
        }
    }

    /// The next event of a list, if nothing keeps it from happening; if something does, whoever asks again pays.
    fn ready_or_not(&mut self, top: &Frame, pc: CodePtr) -> Option<Ready<'a>> {
        let fuel = self.scratch.machine.fuel;
        let ready = self.ready(top, pc);
        if ready.is_none() {
            self.scratch.machine.fuel = fuel;
        }
        ready
    }

    /// The list of the top row is done: what it was about has happened.
    fn finish(&mut self, top: &Frame) {
        if S::ON {
            self.load(top);
        }
        self.tell_done(top);
        self.put(&Record::Popped);
    }

    /// Tells that what a row was about has happened; its variables are loaded.
    pub(super) fn tell_done(&mut self, row: &Frame) {
        let event = self.program.event(row.etype).filter(|_| row.kind == FrameKind::Intent);
        if let Some(event) = event.filter(|it| it.has_fact && it.apply.is_none() && it.subject.is_none()) {
            self.tell(row.event, row.etype, event, EntityId::NONE);
        }
    }

    /// The next event of a list, if nothing keeps it from happening.
    fn ready(&mut self, top: &Frame, pc: CodePtr) -> Option<Ready<'a>> {
        self.load(top);
        let ready = self.ready_deed(top, pc);
        if ready.is_some() {
            return ready;
        }
        let program = self.program;
        let who = child(top, EventNo(self.next_event));
        let (emit, to, is_last) = match program.strokes.leads(pc) {
            Some(leads) => {
                self.load_fields(top, &leads.fields);
                (leads.emit, leads.to, leads.is_last)
            }
            None => {
                let (emit, at) = self.emit(&Who::frame(top), pc)?;
                let to = CodePtr(at.0.saturating_add(1));
                (emit, to, program.instr(to) == Instr::End)
            }
        };
        let event = program.event(emit.kind)?;
        self.load_event(event);
        let aims = event.subject.is_none_or(|it| self.cell(it) != NULL);
        let what = What::Event(event);
        (aims && self.is_possible(&who, event)).then_some(Ready { emit, what, who, to, is_last })
    }

    /// The same where what the event does was read ahead; the variables of the list are loaded.
    fn ready_deed(&mut self, top: &Frame, pc: CodePtr) -> Option<Ready<'a>> {
        let who = child(top, EventNo(self.next_event));
        let (leads, deed) = self.known_deed(&who, pc).filter(|_| !top.subject_left)?;
        let what = What::Deed(deed, &leads.fields);
        Some(Ready { emit: leads.emit, what, who, to: leads.to, is_last: leads.is_last })
    }

    /// What the next event of a list does, if that was read ahead and nothing keeps it from happening.
    #[inline(always)]
    pub(super) fn known_deed(&mut self, who: &Who, pc: CodePtr) -> Option<(&'a Leads, &'a Deed)> {
        let leads = self.program.strokes.leads(pc)?;
        let deed = leads.deed.as_ref().filter(|it| !it.has_requirement)?;
        let is_aimed = deed.aim.is_none_or(|it| self.operand(who, it) != NULL);
        is_aimed.then_some((leads, deed))
    }

    /// Works out the fields of an event ahead of it.
    fn load_fields(&mut self, top: &Frame, fields: &[Operand]) {
        let cx = Cx::new(self.program, self.state, self.derived, Who::frame(top));
        let Scratch { machine, data, .. } = &mut *self.scratch;
        data.clear();
        data.extend(fields.iter().map(|it| tree::operand(&cx, machine, *it)));
    }

    /// Goes on to the next event of a list and takes its fields.
    pub(super) fn emit(&mut self, who: &Who, pc: CodePtr) -> Option<(Emit, CodePtr)> {
        let (instr, at) = self.values(who, pc)?;
        let Instr::Emit(emit) = instr else { return None };
        let Scratch { machine, data, .. } = &mut *self.scratch;
        let n = self.program.event(emit.kind)?.fields.len();
        let first = machine.stack.len().saturating_sub(n);
        data.clear();
        data.extend(machine.stack.drain(first..));
        Some((emit, at))
    }

    /// Makes the fields that were taken the variables that code sees, with room for the event's others.
    pub(super) fn load_event(&mut self, event: &EventType) {
        let Scratch { machine, data, .. } = &mut *self.scratch;
        core::mem::swap(&mut machine.locals, data);
        machine.locals.resize(usize::from(event.cells).max(event.fields.len()), NULL);
    }

    /// Whether what the loaded event requires holds.
    pub(super) fn is_possible(&mut self, who: &Who, event: &EventType) -> bool {
        if event.requires.is_none() {
            return true;
        }
        let cx = Cx::new(self.program, self.state, self.derived, *who);
        eval::holds(&cx, &mut self.scratch.machine, event.requires) == Ok(true)
    }

    /// An event happens.
    fn happen(&mut self, top: &Frame, ready: &Ready<'_>) {
        match ready.what {
            What::Deed(deed, fields) => self.happen_as_read(top, &ready.who, (ready.emit, fields, deed)),
            What::Event(event) => {
                let row = list::child_row(top, ready.emit, ready.who.event);
                self.next_event = ready.who.event.0.saturating_add(1);
                let n_cells = self.scratch.machine.locals.len();
                self.put_with(n_cells, |cells| Record::AtOnce(row, cells));
                self.apply(&ready.who, ready.emit.kind, event);
            }
        }
    }

    /// An event happens as it was read ahead.
    #[inline(always)]
    pub(super) fn happen_as_read(&mut self, top: &Frame, who: &Who, (emit, fields, deed): (Emit, &[Operand], &Deed)) {
        self.next_event = who.event.0.saturating_add(1);
        self.keep_fields(who, deed, fields);
        let row = list::child_row(top, emit, who.event);
        self.put_kept(deed.n_cells, |cells| Record::AtOnce(row, cells));
        self.carry_out(who, emit.kind, deed);
    }

    /// Works out the variables of an event, for those who are told of it.
    #[inline(always)]
    pub(super) fn keep_fields(&mut self, who: &Who, deed: &Deed, fields: &[Operand]) {
        if S::ON {
            self.keep_them(who, deed, fields);
        }
    }

    #[inline(never)]
    fn keep_them(&mut self, who: &Who, deed: &Deed, fields: &[Operand]) {
        let cx = Cx::new(self.program, self.state, self.derived, *who);
        let Scratch { machine, data, .. } = &mut *self.scratch;
        data.clear();
        data.extend(fields.iter().map(|it| tree::operand(&cx, machine, *it)));
        data.resize(deed.n_cells, NULL);
    }

    /// Does what an event of a list does, and tells that it happened.
    #[inline(never)]
    pub(super) fn carry_out(&mut self, who: &Who, kind: EventTypeId, deed: &Deed) {
        // Whoever is told nothing need not know whom it concerns.
        let aim = deed.aim.filter(|_| S::ON);
        let subject = aim.map_or(EntityId::NONE, |it| EntityId::from(self.operand(who, it)));
        deed.strokes.iter().for_each(|it| self.stroke(who, it));
        if deed.has_fact {
            let (event, cause) = (self.event_no(), who.event);
            self.put_kept(deed.n_fields, |args| Record::Happened { event, kind, cause, subject, args });
        }
    }

    /// What an operand comes to.
    #[inline(always)]
    fn operand(&mut self, who: &Who, operand: Operand) -> i64 {
        match self.near(who, operand) {
            Some(value) => value,
            None => self.work_out(who, operand),
        }
    }

    /// What an operand plainly comes to; what lies nearest is not worth a call.
    #[inline(always)]
    fn near(&self, who: &Who, operand: Operand) -> Option<i64> {
        match operand {
            Operand::Local(cell) => Some(self.scratch.machine.local(usize::from(cell))),
            Operand::Const(value) => Some(i64::from(value)),
            Operand::Turn => Some(i64::from(self.state.head.turn)),
            Operand::You => Some(who.you.into()),
            Operand::AttrOfLocal(..) | Operand::AttrOfYou(_) | Operand::Node(_) => self.at_hand(who, operand),
            Operand::Reg(_) | Operand::AttrOfReg(..) | Operand::SinceOfReg(_) | Operand::Size(_) => None,
        }
    }

    #[inline(never)]
    #[expect(clippy::wildcard_enum_match_arm, reason = "what else lies at hand lies nearer")]
    fn at_hand(&self, who: &Who, operand: Operand) -> Option<i64> {
        match operand {
            Operand::AttrOfLocal(cell, attr) => {
                let entity = EntityId::from(self.scratch.machine.local(usize::from(cell)));
                self.stored(who, entity, attr)
            }
            Operand::AttrOfYou(attr) => self.stored(who, who.you.into(), attr),
            Operand::Node(id) => match self.program.trees.node(id)? {
                Node::Math(math, a, b) => Some(eval::calculate(math, self.near(who, a)?, self.near(who, b)?)),
                Node::Leaf(Instr::Active) => Some(self.state.head.active.into()),
                Node::Leaf(_) | Node::Unary(..) | Node::If(..) | Node::Test(..) | Node::Take(..) => None,
            },
            _ => None,
        }
    }

    /// An attribute of somebody, if it is just what is stored.
    #[inline]
    fn stored(&self, who: &Who, entity: EntityId, attr: AttrId) -> Option<i64> {
        let (rule, ent) = (self.program.attr(attr)?, self.state.ent(entity)?);
        let is_plain = self.state.mods.is_empty() && !rule.has_auras && !rule.is_link();
        let has = if ent.status == Status::Player { rule.on_players } else { rule.on_cards };
        let is_there = who.this_moves.is_none_or(|it| entity != who.this || it == ent.moves) && !who.subject_left;
        (is_plain && has && is_there).then(|| i64::from(self.state.base(self.program, entity, rule.column)))
    }

    #[inline(never)]
    fn work_out(&mut self, who: &Who, operand: Operand) -> i64 {
        let cx = Cx::new(self.program, self.state, self.derived, *who);
        tree::value_of(&cx, &mut self.scratch.machine, operand)
    }

    /// What the loaded event changes, and that it happened.
    pub(super) fn apply(&mut self, who: &Who, kind: EventTypeId, event: &EventType) {
        let subject = event.subject.map_or(EntityId::NONE, |it| EntityId::from(self.cell(it)));
        match self.program.strokes.of(kind) {
            Some(strokes) => strokes.iter().for_each(|it| self.stroke(who, it)),
            None => self.writes(who, event.apply),
        }
        if event.has_fact {
            self.tell(who.event, kind, event, subject);
        }
    }

    /// The loaded event has happened.
    fn tell(&mut self, cause: EventNo, kind: EventTypeId, event: &EventType, subject: EntityId) {
        let no = self.event_no();
        self.put_with(event.fields.len(), |args| Record::Happened { event: no, kind, cause, subject, args });
    }

    /// Runs what only gives values, up to an instruction that does something.
    pub(super) fn values(&mut self, who: &Who, mut pc: CodePtr) -> Option<(Instr, CodePtr)> {
        let cx = Cx::new(self.program, self.state, self.derived, *who);
        let machine = &mut self.scratch.machine;
        loop {
            pc = tree::run(&cx, machine, pc).ok()?;
            let instr = cx.program.instr(pc);
            if instr.is_effect() {
                return Some((instr, pc));
            }
            let Ok(Go::On) = eval::pure(&cx, machine, instr) else { return None };
            pc = CodePtr(pc.0.saturating_add(1));
        }
    }

    /// One change that was read ahead.
    #[inline]
    fn stroke(&mut self, who: &Who, stroke: &Stroke) {
        match *stroke {
            Stroke::Attr { whose, attr, how, value } => {
                let entity = EntityId::from(self.operand(who, whose));
                let value = self.operand(who, value);
                let value = if how == How::Sub { eval::number(value).saturating_neg() } else { value };
                self.set_attr(entity, attr, (value, how != How::Set));
            }
            Stroke::Move { card, player, zone, position } => {
                let card = EntityId::from(self.operand(who, card));
                let player = player.map_or(PlayerId::NONE, |it| PlayerId::from(self.operand(who, it)));
                self.move_to(who.event, card, player, (zone, position));
            }
            Stroke::MoveFirst { of, player, zone, position } => {
                let whose = PlayerId::from(self.operand(who, of.whose));
                let player = player.map_or(PlayerId::NONE, |it| PlayerId::from(self.operand(who, it)));
                let card = self.first(whose, &of);
                self.move_to(who.event, card, player, (zone, position));
            }
        }
    }

    /// The first card of somebody's zone. It costs as much as a look at all of them.
    fn first(&mut self, whose: PlayerId, of: &First) -> EntityId {
        let instance = MatchState::instance(self.program, of.zone, whose);
        let row = self.state.zones.get(usize::from(instance)).filter(|_| whose.0 < self.state.head.n_players);
        let (card, n) = row.map_or((EntityId::NONE, 0), |it| {
            (if of.end == Position::Top { it.top } else { it.bottom }, it.len.saturating_add(u32::from(it.len > 0)))
        });
        // There is always enough: see `refuel`.
        let is_paid = self.scratch.machine.spend(of.fuel.saturating_add(n));
        debug_assert!(is_paid.is_ok(), "a quiet list came to its limit");
        card
    }

    /// Carries out a list of changes.
    fn writes(&mut self, who: &Who, list: CodePtr) {
        let mut pc = list;
        while pc.is_some() {
            let Some((instr, at)) = self.values(who, pc) else { break };
            if !self.write(who, instr) {
                debug_assert_eq!(instr, Instr::End, "a quiet list does something else");
                return;
            }
            pc = CodePtr(at.0.saturating_add(1));
        }
        debug_assert!(list.is_none(), "a quiet list failed halfway");
    }

    /// Changes what one instruction says; false at the end.
    #[inline(never)]
    #[expect(clippy::wildcard_enum_match_arm, reason = "quiet lists have no other writes")]
    fn write(&mut self, who: &Who, instr: Instr) -> bool {
        let machine = &mut self.scratch.machine;
        match instr {
            Instr::SetAttr | Instr::AddAttr => {
                let (value, attr, entity) = (machine.pop(), AttrId::from(machine.pop()), EntityId::from(machine.pop()));
                self.set_attr(entity, attr, (value, instr == Instr::AddAttr));
            }
            Instr::Move(zone, position) => {
                let (player, card) = (PlayerId::from(machine.pop()), EntityId::from(machine.pop()));
                self.move_to(who.event, card, player, (zone, position));
            }
            _ => return false,
        }
        true
    }

    #[inline(always)]
    fn set_attr(&mut self, entity: EntityId, attr: AttrId, how: (i64, bool)) {
        let old = |column: u16| self.state.base(self.program, entity, column);
        if let Some(set) = apply::change(self.program, self.state, entity, attr, how, old) {
            self.put(&set);
        }
    }

    fn move_to(&mut self, cause: EventNo, card: EntityId, player: PlayerId, (zone, position): (ZoneId, Position)) {
        let Some(to) = apply::destination(self.program, self.state, card, player, zone) else { return };
        let from = self.state.ent(card).map_or(crate::state::NO_ZONE, |it| it.zone);
        let event = self.event_no();
        self.put(&Record::Moved { event, cause, card, from, to, on_top: position == Position::Top });
    }
}
