//! Comparisons in which everything lies at hand: what is stored of a candidate, and a number that is the same for all
//! of them. They come to a range each, so that to look at a candidate takes a few instructions and no decision.

use crate::{
    ids::TypeId,
    instr::Math,
    pool::Lie,
    program::Program,
    sieve::{Look, Row},
    tree::Operand,
};

/// A number that lies at hand, as long as nothing is modified. It has a tag of its own, since it is asked for often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Given {
    /// Always the same.
    Number(i32),
    /// The number of the turn.
    Turn,
    /// What the player who acts has in a column.
    Own(u16),
    /// How many cards lie somewhere.
    Size(Lie),
}

/// How far something may lie below and above a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    pub with: Given,
    below: i64,
    above: i64,
}

impl Reach {
    /// Farther than anything stored is from any number at hand.
    const FAR: i64 = 1 << 40;

    /// The least and the greatest that is within reach of a number.
    #[inline]
    pub fn around(&self, with: i64) -> (i64, i64) {
        (with.wrapping_sub(self.below), with.wrapping_add(self.above))
    }
}

/// Where to look at what is stored of somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A column.
    Column(u16),
    /// Since when it is where it is.
    Since,
    /// Whether it is of a type.
    Type(TypeId),
}

/// What must be so of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    pub spot: Spot,
    pub reach: Reach,
}

impl Program {
    /// A comparison of something stored; none where not everything lies at hand.
    pub(crate) fn sight(&self, row: &Row) -> Option<Sight> {
        let spot = match row.look {
            Look::Column(column, _) => Spot::Column(column),
            Look::Since => Spot::Since,
            Look::Type(card_type) => Spot::Type(card_type),
            Look::Itself | Look::Unary(_) | Look::Fixed(_) => return None,
        };
        Some(Sight { spot, reach: self.reach(row)? })
    }

    fn reach(&self, row: &Row) -> Option<Reach> {
        let (below, above) = match row.math {
            Math::Eq => (0, 0),
            Math::Lt => (Reach::FAR, -1),
            Math::Le => (Reach::FAR, 0),
            Math::Gt => (-1, Reach::FAR),
            Math::Ge => (0, Reach::FAR),
            // What is not one thing is on both sides of it.
            Math::Ne | Math::Add | Math::Sub | Math::Mul | Math::Div | Math::Mod | Math::Min | Math::Max => {
                return None;
            }
        };
        Some(Reach { with: self.given(row.with)?, below, above })
    }

    fn given(&self, operand: Operand) -> Option<Given> {
        match operand {
            Operand::Const(value) => Some(Given::Number(value)),
            Operand::Turn => Some(Given::Turn),
            Operand::AttrOfYou(attr) => {
                self.attr(attr).filter(|it| it.is_kept_by_players()).map(|it| Given::Own(it.column))
            }
            Operand::Size(id) => self.select(id)?.lie.map(Given::Size),
            Operand::Local(_) | Operand::Reg(_) | Operand::You | Operand::AttrOfLocal(..) | Operand::AttrOfReg(..) => {
                None
            }
            Operand::SinceOfReg(_) | Operand::Node(_) => None,
        }
    }
}
