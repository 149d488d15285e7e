//! Rulesets: what the server has, and what was published.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};
use storage::{AccountId, Hash, Op, RulesetRow};
use utoipa::ToSchema;

use crate::{
    app::App,
    auth::{Body, Caller},
    clock::Clock,
    error::ApiError,
    games::Documents,
};

/// A ruleset to publish.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Publish {
    /// The documents by name, as text; `ruleset` is the one to begin with. They may include `std` and each other.
    pub documents: BTreeMap<String, String>,
}

/// A ruleset.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulesetBody {
    /// The hash of its rules: a match is created with it.
    pub hash: String,
    pub id: String,
    /// How many can play.
    pub seats: [u8; 2],
    /// Whether it is offered by name.
    pub is_offered: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    pub documents: Option<Documents>,
}

fn body(entry: &crate::games::Entry, is_offered: bool) -> RulesetBody {
    let seats = entry.game.seats();
    let (hash, id) = (hex::encode(entry.rules), entry.game.id().to_owned());
    RulesetBody { hash, id, seats: [*seats.start(), *seats.end()], is_offered, documents: None }
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
    Body(given): Body<Publish>,
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
