//! Carries out what is asked of a match: on the match, then in the store, and only then for everybody to see.

use host::{Progress, Rejection, Seat, Start, Viewer};
use protocol::{SuccessBody, messages::Closed};
use storage::{AccountId, Audit, CommitError, Hash, MatchRow, MatchStatus, Op};

use crate::{
    app::App,
    detail::{Detail, EndDetail, SeatDetail, seat_of},
    error::ApiError,
    games::Entry,
    ids,
    requests::{self, Act},
    room::{Change, Room, Table, now},
    stakes,
    stored::{self, Asked, Note},
    thinking::Thought,
};

/// Something somebody wants done.
#[derive(Clone, Debug)]
pub struct Order {
    /// The seat that asks; none for the host and moderators.
    pub seat: Option<Seat>,
    /// The moderator who asks.
    pub moderator: Option<AccountId>,
    /// What the sender calls it; the same again is not done again.
    pub command_id: Option<String>,
    /// A hash of the request.
    pub request: Hash,
    pub act: Act,
}

/// What became of something that was asked before.
#[derive(Clone, Debug)]
pub struct Past {
    request: Hash,
    version: u32,
    moved: bool,
}

impl Past {
    /// What became of a request, from the note beside its transition.
    pub fn new(request: Hash, note: &Note) -> Self {
        Self { request, version: note.version, moved: note.moved }
    }
}

impl Room {
    /// Does what is asked, once.
    pub async fn obey(&mut self, order: Order) -> Result<SuccessBody, ApiError> {
        self.load().await?;
        if let Some(past) = self.known(&order)? {
            return Ok(past);
        }
        if let Some(heard) = self.consider(&order)? {
            return Ok(heard);
        }
        let progress = self.try_out(&order)?;
        match self.store(&order, progress).await {
            Ok(()) => {
                self.tell(order.closes());
                self.lapse_takeback(&order, progress);
                Ok(self.success(order.seat, progress, false))
            }
            Err(error) => self.recover(&order, error).await,
        }
    }

    /// Does what the host wants.
    pub(crate) async fn host_order(&mut self, act: Act) -> Result<SuccessBody, ApiError> {
        let order = Order { seat: None, moderator: None, command_id: None, request: [0; 32], act };
        self.obey(order).await
    }

    /// What became of the order, if it was carried out before.
    fn known(&self, order: &Order) -> Result<Option<SuccessBody>, ApiError> {
        let table = self.table.as_ref().ok_or_else(|| ApiError::not_found("match"))?;
        let Some(past) = order.command_id.as_ref().and_then(|it| table.past.get(it)) else { return Ok(None) };
        if past.request != order.request {
            let message = "this commandId was used for another request; choose a new one";
            return Err(ApiError::conflict("request/command_id_reused", message));
        }
        let progress = Progress { version: past.version, moved: past.moved };
        Ok(Some(self.success(order.seat, progress, true)))
    }

    /// Carries it out on the match in memory; a refusal leaves it as it was.
    fn try_out(&mut self, order: &Order) -> Result<Progress, ApiError> {
        let table = self.table.as_mut().ok_or_else(|| ApiError::not_found("match"))?;
        table.check_playable()?;
        let agreed = table.agreed(order);
        let live = table.live.as_mut().ok_or_else(|| ApiError::not_found("match"))?;
        requests::carry_out(&mut **live, order.seat, &agreed, &order.act)
    }

