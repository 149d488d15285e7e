//! Steps that nobody can answer are carried out without a plan. That is for speed only: whoever wants to know why rules
//! answer has everything planned, and the records are the same, one by one.

use std::sync::Arc;

use engine::{Match, Record, Sink, log::borrowed, state::MatchState};
use ruleset::Ruleset;
use serde_json::json;
use testkit::{
    contract::{Dice, random_command},
    games, scenario,
};

/// Keeps every record, whether it says that it looks at the state or not: what nobody looks at is done another way.
#[derive(Default)]
struct Kept<const LOOKS: bool>(Vec<Record<Vec<i64>>>);

impl<const LOOKS: bool> Sink for Kept<LOOKS> {
    const LOOKS: bool = LOOKS;

    fn record(&mut self, _state: &MatchState, record: &Record<&[i64]>) {
        self.0.push(record.map(|it| it.to_vec()));
    }
}

/// Begins a game both ways and plays it; gives how many records there were.
fn begin_and_play(ruleset: &Arc<Ruleset>, name: &str, seed: u64) -> usize {
    let play = if seed % 4 < 2 { begin_and_play_for::<false> } else { begin_and_play_for::<true> };
    play(ruleset, name, seed)
}

/// The same for those who look at the state, or not.
fn begin_and_play_for<const LOOKS: bool>(ruleset: &Arc<Ruleset>, name: &str, seed: u64) -> usize {
    let setup = games::setup(ruleset, seed, ruleset.program().players.max);
    let (mut live, mut planned) = (begin(ruleset, &setup), begin(ruleset, &setup));
    let (mut records, mut twins) = (Kept::<LOOKS>::default(), Kept::default());
    live.begin(&setup, &mut records);
    planned.begin_traced(&setup, &mut twins);
    if seed.is_multiple_of(2) {
        // Copies keep nothing to take back, so that more can be done directly.
        (live, planned) = (live.fork(), planned.fork());
    }
    play([live, planned], [records, twins], name, seed, 5_000)
}

/// Goes on with a match both ways, for at most so many commands; gives how many records there were.
fn play<const LOOKS: bool>(
    [mut live, mut planned]: [Match; 2],
    [mut records, mut twins]: [Kept<LOOKS>; 2],
    name: &str,
    seed: u64,
    n_commands: usize,
) -> usize {
    let (mut dice, mut n_records) = (Dice::new(seed), 0);
    for _ in 0..n_commands {
        let at = format!("{name}, game {seed}, version {}", live.state().head.version);
        for (ours, theirs) in records.0.iter().zip(&twins.0) {
            assert_eq!(borrowed(ours), borrowed(theirs), "{at}: another record");
        }
        assert_eq!(records.0.len(), twins.0.len(), "{at}: more records one way");
        assert_eq!(live.state(), planned.state(), "{at}: another state");
        assert!(live.is_derived_sound(), "{at}: what is kept for speed is out of date");
        n_records += records.0.len();
        let Some(command) = random_command(&live, &mut dice) else { return n_records };
        records.0.clear();
        twins.0.clear();
        let (done, told) = (live.submit(&command, &mut records), planned.submit_traced(&command, &mut twins));
        assert_eq!(done, told.map(|it| it.0), "{at}: another answer to {command:?}");
    }
    n_records
}

fn begin(ruleset: &Arc<Ruleset>, setup: &engine::Setup) -> Match {
    Match::empty(ruleset.clone(), setup).expect("ready-made decks are legal")
}

#[test]
fn all_games_are_the_same_with_and_without_plans() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        let n_records: usize = (0..12).map(|seed| begin_and_play(&ruleset, &name, seed)).sum();
        assert!(n_records > 1_000, "{name}: hardly anything happened");
    }
}

#[test]
fn all_tables_of_the_rulings_are_the_same_with_and_without_plans() {
    let mut n_records = 0;
    for (name, table) in scenario::tables_of_rulings() {
        for seed in 0..4 {
            let twins = [table.live.fork(), table.live.fork()];
            n_records += if seed < 2 {
                play(twins, [Kept::<false>::default(), Kept::default()], &name, seed, 30)
            } else {
                play(twins, [Kept::<true>::default(), Kept::default()], &name, seed, 30)
            };
        }
    }
    assert!(n_records > 10_000, "hardly anything happened");
}

