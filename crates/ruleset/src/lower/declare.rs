//! Gives every declared name its number before anything is lowered, so that order never matters.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{EventDecl, FieldDecl, Lower};
use crate::ids::{CodePtr, SelectId};
use crate::{
    grammar::PROPERTIES,
    ids::{EventTypeId, PhaseId, StepId, ZoneId},
    instr::Instr,
    names::{Space, pascal, snake},
    program::{AttrRule, BuiltIn, EventType, Overflow, PLAYERS_MAX, PhaseRule, StepRule, Visibility, ZoneRule},
    sort::{Sort, Type},
    term::Term,
    text::{DefineText, EventText, Label},
    violation::Code,
};

/// The fields of the engine's own event types.
fn built_in_fields(kind: BuiltIn) -> &'static [(&'static str, Type)] {
    const INT: Type = Type::INT;
    const PLAYER: Type = Type::PLAYER;
    const CARD: Type = Type::CARD;
    const PHASE: Type = Type::one(Sort::Phase);
    const STEP: Type = Type::one(Sort::Step);
    const KIND: Type = Type::one(Sort::EventType);
    const ENTITY: Type = Type::one(Sort::Entity);
    const PLAYERS: Type = Type::list(Sort::Player);
    const ZONE: Type = Type::one(Sort::Zone);
    const EVENT: Type = Type::one(Sort::Event);
    const ABILITY: Type = Type::one(Sort::Ability);
    match kind {
        BuiltIn::GameStart => &[],
        BuiltIn::TurnStart | BuiltIn::TurnEnd => &[("player", PLAYER), ("turn", INT)],
        BuiltIn::PhaseChanged => &[("from", PHASE), ("to", PHASE), ("player", PLAYER)],
        BuiltIn::StepStart | BuiltIn::StepEnd => &[("phase", PHASE), ("step", STEP), ("player", PLAYER)],
        BuiltIn::EventPrevented => &[
            ("event", EVENT),
            ("eventType", KIND),
            ("group", INT),
            ("by", EVENT),
            ("target", ENTITY),
            ("reason", INT),
            ("source", CARD),
        ],
        BuiltIn::EventFailed => {
            &[("event", EVENT), ("eventType", KIND), ("reason", INT), ("target", ENTITY), ("source", CARD)]
        }
        BuiltIn::NoLegalChoice => &[("player", PLAYER)],
        BuiltIn::CardMoved => &[("card", CARD), ("from", ZONE), ("to", ZONE), ("player", PLAYER)],
        BuiltIn::CardCreated => &[("card", CARD), ("to", ZONE), ("player", PLAYER)],
        BuiltIn::PlayerEliminated => &[("player", PLAYER)],
        BuiltIn::CostRefunded => &[("event", EVENT), ("player", PLAYER)],
        BuiltIn::ControlUsed => &[("verb", INT), ("player", PLAYER)],
        BuiltIn::AbilityTriggered => &[("source", CARD), ("ability", ABILITY)],
        BuiltIn::GameEnded => &[("winners", PLAYERS), ("reason", INT)],
    }
}

/// An attribute that holds a card or player: empty at first.
const LINK: AttrRule = AttrRule {
    column: 0,
    min: AttrRule::EMPTY,
    max: i32::MAX,
    start: AttrRule::EMPTY,
    on_cards: false,
    on_players: false,
    holds: Sort::Entity,
    has_auras: false,
};

/// What players can ask for in every game, and how requests speak of actions; an action of this name could not be taken.
const ACTION_WORDS: [&str; 4] = ["pass", "end_turn", "semantic", "direct_manipulation"];

fn built_in_subject(kind: BuiltIn) -> Option<u8> {
    matches!(kind, BuiltIn::CardMoved | BuiltIn::CardCreated | BuiltIn::AbilityTriggered).then_some(0)
}

impl<'a> Lower<'a> {
    pub(super) fn declare_all(&mut self) {
        let text = |key: &str| self.root.text_at(key).unwrap_or_default().to_string();
        let (id, name, version) = (text("id"), text("name"), text("version"));
        self.program.text.id = id;
        self.program.text.name = name;
        self.program.text.version = version;
        self.program.text.ui = self.root.get("ui").cloned();
        self.describe_game();
        self.declare_max_players();
        self.declare_attributes();
        self.declare_zones();
        self.declare_steps();
        self.declare_cards();
        self.declare_events();
        self.declare_defines();
    }

