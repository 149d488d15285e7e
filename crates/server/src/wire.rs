//! What all sockets share: how much may be said on them, how they are asked whether they are there, and how they are
//! closed. What is said is up to those who use it.

use std::{net::IpAddr, time::Duration};

use axum::{
    extract::{
        FromRequestParts, WebSocketUpgrade,
        ws::{CloseFrame, Message, Utf8Bytes, WebSocket},
    },
    http::{StatusCode, request::Parts},
};
use futures_util::{
    SinkExt as _, StreamExt as _,
    stream::{SplitSink, SplitStream},
};
use storage::AccountId;
use tokio::{
    sync::mpsc,
    task::JoinHandle,
    time::{Instant, Interval, MissedTickBehavior},
};
use tokio_tungstenite::tungstenite;

use crate::{
    app::App,
    error::ApiError,
    gate::{BURST_SECONDS, Bucket, Hold},
    outbox::{Cut, OutboxEnd},
};

/// How much is read at a time; most messages are smaller.
const READ_BUFFER: usize = 4 << 10;
/// How much is put together before it is written.
const WRITE_BUFFER: usize = 4 << 10;
/// How much may wait in the buffer of a socket that does not write.
const WRITE_BUFFER_MAX: usize = 512 << 10;
/// How many messages beyond the limit are answered before the socket is closed.
const WARNINGS_MAX: u32 = 20;
/// How long a socket may take to hear why it is closed.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// How many heartbeats in a row a socket may leave unanswered.
const MISSED_MAX: u32 = 2;

fn too_many(whose: &str) -> ApiError {
    ApiError::too_many("limit/sockets", format!("too many sockets of this {whose}"))
}

/// Counts a socket of an address while the hold lives.
pub fn hold_address(app: &App, address: IpAddr) -> Result<Hold<IpAddr>, ApiError> {
    app.gate.socket_of_address(address, app.config.sockets_per_address_max).ok_or_else(|| too_many("address"))
}

/// Counts a socket of an account while the hold lives.
pub fn hold_account(app: &App, account: &AccountId) -> Result<Hold<AccountId>, ApiError> {
    app.gate.socket_of_account(account, app.config.sockets_per_account_max).ok_or_else(|| too_many("account"))
}

/// A socket whose frames and buffers are no larger than they need to be.
pub fn bounded(app: &App, upgrade: WebSocketUpgrade) -> WebSocketUpgrade {
    let max = app.config.frame_bytes_max;
    let upgrade = upgrade.read_buffer_size(READ_BUFFER).write_buffer_size(WRITE_BUFFER);
    upgrade.max_write_buffer_size(WRITE_BUFFER_MAX).max_message_size(max).max_frame_size(max)
}

/// A request to open a socket.
pub struct Upgrade(pub WebSocketUpgrade);

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let read = WebSocketUpgrade::from_request_parts(parts, state).await;
        read.map(Self).map_err(|why| {
            let message =
                format!("open this path as a WebSocket, with GET and the headers of RFC 6455: {}", why.body_text());
            ApiError::new(StatusCode::UPGRADE_REQUIRED, "Not a socket", "request/not_a_socket", message)
        })
    }
}

