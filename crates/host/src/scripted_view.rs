//! What a viewer may know of a match of a script, in the words of the contract.

use std::collections::BTreeMap;

use script::{
    Match, Seat, Viewer,
    view::{CardView, EventView},
};
use selector::Value;
use view::{Card, Catalogue, Event, Face, Level, Outcome, Payload, Player, Ref, Scalar, Status, Told, View, Zone};

use crate::telling;

/// The table.
pub fn view(live: &Match, viewer: Viewer) -> View {
    let raw = live.view(viewer);
    let catalogue = &live.script().catalogue;
    let mut view = View {
        branch_id: raw.branch_id,
        values: raw.values.iter().map(|(name, it)| (name.clone(), scalar(it))).collect(),
        waiting: live.missing().iter().map(Seat::to_string).collect(),
        is_paused: raw.is_paused,
        outcome: raw.outcome.map(|it| Outcome { winners: it.winners, reason: it.reason }),
        ..View::default()
    };
    for seat in &raw.players {
        let values = seat.values.iter().map(|(name, it)| (name.clone(), scalar(it))).collect();
        view.players.insert(seat.id.clone(), Player { is_out: seat.is_out, values, links: BTreeMap::new() });
    }
    for it in &raw.zones {
        let key = it.owner.as_ref().map_or_else(|| it.name.clone(), |owner| format!("{}@{owner}", it.name));
        let cards: Vec<String> = it.cards.iter().map(|it| it.id.clone()).collect();
        view.cards.extend(it.cards.iter().map(|card| (card.id.clone(), self::card(catalogue, card, &it.owner))));
        view.zones.insert(key, Zone { count: it.count, cards, at: BTreeMap::new() });
    }
    view
}

fn card(catalogue: &Catalogue, card: &CardView, owner: &Option<String>) -> Card {
    let values: BTreeMap<String, Scalar> = card.values.iter().map(|(name, it)| (name.clone(), scalar(it))).collect();
    let def = def_of(catalogue, &card.name);
    let face = def.is_none().then(|| Face { name: card.name.clone(), values });
    Card { def, face, owner: owner.clone(), ..Card::default() }
}

/// The definition of a card of this name.
fn def_of(catalogue: &Catalogue, name: &str) -> Option<String> {
    catalogue.cards.iter().find(|it| it.name == name).map(|it| it.id.clone())
}

/// Something that happened.
pub fn told(live: &Match, event: &EventView) -> Told {
    let catalogue = &live.script().catalogue;
    let declared = catalogue.events.iter().find(|it| it.kind == event.kind);
    let mut cards = BTreeMap::new();
    event.fields.values().for_each(|it| collect(catalogue, it, &mut cards));
    let status = match event.status {
        script::view::EventStatus::Pending => Status::Pending,
        script::view::EventStatus::Applied => Status::Applied,
        script::view::EventStatus::Prevented => Status::Prevented,
        script::view::EventStatus::Failed => Status::Failed,
    };
    Told {
        sequence: event.seq,
        event: Event {
            id: Ref::Event(event.seq).to_string(),
            kind: event.kind.clone(),
            payload: event.fields.iter().filter_map(|(name, it)| Some((name.clone(), payload(it)?))).collect(),
            caused_by: event.caused_by.map(|it| Ref::Event(it).to_string()),
            group_id: event.group,
            status,
        },
        by: None,
        ends: None,
        cards,
        text: event.text.clone(),
        cue: declared.map_or_else(|| telling::cue(&event.kind), |it| it.cue.clone()),
        level: declared.map_or(Level::Story, |it| it.level),
    }
}

fn collect(catalogue: &Catalogue, value: &Value, into: &mut BTreeMap<String, String>) {
    match value {
        Value::List(items) => items.iter().for_each(|it| collect(catalogue, it, into)),
        Value::Object(_) => {
            let text = |key: &str| value.field(key).map(ToString::to_string);
            if let (Some(card), Some(name)) = (text("card"), text("name")) {
                into.insert(card, def_of(catalogue, &name).unwrap_or(name));
            }
        }
        Value::Null | Value::Bool(_) | Value::Integer(_) | Value::Decimal(_) | Value::Text(_) => {}
    }
}

/// A field of an event: cards by their handles.
fn payload(value: &Value) -> Option<Payload> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(it) => Payload::Flag(*it),
        Value::Integer(it) => Payload::Number(*it),
        Value::List(items) => Payload::List(items.iter().filter_map(payload).collect()),
        Value::Object(_) if value.field("hidden").is_some() => Payload::Text(Ref::Unknown.to_string()),
        Value::Object(_) => Payload::Text(value.field("card").unwrap_or(value).to_string()),
        Value::Decimal(_) | Value::Text(_) => Payload::Text(value.to_string()),
    })
}

/// A number or text of the table.
fn scalar(value: &Value) -> Scalar {
    match value {
        Value::Integer(it) => Scalar::Number(*it),
        Value::Bool(it) => Scalar::Number(i64::from(*it)),
        Value::Null | Value::Decimal(_) | Value::Text(_) | Value::List(_) | Value::Object(_) => {
            Scalar::Text(value.to_string())
        }
    }
}
