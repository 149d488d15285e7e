//! Two people at two terminals play a whole match for tokens: `snapstack duel` against a real server.

mod process;

use process::terminal::Terminal;

fn open(base: &str, game: &str, name: &str) -> Terminal {
    Terminal::open(&["duel", game, "--server", base, "--name", name])
}

#[tokio::test(flavor = "multi_thread")]
async fn two_terminals_play_a_whole_match_for_tokens() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let store = folder.path().join("store.db").display().to_string();
    let server = process::start(&store, &testkit::duels::folder(), process::free_port());
    server.ready().await;
    let mut ann = open(&server.base, "orcain-frail", "Ann");
    ann.until("hello Ann, you have 10 tokens");
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
    ann.type_line("go");
    ann.until("your layout is final");
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
