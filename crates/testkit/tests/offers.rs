//! What players are offered, as clients show it: complete, legal, and without listing combinations (ruling 56).

use std::collections::BTreeSet;

use engine::{Command, Match, PlayerId, offer::FullOffer};
use host::{Game, HostedMatch as _, RuledMatch, Seat, Start, Viewer, actions_for};
use ruleset::ActionId;
use serde_json::{Map, Value, json};
use testkit::{
    contract::{asked, random_game},
    games,
    scenario::Table,
};

const P1: PlayerId = PlayerId(0);

/// More combinations than this are not compared one by one.
const COMBINATIONS_MAX: usize = 512;

fn act(player: PlayerId, action: ActionId, targets: Vec<Vec<i64>>) -> Command {
    Command::Act { player, action, targets }
}

/// Every command an offer stands for: listed slots multiplied out, staged ones asked in turn.
fn commands(live: &Match, player: PlayerId, offer: &FullOffer) -> Vec<Vec<Vec<i64>>> {
    let mut bound: Vec<Vec<Vec<i64>>> = vec![offer.principal.iter().map(|it| vec![*it]).collect()];
    for slot in &offer.slots {
        let mut longer = Vec::new();
        for before in &bound {
            let values = match slot.is_staged {
                true => live.candidates(player, offer.action, before).map(|it| it.values).unwrap_or_default(),
                false => slot.values.clone(),
            };
            longer.extend(values.into_iter().map(|it| [before.clone(), vec![vec![it]]].concat()));
        }
        bound = longer;
    }
    bound
}

#[test]
fn offers_stand_for_exactly_what_is_legal() {
    let rulesets = games::with_actions().into_iter().map(|it| games::load(&it));
    for ruleset in rulesets.chain([games::parse(include_str!("data/secrets.json"))]) {
        let single = |action: ActionId| {
            let rule = &ruleset.program().actions[action.index()];
            rule.ability.is_none() && rule.slots.iter().all(|it| (it.min, it.max) == (1, 1))
        };
        let mut n_compared = 0;
        random_game(&ruleset, 2, |live, _| {
            for player in asked(live) {
                let legal = live.legal(player, COMBINATIONS_MAX);
                if legal.len() >= COMBINATIONS_MAX {
                    continue;
                }
                let is_plain = |it: &Command| matches!(it, Command::Act { action, .. } if single(*action));
                let wanted: Vec<Command> = legal.into_iter().filter(is_plain).collect();
                let offers = live.offers_in_full(player);
                let offers = offers.iter().filter(|it| single(it.action));
                let mut got = Vec::new();
                for offer in offers {
                    let all = commands(live, player, offer);
                    assert!(!all.is_empty(), "an offer without a completion: {offer:?}");
                    got.extend(all.into_iter().map(|it| act(player, offer.action, it)));
                }
                assert_eq!(got, wanted);
                n_compared += got.len();
            }
        });
        assert!(n_compared > 50, "{}: {n_compared}", ruleset.program().text.id);
    }
}

/// Every request that the actions of a player stand for, with the first candidate of each slot.
fn requests(live: &RuledMatch, seat: Seat) -> Vec<Value> {
    let mut requests = Vec::new();
    for action in live.actions(seat) {
        for option in &action.options {
            let mut targets = Map::new();
            targets.extend(action.principal.clone().zip(option.principal.as_ref().map(|it| json!(it.id))));
            for slot in &option.slots {
                let mut candidates = slot.candidates.clone();
                if slot.is_staged {
                    let begun = json!({ "type": action.id, "targets": targets });
                    let next = |eyes: &mut engine::view::Projector| {
                        let (id, bound) = protocol::action_begun(live.live(), eyes, &begun).expect("is offered; qed");
                        host::actions::next_slot(live.live(), eyes, id, &bound).expect("is open; qed")
                    };
                    candidates = live.look(Viewer::Seat(seat), next).expect("he watches; qed").candidates;
                }
                let first = candidates.iter().take(usize::from(slot.min.max(1)));
                targets.insert(slot.id.clone(), first.map(|it| json!(it.id)).collect());
            }
            requests.push(json!({ "type": action.id, "targets": targets }));
        }
    }
    requests
}

#[test]
fn whatever_a_client_is_shown_it_can_ask_for() {
    let rulesets = games::with_actions().into_iter().map(|it| games::load(&it));
    for ruleset in rulesets.chain([games::parse(include_str!("data/secrets.json"))]) {
        let name = &ruleset.program().text.id;
        let mut n_requests = 0;
        let setup = games::setup(&ruleset, 4, 2);
        let viewers = vec![Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))];
        let mut live = RuledMatch::start_for(&ruleset, setup, viewers).expect("ready-made decks are legal; qed");
        let mut dice = testkit::contract::Dice::new(9);
        for _ in 0..80 {
            for seat in [Seat(0), Seat(1)] {
                for request in requests(&live, seat) {
                    let read =
                        |eyes: &mut engine::view::Projector| protocol::action_submit(live.live(), eyes, &request);
                    let command = live.look(Viewer::Seat(seat), read).expect("he watches; qed");
                    let command = command.unwrap_or_else(|why| panic!("{request}: {why}"));
                    let done = live.live().fork().submit(&command, &mut ());
                    assert!(done.is_ok(), "{name}: {request}: {done:?}");
                    n_requests += 1;
                }
            }
            let Some(command) = testkit::contract::random_command(live.live(), &mut dice) else { break };
            live.carry_out(&command).expect("is offered; qed");
        }
        assert!(n_requests > 20, "{name}: {n_requests}");
    }
}

