//! Many lies at once: all of them are disputed within a few blocks, whatever becomes of one.

use std::time::Duration;

use auto_battle::BattleResult;
use auto_battle_watcher::chain::{Account, Call, Chain};
use auto_battle_watcher::metrics::{Count, Metrics};
use subxt_signer::sr25519::Keypair;

use crate::node::Node;
use crate::reorganisation::{Finality, Sealer, play_until_battle, watch};
use crate::scenarios::keys;

/// Blocks within which every lie must be gone: one for the disputes, one in which a dispute that failed
/// is noticed, one for what it held up, and some to spare on a busy machine.
const BLOCKS_MAX: usize = 6;

const LIARS: [&str; 10] = [
    "//Bob",
    "//Charlie",
    "//Ferdie",
    "//Alice//stash",
    "//Bob//stash",
    "//Charlie//stash",
    "//Dave//stash",
    "//Eve//stash",
    "//Ferdie//stash",
    "//One",
];

const N_LIARS: u64 = LIARS.len() as u64;

/// Lets every liar lie before anybody watches, and says who they are, in the order of their accounts.
async fn lie_together(chain: &Chain, sealer: &Sealer) -> Vec<Account> {
    let liars: Vec<Keypair> = LIARS.iter().map(|it| keys(it)).collect();
    play_until_battle(chain, sealer, &liars).await;
    for liar in &liars {
        chain.send(liar, &Call::report_outcome(BattleResult::Victory)).await.unwrap();
    }
    let mut accounts: Vec<_> = liars.iter().map(Account::from).collect();
    accounts.sort();
    for who in &accounts {
        let has_lied = async || chain.session(*who).await.unwrap().is_some_and(|it| it.n_reports() == 1);
        sealer.seal_until("everybody has lied", has_lied).await;
    }
    accounts
}

/// Waits until something was counted so often.
async fn wait_for(metrics: &Metrics, what: Count, n_times: u64) {
    for _ in 0..300 {
        if metrics.get(what) >= n_times {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{n_times} {what:?} are not counted: {metrics:?}");
}

async fn n_runs_of(chain: &Chain, accounts: &[Account]) -> usize {
    let mut n_runs = 0;
    for who in accounts {
        n_runs += usize::from(chain.session(*who).await.unwrap().is_some());
    }
    n_runs
}

/// Makes a few blocks, after which all liars must have lost their runs.
async fn slash_all(chain: &Chain, sealer: &Sealer, metrics: &Metrics, liars: &[Account]) {
    for _ in 0..BLOCKS_MAX {
        let n_blocks = metrics.get(Count::Blocks);
        sealer.seal(Finality::Final, None).await;
        wait_for(metrics, Count::Blocks, n_blocks + 1).await;
    }
    assert_eq!(n_runs_of(chain, liars).await, 0, "lies are left after {BLOCKS_MAX} blocks");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_lies_are_disputed_at_once() {
    let node = Node::start("manual");
    let (chain, sealer) = (node.connect().await, Sealer::connect(&node.url()).await);
    sealer.seal_some().await;
    let liars = lie_together(&chain, &sealer).await;
    let metrics = Metrics::default();
    let watching = tokio::spawn(watch(node.connect().await, metrics.clone()));
    wait_for(&metrics, Count::DisputesSent, N_LIARS).await;
    slash_all(&chain, &sealer, &metrics, &liars).await;
    let finalised = async || metrics.get(Count::DisputesFinalised) == N_LIARS;
    sealer.seal_until("every dispute is seen in a finalised block", finalised).await;
    assert_eq!(metrics.get(Count::Lies), N_LIARS, "each lie is counted once");
    assert_eq!(metrics.get(Count::DisputesSent), N_LIARS, "each lie is disputed once");
    watching.abort();
}

/// Somebody else is faster with the lie that the watcher disputes first. Its own dispute never gets into
/// a block, and the ones after it must not wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dispute_that_comes_too_late_holds_up_no_other() {
    let node = Node::start("manual");
    let (chain, sealer) = (node.connect().await, Sealer::connect(&node.url()).await);
    sealer.seal_some().await;
    let liars = lie_together(&chain, &sealer).await;
    let metrics = Metrics::default();
    let watching = tokio::spawn(watch(node.connect().await, metrics.clone()));
    wait_for(&metrics, Count::DisputesSent, N_LIARS).await;
    chain.send_with_tip(&keys("//Two"), &Call::dispute_battle(liars[0], 1, 1), crate::scenarios::UNIT).await.unwrap();
    // The node's pool needs a moment.
    tokio::time::sleep(Duration::from_secs(1)).await;
    slash_all(&chain, &sealer, &metrics, &liars).await;
    assert!(metrics.get(Count::DisputesFailed) > 0, "one dispute came too late: {metrics:?}");
    watching.abort();
}
