//! Every public type, variant and function of the small crates says what it is for, and every
//! module what it owns.

use crate::expect_none;
use crate::lexer::{code_only, without_tests};
use crate::sources::{Source, read_rust};

const DOCUMENTED: [&str; 4] = ["selector", "ruleset", "engine", "script"];

/// What needs a sentence of its own after `pub`; re-exports and fields do not.
const ITEMS: [&str; 9] = ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "async"];

#[test]
fn public_items_and_variants_are_documented() {
    let sources = DOCUMENTED.iter().flat_map(|it| read_rust(&format!("crates/{it}/src")));
    expect_none("without a doc comment", sources.flat_map(|it| find_undocumented(&it)));
}

#[test]
fn every_module_says_what_it_owns() {
    let sources = ["crates", "xtask", "games"].into_iter().flat_map(read_rust);
    let modules = sources.filter(|it| !it.text.starts_with("//!"));
    expect_none("without a leading //!", modules.map(|it| it.path));
}

/// Goes through the lines once, knowing whether a doc comment stands above and how deep in a
/// public enum the line is.
fn find_undocumented(source: &Source) -> Vec<String> {
    let code = code_only(&source.text);
    let mut scanner = Scanner::default();
    let lines = source.text.lines().zip(without_tests(&code).lines());
    let findings = (1..).zip(lines).filter(|(_, (text, code))| scanner.is_undocumented(text, code));
    findings.map(|(line, (text, _))| format!("{}:{line}: {}", source.path, text.trim())).collect()
}

#[derive(Default)]
struct Scanner {
    is_documented: bool,
    /// How many brackets of an attribute are open.
    n_attribute_brackets: i32,
    /// How many brackets are open since a public enum began; none outside of one.
    n_enum_brackets: Option<i32>,
}

impl Scanner {
    fn is_undocumented(&mut self, text: &str, code: &str) -> bool {
        let (text, code) = (text.trim(), code.trim());
        // A macro hands the doc comment through as `$(#[$doc])*`.
        if text.starts_with("///") || text.starts_with("#[doc") || text.starts_with("$(#[$doc") {
            self.is_documented = true;
            return false;
        }
        if self.n_attribute_brackets > 0 || code.starts_with("#[") {
            self.n_attribute_brackets += n_opened(code);
            return false;
        }
        let is_variant = self.n_enum_brackets == Some(1) && code.starts_with(|it: char| it.is_uppercase());
        let is_finding = (is_variant || is_public_item(code)) && !self.is_documented;
        self.is_documented = false;
        self.follow_enum(code);
        is_finding
    }

    fn follow_enum(&mut self, code: &str) {
        if code.starts_with("pub enum ") {
            self.n_enum_brackets = Some(0);
        }
        let n_open = self.n_enum_brackets.map(|it| it + n_opened(code));
        self.n_enum_brackets = n_open.filter(|it| *it > 0);
    }
}

fn is_public_item(code: &str) -> bool {
    let item = code.strip_prefix("pub ").and_then(|it| it.split_whitespace().next());
    item.is_some_and(|it| ITEMS.contains(&it) || it == "unsafe")
}

/// How many more brackets a line opens than it closes.
fn n_opened(code: &str) -> i32 {
    code.chars()
        .map(|it| match it {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        })
        .sum()
}

#[test]
fn undocumented_items_are_found() {
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let source = Source { path: "a.rs".into(), text: text.into() };
        assert_eq!(find_undocumented(&source), expected);
    }
    check("/// Says.\n#[derive(\n  Clone,\n)]\npub struct A;\npub(crate) fn b() {}", &[]);
    check("/// Says.\n\npub fn a() {}\n", &["a.rs:3: pub fn a() {}"]);
    check("/// Is.\npub enum A {\n  /// Is.\n  B { c: u8 },\n  D(E),\n}", &["a.rs:5: D(E),"]);
    check("/// Is.\npub enum A {\n  /// Is.\n  B {\n    /// Is.\n    C: u8,\n  },\n}\nA::b();", &[]);
    check("/// Is.\npub struct A {\n  pub field: u8,\n}\npub use b;", &[]);
}
