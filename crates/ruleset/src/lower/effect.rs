//! Effect lists: what actions, reactions, abilities, steps and set-up do.

use alloc::{format, vec::Vec};

use super::{
    Lower,
    params::param,
    scope::{Binding, Unit},
};
use crate::{
    grammar::{Class, Op, OpSpec, find_op},
    ids::{CodePtr, EventTypeId},
    instr::{Emit, Instr},
    names::{Space, same_name},
    sort::{Sort, Type},
    term::{Place, Term},
    violation::{Code, Violation},
};

impl<'a> Lower<'a> {
    /// Lowers a list of effects as a piece of code of its own.
    pub(super) fn effect_code(&mut self, terms: Option<&Term>) -> CodePtr {
        match terms {
            Some(terms) if !terms.one_or_many().is_empty() => self.chunk(Instr::End, |it| it.effects(terms)),
            _ => CodePtr::NONE,
        }
    }

    /// Lowers a list of effects into the current code; those with one `groupId` are one group.
    pub(super) fn effects(&mut self, terms: &Term) {
        let n_vars = self.scope.vars.len();
        let items = terms.one_or_many();
        for (i, item) in items.iter().enumerate() {
            self.check_membership(item);
            let Some(group) = group_of(item) else {
                self.effect(item);
                continue;
            };
            let is_member = |it: &&Term| group_of(it) == Some(group);
            // A group is carried out as one, where its first member stands.
            self.report_unseen(items, i, |it| group_of(it) == Some(group));
            if !items.iter().take(i).any(|it| is_member(&it)) {
                self.grouped(false, |it| items.iter().filter(is_member).for_each(|member| it.effect(member)));
            }
        }
        self.scope.vars.truncate(n_vars);
    }

    /// Reports a `set` between the members of a group that a later member would have to see.
    fn report_unseen(&mut self, items: &[Term], at: usize, is_member: impl Fn(&Term) -> bool) {
        let Some(member) = items.get(at) else { return };
        let first = items.iter().position(&is_member).unwrap_or(at);
        let between = items.get(first..at).unwrap_or_default().iter().filter(|it| !is_member(it));
        let mut sets = Vec::new();
        between.for_each(|it| find_sets(it, &mut sets));
        if let Some((place, name)) = sets.into_iter().find(|it| mentions(member, it.1)) {
            let message = format!("a group is one, where its first member stands, and a later one needs: {name}");
            self.violations.push(
                Violation::new(place, Code::NotAllowedHere, message).advise("set it before the first of the group"),
            );
        }
    }

    /// Reports how an effect belongs to a group, where that is said in the wrong kind of word.
    fn check_membership(&mut self, item: &Term) {
        self.report_alone(item);
        if item.text_at("op") == Some("group") {
            return;
        }
        if let Some(group) = param(item, "group").filter(|it| it.int().is_none()) {
            self.report(
                group.place,
                Code::WrongType,
                format!("the number of a group is a whole number, found {}", group.noun()),
            );
        }
        for key in ["preventsGroup", "optional"] {
            if let Some(flag) = param(item, key).filter(|it| it.bool().is_none()) {
                self.report(flag.place, Code::WrongType, format!("`{key}` is true or false, found {}", flag.noun()));
            }
        }
    }

    /// Reports what may be lost without its group, and is in none: it is no effect that a player may decline.
    fn report_alone(&mut self, item: &Term) {
        let is_member = self.scope.in_group || group_of(item).is_some();
        let can_be = self.is_event_op(item) || item.text_at("op") == Some("group");
        if can_be && !is_member && is_optional(item) {
            let message = "`optional` is for members of a group, and this is in none";
            let advice = "an effect that a player may decline stands in `confirm`";
            self.violations.push(Violation::new(item.place, Code::IdleKey, message).advise(advice));
        }
    }

    /// Lowers the members of an atomic group.
    fn grouped(&mut self, optional: bool, members: impl FnOnce(&mut Self)) {
        let nested = self.scope.in_group;
        self.emit(Instr::GroupStart { optional });
        self.scope.in_group = true;
        members(self);
        self.scope.in_group = nested;
        self.emit(Instr::GroupEnd);
    }

    /// What a rule costs, which may look at all the rule looks at but its targets.
    pub(super) fn costs(&mut self, term: &Term) -> CodePtr {
        let outer = core::mem::replace(&mut self.scope.unit, Unit::Costs);
        let costs = self.effect_code(term.get("costs"));
        self.scope.unit = outer;
        self.cost_lists.push((term.get("costs").unwrap_or(term).place, costs));
        costs
    }

