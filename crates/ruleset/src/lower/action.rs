//! Actions: slots, preconditions, costs and effects, and the event each of them is.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{
    FieldDecl, Lower,
    declare::label,
    scope::{Scope, Unit},
};
use crate::{
    ids::{CodePtr, EventTypeId, ZoneId},
    instr::{Instr, Math, Position},
    names::{Space, pascal, same_name},
    program::{ActionRule, ActionTiming, Domain, Precondition, Slot, Source, Visibility},
    sort::{Sort, Type},
    term::{Term, TermKind},
    text::{ActionText, Label},
    violation::{Code, Violation},
};

/// What the preconditions of an action say, in the order in which they are tested.
fn written_conditions(term: &Term) -> Vec<String> {
    let own = term.get("preconditions").map_or(&[][..], Term::one_or_many);
    let params = term.list_at("params").iter().filter(|it| it.text_at("type") == Some("mode"));
    let modes = params.flat_map(|it| it.list_at("modes")).filter_map(|it| it.get("conditions"));
    own.iter().chain(modes).map(ToString::to_string).collect()
}

impl<'a> Lower<'a> {
    pub(super) fn lower_actions(&mut self) {
        for term in self.root.list_at("actions") {
            self.lower_action(term);
        }
    }

    fn lower_action(&mut self, term: &'a Term) {
        let name = term.text_at("id").unwrap_or_default();
        let event = term.text_at("event").map_or_else(|| pascal(name), ToString::to_string);
        let Some(event) = self.names.find(Space::Event, &event).map(EventTypeId) else {
            return;
        };
        let mut scope = Scope::new(Unit::Action);
        // Until the slot of the card that acts is there, nobody does.
        scope.has_this = false;
        let ((rule, names), cells) = self.in_scope(scope, |it| it.action_rule(term, event));
        self.describe_event(term, event, &rule, &names, cells);
        let modes = names.iter().map(|it| mode_labels(term, it)).collect();
        let text = ActionText { label: label(term), slots: names, modes, preconditions: written_conditions(term) };
        self.program.actions.push(rule);
        self.program.text.actions.push(text);
    }

    fn action_rule(&mut self, term: &'a Term, event: EventTypeId) -> (ActionRule, Vec<String>) {
        for prompt in term.list_at("targets").iter().filter_map(|it| it.get("prompt")) {
            self.report(
                prompt.place,
                Code::IdleKey,
                "nobody is asked for the slots of an action: say it in its `hint`",
            );
        }
        let acting = self.acting_slot(term);
        self.scope.principal = acting.and_then(|it| u16::try_from(it).ok()).unwrap_or(0);
        let (mut slots, mut names) = self.slots(term.list_at("targets"), acting);
        let ability = self.params(term, &mut slots, &mut names);
        let (waiting, principal) = self.principal(term, &slots, acting);
        if slots.len() > 32 {
            self.report(term.place, Code::TooLarge, "an action has at most 32 slots");
        }
        if ability.is_some() {
            self.scope.extra = Some(self.scope.cells(1));
        }
        let mut preconditions = self.preconditions(term.get("preconditions"));
        preconditions.extend(self.mode_conditions(term));
        self.scope.read_slots = 0;
        let costs = self.costs(term);
        let cost_slots = self.scope.read_slots;
        let effects = self.chunk(Instr::End, |it| {
            it.deferring(term, |it| it.effects(term.get("effects").unwrap_or(&Term::nothing(term.place))));
        });
        if let Some(row) = self.program.events.get_mut(event.index()) {
            row.effects = effects;
        }
        let timing = timing(term.text_at("timing"));
        let hidden_zones = self.hidden_zones(waiting.and_then(|it| slots.get(usize::from(it))));
        let (waits_in, prevented_to) = self.waiting_zones(term, timing, waiting, hidden_zones);
        let rule = ActionRule {
            timing,
            event,
            hidden_zones,
            waiting,
            waits_in,
            // The policy speaks of cards from hidden zones only.
            waits_from: if term.get("waitsIn").is_some() { u64::MAX } else { hidden_zones },
            prevented_to,
            moves_to: self.moves_to(effects),
            cells: 0,
            takes_many: slots.iter().any(|it| it.ty.many),
            slots,
            principal,
            preconditions,
            costs,
            cost_slots,
            refund: term.flag("refundOnPrevent"),
            ability,
        };
        (rule, names)
    }

