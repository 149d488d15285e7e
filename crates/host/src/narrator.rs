//! Tells what a match does, a line for everything a player would notice.

use std::{collections::BTreeMap, sync::Arc};

use engine::{
    EntityId, EventNo, PlayerId, Record, Sink,
    fault::Failure,
    state::{FrameKind, Lasts, MatchState, ModKind, Modifier, NO_ZONE, Origin, Reason},
};
use ruleset::{
    DefId, EventTypeId, NULL, Program, Ruleset,
    program::BuiltIn,
    sort::{Sort, Type},
    text::Label,
};

/// Writes lines from records.
#[derive(Clone)]
pub struct Narrator {
    ruleset: Arc<Ruleset>,
    n_players: u8,
    defs: BTreeMap<EntityId, DefId>,
    /// The number behind a card's name, where the author gave one.
    pub labels: BTreeMap<EntityId, String>,
    events: BTreeMap<EventNo, String>,
    values: BTreeMap<(EntityId, u16), i32>,
    pub lines: Vec<String>,
}

impl Narrator {
    pub fn new(ruleset: Arc<Ruleset>, n_players: u8) -> Self {
        Self {
            ruleset,
            n_players,
            defs: BTreeMap::new(),
            labels: BTreeMap::new(),
            events: BTreeMap::new(),
            values: BTreeMap::new(),
            lines: Vec::new(),
        }
    }

    fn program(&self) -> &Program {
        self.ruleset.program()
    }

    /// A card or player by name.
    pub fn entity(&self, id: EntityId) -> String {
        if id.is_none() {
            return "nothing".to_owned();
        }
        if id.0 < u32::from(self.n_players) {
            return format!("p{}", id.0 + 1);
        }
        let name =
            self.defs.get(&id).and_then(|it| self.program().text.defs.get(it.index())).map_or("unborn", |it| &it.name);
        let label = self.labels.get(&id).cloned().unwrap_or_else(|| (id.0 - u32::from(self.n_players) + 1).to_string());
        format!("{}#{label}", name.replace(' ', "_"))
    }

    fn player(&self, id: PlayerId) -> String {
        self.entity(id.into())
    }

    /// An event, fact or row by name.
    pub fn event(&self, id: EventNo) -> String {
        self.events
            .get(&id)
            .cloned()
            .unwrap_or_else(|| if id.is_none() { "nothing".to_owned() } else { format!("e{}", id.0) })
    }

    fn zone(&self, zone: u16) -> String {
        let found = if zone == NO_ZONE { None } else { self.program().zone_of(zone) };
        let Some((kind, seat)) = found else { return "nowhere".to_owned() };
        let name = &self.program().text.zones[kind.index()].id;
        seat.map_or_else(|| name.clone(), |it| format!("{name} of p{}", it + 1))
    }

    /// One value by its type.
    pub fn value(&self, value: i64, ty: Type) -> String {
        let text = &self.program().text;
        let named = |labels: &[ruleset::text::Label]| {
            usize::try_from(value)
                .ok()
                .and_then(|it| labels.get(it))
                .map_or_else(|| value.to_string(), |it| it.id.clone())
        };
        if value == NULL {
            return "nothing".to_owned();
        }
        match ty.sort {
            Sort::Int | Sort::Answers | Sort::Origin => value.to_string(),
            Sort::Bool => (value == 1).to_string(),
            Sort::Card | Sort::Player | Sort::Entity => self.entity(EntityId::from(value)),
            Sort::Event => self.event(EventNo::from(value)),
            Sort::Zone => named(&text.zones),
            Sort::Attribute | Sort::Resource => named(&text.attrs),
            Sort::Keyword => named(&text.keywords),
            Sort::Def => named(&text.defs),
            Sort::CardType => named(&text.types),
            Sort::EventType => usize::try_from(value)
                .ok()
                .and_then(|it| text.events.get(it))
                .map_or_else(|| value.to_string(), |it| it.id.clone()),
            Sort::Ability => named(&text.abilities),
            Sort::Phase => named(&text.phases),
            Sort::Step => named(&text.steps),
        }
    }

    /// Fields as `name=value`, those that are nothing left out.
    fn fields(&self, kind: EventTypeId, args: &[i64], one_subject: bool) -> String {
        let row = &self.program().events[kind.index()];
        let names = &self.program().text.events[kind.index()].fields;
        let mut parts = Vec::new();
        for (i, ty) in row.fields.iter().enumerate() {
            let value = args.get(i).copied().unwrap_or(NULL);
            let single = one_subject && row.subject == u8::try_from(i).ok();
            if value == NULL {
                continue;
            }
            let shown = if ty.many && !single {
                let (start, len) =
                    (usize::try_from(value >> 32).unwrap_or(0), usize::try_from(value & 0x7fff_ffff).unwrap_or(0));
                let items: Vec<String> =
                    args.iter().skip(start).take(len).map(|it| self.value(*it, Type::one(ty.sort))).collect();
                format!("[{}]", items.join(" "))
            } else {
                self.value(value, *ty)
            };
            parts.push(format!(" {}={shown}", names[i]));
        }
        parts.concat()
    }

