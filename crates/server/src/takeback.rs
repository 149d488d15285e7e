//! Going back further than a player may by himself: one asks, all others are told, and it is done once they agreed.
//!
//! Nothing of it is stored until then: a match that is read again from the store is one in which nobody has asked.

use host::{Control, HostedMatch, Progress, Seat, Viewer};
use protocol::{
    ServerMessage, SuccessBody, TakebackAnswers, TakebackBody, TakebackEnd,
    messages::{TakebackAsked, TakebackEnded},
};

use crate::{
    error::ApiError,
    play::{Order, Past},
    requests::Act,
    room::{Room, Table},
    stored::Note,
};

/// What players said about going back since the match last went on.
#[derive(Clone, Debug, Default)]
pub struct Takebacks {
    open: Option<Takeback>,
    /// Who asked for what in vain, so that nobody is asked again and again.
    refused: Vec<(Seat, u32)>,
}

/// That somebody asks to go back.
#[derive(Clone, Debug)]
struct Takeback {
    by: Seat,
    to: u32,
    /// All who agreed, bots included.
    agreed: Vec<Seat>,
}

/// Those who play on.
fn present(live: &dyn HostedMatch) -> Vec<Seat> {
    let view = live.view(Viewer::Spectator);
    (0..).map(Seat).zip(view.seats()).filter(|it| !it.1.1.is_out).map(|it| it.0).collect()
}

fn names(seats: impl IntoIterator<Item = Seat>) -> Vec<String> {
    seats.into_iter().map(|it| it.to_string()).collect()
}

impl Table {
    /// Those who agree to what is ordered, with the one who asks; bots agree to everything.
    pub(crate) fn agreed(&self, order: &Order) -> Vec<Seat> {
        let (Act::Takeback { to, .. }, Some(seat)) = (&order.act, order.seat) else { return Vec::new() };
        let known = self.takebacks.open.as_ref().filter(|it| it.to == *to).map(|it| it.agreed.clone());
        let mut agreed = known.unwrap_or_else(|| self.bot_seats());
        if !agreed.contains(&seat) {
            agreed.push(seat);
        }
        agreed
    }

    /// What somebody asks, as long as it is open.
    pub(crate) fn takeback(&self) -> Option<TakebackBody> {
        let (open, live) = (self.takebacks.open.as_ref()?, self.live.as_ref()?);
        Some(TakebackBody {
            by: open.by.to_string(),
            to: open.to,
            version: live.version(),
            agreed: names(open.agreed.iter().copied()),
            missing: names(present(&**live).into_iter().filter(|it| !open.agreed.contains(it))),
            answers: TakebackAnswers::to(open.to),
        })
    }

    /// That a takeback is open, for one who begins to follow.
    pub(crate) fn takeback_asked(&self, match_id: &str, viewer: Viewer) -> Option<ServerMessage> {
        let (match_id, sequence) = (match_id.to_owned(), self.sent(viewer).n_events);
        let asked = |takeback| ServerMessage::TakebackAsked(TakebackAsked { match_id, sequence, takeback });
        self.takeback().map(asked)
    }
}

impl Room {
    /// Hears what a player says about going back; gives the answer, unless all agree and it is to be done.
    pub(crate) fn consider(&mut self, order: &Order) -> Result<Option<SuccessBody>, ApiError> {
        let (&Act::Takeback { to, version, agree }, Some(seat)) = (&order.act, order.seat) else { return Ok(None) };
        let table = self.table.as_ref().ok_or_else(|| ApiError::not_found("match"))?;
        table.check_playable()?;
        let live = table.live.as_ref().ok_or_else(|| ApiError::not_found("match"))?;
        let (present, current) = (present(&**live), live.version());
        if agree {
            let possible = live.fork().takeback(to, &present, version.unwrap_or(current));
            if let Err(why) = possible {
                return Err(self.refuse_impossible(to, why.into()));
            }
            let agreed = table.agreed(order);
            if present.iter().all(|it| agreed.contains(it)) {
                return Ok(None);
            }
            self.ask_others(Takeback { by: seat, to, agreed })?;
        } else {
            self.decline(seat, to)?;
        }
        let progress = Progress { version: current, moved: false };
        self.remember(order, progress);
        Ok(Some(self.success(order.seat, progress, false)))
    }

