//! Reactions, activated abilities and continuous effects, and the indexes that find them.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Lower,
    declare::label,
    params::{is_spelling, param},
    scope::{Binding, Scope, Unit, Var},
};
use crate::{
    clause::Role,
    ids::{AbilityId, CodePtr, EventTypeId, KeywordId, RuleId},
    instr::{Emit, Instr, Math, ModifyWhat, Prop},
    names::{Space, snake},
    phrase::phrase,
    program::{Aura, BuiltIn, DelayRule, Limiter, Rule, RuleIndex, Slot, Timing},
    sort::{Sort, Type},
    term::{Term, TermKind},
    violation::Code,
};

/// What a reaction answers.
pub(super) struct Answers {
    pub event: EventTypeId,
    pub timing: Timing,
    pub global: bool,
    /// Only this step's.
    pub step: Option<u16>,
    /// The prevention of this event type.
    pub prevented: Option<EventTypeId>,
    /// Variables that keep their values from when the rule was made.
    pub kept: Vec<(String, Type)>,
}

impl Answers {
    fn to(event: EventTypeId, timing: Timing, global: bool) -> Self {
        Self { event, timing, global, step: None, prevented: None, kept: Vec::new() }
    }
}

impl<'a> Lower<'a> {
    pub(super) fn lower_reactions(&mut self) {
        for term in self.root.list_at("reactions") {
            self.lower_ability(term, true);
        }
    }

    /// Lowers an ability or reaction to one rule, or to several where a fact has several causes.
    pub(super) fn lower_ability(&mut self, term: &'a Term, global: bool) -> Vec<RuleId> {
        self.report_idle_prompt(term);
        let rules = if let Some(when) = term.get("when") {
            self.reaction(term, when, global)
        } else if term.get("affects").is_some() {
            self.continuous(term).into_iter().collect()
        } else {
            self.activated(term).into_iter().collect()
        };
        rules.into_iter().map(|rule| self.add_rule(term, Rule { delay: None, ..rule })).collect()
    }

    /// Reports words for a question that is never asked: only what is optional or has targets asks.
    fn report_idle_prompt(&mut self, term: &Term) {
        let asks = term.flag("optional") || !term.list_at("targets").is_empty() || term.get("affects").is_some();
        if let Some(prompt) = term.get("prompt").filter(|_| !asks) {
            self.report(prompt.place, Code::IdleKey, "prompt does nothing without `optional` or `targets`");
        }
    }

    pub(super) fn add_rule(&mut self, term: &Term, rule: Rule) -> RuleId {
        let id = RuleId::at(self.program.rules.len());
        if id.is_none() {
            self.report(term.place, Code::TooLarge, "too many rules");
        }
        if rule.timing == Timing::Continuous {
            self.program.auras.push(id);
        }
        self.program.rules.push(rule);
        self.program.text.rules.push(label(term));
        let names = term.list_at("targets").iter().map(|it| it.text_at("id").unwrap_or_default().to_string());
        self.program.text.rule_slots.push(names.collect());
        id
    }

    fn blank_rule(&mut self, term: &Term, timing: Timing, global: bool) -> Rule {
        let priority = self.int_in(term, "priority", -1000..=1000).and_then(|it| i16::try_from(it).ok()).unwrap_or(0);
        let limiter = self.limiter(term);
        let ability = term.text_at("id").and_then(|it| self.names.find(Space::Ability, it));
        Rule {
            timing,
            ability: ability.map_or(AbilityId::NONE, AbilityId),
            event: EventTypeId::NONE,
            global,
            by_subject: false,
            per_subject: false,
            active_in: 0,
            filter: CodePtr::NONE,
            conditions: CodePtr::NONE,
            prevention: CodePtr::NONE,
            effects: CodePtr::NONE,
            body: CodePtr::NONE,
            costs: CodePtr::NONE,
            optional: term.flag("optional"),
            slots: Vec::new(),
            cells: 0,
            slots_at: 0,
            priority,
            limiter,
            aura: None,
            keyword: KeywordId::NONE,
            scan: false,
            delay: None,
        }
    }

    fn active_in(&mut self, term: &Term) -> u64 {
        match term.get("activeIn") {
            Some(zones) if zones.one_or_many().is_empty() => {
                self.report(zones.place, Code::OutOfRange, "what works in no zone never works");
                0
            }
            Some(zones) => self.zone_mask(zones),
            None => self.active_zones(),
        }
    }

