//! Refusals, as HTTP and sockets tell them.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use host::{Refused, Rejection};
use protocol::ErrorBody;
use storage::{CommitError, StorageError};

/// A refusal with its HTTP status.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub body: Box<ErrorBody>,
}

impl ApiError {
    /// A refusal in a few words, with a code and a sentence.
    pub fn new(status: StatusCode, error: &str, code: &str, message: impl Into<String>) -> Self {
        Self { status, body: Box::new(ErrorBody::new(error, code, message)) }
    }

    /// The request makes no sense.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "Malformed request", "request/malformed", message)
    }

    /// Whoever asks has not signed in.
    pub fn unauthorized() -> Self {
        let message = "sign in first: send the header Authorization: Bearer <token>";
        Self::new(StatusCode::UNAUTHORIZED, "Not signed in", "auth/required", message)
    }

    /// Whoever asks may not.
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "Forbidden", "auth/forbidden", message)
    }

    /// There is no such thing.
    pub fn not_found(what: &str) -> Self {
        let code = format!("{what}/not_found");
        Self::new(StatusCode::NOT_FOUND, "Not found", &code, format!("there is no such {what}"))
    }

    /// Something else was there first.
    pub fn conflict(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, "Conflict", code, message)
    }

    /// There is too much of something.
    pub fn too_many(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "Too many requests", code, message)
    }

    /// The server cannot do it now.
    pub fn unavailable(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "Not available", code, message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}

impl From<Refused> for ApiError {
    fn from(it: Refused) -> Self {
        let is_malformed = it.code.starts_with("request/");
        let status = match it.conflict {
            Some(_) => StatusCode::CONFLICT,
            None if is_malformed => StatusCode::BAD_REQUEST,
            None => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self { status, body: Box::new(it.into()) }
    }
}

impl From<Rejection> for ApiError {
    fn from(it: Rejection) -> Self {
        Refused::from(it).into()
    }
}

impl From<StorageError> for ApiError {
    fn from(it: StorageError) -> Self {
        tracing::error!(code = it.code(), "{it}");
        Self::unavailable(it.code(), "the store does not answer; nothing was changed, try again later")
    }
}

impl From<CommitError> for ApiError {
    fn from(it: CommitError) -> Self {
        match it {
            CommitError::Storage(error) => error.into(),
            CommitError::Insufficient { .. } => Self::conflict(it.code(), "there are not enough tokens"),
            other => Self::conflict(other.code(), other.to_string()),
        }
    }
}
