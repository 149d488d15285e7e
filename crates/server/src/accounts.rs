//! Accounts: guests, passwords, sessions that can be ended.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use argon2::{Argon2, PasswordHasher as _, PasswordVerifier as _, password_hash::phc::PasswordHash};
use axum::{
    Json,
    extract::{ConnectInfo, State},
    http::{HeaderMap, StatusCode},
};
use protocol::bodies::{AccountBody, CredentialsBody, GuestBody, SignedIn, TicketBody};
use storage::{Account, AccountId, CommitError, Entry, Op, Session, money};

use crate::{
    app::App,
    auth::{Body, Caller, bearer},
    clock::Clock,
    config::Config,
    error::ApiError,
    ids, nickname,
    tickets::Holder,
};

fn signed_in(token: String, it: AccountBody) -> SignedIn {
    let AccountBody { account_id, nickname, name, role, tokens } = it;
    SignedIn { token, account_id, nickname, name, role, tokens }
}

const NAME_LENGTHS: std::ops::RangeInclusive<usize> = 3..=32;
const PASSWORD_LENGTHS: std::ops::RangeInclusive<usize> = 8..=128;

fn invalid(code: &str, message: &str) -> ApiError {
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "Invalid account", code, message)
}

/// A nickname that others can see, and that breaks no screen.
fn nickname_of(given: Option<&str>, otherwise: &str) -> Result<String, ApiError> {
    let given = given.filter(|it| !it.is_empty()).unwrap_or(otherwise);
    if nickname::is_fine(given) {
        Ok(given.to_owned())
    } else {
        Err(invalid("account/bad_nickname", nickname::ALLOWED))
    }
}

fn check_credentials(it: &CredentialsBody) -> Result<(), ApiError> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_.".contains(it);
    if !NAME_LENGTHS.contains(&it.name.len()) || !it.name.chars().all(is_plain) {
        return Err(invalid("account/bad_name", "a name has 3 to 32 letters, digits or -_."));
    }
    if !PASSWORD_LENGTHS.contains(&it.password.len()) {
        return Err(invalid("account/bad_password", "a password has 8 to 128 bytes"));
    }
    Ok(())
}

fn check_rate(app: &App, address: SocketAddr) -> Result<(), ApiError> {
    let is_fine = app.gate.sign_up(address.ip(), app.config.accounts_per_minute_max);
    if is_fine {
        Ok(())
    } else {
        Err(ApiError::too_many("limit/accounts", "too many accounts from this address; wait a minute"))
    }
}

/// Runs something slow about passwords on a thread of its own, a few at a time.
async fn slowly<T: Send + 'static>(app: &App, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
    let _permit = app.passwords.acquire().await;
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| ApiError::unavailable("server/failed", "the password could not be checked; try again"))
}

/// How many tokens a new account begins with. Accounts cost nothing, so whoever makes many and loses to himself would
/// have as many tokens as he likes, if only the first few of an address did not get some.
fn gift(app: &App, account: &Account, address: SocketAddr) -> u32 {
    let Config { guest_tokens, welcome_tokens, welcomes_per_day_max, .. } = app.config;
    let tokens = guest_tokens.filter(|_| account.password.is_none()).unwrap_or(welcome_tokens);
    let is_given = tokens > 0 && app.gate.welcome(address.ip(), welcomes_per_day_max);
    if is_given { tokens } else { 0 }
}

/// The operations that make an account, with its welcome gift.
fn create(account: &Account, gift: u32) -> Vec<Op> {
    let mut ops = vec![Op::CreateAccount(account.clone())];
    if gift > 0 {
        let (mint, at) = (AccountId(money::MINT.to_owned()), account.created_at);
        let id = format!("welcome/{}", account.id);
        ops.push(Op::Post(Entry::transfer(&id, "welcome", &mint, &account.id, gift.into(), at)));
    }
    ops
}

fn session(app: &App, account: &AccountId) -> (String, Op) {
    let (token, now) = (ids::token(), Clock::wall());
    let expires_at = now + i64::from(app.config.session_hours) * 3_600_000;
    let session =
        Session { token_hash: ids::token_hash(&token), account: account.clone(), created_at: now, expires_at };
    (token, Op::PutSession(session))
}

async fn body(app: &App, account: Account) -> Result<AccountBody, ApiError> {
    let tokens = app.store.balance(&account.id).await?;
    let Account { id, name, nickname, role, .. } = crate::auth::with_role(app, account);
    Ok(AccountBody { account_id: id.0, nickname, name, role, tokens })
}

