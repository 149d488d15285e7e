//! Wards: triggers, an aura, a shield that prevents, and answers to what the other player does.

use super::bits::{Pile, bit, each};
use crate::{
    compare::{Told, Twin},
    table::Table,
};

/// What a card is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Plain,
    Warden,
    Captain,
    Bard,
    Leech,
    Denial,
}

/// A card, and what is known of it in play.
#[derive(Clone, Copy, Debug, Default)]
struct Card {
    kind: Kind,
    cost: i8,
    attack: i8,
    health: i8,
    since: u16,
    /// The last turn in which its ward was used.
    warded: u16,
    has_attacked: bool,
    is_tapped: bool,
}

/// One player's side.
#[derive(Clone, Copy, Debug)]
struct Side {
    health: i16,
    power: i8,
    n_captains: i8,
    deck: Pile,
    hand: u64,
    board: u64,
    graveyard: u64,
}

/// Something a player can do; numbers are those of cards, or of players.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    Hire(u8),
    Attack(u8, u8),
    Deny(u8),
    Pass,
}

/// What waits to be carried out.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    what: Move,
    player: u8,
    is_denied: bool,
}

/// A game of wards.
#[derive(Clone, Copy, Debug)]
pub struct Wards {
    sides: [Side; 2],
    cards: [Card; 64],
    active: u8,
    turn: u16,
    stack: [Waiting; 16],
    n_stack: u8,
    /// Whether what is on top of the stack can still be answered.
    is_open: bool,
    winners: Option<u16>,
}

impl Wards {
    fn draw(&mut self, seat: u8) {
        let side = &mut self.sides[seat as usize];
        match side.deck.pop() {
            Some(card) => side.hand |= bit(card),
            None => side.health -= 2,
        }
    }

    fn end_turn(&mut self) {
        self.turn += 1;
        self.active ^= 1;
        for card in each(self.sides[0].board | self.sides[1].board) {
            self.cards[card as usize].has_attacked = false;
        }
        let side = &mut self.sides[self.active as usize];
        side.power = (side.power + 2).min(8);
        for card in each(side.board) {
            self.cards[card as usize].is_tapped = false;
        }
        self.draw(self.active);
        self.settle();
    }

    /// Buries who has no health left, and ends the game if a player fell.
    fn settle(&mut self) {
        for side in &mut self.sides {
            for card in each(side.board) {
                let row = &self.cards[card as usize];
                if row.health <= 0 {
                    side.board &= !bit(card);
                    side.graveyard |= bit(card);
                    side.n_captains -= i8::from(row.kind == Kind::Captain);
                }
            }
        }
        let standing = |seat: usize| u16::from(self.sides[seat].health > 0) << seat;
        let standing = standing(0) | standing(1);
        if standing != 0b11 {
            self.winners = Some(standing);
        }
    }

    fn attackers(&self) -> impl Iterator<Item = u8> {
        each(self.sides[self.active as usize].board).filter(|it| {
            let card = &self.cards[*it as usize];
            card.since < self.turn && !card.has_attacked && !card.is_tapped
        })
    }

    fn list(&self, moves: &mut Vec<Move>) {
        let (side, other) = (&self.sides[self.active as usize], &self.sides[self.active as usize ^ 1]);
        let can_hire = |it: &u8| {
            let card = &self.cards[*it as usize];
            card.kind != Kind::Denial && card.cost <= side.power
        };
        moves.extend(each(side.hand).filter(can_hire).map(Move::Hire));
        for attacker in self.attackers() {
            moves.push(Move::Attack(attacker, self.active ^ 1));
            moves.extend(each(other.board).map(|it| Move::Attack(attacker, it)));
        }
    }

    fn list_answers(&self, seat: u8, moves: &mut Vec<Move>) {
        let side = &self.sides[seat as usize];
        let can_deny = |it: &u8| {
            let card = &self.cards[*it as usize];
            card.kind == Kind::Denial && card.cost <= side.power
        };
        moves.extend(each(side.hand).filter(can_deny).map(Move::Deny));
    }

    fn top(&self) -> Option<&Waiting> {
        self.stack[..self.n_stack as usize].last()
    }

    /// Pays for an action, which then waits for answers.
    fn announce(&mut self, what: Move, player: u8) {
        if let Move::Hire(card) | Move::Deny(card) = what {
            let side = &mut self.sides[player as usize];
            side.power -= self.cards[card as usize].cost;
            side.hand &= !bit(card);
        }
        self.stack[self.n_stack as usize] = Waiting { what, player, is_denied: false };
        self.n_stack += 1;
        self.is_open = true;
    }

    /// Carries out what is on top of the stack.
    fn resolve(&mut self) {
        self.is_open = false;
        self.n_stack -= 1;
        let Waiting { what, player, is_denied } = self.stack[self.n_stack as usize];
        let side = &mut self.sides[player as usize];
        match what {
            Move::Hire(card) | Move::Deny(card) if is_denied => side.graveyard |= bit(card),
            Move::Hire(card) => self.enter(card, player),
            Move::Deny(card) => {
                side.graveyard |= bit(card);
                self.stack[self.n_stack as usize - 1].is_denied = true;
            }
            Move::Attack(attacker, defender) if !is_denied => self.strike(attacker, defender, player),
            Move::Attack(..) | Move::Pass => {}
        }
        self.settle();
    }

