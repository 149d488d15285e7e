//! Applies records, and notes in the journal what they replace. The only code that changes a `MatchState`.

use alloc::vec::Vec;

use ruleset::{
    AttrId, KeywordId, Program, StepId,
    place::Place,
    program::{AttrRule, Visibility},
    reads::Reads,
};

use crate::{
    attribute,
    cells::place_list,
    derived::Derived,
    eval::Cx,
    ids::{EntityId, EventNo, InputNo, PlayerId},
    journal::{Change, Counters, Journal, ListChange, Undo, index},
    links::{is_held, links_to},
    record::Record,
    scratch::Machine,
    state::{
        Answer, Ask, Delay, DelayHead, Entity, Flow, Frame, Head, Held, Lasts, LimitKey, LimitScope, MatchState,
        ModKind, Modifier, NO_ZONE, Note, Origin, Stage, Status, ZoneRow,
    },
    suspension,
};

/// What is written to, and where it is noted what was there.
pub struct Writer<'w> {
    pub program: &'w Program,
    pub state: &'w mut MatchState,
    pub derived: &'w mut Derived,
    pub journal: &'w mut Journal,
}

/// Adds a row to a list.
fn add<T>(rows: &mut Vec<T>, row: T, journal: &mut Journal, undo: impl Fn(Change<T>) -> ListChange) {
    rows.push(row);
    journal.note_list(undo(Change::Added));
}

/// Takes the rows out of a list that go.
fn remove<T>(
    rows: &mut Vec<T>,
    journal: &mut Journal,
    undo: impl Fn(Change<T>) -> ListChange,
    goes: impl Fn(&T) -> bool,
) {
    for at in (0..rows.len()).rev() {
        if rows.get(at).is_some_and(&goes) {
            let row = rows.remove(at);
            journal.note_list(undo(Change::Removed(index(at), row)));
        }
    }
}

/// Changes a row of a list.
fn change<T: Clone>(
    rows: &mut [T],
    at: usize,
    journal: &mut Journal,
    undo: impl Fn(Change<T>) -> ListChange,
    change: impl FnOnce(&mut T),
) {
    if let Some(row) = rows.get_mut(at) {
        journal.note_list(undo(Change::Replaced(index(at), row.clone())));
        change(row);
    }
}

