//! Somebody at a table: follows one match on a socket, comes back when it breaks, and asks for one thing at a time.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use protocol::{ServerMessage, SuccessBody, messages::ChoicesPage, request::DraftBody};
use serde_json::{Value, json};
use view::{Catalogue, Page, PendingInput, Ref};

use crate::{api::Api, error::ClientError, mirror::Mirror, socket::Socket};

/// How often it tries to come back before it gives up, and how long it waits in between at most.
const TRIES: u32 = 40;
const WAIT_MAX: Duration = Duration::from_millis(500);
/// How long it waits for the answer to a request before it asks again on a new socket.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// Somebody at a table.
pub struct Seat {
    api: Api,
    match_id: String,
    /// As whom to watch; the own seat without.
    viewer: Option<String>,
    socket: Option<Socket>,
    pub mirror: Mirror,
    /// What the game is drawn from.
    pub catalogue: Arc<Catalogue>,
    n_requests: u64,
    /// Makes the names of requests unlike those of other clients.
    name: String,
    /// How often it had to come back.
    pub n_returns: u32,
    /// The versions its answers were given at that still count, the last one last.
    pub answered: Vec<u32>,
    /// Who wants to know how the connection is, and whether he was last told that it is lost.
    watcher: Option<Watcher>,
    is_lost: bool,
}

/// Who wants to know how the connection is.
type Watcher = Box<dyn Fn(Link) + Send>;

/// What becomes of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It broke.
    Lost,
    /// It is there again, and nothing was missed.
    Back,
}

