//! The bench duel written by hand: what a programmer would write who needs only this one game, and needs it fast.
//! Lists moves in the order of the ruleset, so that the same choices lead to the same games.

/// How many creatures a side can have in play.
const BOARD_MAX: usize = 7;
/// How many cards a deck, and so a hand, can have.
const DECK_MAX: usize = 30;
/// The last turn; what is undecided then is a draw.
const TURN_MAX: u8 = 80;

/// A creature in play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Creature {
    pub attack: i8,
    pub health: i8,
    since: u8,
    last_attack: u8,
}

/// One player's side of the table; a card that is not in play is its cost, which says all about it.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub health: i8,
    mana: u8,
    deck: [u8; DECK_MAX],
    n_deck: u8,
    hand: [u8; DECK_MAX],
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

/// How a duel ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Won(u8),
    Draw,
}

/// A duel.
#[derive(Clone, Copy, Debug)]
pub struct Duel {
    pub sides: [Side; 2],
    pub active: u8,
    pub turn: u8,
    pub end: Option<End>,
}

impl Side {
    /// A side before the first turn: deck from the bottom, hand from the oldest card on.
    pub fn new(deck: &[u8], hand: &[u8]) -> Self {
        let fill = |cards: &[u8]| {
            let mut row = [0; DECK_MAX];
            row[..cards.len()].copy_from_slice(cards);
            row
        };
        Self {
            health: 20,
            mana: 0,
            deck: fill(deck),
            n_deck: deck.len() as u8,
            hand: fill(hand),
            n_hand: hand.len() as u8,
            board: [Creature::default(); BOARD_MAX],
            n_board: 0,
        }
    }

    pub fn hand(&self) -> &[u8] {
        &self.hand[..self.n_hand as usize]
    }

    pub fn board(&self) -> &[Creature] {
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
        let cost = self.hand[at];
        self.hand.copy_within(at + 1..n, at);
        self.n_hand -= 1;
        self.mana -= cost;
        let (attack, health) = (cost as i8, cost as i8 + 1);
        self.board[self.n_board as usize] = Creature { attack, health, since: turn, last_attack: 0 };
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

impl Duel {
    /// A duel at its first turn, before the first decision.
    pub fn new(sides: [Side; 2]) -> Self {
        let mut duel = Self { sides, active: 0, turn: 1, end: None };
        duel.begin_turn();
        duel
    }

    fn begin_turn(&mut self) {
        let side = &mut self.sides[self.active as usize];
        side.mana = self.turn.div_ceil(2).min(10);
        side.draw();
    }

    fn end_turn(&mut self) {
        self.turn += 1;
        self.active ^= 1;
        if self.turn > TURN_MAX {
            self.end = Some(End::Draw);
        } else {
            self.begin_turn();
        }
    }

    /// Lists what the player to decide can do; ends turns in which there is nothing to do. Empty when it is over.
    pub fn decide(&mut self, moves: &mut Vec<Move>) {
        moves.clear();
        while self.end.is_none() {
            self.list(moves);
            if !moves.is_empty() {
                moves.push(Move::Pass);
                return;
            }
            self.end_turn();
        }
    }

    fn list(&self, moves: &mut Vec<Move>) {
        let (own, other) = (&self.sides[self.active as usize], &self.sides[self.active as usize ^ 1]);
        if own.board().len() < BOARD_MAX {
            let affordable = own.hand().iter().enumerate().filter(|it| *it.1 <= own.mana);
            moves.extend(affordable.map(|it| Move::Play(it.0 as u8)));
        }
        let ready = |it: &(usize, &Creature)| it.1.since < self.turn && it.1.last_attack < self.turn;
        for (attacker, _) in own.board().iter().enumerate().filter(ready) {
            moves.extend((0..other.n_board).map(|defender| Move::Attack(attacker as u8, defender)));
        }
        moves.extend(own.board().iter().enumerate().filter(ready).map(|it| Move::Strike(it.0 as u8)));
    }

    /// Carries out a move that was listed.
    pub fn apply(&mut self, chosen: Move) {
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
                    self.end = Some(End::Won(self.active));
                }
            }
            Move::Pass => self.end_turn(),
        }
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
