//! What happens in a match of a ruleset, as a viewer is told of it.

use std::collections::BTreeMap;

use engine::{
    Match,
    fault::Failure,
    state::Reason,
    view::{EventView, FieldView, Projector, Reacting},
};
use ruleset::{Program, program::BuiltIn, sort::Sort};
use view::{Event, Level, Payload, Ref, Status, Told, template::Filling};

use crate::{
    names::{self, named, player},
    telling,
};

/// An event with its number for the viewer.
pub fn told(live: &Match, projector: &Projector, event: &EventView) -> Told {
    let (kind, payload) = match &event.reaction {
        Some(reaction) => (reaction_name(live.ruleset().program(), reaction), reaction_fields(reaction)),
        None => (event_name(live.ruleset().program(), event), payload(live, event)),
    };
    let text = live.ruleset().program().text.events.get(event.kind.index()).filter(|_| event.reaction.is_none());
    let title = |it: &Ref| names::title(live, projector, it);
    let template = text.map_or("", |it| it.template.as_str());
    let status = status(event);
    let words = telling::words(&kind, status, template, &payload, &|it| fill(it, &title));
    let cue = text.map(|it| it.cue.clone()).filter(|it| !it.is_empty()).unwrap_or_else(|| telling::cue(&kind));
    Told {
        sequence: event.seq,
        cards: cards(live, projector, event),
        level: text.map_or(Level::Detail, |it| level(&it.level, event.kind)),
        text: words,
        cue,
        by: event.by.and_then(player),
        ends: event.ends.map(event_id),
        event: Event {
            id: event_id(event.seq),
            kind,
            payload,
            caused_by: event.caused_by.map(event_id),
            group_id: event.group,
            status,
        },
    }
}

/// That something was taken back.
pub fn undone(by: &str, sequence: u32) -> Told {
    Told {
        sequence,
        event: Event {
            id: event_id(sequence),
            kind: "Undone".to_owned(),
            payload: BTreeMap::from([("by".to_owned(), Payload::Text(by.to_owned()))]),
            caused_by: None,
            group_id: None,
            status: Status::Applied,
        },
        by: None,
        ends: None,
        cards: BTreeMap::new(),
        text: format!("{by} took back"),
        cue: "undone".to_owned(),
        level: Level::Story,
    }
}

fn event_id(seq: u32) -> String {
    Ref::Event(seq).to_string()
}

fn event_name(program: &Program, event: &EventView) -> String {
    let text = program.text.events.get(event.kind.index());
    text.map_or_else(|| event.kind.0.to_string(), |it| if event.is_pending { it.id.clone() } else { it.fact.clone() })
}

fn reaction_name(program: &Program, reaction: &Reacting) -> String {
    let rule = reaction.rule.and_then(|it| program.text.rules.get(it.index()));
    rule.map_or_else(|| Ref::Unknown.to_string(), |it| it.id.clone())
}

fn reaction_fields(reaction: &Reacting) -> BTreeMap<String, Payload> {
    let source = match &reaction.source {
        FieldView::Card(handle) => Some(Ref::Card(*handle)),
        FieldView::Hidden => Some(Ref::Unknown),
        FieldView::Nothing | FieldView::Player(_) | FieldView::Plain(_) | FieldView::Event(_) | FieldView::List(_) => {
            None
        }
    };
    let source = source.map(|it| ("source".to_owned(), Payload::Text(it.to_string())));
    let who = player(reaction.controller).map(|it| ("player".to_owned(), Payload::Text(it)));
    source.into_iter().chain(who).collect()
}

fn payload(live: &Match, event: &EventView) -> BTreeMap<String, Payload> {
    let program = live.ruleset().program();
    let fields = program.event(event.kind).map_or(&[][..], |it| &it.fields);
    let text = program.text.events.get(event.kind.index());
    let action = program.actions.iter().position(|it| it.event == event.kind);
    let modes = action.and_then(|it| program.text.actions.get(it)).map_or(&[][..], |it| &it.modes);
    let mut payload = BTreeMap::new();
    for (at, (name, ty)) in text.map_or(&[][..], |it| &it.fields).iter().zip(fields).enumerate() {
        let Some(field) = event.fields.get(at) else { continue };
        let word = enum_word(live, event, name, field).or_else(|| mode_word(modes, at, field));
        let value = word.map(Payload::Text).or_else(|| value(program, field, ty.sort));
        payload.extend(value.map(|it| (wire_name(event, name), it)));
    }
    payload
}

/// What a field is called outside: events of the engine name other events by their ids.
fn wire_name(event: &EventView, name: &str) -> String {
    let is_built_in = event.kind.index() < BuiltIn::ALL.len();
    if is_built_in && name == "event" { "eventId".to_owned() } else { name.to_owned() }
}

