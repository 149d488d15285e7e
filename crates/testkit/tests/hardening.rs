//! What must not happen whatever the rules, the players or the bytes are.

use engine::{
    Command, Control, Log, Match, PlayerId, Record, Rejection, Setup, Waiting,
    fault::Limit,
    log::{LogError, Recorder, encode_records},
    state::Pause,
    view::{Projector, Viewer},
};
use parity_scale_codec::Encode;
use testkit::{contract::random_game, games, scenario::Table};

const P1: PlayerId = PlayerId(0);
const P2: PlayerId = PlayerId(1);

/// A ruleset with one phase, one step and cards called `bear`.
fn game(more: &str) -> std::sync::Arc<ruleset::Ruleset> {
    games::parse(&format!(
        r#"{{ "include": ["std"], "cardTypes": [{{ "id": "unit" }}], "cards": [{{ "id": "bear", "name": "Bear", "type": "unit" }}],
              "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "act" }}] }}] }}, {more} }}"#
    ))
}

/// A match with so many bears in each deck.
fn start(more: &str, n_cards: usize) -> Match {
    let setup = Setup { seed: [1; 32], decks: vec![vec![ruleset::DefId(0); n_cards]; 2] };
    Match::start(game(more), &setup, &mut ()).unwrap().0
}

fn act(live: &Match, player: PlayerId, name: &str) -> Command {
    let names = &live.ruleset().program().text.actions;
    let named = |it: &Command| matches!(it, Command::Act { action, .. } if names[action.index()].label.id == name);
    live.legal(player, 64).into_iter().find(named).unwrap_or_else(|| panic!("not legal: {name}"))
}

#[test]
fn a_log_begins_with_its_set_up_and_has_no_other() {
    let ruleset = games::load("skirmish");
    let (_, log) = random_game(&ruleset, 3, |_, _| {});
    let mut twice = log.clone();
    twice.append(None, log.transition(0).unwrap().records());
    let at = log.len();
    assert_eq!(Log::read(&twice.encode()), Err(LogError::MisplacedSetup { transition: at }));
    assert_eq!(twice.replay(&ruleset).map(|_| ()), Err(LogError::MisplacedSetup { transition: at }));
    let mut none = Log::new(log.header().clone());
    none.append(Some(&Command::Control(Control::Reconnect(P1))), &[]);
    assert_eq!(Log::read(&none.encode()), Err(LogError::MisplacedSetup { transition: 0 }));
    let mut empty = Match::empty(ruleset, &log.header().setup).unwrap();
    assert_eq!(empty.submit(&Command::Pass { player: P1 }, &mut ()), Err(Rejection::NotInWindow));
}

#[test]
fn a_forged_record_never_tears_a_zone_apart() {
    let ruleset = games::load("skirmish");
    let (_, mut log) = random_game(&ruleset, 3, |_, _| {});
    log.truncate(1);
    let forged: Record<Vec<i64>> = Record::Ordered(0, vec![2, 3, 2]);
    log.append(Some(&Command::Pass { player: P1 }), &encode_records(&[forged]));
    let folded = log.fold(&ruleset, 2).unwrap();
    assert!(folded.state().cards_in(0).count() <= folded.state().ents.len());
    let moved = Record::<Vec<i64>>::Flowed {
        turn: 1,
        active: P1,
        step: ruleset::StepId(999),
        flow: engine::state::Flow::Window,
    };
    log.append(Some(&Command::Pass { player: P1 }), &encode_records(&[moved]));
    assert_eq!(log.fold(&ruleset, 3).map(|_| ()), Err(LogError::BrokenState { transition: 2 }));
}

#[test]
fn a_card_named_twice_is_arranged_once() {
    let more = r#""events": [{ "id": "Pile", "fields": { "cards": "card[]" }, "apply": [{ "op": "arrange", "cards": "cards" }] }],
        "actions": [{ "id": "go", "timing": "instant", "targets": [{ "id": "c", "selector": { "zone": "deck", "controller": "self", "count": 1 } }],
                      "effects": [{ "op": "pile", "cards": ["c", "c"] }] }]"#;
    let mut live = start(more, 4);
    let go = act(&live, P1, "go");
    live.submit(&go, &mut ()).unwrap();
    assert_eq!(live.state().cards_in(0).count(), 4);
}

