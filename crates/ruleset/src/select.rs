//! Selectors as the engine carries them out: where to look, whose it is, what it must be like, and in which order.

use alloc::vec::Vec;

use crate::{
    ids::{CodePtr, EventTypeId, TypeId},
    program::Program,
};

/// A compiled selector.
#[derive(Clone, Debug)]
pub struct Select {
    pub source: Source,
    pub seat: SeatRule,
    pub seat_is: SeatIs,
    pub filter: CodePtr,
    /// The register that holds the candidate.
    pub reg: u8,
    pub order: SelectOrder,
    pub rank: Option<Rank>,
    pub take: CodePtr,
    pub random: CodePtr,
    /// Whether it finds all there is where it looks, so that it can count without a look at each.
    pub is_whole: bool,
}

impl Select {
    /// All code that has a part in it; some of it may be none.
    pub fn codes(&self) -> [CodePtr; 6] {
        let source = if let Source::List(code) = self.source { code } else { CodePtr::NONE };
        let seat = if let SeatRule::In(code) = self.seat { code } else { CodePtr::NONE };
        let rank = self.rank.map_or(CodePtr::NONE, |it| it.value);
        [source, seat, rank, self.filter, self.take, self.random]
    }

    /// Whether what it finds depends on what else there is to find.
    #[inline]
    pub fn compares(&self) -> bool {
        self.rank.is_some() || self.take.is_some() || self.random.is_some()
    }
}

/// Where a selector looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Cards in kinds of zones, a bit each.
    Zones(u64),
    /// Players still in the game.
    Players,
    /// Events on the stack, of one type or of any.
    Stack(EventTypeId),
    /// The items of a list.
    List(CodePtr),
    /// All card definitions of a type, or of any.
    Defs(TypeId),
}

/// Which player a candidate must belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatRule {
    /// Any.
    Any,
    /// The one who acts.
    You,
    /// Anyone but the one who acts.
    Others,
    /// The players a piece of code gives.
    In(CodePtr),
}

/// What "belongs to" means in a selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatIs {
    /// Controls it.
    Controller,
    /// Owns it.
    Owner,
}

/// In which order a selector gives what it finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectOrder {
    /// By number, the oldest first.
    Id,
    /// As they lie in their zone, the bottom first.
    Bottom,
    /// As they lie in their zone, the top first.
    Top,
    /// Players from the active one on; anything else by number.
    Turn,
}

impl SelectOrder {
    /// Whether cards come as they lie in their zones.
    pub fn is_as_they_lie(self) -> bool {
        matches!(self, Self::Bottom | Self::Top)
    }
}

/// Keeps only those with the highest or lowest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    pub highest: bool,
    pub value: CodePtr,
}

impl Program {
    /// Notes which selectors can count without a look at each.
    pub(crate) fn find_whole(&mut self) {
        let whole: Vec<bool> = self.selects.iter().map(|it| self.is_whole(it)).collect();
        self.selects.iter_mut().zip(whole).for_each(|(select, is_whole)| select.is_whole = is_whole);
    }

    /// Whether a selector finds all cards in zones that are some players' as a whole, or all events on the stack, so
    /// that they can be counted without a look at them.
    fn is_whole(&self, select: &Select) -> bool {
        let finds_all = select.filter.is_none() && !select.compares();
        let is_stack = matches!(select.source, Source::Stack(_));
        finds_all && !matches!(select.seat, SeatRule::In(_)) && (is_stack || self.are_all_theirs(select))
    }

    /// Whether all cards in the zones a selector looks into belong to the players it means.
    fn are_all_theirs(&self, select: &Select) -> bool {
        let Source::Zones(mask) = select.source else { return false };
        let is_meant = |kind: usize| mask & 1_u64.checked_shl(u32::try_from(kind).unwrap_or(64)).unwrap_or(0) != 0;
        let own = self.zones.iter().enumerate().filter(|it| is_meant(it.0)).all(|it| it.1.per_player);
        select.seat_is == SeatIs::Controller && (own || select.seat == SeatRule::Any)
    }
}
