//! What can be worked out from a state at any time and is kept for speed: never encoded, hashed or logged.

use alloc::vec::Vec;

use ruleset::{DefId, KeywordId, Program, RuleId, program::Rule, reads::Reads};

use crate::{
    attribute::has_own_keyword,
    ids::{EntityId, PlayerId},
    state::{MatchState, ModKind, Status, clone_fields},
};

/// The cards that listen, by rule, for rules that are not found from an event's own subject.
#[derive(Debug)]
pub struct Derived {
    /// The rule, who controls the card, and the card, in this order.
    listeners: Vec<(RuleId, PlayerId, EntityId)>,
    touched: Touched,
}

clone_fields!(Derived { listeners, touched });

/// What changed since state checks last found nothing; at the beginning of a command everything, or nothing if they
/// found nothing before it. So it is the same however a match came to where it is.
#[derive(Clone, Copy, Debug)]
pub struct Touched {
    what: Reads,
    /// Who changed since then.
    changed: Changed,
}

/// Cards and players whose own values or place changed, as far as they are few enough to be named.
#[derive(Clone, Copy, Debug)]
struct Changed {
    who: [EntityId; 8],
    /// How many there are; more than there is room for stand for everybody.
    n: usize,
}

impl Changed {
    const NOBODY: usize = 0;
    const EVERYBODY: usize = usize::MAX;

    fn add(&mut self, one: EntityId) {
        if self.named().is_some_and(|it| it.contains(&one)) {
            return;
        }
        if let Some(slot) = self.who.get_mut(self.n) {
            *slot = one;
        }
        self.n = self.n.saturating_add(1);
    }

    fn named(&self) -> Option<&[EntityId]> {
        self.who.get(..self.n)
    }
}

/// What changed is no part of it: more than necessary is never wrong.
impl PartialEq for Derived {
    fn eq(&self, other: &Self) -> bool {
        self.listeners == other.listeners
    }
}

impl Derived {
    /// Works everything out from the beginning.
    pub fn new(program: &Program, state: &MatchState) -> Self {
        let everybody = Changed { who: [EntityId::NONE; 8], n: Changed::EVERYBODY };
        let mut derived = Self { listeners: Vec::new(), touched: Touched { what: Reads::ALL, changed: everybody } };
        for i in 0..state.ents.len() {
            derived.refresh(program, state, EntityId::at(i));
        }
        derived
    }

    /// The cards that have a rule and are where it works, player by player.
    pub fn listeners(&self, rule: RuleId) -> &[(RuleId, PlayerId, EntityId)] {
        let start = self.listeners.partition_point(|it| it.0 < rule);
        let end = self.listeners.partition_point(|it| it.0 <= rule);
        self.listeners.get(start..end).unwrap_or_default()
    }

    /// The same in order of their numbers.
    pub fn listeners_by_age(&self, rule: RuleId) -> Vec<EntityId> {
        let mut cards: Vec<EntityId> = self.listeners(rule).iter().map(|it| it.2).collect();
        cards.sort_unstable();
        cards
    }

    /// Whether any of this changed since state checks last found nothing.
    pub fn is_touched(&self, reads: Reads) -> bool {
        self.touched.what.meets(reads)
    }

    /// What changed since state checks last found nothing.
    pub fn touched(&self) -> Touched {
        self.touched
    }

    /// What changed, as the journal keeps it: what, and how many.
    #[inline]
    pub fn touched_short(&self) -> (Reads, u32) {
        (self.touched.what, u32::try_from(self.touched.changed.n).unwrap_or(u32::MAX))
    }

    /// Takes back what was noted since; nothing was forgotten meanwhile.
    pub fn untouch(&mut self, what: Reads, n: u32) {
        self.touched.what = what;
        self.touched.changed.n = if n == u32::MAX { Changed::EVERYBODY } else { usize::try_from(n).unwrap_or(0) };
    }

    /// Goes back to what had changed then.
    pub fn set_touched(&mut self, touched: Touched) {
        self.touched = touched;
    }

    /// Who changed since state checks last found nothing; none if that may be anybody.
    pub fn changed(&self) -> Option<&[EntityId]> {
        self.touched.changed.named()
    }

    /// Notes that something changed, which may be anybody's.
    pub fn touch(&mut self, what: Reads) {
        self.touched.what = self.touched.what.with(what);
        if what.meets(Reads::ATTRS.with(Reads::CARDS).with(Reads::PLAYERS)) {
            self.touched.changed.n = Changed::EVERYBODY;
        }
    }

    /// Notes that something of one card or player changed, and nothing of another's.
    pub fn touch_one(&mut self, what: Reads, one: EntityId) {
        self.touched.what = self.touched.what.with(what);
        self.touched.changed.add(one);
    }

    /// State checks found nothing, or a new command begins.
    pub fn settle(&mut self, dirty: bool) {
        (self.touched.what, self.touched.changed.n) =
            if dirty { (Reads::ALL, Changed::EVERYBODY) } else { (Reads::NONE, Changed::NOBODY) };
    }

    /// Works out again what one card listens to.
    #[inline]
    pub fn refresh(&mut self, program: &Program, state: &MatchState, card: EntityId) {
        // Where no card listens and none can be given a rule, there is nothing to work out.
        if program.has_listeners {
            self.work_out(program, state, card);
        }
    }

    fn work_out(&mut self, program: &Program, state: &MatchState, card: EntityId) {
        self.listeners.retain(|it| it.2 != card);
        let Some(ent) = state.ent(card).filter(|it| it.status == Status::Card) else {
            return;
        };
        let Some(def) = program.def(ent.def) else {
            return;
        };
        let granted = state.mods.iter().filter(|it| it.target == card && it.what == ModKind::Grant);
        let granted = granted.filter_map(|it| program.keywords.get(usize::from(it.of)));
        for id in def.rules.iter().chain(granted.flat_map(|it| &it.rules)) {
            let has = |it: KeywordId| it.is_none() || has_own_keyword(program, state, card, it);
            let works = |it: &Rule| it.listens() && !state.is_muted(card, it) && has(it.keyword);
            if program.rule(*id).is_some_and(works) && is_live(program, state, card, *id) {
                self.insert((*id, ent.controller, card));
            }
        }
    }

    fn insert(&mut self, entry: (RuleId, PlayerId, EntityId)) {
        if let Err(at) = self.listeners.binary_search(&entry) {
            self.listeners.insert(at, entry);
        }
    }
}

/// Whether a card is where a rule works.
pub fn is_live(program: &Program, state: &MatchState, card: EntityId, rule: RuleId) -> bool {
    let zone = state.zone_kind(program, card);
    let bit = 1_u64.checked_shl(u32::from(zone.0)).unwrap_or(0);
    zone.is_some() && program.rule(rule).is_some_and(|it| it.active_in & bit != 0)
}

/// Whether a card has a rule by what is printed on it.
pub fn is_printed(program: &Program, def: DefId, rule: RuleId) -> bool {
    program.def(def).is_some_and(|it| it.rules.binary_search(&rule).is_ok())
}

/// Whether a card has a keyword by what is printed on it.
pub fn has_printed_keyword(program: &Program, def: DefId, keyword: KeywordId) -> bool {
    program.def(def).is_some_and(|it| it.keywords.contains(&keyword))
}
