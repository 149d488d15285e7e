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
use protocol::{
    EventAppended, Leaves, SuccessBody,
    bodies::{
        ActionsBody, AuditBody, AuditEntry, CreateMatch, EventsBody, InputsBody, JoinMatch, MatchBody, OpenTakeback,
        PageBody, ViewBody,
    },
    request::{self, ChoicesQuery, SystemControl, TakebackSubmit, UndoSubmit, Verb},
    submit::{self, Submitted},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use storage::{AccountId, Audit, MatchFilter, MatchId, MatchRow, MatchStatus, Op};

use crate::{
    app::App,
    auth::{Body, Caller, Params},
    clock::Clock,
    detail::{Detail, SeatDetail, match_body, seat_of},
    error::ApiError,
    face, ids, offered,
    play::{Order, check_decks},
    requests::Act,
    room::{Change, Mail, Room, Table, deadline, request_hash},
};

/// Which matches to list.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
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
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EventsQuery {
    /// Those after this one.
    pub after: Option<u32>,
    pub limit: Option<u32>,
    /// `ndjson` for the messages of a socket, one a line.
    pub format: Option<String>,
    /// `spectator` or `judge`, to see what they see.
    #[serde(rename = "as")]
    pub viewer: Option<String>,
}

/// Whose view.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ViewQuery {
    #[serde(rename = "as")]
    pub viewer: Option<String>,
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

/// What a request is called by the header `Idempotency-Key`, and the version it names by `If-Match`.
fn with_headers(headers: &HeaderMap, mut body: Map<String, Value>) -> Result<Map<String, Value>, ApiError> {
    let text = |name: &str| match headers.get(name) {
        Some(value) => {
            let text = value.to_str().map_err(|_| ApiError::malformed(format!("the header {name} is not plain text")));
            text.map(Some)
        }
        None => Ok(None),
    };
    if let Some(id) = text("idempotency-key")?.filter(|_| !body.contains_key("commandId")) {
        body.insert("commandId".to_owned(), id.into());
    }
    let is_named = body.contains_key("branchId") || body.contains_key("knownVersion");
    if let Some(version) = text("if-match")?.filter(|_| !is_named) {
        let version = version.trim_matches('"').parse::<u32>();
        let version = version.map_err(|_| ApiError::malformed("If-Match is the branchId the request was made for"))?;
        body.insert("branchId".to_owned(), version.into());
    }
    Ok(body)
}

/// A name for a request of bearable length.
fn check_command_id(given: Option<String>) -> Result<Option<String>, ApiError> {
    match given {
        Some(it) if it.is_empty() || it.len() > 128 => {
            let refused = host::Refused::new("request/command_id", "a commandId has 1 to 128 bytes").at("/commandId");
            Err(refused.into())
        }
        other => Ok(other),
    }
}

/// What a player wants done, as it was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// `action.submit`.
    Action,
    /// `input.submit`.
    Input,
    /// `undo.submit`.
    Undo,
    /// `takeback.submit`.
    Takeback,
}

/// An order of a player.
pub fn player_order(seat: Seat, wish: Wish, body: Map<String, Value>) -> Result<Order, ApiError> {
    let sent = stripped(&body);
    let Submitted { command_id, player, what, .. } = read(wish, body)?;
    if player.is_some_and(|it| it != seat.to_string()) {
        return Err(ApiError::forbidden("you cannot act for another seat"));
    }
    let request = request_hash(&format!("{wish:?}"), Some(seat), &sent);
    let command_id = own_id(seat, check_command_id(command_id)?);
    Ok(Order { seat: Some(seat), moderator: None, command_id, request, act: what })
}

fn read(wish: Wish, body: Map<String, Value>) -> Result<Submitted<Act>, ApiError> {
    Ok(match wish {
        Wish::Action => {
            let Submitted { command_id, version, player, what: action } = submit::action(body)?;
            Submitted { command_id, version, player, what: Act::Action { action, version } }
        }
        Wish::Input => {
            let Submitted { command_id, version, player, what: answer } = submit::answer(body)?;
            Submitted { command_id, version, player, what: Act::Input { answer, version } }
        }
        Wish::Undo => {
            let UndoSubmit { command_id, branch_id: version, player_id: player } = submit::plain(body)?;
            Submitted { command_id, version, player, what: Act::Undo { version } }
        }
        Wish::Takeback => {
            let TakebackSubmit { command_id, branch_id: version, to, agree, player_id: player } = submit::plain(body)?;
            Submitted { command_id, version, player, what: Act::Takeback { to, version, agree } }
        }
    })
}

