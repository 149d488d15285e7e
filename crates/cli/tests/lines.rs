//! The binary as others use it: lines in, lines out.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::Value;

fn snapstack(args: &[&str], input: &[u8]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_snapstack"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|it| serde_json::from_str(it).unwrap()).collect()
}

const MILITIA: &str = r#"{"player":["militia"],"enemy":["goblin_scout"],"seed":"1"}"#;

#[test]
fn a_battle_is_told_with_its_events_or_without() {
    let [told] = &snapstack(&["battle"], MILITIA.as_bytes())[..] else {
        panic!("one line in, one line out");
    };
    assert_eq!(told["result"], "VICTORY");
    assert_eq!(told["rngNext"], 270369);
    assert_eq!(told["events"].as_array().unwrap().last().unwrap()["type"], "battleEnd");
    let untold = snapstack(&["battle", "--no-events"], MILITIA.as_bytes());
    assert_eq!(untold[0].get("events"), None);
    assert_eq!(untold[0]["result"], "VICTORY");
}

#[test]
fn bad_lines_are_answered_in_their_place_and_the_rest_goes_on() {
    let input = [
        MILITIA.as_bytes(),
        b"",
        b"\xff\xff",
        br#"{"player":["elf"],"enemy":[],"seed":"1"}"#,
        b"[[[[[[[[",
        MILITIA.as_bytes(),
    ]
    .join(&b"\n"[..]);
    let answers = snapstack(&["battle", "--no-events"], &input);
    let codes: Vec<_> = answers.iter().map(|it| it["error"]["code"].as_str()).collect();
    let shape = Some("line/wrong_shape");
    let json = Some("line/not_json");
    assert_eq!(codes, [None, json, json, Some("battle/unknown_card"), shape, None]);
}

#[test]
fn lines_may_end_as_they_do_on_windows() {
    let input = format!("{MILITIA}\r\n{MILITIA}\r\n");
    let answers = snapstack(&["battle", "--no-events"], input.as_bytes());
    assert_eq!(answers.len(), 2);
    assert!(answers.iter().all(|it| it["result"] == "VICTORY"));
}

#[test]
fn a_run_is_told_state_by_state() {
    let input = br#"{"actions":[["pitch_shop",1],["buy",3],["end_turn"],["continue"]]}"#;
    let answers = snapstack(&["run"], input);
    let states = answers[0]["states"].as_array().unwrap();
    assert_eq!(states.len(), 5);
    assert_eq!(states[3]["result"], "DRAW");
    assert_eq!(states[4]["round"], 2);
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_snapstack"))
        .args(["battle", "--no-events"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(stdin, "{MILITIA}").unwrap();
        stdin.flush().unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert!(answer.contains("VICTORY"));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn run_statistics_are_the_same_twice_and_draw_a_picture() {
    let plot = std::env::temp_dir().join(format!("snapstack-run-stats-{}.svg", std::process::id()));
    let stats = || {
        let output = Command::new(env!("CARGO_BIN_EXE_snapstack"))
            .args(["run-stats", "--runs", "3", "--seed", "7", "--depth", "1", "--width", "2"])
            .arg("--plot")
            .arg(&plot)
            .output()
            .unwrap();
        assert!(output.status.success());
        let picture = std::fs::read_to_string(&plot).unwrap();
        (String::from_utf8(output.stdout).unwrap(), picture)
    };
    let (table, picture) = stats();
    assert_eq!((table.clone(), picture.clone()), stats());
    std::fs::remove_file(&plot).unwrap();
    assert!(table.starts_with("greedy: 3 runs"), "{table}");
    assert!(table.contains("zombie_captain"));
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
}
