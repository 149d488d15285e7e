//! `cargo xtask load`: thousands of players against a server in another process.

use anyhow::Result;

use crate::{run, tools};

/// Builds the server and the players, and prints a table.
pub fn load(sockets: u32, seconds: u32) -> Result<()> {
    tools::require_postgres()?;
    run::run(&mut run::cargo(["build", "--release", "-p", "cli"]))?;
    let (sockets, seconds) = (sockets.to_string(), seconds.to_string());
    run::run(&mut run::cargo(["run", "--release", "-p", "cli", "--example", "load", "--", &sockets, &seconds]))
}
