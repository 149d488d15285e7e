//! A stored match can be gone through record by record, forwards and backwards, and stopped where one wants to look.

use engine::{Log, log::LogError};
use host::stepper::{Breakpoint, Stepper};
use ruleset::{EventTypeId, RuleId};
use testkit::{contract::random_game, games};

fn stepper(game: &str, seed: u64) -> (Stepper, Log) {
    let ruleset = games::load(game);
    let (_, log) = random_game(&ruleset, seed, |_, _| {});
    (Stepper::new(&ruleset, log.clone()).expect("the log is whole; qed"), log)
}

#[test]
fn going_back_shows_what_going_forward_showed() {
    let (mut stepper, log) = stepper("duel", 3);
    let mut seen = Vec::new();
    while stepper.forward() {
        seen.push((stepper.live().hash(), stepper.lines().len()));
    }
    assert_eq!(seen.len(), stepper.len());
    let folded = log.fold(stepper.live().ruleset(), log.len()).expect("the log folds; qed");
    assert!(folded.encode() == stepper.live().encode(), "the end is the match");
    // Back record by record near the end, then in leaps.
    let leaps = (0..40).map(|it| seen.len() - 1 - it).chain((0..seen.len() - 40).rev().step_by(97));
    for position in leaps {
        stepper.go_to(position + 1);
        assert_eq!((stepper.live().hash(), stepper.lines().len()), seen[position], "record {position}");
    }
    stepper.go_to(1);
    assert!(stepper.back() && !stepper.back());
    assert_eq!(stepper.position(), 0);
}

#[test]
fn breakpoints_stop_at_events_cards_and_rules_with_the_stack_as_it_is() {
    let (mut stepper, _) = stepper("duel", 3);
    let text = stepper.live().ruleset().program().text.clone();
    let event = EventTypeId::at(text.events.iter().position(|it| it.id == "DealDamage").expect("is declared; qed"));
    assert!(stepper.run(&[Breakpoint::Event(event)]));
    let stack = stepper.stack();
    assert_eq!(stack.last().map(|it| it.name.as_str()), Some("DealDamage"), "{stack:?}");
    assert!(stack.len() > 1, "it stands in the middle of a resolution: {stack:?}");
    let card = stepper.live().state().stack[0].source;
    let before = stepper.position();
    if card.is_some() {
        stepper.go_to(0);
        assert!(stepper.run(&[Breakpoint::Card(card)]));
        assert!(stepper.position() <= before);
    }
    stepper.go_to(0);
    let rule = RuleId::at(text.rules.iter().position(|it| it.id == "combat_damage_is_dealt").expect("is there; qed"));
    assert!(stepper.run(&[Breakpoint::Rule(rule)]));
    assert!(stepper.stack().iter().any(|it| it.name == "combat_damage_is_dealt"));
}

#[test]
fn a_damaged_log_is_not_gone_through() {
    let ruleset = games::load("skirmish");
    let (_, log) = random_game(&ruleset, 3, |_, _| {});
    let (first, mut bad) = (log.transition(0).unwrap().records(), Vec::new());
    bad.extend_from_slice(first);
    bad.push(u8::MAX);
    let mut damaged = Log::new(log.header().clone());
    damaged.append(None, &bad);
    let n = log.records().unwrap()[0].len();
    let found = Stepper::new(&ruleset, damaged).map(|_| ());
    assert_eq!(found, Err(LogError::BadRecord { transition: 0, record: n }));
}
