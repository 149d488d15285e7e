//! What holds for every selector and every answer.

use proptest::prelude::*;
use selector::{Amount, Choice, Kind, Label, Options, Response, Selector, Value};

/// Few titles and ids, so that they collide.
fn label() -> impl Strategy<Value = Label> {
    prop_oneof![
        (0..3i64).prop_map(Label::from),
        "[ab]".prop_map(Label::from)
    ]
}

fn amount() -> impl Strategy<Value = Amount> {
    let number = || prop::option::weighted(0.4, 0..4u32);
    (number(), number(), number()).prop_map(|(min, max, count)| Amount { min, max, count })
}

fn options(choice: BoxedStrategy<Choice>) -> impl Strategy<Value = Options> {
    let kind = prop_oneof![9 => Just(Kind::Select), 1 => Just(Kind::Action)];
    (kind, prop::collection::vec(choice, 0..5), amount()).prop_map(|(kind, choices, amount)| {
        Options {
            kind,
            choices,
            amount,
        }
    })
}

fn leaf() -> impl Strategy<Value = Choice> {
    let title = prop::option::weighted(0.9, label());
    let id = prop::option::weighted(0.4, label());
    (title, id, prop::bool::weighted(0.2)).prop_map(|(title, id, exclusive)| Choice {
        title,
        id,
        exclusive,
        ..Choice::default()
    })
}

fn choice() -> BoxedStrategy<Choice> {
    let group = |inner| {
        (leaf(), options(inner)).prop_map(|(leaf, nested)| Choice {
            nested: Some(nested),
            ..leaf
        })
    };
    leaf().prop_recursive(3, 24, 4, group).boxed()
}

fn selector() -> impl Strategy<Value = Selector> {
    (options(choice()), any::<bool>()).prop_map(|(options, no_auto)| Selector {
        actor: "p1".into(),
        title: Some("t".into()),
        options,
        no_auto,
    })
}

fn object(list: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let id = prop::option::weighted(0.3, label());
    (prop::option::of(label()), id, prop::option::of(list)).prop_map(|(title, id, selection)| {
        let title = title.map(|it| ("title", it.into()));
        let id = id.map(|it| ("id", it.into()));
        let selection = selection.map(|it| ("selection", it));
        Value::object([title, id, selection].into_iter().flatten())
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        8 => label().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let list = prop::collection::vec(inner, 0..4)
            .prop_map(Value::List)
            .boxed();
        prop_oneof![1 => list.clone(), 6 => object(list)]
    })
}

fn response() -> impl Strategy<Value = Response> {
    let title = prop_oneof![9 => Just(Some(Label::from("t"))), 1 => prop::option::of(label())];
    let selection =
        prop_oneof![9 => prop::collection::vec(value(), 0..5).prop_map(Value::List), 1 => value()];
    (title, selection).prop_map(|(title, selection)| Response {
        title,
        selection,
        ..Response::default()
    })
}

/// A selector with an answer that picks some of its choices, each named in one of the ways a
/// client can, so that most items exist and many are ambiguous.
fn answered() -> impl Strategy<Value = (Selector, Response)> {
    selector().prop_flat_map(|selector| {
        let n_choices = selector.options.choices.len();
        let shuffled = Just(selector.options.choices.clone()).prop_shuffle();
        let ways = prop::collection::vec(any::<u32>(), 0..=n_choices);
        let stray = prop::option::weighted(0.1, value());
        (Just(selector), shuffled, ways, stray).prop_map(|(selector, choices, ways, stray)| {
            let items = choices
                .iter()
                .zip(ways)
                .map(|(choice, way)| name(choice, way));
            let response = Response::to(&selector, items.chain(stray));
            (selector, response)
        })
    })
}

/// Names a choice with or without its id, in brief or in full, and picks inside a group.
fn name(choice: &Choice, way: u32) -> Value {
    let title = choice.title.clone().map(|it| ("title", Value::from(it)));
    let id = choice.id.clone().map(|it| ("id", it.into()));
    let id = id.filter(|_| way & 1 == 0);
    let selection = choice.nested.as_ref().map(|nested| {
        let bounds = nested.bounds();
        let n_picks = if way & 2 == 0 { bounds.min } else { bounds.max };
        let picked = nested.choices.iter().rev().take(n_picks as usize);
        let picked = picked.map(|it| name(it, way.rotate_right(3))).collect();
        ("selection", Value::List(picked))
    });
    match (&title, &id, &selection) {
        (Some((_, title)), None, None) if way & 4 == 0 => title.clone(),
        _ => Value::object([title, id, selection].into_iter().flatten()),
    }
}

/// Half of the answers know the selector, the others do not.
fn judged() -> impl Strategy<Value = (Selector, Response)> {
    prop_oneof![answered(), (selector(), response())]
}

