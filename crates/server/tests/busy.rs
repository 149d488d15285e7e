//! Another program holds the SQLite file for a while: whatever happened meanwhile is made up for.

mod common;

use std::time::Duration;

use common::{Ear, Host, table};
use protocol::ServerMessage;
use serde_json::{Value, json};

/// Longer than the store waits for another program.
const LONG: Duration = Duration::from_secs(8);

fn hold(host: &Host) -> rusqlite::Connection {
    let other = rusqlite::Connection::open(&host.config.store).expect("the file opens");
    other.busy_timeout(LONG).expect("a number");
    other.execute_batch("BEGIN IMMEDIATE").expect("the file is free between two commits");
    other
}

fn used_control(it: &ServerMessage) -> bool {
    matches!(it, ServerMessage::EventAppended { event, .. } if event.kind == "ControlUsed")
}

#[tokio::test(flavor = "multi_thread")]
async fn who_left_meanwhile_is_missed_and_may_come_back() {
    let host = Host::start().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let id = table(&ann, &bob, "duel", 1).await;
    let mut ear = Ear::follow(&ann, &id, None).await;
    let other = Ear::follow(&bob, &id, None).await;
    let lock = hold(&host);
    drop(other);
    tokio::time::sleep(LONG).await;
    drop(lock);
    // The rules hear that he left, and later that he is back.
    ear.until(used_control).await;
    let _back = Ear::follow(&bob, &id, None).await;
    ear.until(used_control).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_could_not_answer_answers_later() {
    let host = Host::with(|it| it.bot_delay_ms = 1500).await;
    let ann = host.guest("Ann").await;
    let body = json!({ "game": "duel", "seats": ["me", "bot:random"], "seed": 3 });
    let created: Value = ann.post("/matches", &body).await.expect("it begins");
    let id = created["id"].as_str().expect("an id").to_owned();
    let mut ear = Ear::follow(&ann, &id, None).await;
    let lock = hold(&host);
    tokio::time::sleep(LONG).await;
    drop(lock);
    // Both are asked which cards they put back; the match goes on once the bot has said so, too.
    let inputs: Value = ann.get(&format!("/matches/{id}/inputs")).await.expect("she is asked");
    let answer = json!({ "inputId": inputs[0]["inputId"], "answers": { "selection": [] } });
    ann.post::<Value>(&format!("/matches/{id}/inputs"), &answer).await.expect("it is legal");
    ear.until(|it| matches!(it, ServerMessage::PriorityChanged { .. })).await;
}
