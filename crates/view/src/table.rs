//! The table as one viewer sees it, everything under its own name, so that a merge patch tells a change exactly.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::{refs::Ref, value::Scalar};

/// The table as a viewer sees it. Nothing in it is null, prose or time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct View {
    /// The version of the match: grows with every accepted change.
    pub branch_id: u32,
    /// `p1`, `spectator` or `judge`.
    pub viewer: String,
    /// Absent in games without turns.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub turn: Option<Turn>,
    /// What belongs to nobody: trumps, the dealer.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub values: BTreeMap<String, Scalar>,
    /// By `p1`, `p2`.
    pub players: BTreeMap<String, Player>,
    /// By the zone's id, with the owner's where it has one: `hand@p1`.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub zones: BTreeMap<String, Zone>,
    /// Every card that is seen, by its handle.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub cards: BTreeMap<String, Card>,
    /// From the bottom.
    pub stack: Vec<Row>,
    /// Who may act now, if somebody may.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub window: Option<Window>,
    /// The seats the match waits for.
    pub waiting: Vec<String>,
    /// True while a moderator, or a mistake of the game, lets the match stand still.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not", default))]
    pub is_paused: bool,
    /// How the match ended.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub outcome: Option<Outcome>,
}

/// Where the match is in the course of turns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Turn {
    pub number: u32,
    /// Whose turn it is.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub active: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub phase: Option<String>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub step: Option<String>,
}

/// A player as everybody sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Player {
    /// Whether they have left the match.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not", default))]
    pub is_out: bool,
    /// All attributes of players.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub values: BTreeMap<String, Scalar>,
    /// Attributes that hold a card or player.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub links: BTreeMap<String, Ref>,
}

/// A zone as a viewer sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Zone {
    /// How many cards lie in it, hidden ones included.
    pub count: u32,
    /// Those that are seen, from the bottom.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Vec::is_empty", default))]
    pub cards: Vec<String>,
    /// The places of cards that are seen among hidden ones, from the bottom, beginning with 0.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub at: BTreeMap<String, u32>,
}

/// A card a viewer sees. What is absent is as printed, else the default of the attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Card {
    /// Its definition in the catalogue.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub def: Option<String>,
    /// What is on it, where it has no definition.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub face: Option<Face>,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub owner: Option<String>,
    /// Absent if it is the owner.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub controller: Option<String>,
    /// Values that are not as printed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub values: BTreeMap<String, Scalar>,
    /// All its keywords, if they are not those printed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub keywords: Option<Vec<String>>,
    /// All its abilities that can be activated, if they are not those printed.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub abilities: Option<Vec<String>>,
    /// Attributes that hold a card or player: attached, blocking, attacking.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub links: BTreeMap<String, Ref>,
    /// What is seen of a hidden card.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub back: Option<String>,
}

/// What is on a card that has no definition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Face {
    pub name: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub values: BTreeMap<String, Scalar>,
}

/// A row of the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    pub kind: RowKind,
    /// The event that opened it: `ev120`.
    pub ref_id: String,
    /// The number of that event.
    pub created_at_order: u32,
    pub flags: Flags,
    /// The event type that waits, or the ability or rule that reacts; `hidden` if the viewer may not know.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub name: String,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub controller: Option<String>,
    /// The card it comes from, if the viewer sees it.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub source: Option<String>,
    /// What fills its slots.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "BTreeMap::is_empty", default))]
    pub targets: BTreeMap<String, Vec<Ref>>,
}

/// What a row of the stack is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum RowKind {
    /// An event that waits to happen.
    Event,
    /// A reaction or ability that waits to be carried out.
    Reaction,
}

/// How far a row has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Flags {
    /// Whether what reacts before it happens was put above it.
    pub before_scheduled: bool,
}

/// A window in which players may act.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Window {
    /// Who may act now.
    pub holder: String,
    pub kind: WindowKind,
    /// The row that can be responded to.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none", default))]
    pub responds_to: Option<String>,
    /// Those who passed in it.
    pub passed: Vec<String>,
    pub step: String,
}

/// What a window is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum WindowKind {
    /// To act while the stack is empty.
    Action,
    /// To respond to the row on top of the stack.
    Response,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Outcome {
    /// Nobody in a tie.
    pub winners: Vec<String>,
    pub reason: String,
}

impl View {
    /// The players in the order of their seats.
    pub fn seats(&self) -> impl Iterator<Item = (String, &Player)> {
        let ids = (0..u8::MAX).map(|it| alloc::string::ToString::to_string(&Ref::Player(it)));
        ids.map_while(|it| self.players.get(&it).map(|player| (it, player)))
    }

    /// The zones a player owns, or those nobody does, by their ids.
    pub fn zones_of<'v>(&'v self, owner: Option<&'v str>) -> impl Iterator<Item = (&'v str, &'v Zone)> {
        let parts = self.zones.iter().map(|(key, it)| match key.rsplit_once('@') {
            Some((id, owner)) => (id, Some(owner), it),
            None => (key.as_str(), None, it),
        });
        parts.filter(move |it| it.1 == owner).map(|it| (it.0, it.2))
    }
}
