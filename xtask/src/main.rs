//! The project's chores: `cargo xtask serve`, `cargo xtask test`, and what they are made of.
//!
//! Only a small program may stand here: it is built before anything else can run.

mod bench;
mod chain;
mod load;
mod run;
mod running;
mod schemas;
mod serve;
mod soak;
mod stages;
mod tools;
mod wasm;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The chores of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Chores {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Start the server, with SQLite in a local file.
    Serve,
    /// Check and test everything, or one stage of it.
    Test {
        /// The stage to run alone; all of them without it.
        stage: Option<String>,
        /// Only name the stages.
        #[arg(long)]
        list: bool,
    },
    /// Write the documents of the contract: JSON Schema, OpenAPI, AsyncAPI, TypeScript.
    Schemas,
    /// Build the no_std crates for wasm32.
    Wasm,
    /// Run the tests in release mode with many more cases.
    Soak {
        /// The part to run alone; all of them without it.
        part: Option<soak::Part>,
    },
    /// Run the benchmarks.
    Bench,
    /// Let thousands of players loose on a server, with SQLite and with Postgres.
    Load {
        /// How many sockets.
        #[arg(long, default_value_t = 5000)]
        sockets: u32,
        /// How many seconds each part is measured.
        #[arg(long, default_value_t = 30)]
        seconds: u32,
    },
    /// Start a development chain with a watcher and a bot.
    Chain,
    /// Build the runtime of the chain.
    ChainRuntime,
    /// Build the runtime of the parachain and write a chain spec for it.
    ChainSpec,
    /// Measure the calls of the chain and write their weights.
    ChainWeights,
}

fn main() -> ExitCode {
    match run(Chores::parse().chore) {
        Ok(()) => ExitCode::SUCCESS,
        // The causes say what to do; where in this program they arose helps nobody.
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<()> {
    match chore {
        Chore::Serve => serve::serve(),
        Chore::Test { list: true, .. } => stages::list(),
        Chore::Test { stage, .. } => stages::run(stage.as_deref()),
        Chore::Schemas => schemas::write(),
        Chore::Wasm => wasm::build_no_std_crates(),
        Chore::Soak { part } => soak::soak(part),
        Chore::Bench => bench::bench(),
        Chore::Load { sockets, seconds } => load::load(sockets, seconds),
        Chore::Chain => chain::start(),
        Chore::ChainRuntime => chain::build_runtime(&[]).map(|it| println!("{}", it.display())),
        Chore::ChainSpec => chain::write_chain_spec(),
        Chore::ChainWeights => chain::write_weights(),
    }
}
