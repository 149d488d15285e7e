//! A player at a socket: what he says is carried out, and what happens in his match is told in a few plain messages.

use std::{sync::Arc, time::Duration};

use axum::http::StatusCode;
use host::{Answer, Seat, Viewer};
use selector::{Response, Value};
use serde_json::Value as Json;
use storage::{Account, AccountId, MatchId, MatchRow};
use tokio::{sync::mpsc, time::Instant};

use super::{
    lobby::{self, Leaving, News},
    messages::{Ended, Layout, Message, Prep, Said, Synced, SyncedTable},
    snapshot::{Depth, InHand, Snapshot},
    track::{self, Told, Track},
};
use crate::{
    app::App,
    auth::account_of,
    detail::{Detail, EndDetail, seat_of},
    error::ApiError,
    games::Entry,
    gate::Hold,
    ids,
    outbox::Outbox,
    play::{HEARD, Order},
    requests::Act,
    room::{Change, Mail, Subscribe},
    sessions::Opened,
    stakes, wire,
};

/// How long until a match that could not be looked at is looked at again.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// How many results a screen is shown. A player who asks for matches without waiting for answers can miss the end of one
/// of them; so many at once nobody does.
const RESULTS: u32 = 8;

/// A player at a socket.
pub struct Session {
    app: Arc<App>,
    game: Entry,
    /// The way to the socket.
    outbox: Outbox,
    /// What the match rings when something happened.
    bell: Outbox,
    news: mpsc::UnboundedSender<News>,
    account: Option<Account>,
    /// Counts the socket as one of the account.
    hold: Option<Hold<AccountId>>,
    /// So that it ends with the session.
    opened: Option<Opened>,
    duel: Option<Duel>,
    /// When to look again at a match that could not be looked at.
    look_at: Option<Instant>,
}

/// The match somebody plays.
struct Duel {
    id: MatchId,
    track: Track,
    /// How many events were heard.
    n_events: u32,
    /// How many cards a layout has, as far as that was seen.
    slots: u32,
}

/// The table at a moment, and the tokens its player has then.
struct Moment<'s> {
    snapshot: &'s Snapshot,
    tokens: i64,
}

impl Session {
    /// Somebody who has not said who he is.
    pub fn new(app: Arc<App>, game: Entry, outbox: Outbox, bell: Outbox, news: mpsc::UnboundedSender<News>) -> Self {
        Self { app, game, outbox, bell, news, account: None, hold: None, opened: None, duel: None, look_at: None }
    }

    /// Whether he has said who he is.
    pub fn is_known(&self) -> bool {
        self.account.is_some()
    }

    /// Whether he plays and the time to lay cards runs. While the match cannot be looked at it may, and nobody loses by
    /// a store that does not answer.
    pub async fn is_preparing(&self) -> bool {
        let (Some(account), Some(duel)) = (&self.account, &self.duel) else { return false };
        Snapshot::take(&self.app, &duel.id, &account.id).await.map_or(true, |it| it.is_preparing())
    }

    fn say(&self, message: &Message) {
        self.outbox.send_text(serde_json::to_string(message).expect("messages are plain data; qed").into());
    }

    /// Says that something was refused.
    pub fn refuse(&self, error: &ApiError) {
        self.say(&Message::error(&error.body.code, error.body.message.clone()));
    }

    async fn tokens(&self) -> Result<i64, ApiError> {
        Ok(self.app.store.balance(&self.account()?.id).await?)
    }

    /// Whoever hangs up leaves the line and the match.
    pub async fn leave(mut self, mut heard: mpsc::UnboundedReceiver<News>) {
        self.app.lobby.hang_up(&self.game, self.bell.id);
        // A match that was found in the last moment is left like any other; of a later one the line hears at once that
        // nobody is here.
        heard.close();
        while let Some(news) = heard.recv().await {
            if let News::Found(id) = news {
                drop(self.follow(&id).await);
            }
        }
        if let Some(duel) = self.duel.take() {
            self.unfollow(&duel.id).await;
        }
    }

