//! What would do nothing, or something else than it says, is refused with its place instead of being taken in silence.

mod documents;

use compiler::Diagnostic;
use documents::Document;

/// A sound game; `sections` are put into it, each on a line of its own.
fn game(sections: &str) -> String {
    format!(
        r#"{{
"include": ["std"],
"cardTypes": [{{ "id": "frog" }}],
"turnStructure": {{ "phases": [{{ "id": "day", "steps": [{{ "id": "swim" }}] }}, {{ "id": "night", "steps": [{{ "id": "sleep" }}] }}] }},
{sections}
}}"#
    )
}

fn mistakes(text: &str) -> Vec<Diagnostic> {
    Document::of("game", text).compile().err().unwrap_or_default()
}

/// Expects one mistake: its code, and how the text begins that it points at.
#[track_caller]
fn refused(sections: &str, code: &str, at: &str) {
    let text = game(sections);
    let found = mistakes(&text);
    let place = |it: &Diagnostic| {
        let line = text.lines().nth(it.line - 1).unwrap_or_default();
        line.chars().skip(it.column - 1).take(at.chars().count()).collect::<String>()
    };
    let shown: Vec<(&str, String)> = found.iter().map(|it| (it.code, place(it))).collect();
    assert_eq!(shown, [(code, at.to_owned())], "{sections}\n{}", compiler::render(&found));
}

#[track_caller]
fn sound(sections: &str) {
    let found = mistakes(&game(sections));
    assert_eq!(found, [], "{sections}\n{}", compiler::render(&found));
}

/// An action with these effects, which has an opponent as `victim` and a card as `frog`.
fn effects(effects: &str) -> String {
    format!(
        r#""actions": [{{ "id": "act", "targets": [
{{ "id": "victim", "selector": {{ "players": "opponent", "count": 1 }} }},
{{ "id": "frog", "selector": {{ "zone": "battlefield", "count": 1 }} }}], "effects": [{effects}] }}]"#
    )
}

