//! Every decision is a selector: whoever can answer selectors can play every game.

use engine::{
    Command, Control, Match, PlayerId, Waiting,
    view::{Projector, Viewer},
};
use selector::{Choice, Response, Value};
use testkit::{
    contract::{Dice, asked},
    games,
};

/// A random answer to any selector, made from nothing but the selector itself.
fn random_selection(choices: &[Choice], min: u32, max: u32, dice: &mut Dice) -> Vec<Value> {
    let n = min as usize + dice.below((max - min) as usize + 1);
    let mut left: Vec<&Choice> = choices.iter().collect();
    (0..n.min(left.len()))
        .map(|_| {
            let choice = left.remove(dice.below(left.len()));
            let title = choice.title.clone().expect("every choice of the engine has a title; qed");
            match &choice.nested {
                Some(inner) => {
                    Value::nested(title, random_selection(&inner.choices, inner.bounds().min, inner.bounds().max, dice))
                }
                None => title.into(),
            }
        })
        .collect()
}

fn answer(live: &Match, player: PlayerId, dice: &mut Dice) -> engine::Command {
    let mut face = Projector::new(live.ruleset(), Viewer::Player(player));
    let decision = face.decision(live).expect("whoever is asked has something to decide; qed");
    let bounds = decision.bounds();
    let selection = random_selection(&decision.options.choices, bounds.min, bounds.max, dice);
    let response = Response::to(&decision, selection);
    assert_eq!(decision.validate(&response), Ok(()), "{decision:?} {response:?}");
    face.answer(live, &response).expect("a valid answer means a command; qed")
}

#[test]
fn a_player_who_knows_only_selectors_finishes_every_game() {
    for name in games::playable() {
        let ruleset = games::load(&name);
        for seed in 0..3 {
            let setup = games::setup(&ruleset, seed, ruleset.program().players.max);
            let (mut live, _) =
                Match::start(ruleset.clone(), &setup, &mut ()).expect("ready-made decks are legal; qed");
            let mut dice = Dice::new(seed);
            while !matches!(live.waiting(), Waiting::Over(_) | Waiting::Paused(_)) {
                let command = match asked(&live).first() {
                    Some(player) => answer(&live, *player, &mut dice),
                    // Time is the host's.
                    None => Command::Control(Control::Timer),
                };
                live.submit(&command, &mut ()).unwrap_or_else(|it| panic!("{name}: {command:?}: {it}"));
            }
            assert!(matches!(live.waiting(), Waiting::Over(_)), "{name} {seed}: {:?}", live.waiting());
        }
    }
}
