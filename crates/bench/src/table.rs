//! Looks at a match by the names its ruleset uses, for twins that begin from it and are compared with it.

use engine::{EntityId, Match, PlayerId, state::MatchState};
use ruleset::Program;

/// The table of a match. Players and cards are numbers: players from 0 on, then cards.
#[derive(Clone, Copy)]
pub struct Table<'m> {
    state: &'m MatchState,
    program: &'m Program,
}

impl<'m> Table<'m> {
    /// The table of a match.
    pub fn of(live: &'m Match) -> Self {
        Self { state: live.state(), program: live.ruleset().program() }
    }

    /// The number of the turn, from 1 on.
    pub fn turn(&self) -> u16 {
        self.state.head.turn as u16
    }

    /// The player whose turn it is.
    pub fn active(&self) -> u8 {
        self.state.head.active.0
    }

    /// All players and cards.
    pub fn entities(&self) -> std::ops::Range<u8> {
        0..self.state.ents.len() as u8
    }

    /// All cards.
    pub fn cards(&self) -> std::ops::Range<u8> {
        self.state.head.n_players..self.state.ents.len() as u8
    }

    /// The cards of a player's zone, or of a shared one, from the bottom.
    pub fn zone(&self, name: &str, seat: u8) -> Vec<u8> {
        let at = self.program.text.zones.iter().position(|it| it.id == name).expect("the game has this zone; qed");
        let zone = MatchState::instance(self.program, ruleset::ZoneId::at(at), PlayerId(seat));
        self.state.cards_in(zone).map(|it| it.0 as u8).collect()
    }

    /// The same as a set, a bit for each.
    pub fn set(&self, name: &str, seat: u8) -> u64 {
        self.zone(name, seat).iter().fold(0, |acc, it| acc | 1 << it)
    }

    /// An attribute of a player or card, without what changes it.
    pub fn value(&self, entity: u8, attribute: &str) -> i32 {
        let attrs = &self.program.text.attrs;
        let at = attrs.iter().position(|it| it.id == attribute).expect("the game has this attribute; qed");
        self.state.base(self.program, EntityId(entity.into()), self.program.attrs[at].column)
    }

    /// The name of the card an entity is printed as.
    pub fn printed(&self, card: u8) -> &'m str {
        let row = self.state.ent(EntityId(card.into())).expect("the card is there; qed");
        &self.program.text.defs[row.def.index()].id
    }

    /// The number of an ability.
    pub fn ability(&self, name: &str) -> i64 {
        let at = self.program.text.abilities.iter().position(|it| it.id == name).expect("the game has it; qed");
        at as i64
    }

    /// Panics if attributes of a player or card are others than these.
    #[track_caller]
    pub fn expect(&self, entity: u8, expected: &[(&str, i32)]) {
        for (name, value) in expected {
            assert_eq!(self.value(entity, name), *value, "{name} of {entity}");
        }
    }

    /// Panics if a zone has other cards than these, a bit each.
    #[track_caller]
    pub fn expect_set(&self, zone: &str, seat: u8, expected: u64) {
        assert_eq!(self.set(zone, seat), expected, "{zone} of {seat}");
    }

    /// Panics if a zone has more or fewer cards.
    #[track_caller]
    pub fn expect_len(&self, zone: &str, seat: u8, expected: usize) {
        assert_eq!(self.zone(zone, seat).len(), expected, "{zone} of {seat}");
    }

    /// Panics if it is another turn.
    #[track_caller]
    pub fn expect_turn(&self, turn: u16, active: u8) {
        assert_eq!((self.turn(), self.active()), (turn, active), "turn");
    }
}
