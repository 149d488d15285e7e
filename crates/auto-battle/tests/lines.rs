//! Lines of JSON that make no sense: each gets an error with a code, none gets a crash.

use auto_battle::json::{Lines, Telling};
use serde_json::Value;

#[track_caller]
fn check_code(answer: &str, code: &str) {
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer["error"]["code"], code, "{answer}");
    assert!(answer["error"]["message"].is_string());
    assert_eq!(answer.as_object().unwrap().len(), 1);
}

#[track_caller]
fn check_battle(line: &str, code: &str) {
    check_code(&Lines::new().battle(line.as_bytes(), Telling::Events), code);
}

#[track_caller]
fn check_run(line: &str, code: &str) {
    check_code(&Lines::new().run(line.as_bytes()), code);
}

/// A battle of one card with these abilities against nobody.
fn with_abilities(abilities: &str) -> String {
    let numbers = r#""templateId":"x","attack":1,"health":1,"playCost":0,"pitchValue":0"#;
    format!(r#"{{"player":[{{{numbers},"abilities":[{abilities}]}}],"enemy":[],"seed":"1"}}"#)
}

fn with_condition(condition: &str) -> String {
    let effect = r#"{"type":"destroy","target":"selfUnit"}"#;
    with_abilities(&format!(r#"{{"trigger":"onStart","effect":{effect},"condition":{condition}}}"#))
}

#[test]
fn lines_that_are_no_json_are_refused() {
    for line in ["", "   ", "nonsense", "{", r#"{"player":["#, "\u{0}"] {
        check_battle(line, "line/not_json");
        check_run(line, "line/not_json");
    }
    check_code(&Lines::new().battle(b"\xff\xfe", Telling::Events), "line/not_json");
}

#[test]
fn deep_nesting_is_refused() {
    check_battle(&"[".repeat(100_000), "line/wrong_shape");
    check_battle(&r#"{"player":"#.repeat(100_000), "line/wrong_shape");
    // A key that is not looked at may hold anything, but not without end.
    check_battle(&r#"{"left":"#.repeat(100_000), "line/not_json");
    check_run(&format!(r#"{{"x":{}"#, "[".repeat(100_000)), "line/not_json");
    let deep = r#"{"type":"not","inner":"#;
    let condition = format!("{}{}", deep.repeat(60_000), r#"{"type":"none"}"#);
    check_battle(&with_condition(&condition), "line/wrong_shape");
}

#[test]
fn json_of_another_shape_is_refused() {
    for line in [
        "null",
        "7",
        "[]",
        "{}",
        r#"{"player":[],"enemy":[]}"#,
        r#"{"player":[],"seed":"1"}"#,
        r#"{"player":{},"enemy":[],"seed":"1"}"#,
        r#"{"player":[7],"enemy":[],"seed":"1"}"#,
        r#"{"player":[null],"enemy":[],"seed":"1"}"#,
        r#"{"player":[{}],"enemy":[],"seed":"1"}"#,
        r#"[[],[],"1"]"#,
        r#"{"player":[],"enemy":[],"seed":1}"#,
        r#"{"player":[],"enemy":[],"seed":"1","seed":"2"}"#,
    ] {
        check_battle(line, "line/wrong_shape");
    }
}

#[test]
fn seeds_are_decimal_numbers_of_64_bits() {
    for seed in ["", "x", "-1", "+1", " 1", "1.0", "0x1", "18446744073709551616"] {
        let line = format!(r#"{{"player":[],"enemy":[],"seed":"{seed}"}}"#);
        check_battle(&line, "battle/bad_seed");
    }
    let line = r#"{"player":[],"enemy":[],"seed":"18446744073709551615"}"#;
    let answer = Lines::new().battle(line.as_bytes(), Telling::ResultOnly);
    // The halves of this seed cancel out, so its stream is that of 1.
    assert_eq!(answer, r#"{"result":"DRAW","rngNext":270369}"#);
}

#[test]
fn boards_are_refused_for_what_is_on_them() {
    check_battle(r#"{"player":["elf"],"enemy":[],"seed":"1"}"#, "battle/unknown_card");
    let six = [r#""militia""#; 6].join(",");
    let line = format!(r#"{{"player":[],"enemy":[{six}],"seed":"1"}}"#);
    check_battle(&line, "battle/too_many_units");
    let dead = with_abilities("").replace(r#""health":1"#, r#""health":0"#);
    check_battle(&dead, "battle/illegal_card");
    let large = with_abilities("").replace(r#""attack":1"#, r#""attack":2147483648"#);
    check_battle(&large, "line/wrong_shape");
}

#[test]
fn cards_are_refused_for_their_abilities() {
    let spawn = r#"{"trigger":"onStart","effect":{"type":"spawnUnit","template_id":"elf"}}"#;
    check_battle(&with_abilities(spawn), "battle/unknown_spawn");
    let destroy = r#"{"trigger":"onStart","effect":{"type":"destroy","target":"selfUnit"}}"#;
    check_battle(&with_abilities(&[destroy; 5].join(",")), "battle/too_many_abilities");
    for wrong in [
        r#"["onStart",{"type":"destroy","target":"selfUnit"}]"#.to_owned(),
        r#"{"trigger":"onStart","effect":["destroy","selfUnit"]}"#.to_owned(),
        destroy.replace("onStart", "onMonday"),
        destroy.replace("selfUnit", "everyone"),
        destroy.replace("destroy", "bless"),
        destroy.replace(r#""trigger""#, r#""maxTriggers":-1,"trigger""#),
        destroy.replace(r#""trigger""#, r#""maxTrigger":1,"trigger""#),
    ] {
        check_battle(&with_abilities(&wrong), "line/wrong_shape");
    }
}

#[test]
fn conditions_are_refused_beyond_their_bounds() {
    let leaf = r#"{"type":"sourceIsFront"}"#;
    let not = |inner: &str| format!(r#"{{"type":"not","inner":{inner}}}"#);
    let and = |a: &str, b: &str| format!(r#"{{"type":"and","left":{a},"right":{b}}}"#);
    let three = not(&not(&not(leaf)));
    let lines = Lines::new();
    let seven = and(&and(leaf, leaf), &and(leaf, leaf));
    for legal in [&three, &seven] {
        let line = with_condition(legal);
        let answer = lines.battle(line.as_bytes(), Telling::ResultOnly);
        assert!(answer.contains("result"), "{answer}");
    }
    for illegal in [
        not(&three),
        and(&seven, leaf),
        and(&and(leaf, leaf), &and(leaf, &not(leaf))),
        r#"{"type":"and","left":{"type":"none"}}"#.to_owned(),
        r#"{"type":"not"}"#.to_owned(),
        r#"{"type":"sourceIsFront","value":1}"#.to_owned(),
        r#"{"type":"targetHealthGreaterThan"}"#.to_owned(),
        r#"{"type":"allyCountAtLeast","count":-1}"#.to_owned(),
        r#"{"type":"sometimes"}"#.to_owned(),
        r#"{"value":1}"#.to_owned(),
        "null".to_owned(),
    ] {
        check_battle(&with_condition(&illegal), "line/wrong_shape");
    }
}

#[test]
fn texts_of_a_card_are_allowed_and_keys_may_stand_in_any_order() {
    let line = r#"{"seed":"1","enemy":["militia"],"comment":[[]],"player":[{"abilities":[
        {"maxTriggers":null,"description":"d","name":"n","effect":{"target":"frontEnemy","amount":9,
        "type":"damage"},"trigger":"onStart","condition":{"right":{"type":"none"},"left":
        {"value":1,"type":"targetHealthGreaterThan"},"type":"and"}}],"name":"X","id":4,
        "pitchValue":0,"playCost":0,"health":1,"attack":0,"templateId":"x"}]}"#;
    let answer = Lines::new().battle(line.as_bytes(), Telling::ResultOnly);
    assert_eq!(answer, r#"{"result":"VICTORY","rngNext":270369}"#);
}

#[test]
fn action_lists_are_refused_for_actions_that_do_not_exist() {
    for actions in [
        "7",
        "[7]",
        "[[]]",
        r#"[["dance"]]"#,
        r#"[["buy"]]"#,
        r#"[["buy",0,1]]"#,
        r#"[["buy",-1]]"#,
        r#"[["buy","0"]]"#,
        r#"[["end_turn",0]]"#,
    ] {
        check_run(&format!(r#"{{"actions":{actions}}}"#), "line/wrong_shape");
    }
    check_run("{}", "line/wrong_shape");
}

#[test]
fn indices_of_any_size_are_out_of_range() {
    let line = r#"{"actions":[["buy",18446744073709551615],["swap",0,4294967296]]}"#;
    let answer: Value = serde_json::from_str(&Lines::new().run(line.as_bytes())).unwrap();
    let ok: Vec<_> = answer["states"].as_array().unwrap().iter().map(|it| &it["ok"]).collect();
    assert_eq!(ok, [true, false, false]);
}
