//! A client on a bad network, two servers on one database, and frames of nonsense.

mod common;

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use client::{Api, Seat};
use common::{Ear, Host, publish, table};
use serde_json::{Value, json};
use server::{Config, Server};
use storage::postgres::PostgresStore;
use testkit::{postgres::PrivatePostgres, served::clicker};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// A wire that breaks again and again: after so many bytes, in the middle of whatever they are.
async fn bad_wire(to: SocketAddr) -> (SocketAddr, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("some port is free");
    let address = listener.local_addr().expect("it has an address");
    let n_broken = Arc::new(AtomicU32::new(0));
    let count = n_broken.clone();
    tokio::spawn(async move {
        let mut n_wires = 0_u64;
        while let Ok((near, _)) = listener.accept().await {
            n_wires += 1;
            // Each wire carries a different amount, some too little even to begin.
            let room = 700 + n_wires * 977 % 9000;
            let count = count.clone();
            tokio::spawn(async move {
                let Ok(far) = TcpStream::connect(to).await else { return };
                carry(near, far, room).await;
                count.fetch_add(1, Ordering::Relaxed);
            });
        }
    });
    (address, n_broken)
}

/// Carries bytes both ways until so many have passed.
async fn carry(near: TcpStream, far: TcpStream, room: u64) {
    let (near_in, mut near_out) = near.into_split();
    let (far_in, mut far_out) = far.into_split();
    let mut down = far_in.take(room);
    let mut up = near_in.take(room);
    let (mut buffer_down, mut buffer_up) = (vec![0; 256], vec![0; 256]);
    loop {
        let is_carried = tokio::select! {
            read = down.read(&mut buffer_down) => match read {
                Ok(n) if n > 0 => near_out.write_all(&buffer_down[..n]).await.is_ok(),
                _ => false,
            },
            read = up.read(&mut buffer_up) => match read {
                Ok(n) if n > 0 => far_out.write_all(&buffer_up[..n]).await.is_ok(),
                _ => false,
            },
        };
        if !is_carried {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_plays_on_over_a_network_that_breaks() {
    let host = Host::start().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let (address, n_broken) = bad_wire(host.server().address).await;
    let over_the_wire = Api::new(&format!("http://{address}")).with_token(ann.token().expect("signed in"));
    let mut seat = Seat::take(&over_the_wire, &id, None).await.expect("it gets through in the end");
    for n in 1..=40 {
        seat.submit("action.submit", &json!({ "actionType": "click" })).await.expect("it gets through in the end");
        let view: Value = ann.get(&format!("/matches/{id}/view")).await.expect("it is there");
        assert_eq!(view["view"]["players"]["p1"]["values"]["clicks"], n, "each click counts once");
    }
    assert!(n_broken.load(Ordering::Relaxed) > 0 && seat.n_returns > 0, "the network never broke");
    // What the client kept up through it all is what the server has.
    let view: Value = ann.get(&format!("/matches/{id}/view")).await.expect("it is there");
    let sent = serde_json::to_value(&seat.mirror.view).expect("JSON");
    assert_eq!(protocol::view_hash(&sent), view["viewHash"].as_str().expect("a hash"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conflict_is_shown_and_a_fresh_view_resolves_it() {
    let host = Host::start().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let mut seat = Seat::take(&ann, &id, None).await.expect("a seat");
    // Ann clicks on another device, and this one does not know yet.
    ann.post::<Value>(&format!("/matches/{id}/actions"), &json!({ "type": "click" })).await.expect("her turn");
    let late = seat.submit("action.submit", &json!({ "actionType": "click", "knownVersion": 0 })).await;
    assert_eq!(late.expect_err("another was faster").conflict(), Some(1));
    seat.hang_up();
    seat.wait().await.expect("it comes back");
    let known = seat.mirror.view.branch_id;
    seat.submit("action.submit", &json!({ "actionType": "click", "knownVersion": known }))
        .await
        .expect("now it is current");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_database_fence_each_other() {
    let cluster = PrivatePostgres::start();
    let folder = tempfile::tempdir().expect("a folder can be made");
    let config = Config { store: cluster.url(), ..common::config(folder.path()) };
    let mut servers = Vec::new();
    for _ in 0..2 {
        let store = Arc::new(PostgresStore::open_url(&cluster.url()).expect("the database opens"));
        servers.push(Server::start_on(config.clone(), store, common::scripts()).await.expect("it starts"));
    }
    let [one, two] = [0, 1].map(|it| format!("http://{}", servers[it].address));
    let (ann, bob) = (Api::guest(&one, "Ann").await.expect("a guest"), Api::guest(&one, "Bob").await.expect("a guest"));
    // Both know the rules: each compiles what is published when it needs it.
    let created: Value = ann.post("/matches", &json!({ "game": "skirmish", "seed": 1 })).await.expect("a table");
    let id = created["id"].as_str().expect("an id").to_owned();
    bob.post::<Value>(&format!("/matches/{id}/join"), &json!({})).await.expect("a seat is free");
    let ann_there = Api::new(&two).with_token(ann.token().expect("signed in"));
    let bob_there = Api::new(&two).with_token(bob.token().expect("signed in"));
    let path = format!("/matches/{id}/actions");
    let mut version = 0;
    for n in 0..12 {
        // Both servers have the match in memory, and the one that is asked now is always behind.
        let apis = [[&ann, &bob], [&ann_there, &bob_there]][n % 2];
        for (name, api) in ["ann", "bob"].iter().zip(apis) {
            let pass = json!({ "type": "pass", "commandId": format!("{name}{n}") });
            if let Err(error) = api.post::<Value>(&path, &pass).await {
                assert!(["request/stale_version", "command/not_your_priority"].contains(&error.code()), "{error}");
            }
        }
        let view: Value = apis[0].get(&format!("/matches/{id}/view")).await.expect("it is there");
        let now = view["view"]["branchId"].as_u64().expect("a version");
        assert!(now >= version, "a server went back from {version} to {now}");
        version = now;
    }
    assert!(version >= 6, "the match went on: {version}");
    for server in servers {
        let row =
            server.app.store.match_row(&storage::MatchId(id.clone())).await.expect("it answers").expect("it is there");
        let log = server.app.store.transitions(&row.id, 0, 1000).await.expect("it answers");
        assert_eq!(storage::damage::find(&row, &log), None, "one history, whoever wrote it");
        server.stop().await;
    }
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn pick<'c, T>(&mut self, from: &'c [T]) -> &'c T {
        &from[usize::try_from(self.next()).expect("small") % from.len()]
    }
}

/// A message with something wrong in it.
fn nonsense(dice: &mut Dice, id: &str) -> Value {
    let values = [
        json!(null),
        json!(-1),
        json!(1e300),
        json!("p1"),
        json!([]),
        json!({ "a": [{}] }),
        json!("\u{0}"),
        json!(true),
        json!(id),
    ];
    let kinds =
        ["action.submit", "input.submit", "system.control", "match.subscribe", "match.unsubscribe", "ping", "", "x"];
    let keys = [
        "matchId",
        "requestId",
        "commandId",
        "knownVersion",
        "actionType",
        "targets",
        "params",
        "inputId",
        "answers",
        "verb",
        "player",
        "winners",
        "after",
        "receipt",
        "as",
    ];
    let mut message = json!({ "type": *dice.pick(&kinds), "matchId": id });
    for _ in 0..dice.next() % 4 {
        message[*dice.pick(&keys)] = dice.pick(&values).clone();
    }
    if dice.next().is_multiple_of(16) { dice.pick(&values).clone() } else { message }
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_of_nonsense_break_nothing() {
    let n_frames = if std::env::var_os("SNAPSTACK_SOAK").is_some() { 1_000_000 } else { 2_000 };
    let host = Host::with(|it| (it.messages_per_second_max, it.outbox_max) = (10_000_000, 100_000)).await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    // Eve does not sit here, so whatever she says must change nothing.
    let eve = host.guest("Eve").await;
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let before: Value = ann.get(&format!("/matches/{id}/view")).await.expect("it is there");
    let mut dice = Dice(7);
    let mut ear = Ear::open(&eve).await;
    for n in 0..n_frames {
        if ear.try_send(&nonsense(&mut dice, &id)).await.is_err() {
            ear = Ear::open(&eve).await;
        }
        if n % 100 == 99 {
            ear.settle().await;
            ear.heard.clear();
        }
    }
    let after: Value = ann.get(&format!("/matches/{id}/view")).await.expect("the server is alive");
    assert_eq!(before, after);
}
