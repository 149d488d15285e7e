//! Plays matches on a server.
//!
//! [`Api`] speaks HTTP: accounts, the lobby, everything that is asked once. [`Seat`] follows one match on a socket: it
//! keeps the table as the server tells it, sends one request at a time, and when the network breaks it comes back to
//! where it was, so that nothing is done twice and nothing is missed.

pub mod api;
pub mod duel;
pub mod error;
pub mod mirror;
pub mod pick;
pub mod player;
pub mod seat;
pub mod socket;
mod stage;
pub mod terminal;

pub use api::Api;
pub use error::ClientError;
pub use mirror::Mirror;
pub use seat::Seat;