    /// Writes down what was carried out.
    async fn store(&mut self, order: &Order, progress: Progress) -> Result<(), CommitError> {
        let (app, untold) = (self.app.clone(), self.untold());
        let Some(table) = &mut self.table else { return Ok(()) };
        let Some(live) = &table.live else { return Ok(()) };
        let clocks = stored::running(&**live, &table.clocks, app.clock.uptime());
        let Progress { version, moved } = progress;
        let note = Note { version, moved, seat: order.seat.map(|it| it.0), clocks };
        let mut row = table.row.clone();
        if live.outcome().is_some() && row.status == MatchStatus::Live {
            row.status = if order.is_void() { MatchStatus::Void } else { MatchStatus::Over };
            table.note_end(&app, untold);
            row.detail = table.detail.to_bytes();
        }
        row.updated_at = now();
        let asked = Asked { command_id: order.command_id.clone(), request: order.request, at: now() };
        let mut ops = table.append(&note, asked, &mut row);
        if row.status != table.row.status {
            ops.push(Op::PutMatch(row.clone()));
            ops.extend(table.settle_pot(&app));
        }
        ops.extend(order.audit(&row));
        let n_appended = row.n_transitions - table.row.n_transitions;
        let started = std::time::Instant::now();
        app.store.commit(ops).await?;
        app.metrics.commit_seconds.observe(started.elapsed().as_secs_f64());
        app.metrics.transitions.inc_by(n_appended);
        table.settle(order, note, row);
        Ok(())
    }

    /// After the store refused: what is in memory is not what is stored, so it is read again.
    async fn recover(&mut self, order: &Order, error: CommitError) -> Result<SuccessBody, ApiError> {
        (self.table, self.has_failed) = (None, true);
        let conflict = matches!(error, CommitError::Conflict { .. } | CommitError::DuplicateCommand { .. });
        if !conflict {
            return Err(error.into());
        }
        // Another server was faster.
        self.load().await?;
        if let Some(past) = self.known(order)? {
            return Ok(past);
        }
        let live = self.table.as_ref().and_then(|it| it.live.as_ref());
        let current = live.map_or(0, |it| it.version());
        Err(Rejection::Common(host::script::Rejection::Stale { current }).into())
    }

    pub(crate) fn success(&self, seat: Option<Seat>, progress: Progress, repeated: bool) -> SuccessBody {
        let viewer = seat.map_or(Viewer::Judge, Viewer::Seat);
        let sent = self.table.as_ref().map(|it| it.sent(viewer)).unwrap_or_default();
        let receipt = self.app.seals.write(&self.id, &viewer.to_string(), &sent);
        let Progress { version, moved } = progress;
        SuccessBody {
            match_id: None,
            command_id: None,
            success: true,
            branch_id: version,
            sequence: sent.n_events,
            moved,
            receipt,
            repeated,
        }
    }

    /// Does what a bot wants, unless the match went on while it thought.
    pub(crate) async fn play_bot(&mut self, thought: Thought) {
        let Thought { seat, version, answer, bot } = thought;
        if let Some((table, bot)) = self.table.as_mut().zip(bot) {
            table.bots.insert(seat, bot);
        }
        let current = self.table.as_ref().and_then(|it| it.live.as_ref()).map(|it| it.version());
        if current != Some(version) {
            return;
        }
        let is_refused = match answer {
            Some(answer) => {
                let (moderator, command_id) = (None, None);
                let act = Act::Answer(answer);
                let result = self.obey(Order { seat: Some(seat), moderator, command_id, request: [0; 32], act }).await;
                // What the store did not take is tried again.
                result.is_err_and(|it| it.status == axum::http::StatusCode::UNPROCESSABLE_ENTITY)
            }
            None => true,
        };
        if is_refused {
            tracing::error!(match_id = %self.id, "the bot of {seat} cannot answer");
            self.stuck_at = Some(version);
        }
    }

    /// Changes who sits where, or how the match stands.
    pub(crate) async fn change(&mut self, change: Change) -> Result<MatchRow, ApiError> {
        if !matches!(change, Change::Begin { .. }) {
            self.load().await?;
        }
        let status = self.table.as_ref().map(|it| it.row.status);
        if status == Some(MatchStatus::Void) && !matches!(change, Change::Hear { .. }) {
            return Err(void());
        }
        match change {
            Change::Join { account, nickname, seat, deck } => {
                self.join(&account, SeatDetail { bot: None, nickname, deck }, seat).await
            }
            Change::Begin { row } => self.begin(*row).await,
            Change::Start => self.start_if_full().await,
            Change::Leave { account } => self.leave(&account).await,
            Change::Hear { account } => self.hear_end(&account).await,
            Change::Void { by, alone } => self.void(&by, alone).await,
        }
    }

