//! A part of the duel: creatures that attack and block, and spells that answer spells.

use super::bits::{Pile, bit, each};
use crate::{
    compare::{Told, Twin},
    table::Table,
};

/// How many cards a hand holds.
const HAND_MAX: u32 = 10;
/// The last turn.
const TURN_MAX: u16 = 60;

/// What a card is; creatures have one keyword at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Plain,
    Haste,
    Vigilance,
    Flying,
    Trample,
    Bolt,
    Counterspell,
    Insight,
}

/// A card, and what is known of it in play.
#[derive(Clone, Copy, Debug, Default)]
struct Card {
    kind: Kind,
    cost: i8,
    attack: i8,
    health: i8,
    since: u16,
    has_attacked: bool,
    is_tapped: bool,
    is_blocked: bool,
    /// Whom it blocks; 0 for nobody.
    blocks: u8,
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
    graveyard: u64,
    attacking: u64,
}

/// The steps in which players may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Main,
    Attack,
    Block,
    Second,
}

/// Something a player can do; numbers are those of cards, or of players.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    Summon(u8),
    Cast(u8),
    CastAt(u8, u8),
    Attack(u8),
    Block(u8, u8),
    Pass,
}

/// What waits to be carried out.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    what: Move,
    player: u8,
    is_countered: bool,
}

/// A duel.
#[derive(Clone, Copy, Debug)]
pub struct DuelLite {
    sides: [Side; 2],
    cards: [Card; 64],
    active: u8,
    turn: u16,
    step: Step,
    /// Who has passed in this step, a bit each.
    passed: u8,
    /// Who is asked.
    holder: u8,
    stack: [Waiting; 32],
    n_stack: u8,
    /// Whether what is on top of the stack can still be answered.
    is_open: bool,
    winners: Option<u16>,
    spells: [i64; 3],
}

impl Card {
    fn is_creature(&self) -> bool {
        !matches!(self.kind, Kind::Bolt | Kind::Counterspell | Kind::Insight)
    }
}

impl DuelLite {
    fn draw(&mut self, seat: u8, n: u32) {
        let side = &mut self.sides[seat as usize];
        for _ in 0..n {
            match side.deck.pop() {
                Some(card) if side.hand.count_ones() < HAND_MAX => side.hand |= bit(card),
                Some(card) => side.graveyard |= bit(card),
                None => side.health -= 3,
            }
        }
    }

    /// Goes on to the next step in which players may act.
    fn next_step(&mut self) {
        self.passed = 0;
        self.step = match self.step {
            Step::Main => Step::Attack,
            Step::Attack => Step::Block,
            Step::Block => {
                self.fight();
                Step::Second
            }
            Step::Second => {
                self.begin_turn();
                Step::Main
            }
        };
    }

    fn begin_turn(&mut self) {
        self.turn += 1;
        self.active ^= 1;
        if self.turn > TURN_MAX {
            let best = self.sides[0].health.max(self.sides[1].health);
            self.winners = Some((0..2).map(|it| u16::from(self.sides[it].health == best) << it).sum());
            return;
        }
        for card in each(self.sides[0].board | self.sides[1].board) {
            self.cards[card as usize].has_attacked = false;
        }
        let side = &mut self.sides[self.active as usize];
        for card in each(side.board) {
            self.cards[card as usize].is_tapped = false;
        }
        side.max_mana = (side.max_mana + 1).min(10);
        side.mana = side.max_mana;
        self.draw(self.active, 1);
        self.settle();
    }

    /// All attackers and blockers strike, then combat is over.
    fn fight(&mut self) {
        let [own, other] = [self.active as usize, self.active as usize ^ 1];
        for attacker in each(self.sides[own].attacking) {
            let Card { kind, attack, is_blocked, .. } = self.cards[attacker as usize];
            let mut left = attack;
            let blockers = each(self.sides[other].board).filter(|it| self.cards[*it as usize].blocks == attacker);
            let blockers = if is_blocked { blockers.fold(0, |acc, it| acc | bit(it)) } else { 0 };
            for blocker in each(blockers) {
                let is_last = blockers >> blocker == 1;
                let row = &mut self.cards[blocker as usize];
                let share = if is_last && kind != Kind::Trample { left } else { left.min(row.health.max(0)) };
                row.health -= share;
                left -= share;
                self.cards[attacker as usize].health -= self.cards[blocker as usize].attack;
            }
            if !is_blocked || kind == Kind::Trample {
                self.sides[other].health -= i16::from(left);
            }
        }
        for card in each(self.sides[0].board | self.sides[1].board) {
            let row = &mut self.cards[card as usize];
            (row.blocks, row.is_blocked) = (0, false);
        }
        self.sides[own].attacking = 0;
        self.settle();
    }

