//! What every store keeps, whatever it keeps it in. Each test runs on memory, SQLite and Postgres.

use std::sync::Arc;

use storage::{
    Account, AccountId, Audit, CommitError, Entry, MatchFilter, MatchId, MatchRow, MatchStatus, MemoryStore, Op,
    Posting, RulesetRow, Session, StorageError, Store, Transition, money, postgres::PostgresStore, sqlite::SqliteStore,
};
use testkit::postgres::PrivatePostgres;

/// Runs a test on a new store of every kind.
fn on_all<F: Future<Output = ()>>(test: impl Fn(Arc<dyn Store>) -> F) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    runtime.block_on(test(Arc::new(MemoryStore::default())));
    let folder = tempfile::tempdir().expect("a folder can be made");
    let sqlite = SqliteStore::open_file(&folder.path().join("store.db")).expect("the file opens");
    runtime.block_on(test(Arc::new(sqlite)));
    let cluster = PrivatePostgres::start();
    let postgres = PostgresStore::open_url(&cluster.url()).expect("the database opens");
    runtime.block_on(test(Arc::new(postgres)));
}

fn id(name: &str) -> MatchId {
    MatchId(name.to_owned())
}

fn account_id(name: &str) -> AccountId {
    AccountId(name.to_owned())
}

fn row(name: &str, at: i64) -> MatchRow {
    MatchRow::new(id(name), "duel", [7; 32], vec![Some(account_id("ann")), None], at)
}

fn account(name: &str, at: i64) -> Account {
    let (nickname, role) = (name.to_uppercase(), "player".to_owned());
    let name = Some(name.to_owned());
    let id = account_id(&nickname);
    Account { id, name, nickname, password: Some("hash".to_owned()), role, created_at: at }
}

/// The next transition of a match.
fn next(row: &MatchRow, command_id: Option<&str>) -> Transition {
    let transition = Transition {
        match_id: row.id.clone(),
        seq: row.n_transitions,
        command_id: command_id.map(str::to_owned),
        request: [1; 32],
        command: vec![0, 159, 146, 150],
        events: vec![1; 100],
        note: b"{}".to_vec(),
        at: 1000 + i64::try_from(row.n_transitions).expect("small"),
        previous: [0; 32],
        hash: [0; 32],
    };
    transition.chained(row.head)
}

fn append(transition: &Transition) -> Op {
    Op::Append { transition: transition.clone(), due_at: None }
}

async fn read(store: &dyn Store, name: &str) -> MatchRow {
    store.match_row(&id(name)).await.expect("the store answers").expect("the match is there")
}

async fn grow(store: &dyn Store, name: &str, n: u64) -> Vec<Transition> {
    for _ in 0..n {
        let row = read(store, name).await;
        let command_id = format!("c{}", row.n_transitions);
        store.commit(vec![append(&next(&row, Some(&command_id)))]).await.expect("the next one is taken");
    }
    store.transitions(&id(name), 0, u32::MAX).await.expect("the store answers")
}

#[test]
fn a_match_is_kept_as_it_was_written() {
    on_all(|store| async move {
        store.commit(vec![Op::CreateMatch(row("m1", 5))]).await.expect("it is new");
        assert_eq!(read(&*store, "m1").await, row("m1", 5));
        let again = store.commit(vec![Op::CreateMatch(row("m1", 6))]).await;
        assert_eq!(again, Err(CommitError::Exists("m1".to_owned())));
        let transitions = grow(&*store, "m1", 3).await;
        assert_eq!(transitions.iter().map(|it| it.seq).collect::<Vec<_>>(), [0, 1, 2]);
        let row = read(&*store, "m1").await;
        assert_eq!(storage::damage::find(&row, &transitions), None);
        assert_eq!((row.n_transitions, row.head, row.updated_at), (3, transitions[2].hash, 1002));
        assert_eq!(store.transitions(&id("m1"), 1, 1).await, Ok(vec![transitions[1].clone()]));
        assert_eq!(store.command(&id("m1"), "c2").await, Ok(Some(transitions[2].clone())));
        assert_eq!(store.command(&id("m1"), "c9").await, Ok(None));
        assert_eq!(store.match_row(&id("m2")).await, Ok(None));
    });
}

