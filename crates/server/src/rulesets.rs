//! Rulesets: what the server has, and what was published.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use protocol::bodies::{PublishBody, RulesetBody};
use storage::{AccountId, Hash, Op, RulesetRow};

use crate::{
    app::App,
    auth::{Body, Caller},
    clock::Clock,
    error::ApiError,
};

fn body(entry: &crate::games::Entry, is_offered: bool) -> RulesetBody {
    let seats = entry.game.seats();
    let (hash, id) = (hex::encode(entry.rules), entry.game.id().to_owned());
    let (name, catalogue_hash) = (entry.name.clone(), entry.catalogue_hash.clone());
    RulesetBody { hash, id, name, catalogue_hash, seats: [*seats.start(), *seats.end()], is_offered, documents: None }
}

/// `GET /rulesets`.
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<RulesetBody>>, ApiError> {
    let offered = app.games.offered();
    let published = app.store.rulesets().await?;
    let mut bodies: Vec<RulesetBody> = offered.iter().map(|it| body(it, true)).collect();
    let more = published.iter().filter_map(|it| app.games.by_rules(&it.hash)).map(|it| body(&it, false));
    bodies.extend(more);
    Ok(Json(bodies))
}

/// `GET /rulesets/{hash}`.
pub async fn get(State(app): State<Arc<App>>, Path(hash): Path<String>) -> Result<Json<RulesetBody>, ApiError> {
    let entry = app.games.find(&hash).ok_or_else(|| ApiError::not_found("ruleset"))?;
    let row = app.store.ruleset(&entry.rules).await?;
    let is_offered = row.is_none();
    let documents = row.and_then(|it| serde_json::from_slice(&it.bytes).ok());
    Ok(Json(RulesetBody { documents, ..body(&entry, is_offered) }))
}

/// `GET /catalogues/{hash}`.
pub async fn catalogue(State(app): State<Arc<App>>, Path(hash): Path<String>) -> Result<Response, ApiError> {
    let text = app.games.catalogue(&hash).ok_or_else(|| ApiError::not_found("catalogue"))?;
    let forever = "public, max-age=31536000, immutable";
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CACHE_CONTROL, forever.to_owned()),
        (header::ETAG, format!("\"{hash}\"")),
    ];
    Ok((headers, text.to_string()).into_response())
}

async fn check_quota(app: &App, publisher: &AccountId) -> Result<(), ApiError> {
    let max = app.config.rulesets_per_account_max;
    let n_published = app.store.rulesets().await?.iter().filter(|it| it.publisher == *publisher).count();
    if n_published < usize::try_from(max).unwrap_or(usize::MAX) {
        return Ok(());
    }
    Err(ApiError::too_many("limit/rulesets", format!("an account publishes at most {max} rulesets")))
}

/// `POST /rulesets`.
pub async fn publish(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    Body(given): Body<PublishBody>,
) -> Result<(StatusCode, Json<RulesetBody>), ApiError> {
    let documents = Arc::new(given.documents);
    let compiled = {
        let (app, documents) = (app.clone(), documents.clone());
        tokio::task::spawn_blocking(move || app.games.compile(&documents)).await
    };
    let compiled = compiled.map_err(|_| ApiError::unavailable("server/failed", "the ruleset could not be checked"))?;
    let game = compiled.map_err(|mistakes| {
        let message = compiler::render(&mistakes);
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "Invalid ruleset", "ruleset/invalid", message)
    })?;
    let hash: Hash = game.rules_hash();
    if let Some(known) = app.games.by_rules(&hash) {
        return Ok((StatusCode::OK, Json(body(&known, false))));
    }
    check_quota(&app, &account.id).await?;
    let bytes = serde_json::to_vec(&*documents).map_err(|error| ApiError::malformed(error.to_string()))?;
    let (name, version) = (game.id().to_owned(), String::new());
    let row = RulesetRow { hash, name, version, publisher: account.id, bytes, at: Clock::wall() };
    app.store.commit(vec![Op::PutRuleset(row)]).await?;
    Ok((StatusCode::CREATED, Json(body(&app.games.keep(game), false))))
}
