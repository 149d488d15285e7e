//! What a command may cost depends on the state it meets and on nothing else: not on what was refused before it, not on
//! whether the match was read from bytes or copied, not on who is told of it. Else a log could not be played again.

use std::sync::Arc;

use engine::{Command, Log, Match, Moves, PlayerId, Record, Setup, Sink, log::Recorder, state::MatchState};
use ruleset::{ActionId, DefId, Ruleset};
use serde_json::json;
use testkit::{
    contract::{Dice, asked, begin, list, random_command},
    games,
};

/// The bench duel with an action that does a lot, and a limit it may come to.
fn stormy(work: u32) -> Arc<Ruleset> {
    let pulse = json!({ "op": "pulse", "player": { "ref": "you" } });
    let hurt = json!({ "op": "hurt", "card": "it" });
    games::parse(
        &json!({
            "include": ["bench-duel"],
            "id": "stormy",
            "version": "1.0.0",
            "limits": { "workPerCommand": work },
            "events": [
                {
                    "id": "Pulse", "fact": "Pulsed", "fields": { "player": "player" },
                    "apply": [{ "op": "change_attribute", "target": "player", "attribute": "health", "by": 1 }]
                },
                {
                    "id": "Hurt", "fact": "WasHurt", "fields": { "card": "card" }, "subject": "card",
                    "apply": [{ "op": "change_attribute", "target": "card", "attribute": "health", "by": -1 }]
                }
            ],
            "actions": [{
                "id": "storm", "timing": "sorcery", "targets": [],
                "effects": [pulse, pulse, pulse, pulse, pulse, pulse, pulse, pulse, pulse, { "op": "for_each", "in": { "zone": "board" }, "as": "it", "do": [hurt] }]
            }]
        })
        .to_string(),
    )
}

/// Somebody who wants to see the match at every record.
struct Onlooker;

impl Sink for Onlooker {
    fn record(&mut self, _: &MatchState, _: &Record<&[i64]>) {}
}

/// Carries a command out on twins that came to the same state in other ways; gives how it went.
fn check(live: &mut Match, log: &mut Log, command: &Command, at: &str) {
    let mut read = Match::decode(live.ruleset().clone(), &live.encode()).expect("the match is sound");
    let (mut copy, mut refused, mut watched) = (live.fork(), live.clone(), live.clone());
    let wrong = Command::Act { player: PlayerId(0), action: ActionId(0), targets: vec![vec![-7]] };
    for command in [&wrong, &Command::Reorder { player: PlayerId(1), cards: Vec::new() }] {
        refused.submit(command, &mut ()).expect_err("is no card");
    }
    let done = log.submit(live, command);
    assert_eq!(watched.submit(command, &mut Onlooker), done, "{at}: another answer of the one that is watched");
    assert_eq!(watched.state(), live.state(), "{at}: another state of the one that is watched");
    for (way, twin) in [("read", &mut read), ("copied", &mut copy), ("refused", &mut refused)] {
        assert_eq!(twin.submit(command, &mut ()), done, "{at}: another answer of the one that was {way}");
        assert_eq!(twin.state(), live.state(), "{at}: another state of the one that was {way}");
    }
}

#[test]
fn a_command_costs_the_same_however_the_match_came_to_where_it_is() {
    let mut n_halted = 0;
    for work in 1_900..2_700 {
        let ruleset = stormy(work);
        // Small decks, so that setting up costs less than playing.
        let decks = vec![vec![DefId(0); 7]; 2];
        let setup = Setup { decks, ..games::setup(&ruleset, u64::from(work), 2) };
        let (mut live, mut log, _) = Log::start(&ruleset, setup).expect("ready-made decks are legal");
        let mut dice = Dice::new(u64::from(work));
        for _ in 0..60 {
            let at = format!("work {work}, version {}", live.state().head.version);
            let Some(command) = random_command(&live, &mut dice) else { break };
            check(&mut live, &mut log, &command, &at);
        }
        n_halted += usize::from(live.halted().is_some() && log.len() > 5);
        assert_eq!(log.replay(&ruleset).map(|it| it.hash()), Ok(live.hash()), "work {work}: the log plays otherwise");
    }
    assert!(n_halted > 3, "the limit was hardly ever met: {n_halted}");
}

