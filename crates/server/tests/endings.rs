//! However many endings a match meets at once, on however many servers, and wherever they are killed: it ends once, and
//! its pot is emptied once.

mod common;
mod duels;

use std::sync::{Arc, Mutex, PoisonError};

use host::{Control, Game, Seat};
use server::{
    App, Config,
    games::Games,
    play::Order,
    requests::Act,
    room::{Change, Mail},
};
use storage::{Account, AccountId, Entry, MatchFilter, MatchId, MatchRow, MatchStatus, MemoryStore, Op, Store, money};
use testkit::{contract::Dice, paced::Paced};
use tokio::{runtime::Runtime, task::yield_now};

const WELCOME: i64 = 10;
/// A kill falls within so many turns of the machine after the servers began; most work is done in fewer.
const TURNS_MAX: usize = 120;
/// How many pauses a commit takes at most, before and after.
const PAUSES_MAX: usize = 4;

/// What all schedules share.
struct Bench {
    game: Game,
    config: Config,
    folder: std::path::PathBuf,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made").keep();
        let game = Game::Ruleset(testkit::games::load("orcain"));
        Self { game, config: common::config(&folder), folder }
    }

    /// Two servers on one store: what one of them has in memory, the other has to read. Commits take a random time.
    async fn servers(&self, store: &Arc<MemoryStore>, seed: u64) -> [Arc<App>; 2] {
        let open = |seed: u64| {
            let dice = Mutex::new(Dice::new(seed));
            let paced = Paced::new(store.clone(), move || {
                let n_pauses = dice.lock().unwrap_or_else(PoisonError::into_inner).below(PAUSES_MAX);
                Box::pin(turns(n_pauses))
            });
            let games = Games::load(&self.folder, vec![self.game.clone()]).expect("the game has no mistakes");
            App::open(self.config.clone(), Arc::new(paced), games)
        };
        [open(seed).await.expect("the store opens"), open(seed + 1).await.expect("the store opens")]
    }
}

/// Lets others run so many times.
async fn turns(n_turns: usize) {
    for _ in 0..n_turns {
        yield_now().await;
    }
}

async fn account(store: &dyn Store, name: &str) -> Account {
    let id = AccountId(name.to_owned());
    let (nickname, role) = (name.to_owned(), "player".to_owned());
    let account = Account { id: id.clone(), name: None, nickname, password: None, role, created_at: 0 };
    let mint = AccountId(money::MINT.to_owned());
    let welcome = Entry::transfer(&format!("welcome/{name}"), "welcome", &mint, &id, WELCOME, 0);
    store.commit(vec![Op::CreateAccount(account.clone()), Op::Post(welcome)]).await.expect("the name is free");
    account
}

/// The match there is, if it began.
async fn begun(store: &dyn Store) -> Option<MatchRow> {
    let all = MatchFilter { limit: 10, ..MatchFilter::default() };
    let rows = store.matches(&all).await.expect("the store answers");
    rows.into_iter().find(|it| it.n_transitions > 0)
}

/// Two wait and are paired.
async fn meet(app: &Arc<App>, players: &[Account; 2]) {
    let game = app.games.find("orcain").expect("it is offered");
    let (news, _heard) = tokio::sync::mpsc::unbounded_channel();
    for (socket, player) in (0..).zip(players) {
        drop(app.lobby.join(app, &game, player, socket, news.clone()).await);
    }
}

/// Tries to end a match in some way; others may have been faster.
async fn end(app: Arc<App>, id: MatchId, way: usize) {
    let control = match way {
        0 | 1 => Control::Concede(Seat(u8::from(way == 1))),
        2 | 3 => Control::Disconnect(Seat(u8::from(way == 3))),
        4 => Control::Timeout(1),
        5 => Control::SetResult(vec![Seat(0)]),
        6 => Control::SetResult(Vec::new()),
        7 => Control::Kill,
        _ => {
            let by = AccountId("mod".to_owned());
            let change = Change::Void { by, alone: false };
            drop(app.hub.ask(&app, &id, |reply| Mail::Change { change: change.clone(), reply }).await);
            return;
        }
    };
    let order = Order { seat: None, moderator: None, command_id: None, request: [0; 32], act: Act::Control(control) };
    drop(server::matches::order(&app, &id, order).await);
}

