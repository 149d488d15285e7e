//! A damaged log is found, named, and never played on.

mod common;

use client::Api;
use common::{Ear, Host, code, publish, table};
use protocol::ServerMessage;
use serde_json::{Value, json};
use testkit::served::clicker;

/// A match with some clicks, its server stopped.
async fn stopped(n_clicks: usize) -> (Host, Api, String, String) {
    let mut host = Host::start().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let mut receipt = String::new();
    for _ in 0..n_clicks {
        let done: Value =
            ann.post(&format!("/matches/{id}/actions"), &json!({ "type": "click" })).await.expect("her turn");
        receipt = done["receipt"].as_str().expect("a receipt").to_owned();
    }
    host.server.take().expect("it runs").stop().await;
    (host, ann, id, receipt)
}

/// Does something to the file behind the server's back.
fn tamper(host: &Host, sql: &str) {
    let connection = rusqlite::Connection::open(&host.config.store).expect("the file opens");
    connection.execute_batch(sql).expect("the statement holds");
}

async fn go_on(host: &mut Host, api: &Api) -> Api {
    host.server = Some(server::Server::start(host.config.clone(), common::scripts()).await.expect("it starts again"));
    Api::new(&host.base()).with_token(api.token().expect("signed in"))
}

/// The match is refused with its name and the last good transition, and stays refused.
async fn is_condemned(host: &mut Host, ann: &Api, id: &str, says: &str) {
    let ann = go_on(host, ann).await;
    for _ in 0..2 {
        let refused = ann.post::<Value>(&format!("/matches/{id}/actions"), &json!({ "type": "click" })).await;
        let error = refused.expect_err("nothing damaged is played on");
        assert_eq!(error.code(), "storage/match_damaged");
        let text = error.to_string();
        assert!(text.contains(id) && text.contains(says) && text.contains("snapstack storage recover"), "{text}");
    }
    let found: Value = ann.get(&format!("/matches/{id}")).await.expect("it is listed");
    assert_eq!(found["status"], "damaged");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flipped_bit_is_found() {
    let (mut host, ann, id, _) = stopped(4).await;
    tamper(
        &host,
        &format!(
            "UPDATE transitions SET events = CAST(x'00' || substr(events, 2) AS BLOB) WHERE match_id = '{id}' AND seq = 2"
        ),
    );
    is_condemned(&mut host, &ann, &id, "after transition 1: transition 2 is not what its hash says").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_page_is_found() {
    let (mut host, ann, id, _) = stopped(4).await;
    tamper(&host, &format!("DELETE FROM transitions WHERE match_id = '{id}' AND seq = 2"));
    is_condemned(&mut host, &ann, &id, "transition 2 is missing, 3 comes next").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_tail_is_found() {
    let (mut host, ann, id, _) = stopped(4).await;
    tamper(&host, &format!("DELETE FROM transitions WHERE match_id = '{id}' AND seq >= 3"));
    is_condemned(&mut host, &ann, &id, "it had 5 transitions, 3 are left").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tail_that_was_cut_without_a_trace_is_found_by_a_receipt() {
    let (mut host, ann, id, receipt) = stopped(4).await;
    // As if the last commits had never happened: rows and counts agree.
    tamper(
        &host,
        &format!(
            "DELETE FROM transitions WHERE match_id = '{id}' AND seq >= 3;
             UPDATE matches SET n_transitions = 3, head = (SELECT hash FROM transitions WHERE match_id = '{id}' AND seq = 2)
             WHERE id = '{id}'"
        ),
    );
    let back = go_on(&mut host, &ann).await;
    let mut ear = Ear::open(&back).await;
    let subscribe =
        |receipt: &str| json!({ "type": "match.subscribe", "matchId": id, "requestId": "r", "receipt": receipt });
    // A forged receipt proves nothing.
    ear.send(&subscribe(&receipt.replace('.', ".0"))).await;
    let ServerMessage::Error(body) = ear.next().await.expect("an answer") else { panic!("forged") };
    assert_eq!(body.code, "request/malformed");
    ear.send(&subscribe(&receipt)).await;
    let ServerMessage::Error(body) = ear.next().await.expect("an answer") else { panic!("nothing was noticed") };
    assert_eq!(body.code, "storage/match_damaged");
    assert!(body.message.contains("a player was sent more than the log holds"), "{}", body.message);
    assert_eq!(
        code(back.post::<Value>(&format!("/matches/{id}/actions"), &json!({ "type": "click" })).await),
        "storage/match_damaged"
    );
}
