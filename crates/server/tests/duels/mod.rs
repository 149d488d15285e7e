//! A server that offers Orcain and variants of it with short times, as an operator would: by files in its folder.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use client::Api;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use storage::{AccountId, money};
use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

use crate::common::{Host, PATIENCE};

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("the games are there").flatten() {
        if entry.path().is_file() {
            fs::copy(entry.path(), to.join(entry.file_name())).expect("a document can be copied");
        }
    }
}

/// Orcain with other numbers.
fn variant(id: &str, health: u32, numbers: &[(&str, u32)]) -> Value {
    let number = |(id, body): &(&str, u32)| json!({ "id": id, "kind": "value", "body": body });
    let pace = [("first_step_ms", 20), ("step_ms", 20)];
    json!({
        "id": id, "name": id, "version": "1", "include": ["orcain"],
        "attributes": [{ "id": "health", "name": "Health", "on": "player", "min": 0, "max": 10, "start": health, "ui": { "role": "health" } }],
        "define": numbers.iter().chain(&pace).map(number).collect::<Vec<_>>(),
    })
}

/// The variants: hardly any time to prepare, plenty of it, hardly any health, and other cards altogether.
fn variants() -> Vec<Value> {
    let bastion = include_str!("../../../testkit/tests/data/bastion.json");
    vec![
        variant("orcain-brief", 10, &[("prep_ms", 150)]),
        variant("orcain-calm", 10, &[("prep_ms", 20_000)]),
        variant("orcain-short", 10, &[("prep_ms", 600)]),
        variant("orcain-frail", 2, &[("prep_ms", 20_000)]),
        variant("orcain-capped", 10, &[("prep_ms", 20_000), ("round_limit", 1), ("round_cap", 2)]),
        serde_json::from_str(bastion).expect("it is JSON"),
    ]
}

/// A server that offers them.
pub async fn duel_host() -> Host {
    let folder = games_folder();
    Host::with(|it| it.games = folder).await
}

/// A folder that holds them.
pub fn games_folder() -> PathBuf {
    let games = testkit::games::folder();
    let folder = tempfile::tempdir().expect("a folder can be made").keep();
    ["std", "orcain"].iter().for_each(|it| copy(&games.join(it), &folder.join(it)));
    for document in variants() {
        let own = folder.join(document["id"].as_str().expect("it has a name"));
        fs::create_dir_all(&own).expect("a folder can be made");
        fs::write(own.join("ruleset.json"), document.to_string()).expect("a document can be written");
    }
    folder
}

/// The same person at a server that was started again.
pub fn again(api: &Api, host: &Host) -> Api {
    Api::new(&host.base()).with_token(api.token().expect("signed in"))
}

/// How many tokens somebody has.
pub async fn tokens(host: &Host, api: &Api) -> i64 {
    let me: Value = again(api, host).get("/accounts/me").await.expect("signed in");
    me["tokens"].as_i64().expect("a number")
}

/// All money together, and what was burned of it.
#[derive(Debug, PartialEq, Eq)]
pub struct Balances {
    pub total: i64,
    pub burned: i64,
}

impl Balances {
    pub async fn of(host: &Host) -> Self {
        let store = host.store();
        let burned = store.balance(&AccountId(money::BURNED.to_owned())).await.expect("the store answers");
        Self { total: store.total().await.expect("the store answers"), burned }
    }
}

/// Somebody at the gateway, with a log of all he was told.
pub struct Player {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub heard: Vec<Value>,
}

impl Player {
    /// Opens a socket without saying who he is.
    pub async fn stranger(host: &Host, game: &str) -> Self {
        let url = format!("ws://{}/duels/{game}/ws", host.server().address);
        let (socket, _) = connect_async(url).await.expect("the socket opens");
        Self { socket, heard: Vec::new() }
    }

    /// Opens a socket and says hello.
    pub async fn at(host: &Host, game: &str, api: &Api) -> Self {
        let mut player = Self::stranger(host, game).await;
        player.say(&json!({ "type": "hello", "token": api.token().expect("signed in") })).await;
        player.until("sync_state").await;
        player
    }

    pub async fn say(&mut self, message: &Value) {
        self.send(Message::Text(message.to_string().into())).await;
    }

    pub async fn send(&mut self, frame: Message) {
        self.socket.send(frame).await.expect("the socket is open");
    }

    /// The next message; none once the socket is closed.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("something is said")?;
            if let Message::Text(text) = frame.ok()? {
                let message: Value = serde_json::from_str(&text).expect("messages are JSON");
                self.heard.push(message.clone());
                return Some(message);
            }
        }
    }

    /// Listens until a message of a type.
    pub async fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("closed before {kind}: {:?}", self.heard));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Everything there is to see now.
    pub async fn sync(&mut self) -> Value {
        self.say(&json!({ "type": "sync" })).await;
        self.until("sync_state").await
    }

    /// The types of all messages about a match.
    pub fn kinds(&self, match_id: &str) -> Vec<&str> {
        let about = self.heard.iter().filter(|it| it["matchId"] == match_id && it["type"] != "sync_state");
        about.filter_map(|it| it["type"].as_str()).collect()
    }

    pub async fn draft(&mut self, match_id: &str, layout: Value) {
        self.say(&json!({ "type": "layout_draft", "matchId": match_id, "layout": layout })).await;
    }

    pub async fn confirm(&mut self, match_id: &str, layout: Value) {
        self.say(&json!({ "type": "layout_confirm", "matchId": match_id, "layout": layout })).await;
    }

    pub async fn queue(&mut self) {
        self.say(&json!({ "type": "queue_join" })).await;
    }

    /// The code of the next refusal.
    pub async fn refusal(&mut self) -> String {
        self.until("error_msg").await["code"].as_str().expect("a code").to_owned()
    }
}

/// Two who met at the gateway.
pub struct Pair {
    pub ann: Player,
    pub bob: Player,
    pub match_id: String,
}

impl Pair {
    /// Two guests wait and are paired.
    pub async fn meet(host: &Host, game: &str) -> (Self, Api, Api) {
        let (one, two) = (host.guest("Ann").await, host.guest("Bob").await);
        let (mut ann, mut bob) = (Player::at(host, game, &one).await, Player::at(host, game, &two).await);
        ann.queue().await;
        ann.until("queue_ok").await;
        bob.queue().await;
        let found = ann.until("match_found").await;
        assert_eq!(bob.until("match_found").await["matchId"], found["matchId"]);
        let match_id = found["matchId"].as_str().expect("an id").to_owned();
        (Self { ann, bob, match_id }, one, two)
    }

    /// Both confirm, and hear of the round to its end.
    pub async fn round(&mut self, ann: Value, bob: Value) -> Value {
        self.ann.confirm(&self.match_id, ann).await;
        self.bob.confirm(&self.match_id, bob).await;
        self.bob.until("round_end").await;
        self.ann.until("round_end").await
    }

    /// How it ended for both.
    pub async fn end(&mut self) -> (Value, Value) {
        (self.ann.until("match_end").await, self.bob.until("match_end").await)
    }
}
