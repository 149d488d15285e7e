//! Runs: deck, shop, board and mana, round after round, until ten wins or no lives.
//!
//! A run fights no battle. Ending a turn gives a pending battle; the host finds opponent, seed and
//! result, and reports the result back. [`crate::LocalRun`] is such a host.

use alloc::vec::Vec;

#[cfg(feature = "scale")]
use parity_scale_codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
#[cfg(feature = "scale")]
use scale_info::TypeInfo;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

use crate::{BOARD_SLOTS, BattleResult, Bounded, Card, CardIndex, Pool, RunCard};

/// Slots of a shop.
pub const SHOP_SLOTS: usize = 5;

/// Lives at the start of a run.
pub const LIVES_AT_START: u32 = 3;

/// Wins that end a run in victory.
pub const WINS_FOR_VICTORY: u32 = 10;

const MANA_LIMIT_MAX: i32 = 10;

/// What a run waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize), serde(rename_all = "camelCase"))]
pub enum RunPhase {
    /// The player buys and pitches.
    Shop,
    /// The turn is over; its battle has a result or waits for one.
    Battle,
    /// Ten wins.
    Victory,
    /// No lives.
    Defeat,
}

/// A place in the shop. The flag outlives the card: an empty slot can be frozen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub struct ShopSlot {
    pub card: Option<RunCard>,
    pub frozen: bool,
}

/// What a player does in the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub enum ShopAction {
    /// Gives a card of the shop away for mana.
    PitchShopCard { slot: u8 },
    /// Buys a card of the shop onto the board.
    BuyCard { slot: u8 },
    /// Freezes or unfreezes a card of the shop.
    ToggleFreeze { slot: u8 },
    /// Exchanges two board slots.
    SwapBoard { a: u8, b: u8 },
    /// Gives a unit of the board away for mana.
    PitchBoardUnit { slot: u8 },
}

/// One step of a run: what its player does, and what its host says of a battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub enum RunStep {
    /// Does one thing in the shop.
    Act(ShopAction),
    /// Closes the shop.
    EndTurn,
    /// Books the result of the pending battle.
    Report(BattleResult),
    /// Goes on after a battle.
    Continue,
}

/// Why an action was refused; the run is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub enum Rejection {
    /// The run is in another phase.
    WrongPhase { phase: RunPhase },
    /// There is no such slot, or no card in it.
    EmptySlot { slot: u8 },
    /// The card costs more than there is mana.
    NotEnoughMana { mana: i32, cost: i32 },
    /// The board has no free slot.
    BoardFull,
    /// The card is not in the pool that was given.
    UnknownCard { card: CardIndex },
    /// The battle of this round has no result yet.
    NoResult,
    /// The battle of this round has a result already.
    ResultKnown,
    /// A deck has more cards than this kind of run allows.
    DeckTooLarge,
}

impl core::fmt::Display for Rejection {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::WrongPhase { phase } => write!(f, "run is in another phase: {phase:?}"),
            Self::EmptySlot { slot } => write!(f, "no card in slot: {slot}"),
            Self::NotEnoughMana { mana, cost } => {
                write!(f, "card costs {cost} mana, there is only: {mana}")
            }
            Self::BoardFull => f.write_str("board has no free slot"),
            Self::UnknownCard { card } => write!(f, "card is not in the pool: {}", card.0),
            Self::NoResult => f.write_str("battle has no result yet"),
            Self::ResultKnown => f.write_str("battle has a result already"),
            Self::DeckTooLarge => f.write_str("deck has too many cards"),
        }
    }
}

impl core::error::Error for Rejection {}

/// A battle that a host has to see to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo))]
pub struct PendingBattle {
    /// The run's units without gaps, front first.
    pub board: Bounded<CardIndex, BOARD_SLOTS>,
    pub round: u32,
}

