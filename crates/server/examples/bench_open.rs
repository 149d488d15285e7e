//! How long it takes to open a match again after the server was started again, by how long the match is.
//!
//! ```sh
//! cargo run --release -p server --example bench_open
//! ```

use std::time::{Duration, Instant};

use client::{Api, Seat};
use serde_json::{Value, json};
use server::{Config, Server};
use testkit::served::clicker;

/// How many clicks a match has when it is opened again.
const CLICKS: [u32; 4] = [100, 1_000, 5_000, 20_000];
/// Whole matches of duel.
const DUELS: u32 = 5;

fn config(folder: &std::path::Path) -> Config {
    Config {
        listen: "127.0.0.1:0".parse().expect("an address"),
        store: folder.join("store.db").display().to_string(),
        games: testkit::games::folder(),
        allow_seeds: true,
        requests_per_second_max: 1_000_000,
        messages_per_second_max: 1_000_000,
        ..Config::standard()
    }
}

async fn start(config: &Config) -> Server {
    Server::start(config.clone(), Vec::new()).await.expect("the server starts")
}

fn base(server: &Server) -> String {
    format!("http://{}", server.address)
}

async fn table(ann: &Api, bob: &Api, game: &str, seed: u32) -> String {
    let body = json!({ "game": game, "seed": seed });
    let created: Value = ann.post("/matches", &body).await.expect("a table is opened");
    let id = created["id"].as_str().expect("an id").to_owned();
    bob.post::<Value>(&format!("/matches/{id}/join"), &json!({})).await.expect("a seat is free");
    id
}

async fn click(ann: &Api, id: &str, n_clicks: u32) {
    for _ in 0..n_clicks {
        ann.post::<Value>(&format!("/matches/{id}/actions"), &json!({ "type": "click" })).await.expect("her turn");
    }
}

/// Plays a seat to the end with any legal answers.
async fn finish(api: &Api, id: &str, mut dice: u32) {
    let mut seat = Seat::take(api, id, None).await.expect("a seat");
    while seat.mirror.view.outcome.is_none() {
        let Some(input) = seat.mirror.inputs.first().cloned().filter(|it| it.draft.is_none()) else {
            seat.wait().await.expect("the server is there");
            continue;
        };
        let mut below = |bound: u32| {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (dice >> 8) % bound.max(1)
        };
        let response = input.constraints.selector.make_response(&mut below).expect("it can be answered");
        seat.answer(&input, &response).await.expect("it is legal");
    }
}

/// Opens a match that is not in memory; gives how long that took.
async fn open(api: &Api, id: &str) -> Duration {
    let started = Instant::now();
    api.get::<Value>(&format!("/matches/{id}/view")).await.expect("it is there");
    started.elapsed()
}

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let config = config(folder.path());
    let server = start(&config).await;
    let (ann, bob) = (Api::guest(&base(&server), "Ann").await, Api::guest(&base(&server), "Bob").await);
    let (ann, bob) = (ann.expect("a guest"), bob.expect("a guest"));
    let documents = json!({ "documents": { "ruleset": clicker().to_string() } });
    let published: Value = ann.post("/rulesets", &documents).await.expect("it has no mistakes");
    let game = published["hash"].as_str().expect("a hash");
    let mut matches = Vec::new();
    for n_clicks in CLICKS {
        let id = table(&ann, &bob, game, 1).await;
        click(&ann, &id, n_clicks).await;
        matches.push((format!("{n_clicks} clicks"), id));
    }
    for seed in 1..=DUELS {
        let id = table(&ann, &bob, "duel", seed).await;
        tokio::join!(finish(&ann, &id, seed), finish(&bob, &id, seed + 100));
        matches.push((format!("a duel with seed {seed}"), id));
    }
    server.stop().await;
    let started = Instant::now();
    let server = start(&config).await;
    println!("started in {:?}", started.elapsed());
    let ann = Api::new(&base(&server)).with_token(ann.token().expect("signed in"));
    for (name, id) in matches {
        let row = server.app.store.match_row(&storage::MatchId(id.clone())).await.expect("the store answers");
        let n_transitions = row.map_or(0, |it| it.n_transitions);
        println!("{name}, {n_transitions} transitions: {:?}", open(&ann, &id).await);
    }
    server.stop().await;
}