    async fn unfollow(&self, id: &MatchId) {
        let outbox = self.bell.id;
        self.app.hub.tell(&self.app, id, Mail::Unsubscribe { outbox }).await;
    }

    /// Carries out what he says.
    pub async fn hear(&mut self, text: &str) {
        let said: Said = match serde_json::from_str(text) {
            Ok(said) => said,
            Err(_) => return self.say(&Message::error("bad_message", "there is no such message")),
        };
        if self.account.is_none() && !matches!(said, Said::Hello { .. }) {
            return self.say(&Message::error("hello_first", "say hello with a token first"));
        }
        let done = match said {
            Said::Hello { token } => self.hello(&token).await,
            Said::QueueJoin => self.queue_join().await,
            Said::QueueLeave => self.queue_leave(),
            Said::PveStart => self.pve_start().await,
            Said::LayoutDraft { match_id, layout } => {
                self.draft(&match_id, &layout).await;
                Ok(())
            }
            Said::LayoutConfirm { match_id, layout } => self.confirm(&match_id, &layout).await,
            Said::Sync => self.sync().await,
        };
        if let Err(error) = done {
            self.refuse(&error);
        }
    }

    async fn hello(&mut self, token: &str) -> Result<(), ApiError> {
        if self.account.is_some() {
            return Err(ApiError::conflict("already_known", "you said hello before"));
        }
        let account = account_of(&self.app, token).await?;
        let tokens = self.app.store.balance(&account.id).await?;
        self.hold = Some(wire::hold_account(&self.app, &account.id)?);
        self.opened = Some(self.app.sessions.open(ids::token_hash(token), &self.outbox));
        let (account_id, nickname) = (account.id.0.clone(), account.nickname.clone());
        self.account = Some(account);
        self.say(&Message::HelloOk { account_id, nickname, tokens });
        self.sync().await
    }

    /// Takes up the match he plays, and hears how those ended that he has not heard of.
    async fn resume(&mut self, account: &Account) -> Result<(), ApiError> {
        // What is no longer live when this is read is among those that ended when they are.
        if let Some(row) = lobby::live_match(&self.app, &self.game, &account.id).await? {
            let so_far = self.follow(&row.id).await?;
            self.catch_up(&so_far);
        }
        self.tell_missed(account).await
    }

    /// Tells how matches ended of which he has not heard; of the one he follows he hears as it goes on.
    async fn tell_missed(&self, account: &Account) -> Result<(), ApiError> {
        let followed = self.duel.as_ref().map(|it| &it.id);
        let missed = lobby::untold(&self.app, &self.game, &account.id).await?;
        for row in missed.iter().filter(|it| Some(&it.id) != followed) {
            // One that cannot be read must not keep him from all else.
            let tokens = self.tokens().await?;
            let Ok(Some(ended)) = self.end_of(row, &account.id, tokens).await else { continue };
            if self.note_heard(&row.id, &account.id).await.is_ok() {
                self.say(&Message::MatchEnd(ended));
            }
        }
        Ok(())
    }

    /// Notes that an end is told now; refused if another socket of his was faster. Noted before it is said, so that it
    /// is never said twice; if he does not hear it, `sync_state` has it among the last results.
    async fn note_heard(&self, id: &MatchId, account: &AccountId) -> Result<(), ApiError> {
        let change = Change::Hear { account: account.clone() };
        self.app.hub.ask(&self.app, id, |reply| Mail::Change { change: change.clone(), reply }).await.map(drop)
    }

    async fn queue_join(&mut self) -> Result<(), ApiError> {
        let (app, account) = (self.app.clone(), self.account()?);
        self.tell_missed(&account).await?;
        let tokens = app.lobby.join(&app, &self.game, &account, self.bell.id, self.news.clone()).await?;
        self.say(&Message::QueueOk { tokens });
        Ok(())
    }

