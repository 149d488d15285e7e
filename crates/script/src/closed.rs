//! A request that was answered, with what undo must know about it.

use alloc::vec::Vec;

use crate::codec::{Hash, Packed, hash_of};
use crate::request::Answered;
use crate::seat::{Crowd, Seat};

/// A request that was answered.
#[derive(Clone, Debug)]
pub(crate) struct Closed {
    pub answers: Vec<Answered>,
    /// The version while it was open.
    pub version: u32,
    /// The chain of hashes while it was open.
    pub chain: Hash,
    /// Whether a random number was taken because of it.
    pub rolled: bool,
    /// Those who learned something because of it.
    pub learned: Crowd,
}

impl Closed {
    /// All who answered.
    pub fn actors(&self) -> Crowd {
        self.seats(|_| true)
    }

    /// Those who answered themselves.
    pub fn users(&self) -> Crowd {
        self.seats(|it| it.response.is_user_response)
    }

    fn seats(&self, which: impl Fn(&Answered) -> bool) -> Crowd {
        let answers = self.answers.iter().filter(|it| which(it));
        answers.filter_map(|it| Seat::from_name(it.response.actor.as_deref()?)).collect()
    }
}

/// The chain after a request was answered and these events happened.
pub(crate) fn chain(before: &Hash, answers: &[Answered], events: &[crate::view::EventView]) -> Hash {
    let answers: Vec<Packed> = answers.iter().map(|it| Packed(it.response.to_value())).collect();
    let event = |it: &crate::view::EventView| {
        (it.kind.clone(), Packed(selector::Value::Object(it.fields.clone())), it.text.clone())
    };
    let events: Vec<_> = events.iter().map(event).collect();
    hash_of(&(before, answers, events))
}
