//! What a player may do now: actions with at least one complete binding, without listing every combination.

use alloc::vec::Vec;

use ruleset::{
    ActionId,
    program::{ActionRule, ActionTiming, Visibility},
};

use crate::{act::Judge, command::Command, fault::Fault, ids::PlayerId, state::MatchState};

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

impl<'a> Judge<'a> {
    /// The actions that can be taken now as far as no slot has a say.
    fn open_actions(&mut self) -> Result<Vec<(ActionId, &'a ActionRule)>, Fault> {
        let mut open = Vec::new();
        for (i, action) in self.program.actions.iter().enumerate() {
            if self.timing(action).is_ok() && self.gate(action)? {
                open.push((ActionId::at(i), action));
            }
        }
        Ok(open)
    }

    /// Every action with every principal that has at least one completion.
    pub fn offers(&mut self) -> Result<Vec<Offer>, Fault> {
        let mut offers = Vec::new();
        for (id, action) in self.open_actions()? {
            let Some(first) = action.slots.first() else {
                if self.can_pay(action)? {
                    offers.push(Offer { action: id, principal: None });
                }
                continue;
            };
            self.load(action, &[]);
            for principal in self.candidates(action, first)? {
                let mut search = Search::new(1);
                self.complete(action, &mut alloc::vec![alloc::vec![principal]], &mut search)?;
                if !search.found.is_empty() {
                    offers.push(Offer { action: id, principal: Some(principal) });
                }
            }
        }
        Ok(offers)
    }

