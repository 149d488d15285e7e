//! `GET /ws`: one socket, on which a client follows matches and plays.

use std::{collections::HashSet, net::SocketAddr, sync::Arc};

use axum::{
    extract::{ConnectInfo, State, ws::WebSocket},
    http::{HeaderMap, StatusCode, header::ORIGIN},
    response::Response,
};
use futures_util::StreamExt as _;
use protocol::{
    ErrorBody, PROTOCOL, SUBPROTOCOL, ServerMessage, documents,
    messages::{ChoicesPage, Pong, Welcome},
    request::{self, Hello, MatchSubscribe, MatchUnsubscribe, Ping},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use storage::{Hash, MatchId};

use crate::{
    app::App,
    auth::{Caller, Params, account_of, bearer, with_role},
    clock::Clock,
    cors,
    detail::seat_of,
    docs,
    error::ApiError,
    gate::Hold,
    ids,
    matches::{Wish, control_order, order, player_order, refine, viewer_for},
    outbox::{Cut, Outbox},
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
    let upgrade = upgrade.protocols([SUBPROTOCOL]);
    Ok(wire::bounded(&app, upgrade).on_upgrade(move |socket| async move {
        app.metrics.sockets.inc();
        serve(app.clone(), caller, token, socket, holds).await;
        app.metrics.sockets.dec();
    }))
}

/// Web pages of strangers must not play in the name of who visits them.
pub fn check_origin(app: &App, headers: &HeaderMap) -> Result<(), ApiError> {
    if !headers.contains_key(ORIGIN) || cors::allowed_origin(app, headers).is_some() {
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
                Heard::Refused(error) => self.refuse(Names::default(), error),
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

    fn refuse(&self, names: Names, error: ApiError) {
        let Names { match_id, command_id, request_id } = names;
        self.outbox.send(&ServerMessage::Error(ErrorBody { match_id, command_id, request_id, ..*error.body }));
    }

    async fn hear(&mut self, text: &str) {
        let read = serde_json::from_str(text).map_err(|error| ApiError::malformed(format!("not a message: {error}")));
        let mut fields = match read.and_then(|it: Value| Ok(request::fields(it)?)) {
            Ok(fields) => fields,
            Err(error) => return self.refuse(Names::default(), error),
        };
        let names = Names::of(&fields);
        let kind = match fields.remove("type") {
            Some(Value::String(kind)) => kind,
            Some(_) => return self.refuse(names, host::Refused::wrong_type("/type", "type is a text").into()),
            None => return self.refuse(names, host::Refused::missing_field("/type", "a message has a type").into()),
        };
        if let Err(error) = self.obey(&kind, fields).await {
            self.refuse(names, error);
        }
    }

    /// Does what a message asks: its type is read first, then the message as that type.
    async fn obey(&mut self, kind: &str, fields: Map<String, Value>) -> Result<(), ApiError> {
        match kind {
            "hello" => self.welcome(request::read(fields)?),
            "ping" => {
                let Ping { request_id } = request::read(fields)?;
                self.outbox.send(&ServerMessage::Pong(Pong { request_id, server_time: Clock::wall() }));
                Ok(())
            }
            "match.subscribe" => self.subscribe(request::read(fields)?).await,
            "match.unsubscribe" => {
                let MatchUnsubscribe { match_id, .. } = request::read(fields)?;
                let id = MatchId(match_id);
                if self.followed.remove(&id) {
                    self.unsubscribe(&id).await;
                }
                Ok(())
            }
            "action.submit" => self.play(fields, Wish::Action).await,
            "input.submit" => self.play(fields, Wish::Input).await,
            "undo.submit" => self.play(fields, Wish::Undo).await,
            "takeback.submit" => self.play(fields, Wish::Takeback).await,
            "choices.query" => self.refine(fields).await,
            "system.control" => self.control(fields).await,
            _ => {
                let message = format!("there is no message of this type: {kind}");
                Err(host::Refused::new("request/unknown_type", message).at("/type").into())
            }
        }
    }

    fn welcome(&self, hello: Hello) -> Result<(), ApiError> {
        let is_spoken = hello.protocol.split('.').next() == PROTOCOL.split('.').next();
        if !is_spoken {
            let message = format!("this server speaks protocol {PROTOCOL}");
            return Err(host::Refused::new("request/protocol", message).at("/protocol").into());
        }
        self.outbox.send(&ServerMessage::Welcome(Welcome {
            protocol: PROTOCOL.to_owned(),
            schema_hash: documents::schema_hash().to_owned(),
            account: self.caller.0.id.0.clone(),
            server_time: Clock::wall(),
            limits: docs::limits(&self.app.config),
        }));
        Ok(())
    }

    async fn subscribe(&mut self, it: MatchSubscribe) -> Result<(), ApiError> {
        let id = &MatchId(it.match_id);
        if self.followed.len() >= MATCHES_MAX && !self.followed.contains(id) {
            return Err(ApiError::too_many("limit/subscriptions", "a socket follows at most 64 matches"));
        }
        let row = self.app.store.match_row(id).await?.ok_or_else(|| ApiError::not_found("match"))?;
        let viewer = viewer_for(&row, &self.caller, it.viewer.as_deref())?;
        let (account, outbox) = (self.caller.0.id.clone(), self.outbox.clone());
        let (after, receipt, request_id) = (it.after, it.receipt, it.request_id);
        let subscribe = Subscribe { viewer, account, after, receipt, request_id, outbox };
        self.followed.insert(id.clone());
        self.app.hub.ask(&self.app, id, |reply| Mail::Subscribe { subscribe: subscribe.clone(), reply }).await
    }

    /// The seat of the caller in the match a message is for.
    async fn seat_in(&self, fields: &mut Map<String, Value>) -> Result<(MatchId, host::Seat), ApiError> {
        let id = match_of(fields)?;
        let row = self.app.store.match_row(&id).await?.ok_or_else(|| ApiError::not_found("match"))?;
        let seat = seat_of(&row, &self.caller.0.id);
        Ok((id, seat.ok_or_else(|| ApiError::forbidden("you do not sit at this table"))?))
    }

    async fn play(&self, mut fields: Map<String, Value>, wish: Wish) -> Result<(), ApiError> {
        let (id, seat) = self.seat_in(&mut fields).await?;
        let command_id = Names::of(&fields).command_id;
        let done = order(&self.app, &id, player_order(seat, wish, fields)?).await?;
        self.succeed(&id, command_id, done);
        Ok(())
    }

    async fn refine(&self, mut fields: Map<String, Value>) -> Result<(), ApiError> {
        let (id, seat) = self.seat_in(&mut fields).await?;
        let query: request::ChoicesQuery = request::read(fields)?;
        let request_id = query.request_id.clone();
        let body = refine(&self.app, &id, seat, query).await?;
        let (input_id, branch_id, page) = (body.input_id, body.branch_id, body.page);
        self.outbox.send(&ServerMessage::ChoicesPage(ChoicesPage { request_id, input_id, branch_id, page }));
        Ok(())
    }

    async fn control(&self, mut fields: Map<String, Value>) -> Result<(), ApiError> {
        let id = match_of(&mut fields)?;
        let command_id = Names::of(&fields).command_id;
        let given = control_order(&self.app, &id, &self.caller, fields).await?;
        let done = order(&self.app, &id, given).await?;
        self.succeed(&id, command_id, done);
        Ok(())
    }

    fn succeed(&self, id: &MatchId, command_id: Option<String>, body: protocol::SuccessBody) {
        let match_id = Some(id.0.clone());
        self.outbox.send(&ServerMessage::Success(protocol::SuccessBody { match_id, command_id, ..body }));
    }
}

/// What a message calls itself and its match; the answer repeats it.
#[derive(Default)]
struct Names {
    match_id: Option<String>,
    command_id: Option<String>,
    request_id: Option<String>,
}

impl Names {
    fn of(fields: &Map<String, Value>) -> Self {
        let text = |key: &str| fields.get(key).and_then(Value::as_str).map(str::to_owned);
        Self { match_id: text("matchId"), command_id: text("commandId"), request_id: text("requestId") }
    }
}

/// The match a message is for.
fn match_of(fields: &mut Map<String, Value>) -> Result<MatchId, ApiError> {
    match fields.remove("matchId") {
        Some(Value::String(id)) => Ok(MatchId(id)),
        Some(_) => Err(host::Refused::wrong_type("/matchId", "matchId is a text").into()),
        None => Err(host::Refused::missing_field("/matchId", "matchId is missing").into()),
    }
}
