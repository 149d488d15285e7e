//! Matches of every kind behind one face: the contract for all games, and the races a server meets.

use host::{Answer, Control, Game, HostedMatch, Seat, Start, Viewer, Waiting};
use testkit::{games, hosted};

/// Every game of the project, whatever it is written in.
fn all_games() -> Vec<Game> {
    let rulesets = games::playable().into_iter().map(|it| Game::Ruleset(games::load(&it)));
    rulesets.chain(scripts()).collect()
}

fn scripts() -> Vec<Game> {
    [harvest::script(), tricks::script()].map(Game::Script).to_vec()
}

fn n_seeds() -> u64 {
    if std::env::var_os("SNAPSTACK_SOAK").is_some() { 100 } else { 1 }
}

#[test]
fn every_match_keeps_the_contract_of_hosts() {
    for game in all_games() {
        let mut tables = vec![*game.seats().start(), *game.seats().end()];
        tables.dedup();
        for (seed, n_seats) in (0..n_seeds()).flat_map(|seed| tables.iter().map(move |it| (seed, *it))) {
            hosted::check_match(&game, seed, n_seats, 61);
        }
    }
}

#[test]
fn scripted_games_are_restored_from_bytes_at_each_step() {
    for game in scripts() {
        for n_seats in [2, 3] {
            hosted::random_match(&game, 5, n_seats, |live, _| hosted::bytes_restore(&game, live));
        }
    }
}

#[test]
fn scripted_games_repeat_themselves() {
    for script in [harvest::script(), tricks::script()] {
        for n_seats in script.seats.clone() {
            let setup = script::Setup { seed: [n_seats; 32], n_seats };
            assert_eq!(script::determinism::check(&script, &setup), Ok(()), "{}", script.name);
        }
    }
}

#[test]
fn nobody_can_tell_the_worlds_apart_that_he_may_believe_in() {
    for game in scripts() {
        let mut n_worlds = 0;
        hosted::random_match(&game, 3, 3, |live, n| {
            if n % 12 == 6 && live.outcome().is_none() {
                n_worlds += hosted::count_worlds(live, Seat(0), 4).expect("the game has opted in; qed");
            }
        });
        assert!(n_worlds > 8, "{}: {n_worlds} worlds", game.id());
    }
}

/// Does something that must be refused with a code, and checks that it left no trace.
#[track_caller]
fn refused<T>(
    live: &mut Box<dyn HostedMatch>,
    code: &str,
    act: impl FnOnce(&mut dyn HostedMatch) -> Result<T, host::Rejection>,
) {
    let before = (live.log_bytes(), live.hash(), live.version());
    let why = act(&mut **live).err().expect("should be refused");
    assert_eq!(why.code(), code, "{why}");
    assert!((live.log_bytes(), live.hash(), live.version()) == before);
}

/// A match of each kind with somebody to answer, and his answer.
fn begun() -> Vec<(Box<dyn HostedMatch>, Answer)> {
    let begin = |game: Game| {
        let live = game.start(&Start::seeded(4, 2)).unwrap();
        let Waiting::Answers(seats) = live.waiting() else { panic!("nobody is asked") };
        let answer = live.make_answer(seats[0], &mut |_| 0).unwrap();
        (live, answer)
    };
    all_games().into_iter().map(begin).collect()
}

#[test]
fn on_every_kind_of_match_the_same_mistakes_have_the_same_codes() {
    for (mut live, good) in begun() {
        let spoilt = |spoil: fn(&mut Answer)| {
            let mut answer = good.clone();
            spoil(&mut answer);
            answer
        };
        let cases = [
            ("command/unknown_player", spoilt(|it| it.seat = Seat(9))),
            ("command/wrong_actor", spoilt(|it| it.response.actor = Some("p9".to_owned()))),
            ("command/unknown_input", spoilt(|it| it.input = 12345)),
            ("answer/title", spoilt(|it| it.response.title = None)),
            ("answer/count", spoilt(|it| it.response.selection = selector::Value::Null)),
            ("request/stale_version", spoilt(|it| it.version = 77)),
        ];
        for (code, answer) in cases {
            refused(&mut live, code, |it| it.submit(&answer));
        }
        live.control(Control::Pause).unwrap();
        refused(&mut live, "command/match_paused", |it| it.submit(&good));
        live.control(Control::Resume).unwrap();
        live.control(Control::Kill).unwrap();
        refused(&mut live, "command/match_killed", |it| it.submit(&good));
        refused(&mut live, "command/match_killed", |it| it.control(Control::Pause));
        refused(&mut live, "command/match_killed", |it| it.control(Control::Timer));
        let version = live.version();
        refused(&mut live, "command/match_killed", |it| it.undo(good.seat, version));
        refused(&mut live, "command/match_killed", |it| it.takeback(0, &[Seat(0), Seat(1)], version));
        assert_eq!(live.outcome().unwrap().reason, "killed");
    }
}

