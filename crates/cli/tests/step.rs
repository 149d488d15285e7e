//! `snapstack play --save` and `snapstack step`: a match is stored, and gone through record by record.

use std::{
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

fn snapstack(args: &[&str], input: &str) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut process = Command::new(env!("CARGO_BIN_EXE_snapstack"))
        .args(args)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command line can be started; qed");
    process.stdin.take().expect("it is piped; qed").write_all(input.as_bytes()).expect("it reads; qed");
    process.wait_with_output().expect("it ends; qed")
}

#[test]
fn a_stored_match_is_gone_through_to_an_event_and_back() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("match.log");
    let path = path.to_string_lossy().into_owned();
    let played = snapstack(&["play", "skirmish", "--auto", "--seed", "4", "--save", &path], "");
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let stepped =
        snapstack(&["step", "skirmish", &path], "n\ne DealDamage\nw\ns\nb\ng 1\nc p1\nc nobody\ng 1\nb\nb\nq\n");
    let text = String::from_utf8_lossy(&stepped.stdout).into_owned();
    assert!(stepped.status.success(), "{text}");
    assert!(text.contains("> DealDamage\n"), "the stack ends with it: {text}");
    assert!(text.contains("[0/"), "{text}");
    assert!(text.ends_with("there is no such place\n"), "nothing lies before the beginning: {text}");
    let mut bytes = std::fs::read(&path).expect("it was stored; qed");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).expect("it can be written; qed");
    let refused = snapstack(&["step", "skirmish", &path], "");
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("(log/"), "a damaged match is refused with a code");
}
