//! What a player may do now, listed without a command for each: for bots and simulations that look at many and take
//! one. The list and all it is worked out with are used again for the next decision.

use alloc::vec::Vec;

use ruleset::ActionId;

use crate::{
    act::{Judge, Targets, unflatten},
    command::Command,
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
    values: Vec<i64>,
}

impl MoveList {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds a move.
    pub fn push(&mut self, kind: MoveKind, values: &[i64]) {
        let part = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        self.rows.push((kind, Span { start: part(self.values.len()), len: part(values.len()) }));
        self.values.extend_from_slice(values);
    }

    /// Adds a move for each of some that can fill the last slot, which takes one.
    #[inline]
    pub fn push_each(&mut self, kind: MoveKind, others: &[i64], last: &[i64]) {
        let part = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        let len = part(others.len().saturating_add(2));
        for value in last {
            self.rows.push((kind, Span { start: part(self.values.len()), len }));
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

    fn get(&self, at: usize) -> Option<(MoveKind, &[i64])> {
        self.rows.get(at).map(|(kind, span)| (*kind, slice(&self.values, *span)))
    }

    fn clear(&mut self) {
        self.rows.clear();
        self.values.clear();
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
        self.list.rows.is_empty()
    }

    /// A move as a command.
    pub fn command(&self, at: usize) -> Option<Command> {
        let player = self.player;
        self.list.get(at).map(|(kind, values)| match kind {
            MoveKind::Act(action) => Command::Act { player, action, targets: unflatten(values) },
            MoveKind::Answer(input) => Command::Answer { player, input, values: values.to_vec(), confirm: true },
            MoveKind::Pass => Command::Pass { player },
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
                if self.list_actions(player, limit, moves).is_err() {
                    moves.list.clear();
                }
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
