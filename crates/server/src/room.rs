//! The room of a match: one task that owns it and works through its mailbox.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::Duration,
};

use bots::Bot;
use host::{Control, HostedMatch, Seat, Viewer, Waiting, hosted::Clock};
use protocol::{
    ErrorBody, ServerMessage, SuccessBody,
    messages::{Closed, Subscribed},
};
use storage::{AccountId, Damage, Hash, MatchId, MatchRow, MatchStatus, Op, StorageError, damage::What};
use tokio::sync::{mpsc, oneshot};

use crate::{
    app::App,
    clock::Clock as Time,
    detail::{Detail, seat_of},
    error::ApiError,
    face::Face,
    outbox::{Outbox, to_text},
    play::{Order, Past},
    receipt::Sent,
    requests::Act,
    stored::{self, Note, Running},
    takeback::Takebacks,
    thinking::{Thinking, Thought},
};

/// The answer to a letter.
pub type Reply<T> = oneshot::Sender<Result<T, ApiError>>;

/// A look at a match.
pub type Look = Box<dyn FnOnce(&Room) + Send>;

/// What a room is asked.
pub enum Mail {
    /// Do something to the match.
    Order { order: Order, reply: Reply<SuccessBody> },
    /// Look at the match.
    Look { look: Look, reply: Reply<()> },
    /// Change who sits where, or how the match stands.
    Change { change: Change, reply: Reply<MatchRow> },
    /// Follow the match.
    Subscribe { subscribe: Subscribe, reply: Reply<()> },
    /// Follow it no more.
    Unsubscribe { outbox: u64 },
    /// A player hung up before he could follow it.
    Absent { account: AccountId },
    /// A clock ran out while the match was not in memory.
    Wake,
}

/// A change of what surrounds a match.
#[derive(Clone, Debug)]
pub enum Change {
    /// Somebody sits down.
    Join { account: AccountId, nickname: String, seat: Option<Seat>, deck: Vec<String> },
    /// A match at which all sit is made, and begins in the same commit.
    Begin { row: Box<MatchRow> },
    /// All are there.
    Start,
    /// Somebody stands up.
    Leave { account: AccountId },
    /// Somebody who was away hears how it ended; refused if he has heard.
    Hear { account: AccountId },
    /// The match does not count and takes no more.
    Void {
        by: AccountId,
        /// Whether nobody else may sit there, since it is no moderator who asks.
        alone: bool,
    },
}

/// Somebody who wants to follow a match.
#[derive(Clone, Debug)]
pub struct Subscribe {
    pub viewer: Viewer,
    pub account: AccountId,
    /// The last event he knows of.
    pub after: Option<u32>,
    /// What proves what he was sent.
    pub receipt: Option<String>,
    pub request_id: Option<String>,
    pub outbox: Outbox,
}

/// Somebody who follows a match.
struct Follower {
    viewer: Viewer,
    outbox: Outbox,
}

/// The room of a match.
pub struct Room {
    pub(crate) app: Arc<App>,
    pub(crate) id: MatchId,
    /// Nothing until it is loaded, and after something went wrong with the store.
    pub(crate) table: Option<Table>,
    followers: Vec<Follower>,
    /// Where a bot could not answer, so that it is not asked again and again.
    pub(crate) stuck_at: Option<u32>,
    /// The bot that is to answer next.
    thinking: Option<Thinking>,
    /// Whether the store failed and the match was not read again since.
    pub(crate) has_failed: bool,
    /// Those who left while that could not be stored.
    unsaid: Vec<Seat>,
}

/// A match that is loaded.
pub struct Table {
    pub row: MatchRow,
    pub detail: Detail,
    /// Nothing while it waits for players, and if it is damaged.
    pub live: Option<Box<dyn HostedMatch>>,
    pub faces: Vec<Face>,
    pub clocks: Vec<Running>,
    /// What was asked before, by name.
    pub past: HashMap<String, Past>,
    pub bots: BTreeMap<Seat, Bot>,
    /// What players said about going back.
    pub takebacks: Takebacks,
}

/// How long a room waits before it opens its match again after the store failed.
const RETRY: Duration = Duration::from_secs(1);
/// How many transitions are read at a time.
const PAGE: u32 = 1000;

impl Room {
    /// A room that is not loaded yet.
    pub fn new(app: Arc<App>, id: MatchId) -> Self {
        Self {
            app,
            id,
            table: None,
            followers: Vec::new(),
            stuck_at: None,
            thinking: None,
            has_failed: false,
            unsaid: Vec::new(),
        }
    }

