//! What is wrong with a ruleset is listed whole: each mistake with place, code and what to write instead.

use compiler::{
    Diagnostic, compile,
    library::{Both, Folders, Memory},
};

/// A sound game, small enough to break in every way.
const SOUND: &str = r#"{
  "include": ["std/deck", "std/damage"],
  "cardTypes": [{ "id": "unit" }],
  "cards": [{ "id": "ant", "type": "unit", "attributes": { "health": 1 } }],
  "turnStructure": { "phases": [{ "id": "play", "steps": [{ "id": "act" }] }] },
  "actions": [
    {
      "id": "poke",
      "targets": [{ "id": "victim", "selector": { "zone": "battlefield", "count": 1 } }],
      "effects": [{ "op": "deal_damage", "target": "victim", "amount": 1 }]
    }
  ]
}"#;

fn mistakes(text: &str) -> Vec<Diagnostic> {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let memory = Memory::default().with("game", text);
    match compile("game", &Both(&memory, &Folders::new([games]))) {
        Ok(_) => Vec::new(),
        Err(found) => found,
    }
}

/// Replaces a part of the sound game and expects exactly these mistakes, as `code @line:column hint`.
#[track_caller]
fn check(part: &str, instead: &str, expected: &[&str]) {
    assert!(SOUND.contains(part), "not in the sound game: {part}");
    let found = mistakes(&SOUND.replacen(part, instead, 1));
    let shown: Vec<String> = found
        .iter()
        .map(|it| format!("{} @{}:{} {}", it.code, it.line, it.column, it.hint.as_deref().unwrap_or("-")))
        .collect();
    assert_eq!(shown, expected, "{}", compiler::render(&found));
}

#[test]
fn the_sound_game_has_no_mistakes() {
    assert_eq!(mistakes(SOUND), []);
}

#[test]
fn a_typo_behind_a_dot_gets_the_nearest_attribute_or_property() {
    let amount = |it: &str| format!("\"amount\": {{ \"ref\": \"{it}\" }}");
    for (typo, meant) in [("victim.helth", "health"), ("victim.ownr", "owner"), ("victm.health", "victim")] {
        let hint = format!("ruleset/unknown_variable @10:81 did you mean `{meant}`?");
        check("\"amount\": 1", &amount(typo), &[&hint]);
    }
}

#[test]
fn an_unknown_word_lists_what_is_known_in_its_place() {
    let hint = |path: &str| {
        let text = SOUND.replacen("\"amount\": 1", &format!("\"amount\": {{ \"ref\": \"{path}\" }}"), 1);
        let found = mistakes(&text);
        assert_eq!(found.iter().map(|it| it.code).collect::<Vec<_>>(), ["ruleset/unknown_variable"], "{path}");
        found[0].hint.clone().unwrap_or_default()
    };
    let word = hint("zzzzzzzzzzzzzzz");
    for known in ["known here: ", "victim", "self", "opponents", "active_player", "cause"] {
        assert!(word.contains(known), "{known} is missing: {word}");
    }
    assert!(!word.split(", ").any(|it| it == "event"), "an action answers no event: {word}");
    let of_player = hint("active_player.zzzzzzzzzzzz");
    assert!(of_player.contains("health") && of_player.contains("connected"), "{of_player}");
    assert!(!of_player.contains("index"), "players have no place in a zone: {of_player}");
    let of_event = hint("cause.zzzzzzzzzzzz");
    assert_eq!(of_event, "known here: controller, type, preventable, source");
}

#[test]
fn what_a_selector_or_parameter_says_is_not_guessed() {
    let selector = "\"zone\": \"battlefield\"";
    check(
        selector,
        "\"players\": \"evrybody\"",
        &["ruleset/unknown_word @9:62 known here: all, any, self, you, opponent, opponents"],
    );
    check(selector, "\"stack\": false", &["ruleset/wrong_type @9:60 -", "ruleset/wrong_type @10:52 -"]);
    check(selector, "\"definitions\": 3", &["ruleset/wrong_type @9:66 -", "ruleset/wrong_type @10:52 -"]);
    let params =
        "\"params\": [{ \"id\": \"which\", \"type\": \"ability\", \"of\": \"victm\" }], \"effects\": [{ \"op\": \"deal";
    check("\"effects\": [{ \"op\": \"deal", params, &["ruleset/unknown_name @10:60 did you mean `victim`?"]);
}

