//! Selectors: what finds cards, players and events.

use alloc::{format, string::ToString};

use super::{Lower, expr::is_selector, scope::Binding};
use crate::{
    clause::Role,
    grammar::SELECTOR,
    ids::{CodePtr, EventTypeId, KeywordId, SelectId, TypeId},
    instr::{Instr, Math, Prop},
    names::Space,
    phrase::phrase,
    program::{Rank, SeatIs, SeatRule, Select, SelectOrder, Source, Visibility, ZoneRule},
    shape::{self, unknown_key},
    sort::{Sort, Type},
    term::Term,
    violation::Code,
};

impl<'a> Lower<'a> {
    /// Lowers a selector; gives its number and what it finds.
    pub(super) fn select(&mut self, term: &Term) -> Option<(SelectId, Sort)> {
        for entry in term.entries().iter().filter(|it| matches!(it.key.as_str(), "count" | "min" | "max")) {
            let message = format!("only a slot says how many are chosen, use `take`: {}", entry.key);
            self.report(entry.place, Code::IdleKey, message);
        }
        self.any_select(term)
    }

    /// Lowers the selector of a slot, which also says how many are chosen.
    pub(super) fn slot_select(&mut self, term: &Term) -> Option<(SelectId, Sort)> {
        if let Some(random) = term.get("random") {
            let message = "a random pick is for effects: what fills a slot is chosen by a player";
            self.report(random.place, Code::NotAllowedHere, message);
        }
        self.any_select(term)
    }

    fn any_select(&mut self, term: &Term) -> Option<(SelectId, Sort)> {
        self.check_selector(term);
        let (source, sort) = self.source(term)?;
        let (seat, seat_is) = self.seat_rule(term);
        let reg = self.scope.next_reg.min(15);
        let filter = self.filter(term, sort);
        let rank = self.rank(term, sort);
        self.check_order(term, source);
        let take = self.limit(term, "take");
        let random = self.limit(term, "random");
        if random.is_some() && !self.in_effects() {
            self.report(
                term.place,
                Code::NotAllowedHere,
                "a random pick is for effects and writes, not for conditions",
            );
        }
        let order = match term.text_at("order") {
            Some("top") => SelectOrder::Top,
            Some("bottom") => SelectOrder::Bottom,
            Some("turn") => SelectOrder::Turn,
            Some("id") => SelectOrder::Id,
            _ => self.default_order(source, seat, random.is_some()),
        };
        let select = Select { source, seat, seat_is, filter, reg, order, rank, take, random, is_whole: false };
        Some((self.add_select(select, term.place), sort))
    }

    /// In a zone into which whoever chooses may not look, cards have places and no age: going by age would tell one
    /// from another after a shuffle. Chance does not look at all.
    fn default_order(&self, source: Source, seat: SeatRule, by_chance: bool) -> SelectOrder {
        let Source::Zones(mask) = source else { return SelectOrder::Id };
        let mut zones = self.program.zones.iter().enumerate();
        let is_unseen = |(at, zone): (usize, &ZoneRule)| {
            let listed = mask & Self::zone_bit(u16::try_from(at).unwrap_or(u16::MAX)) != 0;
            let unseen = match zone.visibility {
                Visibility::All => false,
                Visibility::Owner => by_chance || seat != SeatRule::You,
                Visibility::None => true,
            };
            !listed || unseen
        };
        if zones.all(is_unseen) { SelectOrder::Bottom } else { SelectOrder::Id }
    }

    fn check_selector(&mut self, term: &Term) {
        if !is_selector(term) || term.entries().is_empty() {
            self.report(term.place, Code::WrongType, format!("expected a selector, found {}", term.noun()));
        }
        shape::check_pairs(term, SELECTOR.name, &mut self.violations);
        for entry in term.entries() {
            match SELECTOR.fields.iter().find(|it| it.name == entry.key) {
                Some(field) => shape::check_kind(&entry.value, field.name, field.kind, &mut self.violations),
                None => self.violations.push(unknown_key(entry, "selector", SELECTOR.fields)),
            }
        }
    }

