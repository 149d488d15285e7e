//! How many transitions a second the log alone takes, from one writer and from many at once; and how long each of many
//! matches waits for its transition at a pace that leaves the store time.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use storage::{MatchId, MatchRow, Op, Store, Transition, postgres::PostgresStore, sqlite::SqliteStore};
use testkit::postgres::PrivatePostgres;

const SECONDS: f64 = 3.0;

fn next(row: &MatchRow) -> Transition {
    let transition = Transition {
        match_id: row.id.clone(),
        seq: row.n_transitions,
        command_id: Some(format!("c{}", row.n_transitions)),
        request: [1; 32],
        command: vec![7; 24],
        events: vec![9; 1500],
        note: b"{\"version\":1,\"moved\":true}".to_vec(),
        at: 0,
        previous: [0; 32],
        hash: [0; 32],
    };
    transition.chained(row.head)
}

/// Appends to a match of its own until the time is over; gives how often.
async fn write(store: Arc<dyn Store>, name: String) -> u64 {
    let mut row = MatchRow::new(MatchId(name), "bench", [0; 32], Vec::new(), 0);
    store.commit(vec![Op::CreateMatch(row.clone())]).await.expect("it is new");
    let began = Instant::now();
    while began.elapsed().as_secs_f64() < SECONDS {
        let transition = next(&row);
        (row.head, row.n_transitions) = (transition.hash, row.n_transitions + 1);
        store.commit(vec![Op::Append { transition, due_at: None }]).await.expect("it is the next");
    }
    row.n_transitions
}

async fn bench(store: Arc<dyn Store>) {
    bench_paced(store.clone()).await;
    for n_writers in [1, 16, 256] {
        let writers: Vec<_> =
            (0..n_writers).map(|it| tokio::spawn(write(store.clone(), format!("{n_writers}/{it}")))).collect();
        let mut n_written = 0;
        for writer in writers {
            n_written += writer.await.expect("nobody panics");
        }
        println!("{}: {n_writers:3} at once: {:8.0} transitions/s", store.describe(), n_written as f64 / SECONDS);
    }
}

/// How many matches are played at a pace, and how often each moves.
const N_PACED: u32 = 2500;
const PACE: Duration = Duration::from_secs(5);
const ROUNDS: u32 = 4;

/// Appends at a pace; gives how long each append took.
async fn write_paced(store: Arc<dyn Store>, at: u32) -> Vec<Duration> {
    let mut row = MatchRow::new(MatchId(format!("paced/{at}")), "bench", [0; 32], Vec::new(), 0);
    store.commit(vec![Op::CreateMatch(row.clone())]).await.expect("it is new");
    let mut next_at = tokio::time::Instant::now() + PACE + PACE / N_PACED * at;
    let mut waits = Vec::new();
    for _ in 0..ROUNDS {
        tokio::time::sleep_until(next_at).await;
        next_at += PACE;
        let transition = next(&row);
        (row.head, row.n_transitions) = (transition.hash, row.n_transitions + 1);
        let began = Instant::now();
        store.commit(vec![Op::Append { transition, due_at: None }]).await.expect("it is the next");
        waits.push(began.elapsed());
    }
    waits
}

async fn bench_paced(store: Arc<dyn Store>) {
    let writers: Vec<_> = (0..N_PACED).map(|it| tokio::spawn(write_paced(store.clone(), it))).collect();
    let mut waits = Vec::new();
    for writer in writers {
        waits.extend(writer.await.expect("nobody panics"));
    }
    waits.sort();
    let at = |part: f64| waits[((waits.len() - 1) as f64 * part) as usize].as_secs_f64() * 1000.0;
    let (p50, p99, max) = (at(0.5), at(0.99), at(1.0));
    let rate = f64::from(N_PACED) / PACE.as_secs_f64();
    println!("{}: {rate:.0} transitions/s wait p50 {p50:.1} ms, p99 {p99:.1} ms, max {max:.1} ms", store.describe());
}

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    bench(Arc::new(SqliteStore::open_file(&folder.path().join("bench.db")).expect("the file opens"))).await;
    let cluster = PrivatePostgres::start();
    bench(Arc::new(PostgresStore::open_url(&cluster.url()).expect("the database opens"))).await;
}
