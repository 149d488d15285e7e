//! Finds what can fill slots of actions in one walk over where it lies, and pairs it up.

use ruleset::{
    DraftId, NULL,
    pool::{Draft, Lie, Pool},
    program::ActionRule,
    sieve::{Look, Row, Sieve},
    tree::Operand,
};

use crate::{
    act::{Judge, Targets},
    eval::compares,
    fault::Fault,
    ids::{EntityId, PlayerId},
    legal::Search,
    scratch::{Machine, Span, slice},
    sieve::{Gap, Sifter},
    state::{Entity, Status},
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
        if draft.is_ranged && state.mods.is_empty() {
            let fits = program.rows_of(draft.sieve).iter().all(|row| self.gap(row).takes(program, state, at, ent));
            return Ok(fits && self.agree(draft, value)?);
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
        let part = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        let list = Span { start: part(start), len: part(self.machine.lists.len().saturating_sub(start)) };
        self.machine.drafted.push((id, list));
        self.machine.kept = self.machine.lists.len();
        Ok(list)
    }

    /// Keeps those of a list that begins at a place to whom preconditions and costs agree.
    #[inline(never)]
    fn keep_agreed(&mut self, draft: &Draft, start: usize) -> Result<(), Fault> {
        let end = self.machine.lists.len();
        let mut kept = start;
        for i in start..end {
            let item = self.machine.lists.get(i).copied().unwrap_or(NULL);
            let agrees = self.agree(draft, item)?;
            self.machine.lists.truncate(end);
            if let Some(slot) = self.machine.lists.get_mut(kept).filter(|_| agrees) {
                *slot = item;
                kept = kept.saturating_add(1);
            }
        }
        self.machine.lists.truncate(kept);
        Ok(())
    }

    /// Lists all that can fill a slot.
    #[inline(always)]
    fn gather(&mut self, draft: &Draft) -> Result<(), Fault> {
        let (program, state) = (self.program, self.state);
        let is_stored = draft.is_ranged && state.mods.is_empty();
        let fuel = draft.sieve.fuel().saturating_add(1);
        // So few comparisons are made without a loop over them.
        match program.rows_of(draft.sieve) {
            [] => self.gather_if(draft.pool, fuel, |_, _, _| Ok(true)),
            [a] if is_stored => {
                let a = self.gap(a);
                self.gather_if(draft.pool, fuel, |_, id, ent| Ok(a.takes(program, state, id, ent)))
            }
            [a, b] if is_stored => {
                let (a, b) = (self.gap(a), self.gap(b));
                self.gather_if(draft.pool, fuel, |_, id, ent| {
                    Ok(a.takes(program, state, id, ent) && b.takes(program, state, id, ent))
                })
            }
            _ => {
                let cx = self.cx(EntityId::NONE);
                let sifter = Sifter::new(&cx, self.machine, draft.sieve);
                // A sifter pays for itself.
                self.gather_if(draft.pool, 1, |machine, id, _| sifter.passes(&cx, machine, id.into()))
            }
        }
    }

    /// What a row lets through.
    #[inline(always)]
    fn gap(&mut self, row: &Row) -> Gap {
        Gap::new(row, self.known(row.with))
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

    /// Lists all of a pool that pass, each of whom costs so much to look at.
    #[inline(always)]
    fn gather_if(
        &mut self,
        pool: Pool,
        fuel: u32,
        passes: impl Fn(&mut Machine, EntityId, &Entity) -> Result<bool, Fault>,
    ) -> Result<(), Fault> {
        let (state, machine, you) = (self.state, &mut *self.machine, usize::from(self.player.0));
        match pool {
            Pool::Zone(lie) => {
                for zone in state.zones_of(lie, self.player) {
                    machine.spend(zone.len.saturating_mul(fuel))?;
                    let mut next = if lie.from_top { zone.top } else { zone.bottom };
                    while let Some(ent) = state.ents.get(next.index()) {
                        if passes(machine, next, ent)? {
                            machine.lists.push(i64::from(next.0));
                        }
                        next = if lie.from_top { ent.below } else { ent.above };
                    }
                }
            }
            Pool::Table { whose, from_active } => {
                let first = if from_active { state.head.active } else { PlayerId(0) };
                for player in state.players_from(first) {
                    let id = EntityId::from(player);
                    let Some(ent) = state.ent(id).filter(|_| whose.is_meant(usize::from(player.0), you)) else {
                        continue;
                    };
                    machine.spend(fuel)?;
                    if passes(machine, id, ent)? {
                        machine.lists.push(player.into());
                    }
                }
            }
        }
        Ok(())
    }
}
