//! Why rules answer events or not: what the trace says is what the log shows, and watching changes nothing.

use std::collections::BTreeSet;

use engine::{
    EntityId, EventNo, Match, Record, Sink,
    explain::{Considered, Story, Verdict},
    state::{FrameKind, MatchState},
};
use host::{Question, RuledMatch, Viewer, stepper::Stepper};
use ruleset::RuleId;
use testkit::{
    contract::{Dice, random_command, random_game},
    games,
    scenario::Table,
};

/// The triggers that came onto the stack or were held back: what they answer, which rule, of whom, for whom.
#[derive(Default)]
struct Answered(Vec<(EventNo, RuleId, EntityId, EntityId)>);

impl Sink for Answered {
    fn record(&mut self, _: &MatchState, record: &Record<&[i64]>) {
        if let Record::Pushed(frame, _) | Record::Held { frame, .. } = record
            && frame.kind == FrameKind::Trigger
        {
            self.0.push((frame.cause, frame.rule, frame.source, frame.subject));
        }
    }
}

fn is_taken(it: &Considered) -> bool {
    matches!(it.verdict, Verdict::Taken(_) | Verdict::Dropped(_))
}

/// Whether a rule is one that answers events by itself.
fn reacts(live: &Match, rule: RuleId) -> bool {
    live.ruleset().program().rule(rule).is_some_and(|it| it.event.is_some())
}

#[test]
fn the_rules_that_are_said_to_answer_are_those_that_do() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        let mut dice = Dice::new(3);
        let (mut n_taken, mut n_left) = (0, 0);
        random_game(&ruleset, 8, |live, _| {
            let Some(command) = random_command(live, &mut dice) else { return };
            let (mut plain, mut watched) = (live.fork(), live.fork());
            let mut answered = Answered::default();
            plain.submit(&command, &mut answered).expect("is offered; qed");
            let (_, considered) = watched.submit_traced(&command, &mut ()).expect("is offered; qed");
            assert!(plain.encode() == watched.encode(), "{name}: watching changes the match");
            let keys = considered.iter().filter(|it| is_taken(it)).map(|it| (it.event, it.rule, it.source, it.subject));
            let said: BTreeSet<_> = keys.collect();
            // A list that holds triggers back lets them go later: each counts once.
            let did: BTreeSet<_> = answered.0.iter().copied().filter(|it| reacts(live, it.1)).collect();
            assert_eq!(said, did, "{name}: {command:?}");
            n_taken += said.len();
            n_left += considered.iter().filter(|it| !is_taken(it)).count();
        });
        let hears = ruleset.program().rules.iter().any(|it| it.event.is_some());
        // A game that only asks may have no rules but those that end it.
        let least = if ruleset.program().actions.is_empty() { 1 } else { 6 };
        assert!(!hears || n_taken >= least, "{name}: {n_taken} taken, {n_left} left");
    }
}

#[test]
fn a_rule_that_does_not_answer_is_told_with_a_part_that_fails() {
    fn fails(story: &Story) -> bool {
        story.holds() == Some(false)
    }
    let ruleset = games::load("duel");
    let mut dice = Dice::new(5);
    let mut n_told = 0;
    for seed in 0..3 {
        random_game(&ruleset, seed, |live, _| {
            let Some(command) = random_command(live, &mut dice) else { return };
            let (_, considered) = live.fork().submit_traced(&command, &mut ()).expect("is offered; qed");
            for it in considered {
                match &it.verdict {
                    Verdict::Filtered(story) | Verdict::Unmet(story) => {
                        let story = story.as_ref().expect("what has conditions has a story; qed");
                        assert!(fails(story), "{story:?}");
                        n_told += 1;
                    }
                    Verdict::Taken(stories) => assert!(stories.iter().all(|it| it.holds() == Some(true))),
                    _ => {}
                }
            }
        });
    }
    assert!(n_told > 50, "{n_told}");
}

#[track_caller]
fn check(game: &str, setup: &str, play: &[&str], rule: &str, expected: &[&str]) {
    let mut table = Table::set(games::load(game), setup).expect("the table can be set; qed");
    let (last, before) = play.split_last().expect("something is played; qed");
    before.iter().for_each(|it| table.play(it).expect("is legal; qed"));
    let command = table.command(last).expect("can be read; qed");
    let (_, considered) = table.live.submit_traced(&command, &mut ()).expect("is legal; qed");
    let program = table.live.ruleset().program();
    let is_it = |it: &&Considered| program.text.rules[it.rule.index()].id == rule;
    let verdicts = considered.iter().filter(is_it).map(|it| host::explain::verdict(program, &table.narrator, it));
    let told: Vec<String> = verdicts.map(|it| it.to_string()).collect();
    let told = told.concat();
    for line in expected {
        assert!(told.contains(line), "`{line}` is not in:\n{told}");
    }
}

