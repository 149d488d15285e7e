//! The chain's first state: the starter cards and the starter set, and cards and sets of its own.

use alloc::string::String;
use alloc::vec::Vec;

use auto_battle::{CardHash, CardSet, STARTER_CARDS, SetCard, StarterCard, starter_pool};
use codec::Decode as _;
use frame::prelude::H256;
use serde::{Deserialize, Serialize};

use crate::cards::describe;
use crate::types::{AccountIdOf, CardOnChain, CardText, SetMeta, Text};
use crate::{Config, Pallet};

/// A card of the chain's first state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisCard<AccountId> {
    pub creator: AccountId,
    /// The mechanics: a [`CardOnChain`] in SCALE, as hexadecimal digits.
    #[serde(with = "frame::deps::sp_core::bytes")]
    pub card: Vec<u8>,
    pub name: String,
    pub description: String,
    pub image_url: String,
}

/// A set of the chain's first state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisSet<AccountId> {
    pub creator: AccountId,
    /// Hashes of cards with their weights; 0 is a token.
    pub cards: Vec<(H256, u8)>,
    pub name: String,
    pub description: String,
}

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

/// A text of an operator, who must hear of it if it is too long: cut off it could be no UTF-8.
#[allow(clippy::expect_used)]
fn whole_text<const MAX: u32>(words: &str) -> Text<MAX> {
    Text::try_from(words.as_bytes().to_vec()).expect("a text of the first state is short enough")
}

impl<T: Config> Pallet<T> {
    pub(crate) fn register_starters(creator: &AccountIdOf<T>) {
        for (card, starter) in starter_cards() {
            let card_hash: CardHash = card.hash();
            if !crate::Cards::<T>::contains_key(card_hash) {
                let texts = CardText { name: text(starter.name), ..CardText::default() };
                Self::store_card(card_hash, &card, describe::<T>(creator.clone(), Self::clock(), texts));
            }
        }
        let meta = SetMeta { name: text("Starter set"), ..SetMeta::default() };
        if let Ok(checked) = Self::check_set(starter_set()) {
            Self::store_set(creator.clone(), &checked, meta, Default::default());
        }
    }

    /// Registers cards and sets without fees and deposits.
    ///
    /// A first state that makes no sense must not become a chain, so this panics with what is wrong.
    #[allow(clippy::expect_used)]
    pub(crate) fn register_genesis(cards: &[GenesisCard<AccountIdOf<T>>], sets: &[GenesisSet<AccountIdOf<T>>]) {
        for it in cards {
            let card = CardOnChain::decode(&mut &it.card[..]).expect("a card of the first state is a card in SCALE");
            card.check_registration().expect("a card of the first state is within the bounds of registered cards");
            assert!(!crate::Cards::<T>::contains_key(card.hash()), "a card of the first state is there once");
            let (name, description) = (whole_text(&it.name), whole_text(&it.description));
            let texts = CardText { name, description, image_url: whole_text(&it.image_url) };
            Self::store_card(card.hash(), &card, describe::<T>(it.creator.clone(), Self::clock(), texts));
        }
        for it in sets {
            let cards = it.cards.iter().map(|(hash, rarity)| SetCard { card_hash: CardHash(hash.0), rarity: *rarity });
            let checked = Self::check_set(cards.collect()).expect("a set of the first state is a set");
            let meta = SetMeta { name: whole_text(&it.name), description: whole_text(&it.description) };
            Self::store_set(it.creator.clone(), &checked, meta, Default::default());
        }
    }
}
