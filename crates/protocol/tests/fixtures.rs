//! What goes over the wire, byte for byte. A change here breaks clients: `UPDATE_EXPECT=1` writes the files anew, and
//! the difference is read as a change of the protocol.

use std::collections::BTreeMap;

use expect_test::expect_file;
use host::{
    OpenRequest, Prompt, ViewDelta, WindowView,
    view::{EventStatus, EventView, ItemView, View},
};
use protocol::{
    ActionsBody, ClientMessage, ErrorBody, Event, PendingInput, Reaction, ServerMessage, StackItem, SuccessBody,
    TakebackAnswers, TakebackBody, TakebackEnd, contract::When, view_hash,
};
use selector::{Amount, Choice, Options, Selector, Value};
use serde::Serialize;
use serde_json::json;

fn pretty(it: &impl Serialize) -> String {
    serde_json::to_string_pretty(it).expect("JSON") + "\n"
}

fn damaged() -> EventView {
    EventView {
        seq: 12,
        kind: "Damaged".to_owned(),
        status: EventStatus::Applied,
        caused_by: Some(9),
        group: Some(1),
        fields: BTreeMap::from([("amount".to_owned(), Value::Integer(2)), ("target".to_owned(), Value::from("c4"))]),
        text: "Scholar takes 2 damage".to_owned(),
        ui: Some(Value::object([("animation", "shake".into())])),
    }
}

fn item() -> ItemView {
    ItemView {
        id: "e1".to_owned(),
        kind: "Attack".to_owned(),
        is_reaction: false,
        is_past_before: true,
        controller: Some("p1".to_owned()),
        source: Some("c2".to_owned()),
    }
}

fn question() -> PendingInput {
    let choice = |id: &str, title: &str| Choice { id: Some(id.into()), title: Some(title.into()), ..Choice::default() };
    let options = Options {
        choices: vec![choice("c1", "Archer"), choice("c4", "Scholar")],
        amount: Amount { count: Some(1), ..Amount::default() },
        ..Options::default()
    };
    let request = OpenRequest {
        input_id: 5,
        kind: "target_select".to_owned(),
        is_concurrent: false,
        prompt: Prompt {
            text: "Deal 1 damage to a card?".to_owned(),
            hint: "Choose a card on the battlefield.".to_owned(),
            highlights: vec!["c1".to_owned(), "c4".to_owned()],
            ui: None,
        },
        selector: Selector {
            actor: "p2".to_owned(),
            title: Some("Deal 1 damage to a card?".into()),
            options,
            no_auto: false,
        },
        draft: None,
        deadline_ms: Some(20_000),
    };
    PendingInput::new(request, "p2", Some(1_800_000_020_000))
}

#[test]
fn the_data_contracts() {
    expect_file!["fixtures/event.json"].assert_eq(&pretty(&Event::from(&damaged())));
    expect_file!["fixtures/stack_item.json"].assert_eq(&pretty(&StackItem::from(&item())));
    expect_file!["fixtures/pending_input.json"].assert_eq(&pretty(&question()));
    let reaction = Reaction {
        id: "Study".to_owned(),
        when: When { event_type: "Damaged".to_owned(), filters: json!({ "target": "self" }) },
        conditions: Vec::new(),
        effects: vec![json!({ "op": "draw", "player": { "ref": "self.owner" }, "count": 1 })],
    };
    expect_file!["fixtures/reaction.json"].assert_eq(&pretty(&reaction));
    // As an ability of a card of the game declares it.
    let games = testkit::games::folder().join("skirmish/ruleset.json");
    let document: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(games).expect("it is there")).expect("JSON");
    let scholar =
        document["cards"].as_array().and_then(|it| it.iter().find(|it| it["id"] == "scholar")).expect("a card");
    let mut declared = scholar["abilities"][0].clone();
    declared["conditions"] = json!([]);
    assert_eq!(serde_json::from_value::<Reaction>(declared).expect("the same form"), reaction);
}

