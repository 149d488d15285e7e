//! The programs that the chores need, and how to get the missing ones.
//!
//! What can be installed is installed; otherwise the error says exactly what to type.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::run::{self, cargo, succeeds};

/// What runs the tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TestRunner {
    /// One process per test, with a summary at the end.
    Nextest,
    /// What comes with the toolchain.
    Cargo,
}

impl TestRunner {
    /// Returns the arguments of cargo that run tests, without those of the documentation.
    pub fn args(self) -> &'static [&'static str] {
        match self {
            TestRunner::Nextest => &["nextest", "run"],
            TestRunner::Cargo => &["test", "--all-targets"],
        }
    }
}

/// Returns the best test runner that is installed.
pub fn test_runner() -> TestRunner {
    let has_nextest = succeeds(&mut cargo(["nextest", "--version"]));
    if has_nextest { TestRunner::Nextest } else { TestRunner::Cargo }
}

/// Makes sure of everything that the stages need.
pub fn install_missing() -> Result<()> {
    require_component("fmt", "rustfmt")?;
    require_component("clippy", "clippy")?;
    require_postgres()?;
    require_programs(&CLIENTS)?;
    install_nextest();
    Ok(())
}

/// What the small clients of the contract and the tools that check its documents run on, and the package of Debian that
/// has it.
const CLIENTS: [(&str, &str); 3] = [("node", "nodejs"), ("npm", "npm"), ("python3", "python3")];

/// Makes sure of some programs, each with the package that has it.
pub fn require_programs(programs: &[(&str, &str)]) -> Result<()> {
    let missing: Vec<&str> = programs.iter().filter(|it| is_missing(it.0)).map(|it| it.1).collect();
    if missing.is_empty() {
        return Ok(());
    }
    eprintln!("  {} is missing: asking apt for it", missing.join(", "));
    install_packages(&missing)
}

/// Makes sure of a Postgres that tests can start for themselves.
pub fn require_postgres() -> Result<()> {
    let in_folder = || std::fs::read_dir("/usr/lib/postgresql").is_ok_and(|mut it| it.next().is_some());
    if in_folder() || succeeds(Command::new("initdb").arg("--version")) {
        return Ok(());
    }
    eprintln!("  Postgres is missing: asking apt for it");
    install_packages(&["postgresql"])
}

fn require_component(subcommand: &str, component: &str) -> Result<()> {
    let has_component = || succeeds(&mut cargo([subcommand, "--version"]));
    if has_component() {
        return Ok(());
    }
    eprintln!("  cargo {subcommand} is missing: asking rustup for it");
    let added = succeeds(Command::new("rustup").args(["component", "add", component]));
    if !(added && has_component()) {
        bail!("cargo {subcommand} is missing; install it with: rustup component add {component}");
    }
    Ok(())
}

/// Tries to have nextest. Its absence is no error, because cargo's own runner can stand in.
fn install_nextest() {
    if test_runner() == TestRunner::Nextest {
        return;
    }
    eprintln!("  cargo-nextest is missing: building it, once, takes several minutes");
    if let Err(error) = run::run(&mut cargo(["install", "--locked", "cargo-nextest"])) {
        eprintln!("  {error}; going on with cargo test");
    }
}

/// Says whether a program cannot be started.
pub fn is_missing(program: &str) -> bool {
    !succeeds(Command::new(program).arg("--version"))
}

/// Installs what the `package-lock.json` of a folder names, unless it is there already.
pub fn install_node_packages(folder: &Path) -> Result<()> {
    let (wanted, have) = (folder.join("package-lock.json"), folder.join("node_modules/.package-lock.json"));
    let is_fresh = |path: &Path| path.metadata().and_then(|it| it.modified()).ok();
    if is_fresh(&have) >= is_fresh(&wanted) {
        return Ok(());
    }
    // Not `ci`: a lock names only what one kind of machine needs of the optional packages.
    let args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
    run::run(Command::new("npm").current_dir(folder).args(args))
}

/// Installs Debian's packages as root or through sudo where that needs no password.
pub fn install_packages(packages: &[&str]) -> Result<()> {
    let list = packages.join(" ");
    let by_hand = format!("install the packages by hand: apt-get install {list}");
    if !succeeds(Command::new("apt-get").arg("--version")) {
        bail!("this system has no apt-get; {by_hand}, or what they are called here");
    }
    let Some(prefix) = privilege() else { bail!("apt-get needs root; {by_hand}") };
    let apt = |args: &[&str]| {
        let words: Vec<&str> = prefix.iter().copied().chain(["apt-get", "-qq"]).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(args).env("DEBIAN_FRONTEND", "noninteractive");
        run::run(&mut command)
    };
    apt(&["update"])?;
    apt(&[&["install", "-y", "--no-install-recommends"], packages].concat())
}

/// Returns the words before a command that make it run as root; none if nothing does.
fn privilege() -> Option<&'static [&'static str]> {
    let user = run::first_line(Command::new("id").arg("-u"));
    if user.is_ok_and(|it| it == "0") {
        return Some(&[]);
    }
    succeeds(Command::new("sudo").args(["-n", "true"])).then_some(&["sudo", "-n"])
}
