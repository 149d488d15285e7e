//! What a player may do now, listed without a command for each: for bots and simulations that look at many and take
//! one. The list and all it is worked out with are used again for the next decision.

use alloc::vec::Vec;

use parity_scale_codec::{Compact, Encode, Output};
use ruleset::ActionId;

use crate::{
    act::{Judge, Targets, unflatten},
    command::{Command, CommandOf},
    fault::Fault,
    ids::{InputNo, PlayerId},
    matches::{Match, Progress, Waiting},
    record::Sink,
    rejection::Rejection,
    scratch::{Machine, Span, slice},
};

/// What kind of command a move stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveKind {
    /// An action, with its targets.
    Act(ActionId),
    /// An answer to a question, with what is chosen.
    Answer(InputNo),
    /// Doing nothing.
    Pass,
}

/// Moves in one buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct MoveList {
    groups: Vec<Group>,
    values: Vec<i64>,
    n: usize,
}

/// Moves of one kind.
#[derive(Clone, Copy, Debug)]
struct Group {
    kind: MoveKind,
    /// The place of the first of them in the list.
    first: usize,
    fill: Fill,
}

/// Where what fills moves of a group lies.
#[derive(Clone, Copy, Debug)]
enum Fill {
    /// One move behind the other, so many values each.
    Flat { start: usize, len: usize },
    /// Each of some fills the only slot.
    Each(Span),
    /// Each of some fills the first of two slots, and each of others the second.
    Pairs(Span, Span),
}

/// What fills a move: how many, then which, slot after slot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Filled<'m> {
    /// Anything.
    Flat(&'m [i64]),
    /// One slot, with one.
    One([i64; 2]),
    /// Two slots, with one each.
    Two([i64; 4]),
}

impl<'m> Filled<'m> {
    /// The numbers.
    #[inline]
    pub fn values(&self) -> &[i64] {
        match self {
            Self::Flat(values) => values,
            Self::One(values) => values,
            Self::Two(values) => values,
        }
    }

    /// What is chosen in an answer.
    fn answer(self) -> &'m [i64] {
        if let Self::Flat(values) = self { values } else { &[] }
    }
}

/// Targets are written as lists in a list.
impl Encode for Filled<'_> {
    fn encode_to<O: Output + ?Sized>(&self, out: &mut O) {
        let targets = Targets(self.values());
        Compact(u32::try_from(targets.count()).unwrap_or(u32::MAX)).encode_to(out);
        targets.for_each(|it| it.encode_to(out));
    }
}

impl MoveList {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Adds a move.
    pub fn push(&mut self, kind: MoveKind, values: &[i64]) {
        self.open(kind, values.len(), 1);
        self.values.extend_from_slice(values);
    }

    /// Adds a move for each of some that can fill the last slot, which takes one.
    pub fn push_each(&mut self, kind: MoveKind, others: &[i64], last: &[i64]) {
        if others.is_empty() {
            let span = self.keep(last);
            return self.add(kind, Fill::Each(span), last.len());
        }
        self.open(kind, others.len().saturating_add(2), last.len());
        for value in last {
            self.values.extend_from_slice(others);
            self.values.extend_from_slice(&[1, *value]);
        }
    }

    /// Adds a move for each pair of what can fill two slots that take one each.
    pub fn push_pairs(&mut self, kind: MoveKind, firsts: &[i64], seconds: &[i64]) {
        let fill = Fill::Pairs(self.keep(firsts), self.keep(seconds));
        self.add(kind, fill, firsts.len().saturating_mul(seconds.len()));
    }

    /// Adds the same where what can fill the slots will be among the values: see [`Self::swap_values`].
    #[inline]
    pub fn add_crossed(&mut self, kind: MoveKind, firsts: Span, seconds: Option<Span>) {
        let count = |it: Span| usize::try_from(it.len).unwrap_or(0);
        match seconds {
            None => self.add(kind, Fill::Each(firsts), count(firsts)),
            Some(it) => self.add(kind, Fill::Pairs(firsts, it), count(firsts).saturating_mul(count(it))),
        }
    }

    /// Gives away the values for others.
    pub fn swap_values(&mut self, values: &mut Vec<i64>) {
        core::mem::swap(&mut self.values, values);
    }

    fn keep(&mut self, values: &[i64]) -> Span {
        let part = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        let start = part(self.values.len());
        self.values.extend_from_slice(values);
        Span { start, len: part(values.len()) }
    }

    /// Adds a group of some moves.
    #[inline]
    fn add(&mut self, kind: MoveKind, fill: Fill, n: usize) {
        if n > 0 {
            self.groups.push(Group { kind, first: self.n, fill });
            self.n = self.n.saturating_add(n);
        }
    }

    /// Makes the last group one of a kind that has so many values, to which some moves are added.
    #[inline]
    fn open(&mut self, kind: MoveKind, len: usize, n_added: usize) {
        let is_open = |it: &Group| it.kind == kind && matches!(it.fill, Fill::Flat { len: own, .. } if own == len);
        if self.groups.last().is_some_and(is_open) {
            self.n = self.n.saturating_add(n_added);
        } else {
            self.add(kind, Fill::Flat { start: self.values.len(), len }, n_added);
        }
    }

    /// Whether the last moves are filled as all of another list are.
    pub fn ends_as(&self, other: &Self) -> bool {
        let before = self.n.checked_sub(other.n);
        let filled = |list: &Self, at: usize| list.get(at).map(|it| it.1.values().to_vec());
        before.is_some_and(|it| (0..other.n).all(|at| filled(self, it.saturating_add(at)) == filled(other, at)))
    }

