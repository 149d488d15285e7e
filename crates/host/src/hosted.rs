//! The one face of all matches.

use std::sync::Arc;

use script::{Answer, Progress, Seat, Viewer};
use selector::{Response, Selector};
use serde::{Deserialize, Serialize};
use view::{Outcome, Page, Told, View};

use crate::{
    explain::{ExplainError, Explanation, Question},
    playing::{Asked, Play, Query},
    refused::Refused,
    rejection::Rejection,
    ruled::RuledMatch,
    tale,
};

/// A question as players inside the same process answer it: a selector, whatever asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenRequest {
    pub input_id: u32,
    /// How it is shown: `single`, `many`, `any`, `priority`, or a kind of the ruleset.
    pub kind: String,
    /// Whether others answer the same request, so that an answer may be made for an older version.
    pub is_concurrent: bool,
    /// What the player reads.
    pub text: String,
    /// What is a legal answer.
    pub selector: Selector,
    /// What the player has answered so far and may still replace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draft: Option<Response>,
    /// How long the player may think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u32>,
}

/// What a match waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Answers of these players, who have not answered yet, or of one of them.
    Answers(Vec<Seat>),
    /// The host's timer.
    Timer {
        /// How long it runs.
        ms: u32,
    },
    /// A moderator; the text says what happened, if it was no moderator who stopped it.
    Paused(String),
    /// Nothing: it is over.
    Over(Outcome),
}

/// What the host or a moderator does to a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// A player gives up.
    Concede(Seat),
    /// A player is put out.
    Kick(Seat),
    /// The time to answer a request ran out.
    Timeout(u32),
    /// The timer the match waits for has run out.
    Timer,
    /// A player's connection went.
    Disconnect(Seat),
    /// A player's connection came back.
    Reconnect(Seat),
    /// The match stands still.
    Pause,
    /// The match goes on.
    Resume,
    /// A row of the stack, and all above it, is dropped; by the number of the event that opened it for judges.
    DropItem(u32),
    /// The match ends and does not count.
    Kill,
    /// The match ends with these winners.
    SetResult(Vec<Seat>),
}

/// One transition of a log: what was accepted, and what it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPart {
    pub command: Vec<u8>,
    pub events: Vec<u8>,
}

/// Something that runs out after a time. Two that are equal are the same one, running on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Clock {
    /// A pause of the rules, by the transition that began it: [`Control::Timer`] ends it.
    Timer(u32),
    /// The time to answer a request: [`Control::Timeout`] ends it.
    Input(u32),
    /// How long a player may be gone: [`Control::Kick`] ends it.
    Grace(u8),
}

/// A match of any kind. Whatever it refuses, it refuses with a reason and without changing a byte.
pub trait HostedMatch: Send {
    /// The id of the game.
    fn game(&self) -> &str;

    /// How many sit at the table.
    fn n_seats(&self) -> u8;

    /// The version of the match, its `branchId`: grows with every accepted change, undo included, but not with a part
    /// of a request that stays open.
    fn version(&self) -> u32;

    /// Lets each request cost so much from now on, in instructions: a view, open requests, actions, an explanation.
    /// Games that are code do not count what they do.
    fn allow(&self, work: u64) {
        let _ = work;
    }

    /// Whether the last request cost more than it may. What it gave is not whole then: the caller gets
    /// [`crate::rejection::TOO_COSTLY`] instead.
    fn is_spent(&self) -> bool {
        false
    }

    /// What it waits for.
    fn waiting(&self) -> Waiting;

    /// The requests a player can answer now.
    fn open(&self, seat: Seat) -> Vec<OpenRequest>;

    /// Takes an answer.
    fn submit(&mut self, answer: &Answer) -> Result<Progress, Rejection>;

    /// A player takes back his own last answer, if that is fair.
    fn undo(&mut self, seat: Seat, version: u32) -> Result<Progress, Rejection>;

    /// All go back to a version; refused unless all who are still there agreed.
    fn takeback(&mut self, to: u32, agreed: &[Seat], version: u32) -> Result<Progress, Rejection>;

