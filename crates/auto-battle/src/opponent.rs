//! The built-in opponents: one board for each round of a run.

use crate::{BOARD_SLOTS, Bounded, CardIndex, starter_index};

/// The enemy board of a run's round, front first, as starter cards; round 10 stands for all later.
pub fn builtin_opponent(round: u32) -> Bounded<CardIndex, BOARD_SLOTS> {
    let names: &[&str] = match round {
        0 | 1 => &["goblin_scout"],
        2 => &["goblin_scout", "goblin_grunt"],
        3 => &["orc_shaman", "goblin_scout", "goblin_grunt"],
        4 => &["orc_warrior", "orc_shaman", "goblin_grunt"],
        5 => &["troll_brute", "orc_warrior", "orc_shaman"],
        6 => &["troll_brute", "troll_warrior", "orc_warrior", "goblin_grunt"],
        7 => &["ogre_mauler", "troll_brute", "troll_warrior", "orc_shaman"],
        8 => &["ogre_mauler", "ogre_warrior", "troll_brute", "troll_warrior"],
        9 => &["giant_crusher", "ogre_mauler", "ogre_warrior", "troll_brute", "orc_shaman"],
        _ => &["dragon_tyrant", "giant_crusher", "ogre_mauler", "ogre_warrior", "troll_brute"],
    };
    // Every name is a starter card and no row is longer than a board; a test looks at each.
    let indices = names.iter().filter_map(|it| starter_index(it));
    Bounded::try_from_iter(indices).unwrap_or_default()
}