    /// Declared parameters, and the ability an action speaks of without declaring it.
    fn params(&mut self, term: &Term, slots: &mut Vec<Slot>, names: &mut Vec<String>) -> Option<u8> {
        let mut ability = None;
        for param in term.list_at("params") {
            let name = param.text_at("id").unwrap_or_default().to_string();
            if param.text_at("type") == Some("ability") {
                let of = self.slot_named(param.get("of"), names);
                ability = u8::try_from(slots.len()).ok();
                self.add_slot(slots, names, name, ability_slot(of));
            } else if param.text_at("type") == Some("mode") {
                self.mode_slot(param, slots, names, name);
            } else {
                let slot = self.number_slot(param);
                self.add_slot(slots, names, name, slot);
            }
        }
        if ability.is_none()
            && let Some((name, of)) = spoken_ability(term, names)
        {
            ability = u8::try_from(slots.len()).ok();
            self.add_slot(slots, names, name, ability_slot(of));
        }
        ability
    }

    /// The slot a parameter speaks of; the first where it does not say.
    fn slot_named(&mut self, of: Option<&Term>, names: &[String]) -> usize {
        let Some(of) = of else { return 0 };
        let word = of.text().unwrap_or_default();
        let found = names.iter().position(|it| same_name(it, word));
        if found.is_none() {
            let violation = Violation::new(of.place, Code::UnknownName, alloc::format!("no slot of this name: {word}"));
            self.violations.push(violation.suggest(word, names.to_vec()));
        }
        found.unwrap_or(0)
    }

    /// A slot for a number the player chooses.
    fn number_slot(&mut self, param: &Term) -> Slot {
        if param.get("max").is_none() {
            self.report(param.place, Code::MissingKey, "a number needs `max`, the largest that can be chosen");
        }
        let mut int = |key: &str| {
            let found = self.int_in(param, key, i64::from(i32::MIN)..=i64::from(i32::MAX));
            found.and_then(|it| i32::try_from(it).ok()).unwrap_or(0)
        };
        let (min, max) = (int("min"), int("max"));
        if max < min || max.saturating_sub(min) > 1000 {
            self.report(param.place, Code::OutOfRange, "a number has at most 1000 values, min not above max");
        }
        range_slot(min, max)
    }

    /// A slot whose values are the numbers of modes.
    fn mode_slot(&mut self, param: &Term, slots: &mut Vec<Slot>, names: &mut Vec<String>, name: String) {
        let modes = param.list_at("modes");
        let ids = modes.iter().map(|it| it.text_at("id").unwrap_or_default().to_string()).collect();
        let last = i32::try_from(modes.len()).unwrap_or(i32::MAX).saturating_sub(1);
        if !(0..=1000).contains(&last) {
            self.report(param.place, Code::OutOfRange, "a parameter has 1 to 1000 modes");
        }
        self.scope.modes.push((name.clone(), ids));
        self.check_mode_ids(modes);
        self.add_slot(slots, names, name, range_slot(0, last.max(0)));
    }

    /// What must hold for a mode is a precondition of the action taken this way.
    fn mode_conditions(&mut self, term: &Term) -> Vec<Precondition> {
        let mut found = Vec::new();
        for param in term.list_at("params").iter().filter(|it| it.text_at("type") == Some("mode")) {
            let Ok((load, _)) = self.resolve_path(param.text_at("id").unwrap_or_default()) else { continue };
            for (i, mode) in param.list_at("modes").iter().enumerate() {
                let Some(conditions) = mode.get("conditions") else { continue };
                self.scope.read_slots = 0;
                let code = self.pure(|it| {
                    load.iter().for_each(|instr| {
                        it.emit(*instr);
                    });
                    it.emit(Instr::Const(i32::try_from(i).unwrap_or(i32::MAX)));
                    it.emit(Instr::Math(Math::Ne));
                    let other = it.emit(Instr::JumpIf(CodePtr::NONE));
                    it.conditions(Some(conditions));
                    let over = it.emit(Instr::Jump(CodePtr::NONE));
                    it.land(other);
                    it.emit(Instr::Const(1));
                    it.land(over);
                });
                found.push(Precondition { code, slots: self.scope.read_slots });
            }
        }
        found
    }

    fn add_slot(&mut self, slots: &mut Vec<Slot>, names: &mut Vec<String>, name: String, slot: Slot) {
        self.scope.bind_cell(&name, slot.ty);
        self.scope.n_slots = self.scope.next_cell;
        slots.push(slot);
        names.push(name);
    }

    /// The slot an action is about: the one it names, else the first.
    fn acting_slot(&mut self, term: &Term) -> Option<usize> {
        let targets = term.list_at("targets");
        let Some(word) = term.get("principal") else { return (!targets.is_empty()).then_some(0) };
        let is_it = |it: &Term| it.text_at("id").zip(word.text()).is_some_and(|(id, w)| same_name(id, w));
        let found = targets.iter().position(is_it);
        if found.is_none() {
            self.report(word.place, Code::UnknownName, "the principal must be one of the targets");
        }
        found
    }

