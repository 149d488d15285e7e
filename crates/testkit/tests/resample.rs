//! Worlds that might be: consistent with all a viewer has seen, and every one of them possible.

use std::{collections::BTreeSet, sync::Arc};

use engine::{
    Command, EntityId, Match, PlayerId,
    view::{Projector, Viewer as Eyes},
};
use host::{Game, HostedMatch as _, ReloadError, Seat, Start, Viewer};
use ruleset::Ruleset;
use testkit::{games, hosted, scenario::Table};

fn secrets() -> Arc<Ruleset> {
    games::parse(include_str!("data/secrets.json"))
}

fn seed(n: u32) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&n.to_le_bytes());
    seed
}

/// The names of all cards, in the order of their numbers.
fn names(live: &Match) -> Vec<String> {
    let program = live.ruleset().program();
    let cards = live.state().ents.iter().filter(|it| it.def.is_some());
    cards.map(|it| program.text.defs[it.def.index()].name.clone()).collect()
}

/// All the worlds that turn up for a viewer.
fn worlds(live: &Match, eyes: &Projector) -> BTreeSet<Vec<String>> {
    (0..400).map(|it| names(&live.resample(eyes, seed(it)))).collect()
}

/// A table, and the eyes of its first player on it.
fn table(setup: &str) -> (Table, Projector) {
    let table = Table::set(secrets(), setup).expect("the table can be set; qed");
    let mut eyes = Projector::new(table.live.ruleset(), Eyes::Player(PlayerId(0)));
    eyes.settle(table.live.state());
    (table, eyes)
}

#[test]
fn every_arrangement_that_is_possible_turns_up() {
    let (table, eyes) = table("step: act\np1 hand: Eel#1\np2 hand: Ant#2, Bee#3\np2 deck: Cat#4");
    let worlds = worlds(&table.live, &eyes);
    assert_eq!(worlds.len(), 6, "three hidden cards in three places: {worlds:?}");
    assert!(worlds.iter().all(|it| it[0] == "Eel"), "what the viewer sees stays");
}

#[test]
fn what_belongs_to_one_player_never_comes_to_another() {
    let (table, eyes) = table("step: act\np1 deck: Eel#1, Dog#2\np2 hand: Ant#3, Bee#4");
    let worlds = worlds(&table.live, &eyes);
    assert_eq!(worlds.len(), 4, "{worlds:?}");
}

/// Plays an action by its name and first card, watched.
fn act(table: &mut Table, eyes: &mut Projector, player: u8, name: &str, card: Option<u32>) {
    let texts = &table.live.ruleset().program().text.actions;
    let is_it = |it: &Command| match it {
        Command::Act { action, targets, .. } => {
            let first = targets.first().and_then(|it| it.first()).copied();
            texts[action.index()].label.id == name && card.is_none_or(|it| first == Some(i64::from(it)))
        }
        _ => false,
    };
    let command = table.live.legal(PlayerId(player), 64).into_iter().find(is_it);
    let command = command.unwrap_or_else(|| panic!("not legal: {name}"));
    table.live.submit(&command, eyes).expect("is offered; qed");
    while let engine::Waiting::Priority(window) = table.live.waiting() {
        if table.live.state().stack.is_empty() {
            break;
        }
        table.live.submit(&Command::Pass { player: window.holder }, eyes).expect("he may act; qed");
    }
    eyes.settle(table.live.state());
}

#[test]
fn a_card_that_was_seen_to_go_somewhere_stays_there_until_it_may_be_any() {
    let setup = "step: act\nactive: p2\np2: mana=3\np2 battlefield: Dog#1\np2 hand: Ant#2, Bee#3\np2 deck: Cat#4";
    let (mut table, mut eyes) = table(setup);
    act(&mut table, &mut eyes, 1, "bounce", Some(2));
    let seen: BTreeSet<String> = worlds(&table.live, &eyes).into_iter().map(|it| it[0].clone()).collect();
    assert_eq!(seen, BTreeSet::from(["Dog".to_owned()]), "the viewer saw the dog go to the hand");
    // Some card of the hand goes to the deck unseen, and another is drawn: it may have been the dog.
    act(&mut table, &mut eyes, 1, "bury", Some(3));
    let seen: BTreeSet<String> = worlds(&table.live, &eyes).into_iter().map(|it| it[0].clone()).collect();
    assert_eq!(seen.len(), 4, "{seen:?}");
}

#[test]
fn a_shuffled_card_may_be_anywhere() {
    let setup = "step: act\nactive: p2\np2: mana=3\np2 battlefield: Dog#1\np2 deck: Ant#2, Bee#3";
    let (mut table, mut eyes) = table(setup);
    act(&mut table, &mut eyes, 1, "recall", Some(2));
    assert_eq!(worlds(&table.live, &eyes).len(), 6);
}

#[test]
fn dice_to_come_have_nothing_of_the_true_ones() {
    let (table, eyes) = table("step: act\np2 hand: Ant#1");
    let worlds = [1, 1, 2].map(|it| table.live.resample(&eyes, seed(it)).state().head.key);
    assert!(worlds[0] == worlds[1] && worlds[1] != worlds[2] && !worlds.contains(&table.live.state().head.key));
    let (other, eyes) = (Table::set(secrets(), "p2 hand: Ant#1").expect("can be set; qed"), eyes);
    assert_eq!(other.live.resample(&eyes, seed(1)).state().head.key, worlds[0], "only the seed decides");
}