    fn queue_leave(&mut self) -> Result<(), ApiError> {
        let account = self.account()?;
        match self.app.lobby.leave(&self.game, &account.id) {
            Leaving::Left => self.say(&Message::QueueLeft),
            Leaving::Undecided => {}
            Leaving::NotThere => return Err(ApiError::conflict("not_queued", "you are not waiting for a match")),
        }
        Ok(())
    }

    async fn pve_start(&mut self) -> Result<(), ApiError> {
        let (app, account) = (self.app.clone(), self.account()?);
        self.tell_missed(&account).await?;
        let id = app.lobby.play_house(&app, &self.game, &account).await?;
        self.begin(&id).await
    }

    fn account(&self) -> Result<Account, ApiError> {
        self.account.clone().ok_or_else(ApiError::unauthorized)
    }

    /// Hears from the waiting line.
    pub async fn learn(&mut self, news: News) {
        let done = match news {
            News::Found(id) => match self.begin(&id).await {
                Err(error) if is_passing(&error) => {
                    self.learn_later(News::Found(id));
                    Ok(())
                }
                done => done,
            },
            News::Left => {
                self.say(&Message::QueueLeft);
                Ok(())
            }
            News::TooPoor => Err(ApiError::conflict("not_enough_tokens", "there are not enough tokens")),
        };
        if let Err(error) = done {
            self.refuse(&error);
        }
    }

    /// Hears the same once more a little later.
    fn learn_later(&self, news: News) {
        let to = self.news.clone();
        tokio::spawn(async move {
            tokio::time::sleep(LOOK_AGAIN).await;
            drop(to.send(news));
        });
    }

    /// A new match: says so, and tells all that happened since.
    async fn begin(&mut self, id: &MatchId) -> Result<(), ApiError> {
        // Nobody plays two, so the last one has ended, perhaps while he asked for this one.
        self.look().await;
        let your_tokens = self.tokens().await?;
        let (account, snapshot) = (self.account()?, self.follow(id).await?);
        if snapshot.outcome.is_some() && !lobby::is_untold(&snapshot.row, &account.id) {
            // It began and ended while he asked for another one, and he was told before that.
            self.duel = None;
            self.unfollow(id).await;
            return Ok(());
        }
        let (your_nickname, opp_nickname) = snapshot.nicknames();
        let your_hand = self.hand(&snapshot);
        let (your_hp, opp_hp) = self.duel.as_ref().map_or((0, 0), |it| it.track.both());
        let (match_id, pot) = (id.0.clone(), snapshot.pot());
        self.say(&Message::MatchFound {
            match_id,
            your_hp,
            opp_hp,
            your_tokens,
            pot,
            your_nickname,
            opp_nickname,
            your_hand,
        });
        // What could not be told is told at the bell, which `follow` has rung.
        drop(self.tell(&snapshot).await);
        Ok(())
    }

    /// Follows a match from its beginning.
    async fn follow(&mut self, id: &MatchId) -> Result<Snapshot, ApiError> {
        let account = self.account()?;
        let snapshot = Snapshot::take_after(&self.app, id, &account.id, 0, Depth::Whole).await?;
        let (viewer, outbox) = (Viewer::Seat(snapshot.seat), self.bell.clone());
        let subscribe =
            Subscribe { viewer, account: account.id.clone(), after: None, receipt: None, request_id: None, outbox };
        self.app.hub.ask(&self.app, id, |reply| Mail::Subscribe { subscribe: subscribe.clone(), reply }).await?;
        let track = Track::new(snapshot.seat, self.game.game.clone(), snapshot.health(&self.game.game));
        self.duel = Some(Duel { id: id.clone(), track, n_events: 0, slots: snapshot.slots() });
        // What happened since the look at it, be it the end, is seen at the next one.
        self.bell.ring();
        Ok(snapshot)
    }

