//! Moves that are listed ahead. Whoever plays from lists asks for the next one as soon as a window opens, and whether
//! it opens is told by the same list: so it is made once, and a move that is taken from it needs no other judge.

use ruleset::{
    DraftId, Program,
    pool::{Crossing, DRAFTS_MAX, Draft, Lie, Pool, Whose},
    reach::Hurdle,
};

use crate::{
    act::Judge,
    draft::Scan,
    ids::{EntityId, EventNo, PlayerId},
    moves::{Found, MoveKind, MoveList},
    scratch::Span,
    sieve::Gap,
    state::MatchState,
};

/// Longer lists are made when somebody asks for them.
const LIST_MAX: usize = 256;

/// What the player who is asked can do.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    /// Whether whoever gave the last command plays from lists.
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

    /// Whether an action that was found in another list is listed for a player at the same place.
    #[inline]
    pub fn has(&self, player: PlayerId, other: &MoveList, found: &Found<'_>) -> bool {
        self.player == player && self.list.has_same(other, found)
    }

    /// Lists all a player can do in a window that answers nothing, where all of that lies at hand; gives what it costs
    /// to know whether he can do anything.
    pub fn survey(&mut self, program: &Program, state: &MatchState, player: PlayerId) -> u32 {
        self.list.clear();
        let own_turn = state.head.active == player && state.stack.is_empty();
        let scan = Scan { program, state, you: player };
        let mut survey = Survey { scan, list: &mut self.list, known: 0, spans: [Span::default(); DRAFTS_MAX], cost: 0 };
        let mut cost = None;
        for crossing in &program.crossings {
            if own_turn || !crossing.is_sorcery {
                survey.cross(crossing);
            }
            // Once it is known that something can be done, the rest is for whoever wants the list.
            if cost.is_none() && survey.list.len() > 0 {
                cost = Some(survey.cost);
            }
        }
        let cost = cost.unwrap_or(survey.cost);
        self.player = if self.list.len() < LIST_MAX { player } else { PlayerId::NONE };
        cost
    }

    /// Whether something is listed.
    pub fn has_any(&self) -> bool {
        self.list.len() > 0
    }
}

/// A list that is being made. It finds what a judge finds who fills slots from drafts, but it asks nothing that is not
/// at hand and cannot fail, so that it need not be a judge.
struct Survey<'a> {
    scan: Scan<'a>,
    list: &'a mut MoveList,
    /// The drafts that were looked at, a bit each, and what can fill their slots.
    known: u32,
    spans: [Span; DRAFTS_MAX],
    /// What it cost so far.
    cost: u32,
}

impl Survey<'_> {
    /// Adds every way to take an action, as pairs of what can fill its slots.
    #[inline(always)]
    fn cross(&mut self, crossing: &Crossing) {
        if !crossing.gate.iter().all(|it| self.clears(it)) {
            return;
        }
        let [first, second] = crossing.drafts;
        let firsts = self.drafted(first);
        if firsts.len == 0 {
            return;
        }
        let kind = MoveKind::Act(crossing.action);
        if second.is_none() {
            self.list.add_each(kind, firsts);
        } else {
            let seconds = self.drafted(second);
            self.list.add_pairs(kind, firsts, seconds);
        }
    }

    /// Whether what must be so whoever fills the slots is so.
    #[inline]
    fn clears(&mut self, hurdle: &Hurdle) -> bool {
        let Scan { program, state, you } = self.scan;
        self.cost = self.cost.saturating_add(hurdle.fuel);
        Gap::new(program, state, you, &hurdle.reach).takes(state.given(program, hurdle.of, you))
    }

    /// What can fill a slot; found once for all slots that take the same.
    #[inline(always)]
    fn drafted(&mut self, id: DraftId) -> Span {
        let bit = 1_u32.wrapping_shl(u32::from(id.0));
        if self.known & bit != 0 {
            return self.spans.get(id.index()).copied().unwrap_or_default();
        }
        self.known |= bit;
        let span = self.scan.program.draft(id).map_or(Span::default(), |it| self.gather(it));
        if let Some(slot) = self.spans.get_mut(id.index()) {
            *slot = span;
        }
        span
    }

    #[inline(always)]
    fn gather(&mut self, draft: &Draft) -> Span {
        let start = self.list.n_values();
        match draft.pool {
            Pool::Zone(lie) if lie.is_own() => self.scan_zone(draft, lie, usize::from(self.scan.you.0)),
            Pool::Zone(lie) => self.scan_zones(draft, lie),
            Pool::Table { whose, from_active } => self.gather_players(draft, whose, from_active),
        }
        if matches!(draft.pool, Pool::Zone(Lie { by_age: true, .. })) {
            self.list.sort_values(start);
        }
        self.list.span_from(start)
    }

    /// Lists all of the zones of some players who pass.
    #[inline(never)]
    fn scan_zones(&mut self, draft: &Draft, lie: Lie) {
        let n = if lie.per_player { usize::from(self.scan.state.head.n_players) } else { 1 };
        for seat in 0..n {
            if lie.is_meant(seat, usize::from(self.scan.you.0)) {
                self.scan_zone(draft, lie, seat);
            }
        }
    }

    /// Lists all of one zone who pass.
    #[inline(never)]
    fn scan_zone(&mut self, draft: &Draft, lie: Lie, seat: usize) {
        let zones = &self.scan.state.zones;
        let Some(zone) = zones.get(usize::from(lie.first).wrapping_add(seat)) else { return };
        self.cost = self.cost.saturating_add(zone.len.saturating_mul(draft.fuel));
        let room = self.list.room(zone.len);
        let n = self.scan.zone(&draft.sift, zone, lie.from_top, room);
        self.list.fill(n);
    }

    #[inline(never)]
    fn gather_players(&mut self, draft: &Draft, whose: Whose, from_active: bool) {
        let Scan { state, you, .. } = self.scan;
        for player in state.seats(whose, from_active, you) {
            let id = EntityId::from(player);
            self.cost = self.cost.saturating_add(draft.fuel);
            if state.ent(id).is_some_and(|it| self.scan.takes(&draft.sift, id, it)) {
                self.list.push_value(player.into());
            }
        }
    }
}

impl Judge<'_, '_> {
    /// Whether asking only whether a player can do anything comes to the same as listing it, and costs the same.
    pub(crate) fn agrees_to_stop(self, stops: bool, cost: u32) -> bool {
        let mut judge = Judge { responds_to: EventNo::NONE, ..self };
        let again = judge.may_act();
        again == Ok(stops) && judge.machine.spent() == cost
    }
}
