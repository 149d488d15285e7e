//! `watch` looks after a chain, `play` plays on it, `lie` shows what happens to liars.

use std::net::SocketAddr;
use std::str::FromStr as _;
use std::time::Duration;

use anyhow::{Context as _, Result};
use auto_battle_watcher::chain::{Account, Chain};
use auto_battle_watcher::metrics::Metrics;
use auto_battle_watcher::player::{Honesty, Player, Skill};
use auto_battle_watcher::watch::Watcher;
use clap::{Parser, Subcommand};
use subxt_signer::SecretUri;
use subxt_signer::sr25519::Keypair;

/// Watches and plays the auto-battler on a chain.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// Where the node listens.
    #[arg(long, global = true, default_value = "ws://127.0.0.1:9944")]
    url: String,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Fight every reported battle again and dispute the lies.
    Watch {
        /// Who disputes: a secret, such as //Alice on a development chain.
        #[arg(long = "as", default_value = "//Eve")]
        secret: String,
        /// Where to tell what was done so far, in the format of Prometheus, such as 127.0.0.1:9620.
        #[arg(long)]
        metrics: Option<SocketAddr>,
    },
    /// Play whole runs.
    Play {
        /// Who plays.
        #[arg(long = "as", default_value = "//Bob")]
        secret: String,
        /// How many runs; without it, on and on.
        #[arg(long)]
        runs: Option<u32>,
        /// How the player decides.
        #[arg(long, value_enum, default_value = "greedy")]
        skill: Skill,
    },
    /// Print the hash of the starter set.
    StarterSet,
    /// Play a run and report every battle as won.
    Lie {
        /// Who lies.
        #[arg(long = "as", default_value = "//Ferdie")]
        secret: String,
    },
}

#[tokio::main]
async fn main() -> Result<()> {
    let args = Args::parse();
    match args.command {
        Command::Watch { secret, metrics } => watch(&args.url, &keys(&secret)?, metrics).await,
        Command::Play { secret, runs, skill } => play(&args.url, keys(&secret)?, runs, skill).await,
        Command::StarterSet => print_starter_set(),
        Command::Lie { secret } => lie(&args.url, keys(&secret)?).await,
    }
}

fn print_starter_set() -> Result<()> {
    let digits = pallet_auto_battle::starter_set_hash().map(|it| format!("{it:02x}"));
    println!("0x{}", digits.concat());
    Ok(())
}

fn keys(secret: &str) -> Result<Keypair> {
    let uri = SecretUri::from_str(secret).with_context(|| format!("no secret: {secret}"))?;
    Keypair::from_uri(&uri).with_context(|| format!("no key from this secret: {secret}"))
}

/// Watches until it is stopped; a node that goes away is waited for.
async fn watch(url: &str, keys: &Keypair, address: Option<SocketAddr>) -> Result<()> {
    println!("watching {url} as {:?}", Account::from(keys));
    let metrics = Metrics::default();
    if let Some(address) = address {
        tokio::spawn(metrics.clone().serve(address));
    }
    loop {
        let ended = match Chain::connect(url).await {
            Ok(chain) => Watcher::new(chain, keys.clone(), metrics.clone()).watch().await,
            Err(error) => Err(error),
        };
        if let Err(error) = ended {
            println!("{error:#}; trying again");
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

async fn play(url: &str, keys: Keypair, runs: Option<u32>, skill: Skill) -> Result<()> {
    let mut player = Player::new(Chain::connect(url).await?, keys, skill, Honesty::Honest);
    let mut n_runs = 0_u32;
    while runs.is_none_or(|it| n_runs < it) {
        match player.play_run(pallet_auto_battle::starter_set_hash()).await? {
            Some(ending) => println!("{:?}: the run ended: {ending:?}", player.account()),
            None => println!("{:?}: somebody else ended the run", player.account()),
        }
        player.claim().await?;
        n_runs = n_runs.saturating_add(1);
    }
    Ok(())
}

async fn lie(url: &str, keys: Keypair) -> Result<()> {
    let mut liar = Player::new(Chain::connect(url).await?, keys, Skill::Idle, Honesty::Liar);
    match liar.play_run(pallet_auto_battle::starter_set_hash()).await? {
        None => println!("{:?} was caught and slashed", liar.account()),
        Some(ending) => println!("{:?} got to the end ({ending:?}); a claim would find the lies", liar.account()),
    }
    Ok(())
}
