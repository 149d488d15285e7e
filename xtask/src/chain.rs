//! The chain: a workspace of its own with a runtime in wasm, a node, a watcher and a web client.
//!
//! `cargo xtask chain` starts all of it; the stage `chain` of `cargo xtask test` checks all of it.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::run::{self, cargo};
use crate::running::Running;
use crate::{tools, wasm, workspace};

/// What building and testing the chain needs, and the package of Debian that has it.
const PROGRAMS: [(&str, &str); 4] =
    [("protoc", "protobuf-compiler"), ("clang", "clang"), ("node", "nodejs"), ("npm", "npm")];

/// Where the development chain listens.
const ADDRESS: &str = "127.0.0.1:9944";
const PORT: &str = "9944";
const URL: &str = "ws://127.0.0.1:9944";

/// Milliseconds between two blocks of the development chain.
const BLOCK_TIME: &str = "1000";

/// The crate of the parachain's runtime. It brings cumulus along, so the tests of every day leave it out.
const PARACHAIN: &str = "auto-battle-parachain-runtime";

/// All crates but the parachain's runtime.
const DAILY: [&str; 3] = ["--workspace", "--exclude", PARACHAIN];

/// What a runtime's blob must export and import beside what rustc does by itself.
const RUNTIME_FLAGS: &str =
    "-C link-arg=--export-table -C link-arg=--import-memory -C link-arg=--export=__heap_base --cfg substrate_runtime";

/// Checks everything about the chain but its lints and the parachain.
pub fn test() -> Result<()> {
    install_missing()?;
    run::run(&mut chain_cargo(["fmt", "--all", "--check"]))?;
    test_crates(&DAILY)
}

/// Runs the tests of some crates, with the wasm that they need.
fn test_crates(crates: &[&str]) -> Result<()> {
    build_runtime(&[])?;
    build_web_core()?;
    install_web_client()?;
    let runner = tools::test_runner();
    run::run(chain_cargo(runner.args()).args(crates))
}

