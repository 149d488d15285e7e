//! Taking back: by oneself as long as it is fair, with everybody's consent beyond that. Decided from the record.

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::codec::hash_of;
use crate::matches::{Match, Progress};
use crate::record::Entry;
use crate::rejection::Rejection;
use crate::run::{Run, Step};
use crate::seat::{Crowd, Seat, Viewer};

impl Match {
    /// A player takes back his own last answer, or his part of the open request, if nothing came after it that he
    /// could not already know: no random number, nothing he learned, no answer of another player.
    pub fn undo(&mut self, seat: Seat, version: u32) -> Result<Progress, Rejection> {
        self.check_undo(version)?;
        self.check_seat(seat)?;
        if let Some(input) = self.withdraw(seat) {
            self.keep(Entry::Withdraw { input, seat });
            return Ok(self.progress(version));
        }
        let to = self.fair_target(seat).ok_or(Rejection::CannotUndo)?;
        self.go_back(to);
        self.tell_undone(Some(seat), to);
        self.keep(Entry::Undo { seat });
        Ok(self.progress(version))
    }

    /// All agreed to go back to a version at which somebody had to answer.
    pub fn takeback(&mut self, to: u32, agreed: &[Seat], version: u32) -> Result<Progress, Rejection> {
        self.check_undo(version)?;
        let here = (0..self.setup.n_seats).map(Seat).filter(|it| !self.out.has(Viewer::Seat(*it)));
        if let Some(missing) = here.into_iter().find(|it| !agreed.contains(it)) {
            return Err(Rejection::NoConsent { missing });
        }
        let at = self.closed.iter().position(|it| it.version == to && it.users() != Crowd::NONE);
        let at = at.filter(|it| *it >= self.undo_floor).ok_or(Rejection::CannotUndo)?;
        self.go_back(at);
        self.tell_undone(None, at);
        self.keep(Entry::Takeback { to, agreed: agreed.iter().copied().collect() });
        Ok(self.progress(version))
    }

    fn check_undo(&self, version: u32) -> Result<(), Rejection> {
        self.check_playing()?;
        if !self.script.undo {
            return Err(Rejection::UndoForbidden);
        }
        let current = self.version;
        if version == current { Ok(()) } else { Err(Rejection::Stale { current }) }
    }

    /// Takes a player's own part out of the open request.
    fn withdraw(&mut self, seat: Seat) -> Option<u32> {
        let open = self.open.as_mut()?;
        let (at, _) = open.part_of(seat)?;
        let is_own = open.part(at).is_some_and(|it| !it.is_final && it.answered.response.is_user_response);
        is_own.then(|| open.put(at, None))?;
        Some(open.id)
    }

    /// The closed request that a player may open again by himself.
    fn fair_target(&self, seat: Seat) -> Option<usize> {
        let own = Crowd::from(seat);
        // What another has answered since must not be lost.
        if self.open.as_ref().is_some_and(|it| it.users().without(own) != Crowd::NONE) {
            return None;
        }
        for (at, closed) in self.closed.iter().enumerate().skip(self.undo_floor).rev() {
            let is_fair = closed.actors() == own && !closed.rolled && !closed.learned.has(Viewer::Seat(seat));
            if !is_fair {
                return None;
            }
            if closed.users() == own {
                return Some(at);
            }
        }
        None
    }

    /// Plays the game again up to a closed request, which is open then, under a new number.
    fn go_back(&mut self, to: usize) {
        let undone = self.closed.split_off(to);
        // A random number that was seen must not come again, neither now nor after going back further.
        let rolled = undone.iter().any(|it| it.rolled);
        self.last_epoch = self.last_epoch.saturating_add(u32::from(rolled));
        self.epochs.retain(|it| it.0 <= to);
        self.epochs.push((to, self.last_epoch));
        let (run, step) = self.rerun();
        self.run = run;
        self.version = self.version.saturating_add(1);
        if let Some(first) = undone.first() {
            self.chain = hash_of(&(first.chain, self.last_epoch));
        }
        self.open = None;
        self.settle(step);
    }

    /// Runs the game again with all answers that count.
    pub(crate) fn rerun(&self) -> (Run, Step) {
        let mut run = Run::new(&self.script, &self.setup, self.stand_ins.clone());
        let (mut step, _) = run.step(None);
        for (at, closed) in self.closed.iter().enumerate() {
            self.set_epoch(&run, at);
            step = run.repeat(step, &closed.answers);
        }
        self.set_epoch(&run, self.closed.len());
        run.table.0.lock().out = self.out;
        (run, step)
    }

    pub(crate) fn set_epoch(&self, run: &Run, at: usize) {
        let epoch = self.epochs.iter().rev().find(|it| it.0 <= at).map_or(0, |it| it.1);
        run.table.0.lock().world.dice.epoch = epoch;
    }

    fn tell_undone(&mut self, by: Option<Seat>, to: usize) {
        let by = by.map_or_else(|| "all".to_string(), |it| it.to_string());
        let n = i64::try_from(to).unwrap_or(i64::MAX);
        self.tell_all("Undone", "{by} took back to answer {to}", &[("by", by.into()), ("to", n.into())]);
    }

    /// A copy to try things on.
    #[must_use]
    pub fn fork(&self) -> Match {
        let (run, _) = self.rerun();
        Match {
            run,
            script: self.script.clone(),
            setup: self.setup.clone(),
            stand_ins: self.stand_ins.clone(),
            record: self.record.clone(),
            autos: Vec::new(),
            tales: self.tales.clone(),
            status: self.status.clone(),
            open: self.open.clone(),
            closed: self.closed.clone(),
            version: self.version,
            next_input: self.next_input,
            asked: self.asked.clone(),
            chain: self.chain,
            out: self.out,
            undo_floor: self.undo_floor,
            epochs: self.epochs.clone(),
            last_epoch: self.last_epoch,
        }
    }
}
