//! `snapstack duel`: waits for another player on a server and plays for tokens, in the terminal.

use client::{Api, duel};

/// Plays duels on a server.
#[derive(clap::Args)]
pub struct Args {
    /// The game, by its name on the server.
    #[arg(default_value = "orcain")]
    game: String,
    /// Where the server is.
    #[arg(long, default_value = "http://127.0.0.1:4600")]
    server: String,
    /// What others call you, as a new guest.
    #[arg(long, default_value = "guest")]
    name: String,
    /// Your token, to go on as who you were.
    #[arg(long, env = "SNAPSTACK_TOKEN")]
    token: Option<String>,
}

/// Plays until the player has had enough.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let api = match &args.token {
            Some(token) => Api::new(&args.server).with_token(token),
            None => Api::guest(&args.server, &args.name).await?,
        };
        say!("your token, to come back with --token: {}", api.token().unwrap_or_default());
        duel::play(&api, &args.game).await?;
        Ok(())
    })
}
