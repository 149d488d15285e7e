//! What is a legal answer, case by case, in the form clients send.

use selector::{Refusal, Response, Selector};
use serde_json::{Value as Json, json};

fn read(selector: Json, response: Json) -> (Selector, Response) {
    let mut selector = selector;
    selector["actor"] = json!("p1");
    selector["title"] = json!("t");
    let selector = serde_json::from_value(selector).expect("selector");
    let response = json!({ "title": "t", "selection": response });
    (
        selector,
        serde_json::from_value(response).expect("response"),
    )
}

fn refusal(selector: Json, selection: Json) -> Refusal {
    let (selector, response) = read(selector, selection);
    selector
        .validate(&response)
        .expect_err("the answer is refused")
}

/// Expects a code, or `ok`.
#[track_caller]
fn check(selector: Json, selection: Json, expected: &str) {
    let (selector, response) = read(selector, selection);
    let code = selector
        .validate(&response)
        .map_or_else(|it| it.code(), |()| "ok");
    assert_eq!(code, expected);
}

#[test]
fn bounds_follow_what_the_author_wrote() {
    let choices = json!(["a", "b", "c"]);
    let bounds = |amount: Json| {
        let mut selector = amount;
        selector["choices"] = choices.clone();
        let bounds = read(selector, json!([])).0.bounds();
        (bounds.min, bounds.max)
    };
    assert_eq!(bounds(json!({})), (1, 1));
    assert_eq!(bounds(json!({ "min": 0 })), (0, 1));
    assert_eq!(bounds(json!({ "min": 2 })), (2, 2));
    assert_eq!(bounds(json!({ "max": 0 })), (0, 0));
    assert_eq!(bounds(json!({ "max": 2 })), (1, 2));
    assert_eq!(bounds(json!({ "min": 0, "max": 9 })), (0, 3));
    assert_eq!(bounds(json!({ "min": 7 })), (3, 3));
    assert_eq!(bounds(json!({ "count": 0, "min": 1, "max": 2 })), (0, 0));
    assert_eq!(bounds(json!({ "count": 9 })), (3, 3));
    assert_eq!(bounds(json!({ "min": null, "max": 2.0 })), (1, 2));
}

#[test]
fn numbers_compare_by_value_and_never_equal_texts() {
    let choices = json!({ "choices": [1, 2, 0.5] });
    check(choices.clone(), json!([1]), "ok");
    check(choices.clone(), json!([1.0]), "ok");
    check(choices.clone(), json!([{ "title": 2e0 }]), "ok");
    check(choices.clone(), json!([5e-1]), "ok");
    check(choices.clone(), json!(["1"]), "not-in-choices");
    check(choices.clone(), json!([1.5]), "not-in-choices");
    check(choices.clone(), json!([true]), "not-in-choices");
    check(choices, json!([null]), "not-in-choices");
    check(json!({ "choices": ["1"] }), json!([1]), "not-in-choices");
    check(
        json!({ "choices": [9007199254740993i64] }),
        json!([9007199254740992i64]),
        "not-in-choices",
    );
    check(json!({ "choices": [0] }), json!([-0.0]), "ok");
}

#[test]
fn an_id_on_both_sides_decides() {
    let twins = json!({ "choices": [{ "title": "Twin", "id": 1 }, { "title": "Twin", "id": 2 }] });
    check(twins.clone(), json!([{ "title": "Twin", "id": 2 }]), "ok");
    check(twins.clone(), json!([{ "id": 2 }]), "ok");
    check(twins.clone(), json!([{ "title": "Other", "id": 2 }]), "ok");
    check(
        twins.clone(),
        json!([{ "title": "Twin", "id": 3 }]),
        "not-in-choices",
    );
    check(
        twins.clone(),
        json!([{ "title": "Twin", "id": "2" }]),
        "not-in-choices",
    );
    check(
        twins.clone(),
        json!([{ "title": "Twin", "id": null }]),
        "ok",
    );
    check(twins, json!([{}]), "not-in-choices");
}

#[test]
fn the_order_of_an_answer_does_not_count() {
    let twins = json!({
        "choices": [{ "title": "Twin", "id": "x1" }, { "title": "Twin", "id": "x2" }],
        "count": 2,
    });
    check(
        twins.clone(),
        json!(["Twin", { "title": "Twin", "id": "x1" }]),
        "ok",
    );
    check(
        twins.clone(),
        json!([{ "title": "Twin", "id": "x1" }, "Twin"]),
        "ok",
    );
    check(
        twins,
        json!([{ "title": "Twin", "id": "x1" }, { "title": "Twin", "id": "x1" }]),
        "not-in-choices",
    );
    let groups = json!({
        "choices": [{ "title": "G", "choices": ["a", "b"] }, { "title": "G", "choices": ["a"] }],
        "count": 2,
    });
    let (a, b) = (
        json!({ "title": "G", "selection": ["a"] }),
        json!({ "title": "G", "selection": ["b"] }),
    );
    check(groups.clone(), json!([a, b]), "ok");
    check(groups.clone(), json!([b, a]), "ok");
    check(groups.clone(), json!([a, a]), "ok");
    check(groups, json!([b, b]), "not-in-choices");
}

