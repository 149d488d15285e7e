//! The way of messages to one socket: bounded, so that a slow reader costs nobody else anything.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use axum::extract::ws::Utf8Bytes;
use protocol::ServerMessage;
use tokio::sync::{mpsc, watch};

/// Why a socket is closed by the server, with the code of the close frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// It goes on.
    No,
    /// It reads too slowly.
    Slow,
    /// It has not answered for several heartbeats.
    Silent,
    /// It sends too much.
    Flood,
    /// It sent a frame that is larger than any may be.
    TooLarge,
    /// It did not say in time who it is.
    Unknown,
    /// Its session ended.
    SignedOut,
    /// The server stops.
    Stopping,
}

impl Cut {
    /// Whether what was said before still reaches it.
    pub fn is_heard(self) -> bool {
        !matches!(self, Self::Slow | Self::Silent)
    }

    /// The code of the close frame, and the reason.
    pub fn close(self) -> (u16, &'static str) {
        match self {
            Self::No => (1000, "bye"),
            Self::Slow => (4008, "limit/slow_reader"),
            Self::Silent => (4008, "limit/silent"),
            Self::Unknown => (4001, "auth/hello_late"),
            Self::Flood => (4029, "limit/too_many_messages"),
            Self::TooLarge => (1009, "limit/frame_too_large"),
            Self::SignedOut => (4001, "auth/signed_out"),
            Self::Stopping => (1001, "server/stopping"),
        }
    }
}

/// The way to a socket.
#[derive(Clone, Debug)]
pub struct Outbox {
    /// Tells sockets apart.
    pub id: u64,
    sender: mpsc::Sender<Utf8Bytes>,
    /// Whether only that something happened counts, and not what.
    is_bell: bool,
    cut: Arc<watch::Sender<Cut>>,
}

/// The end of the way, at the socket.
pub struct OutboxEnd {
    pub messages: mpsc::Receiver<Utf8Bytes>,
    pub cut: watch::Receiver<Cut>,
}

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A message as text.
pub fn to_text(message: &ServerMessage) -> Utf8Bytes {
    serde_json::to_string(message).expect("messages are plain data; qed").into()
}

impl Outbox {
    /// A way for so many messages.
    pub fn new(room: usize) -> (Self, OutboxEnd) {
        let (sender, messages) = mpsc::channel(room.max(1));
        let (cut, watch) = watch::channel(Cut::No);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        (Self { id, sender, is_bell: false, cut: Arc::new(cut) }, OutboxEnd { messages, cut: watch })
    }

    /// A way on which only that something happened counts, and not what: however often it rings, one look is enough.
    pub fn bell() -> (Self, OutboxEnd) {
        let (outbox, end) = Self::new(1);
        (Self { is_bell: true, ..outbox }, end)
    }

    /// Whether it is a bell.
    pub fn is_bell(&self) -> bool {
        self.is_bell
    }

    /// Whether what is sent here is said at the other end.
    pub fn hears(&self) -> bool {
        !self.is_bell && !self.is_gone()
    }

    /// Rings, if it is a bell.
    pub fn ring(&self) {
        if self.is_bell {
            let _ = self.sender.try_send(Utf8Bytes::default());
        }
    }

    /// Sends a message; a socket that is too slow for it is cut off.
    pub fn send_text(&self, text: Utf8Bytes) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.sender.try_send(text) {
            self.cut(Cut::Slow);
        }
    }

    /// Sends a message.
    pub fn send(&self, message: &ServerMessage) {
        self.send_text(to_text(message));
    }

    /// Closes the socket.
    pub fn cut(&self, why: Cut) {
        self.cut.send_if_modified(|it| {
            let is_first = *it == Cut::No;
            if is_first {
                *it = why;
            }
            is_first
        });
    }

    /// Waits until nobody sends from here any more.
    pub async fn gone(&self) {
        self.sender.closed().await;
    }

    /// Whether the socket is gone.
    pub fn is_gone(&self) -> bool {
        self.sender.is_closed() || *self.cut.borrow() != Cut::No
    }
}
