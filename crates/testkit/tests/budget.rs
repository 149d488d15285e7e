//! A request costs no more than its caller allows, however large the table is: a view, a list of actions, a question, an
//! explanation. Work is counted, not time.

use std::sync::Arc;

use engine::{
    Budget, Match, PlayerId, Waiting,
    stage::{Placed, Stage},
    view::{Projector, Viewer as Eyes},
};
use host::{ExplainError, HostedMatch as _, Question, RuledMatch, Seat, Viewer, rejection::TOO_COSTLY};
use ruleset::{ActionId, AttrId, DefId, Ruleset, StepId, ZoneId};
use testkit::{
    contract::{asked, begin},
    games, streams,
};

/// Units whose strength is how many units there are; each can attack a unit, at a price, or sing with two others.
fn crowd() -> Arc<Ruleset> {
    games::parse(
        r#"{
  "id": "crowd", "version": "1", "include": ["std"],
  "limits": { "instructionsPerStep": 10000000, "workPerCommand": 100000000 },
  "cardTypes": [{ "id": "unit" }],
  "attributes": [{ "id": "strength" }],
  "resources": [{ "id": "gold", "start": 9 }],
  "cards": [{ "id": "ant", "type": "unit", "attributes": { "strength": 1 }, "abilities": [{
    "id": "many", "affects": "self", "attribute": "strength",
    "add": { "op": "count", "of": { "zone": "battlefield", "where": { "op": "gt", "a": { "ref": "it.since" }, "b": -1 } } }
  }] }],
  "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "act" }] }] },
  "actions": [{
    "id": "bite", "timing": "instant",
    "targets": [
      { "id": "ant", "selector": { "zone": "battlefield", "where": { "op": "gt", "a": { "ref": "it.strength" }, "b": 0 }, "count": 1 } },
      { "id": "prey", "selector": { "zone": "battlefield", "where": { "op": "gt", "a": { "ref": "it.strength" }, "b": 0 }, "count": 1 } }
    ],
    "costs": [{ "op": "pay_resource", "resource": "gold", "amount": 1 }],
    "effects": []
  }]
}"#,
    )
}

/// A table with so many of the cards.
fn table(ruleset: &Arc<Ruleset>, n: usize) -> Match {
    let text = &ruleset.program().text;
    let zone = text.zones.iter().position(|it| it.id == "battlefield").expect("std has one; qed");
    let placed = |i: usize| Placed {
        def: DefId(0),
        owner: PlayerId(u8::from(i % 2 == 1)),
        zone: ZoneId::at(zone),
        values: Vec::new(),
    };
    let stage = Stage {
        seed: [1; 32],
        n_players: 2,
        turn: 3,
        active: PlayerId(0),
        step: StepId(0),
        cards: (0..n).map(placed).collect(),
        players: Vec::new(),
    };
    Match::staged(ruleset.clone(), &stage, &mut ()).expect("the table can be set; qed").0
}