    /// Works through the mailbox until nobody has come for a while.
    pub async fn run(mut self, mut inbox: mpsc::Receiver<Mail>) {
        let idle = Duration::from_secs(self.app.config.idle_seconds.max(1));
        let app = self.app.clone();
        let stopped = app.stopped();
        tokio::pin!(stopped);
        loop {
            let due = self.table.as_ref().and_then(|it| it.clocks.iter().map(|it| it.due).min());
            let due = due.map(|it| self.app.clock.instant_of(it));
            self.ask_bot();
            let is_thinking = self.thinking.is_some();
            tokio::select! {
                biased;
                () = &mut stopped => break,
                mail = inbox.recv() => match mail {
                    Some(mail) => self.open(mail).await,
                    None => break,
                },
                () = tokio::time::sleep_until(due.unwrap_or_else(tokio::time::Instant::now)), if due.is_some() => {
                    self.run_clocks().await;
                }
                thought = done(&mut self.thinking), if is_thinking => {
                    self.thinking = None;
                    self.play_bot(thought).await;
                }
                () = tokio::time::sleep(RETRY), if self.has_failed => {
                    drop(self.load().await);
                    self.say_who_left().await;
                }
                () = tokio::time::sleep(idle), if !is_thinking => {
                    self.drop_gone();
                    if self.followers.is_empty() {
                        break;
                    }
                }
            }
        }
        app.hub.close(&app, &self.id, &mut inbox);
        // Who wrote in the last moment finds the letter unread and writes again.
        drop(inbox);
    }

    async fn open(&mut self, mail: Mail) {
        match mail {
            Mail::Order { order, reply } => {
                let answer = self.obey(order).await;
                self.app.metrics.count(answer.as_ref().map_or_else(|it| it.body.code.as_str(), |_| "ok"));
                drop(reply.send(answer));
            }
            Mail::Look { look, reply } => {
                let loaded = self.load().await;
                if loaded.is_ok() {
                    look(self);
                }
                drop(reply.send(loaded));
            }
            Mail::Change { change, reply } => {
                let answer = self.change(change).await;
                drop(reply.send(answer));
            }
            Mail::Subscribe { subscribe, reply } => {
                let answer = self.subscribe(subscribe).await;
                drop(reply.send(answer));
            }
            Mail::Unsubscribe { outbox } => self.unsubscribe(outbox).await,
            Mail::Absent { account } => self.miss(&account).await,
            Mail::Wake => drop(self.load().await),
        }
    }

    /// The table, loaded.
    pub async fn load(&mut self) -> Result<(), ApiError> {
        if self.table.is_some() {
            return Ok(());
        }
        let app = self.app.clone();
        let row = app.store.match_row(&self.id).await?;
        self.has_failed = false;
        let row = row.ok_or_else(|| ApiError::not_found("match"))?;
        let mut table = Table::new(row);
        if table.row.n_transitions > 0 || table.row.status == MatchStatus::Live {
            match self.read_log(&mut table).await? {
                Ok(()) => {}
                Err(damage) => self.condemn(&mut table, &damage).await,
            }
        }
        self.table = Some(table);
        // Those who follow were told of another table, or of none since the store failed.
        self.tell_afresh();
        Ok(())
    }

    async fn read_log(&mut self, table: &mut Table) -> Result<Result<(), Damage>, StorageError> {
        let mut transitions = Vec::new();
        loop {
            let page = self.app.store.transitions(&self.id, transitions.len() as u64, PAGE).await?;
            let is_last = page.len() < PAGE as usize;
            transitions.extend(page);
            if is_last {
                break;
            }
        }
        if let Some(damage) = storage::damage::find(&table.row, &transitions) {
            // Another server may have written between the two reads; only what stays wrong is damaged.
            let now = self.app.store.match_row(&self.id).await?;
            return match now.filter(|it| *it != table.row) {
                Some(row) => {
                    table.row = row;
                    Box::pin(self.read_log(table)).await
                }
                None => Ok(Err(damage)),
            };
        }
        let unplayable = |why: String| Damage {
            match_id: self.id.clone(),
            n_good: transitions.len() as u64,
            what: What::Unplayable(why),
        };
        let Some(entry) = self.app.games.by_rules(&table.row.rules) else {
            return Ok(Err(unplayable("its rules are not on this server".to_owned())));
        };
        let Some(bytes) = stored::join(&transitions) else {
            return Ok(Err(unplayable("its first transition is no beginning".to_owned())));
        };
        let live = match entry.game.reload(&bytes) {
            Ok(live) => live,
            Err(why) => return Ok(Err(unplayable(why.to_string()))),
        };
        for it in &transitions {
            let note = Note::of(it);
            if let Some(command_id) = &it.command_id {
                table.past.insert(command_id.clone(), Past::new(it.request, &note));
            }
        }
        let notes: Vec<Note> = transitions.iter().map(Note::of).collect();
        table.clocks = notes.last().map(|it| it.clocks.clone()).unwrap_or_default();
        table.seat_faces(live, &notes);
        Ok(Ok(()))
    }