    fn enter(&mut self, card: u8, player: u8) {
        let row = &mut self.cards[card as usize];
        row.since = self.turn;
        let side = &mut self.sides[player as usize];
        side.board |= bit(card);
        side.n_captains += i8::from(row.kind == Kind::Captain);
        if row.kind == Kind::Leech {
            side.health += 2;
            self.sides[player as usize ^ 1].health -= 2;
        }
    }

    fn attack_of(&self, card: u8, player: u8) -> i8 {
        let row = &self.cards[card as usize];
        row.attack + self.sides[player as usize].n_captains - i8::from(row.kind == Kind::Captain)
    }

    fn strike(&mut self, attacker: u8, defender: u8, player: u8) {
        let row = &mut self.cards[attacker as usize];
        (row.has_attacked, row.is_tapped) = (true, true);
        let damage = self.attack_of(attacker, player);
        if defender < 2 {
            self.sides[defender as usize].health -= i16::from(damage);
            return;
        }
        let answer = self.attack_of(defender, player ^ 1);
        self.hurt(defender, damage, player ^ 1);
        self.hurt(attacker, answer, player);
    }

    fn hurt(&mut self, card: u8, damage: i8, player: u8) {
        let row = &mut self.cards[card as usize];
        if row.kind == Kind::Warden && row.warded < self.turn {
            row.warded = self.turn;
            return;
        }
        row.health -= damage;
        if row.kind == Kind::Bard {
            self.draw(player);
        }
    }
}

impl Twin for Wards {
    type Move = Move;

    const NAME: &'static str = "wards";

    fn new(table: &Table<'_>) -> Self {
        let mut cards = [Card::default(); 64];
        for id in table.cards() {
            let kind = match table.printed(id) {
                "warden" => Kind::Warden,
                "captain" => Kind::Captain,
                "bard" => Kind::Bard,
                "leech" => Kind::Leech,
                "denial" => Kind::Denial,
                _ => Kind::Plain,
            };
            let value = |of: &str| table.value(id, of) as i8;
            let (cost, attack, health) = (value("cost"), value("attack"), value("health"));
            cards[id as usize] = Card { kind, cost, attack, health, ..Card::default() };
        }
        let sides = [0, 1].map(|seat| Side {
            health: table.value(seat, "health") as i16,
            power: table.value(seat, "power") as i8,
            n_captains: 0,
            deck: Pile::new(&table.zone("deck", seat)),
            hand: table.set("hand", seat),
            board: 0,
            graveyard: 0,
        });
        let (active, turn) = (table.active(), table.turn());
        let stack = [Waiting { what: Move::Pass, player: 0, is_denied: false }; 16];
        Self { sides, cards, active, turn, stack, n_stack: 0, is_open: false, winners: None }
    }

    fn decide(&mut self, moves: &mut Vec<Move>) {
        moves.clear();
        // A player who holds cards is asked, whether they help or not.
        while self.winners.is_none() {
            if let Some(top) = self.top() {
                let seat = top.player ^ 1;
                if self.is_open && self.sides[seat as usize].hand != 0 {
                    self.list_answers(seat, moves);
                    moves.push(Move::Pass);
                    return;
                }
                self.resolve();
            } else if self.sides[self.active as usize].hand != 0 || self.attackers().next().is_some() {
                self.list(moves);
                moves.push(Move::Pass);
                return;
            } else {
                self.end_turn();
            }
        }
    }

    fn apply(&mut self, chosen: Move) {
        match (chosen, self.n_stack) {
            (Move::Pass, 0) => self.end_turn(),
            (Move::Pass, _) => self.is_open = false,
            (Move::Hire(_) | Move::Attack(..) | Move::Deny(_), _) => self.announce(chosen, self.player()),
        }
    }

    fn player(&self) -> u8 {
        self.top().map_or(self.active, |it| it.player ^ 1)
    }

    fn told(&self, chosen: Move) -> Told {
        match chosen {
            Move::Hire(card) => Told::Act(0, vec![card.into()]),
            Move::Attack(attacker, defender) => Told::Act(1, vec![attacker.into(), defender.into()]),
            Move::Deny(card) => Told::Act(2, vec![card.into()]),
            Move::Pass => Told::Pass,
        }
    }

    fn winners(&self) -> Option<u16> {
        self.winners
    }

    fn check(&self, table: &Table<'_>) {
        table.expect_turn(self.turn, self.active);
        for (seat, side) in (0..).zip(&self.sides) {
            table.expect(seat, &[("health", side.health.into()), ("power", side.power.into())]);
            table.expect_set("hand", seat, side.hand);
            table.expect_set("battlefield", seat, side.board);
            table.expect_set("graveyard", seat, side.graveyard);
            table.expect_len("deck", seat, side.deck.len());
            for id in each(side.board) {
                let card = &self.cards[id as usize];
                let (tapped, attacks) = (card.is_tapped.into(), card.has_attacked.into());
                table.expect(id, &[("health", card.health.into()), ("tapped", tapped), ("attacks_made", attacks)]);
            }
        }
    }
}
