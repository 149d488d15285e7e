//! `snapstack join`: plays a match on a server, in the terminal.

use anyhow::{Context, Result};
use client::{Api, ClientError, Seat, pick::Console, terminal};
use serde_json::{Value, json};

use super::play::Terminal;

/// Play on a server: open a table, sit down at one, or go back to it.
#[derive(clap::Args)]
pub struct Args {
    /// The server.
    #[arg(long, env = "SNAPSTACK_SERVER", default_value = "http://127.0.0.1:4600")]
    server: String,
    /// The match to sit down at; a new table without.
    #[arg(long = "match")]
    match_id: Option<String>,
    /// The game of a new table.
    #[arg(long, default_value = "duel")]
    game: String,
    /// Who sits opposite at a new table: open, bot:random, bot:greedy.
    #[arg(long, default_value = "bot:greedy")]
    against: String,
    /// What others call you.
    #[arg(long, default_value = "guest")]
    nickname: String,
    /// The token of an account; a new guest without.
    #[arg(long, env = "SNAPSTACK_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

/// The terminal, for the client library.
struct Screen(Terminal);

impl Console for Screen {
    type Error = ClientError;

    fn show(&mut self, line: &str) {
        self.0.show(line);
    }

    fn ask(&mut self, prompt: &str) -> Result<String, ClientError> {
        self.0.ask(prompt).map_err(|error| ClientError::Unreachable(error.to_string()))
    }
}

/// Plays until the match is over.
pub fn run(args: &Args) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("the machine lets no runtime start")?.block_on(play(args))
}

async fn play(args: &Args) -> Result<()> {
    let api = match &args.token {
        Some(token) => Api::new(&args.server).with_token(token),
        None => Api::guest(&args.server, &args.nickname).await?,
    };
    let id = sit_down(&api, args).await?;
    say!("match {id}; to come back: --match {id} --token {}", api.token().unwrap_or_default());
    while api.get::<Value>(&format!("/matches/{id}")).await?["status"] == "open" {
        say!("waiting for somebody to sit down opposite ...");
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    }
    let mut seat = Seat::take(&api, &id, None).await?;
    let end = terminal::play(&mut seat, &mut Screen(Terminal)).await?;
    say!("{end}");
    Ok(())
}

async fn sit_down(api: &Api, args: &Args) -> Result<String> {
    let Some(id) = &args.match_id else {
        let body = json!({ "game": args.game, "seats": ["me", args.against], "spectators": true });
        let created: Value = api.post("/matches", &body).await?;
        return Ok(created["id"].as_str().context("the server named no match")?.to_owned());
    };
    let found: Value = api.get(&format!("/matches/{id}")).await?;
    if found["yourSeat"].is_null() {
        let _: Value = api.post(&format!("/matches/{id}/join"), &json!({})).await?;
    }
    Ok(id.clone())
}
