//! Deadlines survive a restart, fire once, and never early; time while no server ran is given back.

mod common;

use std::time::Duration;

use client::Api;
use common::{Ear, Host, publish, table};
use protocol::ServerMessage;
use serde_json::Value;
use testkit::served::quiz;
use tokio::time::Instant;

async fn missed(api: &Api, id: &str) -> i64 {
    let view: Value = api.get(&format!("/matches/{id}/view")).await.expect("it is there");
    let players: Vec<Value> =
        view["view"]["players"].as_object().map(|it| it.values().cloned().collect()).unwrap_or_default();
    players.iter().filter_map(|it| it["values"]["missed"].as_i64()).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_fires_once_and_not_early() {
    let host = Host::start().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let game = publish(&ann, &quiz(400)).await;
    let started = Instant::now();
    let id = table(&ann, &bob, &game, 1).await;
    let mut ear = Ear::follow(&ann, &id, Some(0)).await;
    let is_miss = |it: &ServerMessage| matches!(it, ServerMessage::EventAppended(it) if it.event.kind == "Missed");
    ear.until(is_miss).await;
    assert!(started.elapsed() >= Duration::from_millis(400), "it fired early");
    ear.until(is_miss).await;
    assert!(started.elapsed() >= Duration::from_millis(800), "it fired early");
    let n_missed = missed(&ann, &id).await;
    let n_possible = i64::try_from(started.elapsed().as_millis() / 400).expect("soon");
    assert!(n_missed <= n_possible, "{n_missed} of at most {n_possible}");
}

#[tokio::test(flavor = "multi_thread")]
async fn time_while_no_server_runs_is_given_back() {
    let mut host = Host::start().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let game = publish(&ann, &quiz(1500)).await;
    let id = table(&ann, &bob, &game, 1).await;
    let began = Instant::now();
    host.server.take().expect("it runs").stop().await;
    let ran = began.elapsed();
    // Longer than the deadline.
    tokio::time::sleep(Duration::from_millis(2000)).await;
    let back = Instant::now();
    host.server = Some(server::Server::start(host.config.clone(), common::scripts()).await.expect("it starts again"));
    let ann = Api::new(&host.base()).with_token(ann.token().expect("signed in"));
    assert_eq!(missed(&ann, &id).await, 0, "the time that was left is still there");
    while missed(&ann, &id).await == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(ran + back.elapsed() >= Duration::from_millis(1500), "it fired early");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_fires_in_a_match_that_nobody_keeps_in_memory() {
    let host = Host::with(|it| it.idle_seconds = 1).await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let game = publish(&ann, &quiz(2500)).await;
    let id = table(&ann, &bob, &game, 1).await;
    let key = storage::MatchId(id.clone());
    let app = host.server().app.clone();
    while app.hub.has(&key) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let row = || async { app.store.match_row(&key).await.expect("the store answers").expect("it is there") };
    while row().await.n_transitions == 1 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
