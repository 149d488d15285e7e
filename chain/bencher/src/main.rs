//! Measures the benchmarks of a runtime that is given as wasm, and writes weights.
//!
//! `cargo xtask chain-weights` builds such a runtime and calls this.

use clap::Parser as _;
use frame_benchmarking_cli::PalletCmd;
use sp_runtime::traits::BlakeTwo256;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    env_logger::init_from_env(env_logger::Env::default().default_filter_or("info"));
    PalletCmd::parse().run_with_spec::<BlakeTwo256, ()>(None)?;
    Ok(())
}
