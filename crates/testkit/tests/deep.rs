//! However deep rules nest, loading, playing and explaining them takes a bounded stack: what is too deep is refused with
//! its place, or stopped by a limit. Everything here runs on the stack a wasm machine has.

use std::fmt::Write as _;

use compiler::library::{Library as _, Memory};
use engine::{EntityId, Setup};
use host::{Question, RuledMatch, Viewer};
use ruleset::{AttrId, DefId};
use testkit::{deep, games, hostile};

/// The stack of a wasm machine. What is compiled for tests takes about twice as much as what is compiled for release.
const STACK: usize = 1 << 20;

/// Runs something on a small stack; if that overflows, the test process ends.
fn on_a_small_stack<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(act).expect("a thread can be started; qed");
    thread.join().expect("nothing panics")
}

#[test]
fn whatever_nests_is_refused_or_plays_on_a_small_stack() {
    for case in deep::cases() {
        let (name, becomes) = (case.name, case.becomes);
        assert_eq!(on_a_small_stack(move || hostile::outcome(&case.text)), becomes, "{name}");
    }
}

#[test]
fn what_is_too_deep_or_too_much_is_refused_at_the_place_of_its_use() {
    for case in deep::cases().into_iter().filter(|it| it.becomes.starts_with("ruleset/too_")) {
        let name = case.name;
        let found = on_a_small_stack(move || games::compile(&case.text).err().unwrap_or_default());
        let first = found.first().unwrap_or_else(|| panic!("{name} is refused"));
        assert_eq!(first.file, "scenario.json", "{name}");
        assert!(first.line > 1 && first.column > 1, "{name}: {}:{}", first.line, first.column);
    }
}

#[test]
fn documents_that_include_each_other_too_deep_are_refused_at_the_place_that_includes() {
    let found = on_a_small_stack(|| {
        let chain = (0..5000).fold(Memory::default(), |acc, i| {
            acc.with(&format!("d{i}"), &format!("{{\n  \"include\": [\"d{}\"]\n}}", i + 1))
        });
        assert!(chain.load("d4999").is_some());
        compiler::compile("d0", &chain).err().unwrap_or_default()
    });
    let first = found.first().expect("it is refused");
    assert_eq!((first.code, first.file.as_str(), first.line), ("link/too_deep", "d31.json", 2));
}

/// A game with so many events, each of which rules answer with the next.
fn answering(n: usize, answers: usize) -> String {
    let (mut events, mut reactions) = (String::new(), String::new());
    for i in 0..n {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(events, r#"{comma}{{"id":"E{i}","fields":{{}}}}"#);
        for j in 0..answers {
            let comma = if i + j > 0 { "," } else { "" };
            let next = format!("e{}", (i + 1) % n);
            let _ = write!(
                reactions,
                r#"{comma}{{"id":"r{i}x{j}","timing":"after","when":{{"eventType":"E{i}"}},"effects":[{{"op":"{next}"}}]}}"#
            );
        }
    }
    format!(
        r#"{{ "include": ["std"], "events": [{events}], "reactions": [{reactions}],
             "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "act" }}] }}] }},
             "actions": [{{ "id": "go", "timing": "instant", "effects": [{{ "op": "e0" }}] }}] }}"#
    )
}

// Two answers to each of 300 events make 2^300 ways around.
#[test]
fn reactions_that_set_each_other_off_in_a_long_circle_are_found_on_a_small_stack() {
    let found = on_a_small_stack(|| {
        let ruleset = games::parse(&answering(300, 2));
        ruleset::lint::lint(ruleset.program())
    });
    let circles: Vec<_> = found.iter().filter(|it| it.code == "ruleset/trigger_loop").collect();
    assert!(!circles.is_empty(), "{found:?}");
    assert!(
        circles[0].message.contains("r0x0 > ") && circles[0].message.ends_with(" > r0x0"),
        "{}",
        circles[0].message
    );
}

/// Asks a match why `go` is not legal, and what made the numbers of its first card.
fn explained(text: &str) -> String {
    let ruleset = games::parse(text);
    let n = usize::from(ruleset.program().players.min);
    let setup = Setup { seed: [7; 32], decks: vec![vec![DefId(0); 8]; n] };
    let hosted = RuledMatch::start(&ruleset, setup).expect("the decks are legal; qed");
    let question = Question::WhyNot { action: "go".to_owned(), targets: vec![], player: Some("p1".to_owned()) };
    let told = hosted.explain(Viewer::Judge, &question).expect("a judge may ask; qed");
    for attr in 0..ruleset.program().attrs.len() {
        let _ = hosted.live().explain_value(EntityId::at(n), AttrId::at(attr));
    }
    serde_json::to_string(&told).expect("an explanation can be written; qed")
}

#[test]
fn explanations_of_deep_rules_can_be_told_and_read_on_a_small_stack() {
    for case in deep::cases().into_iter().filter(|it| !it.becomes.contains('/')) {
        let name = case.name;
        on_a_small_stack(move || {
            let told = explained(&case.text);
            let read: Result<serde_json::Value, _> = serde_json::from_str(&told);
            assert!(read.is_ok(), "{name}: what is told cannot be read: {read:?}");
        });
    }
}
