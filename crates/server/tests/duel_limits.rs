//! The sockets of duels have the limits of all sockets; each is answered with a code, and breaks nobody else's match.

mod common;
mod duels;

use std::{sync::Arc, time::Duration};

use common::Host;
use duels::{Pair, Player, duel_host, duel_host_with, tokens};
use serde_json::{Value, json};
use server::Server;
use storage::{MatchFilter, MatchStatus, MemoryStore};
use testkit::paced::Paced;
use tokio::sync::watch;

/// Between two looks at something that changes by itself.
const A_MOMENT: Duration = Duration::from_millis(5);

fn sync() -> Value {
    json!({ "type": "sync" })
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_say_in_time_who_he_is_is_cut_off() {
    let host = duel_host_with(|it| it.hello_ms = 100).await;
    let ann = host.guest("Ann").await;
    let mut known = Player::at(&host, "orcain", &ann).await;
    let mut stranger = Player::stranger(&host, "orcain").await;
    stranger.say(&sync()).await;
    assert_eq!(stranger.refusal().await, "hello_first");
    assert_eq!(stranger.until_closed().await, (4001, "auth/hello_late".to_owned()));
    assert_eq!(known.sync().await["phase"], "IDLE", "who said it stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sends_too_much_is_told_and_then_cut_off() {
    let host = duel_host_with(|it| it.messages_per_second_max = 1).await;
    let ann = host.guest("Ann").await;
    let mut player = Player::at(&host, "orcain", &ann).await;
    let mut n_sent = 0;
    while n_sent < 60 && player.try_say(&sync()).await {
        n_sent += 1;
    }
    assert_eq!(player.until_closed().await, (4029, "limit/too_many_messages".to_owned()));
    assert!(player.heard.iter().any(|it| it["code"] == "limit/too_many_messages"), "{:?}", player.heard);
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_of_one_account_and_of_one_address_are_counted() {
    let host = duel_host_with(|it| (it.sockets_per_account_max, it.sockets_per_address_max) = (2, 3)).await;
    let ann = host.guest("Ann").await;
    let (_one, _two) = (Player::at(&host, "orcain", &ann).await, Player::at(&host, "orcain", &ann).await);
    let mut third = Player::stranger(&host, "orcain").await;
    third.say(&json!({ "type": "hello", "token": ann.token() })).await;
    assert_eq!(third.refusal().await, "limit/sockets");
    let url = format!("ws://{}/duels/orcain/ws", host.server().address);
    let refused = tokio_tungstenite::connect_async(url).await.expect_err("three are enough");
    assert!(refused.to_string().contains("429"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_that_is_too_large_ends_the_socket_and_with_it_the_match() {
    let host = duel_host_with(|it| it.frame_bytes_max = 10_000).await;
    let (mut pair, ann, bob) = Pair::meet(&host, "orcain-calm").await;
    pair.bob.draft(&pair.match_id, json!("x".repeat(20_000))).await;
    assert_eq!(pair.ann.until("match_end").await["reason"], "disconnect");
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (11, 9));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_is_cut_off_and_the_other_does_not_notice() {
    let host = duel_host_with(|it| (it.outbox_max, it.messages_per_second_max) = (16, 100_000)).await;
    let (mut pair, ann, bob) = Pair::meet(&host, "orcain-calm").await;
    // Bob asks to see everything again and again, and reads nothing: his socket fills, then his outbox.
    while host.server().app.metrics.slow_readers.get() == 0 && pair.bob.try_say(&sync()).await {}
    let end = pair.ann.until("match_end").await;
    assert_eq!((end["reason"].as_str(), end["winner"].as_str()), (Some("disconnect"), Some("YOU")));
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (11, 9));
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_heartbeats_end_no_preparation_but_a_reveal() {
    let host = duel_host_with(|it| (it.heartbeat_ms, it.messages_per_second_max) = (50, 1000)).await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-slow").await;
    let id = pair.match_id.clone();
    let empty = json!([null, null, null]);
    // Ann does not read any more, so she answers no heartbeat; Bob counts them.
    let n_before = pair.bob.n_pings;
    while pair.bob.n_pings < n_before + 10 {
        tokio::time::sleep(A_MOMENT).await;
        assert_eq!(pair.bob.sync().await["phase"], "PREP");
    }
    pair.ann.confirm(&id, empty.clone()).await;
    pair.bob.confirm(&id, empty).await;
    let end = pair.bob.until("match_end").await;
    assert_eq!((end["reason"].as_str(), end["winner"].as_str()), (Some("disconnect"), Some("YOU")));
    pair.ann.until_closed().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missed_heartbeats_end_no_preparation_while_the_store_does_not_answer() {
    let host = duel_host_with(|it| (it.heartbeat_ms, it.messages_per_second_max) = (50, 1000)).await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-slow").await;
    let id = pair.match_id.clone();
    let other = rusqlite::Connection::open(&host.config.store).expect("the file opens");
    other.busy_timeout(common::PATIENCE).expect("a number");
    other.execute_batch("ALTER TABLE matches RENAME TO gone").expect("the file is free between two commits");
    // What cannot be stored is forgotten, and what is stored cannot be read.
    pair.bob.draft(&id, json!(["heal", null, null])).await;
    let n_before = pair.bob.n_pings;
    while pair.bob.n_pings < n_before + 10 {
        tokio::time::sleep(A_MOMENT).await;
        pair.bob.say(&sync()).await;
        pair.bob.refusal().await;
    }
    other.execute_batch("ALTER TABLE gone RENAME TO matches").expect("the file is free between two commits");
    assert_eq!(pair.ann.sync().await["phase"], "PREP", "she was silent, and is still there");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_answers_heartbeats_stays_for_as_long_as_he_likes() {
    let host = duel_host_with(|it| (it.heartbeat_ms, it.messages_per_second_max) = (50, 1000)).await;
    let ann = host.guest("Ann").await;
    let mut player = Player::at(&host, "orcain", &ann).await;
    player.queue().await;
    while player.n_pings < 20 {
        tokio::time::sleep(A_MOMENT).await;
        player.sync().await;
    }
    assert_eq!(player.sync().await["phase"], "QUEUED");
}

/// A server whose store commits only while a door is open.
async fn host_with_door() -> (Host, watch::Sender<bool>) {
    let mut host = duel_host().await;
    host.server.take().expect("it runs").stop().await;
    let door = watch::Sender::new(true);
    let way = door.clone();
    let store = Paced::new(Arc::new(MemoryStore::default()), move || {
        let mut way = way.subscribe();
        Box::pin(async move { drop(way.wait_for(|it| *it).await) })
    });
    let server = Server::start_on(host.config.clone(), Arc::new(store), Vec::new()).await.expect("the server starts");
    host.server = Some(server);
    (host, door)
}

/// Somebody hangs up while his match is being made.
async fn check_hang_up_while_paired(who: [bool; 2]) {
    let (host, door) = host_with_door().await;
    let apis = [host.guest("Ann").await, host.guest("Bob").await];
    let mut ann = Player::at(&host, "orcain-calm", &apis[0]).await;
    let mut bob = Player::at(&host, "orcain-calm", &apis[1]).await;
    ann.queue().await;
    ann.until("queue_ok").await;
    door.send_replace(false);
    bob.queue().await;
    // Both have been called, and the match waits for the store.
    let lobby = &host.server().app.lobby;
    let me: Value = apis[0].get("/accounts/me").await.expect("signed in");
    let first = storage::AccountId(me["accountId"].as_str().expect("an id").to_owned());
    while !lobby.is_called(&first) {
        tokio::task::yield_now().await;
    }
    let n_sockets = i64::from(!who[0]) + i64::from(!who[1]);
    let mut players = [Some(ann), Some(bob)];
    for (player, hangs_up) in players.iter_mut().zip(who) {
        player.take_if(|_| hangs_up);
    }
    // Bob's own socket waits for the match he asked for, so only Ann's can be seen to end before the door opens.
    while who[0] && host.server().app.metrics.sockets.get() > n_sockets + i64::from(who[1]) {
        tokio::time::sleep(A_MOMENT).await;
    }
    door.send_replace(true);
    for player in players.iter_mut().flatten() {
        let end = player.until("match_end").await;
        assert_eq!((end["reason"].as_str(), end["winner"].as_str()), (Some("disconnect"), Some("YOU")), "{who:?}");
        assert_eq!(player.heard.iter().filter(|it| it["type"] == "match_end").count(), 1);
    }
    let over = MatchFilter { status: Some(MatchStatus::Over), limit: 10, ..MatchFilter::default() };
    while host.store().matches(&over).await.expect("the store answers").is_empty() {
        tokio::time::sleep(A_MOMENT).await;
    }
    let mut both = [tokens(&host, &apis[0]).await, tokens(&host, &apis[1]).await];
    both.sort_unstable();
    assert_eq!(both, [9, 11], "one ending, one payment: {who:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn group_5_who_hangs_up_while_he_is_being_paired_has_left_the_match() {
    for who in [[true, false], [false, true], [true, true]] {
        check_hang_up_while_paired(who).await;
    }
}
