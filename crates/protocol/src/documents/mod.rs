//! The documents of the contract, all made from the same types: JSON Schema bundle, OpenAPI, AsyncAPI and TypeScript.

mod asyncapi;
mod openapi;
mod schemas;
mod typescript;

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

pub use asyncapi::asyncapi;
pub use openapi::openapi;

use crate::canonical;

/// Every type by its name, in JSON Schema.
pub fn definitions() -> Map<String, Value> {
    schemas::definitions()
}

/// All types as one document of JSON Schema 2020-12.
pub fn bundle() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://snapstack.dev/schemas/1.0",
        "title": "Snapstack",
        "$defs": definitions(),
    })
}

/// All types as TypeScript.
pub fn types() -> String {
    typescript::write(&definitions())
}

/// The hash of the bundle.
pub fn schema_hash() -> &'static str {
    static HASH: LazyLock<String> = LazyLock::new(|| canonical::hash(&bundle()));
    &HASH
}

/// A document as it is kept and served.
pub fn pretty(document: &Value) -> String {
    let text = serde_json::to_string_pretty(document).expect("plain data has a JSON form; qed");
    format!("{text}\n")
}

/// The documents by their file names.
pub fn all() -> [(&'static str, String); 4] {
    [
        ("schemas.json", pretty(&bundle())),
        ("openapi.json", pretty(&openapi())),
        ("asyncapi.json", pretty(&asyncapi())),
        ("types.d.ts", types()),
    ]
}
