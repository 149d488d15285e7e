//! Rulesets that want to hang, crash or fill the machine, and how they are played.

use std::fmt::Write as _;

use engine::{Match, Setup, Waiting, state::Pause};
use ruleset::{DefId, Ruleset};

use crate::{
    contract::{Dice, random_command},
    games,
};

/// A ruleset made to do harm, and what becomes of it.
pub struct Case {
    pub name: &'static str,
    pub text: String,
    /// The code it is refused with, the limit that stops it, or `plays`.
    pub becomes: &'static str,
}

/// How many random commands a ruleset gets that is not refused.
const COMMANDS: usize = 40;

/// Compiles and plays a ruleset: what it is refused with, which limit stops it, or that it plays.
pub fn outcome(text: &str) -> String {
    match games::compile(text) {
        Err(found) => found.first().map_or_else(|| "refused".to_owned(), |it| it.code.to_owned()),
        Ok(ruleset) => played(&ruleset),
    }
}

fn played(ruleset: &std::sync::Arc<Ruleset>) -> String {
    let n = usize::from(ruleset.program().players.min);
    let deck = if ruleset.program().defs.is_empty() { vec![] } else { vec![DefId(0); 8] };
    let setup = Setup { seed: [7; 32], decks: vec![deck; n] };
    let mut live = match Match::start(ruleset.clone(), &setup, &mut ()) {
        Ok((live, _)) => live,
        Err(why) => return format!("no start: {}", why.code()),
    };
    let mut dice = Dice::new(1);
    for _ in 0..COMMANDS {
        if let Waiting::Paused(Pause::Limit(limit)) = live.waiting() {
            return limit.as_str().to_owned();
        }
        let Some(command) = random_command(&live, &mut dice) else { break };
        if let Err(why) = live.submit(&command, &mut ()) {
            return format!("an offered command was refused: {}", why.code());
        }
    }
    match live.waiting() {
        Waiting::Paused(Pause::Limit(limit)) => limit.as_str().to_owned(),
        Waiting::Paused(pause) => format!("{pause:?}"),
        Waiting::Inputs(_) | Waiting::Priority(_) | Waiting::Timer(_) | Waiting::Over(_) => "plays".to_owned(),
    }
}