/// Runs the lints, the long forms of the chain's tests, and its benchmarks: natively as tests, and in
/// the runtime's wasm, where what they read and write is compared with the weights. Builds the
/// parachain, makes blocks with it, and writes its chain spec. Checks that the runtimes compile with
/// what `try-runtime` asks.
///
/// The lints, the benchmarks and the parachain stand here because each builds all of FRAME once more,
/// which would double the time of a first test run.
pub fn soak() -> Result<()> {
    install_missing()?;
    check_weights()?;
    write_chain_spec()?;
    test_crates(&["--workspace"])?;
    for runtime in ["auto-battle-runtime", PARACHAIN] {
        run::run(&mut chain_cargo(["check", "-p", runtime, "--features", "try-runtime"]))?;
    }
    run::run(&mut chain_cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    let runner = tools::test_runner();
    let mut command = chain_cargo(runner.args());
    let features = ["-p", "pallet-auto-battle", "--release", "--features", "runtime-benchmarks"];
    // What must never happen is noticed by an assertion, and else only written to a log.
    command.envs([("SNAPSTACK_SOAK", "1"), ("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "true")]);
    run::run(command.args(features))
}

/// Builds the runtime of the development chain and says where it is.
pub fn build_runtime(features: &[&str]) -> Result<PathBuf> {
    build_runtime_of("auto-battle-runtime", features)
}

/// Builds the parachain's runtime and writes a chain spec for it, beside it.
pub fn write_chain_spec() -> Result<()> {
    install_missing()?;
    let runtime = build_runtime_of(PARACHAIN, &[])?;
    let spec = runtime.with_extension("json");
    // With the features of all crates, as the tests build it.
    run::run(&mut chain_cargo(["build", "--workspace", "--examples"]))?;
    run::run(Command::new(program("examples/chain_spec")).arg("--runtime").arg(&runtime).arg("--output").arg(&spec))
}

/// Builds a runtime as wasm and says where it is.
fn build_runtime_of(package: &str, features: &[&str]) -> Result<PathBuf> {
    let toolchain = wasm::Toolchain::find(wasm::BARE)?;
    let target_dir = target_dir().join("wasm");
    let mut command = toolchain.cargo("rustc");
    command
        .current_dir(folder())
        .args(["-p", package, "--lib", "--crate-type", "cdylib", "--no-default-features"])
        .args(["--profile", "wasm"])
        .args(features)
        .env("CARGO_TARGET_DIR", &target_dir)
        .env("CARGO_TARGET_WASM32V1_NONE_RUSTFLAGS", RUNTIME_FLAGS);
    run::run(&mut command)?;
    let runtime = target_dir.join(wasm::BARE).join("wasm").join(package.replace('-', "_")).with_extension("wasm");
    ensure!(runtime.is_file(), "cargo did not make {}", runtime.display());
    Ok(runtime)
}

/// Builds the rules for the web client and says where they are.
pub fn build_web_core() -> Result<PathBuf> {
    let toolchain = wasm::Toolchain::find(wasm::WEB)?;
    let target_dir = target_dir().join("wasm");
    let mut command = toolchain.cargo("build");
    command.current_dir(folder()).args(["-p", "auto-battle-js-core", "--lib", "--release"]);
    run::run(command.env("CARGO_TARGET_DIR", &target_dir))?;
    let core = target_dir.join(wasm::WEB).join("release/auto_battle_js_core.wasm");
    ensure!(core.is_file(), "cargo did not make {}", core.display());
    Ok(core)
}

/// Measures every call in the runtime's wasm and writes the pallet's weights.
pub fn write_weights() -> Result<()> {
    install_missing()?;
    let weights = folder().join("pallet-auto-battle/src/weights.rs");
    run_benchmarks(|it| it.arg("--output").arg(weights))?;
    run::run(&mut chain_cargo(["fmt", "--all"]))
}

/// Compares what every call reads, writes and proves in the runtime's wasm with its weight, and proves
/// every call in a trie of a million entries.
fn check_weights() -> Result<()> {
    run_benchmarks(|it| it.arg("--check"))?;
    run_benchmarks(|it| it.args(["--prove", "1000000"]))
}

fn run_benchmarks(with: impl FnOnce(&mut Command) -> &mut Command) -> Result<()> {
    let runtime = build_runtime(&["--features", "runtime-benchmarks"])?;
    // The blob with benchmarks is not what a node should run, so it goes out of the way.
    let measured = runtime.with_file_name("auto_battle_runtime_benchmarks.wasm");
    std::fs::rename(&runtime, &measured).with_context(|| format!("cannot rename {}", runtime.display()))?;
    build_programs()?;
    run::run(with(Command::new(program("auto-battle-bencher")).arg("--runtime").arg(measured)))
}

/// Starts the development chain with a watcher and a bot, until Ctrl-C or until one of them ends.
pub fn start() -> Result<()> {
    ensure_port_is_free()?;
    install_missing()?;
    let runtime = build_runtime(&[])?;
    build_programs()?;
    let core = build_web_core()?;
    install_web_client()?;
    let mut running = Running::until_interrupted()?;
    running.start(&mut node(&runtime))?;
    running.wait_until(|| TcpStream::connect(ADDRESS).is_ok()).context("the node does not start")?;
    running.start(Command::new(program("auto-battle-watcher")).args(["watch", "--as", "//Eve"]))?;
    running.start(Command::new(program("auto-battle-watcher")).args(["play", "--as", "//Bob"]))?;
    print_invitation(&core);
    running.wait()
}

/// A node that keeps nothing and talks to nobody but its clients.
fn node(runtime: &Path) -> Command {
    let mut node = Command::new(program("auto-battle-node"));
    node.arg("--runtime").arg(runtime);
    node.args(["--dev", "--tmp", "--seal", BLOCK_TIME, "--rpc-port", PORT, "--port", "0"]);
    // That it knows no other nodes is as it should be.
    node.args(["--no-prometheus", "--no-telemetry", "--no-mdns", "-l", "warn,libp2p_kad=error"]);
    node
}

/// Says so before anything is built: a node would take another port, and everybody would talk to
/// whatever listens on this one.
fn ensure_port_is_free() -> Result<()> {
    let free = TcpListener::bind(ADDRESS);
    free.map(drop)
        .with_context(|| format!("something listens at {ADDRESS} already, perhaps another chain: stop it first"))
}

/// Builds all programs even where a part would do: with the features of a part alone, cargo would build
/// most dependencies a second time.
fn build_programs() -> Result<()> {
    run::run(chain_cargo(["build"]).args(DAILY))
}

fn print_invitation(core: &Path) {
    let watcher = program("auto-battle-watcher");
    let watcher = watcher.display();
    println!();
    println!(
        "The chain runs at {URL}; a block every {BLOCK_TIME} ms. //Bob plays, //Eve watches. Stop it with Ctrl-C."
    );
    println!("Try, in another terminal:");
    println!("  {watcher} play --as //Alice --runs 1 --skill search   # a whole run; you may meet Bob's ghosts");
    println!("  {watcher} lie --as //Ferdie   # and see the watcher slash the liar");
    let client = folder().join("js/play.mjs");
    println!("  node {} {} SET_HASH   # a run from JavaScript", client.display(), core.display());
    println!("  {watcher} starter-set   # prints the hash of the starter set");
    println!("docs/chain.md says how it works.");
    println!();
}

fn install_missing() -> Result<()> {
    tools::require_programs(&PROGRAMS).context("the chain cannot be built")
}

fn install_web_client() -> Result<()> {
    tools::install_node_packages(&folder().join("js"))
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
