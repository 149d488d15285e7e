//! Matches over HTTP: the lobby, and everything a player can do in one.

use std::sync::Arc;

use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Path, Request, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use host::{
    Control, HostedMatch, Seat, Viewer,
    explain::{Explanation, Question},
};
use protocol::{ActionsBody, Event, EventLine, PendingInput, SuccessBody, view_hash};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use storage::{AccountId, Audit, MatchFilter, MatchId, MatchRow, MatchStatus, Op};
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::App,
    auth::{Body, Caller, Params},
    clock::Clock,
    detail::{Detail, MatchBody, SeatDetail, seat_of},
    error::ApiError,
    face::viewer_name,
    ids,
    play::{Order, check_decks},
    requests::Act,
    room::{Change, Mail, Room, Table, deadline, request_hash},
};

/// A match to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Create {
    /// The name of a game, or the hash of a ruleset.
    pub game: String,
    /// Who plays, seat by seat: `me`, `open`, `bot:random`, `bot:greedy`. Without it: you, and open seats.
    #[serde(default)]
    pub seats: Option<Vec<String>>,
    /// The cards you bring; the ready-made deck without.
    #[serde(default)]
    pub deck: Vec<String>,
    /// Whether others may watch.
    #[serde(default)]
    pub spectators: bool,
    /// What all chance comes from; only where the server allows to choose it.
    #[serde(default)]
    pub seed: Option<u64>,
}

/// A seat to take.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Join {
    /// `p1` for the first; any free one without.
    #[serde(default)]
    pub seat: Option<String>,
    #[serde(default)]
    pub deck: Vec<String>,
}

/// Which matches to list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ListQuery {
    /// `open`, `live`, `over`, `void`, `damaged`.
    pub status: Option<String>,
    pub game: Option<String>,
    /// Only those you sit in.
    pub mine: Option<bool>,
    pub limit: Option<u32>,
    pub skip: Option<u32>,
}

/// Which events.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct EventsQuery {
    /// Those after this one.
    pub after: Option<u32>,
    /// `spectator` or `judge`, to see what they see.
    #[serde(rename = "as")]
    pub viewer: Option<String>,
}

/// Events, as the caller saw them happen.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EventsBody {
    pub events: Vec<EventLine>,
    /// The number of the last one there is.
    pub sequence: u32,
}

const LIST_MAX: u32 = 100;

type Done = Result<Json<SuccessBody>, ApiError>;

fn id_of(text: String) -> MatchId {
    MatchId(text)
}

async fn row_of(app: &App, id: &MatchId) -> Result<MatchRow, ApiError> {
    app.store.match_row(id).await?.ok_or_else(|| ApiError::not_found("match"))
}

/// The seat of a caller; refuses who does not sit at the table.
async fn seat_in(app: &App, id: &MatchId, account: &AccountId) -> Result<Seat, ApiError> {
    let row = row_of(app, id).await?;
    seat_of(&row, account).ok_or_else(|| ApiError::forbidden("you do not sit at this table"))
}

/// As whom a caller may watch a match.
pub fn viewer_for(row: &MatchRow, caller: &Caller, wanted: Option<&str>) -> Result<Viewer, ApiError> {
    let seat = seat_of(row, &caller.0.id);
    match (wanted, seat) {
        (Some("judge"), _) => caller.require_moderator().map(|()| Viewer::Judge),
        (None, Some(seat)) => Ok(Viewer::Seat(seat)),
        (Some(name), Some(seat)) if name == seat.to_string() => Ok(Viewer::Seat(seat)),
        (Some("spectator") | None, _) if Detail::of(row).spectators || caller.is_moderator() => Ok(Viewer::Spectator),
        _ => Err(ApiError::forbidden("you may not watch this match as that")),
    }
}

/// Looks at a match in its room.
async fn look<T: Send + 'static>(
    app: &Arc<App>,
    id: &MatchId,
    look: impl Fn(&Room) -> Result<T, ApiError> + Send + Clone + 'static,
) -> Result<T, ApiError> {
    let found = Arc::new(std::sync::Mutex::new(None));
    let letter = |reply| {
        let (look, found) = (look.clone(), found.clone());
        let look = Box::new(move |room: &Room| *lock(&found) = Some(look(room)));
        Mail::Look { look, reply }
    };
    app.hub.ask(app, id, letter).await?;
    let found = lock(&found).take();
    found.unwrap_or_else(|| Err(ApiError::unavailable("match/unavailable", "the match is being opened; try again")))
}