/// Two to four endings in one moment, on either server.
async fn end_at_once(apps: &[Arc<App>; 2], id: &MatchId, dice: &mut Dice) {
    let n_endings = 2 + dice.below(3);
    let ways: Vec<_> = (0..n_endings).map(|_| (dice.pick(apps).clone(), dice.below(9))).collect();
    let tries: Vec<_> = ways.into_iter().map(|(app, way)| tokio::spawn(end(app, id.clone(), way))).collect();
    for it in tries {
        it.await.expect("no server breaks");
    }
}

fn machine() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("the machine lets a runtime start")
}

/// One schedule: both servers are killed somewhere between the pairing and the last ending, and others go on.
fn check(bench: &Bench, schedule: u64) {
    let mut dice = Dice::new(schedule);
    let store = Arc::new(MemoryStore::default());
    let n_turns = if dice.below(4) == 0 { usize::MAX } else { dice.below(TURNS_MAX) };
    // All that runs on it is dropped where it stands, with the runtime.
    let killed = machine();
    let players = killed.block_on(async {
        let players = [account(&*store, "ann").await, account(&*store, "bob").await];
        let apps = bench.servers(&store, schedule).await;
        let work = async {
            meet(&apps[0], &players).await;
            if let Some(row) = begun(&*store).await {
                end_at_once(&apps, &row.id, &mut dice).await;
            }
        };
        tokio::select! {
            biased;
            () = turns(n_turns) => {}
            () = work => {}
        }
        players
    });
    drop(killed);
    machine().block_on(async {
        let apps = bench.servers(&store, schedule ^ 0xff).await;
        if let Some(row) = begun(&*store).await {
            end_at_once(&apps, &row.id, &mut dice).await;
            // A time that ran out does not end a match yet.
            end(apps[0].clone(), row.id.clone(), 0).await;
            end(apps[1].clone(), row.id.clone(), 0).await;
        }
        judge(&store, &players, schedule).await;
    });
}

/// The pot was filled once and emptied once, or never filled; nothing was lost.
async fn judge(store: &MemoryStore, players: &[Account; 2], schedule: u64) {
    let balance = |it: AccountId| async move { store.balance(&it).await.expect("the store answers") };
    let sum = balance(players[0].id.clone()).await + balance(players[1].id.clone()).await;
    assert_eq!(sum, 2 * WELCOME, "schedule {schedule}");
    assert_eq!(store.total().await, Ok(0), "schedule {schedule}");
    let open = MatchFilter { status: Some(MatchStatus::Open), limit: 1, ..MatchFilter::default() };
    assert_eq!(store.matches(&open).await, Ok(Vec::new()), "schedule {schedule}: made, and not begun");
    let Some(row) = begun(store).await else { return };
    assert!(matches!(row.status, MatchStatus::Over | MatchStatus::Void), "schedule {schedule}: {:?}", row.status);
    let pot = store.entries(&money::pot(&row.id)).await.expect("the store answers");
    assert_eq!(pot.len(), 2, "schedule {schedule}: {pot:?}");
    assert_eq!(balance(money::pot(&row.id)).await, 0, "schedule {schedule}: {pot:?}");
}

#[test]
fn endings_in_one_moment_on_two_servers_that_are_killed_empty_the_pot_once() {
    let n_schedules = if std::env::var_os("SNAPSTACK_SOAK").is_some() { 100_000 } else { 300 };
    let bench = Bench::new();
    (0..n_schedules).for_each(|it| check(&bench, it));
}