    /// What is told of the game, its decks, checks and definitions, which have no names to look up.
    fn describe_game(&mut self) {
        let labels = |section: &str| self.root.list_at(section).iter().map(label).collect();
        let (decks, checks) = (labels("decks"), labels("stateChecks"));
        let defines = self.root.list_at("define").iter().map(define_text).collect();
        let text = &mut self.program.text;
        text.description = self.root.text_at("description").unwrap_or_default().to_string();
        (text.decks, text.checks, text.defines) = (decks, checks, defines);
    }

    /// Declares the items of a section and keeps their labels.
    fn declare_section(&mut self, section: &str, space: Space) -> Vec<Label> {
        let mut labels = Vec::new();
        for term in self.root.list_at(section) {
            let label = label(term);
            self.declare(term, space, &label.id, labels.len());
            labels.push(label);
        }
        labels
    }

    fn declare(&mut self, term: &Term, space: Space, name: &str, number: usize) {
        // Said once: whatever comes after the first too many is too many as well.
        let is_first_too_many = number == usize::from(u16::MAX);
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        if is_first_too_many {
            self.report(term.place, Code::TooLarge, format!("too many of one kind: {}", space.noun()));
        }
        if !self.names.declare(space, name, number) {
            self.report(term.place, Code::DuplicateName, format!("{} is there twice: {name}", space.noun()));
        }
    }

    fn declare_max_players(&mut self) {
        let bounds = self.root.get("players");
        let at = |key: &str| bounds.and_then(|it| it.int_at(key));
        let max = at("max").or(at("min")).unwrap_or(2);
        let min = at("min").unwrap_or(max.min(2));
        let limit = i64::try_from(PLAYERS_MAX).unwrap_or(i64::MAX);
        if min < 1 || max < min || max > limit {
            let place = bounds.map_or(self.root.place, |it| it.place);
            self.report(
                place,
                Code::OutOfRange,
                format!("players must be 1 to {limit}, min not above max: {min} to {max}"),
            );
        }
        self.program.players.min = u8::try_from(min).unwrap_or(1);
        self.program.players.max = u8::try_from(max.clamp(1, limit)).unwrap_or(1);
    }

    fn declare_attributes(&mut self) {
        let mut n_cards = 0_u16;
        let mut n_players = 0_u16;
        let terms: Vec<(&Term, bool)> = self.root.list_at("attributes").iter().map(|it| (it, false)).collect();
        let resources = self.root.list_at("resources").iter().map(|it| (it, true));
        let all: Vec<(&Term, bool)> = terms.into_iter().chain(resources).collect();
        for (term, is_resource) in all {
            let on =
                |who: &str| term.get("on").is_some_and(|it| it.one_or_many().iter().any(|w| w.text() == Some(who)));
            let on_players = is_resource || on("player");
            let on_cards = !is_resource && (on("card") || term.get("on").is_none());
            if !on_cards && !on_players {
                self.report(term.place, Code::MissingKey, "an attribute is one of cards, of players or of both: `on`");
            }
            let column = match (on_cards, on_players) {
                (true, true) => n_cards.max(n_players),
                (true, false) => n_cards,
                _ => n_players,
            };
            let next = column.saturating_add(1);
            n_cards = if on_cards { next } else { n_cards };
            n_players = if on_players { next } else { n_players };
            self.declare_attribute(term, is_resource, column, on_cards, on_players);
        }
        self.program.stride = n_cards.max(n_players);
    }

    fn declare_attribute(&mut self, term: &Term, is_resource: bool, column: u16, on_cards: bool, on_players: bool) {
        let label = label(term);
        self.declare(term, Space::Attribute, &label.id, self.program.attrs.len());
        if PROPERTIES.iter().any(|it| it.name == label.id && it.of.iter().any(|of| of.fits(Sort::Entity))) {
            let message = format!("cards or players have this already: {}", label.id);
            self.report(term.place, Code::ReservedName, message);
        }
        let holds = term.text_at("holds").map_or(Sort::Int, |it| Type::parse(it).map_or(Sort::Int, |ty| ty.sort));
        let lowest = if is_resource { 0 } else { i32::MIN };
        if holds != Sort::Int {
            return self.declare_link(term, label, AttrRule { column, holds, on_cards, on_players, ..LINK });
        }
        let mut int = |key: &str, default: i32| {
            let found = self.int_in(term, key, i64::from(i32::MIN)..=i64::from(i32::MAX));
            found.and_then(|it| i32::try_from(it).ok()).unwrap_or(default)
        };
        let attr = AttrRule {
            column,
            min: int("min", lowest),
            max: int("max", i32::MAX),
            start: int("start", 0),
            on_cards,
            on_players,
            has_auras: false,
            holds,
        };
        self.check_bounds(term, &attr);
        self.program.attrs.push(attr);
        self.program.text.attrs.push(label);
    }

