//! Finds what can fill slots of actions in one walk over where it lies, and pairs it up.

use ruleset::{
    DraftId, NULL, Program,
    pool::{Draft, Lie, Pool, Sift},
    program::ActionRule,
    reach::{Sight, Spot},
    sieve::{Look, Sieve},
    tree::Operand,
};

use crate::{
    act::{Judge, Targets},
    eval::compares,
    fault::Fault,
    ids::{EntityId, PlayerId},
    legal::Search,
    scratch::{Span, slice},
    sieve::{Gap, Sifter, at_spot},
    state::{Entity, MatchState, Status, ZoneRow},
    tree,
};

impl Judge<'_, '_> {
    /// Finds every way to take an action whose slots are each filled whatever fills the other.
    pub(crate) fn cross(&mut self, action: &ActionRule, search: &mut Search<'_>) -> Result<(), Fault> {
        let [first, rest @ ..] = &action.slots[..] else { return Ok(()) };
        let firsts = self.drafted(first.draft)?;
        let Some(second) = rest.first() else {
            search.found_each(slice(&self.machine.lists, firsts));
            return Ok(());
        };
        if firsts.len > 0 {
            let seconds = self.drafted(second.draft)?;
            search.found_pairs(slice(&self.machine.lists, firsts), slice(&self.machine.lists, seconds));
        }
        Ok(())
    }

