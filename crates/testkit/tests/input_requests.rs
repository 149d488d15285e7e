//! `docs/input-requests.md`: every statement names a test that is there.

use std::{collections::BTreeSet, fs, path::Path};

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The names of all tests in the test folders of all crates.
fn tests() -> BTreeSet<String> {
    let crates = fs::read_dir(root().join("crates")).expect("the crates are part of the project; qed").flatten();
    let folders = crates.map(|it| it.path().join("tests"));
    let files = folders.flat_map(|it| fs::read_dir(it).into_iter().flatten().flatten());
    let texts = files.filter_map(|it| fs::read_to_string(it.path()).ok());
    texts.flat_map(|it| names(&it)).collect()
}

fn names(text: &str) -> Vec<String> {
    let tests = text.split("#[test]").skip(1).filter_map(|it| it.split_once("fn "));
    tests.filter_map(|(_, it)| Some(it.split_once('(')?.0.to_owned())).collect()
}

/// The statements, with the test each names.
fn statements() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("docs/input-requests.md")).expect("the page is part of the project; qed");
    let rows = text.lines().filter(|it| it.starts_with("| ") && !it.starts_with("| Statement"));
    let row = |it: &str| {
        let (statement, test) =
            it.trim_matches(|it| it == '|' || it == ' ').rsplit_once(" | ").expect("two columns; qed");
        (statement.to_owned(), test.trim_matches('`').to_owned())
    };
    rows.map(row).collect()
}

#[test]
fn every_statement_about_input_requests_has_a_test_that_is_there() {
    let (statements, tests) = (statements(), tests());
    let missing: Vec<_> = statements.iter().filter(|it| !tests.contains(&it.1)).collect();
    assert!(missing.is_empty(), "listed, but not there: {missing:?}");
    assert!(statements.len() >= 50, "the page has all statements: {}", statements.len());
}