    /// Buries who has no health left, and ends the game if a player fell.
    fn settle(&mut self) {
        for side in &mut self.sides {
            for card in each(side.board) {
                if self.cards[card as usize].health <= 0 {
                    side.board &= !bit(card);
                    side.attacking &= !bit(card);
                    side.graveyard |= bit(card);
                }
            }
        }
        let standing = |seat: usize| u16::from(self.sides[seat].health > 0) << seat;
        let standing = standing(0) | standing(1);
        if standing != 0b11 && self.winners.is_none() {
            self.winners = Some(standing);
        }
    }

    fn attackers(&self) -> impl Iterator<Item = u8> {
        each(self.sides[self.active as usize].board).filter(|it| {
            let card = &self.cards[*it as usize];
            (card.since < self.turn || card.kind == Kind::Haste) && !card.has_attacked && !card.is_tapped
        })
    }

    fn blocks(&self) -> impl Iterator<Item = Move> {
        let attacking = self.sides[self.active as usize].attacking;
        let free = |it: &u8| !self.cards[*it as usize].is_tapped && self.cards[*it as usize].blocks == 0;
        let kind = |it: u8| self.cards[it as usize].kind;
        each(self.sides[self.active as usize ^ 1].board).filter(free).flat_map(move |blocker| {
            let can = move |it: &u8| kind(*it) != Kind::Flying || kind(blocker) == Kind::Flying;
            each(attacking).filter(can).map(move |it| Move::Block(blocker, it))
        })
    }

    /// Whether a player is asked: one who holds cards is, whether they help or not.
    fn may_act(&self, seat: u8) -> bool {
        self.sides[seat as usize].hand != 0
            || match self.step {
                Step::Attack => seat == self.active && self.attackers().next().is_some(),
                Step::Block => seat != self.active && self.blocks().next().is_some(),
                Step::Main | Step::Second => false,
            }
    }

    fn list(&self, seat: u8, moves: &mut Vec<Move>) {
        let side = &self.sides[seat as usize];
        let is_main = matches!(self.step, Step::Main | Step::Second);
        let is_quiet = is_main && seat == self.active && self.n_stack == 0;
        let affordable = |it: &u8| self.cards[*it as usize].cost <= side.mana;
        if is_quiet {
            let creatures = each(side.hand).filter(affordable).filter(|it| self.cards[*it as usize].is_creature());
            moves.extend(creatures.map(Move::Summon));
        }
        for card in each(side.hand).filter(affordable) {
            match self.cards[card as usize].kind {
                Kind::Bolt => {
                    let all = each(self.sides[0].board | self.sides[1].board);
                    moves.extend(all.chain([0, 1]).map(|it| Move::CastAt(card, it)));
                }
                Kind::Counterspell if self.n_stack > 0 => moves.push(Move::Cast(card)),
                Kind::Insight if is_quiet => moves.push(Move::Cast(card)),
                Kind::Counterspell | Kind::Insight => {}
                Kind::Plain | Kind::Haste | Kind::Vigilance | Kind::Flying | Kind::Trample => {}
            }
        }
        match self.step {
            Step::Attack if seat == self.active => moves.extend(self.attackers().map(Move::Attack)),
            Step::Block if seat != self.active => moves.extend(self.blocks()),
            Step::Main | Step::Attack | Step::Block | Step::Second => {}
        }
        moves.push(Move::Pass);
    }

    /// Pays for a card, which then waits for answers.
    fn announce(&mut self, what: Move, card: u8) {
        let side = &mut self.sides[self.holder as usize];
        side.mana -= self.cards[card as usize].cost;
        side.hand &= !bit(card);
        self.stack[self.n_stack as usize] = Waiting { what, player: self.holder, is_countered: false };
        self.n_stack += 1;
        self.is_open = true;
    }

    /// Carries out what is on top of the stack.
    fn resolve(&mut self) {
        self.is_open = false;
        self.n_stack -= 1;
        let Waiting { what, player, is_countered } = self.stack[self.n_stack as usize];
        match what {
            Move::Summon(card) if !is_countered => {
                self.cards[card as usize].since = self.turn;
                self.sides[player as usize].board |= bit(card);
            }
            Move::CastAt(card, target) if !is_countered => self.bolt(card, target, player),
            Move::Cast(card) if !is_countered => self.cast(card, player),
            Move::Summon(card) | Move::CastAt(card, _) | Move::Cast(card) => {
                self.sides[player as usize].graveyard |= bit(card);
            }
            Move::Attack(_) | Move::Block(..) | Move::Pass => {}
        }
        self.settle();
    }

