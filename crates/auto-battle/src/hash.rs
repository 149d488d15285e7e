//! Content hashes: a card and a set are what they do, whatever they are called.
//!
//! A card on a chain names the cards it spawns by their hashes. It cannot contain its own, so a
//! card that spawns itself says so with a marker.

use alloc::vec::Vec;

use blake2::{Blake2b256, Digest};
use parity_scale_codec::{Decode, DecodeWithMemTracking, Encode, Error, Input, MaxEncodedLen};
use scale_info::TypeInfo;

use crate::{Bounded, Card, CardIndex, POOL_CARDS_MAX, Pool, Violation};

/// The identity of a card: the hash of its mechanics.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Encode,
    Decode,
    DecodeWithMemTracking,
    MaxEncodedLen,
    TypeInfo,
)]
pub struct CardHash(pub [u8; 32]);

/// How a card on a chain names the card it spawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub enum CardLink {
    /// The card itself, whose hash it cannot contain.
    Itself,
    /// Another card.
    Hash(CardHash),
}

impl Card<CardLink> {
    /// The identity of this card.
    pub fn hash(&self) -> CardHash {
        let Self { attack, health, play_cost, pitch_value, abilities } = self;
        CardHash(blake2_256(&(attack, health, play_cost, pitch_value, abilities).encode()))
    }
}

impl Pool {
    /// Links cards that name each other by hash; the pool has them in the order of the list.
    pub fn link_hashes(cards: &[Card<CardLink>]) -> Result<Self, Vec<Violation>> {
        // A marker becomes the hash it stands for, after which hashes are names like any other.
        let named: Vec<_> = cards
            .iter()
            .map(|card| {
                let hash = card.hash();
                let renamed = card.try_map_spawns(|link| {
                    Ok::<_, core::convert::Infallible>(match link {
                        CardLink::Itself => hash,
                        CardLink::Hash(other) => *other,
                    })
                });
                match renamed {
                    Ok(card) => (hash, card),
                    Err(never) => match never {},
                }
            })
            .collect();
        Self::link(&named)
    }

    /// Writes the cards as a chain has them, or gives the index of a card in a ring of spawns:
    /// cards that spawn each other have no hashes.
    pub fn to_hash_links(&self) -> Result<Vec<Card<CardLink>>, CardIndex> {
        let mut done: Vec<Option<Card<CardLink>>> = self.cards().iter().map(|_| None).collect();
        // Each pass settles the cards whose spawns are settled, so there are at most 64.
        loop {
            let mut settled = false;
            for (idx, card) in (0..).zip(self.cards()) {
                let is_open = done.get(usize::from(idx)).is_some_and(Option::is_none);
                if is_open && let Some(linked) = link_one(card, CardIndex(idx), &done) {
                    done.get_mut(usize::from(idx)).map(|it| it.replace(linked));
                    settled = true;
                }
            }
            if !settled {
                break;
            }
        }
        let linked = (0..).zip(done).map(|(idx, it)| it.ok_or(CardIndex(idx)));
        linked.collect()
    }
}

/// Links a card if all it spawns is linked, itself aside.
fn link_one(card: &Card, own: CardIndex, done: &[Option<Card<CardLink>>]) -> Option<Card<CardLink>> {
    let linked = card.try_map_spawns(|&index| {
        if index == own {
            return Ok(CardLink::Itself);
        }
        let other = done.get(usize::from(index.0)).and_then(Option::as_ref);
        other.map(|it| CardLink::Hash(it.hash())).ok_or(())
    });
    linked.ok()
}

/// A card of a set and how likely a deck draws it; 0 is never drawn, as for tokens.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Encode,
    Decode,
    DecodeWithMemTracking,
    MaxEncodedLen,
    TypeInfo,
)]
pub struct SetCard {
    pub card_hash: CardHash,
    pub rarity: u8,
}

/// Why a list of cards is not a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetFault {
    /// There are more than [`POOL_CARDS_MAX`] cards.
    TooManyCards,
    /// A card has a hash that is not above the one before it.
    NotSorted { card_idx: u8 },
    /// No card can be drawn.
    NoWeight,
}

impl core::fmt::Display for SetFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooManyCards => f.write_str("a set has at most 64 cards"),
            Self::NotSorted { card_idx } => {
                write!(f, "card is not above the one before it: {card_idx}")
            }
            Self::NoWeight => f.write_str("no card of the set can be drawn"),
        }
    }
}

impl core::error::Error for SetFault {}

/// Cards in strictly rising order of their hashes, of which at least one can be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Encode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct CardSet {
    cards: Bounded<SetCard, POOL_CARDS_MAX>,
}

impl CardSet {
    /// Checks a list of cards.
    pub fn check(cards: &[SetCard]) -> Result<Self, SetFault> {
        let cards = Bounded::try_from_iter(cards.iter().copied());
        let cards = cards.map_err(|_| SetFault::TooManyCards)?;
        let pairs = cards.iter().zip(cards.iter().skip(1));
        let rises = |(before, after): &(&SetCard, &SetCard)| before.card_hash < after.card_hash;
        if let Some((card_idx, _)) = (1..).zip(pairs).find(|(_, pair)| !rises(pair)) {
            return Err(SetFault::NotSorted { card_idx });
        }
        if cards.iter().all(|it| it.rarity == 0) {
            return Err(SetFault::NoWeight);
        }
        Ok(Self { cards })
    }

    /// The cards in order.
    pub fn cards(&self) -> &[SetCard] {
        &self.cards
    }

    /// The identity of the set.
    pub fn hash(&self) -> [u8; 32] {
        blake2_256(&self.cards.encode())
    }
}

impl Decode for CardSet {
    fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
        let cards = Bounded::<SetCard, POOL_CARDS_MAX>::decode(input)?;
        Self::check(&cards).map_err(|_| "cards are not a set".into())
    }
}

fn blake2_256(bytes: &[u8]) -> [u8; 32] {
    Blake2b256::digest(bytes).into()
}
