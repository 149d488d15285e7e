//! Duels over real sockets: the scenarios every server of Orcain must pass, with short times.

mod common;
mod duels;

use duels::{Balances, Pair, Player, again, duel_host, spend_all, tokens};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

fn nothing() -> Value {
    json!([null, null, null])
}

fn both(end: &(Value, Value), key: &str) -> (Value, Value) {
    (end.0[key].clone(), end.1[key].clone())
}

const ROUND: [&str; 6] = ["prep_start", "confirm_ok", "step_reveal", "step_reveal", "step_reveal", "round_end"];

#[tokio::test(flavor = "multi_thread")]
async fn group_1_both_confirm_and_see_three_steps_well_before_the_deadline() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-calm").await;
    let end = pair.round(json!(["attack", "defense", "heal"]), json!(["heal", "attack", "counter"])).await;
    assert_eq!((end["yourHp"].as_i64(), end["oppHp"].as_i64()), (Some(10), Some(8)));
    pair.ann.until("prep_start").await;
    let expected: Vec<&str> = ["match_found"].into_iter().chain(ROUND).chain(["prep_start"]).collect();
    assert_eq!(pair.ann.kinds(&pair.match_id), expected);
    let steps: Vec<&Value> = pair.ann.heard.iter().filter(|it| it["type"] == "step_reveal").collect();
    let cards: Vec<_> = steps.iter().map(|it| (it["stepIndex"].as_i64(), &it["yourCard"], &it["oppCard"])).collect();
    let card = |it: &str| Value::from(it);
    assert_eq!(
        cards,
        [
            (Some(0), &card("attack"), &card("heal")),
            (Some(1), &card("defense"), &card("attack")),
            (Some(2), &card("heal"), &card("counter")),
        ]
    );
    let second = pair.ann.sync().await;
    assert_eq!((second["phase"].as_str(), second["roundIndex"].as_i64()), (Some("PREP"), Some(2)));
}

#[tokio::test(flavor = "multi_thread")]
async fn data_formats_both_are_told_who_plays_for_what_and_until_when() {
    let host = duel_host().await;
    let before = server::clock::Clock::wall();
    let (mut pair, ..) = Pair::meet(&host, "orcain").await;
    for (player, own, other) in [(&mut pair.ann, "Ann", "Bob"), (&mut pair.bob, "Bob", "Ann")] {
        let prep = player.until("prep_start").await;
        let found = player.heard.iter().find(|it| it["type"] == "match_found").cloned().expect("it was found");
        for message in [&found, &prep] {
            assert_eq!((&message["yourNickname"], &message["oppNickname"]), (&json!(own), &json!(other)));
            assert_eq!((&message["yourHp"], &message["oppHp"]), (&json!(10), &json!(10)));
            assert_eq!((&message["pot"], &message["yourTokens"]), (&json!(2), &json!(9)));
            assert_eq!(message["yourHand"], json!(["attack", "defense", "heal", "counter"]));
            assert!(!message.to_string().contains("st_"), "no token of a session is told: {message}");
        }
        assert_eq!((&prep["roundIndex"], &prep["suddenDeath"]), (&json!(1), &json!(false)));
        assert_eq!(prep["cards"], prep["yourHand"]);
        let deadline = prep["deadlineTs"].as_i64().expect("the time runs");
        let latest = server::clock::Clock::wall() + 20_001;
        assert!(before + 10_000 < deadline && deadline <= latest, "20 seconds: {before} {deadline} {latest}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn group_1_the_deadline_of_a_round_that_ended_early_does_not_cut_the_next_one_short() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-short").await;
    pair.round(nothing(), nothing()).await;
    let prep = pair.ann.until("prep_start").await;
    assert_eq!(prep["roundIndex"], 2);
    pair.ann.draft(&pair.match_id, json!(["attack", null, null])).await;
    let step = pair.ann.until("step_reveal").await;
    let now = server::clock::Clock::wall();
    assert_eq!((step["roundIndex"].as_i64(), step["yourCard"].as_str()), (Some(2), Some("attack")));
    assert!(now >= prep["deadlineTs"].as_i64().expect("the time runs"), "a reveal before the deadline: {step}");
}

#[tokio::test(flavor = "multi_thread")]
async fn group_2_a_draft_of_one_card_is_played_against_a_silent_player() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-short").await;
    pair.ann.draft(&pair.match_id, json!(["attack", null, null])).await;
    let steps: Vec<Value> =
        [pair.bob.until("step_reveal").await, pair.bob.until("step_reveal").await].into_iter().collect();
    assert_eq!((steps[0]["oppCard"].as_str(), &steps[0]["yourCard"]), (Some("attack"), &Value::Null));
    assert_eq!((&steps[1]["oppCard"], steps[1]["yourHp"].as_i64()), (&Value::Null, Some(8)));
}

