//! The parameters of operations, definitions and events: checks which are there and finds them by any spelling.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    FieldDecl, Lower,
    owner::Emitted,
    scope::{Binding, Unit},
};
use crate::{
    grammar::{Class, Op, OpSpec},
    ids::{CodePtr, EventTypeId},
    instr::{Emit, Instr},
    names::{Space, camel, pascal, same_name},
    shape::{self, unknown_key},
    sort::{Sort, Type},
    term::{Place, Term, TermKind},
    violation::{Code, Violation},
};

/// Keys any operation may have besides its parameters.
const REMARKS: &[&str] = &["op", "comment"];
/// Keys any effect may have: it belongs to the group of its neighbours with the same number.
const GROUPED: &[&str] = &["op", "comment", "groupId"];
/// Keys an effect that emits one event may have: whether it may be lost without its group.
const EMITTED: &[&str] = &["op", "comment", "groupId", "preventsGroup", "optional"];
/// The same of an event that creates a card, which can be named.
const CREATED: &[&str] = &["op", "comment", "groupId", "preventsGroup", "optional", "as"];

/// The parameter of a name, also as `nameId`, also with underscores.
pub(super) fn param<'t>(term: &'t Term, name: &str) -> Option<&'t Term> {
    let spelled =
        |test: fn(&str, &str) -> bool| term.entries().iter().find(|it| test(&it.key, name)).map(|it| &it.value);
    term.get(name).or_else(|| spelled(same_name)).or_else(|| spelled(is_spelling))
}

/// Whether a key means a parameter or field of this name, in any spelling, also as `nameId`.
pub(super) fn is_spelling(key: &str, name: &str) -> bool {
    let (key, name) = (camel(key), camel(name));
    key == name || key.strip_suffix("Id") == Some(&*name)
}

/// The name a key means: one that is spelled alike, else one that has no `Id` behind it.
fn meant<'n>(key: &str, names: &[&'n str]) -> Option<&'n str> {
    let named = |test: fn(&str, &str) -> bool| names.iter().copied().find(|it| test(key, it));
    named(same_name).or_else(|| named(is_spelling))
}

impl<'a> Lower<'a> {
    /// Reports parameters, fields and slots of one thing that are one name in two spellings.
    pub(super) fn check_twins(&mut self) {
        let root = self.root;
        for (section, key) in [("define", "params"), ("events", "fields")] {
            for term in root.list_at(section) {
                let entries = term.get(key).map_or(&[][..], Term::entries);
                self.report_twins(entries.iter().map(|it| (it.key.as_str(), it.place)));
            }
        }
        let holders = ["cardTypes", "keywords", "cards"].into_iter().flat_map(|it| root.list_at(it));
        let abilities = holders.flat_map(|it| it.list_at("abilities"));
        let rules = root.list_at("actions").iter().chain(root.list_at("reactions"));
        for term in rules.chain(abilities) {
            let slots = term.list_at("targets").iter().chain(term.list_at("params"));
            self.report_twins(slots.filter_map(|it| Some((it.text_at("id")?, it.place))));
        }
    }

    /// Reports ids of one kind that differ in nothing but their style, since readers take them for one.
    pub(super) fn check_twin_ids(&mut self) {
        let root = self.root;
        let phases = root.get("turnStructure").map_or(&[][..], |it| it.list_at("phases"));
        let sections = |of: &[&str]| of.iter().flat_map(|it| root.list_at(it)).collect::<Vec<_>>();
        let kinds = [
            sections(&["zones"]),
            sections(&["attributes", "resources"]),
            sections(&["cardTypes"]),
            sections(&["keywords"]),
            sections(&["cards"]),
            sections(&["events"]),
            sections(&["actions"]),
            sections(&["define"]),
            sections(&["reactions"]),
            sections(&["stateChecks"]),
            sections(&["decks"]),
            phases.iter().collect(),
            phases.iter().flat_map(|it| it.list_at("steps")).collect(),
            sections(&["cardTypes", "keywords", "cards"]).iter().flat_map(|it| it.list_at("abilities")).collect(),
        ];
        for terms in kinds {
            let mut seen: BTreeMap<String, &str> = BTreeMap::new();
            for (id, place) in terms.into_iter().filter_map(|it| Some((it.text_at("id")?, it.place))) {
                let first = *seen.entry(pascal(id)).or_insert(id);
                if first != id {
                    let message = format!("two names of one kind differ only in their style: {first} and {id}");
                    self.report(place, Code::DuplicateName, message);
                }
            }
        }
    }

