//! Worlds that might be: the same match as a viewer knows it, with other cards where he cannot look.
//! For study and for bots, which then never think about what they may not know; and, renamed as well, for tests that
//! nothing a viewer receives depends on what is hidden from him.

use alloc::{collections::BTreeMap, vec::Vec};

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use ruleset::{DefId, Program, hash::blake2_256};

use crate::{
    derived::is_printed,
    ids::{EntityId, PlayerId},
    matches::Match,
    rng,
    state::{Frame, MatchState, NO_ZONE, Status},
    view::Projector,
};

/// Cards that can stand for each other: of one owner, and of a deck or made during the game.
type Groups = BTreeMap<(PlayerId, bool), Vec<EntityId>>;

/// What the cards of one world are called in another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renaming(Vec<EntityId>);

impl Renaming {
    /// The card that lies where this one lies in the other world.
    pub fn of(&self, card: EntityId) -> EntityId {
        self.0.get(card.index()).copied().unwrap_or(card)
    }
}

/// A world that differs from another in nothing a viewer may know.
#[derive(Clone, Debug)]
pub struct Twin {
    pub live: Match,
    /// How cards of the other world are called in this one.
    pub names: Renaming,
    /// How many cards are something else here than where they lie in the other world.
    pub n_changed: usize,
    /// How many cards have another number here.
    pub n_renamed: usize,
}

impl Match {
    /// A copy in which the cards a viewer does not know are dealt anew among their places, and the dice to come are
    /// others. A card stays what it is if he sees it, if he saw it go where it is and nothing has mixed it since, or if
    /// something of it is on the stack or waits. What he could conclude from the rules alone is not looked at.
    pub fn resample(&self, eyes: &Projector, seed: [u8; 32]) -> Match {
        #[cfg(feature = "planted-leaks")]
        if crate::leaks::is(crate::leaks::Leak::TrueWorld) {
            return self.afresh();
        }
        let mut dice = ChaCha8Rng::from_seed(blake2_256(&seed));
        let mut state = self.state().clone();
        let mut groups = self.unknown_to(eyes);
        // Places are public and numbers are not: of all worlds the viewer cannot tell apart, the same seed makes the same.
        groups.values_mut().for_each(|it| it.sort_by_cached_key(|card| place(&state, *card)));
        deal_anew(self.ruleset().program(), &mut state, &groups, &mut dice);
        state.head.key = blake2_256(&state_key(seed));
        self.with_state(state)
    }

    /// A copy that cannot take back what came before it, but what comes after.
    pub fn afresh(&self) -> Match {
        self.with_state(self.state().clone())
    }

    /// How many cards a viewer does not know, by owner: what [`Match::resample`] can exchange.
    pub fn n_unknown_to(&self, eyes: &Projector) -> usize {
        self.unknown_to(eyes).values().map(Vec::len).sum()
    }

    /// A copy in which the cards a viewer does not know change their numbers and what they are; but those he is going
    /// to see stay what they are where they lie, and keep their order of age. With a key, the dice to come are others,
    /// too. Numbers stay while rows of the stack or questions may hold them.
    pub fn twin(&self, eyes: &Projector, seed: [u8; 32], met: &[EntityId], key: Option<[u8; 32]>) -> Twin {
        let (program, state) = (self.ruleset().program(), self.state());
        let mut groups = self.unknown_to(eyes);
        let held = held_elsewhere(program, state);
        groups.values_mut().for_each(|it| it.retain(|card| !held.contains(card)));
        let mut dice = ChaCha8Rng::from_seed(blake2_256(&seed));
        let movable = if is_quiet(state) { groups.clone() } else { Groups::new() };
        let names = rename(&movable, met, state.ents.len(), &mut dice);
        let mut twin = renamed(program, state, &names);
        let mut unmet = groups.clone();
        for cards in unmet.values_mut() {
            cards.retain(|it| !met.contains(it));
            cards.iter_mut().for_each(|it| *it = names.of(*it));
        }
        deal_anew(program, &mut twin, &unmet, &mut dice);
        twin.head.key = key.unwrap_or(twin.head.key);
        let def = |state: &MatchState, card: EntityId| state.ent(card).map(|it| it.def);
        let is_changed = |it: &&EntityId| def(&twin, names.of(**it)) != def(state, **it);
        let n_changed = groups.values().flatten().filter(is_changed).count();
        let n_renamed = groups.values().flatten().filter(|it| names.of(**it) != **it).count();
        Twin { live: self.with_state(twin), names, n_changed, n_renamed }
    }

    /// The cards a viewer does not know.
    fn unknown_to(&self, eyes: &Projector) -> Groups {
        let state = self.state();
        let program = self.ruleset().program();
        let mut groups = Groups::new();
        for (i, ent) in state.ents.iter().enumerate() {
            let card = EntityId::at(i);
            if ent.status == Status::Card && !eyes.knows(state, card) && !is_at_work(program, state, card, ent.def) {
                groups.entry((ent.owner, ent.created)).or_default().push(card);
            }
        }
        groups
    }
}

/// The number all dice of a resampled world come from; nothing of the true one is in it.
fn state_key(seed: [u8; 32]) -> [u8; 33] {
    let mut bytes = [1; 33];
    bytes.iter_mut().skip(1).zip(seed).for_each(|(byte, from)| *byte = from);
    bytes
}

/// Whether a rule that is printed on a card is on the stack, waits for its event or counts its uses.
fn is_at_work(program: &Program, state: &MatchState, card: EntityId, def: DefId) -> bool {
    let works = |it: &Frame| it.source == card && is_printed(program, def, it.rule);
    state.stack.iter().any(works)
        || state.held.iter().any(|it| works(&it.frame))
        || state.delays.iter().any(|it| it.what.source == card)
        || state.counts.iter().any(|it| it.0.holder == card)
}