    async fn join(
        &mut self,
        account: &AccountId,
        sitter: SeatDetail,
        seat: Option<Seat>,
    ) -> Result<MatchRow, ApiError> {
        let Some(table) = &self.table else { return Err(ApiError::not_found("match")) };
        let mut row = table.row.clone();
        if seat_of(&row, account).is_some() {
            return self.start_if_full().await;
        }
        if row.status != MatchStatus::Open {
            return Err(ApiError::conflict("match/not_open", "the match has begun"));
        }
        let is_free =
            |it: &usize| row.seats.get(*it).is_some_and(Option::is_none) && table.detail.seats[*it].bot.is_none();
        let at = match seat {
            Some(seat) => Some(usize::from(seat.0)).filter(is_free),
            None => (0..row.seats.len()).find(is_free),
        };
        let at = at.ok_or_else(|| ApiError::conflict("match/seat_taken", "there is no such free seat"))?;
        let mut detail = table.detail.clone();
        row.seats[at] = Some(account.clone());
        detail.seats[at] = sitter;
        // A deck that cannot be played with is refused before its owner sits.
        let entry = self.app.games.by_rules(&row.rules).ok_or_else(|| ApiError::not_found("ruleset"))?;
        check_decks(&self.app, &entry, &detail)?;
        (row.detail, row.updated_at) = (detail.to_bytes(), now());
        if !detail.is_full(&row) {
            self.put(row).await?;
            return self.row();
        }
        match self.start_with(row.clone()).await {
            Err(error) if error.body.code == SHORT => self.drop_short(row, account, error).await,
            other => other,
        }
    }

    /// The last seat is taken and the match begins in one commit, so that no table is full and stands still.
    async fn start_with(&mut self, row: MatchRow) -> Result<MatchRow, ApiError> {
        if let Some(table) = &mut self.table {
            table.detail = Detail::of(&row);
            table.row = row;
        }
        let begun = self.start(Vec::new()).await;
        if begun.is_err() {
            // What is stored counts, and there the seat is free.
            self.table = None;
        }
        begun
    }

    /// After a table that would be full could not begin: whoever cannot pay stands up, and all others wait on.
    async fn drop_short(
        &mut self,
        mut row: MatchRow,
        joined: &AccountId,
        error: ApiError,
    ) -> Result<MatchRow, ApiError> {
        self.load().await?;
        let entry = self.app.games.by_rules(&row.rules).ok_or_else(|| ApiError::not_found("ruleset"))?;
        let price = i64::from(stakes::entry(&entry.game, self.app.games.is_offered(&entry.rules), &row));
        let mut short = Vec::new();
        for (seat, account) in (0..).map(Seat).zip(&row.seats) {
            let Some(account) = account else { continue };
            if self.app.store.balance(account).await? < price {
                short.push((seat, account.clone()));
            }
        }
        // Whoever comes and cannot pay does not sit; if all can pay by now, he tries again.
        if short.is_empty() || short.iter().any(|it| it.1 == *joined) {
            return Err(error);
        }
        let mut detail = Detail::of(&row);
        for (seat, _) in &short {
            (row.seats[usize::from(seat.0)], detail.seats[usize::from(seat.0)]) = (None, SeatDetail::default());
        }
        row.detail = detail.to_bytes();
        self.put(row).await?;
        short.iter().for_each(|it| self.warn(it.0, &error));
        self.row()
    }