#[test]
fn whoever_is_named_twice_is_concerned_once() {
    let more = r#""actions": [{ "id": "burn", "timing": "instant", "effects": [{ "op": "deal_damage", "target": ["active_player", "active_player"], "amount": 3 }] }]"#;
    let mut table = Table::set(game(more), "p1: health=20\np2: health=20").unwrap();
    table.play("p1 burn").unwrap();
    let lines = table.narrator.lines.iter().filter(|it| it.starts_with("Damaged")).count();
    assert_eq!((lines, table.narrator.lines.contains(&"  p1.health 20 -> 17".to_owned())), (1, true));
}

#[test]
fn what_somebody_saw_is_not_taken_back() {
    let more = r#""actions": [{ "id": "peek", "timing": "instant", "effects": [{ "op": "draw", "player": "self" }] },
                              { "id": "wait", "timing": "instant", "effects": [] }]"#;
    let mut live = start(more, 3);
    let wait = act(&live, P1, "wait");
    live.submit(&wait, &mut ()).unwrap();
    assert!(live.submit(&Command::Undo { player: P1 }, &mut ()).is_ok());
    let peek = act(&live, P1, "peek");
    live.submit(&peek, &mut ()).unwrap();
    assert_eq!(live.submit(&Command::Undo { player: P1 }, &mut ()), Err(Rejection::CannotUndo));
}

#[test]
fn taking_back_never_undoes_a_moderator() {
    let more =
        r#""players": { "min": 3, "max": 3 }, "actions": [{ "id": "wait", "timing": "instant", "effects": [] }]"#;
    let setup = Setup { seed: [1; 32], decks: vec![vec![]; 3] };
    let (mut live, _) = Match::start(game(more), &setup, &mut ()).unwrap();
    let wait = act(&live, P1, "wait");
    live.submit(&wait, &mut ()).unwrap();
    live.control(Control::Pause, &mut ()).unwrap();
    assert_eq!(live.submit(&Command::Undo { player: P1 }, &mut ()), Err(Rejection::MatchPaused));
    live.control(Control::Resume, &mut ()).unwrap();
    live.control(Control::Kick(P2), &mut ()).unwrap();
    assert_eq!(live.submit(&Command::Undo { player: P1 }, &mut ()), Err(Rejection::CannotUndo));
    assert!(!live.state().is_alive(P2));
}

#[test]
fn a_stored_match_with_a_broken_mark_is_refused() {
    let more = r#""actions": [{ "id": "wait", "timing": "instant", "effects": [] }]"#;
    let mut live = start(more, 2);
    let wait = act(&live, P1, "wait");
    live.submit(&wait, &mut ()).unwrap();
    let bytes = live.encode();
    assert!(Match::decode(live.ruleset().clone(), &bytes).is_some());
    // The mark is the second state in the bytes; its last numbers are those of zones and cards.
    let mut broken = 0;
    for at in (bytes.len() / 2..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        if let Some(mut back) = Match::decode(live.ruleset().clone(), &damaged) {
            // Whatever was accepted is sound, also after going back to it.
            let _ = back.submit(&Command::Undo { player: P1 }, &mut ());
            assert!(engine::audit::audit(back.ruleset().program(), back.state()).is_ok(), "byte {at}");
        } else {
            broken += 1;
        }
    }
    assert!(broken > 10, "damage is noticed");
}

#[test]
fn a_shuffled_card_is_a_stranger() {
    let more = r#""events": [{ "id": "ShowTop", "fields": {}, "effects": [{ "op": "reveal_card", "card": { "zone": "deck", "controller": "self", "order": "top", "take": 1 }, "to": { "players": "opponent" } }] }],
        "actions": [{ "id": "show", "timing": "instant", "effects": [{ "op": "show_top" }] },
                    { "id": "mix", "timing": "instant", "effects": [{ "op": "shuffle_deck", "player": "self" }] }]"#;
    let mut live = start(more, 5);
    let seen = |live: &Match| {
        let view = Projector::new(live.ruleset(), Viewer::Player(P2)).view(live);
        view.zones.iter().map(|it| it.cards.len()).sum::<usize>()
    };
    let show = act(&live, P1, "show");
    live.submit(&show, &mut ()).unwrap();
    assert_eq!(seen(&live), 1);
    let mix = act(&live, P1, "mix");
    live.submit(&mix, &mut ()).unwrap();
    assert_eq!(seen(&live), 0);
}

