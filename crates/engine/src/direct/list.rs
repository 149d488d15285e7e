//! Lists of events that happen at once: each changes values and places, and is told.

use ruleset::{
    AttrId, CodePtr, NULL, ZoneId,
    instr::{Emit, Instr, Position},
    program::EventType,
    stroke::{How, Stroke},
};

use super::Direct;
use crate::{
    apply,
    eval::{self, Cx, Go, Who},
    ids::{EntityId, EventNo, PlayerId},
    intent, list,
    record::{Record, Sink},
    state::{Frame, FrameKind},
    tree,
};

/// An event that is about to happen; its variables are in the buffer of planned numbers.
pub(super) struct Ready<'p> {
    pub row: Frame,
    pub event: &'p EventType,
    /// Where the list goes on after it.
    pub to: CodePtr,
}

impl<'a, S: Sink> Direct<'a, S> {
    /// The list of the top row begins: of an action that was just announced, or of an event of the turn.
    pub(super) fn begin_list(&mut self, top: &Frame) -> bool {
        let Some(event) = self.program.event(top.etype) else { return false };
        let is_bare = event.apply.is_none() && event.subject.is_none() && event.requires.is_none();
        let list = if event.effects.is_some() { event.effects } else { top.pc };
        let is_due = self.is_due();
        let can = is_bare && self.is_free(top) && self.can_go(top, list) && (!is_due || self.is_clear());
        let Some(first) = can.then(|| self.ready(top, list)).flatten() else { return false };
        if is_due {
            self.put(&Record::Settled);
        }
        self.put(&Record::Began(list));
        self.happen(&first);
        self.go_behind(top, first.to);
        true
    }

    /// Whether nobody can respond to an action, and it is as legal as it was when it was announced.
    fn is_free(&self, top: &Frame) -> bool {
        let Some(action) = self.program.action(top.action) else { return true };
        let source = self.state.ent(top.source);
        let only_source = action.ability.is_none() && action.slots.len() <= 1 && action.principal.is_some();
        let is_there = only_source && source.is_some_and(|it| it.moves == top.source_moves);
        self.program.quiet.no_responses && (!self.state.head.dirty || is_there)
    }

    /// Whether a list can be carried out from a place to its end.
    fn can_go(&self, top: &Frame, list: CodePtr) -> bool {
        let quiet = &self.program.quiet;
        let is_unanswered = top.kind == FrameKind::Trigger || quiet.is_unanswered(top.etype);
        quiet.is_list(list) && is_unanswered && !top.deferring && top.prevented_by.is_none()
    }

    /// The list of the top row goes on.
    pub(super) fn go_on(&mut self, top: &Frame) -> bool {
        if !self.can_go(top, top.pc) {
            return false;
        }
        let Some(next) = self.ready(top, top.pc) else { return false };
        self.happen(&next);
        self.go_behind(top, next.to);
        true
    }

    /// After an event the list goes on, or is done.
    fn go_behind(&mut self, top: &Frame, to: CodePtr) {
        if self.program.instr(to) == Instr::End { self.finish(top) } else { self.put(&Record::At(to)) }
    }

    /// The list of the top row is done: what it was about has happened.
    fn finish(&mut self, top: &Frame) {
        let event = self.program.event(top.etype).filter(|_| top.kind == FrameKind::Intent);
        if let Some(event) = event.filter(|it| it.has_fact && it.apply.is_none() && it.subject.is_none()) {
            let no = self.event_no();
            let Self { state, scratch, .. } = self;
            scratch.data.clear();
            scratch.data.extend_from_slice(state.cells_of(top));
            self.tell(top, event, no, EntityId::NONE);
        }
        self.put(&Record::Popped);
    }

