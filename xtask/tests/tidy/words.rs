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
    let findings = words_of_games(&["crates/engine/src", "crates/ruleset/src"], &[]);
    expect_none("words of a game in the engine (they belong to rulesets)", findings);
}

#[test]
fn server_and_store_know_no_game() {
    // A log can be damaged, too, and a listener be tapped.
    let findings = words_of_games(&["crates/server/src", "crates/storage/src"], &["damage", "damaged", "tap"]);
    expect_none("words of a game in the server (they belong to rulesets)", findings);
}

/// The words of games in the sources of some folders, but for some that mean something else there.
fn words_of_games(folders: &[&str], but: &[&str]) -> Vec<String> {
    let is_one = |part: &String| is_game_word(part) && !but.contains(&part.as_str());
    let sources = folders.iter().flat_map(|it| read_rust(it));
    let found = sources.flat_map(|source| {
        let words = lexer::identifiers(&source.text).filter(|(_, it)| parts(it).iter().any(is_one));
        words.map(|(line, word)| format!("{}:{line}: {word}", source.path)).collect::<Vec<_>>()
    });
    found.collect()
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
        assert_eq!(parts(identifier).iter().any(|it| is_game_word(it)), expected, "{identifier}");
    }
    for word in ["damage", "deal_damage", "DealDamage", "DRAW_MAX", "isTapped", "mana2", "drawn"] {
        check(word, true);
    }
    for word in ["map", "tape", "staple", "manage", "withdraw", "redraw", "metadata", "tapir"] {
        check(word, false);
    }
}
