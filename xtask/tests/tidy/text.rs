//! What holds for every file, whatever it contains.

use crate::expect_none;
use crate::sources::{Source, read_all};

const LINES_MAX: usize = 800;

/// Endings of files that people write as code.
const CODE: [&str; 7] = [".rs", ".ts", ".tsx", ".js", ".mjs", ".css", ".sh"];

/// Places outside of the repository. The words are cut so that this file does not contain them.
const OUTSIDE: [&str; 4] =
    [concat!("../", "shared"), concat!("/work/", "main"), concat!("/work/", "shared"), concat!("/ro", "ot/.")];

#[test]
fn no_file_is_too_long() {
    // Declarations made from the contract are written by no person.
    let is_code = |it: &Source| !it.path.ends_with(".d.ts") && CODE.iter().any(|end| it.path.ends_with(end));
    let sources = read_all("").into_iter().filter(is_code);
    let long = sources.filter(|it| it.text.lines().count() > LINES_MAX);
    let findings = long.map(|it| format!("{}: {} lines", it.path, it.text.lines().count()));
    expect_none("longer than 800 lines (split it by concept)", findings);
}

#[test]
fn nothing_outside_of_the_repository_is_mentioned() {
    let sources = read_all("");
    expect_none("places outside of the repository", sources.iter().flat_map(find_outside));
}

fn find_outside(source: &Source) -> Vec<String> {
    let lines = (1..).zip(source.text.lines());
    let lines = lines.filter(|(_, text)| OUTSIDE.iter().any(|it| text.contains(it)));
    lines.map(|(line, _)| format!("{}:{line}", source.path)).collect()
}

#[test]
fn a_place_outside_is_found() {
    let text = format!("a\nsee {}/x", OUTSIDE[0]);
    assert_eq!(find_outside(&Source { path: "a".into(), text }), ["a:2"]);
}
