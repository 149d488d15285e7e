//! Rulesets that nest as deep as somebody likes, and what becomes of them.
//!
//! Nesting is not only a matter of brackets: definitions stand for their bodies, continuous effects read each other, and
//! abilities ask for abilities. Each of these ways is written here with a depth.

use std::fmt::Write as _;

/// A ruleset that nests in some way.
pub struct Deep {
    pub name: &'static str,
    pub text: String,
    /// The code it is refused with, the limit that stops it, or `plays`.
    pub becomes: &'static str,
}

/// How deep the brackets of one document may be, with some to spare for what stands around them.
const DOCUMENT: usize = 80;

/// How many definitions may use each other.
const DEFINITIONS: usize = 63;

/// A small game: two cards in the deck, a unit in play, and one action `go`.
fn game(more: &str) -> String {
    format!(
        r#"{{ "include": ["std"], "cardTypes": [{{ "id": "unit" }}],
  "attributes": [{{ "id": "health", "on": ["card", "player"], "start": 20 }}, {{ "id": "power" }}],
  "turnStructure": {{ "phases": [{{ "id": "main", "steps": [{{ "id": "act" }}] }}] }}, {more} }}"#
    )
}

const UNIT: &str = r#""cards": [{ "id": "bear", "type": "unit", "attributes": { "health": 3 } }]"#;

/// The small game in which `go` is offered on a condition.
fn asks(condition: &str, more: &str) -> String {
    game(&format!(
        r#"{UNIT}, "actions": [{{ "id": "go", "timing": "instant", "preconditions": [{condition}], "effects": [] }}, {{ "id": "rest", "timing": "instant", "effects": [] }}]{more}"#
    ))
}

/// The small game in which `go` does something.
fn does(effects: &str, more: &str) -> String {
    game(&format!(
        r#"{UNIT}, "actions": [{{ "id": "go", "timing": "instant", "effects": [{effects}] }}, {{ "id": "rest", "timing": "instant", "effects": [] }}]{more}"#
    ))
}

fn nested(before: &str, core: &str, after: &str, n: usize) -> String {
    format!("{}{core}{}", before.repeat(n), after.repeat(n))
}