    /// Notes that a player hears how the match ended.
    async fn hear_end(&mut self, account: &AccountId) -> Result<MatchRow, ApiError> {
        // On another server the other player may have heard since.
        let row = self.app.store.match_row(&self.id).await?;
        let mut row = row.ok_or_else(|| ApiError::not_found("match"))?;
        let mut detail = Detail::of(&row);
        let seat = seat_of(&row, account).ok_or_else(|| ApiError::forbidden("you do not sit at this table"))?;
        if !detail.untold.contains(&seat.0) {
            return Err(ApiError::conflict(HEARD, "he has heard how it ended"));
        }
        detail.untold.retain(|it| *it != seat.0);
        row.detail = detail.to_bytes();
        self.put(row).await?;
        self.row()
    }

    async fn leave(&mut self, account: &AccountId) -> Result<MatchRow, ApiError> {
        let Some(table) = &self.table else { return Err(ApiError::not_found("match")) };
        let mut row = table.row.clone();
        let Some(seat) = seat_of(&row, account) else {
            return Err(ApiError::forbidden("you do not sit at this table"));
        };
        if row.status != MatchStatus::Open {
            let act = Act::Control(host::Control::Concede(seat));
            self.obey(Order { seat: Some(seat), moderator: None, command_id: None, request: [0; 32], act }).await?;
            return self.row();
        }
        let mut detail = table.detail.clone();
        row.seats[usize::from(seat.0)] = None;
        detail.seats[usize::from(seat.0)] = SeatDetail::default();
        (row.detail, row.updated_at) = (detail.to_bytes(), now());
        self.put(row).await?;
        self.row()
    }

    async fn void(&mut self, by: &AccountId, alone: bool) -> Result<MatchRow, ApiError> {
        let is_alone = |it: &MatchRow| it.status == MatchStatus::Open && it.seats.iter().flatten().all(|it| it == by);
        if alone && !self.row().is_ok_and(|it| is_alone(&it)) {
            return Err(ApiError::forbidden("somebody has sat down meanwhile; only a moderator can do this"));
        }
        let order = Order::void(by.clone());
        let mut row = self.row()?;
        if row.status == MatchStatus::Live {
            self.obey(order).await?;
            return self.row();
        }
        let was_damaged = row.status == MatchStatus::Damaged;
        row.status = MatchStatus::Void;
        row.updated_at = now();
        let mut ops = vec![Op::PutMatch(row.clone())];
        ops.extend(order.audit(&row));
        // A match that ended has paid out its pot; only one that cannot go on still holds it.
        if was_damaged && self.app.store.balance(&storage::money::pot(&row.id)).await? > 0 {
            ops.extend(stakes::settle(&row, Some(host::Pot::Refund), &[], now()));
        }
        self.put_with(row, ops).await?;
        self.row()
    }

    /// Makes the match and begins it in one commit, so that there is never one that was made and did not begin.
    async fn begin(&mut self, row: MatchRow) -> Result<MatchRow, ApiError> {
        self.table = Some(Table::new(row.clone()));
        let begun = self.start(vec![Op::CreateMatch(row)]).await;
        if begun.is_err() {
            // What is stored counts, be it another's.
            self.table = None;
        }
        begun
    }

    /// Begins the match once every seat is taken.
    async fn start_if_full(&mut self) -> Result<MatchRow, ApiError> {
        let row = self.row()?;
        if Detail::of(&row).is_full(&row) && row.status == MatchStatus::Open {
            self.start(Vec::new()).await
        } else {
            Ok(row)
        }
    }

