//! The real node with the runtime's wasm, a watcher, players, liars, and a web client.
//!
//! One node serves all scenarios, each with accounts of its own, so they run side by side as they
//! would on a chain. `cargo xtask test chain` builds what this needs.

mod lifetimes;
mod many_lies;
mod node;
mod reorganisation;
mod scenarios;

use std::time::Duration;

use auto_battle_watcher::chain::{Account, Chain};
use auto_battle_watcher::metrics::{Count, Metrics};
use auto_battle_watcher::watch::Watcher;
use lifetimes::Lifetimes;
use node::Node;
use subxt_signer::sr25519::{Keypair, dev};

/// Milliseconds between two blocks.
const BLOCK_TIME: &str = "250";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_chain_plays_judges_and_pays() {
    let node = Node::start(BLOCK_TIME);
    let chain = node.connect().await;
    let metrics = Metrics::default();
    let watcher = tokio::spawn(keep_watching(node.connect().await, metrics.clone()));
    let lifetimes = Lifetimes::default();
    let counting = tokio::spawn(lifetimes.clone().count(node.connect().await));

    let (wins, losses) = (scenarios::a_run_to_ten_wins(&chain), scenarios::a_run_to_defeat(&chain));
    let (cards, forfeit) = (scenarios::cards_and_a_set_of_ones_own(&chain), scenarios::a_forfeit(&chain));
    let (liar, victim) = (scenarios::a_liar_is_slashed(&chain), scenarios::a_false_dispute(&chain));
    let (ghosts, refused) = (scenarios::two_players_meet(&chain), scenarios::a_lie_is_not_paid(&chain));
    let late = async {
        scenarios::a_missed_report(&chain).await;
        scenarios::an_expired_run(&chain).await;
    };
    tokio::join!(wins, losses, cards, forfeit, liar, victim, late, ghosts, refused);
    assert!(metrics.get(Count::HonestReports) > 0 && metrics.get(Count::DisputesFinalised) > 0, "{metrics:?}");

    println!("every story came to its end");
    scenarios::golden_files_come_out_equal(&chain).await;
    println!("the golden files came out equal");
    node::run_web_client(&node).await;
    chain.next_block().await.unwrap();
    let sent_by = |keys: &Keypair| lifetimes.n_mortal(Account::from(keys));
    assert!(sent_by(&dev::bob()) > 0 && sent_by(&dev::eve()) > 0, "players and watcher sign mortal transactions");
    assert!(sent_by(&scenarios::keys("//Dave//stash")) > 5, "so does the web client");
    assert_eq!(lifetimes.immortal(), [], "these transactions live for ever");
    counting.abort();
    watcher.abort();
}

/// Watches as the program does, and starts again where it stopped.
async fn keep_watching(chain: Chain, metrics: Metrics) {
    loop {
        let mut watcher = Watcher::new(chain.clone(), dev::eve(), metrics.clone());
        // A watcher that forgets everything every few seconds must catch the lies all the same.
        let _ = tokio::time::timeout(Duration::from_secs(5), watcher.watch()).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