    /// Whether all preconditions hold that look at no slot.
    pub fn gate(&mut self, action: &ActionRule) -> Result<bool, Fault> {
        self.refresh();
        self.load(action, &[]);
        for it in action.preconditions.iter().filter(|it| it.slots == 0) {
            if !self.holds(action, it.code)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Complete commands for all actions, at most so many.
    pub fn commands(&mut self, limit: usize) -> Result<Vec<Command>, Fault> {
        let mut commands = Vec::new();
        for (id, action) in self.open_actions()? {
            let mut search = Search::new(limit.saturating_sub(commands.len()));
            self.complete(action, &mut Vec::new(), &mut search)?;
            let player = self.player;
            commands.extend(search.found.into_iter().map(|targets| Command::Act { player, action: id, targets }));
        }
        Ok(commands)
    }

    /// Fills the remaining slots in order, each precondition tested as soon as its slots are filled.
    fn complete(&mut self, action: &ActionRule, filled: &mut Vec<Vec<i64>>, search: &mut Search) -> Result<(), Fault> {
        if search.is_done() {
            return Ok(());
        }
        self.refresh();
        self.load(action, filled);
        if !self.passes(action, filled.len())? {
            return Ok(());
        }
        let Some(slot) = action.slots.get(filled.len()) else {
            return self.complete_ability(action, filled, search);
        };
        let candidates = self.candidates(action, slot)?;
        let range = (usize::from(slot.min), usize::from(slot.max));
        try_each(&candidates, range, filled, search, &mut |filled, search| self.complete(action, filled, search))
    }

    /// Tests what the newest filled slot decides.
    fn passes(&mut self, action: &ActionRule, n_filled: usize) -> Result<bool, Fault> {
        let Some(newest) = n_filled.checked_sub(1) else {
            return Ok(true);
        };
        let bit = 1_u32.checked_shl(u32::try_from(newest).unwrap_or(32)).unwrap_or(0);
        let known = bit.saturating_mul(2).wrapping_sub(1);
        for it in action.preconditions.iter().filter(|it| it.slots & bit != 0 && it.slots & !known == 0) {
            if !self.holds(action, it.code)? {
                return Ok(false);
            }
        }
        if action.cost_slots & bit != 0 && action.cost_slots & !known == 0 {
            return self.can_pay(action);
        }
        Ok(true)
    }

    /// Fills the slots of the ability an action runs.
    fn complete_ability(
        &mut self,
        action: &ActionRule,
        filled: &mut Vec<Vec<i64>>,
        search: &mut Search,
    ) -> Result<(), Fault> {
        if action.cost_slots == 0 && !self.can_pay(action)? {
            return Ok(());
        }
        match self.ability_slots(action) {
            Some((rule, card)) => self.fill_ability(action, rule, card, filled, search),
            None => {
                search.found.push(filled.clone());
                Ok(())
            }
        }
    }

    fn fill_ability(
        &mut self,
        action: &ActionRule,
        rule: ruleset::RuleId,
        card: crate::ids::EntityId,
        filled: &mut Vec<Vec<i64>>,
        search: &mut Search,
    ) -> Result<(), Fault> {
        let own = filled.get(action.slots.len()..).unwrap_or_default();
        let Some(slot) = self.program.rule(rule).and_then(|it| it.slots.get(own.len())) else {
            search.found.push(filled.clone());
            return Ok(());
        };
        let candidates = self.ability_candidates(rule, card, own.len(), own)?;
        let range = (usize::from(slot.min), usize::from(slot.max));
        try_each(&candidates, range, filled, search, &mut |filled, search| {
            self.fill_ability(action, rule, card, filled, search)
        })
    }

    /// Whether a window stops for a player, by public information only (ruling 79): a public action is legal for
    /// him, or he holds hidden cards in a zone from which this step allows actions.
    pub fn may_act(&mut self) -> Result<bool, Fault> {
        for i in 0..self.program.actions.len() {
            let Some(action) = self.program.action(ActionId::at(i)) else {
                continue;
            };
            let own_turn = self.state.head.active == self.player && self.state.stack.is_empty();
            if (action.timing == ActionTiming::Sorcery && !own_turn) || !self.gate(action)? {
                continue;
            }
            let hidden = action.hidden_zones != 0 && !self.program.policy.stop_when_legal;
            if hidden && holds_cards(self, action.hidden_zones) {
                return Ok(true);
            }
            if action.hidden_zones != 0 && hidden {
                continue;
            }
            let mut search = Search::new(1);
            self.complete(action, &mut Vec::new(), &mut search)?;
            if !search.found.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn holds_cards(judge: &Judge<'_>, zones: u64) -> bool {
    let kinds = judge.program.zones.iter().enumerate();
    let mut kinds = kinds.filter(|it| zones & 1_u64.checked_shl(u32::try_from(it.0).unwrap_or(64)).unwrap_or(0) != 0);
    kinds.any(|(i, rule)| {
        let whose = if rule.visibility == Visibility::Owner { judge.player } else { PlayerId(0) };
        let zone = MatchState::instance(judge.program, ruleset::ZoneId::at(i), whose);
        judge.state.zones.get(usize::from(zone)).is_some_and(|it| it.len > 0)
    })
}

/// A search for complete bindings.
struct Search {
    found: Vec<Vec<Vec<i64>>>,
    limit: usize,
    tries: u32,
}

impl Search {
    fn new(limit: usize) -> Self {
        Self { found: Vec::new(), limit, tries: TRIES_MAX }
    }

    fn is_done(&self) -> bool {
        self.found.len() >= self.limit
    }

    fn room(&self) -> usize {
        self.limit.saturating_sub(self.found.len())
    }

    /// Takes one try; false when none is left.
    fn try_one(&mut self) -> bool {
        self.tries = self.tries.saturating_sub(1);
        self.tries > 0
    }
}

/// What is done with one more slot filled.
type GoOn<'g> = &'g mut dyn FnMut(&mut Vec<Vec<i64>>, &mut Search) -> Result<(), Fault>;

/// Goes on with every way to fill one more slot, until the search has enough.
fn try_each(
    candidates: &[i64],
    (min, max): (usize, usize),
    filled: &mut Vec<Vec<i64>>,
    search: &mut Search,
    go_on: GoOn<'_>,
) -> Result<(), Fault> {
    let depth = filled.len();
    let mut attempt = |values: &[i64], search: &mut Search| {
        if search.is_done() || !search.try_one() {
            return Ok(false);
        }
        filled.truncate(depth);
        filled.push(values.to_vec());
        go_on(filled, search).map(|()| true)
    };
    // One of several is by far the most common, and needs no list of lists.
    if (min, max) == (1, 1) {
        for candidate in candidates {
            if !attempt(&[*candidate], search)? {
                break;
            }
        }
    } else {
        for values in subsets(candidates, min, max, search.room()) {
            if !attempt(&values, search)? {
                break;
            }
        }
    }
    filled.truncate(depth);
    Ok(())
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