#[test]
fn whoever_is_late_is_fenced() {
    on_all(|store| async move {
        store.commit(vec![Op::CreateMatch(row("m1", 5))]).await.expect("it is new");
        let stale = read(&*store, "m1").await;
        grow(&*store, "m1", 2).await;
        let late = store.commit(vec![append(&next(&stale, Some("late")))]).await;
        assert_eq!(late, Err(CommitError::Conflict { match_id: id("m1"), n_transitions: 2 }));
        // The right place, but another history.
        let forked = MatchRow { n_transitions: 2, ..stale };
        let late = store.commit(vec![append(&next(&forked, Some("late")))]).await;
        assert_eq!(late, Err(CommitError::Conflict { match_id: id("m1"), n_transitions: 2 }));
        let nowhere = store.commit(vec![append(&next(&row("m9", 5), None))]).await;
        assert_eq!(nowhere, Err(CommitError::NoSuchMatch(id("m9"))));
    });
}

#[test]
fn a_command_is_stored_once() {
    on_all(|store| async move {
        store.commit(vec![Op::CreateMatch(row("m1", 5)), Op::CreateMatch(row("m2", 5))]).await.expect("both are new");
        grow(&*store, "m1", 2).await;
        let again = next(&read(&*store, "m1").await, Some("c0"));
        let duplicate = CommitError::DuplicateCommand { match_id: id("m1"), command_id: "c0".to_owned() };
        assert_eq!(store.commit(vec![append(&again)]).await, Err(duplicate.clone()));
        // Even if it comes late as well.
        let first = next(&row("m1", 5), Some("c0"));
        let late = Transition { request: [2; 32], ..first.clone() }.chained(first.previous);
        assert_eq!(store.commit(vec![append(&late)]).await, Err(duplicate));
        // The very same transition is there, so it is stored: whoever lost the answer may ask again.
        assert_eq!(store.commit(vec![append(&first)]).await, Ok(()));
        // Other matches and nameless commands are free.
        grow(&*store, "m2", 1).await;
        for _ in 0..2 {
            let nameless = next(&read(&*store, "m1").await, None);
            assert_eq!(store.commit(vec![append(&nameless)]).await, Ok(()));
        }
        assert_eq!(read(&*store, "m1").await.n_transitions, 4);
    });
}

#[test]
fn a_commit_happens_as_a_whole_or_not_at_all() {
    on_all(|store| async move {
        store.commit(vec![Op::CreateMatch(row("m1", 5))]).await.expect("it is new");
        let fine = append(&next(&read(&*store, "m1").await, Some("c0")));
        let broke = Entry::transfer("e1", "entry", &account_id("ann"), &account_id("bob"), 5, 1);
        let result = store.commit(vec![fine, Op::CreateAccount(account("ann", 1)), Op::Post(broke)]).await;
        assert_eq!(result, Err(CommitError::Insufficient { account: account_id("ann"), balance: 0 }));
        assert_eq!(read(&*store, "m1").await.n_transitions, 0);
        assert_eq!(store.account(&account_id("ANN")).await, Ok(None));
        assert_eq!(store.transitions(&id("m1"), 0, 9).await, Ok(Vec::new()));
    });
}

#[test]
fn of_many_who_race_for_the_next_place_one_wins() {
    on_all(|store| async move {
        store.commit(vec![Op::CreateMatch(row("m1", 5))]).await.expect("it is new");
        let now = read(&*store, "m1").await;
        let race = |at: usize| {
            let (store, transition) = (store.clone(), next(&now, Some(&format!("racer{at}"))));
            tokio::spawn(async move { store.commit(vec![append(&transition)]).await })
        };
        let racers: Vec<_> = (0..64).map(race).collect();
        let mut n_won = 0;
        for racer in racers {
            match racer.await.expect("nobody panics") {
                Ok(()) => n_won += 1,
                Err(why) => assert_eq!(why, CommitError::Conflict { match_id: id("m1"), n_transitions: 1 }),
            }
        }
        assert_eq!(n_won, 1);
    });
}