    /// Lowers the effects of a rule. If the rule is optional, an event that does not happen ends them: who pays for
    /// something and does not pay does not get it. If that is the first thing it does, the rule was not used.
    pub(super) fn optional_effects(&mut self, term: &Term) {
        let nothing = Term::nothing(term.place);
        let effects = term.get("effects").unwrap_or(&nothing);
        if !term.flag("optional") {
            return self.deferring(term, |it| it.effects(effects));
        }
        let mut fallible = Vec::new();
        self.deferring(term, |it| fallible = it.collect_fallible(effects));
        let begins = effects.one_or_many().first().is_some_and(|it| self.is_event_op(it));
        let unused = fallible.first().copied().filter(|_| begins);
        fallible.into_iter().for_each(|it| self.land(it));
        if let Some(first) = unused {
            self.emit(Instr::End);
            self.land(first);
            self.emit(Instr::Decline);
        }
    }

    /// Lowers what an event leads to. Where the event stands in a list that ends if a part of it does not happen, so does
    /// this one.
    pub(super) fn event_effects(&mut self, terms: Option<&Term>) -> CodePtr {
        let Some(terms) = terms.filter(|it| !it.one_or_many().is_empty()) else { return CodePtr::NONE };
        self.chunk(Instr::Fail, |it| {
            let fallible = it.collect_fallible(terms);
            it.emit(Instr::End);
            fallible.into_iter().for_each(|at| it.land(at));
        })
    }

    /// Whether an effect is an event, and nothing around it.
    fn is_event_op(&self, effect: &Term) -> bool {
        let Some(name) = effect.text_at("op") else { return false };
        // An action may be called like an operation or definition, which come first.
        let is_other = find_op(name, Class::Effect).is_some() || self.defines.contains_key(name);
        name == "emit" || (!is_other && self.event_of_op(name).is_some())
    }

    /// Lowers a list of effects that ends where an event of it does not happen.
    pub(super) fn effects_or_nothing(&mut self, terms: &Term) {
        let fallible = self.collect_fallible(terms);
        fallible.into_iter().for_each(|it| self.land(it));
    }

    /// Lowers a list of effects and gives the events in it that end it if they do not happen.
    fn collect_fallible(&mut self, terms: &Term) -> Vec<CodePtr> {
        let outer = self.scope.fallible.replace(Vec::new());
        self.effects(terms);
        core::mem::replace(&mut self.scope.fallible, outer).unwrap_or_default()
    }

    fn effect(&mut self, term: &Term) {
        self.nested(term.place, |it| it.effect_here(term));
    }

    fn effect_here(&mut self, term: &Term) {
        self.at = term.place;
        if self.is_full() {
            return;
        }
        let Some(name) = term.get("op") else {
            return self.report(term.place, Code::MissingKey, format!("an effect needs `op`, found {}", term.noun()));
        };
        let text = name.text().unwrap_or_default();
        if let Some(spec) = find_op(text, Class::Effect) {
            self.check_params(term, spec);
            self.effect_op(term, spec);
        } else if let Some(define) = self.defines.get(text).copied().filter(|it| it.text_at("kind") == Some("effects"))
        {
            self.expand(term, define, |it, body| it.effects(body));
        } else if let Some(kind) = self.event_of_op(text) {
            self.emit_event(term, term, kind);
        } else {
            self.report_op(name, text, Class::Effect);
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "operations and instructions of the other classes are not for this place"
    )]
    fn effect_op(&mut self, term: &Term, spec: &OpSpec) -> Option<()> {
        match spec.op {
            Op::Sequence => self.sequence(term),
            Op::If => self.branch(term, Self::effects),
            Op::ForEach => self.for_each(term, Self::effects),
            Op::Repeat => self.repeat(term),
            Op::Let => self.assign(term),
            Op::Set => self.reassign(term),
            Op::Group => self.group(term),
            Op::Emit => self.emit_named(term),
            Op::Ask => self.ask(term),
            Op::Confirm => self.confirm(term),
            Op::ChooseMode => self.choose_mode(term),
            Op::AskTogether => self.ask_together(term),
            Op::Wait => self.wait(term),
            Op::RunAbility => self.run_ability(term),
            Op::PayAbility => self.pay_ability(term),
            Op::Prevent => self.prevent(term, term.flag("whole"), false),
            Op::Amend => self.amend(term),
            Op::Replace => self.replace(term),
            Op::Delay => self.delay(term),
            Op::Stop => {
                self.emit(Instr::End);
                Some(())
            }
            _ => None,
        }
    }

    fn sequence(&mut self, term: &Term) -> Option<()> {
        self.deferring(term, |it| it.effects(term.get("effects").unwrap_or(&Term::nothing(term.place))));
        Some(())
    }

    /// Wraps code whose triggers wait until it is done, where the author says so.
    pub(super) fn deferring(&mut self, term: &Term, body: impl FnOnce(&mut Self)) {
        let defers = term.text_at("triggers") == Some("deferred");
        if defers {
            self.emit(Instr::Defer(true));
        }
        body(self);
        if defers {
            self.emit(Instr::Defer(false));
        }
    }