fn lock<T>(it: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    it.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The match of a room, if it can be played.
fn live(room: &Room) -> Result<&dyn HostedMatch, ApiError> {
    let table = room.table.as_ref().ok_or_else(|| ApiError::not_found("match"))?;
    match (&table.live, table.row.status) {
        (Some(live), _) => Ok(&**live),
        (None, MatchStatus::Damaged) => Err(table.damaged()),
        (None, _) => Err(ApiError::conflict("match/not_started", "the match waits for players")),
    }
}

/// Sends an order to a match.
pub async fn order(app: &Arc<App>, id: &MatchId, order: Order) -> Result<SuccessBody, ApiError> {
    app.hub.ask(app, id, |reply| Mail::Order { order: order.clone(), reply }).await
}

/// What a request is called: `commandId` in its body, or the header `Idempotency-Key`.
fn command_id(headers: &HeaderMap, body: &Value) -> Result<Option<String>, ApiError> {
    let Some(header) = headers.get("idempotency-key").filter(|_| body.get("commandId").is_none()) else {
        return command_id_of(body);
    };
    let header = header.to_str().map_err(|_| ApiError::malformed("the Idempotency-Key is not plain text"))?;
    check_command_id(Some(header))
}

/// What a request calls itself.
pub fn command_id_of(body: &Value) -> Result<Option<String>, ApiError> {
    match body.get("commandId") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(id)) => check_command_id(Some(id)),
        Some(_) => Err(ApiError::malformed("a commandId is a text")),
    }
}

/// A name for a request of bearable length.
fn check_command_id(given: Option<&str>) -> Result<Option<String>, ApiError> {
    match given {
        Some(it) if it.is_empty() || it.len() > 128 => Err(ApiError::malformed("a commandId has 1 to 128 bytes")),
        other => Ok(other.map(str::to_owned)),
    }
}

/// An order of a player.
pub fn player_order(
    seat: Seat,
    kind: &str,
    command_id: Option<String>,
    body: Value,
    act: fn(Value) -> Act,
) -> Result<Order, ApiError> {
    let claimed = body.get("playerId").and_then(Value::as_str);
    if claimed.is_some_and(|it| it != seat.to_string()) {
        return Err(ApiError::forbidden("you cannot act for another seat"));
    }
    let version = body.get("knownVersion").or_else(|| body.get("branchId"));
    if version.is_some_and(|it| !it.is_null()) && protocol::known_version(&body).is_none() {
        return Err(ApiError::malformed("knownVersion is a whole number: the version of the match you know"));
    }
    let request = request_hash(kind, Some(seat), &stripped(&body).to_string());
    Ok(Order { seat: Some(seat), moderator: None, command_id: own_id(seat, command_id), request, act: act(body) })
}

/// Two players may call their requests the same.
fn own_id(seat: Seat, command_id: Option<String>) -> Option<String> {
    command_id.map(|it| format!("{seat}/{it}"))
}

/// A request without what may differ when it is sent again.
fn stripped(body: &Value) -> Value {
    let mut body = body.clone();
    if let Some(fields) = body.as_object_mut() {
        ["commandId", "requestId", "matchId", "metadata"].iter().for_each(|it| drop(fields.remove(*it)));
        // The type of a message says how it was sent; the type of an action is part of it.
        if fields.get("type").and_then(Value::as_str).is_some_and(|it| it.contains('.')) {
            fields.remove("type");
        }
    }
    body
}

