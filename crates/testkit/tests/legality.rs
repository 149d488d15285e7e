//! Why an action is not legal: what the explanation names first is what the command is refused for, and where the
//! explanation finds nothing, the action is offered.

use std::collections::BTreeMap;

use engine::{
    Command, EntityId, Match, PlayerId,
    explain::{Check, Legality, Requirement, Story, Truth},
    view::{Projector, Viewer},
};
use ruleset::{ActionId, clause::Role, sort::Type};
use testkit::{
    contract::{Dice, random_game},
    games,
    scenario::Table,
};

/// Why a player can begin an action with one card or nothing, or why not.
fn begun(live: &Match, player: PlayerId, action: ActionId, card: Option<i64>) -> Legality {
    let targets: Vec<Vec<i64>> = card.iter().map(|it| vec![*it]).collect();
    live.explain_action(Viewer::Player(player), player, action, &targets).expect("there is such an action; qed")
}

fn actions(live: &Match) -> impl Iterator<Item = ActionId> + use<> {
    (0..live.ruleset().program().actions.len()).map(ActionId::at)
}

#[test]
fn an_explanation_finds_nothing_exactly_where_the_action_is_offered() {
    for name in games::with_actions() {
        let ruleset = games::load(&name);
        let (mut n_refused, mut n_offered) = (0, 0);
        random_game(&ruleset, 5, |live, log| {
            if log.len() % 7 != 0 {
                return;
            }
            for player in live.state().players() {
                let offers = live.offers(player);
                for action in actions(live) {
                    let slots = &live.ruleset().program().actions[action.index()].slots;
                    let everybody = (0..live.state().ents.len()).map(|it| Some(i64::from(EntityId::at(it))));
                    let firsts: Vec<Option<i64>> =
                        if slots.is_empty() { vec![None] } else { everybody.step_by(3).collect() };
                    for first in firsts {
                        let told = begun(live, player, action, first);
                        let offered = offers.iter().any(|it| it.action == action && it.principal == first);
                        assert_eq!(told.obstacle().is_none(), offered, "{name}: {action:?} {first:?}: {told:?}");
                        n_refused += usize::from(!offered);
                        n_offered += usize::from(offered);
                    }
                }
            }
        });
        assert!(n_refused > 500 && n_offered > 5, "{name}: {n_refused} refused, {n_offered} offered");
    }
}

#[test]
fn what_is_named_first_is_what_the_command_is_refused_for() {
    for name in games::with_actions() {
        let ruleset = games::load(&name);
        let mut dice = Dice::new(11);
        let mut n_refused = 0;
        random_game(&ruleset, 9, |live, _| {
            let program = live.ruleset().program();
            let player = PlayerId(u8::try_from(dice.below(live.state().head.n_players.into())).unwrap_or(0));
            for action in actions(live) {
                let n_slots = program.actions[action.index()].slots.len();
                let any = |dice: &mut Dice| vec![i64::try_from(dice.below(live.state().ents.len())).unwrap_or(0)];
                let targets: Vec<Vec<i64>> = (0..n_slots).map(|_| any(&mut dice)).collect();
                let command = Command::Act { player, action, targets: targets.clone() };
                let told = live.explain_action(Viewer::Judge, player, action, &targets).expect("is there; qed");
                match live.fork().submit(&command, &mut ()) {
                    Ok(_) => assert_eq!(told.obstacle(), None, "{name}: {command:?}"),
                    Err(why) => {
                        n_refused += 1;
                        let first = told.obstacle().unwrap_or_else(|| panic!("{name}: {command:?} {why}: {told:?}"));
                        assert_eq!(first.rejection(), why, "{name}: {command:?}");
                    }
                }
            }
        });
        assert!(n_refused > 50, "{name}: {n_refused}");
    }
}

#[test]
fn the_parts_of_a_precondition_come_to_the_whole() {
    fn check(story: &engine::explain::Story) {
        let truths: Vec<Option<bool>> =
            story.parts.iter().filter(|it| it.ty == ruleset::sort::Type::BOOL).map(|it| it.holds()).collect();
        match story.role {
            Role::All => assert_eq!(story.holds(), Some(truths.iter().all(|it| *it == Some(true))), "{story:?}"),
            Role::Any => assert_eq!(story.holds(), Some(truths.contains(&Some(true))), "{story:?}"),
            Role::Not => assert_eq!(story.holds(), truths[0].map(|it| !it), "{story:?}"),
            Role::Use => assert_eq!(Some(&story.holds()), truths.last(), "{story:?}"),
            Role::Plain => {}
        }
        story.parts.iter().filter(|it| it.ty == ruleset::sort::Type::BOOL).for_each(check);
    }
    for name in games::with_actions() {
        let ruleset = games::load(&name);
        let mut n = 0;
        random_game(&ruleset, 2, |live, _| {
            let card = EntityId::at(live.state().ents.len() - 1);
            for action in actions(live) {
                let told = live.explain_action(Viewer::Judge, PlayerId(0), action, &[vec![card.into()]]);
                for it in told.expect("is there; qed").checks {
                    if let Requirement::Precondition { story: Some(story), .. } = &it.requirement {
                        assert_eq!(story.holds(), Some(it.truth == Truth::Yes), "{name}: {story:?}");
                        check(story);
                        n += 1;
                    }
                }
            }
        });
        assert!(n > 50, "{name}: {n}");
    }
}

