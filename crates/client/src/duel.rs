//! A duel in a terminal: wait for another, lay cards, watch them being shown.
//!
//! [`Screen`] turns what the server says into lines and what a player types into messages. It sends a draft only when
//! the player lays or takes a card, begins every round with empty slots, and knows no cards but those the server named.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Lines, Stdin},
    net::TcpStream,
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async_with_config,
    tungstenite::{Message, protocol::WebSocketConfig},
};

use crate::{Api, error::ClientError};

/// What a player sees and can do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    match_id: Option<String>,
    /// What he loses if he leaves the match.
    pot: u64,
    /// Whether he waits for another, as far as he was told or has asked for it.
    is_queued: bool,
    /// Whether he has said once that he leaves a match.
    quits: bool,
    /// What the other is called.
    other: String,
    /// When the time to lay cards is up, in milliseconds since 1970, and how many seconds were last said to be left.
    deadline: Option<(i64, i64)>,
    hand: Vec<String>,
    slots: Vec<Option<String>>,
    is_confirmed: bool,
}

/// What a line a player typed leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// A message to the server.
    Send(Value),
    /// A line for the player alone.
    Show(String),
    /// He has had enough.
    Quit,
}

/// How many seconds before the end of the preparation a player is reminded of it.
const REMINDERS: [i64; 3] = [10, 5, 2];

/// What can be typed.
pub const HELP: &str =
    "queue, leave, house (for nothing), lay <slot> <card>, take <slot>, go (your layout is final), look, quit";

/// Refusals after which nobody waits.
const NOT_QUEUED: [&str; 2] = ["already_in_match", "not_enough_tokens"];

impl Screen {
    /// The lines that a message of the server is worth.
    pub fn hear(&mut self, message: &Value) -> Vec<String> {
        match message["type"].as_str().unwrap_or_default() {
            "hello_ok" => {
                vec![format!("hello {}, you have {} tokens ({HELP})", word(message, "nickname"), message["tokens"])]
            }
            "queue_ok" => {
                self.is_queued = true;
                vec![format!("waiting for another player; you have {} tokens", message["tokens"])]
            }
            "queue_left" => {
                self.is_queued = false;
                vec!["waiting no more".to_owned()]
            }
            "match_found" => {
                (self.is_queued, self.pot) = (false, message["pot"].as_u64().unwrap_or(0));
                self.match_id = message["matchId"].as_str().map(str::to_owned);
                self.other = word(message, "oppNickname").to_owned();
                let (other, pot, tokens) = (&self.other, &message["pot"], &message["yourTokens"]);
                vec![format!("you play {other} for a pot of {pot}; you have {tokens} tokens left")]
            }
            "prep_start" => self.begin_round(message),
            "confirm_ok" => {
                self.is_confirmed = true;
                vec!["your layout is final".to_owned()]
            }
            "step_reveal" => {
                self.deadline = None;
                vec![self.step(message)]
            }
            "round_end" => vec![format!("round {} is over: {}", message["roundIndex"], self.health(message))],
            "match_end" => self.end(message),
            "sync_state" => self.restore(message),
            "error_msg" => {
                self.is_queued &= !NOT_QUEUED.contains(&word(message, "code"));
                vec![format!("refused: {} ({})", word(message, "message"), word(message, "code"))]
            }
            _ => Vec::new(),
        }
    }

    fn begin_round(&mut self, message: &Value) -> Vec<String> {
        self.hand = names(&message["yourHand"]);
        self.slots = vec![None; n_slots(message)];
        self.is_confirmed = false;
        self.other = word(message, "oppNickname").to_owned();
        self.deadline = message["deadlineTs"].as_i64().map(|it| (it, i64::MAX));
        let sudden = if message["suddenDeath"] == true { ", sudden death" } else { "" };
        vec![
            format!("round {}{sudden}: {}", message["roundIndex"], self.health(message)),
            format!("your hand: {}", self.hand.join(", ")),
            self.shown(),
        ]
    }

    fn health(&self, message: &Value) -> String {
        format!("you {}, {} {}", message["yourHp"], self.other, message["oppHp"])
    }

    fn step(&self, step: &Value) -> String {
        let (own, other) = (card(&step["yourCard"]), card(&step["oppCard"]));
        format!("  you show {own}, {} shows {other}: {}", self.other, self.health(step))
    }

    /// A reminder of the clock, if one is due at a time in milliseconds since 1970.
    pub fn tick(&mut self, now: i64) -> Option<String> {
        let (until, said) = self.deadline.filter(|_| !self.is_confirmed)?;
        let left = until.saturating_sub(now).max(0).saturating_add(999) / 1000;
        let is_first = said == i64::MAX;
        let is_due = is_first || REMINDERS.iter().any(|it| left <= *it && *it < said);
        if is_due {
            self.deadline = Some((until, left));
        }
        is_due.then(|| format!("{left} seconds left to lay your cards"))
    }

