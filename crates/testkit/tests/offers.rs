//! What players are offered, as clients show it: complete, legal, and without listing combinations (ruling 56).

use engine::{Command, Match, PlayerId, offer::FullOffer};
use host::{
    Draft, Game, HostedMatch, Play, Query, RuledMatch, Seat, Start, Viewer,
    view::{PendingInput, Ref},
};
use ruleset::ActionId;
use serde_json::json;
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

/// What a player is asked first.
fn prompt(live: &dyn HostedMatch, seat: Seat) -> Option<PendingInput> {
    live.prompts(seat).into_iter().next().map(|it| it.input)
}

/// Fills the slots of an action from what is listed for them, with the first of what each takes, until it is complete.
fn filled(live: &RuledMatch, seat: Seat, input: &PendingInput, action: &str, first: Option<Ref>) -> Play {
    let mut draft = Draft { action: Some(action.to_owned()), ..Draft::default() };
    for n in 0..8 {
        let query = Query { input: input.input_id.clone(), draft: draft.clone(), ..Query::default() };
        let page = live.refine(seat, &query).expect("a draft of what is offered; qed");
        let Some(slot) = page.slot.filter(|_| !page.is_complete) else {
            assert!(page.is_complete, "{action} with {:?} leads nowhere", draft.targets);
            break;
        };
        let chosen = first.clone().filter(|_| n == 0).into_iter().chain(page.choices.iter().map(|it| it.id.clone()));
        let mut chosen: Vec<Ref> = chosen.collect();
        chosen.truncate(usize::try_from(page.min.max(1)).expect("few; qed"));
        draft.targets.insert(slot, chosen);
    }
    Play::Act { action: action.to_owned(), targets: draft.targets }
}

#[test]
fn whatever_a_client_is_shown_it_can_ask_for() {
    let rulesets = games::with_actions().into_iter().map(|it| games::load(&it));
    for ruleset in rulesets.chain([games::parse(include_str!("data/secrets.json"))]) {
        let name = &ruleset.program().text.id;
        let mut n_plays = 0;
        let setup = games::setup(&ruleset, 4, 2);
        let viewers = vec![Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1))];
        let mut live = RuledMatch::start_for(&ruleset, setup, viewers).expect("ready-made decks are legal; qed");
        let mut dice = testkit::contract::Dice::new(9);
        for _ in 0..80 {
            for (seat, input) in [Seat(0), Seat(1)].into_iter().filter_map(|it| Some((it, prompt(&live, it)?))) {
                for offer in &input.constraints.actions {
                    let firsts: Vec<Option<Ref>> = offer.choices.iter().map(|it| Some(it.id.clone())).collect();
                    for first in if firsts.is_empty() { vec![None] } else { firsts } {
                        let play = filled(&live, seat, &input, &offer.id, first);
                        let done = live.copy().play(seat, None, &play);
                        assert!(done.is_ok(), "{name}: {play:?}: {done:?}");
                        n_plays += 1;
                    }
                }
            }
            let Some(command) = testkit::contract::random_command(live.live(), &mut dice) else { break };
            live.carry_out(&command).expect("is offered; qed");
        }
        assert!(n_plays > 20, "{name}: {n_plays}");
    }
}

#[test]
fn a_prompt_says_what_to_read_and_what_can_be_done() {
    let ruleset = games::parse(include_str!("data/secrets.json"));
    let live = Game::Ruleset(ruleset).start(&Start::seeded(1, 2)).expect("ready-made decks are legal; qed");
    let input = prompt(&*live, Seat(0)).expect("p1 is asked; qed");
    assert_eq!((input.input_id.as_str(), input.kind.as_str()), ("i1", "priority"));
    assert_eq!(input.prompt.hint, "Play what you can pay for.");
    let hand = &live.view(Viewer::Seat(Seat(0))).zones["hand@p1"].cards.clone();
    let play = input.constraints.actions.iter().find(|it| it.id == "play").expect("something can be paid for; qed");
    let has_cost = play.choices.iter().any(|it| it.cost.as_deref() == Some("1 mana"));
    assert!(has_cost && play.choices.iter().all(|it| hand.contains(&it.id.to_string())), "{play:?}");
    assert_eq!(prompt(&*live, Seat(1)), None);
}

#[test]
fn a_view_says_whose_turn_it_is_and_how_far_it_is() {
    let live = Game::Ruleset(games::load("skirmish")).start(&Start::seeded(1, 2)).expect("is legal; qed");
    let view = serde_json::to_value(live.view(Viewer::Spectator)).expect("is plain data; qed");
    assert_eq!(view["turn"], json!({ "number": 1, "active": "p1", "phase": "main", "step": "main1" }));
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
