//! Every finding of the checker has a planted fault that it finds, and a near miss on which it stays silent.

use std::sync::Arc;

use compiler::{
    check,
    library::{Both, Folders, Memory},
};
use host::trial::{Effort, Replay, trial};
use testkit::games;

/// A game with nothing odd about it.
const SOUND: &str = r#"{
  "include": ["std"],
  "cardTypes": [{ "id": "unit" }],
  "attributes": [{ "id": "health", "on": ["card", "player"], "start": 3 }],
  "resources": [{ "id": "gold", "start": 5, "max": 5 }],
  "cards": [{ "id": "ant", "type": "unit", "attributes": { "health": 1 } } /*CARDS*/],
  "decks": [{ "id": "starter", "cards": { "ant": 4 } }],
  "setup": [{ "op": "for_each", "in": { "players": "all" }, "as": "player", "do": [{ "op": "draw", "player": "player", "count": 2 }] }],
  "turnStructure": { "phases": [{ "id": "play", "steps": [{ "id": "act" /*ACT*/ }, { "id": "late" }] } /*PHASES*/], "priorityWindows": [{ "phase": "play", "step": "act" }] },
  "actions": [
    { "id": "poke", "timing": "instant", "effects": [{ "op": "deal_damage", "target": "opponent", "amount": 1 } /*POKE*/] },
    { "id": "deploy", "timing": "instant", "targets": [{ "id": "card", "selector": { "zone": "hand", "controller": "self", "count": 1 } }], "effects": [{ "op": "move_card", "card": "card", "to": "battlefield" }] }
    /*ACTIONS*/
  ],
  "events": [{ "id": "Ping", "fields": {} }, { "id": "Finish", "preventable": false, "apply": [{ "op": "end_game", "reason": "done" }] }],
  "stateChecks": [{ "id": "fallen", "forEach": { "players": "all", "where": { "op": "le", "a": { "ref": "it.health" }, "b": 0 } }, "emit": [{ "op": "lose_game", "player": "it" }] }]
  /*MORE*/
}"#;

/// The sound game with a piece put in at a mark.
fn with(mark: &str, piece: &str) -> String {
    let marks = ["CARDS", "ACT", "PHASES", "POKE", "ACTIONS", "MORE"];
    let text = SOUND.replace(&format!("/*{mark}*/"), piece);
    marks.iter().fold(text, |acc, it| acc.replace(&format!("/*{it}*/"), ""))
}

/// The codes a whole check finds, static ones first.
fn findings(text: &str) -> Vec<&'static str> {
    let memory = Memory::default().with("game", text);
    let checked = check("game", &Both(&memory, &Folders::new([games::folder()])))
        .unwrap_or_else(|it| panic!("{}", compiler::render(&it)));
    let mut found: Vec<&'static str> = checked.warnings.iter().map(|it| it.code).collect();
    let ruleset = Arc::new(checked.ruleset);
    for finding in trial(&ruleset, Effort::games(8), |_| {}) {
        found.push(finding.code);
        if let Some(replay) = &finding.replay {
            let again = Replay::from_hex(replay.seed, replay.seats, &replay.to_hex());
            assert_eq!(again.as_ref(), Some(replay));
            assert!(finding.code == "play/no_start" || replay.run(&ruleset).is_some(), "the replay shows it again");
        }
    }
    found.dedup();
    found
}

#[track_caller]
fn check_pair(code: &str, planted: &str, near_miss: &str) {
    let found = findings(planted);
    assert!(found.contains(&code), "{code} is not found, but {found:?}");
    let found = findings(near_miss);
    assert!(!found.contains(&code), "{code} is found where it is not: {found:?}");
}

#[test]
fn a_sound_game_is_silent() {
    assert_eq!(findings(&with("", "")), [] as [&str; 0]);
}

#[test]
fn all_games_are_silent() {
    for name in games::playable() {
        let checked = check(&name, &Folders::new([games::folder()])).expect("the games are sound; qed");
        assert_eq!(checked.warnings, [], "{name}");
        let found = trial(&Arc::new(checked.ruleset), Effort::games(20), |_| {});
        assert_eq!(found, [], "{name}");
    }
}

