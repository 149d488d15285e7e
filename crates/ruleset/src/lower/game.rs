//! What the game itself says: players, set-up, checks, ends, decks, policy and limits.

use alloc::{format, string::ToString, vec::Vec};

use super::{
    Lower,
    scope::{Binding, Scope, Unit},
};
use crate::{
    ids::{CodePtr, DefId, EventTypeId, SelectId, ZoneId},
    instr::Instr,
    limits::Limits,
    names::Space,
    program::{Deck, EndRule, OnLimit, ReactionOrder, StateCheck},
    reads::Reads,
    sort::{Sort, Type},
    term::Term,
    violation::Code,
};

/// How deep the effects of events that are costs may lead to each other.
const COST_DEPTH_MAX: usize = 32;

impl<'a> Lower<'a> {
    pub(super) fn lower_players(&mut self) {
        self.declare_action_fields();
        let named = self.root.get("players").and_then(|it| it.get("deckZone"));
        self.program.players.deck_zone = match named {
            Some(zone) => self.name(zone, Space::Zone).map_or(ZoneId::NONE, ZoneId),
            None => self.names.find(Space::Zone, "deck").map_or(ZoneId::NONE, ZoneId),
        };
    }

    pub(super) fn lower_game(&mut self) {
        let scope = Scope::new(Unit::System);
        let (setup, cells) = self.in_scope(scope, |it| it.effect_code(it.root.get("setup")));
        self.program.setup = setup;
        self.program.setup_cells = cells;
        self.root.list_at("stateChecks").iter().for_each(|it| self.state_check(it));
        self.root.list_at("endConditions").iter().for_each(|it| self.end_condition(it));
        self.root.list_at("decks").iter().for_each(|it| self.deck(it));
        self.root.list_at("directMoves").iter().for_each(|it| self.direct_move(it));
        self.policy();
        self.stakes();
        self.limits();
    }

    fn state_check(&mut self, term: &Term) {
        let found = term.get("forEach").and_then(|it| {
            let scope = Scope::new(Unit::System);
            self.in_scope(scope, |this| this.select(it)).0
        });
        let mut scope = Scope::new(Unit::System);
        let sort = found.map_or(Sort::Card, |it| it.1);
        let cell = scope.cells(1);
        scope.bind("it", Binding::Cell(cell), Type::one(sort));
        let ((when, emit), cells) = self.in_scope(scope, |it| {
            let when = term.get("when").map_or(CodePtr::NONE, |c| it.pure(|this| this.value(c, Type::BOOL)));
            (when, it.effect_code(term.get("emit")))
        });
        self.check_single_emit(term, emit);
        let each = found.map_or(SelectId::NONE, |it| it.0);
        self.program.checks.push(StateCheck { each, when, emit, cells, reads: Reads::ALL, is_own: false });
    }

    /// A check emits one event, so that all findings together are one batch.
    fn check_single_emit(&mut self, term: &Term, emit: CodePtr) {
        // What did not fit is not there, and that was said.
        if self.violations.iter().any(|it| it.code == Code::TooLarge) {
            return;
        }
        let code = self.list_at(emit);
        let emits = code.iter().filter(|it| matches!(it, Instr::Emit(_))).count();
        let others = code.iter().any(|it| !is_plain(*it) && *it != Instr::Reserve);
        if emits != 1 || others {
            self.report(term.place, Code::NotAllowedHere, "a state check leads to exactly one event");
        }
    }

    /// The instructions of a list, up to its last end: the one that nothing goes past.
    fn list_at(&self, list: CodePtr) -> Vec<Instr> {
        let mut found = Vec::new();
        let mut furthest = list;
        for (i, instr) in self.program.code.iter().enumerate().skip(list.index()) {
            furthest = furthest.max(super::aim_of(*instr).unwrap_or(furthest));
            if *instr == Instr::End && i >= furthest.index() {
                break;
            }
            found.push(*instr);
        }
        found
    }

    /// Costs are paid at once and tried beforehand, so they hold nothing that waits, counts by chance or comes later; and so
    /// for what the events lead to that are paid.
    pub(super) fn check_costs(&mut self) {
        for (place, costs) in core::mem::take(&mut self.cost_lists) {
            if costs.is_some() && !self.list_at(costs).iter().all(is_payment) {
                let message = "costs are events, on conditions or for each of a list, and nothing else";
                self.report(place, Code::NotAllowedHere, message);
            }
            if let Some(event) = self.waiting_event(costs, &mut Vec::new(), &mut Vec::new()) {
                let name = self.program.text.events.get(event.index()).map_or("", |it| it.id.as_str());
                let message =
                    format!("what {name} leads to waits, is random or goes on for too long, so it is no cost");
                self.report(place, Code::NotAllowedHere, message);
            }
        }
    }

    /// The first event of some costs whose effects cannot be paid at once; those that can are looked at once.
    fn waiting_event(
        &self,
        costs: CodePtr,
        within: &mut Vec<EventTypeId>,
        payable: &mut Vec<EventTypeId>,
    ) -> Option<EventTypeId> {
        let code = if costs.is_some() { self.list_at(costs) } else { Vec::new() };
        let emitted = code.into_iter().filter_map(|it| if let Instr::Emit(emit) = it { Some(emit.kind) } else { None });
        for kind in emitted {
            let effects = self.program.event(kind).map_or(CodePtr::NONE, |it| it.effects);
            if effects.is_none() || payable.contains(&kind) {
                continue;
            }
            let is_endless = within.contains(&kind) || within.len() >= COST_DEPTH_MAX;
            if is_endless || !self.list_at(effects).iter().all(is_payment) {
                return Some(kind);
            }
            within.push(kind);
            let inner = self.waiting_event(effects, within, payable);
            within.pop();
            payable.push(kind);
            if inner.is_some() {
                return inner;
            }
        }
        None
    }