    /// Reports numbers that could not be: bounds that leave none, and a start outside of them.
    fn check_bounds(&mut self, term: &Term, attr: &AttrRule) {
        let AttrRule { min, max, start, .. } = *attr;
        let said = term.get("start");
        let place = said.map_or(term.place, |it| it.place);
        if min > max {
            let id = term.text_at("id").unwrap_or_default();
            self.report(term.place, Code::OutOfRange, format!("min is above max: {id}"));
        } else if said.is_some() && !attr.on_players {
            let message =
                "start does nothing in attribute: only players start with a number, cards have theirs printed";
            self.report(place, Code::IdleKey, message);
        } else if attr.on_players && !(min..=max).contains(&start) {
            self.report(place, Code::OutOfRange, format!("start must be between {min} and {max}: {start}"));
        }
    }

    fn declare_link(&mut self, term: &Term, label: Label, attr: AttrRule) {
        for key in ["min", "max", "start"] {
            if let Some(value) = term.get(key) {
                self.report(value.place, Code::NotAllowedHere, format!("only numbers have this: {key}"));
            }
        }
        self.program.attrs.push(attr);
        self.program.text.attrs.push(label);
    }

    fn declare_zones(&mut self) {
        self.program.text.zones = self.declare_section("zones", Space::Zone);
        let terms = self.root.list_at("zones");
        if terms.len() > 64 {
            self.report(self.root.place, Code::TooLarge, format!("more than 64 zones: {}", terms.len()));
        }
        let has_active = terms.iter().any(|it| it.flag("active"));
        for term in terms {
            if let Some(id @ ("any" | "reject")) = term.text_at("id") {
                self.report(term.place, Code::ReservedName, format!("no zone can be called by a word of zones: {id}"));
            }
            let per_player = term.text_at("owner") != Some("shared");
            let zone = ZoneRule {
                first: self.program.n_zones,
                per_player,
                visibility: match term.text_at("visibility") {
                    Some("owner") => Visibility::Owner,
                    Some("none") => Visibility::None,
                    _ => Visibility::All,
                },
                capacity: self
                    .int_in(term, "capacity", 0..=1_000_000)
                    .and_then(|it| u32::try_from(it).ok())
                    .unwrap_or(u32::MAX),
                overflow: self.overflow(term),
                active: term.flag("active") || (!has_active && is_active_unless_said(term)),
                resets: term.flag("resets"),
            };
            let instances = if per_player { u16::from(self.program.players.max) } else { 1 };
            self.program.n_zones = self.program.n_zones.saturating_add(instances);
            let kind = ZoneId::at(self.program.zones.len());
            let seats = (0..instances).map(|it| u8::try_from(it).ok().filter(|_| per_player));
            self.program.instances.extend(seats.map(|seat| (kind, seat)));
            self.program.zones.push(zone);
        }
    }

    fn overflow(&mut self, term: &Term) -> Overflow {
        match term.get("overflow") {
            Some(word) if word.text().is_some() && word.text() == term.text_at("id") => {
                self.report(word.place, Code::IdleKey, "a zone that is full has no room for what does not fit into it");
                Overflow::Reject
            }
            Some(word) if word.text() != Some("reject") => {
                self.name(word, Space::Zone).map_or(Overflow::Reject, |it| Overflow::Divert(ZoneId(it)))
            }
            _ => Overflow::Reject,
        }
    }

    fn declare_steps(&mut self) {
        let structure = self.root.get("turnStructure");
        let windows = structure.and_then(|it| it.get("priorityWindows"));
        for phase in structure.map_or(&[][..], |it| it.list_at("phases")) {
            let phase_id = PhaseId::at(self.program.phases.len());
            let phase_label = label(phase);
            self.declare(phase, Space::Phase, &phase_label.id, self.program.phases.len());
            self.program.phases.push(PhaseRule { first: StepId::at(self.program.steps.len()) });
            for step in phase.list_at("steps") {
                let label = label(step);
                self.declare(step, Space::Step, &label.id, self.program.steps.len());
                let listed =
                    |it: &Term| it.text_at("phase") == Some(&*phase_label.id) && it.text_at("step") == Some(&*label.id);
                self.program.steps.push(StepRule {
                    phase: phase_id,
                    mandatory: step.flag("mandatory"),
                    window: windows.is_none_or(|it| it.items().iter().any(listed)),
                    on_start: CodePtr::NONE,
                    on_start_cells: 0,
                    on_end: CodePtr::NONE,
                    on_end_cells: 0,
                });
                self.program.text.steps.push(label);
            }
            self.program.text.phases.push(phase_label);
        }
        self.check_windows(windows);
    }