#[test]
fn loops_are_found() {
    let rule = |timing: &str, does: &str, more: &str| {
        with(
            "MORE",
            &format!(
                r#", "reactions": [{{ "id": "echo", "timing": "{timing}", {more} "when": {{ "eventType": "Ping" }}, "effects": [{does}] }}]"#
            ),
        )
    };
    let ping = r#"{ "op": "ping" }"#;
    check_pair(
        "ruleset/before_loop",
        &rule("before", ping, ""),
        &rule("before", ping, r#""limiters": { "oncePerTurn": true },"#),
    );
    let maybe = r#"{ "op": "if", "when": { "op": "gt", "a": { "ref": "turn" }, "b": 3 }, "then": [{ "op": "ping" }] }"#;
    check_pair("ruleset/trigger_loop", &rule("after", ping, ""), &rule("after", maybe, ""));
}

#[test]
fn what_nobody_reaches_pays_or_uses_is_found() {
    check_pair(
        "ruleset/unreachable_phase",
        &with("PHASES", r#", { "id": "empty", "steps": [] }"#),
        &with("PHASES", r#", { "id": "full", "steps": [{ "id": "more" }] }"#),
    );
    let finish = |when: &str| with("ACT", &format!(r#", "onStart": [{when}]"#));
    check_pair(
        "ruleset/unreachable_step",
        &finish(r#"{ "op": "finish" }"#),
        &finish(
            r#"{ "op": "if", "when": { "op": "gt", "a": { "ref": "turn" }, "b": 9 }, "then": [{ "op": "finish" }] }"#,
        ),
    );
    let action =
        |rest: &str| with("ACTIONS", &format!(r#", {{ "id": "buy", "timing": "instant", {rest}, "effects": [] }}"#));
    let step = |it: &str| {
        action(&format!(r#""preconditions": [{{ "op": "phase_allows", "phase": "play", "step": "{it}" }}]"#))
    };
    check_pair("ruleset/unreachable_action", &step("late"), &step("act"));
    let pay = |n: &str| action(&format!(r#""costs": [{{ "op": "pay_resource", "resource": "gold", "amount": {n} }}]"#));
    check_pair("ruleset/unpayable_cost", &pay("6"), &pay("5"));
    let token = |more: &str| with("CARDS", &format!(r#", {{ "id": "rat", "type": "unit", "token": true }}{more}"#));
    check_pair("ruleset/unreachable_card", &token(""), &with("CARDS", r#", { "id": "rat", "type": "unit", "token": true }, { "id": "piper", "type": "unit", "abilities": [{ "id": "Call", "effects": [{ "op": "create_card", "of": "rat", "to": "hand" }] }] }"#).replace(r#""ant": 4"#, r#""ant": 4, "piper": 1"#));
    let define = |used: &str| {
        with(
            "MORE",
            &format!(
                r#", "define": [{{ "id": "is_late", "kind": "condition", "body": {{ "op": "gt", "a": {{ "ref": "turn" }}, "b": 5 }} }}] {used}"#
            ),
        )
    };
    check_pair(
        "ruleset/unused_definition",
        &define(""),
        &define(r#", "endConditions": [{ "id": "late", "when": { "op": "is_late" } }]"#),
    );
}

#[test]
fn games_without_decisions_or_ends_and_blind_choices_are_found() {
    let still = r#"{ "turnStructure": { "phases": [{ "id": "p", "steps": [{ "id": "s" }] }] } }"#;
    let asked = r#"{ "turnStructure": { "phases": [{ "id": "p", "steps": [{ "id": "s" }] }] }, "actions": [{ "id": "a", "timing": "instant", "effects": [] }] }"#;
    check_pair("ruleset/no_decision", still, asked);
    let ended = r#"{ "turnStructure": { "phases": [{ "id": "p", "steps": [{ "id": "s" }] }] }, "endConditions": [{ "id": "late", "when": { "op": "gt", "a": { "ref": "turn" }, "b": 5 } }], "actions": [{ "id": "a", "timing": "instant", "effects": [] }] }"#;
    check_pair("ruleset/no_end", asked, ended);
    let pick = |zone: &str, show: &str| {
        with(
            "POKE",
            &format!(
                r#"{show}, {{ "op": "ask", "choices": {{ "zone": "{zone}", "owner": "self" }}, "optional": true, "as": "x" }}"#
            ),
        )
    };
    let asks = |rule: &str| {
        with(
            "MORE",
            &format!(
                r#", "reactions": [{{ "id": "peek", "when": {{ "eventType": "TurnStart" }}, "effects": [{rule}] }}]"#
            ),
        )
    };
    let blind = r#"{ "op": "ask", "choices": { "zone": "deck", "owner": "self" }, "optional": true, "as": "x" }"#;
    let shown = r#"{ "op": "look_at_top", "player": "active_player", "count": 9 }, { "op": "ask", "choices": { "zone": "deck", "owner": "self" }, "optional": true, "as": "x" }"#;
    check_pair("ruleset/hidden_choice", &asks(blind), &asks(shown));
    assert!(!findings(&pick("battlefield", "")).contains(&"ruleset/hidden_choice"));
}

#[test]
fn play_tries_every_number_of_seats_and_players_who_leave_or_fall_silent() {
    let seats = |max: u8, when: &str| {
        let players = format!(
            r#", "players": {{ "min": 2, "max": {max} }}, "reactions": [{{ "id": "jam", "when": {{ "eventType": "TurnStart" }}, "conditions": [{when}], "effects": [{{ "op": "repeat", "times": 5000, "do": [{{ "op": "ping" }}] }}] }}]"#
        );
        with("MORE", &players)
    };
    let three = r#"{ "op": "eq", "a": { "op": "count", "of": { "players": "all" } }, "b": 3 }"#;
    check_pair("play/limit_hit", &seats(4, three), &seats(2, three));
    let reaction = |event: &str| {
        let rule = format!(
            r#", "reactions": [{{ "id": "jam", "when": {event}, "effects": [{{ "op": "repeat", "times": 5000, "do": [{{ "op": "ping" }}] }}] }}]"#
        );
        with("MORE", &rule)
            .replace(r#""include": ["std"],"#, r#""include": ["std"], "players": { "min": 3, "max": 3 },"#)
    };
    let left = r#"{ "eventType": "ControlUsed", "filters": { "verb": VERB } }"#;
    for (verb, number) in [("concede", "0"), ("disconnect", "3"), ("reconnect", "4")] {
        let jammed = findings(&reaction(&left.replace("VERB", number)));
        assert!(jammed.contains(&"play/limit_hit"), "nobody did this: {verb}: {jammed:?}");
    }
    let moderated = findings(&reaction(&left.replace("VERB", "9")));
    assert!(!moderated.contains(&"play/limit_hit"), "no moderator is there to put somebody out: {moderated:?}");
    let asks = with(
        "MORE",
        r#", "reactions": [
        { "id": "hurry", "when": { "eventType": "TurnStart" }, "effects": [{ "op": "ask", "player": "active_player", "choices": { "op": "range", "from": 1, "to": 9 }, "deadlineMs": 10, "as": "n" }] },
        { "id": "jam", "when": { "eventType": "ControlUsed", "filters": { "verb": 1 } }, "effects": [{ "op": "repeat", "times": 5000, "do": [{ "op": "ping" }] }] }]"#,
    );
    assert!(findings(&asks).contains(&"play/limit_hit"), "nobody was silent until the clock ran out");
}

#[test]
fn what_only_play_shows_is_found_with_a_replay() {
    let loops = |n: &str| with("POKE", &format!(r#", {{ "op": "repeat", "times": {n}, "do": [{{ "op": "ping" }}] }}"#));
    check_pair("play/limit_hit", &loops("5000"), &loops("50"));
    let stuck = with("", "").replace(r#""amount": 1 }"#, r#""amount": 0 }"#);
    check_pair("play/endless", &stuck, &with("", ""));
    let once = with("", "").replace(
        r#"{ "id": "poke", "timing": "instant","#,
        r#"{ "id": "poke", "timing": "instant", "preconditions": [{ "op": "lt", "a": { "ref": "turn" }, "b": 2 }],"#,
    );
    check_pair("play/freeze", &once, &with("", ""));
    let action = |when: &str| {
        with(
            "ACTIONS",
            &format!(r#", {{ "id": "dream", "timing": "instant", "preconditions": [{when}], "effects": [] }}"#),
        )
    };
    let never = r#"{ "op": "exists", "of": { "zone": "exile" } }"#;
    check_pair("play/action_never_legal", &action(never), &action("true"));
    let card = |n: u32| {
        with("CARDS", r#", { "id": "rock", "type": "unit" }"#).replace(r#""ant": 4"#, &format!(r#""ant": 4, "rock": {n}"#)).replace(r#""zone": "hand", "controller": "self", "count": 1"#, &format!(r#""zone": "hand", "controller": "self", "where": {{ "op": "gt", "a": {{ "ref": "it.health" }}, "b": {} }}, "count": 1"#, i64::from(n) - 2))
    };
    check_pair("play/card_never_played", &card(2), &card(1));
    let homeless = with("MORE", r#", "players": { "deckZone": "nowhere" }, "zones": [{ "id": "nowhere" }]"#);
    assert_eq!(
        findings(&homeless).first().copied().filter(|it| *it == "play/no_start"),
        None,
        "a deck may lie anywhere"
    );
}