/// The rules again, by trying everything: returns the code of the refusal.
fn judge(options: &Options, selection: Option<&Value>) -> Option<&'static str> {
    let picks = selection.and_then(Value::as_list);
    if options.kind == Kind::Action {
        return None;
    }
    let Some(items) = picks else {
        return Some("count");
    };
    let all: Vec<_> = options.choices.iter().collect();
    let combinable: Vec<_> = all.iter().copied().filter(|it| !it.exclusive).collect();
    let bounds = options.bounds();
    if !fit(items, &all) {
        Some("not-in-choices")
    } else if items.len() > 1 && !fit(items, &combinable) {
        Some("exclusive")
    } else if (bounds.min as usize..=bounds.max as usize).contains(&items.len()) {
        None
    } else {
        Some("count")
    }
}

fn fit(items: &[Value], choices: &[&Choice]) -> bool {
    let Some((item, items)) = items.split_first() else {
        return true;
    };
    (0..choices.len()).any(|taken| {
        let mut rest = choices.to_vec();
        means(item, rest.remove(taken)) && fit(items, &rest)
    })
}

fn means(item: &Value, choice: &Choice) -> bool {
    let title = item.as_label().or_else(|| item.field("title")?.as_label());
    let id = item.field("id").and_then(Value::as_label);
    let has_title = choice.title.is_some() && title == choice.title.as_ref().map(Label::as_ref);
    let is_named = match (id, &choice.id) {
        (Some(id), Some(other)) => id == other.as_ref(),
        _ => has_title,
    };
    let Some(nested) = &choice.nested else {
        return is_named;
    };
    let selection = item.field("selection").filter(|it| it.as_list().is_some());
    let same_title = title == choice.title.as_ref().map(Label::as_ref);
    is_named && same_title && selection.is_some() && judge(nested, selection).is_none()
}

/// A soak run tries a hundred times as much.
fn n_cases() -> u32 {
    let is_soak = std::env::var_os("SNAPSTACK_SOAK").is_some();
    if is_soak { 200_000 } else { 2_000 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(n_cases()))]

    #[test]
    fn an_automatic_answer_is_always_legal(selector in selector()) {
        if let Some(response) = selector.auto_response() {
            prop_assert_eq!(selector.validate(&response), Ok(()));
            prop_assert!(!response.is_user_response && !selector.no_auto);
        }
    }

    #[test]
    fn every_answer_is_judged_as_trying_everything_would((selector, response) in judged()) {
        let expected = if response.title == selector.title {
            judge(&selector.options, Some(&response.selection))
        } else {
            Some("title")
        };
        prop_assert_eq!(selector.validate(&response).err().map(|it| it.code()), expected);
    }

    #[test]
    fn the_order_of_items_never_changes_the_verdict((selector, response) in answered()) {
        let verdict = |items: Vec<Value>| {
            selector.validate(&Response::to(&selector, items)).err().map(|it| it.code())
        };
        let items = response.items().expect("a list").to_vec();
        let reversed = items.iter().rev().cloned().collect();
        let mut rotated = items.clone();
        rotated.rotate_left(items.len() / 2);
        let expected = verdict(items);
        prop_assert_eq!(verdict(reversed), expected);
        prop_assert_eq!(verdict(rotated), expected);
    }

    #[test]
    fn picks_are_distinct_and_mean_their_items((selector, response) in judged()) {
        if let (Ok(picks), Kind::Select) = (selector.resolve(&response), selector.options.kind) {
            let items = response.items().expect("a legal answer is a list");
            prop_assert_eq!(picks.len(), items.len());
            let mut numbers: Vec<_> = picks.iter().map(|it| it.choice).collect();
            for (item, number) in items.iter().zip(&numbers) {
                prop_assert!(means(item, &selector.options.choices[*number as usize]));
            }
            numbers.sort_unstable();
            numbers.dedup();
            prop_assert_eq!(numbers.len(), items.len());
        }
    }

    #[test]
    fn json_round_trips(selector in selector(), response in response()) {
        let text = serde_json::to_string(&selector).expect("encodes");
        prop_assert_eq!(serde_json::from_str::<Selector>(&text).expect("decodes"), selector);
        let text = serde_json::to_string(&response).expect("encodes");
        prop_assert_eq!(serde_json::from_str::<Response>(&text).expect("decodes"), response);
    }

    #[test]
    fn arbitrary_text_never_panics_the_decoder(text in "[\\[\\]{}\":,a-c0-9.eE -]{0,60}") {
        let selector = serde_json::from_str::<Selector>(&text);
        let response = serde_json::from_str::<Response>(&text);
        if let (Ok(selector), Ok(response)) = (selector, response) {
            let _ = selector.validate(&response);
        }
    }
}
