//! Who is linked to a card, and what others have from it.

use alloc::vec::Vec;

use ruleset::Program;

use crate::{
    ids::EntityId,
    state::{Lasts, MatchState, Modifier},
};

/// Whether others have something from a card that goes when it leaves: a link to it, or what lasts as long as it does.
pub fn is_held(program: &Program, state: &MatchState, card: EntityId) -> bool {
    let gives = |it: &Modifier| it.source == card && it.lasts == Lasts::Source;
    state.mods.iter().any(gives) || (program.has_links && !links_to(program, state, card).is_empty())
}

/// The links that lead to a card, by who has them and in which column.
pub fn links_to(program: &Program, state: &MatchState, card: EntityId) -> Vec<(EntityId, u16)> {
    let stored = i32::try_from(card.0).unwrap_or(i32::MAX);
    let n_players = usize::from(state.head.n_players);
    let mut found = Vec::new();
    for (of_players, ents) in [(true, 0..n_players), (false, n_players..state.ents.len())] {
        for column in program.links(of_players) {
            let leads = |it: &EntityId| state.base(program, *it, column) == stored;
            found.extend(ents.clone().map(EntityId::at).filter(leads).map(|it| (it, column)));
        }
    }
    found
}