/// `POST /matches`.
pub async fn create(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    Body(given): Body<Create>,
) -> Result<(StatusCode, Json<MatchBody>), ApiError> {
    let entry = app.games.find(&given.game).ok_or_else(|| ApiError::not_found("game"))?;
    if given.seed.is_some() && !app.config.allow_seeds {
        return Err(ApiError::forbidden("this server does not let players choose the seed"));
    }
    check_quota(&app, &account.id).await?;
    let n_min = usize::from(*entry.game.seats().start());
    let wanted = given.seats.unwrap_or_else(|| {
        let mut seats = vec!["open".to_owned(); n_min];
        seats[..1].fill("me".to_owned());
        seats
    });
    let n_seats = u8::try_from(wanted.len()).unwrap_or(u8::MAX);
    if !entry.game.seats().contains(&n_seats) {
        let (min, max) = (entry.game.seats().start().to_string(), entry.game.seats().end().to_string());
        return Err(ApiError::malformed(format!("{} has {min} to {max} seats", given.game)));
    }
    let mut row = MatchRow::new(ids::match_id(), entry.game.id(), entry.rules, Vec::new(), Clock::wall());
    let mut detail = Detail { spectators: given.spectators, seed: given.seed, ..Detail::default() };
    for seat in &wanted {
        let mine = SeatDetail { nickname: account.nickname.clone(), deck: given.deck.clone(), bot: None };
        let (who, seat) = match seat.as_str() {
            "me" if !row.seats.contains(&Some(account.id.clone())) => (Some(account.id.clone()), mine),
            "open" => (None, SeatDetail::default()),
            other => (None, bot_seat(other)?),
        };
        row.seats.push(who);
        detail.seats.push(seat);
    }
    if detail.seats.iter().all(|it| it.bot.is_some()) {
        let message = "somebody must sit at the table: me, or an open seat";
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "Only bots", "match/only_bots", message));
    }
    check_decks(&app, &entry, &detail)?;
    row.detail = detail.to_bytes();
    // A table that is full from the start begins at once.
    let row = if detail.is_full(&row) {
        let _begin = app.lobby.hold_free(&app, &entry, &account.id).await?;
        begin(&app, row).await?
    } else {
        app.store.commit(vec![Op::CreateMatch(row.clone())]).await?;
        row
    };
    Ok((StatusCode::CREATED, Json(MatchBody::new(&row, Some(&account.id)))))
}

/// Makes a match at which all sit, and begins it.
pub async fn begin(app: &Arc<App>, row: MatchRow) -> Result<MatchRow, ApiError> {
    let (id, change) = (row.id.clone(), Change::Begin { row: Box::new(row) });
    let begun = app.hub.ask(app, &id, |reply| Mail::Change { change: change.clone(), reply }).await;
    match begun {
        // An error does not say that it did not begin: what is stored does.
        Err(error) => app.store.match_row(&id).await?.ok_or(error),
        begun => begun,
    }
}

async fn check_quota(app: &App, account: &AccountId) -> Result<(), ApiError> {
    let max = app.config.matches_per_account_max;
    for status in [MatchStatus::Open, MatchStatus::Live] {
        let filter =
            MatchFilter { status: Some(status), account: Some(account.clone()), limit: max, ..MatchFilter::default() };
        if app.store.matches(&filter).await?.len() >= max as usize {
            return Err(ApiError::too_many(
                "limit/matches",
                format!("you have {max} matches already; finish some first"),
            ));
        }
    }
    Ok(())
}

fn bot_seat(name: &str) -> Result<SeatDetail, ApiError> {
    let bot = name.strip_prefix("bot:").filter(|it| bots::Bot::NAMES.contains(it));
    let names = bots::Bot::NAMES.map(|it| format!("bot:{it}")).join(", ");
    let bot = bot.ok_or_else(|| ApiError::malformed(format!("a seat is me (once), open, {names}; not: {name}")))?;
    Ok(SeatDetail { nickname: format!("{bot} bot"), bot: Some(bot.to_owned()), deck: Vec::new() })
}