    fn end(&mut self, message: &Value) -> Vec<String> {
        (self.match_id, self.deadline) = (None, None);
        let who = match message["winner"].as_str() {
            Some("YOU") => "you won",
            Some(_) => "you lost",
            None => "nobody won",
        };
        let (reason, pot) = (word(message, "reason"), word(message, "pot"));
        let health = self.health(message);
        vec![
            format!("{who} ({reason}): {health}; the pot: {pot}; you have {} tokens", message["yourTokens"]),
            "type queue to play again".to_owned(),
        ]
    }

    /// After a break: everything is as the server says.
    fn restore(&mut self, message: &Value) -> Vec<String> {
        self.match_id = message["matchId"].as_str().map(str::to_owned);
        self.other = word(message, "oppNickname").to_owned();
        self.deadline = message["deadlineTs"].as_i64().map(|it| (it, i64::MAX));
        self.hand = names(&message["yourHand"]);
        self.is_confirmed = message["confirmed"].is_array();
        let laid = if self.is_confirmed { &message["confirmed"] } else { &message["draft"] };
        self.slots = match laid.as_array() {
            Some(laid) => laid.iter().map(|it| it.as_str().map(str::to_owned)).collect(),
            None => vec![None; n_slots(message)],
        };
        let phase = message["phase"].as_str().unwrap_or_default();
        (self.is_queued, self.pot) = (phase == "QUEUED", message["pot"].as_u64().unwrap_or(0));
        if self.match_id.is_none() {
            return if self.is_queued { vec!["waiting for another player".to_owned()] } else { Vec::new() };
        }
        let mut lines = vec![format!("{phase} of round {}: {}", message["roundIndex"], self.health(message))];
        lines.extend(message["steps"].as_array().into_iter().flatten().map(|it| self.step(it)));
        lines.extend([format!("your hand: {}", self.hand.join(", ")), self.shown()]);
        lines
    }

    /// The cards he has laid.
    pub fn shown(&self) -> String {
        let slots: Vec<String> = self.slots.iter().map(|it| it.clone().unwrap_or_else(|| "-".to_owned())).collect();
        format!("your layout: {}", slots.join(" "))
    }

    /// What a line means.
    pub fn read(&mut self, line: &str) -> Typed {
        let words: Vec<&str> = line.split_whitespace().collect();
        let has_quit = std::mem::take(&mut self.quits);
        match words.as_slice() {
            ["queue"] => {
                self.is_queued |= self.match_id.is_none();
                Typed::Send(json!({ "type": "queue_join" }))
            }
            ["leave"] if self.is_queued => Typed::Send(json!({ "type": "queue_leave" })),
            ["leave"] => Typed::Show("you do not wait for another player".to_owned()),
            ["house"] => Typed::Send(json!({ "type": "pve_start" })),
            ["look"] => Typed::Send(json!({ "type": "sync" })),
            ["quit"] if self.match_id.is_none() || has_quit => Typed::Quit,
            ["quit"] => self.warn(),
            ["lay", slot, card] => self.change(slot, Some(card)),
            ["take", slot] => self.change(slot, None),
            ["go"] => self.obstacle().map_or_else(|| self.layout("layout_confirm"), Typed::Show),
            _ => Typed::Show(format!("you can type: {HELP}")),
        }
    }

    /// Whoever leaves loses.
    fn warn(&mut self) -> Typed {
        self.quits = true;
        let stake = if self.pot > 0 { " and your stake" } else { "" };
        Typed::Show(format!("this gives up the match{stake}; type quit once more to do it"))
    }

    /// Why no card can be laid now.
    fn obstacle(&self) -> Option<String> {
        let why = match &self.match_id {
            None => "you play no match",
            Some(_) if self.is_confirmed => "your layout is confirmed, and final",
            Some(_) => return None,
        };
        Some(why.to_owned())
    }

    /// Lays a card into a slot, or takes what lies there.
    fn change(&mut self, slot: &str, card: Option<&str>) -> Typed {
        match self.changed(slot, card) {
            Ok(slots) => {
                self.slots = slots;
                self.layout("layout_draft")
            }
            Err(why) => Typed::Show(why),
        }
    }

    fn changed(&self, slot: &str, card: Option<&str>) -> Result<Vec<Option<String>>, String> {
        self.obstacle().map_or(Ok(()), Err)?;
        let at = slot.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
        let mut slots = self.slots.clone();
        let Some(place) = at.and_then(|it| slots.get_mut(it)) else {
            return Err(format!("there is no slot {slot}; there are {}", self.slots.len()));
        };
        *place = None;
        if let Some(card) = card {
            self.check_left(card, &slots)?;
        }
        if let Some(place) = at.and_then(|it| slots.get_mut(it)) {
            *place = card.map(str::to_owned);
        }
        Ok(slots)
    }