#[test]
fn a_key_that_does_nothing_where_it_stands_is_refused() {
    let idle = |part: &str, instead: &str| {
        assert!(SOUND.contains(part), "not in the sound game: {part}");
        let found = mistakes(&SOUND.replacen(part, instead, 1));
        let codes: Vec<&str> = found.iter().map(|it| it.code).collect();
        assert_eq!(codes, ["ruleset/idle_key"], "{instead}\n{}", compiler::render(&found));
    };
    let effect = r#"{ "op": "deal_damage", "target": "victim", "amount": 1 }"#;
    for instead in [
        r#"{ "op": "ask", "choices": { "zone": "hand" }, "any": true, "as": "x" }"#,
        r#"{ "op": "ask", "choices": { "zone": "hand" }, "player": "you", "players": { "players": "all" }, "as": "x" }"#,
        r#"{ "op": "ask", "choices": { "zone": "hand", "count": 2 }, "as": "x" }"#,
        r#"{ "op": "deal_damage", "target": { "zone": "hand", "players": "all" }, "amount": 1 }"#,
        r#"{ "op": "deal_damage", "target": { "zone": "hand", "controller": "self", "owner": "self" }, "amount": 1 }"#,
    ] {
        idle(effect, instead);
    }
    let card = r#""attributes": { "health": 1 } }"#;
    let ability = |it: &str| format!(r#""attributes": {{ "health": 1 }}, "abilities": [{{ "id": "A", {it} }}] }}"#);
    for keys in [
        r#""effects": [], "timing": "before""#,
        r#""effects": [], "add": 1"#,
        r#""affects": "self", "attribute": "health", "add": 1, "effects": []"#,
        r#""affects": "self", "attribute": "health", "add": 1, "set": 2"#,
        r#""when": { "eventType": "TurnStart" }, "effects": [], "limiters": { "oncePerTurn": true, "maxPerTurn": 2 }"#,
    ] {
        idle(card, &ability(keys));
    }
    idle(r#""count": 1 } }"#, r#""count": 1 }, "prompt": "Whom?" }"#);
    idle(r#""effects": [{"#, r#""params": [{ "id": "n", "max": 3, "modes": [] }], "effects": [{"#);
}

#[test]
fn operations_take_no_keys_of_others() {
    let effect = r#"{ "op": "deal_damage", "target": "victim", "amount": 1 }"#;
    for instead in [
        r#"{ "op": "deal_damage", "target": "victim", "amount": 1, "as": "x" }"#,
        r#"{ "op": "draw", "count": 1, "optional": true }"#,
        r#"{ "op": "if", "when": { "op": "eq", "a": 1, "b": 1, "optional": true }, "then": [] }"#,
        r#"{ "op": "repeat", "times": 2, "do": [], "preventsGroup": false }"#,
    ] {
        let found = mistakes(&SOUND.replacen(effect, instead, 1));
        let codes: Vec<&str> = found.iter().map(|it| it.code).collect();
        assert_eq!(codes, ["ruleset/unknown_key"], "{instead}\n{}", compiler::render(&found));
    }
    for instead in [
        r#"{ "op": "deal_damage", "target": "victim", "amount": 1, "group_id": 1, "prevents_group": false, "comment": "why" }"#,
        r#"{ "op": "create_card", "of": "ant", "to": "hand", "as": "x" }, { "op": "move_card", "card": "x", "to": "deck" }"#,
    ] {
        assert_eq!(mistakes(&SOUND.replacen(effect, instead, 1)), [], "{instead}");
    }
}

#[test]
fn names_that_nobody_declared_are_found_with_the_nearest_one() {
    check(
        "\"zone\": \"battlefield\"",
        "\"zone\": \"batlefield\"",
        &["ruleset/unknown_name @9:59 did you mean `battlefield`?"],
    );
    check("\"type\": \"unit\"", "\"type\": \"unti\"", &["ruleset/unknown_name @4:36 did you mean `unit`?"]);
    check("\"health\": 1", "\"helth\": 1", &["ruleset/unknown_name @4:60 did you mean `health`?"]);
    check("\"deal_damage\"", "\"deel_damage\"", &["ruleset/unknown_op @10:27 did you mean `deal_damage`?"]);
    check(
        "\"target\": \"victim\"",
        "\"target\": \"victm\"",
        &["ruleset/unknown_variable @10:52 did you mean `victim`?"],
    );
}

#[test]
fn keys_are_checked_both_ways() {
    check(
        "\"amount\": 1",
        "\"amonut\": 1",
        &["ruleset/missing_key @10:19 -", "ruleset/unknown_key @10:62 did you mean `amount`?"],
    );
    check("\"id\": \"poke\",", "", &["ruleset/missing_key @7:5 -"]);
    check(
        "\"cardTypes\"",
        "\"cardtypes\"",
        &["ruleset/unknown_key @3:3 did you mean `cardTypes`?", "ruleset/unknown_name @4:36 -"],
    );
}

#[test]
fn types_are_checked() {
    check("\"amount\": 1", "\"amount\": \"victim\"", &["ruleset/wrong_type @10:72 -"]);
    check("\"amount\": 1", "\"amount\": true", &["ruleset/wrong_type @10:72 -"]);
    check("[{ \"id\": \"unit\" }]", "7", &["ruleset/wrong_type @3:16 -", "ruleset/unknown_name @4:36 -"]);
    check("\"count\": 1", "\"count\": -1", &["ruleset/out_of_range @9:49 -"]);
}

#[test]
fn numbers_out_of_range_are_never_taken_for_something_else() {
    let with = |extra: &str| format!("{{ {extra},");
    for (extra, number) in [
        (r#""resources": [{ "id": "gold", "start": 99999999999 }]"#, "99999999999"),
        (r#""zones": [{ "id": "pit", "capacity": -1 }]"#, "-1"),
        (
            r#""reactions": [{ "id": "r", "when": { "eventType": "TurnStart" }, "priority": 99999, "effects": [] }]"#,
            "99999",
        ),
        (
            r#""reactions": [{ "id": "r", "when": { "eventType": "TurnStart" }, "limiters": { "maxPerTurn": -1 }, "effects": [] }]"#,
            "-1",
        ),
        (r#""limits": { "stackDepth": 0 }"#, "0"),
    ] {
        let found = mistakes(&SOUND.replacen('{', &with(extra), 1));
        // Two characters stand before the extra text.
        let column = extra.rfind(number).expect("the number is there; qed") + 3;
        let shown: Vec<(&str, usize, usize)> = found.iter().map(|it| (it.code, it.line, it.column)).collect();
        assert_eq!(shown, [("ruleset/out_of_range", 1, column)], "{}", compiler::render(&found));
    }
}

#[test]
fn a_long_chain_of_definitions_is_deep_but_not_a_circle() {
    let defines: Vec<String> = (0..100)
        .map(|i| format!(r#"{{ "id": "d{i}", "kind": "value", "body": {{ "op": "d{}" }} }}"#, i + 1))
        .chain([r#"{ "id": "d100", "kind": "value", "body": 1 }"#.to_owned()])
        .collect();
    let ends = r#""endConditions": [{ "id": "never", "when": { "op": "lt", "a": { "op": "d0" }, "b": 0 } }]"#;
    let found = mistakes(&SOUND.replacen('{', &format!("{{ \"define\": [{}], {ends},", defines.join(",")), 1));
    assert_eq!(
        found.iter().map(|it| it.code).collect::<Vec<_>>(),
        ["ruleset/too_deep"],
        "{}",
        compiler::render(&found)
    );
}

#[test]
fn operations_belong_to_their_class() {
    let write = r#"{ "op": "eliminate", "player": "self" }"#;
    check(r#"{ "op": "deal_damage", "target": "victim", "amount": 1 }"#, write, &["ruleset/misplaced_op @10:27 -"]);
    let prevent = r#"{ "op": "prevent" }"#;
    check(
        r#"{ "op": "deal_damage", "target": "victim", "amount": 1 }"#,
        prevent,
        &["ruleset/not_a_before_reaction @10:19 -"],
    );
}

#[test]
fn all_mistakes_are_listed_at_once() {
    let broken = SOUND
        .replace("\"zone\": \"battlefield\"", "\"zone\": \"nowhere\"")
        .replace("\"deal_damage\"", "\"hug\"")
        .replace("\"health\": 1", "\"wings\": 2")
        .replace("\"steps\": [{ \"id\": \"act\" }]", "\"steps\": [{ \"name\": 3 }]");
    let codes: Vec<&str> = mistakes(&broken).iter().map(|it| it.code).collect();
    let mut expected = [
        "ruleset/unknown_name",
        "ruleset/missing_key",
        "ruleset/wrong_type",
        "ruleset/unknown_name",
        "ruleset/unknown_op",
    ];
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    expected.sort_unstable();
    assert_eq!(sorted, expected);
}

#[test]
fn definitions_that_use_each_other_in_a_circle_are_named() {
    let text = SOUND
        .replace(
            "\"cardTypes\"",
            r#""define": [
            { "id": "a", "kind": "condition", "body": { "op": "b" } },
            { "id": "b", "kind": "condition", "body": { "op": "a" } }
          ],
          "endConditions": [{ "id": "never", "when": { "op": "a" } }],
          "cardTypes""#,
        )
        .replacen("\"cardTypes\"\"", "\"cardTypes\"", 1);
    let found = mistakes(&text);
    assert_eq!(found.len(), 1, "{}", compiler::render(&found));
    assert_eq!(
        (found[0].code, found[0].message.as_str()),
        ("ruleset/recursive_definition", "the definition uses itself: a > b > a")
    );
}

#[test]
fn definitions_that_multiply_each_other_are_too_large() {
    let mut defines =
        vec![r#"{ "id": "d0", "kind": "value", "body": { "op": "add", "of": [1, { "ref": "turn" }] } }"#.to_owned()];
    for i in 1..40 {
        let before = i - 1;
        defines.push(format!(r#"{{ "id": "d{i}", "kind": "value", "body": {{ "op": "add", "of": [{{ "op": "d{before}" }}, {{ "op": "d{before}" }}] }} }}"#));
    }
    let ends = r#""endConditions": [{ "id": "never", "when": { "op": "lt", "a": { "op": "d39" }, "b": 0 } }]"#;
    // What does not fit is not taken for a check that leads to nothing.
    let checks = r#""stateChecks": [{ "id": "never", "when": { "op": "lt", "a": { "op": "d39" }, "b": 0 }, "emit": { "op": "leave" } }]"#;
    defines
        .push(r#"{ "id": "leave", "kind": "effects", "body": [{ "op": "lose_game", "player": "you" }] }"#.to_owned());
    for section in [ends, checks] {
        let text = SOUND.replacen('{', &format!("{{ \"define\": [{}], {section},", defines.join(",")), 1);
        let found = mistakes(&text);
        let codes: Vec<&str> = found.iter().map(|it| it.code).collect();
        assert_eq!(codes, ["ruleset/too_large"], "{}", compiler::render(&found));
    }
}

#[test]
fn what_is_not_json_is_refused_where_it_stops_being_it() {
    for (text, code, line, column) in [
        ("", "json/syntax", 1, 1),
        ("{", "json/syntax", 1, 1),
        ("{ \"a\": 1, }", "json/syntax", 1, 9),
        ("{ \"a\": 1.5 }", "json/not_a_whole_number", 1, 8),
        ("{ \"a\": 1e400 }", "json/not_a_whole_number", 1, 8),
        ("{ \"a\": 99999999999999999999 }", "json/not_a_whole_number", 1, 8),
        ("[]", "ruleset/wrong_type", 1, 1),
        ("\n\n // no\n{}", "json/syntax", 3, 2),
    ] {
        let found = mistakes(text);
        let first = found.first().unwrap_or_else(|| panic!("nothing was found in {text:?}"));
        assert_eq!(
            (first.code, first.line, first.column),
            (code, line, column),
            "{text:?}: {}",
            compiler::render(&found)
        );
    }
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(matches!(mistakes(&deep)[0].code, "json/too_deep" | "json/syntax"));
}

#[test]
fn a_diagnostic_shows_the_line_it_is_about() {
    let found = mistakes(&SOUND.replace("deal_damage", "deel_damage"));
    let shown = compiler::render(&found);
    assert_eq!(
        shown,
        "game.json:10:27: error[ruleset/unknown_op]: no operation of this name: deel_damage\n\
         10 |       \"effects\": [{ \"op\": \"deel_damage\", \"target\": \"victim\", \"amount\": 1 }]\n   |                           ^\n  \
         help: did you mean `deal_damage`?\n1 mistake: nothing was loaded\n"
    );
}

/// The codes of what is worth a look in a variation of the sound game.
fn warnings(extra: &str) -> Vec<&'static str> {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let text = SOUND.replacen('{', &format!("{{ {extra} "), 1);
    let memory = Memory::default().with("game", &text);
    let ruleset = compile("game", &Both(&memory, &Folders::new([games])))
        .unwrap_or_else(|it| panic!("{}", compiler::render(&it)));
    ruleset::lint::lint(ruleset.program()).iter().map(|it| it.code).collect()
}

#[test]
fn ruling_87_what_is_sound_but_odd_is_worth_a_warning() {
    let end = r#""endConditions": [{ "id": "late", "when": { "op": "ge", "a": { "ref": "turn" }, "b": 9 } }],"#;
    assert_eq!(warnings(end), [] as [&str; 0]);
    assert_eq!(warnings(""), ["ruleset/no_end"], "the library lets players lose, but nothing here makes them");
    let check = r#""stateChecks": [{ "id": "out", "forEach": { "players": "all", "where": { "op": "eq", "a": { "ref": "turn" }, "b": 9 } },
        "emit": [{ "op": "lose_game", "player": "it" }] }],"#;
    assert_eq!(warnings(check), [] as [&str; 0]);
    let later = r#""setup": [{ "op": "delay", "when": { "eventType": "TurnEnd" }, "effects": [{ "op": "lose_game", "player": "you" }] }],"#;
    assert_eq!(warnings(later), [] as [&str; 0], "a rule that waits can end it, too");
    let rule = |limits: &str| {
        format!(
            r#"{end} "reactions": [{{ "id": "echo", "timing": "before", {limits} "when": {{ "eventType": "DealDamage" }},
                 "effects": [{{ "op": "deal_damage", "target": "active_player", "amount": 1 }}] }}],"#
        )
    };
    assert_eq!(warnings(&rule("")), ["ruleset/before_loop"]);
    assert_eq!(warnings(&rule(r#""limiters": { "oncePerTurn": true },"#)), [] as [&str; 0], "a limiter ends it");
}

#[test]
fn a_link_to_a_card_is_not_used_like_a_number() {
    let with_link = |rest: &str| {
        format!(
            r#""attributes": [{{ "id": "partner", "holds": "card" }}], "events": [
{{ "id": "Pair", "fields": {{ "a": "card", "n": "int" }}, "apply": [{rest}] }}], "turnStructure""#
        )
    };
    let wrong = "ruleset/wrong_type";
    let cases = [
        (r#"{ "op": "set_attribute", "target": "a", "attribute": "partner", "value": { "ref": "a" } }"#, None),
        (r#"{ "op": "set_attribute", "target": "a", "attribute": "partner", "value": null }"#, None),
        (r#"{ "op": "set_attribute", "target": "a", "attribute": "partner", "value": { "ref": "n" } }"#, Some(wrong)),
        (r#"{ "op": "change_attribute", "target": "a", "attribute": "partner", "by": 1 }"#, Some(wrong)),
        (r#"{ "op": "modify", "target": "a", "attribute": "partner", "add": 1 }"#, Some(wrong)),
    ];
    for (write, expected) in cases {
        let found = mistakes(&SOUND.replacen("\"turnStructure\"", &with_link(write), 1));
        assert_eq!(found.first().map(|it| it.code), expected, "{write}\n{}", compiler::render(&found));
    }
    let printed = r#""attributes": { "health": 1, "partner": 2 }"#;
    let text = SOUND.replacen(r#""attributes": { "health": 1 }"#, printed, 1);
    let found = mistakes(&text.replacen("\"turnStructure\"", &with_link(""), 1));
    assert_eq!(found.first().map(|it| it.code), Some(wrong));
}

#[test]
fn ruling_87_what_nobody_can_reach_or_pay_is_worth_a_warning() {
    let end = r#""endConditions": [{ "id": "late", "when": { "op": "ge", "a": { "ref": "turn" }, "b": 9 } }],"#;
    let turn = |more: &str| {
        format!(
            r#"{end} "resources": [{{ "id": "gold", "max": 5 }}], "include": ["std"], "events": [
               {{ "id": "Finish", "preventable": false, "apply": [{{ "op": "end_game", "reason": "done" }}] }}],
               "cardTypes": [{{ "id": "unit" }}], {more}"#
        )
    };
    let steps = |first: &str, second: &str| {
        turn(&format!(
            r#""turnStructure": {{ "phases": [{{ "id": "play", "steps": [{{ "id": "act"{first} }}, {{ "id": "late"{second} }}] }}, {{ "id": "empty", "steps": [] }}],
               "priorityWindows": [{{ "phase": "play", "step": "act" }}] }}, "actions": [{{ "id": "rest", "effects": [] }}]"#
        ))
    };
    let empty = "ruleset/unreachable_phase";
    assert_eq!(document_warnings(&steps("", "")), [empty]);
    let finish = r#", "onStart": [{ "op": "finish" }]"#;
    assert_eq!(document_warnings(&steps(finish, "")), [empty, "ruleset/unreachable_step"]);
    assert_eq!(document_warnings(&steps("", finish)), [empty], "the last step may end the game");
    let maybe = r#", "onStart": [{ "op": "if", "when": { "op": "gt", "a": { "ref": "turn" }, "b": 3 }, "then": [{ "op": "finish" }] }]"#;
    assert_eq!(document_warnings(&steps(maybe, "")), [empty], "not always");

    let action = |rest: &str| {
        turn(&format!(
            r#""turnStructure": {{ "phases": [{{ "id": "play", "steps": [{{ "id": "act" }}, {{ "id": "late" }}] }}],
               "priorityWindows": [{{ "phase": "play", "step": "act" }}] }},
               "actions": [{{ "id": "rest", "effects": [] }}, {{ "id": "buy", {rest}, "effects": [] }}]"#
        ))
    };
    let in_step =
        |step: &str| format!(r#""preconditions": [{{ "op": "phase_allows", "phase": "play", "step": "{step}" }}]"#);
    assert_eq!(document_warnings(&action(&in_step("act"))), [] as [&str; 0]);
    assert_eq!(document_warnings(&action(&in_step("late"))), ["ruleset/unreachable_action"]);
    let pay =
        |amount: &str| format!(r#""costs": [{{ "op": "pay_resource", "resource": "gold", "amount": {amount} }}]"#);
    assert_eq!(document_warnings(&action(&pay("5"))), [] as [&str; 0]);
    assert_eq!(document_warnings(&action(&pay("6"))), ["ruleset/unpayable_cost"]);
    assert_eq!(document_warnings(&action(&pay(r#"{ "ref": "turn" }"#))), [] as [&str; 0], "it may be little");
}

fn document_warnings(body: &str) -> Vec<&'static str> {
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let memory = Memory::default().with("game", &format!("{{ {body} }}"));
    let ruleset = compile("game", &Both(&memory, &Folders::new([games])))
        .unwrap_or_else(|it| panic!("{}", compiler::render(&it)));
    ruleset::lint::lint(ruleset.program()).iter().map(|it| it.code).collect()
}

#[test]
fn an_operation_that_lacks_its_inner_list_is_one_mistake() {
    for op in [
        r#"{ "op": "repeat", "times": 2 }"#,
        r#"{ "op": "for_each", "in": { "zone": "hand" } }"#,
        r#"{ "op": "if", "when": true }"#,
        r#"{ "op": "confirm" }"#,
        r#"{ "op": "sequence" }"#,
        r#"{ "op": "choose_mode", "modes": [{ "id": "a" }] }"#,
        r#"{ "op": "delay", "when": { "eventType": "TurnEnd" } }"#,
    ] {
        let found = mistakes(&SOUND.replacen(r#"{ "op": "deal_damage", "target": "victim", "amount": 1 }"#, op, 1));
        let codes: Vec<&str> = found.iter().map(|it| it.code).collect();
        assert_eq!(codes, ["ruleset/missing_key"], "{op}");
    }
}

/// The codes, lines and hints of what is wrong with the sound game after a replacement.
#[track_caller]
fn wrong(part: &str, instead: &str) -> Vec<(&'static str, usize, String)> {
    assert!(SOUND.contains(part), "not in the sound game: {part}");
    let found = mistakes(&SOUND.replacen(part, instead, 1));
    found.into_iter().map(|it| (it.code, it.line, it.hint.unwrap_or_default())).collect()
}

#[test]
fn ids_of_one_kind_that_differ_only_in_their_style_are_refused() {
    let card_types = "\"cardTypes\": [{ \"id\": \"unit\" }]";
    for (first, second) in [("foot_man", "footMan"), ("FootMan", "foot_man"), ("footMan", "FootMan")] {
        let types =
            format!("\"cardTypes\": [{{ \"id\": \"unit\" }}, {{ \"id\": \"{first}\" }}, {{ \"id\": \"{second}\" }}]");
        assert_eq!(wrong(card_types, &types), [("ruleset/duplicate_name", 3, String::new())], "{first}, {second}");
    }
    for section in ["zones", "attributes", "keywords", "events"] {
        let both = format!("{card_types}, \"{section}\": [{{ \"id\": \"big_one\" }}, {{ \"id\": \"bigOne\" }}]");
        assert_eq!(wrong(card_types, &both), [("ruleset/duplicate_name", 3, String::new())], "{section}");
    }
    let spaces = "\"cardTypes\": [{ \"id\": \"unit\" }, { \"id\": \"redo\" }, { \"id\": \"re_do\" }]";
    assert_eq!(wrong(card_types, spaces), [], "these are other words");
}

#[test]
fn an_id_in_another_style_is_refused_with_the_right_one() {
    let part = "{ \"op\": \"deal_damage\", \"target\": \"victim\", \"amount\": 1 }";
    let meant = |it: &str| format!("did you mean `{it}`?");
    let unknown_op = wrong(part, "{ \"op\": \"dealDamage\", \"target\": \"victim\", \"amount\": 1 }");
    assert_eq!(unknown_op, [("ruleset/unknown_op", 10, meant("deal_damage"))]);
    let zones = "\"zones\": [{ \"id\": \"draw_pile\" }, { \"id\": \"draw_pit\" }], \"actions\": [{ \"id\": \"z\", \"targets\": [{ \"id\": \"c\", \"selector\": { \"zone\": \"drawPile\", \"count\": 1 } }], \"effects\": [] },";
    assert_eq!(wrong("\"actions\": [", zones), [("ruleset/unknown_name", 6, meant("draw_pile"))]);
}

#[test]
fn a_member_of_a_group_that_needs_what_is_set_after_the_first_is_refused() {
    let part = "{ \"op\": \"deal_damage\", \"target\": \"victim\", \"amount\": 1 }";
    let member = |amount: &str| {
        format!("{{ \"op\": \"deal_damage\", \"target\": \"victim\", \"amount\": {amount}, \"groupId\": 1 }}")
    };
    let let_x = "{ \"op\": \"let\", \"name\": \"x\", \"value\": 1 }";
    let set_x = "{ \"op\": \"set\", \"name\": \"x\", \"value\": 2 }";
    let (one, x) = (member("1"), member("{ \"ref\": \"x\" }"));
    let refused = [("ruleset/not_allowed_here", 10, "set it before the first of the group".to_owned())];
    assert_eq!(wrong(part, &format!("{let_x}, {one}, {set_x}, {x}")), refused);
    let inner = format!("{{ \"op\": \"if\", \"when\": true, \"then\": [{set_x}] }}");
    assert_eq!(wrong(part, &format!("{let_x}, {one}, {inner}, {x}")), refused);
    assert_eq!(wrong(part, &format!("{let_x}, {set_x}, {one}, {x}")), []);
    assert_eq!(wrong(part, &format!("{let_x}, {one}, {set_x}, {one}")), []);
    assert_eq!(wrong(part, &format!("{let_x}, {x}, {one}, {set_x}")), []);
}

#[test]
fn a_zone_in_which_cards_wait_has_no_capacity() {
    let zones = |capacity: &str| {
        format!(
            "\"zones\": [{{ \"id\": \"shelf\"{capacity} }}], \"actions\": [{{ \"id\": \"z\", \"waitsIn\": \"shelf\", \"targets\": [{{ \"id\": \"c\", \"selector\": {{ \"zone\": \"hand\", \"count\": 1 }} }}], \"effects\": [] }},"
        )
    };
    assert_eq!(wrong("\"actions\": [", &zones("")), []);
    let refused = [("ruleset/not_allowed_here", 6, String::new())];
    assert_eq!(wrong("\"actions\": [", &zones(", \"capacity\": 1")), refused);
}