/// `GET /matches`.
pub async fn list(
    State(app): State<Arc<App>>,
    caller: Option<Caller>,
    Params(query): Params<ListQuery>,
) -> Result<Json<Vec<MatchBody>>, ApiError> {
    let status = match &query.status {
        Some(name) => Some(MatchStatus::from_name(name).ok_or_else(|| ApiError::malformed("there is no such status"))?),
        None => None,
    };
    let account = caller.map(|it| it.0.id);
    let mine = query.mine.unwrap_or(false);
    if mine && account.is_none() {
        return Err(ApiError::unauthorized());
    }
    let (limit, skip) = (query.limit.unwrap_or(LIST_MAX).min(LIST_MAX), query.skip.unwrap_or(0));
    let filter = MatchFilter { status, game: query.game, account: account.clone().filter(|_| mine), limit, skip };
    let rows = app.store.matches(&filter).await?;
    Ok(Json(rows.iter().map(|it| MatchBody::new(it, account.as_ref())).collect()))
}

/// `GET /matches/{id}`.
pub async fn get(
    State(app): State<Arc<App>>,
    caller: Option<Caller>,
    Path(id): Path<String>,
) -> Result<Json<MatchBody>, ApiError> {
    let row = row_of(&app, &id_of(id)).await?;
    Ok(Json(MatchBody::new(&row, caller.map(|it| it.0.id).as_ref())))
}

/// `POST /matches/{id}/join`.
pub async fn join(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    Path(id): Path<String>,
    Body(given): Body<Join>,
) -> Result<Json<MatchBody>, ApiError> {
    let seat = match &given.seat {
        Some(name) => Some(Seat::from_name(name).ok_or_else(|| ApiError::malformed("a seat is called p1, p2, ..."))?),
        None => None,
    };
    check_quota(&app, &account.id).await?;
    let id = id_of(id);
    let row = row_of(&app, &id).await?;
    let _begin = app.lobby.hold_table(&app, &row, &account.id).await?;
    let (nickname, deck) = (account.nickname, given.deck);
    let change = Change::Join { account: account.id.clone(), nickname, seat, deck };
    let row = app.hub.ask(&app, &id, |reply| Mail::Change { change: change.clone(), reply }).await?;
    Ok(Json(MatchBody::new(&row, Some(&account.id))))
}

/// `POST /matches/{id}/leave`.
pub async fn leave(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    Path(id): Path<String>,
) -> Result<Json<MatchBody>, ApiError> {
    let id = id_of(id);
    row_of(&app, &id).await?;
    let change = Change::Leave { account: account.id.clone() };
    let row = app.hub.ask(&app, &id, |reply| Mail::Change { change: change.clone(), reply }).await?;
    Ok(Json(MatchBody::new(&row, Some(&account.id))))
}

/// `DELETE /matches/{id}`.
pub async fn void(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<MatchBody>, ApiError> {
    let id = id_of(id);
    let row = row_of(&app, &id).await?;
    // Who opened a table that nobody else has come to may close it again.
    let is_alone = row.status == MatchStatus::Open && row.seats.iter().flatten().all(|it| *it == caller.0.id);
    let alone = is_alone && seat_of(&row, &caller.0.id).is_some() && !caller.is_moderator();
    if !alone {
        caller.require_moderator()?;
    }
    let by = caller.0.id;
    let change = Change::Void { by: by.clone(), alone };
    let row = app.hub.ask(&app, &id, |reply| Mail::Change { change: change.clone(), reply }).await?;
    Ok(Json(MatchBody::new(&row, Some(&by))))
}

/// `GET /matches/{id}/actions`.
pub async fn actions(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    Path(id): Path<String>,
) -> Result<Json<ActionsBody>, ApiError> {
    let id = id_of(id);
    let seat = seat_in(&app, &id, &account.id).await?;
    let body = look(&app, &id, move |room| {
        let live = live(room)?;
        let may_pass = live.open(seat).iter().any(|it| it.kind == "priority");
        Ok(ActionsBody::new(live.actions(seat), &live.view(Viewer::Seat(seat)), may_pass))
    });
    Ok(Json(body.await?))
}

/// What a player asks of a match over HTTP.
pub struct Asked {
    id: MatchId,
    seat: Seat,
    command_id: Option<String>,
    body: Value,
}

impl FromRequest<Arc<App>> for Asked {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let Caller(account) = <Caller as FromRequestParts<Arc<App>>>::from_request_parts(&mut parts, app).await?;
        let path = Path::<String>::from_request_parts(&mut parts, app).await;
        let id = id_of(path.map_err(|error| ApiError::malformed(error.body_text()))?.0);
        let headers = parts.headers.clone();
        let Body(body) = Body::<Value>::from_request(Request::from_parts(parts, body), app).await?;
        let seat = seat_in(app, &id, &account.id).await?;
        Ok(Self { id, seat, command_id: command_id(&headers, &body)?, body })
    }
}

