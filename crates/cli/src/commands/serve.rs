//! `snapstack serve`: hosts matches over HTTP and WebSocket.

use anyhow::{Context, Result};
use host::Game;
use server::{Config, Server};
use tracing_subscriber::EnvFilter;

use crate::games;

/// Host matches over HTTP and WebSocket.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    config: Config,
}

/// Runs until the process is told to end.
pub fn run(args: Args) -> Result<()> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    // A file of settings is read below the flags, so the flags are read again with it.
    let config = match args.config.config {
        Some(_) => Config::read(std::env::args_os().skip(1))?,
        None => args.config,
    };
    let runtime = tokio::runtime::Runtime::new().context("the machine lets no runtime start")?;
    runtime.block_on(serve(config))
}

async fn serve(config: Config) -> Result<()> {
    let scripts = games::scripts().into_iter().map(Game::Script).collect();
    let server = Server::start(config, scripts).await?;
    say!("listening on http://{}", server.address);
    say!("  store: {}", server.app.store.describe());
    let games: Vec<String> = server.app.games.offered().iter().map(|it| it.game.id().to_owned()).collect();
    say!("  games: {}", games.join(", "));
    say!("  the API is described at http://{}/openapi.json; stop with Ctrl-C", server.address);
    server.run_until_told().await;
    say!("stopped; everything is stored");
    Ok(())
}
