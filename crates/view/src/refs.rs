//! The names of things on the wire.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString},
};
use core::{fmt, str::FromStr};

/// A name of anything that can be chosen, pointed at or linked to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ref {
    /// `c12`: a card, by the viewer's own handle; until it is hidden from the viewer.
    Card(u32),
    /// `h3`: a hidden card whose place is public, or that is offered; until it moves or the prompt closes.
    Hidden(u32),
    /// `hidden`: a card the viewer may not know.
    Unknown,
    /// `p2`: a player.
    Player(u8),
    /// `ev46`: an event, and the stack row it opened.
    Event(u32),
    /// `def:hawk`: something that a ruleset or script names.
    Named(Kind, String),
    /// `yes`.
    Yes,
    /// `no`.
    No,
    /// `17`: a number.
    Number(i64),
}

/// What kind of thing a ruleset or script names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A zone: `zone:hand@p1`.
    Zone,
    /// A definition of a card.
    Def,
    /// An ability; of a card where several can be meant: `ability:Dive@c4`.
    Ability,
    /// A mode of an action or question.
    Mode,
    /// An action.
    Action,
    /// A choice that only has a text.
    Text,
    /// A type of cards.
    Type,
    /// A keyword.
    Keyword,
    /// An attribute.
    Attribute,
    /// A phase.
    Phase,
    /// A step.
    Step,
    /// A type of events.
    Event,
}

impl Kind {
    const ALL: [(Self, &'static str); 12] = [
        (Self::Zone, "zone"),
        (Self::Def, "def"),
        (Self::Ability, "ability"),
        (Self::Mode, "mode"),
        (Self::Action, "action"),
        (Self::Text, "text"),
        (Self::Type, "type"),
        (Self::Keyword, "keyword"),
        (Self::Attribute, "attribute"),
        (Self::Phase, "phase"),
        (Self::Step, "step"),
        (Self::Event, "event"),
    ];

    /// The word before the colon.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|it| it.0 == self).map_or("", |it| it.1)
    }
}

/// A text that names nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRef(pub String);

impl fmt::Display for BadRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a Ref, such as c12, p1, ev4, def:hawk, yes or a number: {}", self.0)
    }
}

impl Ref {
    /// Something a ruleset or script names.
    pub fn named(kind: Kind, name: impl Into<String>) -> Self {
        Self::Named(kind, name.into())
    }

    /// Whether it names something at the table that a client can light up.
    pub fn is_thing(&self) -> bool {
        matches!(self, Self::Card(_) | Self::Hidden(_) | Self::Player(_) | Self::Event(_))
    }
}

impl fmt::Display for Ref {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Card(handle) => write!(f, "c{handle}"),
            Self::Hidden(place) => write!(f, "h{place}"),
            Self::Unknown => f.write_str("hidden"),
            Self::Player(seat) => write!(f, "p{}", u16::from(*seat).saturating_add(1)),
            Self::Event(number) => write!(f, "ev{number}"),
            Self::Named(kind, name) => write!(f, "{}:{name}", kind.as_str()),
            Self::Yes => f.write_str("yes"),
            Self::No => f.write_str("no"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// A number as it is written: no sign, no zeros in front, from 1.
fn ordinal(digits: &str) -> Option<u32> {
    let is_plain = digits.bytes().all(|it| it.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|_| is_plain)
}

impl FromStr for Ref {
    type Err = BadRef;

    fn from_str(text: &str) -> Result<Self, BadRef> {
        let numbered = |prefix: &str| text.strip_prefix(prefix).and_then(ordinal);
        let known = match text {
            "hidden" => Some(Self::Unknown),
            "yes" => Some(Self::Yes),
            "no" => Some(Self::No),
            _ => None,
        };
        let seat = || numbered("p").and_then(|it| u8::try_from(it.checked_sub(1)?).ok());
        let named = || {
            let (word, name) = text.split_once(':').filter(|it| !it.1.is_empty())?;
            Kind::ALL.iter().find(|it| it.1 == word).map(|it| Self::Named(it.0, name.to_owned()))
        };
        known
            .or_else(|| numbered("c").map(Self::Card))
            .or_else(|| numbered("h").map(Self::Hidden))
            .or_else(|| seat().map(Self::Player))
            .or_else(|| numbered("ev").map(Self::Event))
            .or_else(named)
            .ok_or_else(|| BadRef(text.to_owned()))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Ref {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::Card(_)
            | Self::Hidden(_)
            | Self::Unknown
            | Self::Player(_)
            | Self::Event(_)
            | Self::Named(..)
            | Self::Yes
            | Self::No => serializer.collect_str(self),
        }
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Ref {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl serde::de::Visitor<'_> for Reader {
            type Value = Ref;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a Ref: a text such as c12, or a whole number")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Ref, E> {
                text.parse().map_err(|it: BadRef| E::custom(it.to_string()))
            }

            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Ref, E> {
                Ok(Ref::Number(number))
            }

            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Ref, E> {
                i64::try_from(number).map(Ref::Number).map_err(|_| E::custom("the number is too large"))
            }
        }
        deserializer.deserialize_any(Reader)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Ref {
    fn schema_name() -> alloc::borrow::Cow<'static, str> {
        "Ref".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": ["string", "integer"],
            "description": "A name: c12 a card by the viewer's own handle, h3 a hidden card, p2 a player, ev46 an event and its stack row, zone:, def:, ability:, mode:, action: or text: what ruleset or script names, yes, no, or a whole number.",
        })
    }
}

impl From<Ref> for String {
    fn from(it: Ref) -> Self {
        it.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ref_reads_back_as_it_is_written() {
        let refs = [
            Ref::Card(12),
            Ref::Hidden(3),
            Ref::Unknown,
            Ref::Player(1),
            Ref::Event(46),
            Ref::named(Kind::Zone, "hand@p1"),
            Ref::named(Kind::Text, "Sell: all"),
            Ref::Yes,
            Ref::No,
        ];
        for it in refs {
            assert_eq!(it.to_string().parse(), Ok(it));
        }
    }

    #[test]
    fn what_names_nothing_is_refused() {
        for text in ["", "c", "c0", "c01", "c-1", "p0", "p999", "e4", "ev", "def:", "deff:hawk", "12", "Yes", "c1 "] {
            assert_eq!(text.parse::<Ref>(), Err(BadRef(text.to_owned())), "{text}");
        }
    }
}