#[test]
fn a_late_answer_gets_a_conflict_on_every_kind_of_match() {
    let mut n_late = 0;
    for (mut live, good) in begun() {
        if live.submit(&good).unwrap().moved {
            let why = live.submit(&good).unwrap_err();
            assert_eq!((why.code(), why.conflict()), ("command/too_late", Some(live.version())));
            n_late += 1;
        }
    }
    assert!(n_late > 0);
}

#[test]
fn an_undo_needs_nobody_and_a_takeback_needs_all_on_every_kind_of_match() {
    for (mut live, good) in begun() {
        let version = live.version();
        let moved = live.submit(&good).unwrap().moved;
        refused(&mut live, "command/no_consent", |it| it.takeback(version, &[good.seat], it.version()));
        let before = live.version();
        if live.undo(good.seat, before).is_ok() {
            assert_eq!(live.version(), before + u32::from(moved));
            assert!(!live.open(good.seat).is_empty(), "he is asked again");
        }
    }
}

/// A ruleset in which players vote together, and in which whoever is first volunteers.
fn gatherings() -> Game {
    Game::Ruleset(games::parse(
        r#"{
            "include": ["std"],
            "players": { "min": 2, "max": 2 },
            "attributes": [{ "id": "health", "on": ["player"], "start": 20 }],
            "policy": { "undo": true },
            "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "main1" }] }] },
            "actions": [
                { "id": "vote", "timing": "sorcery", "effects": [
                    { "op": "ask", "prompt": "Whom?", "players": { "players": "all" }, "choices": { "players": "all" }, "as": "votes" }
                ] },
                { "id": "race", "timing": "sorcery", "effects": [
                    { "op": "ask", "prompt": "Who goes?", "players": { "players": "all" }, "any": true, "choices": { "players": "all" }, "as": "who" }
                ] }
            ]
        }"#,
    ))
}

/// A match in which an action has asked everybody.
fn gathered(action: &str) -> Box<dyn HostedMatch> {
    let mut live = gatherings().start(&Start::seeded(1, 2)).unwrap();
    let open = live.open(Seat(0)).remove(0);
    let response = selector::Response::to(&open.selector, [action]);
    let answer = Answer { seat: Seat(0), input: open.input_id, version: live.version(), response, confirm: true };
    live.submit(&answer).unwrap();
    live
}

fn pick(live: &dyn HostedMatch, seat: Seat, choice: usize) -> Answer {
    let open = live.open(seat).into_iter().next().expect("is asked; qed");
    let response = selector::Response::to(&open.selector, [open.selector.options.choices[choice].picked(None)]);
    Answer { seat, input: open.input_id, version: live.version(), response, confirm: true }
}

#[test]
fn parts_of_a_rulesets_question_are_concurrent_and_can_be_replaced() {
    let mut live = gathered("vote");
    let version = live.version();
    let mut seen = Vec::new();
    for choice in [0, 1, 0] {
        let answer = pick(&*live, Seat(0), choice);
        assert!(!live.submit(&answer).unwrap().moved);
        assert_eq!(live.version(), version, "parts do not move the version");
        let draft = live.open(Seat(0))[0].draft.clone().expect("what was said can be seen again");
        assert_eq!(draft.selection, answer.response.selection);
        assert_eq!(live.waiting(), Waiting::Answers(vec![Seat(1)]));
        hosted::bytes_restore(&gatherings(), &*live);
        seen.push(hosted::bytes_for(&*live, Viewer::Seat(Seat(1))));
    }
    seen.dedup();
    assert_eq!(seen.len(), 1, "p2 learns neither what was answered nor how often");
    let late = Answer { version: 0, ..pick(&*live, Seat(1), 0) };
    assert!(live.submit(&late).unwrap().moved, "an older version is fine for the open request");
    assert_eq!(live.version(), version + 1);
}

#[test]
fn in_a_rulesets_race_the_late_answer_gets_a_conflict() {
    let mut live = gathered("race");
    let (first, late) = (pick(&*live, Seat(1), 0), pick(&*live, Seat(0), 0));
    live.submit(&first).unwrap();
    let why = live.submit(&late).unwrap_err();
    assert_eq!((why.code(), why.conflict()), ("command/too_late", Some(live.version())));
}

#[test]
fn the_face_is_held_without_knowing_what_is_behind_it() {
    let matches: Vec<Box<dyn HostedMatch>> = begun().into_iter().map(|it| it.0).collect();
    let names: Vec<&str> = matches.iter().map(|it| it.game()).collect();
    assert!(names.contains(&"harvest") && names.contains(&"skirmish"), "{names:?}");
    std::thread::spawn(move || assert!(matches.iter().all(|it| it.n_seats() == 2))).join().unwrap();
}
