//! Who asks, and what he sends.

use std::sync::Arc;

use axum::{
    extract::{FromRequest, FromRequestParts, OptionalFromRequestParts, Request},
    http::{HeaderMap, StatusCode, header::AUTHORIZATION, request::Parts},
};
use serde::de::DeserializeOwned;
use storage::Account;

use crate::{app::App, clock::Clock, error::ApiError, ids};

/// Somebody who has signed in.
#[derive(Clone, Debug)]
pub struct Caller(pub Account);

impl Caller {
    /// Whether he may use the verbs of moderators.
    pub fn is_moderator(&self) -> bool {
        self.0.role == "moderator"
    }

    /// Refuses everybody else.
    pub fn require_moderator(&self) -> Result<(), ApiError> {
        if self.is_moderator() { Ok(()) } else { Err(ApiError::forbidden("only a moderator can do this")) }
    }
}

/// The account a token belongs to.
pub async fn account_of(app: &App, token: &str) -> Result<Account, ApiError> {
    let session = app.store.session(&ids::token_hash(token)).await?;
    let session = session.filter(|it| it.expires_at > Clock::wall()).ok_or_else(ApiError::unauthorized)?;
    let account = app.store.account(&session.account).await?.ok_or_else(ApiError::unauthorized)?;
    app.gate.know(session.token_hash);
    Ok(with_role(app, account))
}

/// Those the operator names are moderators.
pub fn with_role(app: &App, account: Account) -> Account {
    let is_named = account.name.as_ref().is_some_and(|it| app.config.moderators.contains(it));
    let role = if is_named { "moderator".to_owned() } else { account.role };
    Account { role, ..account }
}

/// The token of a request.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

impl FromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let token = bearer(&parts.headers).ok_or_else(ApiError::unauthorized)?;
        account_of(app, token).await.map(Self)
    }
}

impl OptionalFromRequestParts<Arc<App>> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Option<Self>, ApiError> {
        match bearer(&parts.headers) {
            Some(token) => account_of(app, token).await.map(|it| Some(Self(it))),
            None => Ok(None),
        }
    }
}

/// What stands behind the `?` of a request.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let read = axum::extract::Query::<T>::from_request_parts(parts, app).await;
        read.map(|it| Self(it.0)).map_err(|error| ApiError::malformed(error.body_text()))
    }
}

/// The JSON body of a request; an empty one is an empty object.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, ApiError> {
        let bytes = axum::body::Bytes::from_request(request, app).await.map_err(|error| {
            let is_large = error.into_response().status() == StatusCode::PAYLOAD_TOO_LARGE;
            let max = app.config.body_bytes_max;
            if is_large {
                let message = format!("the body is larger than {max} bytes");
                ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "Too large", "limit/body_too_large", message)
            } else {
                ApiError::malformed("the body cannot be read")
            }
        })?;
        let text = if bytes.is_empty() { &b"{}"[..] } else { &bytes };
        let read: serde_json::Value = serde_json::from_slice(text)
            .map_err(|error| ApiError::malformed(format!("the body is no JSON: {error}")))?;
        let fields = protocol::request::fields(read)?;
        Ok(Self(protocol::request::read(fields)?))
    }
}

use axum::response::IntoResponse as _;