    fn reaction(&mut self, term: &Term, when: &Term, global: bool) -> Vec<Rule> {
        let before = matches!(term.text_at("timing"), Some("before" | "pre"));
        let prevented = when.text_at("status") == Some("prevented");
        let Some(name) = when.get("eventType") else {
            return Vec::new();
        };
        let Some((id, step)) = self.event_type(name) else {
            return Vec::new();
        };
        if let Some(timing) = term.get("timing").filter(|_| prevented && before) {
            let message = "what answers a prevention comes after it, nothing can come before";
            self.report(timing.place, Code::NotAllowedHere, message);
        }
        if prevented {
            let event = BuiltIn::EventPrevented.id();
            let answers = Answers { prevented: Some(id), ..Answers::to(event, Timing::After, global) };
            return alloc::vec![self.reaction_to(term, when, answers)];
        }
        if !before {
            return alloc::vec![self.reaction_to(
                term,
                when,
                Answers { step, ..Answers::to(id, Timing::After, global) }
            )];
        }
        let causes = self.causes_of(name, id);
        if causes.iter().all(|it| self.program.event(*it).is_some_and(|row| !row.preventable)) && self.prevents(term) {
            self.report(
                when.place,
                Code::CannotPrevent,
                format!("this event cannot be prevented: {}", name.text().unwrap_or_default()),
            );
        }
        let answers = |it: EventTypeId| Answers { step, ..Answers::to(it, Timing::Before, global) };
        causes.into_iter().map(|it| self.reaction_to(term, when, answers(it))).collect()
    }

    fn prevents(&self, term: &Term) -> bool {
        term.get("effects").is_some_and(|it| it.one_or_many().iter().any(|op| op.text_at("op") == Some("prevent")))
    }

    /// What comes before a fact is every intent that leads to it; an intent that is named itself is meant alone.
    pub(super) fn causes_of(&self, name: &Term, id: EventTypeId) -> Vec<EventTypeId> {
        let decl = self.events.get(id.index());
        let is_intent = decl.is_some_and(|it| it.is_intent);
        if is_intent && decl.is_some_and(|it| Some(it.id.as_str()) == name.text()) {
            return alloc::vec![id];
        }
        let others = self.events.iter().enumerate().filter(|it| it.1.fact == Some(id)).map(|it| EventTypeId::at(it.0));
        let others: Vec<EventTypeId> = others.collect();
        let own = (is_intent || others.is_empty()).then_some(id);
        own.into_iter().chain(others).collect()
    }

    /// The event type of a name; `UpkeepStep.Start` means `StepStart` of that step.
    pub(super) fn event_type(&mut self, term: &Term) -> Option<(EventTypeId, Option<u16>)> {
        let name = term.text().unwrap_or_default();
        if let Some(id) = self.names.find(Space::Event, name) {
            return Some((EventTypeId(id), None));
        }
        let sugar = name.split_once("Step.").and_then(|(step, edge)| {
            let kind = match edge {
                "Start" => BuiltIn::StepStart,
                "End" => BuiltIn::StepEnd,
                _ => return None,
            };
            Some((kind.id(), Some(self.names.find(Space::Step, &snake(step))?)))
        });
        if sugar.is_none() {
            self.report_unknown(term, Space::Event, name);
        }
        sugar
    }

