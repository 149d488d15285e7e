//! A match is its record: the same answers give the same bytes, and a game that does not repeat itself is caught.

mod desk;

use std::{
    collections::{BTreeMap, HashMap, hash_map::RandomState},
    hash::{BuildHasher, Hasher},
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

use desk::{P1, P2, done, everything, give, replays, script, setup, start};
use script::{Event, Match, Mistake, Outcome, Record, Script, Table, determinism};
use selector::Selector;

async fn dice(table: Table) -> Result<Outcome, Mistake> {
    let mut total = 0;
    for _ in 0..5 {
        let roll = table.random(6);
        table.tell(Event::new("rolled").with("eyes", i64::try_from(roll).unwrap_or(0)));
        total += if table.choose_yes_no(P1, "Keep?").await? { roll } else { 0 };
    }
    done(format!("{total}"))
}

#[test]
fn every_prefix_of_a_record_restores_the_match_it_was() {
    let mut live = start(&script(dice), 2);
    let mut past = vec![(live.log_bytes(), everything(&live))];
    for pick in ["yes", "no", "yes", "yes", "no"] {
        give(&mut live, P1, [pick]);
        past.push((live.log_bytes(), everything(&live)));
    }
    for (bytes, then) in past {
        let again = Match::restore(live.script(), &bytes).unwrap();
        assert!(everything(&again) == then);
        replays(&again);
    }
}

#[test]
fn bytes_that_are_no_record_of_this_game_are_refused() {
    #[track_caller]
    fn check(live: &Match, code: &str, spoil: impl FnOnce(&mut Record)) {
        use parity_scale_codec::Encode as _;
        let mut record = live.record().clone();
        spoil(&mut record);
        assert_eq!(Match::restore(live.script(), &record.encode()).err().map(|it| it.code()), Some(code));
    }
    let mut live = start(&script(dice), 2);
    give(&mut live, P1, ["yes"]);
    check(&live, "record/wrong_script", |it| it.header.script = "other".into());
    check(&live, "record/wrong_script", |it| it.header.version = 2);
    check(&live, "record/wrong_format", |it| it.header.format = 99);
    check(&live, "record/bad_setup", |it| it.header.setup.n_seats = 9);
    check(&live, "record/diverged", |it| it.header.setup.seed = [9; 32]);
    check(&live, "record/diverged", |it| it.transitions[1].hash = [0; 32]);
    check(&live, "record/misplaced_start", |it| it.transitions.push(it.transitions[0].clone()));
    check(&live, "record/bad_entry", |it| it.transitions.push(it.transitions[1].clone()));
    let bytes = live.log_bytes();
    for end in 0..bytes.len() {
        assert_eq!(Match::restore(live.script(), &bytes[..end]).err().map(|it| it.code()), Some("record/not_a_record"));
    }
    let longer = [&bytes[..], &[0]].concat();
    assert_eq!(Match::restore(live.script(), &longer).err().map(|it| it.code()), Some("record/not_a_record"));
}

#[track_caller]
fn caught(script: &Script, what: &str) {
    let difference = determinism::check(script, &setup(2)).expect_err("the game does not repeat itself");
    assert_eq!(difference.what, what, "{difference}");
    assert_ne!(difference.first, difference.second);
}

#[test]
fn a_sound_game_is_not_accused() {
    assert_eq!(determinism::check(&script(dice), &setup(2)), Ok(()));
}

#[test]
fn a_game_that_looks_at_a_clock_is_caught() {
    let epoch = Instant::now();
    let play = move |table: Table| async move {
        table.choose_yes_no(P1, "Go?").await?;
        table.tell(Event::new("time").with("ns", i64::try_from(epoch.elapsed().as_nanos()).unwrap_or(0)));
        table.choose_yes_no(P1, "On?").await?;
        done("late")
    };
    caught(&script(play), "event");
}

#[test]
fn a_game_with_ambient_randomness_is_caught() {
    let play = |table: Table| async move {
        let random = RandomState::new().build_hasher().finish();
        table.choose(P1, [format!("{random}"), "other".into()], "Which").await?;
        done("random")
    };
    caught(&script(play), "request");
}

#[test]
fn a_game_that_walks_over_an_unordered_map_is_caught() {
    let play = |table: Table| async move {
        let map: HashMap<&str, i64> = [("a", 1), ("b", 2), ("c", 3)].into();
        let names: Vec<&str> = map.into_keys().collect();
        table.set(P2, "order", names.concat());
        table.choose_yes_no(P1, "Go?").await?;
        done("unordered")
    };
    caught(&script(play), "view");
}

#[test]
fn a_game_that_counts_its_matches_is_caught() {
    static MATCHES: AtomicU64 = AtomicU64::new(0);
    let play = |table: Table| async move {
        let n = MATCHES.fetch_add(1, Ordering::Relaxed);
        table.choose_yes_no(P1, "Go?").await?;
        done(format!("{n}"))
    };
    // The end is an event too.
    caught(&script(play), "event");
}

#[test]
fn an_ordered_map_is_fine() {
    let play = |table: Table| async move {
        let map: BTreeMap<&str, i64> = [("b", 2), ("a", 1)].into();
        table.choose(P1, map.into_keys(), "Which").await?;
        done("ordered")
    };
    assert_eq!(determinism::check(&script(play), &setup(2)), Ok(()));
}

#[test]
fn two_requests_at_once_are_a_mistake() {
    use std::{future::poll_fn, pin::pin, task::Poll};
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        let ask = |it| Selector::select(it, "?").offer(["a", "b"]);
        let mut first = pin!(table.request_single(ask(P1)));
        let mut second = pin!(table.request_single(ask(P2)));
        let answer = poll_fn(|cx| match first.as_mut().poll(cx) {
            Poll::Pending => second.as_mut().poll(cx),
            ready => ready,
        });
        answer.await?;
        done("both")
    }
    let live = start(&script(play), 2);
    assert_eq!(live.status(), &script::Status::Broken(Mistake::RequestOpen));
}

#[test]
fn a_match_can_move_between_threads() {
    let mut live = start(&script(dice), 2);
    let handle = std::thread::spawn(move || {
        give(&mut live, P1, ["yes"]);
        live
    });
    replays(&handle.join().unwrap());
}

#[test]
fn work_without_end_is_a_mistake_where_the_table_is_used() {
    async fn play(table: Table) -> Result<Outcome, Mistake> {
        let zone = table.add_zone("z", script::Visibility::All)?;
        loop {
            table.cards(zone)?;
        }
    }
    assert_eq!(start(&script(play), 2).status(), &script::Status::Broken(Mistake::TooMuchWork));
}