    /// Begins the match, in one commit with what comes before that.
    async fn start(&mut self, before: Vec<Op>) -> Result<MatchRow, ApiError> {
        let (app, untold) = (self.app.clone(), self.untold());
        let Some(table) = &mut self.table else { return Err(ApiError::not_found("match")) };
        let entry = app.games.by_rules(&table.row.rules).ok_or_else(|| ApiError::not_found("ruleset"))?;
        let n_seats = u8::try_from(table.row.seats.len()).unwrap_or(u8::MAX);
        let seed = table.detail.seed.map_or_else(ids::random, |it| Start::seeded(it, n_seats).seed);
        let decks = table.detail.seats.iter().map(|it| it.deck.clone()).collect();
        let live = entry.game.start(&Start { seed, n_seats, decks })?;
        let clocks = stored::running(&*live, &[], app.clock.uptime());
        let note = Note { version: live.version(), moved: true, seat: None, clocks };
        let mut row = table.row.clone();
        row.status = if live.outcome().is_some() { MatchStatus::Over } else { MatchStatus::Live };
        table.detail.stake = stakes::entry(&entry.game, app.games.is_offered(&entry.rules), &row);
        table.seat_faces(live, &[]);
        table.note_end(&app, untold);
        row.detail = table.detail.to_bytes();
        table.row.detail = row.detail.clone();
        let asked = Asked { command_id: None, request: [0; 32], at: now() };
        let mut ops = before;
        ops.extend(table.append(&note, asked, &mut row));
        ops.push(Op::PutMatch(row.clone()));
        ops.extend(stakes::enter(&row, now()));
        ops.extend(table.settle_pot(&app));
        if let Err(error) = app.store.commit(ops).await {
            self.table = None;
            return Err(error.into());
        }
        (table.row, table.clocks) = (row, note.clocks);
        app.metrics.transitions.inc();
        self.tell(Closed::Answered);
        self.row()
    }

    async fn put(&mut self, row: MatchRow) -> Result<(), ApiError> {
        let ops = vec![Op::PutMatch(row.clone())];
        self.put_with(row, ops).await
    }

    async fn put_with(&mut self, row: MatchRow, ops: Vec<Op>) -> Result<(), ApiError> {
        self.app.store.commit(ops).await?;
        if let Some(table) = &mut self.table {
            table.detail = Detail::of(&row);
            table.row = row;
        }
        Ok(())
    }

    fn row(&self) -> Result<MatchRow, ApiError> {
        self.table.as_ref().map(|it| it.row.clone()).ok_or_else(|| ApiError::not_found("match"))
    }
}

/// The code of a refusal since a player has heard how a match ended.
pub const HEARD: &str = "match/heard";
/// The code of a refusal for want of tokens.
const SHORT: &str = "ledger/insufficient";

/// Refuses decks with which no match could begin, and own decks where it is played for tokens: there all play with what
/// the game gives them.
pub fn check_decks(app: &App, entry: &Entry, detail: &Detail) -> Result<(), ApiError> {
    let game = &entry.game;
    let has_bots = detail.seats.iter().any(|it| it.bot.is_some());
    let is_paid = app.games.is_offered(&entry.rules) && game.policy().stakes.is_some() && !has_bots;
    if is_paid && detail.seats.iter().any(|it| !it.deck.is_empty()) {
        let message = "where it is played for tokens, nobody brings cards of his own";
        return Err(ApiError::new(axum::http::StatusCode::UNPROCESSABLE_ENTITY, "Own deck", "match/own_deck", message));
    }
    let n_seats = u8::try_from(detail.seats.len()).unwrap_or(u8::MAX);
    let decks = detail.seats.iter().map(|it| it.deck.clone()).collect();
    game.start(&Start { seed: [0; 32], n_seats, decks })?;
    Ok(())
}

fn void() -> ApiError {
    ApiError::new(axum::http::StatusCode::GONE, "Match void", "match/void", "the match was declared void")
}

impl Order {
    /// That a match does not count.
    fn void(by: AccountId) -> Self {
        let act = Act::Control(host::Control::Kill);
        Self { seat: None, moderator: Some(by), command_id: None, request: [0; 32], act }
    }

    /// Why questions close that it ends.
    fn closes(&self) -> Closed {
        match self.act {
            Act::Control(host::Control::Timeout(_)) => Closed::Timeout,
            Act::Control(_) | Act::Undo { .. } | Act::Takeback { .. } => Closed::Gone,
            Act::Action { .. } | Act::Input { .. } | Act::Answer(_) => Closed::Answered,
        }
    }

