//! A bot that thinks, beside the room it plays in: some think long, and meanwhile the match goes on.

use std::time::Duration;

use bots::Bot;
use host::{Answer, HostedMatch, Seat};
use tokio::task::JoinHandle;

/// What a bot came to.
pub struct Thought {
    pub seat: Seat,
    /// The version of the match it looked at.
    pub version: u32,
    /// What it wants to do.
    pub answer: Option<Answer>,
    /// The bot, unless it failed.
    pub bot: Option<Bot>,
}

/// A bot that thinks.
pub struct Thinking {
    seat: Seat,
    version: u32,
    work: JoinHandle<(Option<Answer>, Bot)>,
}

impl Thinking {
    /// Lets a bot look at a copy of a match, after a while.
    pub fn begin(live: Box<dyn HostedMatch>, mut bot: Bot, seat: Seat, delay: Duration) -> Self {
        let version = live.version();
        let work = tokio::spawn(async move {
            tokio::time::sleep(delay).await;
            let decide = move || (bot.decide(&*live, seat), bot);
            match tokio::task::spawn_blocking(decide).await {
                Ok(thought) => thought,
                Err(failure) => std::panic::resume_unwind(failure.into_panic()),
            }
        });
        Self { seat, version, work }
    }

    /// Waits until it is done; can be waited for again if this is given up.
    pub async fn done(&mut self) -> Thought {
        let (answer, bot) = match (&mut self.work).await {
            Ok((answer, bot)) => (answer, Some(bot)),
            Err(_) => (None, None),
        };
        Thought { seat: self.seat, version: self.version, answer, bot }
    }
}