fn value(program: &Program, field: &FieldView, sort: Sort) -> Option<Payload> {
    Some(match field {
        FieldView::Nothing => return None,
        FieldView::List(items) => Payload::List(items.iter().filter_map(|it| value(program, it, sort)).collect()),
        FieldView::Plain(number) => match names::name_in(program, sort, *number) {
            Some(name) => Payload::Text(name),
            None if sort == Sort::Bool => Payload::Flag(*number == 1),
            None => Payload::Number(*number),
        },
        FieldView::Hidden | FieldView::Card(_) | FieldView::Player(_) | FieldView::Event(_) => {
            Payload::Text(names::of_field(program, field, sort)?.to_string())
        }
    })
}

/// The way of an action that was chosen, by its id.
fn mode_word(modes: &[Vec<ruleset::text::Label>], at: usize, field: &FieldView) -> Option<String> {
    let FieldView::Plain(number) = field else { return None };
    modes.get(at)?.get(usize::try_from(*number).ok()?).map(|it| it.id.clone())
}

/// What the engine's own events have numbers for, in a word.
fn enum_word(live: &Match, event: &EventView, name: &str, field: &FieldView) -> Option<String> {
    let FieldView::Plain(number) = *field else { return None };
    let is = |kind: BuiltIn| kind.id() == event.kind;
    match name {
        "reason" if is(BuiltIn::EventPrevented) => prevention(number).map(str::to_owned),
        "reason" if is(BuiltIn::EventFailed) => Failure::from_number(number).map(|it| it.as_str().to_owned()),
        "reason" if is(BuiltIn::GameEnded) => {
            live.state().head.outcome.map(|it| crate::ruled_view::reason(live.ruleset().program(), it.why))
        }
        "verb" if is(BuiltIn::ControlUsed) => telling::verb(number).map(str::to_owned),
        _ => None,
    }
}

fn prevention(number: i64) -> Option<&'static str> {
    let reasons = [
        (Reason::None, "none"),
        (Reason::Prevented, "prevented"),
        (Reason::Fizzled, "fizzled"),
        (Reason::Impossible, "impossible"),
        (Reason::Group, "group"),
        (Reason::Dropped, "dropped"),
        (Reason::Replaced, "replaced"),
    ];
    reasons.iter().find(|it| it.0.number() == number).map(|it| it.1)
}

/// The definitions of the cards an event names.
fn cards(live: &Match, projector: &Projector, event: &EventView) -> BTreeMap<String, String> {
    let program = live.ruleset().program();
    let mut handles = Vec::new();
    event.fields.iter().for_each(|it| collect(it, &mut handles));
    event.reaction.iter().for_each(|it| collect(&it.source, &mut handles));
    let def = |handle: u32| {
        let def = names::def_of(live, projector, handle)?;
        Some((Ref::Card(handle).to_string(), named(&program.text.defs, def.index())))
    };
    handles.into_iter().filter_map(def).collect()
}

fn collect(field: &FieldView, into: &mut Vec<u32>) {
    match field {
        FieldView::Card(handle) => into.push(*handle),
        FieldView::List(items) => items.iter().for_each(|it| collect(it, into)),
        FieldView::Nothing | FieldView::Hidden | FieldView::Player(_) | FieldView::Plain(_) | FieldView::Event(_) => {}
    }
}

fn status(event: &EventView) -> Status {
    match event.kind {
        _ if event.is_pending => Status::Pending,
        _ if event.reaction.is_some() => Status::Applied,
        kind if kind == BuiltIn::EventPrevented.id() => Status::Prevented,
        kind if kind == BuiltIn::EventFailed.id() => Status::Failed,
        _ => Status::Applied,
    }
}

/// How closely one has to look to care about a type of events.
pub fn level(word: &str, kind: ruleset::EventTypeId) -> Level {
    use BuiltIn::{GameEnded, GameStart, PlayerEliminated, TurnStart};
    let is_built_in = kind.index() < BuiltIn::ALL.len();
    let is_story = [GameEnded, GameStart, PlayerEliminated, TurnStart].iter().any(|it| it.id() == kind);
    let default = match (is_built_in, is_story) {
        (true, true) => Level::Story,
        (true, false) => Level::Step,
        (false, _) => Level::Detail,
    };
    Level::from_word(word).unwrap_or(default)
}

/// What people read for a field.
fn fill(payload: &Payload, title: &dyn Fn(&Ref) -> String) -> Filling {
    let word = |text: &String| text.parse().map_or_else(|_| text.clone(), |it: Ref| title(&it));
    match payload {
        Payload::Number(number) => Filling::Number(*number),
        Payload::Text(text) => Filling::Text(word(text)),
        Payload::Flag(flag) => Filling::Text(if *flag { "yes" } else { "no" }.to_owned()),
        Payload::List(items) => Filling::List(
            items
                .iter()
                .map(|it| match fill(it, title) {
                    Filling::Number(number) => number.to_string(),
                    Filling::Text(text) => text,
                    Filling::List(items) => items.join(", "),
                })
                .collect(),
        ),
    }
}
