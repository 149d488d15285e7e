//! Bad input: each is refused with its reason, on every path, and leaves no trace.

mod desk;

use desk::{P1, P2, answer_with, done, give, refused, replays, script, start};
use script::{Answer, Control, Match, Mistake, Outcome, Rejection, Seat, Table};
use selector::{Choice, Response, Value};

async fn play(table: Table) -> Result<Outcome, Mistake> {
    let choices = [
        Choice::group("Dogma", ["Archery", "The Wheel"]),
        Choice::from("Draw"),
        Choice::from("Meld"),
        Choice::from("Pass").exclusive(),
    ];
    table.choose(P1, choices, script::Opts::titled("Choose Action").between(1, 2)).await?;
    table.choose(P2, ["a", "b"], "And you").await?;
    done("played")
}

fn fresh() -> Match {
    start(&script(play), 2)
}

/// A good answer with one thing wrong.
#[track_caller]
fn check(code: &str, spoil: impl FnOnce(&mut Answer)) -> Rejection {
    let mut live = fresh();
    let mut answer = answer_with(&live, P1, ["Draw"]);
    spoil(&mut answer);
    let why = refused(&mut live, code, |it| it.submit(&answer));
    give(&mut live, P1, ["Draw"]);
    why
}

fn picks<V: Into<Value>>(answer: &mut Answer, values: impl IntoIterator<Item = V>) {
    answer.response.selection = Value::List(values.into_iter().map(Into::into).collect());
}

#[test]
fn every_bad_answer_is_refused_with_its_reason() {
    check("command/wrong_actor", |it| it.response.actor = Some("p2".into()));
    check("command/wrong_actor", |it| it.seat = P2);
    check("command/not_asked", |it| {
        it.seat = P2;
        it.response.actor = None;
    });
    check("command/unknown_player", |it| it.seat = Seat(9));
    check("command/unknown_input", |it| it.input = 99);
    check("command/unknown_input", |it| it.input = 0);
    check("answer/title", |it| it.response.title = Some("Choose Card".into()));
    check("answer/title", |it| it.response.title = None);
    check("answer/not_in_choices", |it| picks(it, ["Sail"]));
    check("answer/not_in_choices", |it| picks(it, ["Draw", "Draw"]));
    check("answer/count", |it| picks(it, Vec::<Value>::new()));
    check("answer/count", |it| it.response.selection = Value::Null);
    check("answer/count", |it| picks(it, [Value::nested("Dogma", ["Archery"]), "Draw".into(), "Meld".into()]));
    check("answer/exclusive", |it| picks(it, ["Draw", "Pass"]));
    check("request/stale_version", |it| it.version = 5);
}

#[test]
fn the_messages_are_those_of_the_format() {
    let why = check("answer/count", |it| picks(it, Vec::<Value>::new()));
    assert_eq!(why.to_string(), "Invalid number of options selected: expected 1-2, got 0");
    let why = check("answer/not_in_choices", |it| picks(it, ["Sail"]));
    assert_eq!(why.to_string(), "Selection Sail didn't exist in the choices");
    let why = check("answer/exclusive", |it| picks(it, ["Draw", "Pass"]));
    assert_eq!(why.to_string(), "Exclusive choice mixed with other choices");
}

#[test]
fn a_bad_pick_inside_a_group_is_refused_with_its_path() {
    let why = check("answer/not_in_choices", |it| picks(it, [Value::nested("Dogma", ["Sailing"])]));
    let Rejection::Refused(refusal) = why else { panic!("{why}") };
    assert_eq!(refusal.path(), [0, 0]);
}

/// Something a player or the host tries.
type Attempt = Box<dyn Fn(&mut Match) -> Result<script::Progress, Rejection>>;

/// Everything a player can try, on every path there is.
fn attempts(live: &Match) -> Vec<(&'static str, Attempt)> {
    let version = live.version();
    let answer = |seat| Answer { seat, input: 1, version, response: Response::default(), confirm: true };
    let (first, second) = (answer(P1), answer(P2));
    vec![
        ("answer", Box::new(move |it| it.submit(&first))),
        ("another's answer", Box::new(move |it| it.submit(&second))),
        ("undo", Box::new(move |it| it.undo(P1, version))),
        ("takeback", Box::new(move |it| it.takeback(0, &[P1, P2], version))),
        ("timeout", Box::new(|it| it.control(Control::Timeout(1)))),
    ]
}

#[track_caller]
fn refuses_everything(live: &mut Match, code: &str) {
    for (what, attempt) in attempts(live) {
        let why = refused(live, code, |it| attempt(it));
        assert_eq!(why.code(), code, "{what}");
    }
    replays(live);
}

#[test]
fn a_match_that_is_over_takes_nothing_more() {
    let mut live = fresh();
    give(&mut live, P1, ["Draw"]);
    give(&mut live, P2, ["a"]);
    refuses_everything(&mut live, "command/match_over");
    for control in [Control::Concede(P1), Control::Pause, Control::Resume, Control::Kill] {
        refused(&mut live, "command/match_over", |it| it.control(control));
    }
}

#[test]
fn a_killed_match_takes_nothing_more() {
    let mut live = fresh();
    live.control(Control::Kill).unwrap();
    refuses_everything(&mut live, "command/match_killed");
    for control in [Control::Concede(P1), Control::Pause, Control::Resume, Control::SetResult(vec![P1])] {
        refused(&mut live, "command/match_killed", |it| it.control(control));
    }
    assert_eq!(live.outcome_view().unwrap().reason, "killed");
}

#[test]
fn a_paused_match_waits_for_its_moderator() {
    let mut live = fresh();
    live.control(Control::Pause).unwrap();
    refuses_everything(&mut live, "command/match_paused");
    assert_eq!((live.waiting(), live.open(P1)), (None, None));
    live.control(Control::Resume).unwrap();
    refused(&mut live, "command/not_paused", |it| it.control(Control::Resume));
    give(&mut live, P1, ["Draw"]);
}

#[test]
fn a_broken_game_waits_for_its_moderator() {
    async fn broken(table: Table) -> Result<Outcome, Mistake> {
        table.choose_yes_no(P1, "Go?").await?;
        Err(Mistake::Other("the deck is empty".into()))
    }
    let mut live = start(&script(broken), 2);
    give(&mut live, P1, ["yes"]);
    refuses_everything(&mut live, "command/broken");
    live.control(Control::SetResult(vec![P2])).unwrap();
    assert_eq!(live.outcome().unwrap().winners, [P2]);
    replays(&live);
}

#[test]
fn a_late_answer_is_refused_and_leaves_the_next_request_alone() {
    let mut live = fresh();
    let late = answer_with(&live, P1, ["Draw"]);
    live.submit(&late).unwrap();
    refused(&mut live, "command/too_late", |it| it.submit(&late));
    refused(&mut live, "command/too_late", |it| it.control(Control::Timeout(1)));
    refused(&mut live, "command/unknown_input", |it| it.control(Control::Timeout(3)));
}

#[test]
fn the_wrong_number_of_players_cannot_begin() {
    for n_seats in [0, 1, 5, 255] {
        let why = Match::start(&script(play), script::Setup { seed: [0; 32], n_seats }).err().unwrap();
        assert_eq!(why.code(), "match/wrong_player_count");
    }
}