/// A run. `DECK_MAX` bounds its deck where storage needs a bound; by default it has none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale", derive(Encode, DecodeWithMemTracking, TypeInfo))]
pub struct Run<const DECK_MAX: u32 = { u32::MAX }> {
    /// The last card is the top.
    deck: Vec<RunCard>,
    shop: [ShopSlot; SHOP_SLOTS],
    board: [Option<RunCard>; BOARD_SLOTS],
    mana: i32,
    round: u32,
    lives: u32,
    wins: u32,
    phase: RunPhase,
    /// The result of this round's battle, once the host has reported it.
    result: Option<BattleResult>,
}

impl<const DECK_MAX: u32> Run<DECK_MAX> {
    /// Starts a run with a shuffled deck, whose last card is the top, and fills the shop.
    pub fn new(deck: Vec<RunCard>) -> Result<Self, Rejection> {
        if u32::try_from(deck.len()).map_or(true, |n_cards| n_cards > DECK_MAX) {
            return Err(Rejection::DeckTooLarge);
        }
        Ok(Self::start(deck))
    }

    pub(crate) fn start(deck: Vec<RunCard>) -> Self {
        let mut run = Self {
            deck,
            shop: [ShopSlot::default(); SHOP_SLOTS],
            board: [None; BOARD_SLOTS],
            mana: 0,
            round: 1,
            lives: LIVES_AT_START,
            wins: 0,
            phase: RunPhase::Shop,
            result: None,
        };
        run.fill_shop();
        run
    }

    /// Takes one step.
    pub fn step(&mut self, pool: &Pool, step: RunStep) -> Result<(), Rejection> {
        match step {
            RunStep::Act(action) => self.act(pool, action),
            RunStep::EndTurn => self.end_turn().map(drop),
            RunStep::Report(result) => self.report_result(result),
            RunStep::Continue => self.continue_after_battle().map(drop),
        }
    }

    /// Does one thing in the shop.
    pub fn act(&mut self, pool: &Pool, action: ShopAction) -> Result<(), Rejection> {
        match action {
            ShopAction::PitchShopCard { slot } => self.pitch_shop_card(pool, slot),
            ShopAction::BuyCard { slot } => self.buy_card(pool, slot),
            ShopAction::ToggleFreeze { slot } => self.toggle_freeze(slot),
            ShopAction::SwapBoard { a, b } => self.swap_board(a, b),
            ShopAction::PitchBoardUnit { slot } => self.pitch_board_unit(pool, slot),
        }
    }

    /// Gives a card of the shop away for mana; the next card of the deck takes its place.
    pub fn pitch_shop_card(&mut self, pool: &Pool, slot: u8) -> Result<(), Rejection> {
        self.expect_phase(RunPhase::Shop)?;
        let place = self.shop.get_mut(usize::from(slot));
        let place = place.ok_or(Rejection::EmptySlot { slot })?;
        let card = place.card.ok_or(Rejection::EmptySlot { slot })?;
        let pitch_value = mechanics(pool, card)?.pitch_value;
        place.card = self.deck.pop();
        if place.card.is_some() {
            place.frozen = false;
        }
        self.gain_mana(pitch_value);
        Ok(())
    }

    /// Buys a card of the shop into the first free board slot; the shop slot stays empty.
    pub fn buy_card(&mut self, pool: &Pool, slot: u8) -> Result<(), Rejection> {
        self.expect_phase(RunPhase::Shop)?;
        let place = self.shop.get_mut(usize::from(slot));
        let place = place.ok_or(Rejection::EmptySlot { slot })?;
        let card = place.card.ok_or(Rejection::EmptySlot { slot })?;
        let cost = mechanics(pool, card)?.play_cost;
        if self.mana < cost {
            let mana = self.mana;
            return Err(Rejection::NotEnoughMana { mana, cost });
        }
        let free = self.board.iter_mut().find(|it| it.is_none());
        let free = free.ok_or(Rejection::BoardFull)?;
        *free = place.card.take();
        self.mana = self.mana.saturating_sub(cost);
        Ok(())
    }

    /// Freezes a card of the shop for the next round, or takes that back.
    pub fn toggle_freeze(&mut self, slot: u8) -> Result<(), Rejection> {
        self.expect_phase(RunPhase::Shop)?;
        let place = self.shop.get_mut(usize::from(slot));
        let place = place.filter(|it| it.card.is_some());
        let place = place.ok_or(Rejection::EmptySlot { slot })?;
        place.frozen = !place.frozen;
        Ok(())
    }

