//! A desk to test games at: starts matches, answers, and knows what must not change.

#![allow(dead_code, reason = "every test uses a part of it")]

use std::future::Future;

use script::{Answer, Match, Mistake, Outcome, Progress, Rejection, Script, Seat, Setup, Table};
use selector::{Response, Value};

pub const P1: Seat = Seat(0);
pub const P2: Seat = Seat(1);
pub const P3: Seat = Seat(2);

pub fn setup(n_seats: u8) -> Setup {
    Setup { seed: [3; 32], n_seats }
}

pub fn script<F, P>(play: F) -> Script
where
    F: Fn(Table) -> P + Send + Sync + 'static,
    P: Future<Output = Result<Outcome, Mistake>> + Send + 'static,
{
    Script::new("test", 2..=4, play)
}

pub fn start(script: &Script, n_seats: u8) -> Match {
    Match::start(script, setup(n_seats)).unwrap()
}

/// Nobody won, for this reason.
pub fn done(reason: impl Into<String>) -> Result<Outcome, Mistake> {
    Ok(Outcome::won([], reason))
}

/// An answer to what a player is asked now.
#[track_caller]
pub fn answer_with<V: Into<Value>>(live: &Match, seat: Seat, picks: impl IntoIterator<Item = V>) -> Answer {
    let open = live.open(seat).unwrap_or_else(|| panic!("{seat} is not asked"));
    let response = Response::to(&open.selector, picks);
    Answer { seat, input: open.id, version: live.version(), response, confirm: true }
}

/// Answers for a player.
#[track_caller]
pub fn give<V: Into<Value>>(live: &mut Match, seat: Seat, picks: impl IntoIterator<Item = V>) -> Progress {
    let answer = answer_with(live, seat, picks);
    live.submit(&answer).unwrap_or_else(|why| panic!("{why}"))
}

/// Everything of a match that could change.
pub fn everything(live: &Match) -> (Vec<u8>, [u8; 32], u32, usize) {
    let n_events = script::viewers(live.n_seats()).map(|it| live.events(it, 0).len()).sum();
    (live.log_bytes(), live.hash(), live.version(), n_events)
}

/// Does something that must be refused with a code, and checks that it changed nothing.
#[track_caller]
pub fn refused(live: &mut Match, code: &str, act: impl FnOnce(&mut Match) -> Result<Progress, Rejection>) -> Rejection {
    let before = everything(live);
    let why = act(live).expect_err("should be refused");
    assert_eq!(why.code(), code, "{why}");
    assert!(everything(live) == before, "a refusal left a trace: {why}");
    why
}

/// The reason a match ended for.
#[track_caller]
pub fn reason(live: &Match) -> String {
    live.outcome().unwrap_or_else(|| panic!("is not over: {:?}", live.status())).reason.clone()
}

/// Replays a match from its bytes and checks that it is the same.
#[track_caller]
pub fn replays(live: &Match) {
    let again = Match::restore(live.script(), &live.log_bytes()).unwrap_or_else(|why| panic!("{why}"));
    assert!(everything(&again) == everything(live), "the replay differs");
    for viewer in script::viewers(live.n_seats()) {
        assert_eq!(again.events(viewer, 0), live.events(viewer, 0));
        assert_eq!(again.view(viewer), live.view(viewer));
    }
    let fork = live.fork();
    assert!(everything(&fork) == everything(live), "the fork differs");
    for seat in (0..live.n_seats()).map(Seat) {
        assert_eq!(fork.open(seat), live.open(seat));
        assert_eq!(again.open(seat), live.open(seat));
    }
}
