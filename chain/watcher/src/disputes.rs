//! Disputes under way: several at once, each with a nonce of its own.
//!
//! A dispute that comes too late never gets into a block, and leaves a hole: no transaction with a later
//! nonce can be in a block before something fills it. So the next dispute takes the first nonce that is
//! free, and if there is no next one, the last of those that wait is sent again there.

use std::collections::BTreeMap;

use anyhow::Result;
use subxt_signer::sr25519::Keypair;
use tokio::task::JoinSet;

use crate::chain::{Account, Call, Chain, SentTransaction};
use crate::metrics::{Count, Metrics};
use crate::watch::Place;

/// The most disputes under way at once.
pub const DISPUTES_MAX: usize = 64;

/// A dispute that was handed to the node.
#[derive(Clone, Copy, Debug)]
struct Sent {
    lie: Place,
    /// The finalised block that it is in.
    landed: Option<u64>,
}

/// The disputes of an account that are under way.
pub struct Disputes {
    chain: Chain,
    keys: Keypair,
    metrics: Metrics,
    by_nonce: BTreeMap<u64, Sent>,
    /// What waits for each of them, and gives its nonce and the finalised block that it is in, if any.
    waiting: JoinSet<(u64, Option<u64>)>,
}

impl Drop for Disputes {
    /// What was sent is on its way whatever becomes of the watcher, so it is counted to its end, which
    /// comes when the transactions do not live any more.
    fn drop(&mut self) {
        self.waiting.detach_all();
    }
}

impl Disputes {
    /// None so far.
    pub fn new(chain: Chain, keys: Keypair, metrics: Metrics) -> Self {
        Self { chain, keys, metrics, by_nonce: BTreeMap::new(), waiting: JoinSet::new() }
    }

    /// Is a report of this account being disputed?
    pub fn is_about(&self, who: Account) -> bool {
        self.by_nonce.values().any(|it| it.lie.0 == who)
    }

    /// Notes what has become of disputes, as far as it can be seen in this finalised block.
    pub fn look_at_block(&mut self, number: u64) {
        while let Some(ended) = self.waiting.try_join_next() {
            // Tasks are neither aborted nor do they panic.
            if let Ok((nonce, landed)) = ended {
                self.note_end(nonce, landed);
            }
        }
        // Until that block is looked at, the lie seems to be there.
        self.by_nonce.retain(|_, it| it.landed.is_none_or(|landed| landed > number));
    }

    fn note_end(&mut self, nonce: u64, landed: Option<u64>) {
        match self.by_nonce.get_mut(&nonce) {
            Some(sent) if landed.is_some() => sent.landed = landed,
            _ => drop(self.by_nonce.remove(&nonce)),
        }
    }

    /// Disputes these lies, as many as may be under way at once, and fills holes that hold up others.
    pub async fn send_all(&mut self, lies: &[Place]) -> Result<()> {
        if lies.is_empty() && self.by_nonce.is_empty() {
            return Ok(());
        }
        let expected = self.chain.next_nonce(&self.keys).await?;
        let room = DISPUTES_MAX.saturating_sub(self.by_nonce.len());
        for lie in lies.iter().take(room) {
            self.send(*lie, free_nonce(&self.by_nonce, expected)).await;
        }
        let expected = self.chain.next_nonce(&self.keys).await?;
        if let Some(lie) = held_up(&self.by_nonce, expected) {
            self.send(lie, expected).await;
        }
        Ok(())
    }

    async fn send(&mut self, lie: Place, nonce: u64) {
        self.metrics.count(Count::DisputesSent);
        let (target, run, round) = lie;
        let call = Call::dispute_battle(target, run, round);
        match self.chain.send_with_nonce(&self.keys, &call, nonce).await {
            Ok(sent) => {
                let metrics = self.metrics.clone();
                self.waiting.spawn(async move { (nonce, wait_for(sent, lie, &metrics).await) });
                self.by_nonce.insert(nonce, Sent { lie, landed: None });
            }
            // If somebody else was faster, or the liar settled, nothing is left to do.
            Err(error) => {
                self.metrics.count(Count::DisputesFailed);
                println!("dispute of {target:?} run {run} round {round} was not taken: {error:#}");
            }
        }
    }
}