#[test]
fn matches_are_found_by_status_game_and_account() {
    on_all(|store| async move {
        let mut rows: Vec<MatchRow> = (0..5).map(|it| row(&format!("m{it}"), it)).collect();
        rows[1].game = "skirmish".to_owned();
        rows[1].head = rows[1].genesis();
        store.commit(rows.iter().cloned().map(Op::CreateMatch).collect()).await.expect("all are new");
        rows[3].status = MatchStatus::Live;
        rows[3].seats = vec![Some(account_id("ann")), Some(account_id("bob"))];
        rows[3].detail = b"more".to_vec();
        store.commit(vec![Op::PutMatch(rows[3].clone())]).await.expect("it is there");
        let found = |filter: MatchFilter| {
            let store = store.clone();
            async move {
                let rows = store.matches(&filter).await.expect("the store answers");
                rows.iter().map(|it| it.id.0.clone()).collect::<Vec<_>>()
            }
        };
        let all = MatchFilter { limit: 10, ..MatchFilter::default() };
        assert_eq!(found(all.clone()).await, ["m4", "m3", "m2", "m1", "m0"]);
        assert_eq!(found(MatchFilter { limit: 2, skip: 1, ..all.clone() }).await, ["m3", "m2"]);
        assert_eq!(found(MatchFilter { status: Some(MatchStatus::Live), ..all.clone() }).await, ["m3"]);
        assert_eq!(found(MatchFilter { game: Some("skirmish".to_owned()), ..all.clone() }).await, ["m1"]);
        assert_eq!(found(MatchFilter { account: Some(account_id("bob")), ..all.clone() }).await, ["m3"]);
        assert_eq!(read(&*store, "m3").await, rows[3]);
        let nobody = store.commit(vec![Op::PutMatch(row("m9", 1))]).await;
        assert_eq!(nobody, Err(CommitError::NoSuchMatch(id("m9"))));
    });
}

#[test]
fn clocks_that_ran_out_are_found() {
    on_all(|store| async move {
        for (name, due_at, status) in [
            ("m1", Some(50), MatchStatus::Live),
            ("m2", Some(40), MatchStatus::Live),
            ("m3", Some(10), MatchStatus::Over),
        ] {
            let row = row(name, 1);
            let first = Op::Append { transition: next(&row, None), due_at };
            let status = Op::PutMatch(MatchRow { status, ..row.clone() });
            store.commit(vec![Op::CreateMatch(row), first, status]).await.expect("it is new");
        }
        assert_eq!(store.due(39, 9).await, Ok(Vec::new()));
        assert_eq!(store.due(60, 9).await, Ok(vec![id("m2"), id("m1")]));
        assert_eq!(store.due(60, 1).await, Ok(vec![id("m2")]));
    });
}

#[test]
fn accounts_and_sessions_are_kept() {
    on_all(|store| async move {
        let guest = Account { name: None, id: account_id("guest"), password: None, ..account("g", 1) };
        let new = [account("ann", 1), account("bob", 2), guest.clone()];
        store.commit(new.iter().cloned().map(Op::CreateAccount).collect()).await.expect("all are new");
        assert_eq!(store.account_by_name("ann").await, Ok(Some(account("ann", 1))));
        assert_eq!(store.account(&account_id("guest")).await, Ok(Some(guest.clone())));
        let taken = store.commit(vec![Op::CreateAccount(Account { id: account_id("x"), ..account("ann", 9) })]).await;
        assert_eq!(taken, Err(CommitError::Exists("ann".to_owned())));
        let renamed = Account { name: Some("bob".to_owned()), ..guest.clone() };
        assert_eq!(store.commit(vec![Op::PutAccount(renamed)]).await, Err(CommitError::Exists("bob".to_owned())));
        let moderator = Account { role: "moderator".to_owned(), ..guest };
        store.commit(vec![Op::PutAccount(moderator.clone())]).await.expect("he is there");
        assert_eq!(store.account(&account_id("guest")).await, Ok(Some(moderator)));
        let session = Session { token_hash: [3; 32], account: account_id("ANN"), created_at: 1, expires_at: 9 };
        store.commit(vec![Op::PutSession(session.clone())]).await.expect("it is kept");
        assert_eq!(store.session(&[3; 32]).await, Ok(Some(session)));
        store.commit(vec![Op::DeleteSession([3; 32])]).await.expect("it ends");
        assert_eq!(store.session(&[3; 32]).await, Ok(None));
    });
}

