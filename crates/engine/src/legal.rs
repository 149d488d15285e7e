//! What a player may do now: actions with at least one complete binding, without listing every combination.

use alloc::vec::Vec;

use ruleset::{
    ActionId, NULL, RuleId,
    program::{ActionRule, ActionTiming, Slot, Visibility, decides},
};

use crate::{
    act::{Judge, Targets, push_targets},
    cells::{descriptor, span_of},
    fault::Fault,
    ids::{EntityId, PlayerId},
    moves::{MoveKind, MoveList},
    scratch::Listed,
    state::MatchState,
};

/// Answers with more items than this are not listed in every combination.
const LONG_ANSWER: usize = 24;

/// How many candidates the search for one complete binding may try.
const TRIES_MAX: u32 = 10_000;

/// An action that can be taken, by what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub action: ActionId,
    /// What fills the first slot; none for an action without slots.
    pub principal: Option<i64>,
}

impl Judge<'_, '_> {
    /// Whether an action can be taken now as far as no slot has a say; its variables are loaded then.
    fn is_open(&mut self, action: &ActionRule) -> Result<bool, Fault> {
        self.load_unfilled(action);
        Ok(self.timing(action).is_ok() && self.is_passable(action)?)
    }

    /// Every action with every principal that has at least one completion.
    pub fn offers(&mut self) -> Result<Vec<Offer>, Fault> {
        let mut offers = Vec::new();
        for (i, action) in self.program.actions.iter().enumerate() {
            if !self.is_open(action)? {
                continue;
            }
            let id = ActionId::at(i);
            let Some(first) = action.slots.first() else {
                offers.push(Offer { action: id, principal: None });
                continue;
            };
            let list = self.candidates(action, first)?;
            let principals = self.machine.items(list).to_vec();
            for principal in principals {
                let mut filled = Vec::new();
                let mut search = Search::new(id, 1, &mut filled, None);
                search.fill(&[principal]);
                self.load(action, Targets(&[1, principal]));
                if self.passes(action, 1)? {
                    self.complete(action, 1, &mut search)?;
                }
                if search.may_have() {
                    offers.push(Offer { action: id, principal: Some(principal) });
                }
            }
        }
        Ok(offers)
    }

    /// What can fill the next slot, the ones before it being filled, so that the rest can be filled, too; a slot that
    /// takes several lists all it takes. None when every slot is filled, or when those that are do not fit.
    pub fn next_candidates(&mut self, id: ActionId, bound: Targets<'_>) -> Result<Option<(Slot, Vec<i64>)>, Fault> {
        let program = self.program;
        let Some(action) = program.action(id).filter(|_| bound.count() <= usize::from(u8::MAX)) else {
            return Ok(None);
        };
        if !self.is_open(action)? {
            return Ok(None);
        }
        self.load(action, bound);
        let n_bound = bound.count();
        for at in 1..=n_bound.min(action.slots.len()) {
            if !self.passes(action, at)? {
                return Ok(None);
            }
        }
        let Some(slot) = action.slots.get(n_bound) else { return self.next_of_ability(action, bound) };
        let list = self.candidates(action, slot)?;
        let mut values = self.machine.items(list).to_vec();
        if (slot.min, slot.max) == (1, 1) {
            let mut fits = Vec::new();
            for value in values {
                let mut filled = bound.0.to_vec();
                push_targets(&mut filled, &[value]);
                self.load(action, Targets(&filled));
                let next = n_bound.saturating_add(1);
                let mut search = Search::new(id, 1, &mut filled, None);
                if self.passes(action, next)? {
                    self.complete(action, next, &mut search)?;
                }
                if search.may_have() {
                    fits.push(value);
                }
            }
            values = fits;
        }
        Ok(Some((slot.clone(), values)))
    }

    /// What can fill the next slot of the ability an action runs.
    fn next_of_ability(&mut self, action: &ActionRule, bound: Targets<'_>) -> Result<Option<(Slot, Vec<i64>)>, Fault> {
        let Some((rule, card)) = self.ability_slots(action) else { return Ok(None) };
        let mut own = bound;
        action.slots.iter().for_each(|_| {
            own.next();
        });
        let at = own.count();
        let Some(slot) = self.program.rule(rule).and_then(|it| it.slots.get(at)) else { return Ok(None) };
        let list = self.ability_candidates(rule, card, at, own.0)?;
        Ok(Some((slot.clone(), self.machine.items(list).to_vec())))
    }

