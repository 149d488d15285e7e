//! What every match must hold, whatever kind of game it is of: checked through the one face that hosts use.

use host::{Answer, Control, Game, HostedMatch, Rejection, Seat, Start, Viewer, Waiting};
use script::viewers;
use selector::{Response, Value};

use crate::contract::Dice;

/// How many answers a random game may take.
const ANSWERS_MAX: u32 = 20_000;

/// Everything a viewer receives, as bytes.
pub fn bytes_for(live: &dyn HostedMatch, viewer: Viewer) -> String {
    let open = if let Viewer::Seat(seat) = viewer { live.open(seat) } else { Vec::new() };
    serde_json::to_string(&(live.view(viewer), live.events(viewer, 0), open)).expect("views are plain data; qed")
}

/// A random answer of somebody who is asked and has not answered; none when the match is over or stands still.
pub fn random_answer(live: &dyn HostedMatch, dice: &mut Dice) -> Option<Answer> {
    let Waiting::Answers(seats) = live.waiting() else { return None };
    assert!(!seats.is_empty(), "the match waits for nobody");
    let seat = *dice.pick(&seats);
    let answer = live.make_answer(seat, &mut |bound| u32::try_from(dice.below(bound as usize)).unwrap_or(0));
    Some(answer.unwrap_or_else(|| panic!("{seat} is asked something that has no answer")))
}

/// Plays a random match to its end.
pub fn random_match(
    game: &Game,
    seed: u64,
    n_seats: u8,
    mut watch: impl FnMut(&dyn HostedMatch, u32),
) -> Box<dyn HostedMatch> {
    let mut live = game.start(&Start::seeded(seed, n_seats)).unwrap_or_else(|why| panic!("{why}"));
    let mut dice = Dice::new(seed + 1);
    for n in 0..ANSWERS_MAX {
        watch(&*live, n);
        if let Waiting::Timer { .. } = live.waiting() {
            live.control(Control::Timer).unwrap_or_else(|why| panic!("{why}"));
            continue;
        }
        let Some(answer) = random_answer(&*live, &mut dice) else { break };
        live.submit(&answer).unwrap_or_else(|why| panic!("an offered answer was refused: {answer:?}: {why}"));
    }
    live
}

/// Checks one random match against everything a match must hold. Costly checks are made every so many answers.
pub fn check_match(game: &Game, seed: u64, n_seats: u8, every: u32) {
    let live = random_match(game, seed, n_seats, |live, n| {
        if n.is_multiple_of(every) {
            refusals_change_nothing(live);
            bytes_restore(game, live);
            offers_are_accepted(live);
            a_fork_is_the_same(live);
        }
    });
    assert!(matches!(live.waiting(), Waiting::Over(_)), "random play does not end: {:?}", live.waiting());
    refusals_change_nothing(&*live);
    bytes_restore(game, &*live);
    assert!((0..n_seats).all(|it| live.open(Seat(it)).is_empty()), "nobody is asked after the end");
}

/// A match that was loaded again is the same to everybody.
pub fn bytes_restore(game: &Game, live: &dyn HostedMatch) {
    let bytes = live.log_bytes();
    let again = game.reload(&bytes).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((again.log_bytes(), again.hash(), again.version()), (bytes, live.hash(), live.version()));
    for viewer in viewers(live.n_seats()) {
        assert_eq!(bytes_for(&*again, viewer), bytes_for(live, viewer), "{viewer:?} sees another match");
    }
}

fn a_fork_is_the_same(live: &dyn HostedMatch) {
    let fork = live.fork();
    for viewer in viewers(live.n_seats()) {
        assert_eq!(bytes_for(&*fork, viewer), bytes_for(live, viewer), "{viewer:?} sees another match");
    }
}