impl Asked {
    async fn submit(self, app: &Arc<App>, kind: &str, act: fn(Value) -> Act) -> Done {
        let Self { id, seat, command_id, body } = self;
        Ok(Json(order(app, &id, player_order(seat, kind, command_id, body, act)?).await?))
    }
}

/// `POST /matches/{id}/actions`.
pub async fn act(State(app): State<Arc<App>>, asked: Asked) -> Done {
    asked.submit(&app, "action", Act::Action).await
}

/// `GET /matches/{id}/inputs`.
pub async fn inputs(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    Path(id): Path<String>,
) -> Result<Json<Vec<PendingInput>>, ApiError> {
    let id = id_of(id);
    let seat = seat_in(&app, &id, &account.id).await?;
    let inputs = look(&app, &id, move |room| {
        let clocks = room.table.as_ref().map(|it| it.clocks.clone()).unwrap_or_default();
        let ask = |it: host::OpenRequest| {
            let expires_at = deadline(&room.app, &clocks, it.input_id);
            PendingInput::new(it, &seat.to_string(), expires_at)
        };
        Ok(live(room)?.open(seat).into_iter().map(ask).collect())
    });
    Ok(Json(inputs.await?))
}

/// `POST /matches/{id}/inputs`.
pub async fn answer(State(app): State<Arc<App>>, asked: Asked) -> Done {
    asked.submit(&app, "input", Act::Input).await
}

/// `GET /matches/{id}/events`.
pub async fn events(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Params(query): Params<EventsQuery>,
) -> Result<Json<EventsBody>, ApiError> {
    let id = id_of(id);
    let viewer = viewer_for(&row_of(&app, &id).await?, &caller, query.viewer.as_deref())?;
    let after = query.after.unwrap_or(0);
    let body = look(&app, &id, move |room| {
        let events = live(room)?.events(viewer, after);
        let sequence = room.table.as_ref().map_or(0, |it| it.sent(viewer).n_events);
        let body = |it: &host::view::EventView| EventLine {
            sequence: it.seq,
            event: Event::from(it),
            text: it.text.clone(),
            ui: it.ui.clone(),
        };
        Ok(EventsBody { events: events.iter().map(body).collect(), sequence })
    });
    Ok(Json(body.await?))
}

/// `GET /matches/{id}/view`.
pub async fn view(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Params(query): Params<EventsQuery>,
) -> Result<Json<Value>, ApiError> {
    let id = id_of(id);
    let viewer = viewer_for(&row_of(&app, &id).await?, &caller, query.viewer.as_deref())?;
    let body = look(&app, &id, move |room| {
        let view = live(room)?.view(viewer);
        let sent = room.table.as_ref().map(|it| it.sent(viewer)).unwrap_or_default();
        let receipt = room.app.seals.write(&room.id, &viewer_name(viewer), &sent);
        Ok(json!({ "sequence": sent.n_events, "viewHash": view_hash(&view), "receipt": receipt, "view": view }))
    });
    Ok(Json(body.await?))
}

/// `POST /matches/{id}/undo`.
pub async fn undo(State(app): State<Arc<App>>, asked: Asked) -> Done {
    asked.submit(&app, "undo", undo_act).await
}

/// What a request to take back one's own last answer means.
pub fn undo_act(body: Value) -> Act {
    Act::Undo { version: protocol::known_version(&body) }
}

/// Refuses what says nothing about going back.
pub fn check_takeback(body: &Value) -> Result<(), ApiError> {
    if body.get("to").and_then(Value::as_u64).is_none() {
        return Err(ApiError::malformed("to is missing: the version to go back to"));
    }
    let is_answer = body.get("agree").is_none_or(Value::is_boolean);
    if is_answer { Ok(()) } else { Err(ApiError::malformed("agree is true or false")) }
}

