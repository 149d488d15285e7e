//! A server that offers Orcain and its variants, and people who play them.
#![allow(dead_code, reason = "each test file uses its own part")]

use client::Api;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use server::Config;
use storage::{AccountId, money};
use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

use crate::common::{Host, PATIENCE};

/// A server that offers Orcain and its variants.
pub async fn duel_host() -> Host {
    duel_host_with(|_| {}).await
}

/// A server that offers them, with other settings.
pub async fn duel_host_with(change: impl FnOnce(&mut Config)) -> Host {
    Host::with(|it| {
        it.games = testkit::duels::folder();
        change(it);
    })
    .await
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

/// Burns all tokens of an account.
pub async fn spend_all(host: &Host, api: &Api) {
    let me: Value = api.get("/accounts/me").await.expect("signed in");
    let account = storage::AccountId(me["accountId"].as_str().expect("an id").to_owned());
    let burned = storage::AccountId(storage::money::BURNED.to_owned());
    let amount = me["tokens"].as_i64().expect("a number");
    let entry = storage::Entry::transfer(&format!("spent/{account}"), "test", &account, &burned, amount, 0);
    host.store().commit(vec![storage::Op::Post(entry)]).await.expect("he has them");
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
    /// How often he was asked whether he is there.
    pub n_pings: usize,
    /// The code and the reason with which the server closed the socket.
    pub closed: Option<(u16, String)>,
}

impl Player {
    /// Opens a socket without saying who he is.
    pub async fn stranger(host: &Host, game: &str) -> Self {
        let url = format!("ws://{}/duels/{game}/ws", host.server().address);
        let (socket, _) = connect_async(url).await.expect("the socket opens");
        Self { socket, heard: Vec::new(), n_pings: 0, closed: None }
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

    /// Sends a message on a socket that may be closed.
    pub async fn try_say(&mut self, message: &Value) -> bool {
        self.socket.send(Message::Text(message.to_string().into())).await.is_ok()
    }

    pub async fn send(&mut self, frame: Message) {
        self.socket.send(frame).await.expect("the socket is open");
    }

    /// The next message; none once the socket is closed.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            let frame = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("something is said")?;
            match frame.ok()? {
                Message::Text(text) => {
                    let message: Value = serde_json::from_str(&text).expect("messages are JSON");
                    self.heard.push(message.clone());
                    return Some(message);
                }
                Message::Ping(_) => self.n_pings += 1,
                Message::Close(frame) => self.closed = frame.map(|it| (it.code.into(), it.reason.to_string())),
                _ => {}
            }
        }
    }

    /// Listens until the server closes the socket; gives the code and the reason.
    pub async fn until_closed(&mut self) -> (u16, String) {
        while self.next().await.is_some() {}
        self.closed.clone().unwrap_or_default()
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
