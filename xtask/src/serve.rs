//! `cargo xtask serve`: the demo.

use anyhow::{Result, ensure};

use crate::{run, workspace};

/// Builds the command line and starts its demo.
pub fn serve() -> Result<()> {
    ensure!(
        workspace::has_crate("cli"),
        "there is nothing to serve yet: crates/cli is missing"
    );
    run::run(&mut run::cargo([
        "run",
        "--release",
        "-p",
        "cli",
        "--",
        "demo",
    ]))
}
