//! Limits on how much one caller can ask for.

use std::{
    collections::HashMap,
    hash::Hash,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use storage::AccountId;
use tokio::time::Instant;

/// A bucket that fills at a rate and holds so many drops.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    per_second: f64,
    room: f64,
    level: f64,
    since: Instant,
}

impl Bucket {
    /// A full bucket.
    pub fn new(per_second: f64, room: f64) -> Self {
        Self { per_second, room, level: room, since: Instant::now() }
    }

    /// Takes a drop, if there is one.
    pub fn take(&mut self) -> bool {
        let now = Instant::now();
        let seconds = now.duration_since(self.since).as_secs_f64();
        self.level = (self.level + seconds * self.per_second).min(self.room);
        self.since = now;
        let has_one = self.level >= 1.0;
        if has_one {
            self.level -= 1.0;
        }
        has_one
    }
}

/// Counts what is held by each key.
#[derive(Debug)]
struct Held<K>(Arc<Mutex<HashMap<K, u32>>>);

impl<K> Default for Held<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// One more is held while this lives.
#[derive(Debug)]
pub struct Hold<K: Hash + Eq> {
    key: K,
    held: Arc<Mutex<HashMap<K, u32>>>,
}

impl<K: Hash + Eq + Clone> Held<K> {
    fn take(&self, key: &K, max: u32) -> Option<Hold<K>> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let n_held = held.entry(key.clone()).or_default();
        if *n_held >= max {
            return None;
        }
        *n_held += 1;
        Some(Hold { key: key.clone(), held: self.0.clone() })
    }
}

impl<K: Hash + Eq> Drop for Hold<K> {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n_held) = held.get_mut(&self.key) {
            *n_held -= 1;
            if *n_held == 0 {
                held.remove(&self.key);
            }
        }
    }
}

/// The limits of a server.
#[derive(Debug, Default)]
pub struct Gate {
    by_account: Held<AccountId>,
    by_address: Held<IpAddr>,
    sign_ups: Mutex<HashMap<IpAddr, Bucket>>,
}

/// How many addresses are remembered before full buckets are forgotten.
const ADDRESSES_MAX: usize = 10_000;

impl Gate {
    /// A socket for an account.
    pub fn socket_of_account(&self, account: &AccountId, max: u32) -> Option<Hold<AccountId>> {
        self.by_account.take(account, max)
    }

    /// A socket for an address.
    pub fn socket_of_address(&self, address: IpAddr, max: u32) -> Option<Hold<IpAddr>> {
        self.by_address.take(&address, max)
    }

    /// A new account, or a try to sign in, from an address.
    pub fn sign_up(&self, address: IpAddr, per_minute: u32) -> bool {
        let mut buckets = self.sign_ups.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= ADDRESSES_MAX {
            buckets.retain(|_, it| it.level < it.room);
        }
        let rate = f64::from(per_minute);
        buckets.entry(address).or_insert_with(|| Bucket::new(rate / 60.0, rate)).take()
    }
}
