//! Matches over HTTP and WebSocket.
//!
//! Every match has a room: one task that owns it, reads its mailbox, and writes a transition to the store before it
//! answers or tells anybody. Rooms are opened on demand and closed when idle; nothing but the store is needed to open
//! one again. The server knows accounts, seats, clocks and sockets, and no rules.

pub mod accounts;
pub mod app;
pub mod auth;
pub mod clock;
pub mod config;
mod cors;
pub mod detail;
pub mod docs;
pub mod duel;
pub mod error;
pub mod face;
pub mod games;
pub mod gate;
pub mod hub;
pub mod ids;
pub mod matches;
pub mod metrics;
pub mod nickname;
mod offered;
pub mod outbox;
pub mod play;
pub mod receipt;
pub mod requests;
pub mod room;
pub mod routes;
pub mod rulesets;
pub mod run;
pub mod sessions;
pub mod socket;
pub mod stakes;
pub mod stored;
pub mod takeback;
pub mod thinking;
pub mod tickets;
pub mod wire;

pub use app::App;
pub use config::Config;
pub use run::Server;
