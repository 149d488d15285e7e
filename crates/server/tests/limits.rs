//! Every limit is answered with a code, and breaks nothing.

mod common;

use client::Api;
use common::{Ear, Host, code, publish, table};
use protocol::ServerMessage;
use serde_json::{Value, json};
use testkit::served::{clicker, quiz};

/// Why a socket was closed.
async fn until_closed(ear: &mut Ear) -> String {
    loop {
        match ear.next().await {
            Ok(_) => {}
            Err(error) => return error.to_string(),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_or_too_deep_is_refused() {
    let host = Host::with(|it| it.body_bytes_max = 10_000).await;
    let ann = host.guest("Ann").await;
    let large = json!({ "game": "x".repeat(20_000) });
    assert_eq!(code(ann.post::<Value>("/matches", &large).await), "limit/body_too_large");
    let mut deep = json!(1);
    for _ in 0..1000 {
        deep = json!([deep]);
    }
    assert_eq!(code(ann.post::<Value>("/matches", &deep).await), "request/malformed");
    // A frame that is too large ends the socket, says so, and ends nothing else.
    let bob = host.guest("Bob").await;
    let id = table(&ann, &bob, "skirmish", 1).await;
    let mut ear = Ear::follow(&ann, &id, None).await;
    let mut other = Ear::follow(&bob, &id, None).await;
    // The server may hang up before it has read all of it.
    drop(ear.try_send(&json!({ "type": "ping", "requestId": "x".repeat(100_000) })).await);
    let closed = until_closed(&mut ear).await;
    assert!(closed.contains("limit/frame_too_large") && closed.contains("1009"), "{closed}");
    other.settle().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sends_too_much_is_told_and_then_cut_off() {
    let host = Host::with(|it| (it.messages_per_second_max, it.outbox_max) = (20, 10_000)).await;
    let ann = host.guest("Ann").await;
    let mut ear = Ear::open(&ann).await;
    // She asks for more than fits on the wire and does not listen meanwhile: what neither side has read yet must not
    // swallow the reason.
    let large = json!({ "type": "ping", "requestId": "x".repeat(10_000) });
    let small = json!({ "type": "ping" });
    for ping in std::iter::repeat_n(&large, 200).chain(std::iter::repeat_n(&small, 5000)) {
        // The socket may be closed before all is sent.
        if ear.try_send(ping).await.is_err() {
            break;
        }
    }
    let closed = until_closed(&mut ear).await;
    let is_limit =
        |it: &ServerMessage| matches!(it, ServerMessage::Error(body) if body.code == "limit/too_many_messages");
    assert!(ear.heard.iter().any(is_limit), "told only {} other things", ear.heard.len());
    assert!(closed.contains("4029") || closed.contains("limit/too_many_messages"), "{closed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_and_matches_of_one_account_are_counted() {
    let host = Host::with(|it| (it.sockets_per_account_max, it.matches_per_account_max) = (2, 3)).await;
    let ann = host.guest("Ann").await;
    let (_one, two) = (Ear::open(&ann).await, Ear::open(&ann).await);
    client::socket::Socket::open(&ann.socket_url(), ann.token().expect("signed in"))
        .await
        .err()
        .expect("two are enough");
    drop(two);
    for _ in 0..3 {
        ann.post::<Value>("/matches", &json!({ "game": "skirmish" })).await.expect("a table");
    }
    assert_eq!(code(ann.post::<Value>("/matches", &json!({ "game": "skirmish" })).await), "limit/matches");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_one_caller_are_counted_and_others_do_not_notice() {
    let host = Host::with(|it| it.requests_per_second_max = 2).await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let mut answers = Vec::new();
    for _ in 0..40 {
        answers.push(ann.get::<Value>("/accounts/me").await.map_or_else(|it| it.to_string(), |_| "ok".to_owned()));
    }
    assert_eq!(answers.first().map(String::as_str), Some("ok"));
    assert!(answers.iter().any(|it| it.contains("limit/too_many_requests")), "{answers:?}");
    bob.get::<Value>("/accounts/me").await.expect("it was not he");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_account_leaves_with_the_server_is_counted() {
    let host = Host::with(|it| (it.tickets_per_account_max, it.rulesets_per_account_max) = (2, 1)).await;
    let ann = host.guest("Ann").await;
    for _ in 0..2 {
        ann.post::<Value>("/tickets", &json!({})).await.expect("a ticket");
    }
    assert_eq!(code(ann.post::<Value>("/tickets", &json!({})).await), "limit/tickets");
    publish(&ann, &clicker()).await;
    let documents = json!({ "documents": { "ruleset": quiz(1000).to_string() } });
    assert_eq!(code(ann.post::<Value>("/rulesets", &documents).await), "limit/rulesets");
    publish(&ann, &clicker()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_do_not_play_for_nobody() {
    let host = Host::start().await;
    let ann = host.guest("Ann").await;
    let body = json!({ "game": "skirmish", "seats": ["bot:random", "bot:random"] });
    assert_eq!(code(ann.post::<Value>("/matches", &body).await), "match/only_bots");
}

#[tokio::test(flavor = "multi_thread")]
async fn new_accounts_of_one_address_are_counted() {
    let host = Host::with(|it| it.accounts_per_minute_max = 3).await;
    for _ in 0..3 {
        host.guest("Ann").await;
    }
    assert_eq!(code(Api::guest(&host.base(), "Ann").await), "limit/accounts");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_is_cut_off_and_others_do_not_notice() {
    let host = Host::with(|it| (it.outbox_max, it.messages_per_second_max) = (64, 100_000)).await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    // Bob follows, asks for all events again and again, and reads nothing: his socket fills, then his outbox.
    let mut fast = Ear::follow(&ann, &id, Some(0)).await;
    let mut slow = Ear::follow(&bob, &id, None).await;
    for n in 0..20 {
        let click = json!({ "type": "click", "commandId": format!("c{n}") });
        ann.post::<Value>(&format!("/matches/{id}/actions"), &click).await.expect("her turn");
    }
    let again = json!({ "type": "match.subscribe", "matchId": id, "after": 0 });
    while slow.try_send(&again).await.is_ok() && !slow.is_cut(&host) {}
    fast.settle().await;
    let heard = fast.sequences();
    assert_eq!(heard, (1..=u32::try_from(heard.len()).expect("few")).collect::<Vec<_>>(), "the other missed nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_makes_no_sense_is_answered_and_changes_nothing() {
    let host = Host::start().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let id = table(&ann, &bob, "skirmish", 1).await;
    let before: Value = ann.get(&format!("/matches/{id}/view")).await.expect("it is there");
    let mut ear = Ear::open(&ann).await;
    let nonsense = [
        json!(null),
        json!([]),
        json!(7),
        json!({}),
        json!({ "type": 7 }),
        json!({ "type": "nonsense", "matchId": id }),
        json!({ "type": "action.submit" }),
        json!({ "type": "action.submit", "matchId": 9 }),
        json!({ "type": "action.submit", "matchId": id, "actionType": "fly" }),
        json!({ "type": "action.submit", "matchId": id, "actionType": { "a": 1 } }),
        json!({ "type": "action.submit", "matchId": id, "actionType": "attack", "targets": { "attacker": "c999999" } }),
        json!({ "type": "action.submit", "matchId": id, "actionType": "attack", "targets": [[[[]]]] }),
        json!({ "type": "input.submit", "matchId": id, "inputId": "i0" }),
        json!({ "type": "input.submit", "matchId": id, "inputId": -1, "answers": { "selection": [1e99] } }),
        json!({ "type": "system.control", "matchId": id, "verb": "explode" }),
        json!({ "type": "match.subscribe", "matchId": id, "receipt": "1.2.3.4" }),
    ];
    for message in &nonsense {
        ear.send(message).await;
        let answer = ear.next().await.expect("the socket stays open");
        assert!(matches!(answer, ServerMessage::Error(_)), "{message} got {answer:?}");
    }
    let after: Value = ann.get(&format!("/matches/{id}/view")).await.expect("it is there");
    assert_eq!(before, after);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_accounts_of_an_address_are_given_tokens_and_further_ones_none() {
    let host = Host::with(|it| it.welcomes_per_day_max = 2).await;
    let tokens = |body: Value| body["tokens"].as_i64();
    let mut given = Vec::new();
    for nickname in ["Ann", "Bob", "Cid"] {
        let guest = Api::new(&host.base()).post("/accounts/guest", &json!({ "nickname": nickname })).await;
        given.push(tokens(guest.expect("anybody can be a guest")));
    }
    let registered = json!({ "name": "dan", "password": "open sesame" });
    given.push(tokens(Api::new(&host.base()).post("/accounts", &registered).await.expect("the name is free")));
    assert_eq!(given, [Some(10), Some(10), Some(0), Some(0)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_can_keep_tokens_from_guests() {
    let host = Host::with(|it| it.guest_tokens = Some(0)).await;
    let api = Api::new(&host.base());
    let guest: Value = api.post("/accounts/guest", &json!({})).await.expect("anybody can be a guest");
    let registered = json!({ "name": "dan", "password": "open sesame" });
    let dan: Value = api.post("/accounts", &registered).await.expect("the name is free");
    assert_eq!((&guest["tokens"], &dan["tokens"]), (&json!(0), &json!(10)));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_addresses_do_not_notice_a_limit() {
    let host = Host::with(|it| (it.accounts_per_minute_max, it.listen) = (1, any_address())).await;
    let base = |address: &str| format!("http://{address}:{}", host.server().address.port());
    for address in ["127.0.0.1", "[::1]"] {
        Api::guest(&base(address), "Ann").await.expect("the first of this address");
        assert_eq!(code(Api::guest(&base(address), "Ann").await), "limit/accounts", "{address}");
    }
}

/// All addresses of this machine, old and new.
fn any_address() -> std::net::SocketAddr {
    "[::]:0".parse().expect("an address")
}
