//! `snapstack duel`: waits for another player on a server and plays for tokens, in the terminal.

use anyhow::bail;
use client::duel;

use super::account::Account;

/// Plays duels on a server.
#[derive(clap::Args)]
pub struct Args {
    /// The game, by its name on the server.
    #[arg(default_value = "orcain")]
    game: String,
    #[command(flatten)]
    account: Account,
}

/// Plays until the player has had enough.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        // Nobody becomes a guest for nothing.
        if !duel::is_offered(&args.account.server(), &args.game).await? {
            bail!("the server has no such duel: {}", args.game);
        }
        let api = args.account.sign_in().await?;
        say!("your token, to come back with --token: {}", api.token().unwrap_or_default());
        duel::play(&api, &args.game).await?;
        Ok(())
    })
}
