//! Refusals, as HTTP and sockets tell them.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use host::Rejection;
use protocol::{ErrorBody, RequestError};
use storage::{CommitError, StorageError};

/// A refusal with its HTTP status.
#[derive(Clone, Debug)]
pub struct ApiError {
    pub status: StatusCode,
    pub body: ErrorBody,
}

impl ApiError {
    /// A refusal in a few words, with a code and a sentence.
    pub fn new(status: StatusCode, error: &str, code: &str, message: impl Into<String>) -> Self {
        Self { status, body: ErrorBody::new(error, code, message) }
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

impl From<RequestError> for ApiError {
    fn from(it: RequestError) -> Self {
        let status = match it {
            RequestError::Malformed(_) | RequestError::UnknownField(_) => StatusCode::BAD_REQUEST,
            RequestError::UnknownAction | RequestError::UnknownName(_) => StatusCode::UNPROCESSABLE_ENTITY,
            RequestError::InvalidManipulation | RequestError::Ambiguous(_) => StatusCode::UNPROCESSABLE_ENTITY,
            RequestError::Rejected(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self { status, body: ErrorBody::from(&it) }
    }
}

impl From<Rejection> for ApiError {
    fn from(it: Rejection) -> Self {
        let conflict = it.conflict();
        let status = if conflict.is_some() { StatusCode::CONFLICT } else { StatusCode::UNPROCESSABLE_ENTITY };
        let body = ErrorBody::new("Invalid action", it.code(), it.to_string()).at_version(conflict);
        Self { status, body }
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
