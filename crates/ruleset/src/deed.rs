//! What an event of a list does, in terms of the variables of the list: then the event needs none of its own, and
//! nothing has to be put together before it happens.

use alloc::vec::Vec;

use crate::{
    first::First,
    ids::AttrId,
    instr::Instr,
    program::{EventType, Program},
    stroke::Stroke,
    tree::{Node, NodeId, Operand},
};

/// What an event of a list does.
#[derive(Clone, Debug)]
pub struct Deed {
    pub strokes: Vec<Stroke>,
    /// Whom it concerns.
    pub aim: Option<Operand>,
    /// Whether something must hold for it to happen.
    pub has_requirement: bool,
    /// What it costs to ask for that, if it is known.
    pub fuel: Option<u32>,
    /// Whether its fields stay what they are, whatever else happens before it.
    pub is_steady: bool,
    /// Whether it is told.
    pub has_fact: bool,
    /// How many variables the event has, and how many of them are its fields.
    pub n_cells: usize,
    pub n_fields: usize,
}

impl Program {
    /// What an event does whose fields are given; none if that takes variables of its own.
    pub(crate) fn deed(&self, event: &EventType, strokes: &[Stroke], fields: &[Operand]) -> Option<Deed> {
        if !fields.iter().all(|it| self.is_free(*it)) {
            return None;
        }
        let asked = self.trees.root(event.requires);
        let said = strokes.iter().enumerate().map(|(i, it)| self.said(*it, fields, i == 0));
        let aim = match event.subject {
            Some(at) => Some(fields.get(usize::from(at)).copied()?),
            None => None,
        };
        Some(Deed {
            strokes: said.collect::<Option<_>>()?,
            aim,
            has_requirement: event.requires.is_some(),
            fuel: if event.requires.is_none() { Some(0) } else { asked.is_some().then_some(asked.size) },
            is_steady: fields.iter().all(|it| self.is_steady(*it)),
            has_fact: event.has_fact,
            n_cells: usize::from(event.cells).max(fields.len()),
            n_fields: fields.len(),
        })
    }

    /// A change, said in terms of what the fields are. Only before the first change a field is what it was.
    fn said(&self, stroke: Stroke, fields: &[Operand], is_first: bool) -> Option<Stroke> {
        let said = |it: Operand| self.said_operand(it, fields, is_first);
        let player_said = |it: Option<Operand>| it.map_or(Some(None), |it| said(it).map(Some));
        Some(match stroke {
            Stroke::Attr { whose, attr, how, value } => {
                Stroke::Attr { whose: said(whose)?, attr, how, value: said(value)? }
            }
            Stroke::Move { card, player, zone, position } => {
                Stroke::Move { card: said(card)?, player: player_said(player)?, zone, position }
            }
            Stroke::MoveFirst { of, player, zone, position } => {
                let of = First { whose: said(of.whose)?, ..of };
                Stroke::MoveFirst { of, player: player_said(player)?, zone, position }
            }
        })
    }

    fn said_operand(&self, operand: Operand, fields: &[Operand], is_first: bool) -> Option<Operand> {
        let field = |cell: u16| fields.get(usize::from(cell)).copied();
        match operand {
            Operand::Const(_) | Operand::Turn | Operand::You | Operand::AttrOfYou(_) => Some(operand),
            Operand::Local(cell) => field(cell).filter(|it| self.is_steady(*it) || (is_first && self.is_free(*it))),
            Operand::AttrOfLocal(cell, attr) => attr_of(field(cell)?, attr),
            Operand::Node(id) => (self.is_free(operand) && !self.has_variables(id)).then_some(operand),
            Operand::Reg(_) | Operand::AttrOfReg(..) | Operand::SinceOfReg(_) | Operand::Size(_) => None,
        }
    }

    /// Whether an operand stays what it is while an event happens.
    fn is_steady(&self, operand: Operand) -> bool {
        match operand {
            Operand::Const(_) | Operand::Turn | Operand::You | Operand::Local(_) => true,
            Operand::Node(id) => matches!(self.trees.node(id), Some(Node::Leaf(_))) && self.is_free(operand),
            Operand::AttrOfYou(_) | Operand::AttrOfLocal(..) | Operand::Size(_) => false,
            Operand::Reg(_) | Operand::AttrOfReg(..) | Operand::SinceOfReg(_) => false,
        }
    }

    /// Whether an operand is the same for an event as for the list it belongs to: it depends on no event.
    fn is_free(&self, operand: Operand) -> bool {
        match operand {
            Operand::Const(_) | Operand::Turn | Operand::You | Operand::Local(_) => true,
            Operand::AttrOfYou(_) | Operand::AttrOfLocal(..) => true,
            Operand::Node(id) => match self.trees.node(id) {
                Some(Node::Leaf(instr)) => is_free_leaf(instr),
                Some(Node::Unary(instr, of)) => is_free_unary(instr) && self.is_free(of),
                Some(Node::Math(_, a, b)) => self.is_free(a) && self.is_free(b),
                Some(Node::If(..) | Node::Test(..) | Node::Take(..)) | None => false,
            },
            Operand::Reg(_) | Operand::AttrOfReg(..) | Operand::SinceOfReg(_) | Operand::Size(_) => false,
        }
    }

    /// Whether a free node looks at variables.
    fn has_variables(&self, id: NodeId) -> bool {
        let has = |it: Operand| {
            let is_one = matches!(it, Operand::Local(_) | Operand::AttrOfLocal(..));
            is_one || matches!(it, Operand::Node(id) if self.has_variables(id))
        };
        match self.trees.node(id) {
            Some(Node::Unary(_, of)) => has(of),
            Some(Node::Math(_, a, b)) => has(a) || has(b),
            Some(Node::Leaf(instr)) => matches!(instr, Instr::Local(_)),
            Some(Node::If(..) | Node::Test(..) | Node::Take(..)) | None => true,
        }
    }
}

/// An attribute of who is in a field, where that can be said in one operand.
fn attr_of(field: Operand, attr: AttrId) -> Option<Operand> {
    if let Operand::Local(cell) = field {
        return Some(Operand::AttrOfLocal(cell, attr));
    }
    (field == Operand::You).then_some(Operand::AttrOfYou(attr))
}

fn is_free_leaf(instr: Instr) -> bool {
    use Instr::{Active, Const, Local, Null, PhaseNow, StepNow, This, Turn, You};
    matches!(instr, Const(_) | Null | This | You | Turn | Active | PhaseNow | StepNow | Local(_))
}

fn is_free_unary(instr: Instr) -> bool {
    matches!(instr, Instr::Attr(_) | Instr::Neg | Instr::Abs | Instr::Not | Instr::NextPlayer | Instr::HasType(_))
}
