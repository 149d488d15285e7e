//! Whoever plays from lists of moves has the next list made as the window opens, and what he takes from it is judged by
//! being on it. That is for speed only: it comes to the same as giving the command.

use std::sync::Arc;

use engine::{Match, Moves};
use ruleset::Ruleset;
use serde_json::json;
use testkit::{
    contract::{Dice, begin, list},
    games,
};

/// The most moves that are listed for one decision.
const MOVES_MAX: usize = 1_000;

/// Three players who take from a row in the middle, trade and answer each other: slots of one zone, of all players'
/// zones and of players. What must be so of who fills them lies at hand, or takes a look.
fn market(is_at_hand: bool) -> Arc<Ruleset> {
    let goods = json!({ "zone": "row", "where": [
        { "op": if is_at_hand { "lt" } else { "ne" }, "a": { "ref": "it.price" }, "b": 4 },
        { "op": "le", "a": { "ref": "it.price" }, "b": { "ref": "you.coins" } }
    ], "count": 1 });
    let own = json!({ "zone": "stall", "controller": "self", "order": "bottom", "count": 1 });
    let theirs = json!({ "zone": "stall", "controller": "opponent", "order": "top", "where": { "op": "gt", "a": { "ref": "it.price" }, "b": 1 }, "count": 1 });
    let pay = |amount: i64| match is_at_hand {
        true => json!([{ "op": "spend", "player": { "ref": "you" }, "amount": amount }]),
        false => json!([{ "op": "earn", "player": { "ref": "you" }, "amount": -amount }]),
    };
    let goods_of_all_prices =
        [1, 2, 3, 4].map(|it| json!({ "id": format!("good_{it}"), "type": "good", "attributes": { "price": it } }));
    games::parse(
        &json!({
            "id": if is_at_hand { "open_market" } else { "market" }, "name": "Market", "version": "1.0.0",
            "players": { "min": 3, "max": 3, "deckZone": "row" },
            "zones": [{ "id": "row", "owner": "shared", "active": true }, { "id": "stall", "active": true }],
            "attributes": [{ "id": "price" }],
            "resources": [{ "id": "coins", "max": 9, "start": 4 }],
            "cardTypes": [{ "id": "good" }],
            "cards": goods_of_all_prices,
            "decks": [{ "id": "all", "cards": { "good_1": 2, "good_2": 2, "good_3": 1, "good_4": 1 } }],
            "events": [
                {
                    "id": "Earn", "fact": "Earned", "fields": { "player": "player", "amount": "int" },
                    "requires": { "op": "ge", "a": { "op": "add", "of": [{ "ref": "player.coins" }, { "ref": "amount" }] }, "b": 0 },
                    "apply": [{ "op": "change_attribute", "target": "player", "attribute": "coins", "by": { "ref": "amount" } }]
                },
                {
                    "id": "Spend", "fact": "Spent", "fields": { "player": "player", "amount": "int" },
                    "requires": { "op": "ge", "a": { "ref": "player.coins" }, "b": { "ref": "amount" } },
                    "apply": [{ "op": "change_attribute", "target": "player", "attribute": "coins", "by": { "op": "neg", "of": { "ref": "amount" } } }]
                },
                {
                    "id": "Fetch", "fact": "Fetched", "fields": { "card": "card", "player": "player" }, "subject": "card",
                    "apply": [{ "op": "move", "target": "card", "to": "stall", "player": "player" }]
                },
                {
                    "id": "Lose", "fact": "Lost", "fields": { "card": "card" }, "subject": "card",
                    "apply": [{ "op": "move", "target": "card", "to": "row" }]
                }
            ],
            "turnStructure": { "phases": [{ "id": "turn", "steps": [{ "id": "main", "mandatory": true, "onStart": [{ "op": "earn", "player": "active_player", "amount": 1 }] }] }] },
            "actions": [
                { "id": "take", "timing": "sorcery", "targets": [{ "id": "card", "selector": goods }], "costs": pay(1),
                  "effects": [{ "op": "fetch", "card": "card", "player": { "ref": "you" } }] },
                { "id": "trade", "timing": "stack", "targets": [{ "id": "own", "selector": own }, { "id": "other", "selector": theirs }], "costs": pay(2),
                  "effects": [{ "op": "lose", "card": "own" }, { "op": "lose", "card": "other" }] },
                { "id": "bribe", "timing": "sorcery", "targets": [{ "id": "whom", "selector": { "players": "opponent", "count": 1 } }], "costs": pay(3),
                  "effects": [{ "op": "earn", "player": "whom", "amount": 2 }] }
            ],
            "endConditions": [{ "id": "time", "when": { "op": "gt", "a": { "ref": "turn" }, "b": 60 } }],
            "policy": { "stops": "legal" }
        })
        .to_string(),
    )
}

