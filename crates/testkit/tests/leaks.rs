//! Would the twin worlds notice? Ten secrets are told on purpose, one at a time, and each must be found.
//! Needs the feature `planted-leaks`: `cargo nextest run -p testkit --features planted-leaks --test leaks`.

use std::sync::Arc;

use engine::leaks::{Leak, plant};
use host::{Seat, Viewer};
use ruleset::Ruleset;
use testkit::{games, twin};

/// How many pieces of matches are looked at before a leak counts as not found.
const PIECES_MAX: u64 = 600;

/// The first secret told in some pairs of worlds, with how many pieces that took.
fn first_secret(ruleset: &Arc<Ruleset>, n_pieces: u64) -> Option<(u64, String)> {
    let viewers = [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Spectator];
    (0..n_pieces).find_map(|seed| {
        let told = twin::check(ruleset, seed, viewers[(seed % 3) as usize], 2).err()?;
        Some((seed + 1, told.channel))
    })
}

#[test]
fn twin_worlds_find_every_planted_leak() {
    let rulesets = [games::parse(include_str!("data/secrets.json")), games::load("skirmish")];
    for ruleset in &rulesets {
        plant(None);
        assert_eq!(first_secret(ruleset, 60), None, "{} tells a secret by itself", ruleset.program().text.id);
    }
    let mut missed = Vec::new();
    for leak in Leak::ALL {
        plant(Some(leak));
        match rulesets.iter().find_map(|it| first_secret(it, PIECES_MAX)) {
            Some((n, channel)) => println!("{leak:?}: found in {channel} after {n} pieces"),
            None => missed.push(leak),
        }
    }
    plant(None);
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
