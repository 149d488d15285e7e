//! The sockets of each session, so that they end with it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use storage::Hash;

use crate::outbox::{Cut, Outbox};

type Open = Mutex<HashMap<Hash, Vec<Outbox>>>;

/// The sockets that are open, by the hash of the token they were opened with.
#[derive(Clone, Debug, Default)]
pub struct Sessions(Arc<Open>);

/// A socket is known while this lives.
#[derive(Debug)]
pub struct Opened {
    token: Hash,
    socket: u64,
    open: Arc<Open>,
}

impl Sessions {
    /// A socket is opened with a token.
    pub fn open(&self, token: Hash, outbox: &Outbox) -> Opened {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.entry(token).or_default().push(outbox.clone());
        Opened { token, socket: outbox.id, open: self.0.clone() }
    }

    /// A session ends, and its sockets with it.
    pub fn end(&self, token: &Hash) {
        let sockets = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(token);
        sockets.unwrap_or_default().iter().for_each(|it| it.cut(Cut::SignedOut));
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sockets) = open.get_mut(&self.token) else { return };
        sockets.retain(|it| it.id != self.socket);
        if sockets.is_empty() {
            open.remove(&self.token);
        }
    }
}