#[test]
fn a_refused_action_is_refused_alike_and_changes_nothing() {
    let ruleset = games::load("bench-duel");
    let setup = games::setup(&ruleset, 1, 2);
    let (mut live, _) = Match::start(ruleset, &setup, &mut ()).expect("ready-made decks are legal");
    let before = live.hash();
    let mut wrong = 0;
    for action in 0..4 {
        for first in -1..64 {
            for targets in [vec![vec![first]], vec![vec![first], vec![2]], vec![], vec![vec![first, 3]]] {
                let (player, action) = (engine::PlayerId(first as u8 & 1), ruleset::ActionId(action));
                let command = engine::Command::Act { player, action, targets };
                let (done, told) =
                    (live.fork().submit(&command, &mut ()), live.fork().submit_traced(&command, &mut ()));
                assert_eq!(done, told.map(|it| it.0), "{command:?}");
                if done.is_err() {
                    live.submit(&command, &mut ()).expect_err("was refused before");
                    wrong += 1;
                }
            }
        }
    }
    assert!(wrong > 500, "hardly anything was refused");
    assert_eq!(live.hash(), before, "a refused action changed something");
}

/// The bench duel with corners that no game has: costs in parts and costs that come back, actions on several cards or
/// with a second target, events that cannot happen or concern nobody, lists of several events, a board that is full
/// or diverts, values that end with the turn, and checks that find many at once.
fn corners(n_players: u8, can_answer: bool) -> Arc<Ruleset> {
    let you = json!({ "ref": "you" });
    let own = json!({ "zone": "board", "controller": "self", "order": "bottom", "count": 1 });
    let pay = json!({ "op": "pay_mana", "player": you, "amount": 1 });
    let hurt = |amount: i32| json!({ "op": "hurt", "card": "card", "amount": amount });
    let action = |id: &str, parts: serde_json::Value| {
        let mut it = json!({ "id": id, "timing": "sorcery", "targets": [{ "id": "card", "selector": own }] });
        parts.as_object().expect("parts are an object").iter().for_each(|(k, v)| it[k] = v.clone());
        it
    };
    let several = json!([{ "id": "cards", "selector": { "zone": "hand", "controller": "self", "min": 1, "max": 2 } }]);
    let two = json!([
        { "id": "card", "selector": own },
        { "id": "foe", "selector": { "zone": "board", "controller": "opponent", "order": "bottom", "count": 1 } }
    ]);
    let lost = json!({ "op": "first", "of": { "zone": "deck", "controller": "self", "order": "top", "take": 1 } });
    games::parse(
        &json!({
            "include": ["bench-duel"],
            "id": "corners",
            "version": "1.0.0",
            "players": { "min": n_players, "max": n_players },
            "events": [
                {
                    "id": "Hurt", "fact": "WasHurt", "fields": { "card": "card", "amount": "int" }, "subject": "card",
                    "requires": { "op": "gt", "a": { "ref": "card.health" }, "b": 1 },
                    "apply": [{ "op": "change_attribute", "target": "card", "attribute": "health", "by": { "op": "neg", "of": { "ref": "amount" } } }]
                },
                {
                    "id": "Inspire", "fact": "Inspired", "fields": { "card": "card" }, "subject": "card",
                    "apply": [{ "op": "modify", "target": "card", "attribute": "attack", "add": 2, "duration": "turn" }]
                },
                {
                    "id": "Gale", "fact": "GaleBlew", "fields": { "player": "player" },
                    "apply": [{
                        "op": "for_each", "in": { "zone": "board" }, "as": "it",
                        "do": [{ "op": "change_attribute", "target": "it", "attribute": "health", "by": -2 }]
                    }]
                }
            ],
            "actions": [
                action("in_parts", json!({ "costs": [pay, pay], "effects": [hurt(1)] })),
                action("comes_back", json!({ "costs": [pay], "refundOnPrevent": true, "effects": [hurt(3), hurt(1)] })),
                action("on_several", json!({ "targets": several, "effects": [{ "op": "draw_card", "player": you }] })),
                action("on_two", json!({ "targets": two, "costs": [pay], "effects": [hurt(1), { "op": "clash", "attacker": "card", "defender": "foe" }] })),
                action("on_nobody", json!({ "costs": [pay], "effects": [{ "op": "summon", "card": lost }, { "op": "die", "card": "card" }] })),
                action("bless", json!({ "costs": [pay], "effects": [{ "op": "inspire", "card": "card" }, hurt(1)] })),
                action("storm", json!({ "targets": [], "costs": [pay], "effects": [{ "op": "gale", "player": you }] })),
                action("answer", json!({ "timing": if can_answer { "stack" } else { "sorcery" }, "costs": [pay, pay, pay], "effects": [hurt(1)] }))
            ]
        })
        .to_string(),
    )
}

