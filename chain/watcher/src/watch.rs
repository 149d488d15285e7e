//! Fights every reported battle again and disputes the lies.
//!
//! Only finalised blocks are looked at: what is there does not change any more. A report is done with
//! when it was honest, or when its run is gone from a finalised block, which is what a successful
//! dispute leads to. Until then a liar is looked at again in every block, unless a dispute is under
//! way, whatever becomes of the transactions that were sent.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result};
use auto_battle::Pool;
use codec::Decode as _;
use pallet_auto_battle::{RunId, judge_report};
use subxt_signer::sr25519::Keypair;

use crate::chain::{Account, Block, Chain, PALLET, Proof, Session, ask};
use crate::disputes::Disputes;
use crate::memory::Memory;
use crate::metrics::{Count, Metrics};
use crate::suspects::{Noted, SUSPECTS_MAX, Suspects};

/// Where a report is: account, run and round.
pub type Place = (Account, RunId, u32);

/// The most pools of cards that are kept at hand.
const POOLS_MAX: usize = 64;

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

/// A watcher.
pub struct Watcher {
    chain: Chain,
    metrics: Metrics,
    memory: Memory,
    suspects: Suspects,
    disputes: Disputes,
    pools: BTreeMap<[u8; 32], Pool>,
}

impl Watcher {
    /// A watcher that has seen nothing yet.
    pub fn new(chain: Chain, keys: Keypair, metrics: Metrics) -> Self {
        let disputes = Disputes::new(chain.clone(), keys, metrics.clone());
        let (memory, suspects, pools) = (Memory::default(), Suspects::default(), BTreeMap::new());
        Self { chain, metrics, memory, suspects, disputes, pools }
    }

    /// Follows the finalised blocks for as long as the node answers.
    ///
    /// Looks at all reports first, so that it does not matter when it was started, and again whenever
    /// a block does not follow the one before it.
    pub async fn watch(&mut self) -> Result<()> {
        let mut blocks = self.chain.client().stream_blocks().await?;
        let mut last = None;
        while let Some(block) = blocks.next().await {
            let block = block?;
            let at = block.at().await?;
            let follows = last == Some(block.header().parent_hash);
            last = Some(block.hash());
            self.look_at_block(&at, follows).await?;
            self.metrics.saw_block(block.number());
        }
        anyhow::bail!("the node has stopped")
    }

    async fn look_at_block(&mut self, at: &Block, follows: bool) -> Result<()> {
        self.disputes.look_at_block(at.block_number());
        let accounts = match follows && !self.suspects.take_incomplete() {
            true => reporters(at).await?,
            false => ask(at, "players", ()).await?,
        };
        let mut lies = Vec::new();
        for who in self.suspects.accounts().chain(accounts).collect::<BTreeSet<_>>() {
            if self.disputes.is_about(who) {
                continue;
            }
            match self.find_lie(at, who).await? {
                Some(lie) if self.suspect(lie) => lies.push(lie),
                Some(_) => {}
                None => self.suspects.forget(who),
            }
        }
        self.disputes.send_all(&lies).await?;
        self.metrics.remembers(self.memory.n_runs());
        self.metrics.suspects(self.suspects.n_accounts());
        Ok(())
    }

    /// The first report of an account that is a lie without a verdict.
    async fn find_lie(&mut self, at: &Block, who: Account) -> Result<Option<Place>> {
        let session: Option<Session> = ask(at, "session", who).await?;
        let Some(session) = session else {
            self.memory.forget(who);
            return Ok(None);
        };
        let run = session.run;
        for round in 1..=session.n_reports() {
            if self.memory.is_honest(who, run, round) {
                continue;
            }
            let proof: Option<Proof> = ask(at, "proof", (who, run, round)).await?;
            let Some(proof) = proof.filter(|it| !it.verified) else {
                self.memory.note_honest(who, run, round);
                continue;
            };
            let opinion = self.judge(at, &proof).await?;
            println!("{who:?} run {run} round {round}: {:?} is {opinion:?}", proof.claimed_result);
            match opinion {
                Opinion::True => {
                    self.metrics.count(Count::HonestReports);
                    self.memory.note_honest(who, run, round);
                }
                // It cannot be disputed, so there is nothing more to do about it.
                Opinion::Unknown => {
                    self.metrics.count(Count::UnknownReports);
                    self.memory.note_honest(who, run, round);
                }
                Opinion::Lie => return Ok(Some((who, run, round))),
            }
        }
        Ok(None)
    }

    /// Keeps the account of a lie to be looked at again, if there is room.
    fn suspect(&mut self, lie: Place) -> bool {
        match self.suspects.note(lie) {
            Noted::New => self.metrics.count(Count::Lies),
            Noted::Known => {}
            Noted::LeftOut => {
                self.metrics.count(Count::SuspectsLeftOut);
                println!("more than {SUSPECTS_MAX} lies are not disputed yet; {:?} is looked at later", lie.0);
                return false;
            }
        }
        true
    }

    /// Fights a reported battle.
    async fn judge(&mut self, at: &Block, proof: &Proof) -> Result<Opinion> {
        let set_hash = proof.set_hash.0;
        if !self.pools.contains_key(&set_hash) {
            let pool: Option<Pool> = ask(at, "pool", set_hash).await?;
            if self.pools.len() >= POOLS_MAX {
                self.pools.clear();
            }
            self.pools.insert(set_hash, pool.context("a report without a set")?);
        }
        Ok(opinion(proof, &self.pools[&set_hash]))
    }
}

/// What to think of a report with these cards: the chain would find the same.
fn opinion(proof: &Proof, pool: &Pool) -> Opinion {
    match judge_report(proof.rules_version, pool, &proof.battle()) {
        None => Opinion::Unknown,
        Some(it) if it.result == proof.claimed_result => Opinion::True,
        Some(_) => Opinion::Lie,
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

#[cfg(test)]
mod tests {
    use auto_battle::{BattleResult, Bounded, RULES_VERSION, builtin_board, starter_pool};

    use super::{Opinion, Proof, opinion};

    /// What is thought of an empty board's report on the first opponent, who beats it.
    #[track_caller]
    fn check(rules_version: u16, claimed_result: BattleResult, expected: Opinion) {
        let proof = Proof {
            round: 1,
            player_board: Bounded::new(),
            opponent_board: builtin_board(1),
            opponent: None,
            seed: 1,
            claimed_result,
            rules_version,
            set_hash: Default::default(),
            reported_at: 1,
            verified: false,
        };
        assert_eq!(opinion(&proof, &starter_pool()), expected);
    }

    #[test]
    fn whatever_the_chain_judges_the_watcher_judges() {
        for rules_version in [1, RULES_VERSION] {
            check(rules_version, BattleResult::Defeat, Opinion::True);
            check(rules_version, BattleResult::Victory, Opinion::Lie);
        }
        check(RULES_VERSION + 1, BattleResult::Victory, Opinion::Unknown);
    }
}
