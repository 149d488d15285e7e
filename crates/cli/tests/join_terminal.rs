//! Two people at two terminals: `snapstack join` against a real server that is killed on the way.

mod process;

use process::terminal::Terminal;

/// A match of duel that both have begun; Ann is to move.
fn sit_down(base: &str) -> (Terminal, Terminal) {
    let mut ann = Terminal::open(&["join", "--server", base, "--against", "open", "--nickname", "Ann"]);
    let told = ann.until("with: snapstack join --match m_");
    let id = told.rsplit(' ').next().expect("the id comes last");
    let mut bob = Terminal::open(&["join", "--server", base, "--nickname", "Bob", "--match", id]);
    for (who, other) in [(&mut ann, "p2 is Bob"), (&mut bob, "p1 is Ann")] {
        who.until(other);
        who.until("Put which cards back");
        who.type_line("");
    }
    (ann, bob)
}

/// The one who moves and the one who waits.
fn by_turn(mut ann: Terminal, bob: Terminal) -> (Terminal, Terminal, [&'static str; 2]) {
    ann.until("--- turn 1: ");
    let names = ["p1", "p2"];
    let is_first = ann.until("---").contains("turn 1: p1");
    if is_first { (ann, bob, names) } else { (bob, ann, [names[1], names[0]]) }
}

/// Both let it be, so that the next step comes.
fn both_pass(mover: &mut Terminal, waiter: &mut Terminal, two: &str) {
    mover.until("your move [");
    mover.type_line("pass");
    mover.until(&format!("waiting for {two}"));
    waiter.until("your move [");
    waiter.type_line("pass");
}

async fn server(folder: &tempfile::TempDir, port: u16) -> process::Process {
    let store = folder.path().join("store.db").display().to_string();
    let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let server = process::start(&store, &games, port);
    server.ready().await;
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_is_told_what_he_can_do_and_what_happens() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let port = process::free_port();
    let mut first = server(&folder, port).await;
    let (ann, bob) = sit_down(&first.base);
    let (mut mover, mut waiter, [one, two]) = by_turn(ann, bob);
    mover.until("your move [");
    mover.type_line("help");
    for word in ["undo", "refuse", "concede", "quit"] {
        mover.until(&format!("\n{word} "));
    }
    waiter.until(&format!("waiting for {one} ... (undo, concede, help, quit)"));
    // What only he has done is taken back at once.
    mover.type_line("pass");
    mover.until(&format!("waiting for {two}"));
    waiter.until("your move [");
    mover.type_line("undo");
    mover.until(&format!("{one} took back"));
    waiter.until(&format!("waiting for {one}"));
    // What the other has answered since needs his consent.
    both_pass(&mut mover, &mut waiter, two);
    mover.until("-- combat");
    mover.until("your move [");
    mover.type_line("undo");
    mover.until("they are asked whether they agree");
    waiter.until(&format!("! {one} asks to take a move back: type undo to agree, or refuse"));
    waiter.type_line("refuse");
    mover.until(&format!("! {two} does not want to take back"));
    mover.type_line("undo");
    mover.until("takeback/refused");
    both_pass(&mut mover, &mut waiter, two);
    mover.until("your move [");
    mover.type_line("undo");
    waiter.until("asks to take a move back");
    waiter.type_line("undo");
    mover.until("! all agreed to take back");
    mover.until("your move [");
    // The server dies, and another goes on.
    first.kill();
    mover.until("! the connection is lost; trying to come back");
    let _second = server(&folder, port).await;
    mover.until("! the connection is back");
    waiter.until("! the connection is back");
    drop(waiter);
    mover.until(&format!("{two} has lost the connection"));
    mover.type_line("concede");
    mover.until("type concede once more");
    mover.type_line("concede");
    mover.until(&format!("{one} concedes"));
    mover.until(&format!("{two} won (last standing)"));
    assert!(mover.child.wait().expect("it ends").success());
    for noise in ["ControlUsed", "(1-1)", "Priority"] {
        assert!(!mover.read.contains(noise), "{noise} is no word for players:\n{}", mover.read);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_quits_is_told_how_to_come_back() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = server(&folder, process::free_port()).await;
    let mut ann = Terminal::open(&["join", "--server", &server.base, "--name", "Ann"]);
    ann.until("Put which cards back");
    ann.type_line("quit");
    ann.until("the match goes on without you; to come back: --match m_");
    let way_back = ann.until(" --token st_");
    assert!(ann.child.wait().expect("it ends").success());
    let words: Vec<&str> = way_back.split("come back: ").nth(1).expect("it says how").split(' ').collect();
    let mut again = Terminal::open(&[&["join", "--server", &server.base][..], &words].concat());
    again.until("p1 is Ann (you)");
    again.until("Put which cards back");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_asked_while_the_other_concedes_reads_how_it_ends_and_no_question_in_between() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let server = server(&folder, process::free_port()).await;
    let (ann, bob) = sit_down(&server.base);
    let (mut mover, mut waiter, [one, two]) = by_turn(ann, bob);
    mover.until("your move [");
    waiter.until(&format!("waiting for {one}"));
    waiter.type_line("concede");
    waiter.until("type concede once more");
    waiter.type_line("concede");
    mover.until(&format!("{two} concedes"));
    let from = mover.read.rfind(&format!("{two} concedes")).expect("it was just read");
    mover.until("you won (last standing)");
    let told = &mover.read[from..];
    assert!(!told.contains("(help) >"), "a question stands between:\n{told}");
    assert!(mover.child.wait().expect("it ends").success());
}
