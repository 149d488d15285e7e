//! Duels on a server that is killed in the middle: they go on with the time that was left, nobody forfeits for it, and
//! no token appears, vanishes or is paid twice. The players' own records judge. The long form is part of
//! `cargo xtask soak`.

mod process;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use client::{Api, duel::DuelSocket};
use process::{Process, check_store, free_port, start};
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::contract::Dice;

/// How long anything may take before a test gives up. Nothing is measured by it.
const PATIENCE: Duration = Duration::from_secs(60);
const WELCOME: i64 = 10;

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is set");
    i64::try_from(since.as_millis()).expect("not so far in the future")
}

/// A server on a store of its own, with everything to start it again.
struct Host {
    process: Process,
    folder: TempDir,
    games: PathBuf,
    port: u16,
}

impl Host {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let (games, port) = (testkit::duels::folder(), free_port());
        let process = start(&folder.path().join("store.db").display().to_string(), &games, port);
        process.ready().await;
        Self { process, folder, games, port }
    }

    fn store(&self) -> String {
        self.folder.path().join("store.db").display().to_string()
    }

    /// Kills the server and starts it again; gives how long no server ran, in milliseconds.
    async fn kill(&mut self, pause: Duration) -> i64 {
        self.process.kill();
        let killed = now_ms();
        tokio::time::sleep(pause).await;
        let down = now_ms() - killed;
        self.process = start(&self.store(), &self.games, self.port);
        self.process.ready().await;
        down
    }

    async fn guest(&self, name: &str) -> Api {
        Api::guest(&self.process.base, name).await.expect("anybody can be a guest")
    }
}

async fn tokens(api: &Api) -> i64 {
    let me: Value = api.get("/accounts/me").await.expect("signed in");
    me["tokens"].as_i64().expect("a number")
}

/// A player with a record of what he was told.
struct Player {
    api: Api,
    game: &'static str,
    socket: DuelSocket,
    heard: Vec<Value>,
}

impl Player {
    async fn new(host: &Host, game: &'static str, name: &str) -> Self {
        let api = host.guest(name).await;
        let socket = DuelSocket::open(&api, game).await.expect("the socket opens");
        let mut it = Self { api, game, socket, heard: Vec::new() };
        it.until("sync_state").await;
        it
    }

    /// Comes back after his socket broke; gives what he sees then.
    async fn come_back(&mut self) -> Value {
        self.socket = DuelSocket::open(&self.api, self.game).await.expect("the server runs again");
        self.until("sync_state").await
    }

    async fn say(&mut self, message: Value) {
        self.socket.send(&message).await.expect("the socket is open");
    }

    async fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("something is said");
            let message = message.unwrap_or_else(|error| panic!("{error} before {kind}: {:?}", self.heard));
            self.heard.push(message.clone());
            if message["type"] == kind {
                return message;
            }
        }
    }

    async fn sync(&mut self) -> Value {
        self.say(json!({ "type": "sync" })).await;
        self.until("sync_state").await
    }

    async fn lay(&mut self, kind: &str, match_id: &str, layout: Value) {
        self.say(json!({ "type": kind, "matchId": match_id, "layout": layout })).await;
    }

    fn n_ends(&self) -> usize {
        self.heard.iter().filter(|it| it["type"] == "match_end").count()
    }

    /// How his match ended: told when it did, or when he came back.
    fn result(&self) -> Value {
        let end = self.heard.iter().rfind(|it| it["type"] == "match_end").cloned();
        let seen = || self.heard.last().map(|it| it["lastResult"].clone());
        end.or_else(seen).unwrap_or_default()
    }
}

/// Two who play, and their match.
async fn meet(host: &Host, game: &'static str) -> (Player, Player, String) {
    let (mut ann, mut bob) = (Player::new(host, game, "Ann").await, Player::new(host, game, "Bob").await);
    ann.say(json!({ "type": "queue_join" })).await;
    ann.until("queue_ok").await;
    bob.say(json!({ "type": "queue_join" })).await;
    let id = ann.until("prep_start").await["matchId"].as_str().expect("an id").to_owned();
    bob.until("prep_start").await;
    (ann, bob, id)
}

fn nothing() -> Value {
    json!([null, null, null])
}

