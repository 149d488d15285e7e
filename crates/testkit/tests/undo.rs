//! Taking back: alone as long as nothing came of it that one could not know, with the consent of all beyond that.

use engine::{Command, InputNo, Match, PlayerId, Rejection, Waiting};
use testkit::{games, scenario::Table};

const P1: PlayerId = PlayerId(0);
const P2: PlayerId = PlayerId(1);

fn table(setup: &str) -> Table {
    Table::set(games::parse(RULES), setup).expect("the table can be set; qed")
}

fn named(live: &Match, player: PlayerId, name: &str) -> Command {
    let names = &live.ruleset().program().text.actions;
    let is_it = |it: &Command| matches!(it, Command::Act { action, .. } if names[action.index()].label.id == name);
    live.legal(player, 64).into_iter().find(is_it).unwrap_or_else(|| panic!("not legal: {name}"))
}

fn act(live: &mut Match, player: PlayerId, name: &str) {
    let command = named(live, player, name);
    live.submit(&command, &mut ()).expect("is offered; qed");
}

fn undo(live: &mut Match, player: PlayerId) -> Result<(), Rejection> {
    let before = live.encode();
    let done = live.submit(&Command::Undo { player }, &mut ()).map(drop);
    assert!(done.is_ok() || live.encode() == before, "a refused undo changed the match");
    done
}

/// What the game is about: everything but counters that never go back.
fn world(live: &Match) -> (Vec<i32>, Vec<engine::state::ZoneRow>, Waiting) {
    (live.state().attrs.clone(), live.state().zones.clone(), live.waiting())
}

const SETUP: &str = "step: act\np1 hand: Ant#1\np1 deck: Bee#2, Cat#3\np2 hand: Dog#4";

/// Whether a player may take back an action by himself.
#[track_caller]
fn check(action: &str, expected: Result<(), Rejection>) {
    let mut table = table(SETUP);
    let before = world(&table.live);
    act(&mut table.live, P1, action);
    let version = table.live.state().head.version;
    assert_eq!(undo(&mut table.live, P1), expected, "{action}");
    if expected.is_ok() {
        assert!(world(&table.live) == before, "{action}: not all is as it was");
        assert_eq!(table.live.state().head.version, version + 1, "an undo is a change of its own");
    }
}

#[test]
fn a_player_takes_back_what_told_nobody_anything() {
    check("count", Ok(()));
    check("shrug", Ok(()));
}

#[test]
fn nobody_takes_back_chance_or_what_was_shown() {
    check("roll", Err(Rejection::CannotUndo));
    check("draw_one", Err(Rejection::CannotUndo));
    check("show", Err(Rejection::CannotUndo));
    check("peek", Err(Rejection::CannotUndo));
    check("mix", Err(Rejection::CannotUndo));
}

#[test]
fn several_commands_are_taken_back_one_after_the_other() {
    let mut table = table(SETUP);
    let before = world(&table.live);
    for _ in 0..3 {
        act(&mut table.live, P1, "count");
    }
    for _ in 0..3 {
        assert_eq!(undo(&mut table.live, P1), Ok(()));
    }
    assert!(world(&table.live) == before);
    assert_eq!(undo(&mut table.live, P1), Err(Rejection::CannotUndo), "there is nothing left");
}

#[test]
fn what_another_did_since_cannot_be_taken_back_alone() {
    let mut table = table(SETUP);
    act(&mut table.live, P1, "count");
    assert_eq!(undo(&mut table.live, P2), Err(Rejection::CannotUndo), "it is not his");
    let version = table.live.state().head.version;
    table.live.submit(&Command::Pass { player: P1 }, &mut ()).expect("may pass; qed");
    let Waiting::Priority(window) = table.live.waiting() else { panic!("somebody may act") };
    table.live.submit(&Command::Pass { player: window.holder }, &mut ()).expect("may pass; qed");
    if window.holder == P2 {
        assert_eq!(undo(&mut table.live, P1), Err(Rejection::CannotUndo), "another has decided since");
    }
    let agreed = table.live.submit(&Command::Takeback { to: version }, &mut ());
    assert!(agreed.is_ok(), "all together can: {agreed:?}");
}