    /// The rule of a reaction, or of a `delay`.
    pub(super) fn reaction_to(&mut self, term: &Term, when: &Term, answers: Answers) -> Rule {
        let Answers { event, timing, global, step, prevented, kept } = answers;
        let mut rule = self.blank_rule(term, timing, global);
        rule.event = event;
        rule.active_in = if global { 0 } else { self.active_in(term) };
        let subject = self.program.event(event).and_then(|it| it.subject);
        let subject_name =
            subject.and_then(|it| self.events.get(event.index())?.fields.get(usize::from(it)).map(|f| f.name.clone()));
        let filters = when.get("filters");
        let on_subject = subject_name.as_ref().and_then(|it| param(filters?, it));
        // What changes an event changes it for each subject, on top of what others changed for that one.
        let amends = term.get("effects").is_some_and(has_amend);
        rule.per_subject = timing == Timing::Before && subject.is_some() && (on_subject.is_some() || amends);
        rule.by_subject = !global && on_subject.is_some_and(|it| it.text() == Some("self"));
        let mut scope = self.reaction_scope(term, event, timing, global, rule.per_subject);
        let n_kept = u16::try_from(kept.len()).unwrap_or(u16::MAX);
        rule.delay = Some(DelayRule { kept_at: scope.next_cell, n_kept, times: 0, this_turn: false });
        kept.iter().for_each(|it| {
            scope.bind_cell(&it.0, it.1);
        });
        let skip = rule.by_subject.then_some(subject_name).flatten();
        let (_, cells) = self.in_scope(scope, |it| {
            rule.filter = it.filter_code(filters, event, skip.as_deref(), step, prevented);
            rule.conditions = it.condition_code(term.get("conditions"));
            rule.prevention = it.condition_code(term.get("preventionConditions"));
            rule.costs = it.costs(term);
            rule.slots_at = it.scope.next_cell;
            let (slots, names) = it.slots(term.list_at("targets"), None);
            rule.slots = slots;
            rule.effects = it.chunk(Instr::End, |it| {
                it.ask_targets(term, &rule.slots, rule.slots_at, &names);
                if rule.costs.is_some() {
                    it.emit(Instr::PayCosts);
                }
                it.optional_effects(term);
            });
        });
        rule.cells = cells;
        rule
    }

    /// A reaction sees its card, its controller and the event it answers.
    pub(super) fn reaction_scope(
        &self,
        term: &Term,
        event: EventTypeId,
        timing: Timing,
        global: bool,
        per_subject: bool,
    ) -> Scope {
        let unit = if timing == Timing::Before { Unit::Before(event) } else { Unit::After(event) };
        let mut scope = Scope::new(unit);
        scope.has_this = !global;
        scope.can_prevent = term.get("canPrevent").and_then(Term::bool).unwrap_or(true);
        let subject = self.program.event(event).and_then(|it| it.subject).map(usize::from);
        for (i, field) in self.events.get(event.index()).map_or(&[][..], |it| &it.fields).iter().enumerate() {
            let cell = scope.cells(1);
            let is_subject = subject == Some(i);
            let single = is_subject && (timing == Timing::After || per_subject);
            let ty = Type { sort: field.ty.sort, many: field.ty.many && !single };
            let live = timing == Timing::Before && !single;
            let binding = if live { Binding::Live(u8::try_from(i).unwrap_or(u8::MAX)) } else { Binding::Cell(cell) };
            scope.event.push(Var { name: field.name.clone(), binding, ty, assignable: false });
        }
        scope
    }

    pub(super) fn condition_code(&mut self, terms: Option<&Term>) -> CodePtr {
        match terms {
            Some(terms) if !terms.one_or_many().is_empty() => {
                self.pure(|it| it.all(phrase(terms), |it| it.conditions(Some(terms))))
            }
            _ => CodePtr::NONE,
        }
    }

    fn filter_code(
        &mut self,
        filters: Option<&Term>,
        event: EventTypeId,
        skip: Option<&str>,
        step: Option<u16>,
        prevented: Option<EventTypeId>,
    ) -> CodePtr {
        if let Some(filters) = filters {
            let fields = self.scope.event.clone();
            let names: Vec<&str> = fields.iter().map(|it| it.name.as_str()).collect();
            self.report_said_twice(filters, &names);
        }
        let entries = filters.map_or(&[][..], Term::entries);
        let left: Vec<_> = entries.iter().filter(|it| !skip.is_some_and(|s| is_spelling(&it.key, s))).collect();
        if left.is_empty() && step.is_none() && prevented.is_none() {
            return CodePtr::NONE;
        }
        let text = filters.map_or_else(String::new, phrase);
        self.pure(|it| {
            it.all(text, |it| {
                let mut jumps = Vec::new();
                for entry in left {
                    let text = format!("{}: {}", entry.key, phrase(&entry.value));
                    it.clause(text, Role::Plain, Type::BOOL, |it| it.field_filter(&entry.key, &entry.value, event));
                    jumps.push(it.emit(Instr::JumpUnless(CodePtr::NONE)));
                }
                for (field, number) in [("step", step), ("eventType", prevented.map(|it| it.0))] {
                    let Some(number) = number else { continue };
                    let text = format!("{field}: {}", it.step_or_event(field, number));
                    it.clause(text, Role::Plain, Type::BOOL, |it| it.field_is(field, number));
                    jumps.push(it.emit(Instr::JumpUnless(CodePtr::NONE)));
                }
                it.emit(Instr::Const(1));
                let over = it.emit(Instr::Jump(CodePtr::NONE));
                jumps.into_iter().for_each(|jump| it.land(jump));
                it.emit(Instr::Const(0));
                it.land(over);
            });
        })
    }

