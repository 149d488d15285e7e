//! `schemathesis` against the served OpenAPI document: nothing it sends makes the server fail. Only in the long run
//! (`cargo xtask soak`), since it installs a Python program; the short run asks the document itself for its routes.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use client::Api;
use serde_json::{Value, json};

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} did not start: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{command:?} failed\n{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// The document with one live match in place of any match, so that most of what is sent reaches a real table.
fn aimed(document: &Value, id: &str) -> Value {
    let mut document = document.clone();
    let paths = document["paths"].as_object().cloned().unwrap_or_default();
    let keep = |it: &(String, Value)| it.0 != "/ws" && it.0 != "/sessions/current";
    let aim = |(path, mut item): (String, Value)| {
        for operation in item.as_object_mut().into_iter().flat_map(|it| it.values_mut()) {
            if let Some(parameters) = operation.get_mut("parameters").and_then(Value::as_array_mut) {
                parameters.retain(|it| it["name"] != "id");
            }
        }
        (path.replace("{id}", id), item)
    };
    document["paths"] = paths.into_iter().filter(keep).map(aim).collect::<serde_json::Map<_, _>>().into();
    document
}

fn walk(folder: &Path, base: &str, token: &str, document: &Value) {
    let venv = folder.join("venv");
    succeed(Command::new("python3").args(["-m", "venv"]).arg(&venv));
    succeed(Command::new(venv.join("bin/pip")).args(["install", "-q", "schemathesis==4.32.5"]));
    let file = folder.join("openapi.json");
    std::fs::write(&file, document.to_string()).expect("the folder can be written");
    let mut run = Command::new(venv.join("bin/schemathesis"));
    run.arg("run").arg(&file).args(["--url", base, "-H", &format!("Authorization: Bearer {token}")]);
    run.args(["--checks", "not_a_server_error", "-n", "100"]);
    eprintln!("{}", succeed(&mut run));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_a_client_can_send_makes_the_server_fail() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("some port is free").port();
    let mut server = Command::new(env!("CARGO_BIN_EXE_snapstack"))
        .args(["serve", "--store"])
        .arg(folder.path().join("store.db"))
        .args(["--listen", &format!("127.0.0.1:{port}"), "--accounts-per-minute-max", "10000000"])
        .args(["--matches-per-account-max", "10000000", "--requests-per-second-max", "10000000", "--games"])
        .arg(testkit::games::folder())
        .stdout(Stdio::null())
        .spawn()
        .expect("the server starts");
    let base = format!("http://127.0.0.1:{port}");
    while Api::new(&base).get_bytes("/readyz").await.is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let ann = Api::guest(&base, "Ann").await.expect("a guest");
    let created: Value =
        ann.post("/matches", &json!({ "game": "duel", "seats": ["me", "bot:random"] })).await.expect("a table");
    let document: Value = ann.get("/openapi.json").await.expect("it is served");
    let document = aimed(&document, created["id"].as_str().expect("an id"));
    assert!(document["paths"].as_object().is_some_and(|it| it.len() > 20));
    if std::env::var_os("SNAPSTACK_SOAK").is_some() {
        walk(folder.path(), &base, ann.token().expect("signed in"), &document);
    }
    server.kill().expect("it runs");
    server.wait().expect("it ends");
}
