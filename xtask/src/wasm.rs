//! Builds crates for wasm32 with whichever toolchain of this machine can.
//!
//! Where rustup has the target, its cargo does it. Where it has not and cannot fetch it, Debian's
//! `rustc-web` builds the standard library from its sources, and the linker is the `rust-lld` of
//! the rustup toolchain. Everything goes into a directory of its own, so that neither build throws
//! away what the other made.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::run::{self, cargo, first_line, succeeds};
use crate::{tools, workspace};

/// The target without an operating system: it has `core` and `alloc` only, so a crate that
/// compiles for it is `no_std` for certain.
pub const BARE: &str = "wasm32v1-none";

/// The target of browsers: it has `std`, as far as that needs no operating system.
pub const WEB: &str = "wasm32-unknown-unknown";

const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_SOURCES: &str = "/usr/lib/rustlib/src/rust/library";
const DEBIAN_PACKAGES: [&str; 3] = ["cargo-web", "rustc-web", "rust-web-src"];

/// Builds every `no_std` crate of the workspace without its default features.
pub fn build_no_std_crates() -> Result<()> {
    let toolchain = Toolchain::find(BARE)?;
    let packages = workspace::no_std_crates();
    let packages = packages.iter().flat_map(|it| ["-p", it]).collect::<Vec<_>>();
    let mut command = toolchain.cargo("build");
    run::run(command.args(["--lib", "--release", "--no-default-features"]).args(&packages))
}

/// Plays the golden battles and runs of the auto-battler and the golden games inside a wasm machine.
pub fn run_vectors() -> Result<()> {
    let toolchain = Toolchain::find(WEB)?;
    for (package, example) in [("auto-battle", "vectors"), ("testkit", "golden")] {
        run::run(toolchain.cargo("build").args(["--release", "-p", package, "--example", example]))?;
        let module = target_dir().join(WEB).join(format!("release/examples/{example}.wasm"));
        run::run(cargo(["run", "--release", "-p", "auto-battle", "--example", "run_wasm", "--"]).arg(module))?;
    }
    Ok(())
}

/// A way to build for a wasm target.
pub struct Toolchain {
    target: &'static str,
    source: Source,
}

/// Where the libraries of the target come from.
enum Source {
    /// They are installed.
    Rustup,
    /// They are built from Debian's sources and linked with this linker.
    Debian { linker: PathBuf },
}

impl Toolchain {
    /// Finds a toolchain for a target; installs what is missing where it can.
    pub fn find(target: &'static str) -> Result<Self> {
        let source = if has_rustup_target(target) {
            Source::Rustup
        } else {
            eprintln!("  rustup has no {target}: using Debian's rustc-web");
            install_debian()?;
            Source::Debian { linker: find_linker()? }
        };
        Ok(Toolchain { target, source })
    }

    /// Prepares a subcommand of cargo for the target; the caller adds packages and profile.
    pub fn cargo(&self, subcommand: &str) -> Command {
        let mut command = match &self.source {
            Source::Rustup => cargo([subcommand]),
            Source::Debian { linker } => self.debian_cargo(subcommand, linker),
        };
        command.args(["--target", self.target]).env("CARGO_TARGET_DIR", target_dir());
        command
    }

    fn debian_cargo(&self, subcommand: &str, linker: &Path) -> Command {
        let mut command = Command::new(DEBIAN_CARGO);
        let target = self.target.to_uppercase().replace('-', "_");
        let libraries = match self.target {
            BARE => "build-std=core,alloc",
            _ => "build-std=std,panic_abort",
        };
        command
            .current_dir(workspace::root())
            .args([subcommand, "-Z", libraries])
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTC", DEBIAN_RUSTC)
            .env(format!("CARGO_TARGET_{target}_LINKER"), linker);
        command
    }
}

fn target_dir() -> PathBuf {
    workspace::target_dir().join("wasm")
}

/// Says whether the current toolchain has the target, after asking rustup for it.
fn has_rustup_target(target: &str) -> bool {
    let is_there = || {
        let args = ["--print", "target-libdir", "--target", target];
        first_line(Command::new("rustc").args(args)).is_ok_and(|it| Path::new(&it).is_dir())
    };
    is_there() || (succeeds(Command::new("rustup").args(["target", "add", target])) && is_there())
}

fn install_debian() -> Result<()> {
    let is_there = || [DEBIAN_CARGO, DEBIAN_RUSTC, DEBIAN_SOURCES].iter().all(|it| Path::new(it).exists());
    if is_there() {
        return Ok(());
    }
    eprintln!("  installing Debian's {}", DEBIAN_PACKAGES.join(", "));
    tools::install_packages(&DEBIAN_PACKAGES)
        .context("wasm32 cannot be built; where rustup can download: rustup target add wasm32v1-none")?;
    ensure!(is_there(), "Debian's packages did not bring: {DEBIAN_SOURCES}");
    Ok(())
}

fn find_linker() -> Result<PathBuf> {
    let sysroot = first_line(Command::new("rustc").args(["--print", "sysroot"]))?;
    let host = first_line(Command::new("rustc").args(["--print", "host-tuple"]))?;
    let linker = Path::new(&sysroot).join("lib/rustlib").join(host).join("bin/rust-lld");
    ensure!(linker.is_file(), "the rustup toolchain has no linker: {}", linker.display());
    Ok(linker)
}
