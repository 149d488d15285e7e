//! Orcain: what each pair of cards does, and that another game of its kind is only data.
//! The course of matches stands in the scenarios beside the ruleset; each names the section of the rules it covers.

use std::sync::Arc;

use host::{Answer, Control, Game, HostedMatch, Pot, Seat, Start, Viewer, Waiting};
use selector::Response;
use testkit::games;

const CARDS: [&str; 5] = ["Attack", "Defense", "Heal", "Counter", "Gap"];

/// Health after one step for every pair of cards, in the order of [`CARDS`].
type Results = [[(i64, i64); 5]; 5];

/// Orcain in which both begin with some health.
fn orcain(health: i64) -> Game {
    let ruleset = games::parse(&format!(
        r#"{{ "id": "orcain-at", "include": ["orcain"],
             "attributes": [{{ "id": "health", "on": "player", "min": 0, "max": 10, "start": {health} }}] }}"#
    ));
    Game::Ruleset(ruleset)
}

/// Lays cards by name.
fn lay(live: &mut dyn HostedMatch, seat: Seat, names: &[&str]) {
    let request = live.open(seat).remove(0);
    let mut left = request.selector.options.choices.clone();
    let mut picks = Vec::new();
    for name in names {
        let is_it = |it: &selector::Choice| it.title == Some((*name).into());
        let at = left.iter().position(is_it).unwrap_or_else(|| panic!("not in the hand: {name}"));
        picks.push(left.remove(at).picked(None));
    }
    let response = Response::to(&request.selector, picks);
    let answer = Answer { seat, input: request.input_id, version: live.version(), response, confirm: true };
    live.submit(&answer).expect("the layout is legal");
}

fn values(live: &dyn HostedMatch, name: &str) -> Vec<i64> {
    let view = live.view(Viewer::Judge);
    view.seats().map(|it| it.1.values[name].number().expect("a number; qed")).collect()
}

/// Plays every pair as the first step of a round that both begin with some health.
#[track_caller]
fn check(health: i64, expected: Results) {
    let game = orcain(health);
    let mut results = Results::default();
    for (i, mine) in CARDS.iter().enumerate() {
        for (j, theirs) in CARDS.iter().enumerate() {
            let mut live = game.start(&Start::seeded(1, 2)).expect("ready-made decks are legal");
            lay(&mut *live, Seat(0), &layout(mine));
            lay(&mut *live, Seat(1), &layout(theirs));
            live.control(Control::Timer).expect("the first step is due");
            let health = values(&*live, "health");
            results[i][j] = (health[0], health[1]);
        }
    }
    assert_eq!(results, expected);
}

/// Lets the timers of some steps run out.
fn reveal(live: &mut dyn HostedMatch, n_steps: usize) {
    for _ in 0..n_steps {
        live.control(Control::Timer).expect("a step is due");
    }
}

fn layout(first: &'static str) -> [&'static str; 3] {
    [first, "Gap", "Gap"]
}

#[test]
fn card_interactions_from_5_to_5() {
    check(
        5,
        [
            [(3, 3), (5, 5), (5, 4), (3, 5), (5, 3)],
            [(5, 5), (5, 5), (5, 6), (5, 5), (5, 5)],
            [(4, 5), (6, 5), (6, 6), (6, 5), (6, 5)],
            [(5, 3), (5, 5), (5, 6), (5, 5), (5, 5)],
            [(3, 5), (5, 5), (5, 6), (5, 5), (5, 5)],
        ],
    );
}

#[test]
fn card_interactions_from_10_to_10_stay_at_the_cap_and_heal_first() {
    check(
        10,
        [
            [(8, 8), (10, 10), (10, 8), (8, 10), (10, 8)],
            [(10, 10), (10, 10), (10, 10), (10, 10), (10, 10)],
            [(8, 10), (10, 10), (10, 10), (10, 10), (10, 10)],
            [(10, 8), (10, 10), (10, 10), (10, 10), (10, 10)],
            [(8, 10), (10, 10), (10, 10), (10, 10), (10, 10)],
        ],
    );
}

#[test]
fn card_interactions_from_1_to_1_stay_at_nothing() {
    check(
        1,
        [
            [(0, 0), (1, 1), (1, 0), (0, 1), (1, 0)],
            [(1, 1), (1, 1), (1, 2), (1, 1), (1, 1)],
            [(0, 1), (2, 1), (2, 2), (2, 1), (2, 1)],
            [(1, 0), (1, 1), (1, 2), (1, 1), (1, 1)],
            [(0, 1), (1, 1), (1, 2), (1, 1), (1, 1)],
        ],
    );
}

/// The word that the rules keep to the server, put together so that this file does not hold it either.
fn secret_word() -> String {
    ["gra", "ss"].concat()
}

