//! What writes have replaced, so that a match can be taken back to a mark: a trial, a lost group, a faulty item.
//! Owns no meaning: it is written by `Writer::put` and read by [`Journal::rewind`] only.

use alloc::vec::Vec;

use ruleset::{CodePtr, Program, StepId, reads::Reads};

use crate::{
    derived::{Derived, Touched},
    frame::{Frame, Stage},
    ids::{EntityId, EventNo, PlayerId},
    state::{Answer, Ask, Delay, Entity, GroupRow, Head, Held, LimitKey, MatchState, Modifier, Note, Paid, ZoneRow},
};

/// A change of a list of rows.
#[derive(Clone, Debug)]
pub enum Change<T> {
    /// A row was added at the end.
    Added,
    /// A row was put in at a place.
    Inserted(u32),
    /// A row was taken out.
    Removed(u32, T),
    /// A row was replaced.
    Replaced(u32, T),
}

/// What one write replaced. It is small and plain: what takes more room is kept aside, in the order it was noted.
#[derive(Clone, Copy, Debug)]
pub enum Undo {
    /// A value of an entity.
    Attr(u32, i32),
    /// A value remembered of an entity.
    Last(u32, i32),
    /// The row of an entity, kept aside.
    Entity(EntityId),
    /// There was one entity less.
    EntityAdded,
    /// The row of a zone.
    Zone(u16, ZoneRow),
    /// Where a frame stood.
    Position(u32, CodePtr, Stage),
    /// A frame; the row is kept aside.
    Frame(u32),
    /// There was one frame less.
    Pushed,
    /// There was one frame more; it and its variables are kept aside.
    Popped,
    /// A variable.
    Cell(u32, i64),
    /// All variables of the top frame, kept aside.
    Cells,
    /// The numbers that events count.
    Counters(Counters),
    /// Whether the world changed since state checks last found nothing.
    Dirty(bool),
    /// What there is one of, kept aside.
    Head,
    /// What changed since state checks last found nothing: what, and how many.
    Touched(Reads, u32),
    /// The same before it was forgotten, kept aside.
    Settled,
    /// A change of a list that changes seldom, kept aside.
    List,
}

/// The numbers that every event counts.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    pub next_event: u32,
    pub root: EventNo,
    pub facts_in_root: u32,
    pub last_fact: EventNo,
}

impl Counters {
    /// As they are now.
    #[inline]
    pub fn of(head: &Head) -> Self {
        let Head { next_event, root, facts_in_root, last_fact, .. } = *head;
        Self { next_event, root, facts_in_root, last_fact }
    }

    /// Makes them what they were.
    fn restore(self, head: &mut Head) {
        let Self { next_event, root, facts_in_root, last_fact } = self;
        (head.next_event, head.root, head.facts_in_root, head.last_fact) = (next_event, root, facts_in_root, last_fact);
    }
}

/// A change of a list that changes seldom.
#[derive(Clone, Debug)]
pub enum ListChange {
    /// A modifier.
    Modifiers(Change<Modifier>),
    /// What gave or took abilities of a card that became what is printed on it.
    Parted(Change<Modifier>),
    /// A count of a limiter.
    Counts(Change<(LimitKey, u16)>),
    /// A group.
    Groups(Change<GroupRow>),
    /// What a before-reaction changed.
    Notes(Change<Note>),
    /// What was paid and may come back.
    Paid(Change<Paid>),
    /// A question.
    Asks(Change<Ask>),
    /// An answer.
    Answers(Change<Answer>),
    /// A trigger that waits.
    Held(Change<Held>),
    /// A rule that waits for its event.
    Delays(Change<Delay>),
    /// A turn that was given.
    ExtraTurns(Change<PlayerId>),
    /// A step that will be skipped.
    Skips(Change<(PlayerId, StepId)>),
}

/// A place in the journal to come back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark(usize);

/// The writes since it was last cleared.
#[derive(Debug, Default)]
pub struct Journal {
    undos: Vec<Undo>,
    frames: Vec<Frame>,
    cells: Vec<i64>,
    entities: Vec<Entity>,
    heads: Vec<Head>,
    touched: Vec<Touched>,
    lists: Vec<ListChange>,
    /// Entities whose listeners are worked out again after a rewind.
    stale: Vec<EntityId>,
}

/// A copy of a match starts with an empty journal.
impl Clone for Journal {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Journal {
    /// Notes what a write replaced.
    #[inline]
    pub fn note(&mut self, undo: Undo) {
        self.undos.push(undo);
    }

    /// Notes a change of a list that changes seldom.
    pub fn note_list(&mut self, change: ListChange) {
        self.lists.push(change);
        self.note(Undo::List);
    }

    /// Notes an entity that changes.
    #[inline]
    pub fn note_entity(&mut self, id: EntityId, entity: Entity) {
        self.entities.push(entity);
        self.note(Undo::Entity(id));
    }

    /// Notes what there is one of.
    pub fn note_head(&mut self, head: &Head) {
        self.heads.push(head.clone());
        self.note(Undo::Head);
    }

    /// Notes what changed since state checks last found nothing, before that is forgotten.
    pub fn note_settled(&mut self, touched: Touched) {
        self.touched.push(touched);
        self.note(Undo::Settled);
    }

    /// Notes a frame that changes.
    pub fn note_frame(&mut self, at: usize, frame: Frame) {
        self.frames.push(frame);
        self.note(Undo::Frame(index(at)));
    }

    /// Notes a frame that leaves the stack, with its variables.
    pub fn note_popped(&mut self, frame: Frame, cells: &[i64]) {
        self.frames.push(frame);
        self.cells.extend_from_slice(cells);
        self.note(Undo::Popped);
    }