    /// Whether there is a way to take such an action.
    pub(crate) fn can_cross(&mut self, action: &ActionRule) -> Result<bool, Fault> {
        for slot in &action.slots {
            if self.drafted(slot.draft)?.len == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether such an action can be taken this way; if not, somebody else has to say why.
    pub(crate) fn accepts(&mut self, action: &ActionRule, targets: Targets<'_>) -> Result<bool, Fault> {
        let fit = match (&action.slots[..], targets.0) {
            ([first], [1, a]) => self.takes(first.draft, *a)?,
            ([first, second], [1, a, 1, b]) => self.takes(first.draft, *a)? && self.takes(second.draft, *b)?,
            _ => false,
        };
        Ok(fit && self.is_passable(action)?)
    }

    /// Whether a slot takes something.
    fn takes(&mut self, id: DraftId, value: i64) -> Result<bool, Fault> {
        let (program, state) = (self.program, self.state);
        let draft = program.draft(id).ok_or(Fault::Invariant)?;
        let at = EntityId::from(value);
        let Some(ent) = state.ent(at).filter(|it| self.is_in(draft.pool, at, it)) else { return Ok(false) };
        if self.is_at_hand(&draft.sift) {
            let scan = Scan { program, state, you: self.player };
            return Ok(scan.takes(&draft.sift, at, ent) && self.agree(draft, value)?);
        }
        let cx = self.cx(EntityId::NONE);
        let fits = Sifter::new(&cx, self.machine, draft.sieve).passes(&cx, self.machine, value)?;
        Ok(fits && self.agree(draft, value)?)
    }

    /// Whether preconditions and costs agree to a candidate that have to be asked one by one.
    #[inline]
    fn agree(&mut self, draft: &Draft, value: i64) -> Result<bool, Fault> {
        let Some((action, at)) = draft.asks else { return Ok(true) };
        let action = self.program.action(action).ok_or(Fault::Invariant)?;
        let at = usize::from(at);
        if action.is_crossed {
            self.load_unfilled(action);
        }
        self.put(at, value);
        let agree = self.passes(action, at.saturating_add(1));
        self.put(at, NULL);
        agree
    }

    /// Whether somebody is in a pool.
    fn is_in(&self, pool: Pool, id: EntityId, ent: &Entity) -> bool {
        let (state, you) = (self.state, usize::from(self.player.0));
        match pool {
            Pool::Zone(lie) => {
                let seat = usize::from(ent.zone).checked_sub(usize::from(lie.first));
                let n = if lie.per_player { usize::from(state.head.n_players) } else { 1 };
                seat.is_some_and(|it| it < n && lie.is_meant(it, you))
            }
            Pool::Table { whose, .. } => {
                let is_player = ent.status == Status::Player && state.is_alive(PlayerId::at(id.index()));
                is_player && whose.is_meant(id.index(), you)
            }
        }
    }

    /// What can fill a slot; found once for all slots that take the same.
    #[inline]
    pub(crate) fn drafted(&mut self, id: DraftId) -> Result<Span, Fault> {
        if let Some((_, list)) = self.machine.drafted.iter().find(|it| it.0 == id) {
            return Ok(*list);
        }
        let draft = self.program.draft(id).ok_or(Fault::Invariant)?;
        let start = self.machine.lists.len();
        self.gather(draft)?;
        if draft.asks.is_some() {
            self.keep_agreed(draft, start)?;
        }
        if matches!(draft.pool, Pool::Zone(Lie { by_age: true, .. })) {
            self.machine.lists.get_mut(start..).unwrap_or_default().sort_unstable();
        }
        let list = Span::between(start, self.machine.lists.len());
        self.machine.drafted.push((id, list));
        self.machine.kept = self.machine.lists.len();
        Ok(list)
    }

    /// Keeps those of a list that begins at a place to whom preconditions and costs agree.
    #[inline(never)]
    fn keep_agreed(&mut self, draft: &Draft, start: usize) -> Result<(), Fault> {
        self.keep_if(start, |judge, item| judge.agree(draft, item))
    }

    /// Keeps those of a list that begins at a place who pass.
    fn keep_if(
        &mut self,
        start: usize,
        mut passes: impl FnMut(&mut Self, i64) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let end = self.machine.lists.len();
        let mut kept = start;
        for i in start..end {
            let item = self.machine.lists.get(i).copied().unwrap_or(NULL);
            let passes = passes(self, item)?;
            self.machine.lists.truncate(end);
            if let Some(slot) = self.machine.lists.get_mut(kept).filter(|_| passes) {
                *slot = item;
                kept = kept.saturating_add(1);
            }
        }
        self.machine.lists.truncate(kept);
        Ok(())
    }

    /// Whether all that a sieve looks at is stored as it is.
    fn is_at_hand(&self, sift: &Sift) -> bool {
        *sift == Sift::All || (*sift != Sift::Rows && self.state.mods.is_empty())
    }

    /// Lists all that can fill a slot.
    fn gather(&mut self, draft: &Draft) -> Result<(), Fault> {
        if self.is_at_hand(&draft.sift) {
            return self.gather_by(draft, &draft.sift, draft.sieve.fuel());
        }
        let cx = self.cx(EntityId::NONE);
        let sifter = Sifter::new(&cx, self.machine, draft.sieve);
        let start = self.machine.lists.len();
        // A sifter pays for itself.
        self.gather_by(draft, &Sift::All, 0)?;
        self.keep_if(start, |judge, item| sifter.passes(&cx, judge.machine, item))
    }

    /// Lists all of a draft's pool who pass, each of whom costs so much to look at, and one more.
    fn gather_by(&mut self, draft: &Draft, sift: &Sift, fuel: u32) -> Result<(), Fault> {
        let (program, state, you) = (self.program, self.state, self.player);
        let fuel = fuel.saturating_add(1);
        match draft.pool {
            Pool::Zone(lie) => {
                for zone in state.zones_of(lie, you) {
                    self.machine.spend(zone.len.saturating_mul(fuel))?;
                    let start = self.machine.lists.len();
                    self.machine.lists.resize(start.saturating_add(zone.size()), NULL);
                    let room = self.machine.lists.get_mut(start..).unwrap_or_default();
                    let n = Scan { program, state, you }.zone(sift, zone, lie.from_top, room);
                    self.machine.lists.truncate(start.saturating_add(index(n)));
                }
            }
            Pool::Table { whose, from_active } => {
                for player in state.seats(whose, from_active, you) {
                    self.machine.spend(fuel)?;
                    let id = EntityId::from(player);
                    let takes = |it: &Entity| Scan { program, state, you }.takes(sift, id, it);
                    if state.ent(id).is_some_and(takes) {
                        self.machine.lists.push(player.into());
                    }
                }
            }
        }
        Ok(())
    }

    /// The value of something that is the same for all who could fill a slot.
    #[inline(always)]
    #[expect(clippy::wildcard_enum_match_arm, reason = "all operands have a value")]
    fn known(&mut self, operand: Operand) -> i64 {
        let (program, state) = (self.program, self.state);
        match operand {
            Operand::Const(value) => i64::from(value),
            Operand::Turn => i64::from(state.head.turn),
            Operand::AttrOfYou(attr)
                if let Some(rule) = program.attr(attr)
                    && rule.is_kept_by_players()
                    && state.mods.is_empty() =>
            {
                i64::from(state.base(program, self.player.into(), rule.column))
            }
            Operand::Size(id) if let Some(lie) = program.select(id).and_then(|it| it.lie) => {
                state.count_in(lie, self.player)
            }
            _ => self.asked(operand),
        }
    }

    /// The same for what is seldom asked for.
    #[inline(never)]
    fn asked(&mut self, operand: Operand) -> i64 {
        tree::value_of(&self.cx(EntityId::NONE), self.machine, operand)
    }

    /// Whether an action can be taken as far as no slot has a say, where rows say so.
    #[inline]
    pub(crate) fn passes_gate(&mut self, sieve: Sieve) -> Result<bool, Fault> {
        for row in self.program.rows_of(sieve) {
            self.machine.spend(row.fuel)?;
            let seen = if let Look::Fixed(operand) = row.look { self.known(operand) } else { NULL };
            if !compares(row.math, seen, self.known(row.with)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A look at all of a pool, seen by a player.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'a> {
    pub program: &'a Program,
    pub state: &'a MatchState,
    pub you: PlayerId,
}

impl Scan<'_> {
    #[inline(always)]
    fn gap(self, sight: &Sight) -> Gap {
        Gap::new(self.program, self.state, self.you, &sight.reach)
    }

    /// Writes down all cards of a zone who pass, from one end on; gives how many there are.
    #[inline(always)]
    pub fn zone(self, sift: &Sift, zone: &ZoneRow, from_top: bool, room: &mut [i64]) -> u32 {
        let Self { program, state, .. } = self;
        // A loop for each way to look: what is the same for all cards is not asked for each of them.
        let (attrs, stride) = (&state.attrs[..], usize::from(program.stride));
        let base = |id: EntityId, column: u16| {
            let at = id.index().wrapping_mul(stride).wrapping_add(usize::from(column));
            attrs.get(at).map_or(0, |it| i64::from(*it))
        };
        match sift {
            Sift::All => walk(state, zone, from_top, room, |_, _| true),
            Sift::One(a) => match (a.spot, self.gap(a)) {
                (Spot::Column(column), gap) => walk(state, zone, from_top, room, |id, _| gap.takes(base(id, column))),
                (spot, gap) => {
                    walk(state, zone, from_top, room, |id, ent| gap.takes(at_spot(program, state, spot, id, ent)))
                }
            },
            Sift::Two(a, b) => match (a.spot, self.gap(a), b.spot, self.gap(b)) {
                (Spot::Since, since, Spot::Column(column), gap) | (Spot::Column(column), gap, Spot::Since, since) => {
                    walk(state, zone, from_top, room, |id, ent| {
                        since.takes(i64::from(ent.since)) & gap.takes(base(id, column))
                    })
                }
                (one, a, two, b) => walk(state, zone, from_top, room, |id, ent| {
                    let at = |spot: Spot| at_spot(program, state, spot, id, ent);
                    a.takes(at(one)) & b.takes(at(two))
                }),
            },
            Sift::Rows => 0,
        }
    }

    /// Whether somebody passes.
    #[inline]
    pub fn takes(self, sift: &Sift, id: EntityId, ent: &Entity) -> bool {
        let takes = |it: &Sight| self.gap(it).takes(at_spot(self.program, self.state, it.spot, id, ent));
        match sift {
            Sift::All => true,
            Sift::One(a) => takes(a),
            Sift::Two(a, b) => takes(a) && takes(b),
            Sift::Rows => false,
        }
    }
}

fn index(n: u32) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// Writes down all cards of a zone who pass; gives how many there are.
#[inline(always)]
fn walk(
    state: &MatchState,
    zone: &ZoneRow,
    from_top: bool,
    room: &mut [i64],
    passes: impl Fn(EntityId, &Entity) -> bool,
) -> u32 {
    let (ents, mut n) = (&state.ents[..], 0_u32);
    let mut next = if from_top { zone.top } else { zone.bottom };
    // Each is written down, and written over if he does not pass: nobody can tell beforehand who will.
    while let Some((ent, slot)) = ents.get(next.index()).zip(room.get_mut(index(n))) {
        *slot = i64::from(next.0);
        n = n.wrapping_add(u32::from(passes(next, ent)));
        next = if from_top { ent.below } else { ent.above };
    }
    n
}