    fn step_or_event(&self, field: &str, number: u16) -> String {
        let (text, at) = (&self.program.text, usize::from(number));
        let named =
            if field == "step" { text.steps.get(at).map(|it| &it.id) } else { text.events.get(at).map(|it| &it.id) };
        named.cloned().unwrap_or_default()
    }

    /// Whether a field of the event is a number.
    fn field_is(&mut self, field: &str, number: u16) {
        if let Ok((code, ty)) = self.resolve_path(&format!("event.{field}")) {
            self.push_field(&format!("event.{field}"), code, ty);
        }
        self.emit(Instr::Const(i32::from(number)));
        self.emit(Instr::Math(Math::Eq));
    }

    /// Pushes a field of the event.
    fn push_field(&mut self, path: &str, load: Vec<Instr>, ty: Type) {
        self.clause(path.to_string(), Role::Plain, ty, |it| {
            load.into_iter().for_each(|instr| {
                it.emit(instr);
            });
        });
    }

    /// Whether one field is what the author says: a value, one of a few words, or a condition on `it`.
    fn field_filter(&mut self, key: &str, value: &Term, event: EventTypeId) {
        let Some(var) = self.scope.field(key).or_else(|| self.scope.field(key.strip_suffix("Id").unwrap_or(key)))
        else {
            let names = self.scope.event.iter().map(|it| it.name.clone()).collect();
            let of = self.events.get(event.index()).map_or("event", |it| it.id.as_str());
            let violation =
                crate::violation::Violation::new(value.place, Code::UnknownName, format!("{of} has no field: {key}"));
            self.violations.push(violation.suggest(key, names));
            self.emit(Instr::Const(0));
            return;
        };
        let path = format!("event.{}", var.name);
        let load = self.resolve_path(&path).map(|it| it.0).unwrap_or_default();
        let is_card = matches!(var.ty.sort, Sort::Card | Sort::Entity) && !var.ty.many;
        match value.text() {
            Some("controller" | "self") if is_card && (value.text() == Some("controller") || !self.scope.has_this) => {
                self.controlled(&path, load, var.ty, Math::Eq)
            }
            Some("opponent") if is_card => self.controlled(&path, load, var.ty, Math::Ne),
            Some("opponent") if var.ty.sort == Sort::Player => {
                self.push_field(&path, load, var.ty);
                self.emit(Instr::You);
                self.emit(Instr::Math(Math::Ne));
            }
            _ if value.text_at("op").is_some() => self.tested(&path, load, var.ty, value),
            _ if var.ty.many => {
                self.push_field(&path, load, var.ty);
                self.value(value, Type::one(var.ty.sort));
                self.emit(Instr::Contains);
            }
            _ if super::expr::is_selector(value) => {
                self.value(value, Type::list(var.ty.sort));
                self.push_field(&path, load, var.ty);
                self.emit(Instr::Contains);
            }
            _ => {
                self.push_field(&path, load, var.ty);
                self.value_or_nothing(value, Type::one(var.ty.sort));
                self.emit(Instr::Math(Math::Eq));
            }
        }
    }

    fn controlled(&mut self, path: &str, load: Vec<Instr>, ty: Type, math: Math) {
        self.push_field(path, load, ty);
        self.emit(Instr::Prop(Prop::Controller));
        self.emit(Instr::You);
        self.emit(Instr::Math(math));
    }

    fn tested(&mut self, path: &str, load: Vec<Instr>, ty: Type, condition: &Term) {
        self.push_field(path, load, ty);
        let reg = self.take_reg();
        self.emit(Instr::SetReg(reg));
        self.scope.bind("it", Binding::Reg(reg), ty);
        self.value(condition, Type::BOOL);
        self.scope.vars.pop();
        self.scope.next_reg = reg;
    }

