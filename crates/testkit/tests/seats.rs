//! Every number of seats: all games, and all the library does, are played by as many as can play, with players who
//! concede, are silent or lose their connection, beside a small model of turns.

use std::{collections::VecDeque, sync::Arc};

use engine::{Command, Control, Match, PlayerId, Record, Sink, Waiting, state::MatchState};
use ruleset::{Ruleset, program::BuiltIn};
use serde_json::{Value, json};
use testkit::{
    contract::{Dice, asked, random_command},
    games,
};

/// Whose turn it must be, by nothing but who is in, whose turn it was, and which turns were given.
struct Turns {
    alive: Vec<bool>,
    given: VecDeque<usize>,
    /// Who had the last turn that was not given.
    regular: Option<usize>,
    n_turns: usize,
}

impl Turns {
    fn new(n_seats: u8) -> Self {
        Self { alive: vec![true; n_seats.into()], given: VecDeque::new(), regular: None, n_turns: 0 }
    }

    /// The next turn begins: it is a given one, or that of the next player who is in.
    fn next(&mut self) -> usize {
        self.n_turns += 1;
        if let Some(given) = self.given.pop_front() {
            return given;
        }
        let n = self.alive.len();
        let first = self.regular.map_or(0, |it| it + 1);
        let next = (first..first + n).map(|it| it % n).find(|it| self.alive[*it]).expect("somebody is in; qed");
        self.regular = Some(next);
        next
    }
}

impl Sink for Turns {
    fn record(&mut self, _state: &MatchState, record: &Record<&[i64]>) {
        match record {
            Record::TurnGiven(player) => self.given.push_back(player.0.into()),
            Record::Eliminated(player) => {
                self.alive[usize::from(player.0)] = false;
                self.given.retain(|it| *it != usize::from(player.0));
            }
            Record::Happened { kind, args, .. } if *kind == BuiltIn::TurnStart.id() => {
                let expected = self.next();
                assert_eq!(args.first(), Some(&(expected as i64)), "it is another player's turn");
            }
            _ => {}
        }
    }
}

/// What somebody does who does not play: gives up, is silent until the time is up, comes or goes.
fn disturbance(live: &Match, dice: &mut Dice) -> Option<Command> {
    let seat = PlayerId(dice.below(live.state().head.n_players.into()) as u8);
    let verb = match (dice.below(60), live.waiting()) {
        (0, _) => Control::Concede(seat),
        (1..=4, Waiting::Inputs(inputs)) => Control::Timeout(*dice.pick(&inputs)),
        (5, _) => Control::Disconnect(seat),
        (6, _) => Control::Reconnect(seat),
        _ => return None,
    };
    Some(Command::Control(verb))
}

/// Plays a match to its end or for so many turns; gives whether it ended.
fn play(ruleset: &Arc<Ruleset>, n_seats: u8, seed: u64, turns_max: usize) -> bool {
    let name = format!("{} for {n_seats}, game {seed}", ruleset.program().text.id);
    let setup = games::setup(ruleset, seed, n_seats);
    let mut turns = Turns::new(n_seats);
    let (mut live, _) = Match::start(ruleset.clone(), &setup, &mut turns).expect("ready-made decks are legal; qed");
    let mut dice = Dice::new(seed + 7);
    while turns.n_turns < turns_max {
        let stopped = live.halted();
        assert_eq!(stopped, None, "{name}: came to a limit in turn {}", turns.n_turns);
        for player in asked(&live) {
            assert!(live.state().is_alive(player), "{name}: somebody is asked who is out: {player:?}");
        }
        if let Waiting::Over(_) = live.waiting() {
            return true;
        }
        let command = disturbance(&live, &mut dice).or_else(|| random_command(&live, &mut dice));
        let Some(command) = command else { break };
        live.submit(&command, &mut turns).unwrap_or_else(|it| panic!("{name}: refused {command:?}: {it}"));
    }
    false
}

fn is_soak() -> bool {
    std::env::var_os("SNAPSTACK_SOAK").is_some()
}

#[track_caller]
fn check(ruleset: &Arc<Ruleset>) {
    let (players, n_games) = (ruleset.program().players, if is_soak() { 300 } else { 16 });
    for n_seats in players.min..=players.max.min(6) {
        let n_ended = (0..n_games).filter(|it| play(ruleset, n_seats, *it, 400)).count();
        assert!(n_ended > 0, "{}: no game for {n_seats} ends", ruleset.program().text.id);
    }
}

#[test]
fn every_game_goes_on_or_ends_with_every_number_of_seats() {
    games::playable().iter().for_each(|it| check(&games::load(it)));
}

/// A game in which nobody acts: all is decided by questions, to the active player, to all, and to one who leads.
#[test]
fn a_game_of_questions_goes_on_when_somebody_leaves() {
    let ask = |more: Value| {
        let mut ask =
            json!({ "op": "ask", "choices": { "op": "range", "from": 1, "to": 3 }, "as": "number", "noAuto": true });
        ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask
    };
    let rules = json!({
        "include": ["std"], "id": "questions", "version": "1.0.0",
        "players": { "min": 2, "max": 6 },
        "resources": [{ "id": "points" }],
        "turnStructure": { "phases": [{ "id": "round", "steps": [
            { "id": "own", "onStart": [ask(json!({ "player": "active_player" })), { "op": "change_resource", "resource": "points", "by": { "ref": "number" } }] },
            { "id": "all", "onStart": [ask(json!({ "players": { "players": "all" } }))] }
        ] }] },
        "endConditions": [{ "id": "enough", "when": { "op": "exists", "of": { "players": "all", "where": { "op": "ge", "a": { "ref": "it.points" }, "b": 30 } } }, "winners": { "players": "all", "highest": "points" } }]
    });
    check(&games::parse(&rules.to_string()));
}