    /// Whether a card is left to be laid besides those that lie in other slots.
    fn check_left(&self, card: &str, others: &[Option<String>]) -> Result<(), String> {
        let n_held = self.hand.iter().filter(|it| *it == card).count();
        if n_held == 0 {
            return Err(format!("you have no {card}; your hand: {}", self.hand.join(", ")));
        }
        let laid: Vec<String> = (1..)
            .zip(others)
            .filter(|it| it.1.as_deref() == Some(card))
            .map(|it: (usize, _)| it.0.to_string())
            .collect();
        if laid.len() < n_held {
            return Ok(());
        }
        let (slots, at) = (if laid.len() == 1 { "slot" } else { "slots" }, laid.join(" and "));
        Err(format!("you have no more {card}: it lies in {slots} {at} already"))
    }

    fn layout(&self, kind: &str) -> Typed {
        match &self.match_id {
            Some(id) => Typed::Send(json!({ "type": kind, "matchId": id, "layout": self.slots })),
            None => Typed::Show("you play no match".to_owned()),
        }
    }
}

fn word<'m>(message: &'m Value, key: &str) -> &'m str {
    message[key].as_str().unwrap_or_default()
}

fn names(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|it| it.as_str().map(str::to_owned)).collect()
}

fn card(value: &Value) -> &str {
    value.as_str().unwrap_or("nothing")
}

fn n_slots(message: &Value) -> usize {
    message["slots"].as_u64().and_then(|it| usize::try_from(it).ok()).unwrap_or(0)
}

/// How much is read at a time; all messages are smaller.
const READ_BUFFER: usize = 4 << 10;

/// A socket for duels.
pub struct DuelSocket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl DuelSocket {
    /// Opens a socket for duels of a game, and says hello.
    pub async fn open(api: &Api, game: &str) -> Result<Self, ClientError> {
        let url = api.socket_url().replace("/ws", &format!("/duels/{game}/ws"));
        let unreachable = |error: tokio_tungstenite::tungstenite::Error| ClientError::Unreachable(error.to_string());
        let config = WebSocketConfig::default().read_buffer_size(READ_BUFFER).write_buffer_size(0);
        let (stream, _) = connect_async_with_config(url, Some(config), true).await.map_err(unreachable)?;
        let mut socket = Self(stream);
        socket.send(&json!({ "type": "hello", "token": api.token() })).await?;
        Ok(socket)
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &Value) -> Result<(), ClientError> {
        let sent = self.0.send(Message::Text(message.to_string().into())).await;
        sent.map_err(|error| ClientError::Unreachable(error.to_string()))
    }

    /// The next message; an error once the socket is closed.
    pub async fn next(&mut self) -> Result<Value, ClientError> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => {
                    return serde_json::from_str(&text).map_err(|it| ClientError::Nonsense(it.to_string()));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => {
                    return Err(ClientError::Unreachable("closed".to_owned()));
                }
                Some(Ok(_)) => {}
            }
        }
    }
}

/// Whether a server offers a game, by its name or the hash of its rules; anybody may ask.
pub async fn is_offered(api: &Api, game: &str) -> Result<bool, ClientError> {
    let known: Vec<Value> = api.get("/rulesets").await?;
    Ok(known.iter().any(|it| it["isOffered"] == true && (it["id"] == game || it["hash"] == game)))
}

/// How long to wait before a lost connection is tried again.
const RETRY: Duration = Duration::from_secs(1);

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Plays duels on standard input and output until the player has had enough. A lost connection is opened again: a
/// server that starts again goes on with the match.
pub async fn play(api: &Api, game: &str) -> Result<(), ClientError> {
    let mut socket = DuelSocket::open(api, game).await?;
    let (mut screen, mut typed) = (Screen::default(), BufReader::new(tokio::io::stdin()).lines());
    while play_socket(&mut socket, &mut screen, &mut typed).await {
        println!("the connection is lost; trying again");
        socket = loop {
            tokio::time::sleep(RETRY).await;
            match DuelSocket::open(api, game).await {
                Ok(socket) => break socket,
                Err(ClientError::Unreachable(_)) => {}
                Err(error) => return Err(error),
            }
        };
    }
    Ok(())
}

/// Plays on one socket; whether it broke while the player wants to go on.
async fn play_socket(socket: &mut DuelSocket, screen: &mut Screen, typed: &mut Lines<BufReader<Stdin>>) -> bool {
    let mut clock = tokio::time::interval(Duration::from_millis(500));
    loop {
        tokio::select! {
            message = socket.next() => match message {
                Ok(message) => screen.hear(&message).iter().for_each(|it| println!("{it}")),
                Err(_) => return true,
            },
            line = typed.next_line() => {
                let Ok(Some(line)) = line else { return false };
                match screen.read(&line) {
                    Typed::Send(message) => {
                        if socket.send(&message).await.is_err() {
                            return true;
                        }
                        // A draft is not answered, so he sees here what it is.
                        if message["type"] == "layout_draft" {
                            println!("{}", screen.shown());
                        }
                    }
                    Typed::Show(text) => println!("{text}"),
                    Typed::Quit => return false,
                }
            }
            _ = clock.tick() => screen.tick(now_ms()).iter().for_each(|it| println!("{it}")),
        }
    }
}