    /// The slot whose cards an action is about, and the same if it is one card, which is `self`.
    fn principal(&mut self, term: &Term, slots: &[Slot], acting: Option<usize>) -> (Option<u8>, Option<u8>) {
        let slot = acting.and_then(|it| slots.get(it));
        let number = acting.and_then(|it| u8::try_from(it).ok());
        let is_card = slot.is_some_and(|it| it.ty == Type::CARD);
        if let Some(word) = term.get("principal").filter(|_| slot.is_some() && !is_card) {
            self.report(word.place, Code::WrongType, "the principal is one card: `self`");
        }
        let takes_cards = slot.is_some_and(|it| it.ty.sort == Sort::Card);
        (number.filter(|_| takes_cards), number.filter(|_| is_card))
    }

    fn preconditions(&mut self, terms: Option<&Term>) -> Vec<Precondition> {
        let mut found = Vec::new();
        for term in terms.map_or(&[][..], Term::one_or_many) {
            self.scope.read_slots = 0;
            let code = self.pure(|it| it.value(term, Type::BOOL));
            found.push(Precondition { code, slots: self.scope.read_slots });
        }
        found
    }

    /// Where the cards of an action wait while others respond, and where they go if it is prevented.
    fn waiting_zones(
        &mut self,
        term: &Term,
        timing: ActionTiming,
        waiting: Option<u8>,
        hidden_zones: u64,
    ) -> (ZoneId, ZoneId) {
        let can_wait = timing != ActionTiming::AtOnce && waiting.is_some();
        let own = term.get("waitsIn");
        if let Some(zone) = own.filter(|_| !can_wait) {
            self.report(zone.place, Code::NotAllowedHere, "only an action on a card that others may respond to waits");
        }
        let policy = self.root.get("policy").and_then(|it| it.get("waitsIn")).filter(|_| hidden_zones != 0);
        let waits_in = own.or(policy).filter(|_| can_wait).map_or(ZoneId::NONE, |it| self.waiting_zone(it));
        let prevented_to = term.get("preventedTo");
        if let Some(zone) = prevented_to.filter(|_| waits_in.is_none()) {
            self.report(zone.place, Code::NotAllowedHere, "`preventedTo` is for an action whose card waits: `waitsIn`");
        }
        let zone = prevented_to.and_then(|it| self.name(it, Space::Zone)).map_or(ZoneId::NONE, ZoneId);
        (waits_in, zone)
    }

    /// A zone that cards wait in, which everybody sees.
    fn waiting_zone(&mut self, term: &Term) -> ZoneId {
        let zone = self.name(term, Space::Zone).map_or(ZoneId::NONE, ZoneId);
        if self.program.zone(zone).is_some_and(|it| it.visibility != Visibility::All) {
            self.report(term.place, Code::NotAllowedHere, "a card that is played waits where everybody sees it");
        }
        // A list of moves does not look whether there is room.
        if self.program.zone(zone).is_some_and(|it| it.capacity != u32::MAX) {
            self.report(term.place, Code::NotAllowedHere, "a zone in which cards wait has no `capacity`");
        }
        zone
    }

    /// The hidden zones a slot's cards can come from.
    fn hidden_zones(&self, slot: Option<&Slot>) -> u64 {
        let Some(Domain::Select(select)) = slot.map(|it| it.domain) else {
            return 0;
        };
        let Some(Source::Zones(mask)) = self.program.select(select).map(|it| it.source) else {
            return 0;
        };
        let zones = self.program.zones.iter().enumerate().filter(|it| it.1.visibility != Visibility::All);
        zones.fold(0, |acc, it| acc | (mask & Self::zone_bit(u16::try_from(it.0).unwrap_or(u16::MAX))))
    }

    /// Where the effects move the principal, if one of them is the event type that moves cards to a fixed zone.
    fn moves_to(&self, effects: crate::ids::CodePtr) -> ZoneId {
        let code = self.program.code.get(effects.index()..).unwrap_or_default();
        let mut previous = Instr::Null;
        for instr in code.iter().take_while(|it| **it != Instr::End) {
            if let (Instr::Emit(emit), Instr::Const(zone)) = (instr, previous)
                && self.is_move(emit.kind)
            {
                return ZoneId(u16::try_from(zone).unwrap_or(u16::MAX));
            }
            if let Instr::Const(_) = instr {
                previous = *instr;
            }
        }
        ZoneId::NONE
    }

    fn is_move(&self, kind: EventTypeId) -> bool {
        let apply = self.program.event(kind).map_or(crate::ids::CodePtr::NONE, |it| it.apply);
        let code = self.program.code.get(apply.index()..).unwrap_or_default();
        let mut code = code.iter().take_while(|it| **it != Instr::End);
        code.any(|it| matches!(it, Instr::MoveTo(Position::Top | Position::Bottom)))
    }

