//! Connecting: pages of other origins, the version of the contract, hello and welcome.

mod common;

use common::{Ear, Host};
use protocol::{PROTOCOL, ServerMessage, documents};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Sends a request as it is written; gives the head of the answer in lower case.
async fn raw(host: &Host, request: &str) -> String {
    let mut stream = TcpStream::connect(host.server().address).await.expect("it listens");
    let request = format!("{}\r\nhost: x\r\nconnection: close\r\n\r\n", request.replace('\n', "\r\n"));
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("it answers");
    answer.to_lowercase()
}

async fn host() -> Host {
    Host::with(|config| config.origins = vec!["https://play.example".to_owned()]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_named_origins_may_read_what_is_answered() {
    let host = host().await;
    let answer = raw(&host, "GET /protocol HTTP/1.1\norigin: https://play.example").await;
    assert!(answer.starts_with("http/1.1 200"), "{answer}");
    assert!(answer.contains("access-control-allow-origin: https://play.example"), "{answer}");
    assert!(answer.contains("access-control-expose-headers: etag, retry-after"), "{answer}");
    let asked = "OPTIONS /matches HTTP/1.1\norigin: https://play.example\naccess-control-request-method: POST";
    let preflight = raw(&host, asked).await;
    assert!(preflight.starts_with("http/1.1 204"), "{preflight}");
    assert!(preflight.contains("access-control-allow-headers: authorization"), "{preflight}");
    assert!(!preflight.contains("access-control-allow-credentials"), "tokens only, no cookies: {preflight}");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_may_not() {
    let host = host().await;
    let answer = raw(&host, "GET /protocol HTTP/1.1\norigin: https://evil.example").await;
    assert!(!answer.contains("access-control-allow-origin"), "{answer}");
    let upgrade = "GET /ws HTTP/1.1\norigin: https://evil.example\nupgrade: websocket\nsec-websocket-version: 13\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
    // The connection header of a socket comes first, so that it counts.
    let answer = raw(&host, &format!("{upgrade}\nconnection: upgrade")).await;
    assert!(answer.contains("auth/origin"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_another_major_version_is_told() {
    let host = host().await;
    let answer = raw(&host, "GET /protocol HTTP/1.1\nsnapstack-protocol: 2").await;
    assert!(answer.starts_with("http/1.1 400") && answer.contains("request/protocol"), "{answer}");
    assert!(raw(&host, "GET /protocol HTTP/1.1\nsnapstack-protocol: 1").await.starts_with("http/1.1 200"));
    let ann = host.guest("Ann").await;
    let mut ear = Ear::open(&ann).await;
    ear.send(&json!({ "type": "hello", "protocol": "2.0" })).await;
    let ServerMessage::Error(refused) = ear.next().await.expect("an answer") else { panic!("it is not spoken") };
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("request/protocol", Some("/protocol")));
}

#[tokio::test(flavor = "multi_thread")]
async fn hello_is_answered_with_what_the_server_speaks_and_its_limits() {
    let host = host().await;
    let ann = host.guest("Ann").await;
    let mut ear = Ear::open(&ann).await;
    ear.send(&json!({ "type": "hello", "protocol": "1.0", "schemaHash": "sha256:00", "locale": "de" })).await;
    let ServerMessage::Welcome(welcome) = ear.next().await.expect("an answer") else { panic!("it is welcome") };
    assert_eq!((welcome.protocol.as_str(), welcome.schema_hash.as_str()), (PROTOCOL, documents::schema_hash()));
    assert_eq!(welcome.limits.page_choices, 200);
    ear.send(&json!({ "type": "hello", "protocol": "1.0", "nonsense": 1 })).await;
    let ServerMessage::Error(refused) = ear.next().await.expect("an answer") else { panic!("it is read strictly") };
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("request/unknown_field", Some("/nonsense")));
}
