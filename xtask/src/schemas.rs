//! The documents of the contract: written from its types, and checked with the tools others use for them.

use std::process::Command;

use anyhow::Result;

use crate::{
    run::{self, cargo},
    tools, workspace,
};

/// Writes the documents into `docs/`.
pub fn write() -> Result<()> {
    run::run(&mut cargo(["run", "--quiet", "-p", "protocol", "--example", "schemas"]))
}

/// Checks the documents as they are kept.
pub fn check() -> Result<()> {
    let folder = workspace::root().join("tools/contract");
    tools::install_node_packages(&folder)?;
    run::run(Command::new("npm").args(["run", "check"]).current_dir(&folder))
}
