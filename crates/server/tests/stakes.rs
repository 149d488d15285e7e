//! Matches for tokens: every ending pays, refunds or burns the pot once, in the commit that ends the match.

mod common;
mod duels;

use client::Api;
use common::{Host, code, table};
use duels::{Balances, Pair, Player, again, duel_host, tokens};
use serde_json::{Value, json};
use storage::{AccountId, MatchId, MatchStatus};

async fn concede(api: &Api, id: &str) {
    let _: Value =
        api.post(&format!("/matches/{id}/control"), &json!({ "verb": "concede" })).await.expect("it is over");
}

async fn until_over(api: &Api, id: &str) {
    loop {
        let row: Value = api.get(&format!("/matches/{id}")).await.expect("it is there");
        if row["status"] == "over" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_winner_gets_the_pot_also_after_a_restart() {
    let mut host = duel_host().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let id = table(&ann, &bob, "orcain", 1).await;
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (9, 9), "the stakes are in the pot");
    host.restart().await;
    let bob = again(&bob, &host);
    concede(&bob, &id).await;
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (11, 9));
    assert_eq!(Balances::of(&host).await, Balances { total: 0, burned: 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pot_that_both_abandoned_is_burned() {
    let host = duel_host().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let id = table(&ann, &bob, "orcain-brief", 1).await;
    until_over(&ann, &id).await;
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (9, 9));
    assert_eq!(Balances::of(&host).await, Balances { total: 0, burned: 2 });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_match_gives_the_stakes_back_once() {
    let host = duel_host().await;
    let (ann, bob, moderator) = (host.guest("Ann").await, host.guest("Bob").await, host.moderator().await);
    let id = table(&ann, &bob, "orcain", 1).await;
    moderator.delete(&format!("/matches/{id}")).await.expect("a moderator may");
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (10, 10));
    assert_eq!(code(moderator.delete(&format!("/matches/{id}")).await), "match/void");
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (10, 10));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_cannot_pay_does_not_play_and_nobody_else_pays() {
    let host = Host::with(|it| it.welcome_tokens = 0).await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let created: Value = ann.post("/matches", &json!({ "game": "orcain" })).await.expect("a table is opened");
    let id = created["id"].as_str().expect("an id").to_owned();
    let joined = bob.post::<Value>(&format!("/matches/{id}/join"), &json!({})).await;
    assert_eq!(code(joined), "ledger/insufficient");
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (0, 0));
}

/// Who sits at a table, by nickname.
fn sitters(row: &Value) -> Vec<&str> {
    row["seats"].as_array().expect("seats").iter().filter_map(|it| it["nickname"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_short_when_the_table_fills_stands_up_and_the_other_waits_on() {
    let host = duel_host().await;
    let (ann, bob, cid) = (host.guest("Ann").await, host.guest("Bob").await, host.guest("Cid").await);
    let created: Value = ann.post("/matches", &json!({ "game": "orcain" })).await.expect("a table is opened");
    let id = created["id"].as_str().expect("an id").to_owned();
    let join = format!("/matches/{id}/join");
    // The one who comes cannot pay: he is told, and does not sit.
    duels::spend_all(&host, &bob).await;
    assert_eq!(code(bob.post::<Value>(&join, &json!({})).await), "ledger/insufficient");
    let row: Value = ann.get(&format!("/matches/{id}")).await.expect("it is there");
    assert_eq!((row["status"].as_str(), sitters(&row)), (Some("open"), vec!["Ann", ""]));
    // The one who waits cannot pay any more: she stands up and is told, and the one who came waits.
    let mut ear = common::Ear::open(&ann).await;
    ear.send(&json!({ "type": "match.subscribe", "matchId": id })).await;
    ear.until(|it| matches!(it, protocol::ServerMessage::Subscribed(_))).await;
    duels::spend_all(&host, &ann).await;
    let joined: Value = cid.post(&join, &json!({})).await.expect("he can pay, and sits");
    assert_eq!((joined["status"].as_str(), sitters(&joined)), (Some("open"), vec!["", "Cid"]));
    let is_told = |it: &protocol::ServerMessage| matches!(it, protocol::ServerMessage::Error(body) if body.code == "ledger/insufficient");
    ear.until(is_told).await;
    let dan = host.guest("Dan").await;
    let full: Value = dan.post(&join, &json!({})).await.expect("a seat is free");
    assert_eq!(full["status"], "live");
    assert_eq!((tokens(&host, &cid).await, tokens(&host, &dan).await), (9, 9));
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_brings_own_cards_where_it_is_played_for_tokens() {
    let host = duel_host().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let strong = json!({ "game": "orcain", "deck": ["attack", "attack", "attack", "attack"] });
    assert_eq!(code(ann.post::<Value>("/matches", &strong).await), "match/own_deck");
    let created: Value = ann.post("/matches", &json!({ "game": "orcain" })).await.expect("a table is opened");
    let join = format!("/matches/{}/join", created["id"].as_str().expect("an id"));
    assert_eq!(code(bob.post::<Value>(&join, &json!({ "deck": strong["deck"] })).await), "match/own_deck");
    let friendly = json!({ "game": "orcain", "deck": strong["deck"], "seats": ["me", "bot:random"] });
    let cid = host.guest("Cid").await;
    let _: Value = cid.post("/matches", &friendly).await.expect("against a bot it costs nothing");
    let joined: Value = bob.post(&join, &json!({})).await.expect("with the cards of the game he sits");
    assert_eq!(joined["status"], "live");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_against_a_bot_costs_nothing() {
    let host = duel_host().await;
    let ann = host.guest("Ann").await;
    let body = json!({ "game": "orcain", "seats": ["me", "bot:random"] });
    let created: Value = ann.post("/matches", &body).await.expect("a table is opened");
    assert_eq!(created["status"], "live");
    concede(&ann, created["id"].as_str().expect("an id")).await;
    assert_eq!(tokens(&host, &ann).await, 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_that_somebody_published_are_played_for_nothing() {
    let host = duel_host().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let game =
        common::publish(&ann, &json!({ "id": "mine", "name": "Mine", "version": "1", "include": ["orcain"] })).await;
    let id = table(&ann, &bob, &game, 1).await;
    concede(&bob, &id).await;
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (10, 10));
}

/// Opens a table of Orcain and waits at it.
async fn open_table(api: &Api) -> String {
    let created: Value = api.post("/matches", &json!({ "game": "orcain" })).await.expect("a table is opened");
    assert_eq!(created["status"], "open");
    created["id"].as_str().expect("an id").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn ruling_11_who_waits_for_a_duel_or_plays_one_sits_down_at_no_other() {
    let host = duel_host().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let join = format!("/matches/{}/join", open_table(&ann).await);
    let against_bot = json!({ "game": "orcain", "seats": ["me", "bot:random"] });
    let mut player = Player::at(&host, "orcain-calm", &bob).await;
    player.queue().await;
    player.until("queue_ok").await;
    assert_eq!(code(bob.post::<Value>(&join, &json!({})).await), "match/already_queued");
    assert_eq!(code(bob.post::<Value>("/matches", &against_bot).await), "match/already_queued");
    player.say(&json!({ "type": "queue_leave" })).await;
    player.until("queue_left").await;
    let (pair, cid, _) = Pair::meet(&host, "orcain-calm").await;
    assert_eq!(code(cid.post::<Value>(&join, &json!({})).await), "match/already_in_match");
    let free = json!({ "game": "harvest", "seats": ["me", "bot:random"] });
    let created: Value = cid.post("/matches", &free).await.expect("what is played for nothing is no duel");
    assert_eq!(created["status"], "live");
    let joined: Value = bob.post(&join, &json!({})).await.expect("he waits no more");
    assert_eq!(joined["status"], "live");
    let again: Value = bob.post(&join, &json!({})).await.expect("he sits there");
    assert_eq!(again["status"], "live");
    player.queue().await;
    assert_eq!(player.refusal().await, "already_in_match");
    drop(pair);
}

#[tokio::test(flavor = "multi_thread")]
async fn ruling_11_who_has_begun_a_duel_elsewhere_stands_up_when_his_table_fills() {
    let host = duel_host().await;
    let (pair, ann, _) = Pair::meet(&host, "orcain-calm").await;
    let (eve, dan) = (host.guest("Eve").await, host.guest("Dan").await);
    let id = open_table(&ann).await;
    let join = format!("/matches/{id}/join");
    let joined: Value = eve.post(&join, &json!({})).await.expect("a seat is free");
    assert_eq!((joined["status"].as_str(), sitters(&joined)), (Some("open"), vec!["Eve", ""]));
    let joined: Value = dan.post(&join, &json!({})).await.expect("a seat is free");
    assert_eq!(joined["status"], "live");
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &eve).await, tokens(&host, &dan).await), (9, 9, 9));
    drop(pair);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_table_that_a_dead_server_did_not_begin_begins_with_the_next() {
    let mut host = duel_host().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let id = MatchId(open_table(&ann).await);
    let me: Value = bob.get("/accounts/me").await.expect("signed in");
    let store = host.store();
    let mut row = store.match_row(&id).await.expect("the store answers").expect("it is there");
    row.seats[1] = Some(AccountId(me["accountId"].as_str().expect("an id").to_owned()));
    store.commit(vec![storage::Op::PutMatch(row)]).await.expect("the store takes it");
    drop(store);
    host.restart().await;
    while host.store().match_row(&id).await.expect("the store answers").expect("it is there").status
        != MatchStatus::Live
    {
        tokio::task::yield_now().await;
    }
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (9, 9));
}
