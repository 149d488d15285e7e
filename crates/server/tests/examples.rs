//! The three examples of the first document, played by two players over WebSockets; all that each socket hears.
//!
//! `UPDATE_EXPECT=1` writes the transcripts anew; a change of them is a change of what clients see.

mod common;

use std::fmt::Write as _;

use client::Api;
use common::{Ear, Host, publish};
use expect_test::expect_file;
use protocol::ServerMessage;
use serde_json::{Value, json};

/// Skirmish, but with these cards in play from the beginning.
fn example(cards: &[(&str, &str)], mana: i32) -> Value {
    let player = |of: &str| if of == "p1" { json!("active_player") } else { json!({ "ref": "opponent" }) };
    let mut setup: Vec<Value> = cards
        .iter()
        .map(|(of, card)| json!({ "op": "create_card", "of": card, "player": player(of), "to": "battlefield" }))
        .collect();
    setup.push(json!({ "op": "set_attribute", "target": { "ref": "opponent" }, "attribute": "mana", "value": mana }));
    json!({ "id": "example", "name": "Example", "version": "1", "include": ["skirmish"], "setup": setup })
}

struct Stage {
    id: String,
    ears: [Ear; 2],
    _host: Host,
}

async fn stage(cards: &[(&str, &str)], mana: i32) -> Stage {
    let host = Host::start().await;
    let [ann, bob] = [host.guest("Ann").await, host.guest("Bob").await];
    let game = publish(&ann, &example(cards, mana)).await;
    let id = common::table(&ann, &bob, &game, 1).await;
    let ears = [follow(&ann, &id).await, follow(&bob, &id).await];
    Stage { id, ears, _host: host }
}

async fn follow(api: &Api, id: &str) -> Ear {
    let mut ear = Ear::follow(api, id, None).await;
    ear.settle().await;
    ear
}

impl Stage {
    /// A player acts; both hear all that comes of it.
    async fn act(&mut self, player: usize, mut message: Value) {
        message["matchId"] = self.id.as_str().into();
        let answer = self.ears[player].ask(message.clone()).await;
        assert!(matches!(answer, ServerMessage::Success(_)), "{message} got {answer:?}");
        for ear in &mut self.ears {
            ear.settle().await;
        }
    }

    /// Goes on to where the first player may attack.
    async fn reach_combat(&mut self) {
        for _ in 0..60 {
            let (holder, step) = self.window();
            if holder == 0 && step == "declare_attackers" {
                return;
            }
            self.act(holder, json!({ "type": "action.submit", "actionType": "pass" })).await;
        }
        panic!("the attackers are never reached");
    }

    /// Who may act, and in which step.
    fn window(&self) -> (usize, String) {
        let window = |it: &ServerMessage| match it {
            ServerMessage::PriorityChanged(it) => {
                let window = it.window.as_ref()?;
                Some((usize::from(window.holder == "p2"), window.step.clone()))
            }
            _ => None,
        };
        self.ears[0].heard.iter().rev().find_map(window).expect("somebody may act")
    }

    /// What a player calls a card.
    fn card(&self, player: usize, name: &str) -> String {
        let mut mirror = client::Mirror::default();
        self.ears[player].heard.iter().cloned().for_each(|it| mirror.hear(it).expect("the server is consistent"));
        let def = name.to_lowercase();
        let mut cards = mirror.view.cards.iter().filter(|it| it.1.def.as_ref() == Some(&def));
        cards.next().map(|it| it.0.clone()).expect("the card is in sight")
    }

    /// All that both sockets heard from here on.
    fn forget(&mut self) {
        self.ears.iter_mut().for_each(|it| it.heard.clear());
    }

    fn transcript(&self) -> String {
        let mut text = String::new();
        for (name, ear) in ["p1", "p2"].iter().zip(&self.ears) {
            let _ = writeln!(text, "# {name}");
            let told = ear.heard.iter().filter(|it| !matches!(it, ServerMessage::Pong(_)));
            told.for_each(|it| text += &format!("{}\n", line(it, &self.id)));
        }
        text
    }
}

/// A message without what differs from run to run.
fn line(message: &ServerMessage, id: &str) -> String {
    let mut value = serde_json::to_value(message).expect("JSON");
    for key in ["receipt", "commandId", "viewHash"] {
        if value.get(key).is_some() {
            value[key] = "-".into();
        }
    }
    value.to_string().replace(id, "m")
}

#[tokio::test(flavor = "multi_thread")]
async fn example_1_an_attacked_card_draws() {
    let mut stage = stage(&[("p1", "archer"), ("p2", "scholar")], 0).await;
    stage.reach_combat().await;
    let [attacker, defender] = [stage.card(0, "Archer"), stage.card(0, "Scholar")];
    stage.forget();
    stage
        .act(
            0,
            json!({ "type": "action.submit", "actionType": "attack", "attackerId": attacker, "defenderId": defender }),
        )
        .await;
    expect_file!["transcripts/example1.txt"].assert_eq(&stage.transcript());
}

#[tokio::test(flavor = "multi_thread")]
async fn example_2_an_attack_is_countered() {
    let mut stage = stage(&[("p1", "archer"), ("p2", "squire"), ("p2", "duelist")], 1).await;
    stage.reach_combat().await;
    let [attacker, defender] = [stage.card(0, "Archer"), stage.card(0, "Squire")];
    let source = stage.card(1, "Duelist");
    stage.forget();
    stage
        .act(
            0,
            json!({ "type": "action.submit", "actionType": "attack", "attackerId": attacker, "defenderId": defender }),
        )
        .await;
    stage.act(1, json!({ "type": "action.submit", "actionType": "activate_ability", "sourceId": source, "abilityId": "CounterAttack" })).await;
    stage.act(0, json!({ "type": "action.submit", "actionType": "pass" })).await;
    expect_file!["transcripts/example2.txt"].assert_eq(&stage.transcript());
}

#[tokio::test(flavor = "multi_thread")]
async fn example_3_a_damaged_card_strikes_back() {
    let mut stage = stage(&[("p1", "archer"), ("p2", "porcupine")], 0).await;
    stage.reach_combat().await;
    let [attacker, defender] = [stage.card(0, "Archer"), stage.card(0, "Porcupine")];
    let target = stage.card(1, "Archer");
    stage.forget();
    stage
        .act(
            0,
            json!({ "type": "action.submit", "actionType": "attack", "attackerId": attacker, "defenderId": defender }),
        )
        .await;
    let asked = |it: &ServerMessage| match it {
        ServerMessage::PendingInput(it) => Some(it.input.input_id.clone()),
        _ => None,
    };
    let input = stage.ears[1].heard.iter().rev().find_map(asked).expect("the owner is asked");
    stage.act(1, json!({ "type": "input.submit", "inputId": input, "activate": true, "targetId": target })).await;
    expect_file!["transcripts/example3.txt"].assert_eq(&stage.transcript());
}
