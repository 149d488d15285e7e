//! What a game tells: an event with fields, which every viewer receives as he may know it.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use selector::Value;

use crate::seat::{Crowd, Seat};
use crate::view::{EventStatus, EventView, text_of};
use crate::world::{Card, ZoneId};

/// A field of an event, before it is known who looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// Something everybody may know.
    Plain(Value),
    /// Cards; who cannot see one learns only that it is there.
    Cards(Vec<Card>),
    /// One card.
    Card(Card),
    /// A zone.
    Zone(ZoneId),
}

/// Something that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub(crate) kind: String,
    pub(crate) text: Option<String>,
    pub(crate) fields: Vec<(String, Field)>,
    pub(crate) audience: Crowd,
    pub(crate) informs: bool,
}

impl Event {
    /// An event of this kind, for everybody.
    pub fn new(kind: impl Into<String>) -> Self {
        Event { kind: kind.into(), text: None, fields: Vec::new(), audience: Crowd::ALL, informs: false }
    }

    /// How it is told, with fields in braces: `{player} plays {card}`.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Adds a field everybody may know.
    #[must_use]
    pub fn with(self, name: &str, value: impl Into<Value>) -> Self {
        self.field(name, Field::Plain(value.into()))
    }

    /// Adds a player.
    #[must_use]
    pub fn seat(self, name: &str, seat: Seat) -> Self {
        self.with(name, seat.to_string())
    }

    /// Adds a card.
    #[must_use]
    pub fn card(self, name: &str, card: Card) -> Self {
        self.field(name, Field::Card(card))
    }

    /// Adds cards.
    #[must_use]
    pub fn cards(self, name: &str, cards: &[Card]) -> Self {
        self.field(name, Field::Cards(cards.to_vec()))
    }

    /// Adds a zone.
    #[must_use]
    pub fn zone(self, name: &str, zone: ZoneId) -> Self {
        self.field(name, Field::Zone(zone))
    }

    /// Tells nobody else of it.
    #[must_use]
    pub fn only(mut self, audience: impl Into<Crowd>) -> Self {
        self.audience = audience.into();
        self
    }

    /// Says that it tells its audience something they could not know, so that nobody of them can take back what led
    /// to it. The table notices cards by itself; this is for what a game works out from hidden cards.
    #[must_use]
    pub fn informs(mut self) -> Self {
        self.informs = true;
        self
    }

    fn field(mut self, name: &str, field: Field) -> Self {
        self.fields.push((name.into(), field));
        self
    }
}

/// Makes what a viewer receives from the fields he may know.
pub fn show(kind: &str, text: Option<&str>, fields: BTreeMap<String, Value>) -> EventView {
    let text = text.map_or_else(|| EventView::plain_text(kind, &fields), |it| fill(it, &fields));
    EventView {
        seq: 0,
        kind: kind.into(),
        status: EventStatus::Applied,
        caused_by: None,
        group: None,
        fields,
        text,
        ui: None,
    }
}

fn fill(template: &str, fields: &BTreeMap<String, Value>) -> String {
    let replace = |acc: String, (name, value): (&String, &Value)| {
        let hole: String = ["{", name, "}"].concat();
        if acc.contains(&hole) { acc.replace(&hole, &text_of(value)) } else { acc }
    };
    fields.iter().fold(template.into(), replace)
}
