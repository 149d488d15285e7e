//! On which server somebody plays, and as whom: what `join` and `duel` have in common.

use anyhow::{Result, bail};
use client::Api;
use serde_json::Value;

/// On which server somebody plays, and as whom.
#[derive(clap::Args)]
pub struct Account {
    /// The server.
    #[arg(long, env = "SNAPSTACK_SERVER", default_value = "http://127.0.0.1:4600")]
    server: String,
    /// What others call you, as a new guest.
    #[arg(long, alias = "name", default_value = "guest")]
    nickname: String,
    /// The token of an account, to go on as who you were; a new guest without.
    #[arg(long, env = "SNAPSTACK_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

impl Account {
    /// The server, as nobody in particular.
    pub fn server(&self) -> Api {
        Api::new(&self.server)
    }

    /// The server, as a new guest or as the account of a token that it knows.
    pub async fn sign_in(&self) -> Result<Api> {
        let Some(token) = &self.token else { return Ok(Api::guest(&self.server, &self.nickname).await?) };
        let api = self.server().with_token(token);
        match api.get::<Value>("/accounts/me").await {
            Err(error) if error.code() == "auth/required" => bail!("the server does not know this token"),
            found => found.map(|_| api).map_err(Into::into),
        }
    }
}