/// Conditions of which all must hold, by their way from the top, and whether they do.
type Leaves = BTreeMap<String, Option<bool>>;

/// The conditions of a story of which all must hold.
fn leaves(story: &Story, way: &str, out: &mut Leaves) {
    let parts = story.parts.iter().filter(|it| it.ty == Type::BOOL);
    let n_skipped = if story.role == Role::Use { parts.clone().count() - 1 } else { 0 };
    if !matches!(story.role, Role::All | Role::Use) {
        out.insert(way.to_owned(), story.holds());
        return;
    }
    for (i, it) in parts.skip(n_skipped).enumerate() {
        leaves(it, &format!("{way}/{i}"), out);
    }
}

/// The first precondition that fails, with what it is made of.
fn first_failing(told: &Legality) -> Option<(u8, Leaves)> {
    let Requirement::Precondition { index, story: Some(story) } = &told.obstacle()?.requirement else { return None };
    let mut found = BTreeMap::new();
    leaves(story, "", &mut found);
    Some((*index, found))
}

/// A precondition as it is told somewhere else, with what it is made of.
fn told_again(told: &Legality, index: u8) -> Option<(Truth, Leaves)> {
    let is_it = |it: &&Check| matches!(it.requirement, Requirement::Precondition { index: at, .. } if at == index);
    let check = told.checks.iter().find(is_it)?;
    let Requirement::Precondition { story: Some(story), .. } = &check.requirement else { return None };
    let mut found = BTreeMap::new();
    leaves(story, "", &mut found);
    Some((check.truth, found))
}

#[test]
fn where_the_named_conditions_hold_and_no_other_fails_the_refusal_has_moved_on() {
    for name in games::with_actions() {
        let ruleset = games::load(&name);
        let mut refused: Vec<(ActionId, PlayerId, i64, u8, Leaves)> = Vec::new();
        let mut n_moved = 0;
        random_game(&ruleset, 3, |live, log| {
            if log.len() % 3 != 0 {
                return;
            }
            // What was refused before is asked again here.
            for (action, player, card, index, then) in &refused {
                let told = begun(live, *player, *action, Some(*card));
                let Some((truth, now)) = told_again(&told, *index) else { continue };
                let mended = then.iter().filter(|it| *it.1 == Some(false)).all(|it| now.get(it.0) == Some(&Some(true)));
                let kept = then.iter().filter(|it| *it.1 == Some(true)).all(|it| now.get(it.0) == Some(&Some(true)));
                let is_seen = then.values().chain(now.values()).all(Option::is_some);
                if mended && kept && is_seen && then.len() == now.len() {
                    assert_eq!(truth, Truth::Yes, "{name}: {action:?} {card}");
                    let first = told.obstacle().map(|it| it.requirement.clone());
                    assert!(!matches!(first, Some(Requirement::Precondition { index: at, .. }) if at == *index));
                    n_moved += 1;
                }
            }
            let player = PlayerId(u8::try_from(log.len() / 3 % 2).unwrap_or(0));
            let cards = (2..live.state().ents.len()).step_by(5).map(|it| i64::from(EntityId::at(it)));
            for (action, card) in actions(live).flat_map(|it| cards.clone().map(move |card| (it, card))) {
                let told = begun(live, player, action, Some(card));
                if let Some((index, then)) = first_failing(&told).filter(|_| refused.len() < 400) {
                    refused.push((action, player, card, index, then));
                }
            }
        });
        assert!(refused.is_empty() || n_moved > 10, "{name}: {n_moved} of {} moved on", refused.len());
    }
}

