//! Many duels at once with real timing: how late reveals come, and what a match costs in memory.
//!
//! `cargo build --release -p cli && cargo run --release -p server --example duels -- 500` plays 500 duels on a
//! server with SQLite in a process of its own. Once all have begun it looks for a while at `step_reveal`: by how much longer than
//! the rules say a player waited since the one before, and how late the server was against the due times of its clocks,
//! which counts until a reveal is stored and told. How late this program is itself, which needs the machine, too, is
//! measured by tasks that only sleep. Memory is what the process of the server grew by.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use client::{Api, duel::DuelSocket};
use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};

/// What the rules wait between two reveals.
const STEP: Duration = Duration::from_millis(900);
/// For how long is looked, once all duels have begun.
const LOOK: Duration = Duration::from_secs(15);
/// Laid by both in every round: nobody is hurt, and the match goes on in sudden death.
const LAYOUT: [&str; 3] = ["defense", "heal", "counter"];

/// How many tasks only sleep, and for how long at a time.
const N_SLEEPERS: usize = 20;
const SLEEP: Duration = Duration::from_millis(50);

type Lateness = Arc<Mutex<Vec<Duration>>>;

/// A server in a process of its own, which ends with this one.
struct Server {
    child: Child,
    base: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program beside this one.
fn program() -> PathBuf {
    let own = std::env::current_exe().expect("a program knows where it is");
    own.parent().and_then(Path::parent).expect("examples lie beside programs").join("snapstack")
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("some port is free");
    listener.local_addr().expect("it has an address").to_string()
}

impl Server {
    async fn start(store: &Path) -> Self {
        let (most, address) = (u32::MAX.to_string(), free_address());
        let limits = [
            "--accounts-per-minute-max",
            "--welcomes-per-day-max",
            "--sockets-per-address-max",
            "--requests-per-second-max",
        ];
        let child = Command::new(program())
            .args(["serve", "--listen", &address, "--store", &store.display().to_string()])
            .args(limits.iter().flat_map(|it| [*it, &most]))
            .env("RUST_LOG", "error")
            .stdout(Stdio::null())
            .spawn();
        let child = child.expect("build it first: cargo build --release -p cli");
        let server = Self { child, base: format!("http://{address}") };
        while Api::new(&server.base).get_bytes("/readyz").await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        server
    }

    /// What it holds in memory.
    fn memory_kb(&self) -> u64 {
        let process = self.child.id();
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let line = status.lines().find(|it| it.starts_with("VmRSS:"));
        line.and_then(|it| it.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
    }
}

#[tokio::main]
async fn main() {
    let n_duels: usize = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(100);
    let [mut interrupt, mut terminate] = [SignalKind::interrupt(), SignalKind::terminate()]
        .map(|it| signal(it).expect("the process can wait for signals"));
    // Whichever comes first drops the server, and that ends it.
    tokio::select! {
        () = measure(n_duels) => {}
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

async fn measure(n_duels: usize) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = Server::start(&folder.path().join("store.db")).await;
    let house = Api::new(&server.base);
    let before = server.memory_kb();
    let lateness = Lateness::default();
    let began = Instant::now();
    let mut players = Vec::new();
    for at in 0..n_duels * 2 {
        let api = guest(&house, at).await;
        let mut socket = DuelSocket::open(&api, "orcain").await.expect("the socket opens");
        socket.send(&json!({ "type": "queue_join" })).await.expect("it is open");
        players.push(tokio::spawn(play(socket, lateness.clone())));
    }
    println!("{n_duels} duels, all begun after {:.1?}", began.elapsed());
    tokio::time::sleep(STEP).await;
    lateness.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let own = Lateness::default();
    (0..N_SLEEPERS).for_each(|_| drop(tokio::spawn(sleep(own.clone()))));
    let clocks = clocks(&house).await;
    tokio::time::sleep(LOOK).await;
    let n_playing = players.iter().filter(|it| !it.is_finished()).count();
    assert_eq!(n_playing, n_duels * 2, "somebody was cut off");
    let grown_kb = server.memory_kb().saturating_sub(before);
    report("reveals, as players see them", &lateness);
    report("sleeps of the players' own program", &own);
    println!("memory of the server: {} kB a duel, its sockets included", grown_kb / n_duels.max(1) as u64);
    report_clocks(&clocks, &self::clocks(&house).await);
}

/// A new guest, over the same connections as all others.
async fn guest(house: &Api, at: usize) -> Api {
    let body = json!({ "nickname": format!("p{at}") });
    let signed_in: Value = house.post("/accounts/guest", &body).await.expect("anybody can be a guest");
    house.with_token(signed_in["token"].as_str().expect("a token"))
}

/// Plays until the end.
async fn play(mut socket: DuelSocket, lateness: Lateness) {
    let mut last: Option<Instant> = None;
    while let Ok(message) = socket.next().await {
        match message["type"].as_str().unwrap_or_default() {
            "prep_start" => {
                let confirm = json!({ "type": "layout_confirm", "matchId": message["matchId"], "layout": LAYOUT });
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
            "match_end" => return,
            _ => {}
        }
    }
}

/// Sleeps again and again, and notes how much longer than it should.
async fn sleep(lateness: Lateness) {
    loop {
        let began = Instant::now();
        tokio::time::sleep(SLEEP).await;
        let late = began.elapsed().saturating_sub(SLEEP);
        lateness.lock().unwrap_or_else(PoisonError::into_inner).push(late);
    }
}

fn report(what: &str, lateness: &Lateness) {
    let mut all = lateness.lock().unwrap_or_else(PoisonError::into_inner).clone();
    all.sort_unstable();
    let at = |share: usize| all.get(all.len() * share / 1000).copied().unwrap_or_default();
    println!("{} {what}: median {:.1?}, p99 {:.1?}", all.len(), at(500), at(990));
}

/// How many clocks were carried out at most so many seconds late, by the server's own count.
async fn clocks(house: &Api) -> Vec<(String, u64)> {
    let text = house.get_bytes("/metrics").await.expect("anybody can read the numbers");
    let text = String::from_utf8_lossy(&text).into_owned();
    let bucket = |line: &str| {
        let rest = line.strip_prefix("snapstack_clock_late_seconds_bucket{le=\"")?;
        let (bound, count) = rest.split_once("\"} ")?;
        Some((bound.to_owned(), count.parse().ok()?))
    };
    text.lines().filter_map(bucket).collect()
}

fn report_clocks(before: &[(String, u64)], after: &[(String, u64)]) {
    let n_since = |at: usize| after[at].1 - before.get(at).map_or(0, |it| it.1);
    let n_all = n_since(after.len() - 1).max(1);
    print!("clocks of the server, stored and told:");
    for (at, (bound, _)) in after.iter().enumerate() {
        print!(" {:.1} % within {bound} s;", n_since(at) as f64 * 100.0 / n_all as f64);
    }
    println!();
}