#[tokio::test(flavor = "multi_thread")]
async fn group_3_both_silent_twice_burn_the_pot_without_a_reveal() {
    let host = duel_host().await;
    let (mut pair, ann, bob) = Pair::meet(&host, "orcain-brief").await;
    let end = pair.end().await;
    assert_eq!(both(&end, "reason"), ("timeout".into(), "timeout".into()));
    assert_eq!(both(&end, "winner"), (Value::Null, Value::Null));
    assert_eq!(both(&end, "pot"), ("burned".into(), "burned".into()));
    let kinds = pair.ann.kinds(&pair.match_id);
    assert_eq!(kinds.iter().filter(|it| **it == "step_reveal").count(), 3, "none in the second round: {kinds:?}");
    assert_eq!(kinds.iter().filter(|it| **it == "match_end").count(), 1);
    for player in [&mut pair.ann, &mut pair.bob] {
        player.draft(&pair.match_id, json!(["attack", null, null])).await;
        player.sync().await;
        assert_eq!(player.kinds(&pair.match_id).last(), Some(&"match_end"), "nothing about it follows");
    }
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (9, 9));
    assert_eq!(Balances::of(&host).await, Balances { total: 0, burned: 2 });
}

#[tokio::test(flavor = "multi_thread")]
async fn group_4_who_is_silent_twice_loses_to_who_plays() {
    let host = duel_host().await;
    let (mut pair, ann, bob) = Pair::meet(&host, "orcain-short").await;
    pair.ann.draft(&pair.match_id, nothing()).await;
    pair.ann.until("round_end").await;
    pair.ann.draft(&pair.match_id, nothing()).await;
    let end = pair.end().await;
    assert_eq!(both(&end, "winner"), ("YOU".into(), "OPPONENT".into()));
    assert_eq!(both(&end, "pot"), ("paid".into(), "paid".into()));
    assert_eq!(both(&end, "yourTokens"), (11.into(), 9.into()));
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (11, 9));
}

