//! Taking back: alone as long as it is fair, with consent beyond that, and never out of the record.

mod desk;

use desk::{P1, P2, answer_with, done, everything, give, reason, refused, replays, script, start};
use script::{Control, Entry, Event, Face, Match, Mistake, Outcome, Seat, Table, Viewer, Visibility};
use selector::Selector;

/// What the second answer of a player leads to.
#[derive(Clone, Copy)]
enum After {
    Nothing,
    Random,
    Look,
    Word,
    Others,
    OthersForced,
}

/// p1 answers twice; then something happens; then p1 is asked again.
async fn twice(table: Table, after: After) -> Result<Outcome, Mistake> {
    let deck = table.add_zone("deck", Visibility::Nobody)?;
    let hand = table.add_own_zone("hand", P1, Visibility::Owner)?;
    table.add_card(deck, Face::new("ace"))?;
    table.choose(P1, ["a", "b"], "First").await?;
    let second = table.choose(P1, ["a", "b"], "Second").await?;
    match after {
        After::Nothing => {}
        After::Random => drop(table.random(6)),
        After::Look => drop(table.deal(deck, hand, 1)?),
        After::Word => table.tell(Event::new("hint").with("cards", 3).only(P1).informs()),
        After::Others => drop(table.choose(P2, ["a", "b"], "Other").await?),
        After::OthersForced => drop(table.choose(P2, ["a"], "Other").await?),
    }
    let third = table.choose(P1, ["a", "b"], "Third").await?;
    done(format!("{} {}", second[0], third[0]))
}

fn answered_twice(after: After) -> Match {
    let mut live = start(&script(move |table| twice(table, after)), 2);
    give(&mut live, P1, ["a"]);
    give(&mut live, P1, ["a"]);
    if live.open(P2).is_some() {
        give(&mut live, P2, ["a"]);
    }
    live
}

fn title(live: &Match, seat: Seat) -> String {
    live.open(seat).and_then(|it| it.selector.title).map_or_else(String::new, |it| it.to_string())
}

#[test]
fn a_player_takes_back_his_own_last_answers() {
    let mut live = answered_twice(After::Nothing);
    live.undo(P1, 2).unwrap();
    assert_eq!(title(&live, P1), "Second");
    live.undo(P1, 3).unwrap();
    assert_eq!(title(&live, P1), "First");
    replays(&live);
    refused(&mut live, "command/cannot_undo", |it| it.undo(P1, 4));
    for pick in ["a", "b", "b"] {
        give(&mut live, P1, [pick]);
    }
    assert_eq!(reason(&live), "b b");
    replays(&live);
}

#[test]
fn what_a_player_could_not_know_cannot_be_taken_back_alone() {
    for after in [After::Random, After::Look, After::Word, After::Others, After::OthersForced] {
        let mut live = answered_twice(after);
        let version = live.version();
        refused(&mut live, "command/cannot_undo", |it| it.undo(P1, version));
    }
}

#[test]
fn beyond_that_all_others_must_agree() {
    let mut live = answered_twice(After::Others);
    let version = live.version();
    refused(&mut live, "command/no_consent", |it| it.takeback(1, &[P1], version));
    refused(&mut live, "command/no_consent", |it| it.takeback(1, &[], version));
    refused(&mut live, "command/cannot_undo", |it| it.takeback(9, &[P1, P2], version));
    live.takeback(1, &[P1, P2], version).unwrap();
    assert_eq!(title(&live, P1), "Second");
    replays(&live);
}

#[test]
fn an_undo_is_an_event_and_history_is_never_rewritten() {
    let mut live = answered_twice(After::Nothing);
    let (told, n_entries) = (live.events(Viewer::Spectator, 0).to_vec(), live.record().transitions.len());
    live.undo(P1, 2).unwrap();
    assert_eq!(live.version(), 3, "the version grows, undo included");
    assert_eq!(live.events(Viewer::Spectator, 0)[..told.len()], told);
    assert_eq!(live.events(Viewer::Spectator, 0).last().unwrap().kind, "Undone");
    assert_eq!(live.record().transitions.len(), n_entries + 1);
    assert_eq!(live.record().transitions.last().unwrap().entry, Entry::Undo { seat: P1 });
}

#[test]
fn an_undo_in_an_opponents_turn_reopens_the_request_under_a_new_number() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        table.choose(P1, ["a", "b"], "First").await?;
        table.choose(P2, ["a", "b"], "Second").await?;
        done("played")
    }
    let mut live = start(&script(play), 2);
    let early = answer_with(&live, P1, ["a"]);
    live.submit(&early).unwrap();
    let opponent = answer_with(&live, P2, ["a"]);
    live.undo(P1, 1).expect("p2 is asked, but has not answered");
    // What p2 was about to send, and what p1 sent before, are both of another branch.
    let why = refused(&mut live, "command/too_late", |it| it.submit(&opponent));
    assert_eq!(why.conflict(), Some(2));
    refused(&mut live, "command/too_late", |it| it.submit(&early));
    refused(&mut live, "request/stale_version", |it| it.undo(P1, 1));
    give(&mut live, P1, ["b"]);
    give(&mut live, P2, ["b"]);
    replays(&live);
}

