//! What the crates that run in a browser and on a chain must not know.

use crate::sources::{Source, read_rust};
use crate::{expect_none, lexer};

const NO_STD: [&str; 5] = ["selector", "ruleset", "engine", "script", "auto-battle"];

/// Names that stand for an operating system, a clock, a hash order or a float.
const FORBIDDEN: [&str; 9] =
    ["std", "f32", "f64", "HashMap", "HashSet", "Instant", "SystemTime", "thread", "thread_local"];

/// Files that may use a name all the same, and why.
const EXCEPTIONS: [(&str, &str); 1] = [
    // JSON's numbers arrive as floats and are turned into text at once, without arithmetic.
    ("crates/selector/src/json.rs", "f64"),
];

#[test]
fn no_std_crates_say_so() {
    expect_none("without #![no_std]", find_without("#![no_std]", &NO_STD));
}

#[test]
fn the_rules_name_every_variant() {
    let attribute = "#![deny(clippy::wildcard_enum_match_arm)]";
    let findings = find_without(attribute, &["selector", "ruleset", "engine", "script"]);
    expect_none("without a ban on wildcard arms", findings);
}

/// Lists the crates, of those that are there, whose root has no such line.
fn find_without(line: &str, crates: &[&str]) -> Vec<String> {
    let sources = crates.iter().flat_map(|it| read_rust(&format!("crates/{it}/src")));
    let roots = sources.filter(|it| it.path.ends_with("/src/lib.rs"));
    let without = roots.filter(|it| !it.text.lines().any(|it| it == line));
    without.map(|it| it.path).collect()
}

#[test]
fn no_std_crates_know_no_machine() {
    let sources = NO_STD.iter().flat_map(|it| read_rust(&format!("crates/{it}/src")));
    expect_none("names that differ between machines", sources.flat_map(|it| find(&it)));
}

fn find(source: &Source) -> Vec<String> {
    let code = lexer::code_only(&source.text);
    let code = lexer::without_tests(&code);
    let is_excepted = |name: &str| EXCEPTIONS.contains(&(source.path.as_str(), name));
    let names = lexer::identifiers(code).filter(|(_, it)| FORBIDDEN.contains(it) && !is_excepted(it));
    names.map(|(line, it)| format!("{}:{line}: {it}", source.path)).collect()
}

#[test]
fn names_are_found_in_code_only() {
    let text = "//! std\nuse std::x;\nlet a = \"f64\";\n#[cfg(test)]\nuse std::y;".into();
    let found = find(&Source { path: "a.rs".into(), text });
    assert_eq!(found, ["a.rs:2: std"]);
}

#[test]
fn exceptions_are_still_needed() {
    let is_needed = |(path, name): &(&str, &str)| {
        let sources = read_rust("crates").into_iter().filter(|it| it.path == *path);
        sources.into_iter().any(|it| lexer::identifiers(&lexer::code_only(&it.text)).any(|(_, it)| it == *name))
    };
    let findings = EXCEPTIONS.iter().filter(|it| !is_needed(it));
    expect_none("exceptions without use", findings.map(|(path, name)| format!("{path}: {name}")));
}