fn card(keys: &str) -> String {
    format!(r#""cards": [{{ "id": "toad", "type": "frog", {keys} }}]"#)
}

fn ability(keys: &str) -> String {
    card(&format!(r#""abilities": [{{ "id": "Croak", {keys} }}]"#))
}

#[test]
fn a_default_that_uses_its_own_definition_is_a_circle() {
    let define = |default: &str| {
        format!(
            r#""define": [{{ "id": "size", "kind": "value", "params": {{ "n": {{ "type": "int", "default": {default} }} }}, "body": {{ "ref": "n" }} }}]"#
        )
    };
    let own = r#"{ "op": "size" }"#;
    refused(&define(own), "ruleset/recursive_definition", own);
    let used = effects(r#"{ "op": "deal_damage", "target": "victim", "amount": { "op": "size" } }"#);
    refused(&format!("{},\n{used}", define(own)), "ruleset/recursive_definition", own);
    sound(&format!("{},\n{used}", define("3")));
}

#[test]
fn an_argument_may_use_the_definition_it_is_handed_to() {
    let define = r#""define": [{ "id": "more", "kind": "value", "params": { "n": "int" }, "body": { "op": "add", "of": [{ "ref": "n" }, 1] } }]"#;
    let used = effects(
        r#"{ "op": "deal_damage", "target": "victim", "amount": { "op": "more", "n": { "op": "more", "n": 1 } } }"#,
    );
    sound(&format!("{define},\n{used}"));
}

#[test]
fn a_default_knows_no_variable_of_whoever_uses_the_definition() {
    let define = r#""define": [{ "id": "hurt", "kind": "effects", "params": { "who": { "type": "player", "default": { "ref": "victim" } } }, "body": [{ "op": "deal_damage", "target": "who", "amount": 1 }] }]"#;
    let used = effects(r#"{ "op": "hurt" }"#);
    refused(&format!("{define},\n{used}"), "ruleset/unknown_variable", r#""victim""#);
}

#[test]
fn one_argument_in_two_spellings_is_refused() {
    let define = r#""define": [{ "id": "hurt", "kind": "effects", "params": { "howMuch": "int" }, "body": [{ "op": "deal_damage", "target": "you", "amount": { "ref": "howMuch" } }] }]"#;
    let used = effects(r#"{ "op": "hurt", "howMuch": 1, "how_much": 2 }"#);
    refused(&format!("{define},\n{used}"), "ruleset/duplicate_name", r#""how_much""#);
    let twice = r#"{ "op": "deal_damage", "target": "victim", "targetId": "frog", "amount": 1 }"#;
    refused(&effects(twice), "ruleset/duplicate_name", r#""targetId""#);
    let emitted =
        r#"{ "op": "emit", "event": "DealDamage", "with": { "target": "victim", "targetId": "frog", "amount": 1 } }"#;
    refused(&effects(emitted), "ruleset/duplicate_name", r#""targetId""#);
    let filters =
        r#""when": { "eventType": "Damaged", "filters": { "target": "self", "targetId": "opponent" } }, "effects": []"#;
    refused(&ability(filters), "ruleset/duplicate_name", r#""targetId""#);
}

#[test]
fn nothing_is_no_number_and_fills_no_field_that_must_be_there() {
    for (effect, at) in [
        (r#"{ "op": "deal_damage", "target": "victim", "amount": null }"#, "null"),
        (r#"{ "op": "deal_damage", "target": null, "amount": 1 }"#, "null"),
        (r#"{ "op": "move_card", "card": "frog", "to": null }"#, "null"),
        (r#"{ "op": "draw", "player": "victim", "count": null }"#, "null"),
        (r#"{ "op": "deal_damage", "target": "victim", "amount": { "op": "add", "of": [1, null] } }"#, "null"),
        (r#"{ "op": "if", "when": null, "then": [] }"#, "null"),
    ] {
        refused(&effects(effect), "ruleset/wrong_type", at);
    }
    // A field that may be left out, and a number that may not be there.
    sound(&effects(r#"{ "op": "deal_damage", "target": "victim", "amount": 1, "source": null }"#));
    sound(
        r#""reactions": [{ "id": "watch", "when": { "eventType": "EventPrevented" }, "conditions": [{ "op": "eq", "a": { "ref": "event.group" }, "b": null }], "effects": [] }]"#,
    );
}

#[test]
fn numbers_of_players_start_within_their_bounds() {
    for (section, at) in [
        (r#""resources": [{ "id": "flies", "start": -5 }]"#, "-5"),
        (r#""resources": [{ "id": "flies", "max": 10, "start": 50 }]"#, "50"),
        (r#""resources": [{ "id": "flies", "min": 3 }]"#, r#"{ "id": "flies""#),
        (r#""attributes": [{ "id": "fame", "on": "player", "min": 2, "start": 1 }]"#, "1"),
    ] {
        refused(section, "ruleset/out_of_range", at);
    }
    refused(r#""attributes": [{ "id": "fame", "start": 1 }]"#, "ruleset/idle_key", "1");
    refused(r#""attributes": [{ "id": "fame", "on": [] }]"#, "ruleset/missing_key", "{");
    sound(r#""attributes": [{ "id": "fame", "min": 2 }], "resources": [{ "id": "flies", "min": 3, "start": 3 }]"#);
}

#[test]
fn numbers_that_would_be_dropped_are_refused() {
    refused(r#""policy": { "disconnectGraceMs": -1 }"#, "ruleset/out_of_range", "-1");
    let params =
        |keys: &str| format!(r#""actions": [{{ "id": "act", "params": [{{ "id": "n"{keys} }}], "effects": [] }}]"#);
    refused(&params(""), "ruleset/missing_key", "{");
    refused(&params(r#", "min": -3000000000, "max": 3"#), "ruleset/out_of_range", "-3000000000");
    sound(&params(r#", "max": 3"#));
}

#[test]
fn only_who_has_an_attribute_is_asked_for_it() {
    let damage =
        |of: &str| effects(&format!(r#"{{ "op": "deal_damage", "target": "victim", "amount": {{ "ref": "{of}" }} }}"#));
    let flies = r#""resources": [{ "id": "flies" }]"#;
    refused(&damage("victim.attack"), "ruleset/unknown_variable", r#""victim.attack""#);
    refused(&format!("{flies},\n{}", damage("frog.flies")), "ruleset/unknown_variable", r#""frog.flies""#);
    sound(&format!("{flies},\n{}", damage("victim.flies")));
    sound(&damage("frog.attack"));
    let richest = r#"{ "op": "deal_damage", "target": { "players": "all", "highest": "attack" }, "amount": 1 }"#;
    refused(&effects(richest), "ruleset/unknown_variable", r#""attack""#);
    refused(r#""attributes": [{ "id": "owner" }]"#, "ruleset/reserved_name", "{");
}

#[test]
fn a_continuous_effect_asks_of_each_alone_whether_it_concerns_them() {
    let affects = |keys: &str| ability(&format!(r#""affects": {{ {keys} }}, "attribute": "attack", "add": 1"#));
    for (keys, at) in [
        (r#""zone": "battlefield", "lowest": "health""#, r#""lowest""#),
        (r#""zone": "battlefield", "take": 1"#, r#""take""#),
        (r#""zone": "battlefield", "count": 1"#, r#""count""#),
        (r#""zone": "battlefield", "order": "top""#, r#""order""#),
        (r#""from": { "zone": "hand" }"#, r#""from""#),
        (r#""stack": true"#, r#""stack""#),
        (r#""definitions": true"#, r#""definitions""#),
    ] {
        refused(&affects(keys), "ruleset/idle_key", at);
    }
    sound(&affects(
        r#""zone": "battlefield", "controller": "self", "type": "frog", "where": { "op": "gt", "a": { "ref": "it.attack" }, "b": 0 }"#,
    ));
}

#[test]
fn a_player_chooses_what_fills_a_slot_and_not_chance() {
    let slot = r#""actions": [{ "id": "act", "targets": [{ "id": "t", "selector": { "zone": "battlefield", "random": 1, "count": 1 } }], "effects": [] }]"#;
    refused(slot, "ruleset/not_allowed_here", "1");
}

#[test]
fn selectors_of_players_and_events_know_no_keys_of_cards() {
    for key in [r#""type": "frog""#, r#""keyword": "haste""#, r#""card": "toad""#] {
        let effect =
            effects(&format!(r#"{{ "op": "deal_damage", "target": {{ "players": "all", {key} }}, "amount": 1 }}"#));
        refused(&format!("{},\n{effect}", card(r#""text": "-""#)), "ruleset/idle_key", key.split(':').next().unwrap());
    }
}

#[test]
fn an_event_fans_out_to_what_its_subject_holds() {
    let event = |found: &str| {
        format!(
            r#""events": [{{ "id": "Gulp", "fields": {{ "who": "card?" }}, "subject": "who", "fanOut": {found} }}]"#
        )
    };
    refused(&event(r#"{ "players": "all" }"#), "ruleset/wrong_type", r#"{ "players""#);
    sound(&event(r#"{ "zone": "battlefield" }"#));
}

#[test]
fn what_is_called_by_its_name_has_a_name_of_its_own() {
    let twice =
        card(r#""abilities": [{ "id": "Croak", "effects": [] }, { "id": "Croak", "effects": [{ "op": "stop" }] }]"#);
    refused(&twice, "ruleset/duplicate_name", r#"{ "id": "Croak", "effects": [{"#);
    let modes = |it: &str| effects(&format!(r#"{{ "op": "choose_mode", "modes": [{it}] }}"#));
    refused(
        &modes(r#"{ "id": "a", "effects": [] }, { "id": "a", "effects": [{ "op": "stop" }] }"#),
        "ruleset/duplicate_name",
        "{",
    );
    refused(&modes(""), "ruleset/missing_key", "[]");
    let param = r#""actions": [{ "id": "act", "params": [{ "id": "n", "type": "mode", "modes": [{ "id": "a" }, { "id": "a" }] }], "effects": [] }]"#;
    refused(param, "ruleset/duplicate_name", r#"{ "id": "a" }]"#);
    for id in ["pass", "end_turn"] {
        refused(&format!(r#""actions": [{{ "id": "{id}", "effects": [] }}]"#), "ruleset/reserved_name", "{");
    }
}

#[test]
fn a_window_is_at_a_step_of_its_phase() {
    let windows = |phase: &str, step: &str| {
        game("").replace(
            "] }] },\n\n",
            &format!(r#"] }}], "priorityWindows": [{{ "phase": "{phase}", "step": "{step}" }}] }}"#),
        )
    };
    let codes = |text: &str| mistakes(text).iter().map(|it| it.code).collect::<Vec<_>>();
    assert_eq!(codes(&windows("day", "swim")), Vec::<&str>::new());
    assert_eq!(codes(&windows("day", "sleep")), ["ruleset/unknown_name"]);
}

#[test]
fn a_token_is_in_no_deck() {
    let deck = r#""decks": [{ "id": "starter", "cards": { "toad": 2 } }]"#;
    refused(&format!("{},\n{deck}", card(r#""token": true"#)), "ruleset/not_allowed_here", r#""toad""#);
    sound(&format!("{},\n{deck}", card(r#""token": false"#)));
}

#[test]
fn what_says_may_and_asks_nobody_is_refused() {
    let damage =
        |keys: &str| effects(&format!(r#"{{ "op": "deal_damage", "target": "victim", "amount": 1, {keys} }}"#));
    refused(&damage(r#""optional": true"#), "ruleset/idle_key", "{");
    refused(&damage(r#""preventsGroup": false"#), "ruleset/idle_key", "{");
    sound(&damage(r#""optional": true, "groupId": 1"#));
    let when = r#""when": { "eventType": "Damaged" }, "effects": []"#;
    refused(&ability(&format!(r#"{when}, "prompt": "Well?""#)), "ruleset/idle_key", r#""Well?""#);
    sound(&ability(&format!(r#"{when}, "prompt": "Well?", "optional": true"#)));
    let refund =
        |costs: &str| format!(r#""actions": [{{ "id": "act", "refundOnPrevent": true, {costs} "effects": [] }}]"#);
    refused(&refund(""), "ruleset/idle_key", r#""refundOnPrevent""#);
    let before = r#""timing": "before", "when": { "eventType": "Damaged", "status": "prevented" }, "effects": []"#;
    refused(&ability(before), "ruleset/not_allowed_here", r#""before""#);
}

#[test]
fn a_question_that_nobody_can_answer_is_refused() {
    let ask =
        |keys: &str| effects(&format!(r#"{{ "op": "ask", "choices": {{ "zone": "hand" }}, "as": "picked", {keys} }}"#));
    for (keys, at) in [
        (r#""min": 3, "max": 1"#, "3"),
        // One is chosen at most where nothing is said.
        (r#""min": 3"#, "3"),
        (r#""max": -1"#, "-1"),
        (r#""count": -2"#, "-2"),
    ] {
        refused(&ask(keys), "ruleset/out_of_range", at);
    }
    sound(&ask(r#""min": 2, "max": { "ref": "turn" }"#));
    sound(&ask(r#""count": 2"#));
    refused(&ask(r#""default": { "zone": "hand" }"#), "ruleset/idle_key", r#""default""#);
    sound(&ask(r#""default": { "zone": "hand" }, "onTimeout": "default""#));
}

#[test]
fn what_is_of_the_wrong_kind_is_one_mistake() {
    refused(&card(r#""attributes": { "attack": "2" }"#), "ruleset/wrong_type", r#""2""#);
    refused(&effects(r#"{ "op": 3 }"#), "ruleset/wrong_type", "3");
    let amount = r#"{ "op": "deal_damage", "target": "victim", "amount": { "op": null } }"#;
    refused(&effects(amount), "ruleset/wrong_type", "null");
}

#[test]
fn a_rule_that_may_never_act_is_refused() {
    let limited = |key: &str| {
        ability(&format!(r#""when": {{ "eventType": "Damaged" }}, "limiters": {{ "{key}": 0 }}, "effects": []"#))
    };
    for key in ["maxPerTurn", "maxPerEvent"] {
        refused(&limited(key), "ruleset/out_of_range", "0");
    }
}

#[test]
fn an_attribute_is_written_only_to_whom_can_have_it() {
    let attributes = r#""attributes": [{ "id": "bite", "on": ["card"] }, { "id": "fame", "on": ["player"] }]"#;
    let wrong = |rest: &str, at: &str| refused(&format!("{attributes},\n{rest}"), "ruleset/wrong_type", at);
    for (effect, at) in [
        (r#"{ "op": "set_attribute", "target": "you", "attribute": "bite", "value": 3 }"#, r#""bite""#),
        (r#"{ "op": "change_attribute", "target": "frog", "attribute": "fame", "by": 3 }"#, r#""fame""#),
        (r#"{ "op": "boost", "target": { "players": "any", "take": 1 }, "attribute": "bite", "by": 3 }"#, r#""bite""#),
        (r#"{ "op": "pay_resource", "resource": "bite", "amount": 1 }"#, r#""bite""#),
        (r#"{ "op": "refill", "resource": "bite", "upTo": "fame" }"#, r#""bite""#),
        (
            r#"{ "op": "emit", "event": "SetAttribute", "with": { "target": "victim", "attribute": "bite", "value": 1 } }"#,
            r#""bite""#,
        ),
        (
            r#"{ "op": "if", "when": { "op": "ge", "a": { "op": "attribute", "of": "victim", "attribute": "bite" }, "b": 1 }, "then": [] }"#,
            r#""bite""#,
        ),
    ] {
        wrong(&effects(effect), at);
    }
    let event = |target: &str, attribute: &str| {
        format!(
            r#""events": [{{ "id": "Famed", "fields": {{ "who": "{target}" }}, "subject": "who", "apply": [{{ "op": "change_attribute", "target": "who", "attribute": "{attribute}", "by": 1 }}] }}]"#
        )
    };
    wrong(&event("card", "fame"), r#""fame""#);
    wrong(&event("player", "bite"), r#""bite""#);
    // Whether an entity is a card or a player is known only in play.
    sound(&format!("{attributes},\n{}", event("entity", "fame")));
    sound(&format!("{attributes},\n{}", event("player", "fame")));
    for effect in [
        r#"{ "op": "set_attribute", "target": "you", "attribute": "fame", "value": 3 }"#,
        r#"{ "op": "steal_attribute", "from": "frog", "to": "frog", "attribute": "bite", "amount": 3 }"#,
        r#"{ "op": "pay_resource", "resource": "fame", "amount": 1 }"#,
    ] {
        sound(&format!("{attributes},\n{}", effects(effect)));
    }
}

#[test]
fn no_slot_or_variable_hides_a_word() {
    for (effect, at) in [
        (r#"{ "op": "let", "name": "turn", "value": 1 }"#, r#""turn""#),
        (r#"{ "op": "for_each", "in": { "zone": "hand" }, "as": "self", "do": [] }"#, r#""self""#),
        (r#"{ "op": "ask", "choices": { "zone": "hand" }, "as": "event" }"#, r#""event""#),
    ] {
        refused(&effects(effect), "ruleset/reserved_name", at);
    }
    let slot = r#""actions": [{ "id": "act", "targets": [{ "id": "turn", "selector": { "zone": "battlefield", "count": 1 } }], "effects": [] }]"#;
    refused(slot, "ruleset/reserved_name", r#""turn""#);
}

#[test]
fn zones_are_not_called_by_words_of_zones() {
    for id in ["any", "reject"] {
        let zone = format!(r#"{{ "id": "{id}" }}"#);
        refused(&format!(r#""zones": [{zone}]"#), "ruleset/reserved_name", &zone);
    }
    let full = |overflow: &str| format!(r#""zones": [{{ "id": "pond", "capacity": 1, "overflow": "{overflow}" }}]"#);
    refused(&full("pond"), "ruleset/idle_key", r#""pond" }"#);
    sound(&full("hand"));
    // A card that finds all of them full stays where it is.
    sound(
        r#""zones": [{ "id": "pond", "capacity": 1, "overflow": "lake" }, { "id": "lake", "capacity": 1, "overflow": "pond" }]"#,
    );
}

#[test]
fn selectors_and_slots_find_something() {
    let for_each =
        |selector: &str| effects(&format!(r#"{{ "op": "for_each", "in": {selector}, "as": "one", "do": [] }}"#));
    refused(&for_each(r#"{ "zone": "hand", "take": -1 }"#), "ruleset/out_of_range", "-1");
    refused(&for_each(r#"{ "zone": "hand", "random": 0 }"#), "ruleset/out_of_range", "0");
    refused(&for_each(r#"{ "zone": "hand", "order": "turn" }"#), "ruleset/idle_key", r#""turn""#);
    refused(&for_each(r#"{ "players": "all", "order": "top" }"#), "ruleset/idle_key", r#""top""#);
    refused(&for_each(r#"{ "controller": "self" }"#), "ruleset/missing_key", r#"{ "controller""#);
    sound(&for_each(r#"{ "players": "all", "order": "turn" }"#));
    sound(&for_each(r#"{ "zone": "any", "controller": "self" }"#));
    let slot = |count: &str| {
        format!(
            r#""actions": [{{ "id": "act", "targets": [{{ "id": "frog", "selector": {{ "zone": "battlefield", {count} }} }}], "effects": [] }}]"#
        )
    };
    refused(&slot(r#""count": 0"#), "ruleset/out_of_range", r#"{ "zone""#);
    sound(&slot(r#""min": 0, "max": 1"#));
    let idle = r#""activeIn": [], "when": { "eventType": "Damaged" }, "effects": []"#;
    refused(&ability(idle), "ruleset/out_of_range", "[]");
}

#[test]
fn numbers_that_are_kept_fit_where_they_are_kept() {
    let large = r#"{ "op": "deal_damage", "target": "victim", "amount": 3000000000 }"#;
    refused(&effects(large), "ruleset/out_of_range", "3000000000");
}