/// Everything offered is accepted, and the events of every viewer are numbered without gaps.
fn offers_are_accepted(live: &dyn HostedMatch) {
    for seat in (0..live.n_seats()).map(Seat) {
        for answer in live.legal(seat, 4) {
            let mut fork = live.fork();
            fork.submit(&answer).unwrap_or_else(|why| panic!("an offered answer was refused: {answer:?}: {why}"));
            for viewer in viewers(live.n_seats()) {
                let events = fork.events(viewer, 0);
                assert!(events.iter().map(|it| it.sequence).eq(1..=u32::try_from(events.len()).unwrap_or(0)));
            }
        }
    }
}

/// What cannot be right is refused with a reason and leaves every byte as it was.
fn refusals_change_nothing(live: &dyn HostedMatch) {
    let mut copy = live.fork();
    let before = (copy.log_bytes(), copy.hash(), copy.version());
    for (what, answer) in bad_answers(live) {
        let why = copy.submit(&answer).expect_err(what);
        assert!(why.code().contains('/'), "{what}: a stable code");
        assert!((copy.log_bytes(), copy.hash(), copy.version()) == before, "{what}: a refusal left a trace: {why}");
    }
    let version = copy.version();
    let refusals = [
        copy.undo(Seat(99), version).map(drop),
        copy.undo(Seat(0), version + 1).map(drop),
        copy.takeback(0, &[], version).map(drop),
        copy.control(Control::Resume).map(drop),
        copy.control(Control::Timeout(u32::MAX / 4)).map(drop),
        copy.control(Control::Kick(Seat(99))).map(drop),
    ];
    assert!(refusals.iter().all(Result::is_err), "{refusals:?}");
    assert!((copy.log_bytes(), copy.hash(), copy.version()) == before, "a refusal left a trace");
}

/// For everybody at the table, an answer with one thing wrong.
fn bad_answers(live: &dyn HostedMatch) -> Vec<(&'static str, Answer)> {
    let mut bad = Vec::new();
    for seat in (0..live.n_seats()).map(Seat) {
        let nothing = Answer { seat, input: 0, version: live.version(), response: Response::default(), confirm: true };
        let Some(good) = live.make_answer(seat, &mut |_| 0) else {
            bad.push(("from who is not asked", nothing));
            continue;
        };
        let spoilt = |spoil: &dyn Fn(&mut Answer)| {
            let mut answer = good.clone();
            spoil(&mut answer);
            answer
        };
        let unknown = Value::List(vec!["there is no such choice".into()]);
        bad.push(("to no request", nothing));
        bad.push(("from nobody", spoilt(&|it| it.seat = Seat(99))));
        bad.push(("in another's name", spoilt(&|it| it.response.actor = Some("p99".to_owned()))));
        bad.push(("to an unknown request", spoilt(&|it| it.input = u32::MAX / 4)));
        bad.push(("under another title", spoilt(&|it| it.response.title = Some("another title".into()))));
        bad.push(("with an unknown choice", spoilt(&|it| it.response.selection = unknown.clone())));
        bad.push(("without a list", spoilt(&|it| it.response.selection = Value::Null)));
        bad.push(("for another version", spoilt(&|it| it.version += 1)));
    }
    bad
}

/// Counts the worlds a seat may believe in, and checks that it cannot tell any of them from the true one.
pub fn count_worlds(live: &dyn HostedMatch, seat: Seat, n: u8) -> Result<usize, Rejection> {
    let mut worlds = Vec::new();
    // A resampled match numbers its versions anew, so it is compared with the true world told anew.
    let told_anew = |it: &dyn HostedMatch, viewer| {
        let mut view = it.view(viewer);
        view.branch_id = 0;
        serde_json::to_string(&(view, it.events(viewer, 0))).expect("views are plain data; qed")
    };
    for seed in 0..n {
        let world = live.resample(Viewer::Seat(seat), [seed; 32])?;
        assert_eq!(told_anew(&*world, Viewer::Seat(seat)), told_anew(live, Viewer::Seat(seat)), "{seat} can tell");
        worlds.push(told_anew(&*world, Viewer::Judge));
    }
    worlds.sort();
    worlds.dedup();
    Ok(worlds.len())
}
