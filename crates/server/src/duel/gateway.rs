//! `GET /duels/{game}/ws`: one socket, on which a player waits for a duel and plays it.
//!
//! One task reads the socket, the waiting line and the match, so that what it says comes in one strict order. What a
//! player means by it is in [`super::session`].

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    extract::{ConnectInfo, Path, State, ws::WebSocket},
    http::HeaderMap,
    response::Response as HttpResponse,
};
use futures_util::StreamExt as _;
use tokio::{sync::mpsc, time::Instant};

use super::{lobby::News, session::Session, track};
use crate::{
    app::App,
    error::ApiError,
    games::Entry,
    outbox::{Cut, Outbox, OutboxEnd},
    socket::check_origin,
    wire::{self, Heard, Incoming, Upgrade},
};

/// `GET /duels/{game}/ws`.
pub async fn upgrade(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    Path(game): Path<String>,
    headers: HeaderMap,
    Upgrade(upgrade): Upgrade,
) -> Result<HttpResponse, ApiError> {
    check_origin(&app, &headers)?;
    let game = app.games.find(&game).filter(|it| app.games.is_offered(&it.rules) && is_duel(it));
    let game = game.ok_or_else(|| ApiError::not_found("duel"))?;
    let hold = wire::hold_address(&app, address.ip())?;
    Ok(wire::bounded(&app, upgrade).on_upgrade(move |socket| async move {
        app.metrics.sockets.inc();
        serve(app.clone(), game, socket).await;
        app.metrics.sockets.dec();
        drop(hold);
    }))
}

/// Whether a game is for two and says how it is told here.
fn is_duel(game: &Entry) -> bool {
    game.game.seats().contains(&2) && track::is_told(&game.game)
}

async fn serve(app: Arc<App>, game: Entry, socket: WebSocket) {
    let (outbox, end) = Outbox::new(app.config.outbox_max);
    let (bell, room) = Outbox::bell();
    let (news, heard) = mpsc::unbounded_channel();
    let (sink, stream) = socket.split();
    let writer = tokio::spawn({
        let app = app.clone();
        async move { wire::write(&app, sink, end).await }
    });
    let mut incoming = Incoming::new(&app, stream);
    let session = Session::new(app.clone(), game, outbox.clone(), bell, news);
    let cut = Ears { incoming: &mut incoming, room, heard }.listen(&app, session, &outbox).await;
    outbox.cut(cut);
    drop(outbox);
    wire::close(writer, incoming).await;
}

/// Where a session hears from.
struct Ears<'a> {
    incoming: &'a mut Incoming,
    /// The match.
    room: OutboxEnd,
    /// The waiting line.
    heard: mpsc::UnboundedReceiver<News>,
}

impl Ears<'_> {
    /// Listens until the socket is closed or has to be; gives the reason.
    async fn listen(mut self, app: &App, mut session: Session, outbox: &Outbox) -> Cut {
        let hello_by = Instant::now() + Duration::from_millis(app.config.hello_ms);
        let cut = loop {
            let look_at = session.look_at();
            tokio::select! {
                heard = self.incoming.next() => match heard {
                    Heard::Text(text) => session.hear(&text).await,
                    Heard::Refused(error) => session.refuse(&error),
                    Heard::Flood => break Cut::Flood,
                    // Missed heartbeats end no preparation: the clock does that.
                    Heard::Silence => if !session.is_preparing().await {
                        break Cut::Silent;
                    },
                    Heard::Closed(why) => break why,
                },
                () = app.stopped() => break Cut::Stopping,
                () = outbox.gone() => break Cut::No,
                () = tokio::time::sleep_until(hello_by), if !session.is_known() => break Cut::Unknown,
                Some(news) = self.heard.recv() => session.learn(news).await,
                Some(_) = self.room.messages.recv() => session.look().await,
                () = tokio::time::sleep_until(look_at.unwrap_or(hello_by)), if look_at.is_some() => session.look().await,
            }
        };
        session.leave(self.heard).await;
        cut
    }
}
