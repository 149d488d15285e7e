//! The table itself: zones, cards, numbers, and who knows which card. Owns what is hidden; decides no rules.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use selector::Value;

use crate::event::{self, Event, Field};
use crate::face::Face;
use crate::limits::THINGS_MAX;
use crate::mistake::Mistake;
use crate::rng::Dice;
use crate::seat::{Crowd, Seat, Viewer, viewers};
use crate::view::{CardView, EventView, SeatView, ZoneView, hidden};

/// A handle of a card. What the card is lies behind it; a shuffle gives every card a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(pub(crate) u32);

/// A handle of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ZoneId(pub(crate) u32);

/// Who sees the cards of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody.
    All,
    /// The seat that owns the zone.
    Owner,
    /// Nobody.
    Nobody,
}

#[derive(Clone, Debug)]
struct Zone {
    name: String,
    owner: Option<Seat>,
    seers: Crowd,
    /// From the bottom.
    cards: Vec<Card>,
}

#[derive(Clone, Debug)]
struct CardRow {
    face: Arc<Face>,
    /// None once a shuffle took the handle away.
    zone: Option<ZoneId>,
    /// Those it is shown to beyond what its zone shows.
    shown: Crowd,
    /// Those who know what it is, whether they see it now or not.
    known: Crowd,
}

/// What a viewer calls the cards he sees, in the order in which he first saw them.
#[derive(Clone, Debug, Default)]
struct Sight {
    handles: BTreeMap<Card, u32>,
    n_seen: u32,
}

/// The table.
#[derive(Debug)]
pub struct World {
    pub(crate) n_seats: u8,
    pub(crate) dice: Dice,
    /// Faces that stand in for others, for worlds that only might be.
    pub(crate) stand_ins: BTreeMap<u32, Arc<Face>>,
    zones: Vec<Zone>,
    cards: Vec<CardRow>,
    sights: Vec<Sight>,
    values: BTreeMap<String, Value>,
    seat_values: Vec<BTreeMap<String, Value>>,
    /// What happened since it was last taken away, for each viewer.
    pub(crate) told: Vec<Vec<EventView>>,
    /// Those who learned something since it was last looked at.
    pub(crate) learned: Crowd,
}

impl World {
    /// An empty table.
    pub fn new(n_seats: u8, seed: [u8; 32], stand_ins: BTreeMap<u32, Arc<Face>>) -> Self {
        let n_viewers = viewers(n_seats).count();
        World {
            n_seats,
            dice: Dice::new(seed),
            stand_ins,
            zones: Vec::new(),
            cards: Vec::new(),
            sights: alloc::vec![Sight::default(); n_viewers],
            values: BTreeMap::new(),
            seat_values: alloc::vec![BTreeMap::new(); usize::from(n_seats)],
            told: alloc::vec![Vec::new(); n_viewers],
            learned: Crowd::NONE,
        }
    }

    fn viewers(&self) -> impl Iterator<Item = (usize, Viewer)> + use<> {
        viewers(self.n_seats).enumerate()
    }

    fn place(&self, viewer: Viewer) -> usize {
        let spectator = usize::from(self.n_seats);
        match viewer {
            Viewer::Seat(seat) => usize::from(seat.0),
            Viewer::Spectator => spectator,
            Viewer::Judge => spectator.saturating_add(1),
        }
    }

    fn row(&self, card: Card) -> Result<&CardRow, Mistake> {
        self.cards.get(card.0 as usize).filter(|it| it.zone.is_some()).ok_or(Mistake::NoSuchThing)
    }

    fn zone(&self, zone: ZoneId) -> Result<&Zone, Mistake> {
        self.zones.get(zone.0 as usize).ok_or(Mistake::NoSuchThing)
    }

    fn zone_mut(&mut self, zone: ZoneId) -> Result<&mut Zone, Mistake> {
        self.zones.get_mut(zone.0 as usize).ok_or(Mistake::NoSuchThing)
    }

