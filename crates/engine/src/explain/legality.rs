//! Why an action is not legal now: everything that must hold, in the order in which it is judged, with what does not.

use alloc::{boxed::Box, vec::Vec};

use ruleset::{
    ActionId, SelectId,
    program::{ActionRule, ActionTiming, Domain, Slot, Source},
    sort::Sort,
};

use crate::{
    act::{Judge, Targets, flatten, push_targets},
    eval::{Cx, Who},
    explain::{Story, Teller, trace},
    ids::{EntityId, PlayerId},
    matches::Match,
    offer::Payment,
    rejection::Rejection,
    scratch::Machine,
    select,
    state::{Flow, FrameKind},
    view::Viewer,
};

/// Whether something holds, as far as the viewer may know and the slots decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It holds.
    Yes,
    /// It does not.
    No,
    /// It depends on slots that are not filled, or on what the viewer does not see.
    Unknown,
}

impl From<bool> for Truth {
    fn from(it: bool) -> Self {
        if it { Self::Yes } else { Self::No }
    }
}

/// Something that must hold to take an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The match goes on: it is neither over nor stopped.
    Running { stopped: Option<Rejection> },
    /// No question waits for an answer.
    NoQuestion,
    /// The player may act.
    Priority { holder: Option<PlayerId> },
    /// It is the player's own turn.
    OwnTurn,
    /// Nothing is on the stack.
    EmptyStack,
    /// A precondition of the ruleset, counted from the first.
    Precondition { index: u8, story: Option<Story> },
    /// A slot takes what is chosen for it, or, if nothing is, finds what it takes.
    Slot { slot: u8, min: u16, max: u16, n_chosen: u16, candidates: Vec<Candidate> },
    /// The costs can be paid.
    Cost { payments: Option<Vec<Payment>>, unpaid: Option<Box<trace::Unpaid>> },
}

/// One that could fill a slot, and what speaks against it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub value: i64,
    pub obstacle: Option<Obstacle>,
}

/// Why a candidate does not fill a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It is not where the slot looks.
    NotThere,
    /// It belongs to somebody else than it must.
    NotTheirs,
    /// It is not what the slot asks for.
    Filter(Option<Story>),
    /// Others come first.
    NotFirst,
    /// It was chosen already.
    Repeated,
    /// A precondition does not hold with it.
    Precondition { index: u8, story: Option<Story> },
    /// The costs cannot be paid with it.
    Cost,
    /// Nothing fits the slots behind it.
    NoRest,
}

/// One thing that must hold, and whether it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub requirement: Requirement,
    pub truth: Truth,
}

impl Check {
    /// How a command is refused if this is the first thing that does not hold.
    pub fn rejection(&self) -> Rejection {
        match &self.requirement {
            Requirement::Running { stopped } => stopped.unwrap_or(Rejection::NotInWindow),
            Requirement::NoQuestion => Rejection::InputPending,
            Requirement::Priority { holder } => {
                holder.map_or(Rejection::NotInWindow, |holder| Rejection::NotYourPriority { holder })
            }
            Requirement::OwnTurn | Requirement::EmptyStack => Rejection::NotAtThisTime,
            Requirement::Precondition { index, .. } => Rejection::PreconditionFailed { index: *index },
            Requirement::Slot { slot, min, max, n_chosen, candidates } => {
                let stranger = candidates.iter().find(|it| it.obstacle.is_some());
                let counts = n_chosen >= min && n_chosen <= max;
                match stranger.filter(|_| counts) {
                    Some(it) => Rejection::IllegalTarget { slot: *slot, target: it.value },
                    None => Rejection::WrongTargetCount { slot: *slot, min: *min, max: *max, got: *n_chosen },
                }
            }
            Requirement::Cost { .. } => Rejection::CannotPay,
        }
    }
}

/// Everything that must hold to take an action, in the order in which it is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legality {
    pub action: ActionId,
    pub player: PlayerId,
    pub checks: Vec<Check>,
}

impl Legality {
    /// The first thing that does not hold.
    pub fn obstacle(&self) -> Option<&Check> {
        self.checks.iter().find(|it| it.truth == Truth::No)
    }
}

impl Match {
    /// Why a player can take an action with these slots filled, or why not; none if there is no such action. Of what is
    /// hidden from the viewer, it tells no more than the refusal itself.
    pub fn explain_action(
        &self,
        viewer: Viewer,
        player: PlayerId,
        id: ActionId,
        targets: &[Vec<i64>],
    ) -> Option<Legality> {
        let action = self.ruleset().program().action(id)?;
        let filled = flatten(targets);
        let checks = self.judged(player, &mut Machine::default(), |judge| {
            let mut inquiry = Inquiry { live: self, judge, viewer, id, action, filled, checks: Vec::new() };
            inquiry.times();
            inquiry.preconditions();
            inquiry.slots();
            inquiry.cost();
            inquiry.checks
        });
        Some(Legality { action: id, player, checks })
    }
}

