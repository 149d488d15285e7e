//! Where what can fill a slot lies, for slots that take one whatever fills the others.
//!
//! Most slots take a card of one zone, or a player, and all that must be so of it is told by a sieve. What can fill
//! such a slot is found in one walk, once for all actions that ask for the same; and the ways to take an action that
//! has no other slots are all pairs of what can fill them.

use crate::{
    ids::{ActionId, DraftId},
    program::{ActionRule, Domain, Program, SeatRule, Select, SelectOrder, Source},
    reach::Sight,
    sieve::{Decides, ROWS_MAX, Row, Sieve, decides},
};

/// Where candidates lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Pool {
    /// In the zones of one kind, all of them cards that are meant.
    Zone(Lie),
    /// At the table: players, from the active one on or from the first.
    Table { whose: Whose, from_active: bool },
}

/// Whose something must be, seen by the one who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whose {
    pub mine: bool,
    pub theirs: bool,
}

impl Whose {
    /// Whether nobody else's is meant.
    #[inline]
    pub fn is_own(self) -> bool {
        self.mine && !self.theirs
    }

    /// Whether somebody is meant, seen from a seat.
    #[inline]
    pub fn is_meant(self, seat: usize, you: usize) -> bool {
        if seat == you { self.mine } else { self.theirs }
    }

    /// What a rule says; none where code has a say.
    fn of(rule: SeatRule) -> Option<Self> {
        match rule {
            SeatRule::Any => Some(Self { mine: true, theirs: true }),
            SeatRule::You => Some(Self { mine: true, theirs: false }),
            SeatRule::Others => Some(Self { mine: false, theirs: true }),
            SeatRule::In(_) => None,
        }
    }
}

/// How cards lie in the zones of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lie {
    /// The first zone of this kind, and whether every player has one.
    pub first: u16,
    pub per_player: bool,
    pub whose: Whose,
    pub from_top: bool,
    /// Whether they are listed by their age instead of as they lie.
    pub by_age: bool,
}

impl Lie {
    /// Whether everybody has such a zone, and only one's own is meant.
    #[inline]
    pub fn is_own(&self) -> bool {
        self.per_player && self.whose.is_own()
    }

    /// Whether the zone of a seat is meant, seen from another.
    #[inline]
    pub fn is_meant(&self, seat: usize, you: usize) -> bool {
        !self.per_player || self.whose.is_meant(seat, you)
    }
}

/// What can fill a slot, whatever fills the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draft {
    pub pool: Pool,
    /// What must be so of a candidate: that it is one, and what filling the slot with it decides.
    pub sieve: Sieve,
    /// The same where it is so simple that it need not be looked up.
    pub sift: Sift,
    /// What it costs to look at one.
    pub fuel: u32,
    /// The slot of the action whose preconditions and costs have to be asked, where rows do not tell all of that.
    pub asks: Option<(ActionId, u8)>,
}

/// How simple a sieve is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Sift {
    /// It lets everything through.
    All,
    /// It is one comparison in which everything lies at hand, as long as nothing is modified.
    One(Sight),
    /// It is two of them.
    Two(Sight, Sight),
    /// Anything.
    Rows,
}

impl Program {
    /// Finds out which slots of actions can be filled from a pool whatever fills the others, and which actions have
    /// no other slots.
    pub(crate) fn dig_pools(&mut self) {
        for i in 0..self.actions.len() {
            let n_slots = self.actions.get(i).map_or(0, |it| it.slots.len());
            for at in 0..n_slots {
                let draft = self.draft_of(i, at).map_or(DraftId::NONE, |it| self.keep_draft(it));
                if let Some(slot) = self.actions.get_mut(i).and_then(|it| it.slots.get_mut(at)) {
                    slot.draft = draft;
                }
            }
            if let Some(action) = self.actions.get_mut(i) {
                let are_free = action.slots.iter().all(|it| it.draft.is_some());
                action.is_crossed = are_free && (1..=2).contains(&n_slots) && action.ability.is_none();
            }
        }
    }

    /// Where what can fill a slot lies.
    #[inline]
    pub fn draft(&self, id: DraftId) -> Option<&Draft> {
        self.drafts.get(id.index())
    }

    /// Keeps a draft; slots that take the same share one.
    fn keep_draft(&mut self, draft: Draft) -> DraftId {
        let rows = self.rows_of(draft.sieve);
        let is_same = |it: &Draft| (it.pool, it.asks) == (draft.pool, draft.asks) && self.rows_of(it.sieve) == rows;
        if let Some(at) = self.drafts.iter().position(is_same) {
            return DraftId::at(at);
        }
        self.drafts.push(draft);
        DraftId::at(self.drafts.len().saturating_sub(1))
    }

    fn draft_of(&mut self, i: usize, at: usize) -> Option<Draft> {
        let action = self.actions.get(i)?;
        let slot = action.slots.get(at).filter(|it| it.is_one() && !it.ty.many && it.depends == 0)?;
        let Domain::Select(id) = slot.domain else { return None };
        let select = self.select(id).filter(|it| decides_alone(action, at) && !it.compares())?;
        let pool = self.pool_of(select).filter(|_| select.filter.is_none() || select.sieve.is_some())?;
        let decided = if let Decides::Sieve(sieve) = slot.decides { self.rows_of(sieve) } else { &[] };
        let found = self.rows_of(select.sieve);
        let fits = found.len().saturating_add(decided.len()) <= ROWS_MAX;
        let rows = [found, if fits { decided } else { &[] }].concat();
        let asks = (slot.decides == Decides::Each || !fits).then_some((ActionId::at(i), u8::try_from(at).ok()?));
        let sift = self.sift_of(&rows).unwrap_or(Sift::Rows);
        let sieve = self.keep_rows(rows);
        Some(Draft { pool, sieve, sift, fuel: sieve.fuel().saturating_add(1), asks })
    }

    fn sift_of(&self, rows: &[Row]) -> Option<Sift> {
        match rows {
            [] => Some(Sift::All),
            [one] => Some(Sift::One(self.sight(one)?)),
            [one, two] => Some(Sift::Two(self.sight(one)?, self.sight(two)?)),
            _ => None,
        }
    }

    fn pool_of(&self, select: &Select) -> Option<Pool> {
        if select.source == Source::Players {
            let from_active = select.order == SelectOrder::Turn;
            return Some(Pool::Table { whose: Whose::of(select.seat)?, from_active });
        }
        self.lie_of(select).map(Pool::Zone)
    }

    /// How the cards lie that a selector looks at, if those are all cards in zones of one kind that are some players'.
    pub(crate) fn lie_of(&self, select: &Select) -> Option<Lie> {
        let Source::Zones(mask) = select.source else { return None };
        let zone = self.zones.get(usize::try_from(mask.trailing_zeros()).ok()?)?;
        let whose = Whose::of(select.seat).filter(|_| mask.count_ones() == 1 && self.are_all_theirs(select))?;
        let (from_top, by_age) = (select.order == SelectOrder::Top, !select.order.is_as_they_lie());
        Some(Lie { first: zone.first, per_player: zone.per_player, whose, from_top, by_age })
    }
}

/// Whether all that a slot decides looks at no other slot.
fn decides_alone(action: &ActionRule, at: usize) -> bool {
    let looks_at = action.preconditions.iter().map(|it| it.slots).chain([action.cost_slots]);
    let mut decided = looks_at.filter(|it| decides(*it, at));
    decided.all(|it| it.count_ones() == 1)
}