    /// Lays out a zone.
    pub fn add_zone(&mut self, name: &str, owner: Option<Seat>, visibility: Visibility) -> Result<ZoneId, Mistake> {
        let seers = match (visibility, owner) {
            (Visibility::All, _) => Crowd::ALL,
            (Visibility::Owner, Some(owner)) => owner.into(),
            (Visibility::Owner, None) | (Visibility::Nobody, _) => Crowd::NONE,
        };
        let id = number(self.zones.len())?;
        self.zones.push(Zone { name: name.into(), owner, seers, cards: Vec::new() });
        Ok(ZoneId(id))
    }

    /// Puts a new card on top of a zone.
    pub fn add_card(&mut self, zone: ZoneId, face: Face) -> Result<Card, Mistake> {
        self.zone(zone)?;
        let card = self.bear(zone, Arc::new(face))?;
        self.zone_mut(zone)?.cards.push(card);
        self.look_at(card);
        Ok(card)
    }

    /// Gives a card its handle, and the face that stands in for its own if there is one.
    fn bear(&mut self, zone: ZoneId, face: Arc<Face>) -> Result<Card, Mistake> {
        let id = number(self.cards.len())?;
        let face = self.stand_ins.get(&id).cloned().unwrap_or(face);
        self.cards.push(CardRow { face, zone: Some(zone), shown: Crowd::NONE, known: Crowd::NONE });
        Ok(Card(id))
    }

    /// The cards of a zone, from the bottom.
    pub fn cards(&self, zone: ZoneId) -> Result<Vec<Card>, Mistake> {
        self.zone(zone).map(|it| it.cards.clone())
    }

    /// What a card is.
    pub fn face(&self, card: Card) -> Result<Arc<Face>, Mistake> {
        self.row(card).map(|it| it.face.clone())
    }

    /// Where a card lies.
    pub fn zone_of(&self, card: Card) -> Result<ZoneId, Mistake> {
        self.row(card)?.zone.ok_or(Mistake::NoSuchThing)
    }

    /// Those who see a card where it lies.
    fn seers(&self, card: Card) -> Crowd {
        let Ok(row) = self.row(card) else { return Crowd::NONE };
        let zone = row.zone.and_then(|it| self.zone(it).ok());
        row.shown.with(zone.map_or(Crowd::NONE, |it| it.seers))
    }

    /// Gives names and knowledge of a card to those who see it.
    fn look_at(&mut self, card: Card) {
        let seers = self.seers(card);
        for (place, viewer) in self.viewers() {
            let Some(sight) = self.sights.get_mut(place).filter(|_| seers.has(viewer)) else { continue };
            if !sight.handles.contains_key(&card) {
                sight.n_seen = sight.n_seen.saturating_add(1);
                sight.handles.insert(card, sight.n_seen);
            }
        }
        if let Some(row) = self.cards.get_mut(card.0 as usize) {
            self.learned = self.learned.with(seers.without(row.known));
            row.known = row.known.with(seers);
        }
    }

    /// Takes the names of a card from those who do not see it any more; it is a stranger when it comes back.
    fn look_away(&mut self, card: Card) {
        let seers = self.seers(card);
        for (place, viewer) in self.viewers() {
            if let Some(sight) = self.sights.get_mut(place).filter(|_| !seers.has(viewer)) {
                sight.handles.remove(&card);
            }
        }
    }

    /// What a viewer calls a card, if he sees it.
    pub fn name_for(&self, viewer: Viewer, card: Card) -> Option<(String, Arc<Face>)> {
        let handle = *self.sights.get(self.place(viewer))?.handles.get(&card)?;
        Some((format!("c{handle}"), self.cards.get(card.0 as usize)?.face.clone()))
    }

