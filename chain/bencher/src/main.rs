//! Measures the benchmarks of a runtime in its own wasm, and writes the pallet's weights.
//!
//! `cargo xtask chain-weights` builds such a runtime and calls this. A weight is the least of the times
//! that were measured, and where a call has a component, a line that none of them lies above.
//! `cargo xtask soak` calls it to compare what the pallet declares with what its calls do.

mod declared;
mod line;
mod machine;
mod populate;
mod proof;
mod weights;

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use clap::Parser;

use machine::{Machine, name_of};

/// What to measure and where to write it.
#[derive(Parser)]
struct Args {
    /// The runtime with its benchmarks, as wasm.
    #[arg(long)]
    runtime: PathBuf,

    /// The pallet, as its crate is called.
    #[arg(long, default_value = "pallet_auto_battle")]
    pallet: String,

    /// Where to write the weights; without it they are only shown.
    #[arg(long, conflicts_with = "check")]
    output: Option<PathBuf>,

    /// Measure no time: count what every call reads, writes and proves, and compare it with what the
    /// pallet declares.
    #[arg(long)]
    check: bool,

    /// Measure no time: prove every call in a trie that has so many other entries, and compare the bytes
    /// of the proof with what the pallet declares.
    #[arg(long, conflicts_with_all = ["check", "output"], value_name = "ENTRIES")]
    prove: Option<u32>,

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
    match args.prove {
        Some(n_entries) => prove(&args, &machine, n_entries),
        None if args.check => check(&args, &machine),
        None => measure(&args, &machine),
    }
}

fn measure(args: &Args, machine: &Machine) -> Result<()> {
    let mut measured = Vec::new();
    for benchmark in machine.benchmarks(&args.pallet)? {
        let weight = machine.measure(&args.pallet, &benchmark, args.points, args.repeat)?;
        println!("{weight}");
        measured.push(weight);
    }
    let Some(output) = &args.output else { return Ok(()) };
    std::fs::write(output, weights::write(&measured)).with_context(|| format!("cannot write {}", output.display()))
}

fn check(args: &Args, machine: &Machine) -> Result<()> {
    let mut mistakes = Vec::new();
    let benchmarks = machine.benchmarks(&args.pallet)?;
    for benchmark in &benchmarks {
        let counted = machine.count(&args.pallet, benchmark, args.points)?;
        let values = benchmark.components.first().map_or(0..=0, |&(_, low, high)| low..=high);
        mistakes.extend(declared::compare(&name_of(benchmark), &counted, values));
    }
    ensure!(mistakes.is_empty(), "run `cargo xtask chain-weights`:\n{}", mistakes.join("\n"));
    println!("{} weights declare what their calls read, write and prove", benchmarks.len());
    Ok(())
}

fn prove(args: &Args, machine: &Machine, n_entries: u32) -> Result<()> {
    let state = machine.full_state(n_entries)?;
    let mut mistakes = Vec::new();
    let benchmarks = machine.benchmarks(&args.pallet)?;
    for benchmark in &benchmarks {
        let name = name_of(benchmark);
        // The ends of a component are enough: a proof does not shrink in between.
        for (n, bytes) in machine.prove(&state, &args.pallet, benchmark, 2)? {
            let declared = declared::proof_size(&name, n);
            println!("{name}({n}): {bytes} of {declared} bytes");
            if bytes > declared {
                mistakes.push(format!("{name}({n}): proved {bytes}, declared {declared}"));
            }
        }
    }
    ensure!(mistakes.is_empty(), "proofs are larger than declared:\n{}", mistakes.join("\n"));
    Ok(())
}
