//! What every part of the server shares.

use std::sync::Arc;

use storage::{CommitError, Op, StorageError, Store};

use crate::{
    clock::Clock, config::Config, duel::lobby::Lobby, games::Games, gate::Gate, hub::Hub, ids, metrics::Metrics,
    receipt::Seals, sessions::Sessions, tickets::Tickets,
};

/// What every part of the server shares.
pub struct App {
    pub config: Config,
    pub store: Arc<dyn Store>,
    pub games: Games,
    pub hub: Hub,
    pub clock: Clock,
    pub metrics: Metrics,
    pub tickets: Tickets,
    pub gate: Gate,
    pub seals: Seals,
    pub sessions: Sessions,
    /// Who waits for a duel.
    pub lobby: Lobby,
    /// How many passwords are checked at a time: each takes much memory on purpose.
    pub passwords: tokio::sync::Semaphore,
    /// True once the server stops.
    pub stop: tokio::sync::watch::Sender<bool>,
}

/// Under which names the store keeps what the server needs to go on.
const SEAL_KEY: &str = "receipt-key";
const UPTIME: &str = "uptime";
const PASSWORDS: usize = 4;

impl App {
    /// Takes up where the last server on this store stood.
    pub async fn open(config: Config, store: Arc<dyn Store>, games: Games) -> Result<Arc<Self>, StorageError> {
        let seals = Seals(seal_key(&*store).await?);
        let uptime = store.meta(UPTIME).await?.and_then(|it| Some(i64::from_le_bytes(it.try_into().ok()?)));
        for row in store.rulesets().await? {
            if let Err(why) = games.restore(&row) {
                tracing::warn!(ruleset = row.name, "a published ruleset cannot be used: {why}");
            }
        }
        Ok(Arc::new(Self {
            config,
            store,
            games,
            hub: Hub::default(),
            clock: Clock::resume(uptime.unwrap_or(0)),
            metrics: Metrics::default(),
            tickets: Tickets::default(),
            gate: Gate::default(),
            seals,
            sessions: Sessions::default(),
            lobby: Lobby::default(),
            passwords: tokio::sync::Semaphore::new(PASSWORDS),
            stop: tokio::sync::watch::Sender::new(false),
        }))
    }

    /// Waits until the server stops.
    pub async fn stopped(&self) {
        let _ = self.stop.subscribe().wait_for(|it| *it).await;
    }

    /// Writes down how long servers have run, for the next one.
    pub async fn keep_uptime(&self) -> Result<(), CommitError> {
        let uptime = self.clock.uptime().to_le_bytes().to_vec();
        let kept = self.store.commit(vec![Op::PutMeta(UPTIME.to_owned(), uptime)]).await;
        kept.inspect_err(|error| tracing::error!(code = error.code(), "{error}"))
    }
}

/// The key of receipts, made when the store is first used.
async fn seal_key(store: &dyn Store) -> Result<[u8; 32], StorageError> {
    let read = |bytes: Option<Vec<u8>>| bytes.and_then(|it| it.try_into().ok());
    if let Some(key) = read(store.meta(SEAL_KEY).await?) {
        return Ok(key);
    }
    let key = ids::random::<32>();
    let kept = store.commit(vec![Op::PutMeta(SEAL_KEY.to_owned(), key.to_vec())]).await;
    kept.map_err(|error| StorageError::Other(error.to_string()))?;
    Ok(read(store.meta(SEAL_KEY).await?).unwrap_or(key))
}
