//! Who waits for a duel: a line for every game, first come, first served, and one thing at a time for every account.

use std::{
    cmp::Reverse,
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};

use storage::{Account, AccountId, MatchFilter, MatchId, MatchRow, MatchStatus};
use tokio::sync::{MutexGuard, mpsc};

use crate::{
    app::App,
    clock::Clock,
    detail::{Detail, SeatDetail, seat_of},
    error::ApiError,
    games::Entry,
    ids, matches,
    room::{Change, Mail},
};

/// What somebody who waits is told.
#[derive(Clone, Debug)]
pub enum News {
    /// His match begins.
    Found(MatchId),
    /// He cannot pay any more, and waits no longer.
    TooPoor,
    /// He asked to leave while a match was being made for him, and none came of it.
    Left,
}

/// Somebody who waits.
#[derive(Clone)]
struct Waiting {
    account: Account,
    /// The socket he waits on.
    socket: u64,
    news: mpsc::UnboundedSender<News>,
    /// Whether a match is being made for him. He keeps his place until it begins.
    is_called: bool,
    /// Whether he asked to leave since.
    wants_out: bool,
}

/// What becomes of somebody who asks to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// He waits no more.
    Left,
    /// A match is being made for him: it begins, or he hears that he has left.
    Undecided,
    /// He did not wait.
    NotThere,
}

/// What keeps somebody from a duel.
#[derive(Clone, Copy)]
enum Business {
    /// He waits for one.
    Waits,
    /// He plays one.
    Plays,
}

impl Business {
    fn code(self) -> &'static str {
        match self {
            Self::Waits => "already_queued",
            Self::Plays => "already_in_match",
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::Waits => "you are waiting for a match",
            Self::Plays => "you are in a match",
        }
    }
}

/// The waiting lines of all games.
#[derive(Default)]
pub struct Lobby {
    lines: Mutex<HashMap<String, VecDeque<Waiting>>>,
    /// Held while somebody begins something, so that nobody begins two things at once.
    begin: tokio::sync::Mutex<()>,
}

/// What plays for the house.
const HOUSE_BOT: &str = "random";
const HOUSE: &str = "House";
/// How many live matches of an account are looked through for a duel.
const MATCHES_LOOKED_AT: u32 = 100;
/// How many of his last matches somebody may have to hear the end of.
const ENDS_LOOKED_AT: u32 = 32;

fn refused(code: &str, message: &str) -> ApiError {
    ApiError::conflict(code, message)
}

impl Lobby {
    /// Puts an account in line, and begins a match if another waits.
    pub async fn join(
        &self,
        app: &Arc<App>,
        game: &Entry,
        account: &Account,
        socket: u64,
        news: mpsc::UnboundedSender<News>,
    ) -> Result<i64, ApiError> {
        let _begin = self.begin.lock().await;
        self.check_free(app, game, &account.id).await?;
        let tokens = app.store.balance(&account.id).await?;
        if tokens < price(game) {
            return Err(refused("not_enough_tokens", "there are not enough tokens"));
        }
        let waiting = Waiting { account: account.clone(), socket, news, is_called: false, wants_out: false };
        self.line(game, |line| line.push_back(waiting));
        if let Err(error) = self.pair(app, game).await {
            // He is told that it went wrong, so he does not wait.
            self.leave(game, &account.id);
            return Err(error);
        }
        Ok(tokens)
    }

    /// Takes an account out of line, unless a match is being made for it.
    pub fn leave(&self, game: &Entry, account: &AccountId) -> Leaving {
        self.line(game, |line| {
            let Some(at) = line.iter().position(|it| it.account.id == *account) else { return Leaving::NotThere };
            if line[at].is_called {
                line[at].wants_out = true;
                return Leaving::Undecided;
            }
            line.remove(at);
            Leaving::Left
        })
    }

    /// Takes whoever waits on a socket out of line. If a match is being made for him, it is seen then that he has gone.
    pub fn hang_up(&self, game: &Entry, socket: u64) {
        self.line(game, |line| line.retain(|it| it.socket != socket || it.is_called));
    }

    /// Whether an account waits.
    pub fn has(&self, account: &AccountId) -> bool {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.values().any(|line| line.iter().any(|it| it.account.id == *account))
    }

    /// Whether a match is being made for an account.
    pub fn is_called(&self, account: &AccountId) -> bool {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.values().flatten().any(|it| it.account.id == *account && it.is_called)
    }

