//! The documents of the API are fresh, and name every route and message.

use expect_test::expect_file;
use server::{docs, routes};

#[test]
fn the_openapi_document_is_fresh() {
    let text = serde_json::to_string_pretty(&docs::openapi()).expect("JSON");
    expect_file!["../../../docs/openapi.json"].assert_eq(&(text + "\n"));
}

#[test]
fn the_asyncapi_document_is_fresh() {
    let text = serde_json::to_string_pretty(&docs::asyncapi()).expect("JSON");
    expect_file!["../../../docs/asyncapi.json"].assert_eq(&(text + "\n"));
}

#[test]
fn the_openapi_document_is_of_version_3_1_and_names_every_route() {
    let document = serde_json::to_value(docs::openapi()).expect("JSON");
    assert!(document["openapi"].as_str().is_some_and(|it| it.starts_with("3.1")));
    for route in routes::table() {
        let operation = &document["paths"][route.path][route.method.to_lowercase()];
        assert_eq!(operation["summary"], route.summary, "{} {}", route.method, route.path);
    }
}
