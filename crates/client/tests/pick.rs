//! Lines become answers: numbers and names, groups one after the other, and a way back.

use client::pick::{Picked, Picker};
use selector::{Choice, Response, Selector, Value};

fn moves() -> Selector {
    let cards = [Choice::from("Squire").with_id("c1"), Choice::from("Archer").with_id("c2")];
    Selector::select("p1", "Priority").offer([Choice::group("Play a card", cards), Choice::from("Pass")])
}

/// Types lines one after the other; gives what the last one led to.
fn typed(selector: &Selector, lines: &[&str]) -> Picked {
    let mut picker = Picker::new(selector, "your move");
    let picked: Vec<Picked> = lines.iter().map(|it| picker.pick(it)).collect();
    picked.last().expect("a line").clone()
}

#[track_caller]
fn check(selector: &Selector, lines: &[&str], expected: impl IntoIterator<Item = Value>) {
    let response = Response { ..Response::to(selector, expected.into_iter().collect::<Vec<_>>()) };
    let Picked::Done(found) = typed(selector, lines) else { panic!("{lines:?} is no answer") };
    assert_eq!(found.selection, response.selection, "{lines:?}");
    assert_eq!(selector.validate(&found), Ok(()), "{lines:?}");
}

#[track_caller]
fn check_wrong(selector: &Selector, lines: &[&str], expected: &str) {
    assert_eq!(typed(selector, lines), Picked::Wrong(expected.to_owned()), "{lines:?}");
}

#[test]
fn numbers_and_names_pick() {
    check(&moves(), &["2"], ["Pass".into()]);
    check(&moves(), &["pass"], ["Pass".into()]);
    check(&moves(), &[" PASS "], ["Pass".into()]);
    // A number is a place, whatever is written there.
    check(&Selector::select("p1", "How many?").offer(["0", "1", "2"]), &["1"], ["0".into()]);
}

#[test]
fn what_is_inside_a_group_is_asked_next_and_back_leaves_it() {
    let mut picker = Picker::new(&moves(), "your move");
    assert_eq!(picker.choices(), ["  1 Play a card ...", "  2 Pass"]);
    assert_eq!(picker.prompt(), "your move [1-2]");
    assert_eq!(picker.pick("1"), Picked::More);
    assert_eq!(picker.choices(), ["  1 Squire", "  2 Archer"]);
    assert_eq!(picker.prompt(), "Play a card [1-2, back]");
    assert_eq!(picker.pick("back"), Picked::More);
    assert_eq!(picker.prompt(), "your move [1-2]");
    let archer = Value::object([("title", "Archer".into()), ("id", "c2".into())]);
    let played = Value::object([("title", "Play a card".into()), ("selection", Value::List(vec![archer]))]);
    check(&moves(), &["1", "archer"], [played]);
}

#[test]
fn several_groups_are_asked_one_after_the_other() {
    let group = |name: &str| {
        Choice::group(name, [format!("{name} 1"), format!("{name} 2")].map(|it| Choice::from(it.as_str())))
    };
    let selector = Selector::select("p1", "Pick").offer([group("A"), group("B")]).exactly(2);
    let picked = |name: &str, inner: &str| {
        Value::object([("title", name.into()), ("selection", Value::List(vec![inner.into()]))])
    };
    check(&selector, &["1 2", "2", "1"], [picked("A", "A 2"), picked("B", "B 1")]);
}

#[test]
fn what_picks_nothing_is_said_and_asked_again() {
    check_wrong(&moves(), &["3"], "3 is not among 1-2");
    check_wrong(&moves(), &["fly"], "fly is not among 1-2");
    check_wrong(&moves(), &["1 2"], "pick 1-2, not 2");
    let twins = Selector::select("p1", "Pick").offer(["c1", "c2"].map(|it| Choice::from("Squire").with_id(it)));
    check_wrong(&twins, &["squire"], "there are several of these; say which by its number: squire");
}

#[test]
fn prompts_say_how_many() {
    let cards = ["a", "b", "c"];
    for (selector, expected) in [
        (Selector::select("p1", "Pick").offer(cards), "Pick [1-3]"),
        (Selector::select("p1", "Pick").offer(cards).exactly(2), "Pick [2 of 1-3]"),
        (Selector::select("p1", "Pick").offer(cards).between(0, 3), "Pick [up to 3 of 1-3, or Enter for none]"),
        (Selector::select("p1", "Pick").offer(cards).between(1, 2), "Pick [1 to 2 of 1-3]"),
    ] {
        assert_eq!(Picker::new(&selector, "Pick").prompt(), expected);
    }
    check(&Selector::select("p1", "Pick").offer(cards).between(0, 3), &[""], []);
}
