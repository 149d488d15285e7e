//! The chain: a workspace of its own with a runtime in wasm, a node, a watcher and a web client.
//!
//! `cargo xtask chain` starts all of it; the stage `chain` of `cargo xtask test` checks all of it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::run::{self, cargo, succeeds};
use crate::{tools, wasm, workspace};

/// What building and testing the chain needs, and the package of Debian that has it.
const PROGRAMS: [(&str, &str); 4] =
    [("protoc", "protobuf-compiler"), ("clang", "clang"), ("node", "nodejs"), ("npm", "npm")];

/// Where the development chain listens.
const URL: &str = "ws://127.0.0.1:9944";

/// Milliseconds between two blocks of the development chain.
const BLOCK_TIME: &str = "1000";

/// What a runtime's blob must export and import beside what rustc does by itself.
const RUNTIME_FLAGS: &str =
    "-C link-arg=--export-table -C link-arg=--import-memory -C link-arg=--export=__heap_base --cfg substrate_runtime";

/// Checks everything about the chain but its lints.
pub fn test() -> Result<()> {
    install_missing()?;
    run::run(&mut chain_cargo(["fmt", "--all", "--check"]))?;
    build_runtime(&[])?;
    install_web_client()?;
    let runner = tools::test_runner();
    run::run(chain_cargo(runner.args()).arg("--workspace"))
}

