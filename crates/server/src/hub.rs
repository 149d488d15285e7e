//! The rooms that are open, by match.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use storage::MatchId;
use tokio::sync::{mpsc, oneshot};

use crate::{
    app::App,
    error::ApiError,
    room::{Mail, Room},
};

/// How often a room that closes in the same moment is opened again.
const TRIES: usize = 3;

/// The rooms that are open.
#[derive(Default)]
pub struct Hub(Mutex<HashMap<MatchId, mpsc::Sender<Mail>>>);

impl Hub {
    /// The mailbox of a match; opens its room.
    fn mailbox(&self, app: &Arc<App>, id: &MatchId) -> mpsc::Sender<Mail> {
        // A room that opens while the server stops closes again at once, having read nothing.
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = rooms.get(id).filter(|it| !it.is_closed()) {
            return known.clone();
        }
        let (sender, inbox) = mpsc::channel(app.config.mailbox_max.max(1));
        rooms.insert(id.clone(), sender.clone());
        app.metrics.rooms.inc();
        tokio::spawn(Room::new(app.clone(), id.clone()).run(inbox));
        sender
    }

    /// Closes the door of a room, so that the next visitor opens another.
    pub fn close(&self, app: &App, id: &MatchId, inbox: &mut mpsc::Receiver<Mail>) {
        let mut rooms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        inbox.close();
        if rooms.get(id).is_some_and(mpsc::Sender::is_closed) {
            rooms.remove(id);
        }
        app.metrics.rooms.dec();
    }

    /// Whether a match is in memory.
    pub fn has(&self, id: &MatchId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(id)
    }

    /// How many rooms are open.
    pub fn n_rooms(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Sends a letter to a match that needs no answer.
    pub async fn tell(&self, app: &Arc<App>, id: &MatchId, letter: Mail) {
        let mut letter = letter;
        for _ in 0..TRIES {
            match self.mailbox(app, id).send(letter).await {
                Ok(()) => return,
                Err(mpsc::error::SendError(back)) => letter = back,
            }
        }
    }

    /// Sends a letter to a match and waits for the answer.
    pub async fn ask<T>(
        &self,
        app: &Arc<App>,
        id: &MatchId,
        letter: impl Fn(oneshot::Sender<Result<T, ApiError>>) -> Mail,
    ) -> Result<T, ApiError> {
        for _ in 0..TRIES {
            let (reply, answer) = oneshot::channel();
            match self.mailbox(app, id).try_send(letter(reply)) {
                Ok(()) => {}
                Err(mpsc::error::TrySendError::Full(_)) => {
                    return Err(ApiError::too_many("limit/mailbox_full", "too many requests wait for this match"));
                }
                Err(mpsc::error::TrySendError::Closed(_)) => continue,
            }
            // No answer means that the room closed in the same moment, having read nothing.
            if let Ok(answer) = answer.await {
                return answer;
            }
        }
        Err(ApiError::unavailable("match/unavailable", "the match is being opened; try again"))
    }
}
