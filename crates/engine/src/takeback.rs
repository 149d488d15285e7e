//! Taking back: how a match stood before the last commands, and the way to there.

use parity_scale_codec::{Decode, Encode};

use crate::{
    command::{Command, Control},
    ids::PlayerId,
    matches::{Match, Progress},
    record::{Record, Sink},
    rejection::Rejection,
    state::MatchState,
};

/// How a match stood before a command that can be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Mark {
    pub version: u32,
    pub player: PlayerId,
    pub state: MatchState,
}

impl Mark {
    /// How many commands back a player may go.
    pub const MAX: usize = 16;
}

impl Match {
    /// Whether commands can be taken back, so that how things stood before them is kept.
    pub(crate) fn keeps_marks(&self) -> bool {
        self.is_kept && self.ruleset().program().policy.undo
    }

    /// How things stand before a player's command, if it can be taken back.
    pub(crate) fn mark_before(&self, command: &Command) -> Option<Mark> {
        let player = command.player().filter(|_| self.keeps_marks())?;
        Some(Mark { version: self.state.head.version, player, state: self.state.clone() })
    }

    /// Keeps how things stood before a command that was accepted.
    pub(crate) fn keep_mark(&mut self, command: &Command, before: Option<Mark>) {
        // What the host or a moderator did to the game is never taken back with what came before it.
        let harmless = matches!(
            command,
            Command::Control(Control::Disconnect(_) | Control::Reconnect(_) | Control::Pause | Control::Resume)
        );
        if command.player().is_none() && !harmless {
            self.marks.clear();
        }
        if let Some(mark) = before {
            if self.marks.len() >= Mark::MAX {
                self.marks.remove(0);
            }
            self.marks.push(mark);
        }
    }

    /// Forgets how the match stood long ago, but for the last few marks. [`Log::fold`](crate::log::Log::fold) gives a
    /// match that has them all again.
    pub fn trim_marks(&mut self, n_kept: usize) {
        let n_old = self.marks.len().saturating_sub(n_kept);
        self.marks.drain(..n_old);
        self.marks.shrink_to_fit();
    }

    /// A player takes back his own last command, if nothing came of it that he could not know (ruling 95).
    pub(crate) fn undo<S: Sink>(&mut self, player: PlayerId, sink: &mut S) -> Result<Progress, Rejection> {
        if !self.ruleset().program().policy.undo {
            return Err(Rejection::UndoForbidden);
        }
        let head = &self.state.head;
        let fair = self.marks.last().filter(|it| {
            let then = &it.state.head;
            it.player == player && then.rolls == head.rolls && then.reveals == head.reveals
        });
        let to = fair.map(|it| it.version).ok_or(Rejection::CannotUndo)?;
        self.go_back(to, sink)
    }

    /// All players agreed to go back to a version.
    pub(crate) fn takeback<S: Sink>(&mut self, to: u32, sink: &mut S) -> Result<Progress, Rejection> {
        if !self.ruleset().program().policy.undo {
            return Err(Rejection::UndoForbidden);
        }
        if !self.marks.iter().any(|it| it.version == to) {
            return Err(Rejection::CannotUndo);
        }
        self.go_back(to, sink)
    }

    pub(crate) fn go_back<S: Sink>(&mut self, to: u32, sink: &mut S) -> Result<Progress, Rejection> {
        let mark = self.marks.iter().find(|it| it.version == to).ok_or(Rejection::CannotUndo)?;
        // A random number that was seen must not come again: past one, a new epoch begins.
        let rolled = mark.state.head.rolls != self.state.head.rolls;
        let epoch = self.state.head.epoch.saturating_add(u32::from(rolled));
        let version = self.state.head.version.saturating_add(1);
        self.fold(&Record::Undone { to, epoch });
        sink.record(&self.state, &Record::Undone { to, epoch });
        let accepted = Record::Accepted { version };
        self.fold(&accepted);
        sink.record(&self.state, &accepted);
        self.suspend(sink);
        Ok(self.progress())
    }
}
