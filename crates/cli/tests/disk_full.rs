//! A full disk: requests are refused with a code, nothing acknowledged is lost, and play goes on once there is room.
//! Needs to be root, to make a disk that small.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use client::Api;
use serde_json::{Value, json};
use testkit::served::clicker;

/// A small disk in memory, unmounted when this is dropped.
struct Disk<'d>(&'d Path);

fn mount(args: &[&str], at: &Path) -> bool {
    Command::new("mount").args(args).arg(at).stderr(Stdio::null()).status().is_ok_and(|it| it.success())
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

/// A server, killed when this is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

async fn start(store: &Path) -> (Process, String) {
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("some port is free").port();
    let child = Command::new(env!("CARGO_BIN_EXE_snapstack"))
        .args(["serve", "--store"])
        .arg(store)
        .args(["--listen", &format!("127.0.0.1:{port}"), "--games"])
        .arg(testkit::games::folder())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the server starts");
    let base = format!("http://127.0.0.1:{port}");
    while Api::new(&base).get_bytes("/healthz").await.is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    (Process(child), base)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_loses_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    if !mount(&["-t", "tmpfs", "-o", "size=1500k", "tmpfs"], folder.path()) {
        eprintln!("not root, so no small disk can be made: nothing was tested");
        return;
    }
    let disk = Disk(folder.path());
    let (_server, base) = start(&folder.path().join("store.db")).await;
    let (ann, bob) =
        (Api::guest(&base, "Ann").await.expect("a guest"), Api::guest(&base, "Bob").await.expect("a guest"));
    let body = json!({ "documents": { "ruleset": clicker().to_string() } });
    let published: Value = ann.post("/rulesets", &body).await.expect("the ruleset has no mistakes");
    let created: Value = ann.post("/matches", &json!({ "game": published["hash"] })).await.expect("a table");
    let id = created["id"].as_str().expect("an id");
    let _: Value = bob.post(&format!("/matches/{id}/join"), &json!({})).await.expect("a seat is free");
    let path = format!("/matches/{id}/actions");
    let mut n_clicks = 0;
    let refused = loop {
        match ann.post::<Value>(&path, &json!({ "type": "click", "commandId": format!("c{n_clicks}") })).await {
            Ok(_) => n_clicks += 1,
            Err(error) => break error,
        }
        assert!(n_clicks < 900, "the disk never fills");
    };
    assert_eq!(refused.code(), "storage/full");
    // With room again, the very same request gets through, and everything before it is there.
    assert!(mount(&["-o", "remount,size=64m"], disk.0), "the disk can grow");
    let again = json!({ "type": "click", "commandId": format!("c{n_clicks}") });
    ann.post::<Value>(&path, &again).await.expect("there is room");
    let view: Value = ann.get(&format!("/matches/{id}/view")).await.expect("it is there");
    assert_eq!(view["view"]["players"]["p1"]["values"]["clicks"], n_clicks + 1);
}