/// What is said about going back.
pub fn takeback_act(body: Value) -> Act {
    let to = body.get("to").and_then(Value::as_u64).and_then(|it| u32::try_from(it).ok()).unwrap_or(u32::MAX);
    let agree = body.get("agree").and_then(Value::as_bool).unwrap_or(true);
    Act::Takeback { to, version: protocol::known_version(&body), agree }
}

/// `POST /matches/{id}/takeback`.
pub async fn takeback(State(app): State<Arc<App>>, asked: Asked) -> Done {
    check_takeback(&asked.body)?;
    asked.submit(&app, "takeback", takeback_act).await
}

/// `GET /matches/{id}/takeback`.
pub async fn open_takeback(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let id = id_of(id);
    viewer_for(&row_of(&app, &id).await?, &caller, None)?;
    let open = look(&app, &id, |room| {
        live(room)?;
        Ok(room.table.as_ref().and_then(Table::takeback))
    });
    Ok(Json(json!({ "takeback": open.await? })))
}

/// Who gives up: whoever asks, and nobody for another.
fn conceding(body: &Value, own: Option<Seat>) -> Result<Seat, ApiError> {
    let own = own.ok_or_else(|| ApiError::forbidden("you do not sit at this table"))?;
    match body.get("player") {
        Some(player) if player.as_str().and_then(Seat::from_name) != Some(own) => {
            Err(ApiError::forbidden("you cannot concede for another seat"))
        }
        _ => Ok(own),
    }
}

/// What a verb of `system.control` means, and whether only a moderator may use it.
pub fn control(body: &Value, own: Option<Seat>) -> Result<(Control, bool), ApiError> {
    let verb = body.get("verb").and_then(Value::as_str).ok_or_else(|| ApiError::malformed("verb is missing"))?;
    let seat = |key: &str| {
        let name = body.get(key).and_then(Value::as_str);
        name.and_then(Seat::from_name).ok_or_else(|| ApiError::malformed(format!("{key} is missing: p1, p2, ...")))
    };
    Ok(match verb {
        "concede" => (Control::Concede(conceding(body, own)?), false),
        "pause" => (Control::Pause, true),
        "resume" => (Control::Resume, true),
        "void" => (Control::Kill, true),
        "kick" => (Control::Kick(seat("player")?), true),
        "drop_item" => {
            let row = body.get("item").and_then(Value::as_str).and_then(|it| it.strip_prefix('e')?.parse().ok());
            (Control::DropItem(row.ok_or_else(|| ApiError::malformed("item is missing: e1, e2, ..."))?), true)
        }
        "set_result" => {
            let winners = body.get("winners").and_then(Value::as_array);
            let winners = winners.ok_or_else(|| ApiError::malformed("winners is missing: a list of players"))?;
            let seats = winners.iter().map(|it| it.as_str().and_then(Seat::from_name)).collect::<Option<Vec<_>>>();
            (Control::SetResult(seats.ok_or_else(|| ApiError::malformed("a winner is called p1, p2, ..."))?), true)
        }
        "timeout" | "timer" | "disconnect" | "reconnect" => {
            return Err(ApiError::forbidden("only the server itself can say this"));
        }
        _ => return Err(ApiError::malformed("there is no such verb")),
    })
}

/// An order of `system.control`.
pub async fn control_order(
    app: &App,
    id: &MatchId,
    caller: &Caller,
    command_id: Option<String>,
    body: &Value,
) -> Result<Order, ApiError> {
    let row = row_of(app, id).await?;
    let own = seat_of(&row, &caller.0.id);
    let (control, needs_moderator) = control(body, own)?;
    if needs_moderator {
        caller.require_moderator()?;
    }
    let seat = own.filter(|_| !needs_moderator);
    let request = request_hash("control", seat, &stripped(body).to_string());
    let moderator = needs_moderator.then(|| caller.0.id.clone());
    let command_id = if let Some(seat) = seat { own_id(seat, command_id) } else { command_id };
    Ok(Order { seat, moderator, command_id, request, act: Act::Control(control) })
}

/// `POST /matches/{id}/control`.
pub async fn control_match(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(body): Body<Value>,
) -> Done {
    let id = id_of(id);
    let command_id = command_id(&headers, &body)?;
    let given = control_order(&app, &id, &caller, command_id, &body).await?;
    Ok(Json(order(&app, &id, given).await?))
}

