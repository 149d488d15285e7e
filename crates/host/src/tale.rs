//! What happened, as one viewer was told it: kept as text, since the maps of an event take many times its room and a
//! server holds thousands of matches.

use std::sync::Arc;

use script::view::EventView;

/// What one viewer was told.
#[derive(Clone, Debug, Default)]
pub struct Tale(Vec<Arc<str>>);

impl Tale {
    /// How many events it tells of.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Tells of one event more.
    pub fn push(&mut self, event: &EventView) {
        let text = serde_json::to_string(event).expect("plain data has a JSON form; qed");
        self.0.push(text.into());
    }

    /// The events after so many.
    pub fn after(&self, n: u32) -> Vec<EventView> {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        let read = |it: &Arc<str>| serde_json::from_str(it).expect("it was written here; qed");
        self.0.get(n..).unwrap_or_default().iter().map(read).collect()
    }
}
