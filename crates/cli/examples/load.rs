//! `cargo xtask load`: a server in one process, thousands of players in this one, and how long they wait.
//!
//! Arguments: the number of sockets, the seconds of each part. Every pair of sockets plays a match of duel with legal
//! answers drawn at random; an answer counts from when it is sent until the server says that it is stored.

use std::{
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use client::{Api, Seat};
use serde_json::{Value, json};
use testkit::postgres::PrivatePostgres;
use tokio::sync::watch;

const GAME: &str = "duel";
const PORT: u16 = 4699;
/// Each socket acts so often at first.
const PACE: Duration = Duration::from_secs(10);
const P99_MAX: Duration = Duration::from_millis(50);

type Waits = Arc<Mutex<Vec<Duration>>>;

/// What all players look at.
#[derive(Clone)]
struct Course {
    pace: watch::Receiver<Duration>,
    waits: Waits,
}

fn start(store: &str) -> Child {
    let program = std::env::current_exe().expect("this program is somewhere");
    let program = program.ancestors().nth(2).expect("beside the examples").join("snapstack");
    let listen = format!("127.0.0.1:{PORT}");
    Command::new(program)
        .args(["serve", "--store", store, "--listen", &listen, "--sockets-per-address-max", "100000"])
        .args([
            "--accounts-per-minute-max",
            "1000000",
            "--sockets-per-account-max",
            "100",
            "--matches-per-account-max",
            "100000",
            "--requests-per-second-max",
            "1000",
        ])
        .env("RUST_LOG", "warn")
        .stdout(Stdio::null())
        .spawn()
        .expect("build it first: cargo build --release -p cli")
}

/// Megabytes of memory a process holds.
fn memory(process: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    line.and_then(|it| it.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

async fn table(ann: &Api, bob: &Api) -> Result<[Seat; 2], client::ClientError> {
    let created: Value = ann.post("/matches", &json!({ "game": GAME })).await?;
    let id = created["id"].as_str().unwrap_or_default().to_owned();
    let _: Value = bob.post(&format!("/matches/{id}/join"), &json!({})).await?;
    Ok([Seat::take(ann, &id, None).await?, Seat::take(bob, &id, None).await?])
}

/// Plays matches for ever, at the pace of the course.
async fn play(ann: Api, bob: Api, mut course: Course, mut dice: u32) {
    // Not all at the same moment.
    dice = dice.wrapping_mul(2_654_435_761) | 1;
    let mut seats = table(&ann, &bob).await.expect("the server has this game and room for a match");
    let mut next = tokio::time::Instant::now() + PACE.mul_f64(f64::from(dice % 1000) / 2000.0);
    loop {
        let [one, two] = &mut seats;
        tokio::select! {
            () = tokio::time::sleep_until(next) => {}
            _ = course.pace.changed() => next = tokio::time::Instant::now() + (*course.pace.borrow() / 2).mul_f64(f64::from(dice % 1000) / 1000.0),
            _ = one.wait() => continue,
            _ = two.wait() => continue,
        }
        if next > tokio::time::Instant::now() {
            continue;
        }
        // Two sockets share a match, so one of them acts twice as often as each should.
        next += *course.pace.borrow() / 2;
        if seats[0].mirror.view.outcome.is_some() {
            seats = table(&ann, &bob).await.expect("the server has room for another match");
        }
        let Some(seat) = seats.iter_mut().find(|it| it.mirror.asked().is_some()) else { continue };
        let Some(input) = seat.mirror.asked().cloned() else { continue };
        let mut below = |bound: u32| {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (dice >> 8) % bound.max(1)
        };
        let sent = Instant::now();
        if seat.play_at_random(&input, &mut below).await.is_ok() {
            course.waits.lock().unwrap_or_else(PoisonError::into_inner).push(sent.elapsed());
        }
    }
}

/// Measures for a while; prints a line and gives the 99th of a hundred waits.
async fn measure(course: &Course, seconds: u64, process: &Child, label: &str) -> (Duration, f64) {
    course.waits.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let began = Instant::now();
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let took = began.elapsed();
    let mut waits = std::mem::take(&mut *course.waits.lock().unwrap_or_else(PoisonError::into_inner));
    waits.sort();
    let at = |part: f64| waits.get((waits.len() as f64 * part) as usize).or(waits.last()).copied().unwrap_or_default();
    let rate = waits.len() as f64 / took.as_secs_f64();
    println!("| {label} | {:.0} | {:.1} | {:.1} | {} |", rate, millis(at(0.5)), millis(at(0.99)), memory(process));
    (at(0.99), rate)
}

fn millis(it: Duration) -> f64 {
    it.as_secs_f64() * 1000.0
}

async fn load(name: &str, store: &str, n_sockets: usize, seconds: u64) {
    let mut process = start(store);
    let base = format!("http://127.0.0.1:{PORT}");
    while Api::new(&base).get_bytes("/readyz").await.is_err() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (pace, course_pace) = watch::channel(PACE);
    let course = Course { pace: course_pace, waits: Waits::default() };
    let mut players = Vec::new();
    for n in 0..n_sockets / 2 {
        let (Ok(ann), Ok(bob)) = (Api::guest(&base, "Ann").await, Api::guest(&base, "Bob").await) else { continue };
        players.push(tokio::spawn(play(ann, bob, course.clone(), u32::try_from(n).unwrap_or(0) + 1)));
        if n % 500 == 499 {
            eprintln!("{name}: {} sockets", 2 * (n + 1));
        }
    }
    // Until all are seated, and the first rush is over.
    tokio::time::sleep(PACE).await;
    measure(&course, seconds, &process, &format!("{name}, {n_sockets} sockets, an action each in 10 s")).await;
    let mut next = PACE;
    let mut best = 0.0_f64;
    loop {
        next = next.mul_f64(0.6);
        let _ = pace.send(next);
        tokio::time::sleep(Duration::from_secs(3)).await;
        let label = format!("{name}, an action each in {:.1} s", next.as_secs_f64());
        let (p99, rate) = measure(&course, seconds / 2, &process, &label).await;
        if p99 > P99_MAX || next < Duration::from_millis(100) {
            break;
        }
        best = best.max(rate);
    }
    println!("{name}: {best:.0} actions a second with a p99 below {P99_MAX:?}");
    players.iter().for_each(tokio::task::JoinHandle::abort);
    let _ = process.kill();
    let _ = process.wait();
}

#[tokio::main]
async fn main() {
    let args: Vec<u64> = std::env::args().skip(1).filter_map(|it| it.parse().ok()).collect();
    let n_sockets = usize::try_from(args.first().copied().unwrap_or(5000)).unwrap_or(5000);
    let seconds = args.get(1).copied().unwrap_or(30);
    println!("| load | actions/s | p50 ms | p99 ms | server MB |");
    println!("|---|---|---|---|---|");
    let folder = tempfile::tempdir().expect("a folder can be made");
    load("SQLite", &folder.path().join("load.db").display().to_string(), n_sockets, seconds).await;
    let cluster = PrivatePostgres::start();
    load("Postgres", &cluster.url(), n_sockets, seconds).await;
}