    /// Hears of everything that happened so far without telling it again.
    fn catch_up(&mut self, so_far: &Snapshot) {
        let Some(duel) = &mut self.duel else { return };
        duel.n_events += u32::try_from(so_far.events.len()).unwrap_or(0);
        so_far.events.iter().for_each(|it| drop(duel.track.hear(it)));
    }

    /// When to look at the match again without being called.
    pub fn look_at(&self) -> Option<Instant> {
        self.look_at
    }

    /// Something happened in the match.
    pub async fn look(&mut self) {
        self.look_at = None;
        let (Some(account), Some(duel)) = (&self.account, &self.duel) else { return };
        let looked = Snapshot::take_after(&self.app, &duel.id, &account.id, duel.n_events, Depth::News).await;
        let told = match looked {
            Ok(snapshot) => self.tell(&snapshot).await,
            Err(error) => Err(error),
        };
        match told {
            // The bell may not ring again for what it rang for.
            Err(error) if is_passing(&error) => self.look_at = Some(Instant::now() + LOOK_AGAIN),
            Err(error) => self.refuse(&error),
            Ok(()) => {}
        }
    }

    /// Tells what happened up to a moment.
    async fn tell(&mut self, snapshot: &Snapshot) -> Result<(), ApiError> {
        // Most news is of cards; the ledger is asked only where tokens are told.
        let is_about_tokens =
            snapshot.outcome.is_some() || snapshot.events.iter().any(|it| track::begins_round(&self.game.game, it));
        let tokens = if is_about_tokens { self.tokens().await? } else { 0 };
        self.note_slots(snapshot);
        let told = Moment { snapshot, tokens };
        for event in &snapshot.events {
            let Some(duel) = &mut self.duel else { return Ok(()) };
            duel.n_events += 1;
            if let Some(news) = duel.track.hear(event) {
                let message = self.message(&told, news);
                message.iter().for_each(|it| self.say(it));
            }
        }
        match snapshot.end(&self.game.game) {
            Some(end) => self.say_end(self.ended(&snapshot.row, snapshot.seat, &end, tokens)).await,
            None => Ok(()),
        }
    }

    /// Says how the match he follows ended, on each of his sockets that follow it.
    async fn say_end(&mut self, ended: Ended) -> Result<(), ApiError> {
        let (account, Some(duel)) = (self.account()?, &self.duel) else { return Ok(()) };
        match self.note_heard(&duel.id, &account.id).await {
            Err(error) if error.body.code != HEARD => return Err(error),
            _ => {}
        }
        if let Some(duel) = self.duel.take() {
            self.unfollow(&duel.id).await;
            self.say(&Message::MatchEnd(ended));
        }
        Ok(())
    }

    /// Remembers how many cards a layout has, which nobody asks for while cards are shown.
    fn note_slots(&mut self, snapshot: &Snapshot) {
        if let (Some(duel), slots @ 1..) = (&mut self.duel, snapshot.slots()) {
            duel.slots = slots;
        }
    }

    fn message(&self, told: &Moment<'_>, news: Told) -> Option<Message> {
        let duel = self.duel.as_ref()?;
        let (match_id, round_index) = (duel.id.0.clone(), duel.track.round);
        let (your_hp, opp_hp) = duel.track.both();
        let sudden_death = duel.track.sudden;
        Some(match news {
            Told::Prep => {
                let (your_nickname, opp_nickname) = told.snapshot.nicknames();
                let your_hand = self.hand(told.snapshot);
                Message::PrepStart(Box::new(Prep {
                    match_id,
                    round_index,
                    sudden_death,
                    deadline_ts: told.snapshot.deadline,
                    slots: told.snapshot.slots(),
                    your_nickname,
                    opp_nickname,
                    your_hp,
                    opp_hp,
                    pot: told.snapshot.pot(),
                    your_tokens: told.tokens,
                    cards: your_hand.clone(),
                    your_hand,
                }))
            }
            Told::Step(step) => Message::StepReveal { match_id, round_index, step },
            Told::RoundEnd => Message::RoundEnd { match_id, round_index, sudden_death, your_hp, opp_hp },
        })
    }

