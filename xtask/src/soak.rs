//! `cargo xtask soak`: the same tests with many more cases, optimised.

use anyhow::Result;

use crate::{chain, run, tools};

/// The variable that long-running tests look at.
const SOAK: &str = "SNAPSTACK_SOAK";

/// Runs every test in release mode with [`SOAK`] set.
pub fn soak() -> Result<()> {
    let runner = tools::test_runner();
    let args = runner.args().iter().chain(&["--workspace", "--release"]);
    run::run(run::cargo(args).env(SOAK, "1"))?;
    chain::soak()
}
