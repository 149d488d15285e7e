//! Who may talk to the server from a web page: one setting governs HTTP and sockets alike.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use protocol::PROTOCOL;

use crate::{app::App, error::ApiError};

/// The headers a page may send.
const ALLOWED: &str = "authorization, content-type, idempotency-key, if-match, snapstack-protocol, accept-language";
/// The headers a page may read.
const EXPOSED: &str = "etag, retry-after";
/// The methods there are.
const METHODS: &str = "GET, POST, PUT, DELETE";

/// The origin of a request, if pages of it may use the server.
pub fn allowed_origin<'h>(app: &App, headers: &'h HeaderMap) -> Option<&'h HeaderValue> {
    let origin = headers.get(header::ORIGIN)?;
    let is_allowed = |it: &String| it == "*" || origin.to_str().is_ok_and(|origin| origin == it);
    app.config.origins.iter().any(is_allowed).then_some(origin)
}

/// Answers what browsers ask before a request, and says on every answer who may read it.
pub async fn answer(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let origin = allowed_origin(&app, request.headers()).cloned();
    let is_preflight =
        request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match check_protocol(request.headers()) {
        _ if is_preflight => StatusCode::NO_CONTENT.into_response(),
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    let Some(origin) = origin else { return response };
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    if is_preflight {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(ALLOWED));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    } else {
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    }
    response
}

/// Refuses a client that speaks another major version of the contract.
fn check_protocol(headers: &HeaderMap) -> Result<(), ApiError> {
    let major = PROTOCOL.split('.').next().unwrap_or_default();
    match headers.get("snapstack-protocol") {
        Some(given) if given.to_str().ok() != Some(major) => {
            let message = format!("this server speaks protocol {PROTOCOL}; send Snapstack-Protocol: {major}");
            Err(host::Refused::new("request/protocol", message).into())
        }
        _ => Ok(()),
    }
}
