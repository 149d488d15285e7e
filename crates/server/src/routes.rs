//! Every route of the server, in one table: the router, the OpenAPI document and the test of who may do what are all
//! made from it.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Router,
    extract::{ConnectInfo, DefaultBodyLimit, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{MethodRouter, delete, get, post},
};
use storage::{MatchFilter, MatchStatus};
use utoipa::{
    PartialSchema,
    openapi::{RefOr, Schema},
};

use crate::{accounts, app::App, auth::bearer, docs, duel::gateway, error::ApiError, ids, matches, rulesets, socket};

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everybody.
    Anyone,
    /// Whoever has signed in.
    SignedIn,
    /// Whoever sits at the table.
    Player,
    /// Whoever sits at the table, moderators, and all who have signed in where a match lets them watch.
    Viewer,
    /// Those who sat at the table once the match is over, and moderators.
    Replay,
    /// Moderators, and whoever sits alone at an open table.
    Owner,
    /// Players for conceding, moderators for all else.
    Control,
    /// Moderators.
    Moderator,
}

/// A route.
pub struct Route {
    pub method: &'static str,
    pub path: &'static str,
    pub summary: &'static str,
    pub access: Access,
    /// What its body looks like.
    pub body: Option<fn() -> RefOr<Schema>>,
    /// What it answers with when all is well.
    pub success: u16,
    handler: MethodRouter<Arc<App>>,
}

fn route(
    method: &'static str,
    path: &'static str,
    access: Access,
    handler: MethodRouter<Arc<App>>,
    summary: &'static str,
) -> Route {
    Route { method, path, summary, access, body: None, success: 200, handler }
}

impl Route {
    fn body(mut self, body: fn() -> RefOr<Schema>) -> Self {
        self.body = Some(body);
        self
    }

    fn answers(mut self, success: u16) -> Self {
        self.success = success;
        self
    }
}

/// The table.
pub fn table() -> Vec<Route> {
    use Access::{Anyone, Control, Moderator, Owner, Player, Replay, SignedIn, Viewer};
    vec![
        route("GET", "/healthz", Anyone, get(|| async { "ok" }), "Whether the server runs."),
        route("GET", "/readyz", Anyone, get(ready), "Whether the server can read and write its store."),
        route("GET", "/metrics", Anyone, get(metrics), "Numbers for Prometheus."),
        route("GET", "/openapi.json", Anyone, get(docs::openapi_route), "This document."),
        route("GET", "/asyncapi.json", Anyone, get(docs::asyncapi_route), "The messages of /ws."),
        route("POST", "/accounts/guest", Anyone, post(accounts::guest), "Become a guest.")
            .body(accounts::Guest::schema)
            .answers(201),
        route("POST", "/accounts", Anyone, post(accounts::register), "Get an account with a password.")
            .body(accounts::Credentials::schema)
            .answers(201),
        route("GET", "/accounts/me", SignedIn, get(accounts::me), "Your account."),
        route("POST", "/sessions", Anyone, post(accounts::sign_in), "Sign in.")
            .body(accounts::Credentials::schema)
            .answers(201),
        route("DELETE", "/sessions/current", SignedIn, delete(accounts::sign_out), "Sign out.").answers(204),
        route("POST", "/tickets", SignedIn, post(accounts::ticket), "A ticket to open /ws with, once.").answers(201),
        route("GET", "/rulesets", Anyone, get(rulesets::list), "All rulesets."),
        route("POST", "/rulesets", SignedIn, post(rulesets::publish), "Publish a ruleset, if it has no mistakes.")
            .body(rulesets::Publish::schema)
            .answers(201),
        route("GET", "/rulesets/{hash}", Anyone, get(rulesets::get), "A ruleset by its hash, or a game by its name."),
        route("GET", "/matches", Anyone, get(matches::list), "Matches, newest first."),
        route("POST", "/matches", SignedIn, post(matches::create), "Open a table.")
            .body(matches::Create::schema)
            .answers(201),
        route("GET", "/matches/{id}", Anyone, get(matches::get), "A match."),
        route(
            "DELETE",
            "/matches/{id}",
            Owner,
            delete(matches::void),
            "Declare a match void; nothing is written to it any more.",
        ),
        route("POST", "/matches/{id}/join", SignedIn, post(matches::join), "Sit down.").body(matches::Join::schema),
        route(
            "POST",
            "/matches/{id}/leave",
            Player,
            post(matches::leave),
            "Stand up; in a match that has begun, concede.",
        ),
        route("GET", "/matches/{id}/actions", Player, get(matches::actions), "What you can do now."),
        route(
            "POST",
            "/matches/{id}/actions",
            Player,
            post(matches::act),
            "Do something: a semantic action, or a move by hand.",
        )
        .body(docs::action),
        route("GET", "/matches/{id}/inputs", Player, get(matches::inputs), "What you are asked."),
        route("POST", "/matches/{id}/inputs", Player, post(matches::answer), "Answer what you are asked.")
            .body(docs::input),
        route("GET", "/matches/{id}/events", Viewer, get(matches::events), "What happened, as you saw it."),
        route("GET", "/matches/{id}/view", Viewer, get(matches::view), "The table, as you see it."),
        route(
            "GET",
            "/matches/{id}/explain",
            Viewer,
            get(matches::explain),
            "Why things are as they are, and what if.",
        ),
        route(
            "POST",
            "/matches/{id}/undo",
            Player,
            post(matches::undo),
            "Take back your last answer, if that is fair.",
        )
        .body(docs::version),
        route(
            "GET",
            "/matches/{id}/takeback",
            Viewer,
            get(matches::open_takeback),
            "Who asks to go back to which version, if anybody does.",
        ),
        route(
            "POST",
            "/matches/{id}/takeback",
            Player,
            post(matches::takeback),
            "Ask all to go back to a version; agree to it, or refuse.",
        )
        .body(docs::takeback),
        route(
            "POST",
            "/matches/{id}/control",
            Control,
            post(matches::control_match),
            "Concede; or a moderator's verb.",
        )
        .body(docs::control),
        route("GET", "/matches/{id}/audit", Moderator, get(matches::audit), "What moderators did to a match."),
        route("GET", "/matches/{id}/replay", Replay, get(matches::replay), "The log of a match, for snapstack verify."),
        route(
            "GET",
            "/duels/{game}/ws",
            Anyone,
            get(gateway::upgrade),
            "Open a socket to wait for a duel and play it.",
        )
        .answers(101),
        route("GET", "/ws", SignedIn, get(socket::upgrade), "Open a socket.").answers(101),
    ]
}

