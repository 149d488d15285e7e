//! Why an action is not legal: what the explanation names first is what the command is refused for, and where the
//! explanation finds nothing, the action is offered.

use engine::{
    Command, EntityId, Match, PlayerId,
    explain::{Legality, Requirement, Truth},
    view::Viewer,
};
use ruleset::ActionId;
use testkit::{
    contract::{Dice, random_game},
    games,
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
    for name in games::playable() {
        let ruleset = games::load(&name);
        let (mut n_refused, mut n_offered) = (0, 0);
        random_game(&ruleset, 5, |live, log| {
            if log.transitions.len() % 7 != 0 {
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
    for name in games::playable() {
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
    use ruleset::clause::Role;
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
    for name in games::playable() {
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