    fn report_twins<'t>(&mut self, names: impl Iterator<Item = (&'t str, Place)>) {
        let mut seen: Vec<&str> = Vec::new();
        for (name, place) in names {
            if let Some(first) = seen.iter().find(|it| same_name(it, name)) {
                let message = format!("this is one name, and it is there twice: {first} and {name}");
                self.report(place, Code::DuplicateName, message);
            }
            seen.push(name);
        }
    }

    /// Reports parameters an operation does not have, and those it lacks.
    pub(super) fn check_params(&mut self, term: &Term, spec: &OpSpec) {
        let (name, fields) = (spec.name, spec.params);
        let others = match (spec.class, spec.op) {
            (Class::Value | Class::Write, _) => REMARKS,
            (Class::Effect, Op::Emit) => CREATED,
            (Class::Effect, Op::Group) => EMITTED,
            (Class::Effect, _) => GROUPED,
        };
        shape::check_pairs(term, name, &mut self.violations);
        for entry in term.entries() {
            let field = fields.iter().find(|it| it.name == entry.key);
            if let Some(field) = field {
                shape::check_kind(&entry.value, field.name, field.kind, &mut self.violations);
            }
            if field.is_none() && !others.contains(&&*camel(&entry.key)) {
                self.violations.push(unknown_key(entry, name, fields));
            }
        }
        for field in fields.iter().filter(|it| it.required && term.get(it.name).is_none()) {
            self.report(term.place, Code::MissingKey, format!("{name} needs a parameter: {}", field.name));
        }
    }

    /// Pushes the fields of an event in their order, from an object that names them. Gives how to emit
    /// it, as far as that follows from how its subjects are given.
    pub(super) fn event_fields(&mut self, term: &Term, with: &Term, kind: EventTypeId, reserves: bool) -> Emit {
        let mut emit = Emit::plain(kind);
        let Some(decl) = self.events.get(kind.index()).cloned() else {
            return emit;
        };
        let subject = self.program.event(kind).and_then(|it| it.subject);
        let fans_out = self
            .root
            .list_at("events")
            .iter()
            .any(|it| it.text_at("id") == Some(&decl.id) && it.get("fanOut").is_some());
        let others: &[&str] = match (core::ptr::eq(term, with), decl.fields.iter().any(|it| it.new)) {
            (true, true) => CREATED,
            (true, false) => EMITTED,
            (false, _) => &[],
        };
        let names: Vec<&str> = decl.fields.iter().map(|it| it.name.as_str()).collect();
        self.check_keys(with, &format!("{} has no field", decl.id), &names, others);
        let mut emitted = Emitted::new(kind);
        for (i, field) in decl.fields.iter().enumerate() {
            let is_subject = subject.is_some_and(|it| usize::from(it) == i);
            let start = self.code.len();
            match param(with, &field.name) {
                Some(value) if field.optional => self.value_or_nothing(value, field.ty),
                Some(value) if value.is_null() => self.report_nothing(value, field.ty),
                Some(value) => self.number_or_value(value, field.ty),
                None if field.new && reserves => self.reserve(term),
                None if is_source(field) && self.scope.unit == Unit::Action => self.default_source(with, kind),
                None => self.default_field(term, &decl.id, field, is_subject && fans_out),
            }
            self.note_field(&mut emitted, i, field.ty.sort, param(with, &field.name));
            if is_subject && field.ty.many {
                emit.fan = self.finder_chunk(start);
                emit.names_one = self.code.last() == Some(&Instr::ListOf(1));
            }
        }
        self.keep_emitted(emitted);
        emit
    }

    /// A value that is kept: numbers of a match are no larger than what an attribute holds.
    pub(super) fn number_or_value(&mut self, term: &Term, ty: Type) {
        if let TermKind::Int(value) = term.kind
            && i32::try_from(value).is_err()
        {
            self.report(term.place, Code::OutOfRange, format!("no number of a match is as large as this: {value}"));
        }
        self.value(term, ty);
    }

    /// What an action is about is the source of what it leads to, but not of what is done to it.
    fn default_source(&mut self, with: &Term, kind: EventTypeId) {
        let subject = self.program.event(kind).and_then(|it| it.subject);
        let field = subject.and_then(|at| self.events.get(kind.index())?.fields.get(usize::from(at))).cloned();
        let aim = field.as_ref().and_then(|it| param(with, &it.name));
        // What is picked at random is picked once, so it is not looked at here.
        let aim = aim.filter(|it| self.scope.has_this && it.get("random").is_none());
        let (Some(field), Some(aim)) = (field, aim) else {
            self.emit(if self.scope.has_this { Instr::This } else { Instr::Null });
            return;
        };
        self.value(aim, Type::list(field.ty.sort));
        self.emit(Instr::This);
        self.emit(Instr::Contains);
        let is_other = self.emit(Instr::JumpUnless(CodePtr::NONE));
        self.emit(Instr::Null);
        let over = self.emit(Instr::Jump(CodePtr::NONE));
        self.land(is_other);
        self.emit(Instr::This);
        self.land(over);
    }

    /// Takes the number of a card to come, and names it where the author gave a name.
    fn reserve(&mut self, term: &Term) {
        self.emit(Instr::Reserve);
        if let Some(name) = term.text_at("as") {
            let cell = self.scope.bind_cell(name, Type::CARD);
            self.emit(Instr::Set(cell));
            self.emit(Instr::Local(cell));
        }
    }

    fn default_field(&mut self, term: &Term, event: &str, field: &FieldDecl, fans_out: bool) {
        if field.ty == Type::PLAYER && !field.optional {
            self.emit(Instr::You);
        } else if is_source(field) && self.scope.has_this {
            self.emit(Instr::This);
        } else if field.optional || fans_out {
            self.emit(if field.ty.many { Instr::ListOf(0) } else { Instr::Null });
        } else {
            self.report(term.place, Code::MissingKey, format!("{event} needs a field: {}", field.name));
        }
    }

    /// Reports keys that mean no parameter or field, and two that mean one, of which only the first would count.
    fn check_keys(&mut self, term: &Term, lacks: &str, names: &[&str], others: &[&str]) {
        self.report_said_twice(term, names);
        for entry in term.entries() {
            if meant(&entry.key, names).is_none() && !others.contains(&&*camel(&entry.key)) {
                let options = names.iter().map(ToString::to_string).collect();
                let violation = Violation::new(entry.place, Code::UnknownKey, format!("{lacks}: {}", entry.key));
                self.violations.push(violation.suggest(&entry.key, options));
            }
        }
    }

    /// Reports keys of an object that mean the same of these names, such as `target` and `targetId`.
    pub(super) fn report_said_twice(&mut self, term: &Term, names: &[&str]) {
        let mut said: Vec<(&str, &str)> = Vec::new();
        for entry in term.entries() {
            let Some(name) = meant(&entry.key, names) else { continue };
            if let Some((_, first)) = said.iter().find(|it| it.0 == name) {
                let message = format!("this is one name, and it is there twice: {first} and {}", entry.key);
                self.report(entry.place, Code::DuplicateName, message);
            }
            said.push((name, &entry.key));
        }
    }

    /// The event type an operation of this name emits: `deal_cards` for `DealCards`.
    pub(super) fn event_of_op(&self, name: &str) -> Option<EventTypeId> {
        self.event_ops.get(name).copied()
    }

    /// Expands a definition: binds its parameters, then lowers its body where it is used.
    pub(super) fn expand(&mut self, term: &Term, define: &'a Term, body: impl FnOnce(&mut Self, &'a Term)) {
        let id = define.text_at("id").unwrap_or_default();
        let Some(code) = define.get("body") else {
            return;
        };
        if !self.may_expand(term, id) {
            return;
        }
        let params = define.get("params").map_or(&[][..], Term::entries);
        let others = if define.text_at("kind") == Some("effects") { GROUPED } else { REMARKS };
        let names: Vec<&str> = params.iter().map(|it| it.key.as_str()).collect();
        self.check_keys(term, &format!("{id} has no parameter"), &names, others);
        let mut bound = Vec::new();
        for entry in params {
            bound.push((entry.key.as_str(), self.bind_param(term, id, &entry.key, &entry.value)));
        }
        self.used.insert(id);
        let outermost = self.outermost_use;
        self.outermost_use = outermost.or(Some(term.place));
        self.expanding.push(id);
        let hidden = core::mem::take(&mut self.scope.vars);
        for (name, (binding, ty)) in bound {
            self.scope.bind(name, binding, ty);
        }
        body(self, code);
        self.scope.vars = hidden;
        self.expanding.pop();
        self.outermost_use = outermost;
    }

    /// Evaluates an argument where the definition is used, once.
    fn bind_param(&mut self, term: &Term, id: &'a str, name: &str, spec: &'a Term) -> (Binding, Type) {
        let ty = self.param_type(name, spec);
        let default = spec.get("default");
        if let Some(argument) = param(term, name) {
            let may_be_nothing = default.is_some_and(Term::is_null);
            return self.bind_argument(argument, ty, may_be_nothing);
        }
        if let Some(default) = default {
            return self.in_definition(id, |it| it.bind_argument(default, ty, true));
        }
        if name == "player" && ty == Type::PLAYER {
            return self.bind_code(ty, |it| {
                it.emit(Instr::You);
            });
        }
        self.report(term.place, Code::MissingKey, format!("{id} needs a parameter: {name}"));
        (Binding::Const(crate::NULL), ty)
    }

    /// A default belongs to its definition: it knows no variable of whoever uses that, and cannot use it itself.
    pub(super) fn in_definition<T>(&mut self, id: &'a str, body: impl FnOnce(&mut Self) -> T) -> T {
        let hidden = core::mem::take(&mut self.scope.vars);
        self.expanding.push(id);
        let value = body(self);
        self.expanding.pop();
        self.scope.vars = hidden;
        value
    }

    fn bind_argument(&mut self, argument: &Term, ty: Type, may_be_nothing: bool) -> (Binding, Type) {
        match self.constant(argument, ty) {
            Some(crate::NULL) if argument.is_null() && !may_be_nothing => {
                self.report_nothing(argument, ty);
                (Binding::Const(crate::NULL), ty)
            }
            Some(value) => (Binding::Const(value), ty),
            None => self.bind_code(ty, |it| it.value(argument, ty)),
        }
    }

    /// Reports `null` where something must be.
    pub(super) fn report_nothing(&mut self, term: &Term, want: Type) {
        self.report(term.place, Code::WrongType, format!("expected {want}, found nothing"));
    }

    /// Puts a value into a cell in effects, and into a register in conditions.
    fn bind_code(&mut self, ty: Type, value: impl FnOnce(&mut Self)) -> (Binding, Type) {
        let start = self.code.len();
        value(self);
        if self.in_effects() {
            let cell = self.scope.cells(1);
            if ty.many {
                self.note_finder(cell, start);
            }
            self.emit(if ty.many { Instr::Store(cell) } else { Instr::Set(cell) });
            (Binding::Cell(cell), ty)
        } else {
            let reg = self.take_reg();
            self.emit(Instr::SetReg(reg));
            (Binding::Reg(reg), ty)
        }
    }

    /// The value of an argument that is known already.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "operations and instructions of the other classes are not for this place"
    )]
    fn constant(&self, term: &Term, ty: Type) -> Option<i64> {
        if ty.many {
            return None;
        }
        match &term.kind {
            TermKind::Null => Some(crate::NULL),
            TermKind::Int(value) if ty.sort == Sort::Int => i32::try_from(*value).ok().map(i64::from),
            TermKind::Bool(value) if ty.sort == Sort::Bool => Some(i64::from(*value)),
            TermKind::Text(name) => {
                if let Some(var) = self.scope.find(name) {
                    return if let Binding::Const(value) = var.binding { Some(value) } else { None };
                }
                // Lowering it as a value says what is wrong with an attribute that cannot be handed on.
                let is_wrong = self.is_wrong_attribute(name, ty.sort);
                space_of(ty.sort).filter(|_| !is_wrong).and_then(|it| self.names.find(it, name)).map(i64::from)
            }
            TermKind::Map(_) => {
                let var = self.scope.find(term.text_at("ref")?)?;
                if let Binding::Const(value) = var.binding { Some(value) } else { None }
            }
            _ => None,
        }
    }
}

/// Whether a field names the card an event comes from.
fn is_source(field: &FieldDecl) -> bool {
    field.name == "source" && field.ty == Type::CARD
}

/// The names a literal of a sort is looked up in.
pub(super) fn space_of(sort: Sort) -> Option<Space> {
    match sort {
        Sort::Zone => Some(Space::Zone),
        Sort::Attribute | Sort::Resource => Some(Space::Attribute),
        Sort::Keyword => Some(Space::Keyword),
        Sort::Def => Some(Space::Card),
        Sort::CardType => Some(Space::CardType),
        Sort::EventType => Some(Space::Event),
        Sort::Ability => Some(Space::Ability),
        Sort::Phase => Some(Space::Phase),
        Sort::Step => Some(Space::Step),
        Sort::Int
        | Sort::Bool
        | Sort::Card
        | Sort::Player
        | Sort::Entity
        | Sort::Event
        | Sort::Answers
        | Sort::Origin => None,
    }
}