/// Two players may call their requests the same.
fn own_id(seat: Seat, command_id: Option<String>) -> Option<String> {
    command_id.map(|it| format!("{seat}/{it}"))
}

/// A request without what may differ when it is sent again.
fn stripped(body: &Map<String, Value>) -> String {
    let mut body = body.clone();
    ["commandId", "metadata"].iter().for_each(|it| drop(body.remove(*it)));
    Value::Object(body).to_string()
}

/// `POST /matches`.
pub async fn create(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    Body(given): Body<CreateMatch>,
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
    Ok((StatusCode::CREATED, Json(match_body(&app, &row, Some(&account.id)))))
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
    Ok(Json(rows.iter().map(|it| match_body(&app, it, account.as_ref())).collect()))
}

/// `GET /matches/{id}`.
pub async fn get(
    State(app): State<Arc<App>>,
    caller: Option<Caller>,
    Path(id): Path<String>,
) -> Result<Json<MatchBody>, ApiError> {
    let row = row_of(&app, &id_of(id)).await?;
    Ok(Json(match_body(&app, &row, caller.map(|it| it.0.id).as_ref())))
}

/// `POST /matches/{id}/join`.
pub async fn join(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    Path(id): Path<String>,
    Body(given): Body<JoinMatch>,
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
    Ok(Json(match_body(&app, &row, Some(&account.id))))
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
    Ok(Json(match_body(&app, &row, Some(&account.id))))
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
    Ok(Json(match_body(&app, &row, Some(&by))))
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
        let entry = room.table.as_ref().and_then(|it| room.app.games.by_rules(&it.row.rules));
        let catalogue = entry.map(|it| it.game.catalogue()).unwrap_or_default();
        let window = live.prompts(seat).into_iter().map(|it| it.input).find(|it| it.kind == "priority");
        Ok(offered::actions(&catalogue, &live.view(Viewer::Seat(seat)), window.as_ref()))
    });
    Ok(Json(body.await?))
}

/// What a player asks of a match over HTTP.
pub struct Asked {
    id: MatchId,
    seat: Seat,
    body: Map<String, Value>,
}

impl FromRequest<Arc<App>> for Asked {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let Caller(account) = <Caller as FromRequestParts<Arc<App>>>::from_request_parts(&mut parts, app).await?;
        let path = Path::<String>::from_request_parts(&mut parts, app).await;
        let id = id_of(path.map_err(|error| ApiError::malformed(error.body_text()))?.0);
        let headers = parts.headers.clone();
        let Body(body) = Body::<Map<String, Value>>::from_request(Request::from_parts(parts, body), app).await?;
        let seat = seat_in(app, &id, &account.id).await?;
        Ok(Self { id, seat, body: with_headers(&headers, body)? })
    }
}

impl Asked {
    async fn submit(self, app: &Arc<App>, wish: Wish) -> Done {
        let Self { id, seat, body } = self;
        Ok(Json(order(app, &id, player_order(seat, wish, body)?).await?))
    }
}

/// `POST /matches/{id}/actions`.
pub async fn act(State(app): State<Arc<App>>, asked: Asked) -> Done {
    asked.submit(&app, Wish::Action).await
}

/// `GET /matches/{id}/inputs`.
pub async fn inputs(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    Path(id): Path<String>,
) -> Result<Json<InputsBody>, ApiError> {
    let id = id_of(id);
    let seat = seat_in(&app, &id, &account.id).await?;
    let inputs = look(&app, &id, move |room| {
        let clocks = room.table.as_ref().map(|it| it.clocks.clone()).unwrap_or_default();
        let due = |it| deadline(&room.app, &clocks, it);
        Ok(live(room)?.prompts(seat).into_iter().map(|it| face::timed(it, &due)).collect())
    });
    Ok(Json(inputs.await?))
}

