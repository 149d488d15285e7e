//! Duels: a waiting line for two, and a gateway that tells a match in a few plain messages.
//!
//! Any game fits whose rounds are a simultaneous question for cards, followed by reveals, and that says so: events by
//! `ui.message` (`prep_start`, `card_shown`, `step_reveal`, `round_end`), and an attribute and a card by `ui.role`
//! (`health`; `gap` stands for no card). Nothing here knows a card, a number or a rule.

pub mod gateway;
pub mod lobby;
pub mod messages;
pub mod session;
pub mod snapshot;
pub mod track;