/// Looks into one action.
struct Inquiry<'a, 'm, 'j> {
    live: &'a Match,
    judge: &'j mut Judge<'a, 'm>,
    viewer: Viewer,
    id: ActionId,
    action: &'a ActionRule,
    filled: Vec<i64>,
    checks: Vec<Check>,
}

impl<'a> Inquiry<'a, '_, '_> {
    fn check(&mut self, requirement: Requirement, truth: impl Into<Truth>) {
        self.checks.push(Check { requirement, truth: truth.into() });
    }

    fn has_failed(&self) -> bool {
        self.checks.iter().any(|it| it.truth == Truth::No)
    }

    fn n_filled(&self) -> usize {
        Targets(&self.filled).count()
    }

    /// The slots that are filled, a bit each.
    fn known(&self) -> u32 {
        1_u32.checked_shl(u32::try_from(self.n_filled()).unwrap_or(32)).unwrap_or(0).wrapping_sub(1)
    }

    fn times(&mut self) {
        let state = self.judge.state;
        let head = &state.head;
        let stopped = match (head.outcome.is_some(), head.flow == Flow::Setup, head.paused.is_some()) {
            (true, _, _) => Some(Rejection::MatchOver),
            (_, true, _) => Some(Rejection::NotInWindow),
            (_, _, true) => Some(Rejection::MatchPaused),
            (false, false, false) => None,
        };
        self.check(Requirement::Running { stopped }, stopped.is_none());
        let holder = head.window.map(|it| it.holder);
        self.check(Requirement::NoQuestion, holder.is_some() || state.asks.is_empty());
        self.check(Requirement::Priority { holder }, holder == Some(self.judge.player));
        if self.action.timing == ActionTiming::Sorcery {
            self.check(Requirement::OwnTurn, head.active == self.judge.player);
            self.check(Requirement::EmptyStack, state.stack.is_empty());
        }
    }