    /// Begins a match against the house, for nothing.
    pub async fn play_house(&self, app: &Arc<App>, game: &Entry, account: &Account) -> Result<MatchId, ApiError> {
        let _begin = self.begin.lock().await;
        self.check_free(app, game, &account.id).await?;
        let house = SeatDetail { bot: Some(HOUSE_BOT.to_owned()), nickname: HOUSE.to_owned(), deck: Vec::new() };
        let seats = vec![(Some(account.id.clone()), seat(account)), (None, house)];
        begin(app, game, seats).await
    }

    fn line<T>(&self, game: &Entry, act: impl FnOnce(&mut VecDeque<Waiting>) -> T) -> T {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        act(lines.entry(game.game.id().to_owned()).or_default())
    }

    /// Whoever begins something elsewhere than here holds this while he does; refused if he waits for a duel or plays
    /// one, and nothing to hold where a game can be played as often as one likes.
    pub async fn hold_free(
        &self,
        app: &App,
        game: &Entry,
        account: &AccountId,
    ) -> Result<Option<MutexGuard<'_, ()>>, ApiError> {
        if !app.games.is_offered(&game.rules) || game.game.policy().stakes.is_none() {
            return Ok(None);
        }
        let begin = self.begin.lock().await;
        let busy = self.business(app, game, account).await?;
        let refusal = |it: Business| refused(&format!("match/{}", it.code()), it.message());
        busy.map_or(Ok(Some(begin)), |it| Err(refusal(it)))
    }

    /// The same for somebody who sits down at a table. Whoever sits there and has begun something else meanwhile stands
    /// up.
    pub async fn hold_table(
        &self,
        app: &Arc<App>,
        row: &MatchRow,
        account: &AccountId,
    ) -> Result<Option<MutexGuard<'_, ()>>, ApiError> {
        let game = app.games.by_rules(&row.rules).filter(|_| row.status == MatchStatus::Open);
        let Some(game) = game else { return Ok(None) };
        let begin = self.hold_free(app, &game, account).await?;
        // Who sits there may have changed before it was held.
        let row = app.store.match_row(&row.id).await?.filter(|it| begin.is_some() && it.status == MatchStatus::Open);
        let Some(row) = row else { return Ok(begin) };
        for other in row.seats.iter().flatten().filter(|it| *it != account) {
            if self.business(app, &game, other).await?.is_some() {
                let change = Change::Leave { account: other.clone() };
                app.hub.ask(app, &row.id, |reply| Mail::Change { change: change.clone(), reply }).await?;
            }
        }
        Ok(begin)
    }

    async fn check_free(&self, app: &App, game: &Entry, account: &AccountId) -> Result<(), ApiError> {
        let busy = self.business(app, game, account).await?;
        busy.map_or(Ok(()), |it| Err(refused(it.code(), it.message())))
    }

    /// What keeps an account from a duel.
    async fn business(&self, app: &App, game: &Entry, account: &AccountId) -> Result<Option<Business>, ApiError> {
        if self.has(account) {
            return Ok(Some(Business::Waits));
        }
        let filter = MatchFilter {
            status: Some(MatchStatus::Live),
            account: Some(account.clone()),
            limit: MATCHES_LOOKED_AT,
            ..MatchFilter::default()
        };
        // Tables of other games at which nothing is paid are no duels.
        let is_duel = |it: &MatchRow| it.game == game.game.id() || Detail::of(it).stake > 0;
        let plays = app.store.matches(&filter).await?.iter().any(is_duel);
        Ok(plays.then_some(Business::Plays))
    }

    /// Begins matches while two wait; who cannot pay any more is dropped, and the other keeps his place.
    async fn pair(&self, app: &Arc<App>, game: &Entry) -> Result<(), ApiError> {
        while let Some(called) = self.call_two(game) {
            for it in &called {
                // Who cannot be asked about keeps his place; the match itself takes nothing that is not there.
                let is_poor = app.store.balance(&it.account.id).await.is_ok_and(|it| it < price(game));
                if is_poor {
                    drop(it.news.send(News::TooPoor));
                    self.line(game, |line| line.retain(|other| other.socket != it.socket));
                }
            }
            if self.are_all_there(game, &called) {
                let seats = called.iter().map(|it| (Some(it.account.id.clone()), seat(&it.account))).collect();
                if let Ok(id) = begin(app, game, seats).await {
                    self.line(game, |line| line.retain(|it| !it.is_called));
                    summon(app, &id, &called).await;
                    continue;
                }
            }
            self.send_back(game);
            let is_stuck = self.line(game, |line| line.len() >= 2);
            if is_stuck && self.all_can_pay(app, game).await? {
                return Err(ApiError::unavailable("match/unavailable", "no match can be made now"));
            }
        }
        Ok(())
    }

    /// The first two in line, if there are two; they keep their places until their match begins.
    fn call_two(&self, game: &Entry) -> Option<Vec<Waiting>> {
        self.line(game, |line| {
            // Whoever has hung up does not wait any more.
            line.retain(|it| !it.news.is_closed());
            let is_there = line.len() >= 2;
            is_there.then(|| {
                line.iter_mut().take(2).for_each(|it| it.is_called = true);
                line.iter().take(2).cloned().collect()
            })
        })
    }

    /// Whether those who were called still wait, and want to. Who has hung up since has left his match.
    fn are_all_there(&self, game: &Entry, called: &[Waiting]) -> bool {
        let waits = |it: &Waiting, other: &Waiting| it.socket == other.socket && !it.wants_out;
        self.line(game, |line| called.iter().all(|other| line.iter().any(|it| waits(it, other))))
    }

    /// No match came of it: those who were called wait as before, but for those who have gone or asked to.
    fn send_back(&self, game: &Entry) {
        self.line(game, |line| {
            for it in line.iter().filter(|it| it.wants_out) {
                drop(it.news.send(News::Left));
            }
            line.retain(|it| !it.wants_out && !it.news.is_closed());
            line.iter_mut().for_each(|it| it.is_called = false);
        });
    }

    async fn all_can_pay(&self, app: &App, game: &Entry) -> Result<bool, ApiError> {
        let first: Vec<AccountId> =
            self.line(game, |line| line.iter().take(2).map(|it| it.account.id.clone()).collect());
        for account in &first {
            if app.store.balance(account).await? < price(game) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Tells both that their match begins. Who has hung up while it did has left it, like anybody who hangs up.
async fn summon(app: &Arc<App>, id: &MatchId, players: &[Waiting]) {
    for it in players {
        if it.news.send(News::Found(id.clone())).is_err() {
            app.hub.tell(app, id, Mail::Absent { account: it.account.id.clone() }).await;
        }
    }
}

fn price(game: &Entry) -> i64 {
    game.game.policy().stakes.map_or(0, |it| i64::from(it.entry))
}

fn seat(account: &Account) -> SeatDetail {
    SeatDetail { bot: None, nickname: account.nickname.clone(), deck: Vec::new() }
}

/// Makes a match and begins it.
async fn begin(app: &Arc<App>, game: &Entry, seats: Vec<(Option<AccountId>, SeatDetail)>) -> Result<MatchId, ApiError> {
    let (accounts, details) = seats.into_iter().unzip();
    let mut row = MatchRow::new(ids::match_id(), game.game.id(), game.rules, accounts, Clock::wall());
    row.detail = Detail { seats: details, ..Detail::default() }.to_bytes();
    Ok(matches::begin(app, row).await?.id)
}

/// The match an account plays now.
pub async fn live_match(app: &App, game: &Entry, account: &AccountId) -> Result<Option<MatchRow>, ApiError> {
    Ok(newest(app, game, account, MatchStatus::Live, 1).await?.into_iter().next())
}

/// The matches of an account that ended, and of which it has not heard how; oldest first.
pub async fn untold(app: &App, game: &Entry, account: &AccountId) -> Result<Vec<MatchRow>, ApiError> {
    let mut rows = last_played(app, game, account, ENDS_LOOKED_AT).await?;
    rows.retain(|it| is_untold(it, account));
    rows.reverse();
    Ok(rows)
}

/// Whether an account has not heard how a match ended.
pub fn is_untold(row: &MatchRow, account: &AccountId) -> bool {
    seat_of(row, account).is_some_and(|it| Detail::of(row).untold.contains(&it.0))
}

/// The last matches of an account that ended, by their rules or because they were declared void; newest first.
pub async fn last_played(app: &App, game: &Entry, account: &AccountId, limit: u32) -> Result<Vec<MatchRow>, ApiError> {
    let mut rows = newest(app, game, account, MatchStatus::Over, limit).await?;
    // What was declared void before it began was never played.
    let void = newest(app, game, account, MatchStatus::Void, limit).await?;
    rows.extend(void.into_iter().filter(|it| it.n_transitions > 0));
    rows.sort_by_key(|it| Reverse(it.created_at));
    rows.truncate(limit as usize);
    Ok(rows)
}

/// The newest matches of an account that stand so.
async fn newest(
    app: &App,
    game: &Entry,
    account: &AccountId,
    status: MatchStatus,
    limit: u32,
) -> Result<Vec<MatchRow>, ApiError> {
    let (game, account) = (Some(game.game.id().to_owned()), Some(account.clone()));
    let filter = MatchFilter { status: Some(status), game, account, limit, skip: 0 };
    Ok(app.store.matches(&filter).await?)
}
