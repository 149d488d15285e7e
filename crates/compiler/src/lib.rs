//! From JSON documents to a checked ruleset: reads, links, checks, and says what is wrong, where, and what to write instead.
//!
//! ```
//! use compiler::{compile, library::Memory};
//!
//! let library = Memory::default().with("nim", r#"{
//!     "id": "nim",
//!     "resources": [{ "id": "stones", "start": 5 }],
//!     "turnStructure": { "phases": [{ "id": "play", "steps": [{ "id": "take" }] }] },
//!     "events": [{ "id": "Take", "fields": { "player": "player" },
//!                  "apply": [{ "op": "change_attribute", "target": "player", "attribute": "stones", "by": -1 }] }],
//!     "actions": [{ "id": "take_one", "effects": [{ "op": "take" }] }],
//!     "endConditions": [{ "id": "empty", "when": { "op": "eq", "a": { "ref": "active_player.stones" }, "b": 0 },
//!                         "winners": "active_player" }]
//! }"#);
//! let ruleset = compile("nim", &library).unwrap();
//! assert_eq!(ruleset.program().text.id, "nim");
//!
//! let wrong = Memory::default().with("nim", r#"{ "zonez": [] }"#);
//! let mistakes = compile("nim", &wrong).unwrap_err();
//! assert_eq!(mistakes[0].code, "ruleset/unknown_key");
//! assert_eq!(mistakes[0].hint.as_deref(), Some("did you mean `zones`?"));
//! ```

pub mod check;
pub mod diagnostic;
pub mod library;
mod link;
mod read;
pub mod reference;
pub mod schema;

use ruleset::{RawRuleset, Ruleset, Term, Violation, term::Place};

pub use check::{Checked, check};
pub use diagnostic::{Diagnostic, Severity, render};
pub use library::Library;

use diagnostic::nearest;
use link::Linker;
use read::Sources;

/// How many mistakes are listed; whoever has more does not read them.
const MISTAKES_MAX: usize = 1000;

/// How many words are listed that could stand somewhere; more are looked up in the reference.
const OPTIONS_MAX: usize = 48;

/// Compiles a ruleset by its name in a library; either all of it is right, or every mistake is listed.
pub fn compile(name: &str, library: &dyn Library) -> Result<Ruleset, Vec<Diagnostic>> {
    let mut linker = Linker::new(library);
    linker.include(name, None);
    let (root, sources, problems) = linker.finish();
    // What could not be read or linked would only be reported again, as names nobody declared.
    if !problems.is_empty() {
        return Err(problems);
    }
    Ruleset::check(RawRuleset::new(root)).map_err(|it| explain_all(&sources, it))
}

/// All mistakes with their places, as many as anybody reads.
fn explain_all(sources: &Sources, violations: Vec<Violation>) -> Vec<Diagnostic> {
    let more = violations.len().saturating_sub(MISTAKES_MAX);
    let mut problems: Vec<Diagnostic> =
        violations.into_iter().take(MISTAKES_MAX).map(|it| explain(sources, it)).collect();
    if more > 0 {
        let message = format!("and {more} more; mend these first");
        problems.push(sources.diagnostic(Place(0), "ruleset/more_mistakes", message));
    }
    problems
}

/// Puts a document and all it includes together, without checking what it says.
pub fn link_document(name: &str, library: &dyn Library) -> Result<Term, Vec<Diagnostic>> {
    let mut linker = Linker::new(library);
    linker.include(name, None);
    let (root, _, problems) = linker.finish();
    if problems.is_empty() { Ok(root) } else { Err(problems) }
}

fn explain(sources: &Sources, violation: Violation) -> Diagnostic {
    let mut found = sources.diagnostic(violation.place, violation.code.as_str(), violation.message);
    found.hint = violation
        .found
        .as_deref()
        .and_then(|it| nearest(it, &violation.options))
        .map(|it| format!("did you mean `{it}`?"));
    if found.hint.is_none() && !violation.options.is_empty() && violation.options.len() <= OPTIONS_MAX {
        found.hint = Some(format!("known here: {}", violation.options.join(", ")));
    }
    found.hint = found.hint.or_else(|| violation.advice.map(str::to_owned));
    found
}
