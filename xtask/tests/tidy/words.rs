//! The engine has no word for what a game is about; such words belong to rulesets.

use crate::sources::read_rust;
use crate::{expect_none, lexer};

/// What must not be named, in every form it takes. A tied game is a tie.
const GAME_WORDS: [&str; 24] = [
    "attack",
    "attacks",
    "attacked",
    "attacker",
    "attackers",
    "attacking", //
    "damage",
    "damages",
    "damaged",
    "damaging", //
    "draw",
    "draws",
    "drawn",
    "drawing",
    "drew", //
    "mana",
    "manas", //
    "tap",
    "taps",
    "tapped",
    "tapping",
    "untap",
    "untaps",
    "untapped",
];

#[test]
fn engine_and_ruleset_know_no_game() {
    let sources = ["crates/engine/src", "crates/ruleset/src"].map(read_rust);
    let findings = sources.iter().flatten().flat_map(|source| {
        let words = lexer::identifiers(&source.text);
        let words = words.filter(|(_, it)| parts(it).iter().any(|it| is_game_word(it)));
        words.map(|(line, word)| format!("{}:{line}: {word}", source.path))
    });
    expect_none(
        "words of a game in the engine (they belong to rulesets)",
        findings,
    );
}

fn is_game_word(part: &str) -> bool {
    GAME_WORDS.contains(&part)
}

/// Splits an identifier at underscores, digits and capitals, in lower case.
fn parts(identifier: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for it in identifier.chars() {
        if !it.is_alphabetic() || (it.is_uppercase() && was_lower) {
            parts.push(String::new());
        }
        was_lower = it.is_lowercase();
        if let (Some(part), true) = (parts.last_mut(), it.is_alphabetic()) {
            part.extend(it.to_lowercase());
        }
    }
    parts
}

#[test]
fn words_are_found_inside_identifiers_but_not_inside_words() {
    #[track_caller]
    fn check(identifier: &str, expected: bool) {
        assert_eq!(
            parts(identifier).iter().any(|it| is_game_word(it)),
            expected,
            "{identifier}"
        );
    }
    for word in [
        "damage",
        "deal_damage",
        "DealDamage",
        "DRAW_MAX",
        "isTapped",
        "mana2",
        "drawn",
    ] {
        check(word, true);
    }
    for word in [
        "map", "tape", "staple", "manage", "withdraw", "redraw", "metadata", "tapir",
    ] {
        check(word, false);
    }
}
