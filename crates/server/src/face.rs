//! What one viewer of a match is told: the events he has not heard of yet, and how the table changed.

use crate::receipt::Sent;
use host::{HostedMatch, OpenRequest, ViewDelta, Viewer, WindowView, view::View};
use protocol::{Event, PendingInput, ServerMessage, StackItem, view_hash};

/// What a viewer has been told.
#[derive(Clone, Debug)]
pub struct Face {
    pub viewer: Viewer,
    pub sent: Sent,
    /// The table as he was last told; nothing if nobody follows.
    view: Option<View>,
    window: Option<WindowView>,
    /// The questions he was last asked.
    asked: Vec<OpenRequest>,
}

/// What a viewer is called on the wire.
pub fn viewer_name(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => seat.to_string(),
        Viewer::Spectator => "spectator".to_owned(),
        Viewer::Judge => "judge".to_owned(),
    }
}

/// When the time to answer a question runs out.
pub type Deadline<'d> = &'d dyn Fn(u32) -> Option<i64>;

impl Face {
    /// A viewer who has heard all that happened so far.
    pub fn new(live: &dyn HostedMatch, viewer: Viewer, n_accepted: u32) -> Self {
        let sent = Sent { n_accepted, ..Sent::default() };
        let sent = live.event_texts(viewer, 0).iter().fold(sent, Sent::with);
        Self { viewer, sent, view: None, window: None, asked: Vec::new() }
    }

    /// The table and all that is open, for somebody who begins to follow.
    pub fn greet(
        &mut self,
        live: &dyn HostedMatch,
        id: &str,
        receipt: String,
        deadline: Deadline<'_>,
    ) -> Vec<ServerMessage> {
        let (match_id, sequence) = (id.to_owned(), self.sent.n_events);
        let view = self.view.insert(live.view(self.viewer));
        let view_hash = view_hash(view);
        let view = Box::new(view.clone());
        let mut messages = vec![ServerMessage::StateView { match_id, sequence, view, view_hash, receipt }];
        self.window = live.window();
        messages.extend(self.window.clone().map(|it| self.priority(id, Some(it))));
        self.asked = self.open(live);
        messages.extend(self.asked.iter().map(|it| self.question(id, it, deadline)));
        messages
    }

    /// Forgets the table, since nobody follows.
    pub fn rest(&mut self) {
        (self.view, self.window) = (None, None);
        self.asked.clear();
    }

    /// Hears of everything new; gives the messages if somebody follows.
    pub fn update(
        &mut self,
        live: &dyn HostedMatch,
        id: &str,
        receipt: impl Fn(&Sent) -> String,
        deadline: Deadline<'_>,
    ) -> Vec<ServerMessage> {
        let heard = self.sent.n_events;
        self.sent = live.event_texts(self.viewer, heard).iter().fold(self.sent, Sent::with);
        let Some(old) = self.view.take() else { return Vec::new() };
        let events = live.events(self.viewer, heard);
        let mut messages: Vec<ServerMessage> = events.iter().map(|it| event(id, it)).collect();
        let new = live.view(self.viewer);
        // After an undo everything may be different, and nothing a client worked out since counts.
        if events.iter().any(|it| it.kind == "Undone") {
            messages.extend(self.greet(live, id, receipt(&self.sent), deadline));
            return messages;
        }
        messages.extend(self.delta(id, &old, &new));
        self.view = Some(new);
        let window = live.window();
        if window != self.window {
            messages.push(self.priority(id, window.clone()));
            self.window = window;
        }
        let asked = self.open(live);
        let is_new = |it: &&OpenRequest| !self.asked.contains(it);
        messages.extend(asked.iter().filter(is_new).map(|it| self.question(id, it, deadline)));
        self.asked = asked;
        messages
    }

    fn open(&self, live: &dyn HostedMatch) -> Vec<OpenRequest> {
        if let Viewer::Seat(seat) = self.viewer { live.open(seat) } else { Vec::new() }
    }

    fn delta(&self, id: &str, old: &View, new: &View) -> Option<ServerMessage> {
        let delta = ViewDelta::between(old, new);
        let (match_id, sequence) = (id.to_owned(), self.sent.n_events);
        let stack = delta.stack.as_ref().map(|it| it.iter().map(StackItem::from).collect());
        let message =
            ServerMessage::StateDelta { match_id, sequence, stack, view_hash: view_hash(new), delta: Box::new(delta) };
        (old != new).then_some(message)
    }

    fn priority(&self, id: &str, window: Option<WindowView>) -> ServerMessage {
        ServerMessage::PriorityChanged { match_id: id.to_owned(), sequence: self.sent.n_events, window }
    }

    fn question(&self, id: &str, request: &OpenRequest, deadline: Deadline<'_>) -> ServerMessage {
        let input = PendingInput::new(request.clone(), &viewer_name(self.viewer), deadline(request.input_id));
        ServerMessage::PendingInput { match_id: id.to_owned(), sequence: self.sent.n_events, input: Box::new(input) }
    }
}

/// An event as a message.
pub fn event(id: &str, it: &host::view::EventView) -> ServerMessage {
    let (match_id, sequence) = (id.to_owned(), it.seq);
    ServerMessage::EventAppended {
        match_id,
        sequence,
        event: Event::from(it),
        text: it.text.clone(),
        ui: it.ui.clone(),
    }
}