impl Seat {
    /// Goes to a match.
    pub async fn take(api: &Api, match_id: &str, viewer: Option<&str>) -> Result<Self, ClientError> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(|it| ClientError::Unreachable(it.to_string()))?;
        let mut seat = Self {
            api: api.clone(),
            match_id: match_id.to_owned(),
            viewer: viewer.map(str::to_owned),
            socket: None,
            mirror: Mirror::default(),
            catalogue: Arc::default(),
            n_requests: 0,
            name: hex::encode(random),
            n_returns: 0,
            answered: Vec::new(),
            watcher: None,
            is_lost: false,
        };
        seat.open().await?;
        seat.fetch_catalogue().await?;
        Ok(seat)
    }

    /// Fetches what the game is drawn from, however often the network breaks meanwhile.
    async fn fetch_catalogue(&mut self) -> Result<(), ClientError> {
        let path = format!("/catalogues/{}", self.mirror.catalogue_hash);
        for _ in 0..TRIES {
            match self.api.get(&path).await {
                Err(ClientError::Unreachable(_)) => tokio::time::sleep(WAIT_MAX).await,
                fetched => {
                    self.catalogue = Arc::new(fetched?);
                    return Ok(());
                }
            }
        }
        Err(ClientError::Unreachable("the catalogue was never sent".to_owned()))
    }

    /// Tells somebody whenever the connection breaks, and when it is back.
    pub fn watch(&mut self, watcher: impl Fn(Link) + Send + 'static) {
        self.watcher = Some(Box::new(watcher));
    }

    /// The socket broke.
    fn lose(&mut self) {
        self.socket = None;
        if let Some(watcher) = self.watcher.as_ref().filter(|_| !self.is_lost) {
            watcher(Link::Lost);
        }
        self.is_lost = true;
    }

    /// Opens another socket after one broke.
    async fn come_back(&mut self) -> Result<(), ClientError> {
        self.n_returns += 1;
        self.open().await?;
        if let Some(watcher) = self.watcher.as_ref().filter(|_| self.is_lost) {
            watcher(Link::Back);
        }
        self.is_lost = false;
        Ok(())
    }

    /// The id of the match.
    pub fn match_id(&self) -> &str {
        &self.match_id
    }

    /// Opens a socket and goes on after the last event that was heard of.
    async fn open(&mut self) -> Result<(), ClientError> {
        let token = self.api.token().unwrap_or_default().to_owned();
        let mut wait = Duration::from_millis(20);
        let mut last = ClientError::Unreachable("never tried".to_owned());
        for _ in 0..TRIES {
            match self.try_open(&token).await {
                Ok(socket) => {
                    self.socket = Some(socket);
                    return Ok(());
                }
                Err(refused @ ClientError::Refused(_)) if refused.code().starts_with("auth/") => return Err(refused),
                Err(refused @ ClientError::Refused(_)) if refused.code().starts_with("match/") => return Err(refused),
                Err(refused @ ClientError::Refused(_)) if refused.code().starts_with("storage/match") => {
                    return Err(refused);
                }
                Err(error) => last = error,
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(WAIT_MAX);
        }
        Err(last)
    }

    async fn try_open(&mut self, token: &str) -> Result<Socket, ClientError> {
        let mut socket = Socket::open(&self.api.socket_url(), token).await?;
        let mut subscribe = json!({ "type": "match.subscribe", "matchId": self.match_id });
        if self.mirror.is_seen {
            subscribe["after"] = self.mirror.sequence.into();
            subscribe["receipt"] = self.mirror.receipt.clone().into();
        }
        if let Some(viewer) = &self.viewer {
            subscribe["as"] = viewer.as_str().into();
        }
        socket.send(&subscribe).await?;
        loop {
            match tokio::time::timeout(ANSWER_TIMEOUT, socket.next()).await {
                Ok(Ok(ServerMessage::Error(body))) => return Err(ClientError::Refused(Box::new(body))),
                Ok(Ok(message)) => {
                    let is_view = matches!(message, ServerMessage::StateView { .. });
                    self.hear(message)?;
                    if is_view {
                        return Ok(socket);
                    }
                }
                Ok(Err(error)) => return Err(error),
                Err(_) => return Err(ClientError::Unreachable("no answer".to_owned())),
            }
        }
    }

    fn hear(&mut self, message: ServerMessage) -> Result<(), ClientError> {
        self.mirror.hear(message).map_err(|doubt| {
            // What was folded cannot be trusted: the next socket begins with a fresh view.
            ClientError::Nonsense(format!("{doubt:?}"))
        })
    }

    /// Takes in the next message; comes back if the socket broke. Gives it if it is an answer to a request.
    async fn step(&mut self) -> Result<Option<ServerMessage>, ClientError> {
        let Some(socket) = &mut self.socket else { return self.come_back().await.map(|()| None) };
        let Ok(message) = socket.next().await else {
            self.lose();
            return Ok(None);
        };
        let answer =
            matches!(message, ServerMessage::Success(_) | ServerMessage::Error(_) | ServerMessage::ChoicesPage(_))
                .then(|| message.clone());
        if self.hear(message).is_err() {
            self.socket = None;
        }
        Ok(answer)
    }

    /// Waits for news.
    pub async fn wait(&mut self) -> Result<(), ClientError> {
        self.step().await.map(drop)
    }

    /// What the next request is called.
    fn next_name(&mut self) -> String {
        self.n_requests += 1;
        format!("{}-{}", self.name, self.n_requests)
    }

    /// Sends a command and waits until it is stored, however often the network breaks meanwhile.
    pub async fn submit(&mut self, kind: &str, body: &Value) -> Result<SuccessBody, ClientError> {
        let id = self.next_name();
        let mut message = body.clone();
        message["type"] = kind.into();
        message["matchId"] = self.match_id.as_str().into();
        message["commandId"] = id.as_str().into();
        for _ in 0..TRIES {
            match self.exchange(&message, |it| is_reply(it, &id)).await? {
                Some(ServerMessage::Success(body)) => return Ok(body),
                Some(ServerMessage::Error(body)) if !is_passing(&body.code) => {
                    return Err(ClientError::Refused(Box::new(body)));
                }
                Some(ServerMessage::Error(_)) => tokio::time::sleep(WAIT_MAX).await,
                _ => {}
            }
        }
        Err(ClientError::Unreachable("the request was never answered".to_owned()))
    }

    /// Sends a message and waits for the answer; none if the socket broke.
    async fn exchange(
        &mut self,
        message: &Value,
        is_reply: impl Fn(&ServerMessage) -> bool,
    ) -> Result<Option<ServerMessage>, ClientError> {
        if self.socket.is_none() {
            self.come_back().await?;
        }
        let Some(socket) = &mut self.socket else { return Ok(None) };
        if socket.send(message).await.is_err() {
            self.lose();
            return Ok(None);
        }
        while self.socket.is_some() {
            let Ok(step) = tokio::time::timeout(ANSWER_TIMEOUT, self.step()).await else {
                self.lose();
                return Ok(None);
            };
            if let Some(reply) = step?.filter(|it| is_reply(it)) {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }

    /// Answers a question with a selection of Refs.
    pub async fn answer(&mut self, input: &PendingInput, selection: Value) -> Result<SuccessBody, ClientError> {
        let version = self.mirror.view.branch_id;
        let answers = json!({ "selection": selection });
        let body = json!({ "inputId": input.input_id, "branchId": version, "answers": answers });
        self.submit_at(version, "input.submit", &body).await
    }

    /// Takes an action, or passes.
    pub async fn act(
        &mut self,
        action: &str,
        targets: &BTreeMap<String, Vec<Ref>>,
    ) -> Result<SuccessBody, ClientError> {
        let version = self.mirror.view.branch_id;
        let mut body = json!({ "actionType": action, "branchId": version });
        if !targets.is_empty() {
            body["targets"] = json!(targets);
        }
        self.submit_at(version, "action.submit", &body).await
    }

    async fn submit_at(&mut self, version: u32, kind: &str, body: &Value) -> Result<SuccessBody, ClientError> {
        let done = self.submit(kind, body).await?;
        // What was taken back since is not there to be taken back.
        self.answered.retain(|it| *it < version);
        self.answered.push(version);
        Ok(done)
    }

    /// What can fill the next slot of a submit that is being prepared.
    pub async fn choices(&mut self, input: &PendingInput, draft: &DraftBody) -> Result<Page, ClientError> {
        let id = self.next_name();
        let message = json!({
            "type": "choices.query", "matchId": self.match_id, "requestId": id, "inputId": input.input_id,
            "branchId": self.mirror.view.branch_id, "draft": draft,
        });
        for _ in 0..TRIES {
            match self.exchange(&message, |it| is_reply(it, &id)).await? {
                Some(ServerMessage::ChoicesPage(ChoicesPage { page, .. })) => return Ok(page),
                Some(ServerMessage::Error(body)) => return Err(ClientError::Refused(Box::new(body))),
                _ => {}
            }
        }
        Err(ClientError::Unreachable("the query was never answered".to_owned()))
    }

    /// Asks for the table as it is, without leaving it.
    pub async fn look_again(&mut self) {
        let Some(socket) = &mut self.socket else { return };
        let mut subscribe = json!({ "type": "match.subscribe", "matchId": self.match_id });
        if let Some(viewer) = &self.viewer {
            subscribe["as"] = viewer.as_str().into();
        }
        if socket.send(&subscribe).await.is_err() {
            self.lose();
        }
    }

    /// Breaks the socket, as a bad network would.
    pub fn hang_up(&mut self) {
        self.socket = None;
    }
}

/// Whether a message answers what was called so.
fn is_reply(message: &ServerMessage, id: &str) -> bool {
    let is = |name: &Option<String>| name.as_deref() == Some(id);
    match message {
        ServerMessage::Success(it) => is(&it.command_id),
        ServerMessage::Error(it) => is(&it.command_id) || is(&it.request_id),
        ServerMessage::ChoicesPage(it) => is(&it.request_id),
        _ => false,
    }
}

/// Whether the same may go well a little later.
fn is_passing(code: &str) -> bool {
    code.starts_with("storage/") && code != "storage/match_damaged"
}
