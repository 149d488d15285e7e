//! Measures the benchmarks of a runtime in its own wasm, and writes the pallet's weights.
//!
//! `cargo xtask chain-weights` builds such a runtime and calls this. A weight is the least of the times
//! that were measured, and where a call has a component, a line that none of them lies above.

mod line;
mod machine;
mod weights;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Parser;

use machine::Machine;

/// What to measure and where to write it.
#[derive(Parser)]
struct Args {
    /// The runtime with its benchmarks, as wasm.
    #[arg(long)]
    runtime: PathBuf,

    /// The pallet, as its crate is called.
    #[arg(long, default_value = "pallet_auto_battle")]
    pallet: String,

    /// Where to write the weights.
    #[arg(long)]
    output: PathBuf,

    /// How often each point is measured.
    #[arg(long, default_value_t = 11)]
    repeat: u32,

    /// How many points of a component are measured.
    #[arg(long, default_value_t = 6)]
    points: u32,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let machine = Machine::load(&args.runtime)?;
    let mut measured = Vec::new();
    for benchmark in machine.benchmarks(&args.pallet)? {
        let weight = machine.measure(&args.pallet, &benchmark, args.points, args.repeat)?;
        println!("{weight}");
        measured.push(weight);
    }
    let text = weights::write(&measured);
    std::fs::write(&args.output, text).with_context(|| format!("cannot write {}", args.output.display()))
}