/// Everything that can be asked of a match, by name.
type Asked = (&'static str, fn(&Match));

const ASKED: [Asked; 9] = [
    ("a view", |it| drop(Projector::new(it.ruleset(), Eyes::Player(PlayerId(0))).view(it))),
    ("all moves", |it| drop(it.legal(PlayerId(0), usize::MAX))),
    ("moves by action", |it| drop(it.legal_by_action(PlayerId(0), 64))),
    ("offers", |it| drop(it.offers(PlayerId(0)))),
    ("offers in full", |it| drop(it.offers_in_full(PlayerId(0)))),
    ("candidates", |it| drop(it.candidates(PlayerId(0), ActionId(0), &[]))),
    ("a quote", |it| drop(it.quote(PlayerId(0), ActionId(0), &[vec![2], vec![3]]))),
    ("why an action is legal", |it| drop(it.explain_action(Eyes::Judge, PlayerId(0), ActionId(0), &[]))),
    ("what made a number", |it| drop(it.explain_value(engine::EntityId(2), strength(it)))),
];

fn strength(live: &Match) -> AttrId {
    let mut attributes = live.ruleset().program().text.attrs.iter();
    AttrId::at(attributes.position(|it| it.id == "strength").expect("it is declared; qed"))
}

/// What something asked of a match costs, if it may cost so much.
fn cost(live: &Match, work: u64, ask: fn(&Match)) -> u64 {
    live.budget().allow(work);
    live.budget().begin();
    ask(live);
    work - live.budget().left()
}

#[test]
fn nothing_asked_of_a_crowded_table_costs_more_than_it_may() {
    let live = table(&crowd(), 500);
    assert!(matches!(live.waiting(), Waiting::Priority(_)), "{:?}", live.waiting());
    for (name, ask) in ASKED {
        for work in [0, 200, 1000, 100_000] {
            assert!(cost(&live, work, ask) <= work, "{name} with {work}");
        }
        assert_eq!(cost(&live, 200, ask), 200, "{name} takes what it gets");
        assert!(live.budget().is_spent(), "{name} costs more than 200");
    }
}

// With 2 000 cards that count each other, a view needs 2 000 times 2 000 looks.
#[test]
fn a_view_of_2000_cards_that_count_each_other_stops_where_it_may_cost_no_more() {
    let live = table(&crowd(), 2000);
    let view = ASKED[0].1;
    assert_eq!(cost(&live, 100_000, view), 100_000);
    assert!(live.budget().is_spent());
    assert!(cost(&live, u64::MAX - 1, view) > 2000 * 2000, "in full it costs more");
}

#[test]
fn a_small_table_is_answered_in_full_with_what_a_request_may_cost_by_itself() {
    let ruleset = crowd();
    let live = table(&ruleset, 20);
    for (name, ask) in ASKED {
        let spent = cost(&live, Budget::REQUEST, ask);
        assert!(spent > 0 && spent < Budget::REQUEST / 20, "{name} costs {spent}");
    }
    let unlimited = table(&ruleset, 20);
    live.budget().begin();
    assert_eq!(live.legal(PlayerId(0), 1000), unlimited.legal(PlayerId(0), 1000));
    assert_eq!(live.offers_in_full(PlayerId(0)), unlimited.offers_in_full(PlayerId(0)));
    let view = |it: &Match| Projector::new(it.ruleset(), Eyes::Judge).view(it);
    assert_eq!(view(&live), view(&unlimited));
}

// A game that only asks: what can be answered is worked out for every request, too.
#[test]
fn the_choices_of_a_question_cost_no_more_than_they_may() {
    let ruleset = compiler::compile("riddles", &streams::game_folders()).expect("the game is sound; qed");
    let live = begin(&Arc::new(ruleset), 1);
    let player = asked(&live)[0];
    let input = live.state().asks[0].no;
    let ways: [(&str, &dyn Fn()); 2] =
        [("choices", &|| drop(live.choices(player, input))), ("moves", &|| drop(live.legal(player, 64)))];
    for (name, ask) in ways {
        live.budget().allow(5);
        live.budget().begin();
        ask();
        assert!(live.budget().is_spent(), "{name} cost more than 5");
        live.budget().allow(Budget::REQUEST);
        live.budget().begin();
        ask();
        assert!(!live.budget().is_spent() && live.budget().left() < Budget::REQUEST, "{name} are counted");
    }
    assert!(!live.legal(player, 64).is_empty());
}

// What a request costs never shows in the match: commands have limits of their own.
#[test]
fn a_spent_request_changes_nothing_about_commands() {
    let live = table(&crowd(), 200);
    let command = live.legal(PlayerId(0), 1).remove(0);
    let (mut rich, mut poor) = (live.clone(), live.clone());
    poor.budget().allow(0);
    poor.budget().begin();
    assert_eq!(poor.submit(&command, &mut ()), rich.submit(&command, &mut ()));
    assert_eq!((poor.hash(), poor.work_left()), (rich.hash(), rich.work_left()));
}

#[test]
fn a_host_says_when_a_request_costs_too_much() {
    let ruleset = games::load("bench-duel");
    let hosted = RuledMatch::start(&ruleset, games::setup(&ruleset, 1, 2)).expect("ready-made decks are legal; qed");
    let seat = (0..2).map(Seat).find(|it| !hosted.open(*it).is_empty()).expect("somebody is asked; qed");
    assert!(!hosted.is_spent(), "an ordinary request is paid for");
    let answer = hosted.legal(seat, 1).remove(0);
    hosted.allow(3);
    let question = Question::Value { of: "p1".to_owned(), attribute: "health".to_owned() };
    for (name, ask) in [
        ("view", (|it, seat| drop(it.view(Viewer::Seat(seat)))) as fn(&RuledMatch, Seat)),
        ("open", |it, seat| drop(it.open(seat))),
        ("prompts", |it, seat| drop(it.prompts(seat))),
    ] {
        hosted.allow(3);
        ask(&hosted, seat);
        assert!(hosted.is_spent(), "{name} costs more than 3");
    }
    hosted.allow(0);
    let told = hosted.explain(Viewer::Judge, &question).expect_err("it may cost nothing");
    assert_eq!((told.clone(), told.code()), (ExplainError::TooCostly, TOO_COSTLY));
    let mut hosted = hosted;
    assert_eq!(hosted.submit(&answer).expect_err("it may cost nothing").code(), TOO_COSTLY);
    hosted.allow(Budget::REQUEST);
    hosted.submit(&answer).expect("it was legal; qed");
}
