//! A copy that follows a match record by record, for sinks that look at the state. It never sees the middle of a step.

use alloc::boxed::Box;

use ruleset::Program;

use crate::{derived::Derived, journal::Journal, record::Record, state::MatchState, writer::Writer};

/// The match as far as it was told.
#[derive(Debug)]
pub struct Shadow {
    pub state: MatchState,
    derived: Derived,
    journal: Journal,
}

impl Shadow {
    /// Makes a copy of how a match stands, in the room of the last one.
    pub fn renew(shadow: &mut Option<Box<Self>>, state: &MatchState, derived: &Derived) {
        match shadow {
            Some(shadow) => {
                shadow.state.clone_from(state);
                shadow.derived.clone_from(derived);
            }
            None => {
                let (state, derived, journal) = (state.clone(), derived.clone(), Journal::default());
                *shadow = Some(Box::new(Self { state, derived, journal }));
            }
        }
    }

    /// Applies one record.
    pub fn follow<'l, P: Copy>(&mut self, program: &Program, record: &Record<P>, list: impl Fn(P) -> &'l [i64]) {
        let Self { state, derived, journal } = self;
        journal.clear();
        Writer { program, state, derived, journal }.put(record, list);
    }
}