    /// Notes all variables of the top frame.
    pub fn note_cells(&mut self, frame: Frame, cells: &[i64]) {
        self.frames.push(frame);
        self.cells.extend_from_slice(cells);
        self.note(Undo::Cells);
    }

    /// Forgets everything: what was written is certain.
    #[inline]
    pub fn clear(&mut self) {
        self.undos.clear();
        self.frames.clear();
        self.cells.clear();
        self.entities.clear();
        self.heads.clear();
        self.touched.clear();
        self.lists.clear();
    }

    /// Where the match stands now.
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark(self.undos.len())
    }

    /// Takes back every write since a mark.
    pub fn rewind(&mut self, program: &Program, state: &mut MatchState, derived: &mut Derived, to: Mark) {
        while self.undos.len() > to.0
            && let Some(undo) = self.undos.pop()
        {
            self.take_back(state, derived, undo);
        }
        while let Some(entity) = self.stale.pop() {
            derived.refresh(program, state, entity);
        }
    }

    fn take_back(&mut self, state: &mut MatchState, derived: &mut Derived, undo: Undo) {
        match undo {
            Undo::Attr(at, old) => restore(&mut state.attrs, at, old),
            Undo::Last(at, old) => restore(&mut state.last, at, old),
            Undo::Entity(id) => {
                if let Some(old) = self.entities.pop() {
                    restore(&mut state.ents, id.0, old);
                }
                self.stale.push(id);
            }
            Undo::EntityAdded => remove_entity(state),
            Undo::Zone(at, old) => restore(&mut state.zones, u32::from(at), old),
            Undo::Position(at, pc, stage) => {
                if let Some(frame) = state.stack.get_mut(place(at)) {
                    (frame.pc, frame.stage) = (pc, stage);
                }
            }
            Undo::Frame(at) => {
                if let Some(old) = self.frames.pop() {
                    restore(&mut state.stack, at, old);
                }
            }
            Undo::Pushed => {
                if let Some(frame) = state.stack.pop() {
                    state.cells.truncate(place(frame.cells_at));
                }
            }
            Undo::Popped => {
                if let Some(frame) = self.frames.pop() {
                    self.restore_cells(state, &frame);
                    state.stack.push(frame);
                }
            }
            Undo::Cell(at, old) => restore(&mut state.cells, at, old),
            Undo::Cells => {
                if let (Some(frame), Some(top)) = (self.frames.pop(), state.stack.last_mut()) {
                    *top = frame;
                    self.restore_cells(state, &frame);
                }
            }
            Undo::Counters(old) => old.restore(&mut state.head),
            Undo::Dirty(old) => state.head.dirty = old,
            Undo::Head => {
                if let Some(old) = self.heads.pop() {
                    state.head = old;
                }
            }
            Undo::Touched(what, n) => derived.untouch(what, n),
            Undo::Settled => {
                if let Some(old) = self.touched.pop() {
                    derived.set_touched(old);
                }
            }
            Undo::List => {
                if let Some(change) = self.lists.pop() {
                    self.take_back_list(state, change);
                }
            }
        }
    }

    fn take_back_list(&mut self, state: &mut MatchState, change: ListChange) {
        match change {
            ListChange::Modifiers(change) => {
                let row = take_back(&mut state.mods, change);
                self.stale.extend(row.map(|it| it.target));
            }
            ListChange::Parted(change) => drop(take_back(&mut state.parted, change)),
            ListChange::Counts(change) => drop(take_back(&mut state.counts, change)),
            ListChange::Groups(change) => drop(take_back(&mut state.groups, change)),
            ListChange::Notes(change) => drop(take_back(&mut state.notes, change)),
            ListChange::Paid(change) => drop(take_back(&mut state.paid, change)),
            ListChange::Asks(change) => drop(take_back(&mut state.asks, change)),
            ListChange::Answers(change) => drop(take_back(&mut state.answers, change)),
            ListChange::Held(change) => drop(take_back(&mut state.held, change)),
            ListChange::Delays(change) => drop(take_back(&mut state.delays, change)),
            ListChange::ExtraTurns(change) => drop(take_back(&mut state.extra_turns, change)),
            ListChange::Skips(change) => drop(take_back(&mut state.skips, change)),
        }
    }

    /// Puts the variables of a frame back behind those of the frames below it.
    fn restore_cells(&mut self, state: &mut MatchState, frame: &Frame) {
        let first = self.cells.len().saturating_sub(place(frame.cells_len));
        state.cells.truncate(place(frame.cells_at));
        state.cells.extend_from_slice(self.cells.get(first..).unwrap_or_default());
        self.cells.truncate(first);
    }
}

/// Takes one change of a list back; gives a row that was or is concerned.
fn take_back<T: Clone>(rows: &mut Vec<T>, change: Change<T>) -> Option<T> {
    match change {
        Change::Added => rows.pop(),
        Change::Inserted(at) => (place(at) < rows.len()).then(|| rows.remove(place(at))),
        Change::Removed(at, row) => {
            let concerned = row.clone();
            rows.insert(place(at).min(rows.len()), row);
            Some(concerned)
        }
        Change::Replaced(at, row) => {
            restore(rows, at, row);
            None
        }
    }
}

fn remove_entity(state: &mut MatchState) {
    state.ents.pop();
    let stride = state.attrs.len().checked_div(state.ents.len().saturating_add(1)).unwrap_or(0);
    let n = state.ents.len().saturating_mul(stride);
    state.attrs.truncate(n);
    state.last.truncate(n);
}

fn restore<T>(rows: &mut [T], at: u32, old: T) {
    if let Some(row) = rows.get_mut(place(at)) {
        *row = old;
    }
}

/// A place as the journal keeps it.
#[inline]
pub fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[inline]
fn place(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}