    /// Nothing is stored of what players say, but while the match is in memory it is heard once.
    fn remember(&mut self, order: &Order, progress: Progress) {
        let Some((table, command_id)) = self.table.as_mut().zip(order.command_id.clone()) else { return };
        let note = Note { version: progress.version, moved: progress.moved, ..Note::default() };
        table.past.insert(command_id, Past::new(order.request, &note));
    }

    /// What cannot be done any more is not open any more.
    fn refuse_impossible(&mut self, to: u32, why: ApiError) -> ApiError {
        let is_open = self.table.as_ref().and_then(|it| it.takebacks.open.as_ref()).is_some_and(|it| it.to == to);
        // A request made for an older version says nothing about what is possible now.
        if is_open && why.body.current_version.is_none() {
            self.end_takeback(TakebackEnd::Overtaken, None);
        }
        why
    }

    /// Tells all that somebody asks, or that one more agrees.
    fn ask_others(&mut self, asked: Takeback) -> Result<(), ApiError> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let known = table.takebacks.open.as_mut().filter(|it| it.to == asked.to);
        if let Some(known) = known {
            known.agreed = asked.agreed;
        } else if table.takebacks.refused.contains(&(asked.by, asked.to)) {
            let message = "the others do not want to go back; ask again once the match has gone on";
            return Err(ApiError::conflict("takeback/refused", message));
        } else {
            let by = asked.by;
            self.end_takeback(TakebackEnd::Replaced, Some(by));
            let Some(table) = &mut self.table else { return Ok(()) };
            table.takebacks.open = Some(asked);
        }
        let id = self.id.0.clone();
        self.tell_each(|table, viewer| table.takeback_asked(&id, viewer));
        Ok(())
    }

    /// A player does not want it, or does not want it any more.
    fn decline(&mut self, seat: Seat, to: u32) -> Result<(), ApiError> {
        let takebacks = self.table.as_mut().map(|it| &mut it.takebacks);
        let open = takebacks.as_ref().and_then(|it| it.open.clone()).filter(|it| it.to == to);
        let (Some(takebacks), Some(open)) = (takebacks, open) else {
            return Err(ApiError::conflict("takeback/not_open", "nobody asks to go back to this version"));
        };
        if open.by == seat {
            self.end_takeback(TakebackEnd::Withdrawn, Some(seat));
        } else {
            takebacks.refused.push((open.by, to));
            self.end_takeback(TakebackEnd::Refused, Some(seat));
        }
        Ok(())
    }

    /// After something was carried out: whoever went on has not agreed.
    pub(crate) fn lapse_takeback(&mut self, order: &Order, progress: Progress) {
        // Who comes and goes does not take part in the match by that.
        let is_presence = matches!(order.act, Act::Control(Control::Disconnect(_) | Control::Reconnect(_)));
        if is_presence || !progress.moved {
            return;
        }
        let to = if let Act::Takeback { to, .. } = order.act { Some(to) } else { None };
        let open = self.table.as_ref().and_then(|it| it.takebacks.open.as_ref());
        let is_agreed = to.is_some() && open.map(|it| it.to) == to;
        self.end_takeback(if is_agreed { TakebackEnd::Agreed } else { TakebackEnd::Overtaken }, order.seat);
        if let Some(table) = &mut self.table {
            table.takebacks.refused.clear();
        }
    }

    /// Tells all what became of what was open.
    fn end_takeback(&mut self, end: TakebackEnd, by: Option<Seat>) {
        let Some(open) = self.table.as_mut().and_then(|it| it.takebacks.open.take()) else { return };
        let (id, by) = (self.id.0.clone(), by.map(|it| it.to_string()));
        self.tell_each(|table, viewer| {
            let (match_id, sequence) = (id.clone(), table.sent(viewer).n_events);
            Some(ServerMessage::TakebackEnded(TakebackEnded { match_id, sequence, to: open.to, end, by: by.clone() }))
        });
    }
}
