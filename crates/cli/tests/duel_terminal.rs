//! Two people at two terminals play a whole match for tokens: `snapstack duel` against a real server.

mod process;

use std::process::Command;

use process::terminal::Terminal;

fn open(base: &str, game: &str, name: &str) -> Terminal {
    Terminal::open(&["duel", game, "--server", base, "--name", name])
}

async fn server(folder: &tempfile::TempDir) -> process::Process {
    let store = folder.path().join("store.db").display().to_string();
    let server = process::start(&store, &testkit::duels::folder(), process::free_port());
    server.ready().await;
    server
}

/// What the program says when it does not begin to play.
fn refused(server: &str, args: &[&str]) -> (String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_snapstack"));
    let ended = program.arg("duel").args(args).env("SNAPSTACK_SERVER", server).output().expect("it ends");
    assert!(!ended.status.success());
    let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
    (text(&ended.stdout), text(&ended.stderr))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_terminals_play_a_whole_match_for_tokens() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = server(&folder).await;
    let mut ann = open(&server.base, "orcain-frail", "Ann");
    ann.until("hello Ann, you have 10 tokens");
    ann.type_line("leave");
    ann.until("you do not wait for another player");
    ann.type_line("queue");
    ann.until("waiting for another player");
    let mut bob = open(&server.base, "orcain-frail", "Bob");
    bob.until("hello Bob");
    bob.type_line("queue");
    ann.until("you play Bob for a pot of 2; you have 9 tokens left");
    ann.until("round 1: you 2, Bob 2");
    ann.until("your hand: attack, defense, heal, counter");
    ann.until("seconds left to lay your cards");
    ann.type_line("lay 1 heal");
    ann.until("your layout: heal - -");
    ann.type_line("lay 2 attack");
    ann.until("your layout: heal attack -");
    ann.type_line("lay 3 attack");
    ann.until("you have no more attack: it lies in slot 2 already");
    ann.type_line("quit");
    ann.until("this gives up the match and your stake; type quit once more to do it");
    ann.type_line("go");
    ann.until("your layout is final");
    ann.type_line("lay 3 counter");
    ann.until("your layout is confirmed, and final");
    bob.until("your layout: - - -");
    bob.type_line("go");
    ann.until("you show heal, Bob shows nothing: you 3, Bob 2");
    ann.until("you show attack, Bob shows nothing: you 3, Bob 0");
    bob.until("you show nothing, Ann shows attack: you 0, Ann 3");
    ann.until("round 1 is over: you 3, Bob 0");
    ann.until("you won (normal): you 3, Bob 0; the pot: paid; you have 11 tokens");
    bob.until("you lost (normal): you 0, Ann 3; the pot: paid; you have 9 tokens");
    ann.type_line("quit");
    assert!(ann.child.wait().expect("it ends").success());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_for_no_duel_or_with_no_token_of_the_server_is_told_so_and_no_more() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = server(&folder).await;
    let told = |it: &str| (String::new(), format!("error: {it}\n"));
    assert_eq!(refused(&server.base, &["nope"]), told("the server has no such duel: nope"));
    let bad_token = refused(&server.base, &["orcain-frail", "--token", "bad"]);
    assert_eq!(bad_token, told("the server does not know this token"));
}
