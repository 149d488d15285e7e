//! `snapstack join`: plays a match on a server, in the terminal.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use anyhow::{Context, Result};
use client::{
    Api, Seat,
    terminal::{self, End, Screen},
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::account::Account;
use crate::lines::typed_line;

/// Play on a server: open a table, sit down at one, or go back to it.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    account: Account,
    /// The match to sit down at; a new table without.
    #[arg(long = "match")]
    match_id: Option<String>,
    /// The game of a new table.
    #[arg(long, default_value = "duel")]
    game: String,
    /// Who sits opposite at a new table: open, bot:random, bot:greedy.
    #[arg(long, default_value = "bot:greedy")]
    against: String,
}

/// The terminal, for the client library.
#[derive(Default)]
struct Output {
    /// Whether the line that waits for the player is not ended yet.
    is_prompted: AtomicBool,
}

impl Output {
    /// What happens while he thinks does not go behind what he is asked.
    fn gap(&self, is_prompted: bool) -> &'static str {
        if self.is_prompted.swap(is_prompted, Ordering::Relaxed) { "\n" } else { "" }
    }
}

impl Screen for Output {
    fn show(&self, line: &str) {
        say!("{}{line}", self.gap(false));
    }

    fn prompt(&self, text: &str) {
        say_part!("{}{text}", self.gap(true));
    }
}

/// The lines a player types. A thread of its own reads them: it waits for a line even while the match is over.
fn typed(output: Arc<Output>) -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel(16);
    std::thread::spawn(move || {
        while let Ok(Some(line)) = typed_line() {
            output.is_prompted.store(false, Ordering::Relaxed);
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Plays until the match is over.
pub fn run(args: &Args) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("the machine lets no runtime start")?.block_on(play(args))
}

async fn play(args: &Args) -> Result<()> {
    let api = args.account.sign_in().await?;
    let id = sit_down(&api, args).await?;
    let way_back = format!("--match {id} --token {}", api.token().unwrap_or_default());
    say!("match {id}; to come back: {way_back}");
    let mut is_told = false;
    while api.get::<Value>(&format!("/matches/{id}")).await?["status"] == "open" {
        if !std::mem::replace(&mut is_told, true) {
            say!("waiting for somebody to sit down opposite, with: snapstack join --match {id}");
        }
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
    let mut seat = Seat::take(&api, &id, None).await?;
    introduce(&api, &id).await?;
    let output = Arc::new(Output::default());
    let screen: Arc<dyn Screen> = output.clone();
    match terminal::play(&mut seat, &mut typed(output), &screen).await? {
        End::Over(end) => screen.show(&end),
        End::Left => screen.show(&format!("the match goes on without you; to come back: {way_back}")),
    }
    Ok(())
}

/// Says who sits where.
async fn introduce(api: &Api, id: &str) -> Result<()> {
    let found: Value = api.get(&format!("/matches/{id}")).await?;
    for seat in found["seats"].as_array().into_iter().flatten() {
        let you = if seat["seat"] == found["yourSeat"] { " (you)" } else { "" };
        say!("{} is {}{you}", seat["seat"].as_str().unwrap_or_default(), seat["nickname"].as_str().unwrap_or_default());
    }
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
