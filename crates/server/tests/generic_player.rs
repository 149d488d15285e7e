//! A player who knows nothing but prompts and Refs plays every game to its end over the real socket, ruled and scripted;
//! and clients that share no code with ours follow what it was told.

mod common;

use std::{
    io::Write as _,
    process::{Command, Stdio},
};

use client::{Api, Seat};
use common::{Ear, Host};
use serde_json::{Value, json};

/// After how many answers of one seat a match is given up: games that are not for random players take very long.
const ANSWERS_MAX: u32 = 3000;

/// Plays a seat with any legal answers until the match is over, or the seat has answered often enough.
async fn finish(api: Api, id: String, seed: u32) -> bool {
    let mut seat = Seat::take(&api, &id, None).await.expect("a seat");
    let mut dice = seed;
    let mut below = move |bound: u32| {
        dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (dice >> 8) % bound.max(1)
    };
    for _ in 0..ANSWERS_MAX {
        while seat.mirror.asked().is_none() && seat.mirror.view.outcome.is_none() {
            seat.wait().await.expect("the server is there");
        }
        let Some(input) = seat.mirror.asked().cloned().filter(|_| seat.mirror.view.outcome.is_none()) else {
            return true;
        };
        if let Err(refused) = seat.play_at_random(&input, &mut below).await {
            assert!(refused.conflict().is_some(), "{id}: {refused}: {input:?}");
            seat.wait().await.expect("the server is there");
        }
    }
    false
}

/// Everybody at a new table, and the match they play.
async fn table(host: &Host, game: &str, n_seats: usize) -> (Vec<Api>, String) {
    let mut players = Vec::new();
    for n in 0..n_seats {
        players.push(host.guest(&format!("Player {n}")).await);
    }
    let seats: Vec<&str> = std::iter::once("me").chain(std::iter::repeat_n("open", n_seats - 1)).collect();
    let body = json!({ "game": game, "seats": seats, "seed": 5, "spectators": true });
    let created: Value = players[0].post("/matches", &body).await.expect("a table is opened");
    let id = created["id"].as_str().expect("an id").to_owned();
    for it in &players[1..] {
        it.post::<Value>(&format!("/matches/{id}/join"), &json!({})).await.expect("a seat is free");
    }
    (players, id)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_who_knows_only_refs_finishes_every_game() {
    let host = Host::with(|config| {
        config.messages_per_second_max = 100_000;
        config.requests_per_second_max = 100_000;
    })
    .await;
    let watcher = host.guest("Watcher").await;
    let games: Value = watcher.get("/rulesets").await.expect("there are games");
    for game in games.as_array().expect("a list") {
        let (name, n_seats) = (game["id"].as_str().expect("a name"), game["seats"][0].as_u64().expect("a number"));
        // Orcain is played against the clock; its own tests play it.
        if name == "orcain" {
            continue;
        }
        let (players, id) = table(&host, name, usize::try_from(n_seats).expect("few")).await;
        let mut ear = Ear::follow(&watcher, &id, None).await;
        let seats = players.into_iter().zip(1..).map(|(api, seed)| tokio::spawn(finish(api, id.clone(), seed)));
        for seat in seats.collect::<Vec<_>>() {
            assert!(seat.await.expect("nobody panics"), "{name} is not over");
        }
        ear.settle().await;
        let lines: Vec<String> =
            ear.heard.iter().map(|it| serde_json::to_string(it).expect("messages are plain data")).collect();
        let followed = [("node", "follow.mjs"), ("python3", "follow.py")].map(|it| follow(it.0, it.1, &lines));
        assert!(followed[0] > 3 && followed[0] == followed[1], "{name}: {followed:?}");
    }
}

/// Lets a client of another language follow a match; gives how many hashes it compared.
fn follow(program: &str, script: &str, lines: &[String]) -> u32 {
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/contract").join(script);
    let child = Command::new(program).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.unwrap_or_else(|error| panic!("{program} runs the client of its language: {error}"));
    let mut input = child.stdin.take().expect("it is piped");
    let text = lines.join("\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it writes").expect("all is read");
    assert!(output.status.success(), "{program} follows to another table");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number")
}
