//! What a command may cost depends on the state it meets and on nothing else: not on what was refused before it, not on
//! whether the match was read from bytes or copied, not on who is told of it. Else a log could not be played again.

use std::sync::Arc;

use engine::{Command, Log, Match, PlayerId, Record, Setup, Sink, state::MatchState};
use ruleset::{ActionId, DefId, Ruleset};
use serde_json::json;
use testkit::{
    contract::{Dice, random_command},
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