#[test]
fn rulesets_audit_and_meta_are_kept() {
    on_all(|store| async move {
        let ruleset = |n: u8| RulesetRow {
            hash: [n; 32],
            name: format!("game{n}"),
            version: "1".to_owned(),
            publisher: account_id("ann"),
            bytes: vec![n; 10],
            at: 3,
        };
        store.commit(vec![Op::PutRuleset(ruleset(2)), Op::PutRuleset(ruleset(1))]).await.expect("both are new");
        store.commit(vec![Op::PutRuleset(ruleset(2))]).await.expect("again is nothing");
        assert_eq!(store.rulesets().await, Ok(vec![ruleset(2), ruleset(1)]));
        assert_eq!(store.ruleset(&[1; 32]).await, Ok(Some(ruleset(1))));
        let audit = |verb: &str| Audit {
            account: account_id("mod"),
            match_id: Some(id("m1")),
            verb: verb.to_owned(),
            detail: "p1".to_owned(),
            at: 1,
        };
        let other = Audit { match_id: None, ..audit("login") };
        store.commit(vec![Op::Audit(audit("pause")), Op::Audit(other), Op::Audit(audit("kick"))]).await.expect("kept");
        assert_eq!(store.audit(&id("m1")).await, Ok(vec![audit("pause"), audit("kick")]));
        store.commit(vec![Op::PutMeta("alive".to_owned(), vec![1])]).await.expect("kept");
        store.commit(vec![Op::PutMeta("alive".to_owned(), vec![2])]).await.expect("kept");
        assert_eq!(store.meta("alive").await, Ok(Some(vec![2])));
        assert_eq!(store.meta("other").await, Ok(None));
    });
}

#[test]
fn money_moves_once_and_never_appears() {
    on_all(|store| async move {
        let (ann, bob, mint) = (account_id("ann"), account_id("bob"), account_id(money::MINT));
        let gift = Entry::transfer("gift/ann", "welcome", &mint, &ann, 10, 1);
        store.commit(vec![Op::Post(gift.clone())]).await.expect("the mint may owe");
        store.commit(vec![Op::Post(Entry { at: 99, ..gift.clone() })]).await.expect("the same again is nothing");
        assert_eq!(store.balance(&ann).await, Ok(10));
        let other = Entry::transfer("gift/ann", "welcome", &mint, &ann, 11, 1);
        let differs = CommitError::EntryDiffers("gift/ann".to_owned());
        assert_eq!(store.commit(vec![Op::Post(other)]).await, Err(differs));
        let too_much = Entry::transfer("t1", "stake", &ann, &bob, 11, 1);
        let short = CommitError::Insufficient { account: ann.clone(), balance: 10 };
        assert_eq!(store.commit(vec![Op::Post(too_much)]).await, Err(short));
        let mut odd = Entry::transfer("t2", "stake", &ann, &bob, 1, 1);
        odd.postings.push(Posting { account: bob.clone(), amount: 1 });
        assert_eq!(store.commit(vec![Op::Post(odd)]).await, Err(CommitError::Unbalanced("t2".to_owned())));
        let pay = Entry::transfer("t3", "stake", &ann, &bob, 4, 1);
        store.commit(vec![Op::Post(pay.clone())]).await.expect("he has it");
        assert_eq!((store.balance(&ann).await, store.balance(&bob).await), (Ok(6), Ok(4)));
        assert_eq!(store.total().await, Ok(0));
        assert_eq!(store.entries(&ann).await, Ok(vec![gift, pay]));
    });
}

/// Somebody looks into the file with another program and leaves a transaction open.
#[test]
fn who_waits_for_a_file_that_another_program_holds_is_told() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("store.db");
    let store = Arc::new(SqliteStore::open_file(&path).expect("the file opens"));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    runtime.block_on(store.commit(vec![Op::CreateMatch(row("m1", 5))])).expect("it is new");
    let other = rusqlite::Connection::open(&path).expect("the file opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("nobody writes");
    let write = |at: usize| {
        let store = store.clone();
        runtime.spawn(async move { store.commit(vec![Op::PutMeta(format!("k{at}"), vec![1])]).await })
    };
    let waiting: Vec<_> = (0..20).map(write).collect();
    for it in waiting {
        let told = runtime.block_on(it).expect("nobody panics");
        assert_eq!(told, Err(CommitError::Storage(StorageError::Busy)));
    }
    other.execute_batch("ROLLBACK").expect("it is open");
    runtime.block_on(store.commit(vec![Op::PutMeta("k".to_owned(), vec![1])])).expect("the file is free");
}

#[test]
fn recovery_keeps_the_good_part() {
    on_all(|store| async move {
        store.commit(vec![Op::CreateMatch(row("m1", 5))]).await.expect("it is new");
        let before = grow(&*store, "m1", 5).await;
        store.commit(vec![Op::Truncate { match_id: id("m1"), n_transitions: 3 }]).await.expect("it is there");
        let row = read(&*store, "m1").await;
        let left = store.transitions(&id("m1"), 0, 99).await.expect("the store answers");
        assert_eq!((row.n_transitions, row.head, left.as_slice()), (3, before[2].hash, &before[..3]));
        assert_eq!(storage::damage::find(&row, &left), None);
        grow(&*store, "m1", 1).await;
    });
}
