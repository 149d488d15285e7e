//! The server's clocks. Matches are timed by one that stands still while no server runs: so that time while the
//! server was down is given back, and nothing ever fires early.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// The clocks of a server.
#[derive(Debug)]
pub struct Clock {
    started: Instant,
    /// What the clock of matches showed when the server started.
    uptime_then: i64,
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl Clock {
    /// Goes on from where the last server stood.
    pub fn resume(uptime_then: i64) -> Self {
        Self { started: Instant::now(), uptime_then }
    }

    /// Milliseconds during which servers have run on this store.
    pub fn uptime(&self) -> i64 {
        self.uptime_then.saturating_add(millis(self.started.elapsed()))
    }

    /// When the clock of matches will show a time.
    pub fn instant_of(&self, uptime: i64) -> Instant {
        let left = u64::try_from(uptime.saturating_sub(self.uptime())).unwrap_or(0);
        Instant::now() + Duration::from_millis(left)
    }

    /// Milliseconds since 1970, for people.
    pub fn wall() -> i64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, millis)
    }

    /// When the clock of matches will show a time, in milliseconds since 1970 as of now.
    pub fn wall_of(&self, uptime: i64) -> i64 {
        Self::wall().saturating_add(uptime.saturating_sub(self.uptime()))
    }
}