    fn say(&mut self, line: String) {
        self.lines.push(line);
    }

    fn name_event(&self, kind: EventTypeId) -> String {
        self.program().text.events[kind.index()].id.clone()
    }

    fn pushed(&mut self, frame: &engine::state::Frame, cells: &[i64]) {
        match frame.kind {
            FrameKind::Intent | FrameKind::Member => {
                let name = self.name_event(frame.etype);
                self.events.insert(frame.event, name.clone());
                let is_built_in = frame.etype.index() < BuiltIn::ALL.len();
                if is_built_in || frame.stage != engine::state::Stage::Fresh {
                    return;
                }
                let fields = self.fields(frame.etype, cells, false);
                let who =
                    if frame.action.is_some() { format!("{} ", self.player(frame.controller)) } else { String::new() };
                let group =
                    if frame.kind == FrameKind::Member { format!(" (group {})", frame.group) } else { String::new() };
                self.say(format!("+ {who}{name}{fields}{group}"));
            }
            FrameKind::Trigger => self.trigger(frame, "*"),
            FrameKind::Group | FrameKind::Order => {
                self.events.insert(frame.event, "group".to_owned());
            }
        }
    }

    fn trigger(&mut self, frame: &engine::state::Frame, mark: &str) {
        let name = self.program().text.rules[frame.rule.index()].id.clone();
        self.events.insert(frame.event, name.clone());
        let of = if frame.source.is_none() { String::new() } else { format!(" of {}", self.entity(frame.source)) };
        self.say(format!("{mark} {name}{of}"));
    }

    fn happened(&mut self, event: EventNo, kind: EventTypeId, args: &[i64]) {
        let text = &self.program().text.events[kind.index()];
        let name = text.fact.clone();
        self.events.insert(event, name.clone());
        if kind == BuiltIn::EventPrevented.id() {
            let share =
                if args[4] == NULL { String::new() } else { format!(" for {}", self.entity(EntityId::from(args[4]))) };
            let reason =
                [Reason::None, Reason::Prevented, Reason::Fizzled, Reason::Impossible, Reason::Group, Reason::Dropped]
                    .get(usize::try_from(args[5]).unwrap_or(0))
                    .map_or(String::new(), |it| format!("{it:?}").to_lowercase());
            let by = if args[3] == NULL {
                format!(" ({reason})")
            } else {
                format!(" by {}", self.event(EventNo::from(args[3])))
            };
            return self.say(format!("EventPrevented {}{share}{by}", self.event(EventNo::from(args[0]))));
        }
        if kind == BuiltIn::EventFailed.id() {
            let of = if args[0] == NULL { String::new() } else { format!(" {}", self.event(EventNo::from(args[0]))) };
            let share =
                if args[3] == NULL { String::new() } else { format!(" for {}", self.entity(EntityId::from(args[3]))) };
            let why = Failure::from_number(args[2]).map_or(String::new(), |it| format!(" ({})", it.as_str()));
            return self.say(format!("EventFailed{of}{share}{why}"));
        }
        if kind == BuiltIn::GameEnded.id() {
            let reason = usize::try_from(args[1]).ok().and_then(|it| self.program().text.reasons.get(it)).cloned();
            let winners: Vec<String> = args.iter().skip(2).map(|it| self.entity(EntityId::from(*it))).collect();
            let winners = if winners.is_empty() { "nobody".to_owned() } else { winners.join(" and ") };
            return self
                .say(format!("GameEnded {winners} won{}", reason.map_or(String::new(), |it| format!(" ({it})"))));
        }
        let fields = self.fields(kind, args, true);
        self.say(format!("{name}{fields}"));
    }

    /// What a modifier does, and how long.
    fn modifier(&self, it: &Modifier) -> String {
        let text = &self.program().text;
        let name = |labels: &[Label]| labels.get(usize::from(it.of)).map_or_else(String::new, |it| it.id.clone());
        let what = match it.what {
            ModKind::Add => format!("{} {:+}", name(&text.attrs), it.value),
            ModKind::Set => format!("{} is {}", name(&text.attrs), it.value),
            ModKind::Grant => format!("has {}", name(&text.keywords)),
            ModKind::Lose => format!("loses {}", name(&text.keywords)),
            ModKind::Mute if it.of == u16::MAX => "loses all abilities".to_owned(),
            ModKind::Mute => format!("loses {}", name(&text.abilities)),
        };
        let lasts = match it.lasts {
            Lasts::Permanent => String::new(),
            Lasts::Turn => " this turn".to_owned(),
            Lasts::TurnOf(player) => format!(" until the turn of {}", self.player(player)),
            Lasts::Source => format!(" while {} is in play", self.entity(it.source)),
        };
        format!("  {}: {what}{lasts}", self.entity(it.target))
    }
}

