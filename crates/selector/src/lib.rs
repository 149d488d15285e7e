//! Questions to players: what is asked, what is a legal answer, and when no one needs to be asked.
//!
//! A [`Selector`] is the question, a [`Response`] the answer. The crate decides nothing about
//! games: who may answer, when, and what an answer does belong to the host.
//!
//! ```
//! use selector::{Choice, Response, Selector, Value};
//!
//! let selector = Selector::select("dennis", "Choose Action").offer([
//!     Choice::group("Dogma", ["Archery", "The Wheel"]),
//!     Choice::from("Pass"),
//! ]);
//! assert!(selector.check().is_empty());
//!
//! let archery = Response::to(&selector, [Value::nested("Dogma", ["Archery"])]);
//! assert_eq!(selector.validate(&archery), Ok(()));
//!
//! let unknown = Response::to(&selector, [Value::nested("Dogma", ["Sailing"])]);
//! let refusal = selector.validate(&unknown).unwrap_err();
//! assert_eq!(refusal.code(), "not-in-choices");
//! assert_eq!(refusal.path(), [0, 0]);
//! assert_eq!(refusal.to_string(), "Selection Dogma didn't exist in the choices");
//! assert_eq!(refusal.innermost().to_string(), "Selection Sailing didn't exist in the choices");
//!
//! let forced = Selector::select("dennis", "Discard").offer(["card1", "card2"]).exactly(2);
//! let answer = forced.auto_response().expect("both cards must go");
//! assert_eq!(answer.items(), Some(&["card1".into(), "card2".into()][..]));
//! ```
#![no_std]
#![deny(clippy::wildcard_enum_match_arm)]

extern crate alloc;

mod amount;
mod auto;
mod check;
#[cfg(feature = "serde")]
mod json;
mod label;
pub mod limits;
mod make;
mod matching;
mod refusal;
mod resolve;
mod response;
mod selector;
mod shape;
mod value;

pub use amount::{Amount, Bounds};
pub use check::{Violation, ViolationKind};
pub use label::{Decimal, Label, LabelRef};
pub use refusal::Refusal;
pub use resolve::Pick;
pub use response::Response;
pub use selector::{Choice, Kind, Options, Selector};
pub use shape::Malformed;
pub use value::Value;
