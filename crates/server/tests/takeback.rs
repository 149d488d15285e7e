//! Going back as all agree: who is asked hears of it, knows how to answer, and hears what became of it.

mod common;

use client::Api;
use common::{Ear, Host, code, publish, table};
use protocol::{ServerMessage, SuccessBody, TakebackBody, TakebackEnd};
use serde_json::{Value, json};
use testkit::served::clicker;

/// Two people at a table at which Ann has clicked twice: the match is at version 2.
struct Scene {
    host: Host,
    ann: Api,
    bob: Api,
    id: String,
}

impl Scene {
    async fn set() -> Self {
        let host = Host::start().await;
        let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
        let game = publish(&ann, &clicker()).await;
        let id = table(&ann, &bob, &game, 1).await;
        let scene = Self { host, ann, bob, id };
        scene.click().await;
        scene.click().await;
        scene
    }

    async fn click(&self) {
        let done: SuccessBody =
            self.ann.post(&self.path("actions"), &json!({ "type": "click" })).await.expect("her turn");
        assert!(done.moved);
    }

    fn path(&self, what: &str) -> String {
        format!("/matches/{}/{what}", self.id)
    }

    /// Ann asks to go back to the beginning.
    async fn ask(&self) {
        let asked: SuccessBody = self.ann.post(&self.path("takeback"), &json!({ "to": 0 })).await.expect("she may ask");
        assert!(!asked.moved);
    }

    async fn clicks(&self) -> Value {
        let view: Value = self.bob.get(&self.path("view")).await.expect("it is there");
        view["view"]["players"]["p1"]["values"]["clicks"].clone()
    }

    async fn open(&self) -> Value {
        let open: Value = self.bob.get(&self.path("takeback")).await.expect("he plays");
        open["takeback"].clone()
    }
}

async fn asked(ear: &mut Ear) -> TakebackBody {
    match ear.until(|it| matches!(it, ServerMessage::TakebackAsked(_))).await {
        ServerMessage::TakebackAsked(it) => it.takeback,
        other => panic!("{other:?}"),
    }
}