    /// Marks a damaged match, so that nobody plays on in it.
    pub(crate) async fn condemn(&mut self, table: &mut Table, damage: &Damage) {
        tracing::error!(match_id = %self.id, n_good = damage.n_good, "{damage}");
        self.app.metrics.damaged.inc();
        table.live = None;
        table.clocks.clear();
        table.row.status = MatchStatus::Damaged;
        table.detail.damage = Some(damage.to_string());
        table.row.detail = table.detail.to_bytes();
        if let Err(error) = self.app.store.commit(vec![Op::PutMatch(table.row.clone())]).await {
            tracing::error!(code = error.code(), "{error}");
        }
    }

    async fn subscribe(&mut self, it: Subscribe) -> Result<(), ApiError> {
        self.load().await?;
        self.check_receipt(&it).await?;
        // Before he is shown the table, which this changes.
        self.arrived(it.viewer).await?;
        let app = self.app.clone();
        let id = self.id.clone();
        let Some(table) = &mut self.table else { return Err(ApiError::not_found("match")) };
        if table.row.status == MatchStatus::Damaged {
            return Err(table.damaged());
        }
        let Subscribe { viewer, after, request_id, outbox, .. } = it;
        if outbox.is_bell() {
            self.follow(viewer, outbox);
            return Ok(());
        }
        let sequence = table.sent(viewer).n_events;
        let match_id = id.0.clone();
        let entry = app.games.by_rules(&table.row.rules);
        let catalogue_hash = entry.map(|it| it.catalogue_hash).unwrap_or_default();
        let viewer_name = viewer.to_string();
        outbox.send(&ServerMessage::Subscribed(Subscribed {
            request_id,
            match_id,
            viewer: viewer_name,
            sequence,
            catalogue_hash,
        }));
        if let (Some(live), Some(after)) = (&table.live, after) {
            live.events(viewer, after).into_iter().for_each(|it| outbox.send(&crate::face::event(&id.0, it)));
        }
        let clocks = table.clocks.clone();
        if let (Some(live), Some(face)) = (&table.live, table.faces.iter_mut().find(|it| it.viewer == viewer)) {
            let receipt = app.seals.write(&id, &viewer.to_string(), &face.sent);
            let greeting = face.greet(&**live, &id.0, receipt, &|it| deadline(&app, &clocks, it));
            greeting.iter().for_each(|it| outbox.send(it));
            table.takeback_asked(&id.0, viewer).iter().for_each(|it| outbox.send(it));
        }
        self.follow(viewer, outbox);
        Ok(())
    }

    fn follow(&mut self, viewer: Viewer, outbox: Outbox) {
        self.followers.retain(|it| it.outbox.id != outbox.id || it.viewer != viewer);
        self.followers.push(Follower { viewer, outbox });
    }

    /// A receipt for something the log does not hold proves that the log lost it.
    async fn check_receipt(&mut self, it: &Subscribe) -> Result<(), ApiError> {
        let Some(receipt) = &it.receipt else { return Ok(()) };
        let name = it.viewer.to_string();
        let Some(proof) = self.app.seals.read(&self.id, &name, receipt) else {
            return Err(ApiError::malformed("the receipt is not one of this server for this match and viewer"));
        };
        let Some(table) = self.table.as_ref().filter(|it| it.live.is_some()) else { return Ok(()) };
        let ours = table.sent_until(it.viewer, proof.n_events);
        let is_whole = ours.is_some_and(|ours| ours.digest == proof.digest && ours.n_accepted >= proof.n_accepted);
        if is_whole {
            return Ok(());
        }
        let proof =
            format!("{} was told of {} events and had {} requests accepted", name, proof.n_events, proof.n_accepted);
        let damage = Damage { match_id: self.id.clone(), n_good: table.row.n_transitions, what: What::Receipt(proof) };
        if let Some(mut table) = self.table.take() {
            self.condemn(&mut table, &damage).await;
            self.table = Some(table);
        }
        Err(self.table.as_ref().map_or_else(|| ApiError::not_found("match"), Table::damaged))
    }