#[test]
fn a_hidden_card_has_no_name_in_a_question() {
    let more = r#""setup": [{ "op": "for_each", "in": { "players": "all" }, "as": "player", "do": [{ "op": "draw", "player": "player", "count": 3 }] },
        { "op": "ask", "player": "active_player", "choices": { "zone": "hand", "controller": "opponent" }, "as": "x" }],
        "actions": [{ "id": "wait", "effects": [] }]"#;
    let live = start(more, 5);
    let decision = Projector::new(live.ruleset(), Viewer::Player(P1)).decision(&live).unwrap();
    assert_eq!(decision.options.choices.len(), 3);
    let shown = format!("{decision:?}");
    assert!(shown.contains("hidden card 1") && !shown.contains("Bear"), "{shown}");
}

#[test]
fn questions_asked_together_are_offered_until_each_is_answered() {
    let more = r#""setup": [{ "op": "ask_together", "asks": [
            { "op": "ask", "players": { "players": "all" }, "choices": { "players": "all" }, "as": "a", "prompt": "First?" },
            { "op": "ask", "players": { "players": "all" }, "choices": { "players": "all" }, "as": "b", "prompt": "Second?" }] }],
        "actions": [{ "id": "wait", "effects": [] }]"#;
    let mut live = start(more, 0);
    for _ in 0..4 {
        let player = testkit::contract::asked(&live)[0];
        let mut face = Projector::new(live.ruleset(), Viewer::Player(player));
        let decision = face.decision(&live).unwrap();
        let first = decision.options.choices[0].title.clone().unwrap();
        let response = selector::Response::to(&decision, [first]);
        let command = face.answer(&live, &response).unwrap();
        live.submit(&command, &mut ()).unwrap();
    }
    assert!(matches!(live.waiting(), Waiting::Priority(_)), "{:?}", live.waiting());
}

#[test]
fn an_end_that_looks_at_the_turn_comes_in_time() {
    let more = r#""actions": [{ "id": "wait", "timing": "instant", "effects": [] }],
        "endConditions": [{ "id": "late", "when": { "op": "ge", "a": { "ref": "turn" }, "b": 3 } }]"#;
    let mut live = start(more, 0);
    while let Waiting::Priority(window) = live.waiting() {
        live.submit(&Command::Pass { player: window.holder }, &mut ()).unwrap();
    }
    assert_eq!(live.state().head.turn, 3);
}

#[test]
fn members_of_a_group_see_each_other() {
    let more = r#""resources": [{ "id": "gold", "start": 1 }],
        "actions": [{ "id": "buy_two", "timing": "instant", "effects": [{ "op": "group", "events": [
            { "op": "pay_resource", "resource": "gold", "amount": 1 }, { "op": "pay_resource", "resource": "gold", "amount": 1 }] }] }]"#;
    let mut table = Table::set(game(more), "p1: gold=1").unwrap();
    table.play("p1 buy_two").unwrap();
    let count = |word: &str| table.narrator.lines.iter().filter(|it| it.starts_with(word)).count();
    let told = (count("EventPrevented"), count("EventFailed"), count("ResourceChanged"));
    assert_eq!(told, (1, 1, 0), "{:#?}", table.narrator.lines);
}

#[test]
fn a_refund_stays_within_bounds() {
    let more = r#""resources": [{ "id": "gold", "start": 10, "max": 10 }],
        "reactions": [{ "id": "bank", "timing": "before", "when": { "eventType": "Spend" }, "effects": [{ "op": "change_resource", "resource": "gold", "by": 2 }, { "op": "prevent" }] }],
        "actions": [{ "id": "spend", "timing": "instant", "refundOnPrevent": true, "costs": [{ "op": "pay_resource", "resource": "gold", "amount": 2 }], "effects": [] }]"#;
    let mut live = start(more, 0);
    let spend = act(&live, P1, "spend");
    live.submit(&spend, &mut ()).unwrap();
    assert!(Match::decode(live.ruleset().clone(), &live.encode()).is_some());
}

/// The limit a game runs into while it is set up.
#[track_caller]
fn stops_at(more: &str, n_cards: usize, limit: Limit) {
    let live = start(more, n_cards);
    assert_eq!(live.waiting(), Waiting::Paused(Pause::Limit(limit)));
}

