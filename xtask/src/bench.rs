//! `cargo xtask bench`: every program that measures something.
//!
//! The engine is measured by `crates/bench`. Other benchmarks are examples of a crate whose name
//! starts with `bench`, so that they are ordinary code that the tests also build. What is compared
//! with programs of others needs these, too, and lies in the folder `bench`.

use std::fs;
use std::path::Path;

use anyhow::Result;

use crate::{run, tools, workspace};

/// Runs the program that measures the engine.
const ENGINE: [&str; 4] = ["run", "--release", "-p", "bench"];

/// Runs all benchmarks, one after the other.
pub fn bench() -> Result<()> {
    run::run(&mut run::cargo(ENGINE))?;
    for (package, example) in find_benchmarks()? {
        run::run(&mut run::cargo(["run", "--release", "-p", &package, "--example", &example]))?;
    }
    compare_with_boardgame_io()
}

/// Has the bench duel played by boardgame.io, too, if this machine can run it.
fn compare_with_boardgame_io() -> Result<()> {
    if let Some(program) = ["node", "npm"].into_iter().find(|it| tools::is_missing(it)) {
        println!("\nnot compared with boardgame.io: {program} is not installed");
        return Ok(());
    }
    let folder = workspace::root().join("bench/boardgame-io");
    tools::install_node_packages(&folder)?;
    run::run(run::cargo(ENGINE).args(["--", "boardgame"]).arg(folder.join("play.mjs")))
}

/// Finds the benchmarks as (package, example), ordered by name.
fn find_benchmarks() -> Result<Vec<(String, String)>> {
    let mut benchmarks = Vec::new();
    for entry in fs::read_dir(workspace::root().join("crates"))? {
        let folder = entry?.path();
        let package = workspace::file_name(&folder);
        let examples = list_benchmarks(&folder.join("examples"))?;
        benchmarks.extend(examples.into_iter().map(|it| (package.clone(), it)));
    }
    benchmarks.sort();
    Ok(benchmarks)
}

fn list_benchmarks(examples: &Path) -> Result<Vec<String>> {
    if !examples.is_dir() {
        return Ok(Vec::new());
    }
    let paths = fs::read_dir(examples)?.map(|it| Ok(it?.path()));
    let paths = paths.collect::<Result<Vec<_>>>()?;
    // An example is a file, or a folder with a main file.
    let names = paths.iter().filter_map(|it| match it.join("main.rs").is_file() {
        true => Some(workspace::file_name(it)),
        false => workspace::file_name(it).strip_suffix(".rs").map(Into::into),
    });
    Ok(names.filter(|it| it.starts_with("bench")).collect())
}