    /// `if` of effects and of writes.
    pub(super) fn branch(&mut self, term: &Term, list: fn(&mut Self, &Term)) -> Option<()> {
        self.value(term.get("when")?, Type::BOOL);
        let unless = self.emit(Instr::JumpUnless(CodePtr::NONE));
        let finders = self.scope.finders.clone();
        self.in_block(|it| list(it, term.get("then").unwrap_or(&Term::nothing(term.place))));
        if let Some(other) = term.get("else") {
            let over = self.emit(Instr::Jump(CodePtr::NONE));
            self.land(unless);
            // Only one of the two lists is carried out.
            let after_then = core::mem::replace(&mut self.scope.finders, finders);
            self.in_block(|it| list(it, other));
            if after_then.is_empty() {
                self.scope.finders.clear();
            }
            self.land(over);
        } else {
            self.land(unless);
        }
        Some(())
    }

    /// `for_each` of effects and of writes: the list is taken once, at the beginning.
    pub(super) fn for_each(&mut self, term: &Term, list: fn(&mut Self, &Term)) -> Option<()> {
        let of = term.get("in")?;
        let sort = self.infer(of).map_or(Sort::Card, |it| it.sort);
        self.value(of, Type::list(sort));
        let cell = self.scope.cells(2);
        self.emit(Instr::Store(cell));
        self.emit(Instr::Const(0));
        self.emit(Instr::Set(cell.saturating_add(1)));
        let again = self.here();
        let next = self.emit(Instr::Next { list: cell, done: CodePtr::NONE });
        self.in_block(|it| {
            let item = it.scope.bind_cell(term.text_at("as").unwrap_or("it"), Type::one(sort));
            it.emit(Instr::Set(item));
            list(it, term.get("do").unwrap_or(&Term::nothing(term.place)));
        });
        self.emit(Instr::Jump(again));
        self.land(next);
        Some(())
    }

    fn repeat(&mut self, term: &Term) -> Option<()> {
        let cell = self.scope.cells(2);
        self.value(term.get("times")?, Type::INT);
        self.emit(Instr::Set(cell.saturating_add(1)));
        self.emit(Instr::Const(0));
        self.emit(Instr::Set(cell));
        let again = self.here();
        let next = self.emit(Instr::Loop { at: cell, done: CodePtr::NONE });
        self.in_block(|it| it.effects(term.get("do").unwrap_or(&Term::nothing(term.place))));
        self.emit(Instr::Jump(again));
        self.land(next);
        Some(())
    }

    /// `let` of effects and of writes.
    pub(super) fn assign(&mut self, term: &Term) -> Option<()> {
        let value = term.get("value")?;
        let ty = self.infer(value).unwrap_or(Type::INT);
        self.value(value, ty);
        let cell = self.scope.bind_let(term.text_at("name")?, ty);
        self.emit(if ty.many { Instr::Store(cell) } else { Instr::Set(cell) });
        Some(())
    }

    /// Gives a variable of this list, or of one around it, another value.
    pub(super) fn reassign(&mut self, term: &Term) -> Option<()> {
        let name = term.get("name")?;
        let var = self.scope.find(name.text()?).filter(|it| it.assignable);
        let Some((cell, ty)) =
            var.and_then(|it| if let Binding::Cell(cell) = it.binding { Some((cell, it.ty)) } else { None })
        else {
            self.report(name.place, Code::UnknownVariable, "only a variable that `let` named can be changed");
            return None;
        };
        self.value(term.get("value")?, ty);
        self.emit(if ty.many { Instr::Store(cell) } else { Instr::Set(cell) });
        Some(())
    }

    fn group(&mut self, term: &Term) -> Option<()> {
        let events = term.get("events")?;
        self.grouped(is_optional(term), |it| it.effects(events));
        Some(())
    }

    fn emit_named(&mut self, term: &Term) -> Option<()> {
        let kind = EventTypeId(self.name(term.get("event")?, Space::Event)?);
        let empty = Term::empty(term.place);
        self.emit_event(term, term.get("with").unwrap_or(&empty), kind);
        Some(())
    }

    fn emit_event(&mut self, term: &Term, with: &Term, kind: EventTypeId) {
        let is_built_in = kind.index() < crate::program::BuiltIn::ALL.len();
        if is_built_in && !matches!(self.scope.unit, Unit::After(_)) {
            self.report(term.place, Code::NotAllowedHere, "only the engine makes events of this type");
        }
        let aim = self.event_fields(term, with, kind, true);
        let at = self.emit(Instr::Emit(Emit { optional: is_optional(term), ..aim }));
        if let Some(fallible) = &mut self.scope.fallible {
            fallible.push(at);
        }
    }