    fn end_condition(&mut self, term: &'a Term) {
        let Some(when) = term.get("when") else { return };
        let id = term.text_at("id").unwrap_or_default();
        let reason = self.reason(id, term);
        if let Some(at) = term.get("at") {
            return self.guarded_end(term, at, when, reason);
        }
        let scope = Scope::new(Unit::System);
        let (rule, _) = self.in_scope(scope, |it| EndRule {
            when: it.pure(|this| this.value(when, Type::BOOL)),
            winners: it.pure(|this| this.winners(term)),
            reason,
            reads: Reads::ALL,
            finds_own: SelectId::NONE,
        });
        self.program.ends.push(rule);
    }

    pub(super) fn winners(&mut self, term: &Term) {
        match term.get("winners") {
            Some(winners) => self.value(winners, Type::list(Sort::Player)),
            None => {
                self.emit(Instr::ListOf(0));
            }
        }
    }

    fn deck(&mut self, term: &Term) {
        let id = term.text_at("id").unwrap_or_default().to_string();
        let mut cards = Vec::new();
        for entry in term.get("cards").map_or(&[][..], Term::entries) {
            let Some(def) = self.names.find(Space::Card, &entry.key) else {
                let name = Term { place: entry.place, kind: crate::term::TermKind::Text(entry.key.clone()) };
                self.report_unknown(&name, Space::Card, &entry.key);
                continue;
            };
            if self.program.defs.get(usize::from(def)).is_some_and(|it| it.is_token) {
                let message = format!("a token can only be created, not put in a deck: {}", entry.key);
                self.report(entry.place, Code::NotAllowedHere, message);
            }
            match entry.value.int().and_then(|it| u16::try_from(it).ok()).filter(|it| *it <= 1000) {
                Some(n) => cards.push((DefId(def), n)),
                None => self.report(entry.value.place, Code::OutOfRange, "a deck has 0 to 1000 of a card"),
            }
        }
        self.program.decks.push(Deck { id, cards });
    }

    fn direct_move(&mut self, term: &Term) {
        if let Some(zone) = term.get("zone").and_then(|it| self.name(it, Space::Zone)) {
            self.program.policy.reorder_zones |= Self::zone_bit(zone);
        }
    }

    fn policy(&mut self) {
        let Some(term) = self.root.get("policy") else {
            return;
        };
        let is = |key: &str, word: &str| term.text_at(key) == Some(word);
        let grace = self.int_in(term, "disconnectGraceMs", 0..=i64::from(u32::MAX));
        let policy = &mut self.program.policy;
        if is("reactionOrder", "apnap_stack") {
            policy.reaction_order = ReactionOrder::ApnapStack;
        }
        policy.player_orders_triggers = is("triggerOrder", "player");
        policy.reopen_windows = is("priority", "after_each_resolution");
        policy.stop_when_legal = is("stops", "legal");
        if is("onLimit", "tie") {
            policy.on_limit = OnLimit::Tie;
        }
        policy.undo = term.get("undo").and_then(Term::bool).unwrap_or(true);
        policy.disconnect_grace_ms = grace.and_then(|it| u32::try_from(it).ok());
    }

    fn limits(&mut self) {
        for entry in self.root.get("limits").map_or(&[][..], Term::entries) {
            let max = Limits::highest(&entry.key).unwrap_or(0);
            let value = entry.value.int().and_then(|it| u32::try_from(it).ok());
            match (self.program.limits.named(&entry.key), value) {
                (Some(limit), Some(value)) if value >= 1 && value <= max => *limit = value,
                (Some(_), _) => {
                    self.report(entry.value.place, Code::OutOfRange, format!("{} must be 1 to {max}", entry.key))
                }
                (None, _) => {
                    let names = Limits::NAMES.iter().map(|it| it.0.to_string()).collect();
                    let violation = crate::violation::Violation::new(
                        entry.place,
                        Code::UnknownName,
                        format!("no limit of this name: {}", entry.key),
                    );
                    self.violations.push(violation.suggest(&entry.key, names));
                }
            }
        }
    }

    pub(super) fn check_playable(&mut self) {
        // Whatever else is wrong may be the reason.
        if self.violations.is_empty() && self.program.steps.is_empty() {
            self.report(self.root.place, Code::Unplayable, "a game needs a turnStructure with at least one step");
        }
    }
}

/// Whether an instruction can stand in costs.
fn is_payment(instr: &Instr) -> bool {
    is_plain(*instr) || matches!(instr, Instr::Next { .. } | Instr::PayAbility)
}

/// Whether an instruction only evaluates, names or emits.
fn is_plain(instr: Instr) -> bool {
    !matches!(
        instr,
        Instr::Random
            | Instr::GroupStart { .. }
            | Instr::GroupEnd
            | Instr::Reserve
            | Instr::Ask(_)
            | Instr::AskTogether(..)
            | Instr::Wait(_)
            | Instr::RunAbility
            | Instr::PayAbility
            | Instr::PayCosts
            | Instr::Next { .. }
            | Instr::Loop { .. }
            | Instr::Prevent { .. }
            | Instr::Amend(_)
            | Instr::Defer(_)
            | Instr::Delay(_)
            | Instr::Decline
    )
}
