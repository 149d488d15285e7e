//! `snapstack`: everything on the command line, without a server.
//!
//! This file declares the commands; each lives in a file of its own under `commands`.

mod commands;
mod lines;
mod run_stats;

use clap::{Parser, Subcommand};

/// Card games whose rules are data.
#[derive(Parser)]
#[command(name = "snapstack", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Demo(commands::demo::Args),
    Check(commands::check::Args),
    Schema(commands::schema::Args),
    Battle(commands::battle::Args),
    Run(commands::run::Args),
    RunStats(commands::run_stats::Args),
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().command {
        Command::Demo(args) => commands::demo::run(&args),
        Command::Check(args) => commands::check::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Battle(args) => commands::battle::run(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::RunStats(args) => commands::run_stats::run(&args),
    }
}
