//! What is hidden stays hidden: in views, events, requests, handles and worlds that might be.

mod desk;

use std::collections::BTreeSet;

use desk::{P1, P2, done, give, refused, replays, script, start};
use script::{Crowd, Dice, Event, Face, Match, Mistake, Outcome, Script, Table, Viewer, Visibility, determinism};

/// Deals three cards each from a shuffled deck; p2 then shows one, and p1 guesses.
async fn guessing(table: Table, leak: bool) -> Result<Outcome, Mistake> {
    let deck = table.add_zone("deck", Visibility::Nobody)?;
    let middle = table.add_zone("middle", Visibility::All)?;
    for name in ["ace", "king", "queen", "jack", "ten", "nine", "eight", "seven"] {
        table.add_card(deck, Face::new(name))?;
    }
    table.shuffle(deck)?;
    let mut hands = Vec::new();
    for seat in table.seats() {
        let hand = table.add_own_zone("hand", seat, Visibility::Owner)?;
        table.deal(deck, hand, 3)?;
        hands.push(table.cards(hand)?);
    }
    if leak {
        table.tell(Event::new("hint").with("name", table.name(hands[1][0])?));
    }
    let shown = table.choose_card(P2, &hands[1], "Show a card").await?.ok_or(Mistake::NoSuchThing)?;
    table.move_card(shown, middle)?;
    let guessed = table.choose_card(P1, &table.cards(deck)?, "Guess a card of the deck").await?;
    table.move_card(guessed.ok_or(Mistake::NoSuchThing)?, middle)?;
    table.choose(P1, ["done"], script::Opts::titled("End").always_asked()).await?;
    done("guessed")
}

fn game(leak: bool) -> Script {
    script(move |table| guessing(table, leak)).with_resampling()
}

fn json(live: &Match, viewer: Viewer) -> String {
    let open = if let Viewer::Seat(seat) = viewer { live.open(seat).map(|it| it.selector) } else { None };
    serde_json::to_string(&(live.view(viewer), live.events(viewer, 0), open)).unwrap()
}

/// The names of cards a viewer's bytes hold.
fn names(live: &Match, viewer: Viewer) -> BTreeSet<&'static str> {
    let json = json(live, viewer);
    let all = ["ace", "king", "queen", "jack", "ten", "nine", "eight", "seven"];
    all.into_iter().filter(|it| json.contains(&format!("\"{it}\""))).collect()
}

#[test]
fn everybody_sees_what_the_zones_show_him() {
    let mut live = start(&game(false), 2);
    let sees =
        |it: &Match| [Viewer::Seat(P1), Viewer::Seat(P2), Viewer::Spectator, Viewer::Judge].map(|v| names(it, v).len());
    assert_eq!(sees(&live), [3, 3, 0, 8]);
    let first = live.open(P2).unwrap().selector.options.choices[0].picked(None);
    give(&mut live, P2, [first]);
    assert_eq!(sees(&live), [4, 3, 1, 8]);
}

#[test]
fn a_hidden_card_has_no_name_in_a_request() {
    let mut live = start(&game(false), 2);
    let first = live.open(P2).unwrap().selector.options.choices[0].picked(None);
    give(&mut live, P2, [first]);
    let open = live.open(P1).unwrap();
    let titles: Vec<String> =
        open.selector.options.choices.iter().map(|it| it.title.as_ref().unwrap().to_string()).collect();
    assert_eq!(titles, ["hidden card 1", "hidden card 2"]);
    give(&mut live, P1, ["hidden card 2"]);
    replays(&live);
}

#[test]
fn a_viewers_bytes_do_not_depend_on_what_is_hidden_from_him() {
    let mut live = start(&game(false), 2);
    for _ in 0..3 {
        for viewer in [Viewer::Seat(P1), Viewer::Seat(P2), Viewer::Spectator] {
            let mut worlds = BTreeSet::new();
            for seed in 0..10 {
                let world = live.exchanged(viewer, [seed; 32]).expect("no answer depends on a face here");
                assert_eq!(json(&world, viewer), json(&live, viewer));
                worlds.insert(json(&world, Viewer::Judge));
            }
            assert!(worlds.len() > 1, "{viewer:?}: the worlds differ in what he cannot see");
        }
        let answer = determinism::random_answer(&live, &mut Dice::new([1; 32])).unwrap();
        live.submit(&answer).unwrap();
    }
}

#[test]
fn a_game_that_tells_a_secret_is_caught_by_exchanging_cards() {
    let live = start(&game(true), 2);
    let differs = (0..10).filter_map(|it| live.exchanged(Viewer::Seat(P1), [it; 32]));
    assert!(differs.into_iter().any(|it| json(&it, Viewer::Seat(P1)) != json(&live, Viewer::Seat(P1))));
}

#[test]
fn a_world_that_might_be_looks_the_same_to_its_viewer_and_can_be_played_on() {
    let live = start(&game(false), 2);
    let mut worlds = BTreeSet::new();
    for seed in 0..10 {
        let mut world = live.resample(Viewer::Seat(P1), [seed; 32]).unwrap();
        assert_eq!(json(&world, Viewer::Seat(P1)), json(&live, Viewer::Seat(P1)));
        worlds.insert(json(&world, Viewer::Judge));
        replays(&world);
        while let Some(answer) = determinism::random_answer(&world, &mut Dice::new([seed; 32])) {
            world.submit(&answer).unwrap();
        }
        assert!(world.outcome().is_some());
    }
    assert!(worlds.len() > 5, "{} of 10 worlds differ", worlds.len());
}

