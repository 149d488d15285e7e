//! The terminal of duels: empty slots at first, drafts only by what is typed, cards only from the server.

use client::duel::{Screen, Typed};
use serde_json::{Value, json};

fn prep(hand: &[&str]) -> Value {
    json!({ "type": "prep_start", "matchId": "m", "roundIndex": 1, "yourHp": 10, "oppHp": 9, "slots": 3,
        "oppNickname": "Bob", "deadlineTs": 20_000, "yourHand": hand })
}

/// A player who was dealt a hand.
fn dealt(hand: &[&str]) -> Screen {
    let mut screen = Screen::default();
    screen.hear(&json!({ "type": "match_found", "matchId": "m", "oppNickname": "Bob", "pot": 2 }));
    screen.hear(&prep(hand));
    screen
}

#[track_caller]
fn check(screen: &mut Screen, line: &str, expected: Result<Value, &str>) {
    let expected = expected.map_or_else(|it| Typed::Show(it.to_owned()), Typed::Send);
    assert_eq!(screen.read(line), expected, "{line}");
}

fn layout(kind: &str, slots: [Option<&str>; 3]) -> Result<Value, &'static str> {
    Ok(json!({ "type": kind, "matchId": "m", "layout": slots }))
}

#[test]
fn a_round_begins_with_empty_slots_and_says_nothing_by_itself() {
    let mut screen = dealt(&["rock", "paper"]);
    check(&mut screen, "lay 1 rock", layout("layout_draft", [Some("rock"), None, None]));
    let lines = screen.hear(&prep(&["rock", "paper"]));
    assert_eq!(lines, ["round 1: you 10, Bob 9", "your hand: rock, paper", "your layout: - - -"]);
    check(&mut screen, "go", layout("layout_confirm", [None, None, None]));
}

#[test]
fn only_cards_of_the_hand_are_laid_and_only_as_often_as_it_has_them() {
    let mut screen = dealt(&["rock", "rock", "paper"]);
    check(&mut screen, "lay 1 rock", layout("layout_draft", [Some("rock"), None, None]));
    check(&mut screen, "lay 2 rock", layout("layout_draft", [Some("rock"), Some("rock"), None]));
    check(&mut screen, "lay 3 rock", Err("you have no more rock: it lies in slots 1 and 2 already"));
    check(&mut screen, "lay 3 dragon", Err("you have no dragon; your hand: rock, rock, paper"));
    check(&mut screen, "lay 4 paper", Err("there is no slot 4; there are 3"));
    check(&mut screen, "lay first paper", Err("there is no slot first; there are 3"));
    check(&mut screen, "lay 1 rock", layout("layout_draft", [Some("rock"), Some("rock"), None]));
    check(&mut screen, "take 1", layout("layout_draft", [None, Some("rock"), None]));
    check(&mut screen, "lay 3 paper", layout("layout_draft", [None, Some("rock"), Some("paper")]));
    check(&mut screen, "lay 1 paper", Err("you have no more paper: it lies in slot 3 already"));
}

#[test]
fn what_cannot_be_laid_is_not_laid_and_the_reason_is_said() {
    let mut screen = Screen::default();
    check(&mut screen, "lay 1 rock", Err("you play no match"));
    let mut screen = dealt(&["rock"]);
    screen.hear(&json!({ "type": "confirm_ok", "matchId": "m", "roundIndex": 1 }));
    for line in ["lay 1 rock", "take 2", "go"] {
        check(&mut screen, line, Err("your layout is confirmed, and final"));
    }
    screen.hear(&prep(&["rock"]));
    check(&mut screen, "lay 1 rock", layout("layout_draft", [Some("rock"), None, None]));
}

