//! Limits on how much one caller can ask for.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use storage::AccountId;
use tokio::time::Instant;

const SECONDS_PER_DAY: f64 = 86_400.0;

/// How much may come at once, in seconds of the allowed rate.
pub const BURST_SECONDS: f64 = 10.0;

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

    fn level_now(&self, now: Instant) -> f64 {
        let seconds = now.duration_since(self.since).as_secs_f64();
        (self.level + seconds * self.per_second).min(self.room)
    }

    fn is_full(&self) -> bool {
        self.level_now(Instant::now()) >= self.room
    }

    /// Takes a drop, if there is one.
    pub fn take(&mut self) -> bool {
        let now = Instant::now();
        (self.level, self.since) = (self.level_now(now), now);
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

/// A bucket for each key.
#[derive(Debug)]
struct Buckets<K>(Mutex<HashMap<K, Bucket>>);

/// How many keys are remembered before full buckets are forgotten.
const BUCKETS_MAX: usize = 10_000;
/// How many tokens are remembered before all are forgotten; each then counts for its address once.
const TOKENS_MAX: usize = 100_000;

impl<K> Default for Buckets<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Hash + Eq> Buckets<K> {
    fn take(&self, key: K, per_second: f64, room: f64) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= BUCKETS_MAX && !buckets.contains_key(&key) {
            buckets.retain(|_, it| !it.is_full());
        }
        buckets.entry(key).or_insert_with(|| Bucket::new(per_second, room)).take()
    }
}

/// Who sends a request, as far as can be told without asking the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sender {
    /// Whoever holds this token, by its hash.
    Token(storage::Hash),
    /// Somebody at this address, or in this network.
    Address(IpAddr),
}

/// Whom an address stands for where addresses are counted. Whoever has one address of IPv6 has all that begin with the
/// same 64 bits, so these count as one; an address of IPv4 in the clothes of IPv6 counts as what it is.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(it) => IpAddr::V6((it.to_bits() & !u128::from(u64::MAX)).into()),
        it @ IpAddr::V4(_) => it,
    }
}

/// The limits of a server.
#[derive(Debug, Default)]
pub struct Gate {
    by_account: Held<AccountId>,
    by_address: Held<IpAddr>,
    explaining: Held<AccountId>,
    /// Tokens that were good once, by their hashes.
    tokens: Mutex<HashSet<storage::Hash>>,
    sign_ups: Buckets<IpAddr>,
    welcomes: Buckets<IpAddr>,
    requests: Buckets<Sender>,
}

impl Gate {
    /// A socket for an account.
    pub fn socket_of_account(&self, account: &AccountId, max: u32) -> Option<Hold<AccountId>> {
        self.by_account.take(account, max)
    }

    /// A socket for an address.
    pub fn socket_of_address(&self, address: IpAddr, max: u32) -> Option<Hold<IpAddr>> {
        self.by_address.take(&network(address), max)
    }

    /// A new account, or a try to sign in, from an address.
    pub fn sign_up(&self, address: IpAddr, per_minute: u32) -> bool {
        let rate = f64::from(per_minute);
        self.sign_ups.take(network(address), rate / 60.0, rate)
    }

    /// Welcome tokens for a new account from an address.
    pub fn welcome(&self, address: IpAddr, per_day: u32) -> bool {
        let rate = f64::from(per_day);
        self.welcomes.take(network(address), rate / SECONDS_PER_DAY, rate)
    }

    /// A token is good.
    pub fn know(&self, token: storage::Hash) {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.len() >= TOKENS_MAX {
            tokens.clear();
        }
        tokens.insert(token);
    }

    /// Who sends a request: whoever makes up a token is nobody but his address.
    pub fn sender(&self, token: Option<storage::Hash>, address: IpAddr) -> Sender {
        let tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        token.filter(|it| tokens.contains(it)).map_or_else(|| Sender::Address(network(address)), Sender::Token)
    }

    /// A request.
    pub fn request(&self, sender: Sender, per_second: u32) -> bool {
        let rate = f64::from(per_second);
        self.requests.take(sender, rate, rate * BURST_SECONDS)
    }

    /// An explanation for an account.
    pub fn explanation(&self, account: &AccountId, max: u32) -> Option<Hold<AccountId>> {
        self.explaining.take(account, max)
    }
}

#[cfg(test)]
mod tests {
    use super::{Gate, network};

    #[track_caller]
    fn check(address: &str, expected: &str) {
        assert_eq!(network(address.parse().expect("an address")).to_string(), expected, "{address}");
    }

    #[test]
    fn who_has_64_bits_of_ipv6_is_one() {
        check("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::");
        check("2001:db8:1:2:ffff::", "2001:db8:1:2::");
        check("2001:db8:1:3::1", "2001:db8:1:3::");
    }

    #[test]
    fn every_address_of_ipv4_counts_alone_however_it_is_written() {
        check("192.0.2.7", "192.0.2.7");
        check("::ffff:192.0.2.7", "192.0.2.7");
    }

    #[test]
    fn all_limits_of_addresses_count_networks() {
        let gate = Gate::default();
        let [one, same, other] = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map(|it| it.parse().expect("one"));
        let _held = gate.socket_of_address(one, 1).expect("the first");
        assert!(gate.socket_of_address(same, 1).is_none() && gate.socket_of_address(other, 1).is_some());
        assert!(gate.sign_up(one, 1) && !gate.sign_up(same, 1) && gate.sign_up(other, 1));
        assert!(gate.welcome(one, 1) && !gate.welcome(same, 1) && gate.welcome(other, 1));
        assert!(
            gate.sender(None, one) == gate.sender(None, same) && gate.sender(None, one) != gate.sender(None, other)
        );
    }
}
