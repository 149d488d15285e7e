//! Where a battle tells what happens and what it costs; a battle that nobody watches pays nothing.

use alloc::vec::Vec;

use crate::Event;

/// Takes the events of a battle as they happen.
pub trait Sink {
    /// Takes one event. The event is built only if the sink calls `make`.
    fn event(&mut self, make: impl FnOnce() -> Event);

    /// Is told of steps of work: abilities queued and taken, leaves of conditions tested, units
    /// met by effects. Their sum is bounded for every battle, so it can be weighed.
    fn work(&mut self, _steps: u32) {}
}

/// Takes no events: the battle runs without building them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoEvents;

impl Sink for NoEvents {
    fn event(&mut self, _make: impl FnOnce() -> Event) {}
}

impl Sink for Vec<Event> {
    fn event(&mut self, make: impl FnOnce() -> Event) {
        self.push(make());
    }
}

/// Counts the work of a battle and takes no events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkCounter {
    /// The steps so far.
    pub steps: u64,
}

impl Sink for WorkCounter {
    fn event(&mut self, _make: impl FnOnce() -> Event) {}

    fn work(&mut self, steps: u32) {
        self.steps = self.steps.saturating_add(u64::from(steps));
    }
}
