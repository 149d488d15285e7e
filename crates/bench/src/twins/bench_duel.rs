//! The bench duel: creatures, mana, attacks, nothing else.

use crate::{
    compare::{Told, Twin},
    table::Table,
};

/// How many creatures a side can have in play.
const BOARD_MAX: usize = 7;
/// How many cards a deck, and so a hand, can have.
const DECK_MAX: usize = 30;
/// The last turn; what is undecided then is a draw.
const TURN_MAX: u8 = 80;

/// A creature in play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Creature {
    id: u8,
    attack: i8,
    health: i8,
    since: u8,
    last_attack: u8,
}

/// A card that is not in play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Card {
    id: u8,
    cost: u8,
}

/// One player's side of the table.
#[derive(Clone, Copy, Debug)]
struct Side {
    health: i8,
    mana: u8,
    deck: [Card; DECK_MAX],
    n_deck: u8,
    hand: [Card; DECK_MAX],
    n_hand: u8,
    board: [Creature; BOARD_MAX],
    n_board: u8,
}

/// Something a player can do; numbers are places in hand and in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Play(u8),
    Attack(u8, u8),
    Strike(u8),
    Pass,
}

/// A duel.
#[derive(Clone, Copy, Debug)]
pub struct BenchDuel {
    sides: [Side; 2],
    active: u8,
    turn: u8,
    winners: Option<u16>,
}

impl Side {
    fn new(table: &Table<'_>, seat: u8) -> Self {
        let fill = |zone: &str| {
            let (cards, mut row) = (table.zone(zone, seat), [Card::default(); DECK_MAX]);
            for (slot, id) in row.iter_mut().zip(&cards) {
                *slot = Card { id: *id, cost: table.value(*id, "cost") as u8 };
            }
            (row, cards.len() as u8)
        };
        let ((deck, n_deck), (hand, n_hand)) = (fill("deck"), fill("hand"));
        let (health, mana) = (table.value(seat, "health") as i8, table.value(seat, "mana") as u8);
        Self { health, mana, deck, n_deck, hand, n_hand, board: [Creature::default(); BOARD_MAX], n_board: 0 }
    }

    fn hand(&self) -> &[Card] {
        &self.hand[..self.n_hand as usize]
    }

    fn board(&self) -> &[Creature] {
        &self.board[..self.n_board as usize]
    }

    fn draw(&mut self) {
        if self.n_deck > 0 {
            self.n_deck -= 1;
            self.hand[self.n_hand as usize] = self.deck[self.n_deck as usize];
            self.n_hand += 1;
        }
    }

    fn play(&mut self, at: u8, turn: u8) {
        let (at, n) = (at as usize, self.n_hand as usize);
        let Card { id, cost } = self.hand[at];
        self.hand.copy_within(at + 1..n, at);
        self.n_hand -= 1;
        self.mana -= cost;
        let (attack, health) = (cost as i8, cost as i8 + 1);
        self.board[self.n_board as usize] = Creature { id, attack, health, since: turn, last_attack: 0 };
        self.n_board += 1;
    }

    fn bury(&mut self, at: u8) {
        let (at, n) = (at as usize, self.n_board as usize);
        if self.board[at].health <= 0 {
            self.board.copy_within(at + 1..n, at);
            self.n_board -= 1;
        }
    }
}

impl BenchDuel {
    fn begin_turn(&mut self) {
        let side = &mut self.sides[self.active as usize];
        side.mana = self.turn.div_ceil(2).min(10);
        side.draw();
    }

    fn end_turn(&mut self) {
        self.turn += 1;
        self.active ^= 1;
        if self.turn > TURN_MAX {
            self.winners = Some(0);
        } else {
            self.begin_turn();
        }
    }

    fn list(&self, moves: &mut Vec<Move>) {
        let (own, other) = (&self.sides[self.active as usize], &self.sides[self.active as usize ^ 1]);
        if own.board().len() < BOARD_MAX {
            let affordable = own.hand().iter().enumerate().filter(|it| it.1.cost <= own.mana);
            moves.extend(affordable.map(|it| Move::Play(it.0 as u8)));
        }
        let ready = |it: &(usize, &Creature)| it.1.since < self.turn && it.1.last_attack < self.turn;
        for (attacker, _) in own.board().iter().enumerate().filter(ready) {
            moves.extend((0..other.n_board).map(|defender| Move::Attack(attacker as u8, defender)));
        }
        moves.extend(own.board().iter().enumerate().filter(ready).map(|it| Move::Strike(it.0 as u8)));
    }

    fn clash(&mut self, attacker: u8, defender: u8) {
        let (turn, active) = (self.turn, self.active as usize);
        let [first, second] = &mut self.sides;
        let (own, other) = if active == 0 { (first, second) } else { (second, first) };
        let (striker, target) = (&mut own.board[attacker as usize], &mut other.board[defender as usize]);
        striker.last_attack = turn;
        target.health -= striker.attack;
        striker.health -= target.attack;
        own.bury(attacker);
        other.bury(defender);
    }
}

impl Twin for BenchDuel {
    type Move = Move;

    const NAME: &'static str = "bench-duel";

    fn new(table: &Table<'_>) -> Self {
        let sides = [0, 1].map(|it| Side::new(table, it));
        Self { sides, active: table.active(), turn: table.turn() as u8, winners: None }
    }

    fn decide(&mut self, moves: &mut Vec<Move>) {
        moves.clear();
        // Turns in which there is nothing to do end by themselves.
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
        let (active, turn) = (self.active as usize, self.turn);
        match chosen {
            Move::Play(at) => self.sides[active].play(at, turn),
            Move::Attack(attacker, defender) => self.clash(attacker, defender),
            Move::Strike(attacker) => {
                let creature = &mut self.sides[active].board[attacker as usize];
                creature.last_attack = turn;
                let attack = creature.attack;
                let other = &mut self.sides[active ^ 1];
                other.health -= attack;
                if other.health <= 0 {
                    self.winners = Some(1 << self.active);
                }
            }
            Move::Pass => self.end_turn(),
        }
    }

    fn player(&self) -> u8 {
        self.active
    }

    fn told(&self, chosen: Move) -> Told {
        let (own, other) = (&self.sides[self.active as usize], &self.sides[self.active as usize ^ 1]);
        let creature = |side: &Side, at: u8| i64::from(side.board[at as usize].id);
        match chosen {
            Move::Play(at) => Told::Act(0, vec![own.hand[at as usize].id.into()]),
            Move::Attack(attacker, defender) => Told::Act(1, vec![creature(own, attacker), creature(other, defender)]),
            Move::Strike(attacker) => Told::Act(2, vec![creature(own, attacker), i64::from(self.active ^ 1)]),
            Move::Pass => Told::Pass,
        }
    }

    fn winners(&self) -> Option<u16> {
        self.winners
    }

    fn check(&self, table: &Table<'_>) {
        table.expect_turn(self.turn.into(), self.active);
        for (seat, side) in (0..).zip(&self.sides) {
            table.expect(seat, &[("health", side.health.into()), ("mana", side.mana.into())]);
            table.expect_len("deck", seat, side.n_deck.into());
            assert_eq!(table.zone("hand", seat), side.hand().iter().map(|it| it.id).collect::<Vec<_>>());
            assert_eq!(table.zone("board", seat), side.board().iter().map(|it| it.id).collect::<Vec<_>>());
            for creature in side.board() {
                let own = [("attack", creature.attack.into()), ("health", creature.health.into())];
                table.expect(creature.id, &own);
            }
        }
    }
}