#[test]
fn what_a_server_sends() {
    let (match_id, sequence) = ("m_1".to_owned(), 12);
    let view = View { branch_id: 3, ..View::default() };
    let old = View { branch_id: 2, ..View::default() };
    let event = damaged();
    let receipt = "12.3.abc.def".to_owned();
    let window = WindowView {
        holder: "p2".to_owned(),
        kind: "response".to_owned(),
        responds_to: Some("e1".to_owned()),
        passed: vec!["p1".to_owned()],
        step: "declare_attackers".to_owned(),
    };
    let delta = Box::new(ViewDelta::between(&old, &view));
    let error = ErrorBody::new("Invalid action", "request/stale_version", "the match has moved on to version 3")
        .at_version(Some(3));
    let success =
        SuccessBody { success: true, version: 3, moved: true, sequence, receipt: receipt.clone(), repeated: false };
    let takeback = TakebackBody {
        by: "p1".to_owned(),
        to: 1,
        version: 3,
        agreed: vec!["p1".to_owned()],
        missing: vec!["p2".to_owned()],
        answers: TakebackAnswers::to(1),
    };
    let messages = [
        ServerMessage::EventAppended {
            match_id: match_id.clone(),
            sequence,
            event: Event::from(&event),
            text: event.text.clone(),
            ui: event.ui.clone(),
        },
        ServerMessage::StateDelta {
            match_id: match_id.clone(),
            sequence,
            delta,
            stack: Some(vec![StackItem::from(&item())]),
            view_hash: view_hash(&view),
        },
        ServerMessage::StateView {
            match_id: match_id.clone(),
            sequence,
            view: Box::new(view.clone()),
            view_hash: view_hash(&view),
            receipt,
        },
        ServerMessage::PendingInput { match_id: match_id.clone(), sequence, input: Box::new(question()) },
        ServerMessage::PriorityChanged { match_id: match_id.clone(), sequence, window: Some(window) },
        ServerMessage::TakebackAsked { match_id: match_id.clone(), sequence, takeback },
        ServerMessage::TakebackEnded {
            match_id: match_id.clone(),
            sequence,
            to: 1,
            end: TakebackEnd::Refused,
            by: Some("p2".to_owned()),
        },
        ServerMessage::Error {
            match_id: Some(match_id.clone()),
            sequence: Some(sequence),
            request_id: Some("r1".to_owned()),
            body: error,
        },
        ServerMessage::Success { match_id, request_id: Some("r1".to_owned()), body: success },
    ];
    expect_file!["fixtures/server_messages.json"].assert_eq(&pretty(&messages));
    for message in messages {
        let text = serde_json::to_string(&message).expect("JSON");
        assert_eq!(serde_json::from_str::<ServerMessage>(&text).expect("a client reads it"), message);
    }
}

#[test]
fn what_a_client_sends() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/client_messages.json"))
        .expect("it is there");
    let messages: Vec<ClientMessage> = serde_json::from_str(&text).expect("the server reads it");
    let kinds: Vec<&str> = messages.iter().map(|it| it.kind.as_str()).collect();
    assert_eq!(
        kinds,
        [
            "action.submit",
            "action.submit",
            "input.submit",
            "system.control",
            "match.subscribe",
            "undo.submit",
            "takeback.submit"
        ]
    );
    assert!(messages.iter().all(|it| it.match_id.as_deref() == Some("m_1") && it.request_id.is_some()));
    assert_eq!(messages[0].rest["params"]["cardId"], "c123");
}

#[test]
fn the_actions_of_a_player() {
    // Skirmish, with what the first document says of its action for clients.
    let actions = std::fs::read_to_string(testkit::games::folder().join("skirmish/actions.json")).expect("it is there");
    let mut actions: serde_json::Value = serde_json::from_str(&actions).expect("JSON");
    let action = actions["actions"].as_array_mut().and_then(|it| it.iter_mut().find(|it| it["id"] == "play_card"));
    let action = action.expect("a card can be played");
    action["name"] = "Play Card".into();
    action["description"] = "Play a card from your hand".into();
    action["ui"] = json!({ "icon": "play_card", "highlight": "hand_zone", "animation": "card_play" });
    let document = json!({ "id": "printed", "version": "1", "include": ["skirmish"], "actions": [action] });
    let game = host::Game::Ruleset(testkit::games::parse(&document.to_string()));
    let mut live = game.start(&host::Start::seeded(4, 2)).expect("it starts");
    let seat = host::Seat(0);
    // On to the first step in which something can be played.
    for _ in 0..60 {
        if live.actions(seat).iter().any(|it| it.id == "play_card") {
            break;
        }
        let host::Waiting::Answers(seats) = live.waiting() else { panic!("somebody is asked") };
        let answer = live.make_answer(seats[0], &mut |_| 0).expect("he can answer");
        live.submit(&answer).expect("it is legal");
    }
    let body = ActionsBody::new(live.actions(seat), &live.view(host::Viewer::Seat(seat)), true);
    expect_file!["fixtures/actions.json"].assert_eq(&pretty(&body));
    let printed = serde_json::to_value(&body).expect("JSON");
    let action = printed["actions"]
        .as_array()
        .and_then(|it| it.iter().find(|it| it["id"] == "play_card"))
        .expect("a card can be played");
    assert_eq!(action["name"], "Play Card");
    assert_eq!(action["description"], "Play a card from your hand");
    assert_eq!(
        action["targets"]["card"],
        json!({ "selector": "hand", "count": 1, "constraints": ["affordable", "playable"] })
    );
    assert_eq!(action["ui"], json!({ "icon": "play_card", "highlight": "hand_zone", "animation": "card_play" }));
}