    /// The next event of a list, if nothing keeps it from happening.
    pub(super) fn ready(&mut self, top: &Frame, pc: CodePtr) -> Option<Ready<'a>> {
        self.load(top);
        let (instr, at) = self.values(top, pc)?;
        let Instr::Emit(emit) = instr else { return None };
        self.ready_event(top, emit, at)
    }

    /// An event whose fields lie on the evaluation stack, if nothing keeps it from happening.
    fn ready_event(&mut self, top: &Frame, emit: Emit, at: CodePtr) -> Option<Ready<'a>> {
        let event = self.fields(emit)?;
        let row = list::child_row(top, emit, self.event_no());
        if event.subject.is_some_and(|it| self.cell(it) == NULL) || !self.is_possible(&row, event) {
            return None;
        }
        Some(Ready { row, event, to: CodePtr(at.0.saturating_add(1)) })
    }

    /// Takes the fields of an event from the evaluation stack.
    pub(super) fn fields(&mut self, emit: Emit) -> Option<&'a EventType> {
        let program = self.program;
        let event = program.event(emit.kind)?;
        self.scratch.data.clear();
        intent::pop_fields(&mut self.scratch.machine, event, &mut self.scratch.data);
        Some(event)
    }

    /// Whether what an event requires holds.
    pub(super) fn is_possible(&mut self, row: &Frame, event: &EventType) -> bool {
        if event.requires.is_none() {
            return true;
        }
        self.load_event();
        let cx = Cx::new(self.program, self.state, self.derived, Who::frame(row));
        eval::holds(&cx, &mut self.scratch.machine, event.requires) == Ok(true)
    }

    /// Makes the variables of the event that is carried out the ones code sees.
    fn load_event(&mut self) {
        let locals = &mut self.scratch.machine.locals;
        locals.clear();
        locals.extend_from_slice(&self.scratch.data);
    }

    /// An event happens.
    fn happen(&mut self, ready: &Ready<'_>) {
        let n_cells = self.scratch.data.len();
        self.put_with(n_cells, |cells| Record::AtOnce(ready.row, cells));
        self.apply(&ready.row, ready.event);
    }

    /// What an event changes, and that it happened.
    pub(super) fn apply(&mut self, row: &Frame, event: &EventType) {
        let subject = event.subject.map_or(EntityId::NONE, |it| EntityId::from(self.cell(it)));
        self.load_event();
        match self.program.strokes.of(row.etype) {
            Some(strokes) => strokes.iter().for_each(|it| self.stroke(row, *it)),
            None => self.writes(row, event.apply),
        }
        if event.has_fact {
            let no = self.event_no();
            self.tell(row, event, no, subject);
        }
    }

    /// An event has happened, with the fields that are its first variables.
    fn tell(&mut self, row: &Frame, event: &EventType, no: EventNo, subject: EntityId) {
        let (kind, cause) = (row.etype, row.event);
        self.put_with(event.fields.len(), |args| Record::Happened { event: no, kind, cause, subject, args });
    }

    /// Runs what only gives values, up to an instruction that does something.
    pub(super) fn values(&mut self, row: &Frame, mut pc: CodePtr) -> Option<(Instr, CodePtr)> {
        let cx = Cx::new(self.program, self.state, self.derived, Who::frame(row));
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
    fn stroke(&mut self, row: &Frame, stroke: Stroke) {
        let cx = Cx::new(self.program, self.state, self.derived, Who::frame(row));
        let machine = &mut self.scratch.machine;
        match stroke {
            Stroke::Attr { whose, attr, how, value } => {
                let entity = EntityId::from(tree::operand(&cx, machine, whose));
                let value = tree::operand(&cx, machine, value);
                let value = if how == How::Sub { eval::number(value).saturating_neg() } else { value };
                self.set_attr(entity, attr, (value, how != How::Set));
            }
            Stroke::Move { card, player, zone, position } => {
                let card = EntityId::from(tree::operand(&cx, machine, card));
                let player = player.map_or(PlayerId::NONE, |it| PlayerId::from(tree::operand(&cx, machine, it)));
                self.move_to(row, card, player, (zone, position));
            }
        }
    }

    /// Carries out a list of changes.
    fn writes(&mut self, row: &Frame, list: CodePtr) {
        let mut pc = list;
        while pc.is_some() {
            let Some((instr, at)) = self.values(row, pc) else { break };
            if !self.write(row, instr) {
                break;
            }
            pc = CodePtr(at.0.saturating_add(1));
        }
    }

    /// Changes what one instruction says; false at the end.
    #[expect(clippy::wildcard_enum_match_arm, reason = "quiet lists have no other writes")]
    fn write(&mut self, row: &Frame, instr: Instr) -> bool {
        let machine = &mut self.scratch.machine;
        match instr {
            Instr::SetAttr | Instr::AddAttr => {
                let (value, attr, entity) = (machine.pop(), AttrId::from(machine.pop()), EntityId::from(machine.pop()));
                self.set_attr(entity, attr, (value, instr == Instr::AddAttr));
            }
            Instr::Move(zone, position) => {
                let (player, card) = (PlayerId::from(machine.pop()), EntityId::from(machine.pop()));
                self.move_to(row, card, player, (zone, position));
            }
            _ => return false,
        }
        true
    }

    #[inline]
    fn set_attr(&mut self, entity: EntityId, attr: AttrId, how: (i64, bool)) {
        let old = |column: u16| self.state.base(self.program, entity, column);
        if let Some(set) = apply::change(self.program, self.state, entity, attr, how, old) {
            self.put(&set);
        }
    }

    fn move_to(&mut self, row: &Frame, card: EntityId, player: PlayerId, (zone, position): (ZoneId, Position)) {
        let Some(to) = apply::destination(self.program, self.state, card, player, zone) else { return };
        let from = self.state.ent(card).map_or(crate::state::NO_ZONE, |it| it.zone);
        let event = self.event_no();
        self.put(&Record::Moved { event, cause: row.event, card, from, to, on_top: position == Position::Top });
    }
}
