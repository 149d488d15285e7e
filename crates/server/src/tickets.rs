//! Tickets: what a web page opens a socket with, since it cannot send headers. Each works once, for a short time.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use storage::{AccountId, Hash};
use tokio::time::Instant;

use crate::ids;

/// Whose ticket it is.
#[derive(Clone, Debug)]
pub struct Holder {
    pub account: AccountId,
    /// The hash of the token it was asked for with.
    pub token: Hash,
}

/// The tickets that are out.
#[derive(Debug, Default)]
pub struct Tickets(Mutex<HashMap<String, (Holder, Instant)>>);

impl Tickets {
    /// A ticket for an account, unless it holds so many.
    pub fn issue(&self, holder: Holder, lasts: Duration, max: u32) -> Option<String> {
        let ticket = hex::encode(ids::random::<24>());
        let now = Instant::now();
        let mut tickets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tickets.retain(|_, it| it.1 > now);
        let n_held = tickets.values().filter(|it| it.0.account == holder.account).count();
        if n_held >= usize::try_from(max).unwrap_or(usize::MAX) {
            return None;
        }
        tickets.insert(ticket.clone(), (holder, now + lasts));
        Some(ticket)
    }

    /// Whose ticket it is; it is worth nothing afterwards.
    pub fn redeem(&self, ticket: &str) -> Option<Holder> {
        let found = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(ticket);
        found.filter(|it| it.1 > Instant::now()).map(|it| it.0)
    }
}
