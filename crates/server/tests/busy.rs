//! Another program holds the SQLite file for a while: whatever happened meanwhile is made up for.

mod common;

use std::time::Duration;

use common::{Ear, Host, hold, table};
use protocol::ServerMessage;
use serde_json::{Value, json};

/// Longer than the store waits for another program.
const LONG: Duration = Duration::from_secs(8);

/// Another program, for whatever it does to the file.
fn meddle(host: &Host, sql: &str) {
    let other = rusqlite::Connection::open(&host.config.store).expect("the file opens");
    other.busy_timeout(LONG).expect("a number");
    other.execute_batch(sql).expect("the file is free between two commits");
}

fn used_control(it: &ServerMessage) -> bool {
    matches!(it, ServerMessage::EventAppended(it) if it.event.kind == "ControlUsed")
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
    ear.until(|it| matches!(it, ServerMessage::PriorityChanged(_))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_is_not_taken_if_the_match_cannot_begin() {
    let host = Host::start().await;
    let (ann, bob, cid) = (host.guest("Ann").await, host.guest("Bob").await, host.guest("Cid").await);
    let created: Value = ann.post("/matches", &json!({ "game": "duel" })).await.expect("a table is opened");
    let path = format!("/matches/{}", created["id"].as_str().expect("an id"));
    // Who sits where can be stored, but no transition: the match cannot begin.
    meddle(&host, "CREATE TRIGGER no BEFORE INSERT ON transitions BEGIN SELECT RAISE(FAIL, 'no'); END");
    bob.post::<Value>(&format!("{path}/join"), &json!({})).await.expect_err("it cannot begin");
    let row: Value = ann.get(&path).await.expect("it is there");
    assert_eq!((row["status"].as_str(), &row["seats"][1]["isOpen"]), (Some("open"), &json!(true)));
    meddle(&host, "DROP TRIGGER no");
    let joined: Value = cid.post(&format!("{path}/join"), &json!({})).await.expect("the seat is free");
    assert_eq!(joined["status"], "live");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_cannot_read_or_write_its_store_is_not_ready() {
    let host = Host::start().await;
    let ann = host.guest("Ann").await;
    ann.get_bytes("/readyz").await.expect("all is well");
    for (harm, mend) in [
        ("ALTER TABLE matches RENAME TO gone", "ALTER TABLE gone RENAME TO matches"),
        ("CREATE TRIGGER no BEFORE UPDATE ON meta BEGIN SELECT RAISE(FAIL, 'no'); END", "DROP TRIGGER no"),
    ] {
        meddle(&host, harm);
        ann.get_bytes("/readyz").await.expect_err(harm);
        meddle(&host, mend);
        ann.get_bytes("/readyz").await.expect("it is as it was");
    }
}
