//! What quiet events change, read ahead: each change with the operands it needs, so that nothing is looked up or put on
//! a stack to carry it out.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{
    ids::{AttrId, CodePtr, EventTypeId, ZoneId},
    instr::{Instr, Position},
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

/// The changes of all events that have them.
#[derive(Clone, Debug, Default)]
pub struct Strokes {
    all: Vec<Stroke>,
    by_event: Vec<Option<Range<usize>>>,
}

impl Strokes {
    /// What an event changes, if it is known ahead.
    #[inline]
    pub fn of(&self, event: EventTypeId) -> Option<&[Stroke]> {
        let range = self.by_event.get(event.index())?.clone()?;
        self.all.get(range)
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
        self.strokes = strokes;
    }

    /// Reads a list of changes to its end; none if something in it must be worked out first.
    fn read(&self, mut list: CodePtr, all: &mut Vec<Stroke>) -> Option<()> {
        while list.is_some() && self.instr(list) != Instr::End {
            let (run, values) = self.trees.run(list)?;
            let at = CodePtr(list.0.saturating_add(u32::from(run.size)));
            all.push(self.stroke(self.instr(at), values)?);
            list = CodePtr(at.0.saturating_add(1));
        }
        Some(())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "quiet events have no other writes")]
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
