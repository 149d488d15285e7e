//! What one viewer of a match may know, whatever the game is written in: the table, what happens at it, and what the
//! viewer is asked. Decides nothing: hosts fill these types, clients read them.
//!
//! Everything is named by a [`Ref`]: `c12` is a card by the viewer's own handle, `p2` a player, `ev46` an event,
//! `def:hawk` what a ruleset names.
//!
//! ```
//! use view::Ref;
//!
//! assert_eq!("c12".parse(), Ok(Ref::Card(12)));
//! assert_eq!(Ref::named(view::Kind::Def, "hawk").to_string(), "def:hawk");
//! assert!("c012".parse::<Ref>().is_err(), "one thing has one name");
//! ```
#![no_std]
#![deny(clippy::wildcard_enum_match_arm)]

extern crate alloc;

mod catalogue;
mod event;
mod prompt;
mod refs;
mod table;
pub mod template;
mod value;

pub use catalogue::{
    Ability, Action, Area, Attribute, AttributeKind, Catalogue, Deck, EventType, Layout, Level, Phase, Policy, Printed,
    Show, Slot, Step, Term, Visibility, ZoneKind,
};
pub use event::{Event, Payload, Status, Told};
pub use prompt::{
    Choice, Constraints, Cost, CostPart, Group, Need, Offer, OnTimeout, Page, PendingInput, Pick, Prompt, Selector,
    SelectorType,
};
pub use refs::{BadRef, Kind, Ref};
pub use table::{Card, Face, Flags, Outcome, Player, Row, RowKind, Turn, View, Window, WindowKind, Zone};
pub use value::{Json, Scalar};