/// Runs the lints, the long forms of the chain's tests, and its benchmarks as tests.
///
/// The lints stand here because they check all of FRAME once more, which would double the time of a first test run.
pub fn soak() -> Result<()> {
    install_missing()?;
    run::run(&mut chain_cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    let runner = tools::test_runner();
    let mut command = chain_cargo(runner.args());
    let features = ["-p", "pallet-auto-battle", "--release", "--features", "runtime-benchmarks"];
    run::run(command.args(features).env("SNAPSTACK_SOAK", "1"))
}

/// Builds the runtime and says where it is.
pub fn build_runtime(features: &[&str]) -> Result<PathBuf> {
    let toolchain = wasm::Toolchain::find(wasm::BARE)?;
    let target_dir = target_dir().join("wasm");
    let mut command = toolchain.cargo("rustc");
    command
        .current_dir(folder())
        .args(["-p", "auto-battle-runtime", "--lib", "--crate-type", "cdylib", "--no-default-features"])
        .args(["--profile", "wasm"])
        .args(features)
        .env("CARGO_TARGET_DIR", &target_dir)
        .env("CARGO_TARGET_WASM32V1_NONE_RUSTFLAGS", RUNTIME_FLAGS);
    run::run(&mut command)?;
    let runtime = target_dir.join(wasm::BARE).join("wasm/auto_battle_runtime.wasm");
    ensure!(runtime.is_file(), "cargo did not make {}", runtime.display());
    Ok(runtime)
}

/// Measures every call in the runtime's wasm and writes the pallet's weights.
pub fn write_weights() -> Result<()> {
    install_missing()?;
    let runtime = build_runtime(&["--features", "runtime-benchmarks"])?;
    build_programs()?;
    let mut command = Command::new(program("auto-battle-bencher"));
    run::run(
        command.arg("--runtime").arg(runtime).arg("--output").arg(folder().join("pallet-auto-battle/src/weights.rs")),
    )?;
    run::run(&mut chain_cargo(["fmt", "--all"]))?;
    // The blob with benchmarks is not what a node should run.
    build_runtime(&[]).map(drop)
}

/// Starts the development chain with a watcher and a bot, until one of them ends.
pub fn start() -> Result<()> {
    install_missing()?;
    let runtime = build_runtime(&[])?;
    build_programs()?;
    let mut node = Command::new(program("auto-battle-node"));
    node.arg("--runtime").arg(runtime);
    node.args(["--dev", "--tmp", "--seal", BLOCK_TIME, "--no-prometheus", "--no-telemetry", "-l", "warn"]);
    let mut running = Running::default();
    running.start(&mut node)?;
    wait_for_node()?;
    running.start(Command::new(program("auto-battle-watcher")).args(["watch", "--as", "//Eve"]))?;
    running.start(Command::new(program("auto-battle-watcher")).args(["play", "--as", "//Bob"]))?;
    print_invitation();
    running.wait()
}

/// Builds the whole workspace even where a part would do: with the features of a part alone, cargo
/// would build most dependencies a second time.
fn build_programs() -> Result<()> {
    run::run(&mut chain_cargo(["build", "--workspace"]))
}

fn print_invitation() {
    let watcher = program("auto-battle-watcher");
    let watcher = watcher.display();
    println!();
    println!(
        "The chain runs at {URL}; a block every {BLOCK_TIME} ms. //Bob plays, //Eve watches. Stop it with Ctrl-C."
    );
    println!("Try, in another terminal:");
    println!("  {watcher} play --as //Alice --runs 1 --skill search   # a whole run; you may meet Bob's ghosts");
    println!("  {watcher} lie --as //Ferdie                           # and see the watcher slash him");
    println!("  node chain/js/play.mjs {URL}                # a run from JavaScript (npm install in chain/js first)");
    println!("docs/chain.md says how it works.");
    println!();
}

/// Programs that are stopped together.
#[derive(Default)]
struct Running {
    children: Vec<Child>,
}

impl Running {
    fn start(&mut self, command: &mut Command) -> Result<()> {
        let shown = command.get_program().display().to_string();
        let child = command.spawn().with_context(|| format!("cannot start {shown}"))?;
        self.children.push(child);
        Ok(())
    }

    /// Waits until any of them ends.
    fn wait(&mut self) -> Result<()> {
        loop {
            for child in &mut self.children {
                if let Some(status) = child.try_wait()? {
                    ensure!(status.success(), "a part of the chain has ended: {status}");
                    return Ok(());
                }
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for child in &mut self.children {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn wait_for_node() -> Result<()> {
    let address = URL.trim_start_matches("ws://");
    for _ in 0..600 {
        if std::net::TcpStream::connect(address).is_ok() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    anyhow::bail!("the node does not listen at {URL}")
}

fn install_missing() -> Result<()> {
    let is_missing = |program: &str| !succeeds(Command::new(program).arg("--version"));
    let missing = PROGRAMS.iter().filter(|(program, _)| is_missing(program));
    let packages: Vec<&str> = missing.map(|(_, package)| *package).collect();
    if packages.is_empty() {
        return Ok(());
    }
    eprintln!("  installing Debian's {}", packages.join(", "));
    tools::install_packages(&packages).context("the chain cannot be built")
}

fn install_web_client() -> Result<()> {
    let client = folder().join("js");
    let (wanted, have) = (client.join("package-lock.json"), client.join("node_modules/.package-lock.json"));
    let is_fresh = |path: &Path| path.metadata().and_then(|it| it.modified()).ok();
    if is_fresh(&have) >= is_fresh(&wanted) {
        return Ok(());
    }
    // Not `ci`: the lock names only what this kind of machine needs of the optional packages.
    let args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    run::run(Command::new("npm").current_dir(client).args(args))
}

/// The runtime is built apart, and SSL comes from the system.
const BUILD_VARIABLES: [(&str, &str); 2] = [("SKIP_WASM_BUILD", "1"), ("OPENSSL_NO_VENDOR", "1")];

/// Prepares cargo for the chain's workspace.
fn chain_cargo<'a>(args: impl IntoIterator<Item = &'a (impl AsRef<std::ffi::OsStr> + ?Sized + 'a)>) -> Command {
    let mut command = cargo(args);
    command.current_dir(folder()).env("CARGO_TARGET_DIR", target_dir()).envs(BUILD_VARIABLES);
    command
}

fn program(name: &str) -> PathBuf {
    target_dir().join("debug").join(name)
}

fn folder() -> PathBuf {
    workspace::root().join("chain")
}

/// Apart from the rest, so that neither build throws away what the other made.
fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => workspace::root().join(dir).join("chain"),
        None => folder().join("target"),
    }
}
