//! Moves that are listed ahead. Whoever plays from lists asks for the next one as soon as a window opens, and whether
//! it opens is told by the same list: so it is made once, and a move that is taken from it needs no other judge.

use ruleset::{ActionId, pool::Crossing};

use crate::{
    act::Judge,
    fault::Fault,
    ids::PlayerId,
    moves::{Filled, MoveKind, MoveList},
    scratch::Machine,
};

/// Longer lists are made when somebody asks for them.
const LIST_MAX: usize = 256;

/// What the player who is asked can do.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    /// Whether whoever gives the command plays from lists.
    pub is_wanted: bool,
    /// Whose moves are listed, as the match stands; nobody's where they are not.
    player: PlayerId,
    list: MoveList,
}

impl Default for Ahead {
    fn default() -> Self {
        Self { is_wanted: false, player: PlayerId::NONE, list: MoveList::default() }
    }
}

impl Ahead {
    /// The match is about to change.
    pub fn forget(&mut self) {
        self.player = PlayerId::NONE;
    }

    /// All actions a player can take, if they are listed and at most so many.
    pub fn list_of(&self, player: PlayerId, limit: usize) -> Option<&MoveList> {
        (self.player == player && self.list.len() <= limit).then_some(&self.list)
    }

    /// Whether a move is listed for a player at a place.
    pub fn has(&self, player: PlayerId, at: usize, action: ActionId, values: &[i64]) -> bool {
        let is_it = |(kind, filled): (MoveKind, Filled<'_>)| kind == MoveKind::Act(action) && filled.values() == values;
        self.player == player && self.list.get(at).is_some_and(is_it)
    }
}

impl Judge<'_, '_> {
    /// Whether a window stops for a player, as [`Judge::may_act`] tells at the same cost, where he is asked for what
    /// he really can do; all of that is listed.
    pub(crate) fn list_ahead(&mut self, ahead: &mut Ahead) -> Result<bool, Fault> {
        let list = &mut ahead.list;
        list.clear();
        let own_turn = self.is_own_turn();
        let mut crossings = self.program.crossings.iter();
        while list.len() == 0
            && let Some(it) = crossings.next()
        {
            self.list_crossing(it, own_turn, list)?;
        }
        // That something can be done is known now; the rest is for whoever wants the list.
        let fuel = self.machine.fuel;
        debug_assert!(self.agrees_to_stop(list.len() > 0), "a list says otherwise than whoever only asks");
        let rest = crossings.try_for_each(|it| self.list_crossing(it, own_turn, list));
        self.machine.fuel = fuel;
        list.swap_values(&mut self.machine.lists);
        self.machine.tidy();
        let is_whole = rest.is_ok() && list.len() < LIST_MAX;
        ahead.player = if is_whole { self.player } else { PlayerId::NONE };
        Ok(ahead.list.len() > 0)
    }

    /// Adds every way to take an action, as pairs of what can fill its slots.
    #[inline]
    fn list_crossing(&mut self, crossing: &Crossing, own_turn: bool, list: &mut MoveList) -> Result<(), Fault> {
        let in_time = own_turn || !crossing.is_sorcery;
        if !in_time || !self.passes_gate(crossing.gate)? {
            return Ok(());
        }
        let firsts = self.drafted(crossing.first)?;
        if firsts.len == 0 {
            return Ok(());
        }
        let seconds = if crossing.second.is_some() { Some(self.drafted(crossing.second)?) } else { None };
        list.add_crossed(MoveKind::Act(crossing.action), firsts, seconds);
        Ok(())
    }

    /// Whether asking only for that comes to the same, and costs the same.
    fn agrees_to_stop(&self, stops: bool) -> bool {
        let mut machine = Machine::default();
        let judge = Judge::new(self.program, self.state, self.derived, self.player, &mut machine);
        let again = Judge { responds_to: self.responds_to, ..judge }.may_act();
        again == Ok(stops) && machine.spent() == self.machine.spent()
    }
}