/// How often a socket is asked whether it is there.
fn heartbeat(app: &App) -> Interval {
    let every = Duration::from_millis(app.config.heartbeat_ms.max(1));
    let mut ticks = tokio::time::interval_at(Instant::now() + every, every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// What is heard on a socket.
#[derive(Debug)]
pub enum Heard {
    /// A message.
    Text(Utf8Bytes),
    /// Something that is not taken.
    Refused(ApiError),
    /// So much beyond the limit that it is enough.
    Flood,
    /// Nothing, for several heartbeats. Said again with every further one.
    Silence,
    /// The socket is closed, or has to be for this reason.
    Closed(Cut),
}

/// Why a socket is closed that cannot be read any more.
fn cut_of(error: axum::Error) -> Cut {
    let inner = error.into_inner();
    let is_large = matches!(inner.downcast_ref(), Some(tungstenite::Error::Capacity(_)));
    if is_large { Cut::TooLarge } else { Cut::No }
}

/// The reading end of a socket.
pub struct Incoming {
    stream: SplitStream<WebSocket>,
    bucket: Bucket,
    n_warnings: u32,
    heartbeat: Interval,
    /// How many heartbeats passed since something was heard.
    n_missed: u32,
    /// Whether a frame that is too large stands before all others, even before the one that closes.
    is_jammed: bool,
}

impl Incoming {
    /// Reads a socket within the limits of the server.
    pub fn new(app: &App, stream: SplitStream<WebSocket>) -> Self {
        let rate = f64::from(app.config.messages_per_second_max.max(1));
        let bucket = Bucket::new(rate, rate * BURST_SECONDS);
        Self { stream, bucket, n_warnings: 0, heartbeat: heartbeat(app), n_missed: 0, is_jammed: false }
    }

    /// What is heard next. Nothing is lost if this is given up half-way.
    pub async fn next(&mut self) -> Heard {
        loop {
            let frame = tokio::select! {
                // What has arrived was said in time, however busy the server was.
                biased;
                frame = self.stream.next() => frame,
                _ = self.heartbeat.tick() => {
                    self.n_missed = self.n_missed.saturating_add(1);
                    if self.n_missed > MISSED_MAX {
                        return Heard::Silence;
                    }
                    continue;
                }
            };
            self.n_missed = 0;
            match frame {
                Some(Ok(Message::Text(text))) => return self.measure(Heard::Text(text)),
                Some(Ok(Message::Binary(_))) => {
                    let refusal = ApiError::malformed("messages are JSON in text frames");
                    return self.measure(Heard::Refused(refusal));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_))) | None => return Heard::Closed(Cut::No),
                Some(Err(error)) => return Heard::Closed(self.fail(error)),
            }
        }
    }

    /// Why the stream cannot be read any more.
    fn fail(&mut self, error: axum::Error) -> Cut {
        let cut = cut_of(error);
        self.is_jammed |= cut == Cut::TooLarge;
        cut
    }

    /// Reads on without listening, until the other side has closed too.
    async fn drain(&mut self) {
        while let Some(frame) = self.stream.next().await {
            if let Err(error) = frame {
                self.fail(error);
            }
        }
        if self.is_jammed {
            std::future::pending().await
        }
    }

    /// Whoever sends too much is warned, and then not heard any more.
    fn measure(&mut self, heard: Heard) -> Heard {
        if self.bucket.take() {
            return heard;
        }
        self.n_warnings += 1;
        if self.n_warnings > WARNINGS_MAX {
            return Heard::Flood;
        }
        Heard::Refused(ApiError::too_many("limit/too_many_messages", "slow down"))
    }
}

/// Sends a message and all that waits behind it, in as few packets as can be.
async fn send(
    sink: &mut SplitSink<WebSocket, Message>,
    first: Message,
    messages: &mut mpsc::Receiver<Utf8Bytes>,
) -> Result<(), axum::Error> {
    sink.feed(first).await?;
    while let Ok(text) = messages.try_recv() {
        sink.feed(Message::Text(text)).await?;
    }
    sink.flush().await
}

/// Lets a socket hear why it is closed, once nobody can write to it any more.
///
/// A socket that is dropped while something on it is unread is reset, and what it was told last is lost. So it is read
/// until the other side has closed too, or has had its time to.
pub async fn close(mut writer: JoinHandle<Cut>, mut incoming: Incoming) {
    let told = async {
        if (&mut writer).await.is_ok_and(Cut::is_heard) {
            tokio::time::sleep(CLOSE_TIMEOUT).await;
        }
    };
    tokio::select! {
        () = told => {}
        () = incoming.drain() => {}
    }
    if !writer.is_finished() {
        let _ = writer.await;
    }
}

/// Sends what waits, asks whether the socket is there, and closes it when it has to be. Gives the reason.
pub async fn write(app: &App, mut sink: SplitSink<WebSocket, Message>, mut end: OutboxEnd) -> Cut {
    let mut heartbeat = heartbeat(app);
    loop {
        let message = tokio::select! {
            biased;
            _ = end.cut.wait_for(|it| *it != Cut::No) => break,
            message = end.messages.recv() => match message {
                Some(text) => Message::Text(text),
                None => break,
            },
            _ = heartbeat.tick() => Message::Ping(Vec::new().into()),
        };
        // A reader who does not read must not keep this from hearing that he is cut off.
        let is_sent = tokio::select! {
            result = send(&mut sink, message, &mut end.messages) => result.is_ok(),
            _ = end.cut.wait_for(|it| *it != Cut::No) => false,
        };
        if !is_sent {
            break;
        }
    }
    let cut = *end.cut.borrow();
    if cut == Cut::Slow {
        app.metrics.slow_readers.inc();
    }
    // What was said before still counts, but for those who do not listen.
    while cut.is_heard()
        && let Ok(text) = end.messages.try_recv()
    {
        if !matches!(tokio::time::timeout(CLOSE_TIMEOUT, sink.send(Message::Text(text))).await, Ok(Ok(()))) {
            return cut;
        }
    }
    let (code, reason) = cut.close();
    let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
    let _ = tokio::time::timeout(CLOSE_TIMEOUT, sink.send(close)).await;
    cut
}