    /// Carries out what the host or a moderator wants.
    fn control(&mut self, control: Control) -> Result<Progress, Rejection>;

    /// The match as a viewer sees it.
    fn view(&self, viewer: Viewer) -> View;

    /// What happened after an event, as a viewer saw it happen; all of it after 0.
    fn events(&self, viewer: Viewer, after: u32) -> Vec<Told>;

    /// The same, each event as its JSON text: cheaper for those who do not look inside.
    fn event_texts(&self, viewer: Viewer, after: u32) -> Vec<Arc<str>> {
        self.events(viewer, after).iter().map(tale::write).collect()
    }

    /// The clocks that run now, each with the milliseconds it runs from its start.
    fn clocks(&self) -> Vec<(Clock, u32)>;

    /// How long a player may be gone before he is put out: at once, so many milliseconds, or for ever.
    fn disconnect_grace_ms(&self) -> Option<u32>;

    /// What a player is asked, small and complete: everything else is what [`HostedMatch::refine`] says.
    fn prompts(&self, seat: Seat) -> Vec<Asked>;

    /// A value as it is printed on a card: views only tell what differs from that.
    fn printed(&self, def: &str, attribute: &str) -> i64;

    /// What the match calls a question that a seat calls so.
    fn input_of(&self, seat: Seat, name: &str) -> Option<u32>;

    /// What can fill the next slot of a submit that is being prepared. Changes nothing.
    fn refine(&self, seat: Seat, query: &Query) -> Result<Page, Refused>;

    /// Carries out what a player submits by Refs, made for a version if it names one.
    fn play(&mut self, seat: Seat, version: Option<u32>, play: &Play) -> Result<Progress, Refused>;

    /// The log as bytes; [`crate::Game::reload`] reads them.
    fn log_bytes(&self) -> Vec<u8>;

    /// What the log begins with; [`crate::game::join_log`] puts it and the parts together again.
    fn log_header(&self) -> Vec<u8>;

    /// The transitions of the log from a number on. Their hashes are worked out by whoever asks first, and kept.
    fn log_since(&mut self, from: usize) -> Vec<LogPart>;

    /// The match behind this face, if rules are.
    fn as_ruled(&self) -> Option<&RuledMatch>;

    /// The match behind this face, if rules are.
    fn as_ruled_mut(&mut self) -> Option<&mut RuledMatch>;

    /// The hash of everything that decides how the match goes on.
    fn hash(&self) -> [u8; 32];

    /// A copy to try things on.
    fn fork(&self) -> Box<dyn HostedMatch>;

    /// A copy in which everything hidden from a viewer is exchanged, so that he could not tell the difference.
    fn resample(&self, viewer: Viewer, seed: [u8; 32]) -> Result<Box<dyn HostedMatch>, Rejection>;

    /// Says why things are as they are, as far as a viewer may know; games that are code explain nothing.
    fn explain(&self, viewer: Viewer, question: &Question) -> Result<Explanation, ExplainError> {
        let _ = (viewer, question);
        Err(ExplainError::NotThere)
    }

    /// Complete answers a player can give now, at most so many for each open request.
    fn legal(&self, seat: Seat, limit: usize) -> Vec<Answer> {
        let version = self.version();
        let answers = |it: OpenRequest| {
            let answer = move |response| Answer { seat, input: it.input_id, version, response, confirm: true };
            it.selector.answers(limit).into_iter().map(answer)
        };
        self.open(seat).into_iter().flat_map(answers).collect()
    }

    /// The answer a player gives to his first open request if every decision is a number below a bound.
    fn make_answer(&self, seat: Seat, below: &mut dyn FnMut(u32) -> u32) -> Option<Answer> {
        let open = self.open(seat).into_iter().next()?;
        let response = open.selector.make_response(below)?;
        Some(Answer { seat, input: open.input_id, version: self.version(), response, confirm: true })
    }

    /// How the match ended.
    fn outcome(&self) -> Option<Outcome> {
        if let Waiting::Over(outcome) = self.waiting() { Some(outcome) } else { None }
    }
}
