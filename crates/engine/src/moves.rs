//! What a player may do now, listed without a command for each: for bots and simulations that look at many and take
//! one. The list and all it is worked out with are used again for the next decision.

use alloc::vec::Vec;

use parity_scale_codec::{Compact, Encode, Output};
use ruleset::{ActionId, NULL};

use crate::{
    act::{Judge, Targets, unflatten},
    command::{Command, CommandOf},
    fault::Fault,
    ids::{InputNo, PlayerId},
    matches::{Match, Progress, Waiting},
    record::Sink,
    rejection::Rejection,
    scratch::{Machine, Span},
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
    /// What fills them, and room for more behind it that is used again.
    values: Vec<i64>,
    n_values: u32,
    n: usize,
    /// Whether doing nothing comes after all of them.
    can_pass: bool,
}

/// Moves of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    kind: MoveKind,
    /// The place of the first of them in the list.
    first: usize,
    fill: Fill,
}

/// Where what fills moves of a group lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    /// One move behind the other, so many values each.
    Flat { start: usize, len: usize },
    /// Each of some fills the only slot.
    Each(Span),
    /// Each of some fills the first of two slots, and each of others the second.
    Pairs(Span, Span),
}

/// Where a move of a list is: its group, and where what fills it lies.
pub(crate) struct Found<'m> {
    group: &'m Group,
    /// The places of one value or two; or where the values begin and how many they are.
    lies: [usize; 2],
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
    #[inline]
    pub fn len(&self) -> usize {
        self.n.wrapping_add(usize::from(self.can_pass))
    }

    /// Adds that nothing is done, behind all others.
    #[inline]
    pub fn pass(&mut self) {
        self.can_pass = true;
    }

    /// Adds a move.
    pub fn push(&mut self, kind: MoveKind, values: &[i64]) {
        self.open(kind, values.len(), 1);
        self.keep(values);
    }

    /// Adds a move for each of some that can fill the last slot, which takes one.
    pub fn push_each(&mut self, kind: MoveKind, others: &[i64], last: &[i64]) {
        if others.is_empty() {
            let span = self.keep(last);
            return self.add_each(kind, span);
        }
        self.open(kind, others.len().saturating_add(2), last.len());
        for value in last {
            self.keep(others);
            self.keep(&[1, *value]);
        }
    }

    /// Adds a move for each pair of what can fill two slots that take one each.
    pub fn push_pairs(&mut self, kind: MoveKind, firsts: &[i64], seconds: &[i64]) {
        let (firsts, seconds) = (self.keep(firsts), self.keep(seconds));
        self.add_pairs(kind, firsts, seconds);
    }

    /// Adds a move for each of the values that can fill the only slot.
    #[inline]
    pub fn add_each(&mut self, kind: MoveKind, firsts: Span) {
        self.add(kind, Fill::Each(firsts), firsts.size());
    }

    /// Adds a move for each pair of the values that can fill two slots.
    #[inline]
    pub fn add_pairs(&mut self, kind: MoveKind, firsts: Span, seconds: Span) {
        self.add(kind, Fill::Pairs(firsts, seconds), firsts.size().saturating_mul(seconds.size()));
    }

    #[inline]
    fn end(&self) -> usize {
        usize::try_from(self.n_values).unwrap_or(usize::MAX)
    }

    /// The values from a place on.
    #[inline]
    pub fn span_from(&self, start: u32) -> Span {
        Span { start, len: self.n_values.wrapping_sub(start) }
    }

    /// Room for so many values behind those there are.
    #[inline]
    pub fn room(&mut self, n: u32) -> &mut [i64] {
        let begin = self.end();
        let end = begin.wrapping_add(usize::try_from(n).unwrap_or(0));
        if self.values.len() < end {
            self.grow(end);
        }
        self.values.get_mut(begin..end).unwrap_or_default()
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.values.resize(end, NULL);
    }

    /// So many more values are filled in.
    #[inline]
    pub fn fill(&mut self, n: u32) {
        self.n_values = self.n_values.wrapping_add(n);
    }

    fn keep(&mut self, values: &[i64]) -> Span {
        let start = self.n_values;
        let n = u32::try_from(values.len()).unwrap_or(u32::MAX);
        let room = self.room(n);
        // Nobody lists so many moves that there is no room.
        if room.len() == values.len() {
            room.copy_from_slice(values);
            self.fill(n);
        }
        self.span_from(start)
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
            self.add(kind, Fill::Flat { start: self.end(), len }, n_added);
        }
    }

    /// Whether the last moves are filled as all of another list are.
    pub fn ends_as(&self, other: &Self) -> bool {
        let before = self.n.checked_sub(other.n);
        let filled = |list: &Self, at: usize| list.get(at).map(|it| it.1.values().to_vec());
        before.is_some_and(|it| (0..other.n).all(|at| filled(self, it.saturating_add(at)) == filled(other, at)))
    }

    /// A move, by its kind and what fills it.
    #[inline]
    pub fn get(&self, at: usize) -> Option<(MoveKind, Filled<'_>)> {
        if at >= self.n {
            return (self.can_pass && at == self.n).then_some((MoveKind::Pass, Filled::Flat(&[])));
        }
        let found = self.find(at)?;
        Some((found.group.kind, self.filled(&found)?))
    }

    /// Where a move is that is in a group.
    #[inline]
    fn find(&self, at: usize) -> Option<Found<'_>> {
        // There are few groups.
        let group = self.groups.iter().rfind(|it| it.first <= at)?;
        let at = at.wrapping_sub(group.first);
        let begin = |it: Span| usize::try_from(it.start).unwrap_or(usize::MAX);
        let lies = match group.fill {
            Fill::Flat { start, len } => [start.wrapping_add(at.wrapping_mul(len)), len],
            Fill::Each(span) => [begin(span).wrapping_add(at), 0],
            Fill::Pairs(firsts, seconds) => {
                // Small numbers are divided faster.
                let at = u32::try_from(at).ok()?;
                let first = usize::try_from(at.checked_div(seconds.len)?).ok()?;
                let second = usize::try_from(at.checked_rem(seconds.len)?).ok()?;
                [begin(firsts).wrapping_add(first), begin(seconds).wrapping_add(second)]
            }
        };
        Some(Found { group, lies })
    }

    /// What fills a move that was found.
    #[inline]
    fn filled(&self, found: &Found<'_>) -> Option<Filled<'_>> {
        let [a, b] = found.lies;
        let value = |at: usize| self.values.get(at).copied();
        Some(match found.group.fill {
            Fill::Flat { .. } => Filled::Flat(self.values.get(a..a.saturating_add(b))?),
            Fill::Each(_) => Filled::One([1, value(a)?]),
            Fill::Pairs(..) => Filled::Two([1, value(a)?, 1, value(b)?]),
        })
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.n_values = 0;
        self.n = 0;
        self.can_pass = false;
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
        if let Some(window) = self.window() {
            if window.holder == player {
                self.list_window(player, limit, moves);
            }
        } else if let Waiting::Inputs(inputs) = self.waiting() {
            for input in inputs {
                self.answers(player, input, limit, |values| moves.list.push(MoveKind::Answer(input), values));
            }
        }
    }

    /// Lists what the player who holds the window can do.
    fn list_window(&self, player: PlayerId, limit: usize, moves: &mut Moves) {
        // Where looking for more costs too much, what was found stays.
        let _ = self.list_actions(player, limit, moves);
        moves.list.pass();
    }

    fn list_actions(&self, player: PlayerId, limit: usize, moves: &mut Moves) -> Result<(), Fault> {
        let Moves { list, machine, filled, .. } = moves;
        filled.clear();
        let program = self.ruleset().program();
        let mut judge = Judge::new(program, self.state(), self.derived(), player, machine);
        (0..program.actions.len()).try_for_each(|it| judge.list(ActionId::at(it), limit, filled, list))
    }

    /// Lists the ways to take one action now, at most so many.
    pub(crate) fn moves_of(&self, player: PlayerId, action: ActionId, limit: usize, moves: &mut Moves) {
        let Moves { list, machine, filled, .. } = moves;
        moves.player = player;
        filled.clear();
        // Where looking for more costs too much, what was found stays.
        let judge = Judge::new(self.ruleset().program(), self.state(), self.derived(), player, machine);
        let _ = { judge }.list(action, limit, filled, list);
    }

    /// The same with its first slot filled.
    pub(crate) fn moves_begun(
        &self,
        player: PlayerId,
        action: ActionId,
        first: &[i64],
        limit: usize,
        moves: &mut Moves,
    ) {
        let Moves { list, machine, .. } = moves;
        moves.player = player;
        let mut judge = Judge::new(self.ruleset().program(), self.state(), self.derived(), player, machine);
        let _ = judge.list_begun(action, first, limit, list);
    }

    /// Carries out one of the moves listed for this match; like any command, it is judged.
    pub fn play<S: Sink>(&mut self, moves: &Moves, at: usize, sink: &mut S) -> Result<Progress, Rejection> {
        moves.command(at).ok_or(Rejection::UnknownAction).and_then(|it| self.submit(&it, sink))
    }
}
