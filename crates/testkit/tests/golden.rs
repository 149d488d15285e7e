//! Golden playthroughs: seeded games whose logs must come out the same on every machine and in every build.

use testkit::{contract::random_game, games};

/// The hash of the log after a random game, by seed. A change here is a change of rules or format: say so.
const GOLDEN: &[(&str, u64, &str)] = &[("skirmish", 1, ""), ("skirmish", 2, ""), ("skirmish", 3, "")];

#[test]
fn golden_games_come_out_the_same() {
    for (name, seed, hash) in GOLDEN {
        let (_, log) = random_game(&games::load(name), *seed, |_, _| {});
        assert_eq!(&ruleset::hash::to_hex(&log.hash()), hash, "{name} {seed}");
    }
}