// What nobody looks at is done in other ways, which count the same to the unit.
#[test]
fn what_a_command_costs_does_not_depend_on_who_is_told() {
    for (name, seed) in games::playable().iter().flat_map(|name| (0..8).map(move |seed| (name, seed))) {
        let ruleset = games::load(name);
        let setup = games::setup(&ruleset, seed, ruleset.program().players.max);
        let (mut live, mut log, _) = Log::start(&ruleset, setup).expect("ready-made decks are legal");
        let (mut unheard, mut watched) = (live.fork(), live.clone());
        let mut dice = Dice::new(seed);
        for n in 0..400 {
            let Some(command) = random_command(&live, &mut dice) else { break };
            let done = log.submit(&mut live, &command);
            assert_eq!(unheard.submit(&command, &mut ()), done, "{name}, {seed}, command {n}");
            assert_eq!(watched.submit(&command, &mut Onlooker), done, "{name}, {seed}, command {n}");
            let work = [&live, &unheard, &watched].map(Match::work_left);
            assert_eq!(work, [work[0]; 3], "{name}, {seed}, command {n}: {command:?}");
        }
    }
}

// Whether the other could act costs more to find out than a step may: then he is asked.
#[test]
fn a_player_can_pass_whatever_it_costs_to_look_at_the_others() {
    let dear = json!({ "zone": "deck", "controller": "self", "where": { "op": "gt", "a": { "ref": "it.cost" }, "b": 5 }, "count": 1 });
    let ruleset = games::parse(
        &json!({
            "id": "narrow", "name": "Narrow", "version": "1.0.0", "players": { "min": 2, "max": 2 },
            "zones": [{ "id": "deck" }],
            "attributes": [{ "id": "cost" }],
            "cardTypes": [{ "id": "unit" }],
            "cards": [{ "id": "a", "type": "unit", "attributes": { "cost": 1 } }],
            "turnStructure": { "phases": [{ "id": "t", "steps": [{ "id": "main", "mandatory": true }] }] },
            "actions": [
                { "id": "idle", "timing": "sorcery", "effects": [] },
                { "id": "answer", "timing": "stack", "targets": [{ "id": "c", "selector": dear }], "effects": [] }
            ],
            "decks": [{ "id": "d", "cards": { "a": 30 } }],
            "limits": { "instructionsPerStep": 100 },
            "policy": { "stops": "legal" }
        })
        .to_string(),
    );
    let setup = Setup { decks: vec![vec![DefId(0); 30]; 2], ..games::setup(&ruleset, 1, 2) };
    let (mut live, _) = Match::start(ruleset, &setup, &mut ()).expect("decks are legal");
    for player in [0, 1].map(PlayerId) {
        live.submit(&Command::Pass { player }, &mut ()).expect("a player can always pass");
    }
    assert_eq!(live.state().head.turn, 2, "both have passed");
}

/// A game whose turns begin with something that has to be put right by an event that a rule answers: what comes after
/// the beginning of a step needs a plan.
fn tiring() -> Arc<Ruleset> {
    let change = |by: i64| json!([{ "op": "change_attribute", "target": "player", "attribute": "energy", "by": by }]);
    let player = json!({ "player": "player" });
    games::parse(
        &json!({
            "id": "tiring", "name": "Tiring", "version": "1.0.0",
            "players": { "min": 2, "max": 2 },
            "zones": [{ "id": "deck" }],
            "attributes": [{ "id": "energy", "on": ["player"], "start": 2 }],
            "cardTypes": [{ "id": "unit" }],
            "cards": [{ "id": "soldier", "type": "unit" }],
            "decks": [{ "id": "all", "cards": { "soldier": 3 } }],
            "events": [
                { "id": "Tire", "fields": player, "apply": change(-1) },
                { "id": "Rest", "fields": player, "apply": change(2) },
                { "id": "Cheer", "fields": player, "apply": change(0) }
            ],
            "reactions": [{ "id": "cheers", "when": { "eventType": "Rest" }, "timing": "after", "effects": [{ "op": "cheer", "player": "active_player" }] }],
            "stateChecks": [{
                "id": "tired",
                "forEach": { "players": "any", "where": { "op": "le", "a": { "ref": "it.energy" }, "b": 0 } },
                "emit": [{ "op": "rest", "player": "it" }]
            }],
            "turnStructure": { "phases": [{ "id": "turn", "steps": [{ "id": "main", "mandatory": true, "onStart": [{ "op": "tire", "player": "active_player" }] }] }] },
            "actions": [{
                "id": "go", "timing": "sorcery",
                "targets": [{ "id": "card", "selector": { "zone": "deck", "controller": "self", "count": 1 } }],
                "effects": [{ "op": "cheer", "player": { "ref": "you" } }]
            }],
            "endConditions": [{ "id": "time", "when": { "op": "gt", "a": { "ref": "turn" }, "b": 12 } }],
            "policy": { "stops": "legal" }
        })
        .to_string(),
    )
}

