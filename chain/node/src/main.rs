//! A development node: one process that seals blocks by itself, for tests and for trying things.
//!
//! It knows no rules: it runs whatever runtime it is given as a file. Production chains have a node
//! of their own, or run `polkadot-omni-node`.

// The errors of a node's parts are large; they are made once, when it does not start.
#![allow(clippy::result_large_err)]

mod cli;
mod rpc;
mod service;

use clap::Parser as _;

use cli::Cli;

fn main() -> sc_cli::Result<()> {
    cli::run(Cli::parse())
}
