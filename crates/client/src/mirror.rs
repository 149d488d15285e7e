//! The table as the server tells it, kept up from message to message.

use host::{WindowView, view::View};
use protocol::{PendingInput, ServerMessage, TakebackBody, TakebackEnd, message::EventLine};

/// What is known of a match.
#[derive(Clone, Debug, Default)]
pub struct Mirror {
    pub view: View,
    /// The last event heard of.
    pub sequence: u32,
    /// What happened since it was last looked at.
    pub news: Vec<EventLine>,
    pub inputs: Vec<PendingInput>,
    pub window: Option<WindowView>,
    /// What somebody asks about going back, while it is open.
    pub takeback: Option<TakebackBody>,
    /// What became of the last of these, and by whom, until it is looked at.
    pub ended: Option<(TakebackEnd, Option<String>)>,
    /// As whom the match is watched: `p1`.
    pub viewer: String,
    /// Proves what was heard.
    pub receipt: Option<String>,
    /// Whether the table was ever seen.
    pub is_seen: bool,
}

/// What is wrong with what the server said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// An event is missing, or came twice.
    Gap { expected: u32, found: u32 },
    /// The table is not the one the server has.
    OtherView,
}

impl Mirror {
    /// Takes in a message.
    pub fn hear(&mut self, message: ServerMessage) -> Result<(), Doubt> {
        match message {
            ServerMessage::EventAppended { sequence, event, text, ui, .. } => {
                let expected = self.sequence + 1;
                if sequence != expected && self.is_seen {
                    return Err(Doubt::Gap { expected, found: sequence });
                }
                self.sequence = sequence;
                self.news.push(EventLine { sequence, event, text, ui });
            }
            ServerMessage::StateDelta { delta, view_hash, .. } => {
                delta.apply(&mut self.view);
                self.forget_settled();
                self.compare(&view_hash)?;
            }
            ServerMessage::StateView { view, view_hash, receipt, sequence, .. } => {
                self.view = *view;
                (self.sequence, self.is_seen, self.receipt) = (sequence, true, Some(receipt));
                (self.inputs, self.window, self.takeback) = (Vec::new(), None, None);
                self.compare(&view_hash)?;
            }
            ServerMessage::PendingInput { input, .. } => {
                self.inputs.retain(|it| it.input_id != input.input_id);
                self.inputs.push(*input);
            }
            ServerMessage::PriorityChanged { window, .. } => self.window = window,
            ServerMessage::TakebackAsked { takeback, .. } => self.takeback = Some(takeback),
            ServerMessage::TakebackEnded { end, by, .. } => (self.takeback, self.ended) = (None, Some((end, by))),
            ServerMessage::Subscribed { viewer, .. } => self.viewer = viewer,
            ServerMessage::Success { body, .. } => self.receipt = Some(body.receipt),
            _ => {}
        }
        Ok(())
    }

    /// Questions that are not open any more are gone.
    fn forget_settled(&mut self) {
        let open: Vec<String> = self.view.waiting.iter().map(|it| format!("i{}", it.input_id)).collect();
        self.inputs.retain(|it| open.contains(&it.input_id));
    }

    fn compare(&self, hash: &str) -> Result<(), Doubt> {
        if protocol::view_hash(&self.view) == hash { Ok(()) } else { Err(Doubt::OtherView) }
    }

    /// Takes what happened since it was last looked at.
    pub fn take_news(&mut self) -> Vec<EventLine> {
        std::mem::take(&mut self.news)
    }
}