    /// Moves a card and says so in an event, which names the card to all who see it before or after.
    pub fn move_card(&mut self, card: Card, to: ZoneId, on_top: bool) -> Result<(), Mistake> {
        let from = self.zone_of(card)?;
        self.carry(card, from, to, on_top)?;
        let event = Event::new("moved").card("card", card).zone("from", from).zone("to", to);
        self.tell(event.text("{card} moves from {from} to {to}"));
        self.look_away(card);
        Ok(())
    }

    /// Moves the top cards of a zone, told in one event.
    pub fn deal(&mut self, from: ZoneId, to: ZoneId, n: usize) -> Result<Vec<Card>, Mistake> {
        let cards: Vec<Card> = self.zone(from)?.cards.iter().rev().take(n).copied().collect();
        self.move_cards(&cards, to)?;
        Ok(cards)
    }

    /// Moves cards on top of a zone, one after the other, told in one event.
    pub fn move_cards(&mut self, cards: &[Card], to: ZoneId) -> Result<(), Mistake> {
        let mut from = to;
        for card in cards {
            from = self.zone_of(*card)?;
            self.carry(*card, from, to, true)?;
        }
        let event = Event::new("dealt").cards("cards", cards).zone("from", from).zone("to", to);
        self.tell(event.text("from {from} to {to}: {cards}"));
        cards.iter().for_each(|it| self.look_away(*it));
        Ok(())
    }

    fn carry(&mut self, card: Card, from: ZoneId, to: ZoneId, on_top: bool) -> Result<(), Mistake> {
        self.zone(to)?;
        self.zone_mut(from)?.cards.retain(|it| *it != card);
        let target = &mut self.zone_mut(to)?.cards;
        target.insert(if on_top { target.len() } else { 0 }, card);
        if let Some(row) = self.cards.get_mut(card.0 as usize) {
            row.zone = Some(to);
            row.shown = Crowd::NONE;
        }
        self.look_at(card);
        Ok(())
    }

    /// Shows a card to some, until it moves.
    pub fn reveal(&mut self, card: Card, to: Crowd) -> Result<(), Mistake> {
        self.row(card)?;
        if let Some(row) = self.cards.get_mut(card.0 as usize) {
            row.shown = row.shown.with(to);
        }
        self.look_at(card);
        self.tell(Event::new("shown").card("card", card).text("{card} is shown"));
        Ok(())
    }

    /// Puts the cards of a zone into random order, with new handles unless everybody sees them.
    pub fn shuffle(&mut self, zone: ZoneId) -> Result<(), Mistake> {
        let mut cards = self.cards(zone)?;
        self.dice.shuffle(&mut cards);
        if self.zone(zone)?.seers != Crowd::ALL {
            cards = cards.into_iter().map(|it| self.renew(zone, it)).collect::<Result<_, _>>()?;
        }
        self.zone_mut(zone)?.cards = cards;
        self.tell(Event::new("shuffled").zone("zone", zone).text("{zone} is shuffled"));
        Ok(())
    }

    /// Gives a card a new handle. Those who see its zone go on calling it what they did.
    fn renew(&mut self, zone: ZoneId, old: Card) -> Result<Card, Mistake> {
        let new = self.bear(zone, self.face(old)?)?;
        let seers = self.zone(zone)?.seers;
        for (place, viewer) in self.viewers() {
            let Some(sight) = self.sights.get_mut(place) else { continue };
            let handle = sight.handles.remove(&old).filter(|_| seers.has(viewer));
            handle.and_then(|it| sight.handles.insert(new, it));
        }
        if let Some(row) = self.cards.get_mut(old.0 as usize) {
            row.zone = None;
        }
        if let Some(row) = self.cards.get_mut(new.0 as usize) {
            row.known = seers;
        }
        Ok(new)
    }

    /// Tells every viewer of an event what he may know of it.
    pub fn tell(&mut self, event: Event) {
        if event.informs {
            self.learned = self.learned.with(event.audience);
        }
        for (place, viewer) in self.viewers() {
            if event.audience.has(viewer) {
                let fields = event.fields.iter().map(|(name, it)| (name.clone(), self.show(viewer, it))).collect();
                let shown = event::show(&event.kind, event.text.as_deref(), fields);
                self.told.get_mut(place).into_iter().for_each(|it| it.push(shown.clone()));
            }
        }
    }

