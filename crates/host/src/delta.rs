//! `state.delta`: what changed between two views of one viewer, and nothing else. Folding the deltas gives the view.

use std::collections::BTreeMap;

use script::view::{CardView, ItemView, OutcomeView, SeatView, View, WaitView, ZoneView};
use selector::Value;
use serde::{Deserialize, Serialize};

/// Named values that changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Changes {
    #[serde(flatten)]
    pub set: BTreeMap<String, Value>,
    /// The names of those that are not there any more; no name of a value begins like this one.
    #[serde(rename = "$gone", skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
}

impl Changes {
    fn between(old: &BTreeMap<String, Value>, new: &BTreeMap<String, Value>) -> Self {
        let gone = old.keys().filter(|it| !new.contains_key(*it)).cloned().collect();
        let other = new.iter().filter(|it| old.get(it.0) != Some(it.1));
        Self { set: other.map(|it| (it.0.clone(), it.1.clone())).collect(), gone }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.gone.is_empty()
    }

    fn apply(&self, values: &mut BTreeMap<String, Value>) {
        values.retain(|it, _| !self.gone.contains(it));
        values.extend(self.set.iter().map(|it| (it.0.clone(), it.1.clone())));
    }
}

/// The difference between two views. What is absent is as it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ViewDelta {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_id: Option<u32>,
    #[serde(skip_serializing_if = "Changes::is_empty")]
    pub values: Changes,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub players: BTreeMap<String, SeatDelta>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub zones: Vec<ZoneDelta>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<Vec<ItemView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting: Option<Vec<WaitView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_paused: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Ending>,
    /// Who sits at the table and which zones there are, where even that changed; the rest is told on top of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
}

/// How a match ended; nothing if that was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending(pub Option<OutcomeView>);

/// The seats and zones of a table, empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    pub players: Vec<String>,
    /// Names and owners.
    pub zones: Vec<(String, Option<String>)>,
}

/// What changed for a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SeatDelta {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_out: Option<bool>,
    #[serde(skip_serializing_if = "Changes::is_empty")]
    pub values: Changes,
}

/// What changed in a zone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ZoneDelta {
    pub name: String,
    pub owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Cards that are not seen here any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<String>,
    /// Cards that are seen here now, with their places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub came: Vec<(usize, CardView)>,
    /// Cards whose values changed.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub changed: BTreeMap<String, Changes>,
    /// The order of the cards, if those that stayed changed places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
}