/// Where a card lies: its zone and its place in it.
fn place(state: &MatchState, card: EntityId) -> (u16, usize) {
    let zone = state.ent(card).map_or(NO_ZONE, |it| it.zone);
    (zone, state.cards_in(zone).position(|it| it == card).unwrap_or(usize::MAX))
}

/// Puts what cards are into another order, every order as likely as any other.
fn deal_anew(program: &Program, state: &mut MatchState, groups: &Groups, dice: &mut ChaCha8Rng) {
    for cards in groups.values() {
        let def = |card: &EntityId| i64::from(state.ent(*card).map_or(DefId::NONE, |it| it.def));
        let mut defs: Vec<i64> = cards.iter().map(def).collect();
        defs.sort_unstable();
        rng::shuffle(dice, &mut defs);
        for (card, def) in cards.iter().zip(defs) {
            become_another(program, state, *card, DefId::from(def));
        }
    }
}

/// Makes a card another one where it lies: what happened to its values happened to this one.
fn become_another(program: &Program, state: &mut MatchState, card: EntityId, def: DefId) {
    let Some(old) = state.ent(card).map(|it| it.def) else { return };
    let at = card.index().saturating_mul(usize::from(program.stride));
    for rule in program.attrs.iter().filter(|it| it.on_cards && !it.is_link()) {
        let printed = |def: DefId| program.def(def).and_then(|it| it.printed.get(usize::from(rule.column))).copied();
        let (before, after) = (printed(old).unwrap_or(0), printed(def).unwrap_or(0));
        if let Some(value) = state.attrs.get_mut(at.saturating_add(usize::from(rule.column))) {
            let change = value.saturating_sub(before);
            // What is printed may lie outside the bounds; what the game did to it does not.
            *value = if change == 0 { after } else { after.saturating_add(change).clamp(rule.min, rule.max) };
        }
    }
    if let Some(ent) = state.ents.get_mut(card.index()) {
        ent.def = def;
    }
}

/// Whether nothing is half done that could hold numbers of cards without saying so.
fn is_quiet(state: &MatchState) -> bool {
    state.stack.is_empty() && state.asks.is_empty() && state.held.is_empty() && state.delays.is_empty()
}

/// The cards that modifiers, counters and links hold by their numbers.
fn held_elsewhere(program: &Program, state: &MatchState) -> Vec<EntityId> {
    let mut held: Vec<EntityId> = state.mods.iter().flat_map(|it| [it.target, it.source]).collect();
    held.extend(state.counts.iter().map(|it| it.0.holder));
    for (i, ent) in state.ents.iter().enumerate() {
        for column in program.links(ent.status == Status::Player) {
            let to = state.base(program, EntityId::at(i), column);
            held.extend(usize::try_from(to).ok().map(EntityId::at));
            if to >= 0 {
                held.push(EntityId::at(i));
            }
        }
    }
    held
}

/// New numbers for cards, within each group. Those the viewer is going to see keep their order of age, among each other
/// and to all whose numbers stay, because rules may go by age.
fn rename(groups: &Groups, met: &[EntityId], n: usize, dice: &mut ChaCha8Rng) -> Renaming {
    let mut names: Vec<EntityId> = (0..n).map(EntityId::at).collect();
    let mut set = |card: EntityId, to: EntityId| {
        if let Some(name) = names.get_mut(card.index()) {
            *name = to;
        }
    };
    for cards in groups.values() {
        let (mut left, mut unmet) = (Vec::new(), Vec::new());
        for run in cards.chunk_by(|a, b| b.0.saturating_sub(a.0) == 1) {
            let (mine, others): (Vec<EntityId>, Vec<EntityId>) = run.iter().partition(|it| met.contains(it));
            let mut free: Vec<i64> = run.iter().map(|it| i64::from(*it)).collect();
            rng::shuffle(dice, &mut free);
            left.extend(free.split_off(mine.len().min(free.len())));
            free.sort_unstable();
            mine.iter().zip(free).for_each(|(card, to)| set(*card, EntityId::from(to)));
            unmet.extend(others);
        }
        rng::shuffle(dice, &mut left);
        unmet.iter().zip(left).for_each(|(card, to)| set(*card, EntityId::from(to)));
    }
    Renaming(names)
}

/// The same state with other numbers for its cards; only zones may hold the old ones.
fn renamed(program: &Program, state: &MatchState, names: &Renaming) -> MatchState {
    let mut new = state.clone();
    for (i, ent) in state.ents.iter().enumerate() {
        let to = names.of(EntityId::at(i)).index();
        if let Some(slot) = new.ents.get_mut(to) {
            *slot = *ent;
            (slot.below, slot.above) = (names.of(ent.below), names.of(ent.above));
        }
        let stride = usize::from(program.stride);
        copy_row(&state.attrs, &mut new.attrs, i, to, stride);
        copy_row(&state.last, &mut new.last, i, to, stride);
    }
    for zone in &mut new.zones {
        (zone.bottom, zone.top) = (names.of(zone.bottom), names.of(zone.top));
    }
    new
}

fn copy_row(from: &[i32], into: &mut [i32], at: usize, to: usize, stride: usize) {
    let (at, to) = (at.saturating_mul(stride), to.saturating_mul(stride));
    let values = from.get(at..at.saturating_add(stride)).unwrap_or_default();
    into.iter_mut().skip(to).zip(values).for_each(|(slot, value)| *slot = *value);
}
