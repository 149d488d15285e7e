//! Each player hears once how a match ended, whatever he asks for and whatever breaks in that moment.

mod common;
mod duels;

use std::{sync::Arc, time::Duration};

use common::Host;
use duels::{Pair, Player, again, duel_host};
use serde_json::{Value, json};
use server::{App, duel::lobby::Lobby};
use storage::{AccountId, MatchId, MatchStatus};
use tokio::sync::MutexGuard;

/// Long enough for a request to reach the line it has to wait in. Nothing is measured by it.
const A_MOMENT: Duration = Duration::from_millis(50);

/// Lets nobody begin anything while it lives.
async fn hold<'l>(app: &App, lobby: &'l Lobby) -> MutexGuard<'l, ()> {
    let game = app.games.find("orcain-calm").expect("it is offered");
    let nobody = AccountId("nobody".to_owned());
    lobby.hold_free(app, &game, &nobody).await.expect("nobody plays").expect("it is played for tokens")
}

/// Waits until a match is over, by what is stored.
async fn until_over(host: &Host, match_id: &str) {
    let id = MatchId(match_id.to_owned());
    let is_over = |it: Option<storage::MatchRow>| it.is_some_and(|it| it.status == MatchStatus::Over);
    while !is_over(host.store().match_row(&id).await.expect("the store answers")) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Ann asks for another match with one message, has to wait for it, and Bob leaves the one they play meanwhile.
async fn ask_while_it_ends(pair: Pair, host: &Host, app: &Arc<App>, request: &Value) -> (Player, String) {
    let Pair { mut ann, bob, match_id } = pair;
    let held = hold(app, &app.lobby).await;
    ann.say(request).await;
    tokio::time::sleep(A_MOMENT).await;
    drop(bob);
    until_over(host, &match_id).await;
    drop(held);
    (ann, match_id)
}

async fn check_next_match(request: Value) {
    let host = duel_host().await;
    let app = host.server().app.clone();
    let (pair, ..) = Pair::meet(&host, "orcain-calm").await;
    // Somebody waits, so that whoever asks for a match gets one at once.
    let mut cid = Player::at(&host, "orcain-calm", &host.guest("Cid").await).await;
    cid.queue().await;
    cid.until("queue_ok").await;
    let (mut ann, first) = ask_while_it_ends(pair, &host, &app, &request).await;
    let next = loop {
        let found = ann.until("match_found").await;
        if found["matchId"] != first.as_str() {
            break found["matchId"].as_str().expect("an id").to_owned();
        }
    };
    ann.until("prep_start").await;
    ann.sync().await;
    let kinds = ann.kinds(&first);
    assert_eq!(kinds.iter().filter(|it| **it == "match_end").count(), 1, "{request}: {kinds:?}");
    let at = |kind: &str, id: &str| ann.heard.iter().position(|it| it["type"] == kind && it["matchId"] == id);
    assert!(at("match_end", &first) < at("match_found", &next), "one ends before another begins: {:?}", ann.heard);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_another_match_while_one_ends_hears_first_how_it_ended() {
    check_next_match(json!({ "type": "pve_start" })).await;
    // Whether the line or the match is heard first is left to chance.
    for _ in 0..8 {
        check_next_match(json!({ "type": "queue_join" })).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_could_not_tell_before_it_ended_the_next_one_tells_once() {
    let mut host = duel_host().await;
    let app = host.server().app.clone();
    let (pair, one, _) = Pair::meet(&host, "orcain-calm").await;
    let Pair { mut ann, bob, match_id } = pair;
    // Her socket waits for another match for as long as this server runs, and tells her nothing any more.
    let _held = hold(&app, &app.lobby).await;
    ann.say(&json!({ "type": "pve_start" })).await;
    tokio::time::sleep(A_MOMENT).await;
    drop(bob);
    until_over(&host, &match_id).await;
    host.restart().await;
    for expected in [1, 0] {
        let back = Player::at(&host, "orcain-calm", &again(&one, &host)).await;
        let kinds = back.kinds(&match_id);
        assert_eq!(kinds.iter().filter(|it| **it == "match_end").count(), expected, "{:?}", back.heard);
        assert_eq!(back.heard.last().expect("he is told")["lastResult"]["matchId"], match_id.as_str());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_hung_up_before_he_read_an_end_sees_it_however_many_ended_since() {
    let host = duel_host().await;
    let (pair, one, _) = Pair::meet(&host, "orcain-calm").await;
    let Pair { mut ann, bob, match_id: first } = pair;
    // All that is said on this socket is lost with it.
    drop(bob);
    until_over(&host, &first).await;
    let mut ids = vec![first];
    for _ in 0..3 {
        ann.say(&json!({ "type": "pve_start" })).await;
        ids.push(ann.until("match_found").await["matchId"].as_str().expect("an id").to_owned());
        let path = format!("/matches/{}/control", ids[ids.len() - 1]);
        one.post::<Value>(&path, &json!({ "verb": "concede" })).await.expect("she may");
    }
    drop(ann);
    let back = Player::at(&host, "orcain-calm", &one).await;
    let state = back.heard.last().expect("she is told");
    let earlier = state["earlierResults"].as_array().expect("a list");
    let seen: Vec<&str> =
        [&state["lastResult"]].into_iter().chain(earlier).filter_map(|it| it["matchId"].as_str()).collect();
    ids.reverse();
    assert_eq!(seen, ids, "newest first");
    assert_eq!((&earlier[2]["winner"], &earlier[2]["pot"]), (&json!("YOU"), &json!("paid")));
}
