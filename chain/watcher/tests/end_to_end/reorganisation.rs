//! A node that really reorganises: blocks are made by order, on whichever parent is asked for.
//!
//! The watcher must not act on a block that can still be taken back, and must find the lie on the
//! branch that is finalised in the end.

use std::time::Duration;

use auto_battle_watcher::chain::{Account, Call, Chain};
use auto_battle_watcher::metrics::{Count, Metrics};
use auto_battle_watcher::watch::Watcher;
use pallet_auto_battle::starter_set_hash;
use subxt::rpcs::{RpcClient, rpc_params};
use subxt::utils::H256;
use subxt_signer::sr25519::{Keypair, dev};

use crate::node::Node;
use crate::scenarios::UNIT;

/// Orders blocks.
pub struct Sealer {
    rpc: RpcClient,
}

/// A block that was made by order.
#[derive(serde::Deserialize)]
struct Sealed {
    hash: H256,
}

/// Whether a block can still be taken back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Finality {
    Final,
    Open,
}

impl Sealer {
    pub async fn connect(url: &str) -> Self {
        Self { rpc: RpcClient::from_insecure_url(url).await.expect("the node answers") }
    }

    /// Makes a block on a parent, or on the best block.
    pub async fn seal(&self, finality: Finality, parent: Option<H256>) -> H256 {
        let params = rpc_params![true, finality == Finality::Final, parent];
        let sealed: Sealed = self.rpc.request("engine_createBlock", params).await.expect("the node makes a block");
        sealed.hash
    }

    async fn finalise(&self, block: H256) {
        let done: bool =
            self.rpc.request("engine_finalizeBlock", rpc_params![block, None::<()>]).await.expect("it can");
        assert!(done);
    }

    async fn best(&self) -> H256 {
        self.rpc.request("chain_getBlockHash", rpc_params![]).await.expect("there is a best block")
    }

    /// Makes the blocks that transactions may be born in.
    pub async fn seal_some(&self) {
        for _ in 0..4 {
            self.seal(Finality::Final, None).await;
        }
    }

    /// Makes blocks that stay until something has happened.
    pub async fn seal_until(&self, what: &str, mut has_happened: impl AsyncFnMut() -> bool) {
        for _ in 0..100 {
            if has_happened().await {
                return;
            }
            self.seal(Finality::Final, None).await;
            // What was told to the node's pool and to the watcher needs a moment.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("this does not happen: {what}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lie_is_disputed_on_the_branch_that_stays() {
    let node = Node::start("manual");
    let (chain, sealer) = (node.connect().await, Sealer::connect(&node.url()).await);
    let (liar, who) = (dev::ferdie(), Account::from(&dev::ferdie()));
    sealer.seal_some().await;
    let metrics = Metrics::default();
    let watching = tokio::spawn(watch(node.connect().await, metrics.clone()));

    play_until_battle(&chain, &sealer, std::slice::from_ref(&liar)).await;

    // The lie is in a block that can still be taken back.
    let parent = sealer.best().await;
    chain.send(&liar, &Call::report_outcome(auto_battle::BattleResult::Victory)).await.unwrap();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let abandoned = sealer.seal(Finality::Open, Some(parent)).await;
    assert_eq!(sealer.best().await, abandoned);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(metrics.get(Count::Lies), 0, "the watcher judged a block that is not final");

    // Another branch grows longer, and the chain goes over to it.
    let mut tip = sealer.seal(Finality::Open, Some(parent)).await;
    assert_ne!(tip, abandoned);
    for _ in 0..2 {
        tip = sealer.seal(Finality::Open, Some(tip)).await;
    }
    assert_eq!(sealer.best().await, tip, "the node did not reorganise");
    sealer.finalise(tip).await;

    // Wherever the lie is now, it is disputed, once. The watcher is a new one since then.
    watching.abort();
    let watching = tokio::spawn(watch(node.connect().await, metrics.clone()));
    let has_lied = async || metrics.get(Count::Lies) > 0;
    sealer.seal_until("the lie is found", has_lied).await;
    sealer.seal_until("the liar is slashed", async || chain.session(who).await.unwrap().is_none()).await;
    sealer.seal_until("the dispute is seen", async || metrics.get(Count::DisputesFinalised) == 1).await;
    watching.abort();
}

/// Starts runs and ends their first turns with empty boards, which no battle is won with.
pub async fn play_until_battle(chain: &Chain, sealer: &Sealer, players: &[Keypair]) {
    for keys in players {
        chain.send(keys, &Call::start_game(starter_set_hash())).await.unwrap();
    }
    for keys in players {
        let who = Account::from(keys);
        let is_dealt = async || chain.session(who).await.unwrap().is_some_and(|it| it.state.is_some());
        sealer.seal_until("the run starts", is_dealt).await;
    }
    for keys in players {
        chain.send(keys, &Call::end_turn()).await.unwrap();
    }
    for keys in players {
        let who = Account::from(keys);
        let is_known = async || chain.pending_battle(who).await.unwrap().is_some();
        sealer.seal_until("the battle is known", is_known).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_challengers_of_a_lie_the_slower_pays_nothing() {
    let node = Node::start("manual");
    let (chain, sealer) = (node.connect().await, Sealer::connect(&node.url()).await);
    let (liar, who) = (dev::ferdie(), Account::from(&dev::ferdie()));
    sealer.seal_some().await;
    play_until_battle(&chain, &sealer, std::slice::from_ref(&liar)).await;
    chain.send(&liar, &Call::report_outcome(auto_battle::BattleResult::Victory)).await.unwrap();
    sealer
        .seal_until("the lie is there", async || chain.session(who).await.unwrap().is_some_and(|it| it.n_reports() > 0))
        .await;

    let challengers = [dev::dave(), dev::eve()];
    let mut before = Vec::new();
    for keys in &challengers {
        before.push(chain.money(Account::from(keys)).await.unwrap().0);
        chain.send(keys, &Call::dispute_battle(who, 1, 1)).await.unwrap();
    }
    sealer.seal_until("the liar is slashed", async || chain.session(who).await.unwrap().is_none()).await;
    for _ in 0..3 {
        sealer.seal(Finality::Final, None).await;
    }
    let mut gains = Vec::new();
    for (keys, before) in challengers.iter().zip(before) {
        gains.push(chain.money(Account::from(keys)).await.unwrap().0 - before);
    }
    gains.sort_unstable();
    assert_eq!(gains, [0, 2 * UNIT], "one is paid the reward, the other nothing, and nobody a fee");
}

pub async fn watch(chain: Chain, metrics: Metrics) {
    let mut watcher = Watcher::new(chain, dev::eve(), metrics);
    watcher.watch().await.expect("the node answers until the end");
}
