//! Cards as JSON spells them: with names, and with spawns by name.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use super::LineError;
use super::object::Object;
use crate::{ABILITIES_MAX, Ability, Bounded, Card, Condition, Effect, Trigger, starter_index};

/// A card that is spelled out.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CardSheet {
    pub template_id: String,
    #[serde(default, rename = "id")]
    _id: Option<u32>,
    #[serde(default, rename = "name")]
    _name: Option<String>,
    attack: i32,
    health: i32,
    play_cost: i32,
    pitch_value: i32,
    abilities: Vec<Object<AbilitySheet>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AbilitySheet {
    trigger: Trigger,
    effect: Object<Effect<String>>,
    #[serde(default, rename = "name")]
    _name: Option<String>,
    #[serde(default, rename = "description")]
    _description: Option<String>,
    #[serde(default)]
    condition: Condition,
    #[serde(default)]
    max_triggers: Option<u32>,
}

impl CardSheet {
    /// The mechanics, with spawns as indices of the starter cards.
    pub fn card(self) -> Result<(String, Card), LineError> {
        let abilities = self.abilities.into_iter().map(|Object(it)| it.ability());
        let Ok(abilities) = Bounded::try_from_iter(abilities) else {
            let message = format_args!("a card has at most {ABILITIES_MAX} abilities");
            return Err(LineError::new("battle/too_many_abilities", message));
        };
        let card = Card {
            attack: self.attack,
            health: self.health,
            play_cost: self.play_cost,
            pitch_value: self.pitch_value,
            abilities,
        };
        let card = card.try_map_spawns(|name| {
            let unknown = format_args!("spawned card is not a starter card: {name}");
            starter_index(name).ok_or_else(|| LineError::new("battle/unknown_spawn", unknown))
        })?;
        Ok((self.template_id, card))
    }
}

impl AbilitySheet {
    fn ability(self) -> Ability<String> {
        Ability {
            trigger: self.trigger,
            effect: self.effect.0,
            condition: self.condition,
            max_triggers: self.max_triggers,
        }
    }
}

/// A unit of a board: the name of a starter card, or a card that is spelled out.
#[derive(Debug)]
pub(super) enum UnitSheet {
    Starter(String),
    Card(CardSheet),
}

impl<'de> Deserialize<'de> for UnitSheet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UnitVisitor)
    }
}

struct UnitVisitor;

impl<'de> Visitor<'de> for UnitVisitor {
    type Value = UnitSheet;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a starter card or a card")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<UnitSheet, E> {
        Ok(UnitSheet::Starter(name.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<UnitSheet, A::Error> {
        let map = de::value::MapAccessDeserializer::new(map);
        CardSheet::deserialize(map).map(UnitSheet::Card)
    }
}