#[test]
fn who_does_not_wait_cannot_leave_the_line() {
    let leave = Ok(json!({ "type": "queue_leave" }));
    let outside = Err("you do not wait for another player");
    let mut screen = Screen::default();
    check(&mut screen, "leave", outside.clone());
    check(&mut screen, "queue", Ok(json!({ "type": "queue_join" })));
    check(&mut screen, "leave", leave.clone());
    screen.hear(&json!({ "type": "queue_left" }));
    check(&mut screen, "leave", outside.clone());
    screen.hear(&json!({ "type": "queue_ok", "tokens": 9 }));
    check(&mut screen, "leave", leave.clone());
    screen.hear(&json!({ "type": "error_msg", "code": "already_queued", "message": "you wait" }));
    check(&mut screen, "leave", leave.clone());
    screen.hear(&json!({ "type": "error_msg", "code": "not_enough_tokens", "message": "you are poor" }));
    check(&mut screen, "leave", outside.clone());
    screen.hear(&json!({ "type": "sync_state", "phase": "QUEUED" }));
    check(&mut screen, "leave", leave);
    screen.hear(&json!({ "type": "match_found", "matchId": "m", "oppNickname": "Bob", "pot": 2 }));
    check(&mut screen, "leave", outside);
}

#[test]
fn who_quits_a_match_is_warned_of_what_it_costs() {
    assert_eq!(Screen::default().read("quit"), Typed::Quit, "outside a match nothing is lost");
    let mut screen = dealt(&["rock"]);
    let warning = "this gives up the match and your stake; type quit once more to do it";
    check(&mut screen, "quit", Err(warning));
    check(&mut screen, "lay 1 rock", layout("layout_draft", [Some("rock"), None, None]));
    check(&mut screen, "quit", Err(warning));
    assert_eq!(screen.read("quit"), Typed::Quit);
    screen.hear(&json!({ "type": "match_found", "matchId": "h", "oppNickname": "house", "pot": 0 }));
    check(&mut screen, "quit", Err("this gives up the match; type quit once more to do it"));
}

#[test]
fn after_a_break_the_screen_is_as_the_server_says() {
    let mut screen = Screen::default();
    let state = json!({ "type": "sync_state", "phase": "PREP", "matchId": "m", "roundIndex": 2, "yourHp": 5, "oppHp": 6,
        "oppNickname": "Bob", "slots": 3, "yourHand": ["rock"], "draft": [null, "rock", null], "confirmed": null,
        "steps": [{ "yourCard": "rock", "oppCard": null, "yourHp": 5, "oppHp": 6 }] });
    let shown = "  you show rock, Bob shows nothing: you 5, Bob 6";
    let expected = ["PREP of round 2: you 5, Bob 6", shown, "your hand: rock", "your layout: - rock -"];
    assert_eq!(screen.hear(&state), expected);
    check(&mut screen, "go", layout("layout_confirm", [None, Some("rock"), None]));
}

#[test]
fn a_match_is_told_in_lines() {
    let mut screen = dealt(&["rock"]);
    let step = json!({ "type": "step_reveal", "yourCard": "rock", "oppCard": null, "yourHp": 10, "oppHp": 8 });
    assert_eq!(screen.hear(&step), ["  you show rock, Bob shows nothing: you 10, Bob 8"]);
    let end = json!({ "type": "match_end", "winner": "YOU", "reason": "normal", "yourHp": 10, "oppHp": 0,
        "yourTokens": 11, "pot": "paid" });
    let expected = "you won (normal): you 10, Bob 0; the pot: paid; you have 11 tokens";
    assert_eq!(screen.hear(&end), [expected, "type queue to play again"]);
    check(&mut screen, "go", Err("you play no match"));
}

#[test]
fn the_clock_is_told_at_the_beginning_and_when_little_time_is_left() {
    let mut screen = dealt(&["rock"]);
    let left = |it: i64| Some(format!("{it} seconds left to lay your cards"));
    let told: Vec<Option<String>> =
        [0, 500, 9000, 10_000, 10_500, 15_500, 18_500, 19_900].map(|it| screen.tick(it)).into();
    assert_eq!(told, [left(20), None, None, left(10), None, left(5), left(2), None]);
    screen.hear(&prep(&["rock"]));
    screen.hear(&json!({ "type": "confirm_ok", "matchId": "m", "roundIndex": 1 }));
    assert_eq!(screen.tick(0), None, "whoever has laid his cards is not pressed");
}