    /// Exchanges two board slots, empty or not.
    pub fn swap_board(&mut self, a: u8, b: u8) -> Result<(), Rejection> {
        self.expect_phase(RunPhase::Shop)?;
        for slot in [a, b] {
            if usize::from(slot) >= BOARD_SLOTS {
                return Err(Rejection::EmptySlot { slot });
            }
        }
        self.board.swap(usize::from(a), usize::from(b));
        Ok(())
    }

    /// Gives a unit of the board away for mana.
    pub fn pitch_board_unit(&mut self, pool: &Pool, slot: u8) -> Result<(), Rejection> {
        self.expect_phase(RunPhase::Shop)?;
        let place = self.board.get_mut(usize::from(slot));
        let place = place.ok_or(Rejection::EmptySlot { slot })?;
        let card = place.ok_or(Rejection::EmptySlot { slot })?;
        let pitch_value = mechanics(pool, card)?.pitch_value;
        *place = None;
        self.gain_mana(pitch_value);
        Ok(())
    }

    /// Closes the shop: what is not frozen goes under the deck, and a battle is pending.
    pub fn end_turn(&mut self) -> Result<PendingBattle, Rejection> {
        self.expect_phase(RunPhase::Shop)?;
        for slot in &mut self.shop {
            if !slot.frozen
                && let Some(card) = slot.card.take()
            {
                self.deck.insert(0, card);
            }
            slot.frozen = false;
        }
        self.mana = 0;
        self.phase = RunPhase::Battle;
        self.result = None;
        Ok(self.pending())
    }

    /// The battle that this run's host has to see to, while it waits for one.
    pub fn pending_battle(&self) -> Option<PendingBattle> {
        let is_pending = self.phase == RunPhase::Battle && self.result.is_none();
        is_pending.then(|| self.pending())
    }

    /// Books the result of the pending battle: a win, a life, or nothing.
    pub fn report_result(&mut self, result: BattleResult) -> Result<(), Rejection> {
        self.expect_phase(RunPhase::Battle)?;
        if self.result.is_some() {
            return Err(Rejection::ResultKnown);
        }
        self.result = Some(result);
        match result {
            BattleResult::Victory => self.wins = self.wins.saturating_add(1),
            BattleResult::Defeat => self.lives = self.lives.saturating_sub(1),
            BattleResult::Draw => {}
        }
        Ok(())
    }

    /// Goes on after a battle whose result is booked: to the next shop, or to the end of the run.
    pub fn continue_after_battle(&mut self) -> Result<RunPhase, Rejection> {
        self.expect_phase(RunPhase::Battle)?;
        if self.result.is_none() {
            return Err(Rejection::NoResult);
        }
        self.phase = if self.wins >= WINS_FOR_VICTORY {
            RunPhase::Victory
        } else if self.lives == 0 {
            RunPhase::Defeat
        } else {
            self.round = self.round.saturating_add(1);
            self.result = None;
            self.fill_shop();
            RunPhase::Shop
        };
        Ok(self.phase)
    }

    /// The deck; its last card is the top.
    pub fn deck(&self) -> &[RunCard] {
        &self.deck
    }

    /// The shop.
    pub fn shop(&self) -> &[ShopSlot; SHOP_SLOTS] {
        &self.shop
    }

    /// The board, front first, with its gaps.
    pub fn board(&self) -> &[Option<RunCard>; BOARD_SLOTS] {
        &self.board
    }

    /// Mana to spend in this shop.
    pub fn mana(&self) -> i32 {
        self.mana
    }

    /// The most mana that pitching can bring in this round.
    pub fn mana_limit(&self) -> i32 {
        let limit = i32::try_from(self.round).unwrap_or(i32::MAX);
        limit.saturating_add(2).min(MANA_LIMIT_MAX)
    }

    /// The round, from 1.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Defeats that the run can still take.
    pub fn lives(&self) -> u32 {
        self.lives
    }

    /// Battles won.
    pub fn wins(&self) -> u32 {
        self.wins
    }