    fn show(&self, viewer: Viewer, field: &Field) -> Value {
        match field {
            Field::Plain(value) => value.clone(),
            Field::Card(card) => self.show_card(viewer, *card),
            Field::Cards(cards) => Value::List(cards.iter().map(|it| self.show_card(viewer, *it)).collect()),
            Field::Zone(zone) => self.zone(*zone).map_or(Value::Null, |it| zone_name(it).into()),
        }
    }

    fn show_card(&self, viewer: Viewer, card: Card) -> Value {
        self.name_for(viewer, card).map_or_else(hidden, |(id, face)| CardView::field(&id, &face.name))
    }

    /// A number or text of the table, or of a seat.
    pub fn value(&self, seat: Option<Seat>, name: &str) -> Option<Value> {
        let values = match seat {
            Some(seat) => self.seat_values.get(usize::from(seat.0))?,
            None => &self.values,
        };
        values.get(name).cloned()
    }

    /// Writes a number or text of the table, or of a seat, which everybody sees.
    pub fn set(&mut self, seat: Option<Seat>, name: &str, value: Value) {
        let values = match seat {
            Some(seat) => self.seat_values.get_mut(usize::from(seat.0)),
            None => Some(&mut self.values),
        };
        values.into_iter().for_each(|it| drop(it.insert(name.into(), value.clone())));
    }

    /// The numbers and texts of the table.
    pub fn values_view(&self) -> BTreeMap<String, Value> {
        self.values.clone()
    }

    /// The players as everybody sees them.
    pub fn seats_view(&self, out: Crowd) -> Vec<SeatView> {
        let view = |(values, seat): (&BTreeMap<String, Value>, u8)| SeatView {
            id: Seat(seat).to_string(),
            is_out: out.has(Viewer::Seat(Seat(seat))),
            values: values.clone(),
        };
        self.seat_values.iter().zip(0..).map(view).collect()
    }

    /// The zones as a viewer sees them.
    pub fn zones_view(&self, viewer: Viewer) -> Vec<ZoneView> {
        let view = |it: &Zone| ZoneView {
            name: it.name.clone(),
            owner: it.owner.map(|it| it.to_string()),
            count: u32::try_from(it.cards.len()).unwrap_or(u32::MAX),
            cards: it.cards.iter().filter_map(|it| self.card_view(viewer, *it)).collect(),
        };
        self.zones.iter().map(view).collect()
    }

    fn card_view(&self, viewer: Viewer, card: Card) -> Option<CardView> {
        let (id, face) = self.name_for(viewer, card)?;
        let values = face.values.iter().map(|(name, it)| (name.clone(), Value::Integer(*it))).collect();
        Some(CardView { id, name: face.name.clone(), values })
    }

    /// The cards a viewer does not know, in groups of those he cannot tell apart.
    pub fn unknown_to(&self, viewer: Viewer) -> BTreeMap<String, Vec<(u32, Arc<Face>)>> {
        let mut groups: BTreeMap<String, Vec<(u32, Arc<Face>)>> = BTreeMap::new();
        let unknown = (0..).zip(&self.cards).filter(|(_, it)| it.zone.is_some() && !it.known.has(viewer));
        for (id, row) in unknown {
            groups.entry(row.face.back.clone()).or_default().push((id, row.face.clone()));
        }
        groups
    }
}

/// A zone as it is called in events: `hand of p1`.
fn zone_name(zone: &Zone) -> String {
    zone.owner.map_or_else(|| zone.name.clone(), |it| format!("{} of {it}", zone.name))
}

fn number(len: usize) -> Result<u32, Mistake> {
    u32::try_from(len).ok().filter(|it| *it < THINGS_MAX).ok_or(Mistake::TableFull)
}