    /// Whether a selector finds one at most, whatever the match is like.
    pub(super) fn finds_at_most_one(&self, term: &Term) -> bool {
        let one = |key: &str| term.int_at(key).is_some_and(|it| it <= 1);
        let player = match term.text_at("players").and_then(seat_word) {
            Some(SeatRule::You) => true,
            Some(SeatRule::Others) => self.program.players.max <= 2,
            Some(SeatRule::Any | SeatRule::In(_)) | None => false,
        };
        let listed = term.get("from").is_some_and(|it| self.infer(it).is_some_and(|ty| !ty.many));
        one("take") || one("random") || player || listed
    }

    /// What a selector finds, without lowering it.
    pub(super) fn select_sort(&self, term: &Term) -> Sort {
        if term.get("zone").is_some() {
            Sort::Card
        } else if term.get("players").is_some() {
            Sort::Player
        } else if term.get("stack").is_some() {
            Sort::Event
        } else if term.get("definitions").is_some() {
            Sort::Def
        } else if let Some(list) = term.get("from") {
            self.infer(list).map_or(Sort::Card, |it| it.sort)
        } else {
            Sort::Card
        }
    }

    fn source(&mut self, term: &Term) -> Option<(Source, Sort)> {
        let sort = self.select_sort(term);
        let source = if let Some(zones) = term.get("zone") {
            Source::Zones(self.zone_mask(zones))
        } else if term.get("players").is_some() {
            Source::Players
        } else if let Some(kind) = term.get("stack") {
            Source::Stack(self.name_or_true(kind, Space::Event).map_or(EventTypeId::NONE, EventTypeId))
        } else if let Some(kind) = term.get("definitions") {
            Source::Defs(self.name_or_true(kind, Space::CardType).map_or(TypeId::NONE, TypeId))
        } else if let Some(list) = term.get("from") {
            Source::List(self.pure(|it| it.value(list, Type::list(sort))))
        } else {
            let message = "a selector says where to look: `zone`, `players`, `stack`, `definitions` or `from`";
            self.report(term.place, Code::MissingKey, message);
            return None;
        };
        Some((source, sort))
    }

    fn name_or_true(&mut self, term: &Term, space: Space) -> Option<u16> {
        if term.bool() == Some(true) {
            return None;
        }
        if term.text().is_none() {
            let message = format!("expected a name of this kind, or true for all: {}", space.noun());
            self.report(term.place, Code::WrongType, message);
        }
        self.name(term, space)
    }

    /// A bit for each named kind of zone.
    pub(super) fn zone_mask(&mut self, zones: &Term) -> u64 {
        if zones.text() == Some("any") {
            return u64::MAX;
        }
        let names = zones.one_or_many();
        names.iter().fold(0, |acc, it| acc | self.name(it, Space::Zone).map_or(0, Self::zone_bit))
    }

    fn seat_rule(&mut self, term: &Term) -> (SeatRule, SeatIs) {
        if let Some(word) = term.text_at("players") {
            return (seat_word(word).unwrap_or(SeatRule::Any), SeatIs::Controller);
        }
        let (key, is) =
            if term.get("owner").is_some() { ("owner", SeatIs::Owner) } else { ("controller", SeatIs::Controller) };
        let Some(who) = term.get(key) else {
            return (SeatRule::Any, is);
        };
        let word = who.text().filter(|it| self.scope.find(it).is_none()).and_then(seat_word);
        let rule = word.unwrap_or_else(|| SeatRule::In(self.pure(|it| it.value(who, Type::list(Sort::Player)))));
        (rule, is)
    }

    fn filter(&mut self, term: &Term, sort: Sort) -> CodePtr {
        let keys = ["type", "keyword", "card", "where", "except"];
        if !keys.iter().any(|it| term.get(it).is_some()) {
            return CodePtr::NONE;
        }
        let name = term.text_at("as").unwrap_or("it");
        self.each(Type::one(sort), name, |it| it.predicate(term, sort)).1
    }