/// `POST /matches/{id}/inputs`.
pub async fn answer(State(app): State<Arc<App>>, asked: Asked) -> Done {
    asked.submit(&app, Wish::Input).await
}

/// What can fill the next slot of a submit of a player.
pub async fn refine(app: &Arc<App>, id: &MatchId, seat: Seat, query: ChoicesQuery) -> Result<PageBody, ApiError> {
    let page = look(app, id, move |room| {
        let live = live(room)?;
        let current = live.version();
        if query.branch_id.is_some_and(|it| it != current) {
            return Err(host::Rejection::Common(host::script::Rejection::Stale { current }).into());
        }
        let page = live.refine(seat, &query.clone().into())?;
        Ok(PageBody { input_id: query.input_id.clone(), branch_id: current, page })
    });
    page.await
}

/// `POST /matches/{id}/choices`.
pub async fn choices(State(app): State<Arc<App>>, asked: Asked) -> Result<Json<PageBody>, ApiError> {
    let query: ChoicesQuery = request::read(asked.body)?;
    Ok(Json(refine(&app, &asked.id, asked.seat, query).await?))
}

/// `GET /matches/{id}/events`.
pub async fn events(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Params(query): Params<EventsQuery>,
) -> Result<Response, ApiError> {
    let id = id_of(id);
    let viewer = viewer_for(&row_of(&app, &id).await?, &caller, query.viewer.as_deref())?;
    let (after, limit) = (query.after.unwrap_or(0), query.limit.unwrap_or(u32::MAX));
    let name = id.0.clone();
    let body = look(&app, &id, move |room| {
        let sequence = room.table.as_ref().map_or(0, |it| it.sent(viewer).n_events);
        let events = live(room)?.events(viewer, after).into_iter();
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let events = events.take(limit).map(|it| EventAppended::new(&name, it)).collect();
        Ok(EventsBody { events, sequence })
    });
    let body = body.await?;
    match query.format.as_deref() {
        None | Some("json") => Ok(Json(body).into_response()),
        Some("ndjson") => {
            let messages = body.events.into_iter().map(protocol::ServerMessage::EventAppended);
            let lines: String = messages.map(|it| format!("{}\n", crate::outbox::to_text(&it))).collect();
            Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], lines).into_response())
        }
        Some(_) => Err(ApiError::malformed("format is json or ndjson")),
    }
}

/// `GET /matches/{id}/view`.
pub async fn view(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
    Params(query): Params<ViewQuery>,
) -> Result<Json<ViewBody>, ApiError> {
    let id = id_of(id);
    let viewer = viewer_for(&row_of(&app, &id).await?, &caller, query.viewer.as_deref())?;
    let body = look(&app, &id, move |room| {
        let leaves = Leaves::new(live(room)?.view(viewer));
        let sent = room.table.as_ref().map(|it| it.sent(viewer)).unwrap_or_default();
        let receipt = room.app.seals.write(&room.id, &viewer.to_string(), &sent);
        let (view_hash, view) = (leaves.hash(), leaves.view().clone());
        Ok(ViewBody { sequence: sent.n_events, view_hash, receipt, view })
    });
    Ok(Json(body.await?))
}

/// `POST /matches/{id}/undo`.
pub async fn undo(State(app): State<Arc<App>>, asked: Asked) -> Done {
    asked.submit(&app, Wish::Undo).await
}

/// `POST /matches/{id}/takeback`.
pub async fn takeback(State(app): State<Arc<App>>, asked: Asked) -> Done {
    asked.submit(&app, Wish::Takeback).await
}

