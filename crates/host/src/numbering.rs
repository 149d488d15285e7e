//! What each seat calls its questions: numbers of its own, so that they do not tell how often others are asked.

use std::collections::BTreeMap;

/// The numbers of the questions of every seat.
#[derive(Clone, Debug, Default)]
pub struct Numbering {
    seats: BTreeMap<u8, Inbox>,
}

#[derive(Clone, Debug, Default)]
struct Inbox {
    n_asked: u32,
    /// What the match calls a question that may still be open, and its number for the seat.
    known: Vec<(u32, u32)>,
}

impl Numbering {
    /// Notes what a seat is asked now, in order.
    pub fn note(&mut self, seat: u8, open: &[u32]) {
        let inbox = self.seats.entry(seat).or_default();
        for input in open {
            if !inbox.known.iter().any(|it| it.0 == *input) {
                inbox.n_asked = inbox.n_asked.saturating_add(1);
                inbox.known.push((*input, inbox.n_asked));
            }
        }
    }

    /// Something was taken back: what is asked now is asked anew.
    pub fn forget(&mut self) {
        self.seats.values_mut().for_each(|it| it.known.clear());
    }

    /// What a seat calls a question.
    pub fn name(&self, seat: u8, input: u32) -> Option<String> {
        let known = &self.seats.get(&seat)?.known;
        known.iter().find(|it| it.0 == input).map(|it| format!("i{}", it.1))
    }

    /// The question a seat calls so.
    pub fn input(&self, seat: u8, name: &str) -> Named {
        let Some(inbox) = self.seats.get(&seat) else { return Named::Never };
        let digits = name.strip_prefix('i').filter(|it| !it.starts_with(['0', '+']));
        let Some(number) = digits.and_then(|it| it.parse::<u32>().ok()) else { return Named::Never };
        match inbox.known.iter().find(|it| it.1 == number) {
            Some(known) => Named::Known(known.0),
            None if number <= inbox.n_asked => Named::Gone,
            None => Named::Never,
        }
    }
}

/// What a name of a question stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A question the seat was asked, by the number of the match.
    Known(u32),
    /// A question that was taken back.
    Gone,
    /// Nothing.
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_count_their_own_questions() {
        let mut numbering = Numbering::default();
        numbering.note(0, &[7]);
        numbering.note(0, &[7, 9]);
        numbering.note(1, &[9]);
        assert_eq!(numbering.name(0, 9).as_deref(), Some("i2"));
        assert_eq!(numbering.name(1, 9).as_deref(), Some("i1"));
        assert_eq!(numbering.input(0, "i1"), Named::Known(7));
        assert_eq!(numbering.input(0, "i3"), Named::Never);
        assert_eq!(numbering.input(0, "i01"), Named::Never);
        numbering.forget();
        assert_eq!(numbering.input(0, "i1"), Named::Gone);
        numbering.note(0, &[7]);
        assert_eq!(numbering.name(0, 7).as_deref(), Some("i3"), "what is asked again is another question");
    }
}
