//! A server that is killed again and again loses nothing it acknowledged and does nothing twice. The clients' own
//! records judge. The long form is part of `cargo xtask soak`.

mod process;

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use client::{Api, Seat};
#[cfg(not(feature = "planted-loss"))]
use process::check_store;
use process::{free_port, start};
use serde_json::{Value, json};
#[cfg(not(feature = "planted-loss"))]
use testkit::postgres::PrivatePostgres;
use testkit::served::clicker;

/// How large the test is.
struct Size {
    n_kills: u32,
    n_matches: usize,
}

/// A small test, or a long one with so many kills.
fn size(n_kills: u32) -> Size {
    let is_soak = std::env::var_os("SNAPSTACK_SOAK").is_some();
    if is_soak { Size { n_kills, n_matches: 100 } } else { Size { n_kills: 4, n_matches: 6 } }
}

/// Clicks until it is told to stop; gives how many clicks were acknowledged.
async fn click(api: Api, id: String, stop: Arc<AtomicBool>, total: Arc<AtomicU32>) -> u32 {
    let mut seat = Seat::take(&api, &id, None).await.expect("a seat");
    let mut n_acknowledged = 0;
    while !stop.load(Ordering::Relaxed) {
        seat.submit("action.submit", &json!({ "actionType": "click" })).await.expect("a click is always legal");
        n_acknowledged += 1;
        total.fetch_add(1, Ordering::Relaxed);
    }
    n_acknowledged
}

/// Follows a match; the client library refuses gaps and repeats and compares the view after every change.
async fn watch(api: Api, id: String, stop: Arc<AtomicBool>) -> u32 {
    let mut seat = Seat::take(&api, &id, None).await.expect("a seat");
    while !stop.load(Ordering::Relaxed) {
        let _ = tokio::time::timeout(Duration::from_millis(50), seat.wait()).await;
    }
    seat.mirror.sequence
}

async fn table(ann: &Api, bob: &Api, game: &str) -> String {
    let created: Value = ann.post("/matches", &json!({ "game": game })).await.expect("a table");
    let id = created["id"].as_str().expect("an id").to_owned();
    let _: Value = bob.post(&format!("/matches/{id}/join"), &json!({})).await.expect("a seat is free");
    id
}

async fn clicks(api: &Api, id: &str) -> u64 {
    let view: Value = api.get(&format!("/matches/{id}/view")).await.expect("the match is there");
    view["view"]["players"]["p1"]["values"]["clicks"].as_u64().expect("a number")
}

/// Plays matches while the server is killed; `between` happens while it is down.
async fn survive(store: &str, Size { n_kills, n_matches }: Size, between: impl Fn(u32)) {
    let (port, games) = (free_port(), testkit::games::folder());
    let mut process = start(store, &games, port);
    process.ready().await;
    let (ann, bob) = (
        Api::guest(&process.base, "Ann").await.expect("a guest"),
        Api::guest(&process.base, "Bob").await.expect("a guest"),
    );
    let body = json!({ "documents": { "ruleset": endless().to_string() } });
    let published: Value = ann.post("/rulesets", &body).await.expect("the ruleset has no mistakes");
    let game = published["hash"].as_str().expect("a hash").to_owned();
    let (stop, total) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let mut players = Vec::new();
    for _ in 0..n_matches {
        let id = table(&ann, &bob, &game).await;
        let clicking = tokio::spawn(click(ann.clone(), id.clone(), stop.clone(), total.clone()));
        let watching = tokio::spawn(watch(bob.clone(), id.clone(), stop.clone()));
        players.push((id, clicking, watching));
    }
    let mut slowest = Duration::ZERO;
    for n in 0..n_kills {
        // Some work is done between any two kills, wherever the next one falls.
        let before = total.load(Ordering::Relaxed);
        let wanted = u32::try_from(n_matches).expect("few");
        while total.load(Ordering::Relaxed) < before + wanted {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(Duration::from_millis(u64::from(n * 7919 % 97))).await;
        process.kill();
        between(n);
        process = start(store, &games, port);
        slowest = slowest.max(process.ready().await);
        if n % 10 == 9 {
            eprintln!("{} kills of {n_kills}", n + 1);
        }
    }
    stop.store(true, Ordering::Relaxed);
    let mut n_acknowledged = 0;
    for (id, clicking, watching) in players {
        let acknowledged = clicking.await.expect("nobody panics");
        watching.await.expect("nobody panics");
        assert_eq!(clicks(&ann, &id).await, u64::from(acknowledged), "lost or done twice in {id}");
        n_acknowledged += acknowledged;
    }
    eprintln!(
        "{n_kills} kills, {n_matches} matches, {n_acknowledged} acknowledged actions: none lost, none done twice; slowest start {slowest:?}"
    );
    process.kill();
}

/// A game of clicks without an end.
fn endless() -> Value {
    let mut game = clicker();
    game["endConditions"] = json!([{ "id": "never", "when": { "op": "gt", "a": { "ref": "turn" }, "b": 1_000_000 } }]);
    game
}

fn sqlite(folder: &Path) -> String {
    folder.join("store.db").display().to_string()
}

#[cfg(feature = "planted-loss")]
#[tokio::test(flavor = "multi_thread")]
async fn a_build_that_answers_before_it_stores_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let store = sqlite(folder.path());
    let survived = tokio::spawn(async move { survive(&store, size(200), |_| {}).await }).await;
    assert!(survived.is_err(), "acknowledged actions were lost, and nobody noticed");
}

#[cfg(not(feature = "planted-loss"))]
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_loses_nothing_it_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    survive(&sqlite(folder.path()), size(200), |_| {}).await;
    check_store(&sqlite(folder.path()));
}

#[cfg(not(feature = "planted-loss"))]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_postgres_is_killed_too() {
    let cluster = PrivatePostgres::start();
    // Starting a database again takes longer than starting a server.
    survive(&cluster.url(), size(50), |_| {
        cluster.kill();
        cluster.go();
    })
    .await;
}
