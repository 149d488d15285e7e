//! Where things are: the root, the crates, the target directory.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The crates that run in a browser and in a chain too, and so know nothing of an operating
/// system.
const NO_STD: [&str; 5] = ["selector", "ruleset", "engine", "script", "auto-battle"];

/// Returns the root of the workspace.
///
/// Asked for when it runs and not when it was built: clones can share a target directory, and with
/// it this program.
pub fn root() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| "xtask".into());
    Path::new(&xtask).parent().unwrap_or(Path::new(".")).into()
}

/// Returns the names of the `no_std` crates that are there.
pub fn no_std_crates() -> Vec<&'static str> {
    NO_STD.into_iter().filter(|it| has_crate(it)).collect()
}

/// Says whether the workspace has a crate of this name.
pub fn has_crate(name: &str) -> bool {
    root()
        .join("crates")
        .join(name)
        .join("Cargo.toml")
        .is_file()
}

/// Returns the directory that cargo builds into.
pub fn target_dir() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// Returns the last part of a path.
pub fn file_name(path: impl AsRef<OsStr>) -> String {
    let path = Path::new(path.as_ref());
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}
