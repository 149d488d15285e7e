//! Who may use whom. The table stands in ARCHITECTURE.md, where people read it, and this reads the
//! same table, so the two cannot differ.

use std::collections::BTreeMap;
use std::fs;

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::expect_none;
use crate::sources::root;

const BEGIN: &str = "<!-- edges: begin -->";
const END: &str = "<!-- edges: end -->";

/// What the tests of every crate may use.
const FOR_TESTS: &str = "testkit";

/// The crates whose dependencies from outside are counted, and those dependencies.
const SMALL: [&str; 2] = ["ruleset", "engine"];
const FROM_OUTSIDE: [&str; 4] = [
    "parity-scale-codec",
    "rand_chacha",
    "rand_core",
    "scale-info",
];
const HASHES: [&str; 4] = ["blake2", "blake2b_simd", "blake3", "sha2"];

/// Reads the workspace without what it depends on.
pub fn metadata() -> Metadata {
    let mut command = MetadataCommand::new();
    command.manifest_path(root().join("Cargo.toml")).no_deps();
    command
        .exec()
        .expect("cargo metadata describes the workspace")
}

/// Reads the table: each crate and what it may use, in the order of the lines.
fn read_table(text: &str) -> Vec<(String, Vec<String>)> {
    let table = text
        .split_once(BEGIN)
        .and_then(|(_, it)| it.split_once(END));
    let (table, _) = table.expect("ARCHITECTURE.md has the table between its two marks");
    let rows = table.lines().filter(|it| it.starts_with("| `"));
    rows.map(read_row).collect()
}

/// Reads the names between backticks; the first is the crate that the row is about.
fn read_row(row: &str) -> (String, Vec<String>) {
    let mut names = row.split('`').skip(1).step_by(2).map(String::from);
    let name = names.next().expect("a row begins with a crate");
    (name, names.collect())
}

fn table() -> Vec<(String, Vec<String>)> {
    read_table(&fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md"))
}

#[test]
fn the_table_points_upwards_only() {
    let mut above: Vec<String> = Vec::new();
    let mut findings = Vec::new();
    for (name, used) in table() {
        findings.extend(
            used.iter()
                .filter(|it| !above.contains(it))
                .map(|it| format!("{name} -> {it}")),
        );
        above.push(name);
    }
    expect_none("rows that use a row below them", findings);
}

#[test]
fn crates_use_only_what_the_table_allows() {
    let table: BTreeMap<_, _> = table().into_iter().collect();
    let metadata = metadata();
    let members: Vec<&str> = metadata
        .packages
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    let findings =
        metadata
            .packages
            .iter()
            .flat_map(|package| match table.get(package.name.as_str()) {
                Some(allowed) => find_forbidden(package, allowed, &members),
                None => vec![format!("{}: has no row in ARCHITECTURE.md", package.name)],
            });
    expect_none(
        "edges that ARCHITECTURE.md does not allow",
        findings.collect::<Vec<_>>(),
    );
}

fn find_forbidden(package: &Package, allowed: &[String], members: &[&str]) -> Vec<String> {
    let inside = package
        .dependencies
        .iter()
        .filter(|it| members.contains(&it.name.as_str()));
    let is_forbidden = |name: &str, kind| {
        let is_for_tests = kind == DependencyKind::Development
            && (name == FOR_TESTS || name == package.name.as_str());
        !is_for_tests && !allowed.iter().any(|it| it == name)
    };
    let forbidden = inside.filter(|it| is_forbidden(&it.name, it.kind));
    forbidden
        .map(|it| format!("{} -> {}", package.name, it.name))
        .collect()
}

#[test]
fn the_rules_depend_on_next_to_nothing() {
    let metadata = metadata();
    let members: Vec<&str> = metadata
        .packages
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    let small = metadata
        .packages
        .iter()
        .filter(|it| SMALL.contains(&it.name.as_str()));
    let findings = small.flat_map(|package| {
        let used = package
            .dependencies
            .iter()
            .filter(|it| it.kind != DependencyKind::Development);
        let used = used
            .map(|it| it.name.as_str())
            .filter(|it| !members.contains(it));
        let (hashes, others): (Vec<_>, Vec<_>) = used.partition(|it| HASHES.contains(it));
        let others = others.into_iter().filter(|it| !FROM_OUTSIDE.contains(it));
        others
            .chain(hashes.into_iter().skip(1))
            .map(|it| format!("{} -> {it}", package.name))
            .collect::<Vec<_>>()
    });
    expect_none(
        "dependencies from outside (one codec, one hash, one generator)",
        findings,
    );
}

#[test]
fn a_table_is_read_row_by_row() {
    let text = format!(
        "x\n{BEGIN}\n| Crate | Uses |\n|---|---|\n| `a` | nothing |\n| `b` | `a`, `c` |\n{END}"
    );
    let expected = [
        ("a".into(), vec![]),
        ("b".into(), vec!["a".into(), "c".into()]),
    ];
    assert_eq!(read_table(&text), expected);
}