    /// Which of some values can fill a slot beside the first, if no precondition and no cost looks at a third.
    pub fn fitting(&mut self, action: &ActionRule, at: usize, first: i64) -> Result<Vec<i64>, Fault> {
        let Some(slot) = action.slots.get(at) else { return Ok(Vec::new()) };
        self.machine.tidy();
        self.load(action, Targets(&[1, first]));
        let list = self.candidates(action, slot)?;
        let values = self.machine.items(list).to_vec();
        let bit = 1_u32.checked_shl(u32::try_from(at).unwrap_or(32)).unwrap_or(0);
        let mut fits = Vec::new();
        for value in values {
            self.bind(at, slot, &[value]);
            let mut holds = true;
            for it in action.preconditions.iter().filter(|it| it.slots & bit != 0) {
                holds = holds && self.holds(action, it.code)?;
            }
            if holds && (action.cost_slots & bit == 0 || self.can_pay(action)?) {
                fits.push(value);
            }
        }
        Ok(fits)
    }

    /// Whether all preconditions hold that look at no slot.
    pub fn gate(&mut self, action: &ActionRule) -> Result<bool, Fault> {
        self.load_unfilled(action);
        for it in action.preconditions.iter().filter(|it| it.slots == 0) {
            if !self.holds(action, it.code)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether costs can be paid as far as they look at no slot.
    fn affords(&mut self, action: &ActionRule) -> Result<bool, Fault> {
        if action.cost_slots == 0 { self.can_pay(action) } else { Ok(true) }
    }

    /// Whether preconditions hold and costs can be paid as far as they look at no slot; its variables are loaded then.
    pub(crate) fn is_passable(&mut self, action: &ActionRule) -> Result<bool, Fault> {
        Ok(self.gate(action)? && self.affords(action)?)
    }

    /// Adds every way to take an action to a list, as long as that has at most so many.
    pub(crate) fn list(
        &mut self,
        id: ActionId,
        limit: usize,
        filled: &mut Vec<i64>,
        moves: &mut MoveList,
    ) -> Result<(), Fault> {
        let Some(action) = self.program.action(id) else { return Ok(()) };
        let is_mine = self.state.head.window.is_some_and(|it| it.holder == self.player);
        let in_time = action.timing != ActionTiming::Sorcery || self.is_own_turn();
        if !is_mine || !in_time || !self.is_passable(action)? {
            return Ok(());
        }
        let room = limit.saturating_sub(moves.len());
        let mut search = Search::new(id, room, filled, Some(moves));
        self.complete(action, 0, &mut search)
    }

    /// Adds every way to take an action whose first slot is filled to a list, as long as that has at most so many.
    pub(crate) fn list_begun(
        &mut self,
        id: ActionId,
        first: &[i64],
        limit: usize,
        moves: &mut MoveList,
    ) -> Result<(), Fault> {
        let Some(action) = self.program.action(id) else { return Ok(()) };
        if !self.is_open(action)? || judge_slot_alone(self, action, first)?.is_none() {
            return Ok(());
        }
        let mut filled = Vec::new();
        push_targets(&mut filled, first);
        self.load(action, Targets(&filled.clone()));
        if self.passes(action, 1)? {
            let mut search = Search::new(id, limit, &mut filled, Some(moves));
            self.complete(action, 1, &mut search)?;
        }
        Ok(())
    }

    /// Fills the slots from one on in order, each precondition tested as soon as its slots are filled.
    fn complete(&mut self, action: &ActionRule, at: usize, search: &mut Search<'_>) -> Result<(), Fault> {
        if search.is_done() {
            return Ok(());
        }
        let Some(slot) = action.slots.get(at) else {
            return self.complete_ability(action, search);
        };
        let list = if slot.is_alone { self.alone(search.action, action, at)? } else { self.candidates(action, slot)? };
        let next = at.saturating_add(1);
        // One of several is by far the most common, and needs no list of lists.
        if slot.is_one() && !slot.ty.many {
            if slot.is_alone && next == action.slots.len() && action.ability.is_none() {
                search.found_each(self.machine.items(list));
                return Ok(());
            }
            return self.complete_one(action, at, list, search);
        }
        let n_locals = self.machine.locals().len();
        self.try_each(list, slot, search, |judge, values, search| {
            judge.machine.cut_locals(n_locals);
            judge.bind(at, slot, values);
            if judge.passes(action, next)? { judge.complete(action, next, search) } else { Ok(()) }
        })?;
        self.machine.cut_locals(n_locals);
        self.bind(at, slot, &[]);
        Ok(())
    }

    /// Fills a slot that takes one with each of a list, then those behind it.
    fn complete_one(
        &mut self,
        action: &ActionRule,
        at: usize,
        list: i64,
        search: &mut Search<'_>,
    ) -> Result<(), Fault> {
        let next = at.saturating_add(1);
        let is_decided = action.slots.get(at).is_some_and(|it| it.is_alone);
        let (start, len) = span_of(list);
        let (depth, end) = (search.filled.len(), self.machine.lists.len());
        for i in start..start.saturating_add(len) {
            if !search.try_one() {
                break;
            }
            let value = self.machine.lists.get(i).copied().unwrap_or(NULL);
            self.put(at, value);
            if is_decided || self.passes(action, next)? {
                search.fill(&[value]);
                self.complete(action, next, search)?;
                search.filled.truncate(depth);
            }
            self.machine.lists.truncate(end.max(self.machine.kept));
        }
        self.put(at, NULL);
        Ok(())
    }

    /// Fills a slot that takes one.
    #[inline]
    pub(crate) fn put(&mut self, at: usize, value: i64) {
        self.machine.set_local(at, value);
    }

    /// What can fill a slot whatever fills the others, and what is decided by it holds; worked out once.
    fn alone(&mut self, id: ActionId, action: &ActionRule, at: usize) -> Result<i64, Fault> {
        let slot = u8::try_from(at).unwrap_or(u8::MAX);
        let is_this = |it: &&Listed| it.action == id && it.slot == slot;
        if let Some(listed) = self.machine.listed.iter().find(is_this) {
            return Ok(listed.list);
        }
        let Some(rule) = action.slots.get(at) else { return Ok(NULL) };
        let list = self.candidates(action, rule)?;
        let list = if decides_any(action, at) { self.agreed(action, at, list)? } else { list };
        self.machine.listed.push(Listed { action: id, slot, list });
        self.machine.kept = self.machine.lists.len();
        Ok(list)
    }

    /// Those of a list, the last of the machine, with whom a slot can be filled.
    fn agreed(&mut self, action: &ActionRule, at: usize, list: i64) -> Result<i64, Fault> {
        let (start, len) = span_of(list);
        let end = start.saturating_add(len);
        let mut kept = start;
        for i in start..end {
            let item = self.machine.lists.get(i).copied().unwrap_or(NULL);
            self.put(at, item);
            let passes = self.passes(action, at.saturating_add(1))?;
            self.machine.lists.truncate(end);
            if let Some(slot) = self.machine.lists.get_mut(kept).filter(|_| passes) {
                *slot = item;
                kept = kept.saturating_add(1);
            }
        }
        self.put(at, NULL);
        self.machine.lists.truncate(kept);
        Ok(descriptor(start, kept.saturating_sub(start)))
    }

    /// Tests what the newest filled slot decides.
    pub(crate) fn passes(&mut self, action: &ActionRule, n_filled: usize) -> Result<bool, Fault> {
        let newest = n_filled.saturating_sub(1);
        for it in action.preconditions.iter().filter(|it| decides(it.slots, newest)) {
            if !self.holds(action, it.code)? {
                return Ok(false);
            }
        }
        if decides(action.cost_slots, newest) { self.can_pay(action) } else { Ok(true) }
    }

    /// Fills the slots of the ability an action runs.
    fn complete_ability(&mut self, action: &ActionRule, search: &mut Search<'_>) -> Result<(), Fault> {
        match self.ability_slots(action) {
            Some((rule, card)) => {
                let own = search.filled.len();
                self.fill_ability(rule, card, 0, own, search)
            }
            None => {
                search.found();
                Ok(())
            }
        }
    }

    /// Fills the slots of an ability from one on; its own begin at a place of what is filled.
    fn fill_ability(
        &mut self,
        rule: RuleId,
        card: EntityId,
        at: usize,
        own: usize,
        search: &mut Search<'_>,
    ) -> Result<(), Fault> {
        let Some(slot) = self.program.rule(rule).and_then(|it| it.slots.get(at)) else {
            search.found();
            return Ok(());
        };
        let list = self.ability_candidates(rule, card, at, search.filled.get(own..).unwrap_or_default())?;
        self.try_each(list, slot, search, |judge, _, search| {
            judge.fill_ability(rule, card, at.saturating_add(1), own, search)
        })
    }

    /// Goes on with every way to fill one more slot from a list, until the search has enough.
    #[inline]
    fn try_each(
        &mut self,
        list: i64,
        slot: &Slot,
        search: &mut Search<'_>,
        mut go_on: impl FnMut(&mut Self, &[i64], &mut Search<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let (start, len) = span_of(list);
        let (depth, end) = (search.filled.len(), self.machine.lists.len());
        if slot.is_one() {
            for i in start..start.saturating_add(len) {
                let value = self.machine.lists.get(i).copied().unwrap_or(NULL);
                if !search.try_one() {
                    break;
                }
                search.fill(&[value]);
                go_on(self, &[value], search)?;
                search.filled.truncate(depth);
                self.machine.lists.truncate(end.max(self.machine.kept));
            }
            return Ok(());
        }
        let (min, max) = (usize::from(slot.min), usize::from(slot.max));
        for values in subsets(self.machine.items(list), min, max, search.room()) {
            if !search.try_one() {
                break;
            }
            search.fill(&values);
            go_on(self, &values, search)?;
            search.filled.truncate(depth);
            self.machine.lists.truncate(end.max(self.machine.kept));
        }
        Ok(())
    }

    /// Whether a window stops for a player, by public information only (ruling 79): a public action is legal for
    /// him, or he holds hidden cards in a zone from which this step allows actions.
    pub fn may_act(&mut self) -> Result<bool, Fault> {
        let own_turn = self.is_own_turn();
        for (i, action) in self.program.actions.iter().enumerate() {
            if action.timing == ActionTiming::Sorcery && !own_turn {
                continue;
            }
            let hidden = action.hidden_zones != 0 && !self.program.policy.stop_when_legal;
            #[cfg(feature = "planted-leaks")]
            let hidden = hidden && !crate::leaks::is(crate::leaks::Leak::WindowByLegality);
            if hidden {
                // Whether it can be paid tells what is held.
                if self.gate(action)? && holds_cards(self, action.hidden_zones) {
                    return Ok(true);
                }
                continue;
            }
            if self.is_passable(action)? && self.can_complete(ActionId::at(i), action)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether there is a way to take an action.
    fn can_complete(&mut self, id: ActionId, action: &ActionRule) -> Result<bool, Fault> {
        let mut filled = core::mem::take(&mut self.machine.filled);
        filled.clear();
        let mut search = Search::new(id, 1, &mut filled, None);
        let done = self.complete(action, 0, &mut search);
        let found = search.may_have();
        self.machine.filled = filled;
        done.map(|()| found)
    }
}

/// Whether a precondition or cost can be asked once a slot is filled.
fn decides_any(action: &ActionRule, at: usize) -> bool {
    decides(action.cost_slots, at) || action.preconditions.iter().any(|it| decides(it.slots, at))
}

/// The first slot of an action, if it takes these.
fn judge_slot_alone<'p>(
    judge: &mut Judge<'p, '_>,
    action: &'p ActionRule,
    values: &[i64],
) -> Result<Option<&'p Slot>, Fault> {
    let Some(slot) = action.slots.first() else { return Ok(None) };
    let n = u16::try_from(values.len()).unwrap_or(u16::MAX);
    let is_once = |(i, it): (usize, &i64)| !values.iter().take(i).any(|other| other == it);
    if n < slot.min || n > slot.max || !values.iter().enumerate().all(is_once) {
        return Ok(None);
    }
    for value in values {
        if !judge.admits(action, slot, *value)? {
            return Ok(None);
        }
    }
    Ok(Some(slot))
}

fn holds_cards(judge: &Judge<'_, '_>, zones: u64) -> bool {
    let kinds = judge.program.zones.iter().enumerate();
    let mut kinds = kinds.filter(|it| zones & 1_u64.checked_shl(u32::try_from(it.0).unwrap_or(64)).unwrap_or(0) != 0);
    kinds.any(|(i, rule)| {
        let whose = if rule.visibility == Visibility::Owner { judge.player } else { PlayerId(0) };
        let zone = MatchState::instance(judge.program, ruleset::ZoneId::at(i), whose);
        judge.state.zones.get(usize::from(zone)).is_some_and(|it| it.len > 0)
    })
}

/// A search for complete bindings of one action.
pub(crate) struct Search<'s> {
    action: ActionId,
    /// What fills the slots so far, as [`Targets`].
    filled: &'s mut Vec<i64>,
    /// Where to list what is found; nowhere if only the number counts.
    moves: Option<&'s mut MoveList>,
    n_found: usize,
    limit: usize,
    tries: u32,
}

impl<'s> Search<'s> {
    fn new(action: ActionId, limit: usize, filled: &'s mut Vec<i64>, moves: Option<&'s mut MoveList>) -> Self {
        Self { action, filled, moves, n_found: 0, limit, tries: TRIES_MAX }
    }

    fn is_done(&self) -> bool {
        self.n_found >= self.limit
    }

    /// Whether something was found, or might have been if the search had gone on: no limit of a search makes an action
    /// illegal.
    fn may_have(&self) -> bool {
        self.n_found > 0 || self.tries == 0
    }

    fn room(&self) -> usize {
        self.limit.saturating_sub(self.n_found)
    }

    /// Fills the next slot.
    #[inline]
    pub fn fill(&mut self, values: &[i64]) {
        push_targets(self.filled, values);
    }

    /// Everything is filled.
    fn found(&mut self) {
        self.n_found = self.n_found.saturating_add(1);
        if let Some(moves) = &mut self.moves {
            moves.push(MoveKind::Act(self.action), self.filled);
        }
    }

    /// Everything is filled with each of some in the last slot.
    #[inline]
    pub fn found_each(&mut self, last: &[i64]) {
        let tries = usize::try_from(self.tries).unwrap_or(usize::MAX).saturating_sub(1);
        let n = last.len().min(self.room()).min(tries);
        self.tries = self.tries.saturating_sub(u32::try_from(n).unwrap_or(u32::MAX));
        self.n_found = self.n_found.saturating_add(n);
        if let Some(moves) = &mut self.moves {
            moves.push_each(MoveKind::Act(self.action), self.filled, last.get(..n).unwrap_or_default());
        }
    }

    /// Takes one try; false when none is left, or none is needed.
    #[inline]
    pub fn try_one(&mut self) -> bool {
        self.tries = self.tries.saturating_sub(1);
        self.tries > 0 && !self.is_done()
    }
}

/// Ways to choose between `min` and `max` of some, in order, at most so many where several are chosen.
pub(crate) fn subsets(items: &[i64], min: usize, max: usize, room: usize) -> Vec<Vec<i64>> {
    if min == 1 && max == 1 {
        return items.iter().map(|it| alloc::vec![*it]).collect();
    }
    // Long answers are too many to list: neighbours stand for all of them, and nothing recurses deep.
    if min > LONG_ANSWER {
        return items.windows(min).take(room.max(1)).map(<[i64]>::to_vec).collect();
    }
    let mut out = Vec::new();
    let mut chosen = Vec::new();
    grow(items, min, max.min(LONG_ANSWER), room.max(16), &mut chosen, &mut out);
    out
}

fn grow(items: &[i64], min: usize, max: usize, room: usize, chosen: &mut Vec<i64>, out: &mut Vec<Vec<i64>>) {
    if out.len() >= room {
        return;
    }
    if chosen.len() >= min {
        out.push(chosen.clone());
    }
    if chosen.len() >= max {
        return;
    }
    for (i, item) in items.iter().enumerate() {
        let rest = items.get(i.saturating_add(1)..).unwrap_or_default();
        if chosen.len().saturating_add(1).saturating_add(rest.len()) < min {
            return;
        }
        chosen.push(*item);
        grow(rest, min, max, room, chosen, out);
        chosen.pop();
    }
}
