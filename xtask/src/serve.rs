//! `cargo xtask serve`: the server, with SQLite in a local file.

use anyhow::{Result, ensure};

use crate::{run, workspace};

/// Builds the command line and starts its server on a fixed port.
pub fn serve() -> Result<()> {
    ensure!(workspace::has_crate("cli"), "there is nothing to serve yet: crates/cli is missing");
    run::run(&mut run::cargo(["run", "--release", "-p", "cli", "--", "serve"]))
}
