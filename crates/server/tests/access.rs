//! Who may do what: every route against every kind of caller. A route without a row here fails the test.

mod common;

use client::Api;
use common::{Ear, Host, publish, table};
use protocol::ServerMessage;
use protocol::operations::{self, Access};
use serde_json::{Value, json};
use testkit::served::clicker;

/// Those who call, in the order of the columns below.
const CALLERS: [&str; 6] = ["nobody", "forged", "stranger", "other seat", "player", "moderator"];

/// What each of them gets, by who may use a route: refused as nobody (401), as the wrong one (403), or let in (.).
fn expected(access: Access) -> [u16; 6] {
    match access {
        Access::Anyone => [200; 6],
        Access::SignedIn => [401, 401, 200, 200, 200, 200],
        Access::Player => [401, 401, 403, 200, 200, 403],
        Access::Viewer => [401, 401, 403, 200, 200, 200],
        Access::Replay => [401, 401, 403, 403, 403, 200],
        Access::Owner => [401, 401, 403, 403, 403, 200],
        Access::Control => [401, 401, 403, 200, 200, 403],
        Access::Moderator => [401, 401, 403, 403, 403, 200],
    }
}

/// Where a token is not needed, but looked at: one that is none is refused, or its holder would think he is somebody.
const OPTIONAL: [(&str, &str); 2] = [("GET", "/matches"), ("GET", "/matches/{id}")];

/// A body that gets as far as the question who asks.
fn body(path: &str) -> Value {
    match path {
        "/matches" => json!({ "game": "skirmish" }),
        "/matches/{id}/actions" => json!({ "type": "pass" }),
        "/matches/{id}/inputs" => json!({ "inputId": "i1", "answers": { "selection": [] } }),
        "/matches/{id}/choices" => json!({ "inputId": "i1", "draft": { "actionType": "click" } }),
        "/matches/{id}/takeback" => json!({ "to": 0 }),
        "/matches/{id}/control" => json!({ "verb": "concede" }),
        "/accounts" | "/sessions" => json!({ "name": "somebody", "password": "long enough" }),
        "/rulesets" => json!({ "documents": { "ruleset": clicker().to_string() } }),
        _ => json!({}),
    }
}

/// What a path needs behind it to get as far as the question who asks.
fn query(path: &str) -> &'static str {
    if path.ends_with("/explain") { "?ask=why-not&action=click" } else { "" }
}