    /// A window at a step that does not exist would never open.
    fn check_windows(&mut self, windows: Option<&Term>) {
        for window in windows.map_or(&[][..], Term::items) {
            if let Some(phase) = window.get("phase") {
                self.name(phase, Space::Phase);
            }
            let Some(step) = window.get("step") else { continue };
            let phase = window.text_at("phase").and_then(|it| self.names.find(Space::Phase, it));
            let at = self.name(step, Space::Step).and_then(|it| self.program.steps.get(usize::from(it)));
            if let (Some(phase), Some(at)) = (phase, at)
                && at.phase.0 != phase
            {
                let message = format!("this step is in another phase: {}", step.text().unwrap_or_default());
                self.report(step.place, Code::UnknownName, message);
            }
        }
    }

    fn declare_cards(&mut self) {
        self.program.text.types = self.declare_section("cardTypes", Space::CardType);
        self.program.text.keywords = self.declare_section("keywords", Space::Keyword);
        self.program.text.defs = self.declare_section("cards", Space::Card);
        for section in ["cardTypes", "keywords", "cards"] {
            for holder in self.root.list_at(section) {
                self.declare_abilities(holder.list_at("abilities"));
            }
        }
    }

    /// Abilities are called by their names, so one of two with the same name could never be used.
    fn declare_abilities(&mut self, terms: &[Term]) {
        let mut seen = Vec::new();
        for term in terms {
            let id = term.text_at("id");
            if id.is_some() && seen.contains(&id) {
                let message = format!("abilities has this name twice: {}", id.unwrap_or_default());
                self.report(term.place, Code::DuplicateName, message);
            }
            seen.push(id);
            self.declare_ability(term);
        }
    }

    fn declare_ability(&mut self, term: &Term) {
        let label = label(term);
        let id = self.names.intern(Space::Ability, &label.id);
        if usize::from(id) == self.program.text.abilities.len() {
            self.program.text.abilities.push(label);
        }
    }

    fn declare_events(&mut self) {
        for kind in BuiltIn::ALL {
            let fields = built_in_fields(kind).iter().map(|(name, ty)| FieldDecl {
                name: (*name).to_string(),
                ty: *ty,
                optional: true,
                new: false,
            });
            self.add_event(self.root, &format!("{kind:?}"), fields.collect());
            if let Some(row) = self.program.events.last_mut() {
                row.subject = built_in_subject(kind);
                // What a step does can be kept from happening; that the turn goes on cannot (ruling 75).
                row.preventable = kind == BuiltIn::StepStart;
            }
        }
        self.names.declare(Space::Event, "ZoneMoved", BuiltIn::CardMoved.id().0);
        for term in self.root.list_at("events") {
            self.declare_event(term);
        }
        for term in self.root.list_at("actions") {
            self.declare_action_event(term);
        }
        self.declare_facts();
    }

    fn declare_event(&mut self, term: &Term) {
        let fields = term.get("fields").map_or(&[][..], Term::entries).iter().map(|it| {
            let text = it.value.text().unwrap_or("int");
            let bare = text.strip_suffix('?').unwrap_or(text);
            let new = bare == "newCard";
            FieldDecl {
                name: it.key.clone(),
                ty: if new { Type::CARD } else { Type::parse(bare).unwrap_or(Type::INT) },
                optional: text.ends_with('?'),
                new,
            }
        });
        let fields: Vec<FieldDecl> = fields.collect();
        if fields.len() > 32 {
            self.report(term.place, Code::TooLarge, "an event type has at most 32 fields");
        }
        self.add_event(term, term.text_at("id").unwrap_or_default(), fields);
    }

    fn declare_action_event(&mut self, term: &Term) {
        let id = term.text_at("id").unwrap_or_default();
        if ACTION_WORDS.contains(&id) {
            self.report(term.place, Code::ReservedName, format!("every game has this already: {id}"));
        }
        let name = term.text_at("event").map_or_else(|| pascal(id), ToString::to_string);
        self.add_event(term, &name, Vec::new());
    }

