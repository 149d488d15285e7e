//! The rulings of `docs/rulings.md`: scenarios in `rulings/`, and the check that none is without a test.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use testkit::scenario;

/// How many rulings there are.
const RULINGS: u32 = 98;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_scenario_of_the_rulings_plays_as_written() {
    scenario::run_folder(&here().join("tests/rulings"));
}

/// The numbers behind a word: `Ruling 12: ...` and `fn ruling_12_...` name ruling 12.
fn numbers_after(text: &str, word: &str) -> BTreeSet<u32> {
    let parts = text.split(word).skip(1);
    parts.filter_map(|it| it.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).collect()
}

/// The numbers in the headings of scenarios and the names of tests.
fn numbers_of(path: &Path) -> BTreeSet<u32> {
    let text = fs::read_to_string(path).unwrap_or_default();
    match path.extension().and_then(|it| it.to_str()) {
        Some("md") => headings(&text).flat_map(|it| numbers_after(it, "Ruling ")).collect(),
        Some("rs") => numbers_after(&text, "fn ruling_"),
        _ => BTreeSet::new(),
    }
}

fn headings(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|it| it.strip_prefix("## "))
}

/// Everything in the test folders of all crates.
fn test_files() -> Vec<PathBuf> {
    let crates = files(&here().join(".."));
    crates.iter().flat_map(|it| files(&it.join("tests"))).chain(files(&here().join("tests/rulings"))).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect()
}

#[test]
fn every_ruling_has_a_test() {
    let tested: BTreeSet<u32> = test_files().iter().flat_map(|it| numbers_of(it)).collect();
    let missing: Vec<u32> = (1..=RULINGS).filter(|it| !tested.contains(it)).collect();
    assert!(missing.is_empty(), "rulings without a test: {missing:?}");
}
