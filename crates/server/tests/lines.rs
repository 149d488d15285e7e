//! The waiting line of duels, when a match cannot be made at once and those it is made for change their minds.

mod common;
mod duels;

use std::time::Duration;

use common::{Host, hold};
use duels::{Player, duel_host};
use serde_json::json;
use tokio_tungstenite::{connect_async, tungstenite};

/// A game in which nothing happens by itself for a long time.
const GAME: &str = "orcain-calm";

/// Long enough for a request to reach the line. Nothing is measured by it.
const A_MOMENT: Duration = Duration::from_millis(200);

/// Ann waits, and a match of hers with Bob is being made.
async fn being_paired(host: &Host) -> (Player, Player, rusqlite::Connection) {
    let (one, two) = (host.guest("Ann").await, host.guest("Bob").await);
    let (mut ann, mut bob) = (Player::at(host, GAME, &one).await, Player::at(host, GAME, &two).await);
    ann.queue().await;
    ann.until("queue_ok").await;
    let lock = hold(host);
    bob.queue().await;
    tokio::time::sleep(A_MOMENT).await;
    (ann, bob, lock)
}

/// Somebody new is paired with Bob, who kept his place.
async fn meets_bob(host: &Host, bob: &mut Player) {
    let mut cid = Player::at(host, GAME, &host.guest("Cid").await).await;
    cid.queue().await;
    assert_eq!(cid.until("match_found").await["oppNickname"], "Bob");
    assert_eq!(bob.until("match_found").await["oppNickname"], "Cid");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_while_his_match_is_being_made_has_left_if_none_comes_of_it() {
    let host = duel_host().await;
    let (mut ann, mut bob, lock) = being_paired(&host).await;
    assert_eq!(ann.sync().await["phase"], "QUEUED", "she waits until a match begins");
    ann.say(&json!({ "type": "queue_leave" })).await;
    ann.until("queue_left").await;
    bob.until("queue_ok").await;
    drop(lock);
    meets_bob(&host, &mut bob).await;
    assert_eq!(ann.sync().await["phase"], "IDLE", "nobody is paired with one who left");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_hangs_up_while_his_match_is_being_made_waits_no_more_if_none_comes_of_it() {
    let host = duel_host().await;
    let (ann, mut bob, lock) = being_paired(&host).await;
    drop(ann);
    bob.until("queue_ok").await;
    drop(lock);
    meets_bob(&host, &mut bob).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_wait_is_told_so_when_he_leaves() {
    let host = duel_host().await;
    let mut ann = Player::at(&host, GAME, &host.guest("Ann").await).await;
    ann.say(&json!({ "type": "queue_leave" })).await;
    assert_eq!(ann.refusal().await, "not_queued");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_does_not_say_how_it_is_told_is_no_duel() {
    let host = Host::start().await;
    for game in ["duel", "tricks", "nothing"] {
        let url = format!("ws://{}/duels/{game}/ws", host.server().address);
        let refusal = connect_async(url).await.expect_err("it is no duel");
        assert!(matches!(&refusal, tungstenite::Error::Http(it) if it.status() == 404), "{game}: {refusal:?}");
    }
}
