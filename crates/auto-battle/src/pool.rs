//! The cards a match is played with, checked once so that no battle can fail later.

use alloc::vec::Vec;

#[cfg(feature = "scale")]
use parity_scale_codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
#[cfg(feature = "scale")]
use scale_info::TypeInfo;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::Card;

/// The most cards a pool can have.
pub const POOL_CARDS_MAX: usize = 64;

/// The place of a card in its pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(transparent))]
pub struct CardIndex(pub u8);

/// What is wrong with a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardFault {
    /// The card would start dead.
    HealthBelowOne,
    /// An ability spawns a card that the pool does not have.
    UnknownSpawn { ability: u8 },
}

/// Why a list of cards is not a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// There are more than [`POOL_CARDS_MAX`] cards.
    TooManyCards { n_cards: u32 },
    /// A card of the list is at fault.
    Card { card_idx: u32, fault: CardFault },
    /// Two cards of the list have the same name.
    DuplicateName { card_idx: u32 },
}

impl core::fmt::Display for CardFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::HealthBelowOne => f.write_str("health is below 1"),
            Self::UnknownSpawn { ability } => {
                write!(f, "ability spawns a card that is not in the pool: {ability}")
            }
        }
    }
}

impl core::fmt::Display for Violation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::TooManyCards { n_cards } => write!(f, "a pool has at most 64 cards: {n_cards}"),
            Self::Card { card_idx, fault } => write!(f, "card {card_idx}: {fault}"),
            Self::DuplicateName { card_idx } => write!(f, "card has a name twice: {card_idx}"),
        }
    }
}

impl core::error::Error for CardFault {}
impl core::error::Error for Violation {}

/// Cards that passed every check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pool {
    cards: Vec<Card>,
}

impl Pool {
    /// Checks a list of cards whose spawns are indices of the list, and reports all that is wrong.
    pub fn check(cards: Vec<Card>) -> Result<Self, Vec<Violation>> {
        let mut violations = Vec::new();
        if cards.len() > POOL_CARDS_MAX {
            let n_cards = count(cards.len());
            violations.push(Violation::TooManyCards { n_cards });
        }
        let faults = cards.iter().enumerate().flat_map(|(idx, card)| {
            let card_idx = count(idx);
            faults(card, cards.len()).map(move |fault| Violation::Card { card_idx, fault })
        });
        violations.extend(faults);
        if violations.is_empty() { Ok(Self { cards }) } else { Err(violations) }
    }

    /// Checks a list of named cards whose spawns are names of the list, and reports all that is
    /// wrong.
    pub fn link<S: PartialEq>(named: &[(S, Card<S>)]) -> Result<Self, Vec<Violation>> {
        let find = |name: &S| named.iter().position(|(it, _)| it == name);
        // An index past every pool stands for an unknown name; `check` then reports it.
        let index = |name: &S| find(name).and_then(|idx| u8::try_from(idx).ok());
        let link = |card: &Card<S>| {
            card.try_map_spawns(|name| Ok::<_, core::convert::Infallible>(CardIndex(index(name).unwrap_or(u8::MAX))))
        };
        let mut violations: Vec<_> = (0..)
            .zip(named)
            .filter(|(idx, (name, _))| find(name).map(count) != Some(*idx))
            .map(|(card_idx, _)| Violation::DuplicateName { card_idx })
            .collect();
        let cards = named.iter().filter_map(|(_, card)| link(card).ok()).collect();
        match Self::check(cards) {
            Ok(pool) if violations.is_empty() => Ok(pool),
            Ok(_) => Err(violations),
            Err(more) => {
                violations.extend(more);
                Err(violations)
            }
        }
    }

    /// The card at an index.
    pub fn get(&self, index: CardIndex) -> Option<&Card> {
        self.cards.get(usize::from(index.0))
    }

    /// All cards in order.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// Checks a card that is not in the pool but is to fight with it.
    pub fn check_guest(&self, card: &Card) -> Result<(), CardFault> {
        faults(card, self.cards.len()).next().map_or(Ok(()), Err)
    }
}

fn faults(card: &Card, n_cards: usize) -> impl Iterator<Item = CardFault> {
    let dead = (card.health < 1).then_some(CardFault::HealthBelowOne);
    let unknown = (0..).zip(&card.abilities).filter_map(move |(ability, it)| {
        let crate::Effect::SpawnUnit { card } = it.effect else {
            return None;
        };
        (usize::from(card.0) >= n_cards).then_some(CardFault::UnknownSpawn { ability })
    });
    dead.into_iter().chain(unknown)
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
