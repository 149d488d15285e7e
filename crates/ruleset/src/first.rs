//! The first card of somebody's zone, which many lists begin with: it lies at hand, and nothing else is looked at.

use crate::{
    ids::{CodePtr, ZoneId},
    instr::{Instr, Position},
    program::{Program, SeatRule, Select, SelectOrder, Source},
    tree::Operand,
};

/// The first card of a zone of somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    pub zone: ZoneId,
    pub whose: Operand,
    /// The end of the zone it is taken from.
    pub end: Position,
    /// What it costs to look for it, besides one for every card there and one for the card itself.
    pub fuel: u32,
}

impl First {
    /// The same where more instructions belong to it.
    pub(crate) fn dearer_by(self, n: u16) -> Self {
        Self { fuel: self.fuel.saturating_add(u32::from(n)), ..self }
    }
}

impl Program {
    /// What a list that begins with the first one a selector finds begins with, if that is the first card of a zone.
    pub(crate) fn first(&self, list: CodePtr) -> Option<First> {
        let [Instr::Select(id), Instr::First, ..] = self.code.get(list.index()..)? else { return None };
        let select = self.select(*id)?;
        let Source::Zones(mask) = select.source else { return None };
        let is_one = mask.is_power_of_two() && self.are_all_theirs(select) && select.filter.is_none();
        let end = match select.order {
            SelectOrder::Top => Position::Top,
            SelectOrder::Bottom => Position::Bottom,
            SelectOrder::Id | SelectOrder::Turn => return None,
        };
        if !is_one || select.rank.is_some() || select.random.is_some() {
            return None;
        }
        let (whose, seat_fuel) = self.whose(select)?;
        let fuel = seat_fuel.saturating_add(self.take_fuel(select)?).saturating_add(2);
        Some(First { zone: ZoneId(u16::try_from(mask.trailing_zeros()).ok()?), whose, end, fuel })
    }

    /// Whose zone a selector looks into, if that is one player's, and what it costs to know him.
    fn whose(&self, select: &Select) -> Option<(Operand, u32)> {
        match select.seat {
            SeatRule::You => Some((Operand::You, 0)),
            SeatRule::In(code) => {
                let [who, Instr::ListOf(1), Instr::Return, ..] = self.code.get(code.index()..)? else { return None };
                let whose = if let Instr::Local(cell) = *who { Operand::Local(cell) } else { Operand::You };
                matches!(who, Instr::Local(_) | Instr::You).then_some((whose, 4))
            }
            SeatRule::Any | SeatRule::Others => None,
        }
    }

    /// What it costs to know that a selector takes at least one of what it finds.
    fn take_fuel(&self, select: &Select) -> Option<u32> {
        if select.take.is_none() {
            return Some(0);
        }
        let [Instr::Const(1..), Instr::Return, ..] = self.code.get(select.take.index()..)? else { return None };
        Some(self.trees.root(select.take).size).filter(|it| *it > 0)
    }
}
