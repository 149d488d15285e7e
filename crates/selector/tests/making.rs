//! Answers made from nothing but the question.

use selector::{Amount, Choice, Response, Selector, Value};

fn nested() -> Selector {
    Selector::select("p1", "Do").offer([
        Choice::group("Trade", ["a", "b"]).with_amount(Amount { min: Some(0), max: Some(1), count: None }),
        Choice::from("Rest").exclusive(),
        Choice::from("Sow").with_id(7),
    ])
}

fn names(selector: &Selector, limit: usize) -> Vec<Value> {
    selector.answers(limit).into_iter().map(|it| it.selection).collect()
}

#[test]
fn every_set_of_picks_is_listed_once() {
    let selector = Selector::select("p1", "t").offer(["a", "b", "c"]).exactly(2);
    let pairs = [["a", "b"], ["a", "c"], ["b", "c"]];
    assert_eq!(names(&selector, 99), pairs.map(|it| Value::List(it.map(Value::from).to_vec())));
    assert_eq!(names(&selector, 2).len(), 2);
}

#[test]
fn groups_exclusives_and_ids_are_answered_as_validation_wants() {
    let selector = nested().between(0, 3);
    let answers = selector.answers(99);
    assert!(answers.iter().all(|it| selector.validate(it).is_ok()));
    // Nothing; a trade of nothing, a or b; rest; sow; each trade with sowing.
    assert_eq!(answers.len(), 1 + 3 + 1 + 1 + 3);
}

#[test]
fn the_least_answer_picks_as_little_as_possible() {
    #[track_caller]
    fn check(selector: &Selector, expected: &[Value]) {
        let made = selector.make_response(&mut |_| 0).expect("can be answered");
        assert_eq!(made, Response::to(selector, expected.to_vec()));
    }
    check(&Selector::select("p1", "t").offer(["a", "b"]).between(0, 2), &[]);
    check(&Selector::select("p1", "t").offer(["a", "b", "c"]).exactly(2), &["a".into(), "b".into()]);
    check(&nested(), &[Value::nested("Trade", Vec::<Value>::new())]);
    check(&Selector::action("p1", "t"), &[]);
}

#[test]
fn a_question_without_an_answer_gets_none() {
    let selector = Selector::select("p1", "t").offer([Choice::from("a").exclusive(), Choice::from("b").exclusive()]);
    assert_eq!(selector.exactly(2).make_response(&mut |_| 0), None);
}
