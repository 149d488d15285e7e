//! Large and deep input: refused or judged, never a crash and never without end.

use selector::limits::{CHOICES_MAX, GROUP_DEPTH_MAX};
use selector::{Amount, Choice, Malformed, Response, Selector, Value, ViolationKind};

fn ask(choices: impl IntoIterator<Item = Choice>, count: u32) -> Selector {
    Selector::select("p1", "t").offer(choices).exactly(count)
}

#[track_caller]
fn check(selector: &Selector, items: impl IntoIterator<Item = Value>, expected: &str) {
    let response = Response::to(selector, items);
    let code = selector
        .validate(&response)
        .map_or_else(|it| it.code(), |()| "ok");
    assert_eq!(code, expected);
}

const MANY: u32 = 10_000;

#[test]
fn ten_thousand_equal_choices_are_all_picked() {
    let selector = ask((0..MANY).map(|_| "a".into()), MANY);
    check(&selector, (0..MANY).map(|_| "a".into()), "ok");
    check(&selector, (0..=MANY).map(|_| "a".into()), "not-in-choices");
}

#[test]
fn ten_thousand_twins_make_room_for_each_other() {
    let twin = |id: u32| Value::titled("Twin", i64::from(id));
    let selector = ask(
        (0..MANY).map(|it| Choice::from("Twin").with_id(i64::from(it))),
        MANY,
    );
    let bare = (0..MANY / 2).map(|_| Value::from("Twin"));
    check(&selector, bare.clone().chain((0..MANY / 2).map(twin)), "ok");
    check(&selector, (MANY / 2..MANY).map(twin).chain(bare), "ok");
}

#[test]
fn ten_thousand_choices_with_one_id_are_told_apart_by_use() {
    let one_id = |it: u32| Choice::from(i64::from(it)).with_id("same");
    let selector = ask((0..MANY).map(one_id), MANY);
    check(
        &selector,
        (0..MANY).map(|it| Value::titled(i64::from(it), "same")),
        "ok",
    );
    check(
        &selector,
        (0..MANY)
            .rev()
            .map(|it| Value::titled(i64::from(it), "same")),
        "ok",
    );
}

#[test]
fn ten_thousand_groups_of_one_title_are_all_picked() {
    let selector = ask((0..MANY).map(|_| Choice::group("G", ["a", "b"])), MANY);
    check(
        &selector,
        (0..MANY).map(|_| Value::nested("G", ["b"])),
        "ok",
    );
}

#[test]
fn a_search_without_end_is_given_up() {
    let selector = ask(
        (0..MANY).map(|it| Choice::group("G", [i64::from(it)])),
        MANY,
    );
    check(
        &selector,
        (0..MANY)
            .rev()
            .map(|it| Value::nested("G", [i64::from(it)])),
        "too-large",
    );
}

#[test]
fn a_client_cannot_nest_deeper_than_the_selector() {
    let deep = (0..1_000).fold(Value::from("a"), |acc, _| Value::nested("G", [acc]));
    let selector = ask([Choice::group("G", [Choice::group("G", ["a"])])], 1);
    check(&selector, [deep], "not-in-choices");
}

#[test]
fn an_author_can_nest_to_the_limit_and_not_beyond() {
    let nest = |depth| (0..depth).fold(Choice::from("a"), |acc, _| Choice::group("G", [acc]));
    let answer = |depth| (0..depth).fold(Value::from("a"), |acc, _| Value::nested("G", [acc]));
    let fits = ask([nest(GROUP_DEPTH_MAX)], 1);
    assert_eq!(fits.check(), []);
    check(&fits, [answer(GROUP_DEPTH_MAX)], "ok");
    assert_eq!(Selector::from_value(&fits.to_value()), Ok(fits));

    let deeper = ask([nest(GROUP_DEPTH_MAX + 1)], 1);
    assert_eq!(
        deeper.check().iter().map(|it| it.kind).collect::<Vec<_>>(),
        [ViolationKind::TooDeep]
    );
    check(&deeper, [answer(GROUP_DEPTH_MAX + 1)], "not-in-choices");
    assert_eq!(
        Selector::from_value(&deeper.to_value()),
        Err(Malformed::TooDeep)
    );
}

#[test]
fn decoding_stops_at_a_depth_of_its_own() {
    let text = format!("{}1{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let mut decoder = serde_json::Deserializer::from_str(&text);
    let error = <Value as serde::Deserialize>::deserialize(&mut decoder).expect_err("too deep");
    assert!(
        error.to_string().contains("recursion limit") || error.to_string().contains("too-deep")
    );

    let within = |depth| {
        serde_json::json!((0..depth).fold(serde_json::json!(1), |acc, _| serde_json::json!([acc])))
    };
    assert!(serde_json::from_value::<Value>(within(128)).is_ok());
    let error = serde_json::from_value::<Value>(within(129))
        .expect_err("too deep")
        .to_string();
    assert!(error.contains("too-deep"), "{error}");
}

#[test]
fn an_author_hears_of_every_mistake() {
    let pairs = |selector: &Selector| {
        selector
            .check()
            .into_iter()
            .map(|it| (it.path, it.kind.code()))
            .collect::<Vec<_>>()
    };
    let amount = Amount {
        min: Some(3),
        max: Some(2),
        count: None,
    };
    let selector = ask(
        [
            Choice::group("G", ["a"]).with_amount(amount),
            Choice::default(),
            Choice::from("x").exclusive(),
        ],
        3,
    );
    assert_eq!(
        pairs(&selector),
        [
            (vec![], "selector/exclusive_forced"),
            (vec![0], "selector/min_above_max"),
            (vec![1], "selector/nameless_choice"),
        ]
    );
    assert_eq!(
        selector.check()[1].to_string(),
        "choices[0].the minimum is above the maximum: 3 > 2"
    );
    let many = ask((0..CHOICES_MAX + 5).map(|_| Choice::from("a")), 1);
    assert_eq!(pairs(&many), [(vec![], "selector/too_many_choices")]);
    assert_eq!(
        pairs(&Selector::action("p1", "t").offer([Choice::default()])),
        []
    );
}
