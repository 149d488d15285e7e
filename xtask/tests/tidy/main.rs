//! The rules of this repository that no compiler checks: who may use whom, which words belong
//! where, what every file looks like. A rule that can be a test is one.

mod docs;
mod edges;
mod lexer;
mod no_std;
mod sources;
mod text;
mod unused;
mod words;

use std::fmt::Display;

/// Fails with all findings at once.
#[track_caller]
fn expect_none(rule: &str, findings: impl IntoIterator<Item = impl Display>) {
    let findings: Vec<String> = findings.into_iter().map(|it| it.to_string()).collect();
    assert!(findings.is_empty(), "{rule}:\n  {}", findings.join("\n  "));
}
