//! Lanes: creatures in three lanes, spells with targets.

use super::bits::{Pile, bit, each};
use crate::{
    compare::{Told, Twin},
    table::Table,
};

/// What a card is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Creature,
    Rider,
    Bolt,
    Mend,
    Fury,
    Insight,
}

/// A card, and what is known of it in play.
#[derive(Clone, Copy, Debug, Default)]
struct Card {
    kind: Kind,
    cost: i8,
    attack: i8,
    health: i8,
    /// What the attack is changed by in this turn.
    fury: i8,
    lane: u8,
    since: u16,
    has_attacked: bool,
}

/// One player's side.
#[derive(Clone, Copy, Debug)]
struct Side {
    health: i16,
    mana: i8,
    max_mana: i8,
    deck: Pile,
    hand: u64,
    board: u64,
}

/// Something a player can do; numbers are those of cards.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    Send(u8, u8),
    Cast(u8),
    CastAt(u8, u8),
    Attack(u8),
    Pass,
}

/// A game of lanes.
#[derive(Clone, Copy, Debug)]
pub struct Lanes {
    sides: [Side; 2],
    cards: [Card; 64],
    active: u8,
    turn: u16,
    winners: Option<u16>,
    spells: [i64; 4],
}

impl Lanes {
    fn own(&mut self) -> &mut Side {
        &mut self.sides[self.active as usize]
    }

    fn draw(&mut self, n: u8) {
        for _ in 0..n {
            let side = self.own();
            match side.deck.pop() {
                Some(card) => side.hand |= bit(card),
                None => side.health -= 2,
            }
        }
    }

    fn end_turn(&mut self) {
        self.turn += 1;
        self.active ^= 1;
        for card in each(self.sides[0].board | self.sides[1].board) {
            self.cards[card as usize].fury = 0;
            self.cards[card as usize].has_attacked = false;
        }
        let side = self.own();
        side.max_mana = (side.max_mana + 1).min(10);
        side.mana = side.max_mana;
        self.draw(1);
        self.settle();
    }

    /// Buries who has no health left, and ends the game if a captain fell.
    fn settle(&mut self) {
        for side in &mut self.sides {
            for card in each(side.board) {
                if self.cards[card as usize].health <= 0 {
                    side.board &= !bit(card);
                }
            }
        }
        let standing = |seat: usize| u16::from(self.sides[seat].health > 0) << seat;
        let standing = standing(0) | standing(1);
        if standing != 0b11 {
            self.winners = Some(standing);
        }
    }

    fn lanes_taken(&self, side: &Side) -> u8 {
        each(side.board).fold(0, |acc, it| acc | 1 << self.cards[it as usize].lane)
    }

    fn list(&self, moves: &mut Vec<Move>) {
        let (side, other) = (&self.sides[self.active as usize], &self.sides[self.active as usize ^ 1]);
        let taken = self.lanes_taken(side);
        let affordable = |it: &u8| self.cards[*it as usize].cost <= side.mana;
        for card in each(side.hand).filter(affordable) {
            if matches!(self.cards[card as usize].kind, Kind::Creature | Kind::Rider) {
                moves.extend((1..=3).filter(|it| taken & 1 << it == 0).map(|it| Move::Send(card, it)));
            }
        }
        for card in each(side.hand).filter(affordable) {
            match self.cards[card as usize].kind {
                Kind::Creature | Kind::Rider => {}
                Kind::Bolt => {
                    moves.extend(each(side.board | other.board).chain([0, 1]).map(|it| Move::CastAt(card, it)));
                }
                Kind::Mend | Kind::Fury => moves.extend(each(side.board).map(|it| Move::CastAt(card, it))),
                Kind::Insight => moves.push(Move::Cast(card)),
            }
        }
        moves.extend(self.attackers(side).map(Move::Attack));
    }

    fn attackers(&self, side: &Side) -> impl Iterator<Item = u8> {
        each(side.board).filter(|it| {
            let card = &self.cards[*it as usize];
            (card.since < self.turn || card.kind == Kind::Rider) && !card.has_attacked
        })
    }

    fn cast(&mut self, card: u8, target: u8) {
        let Card { kind, cost, .. } = self.cards[card as usize];
        let side = self.own();
        side.mana -= cost;
        side.hand &= !bit(card);
        match kind {
            Kind::Bolt if target < 2 => self.sides[target as usize].health -= 3,
            Kind::Bolt => self.cards[target as usize].health -= 3,
            Kind::Mend => self.cards[target as usize].health += 3,
            Kind::Fury => self.cards[target as usize].fury += 2,
            Kind::Insight => self.draw(2),
            Kind::Creature | Kind::Rider => {}
        }
    }

