//! Every event has a cause the viewer was told of, but those a chain begins with: the first of a command, and what the
//! turn does by itself. The cause is the right one.

use std::collections::BTreeMap;

use engine::{
    Match, PlayerId, Progress, Record, Sink,
    state::MatchState,
    view::{EventView, Projector, Viewer},
};
use ruleset::{Ruleset, program::BuiltIn};
use testkit::{
    contract::{Dice, random_command},
    games,
    scenario::Table,
};

/// What several viewers are told.
struct Told(Vec<Projector>);

impl Told {
    fn new(live: &Match) -> Self {
        let seats = (0..live.state().head.n_players).map(|it| Viewer::Player(PlayerId(it)));
        let viewers = seats.chain([Viewer::Judge, Viewer::Spectator]);
        Self(viewers.map(|it| Projector::new(live.ruleset(), it)).collect())
    }
}

impl Sink for Told {
    fn record(&mut self, state: &MatchState, record: &Record<&[i64]>) {
        self.0.iter_mut().for_each(|it| it.record(state, record));
    }
}

/// Whether the turn tells of something by itself.
fn is_of_the_turn(event: &EventView) -> bool {
    use BuiltIn::{GameStart, PhaseChanged, StepEnd, StepStart, TurnEnd, TurnStart};
    [GameStart, TurnStart, TurnEnd, PhaseChanged, StepStart, StepEnd].iter().any(|it| it.id() == event.kind)
}

/// Walks what was told since the last command to its roots.
#[track_caller]
fn check(name: &str, ruleset: &Ruleset, viewer: Viewer, events: &[EventView], n_before: usize) {
    let by_number: BTreeMap<u32, &EventView> = events.iter().map(|it| (it.seq, it)).collect();
    let first = events.get(n_before).map_or(0, |it| it.seq);
    for event in events.iter().skip(n_before) {
        let mut at = event;
        while let Some(cause) = at.caused_by {
            assert!(cause < at.seq, "{name}, {viewer:?}: a cause comes later: {at:?}");
            at = by_number[&cause];
        }
        let is_action = at.is_pending && ruleset.program().actions.iter().any(|it| it.event == at.kind);
        let is_first = at.seq == first && !at.is_pending;
        let begins = is_action || is_first || is_of_the_turn(at) || at.kind == BuiltIn::ControlUsed.id();
        assert!(begins, "{name}, {viewer:?}: a chain begins with nothing that could begin one: {at:?}");
    }
}

/// Gives random commands, with somebody who concedes now and then, and looks at what everybody is told.
fn play(name: &str, mut live: Match, mut told: Told, seed: u64) -> usize {
    let (mut dice, mut n_events) = (Dice::new(seed), 0);
    for i in 0..120 {
        let before: Vec<usize> = told.0.iter().map(|it| it.events.len()).collect();
        let concede = engine::Command::Control(engine::Control::Concede(PlayerId(0)));
        let command = if seed % 3 == 2 && i == 40 { Some(concede) } else { random_command(&live, &mut dice) };
        let Some(command) = command else { break };
        if live.submit(&command, &mut told).is_err() {
            break;
        }
        for (face, n_before) in told.0.iter_mut().zip(before) {
            face.settle(live.state());
            check(name, live.ruleset(), face.viewer, &face.events, n_before);
            n_events += face.events.len() - n_before;
        }
    }
    n_events
}

#[test]
fn every_event_of_every_game_leads_back_to_where_its_chain_began() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        let players = ruleset.program().players;
        let mut n_events = 0;
        for seed in 0..6 {
            let n_seats = if seed % 2 == 0 { players.min } else { players.max };
            let setup = games::setup(&ruleset, seed, n_seats);
            let mut live = Match::empty(ruleset.clone(), &setup).expect("the decks are ready-made; qed");
            let mut told = Told::new(&live);
            let _: Progress = live.begin(&setup, &mut told);
            for face in &mut told.0 {
                face.settle(live.state());
                check(&name, &ruleset, face.viewer, &face.events, 0);
            }
            n_events += play(&name, live, told, seed);
        }
        assert!(n_events > 500, "{name}: too little happened to tell: {n_events}");
    }
}