    /// An end that is judged at one event only is a reaction of the game to that event.
    pub(super) fn guarded_end(&mut self, term: &'a Term, at: &Term, when: &Term, reason: u16) {
        let Some((event, step)) = at.get("eventType").and_then(|it| self.event_type(it)) else {
            return;
        };
        let mut rule = self.blank_rule(term, Timing::After, true);
        rule.event = event;
        let scope = self.reaction_scope(term, event, Timing::After, true, false);
        let (_, cells) = self.in_scope(scope, |it| {
            rule.filter = it.filter_code(at.get("filters"), event, None, step, None);
            rule.conditions = it.pure(|this| this.value(when, Type::BOOL));
            rule.effects = it.chunk(Instr::End, |this| {
                this.winners(term);
                this.emit(Instr::Const(i32::from(reason)));
                this.emit(Instr::Emit(Emit::plain(BuiltIn::GameEnded.id())));
            });
        });
        rule.cells = cells;
        self.add_rule(term, rule);
    }

    fn activated(&mut self, term: &'a Term) -> Option<Rule> {
        let mut rule = self.blank_rule(term, Timing::Activated, false);
        if term.get("effects").is_none() {
            self.report(term.place, Code::MissingKey, "an ability needs `effects`, or `affects` for a continuous one");
        }
        rule.active_in = self.active_in(term);
        let mut scope = Scope::new(Unit::Activated);
        scope.has_this = true;
        let (_, cells) = self.in_scope(scope, |it| {
            rule.conditions = it.condition_code(term.get("conditions"));
            let (slots, names) = it.slots(term.list_at("targets"), None);
            rule.slots = slots;
            let mut asked = CodePtr(0);
            rule.effects = it.chunk(Instr::End, |it| {
                it.ask_targets(term, &rule.slots, 0, &names);
                asked = it.here();
                it.optional_effects(term);
            });
            rule.body = CodePtr(rule.effects.0.saturating_add(asked.0));
        });
        rule.cells = cells;
        let mut scope = Scope::new(Unit::Activated);
        scope.has_this = true;
        rule.costs = self.in_scope(scope, |it| it.costs(term)).0;
        Some(rule)
    }

    fn continuous(&mut self, term: &'a Term) -> Option<Rule> {
        let mut rule = self.blank_rule(term, Timing::Continuous, false);
        rule.active_in = self.active_in(term);
        let Some((key, what)) = super::write::modify_form(term) else {
            self.report(term.place, Code::MissingKey, "a continuous effect needs `add`, `set`, `grant` or `lose`");
            return None;
        };
        let is_keyword = matches!(what, ModifyWhat::Grant | ModifyWhat::Lose);
        let of = match (is_keyword, term.get("attribute")) {
            (true, _) => self.name(term.get(key)?, Space::Keyword)?,
            (false, Some(attribute)) => {
                if let Some(name) = attribute.text().filter(|it| self.link(it).is_some()) {
                    self.report_attribute(attribute, name);
                }
                self.name(attribute, Space::Attribute)?
            }
            (false, None) => {
                self.report(term.place, Code::MissingKey, "a continuous effect needs an attribute");
                return None;
            }
        };
        let mut scope = Scope::new(Unit::Continuous);
        scope.has_this = true;
        self.in_scope(scope, |it| {
            rule.conditions = it.condition_code(term.get("conditions"));
            let affects = it.membership(term.get("affects").unwrap_or(term));
            let n_vars = it.scope.vars.len();
            it.scope.next_reg = 1;
            it.scope.bind("it", Binding::Reg(0), Type::one(Sort::Entity));
            let value = if is_keyword {
                CodePtr::NONE
            } else {
                term.get(key).map_or(CodePtr::NONE, |v| it.pure(|this| this.value(v, Type::INT)))
            };
            it.scope.vars.truncate(n_vars);
            rule.aura = Some(Aura { what, of, affects, value, is_alike: false });
        });
        Some(rule)
    }

    /// The slots of `targets`, bound to the next cells in their order.
    pub(super) fn slots(&mut self, targets: &[Term], acting: Option<usize>) -> (Vec<Slot>, Vec<String>) {
        let mut slots = Vec::new();
        let mut names = Vec::new();
        for (i, target) in targets.iter().enumerate() {
            let reads = core::mem::take(&mut self.scope.read_slots);
            if let Some(slot) = target.get("selector").and_then(|it| self.slot(it)) {
                let name = target.text_at("id").unwrap_or_default().to_string();
                self.scope.bind_cell(&name, slot.ty);
                self.scope.n_slots = self.scope.n_slots.max(self.scope.next_cell);
                self.scope.has_this |= acting == Some(i) && slot.ty == Type::CARD;
                slots.push(slot);
                names.push(name);
            }
            self.scope.read_slots = reads;
        }
        (slots, names)
    }