#[test]
fn nobody_can_tell_a_resampled_match_of_a_ruleset_from_the_true_one() {
    for game in [games::load("skirmish"), games::load("duel"), secrets()].map(Game::Ruleset) {
        let mut n_worlds = 0;
        hosted::random_match(&game, 3, 2, |live, n| {
            if n % 48 == 6 && live.outcome().is_none() {
                n_worlds += hosted::count_worlds(live, Seat(0), 4).expect("rulesets can always; qed");
                let world = live.resample(Viewer::Seat(Seat(1)), seed(n)).expect("rulesets can always; qed");
                let (seat, viewer) = (Seat(1), Viewer::Seat(Seat(1)));
                assert_eq!(hosted::bytes_for(&*world, viewer), hosted::bytes_for(live, viewer));
                assert_eq!(world.prompts(seat), live.prompts(seat));
            }
        });
        assert!(n_worlds > 6, "{}: {n_worlds} worlds", game.id());
    }
}

#[test]
fn a_match_can_be_branched_where_it_stood_at_any_version() {
    for game in [Game::Ruleset(secrets()), Game::Script(harvest::script())] {
        let viewer = Viewer::Seat(Seat(0));
        let mut views = Vec::new();
        let live = hosted::random_match(&game, 5, 2, |live, _| views.push((live.version(), live.view(viewer))));
        let bytes = live.log_bytes();
        for (version, view) in views.iter().filter(|it| it.0 > 0).step_by(41) {
            let mut branch = match game.branch(&bytes, *version, viewer, seed(1)) {
                Ok(branch) => branch,
                Err(ReloadError::Resample(why)) => panic!("{}: {why}", game.id()),
                Err(why) => panic!("{why}"),
            };
            // A script numbers the versions of a world that might be anew.
            let seen = host::view::View { branch_id: view.branch_id, ..branch.view(viewer) };
            if views.iter().filter(|it| it.0 == *version).count() == 1 {
                assert_eq!(&seen, view, "{} at {version}", game.id());
            }
            if let Some(answer) = hosted::random_answer(&*branch, &mut testkit::contract::Dice::new(1)) {
                branch.submit(&answer).unwrap_or_else(|why| panic!("a branch can be played on: {why}"));
            }
        }
        let last = live.version();
        let missing = game.branch(&bytes, last + 1, viewer, seed(1)).err().expect("there is no such version");
        assert_eq!(missing.code(), "log/no_such_version");
    }
}

#[test]
fn a_match_can_be_branched_before_any_event() {
    for game in [Game::Ruleset(secrets()), Game::Script(harvest::script())] {
        let viewer = Viewer::Seat(Seat(0));
        let live = hosted::random_match(&game, 5, 2, |_, _| {});
        let (bytes, events) = (live.log_bytes(), live.events(viewer, 0));
        for event in events.iter().step_by(29) {
            let branch =
                game.branch_before(&bytes, event.sequence, viewer, seed(1)).unwrap_or_else(|why| panic!("{why}"));
            let told = branch.events(viewer, 0);
            let is_set_up = event.sequence as usize <= told.len();
            assert!(
                is_set_up || told.iter().all(|it| it.sequence < event.sequence),
                "{}: {}",
                game.id(),
                event.sequence
            );
            assert_eq!(told, events[..told.len()], "what he was told before is the same there");
            let none_since =
                game.branch_before(&bytes, event.sequence, viewer, seed(2)).unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(none_since.events(viewer, 0), told, "the seed decides what is hidden, not where it is");
        }
        let missing = game.branch_before(&bytes, u32::MAX, viewer, seed(1)).err().expect("there is no such event");
        assert_eq!(missing.code(), "log/no_such_event");
    }
}

#[test]
fn a_branch_hides_what_its_match_hides() {
    let ruleset = games::load("skirmish");
    let game = Game::Ruleset(ruleset.clone());
    let live = game.start(&Start::seeded(1, 2)).expect("ready-made decks are legal; qed");
    let hands = |n: u32| {
        let world = host::RuledMatch::branch(&ruleset, &live.log_bytes(), 0, Viewer::Seat(Seat(0)), seed(n));
        let world = world.expect("is a log; qed");
        assert!(!world.log_bytes().windows(8).any(|it| it == 1_u64.to_le_bytes()), "the true seed is not in its log");
        let state = world.live().state();
        let zone = engine::state::MatchState::instance(ruleset.program(), hand(&ruleset), PlayerId(1));
        let cards: Vec<EntityId> = state.cards_in(zone).collect();
        cards.iter().map(|it| state.ents[it.index()].def.0).collect::<Vec<_>>()
    };
    let found: BTreeSet<Vec<u16>> = (0..20).map(hands).collect();
    assert!(found.len() > 10, "the other's hand is dealt anew: {found:?}");
}

fn hand(ruleset: &Ruleset) -> ruleset::ZoneId {
    let at = ruleset.program().text.zones.iter().position(|it| it.id == "hand");
    ruleset::ZoneId::at(at.expect("there is a hand; qed"))
}
