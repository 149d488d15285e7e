//! The real node with the runtime's wasm, a watcher, players, liars, and a web client.
//!
//! One node serves all scenarios, each with accounts of its own, so they run side by side as they
//! would on a chain. `cargo xtask test chain` builds what this needs.

mod node;
mod scenarios;

use std::time::Duration;

use auto_battle_watcher::chain::Chain;
use auto_battle_watcher::watch::Watcher;
use node::Node;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_chain_plays_judges_and_pays() {
    let node = Node::start();
    let chain = node.connect().await;
    let watcher = tokio::spawn(keep_watching(node.connect().await));

    let (wins, losses) = (scenarios::a_run_to_ten_wins(&chain), scenarios::a_run_to_defeat(&chain));
    let (cards, forfeit) = (scenarios::cards_and_a_set_of_ones_own(&chain), scenarios::a_forfeit(&chain));
    let (liar, victim) = (scenarios::a_liar_is_slashed(&chain), scenarios::a_false_dispute(&chain));
    let (late, ghosts) = (scenarios::an_expired_run(&chain), scenarios::two_players_meet(&chain));
    let refused = scenarios::a_lie_is_not_paid(&chain);
    tokio::join!(wins, losses, cards, forfeit, liar, victim, late, ghosts, refused);

    println!("every story came to its end");
    scenarios::golden_files_come_out_equal(&chain).await;
    println!("the golden files came out equal");
    node::run_web_client(&node).await;
    watcher.abort();
}

/// Watches as the program does, and starts again where it stopped.
async fn keep_watching(chain: Chain) {
    loop {
        let keys = subxt_signer::sr25519::dev::eve();
        let mut watcher = Watcher::new(chain.clone(), keys);
        // A watcher that forgets everything every few seconds must catch the lies all the same.
        let _ = tokio::time::timeout(Duration::from_secs(5), watcher.watch()).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
