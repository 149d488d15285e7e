//! Market: four players around one row of goods.

use super::bits::{Pile, bit, each};
use crate::{
    compare::{Told, Twin},
    table::Table,
};

/// How many players there are.
const SEATS: usize = 4;
/// How many points end it.
const GOAL: i16 = 20;

/// What goods cost and bring.
#[derive(Clone, Copy, Debug, Default)]
struct Goods {
    price: i8,
    income: i8,
    points: i8,
    is_broker: bool,
}

/// A player.
#[derive(Clone, Copy, Debug, Default)]
struct Merchant {
    coins: i8,
    score: i16,
    income: i8,
    n_brokers: i8,
    owned: u64,
    has_worked: bool,
}

/// Something a player can do; numbers are those of cards.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    Buy(u8),
    Dismiss(u8),
    Work,
    Pass,
}

/// A game of the market.
#[derive(Clone, Copy, Debug)]
pub struct Market {
    merchants: [Merchant; SEATS],
    goods: [Goods; 64],
    stock: Pile,
    row: u64,
    active: u8,
    turn: u16,
    winners: Option<u16>,
}

impl Merchant {
    fn gain(&mut self, coins: i8) {
        self.coins = (self.coins + coins).min(20);
    }
}

impl Market {
    fn own(&mut self) -> &mut Merchant {
        &mut self.merchants[self.active as usize]
    }

    fn end_turn(&mut self) {
        self.turn += 1;
        self.active = (self.active + 1) % SEATS as u8;
        let own = self.own();
        own.has_worked = false;
        own.gain(own.income);
    }

    fn fill(&mut self) {
        self.row |= self.stock.pop().map_or(0, bit);
        if self.stock.len() == 0 {
            self.end();
        }
    }

    fn end(&mut self) {
        let best = self.merchants.iter().map(|it| it.score).max();
        let wins = |seat: usize| u16::from(Some(self.merchants[seat].score) == best) << seat;
        self.winners = Some((0..SEATS).map(wins).sum());
    }

    fn buy(&mut self, card: u8) {
        let Goods { price, income, points, is_broker } = self.goods[card as usize];
        self.row &= !bit(card);
        let own = self.own();
        own.coins -= price;
        own.gain(own.n_brokers);
        own.owned |= bit(card);
        own.score += i16::from(points);
        own.income += income;
        own.n_brokers += i8::from(is_broker);
        if own.score >= GOAL {
            return self.end();
        }
        self.fill();
    }

    fn list(&self, moves: &mut Vec<Move>) {
        let own = &self.merchants[self.active as usize];
        moves.extend(each(self.row).filter(|it| self.goods[*it as usize].price <= own.coins).map(Move::Buy));
        if !own.has_worked {
            if own.coins >= 1 {
                moves.extend(each(self.row).map(Move::Dismiss));
            }
            moves.push(Move::Work);
        }
    }
}

impl Twin for Market {
    type Move = Move;

    const NAME: &'static str = "market";

    fn new(table: &Table<'_>) -> Self {
        let mut goods = [Goods::default(); 64];
        for id in table.cards() {
            let value = |of: &str| table.value(id, of) as i8;
            let (price, income, points) = (value("price"), value("income"), value("points"));
            goods[id as usize] = Goods { price, income, points, is_broker: table.printed(id) == "broker" };
        }
        let merchant = |seat| Merchant { coins: table.value(seat, "coins") as i8, ..Merchant::default() };
        Self {
            merchants: [0, 1, 2, 3].map(merchant),
            goods,
            stock: Pile::new(&table.zone("stock", 0)),
            row: table.set("row", 0),
            active: table.active(),
            turn: table.turn(),
            winners: None,
        }
    }

    fn decide(&mut self, moves: &mut Vec<Move>) {
        moves.clear();
        while self.winners.is_none() {
            self.list(moves);
            if !moves.is_empty() {
                moves.push(Move::Pass);
                return;
            }
            self.end_turn();
        }
    }

    fn apply(&mut self, chosen: Move) {
        match chosen {
            Move::Buy(card) => self.buy(card),
            Move::Dismiss(card) => {
                let own = self.own();
                own.coins -= 1;
                own.has_worked = true;
                self.row &= !bit(card);
                self.fill();
            }
            Move::Work => {
                let own = self.own();
                own.has_worked = true;
                own.gain(1);
            }
            Move::Pass => self.end_turn(),
        }
    }

    fn player(&self) -> u8 {
        self.active
    }

    fn told(&self, chosen: Move) -> Told {
        match chosen {
            Move::Buy(card) => Told::Act(0, vec![card.into()]),
            Move::Dismiss(card) => Told::Act(1, vec![card.into()]),
            Move::Work => Told::Act(2, vec![]),
            Move::Pass => Told::Pass,
        }
    }

    fn winners(&self) -> Option<u16> {
        self.winners
    }

    fn check(&self, table: &Table<'_>) {
        table.expect_turn(self.turn, self.active);
        table.expect_set("row", 0, self.row);
        table.expect_len("stock", 0, self.stock.len());
        for (seat, it) in (0..).zip(&self.merchants) {
            table.expect_set("battlefield", seat, it.owned);
            let (coins, score) = (it.coins.into(), it.score.into());
            table.expect(seat, &[("coins", coins), ("score", score), ("worked", it.has_worked.into())]);
        }
    }
}