    /// Reports what would wait in a place that must be done at once.
    pub(super) fn forbid_waiting(&mut self, term: &Term, what: &str) {
        if self.scope.in_group || self.scope.unit == Unit::Costs {
            self.report(term.place, Code::NotAllowedHere, format!("{what} cannot stand in a group or in costs"));
        }
    }

    fn wait(&mut self, term: &Term) -> Option<()> {
        self.forbid_waiting(term, "a pause");
        let ms = term.get("ms")?;
        let code = self.pure(|it| it.value(ms, Type::INT));
        let id = crate::ids::TimerId::at(self.program.timers.len());
        self.program.timers.push(crate::program::TimerRule { ms: code });
        let name = term.text_at("timer")?.into();
        self.program.text.timers.push(crate::text::Label { id: name, ..Default::default() });
        self.emit(Instr::Wait(id));
        Some(())
    }

    fn run_ability(&mut self, term: &Term) -> Option<()> {
        self.forbid_waiting(term, "an ability");
        let source = param(term, "source")?;
        self.value(source, Type::CARD);
        self.value(param(term, "ability")?, Type::one(Sort::Ability));
        self.value(term.get("as").unwrap_or(source), Type::CARD);
        match self.scope.extra {
            Some(cell) => self.emit(Instr::LocalList(cell)),
            None => self.emit(Instr::ListOf(0)),
        };
        self.emit(Instr::RunAbility);
        Some(())
    }

    fn pay_ability(&mut self, term: &Term) -> Option<()> {
        if self.scope.unit != Unit::Costs {
            self.report(term.place, Code::NotAllowedHere, "an ability is paid for in costs only");
        }
        self.value(param(term, "source")?, Type::CARD);
        self.value(param(term, "ability")?, Type::one(Sort::Ability));
        self.emit(Instr::PayAbility);
        Some(())
    }

    fn prevent(&mut self, term: &Term, whole: bool, replaces: bool) -> Option<()> {
        if !matches!(self.scope.unit, Unit::Before(_)) {
            self.report(term.place, Code::NotABeforeReaction, "only a before-reaction can prevent what it answers");
        } else if !self.scope.can_prevent {
            self.report(term.place, Code::CannotPrevent, "this rule says `canPrevent: false`");
        }
        self.emit(Instr::Prevent { whole, replaces });
        Some(())
    }

    fn amend(&mut self, term: &Term) -> Option<()> {
        let Unit::Before(kind) = self.scope.unit else {
            self.report(term.place, Code::NotABeforeReaction, "only a before-reaction can change what it answers");
            return None;
        };
        let name = term.get("field")?;
        let decl = self.events.get(kind.index())?.clone();
        let Some(at) = decl.fields.iter().position(|it| name.text().is_some_and(|n| same_name(&it.name, n))) else {
            self.report(
                name.place,
                Code::UnknownName,
                format!("{} has no field: {}", decl.id, name.text().unwrap_or_default()),
            );
            return None;
        };
        let ty = decl.fields.get(at)?.ty;
        if ty.many {
            self.report(name.place, Code::WrongType, "a field that holds a list cannot be changed");
        }
        self.value(term.get("value")?, Type::one(ty.sort));
        self.emit(Instr::Amend(u8::try_from(at).ok()?));
        Some(())
    }

    fn replace(&mut self, term: &Term) -> Option<()> {
        self.prevent(term, false, true)?;
        self.effects(term.get("with")?);
        Some(())
    }
}

/// The variables that effects give other values, and where.
fn find_sets<'t>(term: &'t Term, found: &mut Vec<(Place, &'t str)>) {
    if let Some(name) = term.get("name").filter(|_| term.text_at("op") == Some("set")) {
        found.extend(name.text().map(|it| (term.place, it)));
    }
    let inner = term.items().iter().chain(term.entries().iter().map(|it| &it.value));
    inner.for_each(|it| find_sets(it, found));
}

/// Whether a variable is named somewhere in an effect.
fn mentions(term: &Term, name: &str) -> bool {
    let is_named = term.text().and_then(|it| it.split('.').next()).is_some_and(|it| same_name(it, name));
    let mut inner = term.items().iter().chain(term.entries().iter().map(|it| &it.value));
    is_named || inner.any(|it| mentions(it, name))
}

/// The number of the group an effect belongs to.
fn group_of(effect: &Term) -> Option<i64> {
    param(effect, "group").and_then(Term::int).filter(|_| effect.text_at("op") != Some("group"))
}

/// Whether a member may be lost without its group; `preventsGroup: false` says the same.
fn is_optional(term: &Term) -> bool {
    term.flag("optional") || param(term, "preventsGroup").and_then(Term::bool) == Some(false)
}