    fn ended(&self, row: &MatchRow, seat: Seat, end: &EndDetail, your_tokens: i64) -> Ended {
        let winner = match end.outcome.winners.as_slice() {
            [] => None,
            winners if winners.contains(&seat.to_string()) => Some("YOU"),
            _ => Some("OPPONENT"),
        };
        let game = &self.game.game;
        let (your_hp, opp_hp) = Track::new(seat, game.clone(), end.health.clone()).both();
        let pot = stakes::word(stakes::pot_of(game, row, &end.outcome));
        let reason = game.told_ending(&end.outcome.reason).to_owned();
        Ended { match_id: row.id.0.clone(), winner, reason, your_hp, opp_hp, your_tokens, pot }
    }

    /// How a match ended for him that he does not follow.
    async fn end_of(&self, row: &MatchRow, account: &AccountId, tokens: i64) -> Result<Option<Ended>, ApiError> {
        let Some(seat) = seat_of(row, account) else { return Ok(None) };
        let end = match Detail::of(row).end {
            // Stores of older servers do not have it; the match itself does.
            None => Snapshot::take(&self.app, &row.id, account).await?.end(&self.game.game),
            end => end,
        };
        Ok(end.map(|it| self.ended(row, seat, &it, tokens)))
    }

    /// The cards of a player, without those that stand for none.
    fn hand(&self, snapshot: &Snapshot) -> Vec<String> {
        let gap = self.game.game.role("gap");
        let cards = snapshot.hand().into_iter().map(|it| it.card);
        cards.filter(|it| Some(it.as_str()) != gap).collect()
    }

    async fn sync(&mut self) -> Result<(), ApiError> {
        let account = self.account()?;
        // A match that could not be taken up when he said hello is taken up now.
        if self.duel.is_none() {
            self.resume(&account).await?;
        }
        let tokens = self.tokens().await?;
        let table = match self.duel.as_ref().map(|it| it.id.clone()) {
            Some(id) => {
                let snapshot = Snapshot::take(&self.app, &id, &account.id).await?;
                self.note_slots(&snapshot);
                self.duel.as_ref().map(|duel| (self.table(duel, &snapshot), snapshot.is_preparing()))
            }
            None => None,
        };
        let phase = match &table {
            Some((_, true)) => "PREP",
            Some((_, false)) => "REVEAL",
            None if self.app.lobby.has(&account.id) => "QUEUED",
            None => "IDLE",
        };
        let mut results = self.last_results(&account, tokens).await?.into_iter();
        let table = table.map(|it| it.0);
        let your_nickname = account.nickname;
        self.say(&Message::SyncState(Box::new(Synced {
            phase,
            your_tokens: tokens,
            your_nickname,
            table,
            last_result: results.next(),
            earlier_results: results.collect(),
        })));
        Ok(())
    }

    fn table(&self, duel: &Duel, snapshot: &Snapshot) -> SyncedTable {
        let gap = self.game.game.role("gap");
        let layout = |cards: &[String]| -> Layout {
            cards.iter().map(|it| Some(it.clone()).filter(|it| Some(it.as_str()) != gap)).collect()
        };
        let laid = |is_final: bool| snapshot.own.as_ref().filter(|it| it.1 == is_final).map(|it| layout(&it.0));
        let (your_hp, opp_hp) = duel.track.both();
        SyncedTable {
            match_id: duel.id.0.clone(),
            round_index: duel.track.round,
            sudden_death: duel.track.sudden,
            deadline_ts: snapshot.deadline,
            slots: duel.slots,
            opp_nickname: snapshot.nicknames().1,
            your_hp,
            opp_hp,
            pot: snapshot.pot(),
            your_hand: self.hand(snapshot),
            draft: laid(false),
            confirmed: laid(true),
            steps: duel.track.steps.clone(),
        }
    }

