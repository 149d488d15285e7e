//! Moves by hand: a drag is the one legal action that does just that, and nothing else moves a card.

use std::collections::BTreeMap;

use host::{HandMove, HostedMatch as _, Play, RuledMatch, Seat, Start, view::Ref};
use testkit::games;

const P1: Seat = Seat(0);

/// A match of a ruleset in which the first player has some coins in hand.
fn match_of(ruleset: &str) -> RuledMatch {
    let ruleset = games::parse(ruleset);
    let setup = engine::Setup { seed: Start::seeded(1, 2).seed, decks: vec![vec![ruleset::DefId::at(0); 3]; 2] };
    RuledMatch::start(&ruleset, setup).expect("the decks are legal; qed")
}

fn drag(cards: &[u32], to: &str, targets: &[(&str, Ref)]) -> Play {
    let cards = cards.iter().map(|it| Ref::Card(*it)).collect();
    let targets: BTreeMap<String, Vec<Ref>> = targets.iter().map(|it| (it.0.to_owned(), vec![it.1.clone()])).collect();
    Play::Move(HandMove::Cards { cards, from: "hand".to_owned(), to: to.to_owned(), targets })
}

#[track_caller]
fn refused(live: &RuledMatch, play: &Play) -> (String, Vec<String>) {
    let why = live.copy().play(P1, None, play).expect_err("it is refused");
    (why.code.to_owned(), why.candidates.into_iter().map(|it| it.action).collect())
}

#[test]
fn ruling_57_a_drag_that_is_one_legal_action_is_that_action() {
    let live = match_of(ARMY);
    // Two cards are what `march` takes; three, or one twice, are what nothing takes.
    let mut copy = live.copy();
    copy.play(P1, None, &drag(&[1, 3], "battlefield", &[])).expect("it is one action");
    assert_eq!(copy.view(host::Viewer::Judge).zones["battlefield@p1"].count, 2);
    for cards in [&[1, 2, 3][..], &[1, 1]] {
        assert_eq!(refused(&live, &drag(cards, "battlefield", &[])).0, "request/invalid_manipulation");
    }
    assert_eq!(refused(&live, &drag(&[1], "graveyard", &[])).0, "request/invalid_manipulation");
    assert_eq!(refused(&live, &drag(&[9], "battlefield", &[])).0, "request/unknown_name");
}

#[test]
fn ruling_57_a_drag_that_could_mean_two_actions_names_them() {
    let live = match_of(ARMY);
    let (code, meant) = refused(&live, &drag(&[2], "battlefield", &[]));
    assert_eq!((code.as_str(), meant.len()), ("request/ambiguous", 2));
    let aimed = drag(&[2], "battlefield", &[("at", Ref::Player(1))]);
    live.copy().play(P1, None, &aimed).expect("who is aimed at is said");
}

#[test]
fn ruling_57_only_what_the_ruleset_allows_is_put_in_order_by_hand() {
    let mut live = match_of(ARMY);
    let order = |cards: [u32; 3]| Play::Move(HandMove::Order { cards: cards.map(Ref::Card).to_vec() });
    let mut marched = live.copy();
    marched.play(P1, None, &drag(&[1, 3], "battlefield", &[])).expect("it is one action");
    let in_play = Play::Move(HandMove::Order { cards: vec![Ref::Card(3), Ref::Card(1)] });
    assert!(marched.play(P1, None, &in_play).is_err(), "only the hand may be put in order");
    live.play(P1, None, &order([3, 2, 1])).expect("the ruleset allows it");
    assert_eq!(live.view(host::Viewer::Seat(P1)).zones["hand@p1"].cards, ["c3", "c2", "c1"]);
}

/// Two cards march together; one alone aims at a player.
const ARMY: &str = r#"{
  "include": ["std/deck"],
  "cardTypes": [{ "id": "thing" }],
  "cards": [{ "id": "coin", "name": "Coin", "type": "thing" }],
  "turnStructure": { "phases": [{ "id": "play", "steps": [{ "id": "act" }] }] },
  "directMoves": [{ "op": "reorder", "zone": "hand" }],
  "setup": [{ "op": "for_each", "in": { "players": "all" }, "as": "player", "do": [{ "op": "draw", "player": "player", "count": 3 }] }],
  "actions": [
    { "id": "march", "timing": "instant", "targets": [{ "id": "cards", "selector": { "zone": "hand", "controller": "self", "count": 2 } }],
      "effects": [{ "op": "for_each", "in": { "ref": "cards" }, "do": [{ "op": "move_zone", "target": "it", "to": "battlefield" }] }] },
    { "id": "aim", "timing": "instant",
      "targets": [
        { "id": "card", "selector": { "zone": "hand", "controller": "self", "count": 1 } },
        { "id": "at", "selector": { "players": "all", "count": 1 } }
      ],
      "effects": [{ "op": "move_zone", "target": "card", "to": "battlefield" }] }
  ]
}"#;