#[tokio::test(flavor = "multi_thread")]
async fn group_4_a_round_with_both_confirming_early_begins_the_count_anew() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-short").await;
    pair.ann.draft(&pair.match_id, nothing()).await;
    pair.ann.until("round_end").await;
    pair.bob.until("round_end").await;
    pair.round(nothing(), nothing()).await;
    pair.ann.until("prep_start").await;
    pair.ann.draft(&pair.match_id, nothing()).await;
    let end = pair.ann.until("round_end").await;
    assert_eq!(end["roundIndex"], 3, "away, there, away: the match goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn group_5_who_hangs_up_in_prep_or_reveal_loses_at_once() {
    let host = duel_host().await;
    for in_reveal in [false, true] {
        let (mut pair, ann, bob) = Pair::meet(&host, "orcain-calm").await;
        if in_reveal {
            pair.ann.confirm(&pair.match_id, nothing()).await;
            pair.bob.confirm(&pair.match_id, nothing()).await;
            pair.ann.until("step_reveal").await;
        }
        drop(pair.bob);
        let end = pair.ann.until("match_end").await;
        assert_eq!((end["reason"].as_str(), end["winner"].as_str()), (Some("disconnect"), Some("YOU")));
        assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (11, 9));
        let back = Player::at(&host, "orcain-calm", &bob).await;
        let last = &back.heard.last().expect("he is told")["lastResult"];
        assert_eq!((last["winner"].as_str(), last["yourTokens"].as_i64()), (Some("OPPONENT"), Some(9)));
    }
    assert_eq!(Balances::of(&host).await, Balances { total: 0, burned: 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn group_5_who_was_away_at_the_end_is_told_once_at_his_next_hello() {
    let host = duel_host().await;
    let (pair, ann, bob) = Pair::meet(&host, "orcain-calm").await;
    let Pair { ann: mut here, bob: away, match_id } = pair;
    drop(away);
    here.until("match_end").await;
    let n_ends = |it: &Player| it.kinds(&match_id).iter().filter(|it| **it == "match_end").count();
    for (who, expected) in [(&ann, 0), (&bob, 1), (&bob, 0)] {
        let back = Player::at(&host, "orcain-calm", who).await;
        assert_eq!(n_ends(&back), expected, "{:?}", back.heard);
        let state = back.heard.last().expect("he is told");
        assert_eq!(state["lastResult"]["matchId"], match_id.as_str(), "whoever asks sees how it ended");
    }
}

/// What a moderator or a player does over HTTP to end a match, and what both are told.
async fn check_ending(verb: Value, expected: (&str, Option<&str>, &str), balances: (i64, i64)) {
    let host = duel_host().await;
    let (mut pair, ann, bob) = Pair::meet(&host, "orcain-calm").await;
    let path = format!("/matches/{}", pair.match_id);
    match verb["verb"].as_str() {
        Some("concede") => drop(bob.post::<Value>(&format!("{path}/control"), &verb).await.expect("he may")),
        Some(_) => {
            let moderator = host.moderator().await;
            drop(moderator.post::<Value>(&format!("{path}/control"), &verb).await.expect("a moderator may"));
        }
        None => host.moderator().await.delete(&path).await.expect("a moderator may"),
    }
    let (end, other) = pair.end().await;
    let told =
        (end["reason"].as_str().expect("a reason"), end["winner"].as_str(), end["pot"].as_str().expect("a word"));
    assert_eq!(told, expected, "{verb}");
    assert_eq!((&other["reason"], &other["pot"]), (&end["reason"], &end["pot"]), "{verb}");
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), balances, "{verb}");
    assert_eq!(Balances::of(&host).await, Balances { total: 0, burned: 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn every_ending_is_told_for_one_of_four_reasons() {
    check_ending(json!({ "verb": "concede" }), ("disconnect", Some("YOU"), "paid"), (11, 9)).await;
    check_ending(json!({ "verb": "set_result", "winners": ["p2"] }), ("normal", Some("OPPONENT"), "paid"), (9, 11))
        .await;
    check_ending(json!({ "verb": "set_result", "winners": [] }), ("normal", None, "refunded"), (10, 10)).await;
    check_ending(json!({ "verb": "kick", "player": "p2" }), ("disconnect", Some("YOU"), "paid"), (11, 9)).await;
    check_ending(json!({ "verb": "void" }), ("stalemate", None, "refunded"), (10, 10)).await;
    check_ending(json!({}), ("stalemate", None, "refunded"), (10, 10)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn group_5_who_hangs_up_while_he_waits_is_not_paired() {
    let host = duel_host().await;
    let (one, two) = (host.guest("Ann").await, host.guest("Bob").await);
    let mut ann = Player::at(&host, "orcain", &one).await;
    ann.queue().await;
    ann.until("queue_ok").await;
    drop(ann);
    let account: Value = one.get("/accounts/me").await.expect("signed in");
    let account = storage::AccountId(account["accountId"].as_str().expect("an id").to_owned());
    while host.server().app.lobby.has(&account) {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let mut bob = Player::at(&host, "orcain", &two).await;
    bob.queue().await;
    bob.until("queue_ok").await;
    assert_eq!(bob.sync().await["phase"], "QUEUED");
    assert_eq!((tokens(&host, &one).await, tokens(&host, &two).await), (10, 10));
}

#[tokio::test(flavor = "multi_thread")]
async fn group_5_both_hang_up_at_once_and_one_of_them_is_paid() {
    let host = duel_host().await;
    let (pair, ann, bob) = Pair::meet(&host, "orcain-calm").await;
    let Pair { ann: one, bob: two, match_id } = pair;
    drop((one, two));
    let id = storage::MatchId(match_id);
    loop {
        let row = host.store().match_row(&id).await.expect("the store answers").expect("it is there");
        if row.status == storage::MatchStatus::Over {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let mut both = [tokens(&host, &ann).await, tokens(&host, &bob).await];
    both.sort_unstable();
    assert_eq!(both, [9, 11]);
}

#[tokio::test(flavor = "multi_thread")]
async fn group_6_equal_health_at_the_limit_leads_to_sudden_death() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-capped").await;
    pair.round(nothing(), nothing()).await;
    let prep = pair.ann.until("prep_start").await;
    assert_eq!((prep["roundIndex"].as_i64(), prep["suddenDeath"].as_bool()), (Some(2), Some(true)));
    pair.round(json!(["attack", null, null]), nothing()).await;
    let end = pair.end().await;
    assert_eq!(both(&end, "reason"), ("normal".into(), "normal".into()));
    assert_eq!(both(&end, "winner"), ("YOU".into(), "OPPONENT".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stalemate_and_a_draw_give_both_stakes_back() {
    let host = duel_host().await;
    let (mut pair, ann, bob) = Pair::meet(&host, "orcain-capped").await;
    pair.round(nothing(), nothing()).await;
    pair.round(nothing(), nothing()).await;
    let end = pair.end().await;
    assert_eq!(both(&end, "reason"), ("stalemate".into(), "stalemate".into()));
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (10, 10));
    let (mut pair, ann, bob) = Pair::meet(&host, "orcain-frail").await;
    pair.round(json!(["attack", null, null]), json!(["attack", null, null])).await;
    let end = pair.end().await;
    assert_eq!(both(&end, "reason"), ("normal".into(), "normal".into()));
    assert_eq!(both(&end, "pot"), ("refunded".into(), "refunded".into()));
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (10, 10));
}

#[tokio::test(flavor = "multi_thread")]
async fn group_7_drafts_are_put_right_and_confirmations_judged() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-calm").await;
    let id = pair.match_id.clone();
    for layout in [json!(["attack", "dragon", "heal"]), json!(["attack", "attack", "heal"])] {
        pair.ann.draft(&id, layout).await;
        assert_eq!(pair.ann.sync().await["draft"], json!(["attack", null, "heal"]));
    }
    let numbers = host.server().app.metrics.text();
    assert!(numbers.contains("code=\"invalid_card_from_client\"} 2"), "each is counted: {numbers}");
    pair.ann.draft("another match", json!(["heal", null, null])).await;
    assert_eq!(pair.ann.sync().await["draft"], json!(["attack", null, "heal"]));
    for layout in
        [json!(["attack", "dragon", "heal"]), json!(["attack"]), json!("attack"), json!([1, 2, 3]), json!(null)]
    {
        pair.ann.confirm(&id, layout.clone()).await;
        pair.ann.refusal().await;
        assert_eq!(pair.ann.sync().await["confirmed"], Value::Null, "{layout}");
    }
    pair.ann.confirm("another match", nothing()).await;
    assert_eq!(pair.ann.refusal().await, "not_your_match");
    pair.ann.confirm(&id, json!(["attack", null, "heal"])).await;
    pair.ann.until("confirm_ok").await;
    pair.ann.confirm(&id, nothing()).await;
    pair.ann.refusal().await;
    pair.ann.draft(&id, nothing()).await;
    let state = pair.ann.sync().await;
    assert_eq!((&state["confirmed"], &state["draft"]), (&json!(["attack", null, "heal"]), &Value::Null));
    pair.bob.confirm(&id, nothing()).await;
    pair.ann.until("step_reveal").await;
    pair.ann.confirm(&id, nothing()).await;
    assert_eq!(pair.ann.refusal().await, "not_now");
}

#[tokio::test(flavor = "multi_thread")]
async fn group_7_what_is_laid_in_reveal_has_no_effect() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-slow").await;
    let id = pair.match_id.clone();
    pair.ann.confirm(&id, json!(["heal", null, null])).await;
    pair.ann.until("confirm_ok").await;
    pair.bob.confirm(&id, nothing()).await;
    pair.bob.until("confirm_ok").await;
    // The first card is shown after five seconds.
    pair.ann.draft(&id, json!(["attack", null, null])).await;
    pair.ann.confirm(&id, json!(["attack", null, null])).await;
    assert_eq!(pair.ann.refusal().await, "not_now");
    let state = pair.ann.sync().await;
    assert_eq!((state["phase"].as_str(), &state["draft"]), (Some("REVEAL"), &Value::Null));
    assert_eq!(pair.ann.until("step_reveal").await["yourCard"], "heal");
    assert_eq!(pair.ann.until("round_end").await["oppHp"], 10);
    pair.ann.until("prep_start").await;
    assert_eq!(pair.ann.sync().await["draft"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn group_8_the_hand_stays_the_same_and_the_secret_word_is_never_sent() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-calm").await;
    pair.round(json!(["counter", null, "attack"]), nothing()).await;
    pair.ann.until("prep_start").await;
    let hands: Vec<&Value> = pair.ann.heard.iter().map(|it| &it["yourHand"]).filter(|it| it.is_array()).collect();
    assert!(hands.len() >= 3, "{hands:?}");
    assert!(hands.iter().all(|it| **it == json!(["attack", "defense", "heal", "counter"])), "{hands:?}");
    let word = ["gra", "ss"].concat();
    let all = format!("{:?}{:?}", pair.ann.heard, pair.bob.heard).to_lowercase();
    assert!(!all.contains(&word) && !all.contains("gap"), "{all}");
    let ruleset: Value = common::Host::guest(&host, "Eve").await.get("/rulesets/orcain").await.expect("it is public");
    assert!(!ruleset.to_string().to_lowercase().contains(&word));
}

#[tokio::test(flavor = "multi_thread")]
async fn payloads_are_what_the_document_describes() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-frail").await;
    pair.ann.say(&json!({ "type": "nonsense" })).await;
    pair.ann.refusal().await;
    pair.ann.sync().await;
    pair.round(json!(["attack", null, "heal"]), nothing()).await;
    pair.end().await;
    pair.ann.queue().await;
    pair.ann.until("queue_ok").await;
    pair.ann.say(&json!({ "type": "queue_leave" })).await;
    pair.ann.until("queue_left").await;
    pair.ann.sync().await;
    let described = protocol::duel::messages();
    for message in &pair.ann.heard {
        let kind = message["type"].as_str().expect("a type");
        let payload = &described[kind]["payload"];
        let keys: Vec<&String> = message.as_object().expect("an object").keys().collect();
        assert!(keys.iter().all(|it| payload["properties"][it].is_object()), "{message} is not {payload}");
        let required = payload["required"].as_array().expect("a list");
        assert!(required.iter().all(|it| keys.iter().any(|key| it == key.as_str())), "{message} is not {payload}");
    }
    let told = protocol::duel::names(true);
    let unheard: Vec<&str> = told.filter(|kind| !pair.ann.heard.iter().any(|it| it["type"] == *kind)).collect();
    assert!(unheard.is_empty(), "{unheard:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn group_9_nonsense_changes_nothing() {
    let host = duel_host().await;
    let (mut pair, ..) = Pair::meet(&host, "orcain-calm").await;
    let before = pair.ann.sync().await;
    let deep = format!("{}1{}", "[".repeat(500), "]".repeat(500));
    for text in ["", "null", "7", "[]", "{}", "not json", r#"{"type":7}"#, r#"{"type":"hello"}"#, &deep] {
        pair.ann.send(Message::Text(text.to_owned().into())).await;
        pair.ann.refusal().await;
    }
    pair.ann.send(Message::Binary(vec![0, 159, 146, 150].into())).await;
    pair.ann.refusal().await;
    for kind in ["layout_draft", "layout_confirm", "queue_join", "pve_start"] {
        pair.ann.say(&json!({ "type": kind, "layout": { "deep": [[[]]] } })).await;
    }
    let after = pair.ann.sync().await;
    for (key, value) in before.as_object().expect("an object").iter().filter(|it| it.0 != "deadlineTs") {
        assert_eq!(&after[key], value, "{key}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn group_10_nobody_plays_himself_or_two_things_at_once() {
    let host = duel_host().await;
    let one = host.guest("Ann").await;
    let mut first = Player::at(&host, "orcain-calm", &one).await;
    let mut second = Player::at(&host, "orcain-calm", &one).await;
    first.queue().await;
    first.until("queue_ok").await;
    second.queue().await;
    assert_eq!(second.refusal().await, "already_queued");
    second.say(&json!({ "type": "pve_start" })).await;
    assert_eq!(second.refusal().await, "already_queued");
    first.say(&json!({ "type": "queue_leave" })).await;
    first.until("queue_left").await;
    first.say(&json!({ "type": "pve_start" })).await;
    let found = first.until("match_found").await;
    assert_eq!((found["pot"].as_i64(), found["oppNickname"].as_str()), (Some(0), Some("House")));
    second.queue().await;
    assert_eq!(second.refusal().await, "already_in_match");
    second.say(&json!({ "type": "pve_start" })).await;
    assert_eq!(second.refusal().await, "already_in_match");
    let id = found["matchId"].as_str().expect("an id").to_owned();
    first.confirm(&id, nothing()).await;
    first.until("round_end").await;
    assert_eq!(tokens(&host, &one).await, 10, "the house plays for nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn group_11_who_cannot_pay_is_told_and_the_other_keeps_his_place() {
    let host = duel_host().await;
    let (one, two, three) = (host.guest("Ann").await, host.guest("Bob").await, host.guest("Cid").await);
    let (mut ann, mut bob) =
        (Player::at(&host, "orcain-calm", &one).await, Player::at(&host, "orcain-calm", &two).await);
    ann.queue().await;
    ann.until("queue_ok").await;
    spend_all(&host, &one).await;
    bob.queue().await;
    assert_eq!(ann.refusal().await, "not_enough_tokens");
    bob.until("queue_ok").await;
    assert_eq!(bob.sync().await["phase"], "QUEUED");
    ann.queue().await;
    assert_eq!(ann.refusal().await, "not_enough_tokens");
    let mut cid = Player::at(&host, "orcain-calm", &three).await;
    cid.queue().await;
    assert_eq!(cid.until("match_found").await["oppNickname"], "Bob");
}

#[tokio::test(flavor = "multi_thread")]
async fn group_12_a_foreign_token_takes_no_seat() {
    let host = duel_host().await;
    let mut eve = Player::stranger(&host, "orcain").await;
    eve.queue().await;
    assert_eq!(eve.refusal().await, "hello_first");
    eve.say(&json!({ "type": "hello", "token": "st_forged" })).await;
    assert_eq!(eve.refusal().await, "auth/required");
    let (pair, ..) = Pair::meet(&host, "orcain-calm").await;
    let mallory = host.guest("Mallory").await;
    let mut player = Player::at(&host, "orcain-calm", &mallory).await;
    player.confirm(&pair.match_id, nothing()).await;
    assert_eq!(player.refusal().await, "not_your_match");
}

#[tokio::test(flavor = "multi_thread")]
async fn group_12_a_server_that_starts_again_goes_on_with_the_match() {
    let mut host = duel_host().await;
    let (mut pair, ann, bob) = Pair::meet(&host, "orcain-calm").await;
    let id = pair.match_id.clone();
    pair.round(json!(["attack", null, null]), nothing()).await;
    pair.ann.until("prep_start").await;
    pair.ann.confirm(&id, json!(["attack", "heal", null])).await;
    pair.ann.until("confirm_ok").await;
    pair.bob.draft(&id, json!([null, "defense", null])).await;
    let before = (pair.ann.sync().await, pair.bob.sync().await);
    host.restart().await;
    drop(pair);
    let one = Player::at(&host, "orcain-calm", &again(&ann, &host)).await;
    let two = Player::at(&host, "orcain-calm", &again(&bob, &host)).await;
    for (player, before) in [(&one, &before.0), (&two, &before.1)] {
        let after = player.heard.last().expect("he is told");
        for key in ["phase", "matchId", "roundIndex", "yourHp", "oppHp", "draft", "confirmed", "yourHand", "yourTokens"]
        {
            assert_eq!(after[key], before[key], "{key}");
        }
    }
    let mut pair = Pair { ann: one, bob: two, match_id: id.clone() };
    pair.bob.confirm(&id, nothing()).await;
    pair.ann.until("round_end").await;
    drop(pair.bob);
    assert_eq!(pair.ann.until("match_end").await["winner"], "YOU");
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (11, 9));
    assert_eq!(Balances::of(&host).await, Balances { total: 0, burned: 0 });
}

#[tokio::test(flavor = "multi_thread")]
async fn another_game_of_the_kind_is_played_by_the_same_gateway() {
    let host = duel_host().await;
    let (mut pair, ann, bob) = Pair::meet(&host, "bastion").await;
    assert_eq!((tokens(&host, &ann).await, tokens(&host, &bob).await), (5, 5));
    let end = pair.round(json!(["ram", "ram", null, "wall", null]), json!([null, "wall", "mason", "ram", null])).await;
    assert_eq!((end["yourHp"].as_i64(), end["oppHp"].as_i64()), (Some(7), Some(6)));
    assert_eq!(pair.ann.heard.iter().filter(|it| it["type"] == "step_reveal").count(), 5);
}

#[test]
fn the_server_knows_no_card_and_no_rule() {
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut texts = Vec::new();
    let mut folders = vec![sources];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the sources are there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                texts.push((path.clone(), std::fs::read_to_string(path).expect("it is text").to_lowercase()));
            }
        }
    }
    assert!(texts.len() > 20);
    let words = [
        "orcain",
        "\"attack\"",
        "\"defense\"",
        "\"heal\"",
        "\"counter\"",
        "\"normal\"",
        "stalemate",
        "20_000",
        "20000",
    ];
    for (path, text) in &texts {
        for word in words {
            assert!(!text.contains(word), "{}: {word}", path.display());
        }
    }
}