const RULES: &str = r#"{
  "include": ["std"], "id": "causes", "version": "1.0.0",
  "cardTypes": [{ "id": "unit" }],
  "attributes": [{ "id": "mark" }, { "id": "health", "on": ["card", "player"], "start": 20 }],
  "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "wake", "onStart": [{ "op": "heal_damage", "target": { "ref": "you" }, "amount": 1 }] }, { "id": "main1" }] }], "priorityWindows": [{ "phase": "main", "step": "main1" }] },
  "actions": [
    { "id": "zap", "timing": "stack", "targets": [{ "id": "target", "selector": { "zone": "battlefield", "count": 1 } }], "effects": [{ "op": "deal_damage", "target": "target", "amount": 9 }] },
    { "id": "use", "timing": "stack", "targets": [{ "id": "source", "selector": { "zone": "battlefield", "controller": "self", "count": 1 } }], "params": [{ "id": "ability", "type": "ability", "of": "source" }], "preconditions": [{ "op": "can_activate", "target": "source", "ability": { "ref": "ability" } }], "effects": [{ "op": "execute_ability", "source": "source", "ability": { "ref": "ability" } }] }
  ],
  "stateChecks": [{ "id": "units_die", "forEach": { "zone": "battlefield", "where": { "op": "le", "a": { "ref": "it.health" }, "b": 0 } }, "emit": [{ "op": "destroy_card", "card": "it" }] }],
  "cards": [
    { "id": "wall", "name": "Wall", "type": "unit", "attributes": { "health": 5 } },
    { "id": "mourner", "name": "Mourner", "type": "unit", "attributes": { "health": 5 }, "abilities": [{ "id": "Weep", "when": { "eventType": "CardDestroyed" }, "effects": [{ "op": "change_attribute", "target": "self", "attribute": "mark", "by": 1 }] }] },
    { "id": "healer", "name": "Healer", "type": "unit", "attributes": { "health": 5 }, "abilities": [{ "id": "Mend", "effects": [{ "op": "heal_damage", "target": { "ref": "you" }, "amount": 2 }] }] }
  ]
}"#;

/// What a judge is told while commands are played: the name of each event and the name of its cause.
fn causes(setup: &str, commands: &[&str]) -> Vec<(String, Option<String>)> {
    let ruleset = games::parse(RULES);
    let mut table = Table::set(ruleset.clone(), setup).expect("the table is set; qed");
    let mut face = Projector::new(&ruleset, Viewer::Judge);
    face.settle(table.live.state());
    for line in commands {
        let command = table.command(line).expect("the line is a command; qed");
        table.live.submit(&command, &mut face).expect("the command is legal; qed");
    }
    face.settle(table.live.state());
    let name = |it: &EventView| {
        let text = &ruleset.program().text.events[it.kind.index()];
        if it.is_pending { format!("+{}", text.id) } else { text.fact.clone() }
    };
    let by_number: BTreeMap<u32, String> = face.events.iter().map(|it| (it.seq, name(it))).collect();
    face.events.iter().map(|it| (name(it), it.caused_by.map(|cause| by_number[&cause].clone()))).collect()
}

#[track_caller]
fn check_cause(told: &[(String, Option<String>)], event: &str, cause: Option<&str>) {
    let of: Vec<_> = told.iter().filter(|it| it.0 == event).map(|it| it.1.as_deref()).collect();
    assert!(of.contains(&cause), "{event} is caused by {of:?} in {told:#?}");
}

#[test]
fn what_a_state_check_finds_is_caused_by_what_it_followed_and_rules_answer_what_it_found() {
    let told = causes("p1 battlefield: Wall#1, Mourner#2", &["p1 zap Wall#1", "p2 pass"]);
    check_cause(&told, "+Zap", None);
    check_cause(&told, "Damaged", Some("+Zap"));
    check_cause(&told, "CardDestroyed", Some("Zap"));
    check_cause(&told, "AttributeChanged", Some("CardDestroyed"));
}

#[test]
fn what_a_step_begins_with_is_caused_by_the_step() {
    let told = causes("p1 battlefield: Wall#1", &["p1 pass", "p2 pass"]);
    check_cause(&told, "+StepStart", None);
    check_cause(&told, "Healed", Some("+StepStart"));
}

#[test]
fn what_an_ability_used_in_response_does_is_caused_by_its_activation() {
    let told = causes(
        "p1 battlefield: Wall#1\np2 battlefield: Healer#2",
        &["p1 zap Wall#1", "p2 use Healer#2 Mend", "p1 pass"],
    );
    check_cause(&told, "+Use", None);
    check_cause(&told, "Healed", Some("+Use"));
}