/// The router of all routes.
pub fn router(app: Arc<App>) -> Router {
    let max = app.config.body_bytes_max;
    let router = table().into_iter().fold(Router::new(), |acc, it| acc.route(it.path, it.handler));
    let router = router.fallback(|| async { ApiError::not_found("route") });
    let wrong_method = || async {
        ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "Wrong method",
            "request/wrong_method",
            "this path has other methods",
        )
    };
    let router = router.method_not_allowed_fallback(wrong_method).layer(DefaultBodyLimit::max(max));
    let router = router.layer(middleware::map_response(in_json));
    router.layer(middleware::from_fn_with_state(app.clone(), limit_requests)).with_state(app)
}

/// What the framework refuses by itself is told as all else is: paths that are no text, for one.
async fn in_json(response: Response) -> Response {
    let is_text = |it: &HeaderValue| it.as_bytes().starts_with(b"text/plain");
    if !response.status().is_client_error() || !response.headers().get(header::CONTENT_TYPE).is_some_and(is_text) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let text = axum::body::to_bytes(body, REFUSAL_MAX).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    ApiError::new(parts.status, "Malformed request", "request/malformed", text).into_response()
}

/// How much of what the framework says is read.
const REFUSAL_MAX: usize = 4 << 10;

/// Refuses who asks too often, before anything is looked up for him.
async fn limit_requests(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let (parts, body) = request.into_parts();
    let sender = app.gate.sender(bearer(&parts.headers).map(ids::token_hash), address.ip());
    if app.gate.request(sender, app.config.requests_per_second_max) {
        return Ok(next.run(Request::from_parts(parts, body)).await);
    }
    Err(ApiError::too_many("limit/too_many_requests", "slow down"))
}

/// Whoever sends players here must know that the server can read what is stored as well as write.
async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, ApiError> {
    app.keep_uptime().await?;
    app.store.matches(&MatchFilter { status: Some(MatchStatus::Live), limit: 1, ..MatchFilter::default() }).await?;
    Ok("ready")
}

async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text())
}
