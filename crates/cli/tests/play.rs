//! `snapstack play` as people use it: the same command for every kind of game.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

fn play(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let mut child = Command::new(env!("CARGO_BIN_EXE_snapstack"))
        .args(["play", "--games", games])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_owned();
    // The match may be over before everything was read, which closes the pipe.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_kind_of_game_plays_itself_to_the_end() {
    for game in ["harvest", "tricks", "skirmish"] {
        let output = play(&[game, "--auto", "--seed", "3"], "");
        assert!(output.status.success(), "{game}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(text(&output).lines().last().is_some_and(|it| it.contains(" won (")), "{game}: {}", text(&output));
        assert_eq!(text(&output), text(&play(&[game, "--auto", "--seed", "3"], "")), "{game}: the same seed");
    }
}

#[test]
fn a_match_that_never_ends_is_stopped_and_says_so() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("endless");
    std::fs::create_dir_all(&folder).unwrap();
    let endless = r#"{ "turnStructure": { "phases": [{ "id": "p", "steps": [{ "id": "s" }] }] },
        "actions": [{ "id": "a", "timing": "instant", "effects": [] }] }"#;
    std::fs::write(folder.join("ruleset.json"), endless).unwrap();
    for command in ["play", "demo"] {
        let (name, game): (&[&str], _) = if command == "play" { (&[], "endless") } else { (&["--game"], "endless") };
        let auto: &[&str] = if command == "play" { &["--auto"] } else { &[] };
        let output = Command::new(env!("CARGO_BIN_EXE_snapstack"))
            .args([command, "--games", env!("CARGO_TARGET_TMPDIR")])
            .args(name)
            .arg(game)
            .args(auto)
            .args(["--commands-max", "50"])
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success(), "{command}: it has no end");
        assert!(told.contains("is not over after 50") && told.contains("--commands-max"), "{command}: {told}");
    }
    let usual = play(&["--help"], "");
    assert!(text(&usual).contains("[default: 10000]"), "{}", text(&usual));
}

#[test]
fn a_person_plays_against_bots_by_numbers() {
    // Always the first choice: one bid of no tricks, then whatever card comes first.
    let output = play(&["tricks", "--seed", "5"], "1\n".repeat(40));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = text(&output);
    assert!(text.contains("p1: How many tricks will you take? [1-7] >"), "{text}");
    assert!(text.contains("p1 bids 0"), "{text}");
}

#[test]
fn the_same_terminal_plays_rulesets() {
    let output = play(&["skirmish", "--seed", "5"], "1\n1\n");
    // Two answers are not a whole match, and say so.
    assert!(!output.status.success());
    assert!(text(&output).contains("p1: "), "{}", text(&output));
}

#[test]
fn a_bad_pick_is_refused_and_asked_again() {
    let output = play(&["tricks", "--seed", "5"], format!("99\n-2\np2\n1 2\n{}", "1\n".repeat(40)));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for word in ["99", "-2", "p2"] {
        assert!(text(&output).contains(&format!("{word} is not among 1-7")), "{}", text(&output));
    }
    assert!(text(&output).contains("pick 1-7, not 2"), "{}", text(&output));
}

#[test]
fn what_is_no_text_is_said_to_be_none_and_asked_again() {
    let output = play(&["tricks", "--seed", "5"], [b"\xff\xfe\n".as_slice(), "1\n".repeat(40).as_bytes()].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text(&output).contains("This is not UTF-8 text; type it again."), "{}", text(&output));
}