    async fn unsubscribe(&mut self, outbox: u64) {
        let gone: Vec<Viewer> = self.followers.iter().filter(|it| it.outbox.id == outbox).map(|it| it.viewer).collect();
        self.followers.retain(|it| it.outbox.id != outbox);
        for viewer in gone {
            self.left(viewer).await;
        }
    }

    async fn miss(&mut self, account: &AccountId) {
        drop(self.load().await);
        if let Some(seat) = self.seat_of(account) {
            self.left(Viewer::Seat(seat)).await;
        }
    }

    fn drop_gone(&mut self) {
        self.followers.retain(|it| !it.outbox.is_gone());
    }

    fn follows(&self, viewer: Viewer) -> bool {
        self.followers.iter().any(|it| it.viewer == viewer && !it.outbox.is_gone())
    }

    /// The seats of players who do not hear of an end together with the commit: those who are not here, and those
    /// whose bell rings, since a bell may break before anything is said. They note themselves that they have heard.
    pub(crate) fn untold(&self) -> Vec<u8> {
        let seats = self.table.as_ref().map_or(&[][..], |it| &it.row.seats);
        let people = (0_u8..).zip(seats).filter(|it| it.1.is_some()).map(|it| it.0);
        let hears = |seat: u8, it: &Follower| it.viewer == Viewer::Seat(Seat(seat)) && it.outbox.hears();
        people.filter(|seat| !self.followers.iter().any(|it| hears(*seat, it))).collect()
    }

    /// Tells a player who follows why something is refused that he did not ask for himself.
    pub(crate) fn warn(&self, seat: Seat, error: &ApiError) {
        let message = ServerMessage::Error(ErrorBody { match_id: Some(self.id.0.clone()), ..(*error.body).clone() });
        let is_his = |it: &&Follower| it.viewer == Viewer::Seat(seat) && !it.outbox.is_bell();
        self.followers.iter().filter(is_his).for_each(|it| it.outbox.send(&message));
    }

    /// Tells everybody who follows something, each with his own number of events.
    pub(crate) fn tell_each(&self, message: impl Fn(&Table, Viewer) -> Option<ServerMessage>) {
        let Some(table) = &self.table else { return };
        for it in self.followers.iter().filter(|it| !it.outbox.is_bell()) {
            message(table, it.viewer).iter().for_each(|message| it.outbox.send(message));
        }
    }

    /// Tells the rules that a player is here, if they wait for him to come back.
    async fn arrived(&mut self, viewer: Viewer) -> Result<(), ApiError> {
        let Viewer::Seat(seat) = viewer else { return Ok(()) };
        let is_missed = |it: &Table| it.clocks.iter().any(|it| it.clock == Clock::Grace(seat.0));
        self.unsaid.retain(|it| *it != seat);
        if self.cares_about(viewer).is_some() && self.table.as_ref().is_some_and(is_missed) {
            self.host_order(Act::Control(Control::Reconnect(seat))).await?;
        }
        Ok(())
    }

    /// Tells the rules that a player has gone, if they care and no other socket of his is here.
    async fn left(&mut self, viewer: Viewer) {
        if let Viewer::Seat(seat) = viewer {
            self.unsaid.push(seat);
            self.say_who_left().await;
        }
        if let Some(table) = &mut self.table
            && !self.followers.iter().any(|it| it.viewer == viewer)
        {
            table.faces.iter_mut().filter(|it| it.viewer == viewer).for_each(Face::rest);
        }
    }

    /// Tells the rules who has gone and is not back; again later if the store does not take it.
    async fn say_who_left(&mut self) {
        for seat in std::mem::take(&mut self.unsaid) {
            let viewer = Viewer::Seat(seat);
            let is_loaded = self.load().await.is_ok() || !self.has_failed;
            let gone = if self.follows(viewer) { None } else { self.cares_about(viewer) };
            let said = match gone {
                Some(_) => self.host_order(Act::Control(Control::Disconnect(seat))).await.map(drop),
                None => Ok(()),
            };
            let is_unstored = said.is_err_and(|it| it.status == axum::http::StatusCode::SERVICE_UNAVAILABLE);
            if is_unstored || !is_loaded {
                self.unsaid.push(seat);
            }
        }
    }