#[test]
fn worlds_respect_what_a_viewer_was_told() {
    // p1 was told a card of p2's hand, so in no world p1 believes in is it another one.
    let live = start(&game(true), 2);
    for seed in 0..10 {
        let world = live.resample(Viewer::Seat(P1), [seed; 32]).unwrap();
        assert_eq!(json(&world, Viewer::Seat(P1)), json(&live, Viewer::Seat(P1)));
    }
}

#[test]
fn a_game_must_opt_in_to_worlds_that_might_be() {
    let live = start(&script(|table| guessing(table, false)), 2);
    assert_eq!(live.resample(Viewer::Seat(P1), [0; 32]).err().unwrap().code(), "match/cannot_resample");
}

#[test]
fn cards_with_other_backs_are_never_exchanged() {
    async fn backs(table: Table) -> Result<Outcome, Mistake> {
        let deck = table.add_zone("deck", Visibility::Nobody)?;
        for (name, back) in [("a", "red"), ("b", "red"), ("x", "blue"), ("y", "blue")] {
            table.add_card(deck, Face::new(name).back(back))?;
        }
        table.choose_yes_no(P1, "?").await?;
        done("")
    }
    let live = start(&script(backs).with_resampling(), 2);
    let deck = |it: &Match| it.view(Viewer::Judge).zones[0].cards.iter().map(|it| it.name.clone()).collect::<String>();
    let decks: BTreeSet<String> = (0..20).map(|it| deck(&live.resample(Viewer::Seat(P1), [it; 32]).unwrap())).collect();
    assert_eq!(decks.into_iter().collect::<Vec<_>>(), ["abxy", "abyx", "baxy", "bayx"]);
}

#[test]
fn nobody_can_follow_a_card_through_a_shuffle() {
    async fn shuffling(table: Table) -> Result<Outcome, Mistake> {
        let (deck, middle) = (table.add_zone("deck", Visibility::Nobody)?, table.add_zone("middle", Visibility::All)?);
        let card = table.add_card(middle, Face::new("ace"))?;
        table.move_card(card, deck)?;
        table.shuffle(deck)?;
        assert_eq!(table.name(card), Err(Mistake::NoSuchThing), "not even the game can");
        table.deal(deck, middle, 1)?;
        table.choose_yes_no(P1, "?").await?;
        done("")
    }
    let live = start(&script(shuffling), 2);
    assert_eq!(live.view(Viewer::Seat(P1)).zones[1].cards[0].id, "c2", "it comes back as a stranger");
}

#[test]
fn who_shuffles_his_own_hand_still_knows_it() {
    async fn sorting(table: Table) -> Result<Outcome, Mistake> {
        let hand = table.add_own_zone("hand", P1, Visibility::Owner)?;
        for name in ["ace", "king", "queen", "jack", "ten"] {
            table.add_card(hand, Face::new(name))?;
        }
        table.choose(P1, ["a", "b"], "Shuffle").await?;
        table.shuffle(hand)?;
        table.choose_yes_no(P1, "?").await?;
        done("")
    }
    let mut live = start(&script(sorting).with_resampling(), 2);
    give(&mut live, P1, ["a"]);
    for seed in 0..5 {
        let same = live.exchanged(Viewer::Seat(P1), [seed; 32]).unwrap();
        assert_eq!(json(&same, Viewer::Judge), json(&live, Viewer::Judge), "there is nothing p1 does not know");
    }
    let ids: BTreeSet<String> = live.view(Viewer::Seat(P1)).zones[0].cards.iter().map(|it| it.id.clone()).collect();
    assert_eq!(ids.into_iter().collect::<Vec<_>>(), ["c1", "c2", "c3", "c4", "c5"], "under the names they had");
}

#[test]
fn a_card_that_is_shown_is_hidden_again_when_it_moves() {
    async fn showing(table: Table) -> Result<Outcome, Mistake> {
        let own = |it| table.add_own_zone("hand", it, Visibility::Owner);
        let (first, second) = (own(P1)?, own(P2)?);
        let card = table.add_card(second, Face::new("ace"))?;
        table.reveal(card, P1)?;
        table.choose_yes_no(P1, "Seen?").await?;
        table.move_card(card, first)?;
        table.move_card(card, second)?;
        table.tell(Event::new("private").text("psst").only(P2));
        table.choose_yes_no(P1, "Gone?").await?;
        table.reveal(card, Crowd::ALL)?;
        done("")
    }
    let mut live = start(&script(showing), 2);
    assert_eq!(names(&live, Viewer::Seat(P1)).len(), 1);
    assert_eq!(names(&live, Viewer::Spectator).len(), 0);
    give(&mut live, P1, ["yes"]);
    assert_eq!(live.view(Viewer::Seat(P1)).zones[1].cards, []);
    let heard = |it: &Match, viewer| it.events(viewer, 0).iter().any(|it| it.text == "psst");
    assert!(heard(&live, Viewer::Seat(P2)) && heard(&live, Viewer::Judge));
    assert!(!heard(&live, Viewer::Seat(P1)) && !heard(&live, Viewer::Spectator));
    give(&mut live, P1, ["yes"]);
    assert_eq!(names(&live, Viewer::Spectator).len(), 1);
    let version = live.version();
    refused(&mut live, "command/match_over", |it| it.undo(P1, version));
}