    /// Whether the candidate, which is the newest register, passes all keys that look at it.
    fn predicate(&mut self, term: &Term, sort: Sort) {
        let reg = self.scope.next_reg.saturating_sub(1);
        self.all(phrase(term), |it| {
            let mut jumps = alloc::vec::Vec::new();
            for key in ["type", "keyword", "card", "except"] {
                let Some(value) = term.get(key) else { continue };
                let text = format!("{key}: {}", phrase(value));
                it.clause(text, Role::Plain, Type::BOOL, |it| it.key_test(key, value, reg, sort));
                jumps.push(it.emit(Instr::JumpUnless(CodePtr::NONE)));
            }
            for condition in term.get("where").map_or(&[][..], Term::one_or_many) {
                it.value(condition, Type::BOOL);
                jumps.push(it.emit(Instr::JumpUnless(CodePtr::NONE)));
            }
            it.close_tests(jumps);
        });
    }

    /// Whether the candidate in a register is what one key of a selector says.
    fn key_test(&mut self, key: &str, value: &Term, reg: u8, sort: Sort) {
        match key {
            "type" => {
                let id = self.name(value, Space::CardType).unwrap_or(u16::MAX);
                self.emit(Instr::Reg(reg));
                self.emit(Instr::HasType(TypeId(id)));
            }
            "keyword" => {
                let id = self.name(value, Space::Keyword).unwrap_or(u16::MAX);
                self.emit(Instr::Reg(reg));
                self.emit(Instr::HasKeyword(KeywordId(id)));
            }
            "card" => {
                self.emit(Instr::Reg(reg));
                self.emit(Instr::Prop(Prop::Def));
                self.value(value, Type::one(Sort::Def));
                self.emit(Instr::Math(Math::Eq));
            }
            _ => {
                self.value(value, Type::list(sort));
                self.emit(Instr::Reg(reg));
                self.emit(Instr::Contains);
                self.emit(Instr::Not);
            }
        }
    }

    /// Pushes true after all tests passed, false where one jumped out.
    fn close_tests(&mut self, jumps: alloc::vec::Vec<CodePtr>) {
        self.emit(Instr::Const(1));
        let over = self.emit(Instr::Jump(CodePtr::NONE));
        jumps.into_iter().for_each(|it| self.land(it));
        self.emit(Instr::Const(0));
        self.land(over);
    }

    fn rank(&mut self, term: &Term, sort: Sort) -> Option<Rank> {
        let highest = term.get("highest").is_some();
        let value = term.get("highest").or_else(|| term.get("lowest"))?;
        let name = term.text_at("as").unwrap_or("it").to_string();
        if let Some(link) = value.text().filter(|it| self.link(it).is_some()) {
            self.report_attribute(value, link);
        }
        let attr = value.text().and_then(|it| self.names.find(Space::Attribute, it));
        if let Some(attr) = attr.filter(|it| !self.has_attribute(sort, crate::ids::AttrId(*it))) {
            let id = self.program.text.attrs.get(usize::from(attr)).map_or("", |it| &it.id);
            let message = format!("{} has no such attribute or property: {id}", sort.name());
            self.report(value.place, Code::UnknownVariable, message);
        }
        let (_, code) = self.each(Type::one(sort), &name, |it| match attr {
            Some(attr) => {
                let reg = it.scope.next_reg.saturating_sub(1);
                it.emit(Instr::Reg(reg));
                it.emit(Instr::Attr(crate::ids::AttrId(attr)));
            }
            None => it.value(value, Type::INT),
        });
        Some(Rank { highest, value: code })
    }

    /// Players have a turn order, cards have places in their zones; nothing else has either.
    fn check_order(&mut self, term: &Term, source: Source) {
        let Some(order) = term.get("order") else { return };
        let is_had = match order.text() {
            Some("turn") => matches!(source, Source::Players),
            Some("top" | "bottom") => matches!(source, Source::Zones(_)),
            _ => true,
        };
        if !is_had {
            let word = order.text().unwrap_or_default();
            self.report(order.place, Code::IdleKey, format!("what this finds has no such order: {word}"));
        }
    }