/// An argument for a parameter or field of a type, and the slot it is chosen in, if it is.
fn argument(ty: &str, name: &str) -> Option<(Value, Option<Value>)> {
    let slot = |selector: Value| json!({ "id": format!("a_{name}"), "selector": selector });
    let chosen = |selector: Value| Some((json!({ "ref": format!("a_{name}") }), Some(slot(selector))));
    match ty.trim_end_matches('?') {
        "int" => Some((json!(1), None)),
        "bool" => Some((json!(true), None)),
        "attribute" => Some((json!("health"), None)),
        "resource" => Some((json!("mana"), None)),
        "keyword" => Some((json!("haste"), None)),
        "zone" => Some((json!("graveyard"), None)),
        "step" => Some((json!("main1"), None)),
        "cardDef" => Some((json!("bear"), None)),
        "player" => chosen(json!({ "players": "all", "count": 1 })),
        "card" | "entity" => chosen(json!({ "zone": "battlefield", "count": 1 })),
        "card[]" | "entity[]" => chosen(json!({ "zone": "battlefield", "min": 1, "max": 2 })),
        _ => None,
    }
}

/// An action that does one thing of the library; none for what needs more than cards, players and numbers.
fn action(op: &str, params: &serde_json::Map<String, Value>) -> Option<Value> {
    let (mut effect, mut slots) = (json!({ "op": op }), Vec::new());
    for (name, ty) in params {
        let has_default = ty.get("default").is_some();
        let ty = ty.as_str().or_else(|| ty.get("type")?.as_str())?;
        // What is optional or made on the way is left out.
        if has_default || ty == "newCard" || ty.ends_with('?') {
            continue;
        }
        let (value, slot) = argument(ty, name)?;
        effect[name] = value;
        slots.extend(slot);
    }
    Some(json!({ "id": format!("try_{op}"), "timing": "instant", "targets": slots, "effects": [effect] }))
}

/// `deal_damage` for `DealDamage`, as effects call events.
fn snake(name: &str) -> String {
    let words = name.char_indices().map(|(i, it)| match it.is_uppercase() {
        true if i > 0 => format!("_{}", it.to_lowercase()),
        _ => it.to_lowercase().to_string(),
    });
    words.collect()
}

/// The operations of the library that change a game: its definitions, and its events by the names effects call them.
fn operations() -> Vec<Value> {
    let mut found = Vec::new();
    let folder = games::folder().join("std");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|it| it.path()).collect();
    files.sort();
    // Blocking asks for steps of its own; a game that ends at once shows nothing.
    for path in files.iter().filter(|it| !it.ends_with("blocking.json")) {
        let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let none = serde_json::Map::new();
        let list = |key: &str| document[key].as_array().cloned().unwrap_or_default();
        for define in list("define").iter().filter(|it| it["kind"] == "effects") {
            let params = define["params"].as_object().unwrap_or(&none);
            found.extend(action(define["id"].as_str().unwrap(), params));
        }
        for event in list("events").iter().filter(|it| it["id"] != "WinGame" && it["id"] != "EndGame") {
            let name = snake(event["id"].as_str().unwrap());
            found.extend(action(&name, event["fields"].as_object().unwrap_or(&none)));
        }
    }
    found.sort_by_key(|it| it["id"].to_string());
    found.dedup_by_key(|it| it["id"].to_string());
    found
}

#[test]
fn all_the_library_does_works_with_every_number_of_seats() {
    let actions = operations();
    assert!(actions.len() > 30, "the library does more than this: {}", actions.len());
    let rules = json!({
        "include": ["std"], "id": "library", "version": "1.0.0",
        "players": { "min": 2, "max": 6 },
        "cardTypes": [{ "id": "unit" }],
        "attributes": [{ "id": "health", "on": ["card", "player"], "start": 20 }],
        "resources": [{ "id": "mana", "start": 9 }],
        "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "main1" }, { "id": "rest" }] }] },
        "cards": [{ "id": "bear", "name": "Bear", "type": "unit", "attributes": { "health": 3, "attack": 2 } }],
        "decks": [{ "id": "bears", "cards": { "bear": 20 } }],
        "setup": [{ "op": "for_each", "in": { "players": "all" }, "as": "who", "do": [
            { "op": "draw", "player": "who", "count": 5 },
            { "op": "for_each", "in": { "zone": "hand", "owner": { "ref": "who" } }, "as": "card", "do": [{ "op": "move_card", "card": "card", "to": "battlefield" }] }
        ] }],
        "actions": actions,
        "endConditions": [{ "id": "late", "when": { "op": "gt", "a": { "ref": "turn" }, "b": 60 }, "winners": { "players": "all" } }]
    });
    check(&games::parse(&rules.to_string()));
}