/// 401 and 403 as they are; whatever else is an answer to somebody who was let in.
async fn ask(api: &Api, method: &str, path: &str, body: &Value) -> u16 {
    let result = match method {
        "GET" => api.get_bytes(path).await.map(drop),
        "POST" => api.post::<Value>(path, body).await.map(drop),
        _ => api.delete(path).await,
    };
    match result.as_ref().map_err(client::ClientError::code) {
        Err("auth/required") => 401,
        Err("auth/forbidden") => 403,
        _ => 200,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_knows_who_may_use_it() {
    for route in operations::all().iter().filter(|it| it.path != "/ws") {
        // Each route gets a server of its own: some of them end matches and sessions.
        let host = Host::with(|config| config.store = "memory".to_owned()).await;
        let [ann, bob, eve] = [host.guest("Ann").await, host.guest("Bob").await, host.guest("Eve").await];
        let game = publish(&ann, &clicker()).await;
        let body = body(route.path);
        let mut got = Vec::new();
        let moderator = host.moderator().await;
        let nobody = Api::new(&host.base());
        let callers = [nobody.clone(), nobody.with_token("st_forged"), eve, bob.clone(), ann.clone(), moderator];
        for caller in &callers {
            let created: Value = ann.post("/matches", &json!({ "game": game })).await.unwrap_or_default();
            let id = created["id"].as_str().unwrap_or_default().to_owned();
            let _: Result<Value, _> = bob.post(&format!("/matches/{id}/join"), &json!({})).await;
            let path = route.path.replace("{id}", &id).replace("{hash}", &game) + query(route.path);
            got.push(ask(caller, route.method, &path, &body).await);
        }
        let mut expected = expected(route.access);
        if OPTIONAL.contains(&(route.method, route.path)) {
            expected[1] = 401;
        }
        assert_eq!(got, expected, "{} {} for {CALLERS:?}", route.method, route.path);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_socket_acts_for_another() {
    let host = Host::start().await;
    let [ann, bob, eve] = [host.guest("Ann").await, host.guest("Bob").await, host.guest("Eve").await];
    let id = table(&ann, &bob, "skirmish", 1).await;
    let hidden: Value =
        ann.post("/matches", &json!({ "game": "skirmish", "seats": ["me", "bot:random"] })).await.expect("a table");
    let hidden = hidden["id"].as_str().expect("an id");
    let mut ear = Ear::open(&eve).await;
    let refused = |message: ServerMessage| match message {
        ServerMessage::Error(body) => body.code,
        other => panic!("let in: {other:?}"),
    };
    let messages = [
        (json!({ "type": "action.submit", "matchId": id, "actionType": "pass" }), "auth/forbidden"),
        (json!({ "type": "input.submit", "matchId": id, "inputId": "i1" }), "auth/forbidden"),
        (json!({ "type": "undo.submit", "matchId": id }), "auth/forbidden"),
        (json!({ "type": "takeback.submit", "matchId": id, "to": 0 }), "auth/forbidden"),
        (json!({ "type": "system.control", "matchId": id, "verb": "concede" }), "auth/forbidden"),
        (json!({ "type": "system.control", "matchId": id, "verb": "kick", "player": "p1" }), "auth/forbidden"),
        (json!({ "type": "system.control", "matchId": id, "verb": "timer" }), "request/wrong_type"),
        (json!({ "type": "match.subscribe", "matchId": id, "as": "p1" }), "auth/forbidden"),
        (json!({ "type": "match.subscribe", "matchId": id, "as": "judge" }), "auth/forbidden"),
        (json!({ "type": "match.subscribe", "matchId": hidden }), "auth/forbidden"),
        (json!({ "type": "match.subscribe", "matchId": "m_0" }), "match/not_found"),
    ];
    for (message, code) in messages {
        assert_eq!(refused(ear.ask(message.clone()).await), code, "{message}");
    }
    // Who sits there cannot act for the other either.
    let mut ear = Ear::open(&bob).await;
    let claim = json!({ "type": "action.submit", "matchId": id, "playerId": "p1", "actionType": "pass" });
    assert_eq!(refused(ear.ask(claim).await), "auth/forbidden");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ticket_works_once_and_a_token_until_it_is_ended() {
    let host = Host::start().await;
    let ann = host.guest("Ann").await;
    let ticket: Value = ann.post("/tickets", &json!({})).await.expect("signed in");
    let url = format!("{}?ticket={}", ann.socket_url(), ticket["ticket"].as_str().expect("a ticket"));
    let open = || tokio_tungstenite::connect_async(url.clone());
    open().await.expect("the ticket is good");
    open().await.expect_err("a ticket works once");
    ann.delete("/sessions/current").await.expect("signed in");
    assert_eq!(common::code(ann.get::<Value>("/accounts/me").await), "auth/required");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_strangers_open_no_socket() {
    use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
    let host = Host::start().await;
    let ann = host.guest("Ann").await;
    for (origin, is_let_in) in [("http://localhost:4600", true), ("http://evil.example", false)] {
        let mut request = ann.socket_url().into_client_request().expect("an address");
        let token = format!("Bearer {}", ann.token().expect("signed in"));
        request.headers_mut().insert("authorization", token.parse().expect("a header"));
        request.headers_mut().insert("origin", origin.parse().expect("a header"));
        assert_eq!(tokio_tungstenite::connect_async(request).await.is_ok(), is_let_in, "{origin}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_let_in_and_nothing_else_does() {
    let host = Host::start().await;
    let api = Api::new(&host.base());
    let right = json!({ "name": "carol", "password": "open sesame" });
    api.post::<Value>("/accounts", &right).await.expect("the name is free");
    assert_eq!(common::code(api.post::<Value>("/accounts", &right).await), "account/name_taken");
    api.post::<Value>("/sessions", &right).await.expect("the password is right");
    let wrong = json!({ "name": "carol", "password": "open barley" });
    assert_eq!(common::code(api.post::<Value>("/sessions", &wrong).await), "auth/wrong");
    let unknown = json!({ "name": "dave", "password": "open sesame" });
    assert_eq!(common::code(api.post::<Value>("/sessions", &unknown).await), "auth/wrong");
    for (body, code) in [
        (json!({ "name": "x", "password": "open sesame" }), "account/bad_name"),
        (json!({ "name": "erin", "password": "short" }), "account/bad_password"),
        (json!({ "name": "erin", "password": "open sesame", "nickname": "\u{7}" }), "account/bad_nickname"),
        (json!({ "name": "erin", "password": "open sesame", "nickname": "Ann\u{202e}" }), "account/bad_nickname"),
    ] {
        assert_eq!(common::code(api.post::<Value>("/accounts", &body).await), code, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_called_what_others_cannot_see() {
    let host = Host::start().await;
    for odd in ["\u{200b}", "A\u{202e}nn", "Ann ", "An  n", "\u{e000}", "\u{3164}"] {
        let refused = Api::guest(&host.base(), odd).await.expect_err("it must be refused");
        assert_eq!(refused.code(), "account/bad_nickname", "{}", odd.escape_unicode());
        assert!(refused.to_string().contains("single spaces"), "it says what is allowed: {refused}");
    }
    for fine in ["Ann the 2nd", "Jos\u{e9}", "\u{674e}\u{96f7}"] {
        Api::guest(&host.base(), fine).await.expect("it can be seen");
    }
}
