//! How long it takes to open a match again after the server was started again, by how long the match is.
//!
//! ```sh
//! cargo run --release -p server --example bench_open
//! ```

use std::time::{Duration, Instant};

use client::Api;
use serde_json::{Value, json};
use server::{Config, Server};
use testkit::served::clicker;

/// How many clicks a match has when it is opened again.
const CLICKS: [u32; 4] = [100, 1_000, 5_000, 20_000];

fn config(folder: &std::path::Path) -> Config {
    Config {
        listen: "127.0.0.1:0".parse().expect("an address"),
        store: folder.join("store.db").display().to_string(),
        games: testkit::games::folder(),
        allow_seeds: true,
        requests_per_second_max: 1_000_000,
        ..Config::standard()
    }
}

/// The game of clicks, which ends only after very many of them.
fn long_game() -> Value {
    let mut game = clicker();
    let end = &mut game["endConditions"][0];
    (end["when"]["of"]["where"]["b"], end["winners"]["where"]["b"]) = (json!(1_000_000), json!(1_000_000));
    game
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
    let documents = json!({ "documents": { "ruleset": long_game().to_string() } });
    let published: Value = ann.post("/rulesets", &documents).await.expect("it has no mistakes");
    let game = published["hash"].as_str().expect("a hash");
    let mut matches = Vec::new();
    for n_clicks in CLICKS {
        let id = table(&ann, &bob, game, 1).await;
        click(&ann, &id, n_clicks).await;
        matches.push(id);
    }
    server.stop().await;
    let started = Instant::now();
    let server = start(&config).await;
    println!("started in {:?}", started.elapsed());
    let ann = Api::new(&base(&server)).with_token(ann.token().expect("signed in"));
    for id in matches {
        let row = server.app.store.match_row(&storage::MatchId(id.clone())).await.expect("the store answers");
        let n_transitions = row.map_or(0, |it| it.n_transitions);
        println!("{n_transitions} transitions: {:?}", open(&ann, &id).await);
    }
    server.stop().await;
}