async fn sign_up(app: &App, account: Account, address: SocketAddr) -> Result<(StatusCode, Json<SignedIn>), ApiError> {
    let (token, session) = session(app, &account.id);
    let mut ops = create(&account, gift(app, &account, address));
    ops.push(session);
    match app.store.commit(ops).await {
        Err(CommitError::Exists(_)) => return Err(ApiError::conflict("account/name_taken", "the name is taken")),
        other => other?,
    }
    Ok((StatusCode::CREATED, Json(signed_in(token, body(app, account).await?))))
}

/// `POST /accounts/guest`.
pub async fn guest(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Body(guest): Body<GuestBody>,
) -> Result<(StatusCode, Json<SignedIn>), ApiError> {
    check_rate(&app, address)?;
    let id = ids::account_id();
    let nickname = nickname_of(guest.nickname.as_deref(), &format!("guest-{}", &id.0[2..8]))?;
    let (role, created_at) = ("player".to_owned(), Clock::wall());
    sign_up(&app, Account { id, name: None, nickname, password: None, role, created_at }, address).await
}

/// `POST /accounts`.
pub async fn register(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Body(given): Body<CredentialsBody>,
) -> Result<(StatusCode, Json<SignedIn>), ApiError> {
    check_rate(&app, address)?;
    check_credentials(&given)?;
    let nickname = nickname_of(given.nickname.as_deref(), &given.name)?;
    let CredentialsBody { name, password, .. } = given;
    let hash = slowly(&app, move || Argon2::default().hash_password(password.as_bytes()).map(|it| it.to_string()));
    let hash = hash.await?.map_err(|_| invalid("account/bad_password", "the password cannot be used"))?;
    let (role, created_at) = ("player".to_owned(), Clock::wall());
    let (id, name, password) = (ids::account_id(), Some(name), Some(hash));
    sign_up(&app, Account { id, name, nickname, password, role, created_at }, address).await
}

/// `POST /sessions`.
pub async fn sign_in(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Body(given): Body<CredentialsBody>,
) -> Result<(StatusCode, Json<SignedIn>), ApiError> {
    check_rate(&app, address)?;
    let account = app.store.account_by_name(&given.name).await?;
    let kept = account.as_ref().and_then(|it| it.password.clone());
    let is_right = slowly(&app, move || verify(kept.as_deref(), &given.password)).await?;
    let Some(account) = account.filter(|_| is_right) else {
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "Not signed in",
            "auth/wrong",
            "name or password is wrong",
        ));
    };
    let (token, session) = session(&app, &account.id);
    app.store.commit(vec![session]).await?;
    Ok((StatusCode::CREATED, Json(signed_in(token, body(&app, account).await?))))
}

/// Whether a password is right. Takes as long for a name nobody has, so that names cannot be found out.
fn verify(kept: Option<&str>, password: &str) -> bool {
    let Some(hash) = kept.and_then(|it| PasswordHash::new(it).ok()) else {
        let _ = Argon2::default().hash_password(password.as_bytes());
        return false;
    };
    Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
}

/// `DELETE /sessions/current`.
pub async fn sign_out(State(app): State<Arc<App>>, _: Caller, headers: HeaderMap) -> Result<StatusCode, ApiError> {
    let token = ids::token_hash(bearer(&headers).ok_or_else(ApiError::unauthorized)?);
    app.store.commit(vec![Op::DeleteSession(token)]).await?;
    app.sessions.end(&token);
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /accounts/me`.
pub async fn me(State(app): State<Arc<App>>, Caller(account): Caller) -> Result<Json<AccountBody>, ApiError> {
    Ok(Json(body(&app, account).await?))
}

/// `POST /tickets`.
pub async fn ticket(
    State(app): State<Arc<App>>,
    Caller(account): Caller,
    headers: HeaderMap,
) -> Result<(StatusCode, Json<TicketBody>), ApiError> {
    let (seconds, max) = (app.config.ticket_seconds, app.config.tickets_per_account_max);
    let token = ids::token_hash(bearer(&headers).ok_or_else(ApiError::unauthorized)?);
    let holder = Holder { account: account.id, token };
    let ticket = app.tickets.issue(holder, Duration::from_secs(seconds), max);
    let ticket = ticket.ok_or_else(|| ApiError::too_many("limit/tickets", "use the tickets you have first"))?;
    Ok((StatusCode::CREATED, Json(TicketBody { ticket, expires_in_seconds: seconds })))
}
