//! Rulings about what pins a match: offers, dice, hashes, versions, the grammar and the self-check.

use engine::{Command, Control, Log, Match, PlayerId, Record, audit, log::LogError};
use parity_scale_codec::Encode;
use ruleset::{
    ActionId,
    grammar::{Class, OPS},
};
use testkit::{contract::random_game, games, scenario::Table};

const P1: PlayerId = PlayerId(0);
const P2: PlayerId = PlayerId(1);

/// Dice of both players, and a deck to shuffle.
const DICE: &str = r#"{
  "id": "dice", "name": "Dice", "version": "1",
  "include": ["std"],
  "attributes": [{ "id": "health", "on": ["card", "player"], "start": 100 }],
  "cardTypes": [{ "id": "unit" }],
  "cards": [{ "id": "wall", "name": "Wall", "type": "unit" }],
  "decks": [{ "id": "walls", "cards": { "wall": 30 } }],
  "turnStructure": { "phases": [{ "id": "main", "steps": [{ "id": "main1" }] }] },
  "actions": [
    { "id": "roll", "timing": "sorcery", "effects": [{ "op": "let", "name": "n", "value": { "op": "random", "min": 1, "max": 1000000 } }, { "op": "set_attribute", "target": "active_player", "attribute": "health", "value": { "ref": "n" } }] },
    { "id": "mix", "timing": "sorcery", "effects": [{ "op": "shuffle_deck", "player": "self" }] }
  ]
}"#;

/// A match of dice, and a player's action in it by number.
fn dice(seed: u64) -> (Match, Log) {
    let ruleset = games::parse(DICE);
    let (live, log, _) = Log::start(&ruleset, games::setup(&ruleset, seed, 2)).unwrap();
    (live, log)
}

fn act(player: PlayerId, action: u16) -> Command {
    Command::Act { player, action: ActionId(action), targets: Vec::new() }
}

fn health(live: &Match, player: PlayerId) -> i32 {
    live.state().attrs[usize::from(player.0) * usize::from(live.ruleset().program().stride)]
}

#[test]
fn ruling_56_every_action_with_a_complete_binding_is_offered_and_no_other() {
    let setup = "step: main1\np1 hand: Squire#1, Archer#2, Squire#3, Knight#4\np1: mana=2\np2 battlefield: Scholar#5";
    let table = Table::set(games::load("skirmish"), setup).unwrap();
    let program = table.live.ruleset().program();
    let offers = table.live.offers(P1);
    let named: Vec<(&str, Option<i64>)> =
        offers.iter().map(|it| (program.text.actions[it.action.index()].label.id.as_str(), it.principal)).collect();
    // The Knight costs 3: not offered. Nothing else is cut off.
    assert_eq!(named, [("play_card", Some(2)), ("play_card", Some(3)), ("play_card", Some(4))]);
    assert_eq!(table.live.offers(P2), []);
    for command in table.live.legal(P1, 64) {
        assert!(table.live.fork().submit(&command, &mut ()).is_ok(), "offered, but refused: {command:?}");
    }
}

#[test]
fn ruling_80_each_seat_has_dice_of_its_own() {
    let (mut quiet, _) = dice(1);
    let (mut busy, _) = dice(1);
    for _ in 0..3 {
        busy.submit(&act(P1, 0), &mut ()).unwrap();
        busy.submit(&act(P1, 1), &mut ()).unwrap();
    }
    for live in [&mut quiet, &mut busy] {
        live.submit(&Command::Pass { player: P1 }, &mut ()).unwrap();
        live.submit(&act(P2, 0), &mut ()).unwrap();
    }
    assert_ne!(health(&quiet, P1), health(&busy, P1));
    assert_eq!(health(&quiet, P2), health(&busy, P2), "what p1 rolled shifted the dice of p2");
    assert_eq!((busy.state().head.rng[0], busy.state().head.rng[1]), (6, 1), "one position for each logical draw");
}

#[test]
fn ruling_80_the_stream_of_random_numbers_is_pinned() {
    let rolls = [1_u64, 2, 3].map(|seed| {
        let (mut live, _) = dice(seed);
        [0; 2].map(|_| {
            live.submit(&act(P1, 0), &mut ()).unwrap();
            health(&live, P1)
        })
    });
    // A change of these numbers is a change of every game.
    assert_eq!(rolls, [[827_408, 240_085], [418_234, 213_672], [365_292, 493_612]]);
}

#[test]
fn ruling_80_folding_a_log_needs_no_dice() {
    let (mut live, mut log) = dice(5);
    for action in [0, 1, 0] {
        log.submit(&mut live, &act(P1, action)).unwrap();
    }
    let shuffled = log.records().unwrap().into_iter().flatten().any(|it| matches!(it, Record::Shuffled(..)));
    assert!(shuffled, "the order is in the log");
    // Another seed would roll otherwise; the records alone must lead to the same table.
    let mut header = log.header().clone();
    header.setup.seed = [9; 32];
    let mut seeded = Log::new(header);
    log.transitions().for_each(|it| seeded.append(it.command().as_ref(), it.records()));
    let folded = seeded.fold(live.ruleset(), seeded.len()).unwrap();
    let (folded, live) = (folded.state(), live.state());
    assert_eq!((&folded.attrs, &folded.ents, &folded.zones), (&live.attrs, &live.ents, &live.zones));
}