/// `GET /matches/{id}/takeback`.
pub async fn open_takeback(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<OpenTakeback>, ApiError> {
    let id = id_of(id);
    viewer_for(&row_of(&app, &id).await?, &caller, None)?;
    let open = look(&app, &id, |room| {
        live(room)?;
        Ok(room.table.as_ref().and_then(Table::takeback))
    });
    Ok(Json(OpenTakeback { takeback: open.await? }))
}

/// Who gives up: whoever asks, and nobody for another.
fn conceding(body: &SystemControl, own: Option<Seat>) -> Result<Seat, ApiError> {
    let own = own.ok_or_else(|| ApiError::forbidden("you do not sit at this table"))?;
    match &body.player {
        Some(player) if Seat::from_name(player) != Some(own) => {
            Err(ApiError::forbidden("you cannot concede for another seat"))
        }
        _ => Ok(own),
    }
}

fn missing(pointer: &str, message: &str) -> ApiError {
    host::Refused::missing_field(pointer, message).into()
}

fn seat_named(name: Option<&String>) -> Result<Seat, ApiError> {
    name.and_then(|it| Seat::from_name(it)).ok_or_else(|| missing("/player", "player is p1, p2, ..."))
}

/// What a verb of `system.control` means, and whether only a moderator may use it.
fn control(room: &Room, body: &SystemControl, own: Option<Seat>) -> Result<(Control, bool), ApiError> {
    Ok(match body.verb {
        Verb::Concede => (Control::Concede(conceding(body, own)?), false),
        Verb::Pause => (Control::Pause, true),
        Verb::Resume => (Control::Resume, true),
        Verb::Void => (Control::Kill, true),
        Verb::Kick => (Control::Kick(seat_named(body.player.as_ref())?), true),
        Verb::Timeout => {
            let (seat, name) = (seat_named(body.player.as_ref())?, body.input_id.as_deref());
            let name = name.ok_or_else(|| missing("/inputId", "inputId is the question whose time is up"))?;
            let input = live(room)?.input_of(seat, name).ok_or(host::script::Rejection::UnknownInput);
            (Control::Timeout(input.map_err(|it| ApiError::from(host::Rejection::Common(it)))?), true)
        }
        Verb::DropItem => {
            let row = if let Some(view::Ref::Event(row)) = body.item { Some(row) } else { None };
            (Control::DropItem(row.ok_or_else(|| missing("/item", "item is a row of the stack: ev12"))?), true)
        }
        Verb::SetResult => {
            let winners = body.winners.as_ref().ok_or_else(|| missing("/winners", "winners is a list of players"))?;
            let seats = winners.iter().map(|it| Seat::from_name(it)).collect::<Option<Vec<_>>>();
            (Control::SetResult(seats.ok_or_else(|| ApiError::malformed("a winner is called p1, p2, ..."))?), true)
        }
    })
}

/// An order of `system.control`.
pub async fn control_order(
    app: &Arc<App>,
    id: &MatchId,
    caller: &Caller,
    body: Map<String, Value>,
) -> Result<Order, ApiError> {
    let sent = stripped(&body);
    let given: SystemControl = submit::plain(body)?;
    let own = seat_of(&row_of(app, id).await?, &caller.0.id);
    if given.verb != Verb::Concede {
        caller.require_moderator()?;
    }
    let (command_id, version) = (check_command_id(given.command_id.clone())?, given.branch_id);
    let read = look(app, id, move |room| {
        let current = room.table.as_ref().and_then(|it| it.live.as_ref()).map(|it| it.version());
        match current.filter(|it| version.is_some_and(|known| known != *it)) {
            Some(current) => Err(host::Rejection::Common(host::script::Rejection::Stale { current }).into()),
            None => control(room, &given, own),
        }
    });
    let (control, needs_moderator) = read.await?;
    let seat = own.filter(|_| !needs_moderator);
    let request = request_hash("Control", seat, &sent);
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
    Body(body): Body<Map<String, Value>>,
) -> Done {
    let id = id_of(id);
    let given = control_order(&app, &id, &caller, with_headers(&headers, body)?).await?;
    Ok(Json(order(&app, &id, given).await?))
}

/// `GET /matches/{id}/audit`.
pub async fn audit(
    State(app): State<Arc<App>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<AuditBody>, ApiError> {
    caller.require_moderator()?;
    let id = id_of(id);
    row_of(&app, &id).await?;
    let entries = app.store.audit(&id).await?;
    let entry = |it: &Audit| AuditEntry {
        account: it.account.0.clone(),
        verb: it.verb.clone(),
        detail: it.detail.clone(),
        at: it.at,
    };
    Ok(Json(AuditBody { audit: entries.iter().map(entry).collect() }))
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
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
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
