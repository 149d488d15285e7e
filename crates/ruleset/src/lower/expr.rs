//! Expressions and conditions.

use alloc::{format, string::ToString};

use super::{
    Lower,
    params::{param, space_of},
    path::Lost,
    scope::Answered,
};
use crate::{
    grammar::{Class, Op, OpSpec, find_op},
    ids::{AttrId, KeywordId, TypeId},
    instr::{Instr, Math, Prop, Total},
    names::same_name,
    phrase::phrase,
    sort::{Sort, Type},
    term::{Term, TermKind},
    violation::{Code, Violation},
};

/// The words for where an answer came from, in the order of their numbers.
pub const ORIGINS: [&str; 4] = ["confirmed", "draft", "default", "automatic"];

impl<'a> Lower<'a> {
    /// Lowers an expression so that it pushes one value of a type.
    pub(super) fn value_code(&mut self, term: &Term, want: Type) {
        self.at = term.place;
        match &term.kind {
            TermKind::Null if !want.many && matches!(want.sort, Sort::Int | Sort::Bool) => {
                self.report_nothing(term, want);
            }
            TermKind::Null => {
                self.emit(if want.many { Instr::ListOf(0) } else { Instr::Null });
            }
            TermKind::Int(value) => {
                self.number(*value);
                self.coerce(term, Type::INT, want);
            }
            TermKind::Bool(value) => {
                self.emit(Instr::Const(i32::from(*value)));
                self.coerce(term, Type::BOOL, want);
            }
            TermKind::Text(word) => self.word(term, word, want),
            TermKind::List(items) => self.list(term, items, want),
            TermKind::Map(_) => {
                let got = self.object(term, want);
                if let Some(got) = got {
                    self.coerce(term, got, want);
                }
            }
        }
    }

