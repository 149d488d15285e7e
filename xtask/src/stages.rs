//! `cargo xtask test`: everything that must hold, stage by stage, cheapest first.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::run::{self, cargo};
use crate::{chain, schemas, tools, wasm, workspace};

/// A part of the whole that can be run alone.
struct Stage {
    name: &'static str,
    purpose: &'static str,
    /// What to type when it fails.
    advice: &'static str,
    run: fn() -> Result<()>,
}

const STAGES: [Stage; 13] = [
    Stage {
        name: "tools",
        purpose: "have every program the other stages need",
        advice: "install what the message names, then run cargo xtask test again",
        run: tools::install_missing,
    },
    Stage {
        name: "fmt",
        purpose: "one format for all code",
        advice: "run cargo fmt --all",
        run: || run::run(&mut cargo(["fmt", "--all", "--check"])),
    },
    Stage {
        name: "clippy",
        purpose: "no warnings anywhere",
        advice: "fix what clippy names; cargo xtask test clippy runs this stage alone",
        run: check_clippy,
    },
    Stage {
        name: "strict",
        purpose: "no panics, floats or std in the crates that run on a chain",
        advice: "return an error instead; cargo xtask test strict runs this stage alone",
        run: check_strict,
    },
    Stage {
        name: "doc",
        purpose: "documentation without broken links",
        advice: "fix what rustdoc names; cargo xtask test doc runs this stage alone",
        run: check_doc,
    },
    Stage {
        name: "doctest",
        purpose: "the examples in the documentation",
        advice: "cargo test --doc -p <crate> runs the examples of one crate",
        run: || run::run(&mut cargo(["test", "--doc", "--workspace"])),
    },
    Stage {
        name: "test",
        purpose: "all tests, with those on the shape of the repository",
        advice: "run the failing test alone: cargo nextest run <part of its name>",
        run: run_tests,
    },
    Stage {
        name: "contract",
        purpose: "the documents of the contract hold up to Redocly, Spectral and the AsyncAPI parser",
        advice: "cargo xtask schemas writes the documents; npm run check in tools/contract checks them",
        run: schemas::check,
    },
    Stage {
        name: "leaks",
        purpose: "the twin worlds notice every planted leak",
        advice: "cargo nextest run -p testkit --features planted-leaks --test leaks says which was not noticed",
        run: find_leaks,
    },
    Stage {
        name: "loss",
        purpose: "the kills notice a server that answers before it stores",
        advice: "cargo nextest run -p cli --features planted-loss --test kill must find what it lost",
        run: find_loss,
    },
    Stage {
        name: "wasm",
        purpose: "the no_std crates build for wasm32",
        advice: "cargo xtask wasm runs this stage alone",
        run: wasm::build_no_std_crates,
    },
    Stage {
        name: "vectors",
        purpose: "the golden battles, games and logs come out equal in a wasm machine",
        advice: "cargo run --example vectors and --example golden play them without one",
        run: wasm::run_vectors,
    },
    Stage {
        name: "chain",
        purpose: "the chain: pallet, runtime, node, watcher and web client, end to end",
        advice: "cargo xtask test chain runs this stage alone; in chain/, cargo nextest run <part of a name>",
        run: chain::test,
    },
];

/// What the crates that run on a chain must not contain, beyond the workspace's lints.
const STRICT_LINTS: [&str; 13] = [
    "clippy::alloc_instead_of_core",
    "clippy::exit",
    "clippy::expect_used",
    "clippy::float_arithmetic",
    "clippy::indexing_slicing",
    "clippy::panic",
    "clippy::print_stdout",
    "clippy::std_instead_of_alloc",
    "clippy::std_instead_of_core",
    "clippy::string_slice",
    "clippy::todo",
    "clippy::unreachable",
    "clippy::unwrap_used",
];

/// Names the stages.
pub fn list() -> Result<()> {
    for stage in &STAGES {
        println!("{:8} {}", stage.name, stage.purpose);
    }
    Ok(())
}

/// Runs one stage or all of them, and stops at the first that fails.
pub fn run(only: Option<&str>) -> Result<()> {
    let chosen: Vec<&Stage> = STAGES.iter().filter(|it| only.is_none_or(|name| name == it.name)).collect();
    if chosen.is_empty() {
        let names = STAGES.each_ref().map(|it| it.name).join(", ");
        bail!("no such stage; there are: {names}");
    }
    let mut times = Vec::new();
    for (number, stage) in (1..).zip(&chosen) {
        eprintln!("[{number}/{}] {}: {}", chosen.len(), stage.name, stage.purpose);
        let start = Instant::now();
        let result = (stage.run)();
        times.push((stage.name, start.elapsed()));
        if result.is_err() {
            print_summary(&times, "FAILED");
            eprintln!("what to do: {}", stage.advice);
        }
        result.with_context(|| format!("stage {}", stage.name))?;
    }
    print_summary(&times, "ok");
    Ok(())
}

/// Prints how long each stage took; all but the last have passed.
fn print_summary(times: &[(&str, Duration)], last: &str) {
    let n_passed = times.len().saturating_sub(1);
    let verdicts = std::iter::repeat_n("ok", n_passed).chain([last]);
    for ((name, time), verdict) in times.iter().zip(verdicts) {
        eprintln!("{name:8} {:7.1} s  {verdict}", time.as_secs_f64());
    }
    let total: Duration = times.iter().map(|(_, time)| *time).sum();
    eprintln!("{:8} {:7.1} s  {last}", "total", total.as_secs_f64());
}

fn check_clippy() -> Result<()> {
    run::run(&mut cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn find_loss() -> Result<()> {
    let runner = tools::test_runner().args();
    let planted = ["-p", "cli", "--features", "planted-loss", "--test", "kill"];
    run::run(&mut cargo(runner.iter().filter(|it| **it != "--all-targets").chain(&planted)))
}

fn check_strict() -> Result<()> {
    let packages = workspace::no_std_crates();
    let packages = packages.iter().flat_map(|it| ["-p", it]);
    let lints = STRICT_LINTS.iter().flat_map(|it| ["-D", it]);
    let mut command = cargo(["clippy", "--lib", "--all-features"]);
    run::run(command.args(packages).args(["--", "-D", "warnings"]).args(lints))
}

fn check_doc() -> Result<()> {
    let mut command = cargo(["doc", "--workspace", "--no-deps"]);
    run::run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Built apart, so that no other test ever runs an engine that tells secrets.
fn find_leaks() -> Result<()> {
    let runner = tools::test_runner();
    run::run(cargo(runner.args()).args(["-p", "testkit", "--features", "planted-leaks", "--test", "leaks"]))
}

fn run_tests() -> Result<()> {
    let runner = tools::test_runner();
    run::run(cargo(runner.args()).arg("--workspace"))
}