    /// A move, by its kind and what fills it.
    pub fn get(&self, at: usize) -> Option<(MoveKind, Filled<'_>)> {
        let behind = self.groups.partition_point(|it| it.first <= at);
        let group = self.groups.get(behind.checked_sub(1)?).filter(|_| at < self.n)?;
        let at = at.saturating_sub(group.first);
        let filled = match group.fill {
            Fill::Flat { start, len } => {
                let start = start.saturating_add(at.saturating_mul(len));
                Filled::Flat(self.values.get(start..start.saturating_add(len))?)
            }
            Fill::Each(span) => Filled::One([1, *slice(&self.values, span).get(at)?]),
            Fill::Pairs(firsts, seconds) => {
                let (firsts, seconds) = (slice(&self.values, firsts), slice(&self.values, seconds));
                let first = at.checked_div(seconds.len()).and_then(|it| firsts.get(it))?;
                Filled::Two([1, *first, 1, *at.checked_rem(seconds.len()).and_then(|it| seconds.get(it))?])
            }
        };
        Some((group.kind, filled))
    }

    /// Adds all of another list to an empty one.
    pub fn copy(&mut self, other: &Self) {
        self.groups.extend_from_slice(&other.groups);
        self.values.extend_from_slice(&other.values);
        self.n = other.n;
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.values.clear();
        self.n = 0;
    }
}

/// The moves of one player at one moment.
#[derive(Clone, Debug)]
pub struct Moves {
    player: PlayerId,
    list: MoveList,
    machine: Machine,
    filled: Vec<i64>,
}

impl Default for Moves {
    fn default() -> Self {
        let (list, machine) = (MoveList::default(), Machine::default());
        Self { player: PlayerId::NONE, list, machine, filled: Vec::new() }
    }
}

impl Moves {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is nothing to decide.
    pub fn is_empty(&self) -> bool {
        self.list.len() == 0
    }

    /// A move as a command.
    pub fn command(&self, at: usize) -> Option<Command> {
        self.command_of(at, |it| unflatten(it.values()), <[i64]>::to_vec)
    }

    /// A move as a command that borrows from the list, to be written down.
    pub(crate) fn borrowed(&self, at: usize) -> Option<CommandOf<Filled<'_>, &[i64]>> {
        self.command_of(at, |it| it, |it| it)
    }

    /// A move as a command that holds its numbers one way or another.
    fn command_of<'m, T, V>(
        &'m self,
        at: usize,
        hold_targets: impl Fn(Filled<'m>) -> T,
        hold_values: impl Fn(&'m [i64]) -> V,
    ) -> Option<CommandOf<T, V>> {
        let player = self.player;
        self.list.get(at).map(|(kind, filled)| match kind {
            MoveKind::Act(action) => CommandOf::Act { player, action, targets: hold_targets(filled) },
            MoveKind::Answer(input) => {
                CommandOf::Answer { player, input, values: hold_values(filled.answer()), confirm: true }
            }
            MoveKind::Pass => CommandOf::Pass { player },
        })
    }
}

impl Match {
    /// Lists what a player can do now, at most so many: actions and passing, or answers to open questions.
    pub fn moves(&self, player: PlayerId, limit: usize, moves: &mut Moves) {
        moves.player = player;
        moves.list.clear();
        match self.waiting() {
            Waiting::Priority(window) if window.holder == player => {
                match self.scratch().ahead.list_of(player, limit) {
                    Some(list) => moves.list.copy(list),
                    // Where looking for more costs too much, what was found stays.
                    None => drop(self.list_actions(player, limit, moves)),
                }
                debug_assert!(self.is_as_listed(player, limit, moves), "listed ahead is not what can be done now");
                moves.list.push(MoveKind::Pass, &[]);
            }
            Waiting::Inputs(inputs) => {
                for input in inputs {
                    self.answers(player, input, limit, |values| moves.list.push(MoveKind::Answer(input), values));
                }
            }
            Waiting::Priority(_) | Waiting::Timer(_) | Waiting::Paused(_) | Waiting::Over(_) => {}
        }
    }

    fn list_actions(&self, player: PlayerId, limit: usize, moves: &mut Moves) -> Result<(), Fault> {
        let Moves { list, machine, filled, .. } = moves;
        filled.clear();
        let program = self.ruleset().program();
        Judge::new(program, self.state(), self.derived(), player, machine).list(limit, filled, list)
    }

    /// Whether what was listed is what looking again would list.
    fn is_as_listed(&self, player: PlayerId, limit: usize, moves: &Moves) -> bool {
        let mut again = Moves::default();
        let _ = self.list_actions(player, limit, &mut again);
        again.list.len() == moves.list.len() && moves.list.ends_as(&again.list)
    }

    /// Carries out one of the moves listed for this match; like any command, it is judged, if that was not done when
    /// the window opened.
    pub fn play<S: Sink>(&mut self, moves: &Moves, at: usize, sink: &mut S) -> Result<Progress, Rejection> {
        // Who plays from a list will want the next one.
        self.scratch_mut().ahead.is_wanted = true;
        let played = match moves.list.get(at) {
            Some((MoveKind::Act(action), filled)) => {
                let values = filled.values();
                let is_judged = self.scratch().ahead.has(moves.player, at, action, values);
                self.act(moves.player, action, (Targets(values), is_judged), sink)
            }
            Some((MoveKind::Answer(_) | MoveKind::Pass, _)) | None => {
                moves.command(at).ok_or(Rejection::UnknownAction).and_then(|it| self.submit(&it, sink))
            }
        };
        self.scratch_mut().ahead.is_wanted = false;
        played
    }
}