impl ViewDelta {
    /// What turns one view into another.
    pub fn between(old: &View, new: &View) -> Self {
        let table = (Table::of(old) != Table::of(new)).then(|| Table::of(new));
        let empty = table.as_ref().map(|it| it.set(old));
        let base = empty.as_ref().unwrap_or(old);
        let players = base.players.iter().zip(&new.players).filter_map(|(old, new)| seat_between(old, new));
        let zones = base.zones.iter().zip(&new.zones).filter_map(|(old, new)| zone_between(old, new));
        Self {
            branch_id: (old.branch_id != new.branch_id).then_some(new.branch_id),
            values: Changes::between(&old.values, &new.values),
            players: players.collect(),
            zones: zones.collect(),
            stack: (old.stack != new.stack).then(|| new.stack.clone()),
            waiting: (old.waiting != new.waiting).then(|| new.waiting.clone()),
            is_paused: (old.is_paused != new.is_paused).then_some(new.is_paused),
            outcome: (old.outcome != new.outcome).then(|| Ending(new.outcome.clone())),
            table,
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Turns the view it was made for into the next one.
    pub fn apply(&self, view: &mut View) {
        if let Some(table) = &self.table {
            *view = table.set(view);
        }
        view.branch_id = self.branch_id.unwrap_or(view.branch_id);
        self.values.apply(&mut view.values);
        for seat in &mut view.players {
            if let Some(delta) = self.players.get(&seat.id) {
                seat.is_out = delta.is_out.unwrap_or(seat.is_out);
                delta.values.apply(&mut seat.values);
            }
        }
        for zone in &mut view.zones {
            let is_it = |it: &&ZoneDelta| it.name == zone.name && it.owner == zone.owner;
            if let Some(delta) = self.zones.iter().find(is_it) {
                delta.apply(zone);
            }
        }
        self.stack.iter().for_each(|it| view.stack.clone_from(it));
        self.waiting.iter().for_each(|it| view.waiting.clone_from(it));
        view.is_paused = self.is_paused.unwrap_or(view.is_paused);
        self.outcome.iter().for_each(|it| view.outcome.clone_from(&it.0));
    }
}

impl Table {
    fn of(view: &View) -> Self {
        Self {
            players: view.players.iter().map(|it| it.id.clone()).collect(),
            zones: view.zones.iter().map(|it| (it.name.clone(), it.owner.clone())).collect(),
        }
    }

    /// A view with these seats and zones, all of them empty.
    fn set(&self, view: &View) -> View {
        let seat = |id: &String| SeatView { id: id.clone(), is_out: false, values: BTreeMap::new() };
        let zone = |(name, owner): &(String, Option<String>)| ZoneView {
            name: name.clone(),
            owner: owner.clone(),
            count: 0,
            cards: Vec::new(),
        };
        View {
            players: self.players.iter().map(seat).collect(),
            zones: self.zones.iter().map(zone).collect(),
            ..view.clone()
        }
    }
}

fn seat_between(old: &SeatView, new: &SeatView) -> Option<(String, SeatDelta)> {
    let is_out = (old.is_out != new.is_out).then_some(new.is_out);
    let delta = SeatDelta { is_out, values: Changes::between(&old.values, &new.values) };
    (delta != SeatDelta::default()).then(|| (new.id.clone(), delta))
}

fn zone_between(old: &ZoneView, new: &ZoneView) -> Option<ZoneDelta> {
    if old == new {
        return None;
    }
    // A card is the same only under the same name; everything else about it is a value.
    let find = |cards: &[CardView], id: &str| cards.iter().position(|it| it.id == id);
    let stays = |it: &CardView| find(&new.cards, &it.id).is_some_and(|at| new.cards[at].name == it.name);
    let gone: Vec<String> = old.cards.iter().filter(|it| !stays(it)).map(|it| it.id.clone()).collect();
    let was = |it: &CardView| find(&old.cards, &it.id).filter(|_| !gone.contains(&it.id)).map(|at| &old.cards[at]);
    let came = new.cards.iter().enumerate().filter(|it| was(it.1).is_none());
    let changed =
        new.cards.iter().filter_map(|it| Some((it.id.clone(), Changes::between(&was(it)?.values, &it.values))));
    let mut delta = ZoneDelta {
        name: new.name.clone(),
        owner: new.owner.clone(),
        count: (old.count != new.count).then_some(new.count),
        came: came.map(|(at, card)| (at, card.clone())).collect(),
        changed: changed.filter(|it| !it.1.is_empty()).collect(),
        gone,
        order: Vec::new(),
    };
    let mut ids: Vec<&String> = old.cards.iter().map(|it| &it.id).filter(|it| !delta.gone.contains(it)).collect();
    delta.came.iter().for_each(|(at, card)| ids.insert((*at).min(ids.len()), &card.id));
    let is_moved = !ids.into_iter().eq(new.cards.iter().map(|it| &it.id));
    if is_moved {
        delta.order = new.cards.iter().map(|it| it.id.clone()).collect();
    }
    Some(delta)
}

impl ZoneDelta {
    fn apply(&self, zone: &mut ZoneView) {
        zone.count = self.count.unwrap_or(zone.count);
        zone.cards.retain(|it| !self.gone.contains(&it.id));
        for card in &mut zone.cards {
            if let Some(changes) = self.changed.get(&card.id) {
                changes.apply(&mut card.values);
            }
        }
        for (at, card) in &self.came {
            zone.cards.insert((*at).min(zone.cards.len()), card.clone());
        }
        if !self.order.is_empty() {
            zone.cards.sort_by_key(|card| self.order.iter().position(|it| *it == card.id));
        }
    }
}