#[test]
fn work_without_facts_is_bounded_too() {
    let nothing = r#""events": [{ "id": "Nothing", "fact": "none" }], "actions": [{ "id": "wait", "effects": [] }]"#;
    let thrice = |inner: &str| {
        (0..3).fold(inner.to_owned(), |acc, _| format!(r#"{{ "op": "repeat", "times": 1000, "do": [{acc}] }}"#))
    };
    stops_at(&format!(r#"{nothing}, "setup": [{}]"#, thrice(r#"{ "op": "nothing" }"#)), 0, Limit::WorkPerCommand);
}

#[test]
fn long_lists_cost_what_they_weigh() {
    let more = r#""actions": [{ "id": "wait", "effects": [] }],
        "setup": [{ "op": "if", "when": { "op": "gt", "a": { "op": "count", "of": { "zone": "deck", "where": { "op": "gt", "a": { "op": "count", "of": { "op": "union", "of": ["it", { "zone": "deck" }] } }, "b": 0 } } }, "b": 0 }, "then": [] }]"#;
    stops_at(more, 300, Limit::InstructionsPerStep);
}

#[test]
fn looking_for_legal_actions_is_bounded() {
    let slot =
        |id: &str| format!(r#"{{ "id": "{id}", "selector": {{ "zone": "deck", "controller": "self", "count": 1 }} }}"#);
    let more = format!(
        r#""actions": [{{ "id": "think", "targets": [{}, {}], "effects": [], "preconditions": [
            {{ "op": "lt", "a": {{ "op": "sum", "of": {{ "zone": "deck" }}, "value": {{ "op": "count", "of": {{ "zone": "deck", "where": {{ "op": "ne", "a": "it", "b": {{ "ref": "b" }} }} }} }} }}, "b": 0 }}] }},
            {{ "id": "wait", "effects": [] }}]"#,
        slot("a"),
        slot("b")
    );
    let live = start(&more, 120);
    // Too much to find out: nothing is offered, and nobody waits for it.
    assert!(live.legal(P1, 64).len() <= 2);
}

#[test]
fn an_answer_of_thousands_is_offered_without_deep_recursion() {
    let more = r#""actions": [{ "id": "wait", "effects": [] }],
        "setup": [{ "op": "ask", "player": "active_player", "choices": { "zone": "deck" }, "min": 598, "max": 599, "as": "x" }]"#;
    let mut live = start(more, 300);
    let answer = live.legal(P1, 4).remove(0);
    live.submit(&answer, &mut Recorder::default()).unwrap();
}

#[test]
fn changes_for_one_subject_and_for_all_add_up() {
    let more = r#""reactions": [{ "id": "double", "priority": -1, "timing": "before", "when": { "eventType": "DealDamage" },
                        "effects": [{ "op": "amend", "field": "amount", "value": { "op": "mul", "of": [2, { "ref": "event.amount" }] } }] }],
        "keywords": [{ "id": "armor", "abilities": [{ "id": "Armor", "timing": "before", "when": { "eventType": "DealDamage", "filters": { "target": "self" } },
                        "effects": [{ "op": "amend", "field": "amount", "value": { "op": "sub", "a": { "ref": "event.amount" }, "b": 1 } }] }] }],
        "cards": [{ "id": "knight", "name": "Knight", "type": "unit", "keywords": ["armor"], "attributes": { "health": 9 } },
                  { "id": "page", "name": "Page", "type": "unit", "attributes": { "health": 9 } }],
        "actions": [{ "id": "storm", "timing": "instant", "effects": [{ "op": "deal_damage", "target": { "zone": "battlefield" }, "amount": 2 }] }]"#;
    let text = format!(
        r#"{{ "include": ["std"], "cardTypes": [{{ "id": "unit" }}], "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "act" }}] }}] }}, {more} }}"#
    );
    let mut table =
        Table::set(games::parse(&text), "p1: health=9\np2: health=9\np1 battlefield: Knight#1, Page#2").unwrap();
    table.play("p1 storm").unwrap();
    // (2 - 1) x 2 for the armoured one, 2 x 2 for the other.
    for line in ["  Knight#1.health 9 -> 7", "  Page#2.health 9 -> 5"] {
        assert!(table.narrator.lines.iter().any(|it| it == line), "{line}: {:#?}", table.narrator.lines);
    }
}

#[test]
fn one_of_many_may_change_his_mind_until_the_last_answer_is_in() {
    let more = r#""setup": [{ "op": "ask", "players": { "players": "all" }, "choices": { "players": "all" }, "as": "votes" }],
        "actions": [{ "id": "wait", "effects": [] }]"#;
    let mut live = start(more, 0);
    let input = live.state().asks[0].no;
    let vote = |player: PlayerId, value: i64| Command::Answer { player, input, values: vec![value], confirm: true };
    for value in [0, 1, 0] {
        live.submit(&vote(P1, value), &mut ()).unwrap();
    }
    live.submit(&vote(P2, 1), &mut ()).unwrap();
    assert_eq!(live.submit(&vote(P1, 1), &mut ()), Err(Rejection::UnknownInput));
}