    fn cares_about(&self, viewer: Viewer) -> Option<Seat> {
        // What breaks while the server stops is not the players' fault.
        if *self.app.stop.borrow() {
            return None;
        }
        let live = self.table.as_ref()?.live.as_ref()?;
        let Viewer::Seat(seat) = viewer else { return None };
        (live.outcome().is_none() && live.disconnect_grace_ms().is_some()).then_some(seat)
    }

    /// Tells everybody who follows what is new.
    pub(crate) fn tell(&mut self, why: Closed) {
        let app = self.app.clone();
        let id = self.id.clone();
        let Some(table) = &mut self.table else { return };
        let Some(live) = &table.live else { return };
        let clocks = &table.clocks;
        self.followers.iter().for_each(|it| it.outbox.ring());
        for face in &mut table.faces {
            let name = face.viewer.to_string();
            let receipt = |sent: &Sent| app.seals.write(&id, &name, sent);
            let news = face.update(&**live, &id.0, receipt, &|it| deadline(&app, clocks, it), why);
            let followers = || self.followers.iter().filter(|it| it.viewer == face.viewer && !it.outbox.is_bell());
            for message in &news {
                let text = to_text(message);
                followers().for_each(|it| it.outbox.send_text(text.clone()));
            }
        }
    }

    /// Shows everybody the table as it is, since it was read again from the store.
    pub(crate) fn tell_afresh(&mut self) {
        let (app, id) = (self.app.clone(), self.id.clone());
        let Some(table) = &mut self.table else { return };
        let Some(live) = &table.live else { return };
        let clocks = &table.clocks;
        self.followers.iter().for_each(|it| it.outbox.ring());
        for face in &mut table.faces {
            let is_his = |it: &&Follower| it.viewer == face.viewer && !it.outbox.is_bell();
            let followers: Vec<&Follower> = self.followers.iter().filter(is_his).collect();
            if followers.is_empty() {
                continue;
            }
            let receipt = app.seals.write(&id, &face.viewer.to_string(), &face.sent);
            let news = face.greet(&**live, &id.0, receipt, &|it| deadline(&app, clocks, it));
            let texts: Vec<_> = news.iter().map(to_text).collect();
            followers.iter().for_each(|it| texts.iter().for_each(|text| it.outbox.send_text(text.clone())));
        }
    }

    async fn run_clocks(&mut self) {
        let now = self.app.clock.uptime();
        let Some(table) = &mut self.table else { return };
        let due: Vec<Running> = table.clocks.iter().filter(|it| it.due <= now).cloned().collect();
        for it in due {
            let control = match it.clock {
                Clock::Timer(_) => Control::Timer,
                Clock::Input(input) => Control::Timeout(input),
                // Who is here is not thrown out for being away, whatever was noted.
                Clock::Grace(seat) if self.follows(Viewer::Seat(Seat(seat))) => Control::Reconnect(Seat(seat)),
                Clock::Grace(seat) => Control::Kick(Seat(seat)),
            };
            let is_running = |room: &Self| room.table.as_ref().is_some_and(|table| table.clocks.contains(&it));
            if is_running(self) {
                let result = self.host_order(Act::Control(control)).await;
                let late_ms = u32::try_from(self.app.clock.uptime().saturating_sub(it.due)).unwrap_or(0);
                self.app.metrics.clock_late_seconds.observe(f64::from(late_ms) / 1000.0);
                if let (Err(error), Some(table)) = (result, &mut self.table) {
                    table.put_off(&it, &error);
                }
            }
        }
    }

    /// Lets the next bot that is asked something think.
    fn ask_bot(&mut self) {
        if self.thinking.is_some() {
            return;
        }
        let Some((seat, table)) = self.waiting_bot().zip(self.table.as_mut()) else { return };
        let Some((live, bot)) = table.live.as_ref().map(|it| it.fork()).zip(table.bots.remove(&seat)) else { return };
        let delay = Duration::from_millis(self.app.config.bot_delay_ms);
        self.thinking = Some(Thinking::begin(live, bot, seat, delay));
    }

    /// The seat of a bot that is asked something.
    fn waiting_bot(&self) -> Option<Seat> {
        let table = self.table.as_ref().filter(|it| !it.bots.is_empty())?;
        let live = table.live.as_ref()?;
        if self.stuck_at == Some(live.version()) {
            return None;
        }
        let Waiting::Answers(seats) = live.waiting() else { return None };
        seats.into_iter().find(|it| table.bots.contains_key(it))
    }

