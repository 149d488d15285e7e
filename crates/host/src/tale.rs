//! What happened, as one viewer was told it: kept as text, and the older part of it packed, since the maps of an event
//! take many times its room and a server holds thousands of matches.

use std::sync::Arc;

use view::Told;

/// How many events are packed together.
const BLOCK: usize = 16;

/// What one viewer was told.
#[derive(Clone, Debug, Default)]
pub struct Tale {
    /// The older part, so many events in each.
    packed: Vec<Arc<[u8]>>,
    /// The newer part, an event in each.
    recent: Vec<Arc<str>>,
}

impl Tale {
    /// Tells of one event more.
    pub fn push(&mut self, event: &Told) {
        self.recent.push(write(event));
        if self.recent.len() == 2 * BLOCK {
            let old: Vec<Arc<str>> = self.recent.drain(..BLOCK).collect();
            self.packed.push(pack(&old));
        }
    }

    /// The events after so many.
    pub fn after(&self, n: u32) -> Vec<Told> {
        self.texts_after(n).iter().map(|it| read(it)).collect()
    }

    /// The events after so many, each as its JSON text.
    pub fn texts_after(&self, n: u32) -> Vec<Arc<str>> {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        let n_packed = self.packed.len() * BLOCK;
        let (first, within) = (n / BLOCK, n % BLOCK);
        let old = self.packed.get(first..).unwrap_or_default().iter().flat_map(|it| unpack(it));
        let within = if n < n_packed { within } else { 0 };
        let new = self.recent.get(n.saturating_sub(n_packed)..).unwrap_or_default();
        old.skip(within).chain(new.iter().cloned()).collect()
    }
}

/// An event as JSON text.
pub fn write(event: &Told) -> Arc<str> {
    serde_json::to_string(event).expect("plain data has a JSON form; qed").into()
}

fn read(text: &str) -> Told {
    serde_json::from_str(text).expect("it was written here; qed")
}

/// No event has a line break in its JSON form.
fn pack(events: &[Arc<str>]) -> Arc<[u8]> {
    lz4_flex::compress_prepend_size(events.join("\n").as_bytes()).into()
}

fn unpack(block: &[u8]) -> Vec<Arc<str>> {
    let bytes = lz4_flex::decompress_size_prepended(block).expect("it was packed here; qed");
    let text = String::from_utf8(bytes).expect("it was text; qed");
    text.lines().map(Arc::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_tale_is_told_from_anywhere() {
        let event = |sequence: u32| crate::ruled_event::undone(&format!("Line\nbreak {sequence}"), sequence);
        for n_events in [0, 1, 63, 64, 65, 200] {
            let all: Vec<Told> = (1..=n_events).map(event).collect();
            let mut tale = Tale::default();
            all.iter().for_each(|it| tale.push(it));
            for n in 0..=n_events + 1 {
                let rest = all.get(usize::try_from(n).expect("small")..).unwrap_or_default();
                assert_eq!(tale.after(n), rest, "after {n} of {n_events}");
                let texts: Vec<Arc<str>> = rest.iter().map(write).collect();
                assert_eq!(tale.texts_after(n), texts, "after {n} of {n_events}");
            }
        }
    }
}