    fn bolt(&mut self, card: u8, target: u8, player: u8) {
        self.sides[player as usize].graveyard |= bit(card);
        if target < 2 {
            self.sides[target as usize].health -= 3;
        } else {
            self.cards[target as usize].health -= 3;
        }
    }

    fn cast(&mut self, card: u8, player: u8) {
        if self.cards[card as usize].kind == Kind::Insight {
            let room = HAND_MAX - self.sides[player as usize].hand.count_ones();
            self.draw(player, room.min(2));
        } else {
            self.stack[self.n_stack as usize - 1].is_countered = true;
        }
        self.sides[player as usize].graveyard |= bit(card);
    }
}

impl Twin for DuelLite {
    type Move = Move;

    const NAME: &'static str = "duel-lite";

    fn new(table: &Table<'_>) -> Self {
        let mut cards = [Card::default(); 64];
        for id in table.cards() {
            let kind = match table.printed(id) {
                "raider" => Kind::Haste,
                "sentinel" => Kind::Vigilance,
                "hawk" => Kind::Flying,
                "rhino" => Kind::Trample,
                "bolt" => Kind::Bolt,
                "counterspell" => Kind::Counterspell,
                "insight" => Kind::Insight,
                _ => Kind::Plain,
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
            graveyard: 0,
            attacking: 0,
        });
        Self {
            sides,
            cards,
            active: table.active(),
            turn: table.turn(),
            step: Step::Main,
            passed: 0,
            holder: 0,
            stack: [Waiting { what: Move::Pass, player: 0, is_countered: false }; 32],
            n_stack: 0,
            is_open: false,
            winners: None,
            spells: ["Bolt", "Counterspell", "Insight"].map(|it| table.ability(it)),
        }
    }

    fn decide(&mut self, moves: &mut Vec<Move>) {
        moves.clear();
        while self.winners.is_none() {
            if self.n_stack > 0 {
                let seat = self.stack[self.n_stack as usize - 1].player ^ 1;
                if self.is_open && self.may_act(seat) {
                    self.holder = seat;
                    return self.list(seat, moves);
                }
                self.resolve();
                continue;
            }
            let order = [self.active, self.active ^ 1];
            match order.into_iter().find(|it| self.passed & 1 << it == 0 && self.may_act(*it)) {
                Some(seat) => {
                    self.holder = seat;
                    return self.list(seat, moves);
                }
                None => self.next_step(),
            }
        }
    }

    fn apply(&mut self, chosen: Move) {
        match chosen {
            Move::Pass if self.n_stack > 0 => return self.is_open = false,
            Move::Pass => return self.passed |= 1 << self.holder,
            Move::Summon(card) | Move::Cast(card) | Move::CastAt(card, _) => self.announce(chosen, card),
            Move::Attack(attacker) => {
                self.is_open = false;
                let card = &mut self.cards[attacker as usize];
                card.has_attacked = true;
                card.is_tapped = card.kind != Kind::Vigilance;
                self.sides[self.active as usize].attacking |= bit(attacker);
            }
            Move::Block(blocker, attacker) => {
                self.is_open = false;
                self.cards[blocker as usize].blocks = attacker;
                self.cards[attacker as usize].is_blocked = true;
            }
        }
        self.passed = 0;
    }

    fn player(&self) -> u8 {
        self.holder
    }

    fn told(&self, chosen: Move) -> Told {
        let spell = |card: u8| match self.cards[card as usize].kind {
            Kind::Counterspell => self.spells[1],
            Kind::Insight => self.spells[2],
            Kind::Bolt | Kind::Plain | Kind::Haste | Kind::Vigilance | Kind::Flying | Kind::Trample => self.spells[0],
        };
        match chosen {
            Move::Summon(card) => Told::Act(0, vec![card.into(), 0]),
            Move::Cast(card) => Told::Act(1, vec![card.into(), spell(card)]),
            Move::CastAt(card, target) => Told::Act(1, vec![card.into(), spell(card), target.into()]),
            Move::Attack(attacker) => Told::Act(4, vec![attacker.into(), i64::from(self.active ^ 1)]),
            Move::Block(blocker, attacker) => Told::Act(5, vec![blocker.into(), attacker.into()]),
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
            table.expect_set("graveyard", seat, side.graveyard);
            table.expect_len("deck", seat, side.deck.len());
            for id in each(side.board) {
                let card = &self.cards[id as usize];
                let (tapped, blocked) = (card.is_tapped.into(), card.is_blocked.into());
                table.expect(id, &[("health", card.health.into()), ("tapped", tapped), ("blocked", blocked)]);
            }
        }
    }
}
