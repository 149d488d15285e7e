//! `snapstack`: everything on the command line.
//!
//! This file declares the commands; each lives in a file of its own under `commands`.

#[macro_use]
mod lines;
mod commands;
mod games;
mod run_stats;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A server makes and drops many small things on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    Serve(Box<commands::serve::Args>),
    Join(commands::join::Args),
    Storage(commands::storage::Args),
    Verify(commands::verify::Args),
    Duel(commands::duel::Args),
    Play(commands::play::Args),
    Check(commands::check::Args),
    Step(commands::step::Args),
    Explain(commands::explain::Args),
    Schema(commands::schema::Args),
    Battle(commands::battle::Args),
    Run(commands::run::Args),
    RunStats(commands::run_stats::Args),
}

/// Errors are for people: the message alone, without where in the program it came from.
fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Check(args) => return commands::check::run(&args),
        Command::Storage(args) => return commands::storage::run(&args),
        Command::Join(args) => commands::join::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Demo(args) => commands::demo::run(&args),
        Command::Serve(args) => commands::serve::run(*args),
        Command::Duel(args) => commands::duel::run(&args),
        Command::Play(args) => commands::play::run(&args),
        Command::Step(args) => commands::step::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Battle(args) => commands::battle::run(&args),
        Command::Run(args) => commands::run::run(&args),
        Command::RunStats(args) => commands::run_stats::run(&args),
    }?;
    Ok(ExitCode::SUCCESS)
}
