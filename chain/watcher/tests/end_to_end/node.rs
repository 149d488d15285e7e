//! A node of one's own, on a free port, gone with the test.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use auto_battle_watcher::chain::Chain;

/// A running node.
pub struct Node {
    process: Child,
    port: u16,
}

impl Node {
    /// Starts a node with the runtime that was built beside it; `seal` says when it makes blocks.
    pub fn start(seal: &str) -> Self {
        let port = free_port();
        let process = Command::new(program("auto-battle-node"))
            .arg("--runtime")
            .arg(runtime())
            .args(["--dev", "--tmp", "--seal", seal, "--no-prometheus", "--no-telemetry", "--no-mdns"])
            .args(["--rpc-port", &port.to_string(), "--port", &free_port().to_string()])
            // Quiet unless something is wrong.
            .args(["-l", "warn"])
            .stdin(Stdio::null())
            .spawn()
            .expect("the node starts");
        Self { process, port }
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("ws://127.0.0.1:{}", self.port)
    }

    /// Connects, as soon as the node is ready.
    pub async fn connect(&self) -> Chain {
        for _ in 0..600 {
            if let Ok(chain) = Chain::connect(&self.url()).await {
                return chain;
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        panic!("the node does not answer at {}", self.url());
    }
}

impl Drop for Node {
    /// Asks the node to end, so that it removes its files, and ends it if it does not.
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        for _ in 0..100 {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    listener.local_addr().expect("it has a number").port()
}

/// A program of this workspace, which cargo has put beside the watcher.
fn program(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_auto-battle-watcher")).with_file_name(name);
    assert!(path.is_file(), "{} is missing: cargo build --workspace makes it", path.display());
    path
}

/// The runtime, which `cargo xtask chain-runtime` builds.
fn runtime() -> PathBuf {
    built("wasm32v1-none/wasm/auto_battle_runtime.wasm")
}

/// A wasm module that was built beside the programs.
fn built(module: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_auto-battle-watcher")).ancestors().nth(2);
    let target = target.expect("programs are two folders below the target directory");
    let path = target.join("wasm").join(module);
    assert!(path.is_file(), "{} is missing: cargo xtask chain-runtime makes it", path.display());
    path
}

/// The hash of the starter set, as people write it.
fn starter_set() -> String {
    let digits = pallet_auto_battle::starter_set_hash().map(|it| format!("{it:02x}"));
    format!("0x{}", digits.concat())
}

/// Lets the JavaScript client play a run.
pub async fn run_web_client(node: &Node) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../js");
    assert!(folder.join("node_modules").is_dir(), "the web client needs its packages: npm install in chain/js");
    let status = tokio::process::Command::new("node")
        .current_dir(folder)
        .arg("play.mjs")
        .arg(built("wasm32-unknown-unknown/release/auto_battle_js_core.wasm"))
        .args([starter_set(), node.url()])
        .status()
        .await
        .expect("node is installed");
    assert!(status.success(), "the web client failed");
}