impl Sink for Narrator {
    fn record(&mut self, _state: &MatchState, record: &Record<&[i64]>) {
        match record {
            Record::Pushed(frame, cells) | Record::AtOnce(frame, cells) => self.pushed(frame, cells),
            Record::Held { frame, .. } => self.trigger(frame, "* (held)"),
            Record::Asked(ask) => {
                let players: Vec<String> = (0..self.n_players)
                    .map(PlayerId)
                    .filter(|it| ask.seats & it.bit() != 0)
                    .map(|it| self.player(it))
                    .collect();
                let prompt = self
                    .program()
                    .text
                    .asks
                    .get(ask.ask.index())
                    .map(|it| it.prompt.clone())
                    .filter(|it| !it.is_empty());
                let prompt = prompt.map_or(String::new(), |it| format!(" \"{it}\""));
                self.say(format!("? {} {} {}-{}{prompt}", players.join(" "), ask.kind.as_str(), ask.min, ask.max));
            }
            Record::Answered { player, origin, .. } if *origin != Origin::Confirmed => {
                let origin = format!("{origin:?}").to_lowercase();
                self.say(format!("{} answers ({origin})", self.player(*player)));
            }
            Record::WindowSet(Some(window)) => {
                let to = if window.responds_to.is_none() {
                    String::new()
                } else {
                    format!(" to respond to {}", self.event(window.responds_to))
                };
                self.say(format!("priority {}{to}", self.player(window.holder)));
            }
            Record::TimerSet(Some(timer)) => {
                let name = self.program().text.timers[timer.timer.index()].id.clone();
                self.say(format!("waits {name} {} ms", timer.ms));
            }
            Record::Paused(Some(pause)) => self.say(format!("paused {pause:?}")),
            Record::Paused(None) => self.say("resumed".to_owned()),
            Record::AttrSet { entity, column, value } => {
                let old = self.values.insert((*entity, *column), *value);
                let is_player = entity.0 < u32::from(self.n_players);
                let attr = self.program().attr_in(*column, is_player);
                let name =
                    attr.map_or_else(|| column.to_string(), |it| self.program().text.attrs[it.index()].id.clone());
                if attr.and_then(|it| self.program().attr(it)).is_some_and(|it| it.is_link()) {
                    let to =
                        u32::try_from(*value).map_or_else(|_| "nothing".to_owned(), |it| self.entity(EntityId(it)));
                    return self.say(format!("  {}.{name} {to}", self.entity(*entity)));
                }
                let old = old.or_else(|| {
                    self.defs
                        .get(entity)
                        .and_then(|it| self.program().def(*it)?.printed.get(usize::from(*column)).copied())
                });
                let old = old.map_or(String::new(), |it| format!("{it} -> "));
                self.say(format!("  {}.{name} {old}{value}", self.entity(*entity)));
            }
            Record::Moved { card, from, to, event, .. } => {
                self.events.insert(*event, "CardMoved".to_owned());
                self.say(format!("CardMoved {} {} -> {}", self.entity(*card), self.zone(*from), self.zone(*to)));
            }
            Record::Created { card, def, to, event, .. } => {
                self.defs.insert(*card, *def);
                self.events.insert(*event, "CardCreated".to_owned());
                if event.is_some() {
                    self.say(format!("CardCreated {} in {}", self.entity(*card), self.zone(*to)));
                }
            }
            Record::Ordered(zone, _) => self.say(format!("  {} has a new order", self.zone(*zone))),
            Record::Shuffled(zone, _) => self.say(format!("  {} is shuffled", self.zone(*zone))),
            Record::ModAdded(it) => self.say(self.modifier(it)),
            Record::Delayed(head, _) => {
                let rule = self.program().text.rules.get(head.rule.index()).map_or("", |it| &it.id);
                let name = if rule.is_empty() { "a rule" } else { rule };
                let event = self.program().rule(head.rule).map_or(ruleset::EventTypeId::NONE, |it| it.event);
                let event = self.program().text.events.get(event.index()).map_or("", |it| &it.id);
                self.say(format!("  {name} waits for {event}"));
            }
            Record::DelayDropped(_) => self.say("  a rule waits no more".to_owned()),
            Record::ModDropped(no) => self.say(format!("  modifier {no} ends")),
            Record::Revealed { card, .. } => self.say(format!("  {} is shown", self.entity(*card))),
            Record::ControlSet { card, player } => {
                self.say(format!("  {} is controlled by {}", self.entity(*card), self.player(*player)))
            }
            Record::Happened { event, kind, args, .. } => self.happened(*event, *kind, args),
            Record::Undone { to, .. } => {
                // Values are as they were then, which this does not know.
                self.values.clear();
                self.say(format!("Undone to version {to}"));
            }
            _ => {}
        }
    }
}