/// Plays a move of a list on one match and gives it as a command to its twin.
#[track_caller]
fn check(listed: &mut Match, told: &mut Match, moves: &Moves, at: usize) {
    let command = moves.command(at).expect("is on the list; qed");
    let place = format!("{}, version {}: {command:?}", listed.ruleset().program().text.id, told.state().head.version);
    assert_eq!(listed.play(moves, at, &mut ()), told.submit(&command, &mut ()), "{place}: another answer");
    assert_eq!(listed.state(), told.state(), "{place}: another state");
    assert_eq!(listed.work_left(), told.work_left(), "{place}: other work");
}

/// Plays a game from lists and by commands; gives how many decisions there were.
fn play(ruleset: &Arc<Ruleset>, seed: u64) -> usize {
    let (mut listed, mut told) = (begin(ruleset, seed), begin(ruleset, seed));
    let (mut dice, mut moves, mut again) = (Dice::new(seed + 1), Moves::default(), Moves::default());
    let mut n = 0;
    while n < 2_000 && list(&listed, MOVES_MAX, &mut moves) && list(&told, MOVES_MAX, &mut again) {
        let all = |moves: &Moves| (0..moves.len()).map(|it| moves.command(it)).collect::<Vec<_>>();
        assert_eq!(all(&moves), all(&again), "another list");
        check(&mut listed, &mut told, &moves, dice.below(moves.len()));
        n += 1;
    }
    n
}

#[test]
fn playing_from_a_list_is_giving_the_command() {
    let games = games::with_actions().into_iter().map(|it| games::load(&it)).chain([market(false), market(true)]);
    for ruleset in games {
        let n: usize = (0..4).map(|seed| play(&ruleset, seed)).sum();
        assert!(n > 100, "{}: hardly anything was decided", ruleset.program().text.id);
    }
}

#[test]
fn where_windows_stop_for_legal_actions_that_lie_at_hand_moves_are_listed_ahead() {
    for (ruleset, is_listed) in [(games::load("bench-duel"), true), (market(true), true), (market(false), false)] {
        assert_eq!(!ruleset.program().crossings.is_empty(), is_listed, "{}", ruleset.program().text.id);
    }
}

/// A list of one match, played on another that has its own: whatever is on it is judged by the state it meets.
#[test]
fn a_list_of_another_moment_is_judged_like_any_command() {
    let mut refused = 0;
    for ruleset in [games::load("bench-duel"), market(true), market(false)] {
        let (mut live, mut dice) = (begin(&ruleset, 7), Dice::new(7));
        let (mut moves, mut old) = (Moves::default(), Moves::default());
        while list(&live, MOVES_MAX, &mut moves) {
            for at in 0..old.len() {
                let (mut listed, mut told) = (live.clone(), live.clone());
                let before = listed.hash();
                check(&mut listed, &mut told, &old, at);
                refused += usize::from(listed.hash() == before);
            }
            live.play(&moves, dice.below(moves.len()), &mut ()).expect("was offered; qed");
            if dice.below(3) == 0 {
                core::mem::swap(&mut moves, &mut old);
            }
        }
    }
    assert!(refused > 100, "only {refused} moves were refused");
}

/// A refused command changes nothing, so what could be done before can be done after it.
#[test]
fn a_list_outlives_a_refused_command() {
    let (mut live, mut moves) = (begin(&games::load("bench-duel"), 3), Moves::default());
    assert!(list(&live, MOVES_MAX, &mut moves));
    live.play(&moves, 0, &mut ()).expect("was offered; qed");
    assert!(list(&live, MOVES_MAX, &mut moves));
    live.play(&moves, moves.len(), &mut ()).expect_err("there is no such move");
    let mut again = Moves::default();
    assert!(list(&live, MOVES_MAX, &mut again));
    assert_eq!(moves.command(0), again.command(0));
    live.play(&moves, 0, &mut ()).expect("was offered before; qed");
}
