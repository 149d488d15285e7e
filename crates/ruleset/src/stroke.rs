//! What quiet lists lead to and what quiet events change, read ahead: each with the operands it needs, so that nothing
//! is looked up or put on a stack to carry it out.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{
    deed::Deed,
    first::First,
    ids::{AttrId, CodePtr, EventTypeId, ZoneId},
    instr::{Emit, Instr, Position},
    program::Program,
    tree::{Node, Operand},
};

/// One change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// An attribute of somebody becomes a value, or more or less by it.
    Attr { whose: Operand, attr: AttrId, how: How, value: Operand },
    /// A card goes to a player's instance of a zone, or to its owner's.
    Move { card: Operand, player: Option<Operand>, zone: ZoneId, position: Position },
    /// So does the first card of a zone of somebody, if there is one.
    MoveFirst { of: First, player: Option<Operand>, zone: ZoneId, position: Position },
}

/// What a value does to an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Replaces it.
    Set,
    /// Is added.
    Add,
    /// Is taken off.
    Sub,
}

/// The next event of a list.
#[derive(Clone, Debug)]
pub struct Leads {
    pub emit: Emit,
    /// Its fields.
    pub fields: Vec<Operand>,
    /// How many instructions give them.
    pub size: u16,
    /// Where the list goes on after it.
    pub to: CodePtr,
    /// Whether that is its end.
    pub is_last: bool,
    /// What it does, if that is known ahead.
    pub deed: Option<Deed>,
}

/// The changes of all events that have them.
#[derive(Clone, Debug, Default)]
pub struct Strokes {
    all: Vec<Stroke>,
    by_event: Vec<Option<Range<usize>>>,
    leads: Vec<Leads>,
    /// By place in the code: which of them begins there.
    leads_at: Vec<Option<u16>>,
}

impl Strokes {
    /// What an event changes, if it is known ahead.
    #[inline]
    pub fn of(&self, event: EventTypeId) -> Option<&[Stroke]> {
        let range = self.by_event.get(event.index())?.clone()?;
        self.all.get(range)
    }

    /// The event a list leads to from a place on, if it is known ahead.
    #[inline]
    pub fn leads(&self, list: CodePtr) -> Option<&Leads> {
        self.place(list).and_then(|it| self.at(it))
    }

    /// The place of what a list leads to among all that lists lead to.
    #[inline]
    pub(crate) fn place(&self, list: CodePtr) -> Option<u16> {
        self.leads_at.get(list.index()).copied().flatten()
    }

    /// What a list leads to, by its place.
    #[inline]
    pub fn at(&self, place: u16) -> Option<&Leads> {
        self.leads.get(usize::from(place))
    }
}

impl Program {
    /// Reads the changes of quiet events ahead, now that there are trees.
    pub(crate) fn find_strokes(&mut self) {
        let mut strokes = Strokes::default();
        for (i, event) in self.events.iter().enumerate() {
            let start = strokes.all.len();
            let is_read = self.quiet.is_event(EventTypeId::at(i)) && self.read(event.apply, &mut strokes.all).is_some();
            strokes.all.truncate(if is_read { strokes.all.len() } else { start });
            strokes.by_event.push(is_read.then_some(start..strokes.all.len()));
        }
        for (i, _) in self.code.iter().enumerate() {
            let leads = u32::try_from(i).ok().and_then(|it| self.read_leads(CodePtr(it), &strokes));
            strokes.leads_at.push(leads.is_some().then(|| u16::try_from(strokes.leads.len()).ok()).flatten());
            strokes.leads.extend(leads);
        }
        self.strokes = strokes;
    }

    /// Reads the first event of a list.
    fn read_leads(&self, list: CodePtr, strokes: &Strokes) -> Option<Leads> {
        let (run, values) = self.trees.run(list).filter(|_| self.quiet.is_list(list))?;
        let at = CodePtr(list.0.saturating_add(u32::from(run.size)));
        let Instr::Emit(emit) = self.instr(at) else { return None };
        let event = self.event(emit.kind)?;
        let to = CodePtr(at.0.saturating_add(1));
        let is_last = self.instr(to) == Instr::End;
        let is_whole = values.len() == event.fields.len();
        let deed = strokes.of(emit.kind).filter(|_| is_whole).and_then(|it| self.deed(event, it, values));
        is_whole.then(|| Leads { emit, fields: values.to_vec(), size: run.size, to, is_last, deed })
    }

    /// Reads a list of changes to its end; none if something in it must be worked out first.
    fn read(&self, mut list: CodePtr, all: &mut Vec<Stroke>) -> Option<()> {
        while list.is_some() && self.instr(list) != Instr::End {
            let first = self.first(list);
            let from = if first.is_some() { CodePtr(list.0.saturating_add(2)) } else { list };
            let (run, values) = self.trees.run(from)?;
            let at = CodePtr(from.0.saturating_add(u32::from(run.size)));
            all.push(match first {
                Some(of) => self.stroke_of(of.dearer_by(run.size), self.instr(at), values)?,
                None => self.stroke(self.instr(at), values)?,
            });
            list = CodePtr(at.0.saturating_add(1));
        }
        Some(())
    }

    fn stroke(&self, instr: Instr, values: &[Operand]) -> Option<Stroke> {
        match (instr, values) {
            (Instr::SetAttr, [whose, Operand::Const(attr), value]) => {
                Some(Stroke::Attr { whose: *whose, attr: AttrId::from(i64::from(*attr)), how: How::Set, value: *value })
            }
            (Instr::AddAttr, [whose, Operand::Const(attr), value]) => {
                let (how, value) = self.negated(*value).map_or((How::Add, *value), |it| (How::Sub, it));
                Some(Stroke::Attr { whose: *whose, attr: AttrId::from(i64::from(*attr)), how, value })
            }
            (Instr::Move(zone, position), [card, player]) => {
                let player = Some(*player).filter(|it| !self.is_null(*it));
                Some(Stroke::Move { card: *card, player, zone, position })
            }
            _ => None,
        }
    }

    /// What an instruction does with the first card of a zone.
    fn stroke_of(&self, of: First, instr: Instr, values: &[Operand]) -> Option<Stroke> {
        let (Instr::Move(zone, position), [player]) = (instr, values) else { return None };
        let player = Some(*player).filter(|it| !self.is_null(*it));
        Some(Stroke::MoveFirst { of, player, zone, position })
    }

    /// What an operand is the negative of.
    fn negated(&self, operand: Operand) -> Option<Operand> {
        let Operand::Node(id) = operand else { return None };
        if let Some(Node::Unary(Instr::Neg, of)) = self.trees.node(id) { Some(of) } else { None }
    }

    fn is_null(&self, operand: Operand) -> bool {
        let Operand::Node(id) = operand else { return false };
        self.trees.node(id) == Some(Node::Leaf(Instr::Null))
    }
}
