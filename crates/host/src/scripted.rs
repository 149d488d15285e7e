//! A match of a scripted game, behind the face of all matches.

use parity_scale_codec::Encode as _;
use script::{
    Answer, Match, Progress, Record, Script, Seat, Status, Viewer,
    view::{EventView, View},
};

use crate::{
    actions::ActionView,
    game::ReloadError,
    hosted::{Clock, Control, HostedMatch, LogPart, OpenRequest, Prompt, Waiting, WindowView},
    rejection::Rejection,
    ruled::RuledMatch,
};

/// A match of a scripted game.
pub struct ScriptedMatch(pub Match);

impl ScriptedMatch {
    /// A copy of how a match stood at a version, from its record, as a viewer may imagine it.
    pub fn branch(
        script: &Script,
        bytes: &[u8],
        version: u32,
        viewer: Viewer,
        seed: [u8; 32],
    ) -> Result<Box<dyn HostedMatch>, ReloadError> {
        let record = Record::read(bytes).map_err(ReloadError::Record)?;
        let after = |n: &usize| {
            let transitions = record.transitions.iter().take(*n).cloned().collect();
            Match::replay(script, &Record { header: record.header.clone(), transitions }).map_err(ReloadError::Record)
        };
        let lengths: Vec<usize> = (0..=record.transitions.len()).collect();
        let at = lengths.partition_point(|n| after(n).is_ok_and(|it| *n == 0 || it.version() < version));
        let then = after(&at)?;
        if then.version() != version {
            return Err(ReloadError::NoSuchVersion { version, last: after(&record.transitions.len())?.version() });
        }
        Self(then).resample(viewer, seed).map_err(ReloadError::Resample)
    }
}

impl HostedMatch for ScriptedMatch {
    fn game(&self) -> &str {
        &self.0.script().name
    }

    fn n_seats(&self) -> u8 {
        self.0.n_seats()
    }

    fn version(&self) -> u32 {
        self.0.version()
    }

    fn waiting(&self) -> Waiting {
        match (self.0.status(), self.0.outcome_view()) {
            (_, Some(outcome)) => Waiting::Over(outcome),
            (Status::Broken(mistake), None) => Waiting::Paused(mistake.to_string()),
            (Status::Paused, None) => Waiting::Paused("a moderator".to_owned()),
            (_, None) => Waiting::Answers(self.0.missing()),
        }
    }

    fn open(&self, seat: Seat) -> Vec<OpenRequest> {
        let request = self.0.open(seat).map(|it| OpenRequest {
            input_id: it.id,
            prompt: Prompt { text: title(&it.selector), ..Prompt::default() },
            kind: it.mode.as_str().to_owned(),
            is_concurrent: it.mode.is_concurrent(),
            selector: it.selector,
            draft: it.draft,
            deadline_ms: None,
        });
        request.into_iter().collect()
    }

    fn actions(&self, _seat: Seat) -> Vec<ActionView> {
        Vec::new()
    }

    fn submit(&mut self, answer: &Answer) -> Result<Progress, Rejection> {
        Ok(self.0.submit(answer)?)
    }

    fn undo(&mut self, seat: Seat, version: u32) -> Result<Progress, Rejection> {
        Ok(self.0.undo(seat, version)?)
    }

    fn takeback(&mut self, to: u32, agreed: &[Seat], version: u32) -> Result<Progress, Rejection> {
        Ok(self.0.takeback(to, agreed, version)?)
    }

    fn control(&mut self, control: Control) -> Result<Progress, Rejection> {
        use script::Control as Verb;
        Ok(self.0.control(match control {
            Control::Timer => {
                return Err(match self.0.outcome_view() {
                    Some(_) if *self.0.status() == Status::Killed => script::Rejection::MatchKilled.into(),
                    Some(_) => script::Rejection::MatchOver.into(),
                    None => Rejection::NoSuchTimer,
                });
            }
            Control::Concede(seat) => Verb::Concede(seat),
            Control::Kick(seat) => Verb::Kick(seat),
            Control::Timeout(input) => Verb::Timeout(input),
            Control::Disconnect(seat) => Verb::Disconnect(seat),
            Control::Reconnect(seat) => Verb::Reconnect(seat),
            Control::Pause => Verb::Pause,
            Control::Resume => Verb::Resume,
            // A script has no stack.
            Control::DropItem(_) => return Err(Rejection::Rules(engine::Rejection::NoSuchItem)),
            Control::Kill => Verb::Kill,
            Control::SetResult(winners) => Verb::SetResult(winners),
        })?)
    }

    fn view(&self, viewer: Viewer) -> View {
        self.0.view(viewer)
    }

    fn events(&self, viewer: Viewer, after: u32) -> Vec<EventView> {
        self.0.events(viewer, after).to_vec()
    }

    fn clocks(&self) -> Vec<(Clock, u32)> {
        Vec::new()
    }

    fn disconnect_grace_ms(&self) -> Option<u32> {
        None
    }

    fn window(&self) -> Option<WindowView> {
        None
    }

    fn log_bytes(&self) -> Vec<u8> {
        self.0.log_bytes()
    }

    fn log_header(&self) -> Vec<u8> {
        self.0.record().header.encode()
    }

    fn log_since(&mut self, from: usize) -> Vec<LogPart> {
        let parts = self.0.record().transitions.iter().skip(from);
        parts.map(|it| LogPart { command: it.entry.encode(), events: (&it.autos, it.hash).encode() }).collect()
    }

    fn as_ruled(&self) -> Option<&RuledMatch> {
        None
    }

    fn as_ruled_mut(&mut self) -> Option<&mut RuledMatch> {
        None
    }

    fn hash(&self) -> [u8; 32] {
        self.0.hash()
    }

    fn fork(&self) -> Box<dyn HostedMatch> {
        Box::new(ScriptedMatch(self.0.fork()))
    }

    fn resample(&self, viewer: Viewer, seed: [u8; 32]) -> Result<Box<dyn HostedMatch>, Rejection> {
        Ok(Box::new(ScriptedMatch(self.0.resample(viewer, seed)?)))
    }
}

fn title(selector: &selector::Selector) -> String {
    selector.title.as_ref().map_or_else(String::new, ToString::to_string)
}
