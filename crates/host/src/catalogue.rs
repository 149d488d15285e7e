//! The catalogue of a game: from the program of a ruleset, or as a script declares it.

use std::collections::BTreeMap;

use ruleset::{
    Program, RuleId,
    program::{ActionTiming, AttrRule, BuiltIn, CardDef, Slot as SlotRule, Timing, Visibility as Sees, ZoneRule},
    sort::Sort,
    text::{EventText, Label},
};
use script::Script;
use view::{
    Ability, Action, Area, Attribute, AttributeKind, Catalogue, Deck, EventType, Layout, Level, Phase, Policy, Printed,
    Show, Slot, Step, Term, Visibility, ZoneKind,
};

use crate::{game::Game, names::named, ruled_event, telling, ui};

impl Game {
    /// What never changes about the game.
    pub fn catalogue(&self) -> Catalogue {
        let policy = self.policy();
        let policy = Policy {
            undo: policy.undo,
            disconnect_grace_ms: policy.disconnect_grace_ms,
            entry: policy.stakes.map(|it| it.entry),
        };
        let seats = [*self.seats().start(), *self.seats().end()];
        let rules = hex(&self.rules_hash());
        match self {
            Self::Ruleset(ruleset) => Catalogue { rules, seats, policy, ..of_program(ruleset.program()) },
            Self::Script(script) => Catalogue { rules, seats, policy, ..of_script(script) },
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

fn of_script(script: &Script) -> Catalogue {
    let declared = (*script.catalogue).clone();
    let name = if declared.name.is_empty() { script.name.clone() } else { declared.name.clone() };
    let mut events = declared.events.clone();
    for (kind, fields, text, level) in SCRIPT_EVENTS {
        if !events.iter().any(|it| it.kind == kind) {
            let fields = fields.iter().map(|it| (it.0.to_owned(), it.1.to_owned())).collect();
            let (text, cue) = (text.to_owned(), telling::cue(kind));
            events.push(EventType { kind: kind.to_owned(), fields, text, level, cue, ui: None });
        }
    }
    Catalogue { game: script.name.clone(), name, events, ..declared }
}

/// An event that every script tells: its fields, its sentence, and who cares.
type ScriptEvent = (&'static str, &'static [(&'static str, &'static str)], &'static str, Level);

/// What the table of a script tells by itself.
const SCRIPT_EVENTS: [ScriptEvent; 7] = [
    ("moved", &[("card", "card"), ("from", "text"), ("to", "text")], "{card} moves from {from} to {to}", Level::Detail),
    (
        "dealt",
        &[("cards", "list card"), ("from", "text"), ("to", "text")],
        "from {from} to {to}: {cards}",
        Level::Detail,
    ),
    ("shown", &[("card", "card")], "{card} is shown", Level::Story),
    ("shuffled", &[("zone", "text")], "{zone} is shuffled", Level::Detail),
    (
        "ended",
        &[("winners", "list player"), ("reason", "text")],
        "the match is over, won by {winners}: {reason}",
        Level::Story,
    ),
    ("broken", &[("code", "text"), ("mistake", "text")], "the game cannot go on: {mistake}", Level::Story),
    ("Undone", &[("by", "text")], "{by} took back", Level::Story),
];

fn of_program(program: &Program) -> Catalogue {
    let text = &program.text;
    Catalogue {
        game: text.id.clone(),
        name: text.name.clone(),
        description: text.description.clone(),
        attributes: (0..)
            .zip(&program.attrs)
            .zip(&text.attrs)
            .map(|((at, it), text)| attribute(at, it, text))
            .collect(),
        zones: (0..).zip(&program.zones).zip(&text.zones).map(|((at, it), text)| zone(at, it, text)).collect(),
        types: text.types.iter().map(term).collect(),
        keywords: text.keywords.iter().map(term).collect(),
        cards: program.defs.iter().zip(&text.defs).map(|(it, text)| card(program, it, text)).collect(),
        phases: text.phases.iter().enumerate().map(|(at, it)| phase(program, at, it)).collect(),
        actions: actions(program),
        events: events(program),
        decks: program.decks.iter().zip(&text.decks).map(|(it, label)| deck(program, it, label)).collect(),
        reasons: text.reasons.clone(),
        ui: text.ui.as_ref().map(ui::value),
        ..Catalogue::default()
    }
}

fn term(it: &Label) -> Term {
    Term { id: it.id.clone(), name: it.name.clone(), text: it.text.clone(), ui: it.ui.as_ref().map(ui::value) }
}

fn attribute(order: u32, rule: &AttrRule, label: &Label) -> Attribute {
    let on = [("player", rule.on_players), ("card", rule.on_cards)];
    let kind = match (rule.is_link(), label.labels.is_empty()) {
        (true, _) => AttributeKind::Link,
        (false, false) => AttributeKind::Enum,
        (false, true) if (rule.min, rule.max) == (0, 1) => AttributeKind::Flag,
        (false, true) => AttributeKind::Stat,
    };
    let holds = match rule.holds {
        Sort::Card => "card",
        Sort::Player => "player",
        _ if rule.is_link() => "entity",
        _ => "int",
    };
    Attribute {
        id: label.id.clone(),
        name: label.name.clone(),
        on: on.iter().filter(|it| it.1).map(|it| it.0.to_owned()).collect(),
        holds: holds.to_owned(),
        kind,
        order,
        default: 0,
        show: Show::from_word(&label.show).unwrap_or(if rule.on_players { Show::Always } else { Show::Nonzero }),
        labels: label.labels.iter().cloned().collect(),
        ui: label.ui.as_ref().map(ui::value),
    }
}

fn zone(order: u32, rule: &ZoneRule, label: &Label) -> ZoneKind {
    let visibility = match rule.visibility {
        Sees::All => Visibility::All,
        Sees::Owner => Visibility::Owner,
        Sees::None => Visibility::None,
    };
    let layout = match visibility {
        Visibility::Owner => Layout::Fan,
        Visibility::None => Layout::Pile,
        Visibility::All => Layout::Row,
    };
    let area = if rule.per_player { Area::Near } else { Area::Centre };
    ZoneKind {
        id: label.id.clone(),
        name: label.name.clone(),
        owner: if rule.per_player { "player" } else { "shared" }.to_owned(),
        visibility,
        layout: Layout::from_word(&label.layout).unwrap_or(layout),
        area: Area::from_word(&label.area).unwrap_or(area),
        order,
        capacity: Some(rule.capacity).filter(|it| *it != u32::MAX),
        ui: label.ui.as_ref().map(ui::value),
    }
}

fn card(program: &Program, def: &CardDef, label: &Label) -> Printed {
    let text = &program.text;
    let value = |(rule, name): (&AttrRule, &Label)| {
        let printed = def.printed.get(usize::from(rule.column)).copied().unwrap_or(0);
        (rule.on_cards && !rule.is_link() && printed != 0).then(|| (name.id.clone(), i64::from(printed)))
    };
    let is_activated = |it: &&RuleId| program.rule(**it).is_some_and(|it| it.timing == Timing::Activated);
    Printed {
        id: label.id.clone(),
        name: label.name.clone(),
        kind: text.types.get(def.card_type.index()).map(|it| it.id.clone()),
        text: label.text.clone(),
        printed: program.attrs.iter().zip(&text.attrs).filter_map(value).collect(),
        keywords: def.keywords.iter().map(|it| named(&text.keywords, it.index())).collect(),
        abilities: def.rules.iter().filter(is_activated).map(|it| ability(program, *it)).collect(),
        art: None,
        ui: label.ui.as_ref().map(ui::value),
    }
}

fn ability(program: &Program, id: RuleId) -> Ability {
    let label = program.text.rules.get(id.index()).cloned().unwrap_or_default();
    let slots = program.rule(id).map_or(&[][..], |it| &it.slots);
    let names = program.text.rule_slots.get(id.index()).map_or(&[][..], |it| it);
    let slots = slots.iter().zip(names).map(|(it, name)| slot(it, name, &[])).collect();
    Ability { id: label.id, name: label.name, text: label.text, slots }
}

fn slot(rule: &SlotRule, name: &str, modes: &[Label]) -> Slot {
    let takes = match rule.ty.sort {
        _ if !modes.is_empty() => "mode",
        Sort::Card => "card",
        Sort::Player => "player",
        Sort::Ability => "ability",
        Sort::Event => "event",
        Sort::Int => "int",
        Sort::Zone => "zone",
        Sort::Def => "def",
        Sort::Keyword => "keyword",
        Sort::CardType => "type",
        Sort::Entity
        | Sort::Bool
        | Sort::Attribute
        | Sort::Resource
        | Sort::EventType
        | Sort::Phase
        | Sort::Step
        | Sort::Answers
        | Sort::Origin => "entity",
    };
    let modes = modes.iter().map(term).collect();
    Slot { id: name.to_owned(), takes: takes.to_owned(), min: rule.min, max: rule.max, modes }
}

fn phase(program: &Program, at: usize, label: &Label) -> Phase {
    let steps = program.steps.iter().zip(&program.text.steps).filter(|it| it.0.phase.index() == at);
    let step = |(rule, label): (&ruleset::program::StepRule, &Label)| Step {
        id: label.id.clone(),
        name: label.name.clone(),
        hint: label.hint.clone(),
        has_window: rule.window,
        ui: label.ui.as_ref().map(ui::value),
    };
    Phase {
        id: label.id.clone(),
        name: label.name.clone(),
        hint: label.hint.clone(),
        steps: steps.map(step).collect(),
        ui: label.ui.as_ref().map(ui::value),
    }
}

fn actions(program: &Program) -> Vec<Action> {
    let action = |(rule, text): (&ruleset::program::ActionRule, &ruleset::text::ActionText)| {
        let slots = rule.slots.iter().zip(&text.slots).zip(&text.modes);
        let timing = match rule.timing {
            ActionTiming::AtOnce => "instant",
            ActionTiming::Sorcery => "sorcery",
            ActionTiming::Stack => "stack",
        };
        Action {
            id: text.label.id.clone(),
            name: text.label.name.clone(),
            text: text.label.text.clone(),
            hint: text.label.hint.clone(),
            timing: timing.to_owned(),
            slots: slots.map(|((it, name), modes)| slot(it, name, modes)).collect(),
            ui: text.label.ui.as_ref().map(ui::value),
        }
    };
    program.actions.iter().zip(&program.text.actions).map(action).collect()
}

/// Every type of events, under its name while it waits and once it happened.
fn events(program: &Program) -> Vec<EventType> {
    let mut types: Vec<EventType> = Vec::new();
    for (at, (rule, text)) in program.events.iter().zip(&program.text.events).enumerate() {
        let is_built_in = at < BuiltIn::ALL.len();
        let named = text.fields.iter().zip(&rule.fields);
        let fields: BTreeMap<String, String> = named
            .map(|(name, ty)| {
                let name = if is_built_in && name == "event" { "eventId" } else { name };
                (name.to_owned(), if ty.many { format!("list {}", word(ty.sort)) } else { word(ty.sort).to_owned() })
            })
            .collect();
        for name in [&text.id, &text.fact] {
            if !types.iter().any(|it| it.kind == *name) {
                types.push(event_type(name, at, text, fields.clone()));
            }
        }
    }
    types
}

fn event_type(name: &str, at: usize, text: &EventText, fields: BTreeMap<String, String>) -> EventType {
    EventType {
        kind: name.to_owned(),
        fields,
        text: if text.template.is_empty() { telling::sentence(name) } else { text.template.clone() },
        level: ruled_event::level(&text.level, ruleset::EventTypeId::at(at)),
        cue: if text.cue.is_empty() { telling::cue(name) } else { text.cue.clone() },
        ui: text.ui.as_ref().map(ui::value),
    }
}

/// What a field of an event holds, in a word.
fn word(sort: Sort) -> &'static str {
    match sort {
        Sort::Int => "int",
        Sort::Bool => "bool",
        Sort::Card => "card",
        Sort::Player => "player",
        Sort::Entity => "entity",
        Sort::Event => "event",
        Sort::Zone => "zone",
        Sort::Attribute | Sort::Resource => "attribute",
        Sort::Keyword => "keyword",
        Sort::Def => "def",
        Sort::CardType => "type",
        Sort::EventType => "eventType",
        Sort::Ability => "ability",
        Sort::Phase => "phase",
        Sort::Step => "step",
        Sort::Answers => "answers",
        Sort::Origin => "origin",
    }
}

fn deck(program: &Program, it: &ruleset::program::Deck, label: &Label) -> Deck {
    let card = |it: &(ruleset::DefId, u16)| (named(&program.text.defs, it.0.index()), it.1);
    Deck { id: it.id.clone(), name: label.name.clone(), cards: it.cards.iter().map(card).collect() }
}
