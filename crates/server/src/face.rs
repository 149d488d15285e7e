//! What one viewer of a match is told: the events they have not heard of yet, and how the table changed.

use crate::receipt::Sent;
use host::{Asked, HostedMatch, Viewer, hosted::Clock};
use protocol::{
    EventAppended, Leaves, ServerMessage,
    messages::{Closed, InputClosed, PendingInputMessage, PriorityChanged, StateDelta, StateView},
};
use view::{Json, PendingInput, Window};

/// What a viewer has been told.
#[derive(Clone, Debug)]
pub struct Face {
    pub viewer: Viewer,
    pub sent: Sent,
    /// The table as they were last told; nothing if nobody follows.
    leaves: Option<Leaves>,
    /// The questions they were last asked.
    asked: Vec<PendingInput>,
}

/// When a clock runs out.
pub type Deadline<'d> = &'d dyn Fn(Clock) -> Option<i64>;

impl Face {
    /// A viewer who has heard all that happened so far.
    pub fn new(live: &dyn HostedMatch, viewer: Viewer, n_accepted: u32) -> Self {
        let sent = Sent { n_accepted, ..Sent::default() };
        let sent = live.event_texts(viewer, 0).iter().fold(sent, Sent::with);
        Self { viewer, sent, leaves: None, asked: Vec::new() }
    }

    /// The table and all that is open, for somebody who begins to follow.
    pub fn greet(
        &mut self,
        live: &dyn HostedMatch,
        id: &str,
        receipt: String,
        deadline: Deadline<'_>,
    ) -> Vec<ServerMessage> {
        let leaves = self.leaves.insert(Leaves::new(live.view(self.viewer)));
        let (match_id, sequence) = (id.to_owned(), self.sent.n_events);
        let (view_hash, view) = (leaves.hash(), leaves.view().clone());
        let window = view.window.clone();
        let branch_id = view.branch_id;
        let mut messages = vec![ServerMessage::StateView(StateView { match_id, sequence, view_hash, receipt, view })];
        messages.extend(window.map(|it| self.priority(id, branch_id, Some(it))));
        self.asked = self.prompts(live, deadline);
        messages.extend(self.asked.iter().map(|it| self.question(id, branch_id, it)));
        messages
    }

    /// Forgets the table, since nobody follows.
    pub fn rest(&mut self) {
        self.leaves = None;
        self.asked.clear();
    }

    /// Hears of everything new; gives the messages if somebody follows. What is not asked any more closed for a reason.
    pub fn update(
        &mut self,
        live: &dyn HostedMatch,
        id: &str,
        receipt: impl Fn(&Sent) -> String,
        deadline: Deadline<'_>,
        why: Closed,
    ) -> Vec<ServerMessage> {
        let heard = self.sent.n_events;
        self.sent = live.event_texts(self.viewer, heard).iter().fold(self.sent, Sent::with);
        let Some(mut leaves) = self.leaves.take() else { return Vec::new() };
        let events = live.events(self.viewer, heard);
        let is_undone = events.iter().any(|it| it.event.kind == "Undone");
        let mut messages: Vec<ServerMessage> = events.into_iter().map(|it| event(id, it)).collect();
        // After an undo everything may be different, and nothing a client worked out since counts.
        if is_undone {
            messages.extend(self.greet(live, id, receipt(&self.sent), deadline));
            return messages;
        }
        let old = leaves.view().window.clone();
        let patch = leaves.update(live.view(self.viewer));
        let (window, branch_id) = (leaves.view().window.clone(), leaves.view().branch_id);
        messages.extend(patch.map(|it| self.delta(id, branch_id, it, leaves.hash())));
        self.leaves = Some(leaves);
        if window != old {
            messages.push(self.priority(id, branch_id, window));
        }
        let asked = self.prompts(live, deadline);
        messages.extend(self.closed(id, &asked, why));
        let is_new = |it: &&PendingInput| !self.asked.contains(it);
        messages.extend(asked.iter().filter(is_new).map(|it| self.question(id, branch_id, it)));
        self.asked = asked;
        messages
    }

    fn prompts(&self, live: &dyn HostedMatch, deadline: Deadline<'_>) -> Vec<PendingInput> {
        let Viewer::Seat(seat) = self.viewer else { return Vec::new() };
        live.prompts(seat).into_iter().map(|it| timed(it, deadline)).collect()
    }

    /// The questions that were asked and are not any more.
    fn closed(&self, id: &str, open: &[PendingInput], why: Closed) -> Vec<ServerMessage> {
        let is_gone = |it: &&PendingInput| !open.iter().any(|open| open.input_id == it.input_id);
        let message = |it: &PendingInput| {
            let (match_id, input_id) = (id.to_owned(), it.input_id.clone());
            ServerMessage::InputClosed(InputClosed { match_id, input_id, why })
        };
        self.asked.iter().filter(is_gone).map(message).collect()
    }

    fn delta(&self, id: &str, branch_id: u32, patch: serde_json::Value, view_hash: String) -> ServerMessage {
        let (match_id, sequence) = (id.to_owned(), self.sent.n_events);
        let patch = Json(serde_json::from_value(patch).unwrap_or_default());
        ServerMessage::StateDelta(StateDelta { match_id, sequence, branch_id, patch, view_hash })
    }

    fn priority(&self, id: &str, branch_id: u32, window: Option<Window>) -> ServerMessage {
        let (match_id, sequence) = (id.to_owned(), self.sent.n_events);
        ServerMessage::PriorityChanged(PriorityChanged { match_id, branch_id, sequence, window, expires_at: None })
    }

    fn question(&self, id: &str, branch_id: u32, input: &PendingInput) -> ServerMessage {
        let (match_id, sequence, input) = (id.to_owned(), self.sent.n_events, input.clone());
        ServerMessage::PendingInput(PendingInputMessage { match_id, branch_id, sequence, input })
    }
}

/// A question with the time it has.
pub fn timed(asked: Asked, deadline: Deadline<'_>) -> PendingInput {
    let expires_at = asked.clock.and_then(deadline);
    PendingInput { expires_at, ..asked.input }
}

/// An event as a message.
pub fn event(id: &str, it: view::Told) -> ServerMessage {
    ServerMessage::EventAppended(EventAppended::new(id, it))
}
