//! What the server promises to those who play.

mod common;

use client::{Api, Seat};
use common::{Ear, Host, code, publish, table};
use protocol::{ServerMessage, SuccessBody};
use serde_json::{Value, json};
use testkit::served::clicker;

/// Plays a seat to the end with any legal answers; gives how it ended.
async fn finish(api: &Api, id: &str, seed: u32) -> Option<host::view::Outcome> {
    let mut seat = Seat::take(api, id, None).await.expect("a seat");
    let mut dice = seed;
    while seat.mirror.view.outcome.is_none() {
        let Some(input) = seat.mirror.asked().cloned() else {
            seat.wait().await.expect("the server is there");
            continue;
        };
        let mut below = |bound: u32| {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (dice >> 8) % bound.max(1)
        };
        seat.play_at_random(&input, &mut below).await.expect("it is legal");
    }
    seat.mirror.view.outcome.clone()
}

async fn two(host: &Host) -> (Api, Api) {
    (host.guest("Ann").await, host.guest("Bob").await)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_guests_play_a_whole_match() {
    let host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let id = table(&ann, &bob, "duel", 7).await;
    let (one, two) = tokio::join!(finish(&ann, &id, 1), finish(&bob, &id, 2));
    assert_eq!(one, two, "both see the same end");
    let after: Value = ann.get(&format!("/matches/{id}")).await.expect("it is there");
    assert_eq!(after["status"], "over");
    // The log can be downloaded, and plays again to the same end.
    let bytes = ann.get_bytes(&format!("/matches/{id}/replay")).await.expect("it is over");
    let game = host::Game::Ruleset(testkit::games::load("duel"));
    let again = game.reload(&bytes).expect("it plays again");
    let view: Value = ann.get(&format!("/matches/{id}/view")).await.expect("it is there");
    assert_eq!(serde_json::to_value(again.view(host::Viewer::Seat(host::Seat(0)))).expect("JSON"), view["view"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_is_carried_out_once_however_it_is_sent() {
    let mut host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let path = format!("/matches/{id}/actions");
    let click = json!({ "type": "click", "commandId": "one" });
    let first: SuccessBody = ann.post(&path, &click).await.expect("it is her turn");
    assert!(!first.repeated);
    // Again over HTTP, over a socket, and after a restart.
    let again: SuccessBody = ann.post(&path, &click).await.expect("it was done");
    assert!(again.repeated);
    assert_eq!((again.branch_id, again.moved), (first.branch_id, first.moved));
    let message = json!({ "type": "action.submit", "matchId": id, "actionType": "click", "commandId": "one" });
    let mut ear = Ear::follow(&ann, &id, None).await;
    // Said in other words it is another request.
    let ServerMessage::Error(body) = ear.ask(message).await else { panic!("other words") };
    assert_eq!(body.code, "request/command_id_reused");
    host.restart().await;
    let ann = Api::new(&host.base()).with_token(ann.token().expect("signed in"));
    let again: SuccessBody = ann.post(&path, &click).await.expect("it was done");
    assert!(again.repeated);
    let other = json!({ "type": "pass", "commandId": "one" });
    assert_eq!(code(ann.post::<Value>(&path, &other).await), "request/command_id_reused");
    let view: Value = ann.get(&format!("/matches/{id}/view")).await.expect("it is there");
    assert_eq!(view["view"]["players"]["p1"]["values"]["clicks"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_who_race_on_one_version_one_wins() {
    let host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let path = format!("/matches/{id}/actions");
    let race = |at: usize| {
        let (ann, path) = (ann.clone(), path.clone());
        let body = json!({ "type": "click", "knownVersion": 0, "commandId": format!("racer{at}") });
        tokio::spawn(async move { ann.post::<SuccessBody>(&path, &body).await })
    };
    let racers: Vec<_> = (0..64).map(race).collect();
    let mut won = Vec::new();
    for racer in racers {
        match racer.await.expect("nobody panics") {
            Ok(body) => won.push(body.branch_id),
            Err(error) => assert_eq!((error.code(), error.conflict()), ("request/stale_version", Some(1))),
        }
    }
    assert_eq!(won, [1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_back_hears_exactly_what_he_missed() {
    let mut host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let mut before = Ear::follow(&bob, &id, Some(0)).await;
    let click = |api: Api, path: String| async move { api.post::<Value>(&path, &json!({ "type": "click" })).await };
    let path = format!("/matches/{id}/actions");
    click(ann.clone(), path.clone()).await.expect("her turn");
    before.settle().await;
    let heard = before.sequences();
    drop(before);
    for _ in 0..5 {
        click(ann.clone(), path.clone()).await.expect("her turn");
    }
    host.restart().await;
    let again = |api: &Api| Api::new(&host.base()).with_token(api.token().expect("signed in"));
    let (ann, bob) = (again(&ann), again(&bob));
    let mut after = Ear::follow(&bob, &id, heard.last().copied()).await;
    click(ann, path).await.expect("her turn");
    after.settle().await;
    let all: Vec<u32> = heard.into_iter().chain(after.sequences()).collect();
    let expected: Vec<u32> = (1..=u32::try_from(all.len()).expect("few")).collect();
    assert_eq!(all, expected, "no gap and no repeat");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_void_match_takes_nothing_any_more() {
    let host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let moderator = host.moderator().await;
    assert_eq!(code(ann.delete(&format!("/matches/{id}")).await), "auth/forbidden");
    moderator.delete(&format!("/matches/{id}")).await.expect("a moderator may");
    let writes = [
        ("actions", json!({ "type": "click" })),
        ("inputs", json!({ "inputId": "i1", "answers": { "selection": [] } })),
        ("undo", json!({})),
        ("takeback", json!({ "to": 0 })),
        ("control", json!({ "verb": "concede" })),
        ("join", json!({})),
        ("leave", json!({})),
    ];
    for (path, body) in writes {
        assert_eq!(code(ann.post::<Value>(&format!("/matches/{id}/{path}"), &body).await), "match/void", "{path}");
    }
    let mut ear = Ear::open(&ann).await;
    for message in [
        json!({ "type": "action.submit", "matchId": id, "actionType": "click" }),
        json!({ "type": "input.submit", "matchId": id, "inputId": "i1", "selection": [] }),
        json!({ "type": "system.control", "matchId": id, "verb": "concede" }),
    ] {
        let kind = message["type"].clone();
        let ServerMessage::Error(body) = ear.ask(message).await else { panic!("{kind} is taken") };
        assert_eq!(body.code, "match/void", "{kind}");
    }
    let audit: Value = moderator.get(&format!("/matches/{id}/audit")).await.expect("a moderator may");
    assert_eq!(audit["audit"].as_array().map(Vec::len), Some(1));
    assert_eq!(audit["audit"][0]["verb"], "void");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_reaches_others_as_undone_and_a_fresh_view() {
    let host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let mut ear = Ear::follow(&bob, &id, None).await;
    ann.post::<Value>(&format!("/matches/{id}/actions"), &json!({ "type": "click" })).await.expect("her turn");
    ann.post::<Value>(&format!("/matches/{id}/undo"), &json!({})).await.expect("that is fair");
    ear.until(|it| matches!(it, ServerMessage::EventAppended(it) if it.event.kind == "Undone")).await;
    let next = ear.next().await.expect("the socket stays open");
    let ServerMessage::StateView(protocol::messages::StateView { view, .. }) = next else {
        panic!("a fresh view follows: {next:?}")
    };
    assert_eq!(view.players["p1"].values["clicks"].number(), Some(0));
    // Going further back takes both.
    ann.post::<Value>(&format!("/matches/{id}/actions"), &json!({ "type": "click" })).await.expect("her turn");
    let back = json!({ "to": 2 });
    let asked: SuccessBody = ann.post(&format!("/matches/{id}/takeback"), &back).await.expect("she may ask");
    assert!(!asked.moved, "Bob has yet to agree");
    let done: SuccessBody = bob.post(&format!("/matches/{id}/takeback"), &back).await.expect("both agree");
    assert!(done.moved);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_against_a_bot() {
    let host = Host::start().await;
    let ann = host.guest("Ann").await;
    for (game, bot) in [("duel", "bot:random"), ("tricks", "bot:random"), ("duel", "bot:greedy")] {
        let created: Value =
            ann.post("/matches", &json!({ "game": game, "seats": ["me", bot], "seed": 3 })).await.expect("it begins");
        let id = created["id"].as_str().expect("an id");
        let mut seat = Seat::take(&ann, id, None).await.expect("a seat");
        for _ in 0..10 {
            // What she has answered stays open while the bot may still think about the same.
            let asked = |it: &Seat| it.mirror.asked().cloned();
            while asked(&seat).is_none() && seat.mirror.view.outcome.is_none() {
                seat.wait().await.expect("the bot answers");
            }
            let Some(input) = asked(&seat) else { break };
            seat.play_at_random(&input, &mut |_| 0).await.expect("it is legal");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deck_that_cannot_be_played_leaves_no_table_behind() {
    let host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let bad = json!({ "game": "duel", "deck": ["nope"] });
    assert_eq!(code(ann.post::<Value>("/matches", &bad).await), "match/illegal_deck");
    let mine: Value = ann.get("/matches?mine=true").await.expect("the lobby answers");
    assert_eq!(mine, json!([]));
    let created: Value = ann.post("/matches", &json!({ "game": "duel" })).await.expect("a table");
    let path = format!("/matches/{}/join", created["id"].as_str().expect("an id"));
    assert_eq!(code(bob.post::<Value>(&path, &json!({ "deck": ["nope"] })).await), "match/illegal_deck");
    let joined: Value = bob.post(&path, &json!({})).await.expect("the seat is still free");
    assert_eq!(joined["status"], "live");
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_are_json_with_a_code() {
    let host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    for path in
        ["/matches?limit=-1".to_owned(), format!("/matches/{id}/events?after=-1"), format!("/matches/{id}/explain")]
    {
        assert_eq!(code(ann.get::<Value>(&path).await), "request/malformed", "{path}");
    }
    // Also where the framework refuses: no socket is asked for, or the path is no text.
    for path in ["/ws", "/duels/orcain/ws"] {
        assert_eq!(code(ann.get::<Value>(path).await), "request/not_a_socket", "{path}");
    }
    for path in ["/matches/%ff", "/matches/%ff/view", "/duels/%ff/ws"] {
        assert_eq!(code(ann.get::<Value>(path).await), "request/malformed", "{path}");
    }
    let odd = json!({ "type": "click", "commandId": 5 });
    assert_eq!(code(ann.post::<Value>(&format!("/matches/{id}/actions"), &odd).await), "request/wrong_type");
}

#[tokio::test(flavor = "multi_thread")]
async fn looking_again_makes_nobody_late() {
    let host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let id = table(&ann, &bob, "duel", 1).await;
    let path = format!("/matches/{id}/replay");
    let moderator = host.moderator().await;
    let before = moderator.get_bytes(&path).await.expect("a moderator may");
    let mut ear = Ear::follow(&bob, &id, None).await;
    for _ in 0..3 {
        ear.send(&json!({ "type": "match.subscribe", "matchId": id })).await;
    }
    ear.settle().await;
    let after = moderator.get_bytes(&path).await.expect("a moderator may");
    assert_eq!(before, after, "who looks again does not come back, for he was not gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_say_who_and_when_they_are_or_are_refused() {
    let host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let game = publish(&ann, &clicker()).await;
    let id = table(&ann, &bob, &game, 1).await;
    let path = format!("/matches/{id}/actions");
    for wrong in [json!("0"), json!(-1), json!(1.5)] {
        let click = json!({ "type": "click", "knownVersion": wrong });
        assert_eq!(code(ann.post::<Value>(&path, &click).await), "request/wrong_type", "{click}");
    }
    let click = json!({ "type": "click", "playerId": "p2" });
    assert_eq!(code(ann.post::<Value>(&path, &click).await), "auth/forbidden");
    // Both may call their requests the same.
    for who in [&bob, &ann] {
        let pass = json!({ "type": "click", "commandId": "k1" });
        let refused = who.post::<Value>(&path, &pass).await.err().map(|it| it.to_string()).unwrap_or_default();
        assert!(!refused.contains("command_id_reused"), "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_end_with_their_session() {
    let host = Host::start().await;
    let ann = host.guest("Ann").await;
    let mut ear = Ear::open(&ann).await;
    ann.delete("/sessions/current").await.expect("she may go");
    let closed = loop {
        match ear.next().await {
            Ok(_) => {}
            Err(error) => break error.to_string(),
        }
    };
    assert!(closed.contains("auth/signed_out"), "{closed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_pass_finds_it_among_his_actions() {
    let host = Host::start().await;
    let (ann, bob) = two(&host).await;
    let id = table(&ann, &bob, "skirmish", 1).await;
    let path = format!("/matches/{id}/actions");
    let listed = |body: &Value| -> Vec<String> {
        let actions = body["actions"].as_array().expect("a list");
        actions.iter().map(|it| it["id"].as_str().expect("an id").to_owned()).collect()
    };
    // Whoever is not asked can do nothing; whoever is can at least pass, and does by what is listed.
    for _ in 0..20 {
        let mut may_pass = Vec::new();
        for api in [&ann, &bob] {
            let body: Value = api.get(&path).await.expect("he plays");
            let view: Value = api.get(&format!("/matches/{id}/inputs")).await.expect("he plays");
            let is_asked = view[0]["kind"] == "priority";
            assert_eq!(listed(&body).contains(&"pass".to_owned()), is_asked, "{body}");
            may_pass.extend(is_asked.then_some(api));
        }
        let [api] = may_pass.as_slice() else { panic!("one of them may act") };
        api.post::<SuccessBody>(&path, &json!({ "type": "pass" })).await.expect("it was listed");
    }
}
