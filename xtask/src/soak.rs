//! `cargo xtask soak`: the same tests with many more cases, optimised.

use anyhow::Result;
use clap::ValueEnum;

use crate::{chain, run, tools};

/// The variable that long-running tests look at.
const SOAK: &str = "SNAPSTACK_SOAK";

/// A part of the long tests that can be run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Every crate but those of the chain.
    Crates,
    /// The chain: its weights, its parachain, its lints and the long forms of its tests.
    Chain,
}

/// Runs one part of the long tests, or all of them.
pub fn soak(part: Option<Part>) -> Result<()> {
    match part {
        Some(Part::Crates) => soak_crates(),
        Some(Part::Chain) => chain::soak(),
        None => soak_crates().and_then(|()| chain::soak()),
    }
}

/// Runs every test in release mode with [`SOAK`] set.
fn soak_crates() -> Result<()> {
    let runner = tools::test_runner();
    let args = runner.args().iter().chain(&["--workspace", "--release"]);
    run::run(run::cargo(args).env(SOAK, "1"))
}
