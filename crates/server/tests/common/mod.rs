//! A real server on a real port, and people who talk to it.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::{path::Path, sync::Arc, time::Duration};

use client::{Api, ClientError, socket::Socket};
use host::Game;
use protocol::ServerMessage;
use serde_json::{Value, json};
use server::{Config, Server};
use storage::Store;
use tempfile::TempDir;

/// How long anything may take before a test gives up. Nothing is measured by it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server, and the folder of its store.
pub struct Host {
    pub server: Option<Server>,
    pub folder: Arc<TempDir>,
    pub config: Config,
}

/// Settings for a test: any port, a file of its own.
pub fn config(folder: &Path) -> Config {
    Config {
        listen: "127.0.0.1:0".parse().expect("an address"),
        store: folder.join("store.db").display().to_string(),
        games: testkit::games::folder(),
        allow_seeds: true,
        moderators: vec!["mod".to_owned()],
        accounts_per_minute_max: 100_000,
        welcomes_per_day_max: 100_000,
        sockets_per_address_max: 10_000,
        ..Config::standard()
    }
}

pub fn scripts() -> Vec<Game> {
    testkit::games::scripts().into_iter().map(Game::Script).collect()
}

impl Host {
    /// Starts a server.
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts a server with other settings.
    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let folder = Arc::new(tempfile::tempdir().expect("a folder can be made"));
        let mut config = config(folder.path());
        change(&mut config);
        let server = Server::start(config.clone(), scripts()).await.expect("the server starts");
        Self { server: Some(server), folder, config }
    }

    pub fn server(&self) -> &Server {
        self.server.as_ref().expect("the server runs")
    }

    pub fn base(&self) -> String {
        format!("http://{}", self.server().address)
    }

    pub fn store(&self) -> Arc<dyn Store> {
        self.server().app.store.clone()
    }

    /// Stops the server and starts another on the same store.
    pub async fn restart(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop().await;
        }
        self.server = Some(Server::start(self.config.clone(), scripts()).await.expect("the server starts again"));
    }

    pub async fn guest(&self, name: &str) -> Api {
        Api::guest(&self.base(), name).await.expect("anybody can be a guest")
    }

    pub async fn moderator(&self) -> Api {
        let body = json!({ "name": "mod", "password": "very secret" });
        let signed_in: Value = Api::new(&self.base()).post("/accounts", &body).await.expect("the name is free");
        Api::new(&self.base()).with_token(signed_in["token"].as_str().expect("a token"))
    }
}

/// A match of two people.
pub async fn table(one: &Api, two: &Api, game: &str, seed: u64) -> String {
    let body = json!({ "game": game, "seed": seed, "spectators": true });
    let created: Value = one.post("/matches", &body).await.expect("a table is opened");
    let id = created["id"].as_str().expect("an id").to_owned();
    let joined: Value = two.post(&format!("/matches/{id}/join"), &json!({})).await.expect("a seat is free");
    assert_eq!(joined["status"], "live");
    id
}

/// Publishes a ruleset; gives its hash.
pub async fn publish(api: &Api, ruleset: &Value) -> String {
    let body = json!({ "documents": { "ruleset": ruleset.to_string() } });
    let published: Value = api.post("/rulesets", &body).await.expect("the ruleset has no mistakes");
    published["hash"].as_str().expect("a hash").to_owned()
}

/// The code of a refusal.
pub fn code<T: std::fmt::Debug>(result: Result<T, ClientError>) -> String {
    result.expect_err("it must be refused").code().to_owned()
}

/// A socket that writes down all it hears.
pub struct Ear {
    socket: Socket,
    n_asked: u32,
    pub heard: Vec<ServerMessage>,
}

impl Ear {
    pub async fn open(api: &Api) -> Self {
        let socket = Socket::open(&api.socket_url(), api.token().expect("signed in")).await.expect("the socket opens");
        Self { socket, n_asked: 0, heard: Vec::new() }
    }

    /// Follows a match, from an event on.
    pub async fn follow(api: &Api, id: &str, after: Option<u32>) -> Self {
        let mut ear = Self::open(api).await;
        let mut message = json!({ "type": "match.subscribe", "matchId": id });
        if let Some(after) = after {
            message["after"] = after.into();
        }
        ear.send(&message).await;
        ear.until(|it| matches!(it, ServerMessage::StateView(_))).await;
        ear
    }

    /// Sends a message on a socket that may be closed.
    pub async fn try_send(&mut self, message: &Value) -> Result<(), ClientError> {
        self.socket.send(message).await
    }

    /// Whether the server has cut off a slow reader.
    pub fn is_cut(&self, host: &Host) -> bool {
        host.server().app.metrics.slow_readers.get() > 0
    }

    pub async fn send(&mut self, message: &Value) {
        self.socket.send(message).await.expect("the socket is open");
    }

    /// The next message, or why there is none.
    pub async fn next(&mut self) -> Result<ServerMessage, ClientError> {
        let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("something is said")?;
        self.heard.push(message.clone());
        Ok(message)
    }

    /// Listens until something is said.
    pub async fn until(&mut self, is_it: impl Fn(&ServerMessage) -> bool) -> ServerMessage {
        loop {
            let message = self.next().await.expect("the socket stays open");
            if is_it(&message) {
                return message;
            }
        }
    }

    /// Sends a request and listens until it is answered.
    pub async fn ask(&mut self, mut message: Value) -> ServerMessage {
        self.n_asked += 1;
        let id = format!("k{}", self.n_asked);
        // A query is called by another key than a command.
        let key = if message["type"] == "match.subscribe" { "requestId" } else { "commandId" };
        if message.get(key).is_none() {
            message[key] = id.as_str().into();
        }
        let id = message[key].as_str().expect("a name").to_owned();
        self.send(&message).await;
        let is_answer = |it: &ServerMessage| match it {
            ServerMessage::Success(it) => it.command_id.as_deref() == Some(&id),
            ServerMessage::Error(it) => [&it.command_id, &it.request_id].iter().any(|it| it.as_deref() == Some(&id)),
            _ => false,
        };
        self.until(is_answer).await
    }

    /// Whatever was said until the server has answered a ping.
    pub async fn settle(&mut self) {
        self.send(&json!({ "type": "ping", "requestId": "settle" })).await;
        self.until(|it| matches!(it, ServerMessage::Pong(_))).await;
    }

    /// The numbers of the events it heard of.
    pub fn sequences(&self) -> Vec<u32> {
        let number = |it: &ServerMessage| match it {
            ServerMessage::EventAppended(it) => Some(it.sequence),
            _ => None,
        };
        self.heard.iter().filter_map(number).collect()
    }
}

/// Another program that holds the store's file as long as this lives, so that nothing can be stored.
pub fn hold(host: &Host) -> rusqlite::Connection {
    let other = rusqlite::Connection::open(&host.config.store).expect("the file opens");
    other.busy_timeout(PATIENCE).expect("a number");
    other.execute_batch("BEGIN IMMEDIATE").expect("the file is free between two commits");
    other
}