    fn number(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(small) => self.emit(Instr::Const(small)),
            Err(_) => {
                let at = u32::try_from(self.program.longs.len()).unwrap_or(u32::MAX);
                self.program.longs.push(value);
                self.emit(Instr::Long(at))
            }
        };
    }

    fn list(&mut self, term: &Term, items: &[Term], want: Type) {
        if !want.many {
            return self.report(term.place, Code::WrongType, format!("expected one {want}, not a list"));
        }
        let Ok(n) = u8::try_from(items.len()) else {
            return self.report(term.place, Code::TooLarge, format!("a list has at most 255 items: {}", items.len()));
        };
        for item in items {
            self.value(item, Type::one(want.sort));
        }
        self.emit(Instr::ListOf(n));
    }

    /// A word means a variable, or a name of the sort that is wanted.
    fn word(&mut self, term: &Term, word: &str, want: Type) {
        if want.sort == Sort::Player && word == "self" && self.scope.find(word).is_none() {
            self.emit(Instr::You);
            return self.coerce(term, Type::PLAYER, want);
        }
        if want.sort == Sort::Origin
            && let Some(at) = ORIGINS.iter().position(|it| *it == word)
        {
            self.emit(Instr::Const(i32::try_from(at).unwrap_or(0)));
            return;
        }
        let space = space_of(want.sort);
        if let Some(space) = space.filter(|_| self.scope.find(word).is_none()) {
            if self.is_wrong_attribute(word, want.sort) {
                return self.report_attribute(term, word);
            }
            if let Some(number) = self.name(term, space) {
                self.emit(Instr::Const(i32::from(number)));
                self.coerce(term, Type::one(want.sort), want);
            }
            return;
        }
        match self.root_word(word) {
            Ok((code, got)) => {
                code.into_iter().for_each(|it| {
                    self.emit(it);
                });
                self.coerce(term, got, want);
            }
            Err(lost) => self.report_lost(term, lost),
        }
    }

    /// Reports a path that leads nowhere, with what is known in its place.
    fn report_lost(&mut self, term: &Term, lost: Lost) {
        let (message, unknown, options) = match lost {
            Lost::OfMany(name) => {
                return self.report_many(term, &format!("this is a list, and has no one value: {name}"));
            }
            Lost::OfOpponents => return self.report_opponent(term),
            Lost::TooLarge => {
                return self.report(term.place, Code::TooLarge, "the number is too large for a parameter");
            }
            Lost::Word(word) => (format!("no such variable: {word}"), word, self.known_words()),
            Lost::Field(name) => {
                let fields = self.scope.event.iter().map(|it| it.name.clone()).collect();
                (format!("the event has no such field: {name}"), name, fields)
            }
            Lost::Property(name, of) => {
                let message = format!("{} has no such attribute or property: {name}", of.name());
                (message, name, self.known_properties(of))
            }
        };
        let violation = Violation::new(term.place, Code::UnknownVariable, message);
        self.violations.push(violation.suggest(&unknown, options));
    }

    fn report_many(&mut self, term: &Term, message: &str) {
        let advice = "say which: `for_each` for all of them, `{\"op\": \"first\", \"of\": ...}` for the first, or `take: 1` in the selector";
        self.violations.push(Violation::new(term.place, Code::ManyForOne, message).advise(advice));
    }

    fn report_opponent(&mut self, term: &Term) {
        let message = format!("one opponent is wanted, but up to {} can play", self.program.players.max);
        let advice = "use `opponents` as a list, `{\"op\": \"next_player\", \"of\": \"you\"}` for the player to the left, or let a player choose";
        self.violations.push(Violation::new(term.place, Code::WhichOpponent, message).advise(advice));
    }

    /// Whether an expression of several things gives at most one for certain.
    fn is_at_most_one(&self, term: &Term) -> bool {
        let word = term.text().or_else(|| term.text_at("ref"));
        let for_two = self.program.players.max <= 2;
        match (word, term.text_at("op")) {
            (Some(word), _) => self.is_sole_opponent(word),
            (None, Some("opponents")) => for_two,
            (None, Some("answer_of")) => self.answers_named(term).is_some_and(|it| it.single),
            (None, Some(_)) => false,
            (None, None) => self.finds_at_most_one(term),
        }
    }

    /// Whether an expression means the opponent, or what a selector finds among them.
    fn is_opponent(&self, term: &Term) -> bool {
        let word = term.text().or_else(|| term.text_at("ref")).or_else(|| term.text_at("players"));
        word == Some("opponent") && self.scope.find("opponent").is_none()
    }

    /// Makes a value of one type fit where another is wanted, or reports it.
    fn coerce(&mut self, term: &Term, got: Type, want: Type) {
        let entity = |it: Sort| matches!(it, Sort::Card | Sort::Player | Sort::Entity);
        let loose = got.sort == Sort::Entity || want.sort == Sort::Entity;
        let fits = got.sort.fits(want.sort) || (loose && entity(got.sort) && entity(want.sort));
        if !fits {
            return self.report(term.place, Code::WrongType, format!("expected {want}, found {got}"));
        }
        match (got.many, want.many) {
            (true, false) if self.is_at_most_one(term) => {
                self.emit(Instr::First);
            }
            (true, false) if self.is_opponent(term) => self.report_opponent(term),
            (true, false) => self.report_many(term, &format!("one {want} is wanted here, and this can be several")),
            (false, true) => {
                self.emit(Instr::ListOf(1));
            }
            _ => {}
        }
    }

    /// Lowers a `ref`, an operation or a selector; gives the type that was pushed.
    fn object(&mut self, term: &Term, want: Type) -> Option<Type> {
        if let Some(path) = term.get("ref") {
            return self.reference(term, path);
        }
        if let Some(name) = term.get("op") {
            return self.operation(term, name, want);
        }
        let (id, sort) = self.select(term)?;
        self.emit(Instr::Select(id));
        Some(Type::list(sort))
    }

    fn reference(&mut self, term: &Term, path: &Term) -> Option<Type> {
        let text = path.text().unwrap_or_default();
        if term.entries().len() > 1 {
            self.report(term.place, Code::UnknownKey, "a ref has no other keys");
        }
        match self.resolve_path(text) {
            Ok((code, ty)) => {
                code.into_iter().for_each(|it| {
                    self.emit(it);
                });
                Some(ty)
            }
            Err(lost) => {
                self.report_lost(path, lost);
                None
            }
        }
    }

    fn operation(&mut self, term: &Term, name: &Term, want: Type) -> Option<Type> {
        let text = name.text().unwrap_or_default();
        if let Some(spec) = find_op(text, Class::Value) {
            self.check_params(term, spec);
            return self.value_op(term, spec, want);
        }
        let define = self.defines.get(text).copied();
        match define.and_then(define_type) {
            Some(ty) => {
                let next_reg = self.scope.next_reg;
                self.expand(term, define?, |it, body| {
                    if ty == Type::BOOL {
                        it.all(phrase(body), |it| it.conditions(Some(body)))
                    } else {
                        it.value(body, ty)
                    }
                });
                // The result is on the stack, so the registers of the parameters are free again.
                self.scope.next_reg = next_reg;
                Some(ty)
            }
            None => {
                self.report_op(name, text, Class::Value);
                None
            }
        }
    }

    /// Reports an operation that nobody declared, or that belongs elsewhere.
    pub(super) fn report_op(&mut self, term: &Term, name: &str, class: Class) {
        if term.text().is_none() {
            let message = format!("op must be the name of an operation, not {}", term.noun());
            return self.report(term.place, Code::WrongType, message);
        }
        let elsewhere = crate::grammar::OPS.iter().any(|it| it.name == name)
            || self.defines.contains_key(name)
            || self.event_of_op(name).is_some();
        if elsewhere {
            return self.report(
                term.place,
                Code::MisplacedOp,
                format!("this operation is not {}: {name}", class_noun(class)),
            );
        }
        let ops = crate::grammar::OPS.iter().filter(|it| it.class == class).map(|it| it.name.to_string());
        let mut options: alloc::vec::Vec<_> = ops.chain(self.defines.keys().map(ToString::to_string)).collect();
        if class == Class::Effect {
            options.extend(self.events.iter().map(|it| crate::names::snake(&it.id)));
        }
        let violation = Violation::new(term.place, Code::UnknownOp, format!("no operation of this name: {name}"));
        self.violations.push(violation.suggest(name, options));
    }

    /// Lowers a list of conditions that must all hold; none hold always.
    pub(super) fn conditions(&mut self, terms: Option<&Term>) {
        let items = terms.map_or(&[][..], Term::one_or_many);
        self.chain(items, Instr::JumpUnless, 1);
    }

    /// Evaluates until one decides: `and` stops at the first false, `or` at the first true.
    fn chain(&mut self, items: &[Term], jump: fn(crate::ids::CodePtr) -> Instr, all: i32) {
        let mut jumps = alloc::vec::Vec::new();
        for item in items {
            self.value(item, Type::BOOL);
            jumps.push(self.emit(jump(crate::ids::CodePtr::NONE)));
        }
        self.emit(Instr::Const(all));
        let over = self.emit(Instr::Jump(crate::ids::CodePtr::NONE));
        jumps.into_iter().for_each(|it| self.land(it));
        self.emit(Instr::Const(1_i32.saturating_sub(all)));
        self.land(over);
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "operations and instructions of the other classes are not for this place"
    )]
    fn value_op(&mut self, term: &Term, spec: &OpSpec, want: Type) -> Option<Type> {
        use Op::{
            AbilitiesOf, Abs, Add, And, AnswerOf, Attribute, BaseAttribute, CanActivateAbility, Contains, Count, Div,
            Eq, EventIs, Exists, First, Ge, Gt, HasAbility, HasKeyword, HasType, Highest, IfValue, InZone, IsCard,
            Last, Le, Lowest, Lt, Max, Min, Mod, ModeIs, Mul, Ne, Neg, NextPlayer, Not, Opponents, Or, OriginOf,
            Random, Range, Room, Sub, Sum, Union,
        };
        match spec.op {
            Add => self.fold(term, Math::Add),
            Mul => self.fold(term, Math::Mul),
            Min => self.fold(term, Math::Min),
            Max => self.fold(term, Math::Max),
            Sub => self.binary(term, Math::Sub),
            Div => self.binary(term, Math::Div),
            Mod => self.binary(term, Math::Mod),
            Lt => self.compare(term, Math::Lt),
            Le => self.compare(term, Math::Le),
            Gt => self.compare(term, Math::Gt),
            Ge => self.compare(term, Math::Ge),
            Eq => self.equal(term, Math::Eq),
            Ne => self.equal(term, Math::Ne),
            Neg => self.with(term, &[("of", Type::INT)], Instr::Neg, Type::INT),
            Abs => self.with(term, &[("of", Type::INT)], Instr::Abs, Type::INT),
            Not => self.with(term, &[("of", Type::BOOL)], Instr::Not, Type::BOOL),
            And => self.logic(term, Instr::JumpUnless, 1),
            Or => self.logic(term, Instr::JumpIf, 0),
            IfValue => self.if_value(term, want),
            Count => self.count(term),
            Exists => self.exists(term),
            Contains => self.contains(term),
            First => self.pick(term, Instr::First),
            Last => self.pick(term, Instr::Last),
            Union => self.union(term, want),
            Sum => self.total(term, Total::Sum),
            Highest => self.total(term, Total::Max),
            Lowest => self.total(term, Total::Min),
            Attribute => self.attribute(term, Instr::AttrOf),
            BaseAttribute => self.attribute(term, Instr::BaseOf),
            HasKeyword => self.has_keyword(term),
            HasType => self.has_type(term),
            HasAbility => self.with(term, CARD_ABILITY, Instr::HasAbility, Type::BOOL),
            CanActivateAbility => self.with(term, CARD_ABILITY, Instr::CanActivate, Type::BOOL),
            IsCard => self.prop_is(term, "target", Prop::Def, "card", Sort::Def),
            InZone => self.prop_is(term, "target", Prop::Zone, "zone", Sort::Zone),
            EventIs => self.prop_is(term, "event", Prop::EventType, "type", Sort::EventType),
            NextPlayer => self.with(term, &[("of", Type::PLAYER)], Instr::NextPlayer, Type::PLAYER),
            Opponents => self.with(term, &[("of", Type::PLAYER)], Instr::Others, Type::list(Sort::Player)),
            Random => self.random(term),
            AnswerOf => self.answer_of(term, want),
            OriginOf => self.with(term, ANSWERS_PLAYER, Instr::OriginOf, Type::one(Sort::Origin)),
            Range => self.with(term, &[("from", Type::INT), ("to", Type::INT)], Instr::Range, Type::list(Sort::Int)),
            Room => self.room(term),
            AbilitiesOf => self.with(term, &[("target", Type::CARD)], Instr::AbilitiesOf, Type::list(Sort::Ability)),
            ModeIs => self.mode_is(term),
            _ => None,
        }
    }

    /// Pushes some parameters, then one instruction.
    fn with(&mut self, term: &Term, params: &[(&str, Type)], instr: Instr, ty: Type) -> Option<Type> {
        for (name, want) in params {
            self.value(param(term, name)?, *want);
        }
        self.emit(instr);
        Some(ty)
    }

    fn fold(&mut self, term: &Term, math: Math) -> Option<Type> {
        let items = term.get("of")?.one_or_many();
        if items.is_empty() {
            self.report(term.place, Code::MissingKey, "there is nothing to put together");
        }
        for (i, item) in items.iter().enumerate() {
            self.value(item, Type::INT);
            if i > 0 {
                self.emit(Instr::Math(math));
            }
        }
        Some(Type::INT)
    }

    fn binary(&mut self, term: &Term, math: Math) -> Option<Type> {
        self.with(term, &[("a", Type::INT), ("b", Type::INT)], Instr::Math(math), Type::INT)
    }

    fn compare(&mut self, term: &Term, math: Math) -> Option<Type> {
        self.with(term, &[("a", Type::INT), ("b", Type::INT)], Instr::Math(math), Type::BOOL)
    }

    /// Both sides have the type of the side that shows its type.
    fn equal(&mut self, term: &Term, math: Math) -> Option<Type> {
        let (a, b) = (term.get("a")?, term.get("b")?);
        let mut ty = self.infer(a).or_else(|| self.infer(b)).unwrap_or(Type::INT);
        ty.many = false;
        // A resource may be compared with any attribute.
        ty.sort = if ty.sort == Sort::Resource { Sort::Attribute } else { ty.sort };
        self.value_or_nothing(a, ty);
        self.value_or_nothing(b, ty);
        self.emit(Instr::Math(math));
        Some(Type::BOOL)
    }

    /// Something to compare with: a number may not be there, such as the field of an event that was left out.
    pub(super) fn value_or_nothing(&mut self, term: &Term, ty: Type) {
        if term.is_null() && !ty.many {
            self.emit(Instr::Null);
        } else {
            self.value(term, ty);
        }
    }

    fn logic(&mut self, term: &Term, jump: fn(crate::ids::CodePtr) -> Instr, all: i32) -> Option<Type> {
        self.chain(term.get("of")?.one_or_many(), jump, all);
        Some(Type::BOOL)
    }

    fn if_value(&mut self, term: &Term, want: Type) -> Option<Type> {
        self.value(term.get("when")?, Type::BOOL);
        let unless = self.emit(Instr::JumpUnless(crate::ids::CodePtr::NONE));
        self.value(term.get("then")?, want);
        let over = self.emit(Instr::Jump(crate::ids::CodePtr::NONE));
        self.land(unless);
        self.value(term.get("else")?, want);
        self.land(over);
        Some(want)
    }

    fn count(&mut self, term: &Term) -> Option<Type> {
        let of = term.get("of")?;
        if is_selector(of) {
            let (id, _) = self.select(of)?;
            self.emit(Instr::Count(id));
        } else {
            self.any_list(of)?;
            self.emit(Instr::Size);
        }
        Some(Type::INT)
    }

    fn exists(&mut self, term: &Term) -> Option<Type> {
        let of = term.get("of")?;
        if is_selector(of) {
            let (id, _) = self.select(of)?;
            self.emit(Instr::Any(id));
            return Some(Type::BOOL);
        }
        let ty = self.infer(of).unwrap_or(Type::one(Sort::Entity));
        self.value(of, ty);
        if ty.many {
            self.emit(Instr::Size);
            self.emit(Instr::Const(0));
            self.emit(Instr::Math(Math::Gt));
        } else {
            self.emit(Instr::Null);
            self.emit(Instr::Math(Math::Ne));
        }
        Some(Type::BOOL)
    }

    /// Pushes a list of whatever sort it has.
    fn any_list(&mut self, term: &Term) -> Option<Sort> {
        let sort = self.infer(term).map_or(Sort::Entity, |it| it.sort);
        self.value(term, Type::list(sort));
        Some(sort)
    }

    fn contains(&mut self, term: &Term) -> Option<Type> {
        let sort = self.any_list(term.get("list")?)?;
        self.value(term.get("item")?, Type::one(sort));
        self.emit(Instr::Contains);
        Some(Type::BOOL)
    }

    fn pick(&mut self, term: &Term, instr: Instr) -> Option<Type> {
        let sort = self.any_list(term.get("of")?)?;
        self.emit(instr);
        Some(Type::one(sort))
    }

    fn union(&mut self, term: &Term, want: Type) -> Option<Type> {
        let items = term.get("of")?.one_or_many();
        let sort = self.joined_sort(items).unwrap_or(want.sort);
        self.emit(Instr::ListOf(0));
        for item in items {
            self.value(item, Type::list(sort));
            self.emit(Instr::Union);
        }
        Some(Type::list(sort))
    }

    /// What lists put together hold: cards and players together are entities.
    fn joined_sort(&self, items: &[Term]) -> Option<Sort> {
        let mut sorts = items.iter().filter_map(|it| self.infer(it)).map(|it| it.sort);
        let first = sorts.next()?;
        let entity = |it: Sort| matches!(it, Sort::Card | Sort::Player | Sort::Entity);
        Some(sorts.fold(first, |acc, it| if acc != it && entity(acc) && entity(it) { Sort::Entity } else { acc }))
    }

    fn total(&mut self, term: &Term, total: Total) -> Option<Type> {
        let sort = self.any_list(term.get("of")?)?;
        let value = term.get("value")?;
        let code = self.each(Type::one(sort), "it", |it| it.value(value, Type::INT));
        self.emit(Instr::Total(total, code.1));
        Some(Type::INT)
    }

    /// Lowers code about one item of a list, which is in a register of its own.
    pub(super) fn each(&mut self, ty: Type, name: &str, body: impl FnOnce(&mut Self)) -> (u8, crate::ids::CodePtr) {
        let n_vars = self.scope.vars.len();
        let reg = self.take_reg();
        self.scope.bind(name, super::scope::Binding::Reg(reg), ty);
        let code = self.pure(|it| {
            it.emit(Instr::SetReg(reg));
            body(it);
        });
        self.scope.vars.truncate(n_vars);
        self.scope.next_reg = reg;
        (reg, code)
    }

    /// Takes a register; there are sixteen.
    pub(super) fn take_reg(&mut self) -> u8 {
        let reg = self.scope.next_reg;
        if reg >= 16 {
            self.report(self.at, Code::TooLarge, "conditions are nested more than sixteen deep");
        }
        self.scope.next_reg = reg.saturating_add(1).min(16);
        reg.min(15)
    }

    fn attribute(&mut self, term: &Term, instr: Instr) -> Option<Type> {
        self.value(term.get("of")?, Type::one(Sort::Entity));
        self.value(term.get("attribute")?, Type::one(Sort::Attribute));
        self.check_owner(term.get("of")?, term.get("attribute")?);
        self.emit(instr);
        self.fuse_attribute();
        Some(Type::INT)
    }

    /// An attribute that is known needs no look-up.
    fn fuse_attribute(&mut self) {
        if let [.., Instr::Const(attr), Instr::AttrOf] = *self.code.as_slice() {
            self.code.truncate(self.code.len().saturating_sub(2));
            self.emit(Instr::Attr(AttrId(u16::try_from(attr).unwrap_or(u16::MAX))));
        }
    }

    fn has_keyword(&mut self, term: &Term) -> Option<Type> {
        let params = [("target", Type::CARD), ("keyword", Type::one(Sort::Keyword))];
        self.with(term, &params, Instr::HasKeywordOf, Type::BOOL)?;
        if let [.., Instr::Const(keyword), Instr::HasKeywordOf] = *self.code.as_slice() {
            self.code.truncate(self.code.len().saturating_sub(2));
            self.emit(Instr::HasKeyword(KeywordId(u16::try_from(keyword).unwrap_or(u16::MAX))));
        }
        Some(Type::BOOL)
    }

    fn has_type(&mut self, term: &Term) -> Option<Type> {
        self.value(term.get("target")?, Type::CARD);
        let of = term.get("type")?;
        match of.text().and_then(|it| self.names.find(crate::names::Space::CardType, it)) {
            Some(id) => self.emit(Instr::HasType(TypeId(id))),
            None => {
                self.emit(Instr::Prop(Prop::Type));
                self.value(of, Type::one(Sort::CardType));
                self.emit(Instr::Math(Math::Eq))
            }
        };
        Some(Type::BOOL)
    }

    fn prop_is(&mut self, term: &Term, target: &str, prop: Prop, key: &str, sort: Sort) -> Option<Type> {
        let of = if prop == Prop::EventType { Type::one(Sort::Event) } else { Type::CARD };
        self.value(param(term, target)?, of);
        self.emit(Instr::Prop(prop));
        self.value(term.get(key)?, Type::one(sort));
        self.emit(Instr::Math(Math::Eq));
        Some(Type::BOOL)
    }

    fn random(&mut self, term: &Term) -> Option<Type> {
        if !self.in_effects() {
            self.report(
                term.place,
                Code::NotAllowedHere,
                "random numbers are for effects and writes, not for conditions",
            );
        }
        self.with(term, &[("min", Type::INT), ("max", Type::INT)], Instr::Random, Type::INT)
    }

    fn room(&mut self, term: &Term) -> Option<Type> {
        self.value(term.get("zone")?, Type::one(Sort::Zone));
        match term.get("player") {
            Some(player) => self.value(player, Type::PLAYER),
            None => {
                self.emit(Instr::You);
            }
        }
        self.emit(Instr::Room);
        Some(Type::INT)
    }

    /// Whether the parameter of an action is one of its modes.
    fn mode_is(&mut self, term: &Term) -> Option<Type> {
        let (param, mode) = (term.get("param")?, term.get("mode")?);
        let Some(var) = param.text().and_then(|it| self.scope.modes.iter().find(|m| same_name(&m.0, it))) else {
            self.report(param.place, Code::UnknownName, "no parameter of this name has modes");
            return None;
        };
        let Some(at) = var.1.iter().position(|it| Some(it.as_str()) == mode.text()) else {
            let violation = Violation::new(mode.place, Code::UnknownName, "the parameter has no such mode");
            let names = var.1.clone();
            self.violations.push(violation.suggest(mode.text().unwrap_or_default(), names));
            return None;
        };
        let (code, _) = self.resolve_path(param.text()?).ok()?;
        code.into_iter().for_each(|it| {
            self.emit(it);
        });
        self.emit(Instr::Const(i32::try_from(at).unwrap_or(i32::MAX)));
        self.emit(Instr::Math(Math::Eq));
        Some(Type::BOOL)
    }

    /// The question whose answers an expression speaks of.
    fn answers_named(&self, term: &Term) -> Option<&Answered> {
        let answers = term.get("answers")?;
        let name = answers.text().or_else(|| answers.text_at("ref"))?;
        self.scope.answers.iter().rev().find(|it| same_name(&it.name, name))
    }

    /// What the players chose among whose answers an expression speaks of.
    fn answer_sort(&self, term: &Term) -> Option<Sort> {
        self.answers_named(term).map(|it| it.sort)
    }

    fn answer_of(&mut self, term: &Term, want: Type) -> Option<Type> {
        let sort = self.answer_sort(term).unwrap_or(want.sort);
        self.with(term, ANSWERS_PLAYER, Instr::AnswerOf, Type::list(sort))
    }

    /// Whether code is being lowered that runs as effects or writes, where variables live in the frame.
    pub(super) fn in_effects(&self) -> bool {
        self.scope.pure_depth == 0
    }

    /// The type an expression shows by itself, without lowering it.
    pub(super) fn infer(&self, term: &Term) -> Option<Type> {
        match &term.kind {
            TermKind::Null | TermKind::List(_) => None,
            TermKind::Int(_) => Some(Type::INT),
            TermKind::Bool(_) => Some(Type::BOOL),
            TermKind::Text(word) => self.root_word(word).ok().map(|it| it.1),
            TermKind::Map(_) => self.infer_object(term),
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "operations and instructions of the other classes are not for this place"
    )]
    fn infer_object(&self, term: &Term) -> Option<Type> {
        if let Some(path) = term.text_at("ref") {
            return self.resolve_path(path).ok().map(|it| it.1);
        }
        let Some(name) = term.text_at("op") else {
            return Some(Type::list(self.select_sort(term)));
        };
        let Some(spec) = find_op(name, Class::Value) else {
            return self.defines.get(name).copied().and_then(define_type);
        };
        match spec.op {
            Op::IfValue => self.infer(term.get("then")?).or_else(|| self.infer(term.get("else")?)),
            Op::First | Op::Last => self.infer(term.get("of")?).map(|it| Type::one(it.sort)),
            Op::Union => self.joined_sort(term.get("of")?.one_or_many()).map(Type::list),
            Op::NextPlayer => Some(Type::PLAYER),
            Op::Opponents => Some(Type::list(Sort::Player)),
            Op::OriginOf => Some(Type::one(Sort::Origin)),
            Op::AnswerOf => self.answer_sort(term).map(Type::list),
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Mod
            | Op::Min
            | Op::Max
            | Op::Neg
            | Op::Abs
            | Op::Count
            | Op::Sum
            | Op::Highest
            | Op::Lowest
            | Op::Attribute
            | Op::BaseAttribute
            | Op::Room
            | Op::Random => Some(Type::INT),
            Op::Range => Some(Type::list(Sort::Int)),
            Op::AbilitiesOf => Some(Type::list(Sort::Ability)),
            _ => Some(Type::BOOL),
        }
    }
}

const CARD_ABILITY: &[(&str, Type)] = &[("target", Type::CARD), ("ability", Type::one(Sort::Ability))];
const ANSWERS_PLAYER: &[(&str, Type)] = &[("answers", Type::one(Sort::Answers)), ("player", Type::PLAYER)];

/// What a definition of a condition or value gives.
pub(super) fn define_type(define: &Term) -> Option<Type> {
    match define.text_at("kind")? {
        "condition" => Some(Type::BOOL),
        "value" => define.text_at("type").map_or(Some(Type::INT), Type::parse),
        _ => None,
    }
}

fn class_noun(class: Class) -> &'static str {
    match class {
        Class::Value => "a value or condition",
        Class::Effect => "an effect",
        Class::Write => "a write",
    }
}

/// Whether a term is a selector and not a literal, `ref` or operation.
pub(super) fn is_selector(term: &Term) -> bool {
    term.is_map() && term.get("op").is_none() && term.get("ref").is_none()
}
