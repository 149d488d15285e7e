//! What never changes about a game: its cards, zones, attributes, phases, actions and events, with their names and
//! texts. A client draws any game from this and a view.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::value::Json;

/// What never changes about a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Catalogue {
    /// The id of the game.
    pub game: String,

    pub name: String,
    /// What kind of game it is.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub description: String,
    /// The hash of its mechanics.
    pub rules: String,
    /// How many can play: the fewest, the most.
    pub seats: [u8; 2],

    pub attributes: Vec<Attribute>,

    pub zones: Vec<ZoneKind>,
    /// Types of cards.
    pub types: Vec<Term>,

    pub keywords: Vec<Term>,

    pub cards: Vec<Printed>,

    pub phases: Vec<Phase>,

    pub actions: Vec<Action>,

    pub events: Vec<EventType>,
    /// Decks that come with the game.
    pub decks: Vec<Deck>,
    /// Why a match can end by its rules.
    pub reasons: Vec<String>,
    /// What players can say to each other.
    pub emotes: Vec<String>,

    pub policy: Policy,
    /// The hash of the texts of each other language, by its tag.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub texts: BTreeMap<String, String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// An attribute of the match, of players or of cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Attribute {
    pub id: String,

    pub name: String,
    /// `game`, `player`, `card`.
    pub on: Vec<String>,
    /// `int`, `text`, `card`, `player` or `entity`.
    pub holds: String,

    pub kind: AttributeKind,
    /// Where it stands among others.
    pub order: u32,
    /// What it is where nothing else is said.
    pub default: i64,

    pub show: Show,
    /// What its values are called, by the value.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub labels: BTreeMap<String, String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// How an attribute is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum AttributeKind {
    /// A number that is always of interest.
    #[default]
    Stat,
    /// How many there are of something.
    Counter,
    /// On or off.
    Flag,
    /// What something costs.
    Cost,
    /// One of several things, by its label.
    Enum,
    /// A card or player.
    Link,
}

impl AttributeKind {
    /// The one a document calls so.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "stat" => Self::Stat,
            "counter" => Self::Counter,
            "flag" => Self::Flag,
            "cost" => Self::Cost,
            "enum" => Self::Enum,
            "link" => Self::Link,
            _ => return None,
        })
    }
}

/// When an attribute is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Show {
    /// Whatever it is.
    #[default]
    Always,
    /// Unless it is 0.
    Nonzero,
    /// Not at all.
    Never,
}

impl Show {
    /// The one a document calls so.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "always" => Self::Always,
            "nonzero" => Self::Nonzero,
            "never" => Self::Never,
            _ => return None,
        })
    }
}

/// A kind of zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ZoneKind {
    pub id: String,

    pub name: String,
    /// `player` if every player has one, else `shared`.
    pub owner: String,

    pub visibility: Visibility,

    pub layout: Layout,

    pub area: Area,
    /// Where it stands among others.
    pub order: u32,
    /// How many cards it takes.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub capacity: Option<u32>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// Who sees the cards of a zone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Visibility {
    /// Everybody.
    #[default]
    All,
    /// The player it belongs to.
    Owner,
    /// Nobody.
    None,
}

impl Visibility {
    /// The one a document calls so.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "all" => Self::All,
            "owner" => Self::Owner,
            "none" => Self::None,
            _ => return None,
        })
    }
}

/// How the cards of a zone are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Layout {
    /// As a hand of cards.
    Fan,
    /// Beside each other.
    #[default]
    Row,
    /// In rows and columns.
    Grid,
    /// In numbered places.
    Slots,
    /// On top of each other.
    Pile,
    /// As lines of text.
    List,
    /// Not at all.
    None,
}

impl Layout {
    /// The one a document calls so.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "fan" => Self::Fan,
            "row" => Self::Row,
            "grid" => Self::Grid,
            "slots" => Self::Slots,
            "pile" => Self::Pile,
            "list" => Self::List,
            "none" => Self::None,
            _ => return None,
        })
    }
}

/// Where a zone is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Area {
    /// By its player.
    #[default]
    Near,
    /// In the middle of the table.
    Centre,
    /// Beside the table.
    Side,
}

impl Area {
    /// The one a document calls so.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "near" => Self::Near,
            "centre" => Self::Centre,
            "side" => Self::Side,
            _ => return None,
        })
    }
}

/// Something with a name and a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Term {
    pub id: String,

    pub name: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub text: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// A definition of a card.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Printed {
    pub id: String,

    pub name: String,
    /// Its type.
    #[cfg_attr(feature = "serde", serde(rename = "type", skip_serializing_if = "Option::is_none", default))]
    pub kind: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub text: String,
    /// Values that are not the default.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub printed: BTreeMap<String, i64>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub keywords: Vec<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub abilities: Vec<Ability>,
    /// The hash of a picture.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub art: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// An ability of a card that can be activated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ability {
    pub id: String,

    pub name: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub text: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub slots: Vec<Slot>,
}

/// Something that an action or ability needs to be filled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Slot {
    pub id: String,
    /// What fills it: `card`, `player`, `entity`, `ability`, `mode`, `int`, `event`.
    pub takes: String,

    pub min: u16,

    pub max: u16,
    /// The ways a slot of modes offers.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub modes: Vec<Term>,
}

/// A phase of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Phase {
    pub id: String,

    pub name: String,
    /// A word for new players.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub hint: String,

    pub steps: Vec<Step>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// A step of a phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    pub id: String,

    pub name: String,
    /// A word for new players.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub hint: String,
    /// Whether players may act in it.
    pub has_window: bool,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// An action players can take.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Action {
    pub id: String,

    pub name: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub text: String,
    /// A word for new players.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "String::is_empty", default))]
    pub hint: String,
    /// `stack`, `instant` or `sorcery`.
    pub timing: String,

    pub slots: Vec<Slot>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// A type of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventType {
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub kind: String,
    /// Its fields and what they hold.
    pub fields: BTreeMap<String, String>,
    /// The sentence players read, a template over the fields.
    pub text: String,

    pub level: Level,
    /// How a client shows it, in a word.
    pub cue: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub ui: Option<Json>,
}

/// How closely one has to look to care about an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Level {
    /// Everybody reads it.
    Story,
    /// Those who want to know more read it.
    #[default]
    Detail,
    /// It is part of how things go.
    Step,
}

impl Level {
    /// The one a document calls so.
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "story" => Self::Story,
            "detail" => Self::Detail,
            "step" => Self::Step,
            _ => return None,
        })
    }
}

/// A deck that comes with the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Deck {
    pub id: String,

    pub name: String,
    /// How many there are of each card.
    pub cards: BTreeMap<String, u16>,
}

/// How the matches of a game are hosted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Policy {
    /// Whether players may take back.
    pub undo: bool,
    /// How long a player may be gone, in milliseconds; absent for any time.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub disconnect_grace_ms: Option<u32>,
    /// What every player pays to play; absent for nothing.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub entry: Option<u32>,
}