async fn ended(ear: &mut Ear) -> (u32, TakebackEnd, Option<String>) {
    match ear.until(|it| matches!(it, ServerMessage::TakebackEnded(_))).await {
        ServerMessage::TakebackEnded(it) => (it.to, it.end, it.by),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_other_is_told_who_asks_for_what_and_how_to_answer() {
    let scene = Scene::set().await;
    let mut ann = Ear::follow(&scene.ann, &scene.id, None).await;
    let mut bob = Ear::follow(&scene.bob, &scene.id, None).await;
    scene.ask().await;
    let heard = asked(&mut bob).await;
    assert_eq!((heard.by.as_str(), heard.to, heard.version), ("p1", 0, 2));
    assert_eq!((heard.agreed, heard.missing), (vec!["p1".to_owned()], vec!["p2".to_owned()]));
    assert_eq!(asked(&mut ann).await.by, "p1", "who asks hears it, too");
    // He sends back what he was told to send.
    let mut answer = serde_json::to_value(heard.answers.agree).expect("JSON");
    (answer["type"], answer["matchId"]) = ("takeback.submit".into(), scene.id.as_str().into());
    let ServerMessage::Success(body) = bob.ask(answer).await else { panic!("the other player may agree") };
    assert!(body.moved);
    for ear in [&mut ann, &mut bob] {
        let is_undone =
            |it: &ServerMessage| matches!(it, ServerMessage::EventAppended(it) if it.event.kind == "Undone");
        if !ear.heard.iter().any(is_undone) {
            ear.until(is_undone).await;
        }
    }
    assert_eq!(ended(&mut ann).await, (0, TakebackEnd::Agreed, Some("p2".to_owned())));
    assert_eq!((scene.clicks().await, scene.open().await), (json!(0), Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_refused_asks_again_only_after_the_match_went_on() {
    let scene = Scene::set().await;
    let mut ann = Ear::follow(&scene.ann, &scene.id, None).await;
    scene.ask().await;
    let refuse = json!({ "to": 0, "agree": false });
    scene.bob.post::<Value>(&scene.path("takeback"), &refuse).await.expect("he may refuse");
    assert_eq!(ended(&mut ann).await, (0, TakebackEnd::Refused, Some("p2".to_owned())));
    assert_eq!((scene.clicks().await, scene.open().await), (json!(2), Value::Null));
    let again = scene.ann.post::<Value>(&scene.path("takeback"), &json!({ "to": 0 })).await;
    assert_eq!(code(again), "takeback/refused");
    assert_eq!(code(scene.bob.post::<Value>(&scene.path("takeback"), &refuse).await), "takeback/not_open");
    scene.click().await;
    scene.ask().await;
    assert_eq!(asked(&mut ann).await.version, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_while_it_is_open_hears_of_it() {
    let scene = Scene::set().await;
    assert_eq!(scene.open().await, Value::Null);
    scene.ask().await;
    let open = scene.open().await;
    assert_eq!((&open["by"], &open["to"], &open["missing"]), (&json!("p1"), &json!(0), &json!(["p2"])));
    assert_eq!(open["answers"]["refuse"], json!({ "to": 0, "agree": false }));
    let mut bob = Ear::follow(&scene.bob, &scene.id, None).await;
    assert_eq!(asked(&mut bob).await.by, "p1");
    let eve = scene.host.guest("Eve").await;
    let mut watcher = Ear::follow(&eve, &scene.id, None).await;
    assert_eq!(asked(&mut watcher).await.to, 0);
    // She thinks better of it.
    scene.ann.post::<Value>(&scene.path("takeback"), &json!({ "to": 0, "agree": false })).await.expect("it is hers");
    assert_eq!(ended(&mut bob).await, (0, TakebackEnd::Withdrawn, Some("p1".to_owned())));
    assert_eq!(scene.open().await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_overtakes_it_and_another_wish_replaces_it() {
    let scene = Scene::set().await;
    let mut bob = Ear::follow(&scene.bob, &scene.id, None).await;
    scene.ask().await;
    scene.click().await;
    assert_eq!(ended(&mut bob).await, (0, TakebackEnd::Overtaken, Some("p1".to_owned())));
    scene.ask().await;
    scene.ann.post::<Value>(&scene.path("takeback"), &json!({ "to": 1 })).await.expect("she may ask");
    assert_eq!(ended(&mut bob).await, (0, TakebackEnd::Replaced, Some("p1".to_owned())));
    assert_eq!(scene.open().await["to"], 1);
    // Who agrees to what nobody asks for any more asks for it himself.
    scene.bob.post::<Value>(&scene.path("takeback"), &json!({ "to": 0 })).await.expect("he may ask");
    assert_eq!((scene.open().await["by"].as_str(), scene.clicks().await), (Some("p2"), json!(3)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_done_is_refused_before_anybody_is_asked() {
    let scene = Scene::set().await;
    let mut bob = Ear::follow(&scene.bob, &scene.id, None).await;
    for (body, expected) in [
        (json!({ "to": 99 }), "command/cannot_undo"),
        (json!({ "to": 0, "knownVersion": 1 }), "request/stale_version"),
        (json!({ "to": 0, "agree": "perhaps" }), "request/wrong_type"),
        (json!({}), "request/missing_field"),
    ] {
        assert_eq!(code(scene.ann.post::<Value>(&scene.path("takeback"), &body).await), expected, "{body}");
    }
    bob.settle().await;
    assert!(!bob.heard.iter().any(|it| matches!(it, ServerMessage::TakebackAsked(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_and_goes_does_not_overtake_it() {
    let host = Host::start().await;
    let (ann, bob) = (host.guest("Ann").await, host.guest("Bob").await);
    let id = table(&ann, &bob, "duel", 1).await;
    let mut ear = Ear::follow(&ann, &id, None).await;
    let other = Ear::follow(&bob, &id, None).await;
    for api in [&ann, &bob] {
        let inputs: Value = api.get(&format!("/matches/{id}/inputs")).await.expect("both are asked");
        let answer = json!({ "inputId": inputs[0]["inputId"], "answers": { "selection": [] } });
        api.post::<Value>(&format!("/matches/{id}/inputs"), &answer).await.expect("it is legal");
    }
    ann.post::<Value>(&format!("/matches/{id}/takeback"), &json!({ "to": 0 })).await.expect("she may ask");
    drop(other);
    let is_gone = |it: &ServerMessage| matches!(it, ServerMessage::EventAppended(it) if it.event.kind == "ControlUsed");
    ear.until(is_gone).await;
    let mut back = Ear::follow(&bob, &id, None).await;
    let open = asked(&mut back).await;
    assert_eq!((open.by.as_str(), open.to), ("p1", 0));
    let done: SuccessBody = bob.post(&format!("/matches/{id}/takeback"), &json!({ "to": 0 })).await.expect("he agrees");
    assert!(done.moved);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_agrees_at_once() {
    let host = Host::start().await;
    let ann = host.guest("Ann").await;
    let game = publish(&ann, &clicker()).await;
    let body = json!({ "game": game, "seats": ["me", "bot:random"], "seed": 1 });
    let created: Value = ann.post("/matches", &body).await.expect("it begins");
    let id = created["id"].as_str().expect("an id");
    ann.post::<Value>(&format!("/matches/{id}/actions"), &json!({ "type": "click" })).await.expect("her turn");
    let done: SuccessBody = ann.post(&format!("/matches/{id}/takeback"), &json!({ "to": 0 })).await.expect("it agrees");
    assert!(done.moved);
}