impl Writer<'_> {
    /// Applies one record; its list is looked up only where it is needed. Where the kind of a record is known, only its
    /// own part of this is left.
    #[inline(always)]
    pub fn put<'l, P: Copy>(&mut self, record: &Record<P>, list: impl Fn(P) -> &'l [i64]) {
        match *record {
            Record::Pushed(frame, cells) => self.push(frame, list(cells)),
            Record::AtOnce(frame, _) => self.note_row(&frame),
            Record::Popped => self.pop(),
            Record::At(pc) => self.position(|it| it.pc = pc),
            Record::Began(pc) => self.position(|it| (it.pc, it.stage) = (pc, Stage::Running)),
            Record::Staged(stage) => self.position(|it| it.stage = stage),
            Record::Set(cell, value) => self.set_cell(self.state.top().map(|it| it.cells_at), usize::from(cell), value),
            Record::Stored(cell, values) => self.store(cell, list(values)),
            Record::Amended(event, field, value) => {
                self.set_cell(self.state.frame(event).map(|it| it.cells_at), usize::from(field), value);
            }
            Record::Noted(note) => self.note_change(note),
            Record::Prevented { event, by, reason } => {
                let at = self.state.stack.iter().position(|it| it.event == event);
                self.change_frame(at, |it| (it.prevented_by, it.reason) = (by, reason));
            }
            Record::GroupOpened(row) => {
                self.head().next_group = row.no.saturating_add(1);
                add(&mut self.state.groups, row, self.journal, ListChange::Groups);
            }
            Record::MemberNext(at) => self.change_top(|it| it.next_member = at),
            Record::Responded => self.change_top(|it| it.responded = true),
            Record::Deferring(on) => self.change_top(|it| it.deferring = on),
            Record::SourceMoved(moves) => self.change_top(|it| it.source_moves = moves),
            Record::Paid(paid) => add(&mut self.state.paid, paid, self.journal, ListChange::Paid),
            Record::Asked(ask) => self.ask(ask),
            Record::Answered { input, player, origin, values } => self.answer(input, player, origin, list(values)),
            Record::Closed(input) => self.close(input),
            Record::WindowSet(window) => {
                let head = self.head();
                (head.window, head.check_rounds) = (window, 0);
            }
            Record::Ending(on) => self.head().ending = on,
            Record::Rolled(stream) => roll(self.head(), stream),
            Record::Counted(key, n) => self.count(key, n),
            Record::Held { holder, frame, cells } => self.hold(holder, frame, list(cells)),
            Record::Released(holder) => {
                remove(&mut self.state.held, self.journal, ListChange::Held, |it| it.holder == holder);
            }
            Record::Delayed(what, kept) => self.delay(what, list(kept)),
            Record::DelayUsed(no) => self.use_delay(no),
            Record::DelayDropped(no) => {
                remove(&mut self.state.delays, self.journal, ListChange::Delays, |it| it.what.no == no);
            }
            Record::TimerSet(timer) => self.head().timer = timer,
            Record::Paused(pause) => self.head().paused = pause,
            Record::FlowSet(flow) => self.flow(state_flow(self.state), flow),
            Record::Flowed { turn, active, step, flow } => self.flow((turn, active, step), flow),
            Record::Remembered(card, values) => self.remember(card, list(values)),
            // Bytes that are not how a match waits are found when a log is checked.
            Record::Suspended(numbers) => drop(suspension::read(self.state, list(numbers))),
            Record::Checked => {
                let head = self.head();
                head.check_rounds = head.check_rounds.saturating_add(1);
            }
            Record::Settled => {
                self.set_dirty(false);
                self.settle(false);
            }
            Record::Connected(player, on) => set_bit(&mut self.head().connected, player, on),
            Record::Accepted { version } => {
                let head = self.head();
                (head.version, head.idle_steps) = (version, 0);
                self.settle(self.state.head.dirty);
            }
            Record::AttrSet { entity, column, value } => {
                self.set_dirty(true);
                self.touch_one(Reads::column(column).with(Reads::OTHER), entity);
                self.set_attr(entity, column, value);
            }
            Record::Moved { event, card, from, to, on_top, .. } => {
                self.set_dirty(true);
                self.touch_moved(card, from, to);
                self.count_fact(event);
                self.move_card(card, to, on_top);
            }
            Record::Created { .. }
            | Record::Reserved(_)
            | Record::Ordered(..)
            | Record::Shuffled(..)
            | Record::ModAdded(_)
            | Record::ModDropped(_)
            | Record::Revealed { .. }
            | Record::ControlSet { .. }
            | Record::Eliminated(_)
            | Record::TurnGiven(_)
            | Record::TurnTaken
            | Record::SkipAdded(..)
            | Record::SkipUsed(..)
            | Record::Ended(_) => {
                self.set_dirty(true);
                self.touch(Reads::ALL);
                self.put_world(record, list);
            }
            Record::Happened { event, .. } => {
                self.count_fact(event);
                self.set_dirty(true);
                self.touch(Reads::OTHER);
            }
            // Restoring a mark needs the marks, which are not part of the state: see `Match::fold`.
            Record::Undone { .. } => {}
        }
    }

    /// What there is one of, to change some of it.
    fn head(&mut self) -> &mut Head {
        self.journal.note_head(&self.state.head);
        &mut self.state.head
    }

    #[inline]
    fn set_dirty(&mut self, on: bool) {
        let old = core::mem::replace(&mut self.state.head.dirty, on);
        if old != on {
            self.journal.note(Undo::Dirty(old));
        }
    }

    /// Notes that something changed, which may be anybody's.
    #[inline]
    fn touch(&mut self, what: Reads) {
        let before = self.derived.touched_short();
        self.derived.touch(what);
        self.note_touched(before);
    }

    /// Notes that something of one card or player changed, and nothing of another's.
    #[inline]
    fn touch_one(&mut self, what: Reads, one: EntityId) {
        let before = self.derived.touched_short();
        self.derived.touch_one(what, one);
        self.note_touched(before);
    }

    #[inline]
    fn note_touched(&mut self, before: (Reads, u32)) {
        if before != self.derived.touched_short() {
            self.journal.note(Undo::Touched(before.0, before.1));
        }
    }

    /// Notes what a card that moves changes. One that is reset, or that leaves play with what it did to others, changes
    /// in its values, too.
    fn touch_moved(&mut self, card: EntityId, from: u16, to: u16) {
        let program = self.program;
        let keeps = !program.place(from).is_none_or(|it| it.active) && !program.place(to).is_none_or(|it| it.resets);
        if keeps {
            self.touch_one(Reads::CARDS.with(Reads::OTHER), card);
        } else if !is_held(program, self.state, card) {
            // Nobody else has anything from it that could go with it.
            self.touch_one(Reads::ALL, card);
        } else {
            self.touch(Reads::ALL);
        }
    }

    /// State checks found nothing, or a new command begins.
    fn settle(&mut self, dirty: bool) {
        self.journal.note_settled(self.derived.touched());
        self.derived.settle(dirty);
    }

    fn note_change(&mut self, note: Note) {
        let Self { state, journal, .. } = self;
        let is_same = |it: &Note| (it.event, it.entity, it.field) == (note.event, note.entity, note.field);
        remove(&mut state.notes, journal, ListChange::Notes, is_same);
        add(&mut state.notes, note, journal, ListChange::Notes);
    }

    fn ask(&mut self, ask: Ask) {
        let head = self.head();
        (head.next_input, head.check_rounds) = (ask.no.0.saturating_add(1), 0);
        add(&mut self.state.asks, ask, self.journal, ListChange::Asks);
    }

    fn close(&mut self, input: InputNo) {
        let Self { state, journal, .. } = self;
        remove(&mut state.asks, journal, ListChange::Asks, |it| it.no == input);
        remove(&mut state.answers, journal, ListChange::Answers, |it| it.input == input);
    }

    fn hold(&mut self, holder: EventNo, frame: Frame, cells: &[i64]) {
        self.count_number(frame.event);
        let held = Held { holder, frame, cells: cells.to_vec() };
        add(&mut self.state.held, held, self.journal, ListChange::Held);
    }

    fn delay(&mut self, what: DelayHead, kept: &[i64]) {
        self.head().next_mod = what.no.saturating_add(1);
        add(&mut self.state.delays, Delay { what, kept: kept.to_vec() }, self.journal, ListChange::Delays);
    }

    /// Notes the number of something that came to be; the number after none is 0, which changes nothing.
    #[inline]
    fn count_number(&mut self, event: EventNo) {
        self.journal.note(Undo::Counters(Counters::of(&self.state.head)));
        let head = &mut self.state.head;
        head.next_event = head.next_event.max(event.0.wrapping_add(1));
    }

    #[inline]
    fn count_fact(&mut self, event: EventNo) {
        self.count_number(event);
        let head = &mut self.state.head;
        if event.is_some() {
            head.last_fact = event;
        }
        head.facts_in_root = head.facts_in_root.saturating_add(1);
    }

    /// Notes the number and the chain of an event that begins.
    #[inline]
    fn note_row(&mut self, frame: &Frame) {
        self.count_number(frame.event);
        let head = &mut self.state.head;
        if frame.root != head.root {
            head.facts_in_root = 0;
        }
        head.root = frame.root;
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "instructions and records of the other classes are not for this place"
    )]
    #[inline(always)]
    fn put_world<'l, P: Copy>(&mut self, record: &Record<P>, list: impl Fn(P) -> &'l [i64]) {
        let program = self.program;
        let Self { state, journal, .. } = self;
        match *record {
            Record::Created { event, card, def, owner, to, on_top, .. } => {
                self.count_fact(event);
                self.change_entity(card, |ent| {
                    (ent.def, ent.owner, ent.controller) = (def, owner, owner);
                    (ent.status, ent.created) = (Status::Card, event.is_some());
                });
                let place = program.place(to);
                self.print(card);
                self.link(card, (to, place), on_top);
                self.refresh(card);
            }
            Record::Reserved(_) => self.add_unborn(),
            Record::Ordered(zone, cards) => self.order(zone, list(cards)),
            Record::Shuffled(zone, cards) => {
                self.order(zone, list(cards));
                self.forget(zone);
            }
            Record::ModAdded(modifier) => self.add_modifier(modifier),
            Record::ModDropped(no) => self.drop_modifiers(|it| it.no == no),
            Record::Revealed { card, to } => {
                self.count_reveal();
                self.change_entity(card, |ent| ent.seen |= to);
            }
            Record::ControlSet { card, player } => {
                let turn = state.head.turn;
                self.change_entity(card, |ent| (ent.controller, ent.since) = (player, turn));
                self.refresh(card);
            }
            Record::Eliminated(player) => {
                set_bit(&mut self.head().alive, player, false);
                let Self { state, journal, .. } = self;
                remove(&mut state.extra_turns, journal, ListChange::ExtraTurns, |it| *it == player);
                remove(&mut state.skips, journal, ListChange::Skips, |it| it.0 == player);
            }
            Record::TurnGiven(player) => add(&mut state.extra_turns, player, journal, ListChange::ExtraTurns),
            Record::TurnTaken => {
                self.head().extra_next = true;
                let Self { state, journal, .. } = self;
                if !state.extra_turns.is_empty() {
                    let player = state.extra_turns.remove(0);
                    journal.note_list(ListChange::ExtraTurns(Change::Removed(0, player)));
                }
            }
            Record::SkipAdded(player, step) => add(&mut state.skips, (player, step), journal, ListChange::Skips),
            Record::SkipUsed(player, step) => {
                if let Some(at) = state.skips.iter().position(|it| *it == (player, step)) {
                    let skip = state.skips.remove(at);
                    journal.note_list(ListChange::Skips(Change::Removed(index(at), skip)));
                }
            }
            Record::Ended(outcome) => {
                let head = self.head();
                (head.outcome, head.window, head.timer) = (Some(outcome), None, None);
                let Self { state, journal, .. } = self;
                remove(&mut state.asks, journal, ListChange::Asks, |_| true);
                remove(&mut state.answers, journal, ListChange::Answers, |_| true);
            }
            _ => {}
        }
    }

    fn flow(&mut self, (turn, active, step): (u32, PlayerId, StepId), flow: Flow) {
        let Self { state, journal, .. } = self;
        if turn != state.head.turn {
            remove(
                &mut state.counts,
                journal,
                ListChange::Counts,
                |it| matches!(it.0.scope, LimitScope::Turn(of) if of != turn),
            );
        }
        let is_new = (turn, active, step) != (state.head.turn, state.head.active, state.head.step);
        let head = self.head();
        if turn != head.turn && !core::mem::take(&mut head.extra_next) {
            head.regular = active;
        }
        (head.turn, head.active, head.step, head.flow) = (turn, active, step, flow);
        head.idle_steps = head.idle_steps.saturating_add(u32::from(flow == Flow::StepEnd));
        if is_new {
            self.set_dirty(true);
            self.touch(Reads::FLOW);
        }
    }

    /// Changes where the top frame stands.
    fn position(&mut self, change: impl FnOnce(&mut Frame)) {
        let at = self.state.stack.len().saturating_sub(1);
        if let Some(top) = self.state.stack.last_mut() {
            self.journal.note(Undo::Position(index(at), top.pc, top.stage));
            change(top);
        }
    }

    fn change_frame(&mut self, at: Option<usize>, change: impl FnOnce(&mut Frame)) {
        if let Some(at) = at
            && let Some(frame) = self.state.stack.get_mut(at)
        {
            self.journal.note_frame(at, *frame);
            change(frame);
        }
    }

    fn change_top(&mut self, change: impl FnOnce(&mut Frame)) {
        self.change_frame(self.state.stack.len().checked_sub(1), change);
    }

    fn push(&mut self, mut frame: Frame, cells: &[i64]) {
        self.note_row(&frame);
        let state = &mut *self.state;
        frame.cells_at = index(state.cells.len());
        frame.cells_len = index(cells.len());
        state.cells.extend_from_slice(cells);
        state.stack.push(frame);
        self.journal.note(Undo::Pushed);
    }

    fn pop(&mut self) {
        let Self { state, journal, .. } = self;
        let Some(frame) = state.stack.pop() else {
            return;
        };
        let at = usize::try_from(frame.cells_at).unwrap_or(0);
        journal.note_popped(frame, state.cells.get(at..).unwrap_or_default());
        state.cells.truncate(at);
        if !state.notes.is_empty() {
            remove(&mut state.notes, journal, ListChange::Notes, |it| it.event == frame.event);
        }
        if !state.paid.is_empty() {
            remove(&mut state.paid, journal, ListChange::Paid, |it| it.event == frame.event);
        }
        if state.stack.is_empty() {
            // What lasts as long as anything is on the stack is over.
            remove(&mut state.groups, journal, ListChange::Groups, |_| true);
            remove(&mut state.parted, journal, ListChange::Parted, |_| true);
            remove(&mut state.counts, journal, ListChange::Counts, |it| !matches!(it.0.scope, LimitScope::Turn(_)));
        }
    }

    /// Sets a variable of a row, whose variables begin at a place.
    #[inline]
    fn set_cell(&mut self, cells_at: Option<u32>, cell: usize, value: i64) {
        let Some(cells_at) = cells_at else { return };
        let at = usize::try_from(cells_at).unwrap_or(usize::MAX).saturating_add(cell);
        if let Some(slot) = self.state.cells.get_mut(at) {
            self.journal.note(Undo::Cell(index(at), core::mem::replace(slot, value)));
        }
    }

    fn store(&mut self, cell: u16, values: &[i64]) {
        let Self { state, journal, .. } = self;
        let Some(top) = state.stack.last_mut() else {
            return;
        };
        let base = usize::try_from(top.cells_at).unwrap_or(usize::MAX);
        journal.note_cells(*top, state.cells.get(base..).unwrap_or_default());
        let len = place_list(&mut state.cells, base, usize::try_from(top.cells_len).unwrap_or(0), cell, values);
        top.cells_len = index(len);
    }

    fn answer(&mut self, input: InputNo, player: PlayerId, origin: Origin, values: &[i64]) {
        let Self { state, journal, .. } = self;
        remove(&mut state.answers, journal, ListChange::Answers, |it| (it.input, it.player) == (input, player));
        add(
            &mut state.answers,
            Answer { input, player, origin, values: values.to_vec() },
            journal,
            ListChange::Answers,
        );
        let at = state.asks.iter().position(|it| it.no == input);
        if let Some(at) = at.filter(|_| origin != Origin::Draft) {
            change(&mut state.asks, at, journal, ListChange::Asks, |it| it.closed |= player.bit());
        }
    }

    fn use_delay(&mut self, no: u32) {
        let Self { state, journal, .. } = self;
        let is_last = |it: &Delay| it.what.no == no && it.what.left == 1;
        if state.delays.iter().any(is_last) {
            remove(&mut state.delays, journal, ListChange::Delays, |it| it.what.no == no);
        } else if let Some(at) = state.delays.iter().position(|it| it.what.no == no && it.what.left > 0) {
            change(&mut state.delays, at, journal, ListChange::Delays, |it| {
                it.what.left = it.what.left.saturating_sub(1)
            });
        }
    }

    fn count(&mut self, key: LimitKey, n: u16) {
        let Self { state, journal, .. } = self;
        match state.counts.binary_search_by(|it| it.0.cmp(&key)) {
            Ok(at) if n == 0 => {
                let row = state.counts.remove(at);
                journal.note_list(ListChange::Counts(Change::Removed(index(at), row)));
            }
            Ok(at) => change(&mut state.counts, at, journal, ListChange::Counts, |it| it.1 = n),
            Err(_) if n == 0 => {}
            Err(at) => {
                state.counts.insert(at, (key, n));
                journal.note_list(ListChange::Counts(Change::Inserted(index(at))));
            }
        }
    }

    #[inline]
    fn change_entity(&mut self, id: EntityId, change: impl FnOnce(&mut Entity)) {
        if let Some(ent) = self.state.ents.get_mut(id.index()) {
            self.journal.note_entity(id, *ent);
            change(ent);
        }
    }

    #[inline]
    fn change_zone(&mut self, zone: u16, change: impl FnOnce(&mut ZoneRow)) {
        if let Some(row) = self.state.zones.get_mut(usize::from(zone)) {
            self.journal.note(Undo::Zone(zone, *row));
            change(row);
        }
    }

    fn refresh(&mut self, card: EntityId) {
        self.derived.refresh(self.program, self.state, card);
    }

    #[inline]
    fn set_attr(&mut self, entity: EntityId, column: u16, value: i32) {
        let at = entity.index().saturating_mul(usize::from(self.program.stride)).saturating_add(usize::from(column));
        if let Some(slot) = self.state.attrs.get_mut(at) {
            self.journal.note(Undo::Attr(index(at), core::mem::replace(slot, value)));
        }
    }

    fn add_unborn(&mut self) {
        let Self { program, state, journal, .. } = self;
        journal.note(Undo::EntityAdded);
        state.ents.push(unborn());
        let len = state.ents.len().saturating_mul(usize::from(program.stride));
        state.attrs.resize(len, 0);
        let card = EntityId::at(state.ents.len().saturating_sub(1));
        program.links(false).for_each(|it| self.set_attr(card, it, AttrRule::EMPTY));
        let MatchState { attrs, last, .. } = &mut *self.state;
        let row = attrs.get(last.len()..).unwrap_or_default();
        last.extend_from_slice(row);
    }

    /// Gives a card the values that are printed on it.
    fn print(&mut self, card: EntityId) {
        let program = self.program;
        let Some(def) = self.state.ent(card).and_then(|it| program.def(it.def)) else {
            return;
        };
        for (column, value) in (0_u16..).zip(&def.printed) {
            if self.state.base(program, card, column) != *value {
                self.set_attr(card, column, *value);
            }
        }
    }

    /// Keeps the effective values of a card that is about to leave, by column.
    fn remember(&mut self, card: EntityId, values: &[i64]) {
        for (column, value) in (0_u16..).zip(values) {
            self.set_last(card, column, attribute::clamp(*value));
        }
    }

    /// The same where no continuous effect has a say.
    fn remember_stored(&mut self, card: EntityId) {
        let program = self.program;
        // No code is run for this, so it needs no fuel.
        let mut machine = Machine::default();
        for (i, rule) in program.attrs.iter().enumerate().filter(|it| it.1.on_cards) {
            let cx = Cx::bare(program, self.state, self.derived);
            let value = attribute::value(&cx, &mut machine, card, AttrId::at(i));
            self.set_last(card, rule.column, rule.stored(value));
        }
    }

    fn set_last(&mut self, card: EntityId, column: u16, value: i32) {
        let at = card.index().saturating_mul(usize::from(self.program.stride)).saturating_add(usize::from(column));
        if let Some(slot) = self.state.last.get_mut(at).filter(|it| **it != value) {
            self.journal.note(Undo::Last(index(at), core::mem::replace(slot, value)));
        }
    }

    /// Remembers what gave or took abilities of a card, for what it does as it leaves.
    fn part(&mut self, card: EntityId) {
        let Self { state, journal, .. } = self;
        if state.mods.is_empty() && state.parted.is_empty() {
            return;
        }
        remove(&mut state.parted, journal, ListChange::Parted, |it| it.target == card);
        let told =
            |it: &&Modifier| it.target == card && matches!(it.what, ModKind::Grant | ModKind::Lose | ModKind::Mute);
        let MatchState { mods, parted, .. } = &mut **state;
        mods.iter().filter(told).for_each(|it| add(parted, *it, journal, ListChange::Parted));
    }

    /// A card that became what is printed on it is nobody's partner any more.
    fn cut_links(&mut self, card: EntityId) {
        for (entity, column) in links_to(self.program, self.state, card) {
            self.set_attr(entity, column, AttrRule::EMPTY);
        }
    }

    fn move_card(&mut self, card: EntityId, to: u16, on_top: bool) {
        let program = self.program;
        let Some(ent) = self.state.ent(card).copied() else { return };
        let (left, here, seen) = (program.place(ent.zone), program.place(to), ent.seen);
        let was_active = left.is_some_and(|it| it.active);
        let seen_before = seen | left.map_or(0, |it| it.seen_by);
        if here.map_or(0, |it| it.seen_by) & !seen_before != 0 {
            // Somebody sees a card they could not see before; that cannot be taken back.
            self.count_reveal();
        }
        if was_active && program.auras.is_empty() {
            self.remember_stored(card);
        }
        self.unlink(card, ent);
        self.link(card, (to, here), on_top);
        if was_active {
            self.change_entity(card, |ent| ent.left = ent.moves);
        }
        if here.is_some_and(|it| it.resets) {
            self.reset(card);
        }
        if was_active && !here.is_some_and(|it| it.active) {
            self.drop_modifiers(|it| it.lasts == Lasts::Source && it.source == card);
        }
        self.refresh(card);
    }

    /// Counts that something hidden was shown.
    fn count_reveal(&mut self) {
        let head = self.head();
        head.reveals = head.reveals.saturating_add(1);
    }

    /// A card becomes what is printed on it.
    fn reset(&mut self, card: EntityId) {
        self.print(card);
        if self.program.has_links {
            self.cut_links(card);
        }
        self.part(card);
        self.drop_modifiers(|it| it.target == card);
        self.forget_paid(card);
    }

    /// A card that became what is printed on it has back what it paid of its own.
    fn forget_paid(&mut self, card: EntityId) {
        let Self { state, journal, .. } = self;
        if !state.paid.is_empty() {
            remove(&mut state.paid, journal, ListChange::Paid, |it| it.is_value_of(card));
        }
    }

    /// Takes a card out of its zone, as its row was.
    #[inline]
    fn unlink(&mut self, card: EntityId, ent: Entity) {
        if ent.zone == NO_ZONE {
            return;
        }
        self.change_entity(ent.below, |below| below.above = ent.above);
        self.change_entity(ent.above, |above| above.below = ent.below);
        self.change_zone(ent.zone, |zone| {
            zone.len = zone.len.saturating_sub(1);
            zone.bottom = if zone.bottom == card { ent.above } else { zone.bottom };
            zone.top = if zone.top == card { ent.below } else { zone.top };
        });
    }

    /// Puts a card into a zone.
    #[inline]
    fn link(&mut self, card: EntityId, (to, place): (u16, Option<&Place>), on_top: bool) {
        let Some(zone) = self.state.zones.get(usize::from(to)).copied() else {
            return;
        };
        let (below, above) = if on_top { (zone.top, EntityId::NONE) } else { (EntityId::NONE, zone.bottom) };
        self.change_entity(below, |ent| ent.above = card);
        self.change_entity(above, |ent| ent.below = card);
        let turn = self.state.head.turn;
        self.change_zone(to, |row| {
            row.len = row.len.saturating_add(1);
            row.top = if on_top || row.top.is_none() { card } else { row.top };
            row.bottom = if !on_top || row.bottom.is_none() { card } else { row.bottom };
        });
        self.change_entity(card, |ent| {
            (ent.below, ent.above, ent.zone, ent.since) = (below, above, to, turn);
            ent.moves = ent.moves.wrapping_add(1);
            ent.seen = if place.is_none_or(|it| it.hidden) { 0 } else { ent.seen };
            if let Some(seat) = place.and_then(|it| it.seat) {
                ent.controller = PlayerId(seat);
            }
        });
    }

    fn order(&mut self, zone: u16, cards: &[i64]) {
        let ids: Vec<EntityId> = cards.iter().map(|it| EntityId::from(*it)).collect();
        let mut wanted = ids.clone();
        let mut there: Vec<EntityId> = self.state.cards_in(zone).collect();
        wanted.sort_unstable();
        there.sort_unstable();
        // Anything but an order of exactly these cards would tear the zone apart.
        if wanted != there {
            return;
        }
        for (i, id) in ids.iter().enumerate() {
            let below = i.checked_sub(1).and_then(|it| ids.get(it)).copied().unwrap_or(EntityId::NONE);
            let above = ids.get(i.saturating_add(1)).copied().unwrap_or(EntityId::NONE);
            self.change_entity(*id, |ent| (ent.below, ent.above) = (below, above));
        }
        self.change_zone(zone, |row| {
            row.bottom = ids.first().copied().unwrap_or(EntityId::NONE);
            row.top = ids.last().copied().unwrap_or(EntityId::NONE);
        });
    }

    /// Nobody knows any more which card is which in a zone that is not open to all.
    fn forget(&mut self, zone: u16) {
        let program = self.program;
        let kind = program.zone_of(zone).and_then(|it| program.zone(it.0));
        if kind.is_some_and(|it| it.visibility == Visibility::All) {
            return;
        }
        let cards: Vec<EntityId> = self.state.cards_in(zone).collect();
        for card in cards {
            self.change_entity(card, |ent| ent.seen = 0);
        }
    }

    fn add_modifier(&mut self, modifier: Modifier) {
        self.head().next_mod = modifier.no.saturating_add(1);
        let Self { program, state, journal, .. } = self;
        add(&mut state.mods, modifier, journal, ListChange::Modifiers);
        let words = matches!(modifier.what, ModKind::Grant | ModKind::Lose) && has_rules(program, modifier.of);
        if words || modifier.what == ModKind::Mute {
            self.refresh(modifier.target);
        }
    }

    fn drop_modifiers(&mut self, goes: impl Fn(&Modifier) -> bool) {
        let Self { state, journal, .. } = self;
        if !state.mods.iter().any(&goes) {
            return;
        }
        let targets: Vec<EntityId> = state.mods.iter().filter(|it| goes(it)).map(|it| it.target).collect();
        remove(&mut state.mods, journal, ListChange::Modifiers, &goes);
        targets.into_iter().for_each(|it| self.refresh(it));
    }
}

fn state_flow(state: &MatchState) -> (u32, PlayerId, StepId) {
    (state.head.turn, state.head.active, state.head.step)
}

fn unborn() -> Entity {
    Entity {
        def: ruleset::DefId::NONE,
        zone: NO_ZONE,
        below: EntityId::NONE,
        above: EntityId::NONE,
        owner: PlayerId::NONE,
        controller: PlayerId::NONE,
        since: 0,
        moves: 0,
        left: 0,
        seen: 0,
        status: Status::Unborn,
        created: false,
    }
}

fn roll(head: &mut Head, stream: u8) {
    head.rolls = head.rolls.saturating_add(1);
    if let Some(position) = head.rng.get_mut(usize::from(stream)) {
        *position = position.saturating_add(1);
    }
}

fn set_bit(set: &mut u16, player: PlayerId, on: bool) {
    if on { *set |= player.bit() } else { *set &= !player.bit() }
}

fn has_rules(program: &Program, keyword: u16) -> bool {
    program.keywords.get(KeywordId(keyword).index()).is_some_and(|it| !it.rules.is_empty())
}