#[test]
fn a_chain_of_items_moves_to_make_room() {
    let choices = json!({
        "choices": ["a", { "title": "b", "id": 1 }, { "title": "b", "id": 2 }],
        "count": 3,
    });
    // The first two take the choices with ids; for the third one both have to move.
    let items = json!([{ "title": "a", "id": 1 }, "b", { "title": "x", "id": 2 }]);
    let (selector, response) = read(choices, items);
    let picks = selector.resolve(&response).expect("legal");
    assert_eq!(
        picks.iter().map(|it| it.choice).collect::<Vec<_>>(),
        [0, 1, 2]
    );
}

#[test]
fn exclusive_choices_stand_alone() {
    let choices = json!({ "choices": ["a", "b", { "title": "none", "exclusive": true }], "min": 0, "max": 3 });
    check(choices.clone(), json!(["none"]), "ok");
    check(choices.clone(), json!(["a", "b"]), "ok");
    check(choices.clone(), json!(["a", "none"]), "exclusive");
    check(choices.clone(), json!(["none", "a", "b"]), "exclusive");
    check(choices.clone(), json!(["none", "zzz"]), "not-in-choices");
    check(choices, json!(["none", "none"]), "not-in-choices");
    let one = json!({ "choices": ["a", { "title": "none", "exclusive": true }] });
    check(one, json!(["a", "none"]), "exclusive");
    let twice = json!({ "choices": ["b", { "title": "a", "exclusive": true }, "a"], "count": 2 });
    check(twice, json!(["a", "b"]), "ok");
    let group = json!({ "choices": ["a", { "title": "G", "exclusive": true, "choices": ["x"] }], "count": 2 });
    check(
        group,
        json!(["a", { "title": "G", "selection": ["x"] }]),
        "exclusive",
    );
}

#[test]
fn a_group_is_answered_by_a_list_of_its_own() {
    let optional = json!({ "choices": [{ "title": "G", "choices": ["a"], "min": 0, "max": 1 }] });
    check(
        optional.clone(),
        json!([{ "title": "G", "selection": [] }]),
        "ok",
    );
    check(
        optional.clone(),
        json!([{ "title": "G" }]),
        "not-in-choices",
    );
    check(
        optional.clone(),
        json!([{ "title": "G", "selection": null }]),
        "not-in-choices",
    );
    check(
        optional.clone(),
        json!([{ "title": "G", "selection": "a" }]),
        "not-in-choices",
    );
    check(
        optional,
        json!([{ "title": "G", "selection": { "0": "a" } }]),
        "not-in-choices",
    );
    let free = json!({ "choices": [{ "title": "G", "type": "action", "choices": ["a"] }] });
    check(
        free.clone(),
        json!([{ "title": "G", "selection": ["zzz", 1] }]),
        "ok",
    );
    check(
        free.clone(),
        json!([{ "title": "G", "selection": [0.5] }]),
        "not-in-choices",
    );
    check(free, json!(["G"]), "not-in-choices");
}

#[test]
fn what_is_no_list_is_no_answer() {
    check(json!({ "choices": ["a"], "min": 0 }), json!(null), "count");
    check(json!({ "choices": ["a"] }), json!("a"), "count");
    check(
        json!({ "choices": ["a"] }),
        json!([["a"]]),
        "not-in-choices",
    );
    check(json!({ "choices": ["a"], "max": 0 }), json!([]), "ok");
    check(
        json!({ "choices": ["a"], "count": 0 }),
        json!(["a"]),
        "count",
    );
}

#[test]
fn a_freeform_answer_is_any_bounded_value() {
    let nested = |depth| (0..depth).fold(json!(1), |acc, _| json!([acc]));
    let action = json!({ "type": "action", "choices": ["a"], "count": 3 });
    check(action.clone(), json!(null), "ok");
    check(
        action.clone(),
        json!([{ "name": "x", "list": [1, true, null] }]),
        "ok",
    );
    check(action.clone(), json!([{ "cost": 1.5 }]), "fraction");
    check(action.clone(), json!([u64::MAX]), "integer-range");
    check(action.clone(), json!([1e300]), "integer-range");
    check(action.clone(), nested(32), "ok");
    check(action.clone(), nested(33), "too-deep");
    check(action.clone(), json!(vec![0; 9_999]), "ok");
    check(action, json!(vec![0; 10_000]), "too-large");
}

