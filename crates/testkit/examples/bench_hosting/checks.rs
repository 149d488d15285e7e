//! How fast rulesets are checked by play, and what it costs to say why an action is not legal.

use std::time::Instant;

use engine::{EntityId, PlayerId, view::Viewer};
use host::trial::{Effort, counted_trial};
use ruleset::ActionId;
use testkit::{contract::random_game, games};

use crate::median;

/// How many games are checked in each of the rounds.
const GAMES: u64 = 40;

/// Prints the figures of every game.
pub fn report(names: &[&str]) {
    println!("\nchecking by play (`snapstack check --play`), and why an action is not legal");
    for name in names {
        let rounds = (0..5).map(|_| decisions_a_second(name)).collect();
        println!("  {name:<12} {:>9.0} decisions a second; {:>6.1} us to explain", median(rounds), explain_cost(name));
    }
}

fn decisions_a_second(name: &str) -> f64 {
    let ruleset = games::load(name);
    let start = Instant::now();
    let (_, n_decisions) = counted_trial(&ruleset, Effort::games(GAMES), |_| {});
    n_decisions as f64 / start.elapsed().as_secs_f64()
}

/// Microseconds for one action with one card, all actions and some cards at every tenth moment of a game.
fn explain_cost(name: &str) -> f64 {
    let ruleset = games::load(name);
    let (mut n, mut time) = (0_u32, std::time::Duration::ZERO);
    random_game(&ruleset, 1, |live, log| {
        if log.len() % 10 != 0 {
            return;
        }
        for action in (0..ruleset.program().actions.len()).map(ActionId::at) {
            for card in (2..live.state().ents.len()).step_by(7).map(EntityId::at) {
                let start = Instant::now();
                let viewer = Viewer::Player(PlayerId(0));
                std::hint::black_box(live.explain_action(viewer, PlayerId(0), action, &[vec![card.into()]]));
                time += start.elapsed();
                n += 1;
            }
        }
    });
    time.as_secs_f64() * 1e6 / f64::from(n.max(1))
}