/// `GET /matches/{id}/audit`.
pub async fn audit(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    caller.require_moderator()?;
    let id = id_of(id);
    row_of(&app, &id).await?;
    let entries = app.store.audit(&id).await?;
    let entry = |it: &Audit| json!({ "account": it.account.0, "verb": it.verb, "detail": it.detail, "at": it.at });
    Ok(Json(json!({ "audit": entries.iter().map(entry).collect::<Vec<_>>() })))
}

/// `GET /matches/{id}/replay`.
pub async fn replay(State(app): State<Arc<App>>, caller: Caller, Path(id): Path<String>) -> Result<Response, ApiError> {
    let id = id_of(id);
    let row = row_of(&app, &id).await?;
    // A log tells every hidden card.
    if row.status != MatchStatus::Over {
        caller.require_moderator()?;
    }
    if seat_of(&row, &caller.0.id).is_none() && !Detail::of(&row).spectators {
        caller.require_moderator()?;
    }
    let bytes = look(&app, &id, |room| Ok(live(room)?.log_bytes())).await?;
    let name = format!("attachment; filename=\"{id}.snap\"");
    let headers = [(header::CONTENT_TYPE, "application/octet-stream".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes).into_response())
}

/// What somebody wants to know.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ExplainQuery {
    /// `why-not`, `if`, `value` or `trigger`.
    pub ask: String,
    /// The action of `why-not` and `if`.
    pub action: Option<String>,
    /// What fills its slots so far, separated by commas.
    pub targets: Option<String>,
    /// The card or player of `value`; the rule or card of `trigger`.
    pub of: Option<String>,
    /// The attribute of `value`.
    pub attribute: Option<String>,
    /// The event of `trigger`, for judges.
    pub event: Option<u32>,
    /// `judge` or `spectator`, to ask as they do.
    #[serde(rename = "as")]
    pub viewer: Option<String>,
}

impl ExplainQuery {
    fn question(self) -> Result<Question, ApiError> {
        let missing = |what: &str| ApiError::malformed(format!("{what} is missing"));
        let targets = self.targets.unwrap_or_default();
        let targets = targets.split(',').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        match self.ask.as_str() {
            "why-not" => {
                let action = self.action.ok_or_else(|| missing("action"))?;
                Ok(Question::WhyNot { action, targets, player: None })
            }
            "if" => Ok(Question::If { action: self.action.ok_or_else(|| missing("action"))?, targets }),
            "value" => {
                let of = self.of.ok_or_else(|| missing("of"))?;
                Ok(Question::Value { of, attribute: self.attribute.ok_or_else(|| missing("attribute"))? })
            }
            "trigger" => Ok(Question::Trigger { event: self.event.ok_or_else(|| missing("event"))?, of: self.of }),
            _ => Err(ApiError::malformed("ask is one of why-not, if, value, trigger")),
        }
    }
}

/// `GET /matches/{id}/explain`.
pub async fn explain(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Params(query): Params<ExplainQuery>,
) -> Result<Json<Explanation>, ApiError> {
    let id = id_of(id);
    let viewer = viewer_for(&row_of(&app, &id).await?, &caller, query.viewer.as_deref())?;
    let question = query.question()?;
    let hold = app.gate.explanation(&caller.0.id, app.config.explanations_per_account_max);
    let hold = hold.ok_or_else(|| ApiError::too_many("limit/explanations", "wait for the other explanations first"))?;
    // Worlds that might be are played on a copy, so that the match goes on meanwhile.
    let copy = look(&app, &id, |room| Ok(live(room)?.fork())).await?;
    let explain = move || {
        let explained = copy.explain(viewer, &question);
        drop(hold);
        explained
    };
    let explained = tokio::task::spawn_blocking(explain).await;
    let explained = explained.map_err(|_| ApiError::unavailable("server/failed", "this could not be explained"))?;
    let refuse = |why: host::explain::ExplainError| {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "Not explained", why.code(), why.to_string())
    };
    Ok(Json(explained.map_err(refuse)?))
}