    /// Who an account is at this table.
    pub fn seat_of(&self, account: &AccountId) -> Option<Seat> {
        self.table.as_ref().and_then(|it| seat_of(&it.row, account))
    }
}

/// What a bot came to, once it has.
async fn done(thinking: &mut Option<Thinking>) -> Thought {
    match thinking {
        Some(it) => it.done().await,
        None => std::future::pending().await,
    }
}

/// When a clock runs out, in milliseconds since 1970.
pub fn deadline(app: &App, clocks: &[Running], clock: Clock) -> Option<i64> {
    let clock = clocks.iter().find(|it| it.clock == clock)?;
    Some(app.clock.wall_of(clock.due))
}

impl Table {
    /// A clock that could not be carried out: what the rules refuse must not be tried for ever, all else is tried again.
    fn put_off(&mut self, clock: &Running, error: &ApiError) {
        let is_refused = error.status == axum::http::StatusCode::UNPROCESSABLE_ENTITY;
        self.clocks.retain(|it| it != clock || !is_refused);
        let later = |it: &mut Running| it.due = it.due.saturating_add(1000);
        self.clocks.iter_mut().filter(|it| *it == clock).for_each(later);
    }

    /// A table at which nothing has happened yet, with the bots that play at it.
    pub(crate) fn new(row: MatchRow) -> Self {
        let mut table = Self {
            detail: Detail::of(&row),
            row,
            live: None,
            faces: Vec::new(),
            clocks: Vec::new(),
            past: HashMap::new(),
            bots: BTreeMap::new(),
            takebacks: Takebacks::default(),
        };
        table.hire_bots();
        table
    }

    /// The seats of bots, those that think included.
    pub(crate) fn bot_seats(&self) -> Vec<Seat> {
        let seats = (0_u8..).zip(&self.detail.seats);
        seats.filter(|it| it.1.bot.is_some()).map(|it| Seat(it.0)).collect()
    }

    fn hire_bots(&mut self) {
        let seats = (0_u8..).zip(&self.detail.seats);
        let hired = seats.filter_map(|(seat, it)| {
            let seed = u64::from_le_bytes(crate::ids::random());
            Some((Seat(seat), Bot::new(it.bot.as_ref()?, seed)?))
        });
        self.bots = hired.collect();
    }

    /// Seats everybody who may watch a match.
    pub fn seat_faces(&mut self, live: Box<dyn HostedMatch>, notes: &[Note]) {
        let accepted = |viewer: Viewer| {
            let Viewer::Seat(seat) = viewer else { return 0 };
            let n_accepted = notes.iter().filter(|it| it.seat == Some(seat.0)).count();
            u32::try_from(n_accepted).unwrap_or(u32::MAX)
        };
        let viewers = host::script::viewers(live.n_seats());
        self.faces = viewers.map(|it| Face::new(&*live, it, accepted(it))).collect();
        self.live = Some(live);
    }

    /// What a viewer was sent.
    pub fn sent(&self, viewer: Viewer) -> Sent {
        self.faces.iter().find(|it| it.viewer == viewer).map(|it| it.sent).unwrap_or_default()
    }

    /// What a viewer was sent up to an event; none if there is no such event.
    fn sent_until(&self, viewer: Viewer, n_events: u32) -> Option<Sent> {
        let live = self.live.as_ref()?;
        let n_accepted = self.sent(viewer).n_accepted;
        let events = live.event_texts(viewer, 0);
        let told = events.get(..usize::try_from(n_events).ok()?)?;
        Some(told.iter().fold(Sent { n_accepted, ..Sent::default() }, Sent::with))
    }

    /// That nothing can be done with a damaged match.
    pub fn damaged(&self) -> ApiError {
        let what = self.detail.damage.clone().unwrap_or_else(|| "the log of this match is damaged".to_owned());
        ApiError::unavailable("storage/match_damaged", what)
    }
}

/// The hash of a request, so that another under the same name is noticed.
pub fn request_hash(kind: &str, seat: Option<Seat>, body: &str) -> Hash {
    let seat = seat.map_or(String::new(), |it| it.to_string());
    storage::chain::hash_parts(&[kind.as_bytes(), seat.as_bytes(), body.as_bytes()])
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    Time::wall()
}
