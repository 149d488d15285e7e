//! A server in a process of its own, always at the same address.
#![allow(dead_code, reason = "each test file uses its own part")]

pub mod terminal;

use std::{
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use client::Api;

/// A server that runs.
pub struct Process {
    child: Child,
    pub base: String,
}

/// A port nobody uses.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("some port is free");
    listener.local_addr().expect("it has an address").port()
}

/// Starts a server that lets one address do very much.
pub fn start(store: &str, games: &Path, port: u16) -> Process {
    let limits = [
        ("--sockets-per-address-max", "10000"),
        ("--sockets-per-account-max", "100"),
        ("--accounts-per-minute-max", "100000"),
        ("--welcomes-per-day-max", "100000"),
        ("--messages-per-second-max", "100000"),
        ("--requests-per-second-max", "100000"),
    ];
    let child = Command::new(env!("CARGO_BIN_EXE_snapstack"))
        .args(["serve", "--store", store, "--listen", &format!("127.0.0.1:{port}")])
        .args(limits.iter().flat_map(|it| [it.0, it.1]))
        .arg("--games")
        .arg(games)
        .env("RUST_LOG", "error")
        .stdout(Stdio::null())
        .spawn()
        .expect("the server starts");
    Process { child, base: format!("http://127.0.0.1:{port}") }
}

/// Whether a store is whole, and no money is lost in it.
pub fn check_store(store: &str) {
    let check = Command::new(env!("CARGO_BIN_EXE_snapstack")).args(["storage", "check", "--store", store]).output();
    let check = check.expect("the check runs");
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stdout));
}

impl Process {
    /// Waits until it can store something; gives how long that took.
    pub async fn ready(&self) -> Duration {
        let started = Instant::now();
        while Api::new(&self.base).get_bytes("/readyz").await.is_err() {
            assert!(started.elapsed() < Duration::from_secs(120), "the server never gets ready");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        started.elapsed()
    }

    /// Ends it as a lost machine would.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Where a test fails, nothing of it is left.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