/// Waits until a dispute is in a finalised block, and counts it; says in which block.
async fn wait_for(sent: SentTransaction, (target, run, round): Place, metrics: &Metrics) -> Option<u64> {
    match sent.wait_until_final().await {
        Ok(block) => {
            metrics.count(Count::DisputesFinalised);
            println!("disputed {target:?} run {run} round {round} in block {block}: slashed");
            Some(block)
        }
        Err(error) => {
            metrics.count(Count::DisputesFailed);
            println!("dispute of {target:?} run {run} round {round} was refused: {error:#}");
            None
        }
    }
}

/// The first nonce that the node expects and no dispute has.
fn free_nonce(by_nonce: &BTreeMap<u64, Sent>, expected: u64) -> u64 {
    let taken = (expected..).zip(by_nonce.range(expected..)).take_while(|(nonce, (taken, _))| nonce == *taken);
    expected + taken.count() as u64
}

/// The last lie whose dispute waits because nothing has the nonce that the node expects. One that was
/// sent again already is not sent a third time.
fn held_up(by_nonce: &BTreeMap<u64, Sent>, expected: u64) -> Option<Place> {
    if by_nonce.contains_key(&expected) {
        return None;
    }
    let n_sent = |lie: Place| by_nonce.values().filter(|it| it.lie == lie).count();
    let mut waiting = by_nonce.range(expected..).map(|(_, it)| it).filter(|it| it.landed.is_none());
    waiting.rfind(|it| n_sent(it.lie) == 1).map(|it| it.lie)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Sent, free_nonce, held_up};
    use crate::chain::Account;
    use crate::watch::Place;

    fn lie(number: u8) -> Place {
        (Account([number; 32]), 1, 1)
    }

    /// Disputes with these nonces, each of a lie of the same number.
    fn sent<const N: usize>(nonces: [u8; N]) -> BTreeMap<u64, Sent> {
        nonces.map(|it| (u64::from(it), Sent { lie: lie(it), landed: None })).into()
    }

    #[test]
    fn a_dispute_takes_the_first_free_nonce() {
        assert_eq!(free_nonce(&sent([]), 7), 7);
        assert_eq!(free_nonce(&sent([5, 6]), 7), 7);
        assert_eq!(free_nonce(&sent([7, 8]), 7), 9);
        assert_eq!(free_nonce(&sent([8, 9]), 7), 7, "a hole is filled first");
        assert_eq!(free_nonce(&sent([7, 9]), 7), 8);
    }

    #[test]
    fn the_last_dispute_fills_a_hole() {
        assert_eq!(held_up(&sent([]), 7), None);
        assert_eq!(held_up(&sent([5, 6]), 7), None, "these are in a block");
        assert_eq!(held_up(&sent([7, 9]), 7), None, "what the node expects is under way");
        assert_eq!(held_up(&sent([8, 9]), 7), Some(lie(9)));
    }

    #[test]
    fn no_dispute_is_sent_a_third_time() {
        let mut disputes = sent([8, 10]);
        disputes.insert(6, Sent { lie: lie(10), landed: None });
        assert_eq!(held_up(&disputes, 7), Some(lie(8)));
        disputes.insert(5, Sent { lie: lie(8), landed: None });
        assert_eq!(held_up(&disputes, 7), None);
    }

    #[test]
    fn what_landed_waits_for_nothing() {
        let disputes = BTreeMap::from([(9, Sent { lie: lie(9), landed: Some(3) })]);
        assert_eq!(held_up(&disputes, 7), None);
    }
}
