//! What the host and moderators can do to a match.

use alloc::string::ToString;
use alloc::vec::Vec;

use parity_scale_codec::{Decode, Encode};

use crate::matches::{Match, Progress, Status};
use crate::outcome::Outcome;
use crate::record::Entry;
use crate::rejection::Rejection;
use crate::seat::{Seat, Viewer};

/// What the host or a moderator does.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub enum Control {
    /// A player gives up.
    Concede(Seat),
    /// A player is put out.
    Kick(Seat),
    /// The time to answer a request ran out.
    Timeout(u32),
    /// A player's connection went.
    Disconnect(Seat),
    /// A player's connection came back.
    Reconnect(Seat),
    /// The match stands still.
    Pause,
    /// The match goes on.
    Resume,
    /// The match ends and does not count.
    Kill,
    /// The match ends with these winners.
    SetResult(Vec<Seat>),
}

impl Control {
    /// The verb's name in messages.
    pub fn as_str(&self) -> &'static str {
        match self {
            Control::Concede(_) => "concede",
            Control::Kick(_) => "kick",
            Control::Timeout(_) => "timeout",
            Control::Disconnect(_) => "disconnect",
            Control::Reconnect(_) => "reconnect",
            Control::Pause => "pause",
            Control::Resume => "resume",
            Control::Kill => "kill",
            Control::SetResult(_) => "set_result",
        }
    }

    fn seats(&self) -> &[Seat] {
        match self {
            Control::Concede(seat) | Control::Kick(seat) | Control::Disconnect(seat) | Control::Reconnect(seat) => {
                core::slice::from_ref(seat)
            }
            Control::SetResult(winners) => winners,
            Control::Timeout(_) | Control::Pause | Control::Resume | Control::Kill => &[],
        }
    }
}

impl Match {
    /// Carries out what the host or a moderator wants, or refuses it without changing anything.
    pub fn control(&mut self, control: Control) -> Result<Progress, Rejection> {
        self.check_control(&control)?;
        let before = self.version;
        self.note(&control);
        match &control {
            Control::Concede(seat) | Control::Kick(seat) => self.leave(*seat),
            Control::Timeout(_) => self.time_out(),
            Control::Disconnect(_) | Control::Reconnect(_) => {}
            Control::Pause => self.status = Status::Paused,
            Control::Resume => self.status = Status::Playing,
            Control::Kill => {
                self.open = None;
                self.status = Status::Killed;
            }
            Control::SetResult(winners) => self.end(Outcome::won(winners.iter().copied(), "moderator")),
        }
        if self.version == before {
            self.version = self.version.saturating_add(1);
        }
        self.keep(Entry::Control(control));
        Ok(self.progress(before))
    }

    fn check_control(&self, control: &Control) -> Result<(), Rejection> {
        control.seats().iter().try_for_each(|it| self.check_seat(*it))?;
        match (control, self.check_playing()) {
            (_, Err(Rejection::MatchOver)) => Err(Rejection::MatchOver),
            (_, Err(Rejection::MatchKilled)) => Err(Rejection::MatchKilled),
            (Control::Resume, Err(Rejection::MatchPaused)) => Ok(()),
            (Control::Resume, _) => Err(Rejection::NotPaused),
            (Control::Kill | Control::SetResult(_) | Control::Disconnect(_) | Control::Reconnect(_), _) => Ok(()),
            (Control::Concede(seat) | Control::Kick(seat), _) if self.out.has(Viewer::Seat(*seat)) => {
                Err(Rejection::UnknownPlayer)
            }
            (Control::Concede(_) | Control::Kick(_), Err(Rejection::MatchPaused)) => Ok(()),
            (Control::Timeout(input), Ok(())) => self.check_timeout(*input),
            (_, playing) => playing,
        }
    }

    fn check_timeout(&self, input: u32) -> Result<(), Rejection> {
        let open = self.open.as_ref().map_or(0, |it| it.id);
        match input {
            _ if input == open && input > 0 => Ok(()),
            _ if input == 0 || input > open => Err(Rejection::UnknownInput),
            _ => Err(Rejection::TooLate { current: self.version }),
        }
    }

    fn note(&mut self, control: &Control) {
        let about = control.seats().iter().map(|it| it.to_string().into()).collect();
        let fields = [("verb", control.as_str().into()), ("players", selector::Value::List(about))];
        self.tell_all("control", "{verb}: {players}", &fields);
    }

    /// A player is gone for good: the last one there has won, otherwise he is answered for from now on.
    fn leave(&mut self, seat: Seat) {
        self.out = self.out.with(seat);
        self.run.table.0.lock().out = self.out;
        let here: Vec<Seat> = (0..self.setup.n_seats).map(Seat).filter(|it| !self.out.has(Viewer::Seat(*it))).collect();
        if here.len() <= 1 {
            return self.end(Outcome::won(here, "last standing"));
        }
        let out = self.out;
        if let Some(open) = &mut self.open {
            self.autos.extend(open.fill(out));
            self.close_if_complete();
        }
        // What the host did to the game is never taken back with what came before it.
        self.undo_floor = self.closed.len();
    }

    fn time_out(&mut self) {
        if let Some(open) = &mut self.open {
            self.autos.extend(open.fill_all());
            self.close_if_complete();
        }
        self.undo_floor = self.closed.len();
    }
}
