//! The table as the server tells it, kept up from message to message.

use protocol::{ServerMessage, TakebackBody, TakebackEnd, patch, view_hash};
use serde_json::Value;
use view::{PendingInput, Told, View};

/// What is known of a match.
#[derive(Clone, Debug, Default)]
pub struct Mirror {
    pub view: View,
    /// The view as it was sent, to apply patches to.
    sent: Value,
    /// The last event heard of.
    pub sequence: u32,
    /// What happened since it was last looked at.
    pub news: Vec<Told>,
    pub inputs: Vec<PendingInput>,
    /// What somebody asks about going back, while it is open.
    pub takeback: Option<TakebackBody>,
    /// What became of the last of these, and by whom, until it is looked at.
    pub ended: Option<(TakebackEnd, Option<String>)>,
    /// As whom the match is watched: `p1`.
    pub viewer: String,
    /// What the catalogue of the game is asked for by.
    pub catalogue_hash: String,
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
            ServerMessage::EventAppended(it) => {
                let (expected, found) = (self.sequence + 1, it.sequence);
                if found != expected && self.is_seen {
                    return Err(Doubt::Gap { expected, found });
                }
                self.sequence = found;
                self.news.push(it.told());
            }
            ServerMessage::StateDelta(it) => {
                let change = serde_json::to_value(&it.patch).unwrap_or_default();
                patch::apply(&mut self.sent, &change);
                self.compare(&it.view_hash)?;
            }
            ServerMessage::StateView(it) => {
                self.sent = serde_json::to_value(&it.view).unwrap_or_default();
                (self.sequence, self.is_seen, self.receipt) = (it.sequence, true, Some(it.receipt));
                (self.inputs, self.takeback) = (Vec::new(), None);
                self.compare(&it.view_hash)?;
            }
            ServerMessage::PendingInput(it) => {
                self.inputs.retain(|known| known.input_id != it.input.input_id);
                self.inputs.push(it.input);
            }
            ServerMessage::InputClosed(it) => self.inputs.retain(|known| known.input_id != it.input_id),
            ServerMessage::TakebackAsked(it) => self.takeback = Some(it.takeback),
            ServerMessage::TakebackEnded(it) => (self.takeback, self.ended) = (None, Some((it.end, it.by))),
            ServerMessage::Subscribed(it) => (self.viewer, self.catalogue_hash) = (it.viewer, it.catalogue_hash),
            ServerMessage::Success(it) => self.receipt = Some(it.receipt),
            _ => {}
        }
        Ok(())
    }

    /// Compares the table with the server's.
    fn compare(&mut self, hash: &str) -> Result<(), Doubt> {
        if view_hash(&self.sent) != hash {
            return Err(Doubt::OtherView);
        }
        self.view = serde_json::from_value(self.sent.clone()).map_err(|_| Doubt::OtherView)?;
        Ok(())
    }

    /// The question the player has not answered yet.
    pub fn asked(&self) -> Option<&PendingInput> {
        self.inputs.iter().find(|it| it.draft.is_none())
    }

    /// Takes what happened since it was last looked at.
    pub fn take_news(&mut self) -> Vec<Told> {
        std::mem::take(&mut self.news)
    }
}
