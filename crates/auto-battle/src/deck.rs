//! Decks: the cards of a run, each with an id of its own.

use alloc::vec::Vec;

#[cfg(feature = "scale")]
use parity_scale_codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
#[cfg(feature = "scale")]
use scale_info::TypeInfo;

use crate::{CardIndex, Rng, STARTER_CARDS};

/// Copies of each starter card in the deck of a local run.
const STARTER_COPIES: u32 = 3;

/// One card of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub struct RunCard {
    /// Unique within the run; no battle looks at it.
    pub id: u32,
    pub card: CardIndex,
}

/// Three of each starter card with ids from 1, in table order, not shuffled.
pub fn starter_deck() -> Vec<RunCard> {
    let indices = (0..).map(CardIndex).take(STARTER_CARDS.len());
    let cards = indices.flat_map(|it| (0..STARTER_COPIES).map(move |_| it));
    number(cards)
}

/// Draws a deck by weight: one draw below the sum of the weights for each card, ids from 1.
///
/// The weight at an index belongs to the pool's card at that index; 0 is never drawn. Without any
/// weight there is nothing to draw and the deck is empty.
pub fn draw_deck(weights: &[u8], n_cards: u32, rng: &mut Rng) -> Vec<RunCard> {
    let sum = weights.iter().fold(0_u32, |acc, &it| acc.saturating_add(it.into()));
    if sum == 0 {
        return Vec::new();
    }
    number((0..n_cards).map(|_| pick(weights, rng.below(sum))))
}

fn pick(weights: &[u8], mut roll: u32) -> CardIndex {
    for (idx, &weight) in (0..).zip(weights) {
        match roll.checked_sub(weight.into()) {
            Some(rest) => roll = rest,
            None => return CardIndex(idx),
        }
    }
    CardIndex(0)
}

fn number(cards: impl Iterator<Item = CardIndex>) -> Vec<RunCard> {
    (1..).zip(cards).map(|(id, card)| RunCard { id, card }).collect()
}
