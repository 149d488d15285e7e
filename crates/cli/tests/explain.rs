//! `snapstack explain`: a stored match is asked why things in it are as they are.

use std::{
    path::Path,
    process::{Command, Output},
};

fn snapstack(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let run = Command::new(env!("CARGO_BIN_EXE_snapstack")).args(args).current_dir(root).output();
    run.expect("the command line can be started; qed")
}

/// The path of a stored match of duel.
fn stored(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).to_string_lossy().into_owned();
    let played = snapstack(&["play", "duel", "--auto", "--seed", "43", "--save", &path]);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    path
}

#[track_caller]
fn check(path: &str, args: &[&str], expected: &[&str]) {
    let output = snapstack(&[&["explain", "duel", path][..], args].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    for it in expected {
        assert!(text.contains(it), "`{it}` is not in:\n{text}");
    }
}

#[test]
fn every_kind_of_question_is_answered_from_a_stored_match() {
    let path = stored("explained.log");
    check(&path, &["--at", "20", "why-not", "attack"], &["p1 cannot attack", "current_phase = main"]);
    check(&path, &["--at", "20", "--as", "p2", "why-not", "attack"], &["p2 cannot attack", "p1 may act"]);
    check(&path, &["--at", "30", "value", "p1.mana"], &["mana of p1 is"]);
    check(&path, &["--at", "30", "trigger", "60"], &["(event 60)"]);
    check(&path, &["why-not", "attack"], &["no  the match goes on"]);
    check(&path, &["--at", "20", "--as", "spectator", "if", "attack"], &["(explain/not_allowed)"]);
    check(&path, &["--at", "20", "--as", "p9", "why-not", "attack"], &["nobody at this table is called so: p9"]);
    check(&path, &["--at", "20", "value", "mana"], &["as in p1.health"]);
    check(&path, &["--at", "99999", "value", "p1.mana"], &["log/no_such_version"]);
}

#[test]
fn what_will_happen_is_told_and_machines_get_json() {
    let path = stored("forecast.log");
    let output = snapstack(&["explain", "duel", &path, "--at", "20", "--json", "why-not", "summon"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON; qed");
    assert!(told["answer"].is_string() && told["reasons"].as_array().is_some_and(|it| it.len() > 3), "{told}");
    let card = told["reasons"].as_array().into_iter().flatten().find_map(|it| {
        let fits = it["values"][0].as_str().filter(|_| it["text"] == "something can fill card")?;
        Some(fits.split('(').nth(1)?.split(')').next()?.to_owned())
    });
    let Some(card) = card else { panic!("somebody can be summoned: {told}") };
    check(&path, &["--at", "20", "if", "summon", &card], &["in 24 worlds that might be:", "goes from"]);
}

/// The page with the answers the command line gives under each of its questions.
fn answered(page: &str, path: &str) -> String {
    let mut out = String::new();
    let mut in_console = false;
    for line in page.lines() {
        let fence = line.starts_with("```");
        if in_console && !fence && !line.starts_with("$ ") {
            continue;
        }
        in_console = if fence { line == "```console" } else { in_console };
        out.push_str(line);
        out.push('\n');
        if let Some(asked) = line.strip_prefix("$ snapstack ") {
            let words: Vec<&str> = asked.split(' ').map(|it| if it == "match.log" { path } else { it }).collect();
            out.push_str(&String::from_utf8_lossy(&snapstack(&words).stdout));
        }
    }
    out
}

#[test]
fn the_page_shows_what_the_command_line_says() {
    let path = stored("documented.log");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/explain.md");
    let text = std::fs::read_to_string(&page).expect("the page is part of the project; qed");
    let new = answered(&text, &path);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&page, &new).expect("the page can be written; qed");
        return;
    }
    let differs = text.lines().zip(new.lines()).position(|it| it.0 != it.1);
    assert!(text == new, "run with UPDATE_EXPECT=1 if this is meant; first difference in line {differs:?}");
}
