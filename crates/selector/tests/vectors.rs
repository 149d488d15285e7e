//! The selectors every implementation must agree on.

use selector::{Response, Selector};
use serde_json::{Value as Json, json};

#[test]
fn every_vector_is_judged_as_recorded() {
    let lines = include_str!("data/selectors.jsonl").lines();
    let vectors: Vec<Json> = lines
        .map(|it| serde_json::from_str(it).expect("JSON"))
        .collect();
    assert!(vectors.len() >= 55, "vectors were lost: {}", vectors.len());
    vectors.iter().for_each(check);
}

#[track_caller]
fn check(vector: &Json) {
    let id = &vector["id"];
    let selector: Selector = serde_json::from_value(vector["selector"].clone()).expect("selector");

    let auto = selector.auto_response().map(|it| json!(it.selection));
    assert_eq!(
        auto.unwrap_or(Json::Null),
        vector["auto"],
        "{id}: automatic answer"
    );

    let Some(response) = vector.get("response") else {
        return;
    };
    let response: Response = serde_json::from_value(response.clone()).expect("response");
    let kind = selector.validate(&response).err().map(|it| it.code());
    assert_eq!(json!(kind), vector["kind"], "{id}: kind");
    assert_eq!(json!(kind.is_none()), vector["valid"], "{id}: valid");
}
