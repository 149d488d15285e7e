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
    scratch::Machine,
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

/// Moves of one kind that have as many values each, one behind the other.
#[derive(Clone, Copy, Debug)]
struct Group {
    kind: MoveKind,
    /// The place of the first of them in the list.
    first: usize,
    /// Where its values begin, and how many each has.
    start: usize,
    len: usize,
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
    #[inline(always)]
    pub fn push_each(&mut self, kind: MoveKind, others: &[i64], last: &[i64]) {
        self.open(kind, others.len().saturating_add(2), last.len());
        self.values.reserve(last.len().saturating_mul(others.len().saturating_add(2)));
        for value in last {
            // One or two slots are by far the most common, and too few to be copied by a call.
            match others {
                [] => self.values.extend_from_slice(&[1, *value]),
                [n, other] => self.values.extend_from_slice(&[*n, *other, 1, *value]),
                _ => {
                    self.values.extend_from_slice(others);
                    self.values.extend_from_slice(&[1, *value]);
                }
            }
        }
    }

    /// Adds a move for each pair of what can fill two slots that take one each.
    pub fn push_pairs(&mut self, kind: MoveKind, firsts: &[i64], seconds: &[i64]) {
        let n = firsts.len().saturating_mul(seconds.len());
        self.open(kind, 4, n);
        self.values.reserve(n.saturating_mul(4));
        for first in firsts {
            for second in seconds {
                self.values.extend_from_slice(&[1, *first, 1, *second]);
            }
        }
    }

    /// Makes the last group one of a kind that has so many values, to which some moves are added.
    #[inline]
    fn open(&mut self, kind: MoveKind, len: usize, n_added: usize) {
        if !self.groups.last().is_some_and(|it| it.kind == kind && it.len == len) {
            self.groups.push(Group { kind, first: self.n, start: self.values.len(), len });
        }
        self.n = self.n.saturating_add(n_added);
    }

    /// Whether the last moves are filled as all of another list are.
    pub fn ends_as(&self, other: &Self) -> bool {
        self.n >= other.n && self.values.ends_with(&other.values)
    }

    fn get(&self, at: usize) -> Option<(MoveKind, &[i64])> {
        let behind = self.groups.partition_point(|it| it.first <= at);
        let group = self.groups.get(behind.checked_sub(1)?).filter(|_| at < self.n)?;
        let start = group.start.saturating_add(at.saturating_sub(group.first).saturating_mul(group.len));
        Some((group.kind, self.values.get(start..start.saturating_add(group.len))?))
    }

    fn clear(&mut self) {
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
        self.command_of(at, unflatten, <[i64]>::to_vec)
    }

    /// A move as a command that borrows from the list, to be written down.
    pub(crate) fn borrowed(&self, at: usize) -> Option<CommandOf<Targets<'_>, &[i64]>> {
        self.command_of(at, Targets, |it| it)
    }

    /// A move as a command that holds its numbers one way or another.
    fn command_of<'m, T, V>(
        &'m self,
        at: usize,
        hold_targets: impl Fn(&'m [i64]) -> T,
        hold_values: impl Fn(&'m [i64]) -> V,
    ) -> Option<CommandOf<T, V>> {
        let player = self.player;
        self.list.get(at).map(|(kind, values)| match kind {
            MoveKind::Act(action) => CommandOf::Act { player, action, targets: hold_targets(values) },
            MoveKind::Answer(input) => CommandOf::Answer { player, input, values: hold_values(values), confirm: true },
            MoveKind::Pass => CommandOf::Pass { player },
        })
    }
}

/// Targets are written as lists in a list.
impl Encode for Targets<'_> {
    fn encode_to<O: Output + ?Sized>(&self, out: &mut O) {
        Compact(u32::try_from(self.count()).unwrap_or(u32::MAX)).encode_to(out);
        self.for_each(|it| it.encode_to(out));
    }
}

impl Match {
    /// Lists what a player can do now, at most so many: actions and passing, or answers to open questions.
    pub fn moves(&self, player: PlayerId, limit: usize, moves: &mut Moves) {
        moves.player = player;
        moves.list.clear();
        match self.waiting() {
            Waiting::Priority(window) if window.holder == player => {
                // Where looking for more costs too much, what was found stays.
                let _ = self.list_actions(player, limit, moves);
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

    /// Carries out one of the moves listed for this match; like any command, it is judged again.
    pub fn play<S: Sink>(&mut self, moves: &Moves, at: usize, sink: &mut S) -> Result<Progress, Rejection> {
        match moves.list.get(at) {
            Some((MoveKind::Act(action), values)) => self.act(moves.player, action, Targets(values), sink),
            Some((MoveKind::Answer(_) | MoveKind::Pass, _)) | None => {
                let command = moves.command(at).ok_or(Rejection::UnknownAction)?;
                self.submit(&command, sink)
            }
        }
    }
}
