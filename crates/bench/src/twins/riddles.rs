//! Riddles: tricks for four, driven by questions.

use super::bits::{Pile, bit};
use crate::{
    compare::{Told, Twin},
    table::Table,
};

/// How many players there are, and how many cards each gets for a round.
const SEATS: usize = 4;
const ROUND: u8 = 5;

/// What is asked next.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// A player says how many tricks it will be.
    Bid,
    /// A player plays a card.
    Play,
    /// Who took the trick says what it is good for.
    Use,
}

/// An answer.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    Bid(u8),
    Card(u8),
    Keep,
    Mock,
}

/// A game of riddles.
#[derive(Clone, Copy, Debug)]
pub struct Riddles {
    suit: [u8; 64],
    rank: [u8; 64],
    stock: Pile,
    hands: [Pile; SEATS],
    table: u64,
    stage: Stage,
    /// Who is asked.
    seat: u8,
    led: u8,
    best: u8,
    winner: u8,
    leader: u8,
    said: [u8; SEATS],
    bids: [u8; SEATS],
    tricks: [u8; SEATS],
    score: [i16; SEATS],
    turn: u16,
    winners: Option<u16>,
}

impl Riddles {
    fn are_hands_empty(&self) -> bool {
        self.hands.iter().all(|it| it.len() == 0)
    }

    fn deal(&mut self) {
        for hand in &mut self.hands {
            for _ in 0..ROUND {
                self.stock.pop().into_iter().for_each(|it| hand.push(it));
            }
        }
        (self.stage, self.seat) = (Stage::Bid, 0);
    }

    fn bid(&mut self, n: u8) {
        self.said[self.seat as usize] = n;
        self.seat += 1;
        if self.seat as usize == SEATS {
            (self.bids, self.tricks) = (self.said, [0; SEATS]);
            self.lead();
        }
    }

    fn lead(&mut self) {
        (self.stage, self.seat, self.led) = (Stage::Play, self.leader, 0);
    }

    /// Whether the player who is asked must follow suit.
    fn must_follow(&self) -> bool {
        self.hands[self.seat as usize].cards().iter().any(|it| self.suit[*it as usize] == self.led)
    }

    fn play(&mut self, card: u8) {
        self.hands[self.seat as usize].remove(card);
        self.table |= bit(card);
        let (suit, rank) = (self.suit[card as usize], self.rank[card as usize]);
        if self.led == 0 || (suit == self.led && rank > self.rank[self.best as usize]) {
            (self.led, self.best, self.winner) = (suit, card, self.seat);
        }
        self.seat = (self.seat + 1) % SEATS as u8;
        if self.seat == self.leader {
            self.tricks[self.winner as usize] += 1;
            (self.stage, self.seat, self.leader, self.table) = (Stage::Use, self.winner, self.winner, 0);
        }
    }

    fn keep(&mut self) {
        self.score[self.winner as usize] += 2;
        self.end_trick();
    }

    fn mock(&mut self) {
        let winner = self.winner as usize;
        self.score.iter_mut().enumerate().filter(|it| it.0 != winner).for_each(|it| *it.1 -= 1);
        self.end_trick();
    }

    fn end_trick(&mut self) {
        if self.are_hands_empty() {
            for seat in 0..SEATS {
                if self.tricks[seat] == self.bids[seat] {
                    self.score[seat] += 5 + i16::from(self.tricks[seat]);
                }
            }
            if self.stock.len() == 0 {
                let best = self.score.iter().max();
                let wins = |seat: usize| u16::from(Some(&self.score[seat]) == best) << seat;
                self.winners = Some((0..SEATS).map(wins).sum());
                return;
            }
            self.turn += 1;
            self.deal();
        } else {
            self.turn += 1;
            self.lead();
        }
    }
}

impl Twin for Riddles {
    type Move = Answer;

    const NAME: &'static str = "riddles";

    fn new(table: &Table<'_>) -> Self {
        let (mut suit, mut rank) = ([0; 64], [0; 64]);
        for id in table.cards() {
            suit[id as usize] = table.value(id, "suit") as u8;
            rank[id as usize] = table.value(id, "rank") as u8;
        }
        Self {
            suit,
            rank,
            stock: Pile::new(&table.zone("stock", 0)),
            hands: [0, 1, 2, 3].map(|it| Pile::new(&table.zone("hand", it))),
            table: 0,
            stage: Stage::Bid,
            seat: 0,
            led: 0,
            best: 0,
            winner: 0,
            leader: table.active(),
            said: [0; SEATS],
            bids: [0; SEATS],
            tricks: [0; SEATS],
            score: [0; SEATS],
            turn: table.turn(),
            winners: None,
        }
    }

    fn decide(&mut self, moves: &mut Vec<Answer>) {
        moves.clear();
        // Nobody is asked where there is only one answer.
        while self.winners.is_none() {
            match self.stage {
                Stage::Bid => return moves.extend((0..=ROUND).map(Answer::Bid)),
                Stage::Play => {
                    let follows = self.must_follow();
                    let hand = self.hands[self.seat as usize].cards().iter().copied();
                    let playable = hand.filter(|it| !follows || self.suit[*it as usize] == self.led);
                    moves.extend(playable.map(Answer::Card));
                    let [Answer::Card(card)] = moves[..] else { return };
                    moves.clear();
                    self.play(card);
                }
                Stage::Use if self.score.iter().any(|it| *it > 0) => {
                    return moves.extend([Answer::Keep, Answer::Mock]);
                }
                Stage::Use => self.keep(),
            }
        }
    }

    fn apply(&mut self, chosen: Answer) {
        match chosen {
            Answer::Bid(n) => self.bid(n),
            Answer::Card(card) => self.play(card),
            Answer::Keep => self.keep(),
            Answer::Mock => self.mock(),
        }
    }

    fn player(&self) -> u8 {
        self.seat
    }

    fn told(&self, chosen: Answer) -> Told {
        Told::Answer(vec![match chosen {
            Answer::Bid(n) => n.into(),
            Answer::Card(card) => card.into(),
            Answer::Keep => 0,
            Answer::Mock => 1,
        }])
    }

    fn winners(&self) -> Option<u16> {
        self.winners
    }

    fn check(&self, table: &Table<'_>) {
        table.expect_turn(self.turn, ((self.turn - 1) % SEATS as u16) as u8);
        table.expect_len("stock", 0, self.stock.len());
        table.expect_set("table", 0, self.table);
        for seat in 0..SEATS {
            assert_eq!(table.zone("hand", seat as u8), self.hands[seat].cards());
            let (bid, tricks) = (self.bids[seat].into(), self.tricks[seat].into());
            table.expect(seat as u8, &[("bid", bid), ("tricks", tricks), ("score", self.score[seat].into())]);
        }
    }
}