/// A small game with one action `go`, and more.
fn game(more: &str) -> String {
    let unless = |key: &str, default: &str| {
        let own = more.contains(&format!("\"{key}\": [{{ \"id\"")) || more.contains(&format!("\"{key}\": [{{\"id\""));
        if own { String::new() } else { format!("\"{key}\": {default},") }
    };
    let cards = unless("cards", r#"[{ "id": "bear", "type": "unit", "attributes": { "health": 3, "attack": 1 } }]"#);
    let attributes = unless("attributes", r#"[{ "id": "health", "on": ["card", "player"], "start": 20 }]"#);
    format!(
        r#"{{ "include": ["std"], "cardTypes": [{{ "id": "unit" }}], {cards} {attributes}
  "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "act" }}] }}] }}{}{more} }}"#,
        if more.is_empty() { "" } else { "," }
    )
}

/// The small game, in which `go` does this.
fn does(effects: &str) -> String {
    game(&format!(r#""actions": [{{ "id": "go", "timing": "instant", "effects": [{effects}] }}]"#))
}

/// The small game with rules that answer, and `go` that sets them off.
fn reacts(reactions: &str) -> String {
    game(&format!(
        r#""events": [{{ "id": "Ping", "fields": {{}} }}, {{ "id": "Pong", "fields": {{}} }}], "reactions": [{reactions}],
           "actions": [{{ "id": "go", "timing": "instant", "effects": [{{ "op": "ping" }}] }}]"#
    ))
}

/// The small game, in which `go` is offered on a condition.
fn asks_whether(condition: &str) -> String {
    game(&format!(
        r#""actions": [{{ "id": "go", "timing": "instant", "preconditions": [{condition}], "effects": [] }}, {{ "id": "rest", "timing": "instant", "effects": [] }}]"#
    ))
}

/// The small game, in which `go` costs this.
fn costs(costs: &str) -> String {
    game(&format!(
        r#""resources": [{{ "id": "gold", "start": 9 }}], "actions": [{{ "id": "go", "timing": "instant", "costs": [{costs}], "effects": [] }}]"#
    ))
}

fn repeat(text: &str, n: usize) -> String {
    text.repeat(n)
}

/// Something nested so many times around a core.
fn nested(before: &str, core: &str, after: &str, n: usize) -> String {
    format!("{}{core}{}", repeat(before, n), repeat(after, n))
}

fn listed(n: usize, item: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for i in 0..n {
        let _ = write!(out, "{}{}", if i > 0 { "," } else { "" }, item(i));
    }
    out
}

/// Everything somebody thought of.
pub fn cases() -> Vec<Case> {
    let mut all = broken_text();
    all.extend(too_much());
    all.extend(wrong_numbers());
    all.extend(endless());
    all.extend(fan_out());
    all.extend(selectors());
    all.extend(questions());
    all.extend(odd());
    all
}

fn case(name: &'static str, text: String, becomes: &'static str) -> Case {
    Case { name, text, becomes }
}

/// What is no ruleset at all.
fn broken_text() -> Vec<Case> {
    vec![
        case("nothing", String::new(), "json/syntax"),
        case("not an object", "[]".to_owned(), "ruleset/wrong_type"),
        case("only null", "null".to_owned(), "ruleset/wrong_type"),
        case("cut off", "{ \"id\": ".to_owned(), "json/syntax"),
        case(
            "a number of a thousand digits",
            format!("{{ \"limits\": {{ \"entities\": {} }} }}", repeat("9", 1000)),
            "json/not_a_whole_number",
        ),
        case(
            "a fraction",
            does(r#"{ "op": "deal_damage", "target": "active_player", "amount": 0.5 }"#),
            "json/not_a_whole_number",
        ),
        case("10 000 levels of lists", nested("[", "", "]", 10_000), "json/too_deep"),
        case("10 000 levels of objects", nested("{\"a\":", "1", "}", 10_000), "json/too_deep"),
        case(
            "10 000 levels in a condition",
            asks_whether(&nested(r#"{"op":"not","of":"#, "true", "}", 10_000)),
            "json/too_deep",
        ),
        case("zero bytes", "\0\0\0".to_owned(), "json/syntax"),
        case("a key twice", r#"{ "id": "a", "id": "b" }"#.to_owned(), "json/duplicate_key"),
    ]
}

/// What is simply too much.
fn too_much() -> Vec<Case> {
    let keys = listed(1_000_000, |i| format!("\"k{i}\":1"));
    vec![
        case("a million keys", format!("{{{keys}}}"), "json/too_large"),
        case("a text of 17 megabytes", format!("{{ \"id\": \"{}\" }}", repeat("x", 17 << 20)), "json/too_large"),
        case(
            "65 zones",
            game(&format!("\"zones\": [{}]", listed(65, |i| format!("{{ \"id\": \"z{i}\" }}")))),
            "ruleset/too_large",
        ),
        case(
            "70 000 cards",
            game(&format!("\"cards\": [{}]", listed(70_000, |i| format!("{{\"id\":\"c{i}\",\"type\":\"unit\"}}")))),
            "ruleset/too_large",
        ),
        case(
            "33 slots",
            game(&format!(
                r#""actions": [{{ "id": "go", "effects": [], "targets": [{}] }}]"#,
                listed(33, |i| format!(r#"{{"id":"t{i}","selector":{{"players":"all","count":1}}}}"#))
            )),
            "ruleset/too_large",
        ),
        case(
            "300 items in a list",
            does(&format!(
                r#"{{ "op": "let", "name": "x", "value": {{ "op": "first", "of": {{ "from": [{}] }} }} }}"#,
                listed(300, |_| "\"active_player\"".to_owned())
            )),
            "ruleset/too_large",
        ),
        case(
            "definitions that double 30 times",
            game(&format!(
                r#""define": [{}], "actions": [{{ "id": "go", "effects": [{{ "op": "d29" }}] }}]"#,
                listed(30, doubling)
            )),
            "ruleset/too_large",
        ),
        case(
            "a definition that uses itself",
            game(
                r#""define": [{ "id": "loop", "kind": "effects", "body": [{ "op": "loop" }] }], "actions": [{ "id": "go", "effects": [{ "op": "loop" }] }]"#,
            ),
            "ruleset/recursive_definition",
        ),
        case(
            "definitions in a circle",
            game(
                r#""define": [{ "id": "a", "kind": "condition", "body": { "op": "b" } }, { "id": "b", "kind": "condition", "body": { "op": "a" } }], "actions": [{ "id": "go", "preconditions": [{ "op": "a" }], "effects": [] }]"#,
            ),
            "ruleset/recursive_definition",
        ),
        case("a document that includes itself", r#"{ "include": ["scenario"] }"#.to_owned(), "link/circle"),
        case("a document that is not there", r#"{ "include": ["../../../etc/passwd"] }"#.to_owned(), "link/not_found"),
        case("conditions nested 40 deep in selectors", asks_whether(&deep_selector(40)), "ruleset/too_large"),
    ]
}

fn doubling(i: usize) -> String {
    let body = if i == 0 {
        r#"{ "op": "draw", "player": "active_player" }"#.to_owned()
    } else {
        let inner = format!("{{ \"op\": \"d{}\" }}", i - 1);
        format!("{inner}, {inner}")
    };
    format!(r#"{{ "id": "d{i}", "kind": "effects", "body": [{body}] }}"#)
}

fn deep_selector(n: usize) -> String {
    let mut inner = "true".to_owned();
    for i in 0..n {
        inner = format!(r#"{{"op":"exists","of":{{"zone":"deck","as":"v{i}","where":{inner}}}}}"#);
    }
    inner
}

/// Numbers at the edge.
fn wrong_numbers() -> Vec<Case> {
    let damage = |n: &str| does(&format!(r#"{{ "op": "deal_damage", "target": "active_player", "amount": {n} }}"#));
    vec![
        case("damage of the largest number", damage("9223372036854775807"), "ruleset/out_of_range"),
        case("damage of the smallest number", damage("-9223372036854775808"), "json/not_a_whole_number"),
        case(
            "damage that overflows",
            damage(r#"{ "op": "mul", "of": [9223372036854775807, 9223372036854775807] }"#),
            "plays",
        ),
        case("damage divided by zero", damage(r#"{ "op": "div", "a": 5, "b": 0 }"#), "plays"),
        case(
            "the remainder of the smallest by minus one",
            damage(r#"{ "op": "mod", "a": -9223372036854775808, "b": -1 }"#),
            "json/not_a_whole_number",
        ),
        case("a number beyond 64 bits", damage("9223372036854775808"), "json/not_a_whole_number"),
        case("minus one players", game(r#""players": { "min": -1, "max": -1 }"#), "ruleset/out_of_range"),
        case("a thousand players", game(r#""players": { "min": 2, "max": 1000 }"#), "ruleset/out_of_range"),
        case("a capacity below zero", game(r#""zones": [{ "id": "pit", "capacity": -1 }]"#), "ruleset/out_of_range"),
        case("a limit of zero", game(r#""limits": { "stackDepth": 0 }"#), "ruleset/out_of_range"),
        case("a limit of billions", game(r#""limits": { "workPerCommand": 4000000000 }"#), "ruleset/out_of_range"),
        case(
            "a deck of a million",
            game(r#""decks": [{ "id": "d", "cards": { "bear": 1000000 } }]"#),
            "ruleset/out_of_range",
        ),
        case(
            "a slot for minus one",
            game(
                r#""actions": [{ "id": "go", "effects": [], "targets": [{ "id": "t", "selector": { "zone": "deck", "min": -1, "max": 1 } }] }]"#,
            ),
            "ruleset/out_of_range",
        ),
        case(
            "a parameter of billions",
            game(
                r#""actions": [{ "id": "go", "effects": [], "params": [{ "id": "x", "min": 0, "max": 2000000000 }] }]"#,
            ),
            "ruleset/out_of_range",
        ),
        case("a wait of minus one", does(r#"{ "op": "wait", "timer": "t", "ms": -1 }"#), "plays"),
    ]
}

/// What goes on for ever.
fn endless() -> Vec<Case> {
    let rule = |id: &str, when: &str, does: &str, more: &str| {
        format!(r#"{{ "id": "{id}", {more} "when": {{ "eventType": "{when}" }}, "effects": [{does}] }}"#)
    };
    let ping = r#"{ "op": "ping" }"#;
    let pong = r#"{ "op": "pong" }"#;
    vec![
        case("a rule that sets itself off", reacts(&rule("a", "Ping", ping, "")), "stackDepth"),
        case(
            "two rules that set each other off",
            reacts(&format!("{}, {}", rule("a", "Ping", pong, ""), rule("b", "Pong", ping, ""))),
            "stackDepth",
        ),
        case("a rule before its own event", reacts(&rule("a", "Ping", ping, r#""timing": "before","#)), "stackDepth"),
        case("a rule that doubles itself", reacts(&rule("a", "Ping", &format!("{ping}, {ping}"), "")), "stackDepth"),
        case(
            "a rule that replaces its event by the same",
            reacts(&rule(
                "a",
                "Ping",
                &format!(r#"{{ "op": "replace", "with": [{ping}] }}"#),
                r#""timing": "before","#,
            )),
            "stackDepth",
        ),
        case(
            "a rule that answers every prevention",
            reacts(&format!(
                "{}, {}",
                rule("a", "Ping", r#"{ "op": "prevent" }"#, r#""timing": "before","#),
                rule("b", "EventPrevented", ping, "")
            )),
            "stackDepth",
        ),
        case(
            "delays that make delays",
            reacts(&rule(
                "a",
                "Ping",
                r#"{ "op": "delay", "when": { "eventType": "Ping" }, "times": 0, "effects": [] }, { "op": "ping" }"#,
                "",
            )),
            "reactionsPerEvent",
        ),
        case(
            "a delay that waits for itself",
            does(
                r#"{ "op": "delay", "when": { "eventType": "ShuffleDeck" }, "times": 0, "effects": [{ "op": "shuffle_deck", "player": "active_player" }] }, { "op": "shuffle_deck", "player": "active_player" }"#,
            ),
            "stackDepth",
        ),
        case(
            "priority ping-pong",
            game(
                r#""events": [{ "id": "Nothing", "fields": {} }], "policy": { "priority": "after_each_resolution" }, "actions": [{ "id": "go", "effects": [{ "op": "nothing" }] }]"#,
            ),
            "plays",
        ),
        case(
            "a state check that never settles",
            game(
                r#""stateChecks": [{ "id": "more", "forEach": { "players": "all" }, "emit": [{ "op": "heal_damage", "target": "it", "amount": 1 }] }], "actions": [{ "id": "go", "effects": [] }]"#,
            ),
            "checkRounds",
        ),
        case(
            "a state check that makes cards",
            game(
                r#""stateChecks": [{ "id": "more", "forEach": { "players": "all" }, "emit": [{ "op": "create_card", "of": "bear", "to": "hand", "player": "it" }] }], "actions": [{ "id": "go", "effects": [] }]"#,
            ),
            "checkRounds",
        ),
        case("nobody ever decides", game(""), "stepsWithoutDecision"),
        case(
            "steps without windows",
            r#"{ "turnStructure": { "phases": [{ "id": "p", "steps": [{ "id": "s" }] }], "priorityWindows": [] } }"#
                .to_owned(),
            "stepsWithoutDecision",
        ),
        case(
            "extra turns for ever",
            game(
                r#""reactions": [{ "id": "again", "when": { "eventType": "TurnStart" }, "effects": [{ "op": "take_extra_turn", "player": "active_player" }] }], "actions": [{ "id": "go", "preconditions": [false], "effects": [] }]"#,
            ),
            "stepsWithoutDecision",
        ),
        case(
            "a loop of a billion rounds",
            does(r#"{ "op": "repeat", "times": 1000000000, "do": [{ "op": "let", "name": "x", "value": 1 }] }"#),
            "iterationsPerEffect",
        ),
        case(
            "loops in loops in loops",
            does(&nested(
                r#"{ "op": "repeat", "times": 1000, "do": ["#,
                r#"{ "op": "let", "name": "x", "value": 1 }"#,
                "] }",
                5,
            )),
            "instructionsPerStep",
        ),
        case(
            "loops of events in loops",
            does(&nested(
                r#"{ "op": "repeat", "times": 1000, "do": ["#,
                r#"{ "op": "heal_damage", "target": "active_player", "amount": 1 }"#,
                "] }",
                3,
            )),
            "factsPerRoot",
        ),
        case(
            "an ability that runs itself",
            game(
                r#""cards": [{ "id": "bear", "type": "unit", "abilities": [{ "id": "Self", "activeIn": ["deck"], "effects": [{ "op": "run_ability", "source": "self", "ability": "Self" }] }] }], "actions": [{ "id": "go", "timing": "instant", "targets": [{ "id": "c", "selector": { "zone": "deck", "controller": "self", "count": 1 } }], "effects": [{ "op": "run_ability", "source": "c", "ability": "Self" }] }]"#,
            ),
            "stackDepth",
        ),
    ]
}

/// What multiplies.
fn fan_out() -> Vec<Case> {
    vec![
        case(
            "a token that copies itself",
            game(
                r#""cards": [{ "id": "cell", "type": "unit", "abilities": [{ "id": "Split", "when": { "eventType": "CardCreated", "filters": { "card": "self" } }, "effects": [{ "op": "create_card", "of": "cell", "to": "battlefield" }, { "op": "create_card", "of": "cell", "to": "battlefield" }] }] }], "actions": [{ "id": "go", "timing": "instant", "effects": [{ "op": "create_card", "of": "cell", "to": "battlefield" }] }]"#,
            ),
            "stackDepth",
        ),
        case(
            "a thousand cards that answer each other",
            game(
                r#""cards": [{ "id": "bear", "type": "unit", "attributes": { "health": 3 }, "abilities": [{ "id": "Echo", "when": { "eventType": "Healed" }, "effects": [{ "op": "heal_damage", "target": { "zone": "battlefield" }, "amount": 1 }] }] }], "setup": [{ "op": "repeat", "times": 1000, "do": [{ "op": "create_card", "of": "bear", "to": "battlefield", "player": "active_player" }] }], "actions": [{ "id": "go", "timing": "instant", "effects": [{ "op": "heal_damage", "target": { "zone": "battlefield" }, "amount": 1 }] }]"#,
            ),
            "reactionsPerEvent",
        ),
        case(
            "twenty cards that heal all",
            game(
                r#""cards": [{ "id": "bear", "type": "unit", "attributes": { "health": 3 }, "abilities": [{ "id": "Echo", "when": { "eventType": "Healed" }, "effects": [{ "op": "heal_damage", "target": { "zone": "battlefield" }, "amount": 1 }] }] }], "setup": [{ "op": "repeat", "times": 12, "do": [{ "op": "create_card", "of": "bear", "to": "battlefield", "player": "active_player" }] }], "actions": [{ "id": "go", "timing": "instant", "effects": [{ "op": "heal_damage", "target": { "zone": "battlefield" }, "amount": 1 }] }]"#,
            ),
            "stackDepth",
        ),
        case(
            "more cards than a match has room for",
            does(
                r#"{ "op": "repeat", "times": 1000, "do": [{ "op": "repeat", "times": 1000, "do": [{ "op": "create_card", "of": "bear", "to": "battlefield" }] }] }"#,
            ),
            "entities",
        ),
        case(
            "a group of thousands",
            does(
                r#"{ "op": "group", "events": [{ "op": "repeat", "times": 1000, "do": [{ "op": "draw_card", "player": "active_player" }] }] }"#,
            ),
            "stackDepth",
        ),
        case(
            "a list that doubles itself",
            does(
                r#"{ "op": "let", "name": "x", "value": { "op": "range", "from": 1, "to": 1000 } }, { "op": "repeat", "times": 1000, "do": [{ "op": "set", "name": "x", "value": { "op": "union", "of": [{ "ref": "x" }, { "op": "range", "from": 1, "to": 100000 }] } }] }"#,
            ),
            "instructionsPerStep",
        ),
        case(
            "a range of billions",
            does(r#"{ "op": "let", "name": "x", "value": { "op": "range", "from": 0, "to": 9000000000 } }"#),
            "instructionsPerStep",
        ),
        case(
            "modifiers without end",
            game(
                r#""actions": [{ "id": "go", "timing": "instant", "effects": [{ "op": "repeat", "times": 1000, "do": [{ "op": "boost", "target": "active_player", "attribute": "health", "by": 1 }] }] }]"#,
            ),
            "plays",
        ),
    ]
}

/// Selectors in selectors.
fn selectors() -> Vec<Case> {
    let crowd = r#""setup": [{ "op": "repeat", "times": 500, "do": [{ "op": "create_card", "of": "bear", "to": "battlefield", "player": "active_player" }] }],"#;
    let square = r#"{ "op": "exists", "of": { "zone": "battlefield", "as": "a", "where": { "op": "gt", "a": { "op": "count", "of": { "zone": "battlefield", "as": "b", "where": { "op": "exists", "of": { "zone": "battlefield", "as": "c", "where": { "op": "eq", "a": { "ref": "c" }, "b": { "ref": "a" } } } } } }, "b": 1000 } } }"#;
    vec![
        case(
            "three selectors in each other over 500 cards",
            game(&format!(
                r#"{crowd} "actions": [{{ "id": "go", "timing": "instant", "preconditions": [{square}], "effects": [] }}, {{ "id": "rest", "timing": "instant", "effects": [] }}]"#
            )),
            "instructionsPerStep",
        ),
        case(
            "auras on auras on auras",
            game(&format!(
                r#""cards": [{{ "id": "bear", "type": "unit", "attributes": {{ "health": 3 }}, "abilities": [{}] }}], "setup": [{{ "op": "repeat", "times": 40, "do": [{{ "op": "create_card", "of": "bear", "to": "battlefield", "player": "active_player" }}] }}], "actions": [{{ "id": "go", "timing": "instant", "preconditions": [{{ "op": "gt", "a": {{ "op": "sum", "of": {{ "zone": "battlefield" }}, "value": {{ "ref": "it.attack" }} }}, "b": 5 }}], "effects": [] }}, {{ "id": "rest", "timing": "instant", "effects": [] }}]"#,
                listed(12, |i| format!(
                    r#"{{ "id": "A{i}", "affects": {{ "zone": "battlefield" }}, "attribute": "attack", "add": {{ "op": "sum", "of": {{ "zone": "battlefield", "take": 2 }}, "value": {{ "ref": "it.attack" }} }} }}"#
                ))
            )),
            "instructionsPerStep",
        ),
        case(
            "an end condition that looks at everything twice",
            game(&format!(
                r#"{crowd} "endConditions": [{{ "id": "never", "when": {{ "op": "exists", "of": {{ "zone": "battlefield", "as": "a", "where": {{ "op": "exists", "of": {{ "zone": "battlefield", "as": "b", "where": {{ "op": "gt", "a": {{ "ref": "b.attack" }}, "b": 10 }} }} }} }} }} }}], "actions": [{{ "id": "go", "timing": "instant", "effects": [] }}]"#
            )),
            "instructionsPerStep",
        ),
    ]
}

/// Questions nobody can answer, or with too many answers.
fn questions() -> Vec<Case> {
    let asks = |rest: &str| does(&format!(r#"{{ "op": "ask", "as": "x", {rest} }}"#));
    vec![
        case(
            "a choice of a million",
            asks(r#""choices": { "op": "range", "from": 1, "to": 1000000 }"#),
            "instructionsPerStep",
        ),
        case(
            "a choice of ten thousand",
            asks(r#""choices": { "op": "range", "from": 1, "to": 10000 }, "min": 0, "max": 10000"#),
            "plays",
        ),
        case("a choice among nothing", asks(r#""choices": { "zone": "graveyard" }"#), "plays"),
        case("a choice of more than there are", asks(r#""choices": { "zone": "deck" }, "count": 100000"#), "plays"),
        case(
            "a choice of less than none",
            asks(r#""choices": { "zone": "deck" }, "min": 5, "max": 2"#),
            "ruleset/out_of_range",
        ),
        case(
            "a choice that is worked out to be of less than none",
            asks(r#""choices": { "zone": "deck" }, "min": 5, "max": { "op": "neg", "of": 2 }"#),
            "plays",
        ),
        case(
            "a question to nobody",
            asks(r#""players": { "players": "all", "where": false }, "choices": { "zone": "deck" }"#),
            "plays",
        ),
        case(
            "an order of a hundred",
            game(
                r#""setup": [{ "op": "repeat", "times": 100, "do": [{ "op": "create_card", "of": "bear", "to": "battlefield", "player": "active_player" }] }, { "op": "ask", "kind": "order_select", "choices": { "zone": "battlefield" }, "as": "x" }], "actions": [{ "id": "go", "timing": "instant", "effects": [] }]"#,
            ),
            "plays",
        ),
        case(
            "a question in a group",
            does(r#"{ "op": "group", "events": [{ "op": "ask", "choices": { "zone": "deck" }, "as": "x" }] }"#),
            "ruleset/not_allowed_here",
        ),
        case(
            "a question in costs",
            game(
                r#""actions": [{ "id": "go", "costs": [{ "op": "ask", "choices": { "zone": "deck" }, "as": "x" }], "effects": [] }]"#,
            ),
            "ruleset/not_allowed_here",
        ),
        case(
            "chance in costs",
            costs(r#"{ "op": "pay_resource", "resource": "gold", "amount": { "op": "random", "min": 0, "max": 3 } }"#),
            "ruleset/not_allowed_here",
        ),
        case(
            "a loop in costs",
            costs(r#"{ "op": "repeat", "times": 1000000, "do": [{ "op": "draw_card", "player": "you" }] }"#),
            "ruleset/not_allowed_here",
        ),
        case(
            "a delay in costs",
            costs(r#"{ "op": "delay", "when": { "eventType": "TurnEnd" }, "effects": [] }"#),
            "ruleset/not_allowed_here",
        ),
        case(
            "a group in costs",
            costs(r#"{ "op": "group", "events": [{ "op": "draw_card", "player": "you" }] }"#),
            "ruleset/not_allowed_here",
        ),
        case(
            "a state check with a loop",
            game(
                r#""stateChecks": [{ "id": "x", "forEach": { "players": "all" }, "emit": [{ "op": "for_each", "in": { "players": "all" }, "do": [{ "op": "lose_game", "player": "it" }] }] }]"#,
            ),
            "ruleset/not_allowed_here",
        ),
        case(
            "a mode that is never open",
            does(r#"{ "op": "choose_mode", "modes": [{ "id": "a", "conditions": [false], "effects": [] }] }"#),
            "plays",
        ),
    ]
}

/// What does not fit together.
fn odd() -> Vec<Case> {
    vec![
        case("an unknown operation", does(r#"{ "op": "launch_missiles" }"#), "ruleset/unknown_op"),
        case(
            "a write among effects",
            does(r#"{ "op": "eliminate", "player": "active_player" }"#),
            "ruleset/misplaced_op",
        ),
        case(
            "a prevention that cannot be",
            game(
                r#""reactions": [{ "id": "a", "when": { "eventType": "TurnStart" }, "effects": [{ "op": "prevent" }] }]"#,
            ),
            "ruleset/not_a_before_reaction",
        ),
        case(
            "a rule that prevents the end",
            game(
                r#""reactions": [{ "id": "a", "timing": "before", "when": { "eventType": "GameEnded" }, "effects": [{ "op": "prevent" }] }]"#,
            ),
            "ruleset/cannot_prevent",
        ),
        case(
            "chance in a condition",
            asks_whether(r#"{ "op": "eq", "a": { "op": "random", "min": 0, "max": 1 }, "b": 0 }"#),
            "ruleset/not_allowed_here",
        ),
        case(
            "two events of one name",
            game(r#""events": [{ "id": "Ping", "fields": {} }, { "id": "Ping", "fields": {} }]"#),
            "ruleset/duplicate_name",
        ),
        case(
            "a definition called like an operation",
            game(r#""define": [{ "id": "if", "kind": "condition", "body": true }]"#),
            "ruleset/reserved_name",
        ),
        case(
            "cards that take each other's place for ever",
            game(
                r#""zones": [{ "id": "a", "capacity": 0, "overflow": "b" }, { "id": "b", "capacity": 0, "overflow": "a" }], "actions": [{ "id": "go", "timing": "instant", "targets": [{ "id": "c", "selector": { "zone": "deck", "controller": "self", "count": 1 } }], "effects": [{ "op": "move_card", "card": "c", "to": "a" }] }]"#,
            ),
            "plays",
        ),
        case(
            "everybody loses at once, for ever",
            game(
                r#""setup": [{ "op": "lose_game", "player": "active_player" }, { "op": "lose_game", "player": { "op": "next_player", "of": "active_player" } }]"#,
            ),
            "plays",
        ),
        case(
            "a link to itself",
            game(
                r#""attributes": [{ "id": "partner", "holds": "card" }], "events": [{ "id": "Pair", "fields": { "a": "card" }, "subject": "a", "apply": [{ "op": "set_attribute", "target": "a", "attribute": "partner", "value": { "ref": "a" } }] }], "actions": [{ "id": "go", "timing": "instant", "targets": [{ "id": "c", "selector": { "zone": "deck", "controller": "self", "count": 1 } }], "effects": [{ "op": "pair", "a": "c" }, { "op": "move_card", "card": { "ref": "c.partner.partner.partner" }, "to": "hand" }] }]"#,
            ),
            "stepsWithoutDecision",
        ),
    ]
}
