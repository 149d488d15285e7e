//! Every operation of the contract is served, and served documents are those that are kept.

mod common;

use common::Host;
use protocol::{documents, operations};

#[tokio::test(flavor = "multi_thread")]
async fn the_documents_are_served_as_they_are_kept() {
    let host = Host::start().await;
    let ann = host.guest("Ann").await;
    for (name, text) in documents::all() {
        let served = ann.get_bytes(&format!("/{name}")).await.expect("it is served");
        assert_eq!(String::from_utf8_lossy(&served), text, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_catalogue_is_served_by_its_hash_and_hashes_to_it() {
    let host = Host::start().await;
    let ann = host.guest("Ann").await;
    let rulesets: serde_json::Value = ann.get("/rulesets").await.expect("there are games");
    for it in rulesets.as_array().expect("a list") {
        let hash = it["catalogueHash"].as_str().expect("a hash");
        let catalogue: serde_json::Value = ann.get(&format!("/catalogues/{hash}")).await.expect("it is there");
        assert_eq!(protocol::canonical::hash(&catalogue), hash, "{}", it["id"]);
        assert_eq!(catalogue["game"], it["id"]);
    }
}

#[test]
fn the_openapi_document_describes_every_operation() {
    let document = documents::openapi();
    for it in operations::all() {
        let operation = &document["paths"][it.path][it.method.to_lowercase()];
        assert_eq!(operation["summary"], it.summary, "{} {}", it.method, it.path);
    }
}
