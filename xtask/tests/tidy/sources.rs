//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// A file and what is in it.
pub struct Source {
    /// The path from the root, with `/` between its parts.
    pub path: String,
    pub text: String,
}

/// Names of what no person wrote; in a linked working tree `.git` is a file.
const SKIPPED: [&str; 5] = [".git", "target", "node_modules", "dist", "pkg"];

/// Returns the root of the workspace, wherever the test was built.
pub fn root() -> PathBuf {
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo and nextest set this; qed");
    Path::new(&xtask)
        .parent()
        .expect("xtask lies in the root; qed")
        .into()
}

/// Reads every text file below a folder, ordered by path; a missing folder has none.
pub fn read_all(folder: &str) -> Vec<Source> {
    let mut paths = Vec::new();
    collect(&root().join(folder), &mut paths);
    paths.sort();
    paths.iter().filter_map(|it| read(it)).collect()
}

/// Reads the Rust files below a folder.
pub fn read_rust(folder: &str) -> Vec<Source> {
    read_all(folder)
        .into_iter()
        .filter(|it| it.path.ends_with(".rs"))
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("folder can be read").path();
        let is_skipped = SKIPPED.iter().any(|it| path.ends_with(it));
        if is_skipped {
            continue;
        }
        if path.is_file() {
            paths.push(path);
        } else {
            collect(&path, paths);
        }
    }
}

/// Reads a file; none if it is no text.
fn read(path: &Path) -> Option<Source> {
    let text = String::from_utf8(fs::read(path).expect("file can be read")).ok()?;
    let path = path
        .strip_prefix(root())
        .expect("file lies in the root; qed");
    Some(Source {
        path: path.to_string_lossy().replace('\\', "/"),
        text,
    })
}
