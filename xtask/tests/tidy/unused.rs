//! A dependency that no source names is not needed.

use cargo_metadata::{Dependency, DependencyKind, Package};

use crate::edges::metadata;
use crate::sources::{read_rust, root};
use crate::{expect_none, lexer};

#[test]
fn every_dependency_is_used() {
    let metadata = metadata();
    expect_none(
        "dependencies that no source names",
        metadata.packages.iter().flat_map(find_unused),
    );
}

fn find_unused(package: &Package) -> Vec<String> {
    let folder = package
        .manifest_path
        .parent()
        .expect("a manifest lies in a folder; qed");
    let folder = folder
        .strip_prefix(root())
        .expect("crate lies in the root; qed");
    let unused = package
        .dependencies
        .iter()
        .filter(|it| !is_used(it, folder.as_str()));
    unused
        .map(|it| format!("{}: {}", package.name, it.name))
        .collect()
}

fn is_used(dependency: &Dependency, folder: &str) -> bool {
    let name = dependency
        .rename
        .as_ref()
        .unwrap_or(&dependency.name)
        .replace('-', "_");
    let folders: &[&str] = match dependency.kind {
        DependencyKind::Development => &["src", "tests", "benches", "examples"],
        DependencyKind::Build => &["build.rs", "build"],
        _ => &["src"],
    };
    let sources = folders
        .iter()
        .flat_map(|it| read_rust(&format!("{folder}/{it}")));
    sources.into_iter().any(|it| {
        let code = lexer::code_only(&it.text);
        lexer::identifiers(&code).any(|(_, it)| it == name)
    })
}