const SHIELD: &str = "p1 hand: Bolt#1, Bolt#2, Recruit#9\np1: mana=4\np2 battlefield: Shield_Knight#3";

#[test]
fn a_rule_answers_if_its_conditions_hold() {
    let first = &["p1 cast Bolt#1 Bolt Shield_Knight#3"];
    let answers = ["yes Shield of Shield_Knight#3: answers", "yes event.amount > 0  (event.amount = 3)"];
    check("duel", SHIELD, first, "Shield", &answers);
}

#[test]
fn a_rule_that_was_lost_does_not_answer() {
    let both = &["p1 cast Bolt#1 Bolt Shield_Knight#3", "p1 cast Bolt#2 Bolt Shield_Knight#3"];
    check("duel", SHIELD, both, "Shield", &["no  Shield of Shield_Knight#3: its card has lost it"]);
}

#[test]
fn a_rule_does_not_answer_an_event_it_does_not_wait_for() {
    let setup = "p1 hand: Bolt#1, Recruit#9\np1: mana=4\np2 battlefield: Ogre#3, Vampire#4\np2 hand: Vampire#5";
    let left = [
        "no  Lifesteal of Vampire#4: the event is not what it waits for",
        "no  source: self  (event.source = Bolt#1, self = Vampire#4)",
        "no  Lifesteal of Vampire#5: its card is where it does not work",
    ];
    check("duel", setup, &["p1 cast Bolt#1 Bolt Ogre#3", "p2 pass"], "Lifesteal", &left);
}

#[test]
fn a_rule_that_answered_often_enough_does_not_answer_again() {
    let setup = "step: declare_attackers\np1 battlefield: Archer#1, Archer#2\np2 battlefield: Shieldbearer#3";
    let play = &["p1 attack Archer#1 Shieldbearer#3", "p1 attack Archer#2 Shieldbearer#3"];
    let full = "no  Shield of Shieldbearer#3: it has answered in this turn as often as it may: 1";
    check("skirmish", setup, play, "Shield", &[full]);
}

#[test]
fn a_player_sees_no_numbers_of_events_and_a_judge_does() {
    let ruleset = games::load("skirmish");
    let mut live = RuledMatch::start(&ruleset, games::setup(&ruleset, 1, 2)).expect("decks are legal; qed");
    let mut dice = Dice::new(1);
    for _ in 0..20 {
        let command = random_command(live.live(), &mut dice).expect("the game goes on; qed");
        live.carry_out(&command).expect("is offered; qed");
    }
    let question = Question::Trigger { event: 4, of: None };
    let told = |viewer| live.explain(viewer, &question).map_err(|it| it.code());
    assert!(told(Viewer::Judge).is_ok());
    assert_eq!(told(Viewer::Seat(host::Seat(0))), Err("explain/not_allowed"));
    let none = Question::Trigger { event: 1_000_000, of: None };
    assert_eq!(live.explain(Viewer::Judge, &none).map_err(|it| it.code()), Err("explain/unknown_event"));
    let deaf = Question::Trigger { event: 4, of: Some("Study".to_owned()) };
    let deaf = live.explain(Viewer::Judge, &deaf).expect("a judge may; qed");
    assert!(deaf.to_string().contains("Study: it waits for"), "{deaf}");
}

#[test]
fn going_through_a_match_shows_why_rules_were_taken_or_left() {
    let ruleset = games::load("duel");
    let (_, log) = random_game(&ruleset, 3, |_, _| {});
    let mut stepper = Stepper::new(&ruleset, log).expect("the log is whole; qed");
    let (mut n_taken, mut n_left) = (0, 0);
    while stepper.forward() && stepper.position() < 2500 {
        for it in stepper.considered() {
            n_taken += usize::from(it.holds == Some(true));
            n_left += usize::from(it.holds == Some(false));
        }
    }
    assert!(n_taken > 20 && n_left > 100, "{n_taken} taken, {n_left} left");
    // The same place says the same when it is come to from behind.
    let (position, told) = (stepper.position(), stepper.considered());
    stepper.back();
    stepper.go_to(position);
    assert_eq!(stepper.considered(), told);
}