    /// What the run waits for.
    pub fn phase(&self) -> RunPhase {
        self.phase
    }

    /// The same run without a bound on its deck, as bots look at it.
    pub fn to_unbounded(&self) -> Run {
        let Self { deck, shop, board, mana, round, lives, wins, phase, result } = self.clone();
        Run { deck, shop, board, mana, round, lives, wins, phase, result }
    }

    /// The same run with its deck in an order that nobody knows, for bots that look ahead.
    pub(crate) fn with_deck_shuffled(&self, rng: &mut crate::Rng) -> Self {
        let mut run = self.clone();
        rng.shuffle(&mut run.deck);
        run
    }

    fn expect_phase(&self, expected: RunPhase) -> Result<(), Rejection> {
        if self.phase == expected {
            return Ok(());
        }
        let phase = self.phase;
        Err(Rejection::WrongPhase { phase })
    }

    fn fill_shop(&mut self) {
        for slot in &mut self.shop {
            if slot.card.is_none() {
                slot.card = self.deck.pop();
            }
        }
    }

    fn gain_mana(&mut self, pitch_value: i32) {
        let mana = self.mana.saturating_add(pitch_value);
        self.mana = mana.min(self.mana_limit());
    }

    fn pending(&self) -> PendingBattle {
        let cards = self.board.iter().flatten().map(|it| it.card);
        PendingBattle {
            // The list is as long as the board.
            board: Bounded::try_from_iter(cards).unwrap_or_default(),
            round: self.round,
        }
    }
}

fn mechanics(pool: &Pool, card: RunCard) -> Result<&Card, Rejection> {
    let card = card.card;
    pool.get(card).ok_or(Rejection::UnknownCard { card })
}

#[cfg(feature = "scale")]
mod scale {
    use super::{BOARD_SLOTS, BattleResult, Decode, MaxEncodedLen, Run, RunCard, RunPhase};
    use super::{SHOP_SLOTS, ShopSlot, Vec};
    use parity_scale_codec::{Compact, Error, Input};

    impl<const DECK_MAX: u32> Decode for Run<DECK_MAX> {
        fn decode<I: Input>(input: &mut I) -> Result<Self, Error> {
            Ok(Self {
                deck: decode_deck(input, DECK_MAX)?,
                shop: Decode::decode(input)?,
                board: Decode::decode(input)?,
                mana: Decode::decode(input)?,
                round: Decode::decode(input)?,
                lives: Decode::decode(input)?,
                wins: Decode::decode(input)?,
                phase: Decode::decode(input)?,
                result: Decode::decode(input)?,
            })
        }
    }

    /// Takes memory only for cards that are really there, whatever length the input claims.
    fn decode_deck<I: Input>(input: &mut I, deck_max: u32) -> Result<Vec<RunCard>, Error> {
        let Compact(n_cards) = Compact::<u32>::decode(input)?;
        if n_cards > deck_max {
            return Err("deck is longer than its bound".into());
        }
        let bytes = usize::try_from(n_cards).unwrap_or(usize::MAX);
        input.on_before_alloc_mem(bytes.saturating_mul(size_of::<RunCard>()))?;
        let mut deck = Vec::new();
        for _ in 0..n_cards {
            deck.push(RunCard::decode(input)?);
        }
        Ok(deck)
    }

    impl<const DECK_MAX: u32> MaxEncodedLen for Run<DECK_MAX> {
        fn max_encoded_len() -> usize {
            let cards = usize::try_from(DECK_MAX).unwrap_or(usize::MAX);
            let deck = cards.saturating_mul(RunCard::max_encoded_len());
            [
                Compact::<u32>::max_encoded_len(),
                <[ShopSlot; SHOP_SLOTS]>::max_encoded_len(),
                <[Option<RunCard>; BOARD_SLOTS]>::max_encoded_len(),
                <(i32, u32, u32, u32)>::max_encoded_len(),
                RunPhase::max_encoded_len(),
                <Option<BattleResult>>::max_encoded_len(),
            ]
            .into_iter()
            .fold(deck, usize::saturating_add)
        }
    }
}