#[test]
fn corners_are_the_same_with_and_without_plans() {
    for (n_players, can_answer) in [(2, false), (2, true), (3, false)] {
        let ruleset = corners(n_players, can_answer);
        let n_records: usize = (0..12).map(|seed| begin_and_play(&ruleset, "corners", seed)).sum();
        assert!(n_records > 10_000, "hardly anything happened: {n_records}");
    }
}

/// Cards with a little health that die without it, and one action that costs and does what is said.
fn tiny(health: i32, costs: serde_json::Value, effects: serde_json::Value) -> Arc<Ruleset> {
    let set = |to: i32| json!([{ "op": "set_attribute", "target": "card", "attribute": "health", "value": to }]);
    let event = |id: &str, apply: serde_json::Value| json!({ "id": id, "fields": { "card": "card" }, "subject": "card", "apply": apply });
    let mut heal = event("Heal", set(9));
    heal["requires"] = json!({ "op": "gt", "a": { "ref": "card.health" }, "b": 5 });
    let out = json!([{ "op": "eliminate", "player": "player" }]);
    let toll = json!([{ "op": "change_attribute", "target": "card", "attribute": "health", "by": -1 }]);
    games::parse(
        &json!({
            "id": "tiny", "name": "Tiny", "version": "1.0.0", "players": { "min": 2, "max": 2 },
            "zones": [{ "id": "deck" }, { "id": "grave" }],
            "attributes": [{ "id": "health" }],
            "cardTypes": [{ "id": "unit" }],
            "cards": [{ "id": "a", "type": "unit", "attributes": { "health": health } }],
            "events": [
                event("Stab", set(0)), event("Mend", set(7)), heal, event("Toll", toll),
                event("Die", json!([{ "op": "move", "target": "card", "to": "grave" }])),
                { "id": "Out", "fields": { "player": "player" }, "apply": out }
            ],
            "stateChecks": [{
                "id": "dies", "forEach": { "zone": "deck", "where": { "op": "le", "a": { "ref": "it.health" }, "b": 0 } },
                "emit": [{ "op": "die", "card": "it" }]
            }],
            "turnStructure": { "phases": [{ "id": "t", "steps": [{ "id": "main", "mandatory": true }] }] },
            "actions": [{
                "id": "go", "timing": "sorcery",
                "targets": [{ "id": "c", "selector": { "zone": "deck", "controller": "self", "count": 1 } }],
                "costs": costs, "effects": effects
            }],
            "decks": [{ "id": "d", "cards": { "a": 3 } }]
        })
        .to_string(),
    )
}

/// Plays a tiny game in all ways, whoever is told; all must come to the same and cost the same.
#[track_caller]
fn check_tiny(ruleset: &Arc<Ruleset>) {
    let n_records: usize = (0..4).map(|seed| begin_and_play(ruleset, "tiny", seed)).sum();
    assert!(n_records > 40, "hardly anything happened");
    let (live, _) = Match::start(ruleset.clone(), &games::setup(ruleset, 1, 2), &mut ()).expect("decks are legal");
    let [mut unheard, mut told, mut seen] = [live.fork(), live.fork(), live.fork()];
    let mut dice = Dice::new(7);
    while let Some(command) = random_command(&unheard, &mut dice) {
        unheard.submit(&command, &mut ()).expect("is legal");
        told.submit(&command, &mut Kept::<false>::default()).expect("is legal");
        seen.submit(&command, &mut Kept::<true>::default()).expect("is legal");
        let work = [&unheard, &told, &seen].map(Match::work_left);
        assert_eq!(work, [work[0]; 3], "{command:?} costs more for some");
        if unheard.state().head.turn > 20 {
            return;
        }
    }
}

#[test]
fn a_payment_may_change_what_checks_look_at() {
    check_tiny(&tiny(5, json!([{ "op": "toll", "card": "c" }]), json!([{ "op": "mend", "card": "c" }])));
}

#[test]
fn nothing_is_put_right_once_only_one_player_is_left() {
    let other = json!({ "op": "next_player", "of": { "ref": "you" } });
    check_tiny(&tiny(1, json!([]), json!([{ "op": "stab", "card": "c" }, { "op": "out", "player": other }])));
}

#[test]
fn what_cannot_happen_in_the_middle_of_a_list_is_paid_for_once() {
    check_tiny(&tiny(1, json!([]), json!([{ "op": "stab", "card": "c" }, { "op": "heal", "card": "c" }])));
}
