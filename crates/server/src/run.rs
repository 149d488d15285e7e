//! Starts the server, and stops it so that nothing is lost.

use std::{net::SocketAddr, path::Path, sync::Arc, time::Duration};

use axum::serve::ListenerExt as _;
use host::Game;
use storage::{
    MatchFilter, MatchId, MatchRow, MatchStatus, MemoryStore, StorageError, Store, postgres::PostgresStore,
    sqlite::SqliteStore,
};
use thiserror::Error;
use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

use crate::{
    app::App,
    config::Config,
    detail::Detail,
    games::Games,
    room::{Change, Mail},
    routes,
};

/// How often it is written down how long the server has run.
const HEARTBEAT: Duration = Duration::from_millis(500);
/// How often the store is asked for clocks that ran out in matches that are not in memory.
const SWEEP: Duration = Duration::from_secs(1);
/// How many of them are opened at a time.
const SWEEP_MAX: u32 = 256;
/// How many matches are read at a time when the server starts.
const PAGE: u32 = 500;
/// How long requests may take to end when the server stops.
const DRAIN: Duration = Duration::from_secs(5);

/// Why the server cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The store cannot be used.
    #[error("{0}")]
    Storage(#[from] StorageError),
    /// A game in the folder has mistakes.
    #[error("a game cannot be loaded:\n{0}")]
    Games(String),
    /// The address is taken, or not ours.
    #[error("cannot listen on {address}: {why}; choose another with --listen")]
    Listen { address: SocketAddr, why: String },
}

/// A server that runs.
pub struct Server {
    pub app: Arc<App>,
    pub address: SocketAddr,
    tasks: Vec<JoinHandle<()>>,
}

/// Opens the store a setting names.
pub fn open_store(setting: &str) -> Result<Arc<dyn Store>, StorageError> {
    Ok(match setting {
        "memory" => Arc::new(MemoryStore::default()),
        url if url.starts_with("postgres") || url.starts_with("host=") => Arc::new(PostgresStore::open_url(url)?),
        path => Arc::new(SqliteStore::open_file(Path::new(path.strip_prefix("sqlite:").unwrap_or(path)))?),
    })
}

impl Server {
    /// Starts a server with what is set, and the games that are built in.
    pub async fn start(config: Config, scripts: Vec<Game>) -> Result<Self, StartError> {
        let store = open_store(&config.store)?;
        Self::start_on(config, store, scripts).await
    }

    /// Starts a server on a store.
    pub async fn start_on(config: Config, store: Arc<dyn Store>, scripts: Vec<Game>) -> Result<Self, StartError> {
        let games = Games::load(&config.games, scripts).map_err(StartError::Games)?;
        let failed = |why: std::io::Error| StartError::Listen { address: config.listen, why: why.to_string() };
        let listener = TcpListener::bind(config.listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let app = App::open(config, store, games).await?;
        let tasks = vec![
            tokio::spawn(listen(app.clone(), listener)),
            tokio::spawn(beat(app.clone())),
            tokio::spawn(sweep(app.clone())),
        ];
        wake_bots(&app).await?;
        start_full(&app).await?;
        Ok(Self { app, address, tasks })
    }

    /// Stops: no new requests, those that run end, everything is stored.
    pub async fn stop(self) {
        self.app.stop.send_replace(true);
        let end = tokio::time::Instant::now() + DRAIN;
        for task in self.tasks {
            let _ = tokio::time::timeout_at(end, task).await;
        }
        while self.app.hub.n_rooms() > 0 && tokio::time::Instant::now() < end {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        drop(self.app.keep_uptime().await);
    }

    /// Runs until the process is told to end.
    pub async fn run_until_told(self) {
        let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
            .expect("the process can wait for signals; qed");
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        tracing::info!("stopping");
        self.stop().await;
    }
}

async fn listen(app: Arc<App>, listener: TcpListener) {
    let router = routes::router(app.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let stop = async move { app.stopped().await };
    // Small messages must not wait for the acknowledgement of the last: that is 40 ms.
    let listener = listener.tap_io(|it| drop(it.set_nodelay(true)));
    if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(stop).await {
        tracing::error!("the server stopped: {error}");
    }
}

async fn beat(app: Arc<App>) {
    let mut ticks = tokio::time::interval(HEARTBEAT);
    while !*app.stop.borrow() {
        ticks.tick().await;
        drop(app.keep_uptime().await);
    }
}

/// Opens the rooms of matches whose clocks have run out.
async fn sweep(app: Arc<App>) {
    let mut ticks = tokio::time::interval(SWEEP);
    while !*app.stop.borrow() {
        ticks.tick().await;
        let due = app.store.due(app.clock.uptime(), SWEEP_MAX).await;
        let due = due.inspect_err(|error| tracing::error!(code = error.code(), "{error}")).unwrap_or_default();
        for id in due.iter().filter(|it| !app.hub.has(it)) {
            app.hub.tell(&app, id, Mail::Wake).await;
        }
    }
}

/// Opens the rooms in which a bot may have to answer.
async fn wake_bots(app: &Arc<App>) -> Result<(), StorageError> {
    let has_bot = |it: &MatchRow| Detail::of(it).seats.iter().any(|it| it.bot.is_some());
    for id in all(app, MatchStatus::Live, has_bot).await? {
        app.hub.tell(app, &id, Mail::Wake).await;
    }
    Ok(())
}

/// Begins tables that are full and stand still: those of servers that took the last seat before they began the match.
async fn start_full(app: &Arc<App>) -> Result<(), StorageError> {
    for id in all(app, MatchStatus::Open, |it| Detail::of(it).is_full(it)).await? {
        let (reply, _) = oneshot::channel();
        app.hub.tell(app, &id, Mail::Change { change: Change::Start, reply }).await;
    }
    Ok(())
}

/// All matches that stand so and are of a kind.
async fn all(app: &App, status: MatchStatus, is_it: impl Fn(&MatchRow) -> bool) -> Result<Vec<MatchId>, StorageError> {
    let mut found = Vec::new();
    for page in 0.. {
        let filter = MatchFilter { status: Some(status), limit: PAGE, skip: page * PAGE, ..MatchFilter::default() };
        let rows = app.store.matches(&filter).await?;
        found.extend(rows.iter().filter(|it| is_it(it)).map(|it| it.id.clone()));
        if rows.len() < PAGE as usize {
            break;
        }
    }
    Ok(found)
}
