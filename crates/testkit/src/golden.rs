//! Golden games: seeded random games whose logs must come out the same on every machine and in every build.

use std::sync::Arc;

use compiler::library::Memory;
use ruleset::Ruleset;

use crate::contract::random_game;

/// The documents golden games are played with, carried along so that they need no file system.
const DOCUMENTS: &[(&str, &str)] = &[
    ("std", include_str!("../../../games/std/ruleset.json")),
    ("std/core", include_str!("../../../games/std/core.json")),
    ("std/resources", include_str!("../../../games/std/resources.json")),
    ("std/deck", include_str!("../../../games/std/deck.json")),
    ("std/damage", include_str!("../../../games/std/damage.json")),
    ("std/tapping", include_str!("../../../games/std/tapping.json")),
    ("std/combat", include_str!("../../../games/std/combat.json")),
    ("std/abilities", include_str!("../../../games/std/abilities.json")),
    ("std/counter", include_str!("../../../games/std/counter.json")),
    ("std/blocking", include_str!("../../../games/std/blocking.json")),
    ("skirmish", include_str!("../../../games/skirmish/ruleset.json")),
    ("skirmish/turn", include_str!("../../../games/skirmish/turn.json")),
    ("skirmish/actions", include_str!("../../../games/skirmish/actions.json")),
];

/// The expected hashes: a line for each game with its name, seed and the hash of its log.
pub const EXPECTED: &str = include_str!("../tests/golden.txt");

fn load(name: &str) -> Arc<Ruleset> {
    let library = DOCUMENTS.iter().fold(Memory::default(), |acc, (name, text)| acc.with(name, text));
    match compiler::compile(name, &library) {
        Ok(ruleset) => Arc::new(ruleset),
        Err(mistakes) => panic!("{}", compiler::render(&mistakes)),
    }
}

/// Plays all golden games and gives the lines that should be expected.
pub fn play() -> String {
    let mut out = String::new();
    for (name, seeds) in [("skirmish", 1..=4)] {
        let ruleset = load(name);
        for seed in seeds {
            let (_, log) = random_game(&ruleset, seed, |_, _| {});
            out.push_str(&format!("{name} {seed} {}\n", ruleset::hash::to_hex(&log.hash())));
        }
    }
    out
}