#[test]
fn a_random_number_that_was_seen_does_not_come_again() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        table.choose(P1, ["a", "b"], "Roll").await?;
        let roll = table.random(1_000_000);
        table.choose(P1, ["a", "b"], "Go on").await?;
        done(format!("{roll}"))
    }
    let mut rolls = Vec::new();
    let mut live = start(&script(play), 2);
    for _ in 0..3 {
        give(&mut live, P1, ["a"]);
        let mut end = live.fork();
        give(&mut end, P1, ["a"]);
        rolls.push(reason(&end));
        replays(&end);
        let version = live.version();
        live.takeback(live.version() - 1, &[P1, P2], version).unwrap();
        replays(&live);
    }
    rolls.sort();
    rolls.dedup();
    assert_eq!(rolls.len(), 3);
}

#[test]
fn a_random_number_does_not_come_again_by_going_back_further() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        table.choose(P1, ["a", "b"], "Before").await?;
        table.choose(P1, ["a", "b"], "Roll").await?;
        done(format!("{}", table.random(1_000_000)))
    }
    let rolled = |live: &Match| {
        let mut end = live.fork();
        give(&mut end, P1, ["a"]);
        reason(&end)
    };
    async fn peek(table: Table) -> Result<Outcome, Mistake> {
        table.choose(P1, ["a", "b"], "Before").await?;
        table.choose(P1, ["a", "b"], "Roll").await?;
        let roll = table.random(1_000_000);
        table.choose(P1, ["a", "b"], "After").await?;
        done(format!("{roll}"))
    }
    let mut live = start(&script(peek), 2);
    give(&mut live, P1, ["a"]);
    give(&mut live, P1, ["a"]);
    let seen = rolled(&live);
    live.takeback(1, &[P1, P2], 2).unwrap();
    // Nothing random came of the first answer, so p1 may take it back by himself.
    live.undo(P1, 3).unwrap();
    give(&mut live, P1, ["b"]);
    give(&mut live, P1, ["a"]);
    assert_ne!(rolled(&live), seen);
    replays(&live);
    // The same game without an undo still rolls what it always rolls.
    let mut plain = start(&script(play), 2);
    give(&mut plain, P1, ["a"]);
    assert_eq!(rolled(&plain), seen);
}

#[test]
fn a_part_of_an_open_request_can_be_withdrawn() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        let ask = |it: Seat| selector::Selector::select(it, "All").offer(["a", "b"]);
        table.request_many(vec![ask(P1), ask(P2)]).await?;
        done("all")
    }
    let mut live = start(&script(play), 2);
    let before = (live.hash(), live.version());
    give(&mut live, P1, ["a"]);
    live.undo(P1, 0).unwrap();
    assert_eq!((live.hash(), live.version()), before, "as if nothing had been said");
    give(&mut live, P2, ["a"]);
    assert_eq!(live.waiting().unwrap().1, [P1, P2]);
    replays(&live);
    give(&mut live, P1, ["b"]);
    let version = live.version();
    refused(&mut live, "command/match_over", |it| it.undo(P1, version));
}

#[test]
fn a_game_may_forbid_undo() {
    let script = script(|table| twice(table, After::Nothing)).without_undo();
    let mut live = start(&script, 2);
    give(&mut live, P1, ["a"]);
    refused(&mut live, "command/undo_forbidden", |it| it.undo(P1, 1));
    refused(&mut live, "command/undo_forbidden", |it| it.takeback(0, &[P1, P2], 1));
}

#[test]
fn what_the_host_did_is_not_taken_back() {
    let mut live = answered_twice(After::Nothing);
    let input = live.waiting().unwrap().0;
    live.control(Control::Timeout(input)).unwrap();
    assert_eq!(reason(&live), "a a", "who runs out of time is answered for with the least answer");
    let mut live = start(&script(|table| twice(table, After::Nothing)), 3);
    give(&mut live, P1, ["a"]);
    live.control(Control::Concede(P2)).unwrap();
    let version = live.version();
    refused(&mut live, "command/cannot_undo", |it| it.undo(P1, version));
    replays(&live);
}

#[test]
fn a_fork_goes_its_own_way() {
    let live = answered_twice(After::Look);
    let before = everything(&live);
    let mut fork = live.fork();
    give(&mut fork, P1, ["b"]);
    assert_eq!(reason(&fork), "a b");
    assert!(everything(&live) == before);
}

async fn then_together(table: Table) -> Result<Outcome, Mistake> {
    table.choose(P1, ["a", "b"], "First").await?;
    let both = [P1, P2].map(|it| Selector::select(it, "Together").offer(["x", "y"]));
    table.request_many(both.to_vec()).await?;
    done("over".to_owned())
}

#[test]
fn nobody_takes_back_what_another_has_answered_since() {
    let mut live = start(&script(then_together), 2);
    give(&mut live, P1, ["a"]);
    let mut alone = live.fork();
    assert!(alone.undo(P1, alone.version()).is_ok(), "nobody has answered since");
    give(&mut live, P2, ["x"]);
    assert!(live.undo(P1, live.version()).is_err(), "p2 has");
}