    fn add_event(&mut self, term: &Term, name: &str, fields: Vec<FieldDecl>) {
        self.declare(term, Space::Event, name, self.events.len());
        let row = EventType {
            fields: fields.iter().map(|it| it.ty).collect(),
            subject: None,
            fan_out: SelectId::NONE,
            preventable: term.get("preventable").and_then(Term::bool).unwrap_or(true),
            has_fact: true,
            skip_when: CodePtr::NONE,
            requires: CodePtr::NONE,
            apply: CodePtr::NONE,
            effects: CodePtr::NONE,
            cells: u16::try_from(fields.len()).unwrap_or(u16::MAX),
            needs_row: true,
            may_miss: false,
            may_fail: false,
        };
        self.program.events.push(row);
        // An action is an event, too; what the ruleset as a whole says is not about it.
        let is_declared = !core::ptr::eq(term, self.root);
        let own = |key: &str| term.text_at(key).filter(|_| is_declared).unwrap_or_default().to_string();
        self.program.text.events.push(EventText {
            id: name.to_string(),
            fact: name.to_string(),
            told_as: term.text_at("fact").unwrap_or_default().to_string(),
            fields: fields.iter().map(|it| it.name.clone()).collect(),
            types: declared_types(term),
            doc: own("doc"),
            template: own("text"),
            level: own("level"),
            cue: own("cue"),
            ui: term.get("ui").cloned().filter(|_| is_declared),
        });
        let id = EventTypeId::at(self.events.len());
        self.event_ops.entry(snake(name)).or_insert(id);
        let is_intent = term.get("apply").is_some() || term.get("effects").is_some();
        self.events.push(EventDecl { id: name.to_string(), fields, fact: None, is_intent });
    }

    /// A fact of another event type stands for that one; a new name is another name for this one.
    fn declare_facts(&mut self) {
        for term in self.root.list_at("events") {
            let Some(fact) = term.text_at("fact") else {
                continue;
            };
            let Some(id) = term.text_at("id").and_then(|it| self.names.find(Space::Event, it)) else {
                continue;
            };
            let other = self.names.find(Space::Event, fact).filter(|it| *it != id);
            let stands_for = if fact == "none" { None } else { other };
            let names_itself = fact != "none" && other.is_none();
            if let Some(row) = self.program.events.get_mut(usize::from(id)) {
                row.has_fact = names_itself;
            }
            if let Some(decl) = self.events.get_mut(usize::from(id)) {
                decl.fact = stands_for.map(EventTypeId);
            }
            if names_itself {
                self.names.declare(Space::Event, fact, id);
                if let Some(text) = self.program.text.events.get_mut(usize::from(id)) {
                    text.fact = fact.to_string();
                }
            }
        }
    }

    fn declare_defines(&mut self) {
        for term in self.root.list_at("define") {
            let Some(id) = term.text_at("id") else {
                continue;
            };
            let taken = crate::grammar::OPS.iter().any(|it| it.name == id);
            if taken {
                self.report(term.place, Code::ReservedName, format!("this is an operation of the engine: {id}"));
            }
            self.defines.insert(id, term);
        }
    }

    /// The code that ends the game, which is how the engine's own `GameEnded` is applied.
    pub(super) fn lower_built_ins(&mut self) {
        let code = self.chunk(Instr::End, |it| {
            it.emit(Instr::LocalList(0));
            it.emit(Instr::Local(1));
            it.emit(Instr::EndGame);
        });
        if let Some(row) = self.program.events.get_mut(BuiltIn::GameEnded.id().index()) {
            row.apply = code;
            row.has_fact = false;
        }
    }
}

/// Where abilities work in a game that says nothing about it.
fn is_active_unless_said(zone: &Term) -> bool {
    zone.text_at("id") == Some("battlefield") && zone.get("active").is_none()
}

/// What is told of a definition.
fn define_text(term: &Term) -> DefineText {
    let of = |spec: &Term| spec.text().or_else(|| spec.text_at("type")).unwrap_or_default().to_string();
    let params = term.get("params").map_or(&[][..], Term::entries).iter();
    DefineText { label: label(term), params: params.map(|it| (it.key.clone(), of(&it.value))).collect() }
}

/// The types of an event's fields as they are written.
fn declared_types(term: &Term) -> Vec<String> {
    let fields = term.get("fields").map_or(&[][..], Term::entries);
    fields.iter().map(|it| it.value.text().unwrap_or_default().to_string()).collect()
}

/// What is shown for an item.
pub(super) fn label(term: &Term) -> Label {
    let text = |key: &str| term.text_at(key).unwrap_or_default().to_string();
    let id = text("id");
    let name = if term.text_at("name").is_some() { text("name") } else { id.clone() };
    let words = if term.text_at("text").is_some() { text("text") } else { text("description") };
    let labels = term.get("labels").map_or(&[][..], |it| it.entries());
    Label {
        id,
        name,
        text: words,
        hint: text("hint"),
        layout: text("layout"),
        area: text("area"),
        show: text("show"),
        labels: labels.iter().map(|it| (it.key.clone(), it.value.text().unwrap_or_default().to_string())).collect(),
        ui: term.get("ui").cloned(),
    }
}