#[test]
fn ruling_82_operations_are_regular_and_closed() {
    for class in [Class::Value, Class::Effect, Class::Write] {
        let names: Vec<&str> = OPS.iter().filter(|it| it.class == class).map(|it| it.name).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len(), "an operation is there twice: {class:?}");
    }
    for op in OPS {
        assert!(op.name.chars().all(|it| it.is_ascii_lowercase() || it == '_'), "not snake_case: {}", op.name);
        assert!(op.params.iter().all(|it| !it.name.contains('_')), "a parameter is not camelCase: {}", op.name);
        assert!(op.example.contains(&format!(r#""op":"{}""#, op.name)), "the example is of another: {}", op.name);
    }
}

#[test]
fn ruling_82_a_key_nobody_knows_is_refused() {
    let mistakes = games::compile(
        r#"{ "include": ["std"], "turnStructure": { "phases": [{ "id": "a", "steps": [{ "id": "b", "colour": 1 }] }] } }"#,
    );
    let codes: Vec<&str> = mistakes.unwrap_err().iter().map(|it| it.code).collect();
    assert_eq!(codes, ["ruleset/unknown_key"]);
}

#[test]
fn ruling_88_a_log_names_its_rules_its_seed_and_its_decks() {
    let (_, log) = dice(3);
    let header = log.header();
    assert_eq!(header.engine, engine::log::ENGINE_VERSION);
    assert_eq!(header.rules, games::parse(DICE).rules_hash());
    assert_eq!(header.setup.seed[0], 3);
    assert_eq!(header.setup.decks.iter().map(Vec::len).collect::<Vec<_>>(), [30, 30]);
    let harder = games::parse(&DICE.replace("\"start\": 100", "\"start\": 50"));
    assert_eq!(log.replay(&harder).map(|_| ()), Err(LogError::WrongRules));
    assert_eq!(log.replay(&games::parse(DICE)).map(|it| it.hash()), Ok(dice(3).0.hash()));
}

#[test]
fn ruling_89_every_accepted_command_is_one_version_and_the_hash_tells_states_apart() {
    let (mut live, _) = dice(3);
    let start = (live.state().head.version, live.hash());
    assert!(live.submit(&act(P2, 0), &mut ()).is_err());
    assert_eq!((live.state().head.version, live.hash()), start, "a refusal changed the version");
    let mut versions = Vec::new();
    for command in [act(P1, 0), Command::Control(Control::Disconnect(P2)), Command::Takeback { to: 0 }] {
        versions.push(live.submit(&command, &mut ()).unwrap().version);
    }
    assert_eq!((start.0, versions), (0, vec![1, 2, 3]));
    assert_ne!(live.hash(), start.1, "another epoch of dice is another state");
    let back = Match::decode(live.ruleset().clone(), &live.encode()).unwrap();
    assert_eq!(back.hash(), live.hash(), "a match that was stored and read is the same");
}

#[test]
fn ruling_91_one_hash_is_for_the_mechanics_and_one_for_every_text() {
    let (rules, renamed) = (games::parse(DICE), games::parse(&DICE.replace("\"Wall\"", "\"Bulwark\"")));
    assert_eq!(rules.rules_hash(), renamed.rules_hash());
    assert_ne!(rules.document_hash(), renamed.document_hash());
    let harder = games::parse(&DICE.replace("\"start\": 100", "\"start\": 50"));
    assert_ne!(rules.rules_hash(), harder.rules_hash());
}

#[test]
fn ruling_97_both_spellings_are_one_ruleset() {
    let ruleset = |prevent: &str, conditions: &str| {
        games::parse(&format!(
            r#"{{ "include": ["std"], "cardTypes": [{{ "id": "unit" }}],
              "turnStructure": {{ "phases": [{{ "id": "a", "steps": [{{ "id": "b" }}] }}] }},
              "cards": [{{ "id": "ward", "type": "unit", "abilities": [{{ "id": "Hold", "timing": "before", "{prevent}": true, "{conditions}": [true],
                "when": {{ "eventType": "DealDamage" }}, "effects": [{{ "op": "prevent" }}] }}] }}] }}"#
        ))
    };
    let (camel, snake) =
        (ruleset("canPrevent", "preventionConditions"), ruleset("can_prevent", "prevention_conditions"));
    assert_eq!(camel.rules_hash(), snake.rules_hash());
}

#[test]
fn ruling_98_the_audit_finds_what_is_broken_and_nothing_in_a_real_game() {
    let ruleset = games::load("skirmish");
    let (live, _) = random_game(&ruleset, 8, |live, _| {
        assert_eq!(audit::audit(live.ruleset().program(), live.state()), Ok(()));
    });
    let broken: [fn(&mut engine::state::MatchState); 4] = [
        |it| it.zones[0].len += 1,
        |it| it.attrs.push(0),
        |it| it.ents.last_mut().unwrap().zone = 0,
        |it| it.ents.last_mut().unwrap().def = ruleset::DefId(60_000),
    ];
    for (i, damage) in broken.iter().enumerate() {
        let mut state = live.state().clone();
        damage(&mut state);
        assert!(audit::audit(ruleset.program(), &state).is_err(), "damage {i} was not found");
        let bytes = (&state, Vec::<u8>::new()).encode();
        assert!(Match::decode(ruleset.clone(), &bytes).is_none(), "damage {i} was read as a match");
    }
}
