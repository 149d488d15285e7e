//! Nothing a viewer receives depends on what is hidden from him: proven by worlds that differ only there.

use host::{Seat, Viewer};
use testkit::{games, twin};

/// How many pairs of worlds are compared for each game and viewer.
fn n_pairs() -> u64 {
    if std::env::var_os("SNAPSTACK_SOAK").is_some() { 100_000 } else { 60 }
}

/// Pairs from one recorded piece.
const PER_PIECE: u64 = 4;

/// Compares worlds of a ruleset until enough were compared to their end.
fn tally(ruleset: &std::sync::Arc<ruleset::Ruleset>, name: &str, n_pairs: u64) {
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

#[test]
fn no_byte_a_viewer_receives_depends_on_what_is_hidden_from_him() {
    for name in games::playable() {
        tally(&games::load(&name), &name, n_pairs() / 4);
    }
    tally(&games::parse(include_str!("data/secrets.json")), "secrets", n_pairs() / 4);
}