#[test]
fn a_refusal_names_the_place_and_the_inner_reason() {
    let level = |title: &str, choices: Json| json!({ "title": title, "choices": choices });
    let choices = level(
        "t",
        json!([level(
            "L1",
            json!(["x", level("L2", json!(["leaf", "other"]))])
        )]),
    );
    let inside = |items: Json| json!([{ "title": "L1", "selection": [{ "title": "L2", "selection": items }] }]);
    let unknown = refusal(choices.clone(), inside(json!(["leaf", "nope"])));
    assert_eq!(unknown.path(), [0, 0, 1]);
    assert_eq!(unknown.innermost().code(), "not-in-choices");
    assert_eq!(
        unknown.innermost().to_string(),
        "Selection nope didn't exist in the choices"
    );
    assert_eq!(
        unknown.to_string(),
        "Selection L1 didn't exist in the choices"
    );

    let many = refusal(choices.clone(), inside(json!(["leaf", "other"])));
    assert_eq!(many.path(), [0, 0]);
    assert_eq!(
        many.innermost().to_string(),
        "Invalid number of options selected: expected 1-1, got 2"
    );

    let bare = refusal(choices, json!(["L1"]));
    assert_eq!(
        bare.innermost().to_string(),
        "Invalid number of options selected: expected 1-1, got none"
    );
}

#[test]
fn messages_repeat_only_the_start_of_a_long_text() {
    let long = "é".repeat(1_000_000);
    let message = refusal(json!({ "choices": ["a"] }), json!([long])).to_string();
    assert_eq!(
        message,
        format!("Selection {}… didn't exist in the choices", "é".repeat(120))
    );
    assert_eq!(
        refusal(
            json!({ "choices": ["a", { "title": "b", "exclusive": true }] }),
            json!(["a", "b"])
        )
        .to_string(),
        "Exclusive choice mixed with other choices"
    );
}

#[test]
fn resolving_tells_equal_choices_apart() {
    let selector = json!({
        "choices": ["a", { "title": "G", "choices": ["x", "y"] }, "a", { "title": "a", "id": 7 }],
        "min": 0,
        "max": 4,
    });
    let items = json!(["a", { "title": "G", "selection": ["y"] }, { "title": "a", "id": 7 }, "a"]);
    let (selector, response) = read(selector, items);
    let picks = selector.resolve(&response).expect("legal");
    assert_eq!(
        picks.iter().map(|it| it.choice).collect::<Vec<_>>(),
        [0, 1, 3, 2]
    );
    assert_eq!(
        picks[1]
            .nested
            .iter()
            .map(|it| it.choice)
            .collect::<Vec<_>>(),
        [1]
    );
}

#[test]
fn the_wire_format_reads_what_clients_send() {
    let read = |json: Json| serde_json::from_value::<Response>(json);
    assert!(
        read(json!({ "isUserResponse": true }))
            .expect("read")
            .is_user_response
    );
    assert!(
        !read(json!({ "isUserResponse": "yes" }))
            .expect("read")
            .is_user_response
    );
    assert!(read(json!([])).is_err());
    assert!(read(json!({ "title": [] })).is_err());

    let message =
        |json: Json| serde_json::from_value::<Selector>(json).map_err(|it| it.to_string());
    let wrong = |json: Json| message(json).expect_err("malformed");
    assert_eq!(wrong(json!({})), "actor must be: a text");
    assert_eq!(
        wrong(json!({ "actor": "p1", "choices": 1 })),
        "choices must be: a list"
    );
    assert_eq!(
        wrong(json!({ "actor": "p1", "choices": [true] })),
        "choice must be: a text, a number or an object"
    );
    for min in [json!(-1), json!(0.5), json!("1"), json!(u64::MAX)] {
        let expected = "min must be: a whole number of at least 0";
        assert_eq!(wrong(json!({ "actor": "p1", "min": min })), expected);
    }
    assert!(message(json!({ "actor": "p1", "type": "unit", "unknown": 0.5 })).is_ok());
}

#[test]
fn no_auto_always_asks() {
    let forced = Selector::select("p1", "t").offer(["a"]);
    assert!(forced.auto_response().is_some());
    assert_eq!(forced.always_asked().auto_response(), None);
    let (selector, _) = read(json!({ "choices": ["a"], "noAuto": true }), json!([]));
    assert_eq!(selector.auto_response(), None);
    let (impossible, _) = read(
        json!({ "choices": ["a", { "title": "b", "exclusive": true }], "count": 2 }),
        json!([]),
    );
    assert_eq!(impossible.auto_response(), None);
}
