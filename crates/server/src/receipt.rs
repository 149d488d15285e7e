//! Receipts: what a client holds to prove what it was sent, should the server's log ever lose it.
//!
//! A receipt says how many events a viewer was told of and how many of his requests were accepted, with a hash of
//! those events; all of it sealed with a key of the store. It covers only what that viewer was sent, so it tells him
//! nothing new.

use std::sync::Arc;

use storage::{Hash, MatchId, chain};

/// The seals of a store.
#[derive(Clone, Debug)]
pub struct Seals(pub [u8; 32]);

/// What a viewer was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub n_events: u32,
    pub n_accepted: u32,
    pub digest: Hash,
}

/// What nobody was sent yet.
impl Default for Sent {
    fn default() -> Self {
        Self { n_events: 0, n_accepted: 0, digest: [0; 32] }
    }
}

impl Sent {
    /// One event more, as its JSON text.
    #[must_use]
    pub fn with(self, event: &Arc<str>) -> Self {
        let digest = chain::hash_parts(&[&self.digest, event.as_bytes()]);
        Self { n_events: self.n_events.saturating_add(1), digest, ..self }
    }
}

impl Seals {
    fn seal(&self, id: &MatchId, viewer: &str, sent: &Sent) -> Hash {
        let counts = [sent.n_events.to_le_bytes(), sent.n_accepted.to_le_bytes()].concat();
        let inner = chain::hash_parts(&[&self.0, id.0.as_bytes(), viewer.as_bytes(), &counts, &sent.digest]);
        // Keyed inside and outside, so that nothing can be added behind what was sealed.
        chain::hash_parts(&[&self.0, b"receipt", &inner])
    }

    /// A receipt: `<events>.<accepted>.<digest>.<seal>`.
    pub fn write(&self, id: &MatchId, viewer: &str, sent: &Sent) -> String {
        let seal = hex::encode(&self.seal(id, viewer, sent)[..16]);
        format!("{}.{}.{}.{seal}", sent.n_events, sent.n_accepted, hex::encode(sent.digest))
    }

    /// What a receipt proves; none if it is not one of ours for this viewer of this match.
    pub fn read(&self, id: &MatchId, viewer: &str, receipt: &str) -> Option<Sent> {
        let mut parts = receipt.split('.');
        let mut number = || parts.next()?.parse::<u32>().ok();
        let (n_events, n_accepted) = (number()?, number()?);
        let digest: Hash = hex::decode(parts.next()?).ok()?.try_into().ok()?;
        let sent = Sent { n_events, n_accepted, digest };
        let is_ours = self.write(id, viewer, &sent) == receipt;
        is_ours.then_some(sent)
    }
}
