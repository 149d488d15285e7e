//! No pot is lost: a ruleset says what becomes of it at every end the game can come to, or it is refused.

use compiler::{compile, library::Memory};

/// A game for a stake that ends in three ways: always without a winner, perhaps with one, and by an event.
fn game(stakes: &str) -> String {
    format!(
        r#"{{
  "players": {{ "min": 2, "max": 2 }},
  "turnStructure": {{ "phases": [{{ "id": "play", "steps": [{{ "id": "act" }}] }}] }},
  "events": [{{ "id": "GiveUp", "fields": {{ "player": "player" }}, "apply": [{{ "op": "end_game", "winners": {{ "players": "opponent" }}, "reason": "resigned" }}] }}],
  "actions": [{{ "id": "resign", "effects": [{{ "op": "give_up", "player": {{ "ref": "you" }} }}] }}],
  "endConditions": [
    {{ "id": "time", "when": {{ "op": "gt", "a": {{ "ref": "turn" }}, "b": 20 }} }},
    {{ "id": "first", "when": {{ "op": "gt", "a": {{ "ref": "turn" }}, "b": 30 }}, "winners": {{ "players": "all" }} }}
  ],
  "policy": {{ "stakes": {stakes} }}
}}"#
    )
}

/// The mistakes in a game for these stakes, as `code: message`.
#[track_caller]
fn check(stakes: &str, expected: &[&str]) {
    let found = compile("game", &Memory::default().with("game", &game(stakes))).err().unwrap_or_default();
    let shown: Vec<String> = found.iter().map(|it| format!("{}: {}", it.code, it.message)).collect();
    assert_eq!(shown, expected, "{}", compiler::render(&found));
}

const WHOLE: &str = r#"{ "entry": 1, "endings": {
  "time": { "nobody": "refund" },
  "first": { "won": "winner", "nobody": "burn" },
  "resigned": { "won": "winner", "nobody": "refund" } } }"#;

#[test]
fn stakes_that_settle_every_ending_are_sound() {
    check(WHOLE, &[]);
    check(&WHOLE.replace("\"winner\"", "\"burn\""), &[]);
}

#[test]
fn an_ending_nobody_thought_of_is_found() {
    let without = WHOLE.replace(r#""time": { "nobody": "refund" },"#, "");
    let message = "nothing says what becomes of the pot when the game ends for `time` and nobody wins";
    check(&without, &[&format!("ruleset/unsettled_pot: {message}")]);
}

#[test]
fn an_ending_that_can_be_won_must_say_so_and_one_that_cannot_need_not() {
    let without =
        WHOLE.replace(r#""first": { "won": "winner", "nobody": "burn" }"#, r#""first": { "nobody": "burn" }"#);
    let message = "nothing says what becomes of the pot when the game ends for `first` and somebody wins";
    check(&without, &[&format!("ruleset/unsettled_pot: {message}")]);
}

#[test]
fn an_ending_that_can_be_won_need_not_be() {
    let without = WHOLE.replace(r#""first": { "won": "winner", "nobody": "burn" }"#, r#""first": { "won": "winner" }"#);
    let message = "nothing says what becomes of the pot when the game ends for `first` and nobody wins";
    check(&without, &[&format!("ruleset/unsettled_pot: {message}")]);
}

#[test]
fn a_pot_that_nobody_won_cannot_go_to_a_winner() {
    let nowhere = WHOLE.replace(r#""time": { "nobody": "refund" }"#, r#""time": { "nobody": "winner" }"#);
    check(&nowhere, &["ruleset/unsettled_pot: where nobody wins, nobody can get the pot: time"]);
}

#[test]
fn a_reason_the_game_does_not_end_for_is_a_mistake_and_those_of_every_game_are_not() {
    let other = WHOLE.replace(r#""time": {"#, r#""last_standing": { "won": "burn", "nobody": "burn" }, "time": {"#);
    check(&other, &[]);
    let typo = WHOLE.replace(r#""time": {"#, r#""tiem": { "nobody": "refund" }, "time": {"#);
    check(&typo, &["ruleset/unknown_name: the game does not end for this reason: tiem"]);
}

#[test]
fn nobody_is_paid_for_playing() {
    for entry in ["-1", "0", "1000000001"] {
        let message = format!("ruleset/out_of_range: entry must be between 1 and 1000000000: {entry}");
        check(&WHOLE.replace(r#""entry": 1"#, &format!(r#""entry": {entry}"#)), &[&message]);
    }
}