    /// The event of an action has its slots as fields.
    fn describe_event(&mut self, term: &Term, event: EventTypeId, rule: &ActionRule, names: &[String], cells: u16) {
        let fields = names.iter().zip(&rule.slots).map(|(name, slot)| FieldDecl {
            name: name.clone(),
            ty: slot.ty,
            optional: true,
            new: false,
        });
        let fields: Vec<FieldDecl> = fields.collect();
        if let Some(row) = self.program.events.get_mut(event.index()) {
            row.fields = fields.iter().map(|it| it.ty).collect();
            row.cells = cells.max(u16::try_from(fields.len()).unwrap_or(u16::MAX));
            row.preventable = term.get("preventable").and_then(Term::bool).unwrap_or(true);
        }
        if let Some(text) = self.program.text.events.get_mut(event.index()) {
            text.fields = names.to_vec();
        }
    }

    /// Gives action events their fields before any rule that answers them is lowered.
    pub(super) fn declare_action_fields(&mut self) {
        for term in self.root.list_at("actions") {
            let name = term.text_at("id").unwrap_or_default();
            let event = term.text_at("event").map_or_else(|| pascal(name), ToString::to_string);
            let Some(id) = self.names.find(Space::Event, &event) else {
                continue;
            };
            let mut fields = Vec::new();
            for target in term.list_at("targets") {
                let Some(selector) = target.get("selector") else {
                    continue;
                };
                let max = selector.int_at("count").or(selector.int_at("max")).unwrap_or(1);
                let ty = Type { sort: self.select_sort(selector), many: max > 1 };
                fields.push((target.text_at("id").unwrap_or_default().to_string(), ty));
            }
            for param in term.list_at("params") {
                let sort = if param.text_at("type") == Some("ability") { Sort::Ability } else { Sort::Int };
                fields.push((param.text_at("id").unwrap_or_default().to_string(), Type::one(sort)));
            }
            let names: Vec<String> = fields.iter().map(|it| it.0.clone()).collect();
            if let Some((name, _)) = spoken_ability(term, &names) {
                fields.push((name, Type::one(Sort::Ability)));
            }
            if let Some(decl) = self.events.get_mut(usize::from(id)) {
                let field = |(name, ty): (String, Type)| FieldDecl { name, ty, optional: true, new: false };
                decl.fields = fields.into_iter().map(field).collect();
            }
        }
    }
}

/// The ways a parameter offers; none for one that is not of type `mode`.
fn mode_labels(term: &Term, name: &str) -> Vec<Label> {
    let param = term.list_at("params").iter().find(|it| it.text_at("id") == Some(name));
    let modes = param.filter(|it| it.text_at("type") == Some("mode")).map_or(&[][..], |it| it.list_at("modes"));
    let words = |it: &Term| it.text_at("text").or_else(|| it.text_at("id")).unwrap_or_default().to_string();
    modes.iter().map(|it| Label { name: words(it), ..label(it) }).collect()
}

fn range_slot(min: i32, max: i32) -> Slot {
    Slot { ty: Type::INT, domain: Domain::Range(min, max), min: 1, max: 1, depends: 0, is_alone: false }
}

fn ability_slot(of: usize) -> Slot {
    let domain = Domain::AbilitiesOf(u8::try_from(of).unwrap_or(0));
    Slot {
        ty: Type::one(Sort::Ability),
        domain,
        min: 1,
        max: 1,
        depends: 1_u32.checked_shl(u32::try_from(of).unwrap_or(0)).unwrap_or(0),
        is_alone: false,
    }
}

fn timing(word: Option<&str>) -> ActionTiming {
    match word {
        Some("instant") => ActionTiming::AtOnce,
        Some("sorcery") => ActionTiming::Sorcery,
        _ => ActionTiming::Stack,
    }
}

/// An action that speaks of `{"ref": "abilityId"}` takes that as a parameter; found with the slot it belongs to.
fn spoken_ability(term: &Term, slots: &[String]) -> Option<(String, usize)> {
    if let Some(name) = term.get("ability").and_then(|it| it.text_at("ref")) {
        let of = ["source", "target"].iter().find_map(|it| term.text_at(it));
        let at = of.and_then(|it| slots.iter().position(|slot| same_name(slot, it))).unwrap_or(0);
        let known = slots.iter().any(|it| it == name) || name.contains('.');
        return (!known).then(|| (name.to_string(), at));
    }
    match &term.kind {
        TermKind::List(items) => items.iter().find_map(|it| spoken_ability(it, slots)),
        TermKind::Map(entries) => entries.iter().find_map(|it| spoken_ability(&it.value, slots)),
        TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) | TermKind::Text(_) => None,
    }
}
