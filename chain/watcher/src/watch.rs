//! Fights every reported battle again and disputes the lies.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use auto_battle::{NoEvents, Pool, RULES_VERSION};
use codec::{Decode as _, Encode as _};
use pallet_auto_battle::RunId;
use subxt_signer::sr25519::Keypair;

use crate::chain::{Account, Block, Call, Chain, PALLET, Proof, Session, ask};

/// Where a report is: account, run and round.
pub type Place = (Account, RunId, u32);

/// What the watcher thinks of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// The battle came out as reported.
    True,
    /// It did not.
    Lie,
    /// It was fought under rules that this watcher does not know.
    Unknown,
}

/// A watcher and what it has judged already.
pub struct Watcher {
    chain: Chain,
    keys: Keypair,
    /// Reports by place, with the hash of what was judged: after a reorganisation a place can hold
    /// another report.
    judged: BTreeMap<Place, Vec<u8>>,
    pools: BTreeMap<[u8; 32], Pool>,
}

impl Watcher {
    /// A watcher that has seen nothing yet.
    pub fn new(chain: Chain, keys: Keypair) -> Self {
        Self { chain, keys, judged: BTreeMap::new(), pools: BTreeMap::new() }
    }

    /// Follows the chain for as long as the node answers.
    ///
    /// Looks at all reports first, so that it does not matter when it was started, and again
    /// whenever a block does not follow the one before it.
    pub async fn watch(&mut self) -> Result<()> {
        let mut blocks = self.chain.client().stream_best_blocks().await?;
        let mut last = None;
        while let Some(block) = blocks.next().await {
            let block = block?;
            let at = block.at().await?;
            let parent = block.header().parent_hash;
            let suspects = match last == Some(parent) {
                true => reporters(&at).await?,
                false => ask(&at, "players", ()).await?,
            };
            last = Some(block.hash());
            for who in suspects {
                self.look_at(&at, who).await?;
            }
        }
        anyhow::bail!("the node has stopped")
    }

    /// Judges every report of an account that has no verdict.
    async fn look_at(&mut self, at: &Block, who: Account) -> Result<()> {
        let session: Option<Session> = ask(at, "session", who).await?;
        let Some(session) = session else { return Ok(()) };
        for round in 1..=session.n_reports {
            let proof: Option<Proof> = ask(at, "proof", (who, session.run, round)).await?;
            let Some(proof) = proof.filter(|it| !it.verified) else { continue };
            let place = (who, session.run, round);
            if self.judged.get(&place) == Some(&proof.encode()) {
                continue;
            }
            let opinion = self.judge(at, &proof).await?;
            println!("{who:?} run {} round {round}: {:?} is {opinion:?}", session.run, proof.claimed_result);
            self.judged.insert(place, proof.encode());
            if opinion == Opinion::Lie {
                self.dispute(place).await;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Fights a reported battle.
    async fn judge(&mut self, at: &Block, proof: &Proof) -> Result<Opinion> {
        if proof.rules_version != RULES_VERSION {
            return Ok(Opinion::Unknown);
        }
        let set_hash = proof.set_hash.0;
        if let std::collections::btree_map::Entry::Vacant(place) = self.pools.entry(set_hash) {
            let pool: Option<Pool> = ask(at, "pool", set_hash).await?;
            place.insert(pool.context("a report without a set")?);
        }
        let outcome = proof.battle().fight(&self.pools[&set_hash], &mut NoEvents)?;
        let is_true = outcome.result == proof.claimed_result;
        Ok(if is_true { Opinion::True } else { Opinion::Lie })
    }

    async fn dispute(&self, (target, run, round): Place) {
        // Somebody else may have been faster, or the liar settled: both leave nothing to do.
        match self.chain.submit(&self.keys, Call::dispute_battle(target, run, round)).await {
            Ok(_) => println!("disputed {target:?} run {run} round {round}: slashed"),
            Err(error) => println!("dispute of {target:?} run {run} round {round} was refused: {error:#}"),
        }
    }
}

/// The accounts that reported a battle in a block.
async fn reporters(at: &Block) -> Result<Vec<Account>> {
    let mut accounts = Vec::new();
    for event in at.events().fetch().await?.iter() {
        let event = event?;
        if event.pallet_name() == PALLET && event.event_name() == "BattleReported" {
            accounts.push(Account::decode(&mut event.field_bytes())?);
        }
    }
    Ok(accounts)
}