#[track_caller]
fn check(setup: &str, line: &str, expected: &[&str]) {
    let table = Table::set(games::load("duel"), setup).expect("the table can be set; qed");
    let Ok(Command::Act { player, action, targets }) = table.command(line) else { panic!("not an action: {line}") };
    let mut eyes = Projector::new(table.live.ruleset(), Viewer::Player(player));
    eyes.settle(table.live.state());
    let told = host::explain::why_not(&table.live, &eyes, player, action, &targets).expect("is there; qed");
    let text = format!("{} {told}", told.code);
    for it in expected {
        assert!(text.contains(it), "`{it}` is not in:\n{text}");
    }
}

#[test]
fn a_refusal_moves_on_step_by_step_until_the_action_is_legal() {
    let summon = "p1 summon Ogre#1 0";
    check("active: p2\np1 hand: Ogre#1\np2 hand: Bolt#2", summon, &["command/not_your_priority", "p2 may act"]);
    let elsewhere = "p1 battlefield: Ogre#1\np1 hand: Recruit#9";
    check(elsewhere, summon, &["command/precondition_failed", "no  in_zone(target: card, zone: hand)"]);
    let attacking = "step: declare_attackers\np1 hand: Ogre#1";
    check(attacking, summon, &["command/precondition_failed", "no  my_quiet_moment", "current_phase = combat"]);
    check(
        "p1 hand: Ogre#1\np1: mana=3",
        summon,
        &["command/cannot_pay", "resource = mana", "amount = 4", "attribute(of: player, attribute: resource) = 3"],
    );
    check("p1 hand: Ogre#1\np1: mana=4", summon, &["legal p1 can summon Ogre", "4 mana of p1"]);
}

#[test]
fn candidates_that_do_not_fit_are_told_why() {
    let setup = "p1 hand: Giant_Strength#1\np1: mana=2\np1 battlefield: Bear_Cub#2";
    let fits = ["legal", "something can fill creature  (Bear Cub"];
    let bare = "p1 hand: Giant_Strength#1\np1: mana=2";
    let table = Table::set(games::load("duel"), setup).expect("the table can be set; qed");
    let Ok(Command::Act { player, action, targets }) = table.command("p1 enchant Giant_Strength#1 Bear_Cub#2") else {
        panic!("an action; qed")
    };
    for (setup, expected) in [(setup, &fits[..]), (bare, &["nothing can fill creature"][..])] {
        let table = Table::set(games::load("duel"), setup).expect("the table can be set; qed");
        let mut eyes = Projector::new(table.live.ruleset(), Viewer::Player(player));
        eyes.settle(table.live.state());
        let told = host::explain::why_not(&table.live, &eyes, player, action, &targets[..1]).expect("is there; qed");
        let text = format!("{} {told}", told.code);
        expected.iter().for_each(|it| assert!(text.contains(it), "`{it}` is not in:\n{text}"));
    }
}

#[test]
fn what_a_condition_finds_out_about_hidden_cards_is_not_told() {
    let spying = include_str!("data/secrets.json").replacen(
        r#""preconditions": [{ "op": "phase_allows", "phase": "main" }]"#,
        r#""preconditions": [{ "op": "phase_allows", "phase": "main" },
            { "op": "or", "of": [
              { "op": "exists", "of": { "zone": "hand", "controller": "opponent", "where": { "op": "gt", "a": { "ref": "it.cost" }, "b": 3 } } },
              { "op": "ge", "a": { "op": "count", "of": { "zone": "hand", "controller": "opponent" } }, "b": 3 }] }]"#,
        1,
    );
    let ruleset = games::parse(&spying);
    let told = |hand: &str, viewer: Viewer| {
        let setup = format!("step: act\np1: mana=3\np1 hand: Bee#1\np2 hand: {hand}");
        let table = Table::set(ruleset.clone(), &setup).expect("the table can be set; qed");
        let Ok(Command::Act { player, action, targets }) = table.command("p1 play Bee#1") else { panic!("an action") };
        let mut eyes = Projector::new(&ruleset, viewer);
        eyes.settle(table.live.state());
        host::explain::why_not(&table.live, &eyes, player, action, &targets).expect("is there; qed").to_string()
    };
    let (player, judge) = (Viewer::Player(PlayerId(0)), Viewer::Judge);
    let refused = told("Cat#2", player);
    assert!(refused.contains("-   exists(of: {zone: hand"), "what reads hidden cards is left open:\n{refused}");
    assert!(refused.contains("no  precondition 2"), "that it does not hold is what the refusal says:\n{refused}");
    assert!(
        refused.contains("no  count(of: {zone: hand, controller: opponent}) >= 3"),
        "counts are public:\n{refused}"
    );
    assert_eq!(refused, told("Dog#2", player), "which card it is makes no difference");
    assert!(told("Cat#2", judge).contains("no  exists(of: {zone: hand"), "a judge sees it");
}