    fn slot(&mut self, selector: &Term) -> Option<Slot> {
        let (select, sort) = self.slot_select(selector)?;
        let at = |key: &str| selector.int_at(key);
        let min = at("count").or(at("min")).unwrap_or_else(|| at("max").map_or(1, |it| it.min(1)));
        let max = at("count").or(at("max")).unwrap_or_else(|| at("min").map_or(1, |it| it.max(1)));
        if min < 0 || max < min.max(1) || max > 255 {
            let message = format!("a slot takes up to 1 to 255, min not above max: {min} to {max}");
            self.report(selector.place, Code::OutOfRange, message);
        }
        let ty = Type { sort, many: max > 1 };
        let bound = |it: i64| u16::try_from(it).unwrap_or(0);
        let domain = crate::program::Domain::Select(select);
        Some(Slot { ty, domain, min: bound(min), max: bound(max), depends: self.scope.read_slots, is_alone: false })
    }

    /// Notes which rules come with a keyword, and which of those a continuous effect can hand out.
    fn note_keywords(&mut self) {
        let granted: Vec<u16> = self
            .program
            .rules
            .iter()
            .filter_map(|it| it.aura)
            .filter(|it| it.what == ModifyWhat::Grant)
            .map(|it| it.of)
            .collect();
        let mut layered = Vec::new();
        for (i, keyword) in self.program.keywords.iter().enumerate() {
            for id in &keyword.rules {
                if let Some(rule) = self.program.rules.get_mut(id.index()) {
                    rule.keyword = KeywordId::at(i);
                    rule.scan = granted.contains(&rule.keyword.0);
                    if rule.scan && matches!(rule.timing, Timing::Continuous | Timing::Activated) {
                        layered.push(i);
                    }
                }
            }
        }
        for at in layered {
            let id = self.program.text.keywords.get(at).map_or("", |it| &it.id).to_string();
            let place = self.root.list_at("keywords").get(at).map_or(self.root.place, |it| it.place);
            let message = format!("a continuous effect grants {id}, so it can only bring reactions with it");
            self.report(place, Code::NotAllowedHere, message);
        }
    }

    /// Sorts all rules into what finds them.
    pub(super) fn index_rules(&mut self) {
        self.note_keywords();
        self.program.has_listeners = self.program.rules.iter().any(|it| !it.global && it.listens());
        let n = self.program.events.len();
        self.program.before = alloc::vec![RuleIndex::default(); n];
        self.program.after = alloc::vec![RuleIndex::default(); n];
        for (i, rule) in self.program.rules.iter().enumerate() {
            let index = match rule.timing {
                // A delayed rule is found among those that wait.
                _ if rule.delay.is_some() => None,
                Timing::Before => self.program.before.get_mut(rule.event.index()),
                Timing::After => self.program.after.get_mut(rule.event.index()),
                Timing::Activated | Timing::Continuous => None,
            };
            let Some(index) = index else { continue };
            let list = match (rule.global, rule.by_subject) {
                (true, _) => &mut index.global,
                (false, true) => &mut index.subject,
                (false, false) => &mut index.listeners,
            };
            list.push(RuleId::at(i));
        }
    }

    fn limiter(&mut self, term: &Term) -> Limiter {
        let Some(limits) = term.get("limiters") else { return Limiter::default() };
        let mut int = |key: &str| self.int_in(limits, key, 1..=1000).and_then(|it| u16::try_from(it).ok());
        Limiter {
            per_turn: int("maxPerTurn").or(limits.flag("oncePerTurn").then_some(1)),
            per_event: int("maxPerEvent"),
            per_source: limits.flag("oncePerSource").then_some(1),
        }
    }
}

/// Whether effects change the event they answer.
fn has_amend(term: &Term) -> bool {
    match &term.kind {
        TermKind::List(items) => items.iter().any(has_amend),
        TermKind::Map(entries) => term.text_at("op") == Some("amend") || entries.iter().any(|it| has_amend(&it.value)),
        TermKind::Null | TermKind::Bool(_) | TermKind::Int(_) | TermKind::Text(_) => false,
    }
}