    /// How many at most: at least one, where that is known.
    fn limit(&mut self, term: &Term, key: &str) -> CodePtr {
        self.int_in(term, key, 1..=i64::from(i32::MAX));
        term.get(key).map_or(CodePtr::NONE, |value| self.pure(|it| it.value(value, Type::INT)))
    }

    /// Pure code that tells whether the entity in register 0 is one a selector would find.
    pub(super) fn membership(&mut self, term: &Term) -> CodePtr {
        if is_selector(term) {
            self.check_selector(term);
            self.report_idle_in_affects(term);
        }
        let outer = self.scope.next_reg;
        self.scope.next_reg = 1;
        let n_vars = self.scope.vars.len();
        self.scope.bind(term.text_at("as").unwrap_or("it"), Binding::Reg(0), Type::one(self.affected_sort(term)));
        let code = self.pure(|it| it.membership_tests(term));
        self.scope.vars.truncate(n_vars);
        self.scope.next_reg = outer;
        code
    }

    /// A continuous effect asks of one card or player after the other whether it concerns them: it compares none of them
    /// with others, and looks nowhere else.
    fn report_idle_in_affects(&mut self, term: &Term) {
        let idle =
            ["stack", "definitions", "from", "order", "highest", "lowest", "take", "random", "count", "min", "max"];
        for entry in term.entries().iter().filter(|it| idle.contains(&it.key.as_str())) {
            self.report(entry.place, Code::IdleKey, format!("{} does nothing in affects", entry.key));
        }
    }

    fn affected_sort(&self, term: &Term) -> Sort {
        if is_selector(term) { self.select_sort(term) } else { Sort::Entity }
    }

    fn membership_tests(&mut self, term: &Term) {
        if !is_selector(term) {
            self.value(term, Type::list(Sort::Entity));
            self.emit(Instr::Reg(0));
            self.emit(Instr::Contains);
            return;
        }
        let mut jumps = alloc::vec::Vec::new();
        match term.get("zone").filter(|it| it.text() != Some("any")) {
            Some(zones) => self.any_of_zones(zones),
            // Players are in no zone, cards always are.
            None => {
                self.emit(Instr::Reg(0));
                self.emit(Instr::Prop(Prop::Zone));
                self.emit(Instr::Null);
                self.emit(Instr::Math(if term.get("players").is_some() { Math::Eq } else { Math::Ne }));
            }
        }
        jumps.push(self.emit(Instr::JumpUnless(CodePtr::NONE)));
        let prop = if term.get("owner").is_some() { Prop::Owner } else { Prop::Controller };
        match self.seat_rule(term).0 {
            SeatRule::Any => {}
            SeatRule::In(_) => self.report(
                term.place,
                Code::NotAllowedHere,
                "a continuous effect takes `self`, `opponent` or `any` here",
            ),
            rule @ (SeatRule::You | SeatRule::Others) => {
                self.emit(Instr::Reg(0));
                self.emit(Instr::Prop(prop));
                self.emit(Instr::You);
                self.emit(Instr::Math(if rule == SeatRule::You { Math::Eq } else { Math::Ne }));
                jumps.push(self.emit(Instr::JumpUnless(CodePtr::NONE)));
            }
        }
        let sort = self.select_sort(term);
        self.predicate(term, sort);
        jumps.push(self.emit(Instr::JumpUnless(CodePtr::NONE)));
        self.close_tests(jumps);
    }

    fn any_of_zones(&mut self, zones: &Term) {
        self.emit(Instr::Const(0));
        for zone in zones.one_or_many() {
            let Some(id) = self.name(zone, Space::Zone) else {
                continue;
            };
            self.emit(Instr::Reg(0));
            self.emit(Instr::Prop(Prop::Zone));
            self.emit(Instr::Const(i32::from(id)));
            self.emit(Instr::Math(Math::Eq));
            self.emit(Instr::Math(Math::Max));
        }
    }
}

fn seat_word(word: &str) -> Option<SeatRule> {
    match word {
        "any" | "all" => Some(SeatRule::Any),
        "self" | "you" => Some(SeatRule::You),
        "opponent" | "opponents" => Some(SeatRule::Others),
        _ => None,
    }
}