    fn is_void(&self) -> bool {
        matches!(self.act, Act::Control(host::Control::Kill))
    }

    /// What is written down about a moderator.
    fn audit(&self, row: &MatchRow) -> Option<Op> {
        let Act::Control(control) = &self.act else { return None };
        let (account, match_id) = (self.moderator.clone()?, Some(row.id.clone()));
        let (verb, detail) = (verb_of(control).to_owned(), format!("{control:?}"));
        Some(Op::Audit(Audit { account, match_id, verb, detail, at: now() }))
    }
}

/// What a moderator calls it, as in `system.control`.
fn verb_of(control: &host::Control) -> &'static str {
    use host::Control;
    match control {
        Control::Concede(_) => "concede",
        Control::Pause => "pause",
        Control::Resume => "resume",
        Control::Kill => "void",
        Control::Kick(_) => "kick",
        Control::DropItem(_) => "drop_item",
        Control::SetResult(_) => "set_result",
        Control::Timeout(_) => "timeout",
        Control::Timer => "timer",
        Control::Disconnect(_) => "disconnect",
        Control::Reconnect(_) => "reconnect",
    }
}

impl Table {
    /// Refuses to play where nothing can be played.
    pub(crate) fn check_playable(&self) -> Result<(), ApiError> {
        match self.row.status {
            MatchStatus::Void => Err(void()),
            MatchStatus::Damaged => Err(self.damaged()),
            MatchStatus::Open => Err(ApiError::conflict("match/not_started", "the match waits for players")),
            MatchStatus::Live | MatchStatus::Over => Ok(()),
        }
    }

    /// The transitions the store does not have yet, chained to those it has; moves the row on.
    fn append(&mut self, note: &Note, asked: Asked, row: &mut MatchRow) -> Vec<Op> {
        let Some(live) = &mut self.live else { return Vec::new() };
        let from = usize::try_from(row.n_transitions).unwrap_or(usize::MAX);
        let header = live.log_header();
        let mut ops = Vec::new();
        let mut asked = Some(asked);
        for part in live.log_since(from) {
            let asked = asked.take().unwrap_or(Asked { command_id: None, request: [0; 32], at: now() });
            let due_at = note.due_at();
            let transition =
                stored::transition(&row.id, row.n_transitions, &header, part, note, asked).chained(row.head);
            (row.head, row.n_transitions, row.due_at) = (transition.hash, row.n_transitions + 1, due_at);
            ops.push(Op::Append { transition, due_at });
        }
        ops
    }

    /// Notes how the match ended, and who has to hear of it; nothing while it goes on.
    fn note_end(&mut self, app: &App, untold: Vec<u8>) {
        let Some((live, outcome)) = self.live.as_ref().and_then(|it| Some((it, it.outcome()?))) else { return };
        let end = |it: Entry| EndDetail::new(&it.game, &live.view(Viewer::Judge), outcome);
        (self.detail.untold, self.detail.end) = (untold, app.games.by_rules(&self.row.rules).map(end));
    }

    /// What empties the pot, if the match is over.
    fn settle_pot(&self, app: &App) -> Option<Op> {
        let outcome = self.live.as_ref()?.outcome()?;
        let entry = app.games.by_rules(&self.row.rules)?;
        stakes::settle(&self.row, stakes::pot_of(&entry.game, &self.row, &outcome), &outcome.winners, now())
    }

    /// Takes over what was stored.
    fn settle(&mut self, order: &Order, note: Note, row: MatchRow) {
        if let Some(command_id) = &order.command_id {
            self.past.insert(command_id.clone(), Past::new(order.request, &note));
        }
        if let Some(seat) = order.seat {
            let is_his = |it: &&mut crate::face::Face| it.viewer == Viewer::Seat(seat);
            self.faces.iter_mut().filter(is_his).for_each(|it| it.sent.n_accepted += 1);
        }
        (self.row, self.clocks) = (row, note.clocks);
    }
}