#[test]
fn an_answer_can_be_taken_back_and_asked_again() {
    let mut table = table(SETUP);
    act(&mut table.live, P1, "choose");
    let asked = |live: &Match| live.state().asks.iter().map(|it| it.no).collect::<Vec<InputNo>>();
    let open = asked(&table.live);
    let answer = table.live.legal(P1, 8).remove(0);
    table.live.submit(&answer, &mut ()).expect("is offered; qed");
    assert_eq!(asked(&table.live), []);
    assert_eq!(undo(&mut table.live, P1), Ok(()));
    assert_eq!(asked(&table.live), open, "the same question is open again");
}

#[test]
fn dice_that_were_seen_do_not_come_again_after_a_takeback() {
    let mut rolls = Vec::new();
    let mut table = table(SETUP);
    for _ in 0..12 {
        let start = table.live.state().head.version;
        act(&mut table.live, P1, "roll");
        let program = table.live.ruleset().program();
        let attr = program.text.attrs.iter().position(|it| it.id == "score").expect("is declared; qed");
        rolls.push(table.live.state().base(program, P1.into(), program.attrs[attr].column));
        table.live.submit(&Command::Takeback { to: start }, &mut ()).expect("is agreed; qed");
    }
    rolls.dedup();
    assert!(rolls.len() > 4, "{rolls:?}");
}

#[test]
fn a_game_can_forbid_taking_back() {
    let rules = RULES.replace(r#""undo": true"#, r#""undo": false"#);
    let mut table = Table::set(games::parse(&rules), SETUP).expect("the table can be set; qed");
    act(&mut table.live, P1, "count");
    assert_eq!(undo(&mut table.live, P1), Err(Rejection::UndoForbidden));
    let taken = table.live.submit(&Command::Takeback { to: 0 }, &mut ()).map(drop);
    assert_eq!(taken, Err(Rejection::UndoForbidden));
}

const RULES: &str = r#"{
  "include": ["std"],
  "attributes": [{ "id": "score", "on": ["player"], "start": 0 }, { "id": "health", "on": ["player"], "start": 20 }],
  "cardTypes": [{ "id": "creature" }],
  "cards": [
    { "id": "ant", "name": "Ant", "type": "creature" }, { "id": "bee", "name": "Bee", "type": "creature" },
    { "id": "cat", "name": "Cat", "type": "creature" }, { "id": "dog", "name": "Dog", "type": "creature" }
  ],
  "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "act" }] }] },
  "policy": { "undo": true },
  "events": [
    { "id": "Score", "fields": { "player": "player", "by": "int" },
      "apply": [{ "op": "change_attribute", "target": "player", "attribute": "score", "by": { "ref": "by" } }] }
  ],
  "actions": [
    { "id": "count", "timing": "instant", "effects": [{ "op": "score", "player": "self", "by": 1 }] },
    { "id": "shrug", "timing": "instant", "effects": [] },
    { "id": "roll", "timing": "instant", "effects": [{ "op": "score", "player": "self", "by": { "op": "random", "min": 1, "max": 100 } }] },
    { "id": "draw_one", "timing": "instant", "effects": [{ "op": "draw", "player": "self" }] },
    { "id": "show", "timing": "instant",
      "targets": [{ "id": "card", "selector": { "zone": "hand", "controller": "self", "count": 1 } }],
      "effects": [{ "op": "move_zone", "target": "card", "to": "battlefield" }] },
    { "id": "peek", "timing": "instant", "effects": [{ "op": "look_at_top", "player": "self", "count": 1 }] },
    { "id": "mix", "timing": "instant", "effects": [{ "op": "shuffle_deck", "player": "self" }] },
    { "id": "choose", "timing": "instant", "effects": [
      { "op": "ask", "player": "self", "choices": { "players": "all" }, "prompt": "Who?", "as": "who" },
      { "op": "score", "player": "who", "by": 1 }
    ] }
  ]
}"#;