/// The same whoever is told, also where a turn goes on by itself up to something that needs a plan.
#[test]
fn what_a_turn_costs_that_stops_for_a_plan_does_not_depend_on_who_is_told() {
    let live = begin(&tiring(), 1);
    let [mut unheard, mut told, mut seen] = [live.fork(), live.fork(), live.fork()];
    let mut n = 0;
    while let Some(player) = asked(&unheard).first().copied() {
        let pass = Command::Pass { player };
        unheard.submit(&pass, &mut ()).expect("may pass");
        told.submit(&pass, &mut Recorder::default()).expect("may pass");
        seen.submit(&pass, &mut Onlooker).expect("may pass");
        assert_eq!(unheard.state(), seen.state());
        assert_eq!([unheard.work_left(), told.work_left()], [seen.work_left(); 2], "turn {}", seen.state().head.turn);
        n += 1;
    }
    assert!(n > 8, "only {n} turns were passed");
}

/// More actions that nobody can take than may be looked at in one step.
fn hopeless() -> Arc<Ruleset> {
    let action = |i: usize| {
        let gate = match i {
            0 => json!({ "op": "lt", "a": { "ref": "turn" }, "b": 2 }),
            _ => json!({ "op": "ge", "a": { "ref": "you.gold" }, "b": 9 }),
        };
        json!({
            "id": format!("wish_{i}"), "timing": "sorcery", "preconditions": [gate],
            "targets": [{ "id": "card", "selector": { "zone": "deck", "controller": "self", "count": 1 } }],
            "effects": [{ "op": "cheer", "player": { "ref": "you" } }]
        })
    };
    games::parse(
        &json!({
            "id": "hopeless", "name": "Hopeless", "version": "1.0.0",
            "players": { "min": 2, "max": 2 },
            "zones": [{ "id": "deck" }],
            "attributes": [{ "id": "luck", "on": ["player"] }],
            "resources": [{ "id": "gold", "max": 9 }],
            "cardTypes": [{ "id": "unit" }],
            "cards": [{ "id": "soldier", "type": "unit" }],
            "decks": [{ "id": "all", "cards": { "soldier": 1 } }],
            "events": [{ "id": "Cheer", "fields": { "player": "player" }, "apply": [{ "op": "change_attribute", "target": "player", "attribute": "luck", "by": 1 }] }],
            "turnStructure": { "phases": [{ "id": "turn", "steps": [{ "id": "main", "mandatory": true }] }] },
            "actions": (0..5000).map(action).collect::<Vec<_>>(),
            "endConditions": [{ "id": "time", "when": { "op": "gt", "a": { "ref": "turn" }, "b": 12 } }],
            "limits": { "instructionsPerStep": 3500, "workPerCommand": 30_000 },
            "policy": { "stops": "legal" }
        })
        .to_string(),
    )
}

#[test]
fn a_list_that_costs_more_than_a_judge_may_spend_is_not_paid_for() {
    let (mut listed, mut moves) = (begin(&hopeless(), 1), Moves::default());
    let mut told = listed.fork();
    assert!(list(&listed, 10_000, &mut moves));
    let pass = moves.command(moves.len() - 1).expect("is on the list; qed");
    assert_eq!(listed.play(&moves, moves.len() - 1, &mut ()), told.submit(&pass, &mut ()), "another answer");
    assert_eq!(listed.state(), told.state(), "another state");
    assert_eq!(listed.work_left(), told.work_left(), "other work");
}