    fn cx(&self) -> Cx<'a> {
        let judge = &self.judge;
        let who = Who { cause: judge.responds_to, ..Who::card(judge.principal(self.action), judge.player) };
        Cx::new(judge.program, judge.state, judge.derived, who)
    }

    /// Tells code with the slots as they are loaded. The judge's machine pays for it.
    fn tell(&mut self, code: ruleset::CodePtr, takes: &[i64]) -> Option<Story> {
        let mut teller = Teller::new(self.cx(), self.judge.machine, self.viewer);
        teller.machine.lower(self.judge.machine.fuel);
        let story = teller.tell(code, takes);
        let spent = teller.machine.spent();
        self.judge.machine.spend(spent).ok().and(story)
    }

    fn preconditions(&mut self) {
        self.judge.machine.tidy();
        self.judge.load(self.action, Targets(&self.filled));
        let is_whole = self.n_filled() >= self.action.slots.len();
        for (i, precondition) in self.action.preconditions.iter().enumerate() {
            let index = u8::try_from(i).unwrap_or(u8::MAX);
            if !is_whole && precondition.slots & !self.known() != 0 {
                self.check(Requirement::Precondition { index, story: None }, Truth::Unknown);
                continue;
            }
            let story = self.tell(precondition.code, &[]);
            let holds = self.judge.holds(self.action, precondition.code).unwrap_or(false);
            // Up to the first that fails, the refusal itself tells what holds.
            let told = !self.has_failed() || story.as_ref().is_some_and(|it| it.holds().is_some());
            let truth = if told { holds.into() } else { Truth::Unknown };
            self.check(Requirement::Precondition { index, story }, truth);
        }
    }

    fn slots(&mut self) {
        let filled = self.filled.clone();
        let mut targets = Targets(&filled);
        for (i, slot) in self.action.slots.iter().enumerate() {
            match targets.next() {
                Some(chosen) => self.chosen(i, slot, chosen),
                None => return self.open_slot(i, slot),
            }
        }
        self.ability_slots(targets);
    }

    /// Behind an action's own slots come those of its ability.
    fn ability_slots(&mut self, targets: Targets<'_>) {
        let filled = self.filled.clone();
        self.judge.load(self.action, Targets(&filled));
        let refused = self.judge.judge_slots(self.action, Targets(&filled)).err();
        let n_own = self.action.slots.len();
        for (i, chosen) in targets.enumerate() {
            let slot = u8::try_from(n_own.saturating_add(i)).unwrap_or(u8::MAX);
            let n_chosen = u16::try_from(chosen.len()).unwrap_or(u16::MAX);
            let (min, max, stray) = match refused {
                Some(Rejection::WrongTargetCount { slot: at, min, max, .. }) if at == slot => (min, max, None),
                Some(Rejection::IllegalTarget { slot: at, target }) if at == slot => (n_chosen, n_chosen, Some(target)),
                Some(_) | None => (n_chosen, n_chosen, None),
            };
            let obstacle = |it: &i64| (stray == Some(*it)).then_some(Obstacle::Filter(None));
            let candidates: Vec<Candidate> =
                chosen.iter().map(|it| Candidate { value: *it, obstacle: obstacle(it) }).collect();
            let fits = stray.is_none() && n_chosen >= min && n_chosen <= max;
            self.check(Requirement::Slot { slot, min, max, n_chosen, candidates }, fits);
        }
    }

    /// A slot with what is chosen for it.
    fn chosen(&mut self, at: usize, slot: &Slot, chosen: &[i64]) {
        self.judge.load(self.action, Targets(&self.filled.clone()));
        let n_chosen = u16::try_from(chosen.len()).unwrap_or(u16::MAX);
        let mut candidates = Vec::new();
        for (i, value) in chosen.iter().enumerate() {
            let repeated = chosen.iter().take(i).any(|it| it == value);
            let obstacle = if repeated { Some(Obstacle::Repeated) } else { self.stranger(slot, *value) };
            candidates.push(Candidate { value: *value, obstacle });
        }
        let fits = n_chosen >= slot.min && n_chosen <= slot.max && candidates.iter().all(|it| it.obstacle.is_none());
        self.check(slot_requirement(at, slot, n_chosen, candidates), fits);
    }

    /// The first slot that is not filled: who could fill it, and why others could not.
    fn open_slot(&mut self, at: usize, slot: &Slot) {
        let filled = self.filled.clone();
        let next = self.judge.next_candidates(self.id, Targets(&filled)).ok().flatten().map(|it| it.1);
        self.judge.machine.tidy();
        self.judge.load(self.action, Targets(&filled));
        let near = self.near(slot);
        let mut candidates = Vec::new();
        for value in near {
            self.judge.load(self.action, Targets(&filled));
            let stranger = self.stranger(slot, value);
            let obstacle = stranger.or_else(|| self.misfit(at, slot, value, next.as_deref()));
            candidates.push(Candidate { value, obstacle });
        }
        self.judge.load(self.action, Targets(&filled));
        let n_fits = candidates.iter().filter(|it| it.obstacle.is_none()).count();
        let n_known = next.as_ref().map_or(n_fits, Vec::len);
        let fits = n_known >= usize::from(slot.min);
        // What hidden cards could fill is not for the viewer to learn before it matters.
        let truth = if next.is_none() && self.has_failed() && !fits { Truth::Unknown } else { fits.into() };
        self.check(slot_requirement(at, slot, 0, candidates), truth);
    }

    /// All that lies where a slot looks, as far as the viewer sees it.
    fn near(&mut self, slot: &Slot) -> Vec<i64> {
        let select = match slot.domain {
            Domain::Select(id) => self.judge.program.select(id),
            Domain::AbilitiesOf(_) | Domain::Range(..) => None,
        };
        let state = self.judge.state;
        let all: Vec<i64> = match select.map(|it| it.source) {
            Some(Source::Zones(mask)) => {
                let zones = select::instances(&self.cx(), mask, u16::MAX);
                zones.flat_map(|(zone, _)| state.cards_in(zone)).map(i64::from).collect()
            }
            Some(Source::Players) => state.players().map(i64::from).collect(),
            Some(Source::Stack(_)) => {
                state.stack.iter().filter(|it| it.kind == FrameKind::Intent).map(|it| it.event.into()).collect()
            }
            Some(Source::List(_) | Source::Defs(_)) | None => {
                let list = self.judge.candidates(self.action, slot);
                list.map(|it| self.judge.machine.items(it).to_vec()).unwrap_or_default()
            }
        };
        let is_stack = matches!(select.map(|it| it.source), Some(Source::Stack(_)));
        let holds_cards = matches!(slot.ty.sort, Sort::Card | Sort::Entity) && !is_stack;
        let (viewer, program) = (self.viewer, self.judge.program);
        let sees = |it: &i64| !holds_cards || viewer.sees_card(program, state, EntityId::from(*it));
        all.into_iter().filter(sees).collect()
    }

    /// Why something is not among the candidates of a slot.
    fn stranger(&mut self, slot: &Slot, value: i64) -> Option<Obstacle> {
        if self.judge.admits(self.action, slot, value).unwrap_or(false) {
            return None;
        }
        let Domain::Select(id) = slot.domain else { return Some(Obstacle::NotThere) };
        Some(self.unfound(id, value))
    }

    fn unfound(&mut self, id: SelectId, value: i64) -> Obstacle {
        let cx = self.cx();
        let Some(select) = cx.program.select(id) else { return Obstacle::NotThere };
        let seats = select::seats(&cx, self.judge.machine, select.seat).unwrap_or(u16::MAX);
        let is_there = match select.source {
            Source::Zones(mask) => {
                select::zone_bit(mask, cx.state.zone_kind(cx.program, EntityId::from(value)).index())
            }
            Source::Players => cx.state.players().any(|it| i64::from(it) == value),
            Source::Stack(kind) => {
                let mut rows = cx.state.stack.iter();
                rows.any(|it| i64::from(it.event) == value && (kind.is_none() || it.etype == kind))
            }
            Source::List(_) | Source::Defs(_) => true,
        };
        let by_seat = matches!(select.source, Source::Zones(_) | Source::List(_) | Source::Players);
        if !is_there {
            return Obstacle::NotThere;
        }
        if by_seat && !select::belongs(&cx, select, seats, value) {
            return Obstacle::NotTheirs;
        }
        let story = if select.filter.is_some() { self.tell(select.filter, &[value]) } else { None };
        match story {
            Some(story) if story.holds() != Some(true) => Obstacle::Filter(Some(story)),
            None if !select.compares() => Obstacle::Filter(None),
            Some(_) | None => Obstacle::NotFirst,
        }
    }

    /// Why a candidate does not fit, although the slot takes it.
    fn misfit(&mut self, at: usize, slot: &Slot, value: i64, next: Option<&[i64]>) -> Option<Obstacle> {
        if next.is_some_and(|it| it.contains(&value)) || !slot.is_one() {
            return None;
        }
        let mut filled = self.filled.clone();
        push_targets(&mut filled, &[value]);
        self.judge.load(self.action, Targets(&filled));
        let bit = 1_u32.checked_shl(u32::try_from(at).unwrap_or(32)).unwrap_or(0);
        let known = self.known() | bit;
        for (i, it) in self.action.preconditions.iter().enumerate() {
            let decides = it.slots & bit != 0 && it.slots & !known == 0;
            if decides && !self.judge.holds(self.action, it.code).unwrap_or(false) {
                let index = u8::try_from(i).unwrap_or(u8::MAX);
                return Some(Obstacle::Precondition { index, story: self.tell(it.code, &[]) });
            }
        }
        let pays = self.action.cost_slots & bit != 0 && self.action.cost_slots & !known == 0;
        if pays && !self.judge.can_pay(self.action).unwrap_or(false) {
            return Some(Obstacle::Cost);
        }
        next.map(|_| Obstacle::NoRest)
    }

    fn cost(&mut self) {
        if self.action.costs.is_none() {
            return;
        }
        let filled = self.filled.clone();
        let is_whole = self.n_filled() >= self.action.slots.len();
        if !is_whole && self.action.cost_slots & !self.known() != 0 {
            let none = Requirement::Cost { payments: None, unpaid: None };
            return self.check(none, Truth::Unknown);
        }
        self.judge.machine.tidy();
        self.judge.load(self.action, Targets(&filled));
        let can = self.judge.can_pay(self.action).unwrap_or(false);
        let payments = self.live.quote(self.judge.player, self.id, &crate::act::unflatten(&filled));
        let tried = trace::unpaid(&self.cx(), self.judge.machine, self.action.costs, self.viewer);
        let unpaid = tried.err().filter(|_| !can).map(Box::new);
        let hidden = unpaid.as_ref().is_some_and(|it| it.story.as_ref().is_some_and(|s| s.holds().is_none()));
        let truth = if hidden && self.has_failed() { Truth::Unknown } else { can.into() };
        self.check(Requirement::Cost { payments, unpaid }, truth);
    }
}

fn slot_requirement(at: usize, slot: &Slot, n_chosen: u16, candidates: Vec<Candidate>) -> Requirement {
    let number = u8::try_from(at).unwrap_or(u8::MAX);
    Requirement::Slot { slot: number, min: slot.min, max: slot.max, n_chosen, candidates }
}
