//! Mints: several costs for every action, in long games.

use super::bits::{Pile, bit, each};
use crate::{
    compare::{Told, Twin},
    table::Table,
};

/// How many cards a hand holds.
const HAND_MAX: u32 = 8;
/// How much honour wins.
const GOAL: i16 = 40;
/// The last turn.
const TURN_MAX: u16 = 200;

/// What a coin takes and gives.
#[derive(Clone, Copy, Debug, Default)]
struct Pattern {
    copper: i8,
    silver: i8,
    gold: i8,
    worth: i8,
}

/// One player's mint.
#[derive(Clone, Copy, Debug)]
struct Mint {
    copper: i8,
    silver: i8,
    gold: i8,
    workers: i8,
    honour: i16,
    deck: Pile,
    hand: u64,
    graveyard: u64,
}

/// Something a player can do; numbers are those of cards.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    Strike(u8, u8),
    Smelt,
    Refine,
    Hire,
    Sell(u8),
    Pass,
}

/// A game of mints.
#[derive(Clone, Copy, Debug)]
pub struct Mints {
    mints: [Mint; 2],
    patterns: [Pattern; 64],
    active: u8,
    turn: u16,
    winners: Option<u16>,
}

impl Mint {
    fn affords(&self, copper: i8, silver: i8, gold: i8) -> bool {
        self.copper >= copper && self.silver >= silver && self.gold >= gold
    }

    fn can_hire(&self) -> bool {
        self.workers < 5 && self.affords(2, 1, 1)
    }

    fn pay(&mut self, copper: i8, silver: i8, gold: i8) {
        self.copper -= copper;
        self.silver -= silver;
        self.gold -= gold;
    }

    fn gain(&mut self, copper: i8, silver: i8, gold: i8) {
        self.copper = (self.copper + copper).min(15);
        self.silver = (self.silver + silver).min(12);
        self.gold = (self.gold + gold).min(9);
    }

    fn discard(&mut self, card: u8) {
        self.hand &= !bit(card);
        self.graveyard |= bit(card);
    }

    fn draw(&mut self) {
        if self.deck.len() == 0 {
            // Each goes below the one before it, so that the first is on top.
            let used = std::mem::take(&mut self.graveyard);
            (0..64).rev().filter(|it| used & bit(*it) != 0).for_each(|it| self.deck.push(it));
        }
        if let Some(card) = self.deck.pop() {
            let zone = if self.hand.count_ones() < HAND_MAX { &mut self.hand } else { &mut self.graveyard };
            *zone |= bit(card);
        }
    }
}

impl Mints {
    fn own(&mut self) -> &mut Mint {
        &mut self.mints[self.active as usize]
    }

    fn end_turn(&mut self) {
        self.turn += 1;
        self.active ^= 1;
        if self.turn > TURN_MAX {
            let best = self.mints[0].honour.max(self.mints[1].honour);
            self.winners = Some((0..2).map(|it| u16::from(self.mints[it].honour == best) << it).sum());
            return;
        }
        let gold = i8::from(self.turn.is_multiple_of(4));
        let mint = self.own();
        mint.gain(1 + mint.workers, 1, gold);
        mint.draw();
    }

    fn strike(&mut self, card: u8, fuel: u8) {
        let Pattern { copper, silver, gold, worth } = self.patterns[card as usize];
        let mint = self.own();
        mint.pay(copper, silver, gold);
        mint.discard(fuel);
        mint.discard(card);
        mint.honour += i16::from(worth);
        if mint.honour >= GOAL {
            self.winners = Some(1 << self.active);
        }
    }

    fn list(&self, moves: &mut Vec<Move>) {
        let mint = &self.mints[self.active as usize];
        for card in each(mint.hand) {
            let Pattern { copper, silver, gold, .. } = self.patterns[card as usize];
            if mint.affords(copper, silver, gold) {
                moves.extend(each(mint.hand & !bit(card)).map(|it| Move::Strike(card, it)));
            }
        }
        if mint.copper >= 3 {
            moves.push(Move::Smelt);
        }
        if mint.affords(1, 3, 0) {
            moves.push(Move::Refine);
        }
        if mint.can_hire() {
            moves.push(Move::Hire);
        }
        moves.extend(each(mint.hand).map(Move::Sell));
    }
}

impl Twin for Mints {
    type Move = Move;

    const NAME: &'static str = "mints";

    fn new(table: &Table<'_>) -> Self {
        let mut patterns = [Pattern::default(); 64];
        for id in table.cards() {
            let value = |of: &str| table.value(id, of) as i8;
            let (copper, silver, gold) = (value("copper_cost"), value("silver_cost"), value("gold_cost"));
            patterns[id as usize] = Pattern { copper, silver, gold, worth: value("worth") };
        }
        let mints = [0, 1].map(|seat| {
            let value = |of: &str| table.value(seat, of) as i8;
            Mint {
                copper: value("copper"),
                silver: value("silver"),
                gold: value("gold"),
                workers: value("workers"),
                honour: 0,
                deck: Pile::new(&table.zone("deck", seat)),
                hand: table.set("hand", seat),
                graveyard: 0,
            }
        });
        Self { mints, patterns, active: table.active(), turn: table.turn(), winners: None }
    }

    fn decide(&mut self, moves: &mut Vec<Move>) {
        moves.clear();
        while self.winners.is_none() {
            self.list(moves);
            // A player who holds cards is asked, whether they help or not.
            if self.mints[self.active as usize].hand != 0 || !moves.is_empty() {
                moves.push(Move::Pass);
                return;
            }
            self.end_turn();
        }
    }

    fn apply(&mut self, chosen: Move) {
        match chosen {
            Move::Strike(card, fuel) => self.strike(card, fuel),
            Move::Smelt => {
                self.own().pay(3, 0, 0);
                self.own().gain(0, 1, 0);
            }
            Move::Refine => {
                self.own().pay(1, 3, 0);
                self.own().gain(0, 0, 1);
            }
            Move::Hire => {
                self.own().pay(2, 1, 1);
                self.own().workers += 1;
            }
            Move::Sell(card) => {
                self.own().discard(card);
                self.own().gain(2, 0, 0);
            }
            Move::Pass => self.end_turn(),
        }
    }

    fn player(&self) -> u8 {
        self.active
    }

    fn told(&self, chosen: Move) -> Told {
        match chosen {
            Move::Strike(card, fuel) => Told::Act(0, vec![card.into(), fuel.into()]),
            Move::Smelt => Told::Act(1, vec![]),
            Move::Refine => Told::Act(2, vec![]),
            Move::Hire => Told::Act(3, vec![]),
            Move::Sell(card) => Told::Act(4, vec![card.into()]),
            Move::Pass => Told::Pass,
        }
    }

    fn winners(&self) -> Option<u16> {
        self.winners
    }

    fn check(&self, table: &Table<'_>) {
        table.expect_turn(self.turn, self.active);
        for (seat, mint) in (0..).zip(&self.mints) {
            let metals = [("copper", mint.copper), ("silver", mint.silver), ("gold", mint.gold)];
            table.expect(seat, &metals.map(|it| (it.0, i32::from(it.1))));
            table.expect(seat, &[("workers", mint.workers.into()), ("honour", mint.honour.into())]);
            table.expect_set("hand", seat, mint.hand);
            table.expect_set("graveyard", seat, mint.graveyard);
            assert_eq!(table.zone("deck", seat), mint.deck.cards());
        }
    }
}
