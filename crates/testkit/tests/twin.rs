//! Nothing a viewer receives depends on what is hidden from him: proven by worlds that differ only there.

use std::sync::Arc;

use host::{Seat, Viewer};
use ruleset::Ruleset;
use testkit::{games, twin};

/// How many pairs of worlds are compared for each game and viewer.
fn n_pairs() -> u64 {
    if std::env::var_os("SNAPSTACK_SOAK").is_some() { 100_000 } else { 80 }
}

/// Pairs from one recorded piece.
const PER_PIECE: u64 = 4;

/// Compares worlds of a ruleset until enough were compared to their end.
fn tally(ruleset: &Arc<Ruleset>, name: &str, n_pairs: u64) {
    let viewers = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];
    let mut total = twin::Tally::default();
    let mut seed = 0;
    while total.n_same < n_pairs {
        let viewer = viewers[(seed % 3) as usize];
        match twin::check(ruleset, seed, viewer, PER_PIECE) {
            Ok(found) => total.add(found),
            Err(told) => panic!("{name}, seed {seed}: {viewer:?} is told a secret: {told:#?}"),
        }
        seed += 1;
        assert!(seed < 20 * n_pairs, "{name}: hardly a pair can be compared: {total:?}");
    }
    let percent = total.discard_percent();
    println!("{name}: {total:?}, {percent:.1} % discarded");
    assert!(percent < 20.0, "{name}: {percent:.1} % of the pairs were discarded");
    assert!(total.n_changed > total.n_same && total.n_rekeyed > 0, "{name}: the worlds hardly differ: {total:?}");
}

/// The bench duel, but windows stop by what is public; as it is, it opts in to telling who can act.
fn discreet_bench_duel() -> Arc<Ruleset> {
    let text = std::fs::read_to_string(games::folder().join("bench-duel/ruleset.json")).expect("is there; qed");
    assert!(text.contains(r#""stops": "legal""#));
    games::parse(&text.replace(r#""stops": "legal""#, r#""stops": "public""#))
}

#[test]
fn no_byte_a_viewer_receives_depends_on_what_is_hidden_from_him() {
    for name in games::playable().into_iter().filter(|it| it != "bench-duel") {
        tally(&games::load(&name), &name, n_pairs() / 4);
    }
    tally(&discreet_bench_duel(), "bench-duel", n_pairs() / 4);
}

#[test]
fn no_byte_tells_of_hidden_cards_that_are_searched_buried_and_shuffled() {
    tally(&games::parse(include_str!("data/secrets.json")), "secrets", n_pairs() / 4);
}

#[test]
fn a_ruleset_that_stops_windows_by_legality_tells_who_can_act() {
    let ruleset = games::load("bench-duel");
    let told = (0..200).find_map(|seed| twin::check(&ruleset, seed, Viewer::Seat(Seat(1)), 2).err());
    assert!(told.is_some(), "twin worlds would not notice");
}