#[test]
fn terminology_the_inner_name_of_an_empty_slot_is_in_no_document() {
    let folder = games::folder().join("orcain");
    let documents = ["ruleset.json", "numbers.json", "cards.json", "battle.json"];
    for document in documents {
        let text = std::fs::read_to_string(folder.join(document)).expect("the document is there");
        assert!(!text.to_lowercase().contains(&secret_word()), "{document}");
    }
}

#[test]
fn constants_of_orcain_are_those_of_the_rules() {
    let game = Game::Ruleset(games::load("orcain"));
    let mut live = game.start(&Start::seeded(1, 2)).expect("it starts");
    assert_eq!(values(&*live, "health"), [10, 10]);
    assert_eq!(live.clocks().iter().map(|it| it.1).collect::<Vec<_>>(), [20_000], "PREP");
    lay(&mut *live, Seat(0), &layout("Attack"));
    lay(&mut *live, Seat(1), &layout("Heal"));
    for ms in [250, 900, 900] {
        assert_eq!(live.waiting(), Waiting::Timer { ms });
        live.control(Control::Timer).expect("a step is due");
    }
    assert_eq!(live.clocks().iter().map(|it| it.1).collect::<Vec<_>>(), [20_000], "the next PREP follows at once");
}

#[test]
fn hand_is_the_same_in_every_round() {
    let game = Game::Ruleset(games::load("orcain"));
    let mut live = game.start(&Start::seeded(1, 2)).expect("it starts");
    let hand = |live: &dyn HostedMatch| {
        let choices = live.open(Seat(0)).remove(0).selector.options.choices;
        choices.into_iter().filter_map(|it| it.title).map(|it| it.to_string()).collect::<Vec<_>>()
    };
    let first = hand(&*live);
    assert_eq!(first, ["Attack", "Defense", "Heal", "Counter", "Gap", "Gap", "Gap"]);
    lay(&mut *live, Seat(0), &["Gap", "Counter", "Attack"]);
    lay(&mut *live, Seat(1), &["Heal", "Gap", "Gap"]);
    reveal(&mut *live, 3);
    assert_eq!(hand(&*live), first);
}

#[test]
fn match_end_rules_say_what_becomes_of_the_pot() {
    let policy = Game::Ruleset(games::load("orcain")).policy();
    let stakes = policy.stakes.expect("Orcain is played for tokens");
    assert_eq!((policy.undo, policy.disconnect_grace_ms, stakes.entry), (false, Some(0), 1));
    let pot = |reason: &str, winners: &[&str]| {
        let winners = winners.iter().map(|it| (*it).to_owned()).collect();
        stakes.pot(&host::view::Outcome { winners, reason: reason.to_owned() })
    };
    for reason in ["normal", "timeout", "disconnect"] {
        assert_eq!(pot(reason, &["p1"]), Pot::Winner, "{reason}");
    }
    assert_eq!(pot("normal", &[]), Pot::Refund, "0 : 0 is a draw");
    assert_eq!(pot("timeout", &[]), Pot::Burn, "both were away");
    assert_eq!(pot("stalemate", &[]), Pot::Refund);
    assert_eq!(pot("killed", &[]), Pot::Refund, "a void match");
}

/// Another game of the same kind: five slots, seven health, other cards, other stakes, and time to come back.
fn bastion() -> Arc<ruleset::Ruleset> {
    games::parse(include_str!("data/bastion.json"))
}

#[test]
fn another_game_of_its_kind_is_only_data() {
    let game = Game::Ruleset(bastion());
    let policy = game.policy();
    let stakes = policy.stakes.expect("it is played for tokens");
    assert_eq!((stakes.entry, policy.disconnect_grace_ms), (5, Some(3000)));
    let mut live = game.start(&Start::seeded(1, 2)).expect("it starts");
    assert_eq!(values(&*live, "health"), [7, 7]);
    lay(&mut *live, Seat(0), &["Ram", "Ram", "Gap", "Wall", "Gap"]);
    lay(&mut *live, Seat(1), &["Gap", "Wall", "Mason", "Ram", "Gap"]);
    reveal(&mut *live, 5);
    assert_eq!(values(&*live, "health"), [7, 6], "3 from the first ram, 2 back by the mason");
    live.control(Control::Disconnect(Seat(0))).expect("somebody goes");
    assert_eq!(live.outcome(), None, "he has three seconds");
    assert!(live.clocks().contains(&(host::hosted::Clock::Grace(0), 3000)));
    live.control(Control::Kick(Seat(0))).expect("the time is up");
    let outcome = live.outcome().expect("it is over");
    assert_eq!((outcome.reason.as_str(), outcome.winners), ("disconnect", vec!["p2".to_owned()]));
}