#[tokio::test(flavor = "multi_thread")]
async fn group_12_killed_in_prep_the_drafts_stay_and_the_time_is_given_back() {
    let mut host = Host::start().await;
    let (mut ann, mut bob, id) = meet(&host, "orcain-calm").await;
    ann.lay("layout_draft", &id, json!(["attack", null, null])).await;
    let before = ann.sync().await;
    let down = host.kill(Duration::from_secs(1)).await;
    let (after, other) = (ann.come_back().await, bob.come_back().await);
    for key in ["phase", "matchId", "roundIndex", "yourHp", "oppHp", "draft", "confirmed", "yourHand", "yourTokens"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!((other["phase"].as_str(), &other["draft"]), (Some("PREP"), &Value::Null));
    let deadline = |it: &Value| it["deadlineTs"].as_i64().expect("the time runs");
    assert!(deadline(&after) >= deadline(&before) + down, "{} + {down} > {}", deadline(&before), deadline(&after));
    bob.lay("layout_confirm", &id, nothing()).await;
    ann.lay("layout_confirm", &id, json!(["attack", null, null])).await;
    assert_eq!(bob.until("round_end").await["yourHp"], 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn group_12_killed_after_one_confirmed_it_stays_confirmed() {
    let mut host = Host::start().await;
    let (mut ann, mut bob, id) = meet(&host, "orcain-calm").await;
    ann.lay("layout_confirm", &id, json!(["attack", "heal", null])).await;
    ann.until("confirm_ok").await;
    host.kill(Duration::ZERO).await;
    assert_eq!(ann.come_back().await["confirmed"], json!(["attack", "heal", null]));
    bob.come_back().await;
    ann.lay("layout_confirm", &id, nothing()).await;
    ann.until("error_msg").await;
    bob.lay("layout_confirm", &id, nothing()).await;
    assert_eq!(ann.until("step_reveal").await["yourCard"], "attack");
    assert_eq!(bob.until("round_end").await["yourHp"], 8);
    drop(bob.socket);
    assert_eq!(ann.until("match_end").await["reason"], "disconnect");
    assert_eq!((tokens(&ann.api).await, tokens(&bob.api).await), (11, 9));
}

#[tokio::test(flavor = "multi_thread")]
async fn group_12_killed_between_two_steps_the_others_follow() {
    let mut host = Host::start().await;
    let (mut ann, mut bob, id) = meet(&host, "orcain-steps").await;
    ann.lay("layout_confirm", &id, json!(["attack", "counter", null])).await;
    bob.lay("layout_confirm", &id, json!([null, "attack", "heal"])).await;
    assert_eq!(ann.until("step_reveal").await["stepIndex"], 0);
    host.kill(Duration::ZERO).await;
    let (seen, _) = (ann.come_back().await, bob.come_back().await);
    assert_eq!(seen["steps"][0]["yourCard"], "attack", "what was shown stays shown: {seen}");
    if seen["phase"] == "REVEAL" && seen["roundIndex"] == 1 {
        let end = ann.until("round_end").await;
        assert_eq!((end["yourHp"].as_i64(), end["oppHp"].as_i64()), (Some(10), Some(7)));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_3_and_4_killed_in_between_who_is_silent_twice_still_loses() {
    let mut host = Host::start().await;
    let (mut ann, mut bob, id) = meet(&host, "orcain-short").await;
    ann.lay("layout_draft", &id, nothing()).await;
    ann.sync().await;
    host.kill(Duration::ZERO).await;
    let (mut state, _) = (ann.come_back().await, bob.come_back().await);
    // Ann plays on in every round, Bob never does.
    while ann.n_ends() == 0 && state["phase"] != "IDLE" {
        ann.lay("layout_draft", &id, nothing()).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        state = ann.sync().await;
    }
    let result = ann.result();
    assert_eq!((result["reason"].as_str(), result["winner"].as_str()), (Some("timeout"), Some("YOU")), "{result}");
    assert_eq!((tokens(&ann.api).await, tokens(&bob.api).await), (11, 9));
    let (mut ann, mut bob, _) = meet(&host, "orcain-short").await;
    ann.until("round_end").await;
    host.kill(Duration::ZERO).await;
    for it in [&mut ann, &mut bob] {
        it.come_back().await;
        while it.n_ends() == 0 && it.result().is_null() {
            it.sync().await;
        }
        let result = it.result();
        assert_eq!((result["reason"].as_str(), result["pot"].as_str()), (Some("timeout"), Some("burned")), "{result}");
    }
    assert_eq!((tokens(&ann.api).await, tokens(&bob.api).await), (9, 9));
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_5_6_and_11_killed_at_the_moment_of_the_end_it_ends_once() {
    let mut host = Host::start().await;
    let mut dice = Dice::new(7);
    for n in 0..6 {
        let hangs_up = n % 2 == 0;
        let (mut ann, mut bob, id) = meet(&host, "orcain-frail").await;
        ann.lay("layout_confirm", &id, json!(["attack", null, null])).await;
        ann.until("confirm_ok").await;
        if hangs_up {
            // The socket is closed for good, and the server dies before, while or after it notices.
            drop(bob.socket);
        } else {
            bob.lay("layout_confirm", &id, nothing()).await;
        }
        tokio::time::sleep(Duration::from_millis(dice.below(120) as u64)).await;
        host.kill(Duration::ZERO).await;
        bob.socket = DuelSocket::open(&bob.api, bob.game).await.expect("the server runs again");
        bob.until("sync_state").await;
        let state = ann.come_back().await;
        if state["phase"] == "PREP" {
            bob.lay("layout_confirm", &id, nothing()).await;
        }
        for it in [&mut ann, &mut bob] {
            while it.n_ends() == 0 && it.result()["matchId"] != id.as_str() {
                it.sync().await;
            }
            assert!(it.n_ends() <= 1, "{:?}", it.heard);
        }
        assert_eq!(ann.result()["winner"], "YOU", "{:?}", ann.result());
        assert_eq!((tokens(&ann.api).await, tokens(&bob.api).await), (11, 9));
    }
    host.process.kill();
    check_store(&host.store());
}

/// How a match ended for a player: the winner, the reason, and what became of the pot.
type Ending = (String, String, String);

/// What a player knows of all his matches.
#[derive(Default)]
struct Record {
    ends: BTreeMap<String, Ending>,
    /// How often he was told of an end as it happened.
    n_told: BTreeMap<String, u32>,
    /// The matches he has seen begin.
    begun: BTreeMap<String, ()>,
    /// All that was heard and said, in a few words, for whoever looks into a failure.
    trail: Vec<String>,
}

impl Record {
    fn hear(&mut self, message: &Value) {
        self.leave_trail("<", message);
        match message["type"].as_str().unwrap_or_default() {
            "match_end" => {
                self.note(message);
                *self.n_told.entry(message["matchId"].to_string()).or_default() += 1;
            }
            "sync_state" => {
                self.note(&message["lastResult"]);
                message["earlierResults"].as_array().into_iter().flatten().for_each(|it| self.note(it));
            }
            "match_found" => drop(self.begun.insert(message["matchId"].to_string(), ())),
            _ => {}
        }
    }

    fn leave_trail(&mut self, way: &str, message: &Value) {
        let of = |key: &str| message[key].as_str().unwrap_or("-").to_owned();
        let last = message["lastResult"]["matchId"].as_str().unwrap_or("-");
        let line = format!("{} {way} {} {} {}", now_ms(), of("type"), of("matchId"), of("phase"));
        self.trail.push(format!("{line} {} last {last}", of("code")));
    }

    fn note(&mut self, end: &Value) {
        if end.is_null() {
            return;
        }
        let ending = (end["winner"].to_string(), end["reason"].to_string(), end["pot"].to_string());
        let known = self.ends.insert(end["matchId"].to_string(), ending.clone());
        assert!(known.is_none_or(|it| it == ending), "one end is told in two ways: {end}");
    }

    /// What he has won and lost.
    fn gain(&self) -> i64 {
        let one = |(winner, _, pot): &Ending| match (winner.as_str(), pot.as_str()) {
            ("\"YOU\"", "\"paid\"") => 1,
            (_, "\"paid\"" | "\"burned\"") => -1,
            _ => 0,
        };
        self.ends.values().map(one).sum()
    }

    fn n_burned(&self) -> usize {
        self.ends.values().filter(|it| it.2 == "\"burned\"").count()
    }
}

/// A random layout of the usual hand.
fn layout(dice: &mut Dice) -> Value {
    let mut hand = vec!["attack", "defense", "heal", "counter"];
    let slot = |_| if dice.below(3) == 0 { Value::Null } else { hand.swap_remove(dice.below(hand.len())).into() };
    (0..3).map(slot).collect::<Vec<Value>>().into()
}

/// Plays match after match over whatever sockets there are, until it is told to stop; then to the end of the last.
async fn play_on(api: Api, seed: u64, stop: Arc<AtomicBool>, total: Arc<AtomicU32>) -> Record {
    let (mut dice, mut record) = (Dice::new(seed), Record::default());
    loop {
        let Ok(mut socket) = DuelSocket::open(&api, "orcain-brief").await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        record.trail.push(format!("{} opened", now_ms()));
        if play_socket(&mut socket, &mut dice, &mut record, &stop, &total).await {
            return record;
        }
    }
}

/// Plays on one socket until it breaks; whether all is done.
async fn play_socket(
    socket: &mut DuelSocket,
    dice: &mut Dice,
    record: &mut Record,
    stop: &AtomicBool,
    total: &AtomicU32,
) -> bool {
    loop {
        let Ok(message) = tokio::time::timeout(PATIENCE, socket.next()).await else {
            panic!("nothing more is said: {:#?}", record.trail);
        };
        let Ok(message) = message else { return false };
        record.hear(&message);
        let is_stopping = stop.load(Ordering::Relaxed);
        let id = &message["matchId"];
        let said = match message["type"].as_str().unwrap_or_default() {
            "match_end" => {
                total.fetch_add(1, Ordering::Relaxed);
                if is_stopping {
                    return true;
                }
                json!({ "type": "queue_join" })
            }
            "sync_state" if message["phase"] == "IDLE" && is_stopping => return true,
            "sync_state" if message["phase"] == "IDLE" => json!({ "type": "queue_join" }),
            // Whoever waits when the others have stopped would wait for ever.
            "queue_ok" if is_stopping => json!({ "type": "queue_leave" }),
            "queue_left" => return true,
            "error_msg" if message["code"] == "not_enough_tokens" => return true,
            "error_msg" => {
                tokio::time::sleep(Duration::from_millis(20)).await;
                json!({ "type": "sync" })
            }
            "prep_start" => match dice.below(10) {
                0 => continue,
                1 => return false,
                2 | 3 => json!({ "type": "layout_draft", "matchId": id, "layout": layout(dice) }),
                _ => json!({ "type": "layout_confirm", "matchId": id, "layout": layout(dice) }),
            },
            _ => continue,
        };
        record.leave_trail(">", &said);
        if socket.send(&said).await.is_err() {
            return false;
        }
    }
}

/// What the store holds of all matches of an account, in a few words, for whoever looks into a failure.
async fn stored_of(store: &str, api: &Api) -> Vec<String> {
    let me: Value = api.get("/accounts/me").await.expect("signed in");
    let account = storage::AccountId(me["accountId"].as_str().expect("an id").to_owned());
    let store = server::run::open_store(store).expect("the store opens");
    let all = storage::MatchFilter { account: Some(account.clone()), limit: 1000, ..Default::default() };
    let rows = store.matches(&all).await.expect("the store answers");
    let seat = |it: &storage::MatchRow| it.seats.iter().position(|it| it.as_ref() == Some(&account));
    let line = |it: &storage::MatchRow| {
        let detail = String::from_utf8_lossy(&it.detail);
        let times = format!("made {} changed {}", it.created_at, it.updated_at);
        format!("{} {} {times} seat {:?} {detail}", it.id, it.status.as_str(), seat(it))
    };
    rows.iter().map(line).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn however_often_the_server_is_killed_every_duel_ends_once_and_no_token_is_lost() {
    let is_soak = std::env::var_os("SNAPSTACK_SOAK").is_some();
    let (n_kills, n_players) = if is_soak { (100, 100) } else { (3, 6) };
    let mut host = Host::start().await;
    let (stop, total) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
    let mut players = Vec::new();
    for n in 0..n_players {
        let api = host.guest(&format!("p{n}")).await;
        players.push((api.clone(), tokio::spawn(play_on(api, n, stop.clone(), total.clone()))));
    }
    let mut dice = Dice::new(1);
    for _ in 0..n_kills {
        tokio::time::sleep(Duration::from_millis(100 + dice.below(900) as u64)).await;
        host.kill(Duration::ZERO).await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    stop.store(true, Ordering::Relaxed);
    // Whoever waits alone is woken by a last restart.
    host.kill(Duration::ZERO).await;
    let (mut n_ends, mut n_burned, mut sum) = (0, 0, 0);
    for (api, playing) in players {
        let mut record = playing.await.expect("no player is told nonsense");
        // He looks once more, in case his last match ended while he was away.
        let mut socket = DuelSocket::open(&api, "orcain-brief").await.expect("the server runs");
        while let Ok(message) = socket.next().await {
            record.hear(&message);
            if message["type"] == "sync_state" && message["phase"] == "IDLE" {
                break;
            }
            if message["type"] == "sync_state" {
                tokio::time::sleep(Duration::from_millis(20)).await;
                socket.send(&json!({ "type": "sync" })).await.expect("it is open");
            }
        }
        assert!(record.n_told.values().all(|it| *it == 1), "an end was told twice: {:?}", record.n_told);
        let unknown: Vec<&String> = record.begun.keys().filter(|it| !record.ends.contains_key(*it)).collect();
        if !unknown.is_empty() {
            let stored = stored_of(&host.store(), &api).await;
            panic!("he never heard how these ended: {unknown:?}\n{:#?}\n{stored:#?}", record.trail);
        }
        assert_eq!(tokens(&api).await, WELCOME + record.gain(), "{:?}", record.ends);
        n_ends += record.ends.len();
        n_burned += record.n_burned();
        sum += tokens(&api).await;
    }
    let expected = WELCOME * i64::try_from(n_players).expect("few") - i64::try_from(n_burned).expect("few");
    assert_eq!(sum, expected, "tokens change only by burns");
    eprintln!("{n_kills} kills, {n_players} players, {n_ends} ends told, {n_burned} stakes burned, no token lost");
    host.process.kill();
    check_store(&host.store());
}
