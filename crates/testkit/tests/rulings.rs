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

/// What names rulings in a file: headings of scenarios (`Ruling 12: it holds`), names of tests (`ruling_12_it_holds`).
fn tests_in(path: &Path) -> Vec<(u32, String)> {
    let text = fs::read_to_string(path).unwrap_or_default();
    match path.extension().and_then(|it| it.to_str()) {
        Some("md") => text.lines().filter_map(|it| it.strip_prefix("## Ruling ")).flat_map(named_by_heading).collect(),
        Some("rs") => text.split("fn ruling_").skip(1).filter_map(named_by_test).collect(),
        _ => Vec::new(),
    }
}

/// `59 and Ruling 60: what holds` names both.
fn named_by_heading(heading: &str) -> Vec<(u32, String)> {
    let Some((numbers, what)) = heading.split_once(": ") else { return Vec::new() };
    numbers.split(" and Ruling ").filter_map(|it| Some((it.parse().ok()?, what.to_owned()))).collect()
}

fn named_by_test(rest: &str) -> Option<(u32, String)> {
    let name = rest.split('(').next()?;
    Some((name.split('_').next()?.parse().ok()?, format!("ruling_{name}")))
}

/// Everything in the test folders of all crates.
fn test_files() -> Vec<PathBuf> {
    let crates = files(&here().join(".."));
    crates.iter().flat_map(|it| files(&it.join("tests"))).chain(files(&here().join("tests/rulings"))).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect()
}

fn all_tests() -> BTreeSet<(u32, String)> {
    test_files().iter().flat_map(|it| tests_in(it)).collect()
}

#[test]
fn every_ruling_has_a_test() {
    let tested: BTreeSet<u32> = all_tests().into_iter().map(|it| it.0).collect();
    let missing: Vec<u32> = (1..=RULINGS).filter(|it| !tested.contains(it)).collect();
    assert!(missing.is_empty(), "rulings without a test: {missing:?}");
}

/// What `docs/rulings.md` lists below each number.
fn listed() -> BTreeSet<(u32, String)> {
    let text = fs::read_to_string(here().join("../../docs/rulings.md")).expect("the page is part of the project; qed");
    let mut number = 0;
    let mut found = BTreeSet::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            number = heading.parse().expect("a ruling is headed by its number; qed");
        } else if let Some((_, what)) = line.strip_prefix("- ").and_then(|it| it.split_once(": ")) {
            found.insert((number, what.trim_matches('`').to_owned()));
        }
    }
    found
}

#[test]
fn the_page_of_rulings_names_for_each_a_test_that_is_there() {
    let (listed, tests) = (listed(), all_tests());
    assert_eq!(listed.difference(&tests).collect::<Vec<_>>(), Vec::<&(u32, String)>::new(), "listed, but not there");
    let numbers: BTreeSet<u32> = listed.iter().map(|it| it.0).collect();
    assert_eq!(numbers, (1..=RULINGS).collect(), "every ruling has its entry with a test");
}
