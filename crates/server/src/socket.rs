//! `GET /ws`: one socket, on which a client follows matches and plays.

use std::{collections::HashSet, net::SocketAddr, sync::Arc};

use axum::{
    extract::{ConnectInfo, State, ws::WebSocket},
    http::{HeaderMap, StatusCode, header::ORIGIN},
    response::Response,
};
use futures_util::StreamExt as _;
use protocol::{ClientMessage, ErrorBody, ServerMessage};
use serde::Deserialize;
use serde_json::Value;
use storage::{Hash, MatchId};

use crate::{
    app::App,
    auth::{Caller, Params, account_of, bearer, with_role},
    detail::seat_of,
    error::ApiError,
    gate::Hold,
    ids,
    matches::{check_takeback, command_id_of, control_order, order, player_order, takeback_act, undo_act, viewer_for},
    outbox::{Cut, Outbox},
    requests::Act,
    room::{Mail, Subscribe},
    wire::{self, Heard, Incoming, Upgrade},
};

/// How a socket is opened by a web page.
#[derive(Debug, Default, Deserialize)]
pub struct SocketQuery {
    /// From `POST /tickets`.
    pub ticket: Option<String>,
}

/// How many matches one socket may follow.
const MATCHES_MAX: usize = 64;

/// `GET /ws`.
pub async fn upgrade(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Params(query): Params<SocketQuery>,
    headers: HeaderMap,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, ApiError> {
    check_origin(&app, &headers)?;
    let (caller, token) = authenticate(&app, &query, &headers).await?;
    let holds = (wire::hold_account(&app, &caller.0.id)?, wire::hold_address(&app, address.ip())?);
    Ok(wire::bounded(&app, upgrade).on_upgrade(move |socket| async move {
        app.metrics.sockets.inc();
        serve(app.clone(), caller, token, socket, holds).await;
        app.metrics.sockets.dec();
    }))
}

/// Web pages of strangers must not play in the name of who visits them.
pub fn check_origin(app: &App, headers: &HeaderMap) -> Result<(), ApiError> {
    let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
    let is_allowed = |it: &String| it == "*" || origin.to_str().is_ok_and(|origin| origin == it);
    if app.config.origins.iter().any(is_allowed) {
        return Ok(());
    }
    Err(ApiError::new(StatusCode::FORBIDDEN, "Forbidden", "auth/origin", "pages of this origin may not open sockets"))
}

/// Who opens a socket, and the hash of his token.
async fn authenticate(app: &App, query: &SocketQuery, headers: &HeaderMap) -> Result<(Caller, Hash), ApiError> {
    if let Some(ticket) = &query.ticket {
        let holder = app.tickets.redeem(ticket).ok_or_else(ApiError::unauthorized)?;
        let account = app.store.account(&holder.account).await?.ok_or_else(ApiError::unauthorized)?;
        return Ok((Caller(with_role(app, account)), holder.token));
    }
    let token = bearer(headers).ok_or_else(ApiError::unauthorized)?;
    Ok((Caller(account_of(app, token).await?), ids::token_hash(token)))
}

type Holds = (Hold<storage::AccountId>, Hold<std::net::IpAddr>);

async fn serve(app: Arc<App>, caller: Caller, token: Hash, socket: WebSocket, holds: Holds) {
    let (outbox, end) = Outbox::new(app.config.outbox_max);
    let opened = app.sessions.open(token, &outbox);
    let (sink, stream) = socket.split();
    let writer = tokio::spawn({
        let app = app.clone();
        async move { wire::write(&app, sink, end).await }
    });
    let mut incoming = Incoming::new(&app, stream);
    let mut reader = Reader { app, caller, outbox: outbox.clone(), followed: HashSet::new() };
    reader.read(&mut incoming).await;
    reader.leave().await;
    // Nobody can write to it any more, which ends the writer.
    drop((reader, opened, outbox));
    wire::close(writer, incoming).await;
    drop(holds);
}

/// Reads what a client sends.
struct Reader {
    app: Arc<App>,
    caller: Caller,
    outbox: Outbox,
    /// The matches it follows.
    followed: HashSet<MatchId>,
}

impl Reader {
    async fn read(&mut self, incoming: &mut Incoming) {
        while !self.outbox.is_gone() {
            let heard = tokio::select! {
                heard = incoming.next() => heard,
                () = self.app.stopped() => return self.outbox.cut(Cut::Stopping),
                () = self.outbox.gone() => return,
            };
            match heard {
                Heard::Text(text) => self.hear(&text).await,
                Heard::Refused(error) => self.refuse(None, None, error),
                Heard::Flood => return self.outbox.cut(Cut::Flood),
                // Missed heartbeats end no match: who follows one is only gone when his socket is.
                Heard::Silence if self.followed.is_empty() => return self.outbox.cut(Cut::Silent),
                Heard::Silence => {}
                Heard::Closed(why) => return self.outbox.cut(why),
            }
        }
    }

    /// Tells the rooms that nobody is here any more.
    async fn leave(&mut self) {
        for id in std::mem::take(&mut self.followed) {
            self.unsubscribe(&id).await;
        }
    }

    async fn unsubscribe(&self, id: &MatchId) {
        let outbox = self.outbox.id;
        self.app.hub.tell(&self.app, id, Mail::Unsubscribe { outbox }).await;
    }

    fn refuse(&self, match_id: Option<String>, request_id: Option<String>, error: ApiError) {
        let body: ErrorBody = error.body;
        self.outbox.send(&ServerMessage::Error { match_id, sequence: None, request_id, body });
    }

    async fn hear(&mut self, text: &str) {
        let message: ClientMessage = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => return self.refuse(None, None, ApiError::malformed(format!("not a message: {error}"))),
        };
        let ClientMessage { kind, match_id, request_id, rest } = message;
        if kind == "ping" {
            self.outbox.send(&ServerMessage::Pong { request_id });
            return;
        }
        let Some(id) = match_id.clone().map(MatchId) else {
            return self.refuse(None, request_id, ApiError::malformed("matchId is missing"));
        };
        let body = Value::Object(rest);
        let done = match kind.as_str() {
            "match.subscribe" => self.subscribe(&id, request_id.clone(), &body).await,
            "match.unsubscribe" => {
                if self.followed.remove(&id) {
                    self.unsubscribe(&id).await;
                }
                Ok(())
            }
            "action.submit" => self.play(&id, "action", request_id.clone(), body, Act::Action).await,
            "input.submit" => self.play(&id, "input", request_id.clone(), body, Act::Input).await,
            "undo.submit" => self.play(&id, "undo", request_id.clone(), body, undo_act).await,
            "takeback.submit" => match check_takeback(&body) {
                Ok(()) => self.play(&id, "takeback", request_id.clone(), body, takeback_act).await,
                Err(error) => Err(error),
            },
            "system.control" => self.control(&id, request_id.clone(), &body).await,
            _ => Err(ApiError::malformed(format!("there is no message of this type: {kind}"))),
        };
        if let Err(error) = done {
            self.refuse(match_id, request_id, error);
        }
    }

    async fn subscribe(&mut self, id: &MatchId, request_id: Option<String>, body: &Value) -> Result<(), ApiError> {
        if self.followed.len() >= MATCHES_MAX && !self.followed.contains(id) {
            return Err(ApiError::too_many("limit/subscriptions", "a socket follows at most 64 matches"));
        }
        let row = self.app.store.match_row(id).await?.ok_or_else(|| ApiError::not_found("match"))?;
        let viewer = viewer_for(&row, &self.caller, body.get("as").and_then(Value::as_str))?;
        let after = body.get("after").and_then(Value::as_u64).and_then(|it| u32::try_from(it).ok());
        let receipt = body.get("receipt").and_then(Value::as_str).map(str::to_owned);
        let (account, outbox) = (self.caller.0.id.clone(), self.outbox.clone());
        let subscribe = Subscribe { viewer, account, after, receipt, request_id, outbox };
        self.followed.insert(id.clone());
        self.app.hub.ask(&self.app, id, |reply| Mail::Subscribe { subscribe: subscribe.clone(), reply }).await
    }

    async fn play(
        &self,
        id: &MatchId,
        kind: &str,
        request_id: Option<String>,
        body: Value,
        act: fn(Value) -> Act,
    ) -> Result<(), ApiError> {
        let row = self.app.store.match_row(id).await?.ok_or_else(|| ApiError::not_found("match"))?;
        let seat = seat_of(&row, &self.caller.0.id);
        let seat = seat.ok_or_else(|| ApiError::forbidden("you do not sit at this table"))?;
        let command_id = command_id_of(&body)?;
        let done = order(&self.app, id, player_order(seat, kind, command_id, body, act)?).await?;
        self.succeed(id, request_id, done);
        Ok(())
    }

    async fn control(&self, id: &MatchId, request_id: Option<String>, body: &Value) -> Result<(), ApiError> {
        let command_id = command_id_of(body)?;
        let given = control_order(&self.app, id, &self.caller, command_id, body).await?;
        let done = order(&self.app, id, given).await?;
        self.succeed(id, request_id, done);
        Ok(())
    }

    fn succeed(&self, id: &MatchId, request_id: Option<String>, body: protocol::SuccessBody) {
        self.outbox.send(&ServerMessage::Success { match_id: id.0.clone(), request_id, body });
    }
}
