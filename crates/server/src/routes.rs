//! The router: every operation of the contract with what carries it out.

use std::{net::SocketAddr, sync::Arc};

use axum::{
    Router,
    extract::{ConnectInfo, DefaultBodyLimit, Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{MethodRouter, delete, get, post},
};
use protocol::operations;
use storage::{MatchFilter, MatchStatus};

use crate::{
    accounts, app::App, auth::bearer, cors, docs, duel::gateway, error::ApiError, ids, matches, rulesets, socket,
};

pub use protocol::operations::Access;

/// What carries out a route of the contract.
fn handler(method: &str, path: &str) -> Option<MethodRouter<Arc<App>>> {
    Some(match (method, path) {
        ("GET", "/healthz") => get(|| async { "ok" }),
        ("GET", "/readyz") => get(ready),
        ("GET", "/metrics") => get(metrics),
        ("GET", "/protocol") => get(docs::protocol),
        ("GET", "/openapi.json") => get(docs::openapi),
        ("GET", "/asyncapi.json") => get(docs::asyncapi),
        ("GET", "/schemas.json") => get(docs::schemas),
        ("GET", "/types.d.ts") => get(docs::types),
        ("POST", "/accounts/guest") => post(accounts::guest),
        ("POST", "/accounts") => post(accounts::register),
        ("GET", "/accounts/me") => get(accounts::me),
        ("POST", "/sessions") => post(accounts::sign_in),
        ("DELETE", "/sessions/current") => delete(accounts::sign_out),
        ("POST", "/tickets") => post(accounts::ticket),
        ("GET", "/rulesets") => get(rulesets::list),
        ("POST", "/rulesets") => post(rulesets::publish),
        ("GET", "/rulesets/{hash}") => get(rulesets::get),
        ("GET", "/catalogues/{hash}") => get(rulesets::catalogue),
        ("GET", "/matches") => get(matches::list),
        ("POST", "/matches") => post(matches::create),
        ("GET", "/matches/{id}") => get(matches::get),
        ("DELETE", "/matches/{id}") => delete(matches::void),
        ("POST", "/matches/{id}/join") => post(matches::join),
        ("POST", "/matches/{id}/leave") => post(matches::leave),
        ("GET", "/matches/{id}/audit") => get(matches::audit),
        ("GET", "/matches/{id}/replay") => get(matches::replay),
        ("GET", "/matches/{id}/view") => get(matches::view),
        ("GET", "/matches/{id}/events") => get(matches::events),
        ("GET", "/matches/{id}/explain") => get(matches::explain),
        ("GET", "/matches/{id}/actions") => get(matches::actions),
        ("POST", "/matches/{id}/actions") => post(matches::act),
        ("GET", "/matches/{id}/inputs") => get(matches::inputs),
        ("POST", "/matches/{id}/inputs") => post(matches::answer),
        ("POST", "/matches/{id}/choices") => post(matches::choices),
        ("POST", "/matches/{id}/undo") => post(matches::undo),
        ("GET", "/matches/{id}/takeback") => get(matches::open_takeback),
        ("POST", "/matches/{id}/takeback") => post(matches::takeback),
        ("POST", "/matches/{id}/control") => post(matches::control_match),
        ("GET", "/duels/{game}/ws") => get(gateway::upgrade),
        ("GET", "/ws") => get(socket::upgrade),
        _ => return None,
    })
}

/// The router of all routes.
pub fn router(app: Arc<App>) -> Router {
    let max = app.config.body_bytes_max;
    let handled = operations::all().into_iter().map(|it| {
        let handler =
            handler(it.method, it.path).expect("every operation has a handler: the router is built in every test; qed");
        (it.path, handler)
    });
    let router = handled.fold(Router::new(), |acc, it| acc.route(it.0, it.1));
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
    let router = router.layer(middleware::from_fn_with_state(app.clone(), limit_requests));
    router.layer(middleware::from_fn_with_state(app.clone(), cors::answer)).with_state(app)
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
