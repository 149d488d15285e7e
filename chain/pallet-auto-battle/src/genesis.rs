//! The starter cards and the starter set in the chain's first state.

use alloc::vec::Vec;

use auto_battle::{CardHash, CardSet, STARTER_CARDS, SetCard, StarterCard, starter_pool};

use crate::cards::describe;
use crate::types::{AccountIdOf, CardOnChain, CardText, SetMeta, Text};
use crate::{Config, Pallet};

/// How likely a deck draws each starter card; tokens are never drawn.
const STARTER_RARITY: u8 = 3;

/// The starter cards with their texts, as the chain names cards.
pub fn starter_cards() -> Vec<(CardOnChain, &'static StarterCard)> {
    // No starter cards spawn each other in a ring, so each has a hash; a test looks.
    let cards = starter_pool().to_hash_links().unwrap_or_default();
    cards.into_iter().zip(&STARTER_CARDS).collect()
}

/// The starter set: every starter card once, those that cost nothing as tokens.
pub fn starter_set() -> Vec<SetCard> {
    let rarity = |card: &CardOnChain| if card.play_cost == 0 { 0 } else { STARTER_RARITY };
    let cards = starter_cards().into_iter();
    let mut set: Vec<_> = cards.map(|(card, _)| SetCard { card_hash: card.hash(), rarity: rarity(&card) }).collect();
    set.sort();
    set.dedup();
    set
}

/// The identity of the starter set.
pub fn starter_set_hash() -> [u8; 32] {
    // The cards are sorted and most of them can be drawn; a test looks.
    CardSet::check(&starter_set()).map(|it| it.hash()).unwrap_or_default()
}

fn text<const MAX: u32>(words: &str) -> Text<MAX> {
    Text::truncate_from(words.as_bytes().to_vec())
}

impl<T: Config> Pallet<T> {
    pub(crate) fn register_starters(creator: &AccountIdOf<T>) {
        for (card, starter) in starter_cards() {
            let card_hash: CardHash = card.hash();
            if !crate::Cards::<T>::contains_key(card_hash) {
                let texts = CardText { name: text(starter.name), ..CardText::default() };
                Self::store_card(card_hash, &card, describe::<T>(creator.clone(), Self::now(), texts));
            }
        }
        let meta = SetMeta { name: text("Starter set"), ..SetMeta::default() };
        if let Ok(checked) = Self::check_set(starter_set()) {
            Self::store_set(creator.clone(), &checked, meta, Default::default());
        }
    }
}
