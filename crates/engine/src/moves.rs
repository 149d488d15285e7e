//! What a player may do now, listed without a command for each: for bots and simulations that look at many and take
//! one. The list and all it is worked out with are used again for the next decision.

use alloc::vec::Vec;

use parity_scale_codec::{Compact, Encode, Output};
use ruleset::ActionId;

use crate::{
    act::{Targets, unflatten},
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
    rows: Vec<(MoveKind, Span)>,
    /// What fills them.
    values: Vec<i64>,
}

/// What fills a move: how many, then which, slot after slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filled<'m>(&'m [i64]);

/// Targets are written as lists in a list.
impl Encode for Filled<'_> {
    fn encode_to<O: Output + ?Sized>(&self, out: &mut O) {
        let targets = Targets(self.0);
        Compact(u32::try_from(targets.count()).unwrap_or(u32::MAX)).encode_to(out);
        targets.for_each(|it| it.encode_to(out));
    }
}

impl MoveList {
    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds a move.
    pub fn push(&mut self, kind: MoveKind, values: &[i64]) {
        let start = self.values.len();
        self.values.extend_from_slice(values);
        self.rows.push((kind, Span::between(start, self.values.len())));
    }

    /// Adds a move for each of some that can fill the last slot, which takes one.
    pub fn push_each(&mut self, kind: MoveKind, others: &[i64], last: &[i64]) {
        for value in last {
            let start = self.values.len();
            self.values.extend_from_slice(others);
            self.values.extend_from_slice(&[1, *value]);
            self.rows.push((kind, Span::between(start, self.values.len())));
        }
    }

    /// A move, by its kind and what fills it.
    pub fn get(&self, at: usize) -> Option<(MoveKind, Filled<'_>)> {
        self.rows.get(at).map(|(kind, span)| (*kind, Filled(slice(&self.values, *span))))
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.values.clear();
    }
}

/// The moves of one player at one moment.
#[derive(Clone, Debug)]
pub struct Moves {
    player: PlayerId,
    pub(crate) list: MoveList,
    pub(crate) machine: Machine,
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
        self.command_of(at, |it| unflatten(it.0), <[i64]>::to_vec)
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
                CommandOf::Answer { player, input, values: hold_values(filled.0), confirm: true }
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
        } else if !self.state().asks.is_empty() && matches!(self.waiting(), Waiting::Inputs(_)) {
            for ask in &self.state().asks {
                self.answers(player, ask, limit, moves);
            }
        }
    }

    /// Lists what the player who holds the window can do.
    fn list_window(&self, player: PlayerId, limit: usize, moves: &mut Moves) {
        // Where looking for more costs too much, what was found stays.
        let _ = self.list_actions(player, limit, moves);
        moves.list.push(MoveKind::Pass, &[]);
    }

    fn list_actions(&self, player: PlayerId, limit: usize, moves: &mut Moves) -> Result<(), Fault> {
        let Moves { list, machine, filled, .. } = moves;
        filled.clear();
        let n_actions = self.ruleset().program().actions.len();
        self.judged(player, machine, |judge| {
            (0..n_actions).try_for_each(|it| judge.list(ActionId::at(it), limit, filled, list))
        })
    }

    /// Lists the ways to take one action now, at most so many.
    pub(crate) fn moves_of(&self, player: PlayerId, action: ActionId, limit: usize, moves: &mut Moves) {
        let Moves { list, machine, filled, .. } = moves;
        moves.player = player;
        filled.clear();
        // Where looking for more costs too much, what was found stays.
        let _ = self.judged(player, machine, |judge| judge.list(action, limit, filled, list));
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
        let _ = self.judged(player, machine, |judge| judge.list_begun(action, first, limit, list));
    }

    /// Carries out one of the moves listed for this match; like any command, it is judged.
    pub fn play<S: Sink>(&mut self, moves: &Moves, at: usize, sink: &mut S) -> Result<Progress, Rejection> {
        moves.command(at).ok_or(Rejection::UnknownAction).and_then(|it| self.submit(&it, sink))
    }
}