/// Definitions each of which wraps the one before it, so many brackets deep.
fn chained(kind: &str, before: &str, core: &str, after: &str, deep: usize) -> String {
    let mut out = String::new();
    for i in 0..DEFINITIONS {
        let core = if i == 0 { core.to_owned() } else { format!(r#"{{"op":"d{}"}}"#, i - 1) };
        let body = nested(before, &core, after, deep);
        let _ = write!(out, r#"{}{{"id":"d{i}",{kind},"body":{body}}}"#, if i > 0 { "," } else { "" });
    }
    format!(r#", "define": [{out}]"#)
}

/// The outermost of such definitions.
fn outermost() -> String {
    format!(r#"{{"op":"d{}"}}"#, DEFINITIONS - 1)
}

const CONDITION: &str = r#""kind":"condition""#;
const VALUE: &str = r#""kind":"value","type":"int""#;
const CARDS: &str = r#""kind":"value","type":"card[]""#;
const EFFECTS: &str = r#""kind":"effects""#;
const NOT: (&str, &str) = (r#"{"op":"not","of":"#, "}");
const NEG: (&str, &str) = (r#"{"op":"neg","of":"#, "}");
const FROM: (&str, &str) = (r#"{"from":"#, "}");
const IF: (&str, &str) = (r#"[{"op":"if","when":true,"then":"#, "}]");
const EACH: (&str, &str) = (r#"[{"op":"for_each","in":{"players":"all"},"as":"x","do":"#, "}]");
const SEQUENCE: (&str, &str) = (r#"[{"op":"sequence","effects":"#, "}]");
const GROUP: (&str, &str) = (r#"[{"op":"group","events":"#, "}]");
const ASK: (&str, &str) = (r#"[{"op":"confirm","prompt":"x","player":"active_player","then":"#, "}]");
const DELAY: (&str, &str) = (r#"[{"op":"delay","when":{"eventType":"TurnStart"},"effects":"#, "}]");
const MODES: (&str, &str) = (r#"[{"op":"choose_mode","player":"active_player","modes":[{"id":"a","effects":"#, "}]}]");
const DRAW: &str = r#"[{"op":"draw","player":"active_player"}]"#;

/// Everything that nests.
pub fn cases() -> Vec<Deep> {
    let mut all = brackets();
    all.extend(through_definitions());
    all.extend(multiplied());
    all.extend(at_play());
    all
}

fn case(name: &'static str, text: String, becomes: &'static str) -> Deep {
    Deep { name, text, becomes }
}

/// Nested in one document.
fn brackets() -> Vec<Deep> {
    vec![
        case("a million brackets", "[".repeat(1_000_000), "json/too_deep"),
        case("a million braces", r#"{"a":"#.repeat(1_000_000), "json/too_deep"),
        case("conditions", asks(&nested(NOT.0, "true", NOT.1, DOCUMENT), ""), "plays"),
        case("conditions beyond all measure", asks(&nested(NOT.0, "true", NOT.1, 100_000), ""), "json/too_deep"),
        case(
            "values",
            asks(&format!(r#"{{"op":"eq","a":1,"b":{}}}"#, nested(NEG.0, "1", NEG.1, DOCUMENT - 2)), ""),
            "plays",
        ),
        case(
            "selectors of selectors",
            asks(&format!(r#"{{"op":"exists","of":{}}}"#, nested(FROM.0, r#"{"zone":"deck"}"#, FROM.1, 14)), ""),
            "plays",
        ),
        case(
            "selectors of too many selectors",
            asks(&format!(r#"{{"op":"exists","of":{}}}"#, nested(FROM.0, r#"{"zone":"deck"}"#, FROM.1, DOCUMENT)), ""),
            "ruleset/too_deep",
        ),
        case(
            "effects",
            does(&format!(r#"{{"op":"if","when":true,"then":{}}}"#, nested(IF.0, DRAW, IF.1, 40)), ""),
            "plays",
        ),
    ]
}

/// Nested by definitions, each within the depth of a document.
fn through_definitions() -> Vec<Deep> {
    let lists = [
        ("definitions of branches", IF, DRAW),
        ("definitions of loops", EACH, DRAW),
        ("definitions of sequences", SEQUENCE, DRAW),
        ("definitions of groups", GROUP, DRAW),
        ("definitions of questions", ASK, DRAW),
        ("definitions of delayed effects", DELAY, DRAW),
        ("definitions of modes", MODES, DRAW),
    ];
    let mut all: Vec<Deep> = lists
        .into_iter()
        .map(|(name, (before, after), core)| {
            let deep = if after.len() > 2 { DOCUMENT / 4 } else { DOCUMENT / 2 };
            // A body is a list of effects, and what it wraps stands in one.
            let text = does(&outermost(), &chained(EFFECTS, before, core, after, deep));
            case(name, text, "ruleset/too_deep")
        })
        .collect();
    let exists = |more: &str| asks(&format!(r#"{{"op":"exists","of":{{"from":{}}}}}"#, outermost()), more);
    all.extend([
        case(
            "definitions of conditions",
            asks(&outermost(), &chained(CONDITION, NOT.0, "true", NOT.1, DOCUMENT)),
            "ruleset/too_deep",
        ),
        case(
            "definitions of values",
            asks(&format!(r#"{{"op":"eq","a":1,"b":{}}}"#, outermost()), &chained(VALUE, NEG.0, "1", NEG.1, DOCUMENT)),
            "ruleset/too_deep",
        ),
        case(
            "definitions of selectors",
            exists(&chained(CARDS, FROM.0, r#"{"zone":"deck"}"#, FROM.1, DOCUMENT)),
            "ruleset/too_deep",
        ),
        case(
            "definitions that nobody uses",
            asks("true", &chained(CONDITION, NOT.0, "true", NOT.1, DOCUMENT)),
            "ruleset/too_deep",
        ),
    ]);
    all
}

/// Definitions that use the one before twice, so that their size doubles with each.
fn multiplied() -> Vec<Deep> {
    let doubling = |kind: &str, first: &str, twice: &dyn Fn(&str) -> String| {
        let body = |i: usize| if i == 0 { first.to_owned() } else { twice(&format!(r#"{{"op":"d{}"}}"#, i - 1)) };
        let all: Vec<String> = (0..40).map(|i| format!(r#"{{"id":"d{i}",{kind},"body":{}}}"#, body(i))).collect();
        format!(r#", "define": [{}]"#, all.join(","))
    };
    let last = r#"{"op":"d39"}"#;
    vec![
        case(
            "conditions that double 40 times",
            asks(last, &doubling(CONDITION, "true", &|it| format!(r#"{{"op":"and","of":[{it},{it}]}}"#))),
            "ruleset/too_large",
        ),
        case(
            "values that double 40 times",
            asks(
                &format!(r#"{{"op":"eq","a":1,"b":{last}}}"#),
                &doubling(VALUE, "1", &|it| format!(r#"{{"op":"add","of":[{it},{it}]}}"#)),
            ),
            "ruleset/too_large",
        ),
        case(
            "effects that double 40 times",
            does(last, &doubling(EFFECTS, DRAW, &|it| format!("[{it},{it}]"))),
            "ruleset/too_large",
        ),
        case(
            "effects of nothing that double 40 times",
            does(last, &doubling(EFFECTS, "[]", &|it| format!("[{it},{it}]"))),
            "ruleset/too_large",
        ),
        case(
            "unused conditions that double 40 times",
            asks("true", &doubling(CONDITION, "true", &|it| format!(r#"{{"op":"and","of":[{it},{it}]}}"#))),
            "ruleset/too_large",
        ),
    ]
}

/// What nests only while a match is played.
fn at_play() -> Vec<Deep> {
    let chain = |n: usize| (0..n).map(|i| ability(i, &can("self", i.saturating_sub(1)))).collect::<Vec<_>>().join(",");
    vec![
        case(
            "continuous effects that read each other through deep selectors",
            with_unit(&auras(30), r#"{"op":"ge","a":{"ref":"it.power"},"b":0}"#),
            "instructionsPerStep",
        ),
        case(
            "an ability that asks whether it can be used",
            with_unit(&ability(0, &can("self", 0)), &can("it", 0)),
            "stackDepth",
        ),
        case("abilities that ask for each other", with_unit(&chain(500), &can("it", 499)), "stackDepth"),
        case(
            "continuous effects that ask for abilities that ask for them",
            with_unit(
                &format!("{},{}", auras(30), ability(0, r#"{"op":"ge","a":{"ref":"self.power"},"b":0}"#)),
                &can("it", 0),
            ),
            "instructionsPerStep",
        ),
    ]
}

/// Whether a card can use one of the abilities.
fn can(card: &str, ability: usize) -> String {
    format!(r#"{{"op":"can_activate_ability","target":"{card}","ability":"x{ability}"}}"#)
}

/// An activated ability that can be used on a condition.
fn ability(i: usize, condition: &str) -> String {
    format!(r#"{{"id":"x{i}","conditions":[{condition}],"effects":[]}}"#)
}

/// Continuous effects each of which reads what those before it change, through selectors as deep as they may be.
fn auras(n: usize) -> String {
    let all = nested(FROM.0, r#"{"zone":"battlefield"}"#, FROM.1, 14);
    let value = format!(r#"{{"op":"sum","of":{all},"value":{{"ref":"it.power"}}}}"#);
    let aura =
        |i: usize| format!(r#"{{"id":"a{i}","affects":{{"zone":"battlefield"}},"attribute":"power","add":{value}}}"#);
    (0..n).map(aura).collect::<Vec<_>>().join(",")
}

/// The small game with a unit of these abilities in play; `go` is offered for units of which a condition holds.
fn with_unit(abilities: &str, condition: &str) -> String {
    game(&format!(
        r#""cards": [{{ "id": "bear", "type": "unit", "attributes": {{ "health": 3, "power": 1 }}, "abilities": [{abilities}] }}],
           "setup": [{{ "op": "for_each", "in": {{ "zone": "deck", "take": 2 }}, "as": "c", "do": [{{ "op": "move_zone", "target": "c", "to": "battlefield" }}] }}],
           "actions": [{{ "id": "go", "timing": "instant", "targets": [{{ "id": "unit", "selector": {{ "zone": "battlefield", "where": {condition}, "count": 1 }} }}], "effects": [] }}, {{ "id": "rest", "timing": "instant", "effects": [] }}]"#
    ))
}
