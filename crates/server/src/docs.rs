//! The documents of the contract, as they are served.

use std::sync::{Arc, LazyLock};

use axum::{Json, extract::State, http::header, response::IntoResponse};
use protocol::{
    PROTOCOL,
    bodies::{Limits, ProtocolBody},
    documents,
};

use crate::{app::App, config::Config};

/// The documents, made once.
static DOCUMENTS: LazyLock<[(&str, String); 4]> = LazyLock::new(documents::all);

fn document(name: &str) -> impl IntoResponse + use<> {
    let text = DOCUMENTS.iter().find(|it| it.0 == name).map_or("", |it| it.1.as_str());
    let kind = if name.ends_with(".json") { "application/json" } else { "text/plain; charset=utf-8" };
    ([(header::CONTENT_TYPE, kind)], text)
}

/// `GET /openapi.json`.
pub async fn openapi() -> impl IntoResponse {
    document("openapi.json")
}

/// `GET /asyncapi.json`.
pub async fn asyncapi() -> impl IntoResponse {
    document("asyncapi.json")
}

/// `GET /schemas.json`.
pub async fn schemas() -> impl IntoResponse {
    document("schemas.json")
}

/// `GET /types.d.ts`.
pub async fn types() -> impl IntoResponse {
    document("types.d.ts")
}

/// What one client may do.
pub fn limits(config: &Config) -> Limits {
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    Limits {
        frame_bytes: number(config.frame_bytes_max),
        body_bytes: number(config.body_bytes_max),
        messages_per_second: config.messages_per_second_max,
        requests_per_second: config.requests_per_second_max,
        page_choices: number(host::PAGE_MAX),
        metadata_bytes: number(protocol::submit::METADATA_BYTES_MAX),
        sockets_per_account: config.sockets_per_account_max,
        tickets_per_account: config.tickets_per_account_max,
        matches_per_account: config.matches_per_account_max,
    }
}

/// `GET /protocol`.
pub async fn protocol(State(app): State<Arc<App>>) -> Json<ProtocolBody> {
    let (protocol, schema_hash) = (PROTOCOL.to_owned(), documents::schema_hash().to_owned());
    Json(ProtocolBody { protocol, schema_hash, limits: limits(&app.config) })
}