#[test]
fn an_action_is_shown_with_its_cost_its_time_and_its_targets() {
    let setup = "step: main1\np1 hand: Squire#1, Knight#2\np1: mana=1\np2 battlefield: Archer#3";
    let table = Table::set(games::load("skirmish"), setup).expect("the table can be set; qed");
    let mut eyes = engine::view::Projector::new(table.live.ruleset(), engine::view::Viewer::Player(P1));
    let actions = host::actions::actions(&table.live, &mut eyes);
    let play = serde_json::to_value(&actions[0]).expect("is plain data; qed");
    assert_eq!(
        (&play["id"], &play["timing"], &play["principal"]),
        (&json!("play_card"), &json!("stack"), &json!("card"))
    );
    let cost = json!({ "text": "1 mana", "parts": [{ "value": { "of": "p1", "attribute": "mana", "amount": 1 } }] });
    let option = json!({ "principal": { "id": "c1", "name": "Squire" }, "cost": cost });
    assert_eq!(play["options"], json!([option]), "the knight cannot be paid for");
}

#[test]
fn a_card_knows_what_can_be_done_with_it() {
    let setup = "step: declare_attackers\np1 battlefield: Archer#1, Squire#2\np2 battlefield: Knight#3";
    let table = Table::set(games::load("skirmish"), setup).expect("the table can be set; qed");
    let mut eyes = engine::view::Projector::new(table.live.ruleset(), engine::view::Viewer::Player(P1));
    let actions = host::actions::actions(&table.live, &mut eyes);
    let principals = |card: &str| {
        let about = actions_for(&actions, card);
        let options = about.iter().flat_map(|it| &it.options).filter_map(|it| it.principal.clone());
        options.map(|it| it.id).collect::<BTreeSet<_>>()
    };
    assert_eq!(principals("c1"), BTreeSet::from(["c1".to_owned()]));
    assert_eq!(principals("c3"), BTreeSet::from(["c1".to_owned(), "c2".to_owned()]), "it can be attacked by both");
    assert_eq!(principals("c9"), BTreeSet::new());
}

#[test]
fn a_prompt_says_what_to_read_and_what_to_light_up() {
    let ruleset = games::parse(include_str!("data/secrets.json"));
    let live = Game::Ruleset(ruleset).start(&Start::seeded(1, 2)).expect("ready-made decks are legal; qed");
    let open = live.open(Seat(0)).remove(0);
    assert_eq!(open.prompt.hint, "Play what you can pay for.");
    let hand: Vec<String> =
        live.view(Viewer::Seat(Seat(0))).zones.iter().flat_map(|it| &it.cards).map(|it| it.id.clone()).collect();
    let lit: BTreeSet<&String> = open.prompt.highlights.iter().collect();
    assert!(lit.iter().all(|it| hand.contains(it)) && lit.len() == open.prompt.highlights.len(), "{open:?}");
    let play = live.actions(Seat(0)).into_iter().find(|it| it.id == "play").expect("something can be paid for; qed");
    assert_eq!(play.hint, "Choose a card you can pay for.");
}

#[test]
fn a_view_says_whose_turn_it_is_and_how_far_it_is() {
    let live = Game::Ruleset(games::load("skirmish")).start(&Start::seeded(1, 2)).expect("is legal; qed");
    let view = serde_json::to_value(live.view(Viewer::Spectator)).expect("is plain data; qed");
    let values = json!({ "phase": "main", "step": "main1", "activePlayer": "p1", "turnNumber": 1 });
    assert_eq!(view["values"], values);
}

#[test]
fn nobody_is_told_beforehand_what_chance_will_take() {
    let game = r#"{
        "include": ["std"],
        "cardTypes": [{ "id": "unit" }],
        "resources": [{ "id": "mana" }],
        "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "main1" }] }] },
        "actions": [
            { "id": "gamble", "timing": "instant", "costs": [{ "op": "discard_random", "player": "self" }], "effects": [] },
            { "id": "buy", "timing": "instant", "costs": [{ "op": "pay_resource", "resource": "mana", "amount": 1 }], "effects": [] }
        ],
        "cards": [{ "id": "wall", "name": "Wall", "type": "unit" }]
    }"#;
    let table = Table::set(games::parse(game), "p1: mana=1\np1 hand: Wall#1, Wall#2, Wall#3").expect("is sound; qed");
    let offers = table.live.offers_in_full(P1);
    let costs: Vec<bool> = offers.iter().map(|it| it.cost.is_some()).collect();
    assert_eq!(costs, [false, true], "{offers:?}");
}