    fn attack(&mut self, attacker: u8) {
        let Card { attack, fury, lane, .. } = self.cards[attacker as usize];
        self.cards[attacker as usize].has_attacked = true;
        let other = &mut self.sides[self.active as usize ^ 1];
        match each(other.board).find(|it| self.cards[*it as usize].lane == lane) {
            Some(foe) => {
                let answer = self.cards[foe as usize].attack;
                self.cards[foe as usize].health -= attack + fury;
                self.cards[attacker as usize].health -= answer;
            }
            None => other.health -= i16::from(attack + fury),
        }
    }
}

impl Twin for Lanes {
    type Move = Move;

    const NAME: &'static str = "lanes";

    fn new(table: &Table<'_>) -> Self {
        let mut cards = [Card::default(); 64];
        for id in table.cards() {
            let kind = match table.printed(id) {
                "rider" => Kind::Rider,
                "bolt" => Kind::Bolt,
                "mend" => Kind::Mend,
                "fury" => Kind::Fury,
                "insight" => Kind::Insight,
                _ => Kind::Creature,
            };
            let value = |of: &str| table.value(id, of) as i8;
            let (cost, attack, health) = (value("cost"), value("attack"), value("health"));
            cards[id as usize] = Card { kind, cost, attack, health, ..Card::default() };
        }
        let sides = [0, 1].map(|seat| Side {
            health: table.value(seat, "health") as i16,
            mana: table.value(seat, "mana") as i8,
            max_mana: table.value(seat, "max_mana") as i8,
            deck: Pile::new(&table.zone("deck", seat)),
            hand: table.set("hand", seat),
            board: 0,
        });
        let spells = ["Bolt", "Mend", "Fury", "Insight"].map(|it| table.ability(it));
        Self { sides, cards, active: table.active(), turn: table.turn(), winners: None, spells }
    }

    fn decide(&mut self, moves: &mut Vec<Move>) {
        moves.clear();
        while self.winners.is_none() {
            // A player who holds cards is asked, whether they help or not.
            let side = &self.sides[self.active as usize];
            if side.hand != 0 || self.attackers(side).next().is_some() {
                self.list(moves);
                moves.push(Move::Pass);
                return;
            }
            self.end_turn();
        }
    }

    fn apply(&mut self, chosen: Move) {
        match chosen {
            Move::Send(card, lane) => {
                let (turn, row) = (self.turn, &mut self.cards[card as usize]);
                (row.lane, row.since) = (lane, turn);
                let cost = row.cost;
                let side = self.own();
                side.mana -= cost;
                side.hand &= !bit(card);
                side.board |= bit(card);
            }
            Move::Cast(card) => self.cast(card, 0),
            Move::CastAt(card, target) => self.cast(card, target),
            Move::Attack(attacker) => self.attack(attacker),
            Move::Pass => return self.end_turn(),
        }
        self.settle();
    }

    fn player(&self) -> u8 {
        self.active
    }

    fn told(&self, chosen: Move) -> Told {
        let spell = |card: u8| match self.cards[card as usize].kind {
            Kind::Mend => self.spells[1],
            Kind::Fury => self.spells[2],
            Kind::Insight => self.spells[3],
            Kind::Bolt | Kind::Creature | Kind::Rider => self.spells[0],
        };
        match chosen {
            Move::Send(card, lane) => Told::Act(0, vec![card.into(), lane.into()]),
            Move::Cast(card) => Told::Act(1, vec![card.into(), spell(card)]),
            Move::CastAt(card, target) => Told::Act(1, vec![card.into(), spell(card), target.into()]),
            Move::Attack(attacker) => Told::Act(2, vec![attacker.into()]),
            Move::Pass => Told::Pass,
        }
    }

    fn winners(&self) -> Option<u16> {
        self.winners
    }

    fn check(&self, table: &Table<'_>) {
        table.expect_turn(self.turn, self.active);
        for (seat, side) in (0..).zip(&self.sides) {
            let (mana, max_mana) = (i32::from(side.mana), i32::from(side.max_mana));
            table.expect(seat, &[("health", side.health.into()), ("mana", mana), ("max_mana", max_mana)]);
            table.expect_set("hand", seat, side.hand);
            table.expect_set("battlefield", seat, side.board);
            table.expect_len("deck", seat, side.deck.len());
            for id in each(side.board) {
                let card = &self.cards[id as usize];
                let (health, lane) = (i32::from(card.health), i32::from(card.lane));
                table.expect(id, &[("health", health), ("lane", lane), ("attacks_made", card.has_attacked.into())]);
            }
        }
    }
}