    /// How his last matches ended, newest first.
    async fn last_results(&self, account: &Account, tokens: i64) -> Result<Vec<Ended>, ApiError> {
        let mut results = Vec::new();
        for row in lobby::last_played(&self.app, &self.game, &account.id, RESULTS).await? {
            results.extend(self.end_of(&row, &account.id, tokens).await?);
        }
        Ok(results)
    }

    /// A draft is never answered: what cannot be used is left out, or ignored.
    async fn draft(&mut self, match_id: &Json, layout: &Json) {
        let Ok(snapshot) = self.current(match_id).await else { return };
        let slots = slots(layout).unwrap_or_default();
        drop(self.lay(&snapshot, &slots, false).await);
    }

    async fn confirm(&mut self, match_id: &Json, layout: &Json) -> Result<(), ApiError> {
        let snapshot = self.current(match_id).await?;
        let slots = slots(layout).ok_or_else(|| ApiError::malformed("a layout is a list of cards and nulls"))?;
        self.lay(&snapshot, &slots, true).await?;
        let Some(duel) = &self.duel else { return Ok(()) };
        let (match_id, round_index) = (duel.id.0.clone(), duel.track.round);
        self.say(&Message::ConfirmOk { match_id, round_index });
        Ok(())
    }

    /// The match a message is about, if it is the one that is played.
    async fn current(&self, match_id: &Json) -> Result<Snapshot, ApiError> {
        let account = self.account()?;
        let duel = self.duel.as_ref().filter(|it| match_id.as_str() == Some(&it.id.0));
        let duel = duel.ok_or_else(|| ApiError::conflict("not_your_match", "you do not play this match"))?;
        Snapshot::take(&self.app, &duel.id, &account.id).await
    }

    async fn lay(&self, snapshot: &Snapshot, slots: &[Option<String>], confirm: bool) -> Result<(), ApiError> {
        let open = snapshot.open.as_ref().ok_or_else(|| ApiError::conflict("not_now", "no layout is asked for now"))?;
        let (picks, n_unknown) = picks(snapshot.hand(), self.game.game.role("gap"), slots);
        if n_unknown > 0 && !confirm {
            tracing::warn!(match_id = %snapshot.row.id, n_unknown, "[INVALID_CARD_FROM_CLIENT]");
            self.app.metrics.count("invalid_card_from_client");
        }
        let response = Response::to(&open.selector, picks);
        let (seat, input, version) = (snapshot.seat, open.input_id, snapshot.version);
        let act = Act::Answer(Answer { seat, input, version, response, confirm });
        let order = Order { seat: Some(seat), moderator: None, command_id: None, request: [0; 32], act };
        crate::matches::order(&self.app, &snapshot.row.id, order).await.map(drop)
    }
}

/// Whether the same may go well a little later.
fn is_passing(error: &ApiError) -> bool {
    matches!(error.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

/// The slots of a layout on the wire; none if it is no layout at all.
fn slots(layout: &Json) -> Option<Vec<Option<String>>> {
    let slot = |it: &Json| match it {
        Json::Null => Some(None),
        Json::String(card) => Some(Some(card.clone())),
        Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => None,
    };
    layout.as_array()?.iter().map(slot).collect()
}

/// What a layout picks of a hand, and how much of it is not there. What is not there is passed on, for the rules to
/// judge.
fn picks(mut hand: Vec<InHand>, gap: Option<&str>, slots: &[Option<String>]) -> (Vec<Value>, usize) {
    let mut n_unknown = 0;
    let mut pick = |slot: &Option<String>| {
        let wanted = slot.as_deref().filter(|it| Some(*it) != gap);
        let at = hand.iter().position(|it| match wanted {
            Some(card) => it.card == card,
            None => Some(it.card.as_str()) == gap && slot.is_none(),
        });
        match at {
            Some(at) => Value::object([("id", hand.remove(at).handle.into())]),
            None => {
                n_unknown += 1;
                Value::Null
            }
        }
    };
    let picks = slots.iter().map(&mut pick).collect();
    (picks, n_unknown)
}
