//! Many duels at once with real timing: how late reveals come, and what a match costs in memory.
//!
//! `cargo run --release -p server --example duels -- 500` plays 500 duels for two rounds on one server with SQLite, all
//! in this process, and prints the lateness of `step_reveal` as a player sees it: the time since the one before, beyond
//! what the rules wait. Memory is the growth of the process, sockets of both sides included.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use client::{Api, duel::DuelSocket};
use serde_json::{Value, json};
use server::{Config, Server};

/// What the rules wait between two reveals.
const STEP: Duration = Duration::from_millis(900);
const N_ROUNDS: usize = 2;

type Lateness = Arc<Mutex<Vec<Duration>>>;

#[tokio::main]
async fn main() {
    let n_duels: usize = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(100);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let config = Config {
        listen: "127.0.0.1:0".parse().expect("an address"),
        store: folder.path().join("store.db").display().to_string(),
        accounts_per_minute_max: u32::MAX,
        sockets_per_address_max: u32::MAX,
        ..Config::standard()
    };
    let server = Server::start(config, Vec::new()).await.expect("run this in the folder that holds games/");
    let house = Api::new(&format!("http://{}", server.address));
    let before = memory_kb();
    let lateness = Lateness::default();
    let began = Instant::now();
    let mut players = Vec::new();
    for at in 0..n_duels * 2 {
        let api = guest(&house, at).await;
        let mut socket = DuelSocket::open(&api, "orcain").await.expect("the socket opens");
        socket.send(&json!({ "type": "queue_join" })).await.expect("it is open");
        players.push(tokio::spawn(play(socket, lateness.clone())));
    }
    let all_in = began.elapsed();
    let mut peak = memory_kb();
    while players.iter().any(|it| !it.is_finished()) {
        tokio::time::sleep(Duration::from_millis(100)).await;
        peak = peak.max(memory_kb());
    }
    report(n_duels, all_in, peak.saturating_sub(before), &lateness);
    server.stop().await;
}

/// A new guest, over the same connections as all others.
async fn guest(house: &Api, at: usize) -> Api {
    let body = json!({ "nickname": format!("p{at}") });
    let signed_in: Value = house.post("/accounts/guest", &body).await.expect("anybody can be a guest");
    house.with_token(signed_in["token"].as_str().expect("a token"))
}

/// Plays some rounds and hangs up.
async fn play(mut socket: DuelSocket, lateness: Lateness) {
    let mut last: Option<Instant> = None;
    let mut n_rounds = 0;
    while let Ok(message) = socket.next().await {
        match message["type"].as_str().unwrap_or_default() {
            "prep_start" => {
                let layout = json!(["attack", "defense", "heal"]);
                let confirm = json!({ "type": "layout_confirm", "matchId": message["matchId"], "layout": layout });
                drop(socket.send(&confirm).await);
                last = None;
            }
            "step_reveal" => {
                let now = Instant::now();
                if let Some(since) = last.replace(now) {
                    let late = now.duration_since(since).saturating_sub(STEP);
                    lateness.lock().unwrap_or_else(PoisonError::into_inner).push(late);
                }
            }
            "round_end" => n_rounds += 1,
            "match_end" => return,
            _ => {}
        }
        if n_rounds >= N_ROUNDS {
            return;
        }
    }
}

/// What the process holds in memory.
fn memory_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|it| it.starts_with("VmRSS:"));
    line.and_then(|it| it.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}

fn report(n_duels: usize, all_in: Duration, grown_kb: u64, lateness: &Lateness) {
    let mut all = lateness.lock().unwrap_or_else(PoisonError::into_inner).clone();
    all.sort_unstable();
    let at = |share: usize| all.get(all.len() * share / 1000).copied().unwrap_or_default();
    println!("{n_duels} duels, all begun after {all_in:.1?}, {} reveals", all.len());
    println!("lateness: median {:.1?}, p99 {:.1?}, p99.9 {:.1?}", at(500), at(990), at(999));
    println!("memory: {} kB a duel, both ends of its sockets included", grown_kb / n_duels.max(1) as u64);
}
