//! `snapstack check`: what it says in every format, and what its exit code tells.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn check(args: &[&str]) -> Output {
    let snapstack = Command::new(env!("CARGO_BIN_EXE_snapstack")).arg("check").args(args).current_dir(root()).output();
    snapstack.expect("the command line can be started; qed")
}

/// A game in a folder of its own.
fn game(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the folder can be made; qed");
    std::fs::write(folder.join("ruleset.json"), text).expect("the file can be written; qed");
    folder.to_string_lossy().into_owned()
}

const ODD: &str = r#"{ "turnStructure": { "phases": [{ "id": "p", "steps": [{ "id": "s" }] }] }, "actions": [{ "id": "a", "timing": "instant", "effects": [] }] }"#;

#[test]
fn the_exit_code_tells_sound_broken_and_odd_apart() {
    let broken = game("broken", r#"{ "zonez": [] }"#);
    let odd = game("odd", ODD);
    for (game, code, word) in
        [("skirmish", 0, "no mistakes"), (&broken, 1, "did you mean `zones`?"), (&odd, 2, "warning[ruleset/no_end]")]
    {
        let output = check(&[game]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(code), "{text}");
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn machines_get_json_and_sarif() {
    let odd = game("odd_for_machines", ODD);
    let read = |args: &[&str]| serde_json::from_slice::<Value>(&check(args).stdout).expect("it is JSON; qed");
    let report = read(&[&odd, "--format", "json"]);
    assert_eq!(report["sound"], true);
    assert_eq!(report["findings"][0]["code"], "ruleset/no_end");
    let report = read(&[&odd, "--format", "sarif"]);
    assert_eq!(report["version"], "2.1.0");
    assert_eq!(report["runs"][0]["results"][0]["ruleId"], "ruleset/no_end");
    let played = read(&[&odd, "--format", "json", "--play", "1"]);
    let endless = played["findings"].as_array().and_then(|it| it.iter().find(|f| f["code"] == "play/endless"));
    let endless = endless.expect("a game that nothing ends is endless; qed");
    assert_eq!(endless["seed"], 0);
    assert!(endless["commands"].as_str().is_some_and(|it| !it.is_empty()));
}

#[test]
fn a_game_that_shows_a_finding_can_be_saved_and_gone_through() {
    let odd = game("odd_to_be_saved", ODD);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replays").to_string_lossy().into_owned();
    let output = check(&[&odd, "--play", "1", "--save-replay", &folder]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let saved: Vec<PathBuf> =
        std::fs::read_dir(&folder).expect("the folder was made; qed").flatten().map(|it| it.path()).collect();
    assert!(saved.iter().any(|it| it.ends_with("1-play-endless.log")), "{saved:?}");
    let stepped = Command::new(env!("CARGO_BIN_EXE_snapstack"))
        .args(["step", &odd, &saved[0].to_string_lossy()])
        .current_dir(root())
        .stdin(std::process::Stdio::null())
        .output()
        .expect("the command line can be started; qed");
    assert!(stepped.status.success(), "{}", String::from_utf8_lossy(&stepped.stderr));
}

#[test]
fn a_name_that_is_no_ruleset_says_what_there_is() {
    for (args, code, word) in [
        (
            &["nosuch"][..],
            1,
            "no game is called nosuch; there are: bench-duel, duel, harvest, orcain, skirmish, tricks",
        ),
        (&["tricks"], 0, "tricks is a script"),
    ] {
        let output = check(args);
        let text = [output.stdout, output.stderr].map(|it| String::from_utf8_lossy(&it).into_owned()).concat();
        assert!(text.contains(word), "{text}");
        assert_eq!(output.status.code(), Some(code), "{text}");
    }
}

#[test]
fn a_document_in_another_encoding_is_told_apart_from_one_that_is_missing() {
    for (name, bytes, word) in [
        ("latin", &b"{ \"id\": \"caf\xe9\" }"[..], "json/not_utf8"),
        ("marked", b"\xef\xbb\xbf{}", "json/byte_order_mark"),
    ] {
        let folder = game(name, "");
        std::fs::write(Path::new(&folder).join("ruleset.json"), bytes).expect("the file can be written; qed");
        let text = String::from_utf8_lossy(&check(&[&folder]).stdout).into_owned();
        assert!(text.contains(word), "{text}");
    }
}
