//! However many endings a match meets at once, on however many servers: it ends once, and its pot is emptied once.

mod common;
mod duels;

use std::sync::Arc;

use host::{Control, Seat};
use server::{
    App,
    duel::lobby::News,
    games::Games,
    play::Order,
    requests::Act,
    room::{Change, Mail},
};
use storage::{Account, AccountId, Entry, MatchId, MemoryStore, Op, Store, money};
use testkit::contract::Dice;

const WELCOME: i64 = 10;

/// Two servers on one store: what one of them has in memory, the other has to read.
async fn servers() -> [Arc<App>; 2] {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let folder = duels::games_folder();
    let open = || async {
        let games = Games::load(&folder, Vec::new()).expect("the games have no mistakes");
        App::open(common::config(&folder), store.clone(), games).await.expect("the store opens")
    };
    [open().await, open().await]
}

async fn account(store: &dyn Store, name: String) -> Account {
    let id = AccountId(name.clone());
    let account = Account {
        id: id.clone(),
        name: None,
        nickname: name.clone(),
        password: None,
        role: "player".to_owned(),
        created_at: 0,
    };
    let mint = AccountId(money::MINT.to_owned());
    let welcome = Entry::transfer(&format!("welcome/{name}"), "welcome", &mint, &id, WELCOME, 0);
    store.commit(vec![Op::CreateAccount(account.clone()), Op::Post(welcome)]).await.expect("the name is free");
    account
}

/// Two accounts wait and are paired.
async fn meet(app: &Arc<App>, schedule: u64) -> (MatchId, [AccountId; 2]) {
    let game = app.games.find("orcain").expect("it is offered");
    let mut ids = Vec::new();
    let (news, mut heard) = tokio::sync::mpsc::unbounded_channel();
    for seat in 0..2_u64 {
        let account = account(&*app.store, format!("a{schedule}-{seat}")).await;
        app.lobby.join(app, &game, &account, seat, news.clone()).await.expect("he can pay");
        ids.push(account.id);
    }
    let Some(News::Found(id)) = heard.recv().await else { panic!("nobody was paired") };
    (id, [ids.remove(0), ids.remove(0)])
}

/// Tries to end a match in a random way; others may have been faster.
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

/// One match, two to four endings in one moment, on either server.
async fn check(apps: &[Arc<App>; 2], schedule: u64) {
    let mut dice = Dice::new(schedule);
    let (id, players) = meet(dice.pick(apps), schedule).await;
    let n_endings = 2 + dice.below(3);
    let ways: Vec<_> = (0..n_endings).map(|_| (dice.pick(apps).clone(), dice.below(9))).collect();
    let tries: Vec<_> = ways.into_iter().map(|(app, way)| tokio::spawn(end(app, id.clone(), way))).collect();
    for it in tries {
        it.await.expect("no server breaks");
    }
    // A time that ran out does not end a match yet.
    end(apps[0].clone(), id.clone(), 0).await;
    end(apps[1].clone(), id.clone(), 0).await;
    let store = &apps[0].store;
    let balance = |it: AccountId| async move { store.balance(&it).await.expect("the store answers") };
    let pot = store.entries(&money::pot(&id)).await.expect("the store answers");
    assert_eq!(pot.len(), 2, "schedule {schedule}: {pot:?}");
    assert_eq!(balance(money::pot(&id)).await, 0, "schedule {schedule}: {pot:?}");
    let [one, two] = players;
    assert_eq!(balance(one).await + balance(two).await, 2 * WELCOME, "schedule {schedule}: {pot:?}");
    assert_eq!(store.total().await, Ok(0), "schedule {schedule}");
}

#[tokio::test(flavor = "multi_thread")]
async fn endings_in_one_moment_on_two_servers_empty_the_pot_once() {
    let n_schedules = if std::env::var_os("SNAPSTACK_SOAK").is_some() { 100_000 } else { 300 };
    let apps = servers().await;
    for schedule in 0..n_schedules {
        check(&apps, schedule).await;
    }
}
